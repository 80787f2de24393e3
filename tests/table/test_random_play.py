"""Hands played at random under every book, followed event by event (`tests.table.follower`)."""

from __future__ import annotations

import os
import random

import pytest

from quepu.play_rules import play_rules
from quepu.rulebooks import book, book_ids
from quepu.table import Table, View, make_wall
from tests.table.soak import play, soak

BOOKS = [name for name in book_ids() if book(name).play]
HANDS = 500  # of each book; `make slow` plays QUEPU_HANDS, and `python -m tests.table.soak` as many as one likes


@pytest.mark.parametrize("name", BOOKS)
def test_every_event_of_random_hands(name: str) -> None:
    counts = soak(book(name), range(HANDS))
    assert counts["hands"] == HANDS
    assert counts["off"]
    assert counts["self-drawn"]
    assert counts["kong"] + counts["added"] + counts["concealed"]


@pytest.mark.parametrize(("name", "number"), [("canton", 19357), ("canton", 23070), ("canton", 31348)])
def test_hands_that_went_wrong_once(name: str, number: int) -> None:
    assert play(book(name), "soak", number).over


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", BOOKS)
def test_every_event_of_many_random_hands(name: str) -> None:
    hands = int(os.environ.get("QUEPU_HANDS", "20000"))
    assert soak(book(name), range(hands), "slow")["hands"] == hands


def test_a_view_holds_nothing_but_what_it_says() -> None:
    table = Table(book("lingque-29"), make_wall(9))
    for seat, view in enumerate(table.views):
        assert set(View.__slots__) == {"board", "book", "drawn", "hand", "seat"}
        assert view.hand is table.hands[seat]
        reachable = {id(getattr(view.board, name)) for name in view.board.__slots__}
        secrets = [table._order, *(hand for other, hand in enumerate(table.hands) if other != seat)]
        assert not reachable & {id(secret) for secret in secrets}


@pytest.mark.parametrize("name", BOOKS)
def test_what_is_hidden_does_not_matter_to_what_is_told(name: str) -> None:
    """Two walls that differ only in undrawn tiles give every seat the same views and options."""
    rules = play_rules(book(name))
    for hand in range(10):
        wall = make_wall(6, hand, flowers=rules.table.flowers)
        one = Table(book(name), wall)
        rng = random.Random(hand)
        for _ in range(30):
            if one.asked:
                seat = rng.choice(one.asked)
                one.step(seat, rng.choice(one.options(seat)))
        if not one.asked:
            continue
        other = one.copy()
        other._order = other._order[:]
        front, back = other._front, len(other._order) - other.back - 1
        middle = other._order[front:back]
        rng.shuffle(middle)
        other._order[front:back] = middle
        hidden = [s for s in range(4) if s != one.asked[0]]
        a, b = other.hands[hidden[0]], other.hands[hidden[1]]
        if a and b:
            other.hands[hidden[0]][0], other.hands[hidden[1]][0] = b[0], a[0]
        seat = one.asked[0]
        options = [option[:5] for option in one.options(seat)]
        assert one.view(seat).to_json() == other.view(seat).to_json()
        assert options == [option[:5] for option in other.options(seat)]
