"""The lobby: rooms to join or watch, of all processes that share a database."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from typing import Any

from quepu.server.rooms.remote import RemoteRooms
from quepu.server.rooms.room import Room
from quepu.server.rooms.seat_taking import list_joinable
from quepu.server.rooms.serialize import head
from quepu.server.store.owners import Owners

_ORDER = {"open": 0, "playing": 1, "between": 1, "over": 2}
_LISTED = 300
_FRESH = 1.0
"""Seconds for which a listing is cached."""
DESERTED = 60.0
"""Seconds after which an abandoned waiting room leaves the lobby."""


class Lobby:
    """Heads of this process's rooms and, through `remote`, of the others."""

    def __init__(self, rooms: dict[str, Room], owners: Owners) -> None:
        self.remote: RemoteRooms | None = None
        self._rooms = rooms
        self._owners = owners
        self._looking = asyncio.Lock()
        self.opening = asyncio.Lock()
        """Held while a player who found no table opens one, so that the next one finds it."""
        self._last: tuple[float, list[dict[str, Any]]] = (-math.inf, [])

    async def list_rooms(self, start: int = 0, most: int = 100) -> list[dict[str, Any]]:
        """List rooms for the lobby, of all processes: joinable ones first, then running ones, newest first.

        A host's second room comes after every host's first one. Cached for a second.
        """
        async with self._looking:
            if time.monotonic() - self._last[0] > _FRESH:
                self._last = time.monotonic(), await self._of_all()
        return self._last[1][start : start + most]

    async def _of_all(self) -> list[dict[str, Any]]:
        heads = self.own() + await self._of_others("list")
        return sorted(heads, key=lambda head: (_ORDER[head["phase"]], head.pop("turn", 0), -head["updated"]))

    async def _of_others(self, what: str, **more: Any) -> list[Any]:
        """Return the lists of the other processes; one that does not answer has none."""
        if self.remote is None:
            return []
        others = await self._owners.alive() - {self._owners.me}
        calls = (self.remote.call(other, "", what, more) for other in others)
        answers = await asyncio.gather(*calls, return_exceptions=True)
        return [one for answer in answers if isinstance(answer, list) for one in answer]

    async def list_joinable(self, rules: str, house: str, *, own: bool = False) -> list[str]:
        """List the tables where a stranger can sit down now, of all processes or this one; never cached.

        Open tables come before running ones, the fullest first, then those that have waited longest.
        """
        found = [*self.own_joinable(rules, house)]
        if not own:
            found += map(tuple, await self._of_others("joinable", rules=rules, house=house))
        return [id for *_, id in sorted(found)]

    def own_joinable(self, rules: str, house: str) -> list[tuple[bool, int, float, str]]:
        """List those of this process: whether it runs, its free seats, since when, its id."""
        found = []
        for room in self._rooms.values():
            spec = room.spec
            if (spec.rules, spec.house.strip()) != (rules, house.strip()) or not spec.listed or room.seating.held:
                continue
            if spec.seed is not None:  # whoever chose it knows the walls
                continue
            running = room.phase != "open"
            if running:
                free = len(list_joinable(room)) if room.seating.in_charge >= 0 else 0
            else:
                free = 0 if room.closed or _is_deserted(room) else room.seating.vacancies
            if free:
                found.append((running, free, room.record.updated, room.id))
        return found

    def own(self) -> list[dict[str, Any]]:
        """List this process's rooms; `turn` counts the rooms of one opener, from 0."""
        shown = [room for room in self._rooms.values() if room.spec.listed and not _is_deserted(room)]
        shown.sort(key=lambda room: -room.record.updated)
        before: Counter[str] = Counter()
        heads: list[tuple[int, int, int, Room]] = []
        for room in shown:
            heads.append((_ORDER[room.phase], before[room.opener] if room.opener else 0, len(heads), room))
            before[room.opener] += 1
        return [head(room) | {"turn": turn} for _, turn, _, room in sorted(heads)[:_LISTED]]


def _is_deserted(room: Room) -> bool:
    """Return whether a waiting table is deserted: a new player would wait in vain."""
    return room.phase == "open" and room.idle > DESERTED
