"""The rows: 81 of them, each shown by its example and not by its near miss."""

from __future__ import annotations

import pytest

from quepu.hands.notation import parse
from quepu.rulebooks import book
from quepu.rules.circumstances import situate
from quepu.rules.row import Example
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand
from tests.guobiao import stated

GUOBIAO, MCR = book("guobiao"), book("guobiao-mcr")


def names(example: Example, rules: Rulebook) -> list[str]:
    hand = situate(
        parse(example.hand), rules, seat=example.seat, round=example.round, self_draw=example.self_draw,
        circumstances=example.circumstances, flowers=list(example.flowers),
    )  # fmt: skip
    return [fan.name for fan in score_hand(hand, rules).fans]


def test_eighty_one_fans_in_the_seeds_order() -> None:
    assert {made.id: len(made.fans) for made in (GUOBIAO, MCR)} == stated.ROWS
    values = [fan.value for fan in GUOBIAO.fans]
    assert values == sorted(values, reverse=True)
    assert {value: values.count(value) for value in stated.VALUES} == stated.VALUES


@pytest.mark.parametrize("rules", [GUOBIAO, MCR], ids=lambda rules: rules.id)
def test_example_and_near_miss(rules: Rulebook) -> None:
    for fan in rules.fans:
        assert fan.example and fan.near_miss, fan.name
        assert fan.name in names(fan.example, rules)
        assert fan.name not in names(fan.near_miss, rules)


@pytest.mark.parametrize("rules", [GUOBIAO, MCR], ids=lambda rules: rules.id)
def test_every_dropped_name_exists(rules: Rulebook) -> None:
    assert [(fan.name, name) for fan in rules.fans for name in fan.drops if name not in rules.index] == []


@pytest.mark.parametrize("rules", [GUOBIAO, MCR, book("guobiao-mil-2025")], ids=lambda rules: rules.id)
def test_fans_that_relate_sets_to_each_other_are_those_of_the_rule(rules: Rulebook) -> None:
    relating = [fan for fan in rules.fans if fan.joins]
    assert {fan.name for fan in relating} == stated.JOINS
    assert all(fan.reads in ({"p"}, fan.reads & {"c1", "c2", "c3", "c4"}) for fan in relating)  # as the forest expects
