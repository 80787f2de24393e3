"""Rooms owned by another process: a channel to it for each connection, and calls."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable
from typing import Any

from quepu.errors import Error
from quepu.server.rooms.bus import Bus
from quepu.server.rooms.messages import Message
from quepu.server.rooms.places import MOVED, Listener, RoomError
from quepu.server.rooms.visit import Connection

PATIENCE = 5.0
"""Seconds to wait for an answer of another process."""

WINDOW = 1000
"""The most messages in flight to a client of another process, so that the backlog follows the client's pace."""
_ACKNOWLEDGED = 100
"""Messages after which that process acknowledges how many it has passed on."""

_FORMER = {"ask": "call", "tell": "message"}
"""Keys still sent by processes from before an update."""

Open = Callable[[str, dict[str, Any]], Awaitable[Connection | None]]
"""Opens a connection to a room of this process: its id and the client's first message."""
Answer = Callable[[str, str, dict[str, Any]], Awaitable[Any]]
"""Answers a call to a room of this process: its id, the method, and arguments."""


class _Counted(Listener):
    """Messages of another process, which is told regularly how many the client has read."""

    def __init__(self, acknowledge: Callable[[int], None]) -> None:
        super().__init__(None)
        self._acknowledge = acknowledge
        self._count = 0

    async def next(self) -> Message | None:
        """Return the next message; None at the end."""
        message = await super().next()
        if message is not None:
            self._count += 1
            if self._count % _ACKNOWLEDGED == 0:
                self._acknowledge(self._count)
        return message


class _Guest:
    """A client connected to another process: its messages, and how many it has read.

    A process from before an update does not acknowledge, and is sent everything.
    """

    def __init__(self, *, counts: bool) -> None:
        self.received: asyncio.Queue[Any] = asyncio.Queue()
        self._counts = counts
        self._sent = self._read = 0
        self._changed = asyncio.Event()

    def read(self, count: int) -> None:
        """Record how many messages it has read."""
        self._read = max(self._read, count)
        self._changed.set()

    async def one_more(self) -> None:
        """Count a message sent to it; wait while too many are in flight."""
        while self._counts and self._sent - self._read >= WINDOW:
            self._changed.clear()
            await self._changed.wait()
        self._sent += 1


class Link:
    """A connection to a room of the process `owner`."""

    def __init__(self, bus: Bus, owner: str, number: int, forget: Callable[[int], None]) -> None:
        self.bus = bus
        self.owner = owner
        self.number = number
        self.forget = forget
        self.listener: Listener = _Counted(self._acknowledge)  # the owner holds back messages

    async def hear(self, data: Any) -> None:
        """Pass on a message of the client."""
        self.bus.send(self.owner, {"hear": self.number, "data": data})

    def _acknowledge(self, count: int) -> None:
        self.bus.send(self.owner, {"read": self.number, "count": count})

    def leave(self) -> None:
        """Tell the owner that the client has gone."""
        self.forget(self.number)
        self.bus.send(self.owner, {"shut": self.number})


