"""Stores of a device: score tables and practice answers in memory, exported as JSON for storage."""

from __future__ import annotations

import builtins
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from quepu.server.store.values import REMEMBERED, Answered, Conflict, Entry, LogHead, TableResult, new_log_id

Json = dict[str, Any]


T = TypeVar("T")


class DeviceLogs:
    """Logs in memory; `changed` are the ids of those written or deleted since the last `taken`."""

    def __init__(self) -> None:
        self._logs: dict[str, tuple[LogHead, list[Entry]]] = {}
        self._copies: set[str] = set()
        self.changed: set[str] = set()

    async def create(
        self, kind: str, owner: str, title: str, first: dict[str, Any], process: str | None = None, id: str = ""
    ) -> LogHead:
        """Create a log with its first entry.

        Raises:
            Conflict: there is one with the requested `id`.
        """
        if id in self._logs:
            raise Conflict
        now = time.time()
        head = LogHead(id or new_log_id(), kind, owner, title, now, now, 1)
        self._put(head, [Entry(0, now, first)])
        return head

    async def append(
        self, id: str, seen: int, bodies: list[dict[str, Any]], title: str | None = None, fence: int | None = None
    ) -> int | None:
        """Add entries to a log with `seen` of them; return its new length, or None for an unknown log.

        Raises:
            Conflict: it has another length.
        """
        if id not in self._logs:
            return None
        head, entries = self._logs[id]
        if head.length != seen:
            raise Conflict
        now = time.time()
        more = [Entry(seen + i, now, body) for i, body in enumerate(bodies)]
        length = seen + len(bodies)
        self._put(
            head._replace(updated=now, length=length, title=head.title if title is None else title), entries + more
        )
        return length

    async def read(
        self, id: str, after: int = 0, most: int | None = None
    ) -> tuple[LogHead, builtins.list[Entry]] | None:
        """Return a log and at most `most` of its entries from number `after` on; None for an unknown log."""
        if id not in self._logs:
            return None
        head, entries = self._logs[id]
        return head, entries[after:][:most]

    async def list(self, kind: str, owner: str, most: int = 200) -> list[LogHead]:
        """List the logs of an owner, newest first."""
        return [head for head, _ in await self.list_with_first(kind, owner, most)]

    async def list_with_first(self, kind: str, owner: str, most: int) -> builtins.list[tuple[LogHead, dict[str, Any]]]:
        """List the logs of an owner, newest first, each with its first entry."""
        found = [(head, entries[0].body) for head, entries in self._logs.values()]
        found = [(head, body) for head, body in found if head.kind == kind and head.owner == owner]
        return sorted(found, key=lambda one: -one[0].updated)[:most]

    async def delete(self, id: str) -> bool:
        """Delete a log for good; return whether it existed."""
        self.changed.add(id)
        return self._logs.pop(id, None) is not None

    def take_written(self) -> dict[str, Json | None]:
        """Return the logs written since the last call, as JSON; None for a deleted one."""
        found = {id: self.json_of(id) for id in self.changed}
        self.changed = set()
        return found

    def put_back(self, stored: Json) -> None:
        """Restore a log from `taken`. With "copy" it is the server's: read here and written there."""
        head = LogHead(*stored["head"])
        self._logs[head.id] = head, [Entry(*entry) for entry in stored["entries"]]
        if stored.get("copy"):
            self._copies.add(head.id)

    def json_of(self, id: str) -> Json | None:
        """Return a log as `put_back` takes it; None for an unknown one."""
        if id not in self._logs:
            return None
        head, entries = self._logs[id]
        shape: Json = {"head": list(head), "entries": [list(entry) for entry in entries]}
        return shape | ({"copy": True} if id in self._copies else {})

    def _put(self, head: LogHead, entries: builtins.list[Entry]) -> None:
        self._logs[head.id] = head, entries
        self.changed.add(head.id)


class DeviceResults:
    """Results of score tables, in memory: unknown ones are computed after each start."""

    def __init__(self, logs: DeviceLogs) -> None:
        self._logs = logs
        self._rows: dict[str, TableResult] = {}

    async def of(
        self, owner: str, *, club: str | None = None, figures: bool = False, most: int = 1000
    ) -> builtins.list[tuple[LogHead, TableResult | None]]:
        """List the tables of an owner, newest first, each with its result."""
        found = []
        for head in await self._logs.list("table", owner, most):
            row = self._rows.get(head.id)
            row = row if row is not None and row.length == head.length else None
            if club is None or row is None or row.club == club:
                found.append((head, row))
        return found

    async def some(self, ids: Sequence[str]) -> builtins.list[TableResult]:
        """Return the known results of these tables."""
        heads = [(await self._logs.read(id), self._rows.get(id)) for id in ids]
        return [row for log, row in heads if log is not None and row is not None and row.length == log[0].length]

    async def put(self, rows: Sequence[TableResult]) -> None:
        """Store results."""
        self._rows |= {row.id: row for row in rows}


class DeviceAnswers:
    """Practice answers, the newest last."""

    def __init__(self) -> None:
        self.answers: list[tuple[str, Answered]] = []
        self.changed = False

    async def add(self, who: str, answered: Answered) -> None:
        """Store one answer, unless it is stored."""
        one = who, answered._replace(at=answered.at or time.time())
        if one not in self.answers:
            self.answers.append(one)
            self.changed = True

    async def history(self, who: str, rules: str) -> list[Answered]:
        """List the latest answers of a person under a rulebook, newest first."""
        found = [answer for owner, answer in reversed(self.answers) if owner == who and answer.rules == rules]
        return found[:REMEMBERED]

    async def list_passed(self, who: str, rules: str) -> set[str]:
        """Return the kinds of question that a person has ever answered correctly under a rulebook."""
        return {one.kind for owner, one in self.answers if owner == who and one.rules == rules and one.right}

    def to_json(self) -> list[Json]:
        """Return all answers."""
        return [{"who": who, **answer._asdict()} for who, answer in self.answers]

    def put_back(self, stored: list[Json]) -> None:
        """Restore answers from `to_json`."""
        self.answers = [(one["who"], Answered(**{k: v for k, v in one.items() if k != "who"})) for one in stored]


class InlineWorker:
    """Runs requests and hints at once, replacing a server's processes: a device has one worker."""

    async def run(self, asker: str, what: Callable[..., T], *given: Any) -> T:
        """Return `what(*given)`."""
        return what(*given)

    def has_begun(self) -> bool:
        """Return True: there is nothing to start."""
        return True

    def begin(self) -> None:
        """Do nothing."""
