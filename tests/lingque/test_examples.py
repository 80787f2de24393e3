"""Every numbered example of both seeds: the exact list, 副, 翻 and points."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from quepu.fast.universe.standard_hands import melds
from quepu.hands.notation import parse
from quepu.rulebooks import book
from quepu.rulebooks.lingque.conditions import mixed_couples
from quepu.scoring.score import score_hand
from tests.lingque.hands import BOOKS, DATA, numbered, result


@pytest.mark.parametrize(("rules", "number", "hand", "printed"), numbered())
def test_numbered_example(rules: str, number: int, hand: str, printed: dict[str, Any]) -> None:
    listed, fu, fan, points = result(hand, rules)
    assert Counter(listed.split("、")) == Counter(printed["fans"].split("、"))
    assert (fu, fan, points) == (printed["fu"], printed["fan"], printed["points"])


def shown() -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    return [(rules, entry, entry[rules]) for entry in DATA["shown"] for rules in BOOKS]


@pytest.mark.parametrize(("rules", "entry", "right"), shown())
def test_hands_that_show_rulings(rules: str, entry: dict[str, Any], right: dict[str, Any]) -> None:
    assert entry["ruling"] in {ruling.id for ruling in book(rules).rulings}
    how = {key: entry[key] for key in ("seat", "self_draw", "circumstances") if key in entry}
    assert result(entry["hand"], rules, **how) == (right["fans"], right["fu"], right["fan"], right["points"])


@pytest.mark.parametrize(
    ("rules", "numbers"), [("lingque-29", {*range(1, 76), *range(79, 94)}), ("lingque-26", {*range(1, 96)})]
)
def test_every_number_of_both_seeds_is_there_once(rules: str, numbers: set[int]) -> None:
    found = Counter(n for r, n, _, _ in numbered() if r == rules)
    found.update(entry[rules] for entry in DATA["impossible"])
    assert set(found) == numbers
    assert set(found.values()) == {1}


def test_every_hand_says_that_it_is_constructed() -> None:
    assert all(entry["constructed"] is True for entry in DATA["example"])


def test_misprints_stand_beside_what_is_right() -> None:
    misprints = {(r, n): (e["printed"], e) for r, n, _, e in numbered() if "printed" in e}
    assert set(misprints) == {
        ("lingque-29", 5), ("lingque-26", 5), ("lingque-29", 36), ("lingque-26", 38), ("lingque-29", 20),
        ("lingque-29", 87), ("lingque-26", 90), ("lingque-26", 73),
    }  # fmt: skip
    rulings = {ruling.id for ruling in book("lingque").rulings}
    for printed, right in misprints.values():
        assert right["ruling"] in rulings
        keys = ("fans", "fu", "fan", "points")
        assert any(printed[key] != right[key] for key in keys)
    # the printed sums of 5 and 36 both fit a 门前清 of 4 副: the older draft
    older = book("lingque").having(values={"门前清": (4, 1)}, id="older")
    for number in (5, 36):
        hand = next(h for r, n, h, _ in numbered() if (r, n) == ("lingque-29", number))
        score = score_hand(parse(hand), older)
        printed = misprints["lingque-29", number][0]
        assert (score.parts["fu"], score.parts["fan"], score.points) == tuple(
            printed[k] for k in ("fu", "fan", "points")
        )


@pytest.mark.slow
def test_three_pungs_and_a_couple_of_chows_are_impossible() -> None:
    """Example 80 (v26: 83) wants 三暗刻 beside 喜相逢: no set of four melds has three pungs and a couple of chows."""
    every = melds()
    three = every.pungs >= 3
    couples = mixed_couples(every)  # type: ignore[arg-type]  # it looks at the chows only
    assert len(three) == 366_528
    assert three.sum() > 40_000
    assert couples[~three].any()
    assert not couples[three].any()
