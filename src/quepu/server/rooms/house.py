"""All rooms of one server process: opened, found again after a restart, listed, forgotten when nobody comes."""

from __future__ import annotations

import asyncio
import time

from quepu.errors import UnknownName
from quepu.server.room_messages import RoomSpec
from quepu.server.rooms.room import Room
from quepu.server.rooms.thinking import Thinkers
from quepu.server.store import Logs

_ORDER = {"open": 0, "playing": 1, "between": 1, "over": 2}
IDLE = 1800.0
"""Seconds after which a room that is over or was never begun leaves memory (its log stays)."""


class House:
    """The rooms. `thinkers` are the processes that play bots."""

    def __init__(self, logs: Logs, workers: int = 1) -> None:
        self.logs = logs
        self.thinkers = Thinkers(workers)
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Lock] = {}

    async def open(self, spec: RoomSpec) -> Room:
        """A new room."""
        from quepu.bots import make_bot
        from quepu.play_rules import play_rules
        from quepu.server.hands_api import book_of

        book = book_of(spec.rules, spec.house)
        play_rules(book)
        for level in spec.bots:
            if level.startswith("exec:"):
                raise UnknownName("网页上不能运行外部程序。", "no programs are run from the web.")
            if level:
                make_bot(level)
        head = await self.logs.create("room", "", spec.title or book.title.zh, {"room": spec.model_dump()})
        self._sweep()
        room = self.rooms[head.id] = Room(head.id, spec, self.logs, self.thinkers, self._forget)
        return room

    async def find(self, id: str) -> Room | None:
        """A room in memory or out of the store."""
        if id in self.rooms:
            return self.rooms[id]
        if len(id) > 32:
            return None
        async with self._loading.setdefault(id, asyncio.Lock()):
            if id not in self.rooms:
                room = await Room.load(id, self.logs, self.thinkers, self._forget)
                if room is None:
                    self._loading.pop(id, None)
                    return None
                self.rooms[id] = room
        self._loading.pop(id, None)
        return self.rooms[id]

    def listed(self) -> list[Room]:
        """Rooms for the lobby: those one may join first, then those being played, each newest first."""
        shown = [room for room in self.rooms.values() if room.spec.listed]
        return sorted(shown, key=lambda room: (_ORDER[room.phase], -room.record.updated))[:100]

    async def wake(self) -> None:
        """After a restart: matches that were being played go on."""
        for head in await self.logs.list("room", "", 100):
            if time.time() - head.updated < 86_400:
                await self.find(head.id)

    async def drop(self, id: str) -> None:
        """A room whose log was deleted."""
        room = self.rooms.pop(id, None)
        if room is not None:
            await room.close()

    def _forget(self, id: str) -> None:
        self.rooms.pop(id, None)

    def _sweep(self) -> None:
        for id, room in list(self.rooms.items()):
            if room.idle > IDLE:
                del self.rooms[id]

    async def close(self) -> None:
        """Stop every room; logs stay."""
        for room in list(self.rooms.values()):
            await room.close()
        self.thinkers.close()
        await self.logs.close()
