"""Measures quepu, beside other programs on the same work in the same run, and writes `bench/results.md`.

    python bench/run.py              everything
    python bench/run.py one_hand     only these sections; the others keep their last figures

A section is a module here with `TITLE` and `measure() -> Iterable[Row]`. Rates are of one thread, best of several
repeats, in processor time unless a row says otherwise: other work on the machine disturbs the clock on the wall.
"""

from __future__ import annotations

import importlib
import platform
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]
from rows import Row  # noqa: E402  # this folder is on the path only now

RESULTS = HERE / "results.md"
SECTIONS = ("one_hand", "lines", "start", "batch", "fresh", "jobs", "lab", "rounds")


def machine() -> str:
    """What the figures were measured on."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False, cwd=HERE
    ).stdout.strip()
    processor = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        found = re.search(r"model name\s*: (.*)", info.read_text())
        processor = found[1] if found else processor
    return f"{time.strftime('%Y-%m-%d')}, commit {commit}, {processor}, Python {platform.python_version()}"


def table(rows: Iterable[Row]) -> str:
    """Rows as a table."""
    told = [f"| {row.what} | {row.figure} | {row.beside} |" for row in rows]
    return "\n".join(["| what | figure | beside |", "|---|---:|---:|", *told])


def section(name: str) -> str:
    """A section's figures."""
    module = importlib.import_module(name)
    rows = []
    for row in module.measure():
        print(f"{row.what:<56} {row.figure:>20} {row.beside}", flush=True)
        rows.append(row)
    return f"## {module.TITLE}\n\n`python bench/run.py {name}`: {machine()}\n\n{table(rows)}"


def write(sections: Mapping[str, str]) -> None:
    """Put sections into `results.md` in place of those of the same name; the others stay."""
    old = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
    kept = dict(re.findall(r"<!-- (\w+) -->\n(.*?)\n<!-- end -->", old, re.DOTALL))
    text = "# Figures\n\nWritten by `make bench` (`bench/run.py`); see there for what is measured and how.\n"
    for name, body in (kept | sections).items():
        text += f"\n<!-- {name} -->\n{body}\n<!-- end -->\n"
    RESULTS.write_text(text, encoding="utf-8")


def main(names: list[str]) -> None:
    """Measure and write."""
    write({name: section(name) for name in names or SECTIONS})


if __name__ == "__main__":
    main(sys.argv[1:])
