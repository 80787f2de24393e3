"""The rooms of one server process: opened, found, dropped, closed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy.exc import DBAPIError

from quepu.bots import LEVELS, heavy
from quepu.errors import Error, Text
from quepu.match.reader import MALFORMED
from quepu.server.budget import Buckets, Storing
from quepu.server.http.responses import Refusal
from quepu.server.limits import Limits
from quepu.server.lru_cache import LRUCache
from quepu.server.operations.metrics import ACTION_OF_BOT, ACTION_OF_PERSON, HANDS, MATCHES, ROOMS_LOST
from quepu.server.rooms import admission
from quepu.server.rooms.bot_pool import BotPools
from quepu.server.rooms.broadcast import send_head
from quepu.server.rooms.game import playable
from quepu.server.rooms.guests import Guests
from quepu.server.rooms.hints import begin
from quepu.server.rooms.lobby import Lobby
from quepu.server.rooms.messages import RoomSpec
from quepu.server.rooms.places import BrokenRoom, RoomError, UnknownRoom
from quepu.server.rooms.preparation import Preparation
from quepu.server.rooms.remote import RemoteRooms
from quepu.server.rooms.room import Room
from quepu.server.rooms.start import StartPosition, check, first_entry
from quepu.server.rooms.takeover import Takeover
from quepu.server.rooms.visit import Connection, Visit, answer_call
from quepu.server.store.database import Database
from quepu.server.store.logs import Logs
from quepu.server.store.owners import Owners
from quepu.server.store.values import StoreError
from quepu.server.work import Allowed, Pool
from quepu.server.work.building import Building

_log = logging.getLogger("quepu.server")

_MOST_BROKEN = 1000
IDLE = 1800.0
"""Seconds after which a room that never began leaves memory (its log stays)."""
ENDED = 60.0
"""The same for one whose match is over."""


class RoomRegistry:
    """The rooms. `thinkers` are the processes that run bots; `workers` is their number."""

    def __init__(
        self,
        database: Database,
        work: Pool,
        limits: Limits,
        storing: Storing,
        workers: int = 1,
        guests: Guests | None = None,
    ) -> None:
        self.database = database
        self.work = work
        self.hints = Pool(
            Allowed(limits.hint_cpu, limits.hint_wall, limits.hint_memory),
            each=limits.work_each, most=limits.work_most, budget=work.budget, begin=begin,
        )  # fmt: skip
        self.limits = limits
        self.logs = Logs(database)
        self.owners = Owners(database)
        self.building = Building(limits, Buckets(limits.tables_rate, limits.tables_burst))
        self.preparation = Preparation(self.building, self._announce_tables)
        self.guests = guests or Guests()
        self.bots = BotPools(workers, self.preparation.is_ready, self._rebuild_tables, self.guests)
        self.storing = storing
        self.on_near_end: Callable[[str], None] = lambda rules: None
        """Told the book of a match that is about to end."""
        self.on_news: Callable[[dict[str, Any]], None] = lambda news: None
        """Receives announcements of the other processes of this server."""
        self.rooms: dict[str, Room] = {}
        self.remote: RemoteRooms | None = None
        self._loading: dict[str, asyncio.Lock] = {}
        self.broken: dict[str, Text] = {}
        """Rooms that cannot be read, and why."""
        self._unknown = LRUCache(10_000)  # ids without a room
        self._few = asyncio.Semaphore(2)  # rooms read at the same time
        self._tasks: set[asyncio.Task[None]] = set()
        self.lobby = Lobby(self.rooms, self.owners)
        self._takeover = Takeover(self.owners, self.find, shared=database.shared)

    # ---- rooms

    @property
    def levels(self) -> Sequence[str]:
        """The levels of bots that can sit in a room, weakest first."""
        return (*LEVELS, *self.guests.levels)

    async def open_several(
        self, specs: Sequence[tuple[RoomSpec, Sequence[str]]], asker: str, payers: Sequence[str], walls: str = ""
    ) -> list[Room]:
        """Open the rooms of a round, each with seats reserved by name; `walls` as for `RoomLog`.

        Raises:
            Error: as for `open`.
        """
        self._sweep()
        self._enough(payers or (asker,), waiting=False)
        made = []
        for spec, names in specs:
            room = await self.open(spec, asker, payers, walls=walls, counted=False)
            await admission.hold(room, names)
            made.append(room)
        return made

    async def open(
        self,
        spec: RoomSpec,
        asker: str = "",
        payers: Sequence[str] = (),
        start: StartPosition | None = None,
        *,
        walls: str = "",
        counted: bool = True,
    ) -> Room:
        """Open a room. `payers` are the budgets for its storage; `walls` as for `RoomLog`.

        Raises:
            Error: the book or level is unknown, its house rules are invalid, or the asker has too many rooms.
        """
        check(spec, self.guests.levels)
        self._sweep()
        payers = payers or (asker,)
        if counted:
            self._enough(payers)
        book = await asyncio.to_thread(playable, spec.rules, spec.house)  # fails before all tables are built
        for level in filter(self.guests.levels.__contains__, spec.bots):
            await asyncio.to_thread(self.guests.check, level, book)
        if spec.house.strip() and any(map(heavy, spec.bots)):
            try:
                self.building.pay(asker)
            except Refusal:
                raise RoomError(
                    "自定规则配强机器人要算很久，请过一会儿再开，或选较弱的机器人。",
                    "strong bots under house rules take a long time to prepare: please wait a while, or choose "
                    "weaker ones.",
                ) from None
        if spec.listed is None:  # a table against bots does not wait for others
            spec = spec.model_copy(update={"listed": sum(not level for level in spec.bots) > 1})
        title, first = first_entry(spec, book, start)
        if walls:
            first["walls"] = walls
        head = await self.logs.create("room", "", title, first, process=self.owners.me)
        room = self.rooms[head.id] = Room(head.id, spec, self, start=start)
        room.record.walls = walls
        room.opener, room.payers = asker, tuple(payers)
        room.prepare()
        self.bots.expect(spec.rules, spec.house, spec.bots)
        if not spec.house.strip():
            self.preparation.later(book.id)
        return room

    def _enough(self, payers: Sequence[str], *, waiting: bool = True) -> None:
        """Refuse another room to an asker with too many; those of a round may all be `waiting` at once."""
        too_many = len(self.rooms) >= self.limits.all_rooms
        for payer in payers:
            mine = [room for room in self.rooms.values() if payer in room.payers and room.phase != "over"]
            unbegun = sum(room.phase == "open" for room in mine)
            too_many |= len(mine) >= self.limits.rooms or (waiting and unbegun >= self.limits.open_rooms)
        if too_many:
            raise RoomError(
                "房间太多了：先打完或离开已开的房间。", "too many rooms: finish or leave those you have opened first."
            )

    async def find(self, id: str) -> Room | str | None:
        """Return a room of this process, loading it if necessary; else the process that owns it; None: no such room."""
        if id in self.rooms:
            return self.rooms[id]
        if len(id) > 32 or self._unknown.get(id):
            return None
        if id in self.broken:
            raise BrokenRoom(self.broken[id])
        async with self._loading.setdefault(id, asyncio.Lock()):
            try:
                if id in self.rooms:
                    return self.rooms[id]
                owned = await self.owners.owner(id)  # a lookup of a missing room must not write
                if owned is None:
                    self._unknown.put(id, True)
                    return None
                if owned.free:
                    owned = await self.owners.take(id)
                if owned is None or owned.process != self.owners.me:
                    return owned and owned.process
                room = await self._load(id, owned.fence)
                if room is None:
                    await self.owners.let_go(id, owned.fence)
                    return None
                if room.phase == "over":
                    await self.owners.let_go(id, owned.fence)
                self.rooms[id] = room
                return room
            finally:
                self._loading.pop(id, None)

    async def _load(self, id: str, fence: int) -> Room | None:
        """Load a room from the store; None if it no longer exists.

        Raises:
            BrokenRoom: it cannot be read, permanently.
        """
        try:
            async with self._few:
                return await Room.load(id, self, fence)
        except (Error, *MALFORMED) as error:
            if isinstance(error, StoreError):
                raise
            _log.exception("room %s cannot be read; it is left as it is", id)
            text = error.text if isinstance(error, Error) else Text("内容损坏。", "its contents are damaged.")
            while len(self.broken) >= _MOST_BROKEN:
                del self.broken[next(iter(self.broken))]
            self.broken[id] = text
            await self.owners.let_go(id, fence)  # otherwise it would be tried again and again
            raise BrokenRoom(text) from error

    async def call(self, id: str, what: str, **more: Any) -> Any:
        """Call a method of a room here or in another process; see `visit.answer_call`.

        Raises:
            UnknownRoom: the room does not exist.
            Error: the room refuses.
        """
        found = await self.find(id)
        if found is None:
            raise UnknownRoom
        if isinstance(found, Room):
            return await answer_call(found, what, more)
        return await self._others().call(found, id, what, more)

    async def visit(self, id: str, hello: dict[str, Any]) -> Connection | None:
        """Connect to a room here or elsewhere; None if the room does not exist."""
        found = await self.find(id)
        if found is None or isinstance(found, Room):
            return None if found is None else await Visit.begin(found, hello)
        return self._others().link(found, id, hello)

    async def list_rooms(self, start: int = 0, most: int = 100) -> list[dict[str, Any]]:
        """List rooms for the lobby, of all processes."""
        return await self.lobby.list_rooms(start, most)

    @property
    def opening(self) -> asyncio.Lock:
        """The lock of whoever found no table to join and opens one, so that the next one finds it."""
        return self.lobby.opening

    async def list_joinable(self, rules: str, house: str, *, own: bool = False) -> list[str]:
        """List the tables where a stranger can sit down now, of all processes or this one."""
        return await self.lobby.list_joinable(rules, house, own=own)

    def on_lost(self, room: Room) -> None:
        """Drop a room that another process owns now, or that can no longer be written."""
        ROOMS_LOST.inc()
        if self.rooms.get(room.id) is room:
            del self.rooms[room.id]

    def on_action(self, person: bool, seconds: float) -> None:
        """Time an action."""
        (ACTION_OF_PERSON if person else ACTION_OF_BOT).observe(seconds)

    def on_hand_end(self, room: Room) -> None:
        """Count a hand, and tell when a match is about to end."""
        if room.game is not None and (room.game.over or room.game.in_last_hand) and not room.spec.house.strip():
            self.on_near_end(room.book.id)
        HANDS.inc()
        MATCHES.inc(room.game is not None and room.game.over)

    def on_stored(self, room: Room, size: int) -> None:
        """Charge stored bytes of a room's match to the account or address that opened it."""
        self.storing.spend(room.payers, size)

    def _announce_tables(self, rules: str, house: str) -> None:
        """Tell players that the tables of a book have appeared or disappeared."""
        for room in self.rooms.values():
            if (room.spec.rules, room.spec.house) == (rules, house):
                send_head(room)
                self.bots.expect(rules, house, room.spec.bots)

    def _rebuild_tables(self, rules: str, house: str) -> None:
        """Have missing tables of a book built again, for one of the tables that use it."""
        self.preparation.report_missing(rules, house)
        playing = (room for room in self.rooms.values() if (room.spec.rules, room.spec.house) == (rules, house))
        self.preparation.want(rules, house, next((room.opener for room in playing), ""))
        self._announce_tables(rules, house)

    def on_match_end(self, room: Room) -> None:
        """Release a room whose match is over."""
        self._do(self.owners.let_go(room.id, room.record.fence))

    async def drop(self, id: str) -> None:
        """Drop a room whose log was deleted."""
        room = self.rooms.pop(id, None)
        if room is not None:
            await room.close()

    def _sweep(self) -> None:
        for id, room in list(self.rooms.items()):
            if room.idle > (ENDED if room.phase == "over" else IDLE):
                del self.rooms[id]
                room.bot_turns.close()
                self._do(self.owners.let_go(id, room.record.fence))

    # ---- lifecycle

    async def wake(self) -> None:
        """Join the processes that share the database, and take over rooms of dead ones."""
        await self.database.open()
        if self.database.shared:
            address = self.database.plain_address
            self.remote = RemoteRooms(address, self.owners.me, self._visit_here, self._answer)
            self.remote.on_news = self.on_news
            await self.remote.bus.open()
            self.lobby.remote = self.remote
            await self.owners.beat()
            self._do(self._takeover.live(self.remote))
        self._do(self._takeover.adopt())

    async def close(self) -> None:
        """Stop every room; logs stay."""
        self._takeover.closing.set()
        for room in list(self.rooms.values()):
            await room.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)  # a query of the store in progress is completed
        self.bots.close()
        await self.preparation.close()
        await self.building.close()
        await self.hints.close()
        await self.logs.close()
        if self.remote is not None:
            await self.remote.close()
            with suppress(StoreError, DBAPIError, OSError):
                await self.owners.leave()

    def announce(self, news: dict[str, Any]) -> None:
        """Send news to the other processes of this server."""
        if self.remote is not None:
            self.remote.announce(news)

    def _others(self) -> RemoteRooms:
        if self.remote is None:
            raise RoomError("这一桌在别的服务器上。", "this table is on another server.")
        return self.remote

    async def _visit_here(self, id: str, hello: dict[str, Any]) -> Connection | None:
        try:
            found = await self.find(id)
        except BrokenRoom:
            return None
        return await Visit.begin(found, hello) if isinstance(found, Room) else None

    async def _answer(self, id: str, what: str, more: dict[str, Any]) -> Any:
        if what == "list":
            return self.lobby.own()
        if what == "joinable":
            return self.lobby.own_joinable(more["rules"], more["house"])
        found = await self.find(id)
        if not isinstance(found, Room):
            raise RoomError("这一桌正在换服务器，请再试一次。", "this table is moving to another server; try again.")
        return await answer_call(found, what, more)

    def _do(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
