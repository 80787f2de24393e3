"""Measures quepu, beside other programs on the same work in the same run, and writes `bench/results.md`.

    python bench/run.py                      everything
    python bench/run.py one_hand             only these sections; the others keep their last figures
    python bench/run.py --check [one_hand]   writes nothing, and fails where a figure is a fifth worse than the last

A section is a module here with `measure() -> Iterable[Row]`. Rates are of one thread, best of several
repeats, in processor time unless a row says otherwise: other work on the machine disturbs the clock on the wall.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]
import record  # noqa: E402  # this folder is on the path only now

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
    "first_moves",
    "folder",
    "joins",
    "table_page",
    "browser",
)


def section(name: str) -> list[dict[str, Any]]:
    """A section's figures, as lines of the history."""
    module = importlib.import_module(name)
    rows = []
    for row in module.measure():
        print(f"{row.what:<56} {row.figure:>20} {row.beside}", flush=True)
        rows.append(row)
    return record.entries(name, rows, record.stamp())


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
