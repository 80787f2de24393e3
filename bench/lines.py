"""Lines of JSON in, lines of JSON out, as `quepu score --jsonl` answers them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rows import Row, seconds

from quepu.exchange import score_lines
from quepu.generate import wins
from quepu.notation import write
from quepu.rulebooks import book, book_ids

TITLE = "Lines of JSON"
LINES = 10_000


def measure() -> Iterator[Row]:
    """One row a book: every line another hand."""
    for name in book_ids():
        lines = [json.dumps({"hand": write(hand), "rules": name}) for hand in wins(book(name), LINES, seed=7)]
        spent = seconds(lambda lines=lines: sum(len(answer) for answer in score_lines(lines)))
        yield Row(name, f"{LINES / spent:,.0f} lines/s")
