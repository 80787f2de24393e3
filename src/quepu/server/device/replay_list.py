"""The list of replays on a device: matches played there, and imported logs.

The row of each is computed once, and written to a log of its own, in which the last line about a replay applies.
"""

from __future__ import annotations

from collections.abc import Sequence

from quepu.folding import fold
from quepu.server.device.stored_logs import HERE, StoredLogs
from quepu.server.store.values import Conflict, GrownLog, LogHead, ReplaySearch, StoredReplay

LIST = f"{HERE}list"
"""The id and the kind of that log."""


class DeviceReplays:
    """The list; see `quepu.server.store.values.ReplayStore`."""

    def __init__(self, logs: StoredLogs) -> None:
        self.logs = logs
        self._rows: dict[str, StoredReplay] = {}
        self._length = 0  # length of the list's log as far as it was read

    async def list_grown(self) -> list[GrownLog]:
        """List matches that have changed since they were listed, latest first."""
        await self._read()
        found = []
        for head in await self.logs.list("room", ""):
            if head.id not in self._rows or self._rows[head.id].length != head.length:
                log = await self.logs.read(head.id)
                if log is not None:
                    found.append(GrownLog(head.id, head.length, head.updated, log[1][0].body, log[1][-1].body))
        return found

    async def put(self, rows: Sequence[StoredReplay]) -> None:
        """Write rows of the list, replacing older ones."""
        bodies = [{"row": list(row)} for row in rows]
        while bodies:
            await self._read()
            try:
                if self._length:
                    await self.logs.append(LIST, self._length, bodies)
                else:
                    await self.logs.create(LIST, "", "", {"list": 1}, id=LIST)
                    continue
            except Conflict:  # another page wrote first
                continue
            break
        await self._read()

    async def search(self, wanted: ReplaySearch) -> list[StoredReplay]:
        """List finished replays with all these words, latest first: everything here belongs to the user."""
        there = {head.id for head in await self._heads()}
        rows = (row for row in self._rows.values() if row.finished and row.id in there)
        found = [
            row
            for row in rows
            if all(word.lower() in row.words or fold(word) in row.words for word in wanted.words)
            and wanted.rules in ("", row.rules)
            and (wanted.before is None or row.played < wanted.before)
        ]
        return sorted(found, key=lambda row: (-row.played, row.id))[: wanted.most]

    async def _heads(self) -> list[LogHead]:
        return [head for kind in ("room", "replay") for head in await self.logs.heads(kind)]

    async def _read(self) -> None:
        log = await self.logs.read(LIST, self._length)
        if log is not None:
            for entry in log[1]:
                if "row" in entry.body:
                    row = StoredReplay(*entry.body["row"])
                    self._rows[row.id] = row
            self._length = log[0].length
