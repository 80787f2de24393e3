"""Two processes beside one, by the clock on the wall: `score_many(jobs=2)` and `quepu score --jsonl FILE --jobs 2`.

Wall time is what `jobs` is for, so other work on the machine shows in these figures; each is the best of two. The
processor time of all processes says what sharing the work out costs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from rows import Row

from quepu.batch import from_hands, score_many
from quepu.hands.notation import write
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins

BOOKS = ("guobiao-mcr", "lingque-29")
HANDS, TIMES = 40_000, 25
LINES = 30_000


def measure() -> Iterator[Row]:
    """Two rows a book: hands as arrays, and a file of lines."""
    for name in BOOKS:
        rules = book(name)
        hands = from_hands(list(wins(rules, HANDS, seed=20261121)))
        many = {
            "melds": None if hands.meld_array is None else np.tile(hands.meld_array, (TIMES, 1, 1)),
            "winning": np.tile(hands.winning, TIMES), "seat": np.tile(hands.seat_kind, TIMES),
            "round": np.tile(hands.round_kind, TIMES), "luck": np.tile(hands.given_luck, TIMES),
            "flowers": np.tile(hands.flowers, TIMES),
        }  # fmt: skip
        counts = np.tile(hands.counts, (TIMES, 1))
        score_many(hands.counts, rules, fans=False)  # warm: both begin with what the book's engine has learnt

        def arrays(jobs: int, rules: Rulebook = rules, counts: Any = counts, many: dict[str, Any] = many) -> None:
            score_many(counts, rules, fans=False, reading=False, fast=False, jobs=jobs, **many)

        yield _row(f"{name}: score_many, {len(counts):,} hands", arrays, len(counts), "hands")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "hands.jsonl"
            some = wins(rules, LINES, seed=7)
            path.write_text("".join(json.dumps({"hand": write(hand), "rules": name}) + "\n" for hand in some), "utf-8")

            def lines(jobs: int, path: Path = path) -> None:
                program = [sys.executable, "-c", "from quepu.cli import main; main()"]
                subprocess.run([*program, "score", "--jsonl", str(path), "--jobs", str(jobs)],
                               stdout=subprocess.DEVNULL, check=True)  # fmt: skip

            yield _row(f"{name}: quepu score --jsonl, {LINES:,} lines", lines, LINES, "lines")


def _row(what: str, work: Callable[[int], None], n: int, unit: str) -> Row:
    (one, alone), (two, shared) = _clocks(lambda: work(1)), _clocks(lambda: work(2))
    return Row(
        f"{what}, jobs 2",
        f"{n / two:,.0f} {unit}/s",
        f"{one / two:.2f} × one process ({n / one:,.0f}/s); processor {shared:.1f} s in all, {alone:.1f} s alone",
    )


def _clocks(work: Callable[[], None]) -> tuple[float, float]:
    """Seconds on the wall of the best of two runs, and the processor seconds of that run, of all its processes."""
    found = []
    for _ in range(2):
        spent, begun = sum(os.times()[:4]), time.perf_counter()
        work()
        found.append((time.perf_counter() - begun, sum(os.times()[:4]) - spent))
    return min(found)
