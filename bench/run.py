"""Measure quepu, next to other programs on the same work in the same run, and write `bench/results.md`.

    python bench/run.py                    what a person, a bot or a notebook waits for (WAITED_FOR): under ten minutes
    python bench/run.py all                every section but those in ASKED
    python bench/run.py hands fresh        these scripts and sections; the others keep their last figures
    python bench/run.py load tables=300    with an argument of that section; nothing is written then
    python bench/run.py --check [NAME …]   write nothing, and fail where a figure is a fifth worse than the last one

A section is a function of a script here that yields `Row`s; SECTIONS lists them. Rates are of one thread, the best of
several turns, in processor time unless a row says otherwise: other work on the machine disturbs the clock on the wall.
Whatever is compared takes turns with its peer.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "src")]
HISTORY, RESULTS = HERE / "history.jsonl", HERE / "results.md"
SECTIONS = {
    "hands": ("one_hand", "distances", "fresh", "lines", "start", "frames"),
    "play": ("table_hands", "environments", "first_use", "reviews", "first_moves", "memory"),
    "figures": ("explorer", "lab", "clubs", "folder"),
    "server": ("joins", "load", "hostile"),
    "soak": (),
    "pages": ("table_page", "pages"),
}
"""Every script and its sections."""
WAITED_FOR = (
    "one_hand", "distances", "fresh", "start", "table_hands", "environments", "first_use", "memory",
)  # fmt: skip
"""Sections that run where none is named."""
ASKED = {"play": ("duels", "wall_variance"), "soak": ("soak",)}
"""Sections that run only where they are named: they take as long as their numbers say."""
WORSE = 0.2
"""A figure that is worse than the last one by this share is a drop."""
_HEAD = """\
# Benchmarks

Written by `make bench` (`python bench/run.py`) from [history.jsonl](history.jsonl): the last figures of each section.
A ratio above 1 says how many times faster quepu is than that program in the same run; load is the machine's over a
minute, next to its cores, and disturbs ratios least. `make bench-check` measures again and fails where a figure is a
fifth worse. Why things are built the way they are, with measurements, is in
[docs/decisions](../docs/decisions/README.md).
"""


PEAK = """
import resource
def peak():
    try:
        with open("/proc/self/status") as status:  # ru_maxrss begins, on Linux, with what the parent had
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
"""
"""What a measured process says of its memory, in MiB."""


def process(code: str, *arguments: str, **environment: str) -> Any:
    """Run code in a process of its own; return the JSON that it prints."""
    command = [sys.executable, "-c", PEAK + code, *arguments]
    return json.loads(subprocess.run(command, env=os.environ | environment, capture_output=True, check=True).stdout)


class Row(NamedTuple):
    """A figure: seconds ("s"), a rate ("hands/s") or a size ("MiB", "KiB"), and how it compares with a peer."""

    what: str
    value: float
    unit: str = "s"
    ratio: float | None = None
    peer: str = ""
    note: str = ""

    @property
    def figure(self) -> str:
        """Return the value as it is printed."""
        if self.unit != "s":
            return f"{self.value:,.{1 if self.value < 100 else 0}f} {self.unit}"
        scale, unit = next(((s, u) for s, u in ((1, "s"), (1e3, "ms")) if self.value * s >= 1), (1e6, "µs"))
        return f"{self.value * scale:.{2 if self.value * scale < 10 else 1}f} {unit}"

    @property
    def better(self) -> str:
        """Return whether "more" or "less" of it is better."""
        return "more" if self.unit.endswith("/s") else "less"


def in_turn(works: Mapping[str, Callable[[int], int]], turns: int = 5) -> dict[str, float]:
    """Run works in turn, once to warm up; return the least processor seconds of each for one piece.

    A work is given the number of its turn, 0 for the warm-up, and returns how many pieces it did.
    """
    spent = dict.fromkeys(works, float("inf"))
    for turn in range(turns + 1):
        for what, work in works.items():
            begun = time.process_time()
            pieces = work(turn)
            if turn:
                spent[what] = min(spent[what], (time.process_time() - begun) / pieces)
    return spent


def compare(
    works: Mapping[str, Callable[[int], int]], peers: Sequence[str], unit: str = "s", turns: int = 5, note: str = ""
) -> Iterator[Row]:
    """Run works in turn and yield their rows; the first of `peers` is the one whose ratio is given."""
    spent = in_turn(works, turns)
    for what, each in spent.items():
        value = each if unit == "s" else 1 / each
        if what in peers:
            yield Row(what, value, unit, note=note)
        else:
            others = [f"{spent[peer] / each:.3g} × {peer.split(':')[0]}" for peer in peers[1:]]
            peer = peers[0].split(":", maxsplit=1)[0]
            yield Row(what, value, unit, spent[peers[0]] / each, peer, "; ".join(filter(None, (*others, note))))


def show(rows: Iterable[Row]) -> Iterator[Row]:
    """Print rows as they come."""
    for row in rows:
        beside = "" if row.ratio is None else f"{row.ratio:.3g} × {row.peer}"
        print(f"{row.what:<64} {row.figure:>18}  {beside:<22} {row.note}", flush=True)
        yield row


def entries(section: str, rows: Iterable[Row], stamp: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return rows of a section as lines of the history."""
    return [
        {"section": section, "what": row.what, "figure": row.figure, "value": row.value, "better": row.better,
         "ratio": row.ratio and round(row.ratio, 3), "peer": row.peer, "beside": row.note, **stamp}
        for row in rows
    ]  # fmt: skip


