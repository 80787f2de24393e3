"""The rooms of one server process: opened, found again, listed, forgotten, taken over from the dead."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

from sqlalchemy.exc import DBAPIError

from quepu.errors import Error, UnknownName
from quepu.server.room_messages import RoomSpec
from quepu.server.rooms.asked import answer
from quepu.server.rooms.elsewhere import Elsewhere
from quepu.server.rooms.places import RoomError
from quepu.server.rooms.room import Room
from quepu.server.rooms.thinking import Thinkers
from quepu.server.rooms.visit import Line, Visit
from quepu.server.store import Database, Logs
from quepu.server.store.database import StoreError
from quepu.server.store.owners import LEASE, Owners

_log = logging.getLogger("quepu.server")

_ORDER = {"open": 0, "playing": 1, "between": 1, "over": 2}
_LISTED = 100
IDLE = 1800.0
"""Seconds after which a room that was never begun leaves memory (its log stays)."""
ENDED = 60.0
"""The same for one whose match is over."""
BEAT = LEASE / 4
"""Seconds between two signs of life of a process that shares its database."""
_AT_ONCE = 20
"""Rooms of dead processes taken over between two looks for more."""


class House:
    """The rooms. `thinkers` are the processes that play bots; `workers` how many."""

    def __init__(self, database: Database, workers: int = 1) -> None:
        self.database = database
        self.logs = Logs(database)
        self.owners = Owners(database)
        self.thinkers = Thinkers(workers)
        self.rooms: dict[str, Room] = {}
        self.elsewhere: Elsewhere | None = None
        self._loading: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()

    # ---- rooms

    async def open(self, spec: RoomSpec) -> Room:
        """A new room.

        Raises:
            Error: there is no such book or level, or its house rules are wrong.
        """
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
        title, first = spec.title or book.title.zh, {"room": spec.model_dump()}
        head = await self.logs.create("room", "", title, first, process=self.owners.me)
        self._sweep()
        room = self.rooms[head.id] = Room(head.id, spec, self)
        return room

    async def find(self, id: str) -> Room | str | None:
        """A room of this process, in memory or out of the store; else the process that owns it; None: no such room."""
        if id in self.rooms:
            return self.rooms[id]
        if len(id) > 32:
            return None
        async with self._loading.setdefault(id, asyncio.Lock()):
            try:
                if id in self.rooms:
                    return self.rooms[id]
                owned = await self.owners.take(id)
                if owned is None or owned.process != self.owners.me:
                    return owned and owned.process
                room = await Room.load(id, self, owned.fence)
                if room is None:
                    await self.owners.let_go(id, owned.fence)
                    return None
                if room.phase == "over":
                    await self.owners.let_go(id, owned.fence)
                self.rooms[id] = room
                return room
            finally:
                self._loading.pop(id, None)

    async def ask(self, id: str, what: str, **more: Any) -> Any:
        """What a room here or elsewhere answers; see `asked.answer`.

        Raises:
            UnknownRoom: there is no such room.
            Error: the room refuses.
        """
        found = await self.find(id)
        if found is None:
            raise UnknownRoom
        if isinstance(found, Room):
            return await answer(found, what, more)
        return await self._others().ask(found, id, what, more)

    async def visit(self, id: str, hello: dict[str, Any]) -> Line | None:
        """A line to a room here or elsewhere; None: no such room."""
        found = await self.find(id)
        if found is None or isinstance(found, Room):
            return None if found is None else await Visit.begin(found, hello)
        return self._others().link(found, id, hello)

    async def listed(self) -> list[dict[str, Any]]:
        """Rooms for the lobby, of all processes: those one may join first, then those being played, newest first."""
        heads = self._listed()
        if self.elsewhere is not None:
            others = await self.owners.alive() - {self.owners.me}
            asked = (self.elsewhere.ask(other, "", "list", {}) for other in others)
            for told in await asyncio.gather(*asked, return_exceptions=True):
                if isinstance(told, list):
                    heads += told
        return sorted(heads, key=lambda head: (_ORDER[head["phase"]], -head["updated"]))[:_LISTED]

    def _listed(self) -> list[dict[str, Any]]:
        shown = [room for room in self.rooms.values() if room.spec.listed]
        shown.sort(key=lambda room: (_ORDER[room.phase], -room.record.updated))
        return [room.head() for room in shown[:_LISTED]]

    def lost(self, room: Room) -> None:
        """Another process owns a room now, or it can no longer be written: forget it."""
        if self.rooms.get(room.id) is room:
            del self.rooms[room.id]

    def ended(self, room: Room) -> None:
        """A match is over: nobody has to go on with it."""
        self._do(self.owners.let_go(room.id, room.record.fence))

    async def drop(self, id: str) -> None:
        """A room whose log was deleted."""
        room = self.rooms.pop(id, None)
        if room is not None:
            await room.close()

    def _sweep(self) -> None:
        for id, room in list(self.rooms.items()):
            if room.idle > (ENDED if room.phase == "over" else IDLE):
                del self.rooms[id]
                room.asking.close()
                self._do(self.owners.let_go(id, room.record.fence))

    # ---- life

    async def wake(self) -> None:
        """Be one of the processes that share the database, and go on with what the dead have left."""
        await self.database.open()
        if self.database.shared:
            address = self.database.plain_address
            self.elsewhere = Elsewhere(address, self.owners.me, self._visit_here, self._answer)
            await self.elsewhere.bus.open()
            await self.owners.beat()
            self._do(self._live(self.elsewhere))
        self._do(self._adopt())

    async def close(self) -> None:
        """Stop every room; logs stay."""
        self._closing.set()
        for room in list(self.rooms.values()):
            await room.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)  # a look at the store is not broken off
        self.thinkers.close()
        await self.logs.close()
        if self.elsewhere is not None:
            await self.elsewhere.close()
            with suppress(StoreError, DBAPIError, OSError):
                await self.owners.leave()

    async def _live(self, elsewhere: Elsewhere) -> None:
        """Say that this process is alive, and see which others are."""
        while not await self._closed(BEAT):
            try:
                await self.owners.beat()
                if elsewhere.bus.lost:
                    elsewhere.only(set())
                    await elsewhere.bus.open()
                elsewhere.only(await self.owners.alive())
            except (StoreError, DBAPIError, OSError):
                _log.exception("the database does not answer")
                elsewhere.only(set())

    async def _adopt(self) -> None:
        """Go on with the matches of processes that have died."""
        while not self._closing.is_set():
            try:
                orphans = await self.owners.orphans(_AT_ONCE)
                for id in orphans:
                    if not self._closing.is_set():
                        await self.find(id)
                        await asyncio.sleep(0)
            except (StoreError, DBAPIError, OSError):
                _log.exception("rooms of other processes cannot be looked for")
                orphans = []
            if not orphans and (not self.database.shared or await self._closed(BEAT)):
                return

    async def _closed(self, seconds: float) -> bool:
        """Whether this process ends within so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._closing.wait()
        return self._closing.is_set()

    def _others(self) -> Elsewhere:
        if self.elsewhere is None:
            raise RoomError("这一桌在别的服务器上。", "this table is at another server.")
        return self.elsewhere

    async def _visit_here(self, id: str, hello: dict[str, Any]) -> Line | None:
        found = await self.find(id)
        return await Visit.begin(found, hello) if isinstance(found, Room) else None

    async def _answer(self, id: str, what: str, more: dict[str, Any]) -> Any:
        if what == "list":
            return self._listed()
        found = await self.find(id)
        if not isinstance(found, Room):
            raise RoomError("这一桌正在换服务器，请再试一次。", "this table is moving to another server; try again.")
        return await answer(found, what, more)

    def _do(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class UnknownRoom(Error):
    """There is no such room."""

    def __init__(self) -> None:
        super().__init__("没有这个房间。", "there is no such room.")
