"""Logs that only grow. Whoever appends says how long the log was when they looked: nobody overwrites unseen entries."""

from __future__ import annotations

import secrets
import time
from typing import Any, NamedTuple

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from quepu.server.store.database import Database
from quepu.server.store.models import Log, LogEntry


class LogHead(NamedTuple):
    """What a list of logs shows."""

    id: str
    kind: str
    owner: str
    title: str
    created: float
    updated: float
    length: int


class Entry(NamedTuple):
    """One entry."""

    n: int
    at: float
    body: dict[str, Any]


class Conflict(Exception):
    """Somebody else appended in the meantime."""


class Logs:
    """The logs of one database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def create(self, kind: str, owner: str, title: str, first: dict[str, Any]) -> LogHead:
        """A new log with its first entry. On the disk when this returns."""
        now = time.time()
        log = Log(id=secrets.token_urlsafe(9), kind=kind, owner=owner, title=title, created=now, updated=now, length=1)
        async with self.database.writing() as session:
            session.add(log)
            await session.flush()
            session.add(LogEntry(log=log.id, n=0, at=now, body=first))
        return _head(log)

    async def append(self, id: str, seen: int, bodies: list[dict[str, Any]], title: str | None = None) -> int | None:
        """Add entries to a log that had `seen` of them; its new length, or None for an unknown log.

        Raises:
            Conflict: it has another length.
        """
        now = time.time()
        async with self.database.writing() as session:
            log = await self._log(session, id, lock=True)
            if log is None:
                return None
            if log.length != seen:
                raise Conflict
            session.add_all(LogEntry(log=id, n=seen + i, at=now, body=body) for i, body in enumerate(bodies))
            changes: dict[str, Any] = {"length": seen + len(bodies), "updated": now}
            if title is not None:
                changes["title"] = title
            await session.execute(update(Log).where(Log.id == id).values(**changes))
        return seen + len(bodies)

    async def read(self, id: str, after: int = 0) -> tuple[LogHead, list[Entry]] | None:
        """A log and its entries from number `after` on; None for an unknown log."""
        async with self.database.reading() as session:
            log = await self._log(session, id)
            if log is None:
                return None
            found = await session.execute(
                select(LogEntry).where(LogEntry.log == id, LogEntry.n >= after).order_by(LogEntry.n)
            )
            return _head(log), [Entry(row.n, row.at, row.body) for row in found.scalars()]

    async def list(self, kind: str, owner: str, most: int = 200) -> list[LogHead]:
        """The logs of an owner, newest first."""
        async with self.database.reading() as session:
            found = await session.execute(
                select(Log).where(Log.kind == kind, Log.owner == owner).order_by(Log.updated.desc()).limit(most)
            )
            return [_head(log) for log in found.scalars()]

    async def delete(self, id: str) -> bool:
        """Remove a log for good; whether there was one."""
        async with self.database.writing() as session:
            await session.execute(delete(LogEntry).where(LogEntry.log == id))
            gone = await session.execute(delete(Log).where(Log.id == id).returning(Log.id))
            return gone.first() is not None

    async def _log(self, session: AsyncSession, id: str, *, lock: bool = False) -> Log | None:
        query = select(Log).where(Log.id == id)
        return (await session.execute(query.with_for_update() if lock else query)).scalar_one_or_none()


def _head(log: Log) -> LogHead:
    return LogHead(log.id, log.kind, log.owner, log.title, log.created, log.updated, log.length)
