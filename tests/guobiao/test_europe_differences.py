"""Every hand that Europe scores otherwise than the League is explained by a row of their difference."""

from __future__ import annotations

from collections import Counter

import pytest

from quepu.batch import score_many
from quepu.hands.hand import Hand
from quepu.hands.planes import Planes
from quepu.rulebooks import book
from quepu.rules.diff import difference
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand

MIL, EMA = book("guobiao-mil-2025"), book("guobiao-ema")
CHANGED = {one["name"]: one for one in difference(MIL, EMA).to_json()["changed"]}
BLOCK = 10_000


def counted(rules: Rulebook, reading: Planes) -> tuple[Counter[tuple[str, int]], int]:
    """Each fan of a reading with its value, as often as it counts, and their sum."""
    tally = rules.tally(reading)
    fans = Counter({(rules.fans[one.row].name, sum(one.value.values())): one.times for one in tally.counted})
    return fans, tally.points + tally.bonus


def explained(name: str, old: set[str], new: set[str]) -> bool:
    """Whether a row of the difference says why a fan counts otherwise in one of two scores."""
    if name in CHANGED:
        return True
    for row in CHANGED.keys() & (old | new):
        change = CHANGED[row]
        if name in change["no_longer_drops"] or name in change["now_drops"]:
            return True
        if change["sentence"] is not None and name in change["sentence"][1]:
            return True
        if (row in old) != (row in new) and name in EMA.fan(row).drops:
            return True
    return False


def explain(hand: Hand) -> set[str]:
    """The rows that explain why a hand scores otherwise; fails if a fan differs without one.

    Where the books prefer different readings, each reading is explained.
    """
    found = set()
    for reading in {score_hand(hand, MIL).best.h, score_hand(hand, EMA).best.h}:
        (before, then), (after, now) = counted(MIL, reading), counted(EMA, reading)
        gone, came = before - after, after - before
        moved = sum(value * n for (_, value), n in came.items()) - sum(value * n for (_, value), n in gone.items())
        assert moved == now - then, hand
        names = {name for name, _ in gone + came}
        sides = {name for name, _ in before}, {name for name, _ in after}
        lost = {name for name in names if not explained(name, *sides)}
        assert not lost, (str(hand), then, now, lost)
        found |= names & CHANGED.keys()
    return found


def differences(number: int, seed: int) -> Counter[str]:
    """How often each row of the difference explains a hand."""
    found: Counter[str] = Counter()
    for at in range(0, number, BLOCK):
        hands = list(wins(MIL, min(BLOCK, number - at), seed + at))
        old, new = (score_many(hands, rules, fast=False).points.tolist() for rules in (MIL, EMA))
        for hand, one, other in zip(hands, old, new, strict=True):
            if one != other:
                found.update(explain(hand))
    return found


def test_random_hands() -> None:
    assert differences(2_000, 7)


@pytest.mark.slow
def test_a_hundred_thousand_random_hands() -> None:
    found = differences(100_000, 100)
    assert found.keys() >= {"双暗杠", "明暗杠", "不求人"}


@pytest.mark.parametrize(
    ("hand", "self_draw", "mil", "ema"),
    [
        ("34567sCC[2222m][7777p]+8s", False, 9, 11),
        ("34s88m[2222m](7777p)(CCC)+5s", False, 7, 8),
        ("34567sCC(2222m)(7777p)+8s", False, 5, 5),
        ("11m55m22p88p33s99sE+E", True, 25, 28),
        ("1122334455667m+7m", True, 89, 92),
        ("19m19p19sESWNCFP+P", True, 89, 92),
        ("222777m444p999sE+E", True, 67, 70),
        ("1112345678999m+5m", False, 91, 90),
        ("1112345678999m+5m", True, 92, 94),
        ("9s(111m)(111p)(999m)(999p)+9s", False, 70, 74),
    ],
)
def test_hands_that_pin_the_difference(hand: str, self_draw: bool, mil: int, ema: int) -> None:
    """Written down from facts about the two books, not from this program."""
    import quepu

    for rules, points in ((MIL, mil), (EMA, ema)):
        assert quepu.score(hand, rules, seat="E", round="E", self_draw=self_draw).points == points
    explain(quepu.parse(hand)._replace(luck=int(quepu.score(hand, MIL, self_draw=self_draw).hand.luck)))


@pytest.mark.parametrize(
    ("old", "new", "cells"), [(MIL, EMA, ("none", "given for every fan")), (EMA, MIL, ("given for every fan", "none"))]
)
def test_a_column_that_only_one_book_has_is_told_once(old: Rulebook, new: Rulebook, cells: tuple[str, str]) -> None:
    (told,) = [one for one in difference(old, new).figures if "source" in one.label.en]
    assert (told.old.en, told.new.en) == cells
