"""Make one store equal to another: only differing rows are copied, so that an interrupted copy continues.

Logs only grow under one `fence`: of such a log only the new entries are copied, of any other one all of them.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Table, and_, delete, func, or_, select, tuple_
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from quepu.errors import Error
from quepu.server.store.database import Database
from quepu.server.store.failures import first_line
from quepu.server.store.models import Base, Log, LogEntry, Move

Row = dict[str, Any]
Reading = Callable[[], AbstractAsyncContextManager[AsyncSession]]
TABLES = [table for table in Base.metadata.sorted_tables if table.name != Move.__tablename__]
"""The tables that are copied."""
_LOGS: Table = Base.metadata.tables[Log.__tablename__]
_ENTRIES: Table = Base.metadata.tables[LogEntry.__tablename__]
_CHUNK = 500
"""Rows per statement and transaction."""


class RowRefused(Error):
    """The target cannot hold a row of the source."""


class Pass(NamedTuple):
    """The changes of one pass in the target. `last`: the source took no writes meanwhile."""

    copied: int
    deleted: int
    seconds: float
    last: bool


async def count_rows(session: AsyncSession) -> dict[str, int]:
    """Count the rows of each table."""
    return {
        table.name: (await session.execute(select(func.count()).select_from(table))).scalar_one() for table in TABLES
    }


@asynccontextmanager
async def keep(session: AsyncSession) -> AsyncIterator[AsyncSession]:
    """Read from a session that stays open: one transaction for a whole pass."""
    yield session


class Copier:
    """One pass: make the target equal to what `reading` shows."""

    def __init__(self, reading: Reading, target: Database) -> None:
        self._reading = reading
        self._target = target
        self.copied = 0
        self.deleted = 0

    async def run(self) -> Pass:
        """Copy what differs."""
        began = time.perf_counter()
        there = {table.name: await self._digests(table) for table in TABLES if table is not _ENTRIES}
        for table in reversed(TABLES):
            if table is not _ENTRIES:
                await self._delete_missing(table, there[table.name])
        for table in TABLES:
            if table is _LOGS:
                await self._copy_logs(there[table.name])
            elif table is not _ENTRIES:
                await self._copy_table(table, await self._digests(table))
        return Pass(self.copied, self.deleted, time.perf_counter() - began, last=False)

    async def _digests(self, table: Table) -> dict[tuple[Any, ...], int]:
        """Return a digest of every row of the target, by key."""
        return {_key(table, row): _digest(row) async for rows in _chunks(self._target.reading, table) for row in rows}

    async def _delete_missing(self, table: Table, there: Iterable[tuple[Any, ...]]) -> None:
        here = set()
        keys = list(table.primary_key)
        async with self._reading() as session:
            async for row in await session.stream(select(*keys)):
                here.add(tuple(row))
        await self._delete(table, [key for key in there if key not in here])

    async def _delete(self, table: Table, keys: list[tuple[Any, ...]]) -> None:
        for at in range(0, len(keys), _CHUNK):
            async with self._target.writing() as session:
                await session.execute(delete(table).where(tuple_(*table.primary_key).in_(keys[at : at + _CHUNK])))
        self.deleted += len(keys)

    async def _copy_table(self, table: Table, there: dict[tuple[Any, ...], int]) -> None:
        unique = any(index.unique for index in table.indexes) or any(
            column.unique for column in table.columns if not column.primary_key
        )
        changed = [
            row
            async for rows in _chunks(self._reading, table)
            for row in rows
            if there.get(_key(table, row)) != _digest(row)
        ]
        if unique:  # two rows may have exchanged a value that only one may have
            await self._delete(table, [key for row in changed if (key := _key(table, row)) in there])
        for at in range(0, len(changed), _CHUNK):
            async with self._target.writing() as session:
                await self._put(session, table, changed[at : at + _CHUNK])

    async def _put(self, session: AsyncSession, table: Table, rows: list[Row]) -> None:
        """Insert rows, or replace those of the same keys.

        Raises:
            RowRefused: the target cannot hold a row.
        """
        make: Any = postgresql.insert if self._target.shared else sqlite.insert
        statement = make(table)
        rest = {column.name: statement.excluded[column.name] for column in table.columns if not column.primary_key}
        try:
            await session.execute(
                statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=rest), rows
            )
        except DBAPIError as error:
            if not _about_rows(error):
                raise
            keys = f"{_key(table, rows[0])} … {_key(table, rows[-1])}"
            why = first_line(error.orig or error)
            raise RowRefused(
                f"目标数据库装不下 {table.name} 的一行（{keys} 之间）：{why}",
                f"the target cannot hold a row of {table.name} (within {keys}): {why}",
            ) from error
        self.copied += len(rows)

    async def _copy_logs(self, there: dict[tuple[Any, ...], int]) -> None:
        counts = {id: count async for id, count in _count_entries(self._target.reading)}
        wanted = {id: count async for id, count in _count_entries(self._reading)}
        heads = {}
        async for rows in _chunks(self._target.reading, _LOGS):
            heads.update({row["id"]: (row["created"], row["fence"]) for row in rows})
        async for rows in _chunks(self._reading, _LOGS):
            for row in rows:
                id = row["id"]
                if there.get((id,)) == _digest(row) and counts.get(id, 0) == wanted.get(id, 0):
                    continue
                grown = heads.get(id) == (row["created"], row["fence"]) and counts.get(id, 0) <= wanted.get(id, 0)
                await self._copy_log(row, keep=grown, known=id in heads)

    async def _copy_log(self, row: Row, *, keep: bool, known: bool) -> None:
        """Copy a log: the rest of its entries if `keep`, else all. The head of a known one follows its entries."""
        id = row["id"]
        async with self._target.writing() as session:
            if not known:
                await self._put(session, _LOGS, [row])
            if not keep:
                await session.execute(delete(_ENTRIES).where(_ENTRIES.c.log == id))
            last = (
                await session.execute(select(func.max(_ENTRIES.c.n)).where(_ENTRIES.c.log == id))
            ).scalar_one_or_none()
        after = -1 if last is None else last
        while True:
            query = select(_ENTRIES).where(_ENTRIES.c.log == id, _ENTRIES.c.n > after).order_by(_ENTRIES.c.n)
            async with self._reading() as session:
                rows = [dict(entry) for entry in (await session.execute(query.limit(_CHUNK))).mappings()]
            async with self._target.writing() as session:
                if rows:
                    await self._put(session, _ENTRIES, rows)
                if known and len(rows) < _CHUNK:
                    await self._put(session, _LOGS, [row])
            if len(rows) < _CHUNK:
                return
            after = rows[-1]["n"]


async def _count_entries(reading: Reading) -> AsyncIterator[tuple[str, int]]:
    query = select(_ENTRIES.c.log, func.count()).group_by(_ENTRIES.c.log)
    async with reading() as session:
        async for id, count in await session.stream(query):
            yield id, count


async def _chunks(reading: Reading, table: Table) -> AsyncIterator[list[Row]]:
    """Yield all rows of a table in the order of their keys, each chunk of them in a short transaction."""
    keys = list(table.primary_key)
    after: tuple[Any, ...] | None = None
    while True:
        query = select(table).order_by(*keys).limit(_CHUNK)
        if after is not None:
            query = query.where(_beyond(keys, after))
        async with reading() as session:
            rows = [dict(row) for row in (await session.execute(query)).mappings()]
        if rows:
            yield rows
        if len(rows) < _CHUNK:
            return
        after = _key(table, rows[-1])


def _beyond(keys: list[Any], after: tuple[Any, ...]) -> ColumnElement[bool]:
    """Return the condition of keys greater than `after`, compared column by column."""
    return or_(
        *(
            and_(*(key == value for key, value in zip(keys[:at], after[:at], strict=True)), keys[at] > after[at])
            for at in range(len(keys))
        )
    )


def _key(table: Table, row: Row) -> tuple[Any, ...]:
    return tuple(row[column.name] for column in table.primary_key)


def _digest(row: Row) -> int:
    return hash(repr(list(row.values())))


def _about_rows(error: DBAPIError) -> bool:
    """Return whether a row is at fault (its text, its length, a broken reference) and not the store."""
    return isinstance(error, DataError | IntegrityError) or str(getattr(error.orig, "sqlstate", "")).startswith("22")
