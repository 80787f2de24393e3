"""Lines of JSON in, lines of JSON out, as `quepu score --jsonl` answers them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rows import Row, seconds

from quepu.hands.notation import write
from quepu.json_lines.answers import score_lines
from quepu.json_lines.parallel import shared_lines
from quepu.rulebooks import book, book_ids
from quepu.scoring.samples import wins

LINES = 10_000


def measure() -> Iterator[Row]:
    """One row a book: every line another hand; one by one, then as a file is answered (`--jobs 1`)."""
    for name in book_ids():
        rules = book(name)
        lines = [json.dumps({"hand": write(hand), "rules": name}) for hand in wins(rules, LINES, seed=7)]

        def alone(lines: list[str] = lines) -> int:
            return sum(len(answer) for answer in score_lines(lines))

        def together(lines: list[str] = lines) -> int:
            return sum(len(answer) for answer in shared_lines(lines, book("lingque-29"), jobs=1))

        one, many = seconds(alone), seconds(together)
        yield Row(f"{name}: one by one", f"{LINES / one:,.0f} lines/s")
        yield Row(f"{name}: a file, scored by score_many", f"{LINES / many:,.0f} lines/s", f"{one / many:.1f} ×")
    explained = lines[:2000]
    spent = seconds(lambda: sum(len(answer) for answer in score_lines(explained, explain=True)))
    yield Row(f"{name}: with the whole explanation", f"{len(explained) / spent:,.0f} lines/s")
