"""Lines between processes: what ends a line is known at both of its ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from quepu.server.rooms import remote
from quepu.server.rooms.places import MOST_UNREAD, MOVED, Listener
from quepu.server.rooms.remote import RemoteRooms
from tests.loop import run


class Wire:
    """A bus of two processes in one: what is sent is passed on in the loop's next turn."""

    ends: dict[str, Wire]

    def __init__(self, _address: str, me: str, hear: Callable[[str, dict[str, Any]], None]) -> None:
        self.me, self.hear = me, hear
        self.ends[me] = self

    def send(self, to: str, message: dict[str, Any]) -> None:
        """Pass a message on."""
        asyncio.get_running_loop().call_soon(self.ends[to].hear, self.me, message)


class Line:
    """A connection to a room."""

    def __init__(self) -> None:
        self.listener = Listener(None)
        self.left = asyncio.Event()

    async def hear(self, data: Any) -> None:
        """Answer with what came."""
        self.listener.send({"came": data})

    def leave(self) -> None:
        """The client has gone."""
        self.left.set()


def test_who_was_late_to_say_that_it_is_alive_opens_its_lines_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "Bus", type("Bus", (Wire,), {"ends": {}}))
    line = []

    async def visit(_room: str, _hello: dict[str, Any]) -> Line:
        line.append(Line())
        return line[-1]

    async def call(*_more: Any) -> None:
        raise AssertionError

    async def played() -> None:
        owner, other = RemoteRooms("", "owner", visit, call), RemoteRooms("", "other", visit, call)
        async with asyncio.timeout(20):
            link = other.link("owner", "room", {})
            await link.hear("first")
            assert await link.listener.next() == {"came": "first"}
            owner.only({"owner"})  # the other process is taken for dead: its guests are let go
            await line[0].left.wait()
            assert await link.listener.next() is None  # and it is told so, in case that it lives
            assert link.listener.code == MOVED

    run(played())


@pytest.mark.parametrize("counts", [True, False])
def test_a_client_of_another_process_is_sent_no_more_than_it_reads(
    monkeypatch: pytest.MonkeyPatch, *, counts: bool
) -> None:
    """A long match, caught up with through another process; one from before an update does not count."""
    monkeypatch.setattr(remote, "Bus", type("Bus", (Wire,), {"ends": {}}))
    many = 3 * MOST_UNREAD
    fetched = []

    async def missed() -> AsyncIterator[list[dict[str, Any]]]:
        for n in range(many):
            await asyncio.sleep(0)
            fetched.append(n)
            yield [{"n": n}]

    async def visit(_room: str, _hello: dict[str, Any]) -> Line:
        line = Line()
        line.listener.catch_up(missed())
        return line

    async def call(*_more: Any) -> None:
        raise AssertionError

    async def played() -> list[Any]:
        _owner, other = RemoteRooms("", "owner", visit, call), RemoteRooms("", "other", visit, call)
        send = other.bus.send
        if not counts:
            monkeypatch.setattr(
                other.bus, "send", lambda to, message: send(to, {k: v for k, v in message.items() if k != "counts"})
            )
        async with asyncio.timeout(60):
            link = other.link("owner", "room", {})
            found = [await link.listener.next()]
            for _ in range(3 * many):
                await asyncio.sleep(0)  # it could all have come by now
            sent = len(fetched)
            while (message := await link.listener.next()) is not None:
                found.append(message)
                if message["n"] == many - 1:
                    break
        return [sent, [message["n"] for message in found if message is not None]]

    sent, found = run(played())
    if counts:
        assert sent <= remote.WINDOW + 1
        assert found == list(range(many))
    else:
        assert found == [0], "it is cut off, and comes back"
