"""The owner of a room, a server process. One that stops signalling loses its rooms to others.

Each change of owner increases a number (`log.fence`): appends of an owner presumed dead are refused. On SQLite, one
process owns everything: the one started last.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from sqlalchemy import ColumnElement, Float, cast, delete, exists, func, or_, select, update

from quepu.server.store.database import Database
from quepu.server.store.models import Log, ServerProcess

LEASE = 4.0
"""Seconds without a heartbeat after which a process counts as dead."""


class Owned(NamedTuple):
    """The current owner of a log: a process, and the number under which it may append."""

    process: str
    fence: int
    free: bool = False
    """Whether it can be taken."""


class Owners:
    """The owners of one database, seen from one process (`me`)."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.me = secrets.token_hex(8)

    async def beat(self) -> None:
        """Signal that this process is alive."""
        until = _now() + LEASE
        async with self.database.writing() as session:
            updated = await session.execute(
                update(ServerProcess).where(ServerProcess.id == self.me).values(alive_until=until)
            )
            if not updated.rowcount:  # type: ignore[attr-defined]  # what an update gives has one
                session.add(ServerProcess(id=self.me, alive_until=until))
            await session.execute(delete(ServerProcess).where(ServerProcess.alive_until < _now() - 3600))

    async def alive(self) -> set[str]:
        """Return the live processes."""
        async with self.database.reading() as session:
            found = await session.execute(select(ServerProcess.id).where(ServerProcess.alive_until > _now()))
            return set(found.scalars())

    async def owner(self, log: str) -> Owned | None:
        """Return the owner of a room's log, and whether it can be taken; None for other logs. Writes nothing."""
        async with self.database.reading() as session:
            query = select(Log.process, Log.fence, self._free()).where(Log.id == log, Log.kind == "room")
            found = (await session.execute(query)).one_or_none()
            return None if found is None else Owned(found[0] or "", found[1], bool(found[2]))

    async def take(self, log: str) -> Owned | None:
        """Take a log unless another live process owns it; return its owner. None for an unknown log."""
        async with self.database.writing() as session:
            taken = await session.execute(
                update(Log)
                .where(Log.id == log, self._free())
                .values(process=self.me, fence=Log.fence + 1)
                .returning(Log.fence)
            )
            fence = taken.scalar_one_or_none()
            if fence is not None:
                return Owned(self.me, fence)
            found = (await session.execute(select(Log.process, Log.fence).where(Log.id == log))).one_or_none()
            return None if found is None else Owned(found.process, found.fence)

    async def let_go(self, log: str, fence: int) -> None:
        """Release a log for good."""
        async with self.database.writing() as session:
            await session.execute(update(Log).where(Log.id == log, Log.fence == fence).values(process=None))

    async def orphans(self, most: int) -> list[str]:
        """List logs whose owner is dead, most recently used first."""
        async with self.database.reading() as session:
            found = await session.execute(
                select(Log.id)
                .where(Log.process.is_not(None), Log.process != self.me, self._free())
                .order_by(Log.updated.desc())
                .limit(most)
            )
            return list(found.scalars())

    async def leave(self) -> None:
        """Release everything this process owns, at its end."""
        async with self.database.writing() as session:
            await session.execute(delete(ServerProcess).where(ServerProcess.id == self.me))

    def _free(self) -> ColumnElement[bool]:
        if not self.database.shared:
            return Log.id.is_not(None)
        lives = exists().where(ServerProcess.id == Log.process, ServerProcess.alive_until > _now())
        return or_(Log.process.is_(None), Log.process == self.me, ~lives)


def _now() -> ColumnElement[float]:
    """Return the database's clock: those of two machines may differ."""
    return cast(func.extract("epoch", func.clock_timestamp()), Float)
