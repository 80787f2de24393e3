"""Append-only logs. A writer names the length it has seen, so that unseen entries are never overwritten."""

from __future__ import annotations

import builtins
import time
from typing import Any

from sqlalchemy import and_, delete, select
from sqlalchemy.exc import IntegrityError

from quepu.server.store.appending import Appender
from quepu.server.store.database import Database
from quepu.server.store.models import Log, LogEntry
from quepu.server.store.values import Conflict, Entry, LogHead, new_log_id


class Logs:
    """The logs of one database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._appender = Appender(database)

    @property
    def waiting(self) -> int:
        """Appends that wait for the next commit."""
        return self._appender.waiting

    async def create(
        self, kind: str, owner: str, title: str, first: dict[str, Any], process: str | None = None, id: str = ""
    ) -> LogHead:
        """Create a log with its first entry, owned by a process (number 0) or none. On disk when this returns.

        Raises:
            Conflict: there is one with the requested `id`.
        """
        now = time.time()
        log = Log(
            id=id or new_log_id(),
            kind=kind,
            owner=owner,
            title=title,
            created=now,
            updated=now,
            length=1,
            process=process,
            fence=0,
        )
        try:
            async with self.database.writing() as session:
                session.add(log)
                await session.flush()
                session.add(LogEntry(log=log.id, n=0, at=now, body=first))
        except IntegrityError:
            raise Conflict from None
        return _head(log)

    async def append(
        self, id: str, seen: int, bodies: list[dict[str, Any]], title: str | None = None, fence: int | None = None
    ) -> int | None:
        """Add entries to a log with `seen` of them; return its new length, or None for an unknown log.

        On disk when this returns. `fence` is the number under which a process owns the log.

        Raises:
            Conflict: it has another length, or another owner.
        """
        return await self._appender.append(id, seen, bodies, title, fence)

    async def close(self) -> None:
        """Wait for writes in progress."""
        await self._appender.close()

    async def read(
        self, id: str, after: int = 0, most: int | None = None
    ) -> tuple[LogHead, builtins.list[Entry]] | None:
        """Return a log and at most `most` of its entries from number `after` on; None for an unknown log."""
        async with self.database.reading() as session:
            log = (await session.execute(select(Log).where(Log.id == id))).scalar_one_or_none()
            if log is None:
                return None
            found = await session.execute(
                select(LogEntry).where(LogEntry.log == id, LogEntry.n >= after).order_by(LogEntry.n).limit(most)
            )
            return _head(log), [Entry(row.n, row.at, row.body) for row in found.scalars()]

    async def list(self, kind: str, owner: str, most: int = 200) -> list[LogHead]:
        """List the logs of an owner, newest first."""
        async with self.database.reading() as session:
            found = await session.execute(
                select(Log).where(Log.kind == kind, Log.owner == owner).order_by(Log.updated.desc()).limit(most)
            )
            return [_head(log) for log in found.scalars()]

    async def list_with_first(self, kind: str, owner: str, most: int) -> builtins.list[tuple[LogHead, dict[str, Any]]]:
        """List the logs of an owner, newest first, each with its first entry."""
        async with self.database.reading() as session:
            found = await session.execute(
                select(Log, LogEntry.body)
                .join(LogEntry, and_(LogEntry.log == Log.id, LogEntry.n == 0))
                .where(Log.kind == kind, Log.owner == owner)
                .order_by(Log.updated.desc())
                .limit(most)
            )
            return [(_head(log), body) for log, body in found]

    async def delete(self, id: str) -> bool:
        """Delete a log for good; return whether it existed."""
        async with self.database.writing() as session:
            await session.execute(delete(LogEntry).where(LogEntry.log == id))
            gone = await session.execute(delete(Log).where(Log.id == id).returning(Log.id))
            return gone.first() is not None


def _head(log: Log) -> LogHead:
    return LogHead(log.id, log.kind, log.owner, log.title, log.created, log.updated, log.length)
