"""A table that stops after discards plays the very same game, and looks alike whoever could claim."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

import pytest

import quepu
from quepu.server.rooms.bot_pool import BotPool
from quepu.server.rooms.bot_turns import BotTurns
from quepu.server.rooms.messages import RoomSpec
from quepu.table import Action, Table, make_wall
from tests.books import PLAYED
from tests.loop import run


@pytest.mark.parametrize("name", PLAYED)
def test_the_same_choices_make_the_same_events(name: str) -> None:
    book = quepu.book(name)
    for seed in range(12):
        free, held = Table(book, make_wall(seed)), Table(book, make_wall(seed), shielded=True)
        pick = random.Random(seed)
        stops = 0
        while free.to_act:
            while held.held:
                stops += 1
                last = held.events[-1]
                assert last.tag in ("discard", "added", "concealed")
                assert held.to_act == ()
                assert not any(held.options(seat) for seat in range(4))
                assert (held.board.offer, held.board.offerer) == (last.tile, last.seat)
                assert held.board.turn == last.seat
                held.go_on()
            assert held.to_act == free.to_act
            seat = pick.choice(free.to_act)
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


@pytest.mark.parametrize(("do", "waits"), [("pass", False), ("chow", True)])
def test_a_bot_that_lets_a_discard_pass_is_not_seen_to_think(do: str, waits: bool) -> None:
    table = next(_offers())
    seat = table.to_act[0]
    at = next(i for i, option in enumerate(table.options(seat)) if option.do == do)
    slept, passed = [], []

    class Thinking(BotPool):
        async def choose(self, *_: object) -> int:
            return at

    async def answer(seat: int, action: Action, moment: int) -> None:
        passed.append((seat, action.do, moment))

    real, here = asyncio.sleep, []

    async def sleep(seconds: float) -> None:
        if asyncio.get_running_loop() in here:
            slept.append(seconds)
        else:
            await real(seconds)

    async def choose() -> None:
        here.append(asyncio.get_running_loop())
        turns = BotTurns(RoomSpec(think=3, shield=0.5), Thinking(), answer)
        turns.start(table, seat, "plain", 7)
        await asyncio.gather(*turns._tasks)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "sleep", sleep)
        run(choose())
    assert passed == [(seat, do, 7)]
    assert bool(slept) == waits


def _offers() -> Iterator[Table]:
    """Tables where a discard is offered as a chow."""
    book = quepu.book("lingque-29")
    for seed in range(100):
        table = Table(book, make_wall(seed))
        table.step(0, table.options(0)[-1])
        if any(option.do == "chow" for seat in table.to_act for option in table.options(seat)):
            yield table
