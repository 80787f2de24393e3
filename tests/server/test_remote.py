"""Lines between processes: what ends a line is known at both of its ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from quepu.server.rooms import remote
from quepu.server.rooms.places import MOVED, Listener
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
