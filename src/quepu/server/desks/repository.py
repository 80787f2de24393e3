"""The tournaments of a server: their logs, and the results of their score tables and rooms."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Annotated, Any

from fastapi import Depends, Request

from quepu.server.desks import working as work
from quepu.server.http.responses import Plain, Refusal
from quepu.server.lru_cache import LRUCache
from quepu.server.rooms.record import is_released
from quepu.server.rooms.registry import RoomRegistry
from quepu.server.score_tables.api import READER, Tables
from quepu.server.score_tables.working import Stored
from quepu.server.store.values import Conflict, Entry, LogHead

KIND = "desk"
_END = 1 << 30
"""A number beyond the last entry of any log."""


class Desks:
    """The tournaments of a server, and its score tables."""

    def __init__(self, tables: Tables, rooms: RoomRegistry, played: LRUCache) -> None:
        self.tables = tables
        self.rooms = rooms
        self.logs = tables.logs
        self._played = played

    async def read(self, id: str) -> tuple[LogHead, list[Entry], bool]:
        """Return the log of a tournament by its own id or its read-only id, and whether it was the latter.

        Raises:
            Refusal: the tournament does not exist.
        """
        found = await self.logs.read(id) if len(id) <= 32 else None
        readonly = found is not None and found[0].kind == READER
        if found is not None and readonly:
            found = await self.logs.read(str(found[1][0].body["table"]))
        if found is None or found[0].kind != KIND:
            raise Refusal(404, "没有这场比赛，可能已删除。", "there is no such tournament; it may have been deleted.")
        return found[0], found[1], readonly

    async def writable(self, id: str) -> tuple[LogHead, list[Entry]]:
        """Return the log of a tournament for writing.

        Raises:
            Refusal: the tournament does not exist, or the id is read-only.
        """
        head, entries, readonly = await self.read(id)
        if readonly:
            raise Refusal(403, "这是只读的链接。", "this link is read-only.")
        return head, entries

    async def results(self, entries: list[Entry], asker: str) -> dict[str, Any]:
        """Return the results of the tournament's score tables and rooms, by their ids."""
        ids, rooms = (work.list_opened(entries, online=online) for online in (False, True))
        rows = await self.tables.some(ids, asker) if ids else []
        found, lengths = {row.id: row.result for row in rows}, {row.id: row.length for row in rows}
        for id in rooms:
            if (played := await self._of_room(id)) is not None:
                found[id] = played
        if duplicate := set(work.list_duplicate(entries)) & set(found):
            found[work.BY_HAND] = {id: await self._hands(id, lengths.get(id), asker) for id in sorted(duplicate)}
        if any(id not in found or not self._played.get((id, "released")) for id in rooms):
            key = rooms[0], len(entries), json.dumps(found)
            over = await self.tables.shared.run(
                key, lambda: self.tables.pool.run(asker, work.over_rooms, entries, found)
            )
            await self._release(over)
        return found

    async def _of_room(self, id: str) -> dict[str, Any] | None:
        """Return the result of a match in a room, once it is over."""
        stored: dict[str, Any] | None = self._played.get(id)
        if stored is not None:
            return stored
        head = await self.logs.read(id, _END)
        if head is None or head[0].kind != "room":
            return None
        last = await self.logs.read(id, max(0, head[0].length - 1))  # of a match still in play, read no more
        if last is None or not any(work.ends(entry.body) for entry in last[1]):
            return None
        log = await self.logs.read(id)
        if log is None:
            return None
        lines = [str(entry.body["line"]) for entry in log[1] if "line" in entry.body]
        made = work.room_result(lines, sum(line.startswith('{"result":') for line in lines))
        return None if made is None else self._played.put(id, made, 200)

    async def _hands(self, id: str, length: int | None, asker: str) -> list[Any]:
        """Return the winds and points of a score table of this length, or of a room that is over, hand by hand."""
        key = id, length, "hands"
        known: list[Any] | None = self._played.get(key)
        if known is not None:
            return known
        log = await self.logs.read(id)
        if log is None:
            return []
        if log[0].kind == "room":
            made = work.room_hands([str(entry.body["line"]) for entry in log[1] if "line" in entry.body])
        else:
            made = await self.tables.pool.run(asker, work.table_hands, Stored(*log))
        return self._played.put(key, made, 10 * len(made))

    async def _release(self, rooms: list[str]) -> None:
        """Publish the logs of rooms once no table plays their walls any more."""
        for id in rooms:
            log = await self.logs.read(id)
            if log is not None and not is_released(log[1][-1:]):
                with suppress(Conflict):
                    await self.logs.append(id, log[0].length, [{"released": True}])
            self._played.put((id, "released"), True)

    async def view(self, id: str, asker: str) -> Plain:
        """Return the public view of the tournament."""
        head, entries, readonly = await self.read(id)
        results = await self.results(entries, asker)
        given = id, head.created, entries, results, readonly
        key = id, head.length, json.dumps(results)
        return Plain(await self.tables.shared.run(key, lambda: self.tables.pool.run(asker, work.view, *given)))


def _desks(request: Request) -> Desks:
    state = request.app.state
    return Desks(state.tables, state.rooms, state.desk_rooms)


TheDesks = Annotated[Desks, Depends(_desks)]
