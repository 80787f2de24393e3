"""Hands scored by hand from the Green Book's facts, by the numbers of its fans."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import quepu
from quepu.match import settle
from quepu.rulebooks import book
from quepu.rulebooks.guobiao.readings import GREEN_BOOK, MIXED_KONGS
from quepu.rules.play_rules import Ending, SeatWin, play_rules
from quepu.tiles import FLOWERS

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


CIRCUMSTANCES = {"k": "杠上开花", "r": "抢杠和", "f": "和绝张"}


def circumstances(how: str) -> list[str]:
    last = ["妙手回春" if "s" in how else "海底捞月"] if "l" in how else []
    return [*last, *(name for letter, name in CIRCUMSTANCES.items() if letter in how)]


@pytest.mark.parametrize(("hand", "how", "numbers"), LINES, ids=[f"{hand} {how}" for hand, how, _ in LINES])
def test_a_hand_scored_by_hand(hand: str, how: str, numbers: str) -> None:
    flowers = sum(int(letter) for letter in how if letter.isdigit())
    found = quepu.score(
        hand,
        "guobiao-ema",
        seat="E",
        round="E",
        self_draw="s" in how,
        circumstances=circumstances(how),
        flowers=FLOWERS[:flowers],
    )
    assert Counter({fan.name: fan.count for fan in found.fans}) == Counter(map(name_of, numbers.split()))
    assert found.total == sum(map(value_of, numbers.split()))


def test_every_fan_of_the_green_book_counts_in_some_hand() -> None:
    assert {int(number) for *_, numbers in LINES for number in numbers.split() if number != "57+"} == set(range(1, 82))


JAPANESE = [
    line.split("\t")
    for line in Path(__file__).with_name("japan_hands.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
LEAGUE = {"48": 6, "57+": 5}
"""The League's values where they are not the Green Book's."""


@pytest.mark.parametrize(
    ("hand", "how", "numbers", "paid"), JAPANESE, ids=[f"{hand} {how}" for hand, how, *_ in JAPANESE]
)
def test_a_hand_scored_by_hand_in_japan(hand: str, how: str, numbers: str, paid: str) -> None:
    rulebook = book("guobiao-jmsa")
    found = quepu.score(hand, rulebook, seat="E", round="E", self_draw="s" in how, circumstances=circumstances(how))
    assert Counter({fan.name: fan.count for fan in found.fans}) == Counter(
        rulebook.fan(name_of(number)).name for number in numbers.split()
    )
    assert found.points == sum(LEAGUE.get(number, value_of(number)) for number in numbers.split())
    ending = Ending((SeatWin(0, found.total),), discarder=None if "s" in how else 1, self_draw="s" in how)
    assert settle(ending, rulebook, play_rules(rulebook)).seats[1] == -8 - int(paid)
