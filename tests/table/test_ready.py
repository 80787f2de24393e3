"""Thirteen tiles are quickly known to wait for nothing, and never wrongly."""

from __future__ import annotations

import pytest

from quepu.hands.hand import Hand
from quepu.hands.notation import parse
from quepu.hands.suit_tables import KEY
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.table import Table
from quepu.table.ready import waits_of
from quepu.tiles import BIT
from tests.books import PLAYED
from tests.table.walls import go, stacked


def waits_for_its_last_tile(rules: Rulebook, hand: Hand) -> bool:
    key = sum(KEY[kind] for kind in hand.concealed)
    assert hand.winning is not None
    return waits_of(rules.shapes)(key, sorted(hand.concealed), hand.melds) & BIT[hand.winning] != 0


@pytest.mark.parametrize("name", PLAYED)
def test_every_win_was_waited_for(name: str) -> None:
    rules = book(name)
    for hand in wins(rules, 800, 5):
        assert waits_for_its_last_tile(rules, hand), hand


@pytest.mark.parametrize(
    "text",
    ["1111m222p[3333s][4444s]+2p", "1111m222p345s[4444p]+2p", "1111m2222p34s678s+2s", "1111m222p345s789s+2p",
     "147m258p369s9m(123s)+9m", "147m258p36s999m99p+9s"],
)  # fmt: skip
def test_what_is_nearly_fours_or_knitted_waits_beside_melds_too(text: str) -> None:
    assert waits_for_its_last_tile(book("canton"), parse(text)), text


def test_each_seat_but_the_winner_is_asked_what_its_ready_hand_is_worth() -> None:
    dealer, winner, others = "123m456p789pWWW5m", "46m11p123789sEEE", ["123789m456sNNNF", "999m234p222678sP"]

    def ready(*hands: str, win: str) -> list[bool]:
        table = go(Table(book("yuque"), stacked([dealer, *hands], "C")), "E discard 5m", f"{win} win")
        assert table.ending is not None
        return [points is not None for points in table.ending.ready]

    assert Table(book("yuque"), stacked([dealer, winner, *others], "C")).ready_hands() == (None, None, None, None)
    assert ready(winner, *others, win="S") == [True, False, True, True]
    assert ready(others[0], winner, others[1], win="W") == [True, True, False, True]
    assert ready(*others, winner, win="N") == [True, True, True, False]
    assert ready(winner, others[0], "147m258p369sESWF", win="S") == [True, False, True, False]
