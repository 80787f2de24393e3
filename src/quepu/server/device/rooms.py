"""Rooms of one device: a person plays against bots there without a server, by the rooms that a server has.

A room goes on only while a page looks at it. Otherwise it stands in the storage, and nobody plays for who is away.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from quepu.bots import LEVELS, heavy
from quepu.errors import Error, Text
from quepu.match.reader import MALFORMED
from quepu.server.device.stored_logs import Storage, StoredLogs
from quepu.server.device.stores import AtOnce
from quepu.server.rooms.bot_choice import BotRequest, answer
from quepu.server.rooms.game import playable
from quepu.server.rooms.messages import RoomSpec
from quepu.server.rooms.places import TAKEN, BrokenRoom, RoomError, UnknownRoom
from quepu.server.rooms.room import Room
from quepu.server.rooms.start import StartPosition, check, first_entry
from quepu.server.rooms.visit import Visit, answer_call
from quepu.table import Action, View


class DeviceBots:
    """In place of the processes that bots think in."""

    async def choose(self, rules: str, house: str, level: str, view: View, options: Sequence[Action]) -> int:
        """Return the number of the chosen option, after other tasks had their turn."""
        await asyncio.sleep(0)
        return answer(BotRequest.of(rules, house, level, view, options), tables=False)


class NoTables:
    """In place of the tables of strong bots: there are none, and none are built."""

    builds = False

    def ready(self, rules: str, house: str) -> bool:
        """Return False."""
        return False

    def shipped(self, rules: str, house: str) -> bool:
        """Return False."""
        return False

    def gone(self, rules: str, house: str) -> None:
        """Do nothing."""

    def want(self, rules: str, house: str, asker: str = "", *, paid: bool = False) -> None:
        """Do nothing."""


class DeviceRooms:
    """The rooms, and what holds each of them."""

    levels = tuple(level for level in LEVELS if not heavy(level, tables=False))
    """Bots that need no tables."""

    def __init__(self, storage: Storage) -> None:
        self.logs = StoredLogs(storage)
        self.hints = self.work = AtOnce()
        self.bots = DeviceBots()
        self.preparation = NoTables()
        self.rooms: dict[str, Room] = {}
        self._finding = asyncio.Lock()

    # ---- asked by routes and lines

    async def open(
        self, spec: RoomSpec, asker: str = "", payers: Sequence[str] = (), start: StartPosition | None = None
    ) -> Room:
        """A new room.

        Raises:
            Error: there is no such book or level, or its house rules are wrong.
        """
        check(spec)
        if any(heavy(level, tables=False) for level in spec.bots):
            raise RoomError(
                "这一级的电脑要连上服务器才有；离线可选："
                + "、".join(LEVELS[key].name.zh for key in self.levels)
                + "。",
                "bots of this level need a server; without one there are: "
                + ", ".join(LEVELS[key].name.en for key in self.levels)
                + ".",
            )
        book = playable(spec.rules, spec.house)
        spec = spec.model_copy(update={"listed": False})
        head = await self.logs.create("room", "", *first_entry(spec, book, start))
        room = self.rooms[head.id] = Room(head.id, spec, self, start=start)
        return room

    async def call(self, id: str, what: str, **more: Any) -> Any:
        """Call a room by name; see `visit.answer_call`.

        Raises:
            UnknownRoom: there is no such room.
            Error: the room refuses.
        """
        room = await self._find(id)
        if room is None:
            raise UnknownRoom
        try:
            return await answer_call(room, what, more)
        finally:
            await self._rest(room)

    async def visit(self, id: str, hello: dict[str, Any]) -> Visit | None:
        """A line to a room; None: no such room."""
        room = await self._find(id)
        return None if room is None else await Visit.begin(room, hello)

    async def leave(self, visit: Visit) -> None:
        """End a line; a room that nobody looks at any more rests."""
        visit.leave()
        await self._rest(visit.room)

    async def listed(self, start: int = 0, most: int = 100) -> list[dict[str, Any]]:
        """Rooms that others could join: none."""
        return []

    async def taken(self, id: str) -> None:
        """Another page of this browser goes on with a room."""
        room = self.rooms.pop(id, None)
        if room is not None:
            room.audience.send({"taken": True})
            room.audience.close(TAKEN)
            await room.close()

    async def _find(self, id: str) -> Room | None:
        async with self._finding:
            if id not in self.rooms:
                try:
                    room = await Room.load(id, self, 0)
                except (Error, *MALFORMED) as error:
                    text = error.text if isinstance(error, Error) else Text("内容损坏。", "its contents are damaged.")
                    raise BrokenRoom(text) from error
                if room is None:
                    return None
                self.rooms[id] = room
            return self.rooms[id]

    async def _rest(self, room: Room) -> None:
        if not room.audience.everybody() and self.rooms.get(room.id) is room:
            del self.rooms[room.id]
            await room.close()

    # ---- asked by rooms

    def lost(self, room: Room) -> None:
        """Another page wrote, or nothing can be written any more."""
        if self.rooms.get(room.id) is room:
            del self.rooms[room.id]

    def acted(self, person: bool, seconds: float) -> None:
        """Nobody counts here."""

    def settled(self, room: Room) -> None:
        """Nobody counts here."""

    def ended(self, room: Room) -> None:
        """Nobody else waits for it."""

    def stored(self, room: Room, size: int) -> None:
        """It is one's own device."""


class NoAccounts:
    """In place of accounts, see `quepu.server.accounts.visitor`: nobody is logged in."""

    async def named(self, name: str) -> bool:
        """Return False."""
        return False

    async def banned(self, name: str) -> bool:
        """Return False."""
        return False

    async def took(self, account: str, room: str, place: int) -> None:
        """Do nothing."""

    async def gave_back(self, account: str, room: str) -> None:
        """Do nothing."""

    async def seats(self, account: str, most: int = 200) -> Sequence[Any]:
        """None."""
        return ()
