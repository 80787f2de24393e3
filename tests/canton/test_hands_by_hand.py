"""Hands of 广东 scored by hand from the seed's sentences, before the program was asked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.canton.hands import score

LINES = [
    line.split("\t")
    for line in Path(__file__).with_name("hands.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
CIRCUMSTANCES = {"l": "海底捞月", "r": "抢杠", "k": "杠上开花"}


@pytest.mark.parametrize(
    ("hand", "seat", "how", "flowers", "names"),
    LINES,
    ids=[f"{hand} {seat} {how} {f}" for hand, seat, how, f, _ in LINES],
)
def test_a_hand_scored_by_hand(hand: str, seat: str, how: str, flowers: str, names: str) -> None:
    named = " ".join(name for letter, name in CIRCUMSTANCES.items() if letter in how)
    found = score(hand, named, seat=seat, self_draw="s" in how, flowers=list(flowers))
    assert Counter({fan.name: fan.count for fan in found.fans}) == Counter(names.split())
