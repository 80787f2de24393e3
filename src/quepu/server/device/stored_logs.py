"""Logs that a device writes entry by entry, and reads from storage: matches grow too long for memory.

An entry is stored before it is sent, and exactly once: if a log's length differs from the writer's (another page of
this browser wrote), nothing is written.
"""

from __future__ import annotations

import builtins
import json
import time
from typing import Any, Protocol

from quepu.server.store.values import Conflict, Entry, LogHead, new_log_id

Json = dict[str, Any]
HERE = "here-"
"""Prefix of the ids of matches played on a device; a server has no such ids."""


class Storage(Protocol):
    """A browser's storage for logs; everything is JSON, or "" for nothing."""

    async def write(self, text: str) -> bool:
        """Add {"head", "seen", "entries"} to a log with `seen` entries; return False without writing if it has not."""

    async def read(self, id: str) -> str:
        """Return a log: {"head", "entries"}."""

    async def heads(self, kind: str) -> str:
        """Return the heads of all logs of a kind, as a list."""

    async def delete(self, id: str) -> None:
        """Remove a log."""


class MemoryStorage:
    """Logs that last only as long as the process."""

    def __init__(self) -> None:
        self.logs: dict[str, Json] = {}

    async def write(self, text: str) -> bool:
        """As `Storage.write`."""
        given = json.loads(text)
        log = self.logs.setdefault(given["head"][0], {"head": given["head"], "entries": []})
        if len(log["entries"]) != given["seen"]:
            return False
        log["head"] = given["head"]
        log["entries"] += given["entries"]
        return True

    async def read(self, id: str) -> str:
        """As `Storage.read`."""
        return json.dumps(self.logs[id]) if id in self.logs else ""

    async def heads(self, kind: str) -> str:
        """As `Storage.heads`."""
        return json.dumps([log["head"] for log in self.logs.values() if log["head"][1] == kind])

    async def delete(self, id: str) -> None:
        """As `Storage.delete`."""
        self.logs.pop(id, None)


class StoredLogs:
    """The logs in a storage; see `quepu.server.store.values.LogStore`."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._heads: dict[str, LogHead] = {}  # heads of the logs that were read or written here

    async def create(
        self, kind: str, owner: str, title: str, first: Json, process: str | None = None, id: str = ""
    ) -> LogHead:
        """Create a log with its first entry.

        Raises:
            Conflict: there is one with the requested `id`.
        """
        now = time.time()
        head = LogHead(id or HERE + new_log_id(), kind, owner, title, now, now, 1)
        await self._write(head, 0, [Entry(0, now, first)])
        return head

    async def append(
        self, id: str, seen: int, bodies: list[Json], title: str | None = None, fence: int | None = None
    ) -> int | None:
        """Add entries to a log with `seen` of them; return its new length, or None for an unknown log.

        Raises:
            Conflict: it has another length.
        """
        if id not in self._heads and await self.read(id) is None:
            return None
        now, old = time.time(), self._heads[id]
        length = seen + len(bodies)
        head = old._replace(updated=now, length=length, title=old.title if title is None else title)
        await self._write(head, seen, [Entry(seen + i, now, body) for i, body in enumerate(bodies)])
        return length

    async def read(
        self, id: str, after: int = 0, most: int | None = None
    ) -> tuple[LogHead, builtins.list[Entry]] | None:
        """Return a log and at most `most` of its entries from number `after` on; None for an unknown log."""
        text = await self._storage.read(id)
        if not text:
            self._heads.pop(id, None)
            return None
        stored = json.loads(text)
        head = self._heads[id] = LogHead(*stored["head"])
        return head, [Entry(*entry) for entry in stored["entries"][after:][:most]]

    async def list(self, kind: str, owner: str, most: int = 200) -> list[LogHead]:
        """List the logs of an owner, newest first."""
        found = [head for head in await self.heads(kind) if head.owner == owner]
        return sorted(found, key=lambda head: -head.updated)[:most]

    async def heads(self, kind: str) -> builtins.list[LogHead]:
        """Return the heads of all logs of a kind."""
        return [LogHead(*head) for head in json.loads(await self._storage.heads(kind) or "[]")]

    async def list_with_first(self, kind: str, owner: str, most: int) -> builtins.list[tuple[LogHead, Json]]:
        """List the logs of an owner, newest first, each with its first entry."""
        logs = [await self.read(head.id) for head in await self.list(kind, owner, most)]
        return [(head, entries[0].body) for head, entries in filter(None, logs)]

    async def delete(self, id: str) -> bool:
        """Delete a log for good; return whether it existed."""
        there = await self.read(id) is not None
        await self._storage.delete(id)
        self._heads.pop(id, None)
        return there

    async def _write(self, head: LogHead, seen: int, entries: builtins.list[Entry]) -> None:
        given = {"head": list(head), "seen": seen, "entries": [list(entry) for entry in entries]}
        if not await self._storage.write(json.dumps(given, ensure_ascii=False)):
            self._heads.pop(head.id, None)
            raise Conflict
        self._heads[head.id] = head