class RemoteRooms:
    """Rooms of other processes: calls between this process and them."""

    def __init__(self, address: str, me: str, open_line: Open, answer: Answer) -> None:
        self.bus = Bus(address, me, self._hear)
        self.open_line = open_line
        self.answer = answer
        self._numbers = itertools.count(int(time.time() * 1000) << 20)
        self._links: dict[int, Link] = {}
        self._calls: dict[int, asyncio.Future[Any]] = {}
        self._guests: dict[tuple[str, int], _Guest] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._peers: frozenset[str] = frozenset()
        self.on_news: Callable[[dict[str, Any]], None] = lambda _: None
        """Receives announcements of other processes."""

    # ---- outgoing

    def announce(self, news: dict[str, Any]) -> None:
        """Send news to every other live process."""
        for peer in self._peers:
            self.bus.send(peer, {"news": news})

    def link(self, owner: str, room: str, hello: dict[str, Any]) -> Link:
        """Connect to a room of another process."""
        made = Link(self.bus, owner, next(self._numbers), self._unlink)
        self._links[made.number] = made
        self.bus.send(owner, {"open": made.number, "room": room, "hello": hello, "counts": True})
        return made

    def _unlink(self, number: int) -> None:
        self._links.pop(number, None)

    async def call(self, owner: str, room: str, what: str, more: dict[str, Any]) -> Any:
        """Call a room of another process.

        Raises:
            Error: the room refuses, or does not answer.
        """
        number = next(self._numbers)
        answer = self._calls[number] = asyncio.get_running_loop().create_future()
        self.bus.send(owner, {"call": number, "room": room, "what": what, "more": more})
        try:
            async with asyncio.timeout(PATIENCE):
                return await answer
        except TimeoutError:
            raise RoomError(
                "这一桌正在换服务器，请再试一次。", "this table is moving to another server; try again."
            ) from None
        finally:
            del self._calls[number]

    def only(self, alive: set[str]) -> None:
        """Keep only these live processes: connections to others must be reopened, their guests have gone."""
        self._peers = frozenset(alive - {self.bus.me})
        for link in list(self._links.values()):
            if link.owner not in alive:
                self._unlink(link.number)
                link.listener.close(MOVED)
        for guest in [guest for guest in self._guests if guest[0] not in alive]:
            self._guests.pop(guest).received.put_nowait(_GONE)
            self.bus.send(guest[0], {"end": guest[1], "code": MOVED})  # it may only have been late

    async def close(self) -> None:
        """Close everything."""
        self.only(set())
        for task in self._tasks:
            task.cancel()
        await self.bus.close()

    # ---- incoming

    def _hear(self, sender: str, message: dict[str, Any]) -> None:
        message = {_FORMER.get(key, key): value for key, value in message.items()}
        if "message" in message:
            link = self._links.get(message["message"])
            if link is not None:
                link.listener.send(message["data"])
        elif "end" in message:
            link = self._links.pop(message["end"], None)
            if link is not None:
                link.listener.close(message["code"])
        elif "answer" in message:
            waiting = self._calls.get(message["answer"])
            if waiting is not None and not waiting.done():
                if "refused" in message:
                    waiting.set_exception(RoomError(*message["refused"]))
                else:
                    waiting.set_result(message["data"])
        elif "open" in message:
            key = sender, message["open"]
            self._guests[key] = _Guest(counts=message.get("counts") is True)
            self._do(self._receive(key, message["room"], message["hello"]))
        elif "hear" in message:
            guest = self._guests.get((sender, message["hear"]))
            if guest is not None:
                guest.received.put_nowait(message["data"])
        elif "read" in message:
            guest = self._guests.get((sender, message["read"]))
            if guest is not None:
                guest.read(message["count"])
        elif "shut" in message:
            guest = self._guests.pop((sender, message["shut"]), None)
            if guest is not None:
                guest.received.put_nowait(_GONE)
        elif "call" in message:
            self._do(self._answer(sender, message))
        elif "news" in message:
            self.on_news(message["news"])

    def _do(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _receive(self, key: tuple[str, int], room: str, hello: dict[str, Any]) -> None:
        """Serve one connection carried by another process, from its first message to its end."""
        sender, number = key
        guest = self._guests[key]
        line = await self.open_line(room, hello)
        if line is None:
            self._guests.pop(key, None)
            self.bus.send(sender, {"end": number, "code": MOVED})
            return
        forwarding = asyncio.create_task(self._forward(key, guest, line))
        try:
            while (data := await guest.received.get()) is not _GONE:
                await line.hear(data)
        finally:
            forwarding.cancel()
            line.leave()

    async def _forward(self, key: tuple[str, int], guest: _Guest, line: Connection) -> None:
        sender, number = key
        while (message := await line.listener.next()) is not None:
            await guest.one_more()
            self.bus.send(sender, {"message": number, "data": message})
        self.bus.send(sender, {"end": number, "code": line.listener.code})
        if self._guests.pop(key, None) is not None:
            guest.received.put_nowait(_GONE)

    async def _answer(self, sender: str, message: dict[str, Any]) -> None:
        reply: dict[str, Any] = {"answer": message["call"]}
        try:
            reply["data"] = await self.answer(message["room"], message["what"], message["more"])
        except Error as error:
            reply["refused"] = list(error.text)
        self.bus.send(sender, reply)


_GONE = object()
