"""Who is told: in order, after a delay that does not add up, and cut off when nobody reads."""

from __future__ import annotations

import time

from quepu.server.rooms.places import MOST_UNREAD, Listener
from tests.loop import run


def test_a_delay_is_counted_from_when_it_was_sent() -> None:
    async def heard() -> tuple[list[int], float]:
        listener = Listener(None, delay=0.2)
        for n in range(20):
            listener.send({"n": n})
        began = time.monotonic()
        numbers = [(await listener.next() or {})["n"] for _ in range(20)]
        return numbers, time.monotonic() - began

    numbers, took = run(heard())
    assert numbers == list(range(20))
    assert 0.1 < took < 2  # one delay, not twenty


def test_who_sits_there_is_sent_at_once_and_the_table_late() -> None:
    async def heard() -> list[object]:
        listener = Listener(None, delay=0.2)
        messages = [{"n": 1}, {"room": {}}, {"over": {}}, {"refused": {}}]
        for message in messages:
            listener.send(message)
        listener.close()
        return [await listener.next() for _ in range(5)]

    assert run(heard()) == [{"room": {}}, {"refused": {}}, {"n": 1}, {"over": {}}, None]


def test_who_does_not_read_is_cut_off() -> None:
    async def heard() -> object:
        listener = Listener(0)
        for n in range(MOST_UNREAD + 5):
            listener.send({"n": n})
        return await listener.next()

    assert run(heard()) is None
