"""What the tests of 灵雀 share: the examples of the seeds, and a score as plain values."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import quepu
from quepu.errors import Text
from quepu.scoring.score import Score

BOOKS = ("lingque-29", "lingque-26")
FILE = Path(quepu.__file__).parent / "rulebooks" / "lingque" / "examples.toml"
DATA: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))


def numbered() -> list[tuple[str, int, str, dict[str, Any]]]:
    """Book, number, hand and what the book prints (corrected), for every example."""
    return [
        (book, entry[book]["number"], entry["hand"], entry[book])
        for entry in DATA["example"]
        for book in BOOKS
        if book in entry
    ]


def names(score: Score) -> list[str]:
    return [str(line) for line in score.fans]


def result(hand: str, rules: str = "lingque-29", **how: Any) -> tuple[str, int, int, int]:
    """The list as the books print it, 副, 翻, points."""
    score = quepu.score(hand, rules=rules, **how)
    return "、".join(names(score)), score.parts["fu"], score.parts["fan"], score.points


def fans(hand: str, rules: str = "lingque-29", **how: Any) -> set[str]:
    """The names of the fans that count, with ×n."""
    return set(names(quepu.score(hand, rules=rules, **how)))


def steps(hand: str, rules: str = "lingque-29") -> tuple[Text, ...]:
    """The arithmetic of the best reading in words."""
    score = quepu.score(hand, rules=rules)
    return score.book.explain_tally(score.best.h).steps
