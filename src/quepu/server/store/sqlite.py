"""SQLite as this server uses it: a write-ahead log that is synced and checkpointed in the background.

Committed data has been handed to the system, so a killed server loses none of it. The connection chooses when it
reaches the disk: before the commit returns (`open_durable`), or within `_SYNC` seconds (`open_quick`), because a busy
disk may take a second for a few bytes, and no discard should wait for that.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from quepu.server.store.values import Moving

READS = "quepu_reads"
"""Execution option of a read-only connection."""
MOVES = "quepu_moves"
"""Execution option of a connection that may write after the rows have been moved: it moves them."""
LEFT = 1
"""The `user_version` of a database whose rows have been moved to another one."""
_SYNC = 0.25
"""Seconds between syncs: the most that a power cut can lose."""
_TIDY = 20
"""Syncs per checkpoint: a page that changes often is then moved once."""
_INSTANT = 50_000_000
"""Nanoseconds within which two writes may carry the same time."""
_LONG = 1 << 20
"""Size in bytes from which a log is checkpointed."""
_FULL = 512 << 20
"""Size in bytes at which a writer checkpoints itself, so that the log restarts: reached by hundreds of busy tables."""
_log = logging.getLogger("quepu.server")
_to_disk = getattr(os, "fdatasync", os.fsync)  # macOS has only the latter


def open_durable(connection: object, _record: object) -> None:
    """Open a connection whose commits are on disk when they return."""
    cursor = connection.cursor()  # type: ignore[attr-defined]  # a DBAPI connection
    for pragma in (
        "page_size=1024",  # for a new file: moves at many tables change distant rows, and whole pages are written
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "busy_timeout=5000",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.execute("PRAGMA page_size")
    (page,) = cursor.fetchone()
    cursor.execute(f"PRAGMA wal_autocheckpoint={_FULL // page}")
    cursor.close()
    # the driver would begin late and only before writes; transactions are begun below
    connection.isolation_level = None  # type: ignore[attr-defined]


def open_quick(connection: object, record: object) -> None:
    """Open a connection whose commits are on disk a moment later, if `LogKeeper` runs."""
    open_durable(connection, record)
    connection.execute("PRAGMA synchronous=NORMAL")  # type: ignore[attr-defined]  # a DBAPI connection


def begin(connection: Connection) -> None:
    """Begin a transaction: writers lock at once, so that they queue instead of failing half-way; readers never lock.

    Raises:
        Moving: the rows have been moved, and this would write; a server that runs meanwhile learns it here.
    """
    options = connection.get_execution_options()
    if options.get(READS, False):
        connection.exec_driver_sql("BEGIN")
        return
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    driver: Any = connection.connection.dbapi_connection
    (mark,) = _ask(driver, "PRAGMA user_version")
    if mark == LEFT and not options.get(MOVES, False):
        (other,) = _ask(driver, "SELECT other FROM move")
        driver.rollback()
        raise Moving("left", other)


def _ask(driver: Any, query: str) -> tuple[Any, ...]:
    cursor = driver.cursor()  # beneath SQLAlchemy: this precedes every write
    cursor.execute(query)
    found: tuple[Any, ...] = cursor.fetchone()
    cursor.close()
    return found


class LogKeeper:
    """Syncs the write-ahead log of a database, and checkpoints it from time to time.

    A writer that finds it full (see `open_durable`) checkpoints the small rest itself. All writers wait for that, up to
    a second if the disk stalls.
    """

    def __init__(self, writer: Engine, database: Path) -> None:
        self._writer = writer
        self._file = database.with_name(f"{database.name}-wal")
        self._synced = 0  # the write time of the last synced data
        self.failed = False
        """Whether the last sync failed."""
        self._task = asyncio.create_task(self._go())

    def stop(self) -> None:
        """Stop: closing the database syncs the rest."""
        self._task.cancel()

    async def _go(self) -> None:
        looks = 0
        while True:
            await asyncio.sleep(_SYNC)
            looks += 1
            await asyncio.shield(asyncio.to_thread(self._tend, looks % _TIDY == 0))

    def _tend(self, tidy: bool) -> None:
        try:
            with self._file.open("r+b") as file:  # SQLite holds no locks on this file that closing it would drop
                now = os.fstat(file.fileno())
                if now.st_mtime_ns != self._synced:
                    began = time.time_ns()
                    _to_disk(file.fileno())
                    # the clock of files is coarse: another write may have followed in the same instant
                    self._synced = now.st_mtime_ns if began - now.st_mtime_ns > _INSTANT else 0
            self.failed = False
        except FileNotFoundError:
            return  # nothing has been written yet
        except OSError as error:
            if not self.failed:
                _log.error("moves do not reach the disk: %s", error)
            self.failed = True
            return
        if tidy and now.st_size > _LONG:
            with suppress(sqlite3.Error, SQLAlchemyError):  # busy, for instance: try again next time
                self._move()

    def _move(self) -> None:
        connection = self._writer.raw_connection()  # outside a transaction
        try:
            connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)")
        finally:
            connection.close()
