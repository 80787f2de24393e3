"""Group commit: appends that wait for the store are written in one commit.

Each succeeds or fails by itself: it names the length it has seen and, for an owned log, its fence.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from sqlalchemy import Connection, Table, bindparam, insert, select, update

from quepu.server.operations.metrics import APPENDED_TOGETHER, APPENDS
from quepu.server.store.database import Database
from quepu.server.store.models import Log, LogEntry
from quepu.server.store.values import Conflict, StoreError

_LOG, _ENTRY = cast("Table", Log.__table__), cast("Table", LogEntry.__table__)
_GROW = (
    update(_LOG)
    .where(_LOG.c.id == bindparam("of"))
    .values(length=bindparam("new_length"), title=bindparam("new_title"))
)
_GROW_AND_DATE = _GROW.values(updated=bindparam("now"))
_DATED = 10.0
"""Seconds within which an owned log is not dated again: its place by date would be written each time."""
_ENTRIES = insert(_ENTRY)
_MOST = 500
"""The most appends in one commit."""
_PACE = 0.01
"""Least seconds between commits: a single append is written at once, many share a commit."""


class _Wanted(NamedTuple):
    log: str
    seen: int
    bodies: list[dict[str, Any]]
    title: str | None
    fence: int | None
    done: asyncio.Future[int | None]


class Appender:
    """The pending appends of one database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._waiting: list[_Wanted] = []
        self._task: asyncio.Task[None] | None = None
        self._last = 0.0  # when the last commit began

    @property
    def waiting(self) -> int:
        """Appends that wait for the next commit."""
        return len(self._waiting)

    async def append(
        self, log: str, seen: int, bodies: list[dict[str, Any]], title: str | None, fence: int | None
    ) -> int | None:
        """See `Logs.append`. Cancelling the wait does not cancel the write."""
        done: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Wanted(log, seen, bodies, title, fence, done))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_all())
        return await done

    async def close(self) -> None:
        """Wait for writes in progress."""
        if self._task is not None:
            await self._task

    async def _write_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            if (early := self._last + _PACE - loop.time()) > 0:
                await asyncio.sleep(early)
            self._last = loop.time()
            some, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
            await self._write(some)

    async def _write(self, wanted: list[_Wanted]) -> None:
        try:
            # user data is on disk before it is acknowledged; running tables continue meanwhile
            entered = any(one.fence is None for one in wanted)
            answers = await self.database.write(lambda connection: _commit(connection, wanted), sync=entered)
        except Exception as error:  # noqa: BLE001  # whatever it was, those who wait hear of it
            if len(wanted) > 1 and not isinstance(error, StoreError):
                for one in wanted:  # one of them fails: retry them one by one
                    await self._write([one])
                return
            for one in wanted:
                if not one.done.done():
                    one.done.set_exception(error)
            return
        APPENDS.inc(len(wanted))
        APPENDED_TOGETHER.observe(len(wanted))
        for one, answer in zip(wanted, answers, strict=True):
            if one.done.done():
                continue
            if isinstance(answer, Conflict):
                one.done.set_exception(answer)
            else:
                one.done.set_result(answer)


def _commit(connection: Connection, wanted: Sequence[_Wanted]) -> list[int | Conflict | None]:
    """Write the valid appends; return for each the new length, a conflict, or None for an unknown log."""
    now = time.time()
    answers: list[int | Conflict | None] = []
    entries: list[dict[str, Any]] = []
    changes: dict[str, dict[str, Any]] = {}
    dated: set[str] = set()
    query = select(_LOG.c.id, _LOG.c.length, _LOG.c.fence, _LOG.c.title, _LOG.c.updated)
    found = connection.execute(
        query.where(_LOG.c.id.in_({one.log for one in wanted})).order_by(_LOG.c.id).with_for_update()
    )
    rows = {row.id: row for row in found}
    length = {id: row.length for id, row in rows.items()}
    for log, seen, bodies, title, fence, _ in wanted:
        if log not in rows:
            answers.append(None)
        elif length[log] != seen or (fence is not None and rows[log].fence != fence):
            answers.append(Conflict())
        else:
            entries += ({"log": log, "n": seen + i, "at": now, "body": body} for i, body in enumerate(bodies))
            length[log] = seen + len(bodies)
            old = changes.get(log, {"new_title": rows[log].title})
            new_title = old["new_title"] if title is None else title
            changes[log] = {"of": log, "new_length": length[log], "new_title": new_title, "now": now}
            if fence is None or now - rows[log].updated > _DATED:
                dated.add(log)
            answers.append(length[log])
    for statement, some in ((_GROW_AND_DATE, dated), (_GROW, changes.keys() - dated)):
        if some:
            connection.execute(statement, [changes[log] for log in some])
    if entries:
        connection.execute(_ENTRIES, entries)
    return answers