def stamp() -> dict[str, Any]:
    """Return date, commit, load and cores as they are now."""
    command = ["git", "describe", "--always", "--dirty"]
    commit = subprocess.run(command, capture_output=True, text=True, check=False, cwd=HERE).stdout.strip()
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    return {"date": time.strftime("%Y-%m-%d"), "commit": commit, "load": load, "cores": os.cpu_count()}


def history() -> list[dict[str, Any]]:
    """Return every figure ever written down, oldest first."""
    return [json.loads(line) for line in HISTORY.read_text(encoding="utf-8").splitlines()] if HISTORY.exists() else []


def newest(lines: Iterable[dict[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the last figure of each thing."""
    return {(line["section"], line["what"]): line for line in lines}


def add(lines: Iterable[dict[str, Any]]) -> None:
    """Write figures to the history, and the page of results again."""
    with HISTORY.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    RESULTS.write_text(page(history()), encoding="utf-8")


def page(lines: Sequence[dict[str, Any]]) -> str:
    """Return the results: for each section the figures of its last run."""
    parts = [_HEAD]
    for script, sections in SECTIONS.items():
        for section in sections:
            of_it = [line for line in lines if line["section"] == section]
            if not of_it:
                continue
            run = [of_it[-1][key] for key in ("date", "commit")]
            last = newest(line for line in of_it if [line["date"], line["commit"]] == run).values()
            load = "not known" if of_it[-1]["load"] is None else f"{of_it[-1]['load']:g} on {of_it[-1]['cores']} cores"
            parts.append(f"## {section}\n\n`bench/{script}.py`, {run[0]}, commit {run[1]}, load {load}.\n")
            parts.append("| what | figure | ratio | how |\n|---|---:|---:|---|")
            parts += [_cells(line) for line in last]
            parts.append("")
    return "\n".join(parts)


def _cells(line: Mapping[str, Any]) -> str:
    ratio = "" if line["ratio"] is None else f"{line['ratio']:.3g} × {line['peer']}"
    cells = (line["what"], line["figure"], ratio, line["beside"])
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def drops(now: Iterable[dict[str, Any]], before: Iterable[dict[str, Any]]) -> list[str]:
    """Return the figures that are a fifth worse: by ratio where there is one (load disturbs it less), else by value."""
    last = newest(before)
    found = []
    for line in now:
        old = last.get((line["section"], line["what"]))
        by = "ratio" if old and line["ratio"] and old["ratio"] else "value"
        if old is None or not line[by] or not old[by]:
            continue
        change = line[by] / old[by]
        if (change if by == "ratio" or line["better"] == "more" else 1 / change) < 1 - WORSE:
            was = f"{old['figure']} {old['ratio'] or ''}".strip()
            found.append(f"{line['section']}: {line['what']}: {line['figure']} {line['ratio'] or ''} (was {was})")
    return found


def argument(text: str) -> Any:
    """Return a number, a text, or a tuple of them, as `300`, `gain` and `plain,gain` say it."""
    if "," in text:
        return tuple(map(argument, text.split(",")))
    return int(text) if text.isdecimal() else float(text) if text.replace(".", "").isdecimal() else text


def main(given: list[str]) -> int:
    """Measure and write, or measure and compare; return the exit status."""
    wanted = {name for name in given if name != "--check" and "=" not in name}
    arguments = {name: argument(text) for name, _, text in (one.partition("=") for one in given if "=" in one)}
    every = {script: (*sections, *ASKED.get(script, ())) for script, sections in SECTIONS.items()}
    known = {"all"}.union(*((script, *sections) for script, sections in every.items()))
    if unknown := wanted - known:
        print(f"unknown: {', '.join(unknown)}; expected some of {', '.join(sorted(known))}", file=sys.stderr)
        return 2
    if "all" in wanted:
        wanted |= set(SECTIONS)
    found: list[dict[str, Any]] = []
    for script, sections in every.items():
        for section in sections:
            if section in (wanted or WAITED_FOR) or (section in SECTIONS[script] and script in wanted):
                print(f"\n{section}", flush=True)
                begun = time.monotonic()
                rows = list(show(getattr(importlib.import_module(script), section)(**arguments)))
                print(f"({time.monotonic() - begun:.0f} s)", flush=True)
                found += entries(section, rows, stamp())
    if "--check" in given:
        worse = drops(found, history())
        for line in worse:
            print(f"worse by more than a fifth: {line}", file=sys.stderr)
        return int(bool(worse))
    if not arguments:
        add(found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
