"""The rosters of a server: a log of changes for everybody who has tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quepu.server.players import working as work
from quepu.server.store.values import LogStore

KIND = "roster"


class Rosters:
    """Rosters by their owner; one that is the owner of two, because two browsers became one, has them in one."""

    def __init__(self, logs: LogStore) -> None:
        self.logs = logs

    async def read(self, owner: str) -> list[dict[str, Any]]:
        """The changes of a roster as they are stored; none where nothing was ever changed."""
        found: list[dict[str, Any]] = []
        for head in await self.logs.list(KIND, owner):
            log = await self.logs.read(head.id)
            found += [entry.body for entry in log[1][1:]] if log is not None else []
        return found

    async def append(self, owner: str, seen: int, changes: Sequence[dict[str, Any]]) -> None:
        """Write changes behind the `seen` that are there.

        Raises:
            Conflict: somebody else was faster.
        """
        heads = await self.logs.list(KIND, owner)
        if not heads:
            heads = [await self.logs.create(KIND, owner, "", {"quepu": "roster"})]
        oldest = min(heads, key=lambda head: (head.created, head.id))
        others = sum(head.length - 1 for head in heads if head.id != oldest.id)
        await self.logs.append(oldest.id, seen - others + 1, list(changes))

    async def ids(self, owner: str, names: Sequence[str], ids: Sequence[str | None]) -> list[str | None]:
        """The ids of those who sit down at a table of an owner (`working.named`)."""
        changes = await self.read(owner)
        return work.named(changes, names, ids or [None] * len(names)) if changes else list(ids)
