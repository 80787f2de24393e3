"""Rooms on one device: one person plays against bots without a server, in the same rooms as on a server.

A room runs only while a page shows it. Otherwise it stays in storage, and no bot plays for an absent player.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from quepu.bots import LEVELS, heavy
from quepu.errors import Error, Text, join_list
from quepu.match.reader import MALFORMED
from quepu.server.device.stored_logs import Storage, StoredLogs
from quepu.server.device.stores import InlineWorker
from quepu.server.rooms.bot_choice import BotRequest, answer
from quepu.server.rooms.game import playable
from quepu.server.rooms.messages import RoomSpec
from quepu.server.rooms.places import TAKEN, BrokenRoom, RoomError, UnknownRoom
from quepu.server.rooms.room import Room
from quepu.server.rooms.start import StartPosition, check, first_entry
from quepu.server.rooms.visit import Visit, answer_call
from quepu.table import Action, View


class DeviceBots:
    """Replaces the processes in which bots think."""

    guests = None

    async def choose(self, rules: str, house: str, level: str, view: View, options: Sequence[Action]) -> int:
        """Return the number of the chosen option, after other tasks have had a turn."""
        await asyncio.sleep(0)
        return answer(BotRequest.of(rules, house, level, view, options), tables=False)


class NoTables:
    """Replaces the tables of strong bots: there are none, and none are built."""

    builds = False

    def is_ready(self, rules: str, house: str) -> bool:
        """Return False."""
        return False

    def is_shipped(self, rules: str, house: str) -> bool:
        """Return False."""
        return False

    def report_missing(self, rules: str, house: str) -> None:
        """Do nothing."""

    def want(self, rules: str, house: str, asker: str = "", *, paid: bool = False) -> None:
        """Do nothing."""


class DeviceRooms:
    """The rooms of a device, as their own host."""

    levels = tuple(level for level in LEVELS if not heavy(level, tables=False))
    """Bots that do not need tables."""

    def __init__(self, storage: Storage) -> None:
        self.logs = StoredLogs(storage)
        self.hints = self.work = InlineWorker()
        self.bots = DeviceBots()
        self.preparation = NoTables()
        self.rooms: dict[str, Room] = {}
        self._finding = asyncio.Lock()
        self.opening = asyncio.Lock()

    # ---- asked by routes and lines

    async def open(
        self, spec: RoomSpec, asker: str = "", payers: Sequence[str] = (), start: StartPosition | None = None
    ) -> Room:
        """Open a room.

        Raises:
            Error: the book or level is unknown, or the house rules are invalid.
        """
        check(spec)
        if any(heavy(level, tables=False) for level in spec.bots):
            levels = join_list(LEVELS[key].name for key in self.levels)
            raise RoomError(
                f"这一级的电脑要连上服务器才有；离线可选：{levels.zh}。",
                f"bots of this level need a server; without one there are: {levels.en}.",
            )
        book = playable(spec.rules, spec.house)
        spec = spec.model_copy(update={"listed": False})
        head = await self.logs.create("room", "", *first_entry(spec, book, start))
        room = self.rooms[head.id] = Room(head.id, spec, self, start=start)
        return room

    async def call(self, id: str, what: str, **more: Any) -> Any:
        """Call a room's method by name; see `visit.answer_call`.

        Raises:
            UnknownRoom: the room does not exist.
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
        """Connect to a room; None if the room does not exist."""
        room = await self._find(id)
        return None if room is None else await Visit.begin(room, hello)

    async def leave(self, visit: Visit) -> None:
        """Disconnect; a room without connections rests."""
        visit.leave()
        await self._rest(visit.room)

    async def list_rooms(self, start: int = 0, most: int = 100) -> list[dict[str, Any]]:
        """List rooms that others can join: none."""
        return []

    async def list_joinable(self, rules: str, house: str, *, own: bool = False) -> list[str]:
        """List tables of strangers: none."""
        return []

    async def give_up(self, id: str) -> None:
        """Give up a room that another page of this browser continues."""
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

    def on_lost(self, room: Room) -> None:
        """Handle a room that another page wrote to, or that can no longer be written."""
        if self.rooms.get(room.id) is room:
            del self.rooms[room.id]

    def on_action(self, person: bool, seconds: float) -> None:
        """Do nothing: activity is not counted on a device."""

    def on_hand_end(self, room: Room) -> None:
        """Do nothing: activity is not counted on a device."""

    def on_match_end(self, room: Room) -> None:
        """Do nothing: no other process waits for it."""

    def on_stored(self, room: Room, size: int) -> None:
        """Do nothing: storage on the user's own device is free."""


class NoAccounts:
    """Replaces accounts, see `quepu.server.accounts.visitor`: there are none."""

    async def is_taken(self, name: str) -> bool:
        """Return False."""
        return False

    async def is_banned(self, name: str) -> bool:
        """Return False."""
        return False

    async def took(self, account: str, room: str, place: int) -> None:
        """Do nothing."""

    async def gave_back(self, account: str, room: str) -> None:
        """Do nothing."""

    async def seats(self, account: str, most: int = 200) -> Sequence[Any]:
        """Return no seats."""
        return ()
