"""Hands scored by hand from the Green Book's facts, by the numbers of its fans."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import quepu
from quepu.rulebooks.guobiao.readings import GREEN_BOOK, MIXED_KONGS

LINES = [
    line.split("\t")
    for line in Path(__file__).with_name("green_book_hands.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
BOUNDS = (
    (7, 88),
    (13, 64),
    (15, 48),
    (18, 32),
    (27, 24),
    (33, 16),
    (38, 12),
    (48, 8),
    (54, 6),
    (58, 4),
    (68, 2),
    (81, 1),
)
"""The last number of each value in the table of points."""


def value_of(number: str) -> int:
    return 6 if number == "57+" else next(value for last, value in BOUNDS if int(number) <= last)


def name_of(number: str) -> str:
    return MIXED_KONGS if number == "57+" else GREEN_BOOK[int(number) - 1]


@pytest.mark.parametrize(("hand", "how", "numbers"), LINES, ids=[f"{hand} {how}" for hand, how, _ in LINES])
def test_a_hand_scored_by_hand(hand: str, how: str, numbers: str) -> None:
    found = quepu.score(hand, "guobiao-ema", seat="E", round="E", self_draw=how == "s")
    assert Counter({fan.name: fan.count for fan in found.fans}) == Counter(map(name_of, numbers.split()))
    assert found.points == sum(map(value_of, numbers.split()))
