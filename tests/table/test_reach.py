"""Every row of every book can be reached by play: a wall and what seats say, until the hand is won and settled."""

from __future__ import annotations

import pytest

from quepu.hands.hand import FLOWER_NUMBER, Hand, Luck
from quepu.hands.notation import parse
from quepu.match import settle
from quepu.rulebooks import book, books
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook
from quepu.table import Table
from quepu.tiles import EAST, WINDS
from tests.table.reach import reach

BOOKS = [pytest.param(book, id=book.id) for book in books() if book.play]


def example(rules: Rulebook, fan: Fan) -> tuple[Hand, int, tuple[int, ...]]:
    """The row's own example: hand, circumstances, flowers."""
    shown = fan.example
    assert shown is not None
    luck = int(Luck.SELF_DRAW) if shown.self_draw else 0
    for name in shown.circumstances:
        luck |= rules.circumstances[rules.near.get(name, name)]
    hand = parse(shown.hand)._replace(seat=EAST + WINDS.index(shown.seat), round=EAST + WINDS.index(shown.round))
    return hand, luck, tuple(FLOWER_NUMBER[name] for name in shown.flowers)


@pytest.mark.parametrize("rules", BOOKS)
def test_every_row_is_reached_by_play(rules: Rulebook) -> None:
    for fan in rules.fans:
        is_reached(rules, fan)


def is_reached(rules: Rulebook, fan: Fan) -> None:
    hand, luck, flowers = example(rules, fan)
    way = reach(rules, hand, luck, flowers, fan.name)
    assert way is not None, fan.name
    table = Table(rules, way.wall, round=hand.round - EAST)
    for seat, action in way.steps:
        table.step(seat, action)
    ending = table.ending
    assert ending is not None, fan.name
    assert ending.winners[0].score is not None, fan.name
    assert fan.name in {counted.name for counted in ending.winners[0].score.fans}
    paid = settle(ending, rules, table.rules).payments
    assert any(payment.payee == ending.winners[0].seat for payment in paid)


@pytest.mark.parametrize("row", ["花糊", "七抢一", "八仙过海"])
def test_a_table_without_flowers_has_no_row_that_needs_them(row: str) -> None:
    without = book("canton").having(options={"flowers": False})
    assert row in {fan.name for fan in book("canton").fans}
    assert row not in {fan.name for fan in without.fans}


def test_a_row_that_a_hand_does_not_make_is_not_reached() -> None:
    assert reach(book("guobiao-mcr"), parse("123m456m789m55p23s+1s"), 0, (), "清龙") is not None
    assert reach(book("guobiao-mcr"), parse("123m456m789m55p23s+1s"), 0, (), "清一色") is None
