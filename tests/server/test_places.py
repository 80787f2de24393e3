"""Recipients get events in order, after a delay that does not accumulate, and are cut off if they do not read."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from quepu.server.rooms.places import MOST_HELD, MOST_UNREAD, MOVED, TAKEN, UNREAD, Listener
from quepu.server.store.values import StoreError
from tests.loop import run

FAR = 3 * MOST_UNREAD


async def missed(first: int, end: int, fetched: list[int] | None = None) -> AsyncIterator[list[dict[str, Any]]]:
    """Lines of a match, a hundred at a time; `fetched`: where each chunk began that was asked for."""
    for at in range(first, end, 100):
        await asyncio.sleep(0)
        if fetched is not None:
            fetched.append(at)
        yield [{"n": n} for n in range(at, min(at + 100, end))]


def test_a_delay_is_counted_from_when_it_was_sent() -> None:
    async def heard() -> tuple[list[int], float]:
        listener = Listener(None, delay=0.2)
        began = time.monotonic()
        for n in range(200):
            listener.send({"n": n})
        numbers = [(await listener.next() or {})["n"] for _ in range(200)]
        return numbers, time.monotonic() - began

    numbers, took = run(heard())
    assert numbers == list(range(200))
    assert 0.1 < took < 20  # one delay, not two hundred


def test_who_sits_there_is_sent_at_once_and_the_table_late() -> None:
    async def heard() -> list[object]:
        listener = Listener(None, delay=2)
        messages: list[dict[str, Any]] = [{"n": 1}, {"room": {}}, {"over": {}}, {"refused": {}}]
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


@pytest.mark.parametrize("unread", [MOST_UNREAD, MOST_UNREAD + 1])
def test_how_much_may_be_unread(unread: int) -> None:
    async def heard() -> tuple[object, int]:
        listener = Listener(0)
        for n in range(unread):
            listener.send({"n": n})
        return await listener.next(), listener.code

    assert run(heard()) == (({"n": 0}, 0) if unread <= MOST_UNREAD else (None, UNREAD))


@pytest.mark.parametrize("delay", [0.0, 0.2])
def test_what_is_caught_up_with_comes_whole_and_in_order_however_much_it_is(delay: float) -> None:
    async def heard() -> tuple[list[Any], list[int]]:
        listener, fetched = Listener(None, delay), list[int]()
        listener.send({"room": {}})
        listener.catch_up(missed(0, FAR, fetched))
        listener.send({"n": FAR, "phase": "playing"})
        listener.send({"over": {}})
        found = [await listener.next() for _ in range(2)]
        at_first = list(fetched)
        while "over" not in (message := await listener.next() or {}):
            found.append(message)
        return found, at_first

    found, at_first = run(heard())
    assert found[0] == {"room": {}}
    assert [message["n"] for message in found[1:]] == [*range(FAR), FAR]
    assert at_first == [0], "no more is fetched than is read"


def test_who_does_not_read_while_catching_up_is_cut_off() -> None:
    async def heard() -> tuple[list[Any], int]:
        listener = Listener(0)
        listener.catch_up(missed(0, FAR))
        found = [await listener.next() for _ in range(150)]
        for n in range(MOST_UNREAD + 1):
            listener.send({"n": FAR + n})
        return [*found, await listener.next()], listener.code

    found, code = run(heard())
    assert [one["n"] for one in found[:-1]] == list(range(150))
    assert (found[-1], code) == (None, UNREAD)


@pytest.mark.parametrize("code", [MOVED, TAKEN, UNREAD])
def test_who_is_ended_while_catching_up_is_sent_no_hole(code: int) -> None:
    async def heard() -> list[Any]:
        listener = Listener(0)
        listener.catch_up(missed(0, FAR))
        listener.send({"n": FAR, "phase": "playing"})
        found = [await listener.next() for _ in range(150)]
        listener.send({"taken": True})
        listener.close(code)
        while (message := await listener.next()) is not None:
            found.append(message)
        return found

    *lines, last = run(heard())
    assert [line["n"] for line in lines] == list(range(150))
    assert last == {"taken": True}


def test_who_has_caught_up_is_sent_what_was_queued_before_the_end() -> None:
    async def heard() -> list[Any]:
        listener = Listener(0)
        listener.catch_up(missed(0, 3))
        listener.send({"n": 3, "phase": "playing"})
        found = [await listener.next() for _ in range(4)]
        listener.send({"n": 4})
        listener.close(MOVED)
        return [*found, await listener.next(), await listener.next()]

    found = run(heard())
    assert [one["n"] for one in found[:-1]] == [0, 1, 2, 3, 4]
    assert found[-1] is None


def test_a_store_that_fails_ends_a_line_that_is_catching_up() -> None:
    async def broken() -> AsyncIterator[list[dict[str, Any]]]:
        yield [{"n": 0}]
        raise StoreError("坏了", "broken")

    async def heard() -> tuple[list[Any], int]:
        listener = Listener(0)
        listener.catch_up(broken())
        listener.send({"n": 9, "phase": "playing"})
        return [await listener.next() for _ in range(2)], listener.code

    assert run(heard()) == ([{"n": 0}, None], UNREAD)


@pytest.mark.parametrize("held", [MOST_UNREAD + 1, MOST_HELD, MOST_HELD + 1])
def test_what_a_delay_holds_back_is_not_unread_but_has_a_limit(held: int) -> None:
    async def sent() -> bool:
        listener = Listener(None, delay=600)
        for n in range(held):
            listener.send({"n": n})
        return listener.closed

    assert run(sent()) == (held > MOST_HELD)
