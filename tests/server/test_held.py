"""A table that stops after discards plays the very same game, and looks alike whoever could claim."""

from __future__ import annotations

import random

import pytest

import quepu
from quepu.rulebooks import book_ids
from quepu.server.rooms.held import HeldTable
from quepu.table import Table, make_wall


@pytest.mark.parametrize("name", book_ids())
def test_the_same_choices_make_the_same_events(name: str) -> None:
    book = quepu.book(name)
    for seed in range(12):
        free, held = Table(book, make_wall(seed)), HeldTable(book, make_wall(seed))
        pick = random.Random(seed)
        stops = 0
        while free.asked:
            while held.held:
                stops += 1
                last = held.events[-1]
                assert last.e in ("discard", "added", "concealed")
                assert held.asked == ()
                assert not any(held.options(seat) for seat in range(4))
                assert (held.board.offer, held.board.offerer) == (last.tile, last.seat)
                assert held.board.turn == last.seat
                held.go_on()
            assert held.asked == free.asked
            seat = pick.choice(free.asked)
            options = free.options(seat)
            assert [o[:5] for o in held.options(seat)] == [o[:5] for o in options]
            chosen = pick.choice(options)
            free.step(seat, chosen)
            held.step(seat, chosen)
        while held.held:
            held.go_on()
        assert held.events == free.events
        assert held.ending == free.ending
        assert stops > 10
