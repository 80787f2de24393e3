"""Measures quepu, beside other programs on the same work in the same run, and writes `bench/results.md`.

    python bench/run.py                      everything
    python bench/run.py one_hand             only these sections; the others keep their last figures
    python bench/run.py --check [one_hand]   writes nothing, and fails where a figure is a fifth worse than the last

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
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]
import record  # noqa: E402  # this folder is on the path only now
from rows import Row  # noqa: E402

REPORTS = HERE.parent / "docs" / "performance.md"
SECTIONS = (
    "one_hand",
    "lines",
    "start",
    "batch",
    "fresh",
    "jobs",
    "lab",
    "rounds",
    "fast_tables",
    "million",
    "environments",
    "reviews",
    "clubs",
    "folder",
    "table_page",
    "browser",
)


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
    lines = [f"| {row.what} | {row.figure} | {row.beside} |" for row in rows]
    return "\n".join(["| what | figure | beside |", "|---|---:|---:|", *lines])


def section(name: str) -> list[dict[str, Any]]:
    """A section's figures, as lines of the history."""
    module = importlib.import_module(name)
    rows = []
    for row in module.measure():
        print(f"{row.what:<56} {row.figure:>20} {row.beside}", flush=True)
        rows.append(row)
    return record.entries(name, rows, record.stamp())


def write(sections: Mapping[str, str]) -> None:
    """Put reports with their prose into `docs/performance.md` in place of those of the same name; the others stay."""
    text = REPORTS.read_text(encoding="utf-8")
    for name, body in sections.items():
        made = f"<!-- {name} -->\n{body}\n<!-- end -->"
        old = re.search(rf"<!-- {name} -->\n.*?\n<!-- end -->", text, re.DOTALL)
        text = text.replace(old[0], made) if old else f"{text.rstrip()}\n\n{made}\n"
    REPORTS.write_text(text, encoding="utf-8")


def main(names: list[str]) -> int:
    """Measure and write, or measure and compare; returns the exit code."""
    check = "--check" in names
    before = record.history()
    found = [line for name in [n for n in names if n != "--check"] or SECTIONS for line in section(name)]
    if not check:
        record.add(found)
        return 0
    worse = record.drops(found, before)
    for line in worse:
        print(f"worse by more than a fifth: {line}", file=sys.stderr)
    return int(bool(worse))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
