"""Hands played at random under every book, followed event by event (`tests.table.follower`)."""

from __future__ import annotations

import os
import random
from collections.abc import Hashable

import pytest

from quepu.rulebooks import book
from quepu.rules.play_rules import play_rules
from quepu.table import Table, View, make_wall
from tests.books import PLAYED
from tests.table.soak import play, soak

# of each book; `make slow` plays QUEPU_HANDS, and `python -m tests.table.soak` as many as one likes
HANDS = [30, pytest.param(100, marks=pytest.mark.long)]


@pytest.mark.parametrize("hands", HANDS)
@pytest.mark.parametrize("name", PLAYED)
def test_every_event_of_random_hands(name: str, hands: int) -> None:
    counts = soak(book(name), range(hands))
    assert counts["hands"] == hands
    assert counts["off"]
    assert counts["self-drawn"]
    assert counts["kong"] + counts["added"] + counts["concealed"]


@pytest.mark.parametrize(("name", "number"), [("canton", 19357), ("canton", 23070), ("canton", 31348)])
def test_hands_that_went_wrong_once(name: str, number: int) -> None:
    assert play(book(name), "soak", number).over


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", PLAYED)
def test_every_event_of_many_random_hands(name: str) -> None:
    hands = int(os.environ.get("QUEPU_HANDS", "20000"))
    assert soak(book(name), range(hands), "slow")["hands"] == hands


def test_a_view_holds_nothing_but_what_it_says() -> None:
    table = Table(book("lingque-29"), make_wall(9))
    for seat in range(4):
        view = table.view(seat)
        assert set(View._fields) == {"board", "book", "drawn", "hand", "seat"}
        assert view.hand == table.hands[seat]
        assert all(isinstance(value, Hashable) for value in view.board)  # nothing in it can change
        text = repr(view.board)
        assert not any(repr(hand)[1:-1] in text for hand in table.hands)


@pytest.mark.parametrize("name", PLAYED)
def test_what_is_hidden_does_not_matter_to_what_is_shown(name: str) -> None:
    """Two walls that differ only in undrawn tiles give every seat the same views and options."""
    rules = play_rules(book(name))
    for hand in range(10):
        wall = make_wall(6, hand, rules.table.tiles)
        one = Table(book(name), wall)
        rng = random.Random(hand)
        for _ in range(30):
            if one.to_act:
                seat = rng.choice(one.to_act)
                one.step(seat, rng.choice(one.options(seat)))
        if not one.to_act:
            continue
        other = one.copy()
        other._order = other._order[:]
        front, back = other._position.front, len(other._order) - other._position.back - 1
        middle = other._order[front:back]
        rng.shuffle(middle)
        other._order[front:back] = middle
        hidden = [s for s in range(4) if s != one.to_act[0]]
        a, b = (other._position.hands[seat] for seat in hidden[:2])
        if a and b:
            a[0], b[0] = b[0], a[0]
        seat = one.to_act[0]
        options = [option[:5] for option in one.options(seat)]
        assert one.view(seat).to_json() == other.view(seat).to_json()
        assert options == [option[:5] for option in other.options(seat)]
