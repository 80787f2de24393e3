"""SQLite as this server uses it: a write-ahead log that is brought to the disk, and to its place, behind the writers.

What is committed has been given to the system: a server that is killed loses nothing of it. When it reaches the disk is
chosen by the connection: before the commit returns (`careful`), or within `_SYNC` seconds (`quick`), because a disk may
take a second for a few bytes while others use it, and nobody's discard should wait for that.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import time
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

READS = "quepu_reads"
"""The execution option of a connection that only looks."""
_SYNC = 0.25
"""Seconds between two looks at whether there is something to bring to the disk: what a power cut may cost."""
_TIDY = 20
"""Every how many of these looks the log is moved to its place: a page that changed often is then moved once."""
_INSTANT = 50_000_000
"""Nanoseconds within which two writes may carry the same time."""
_LONG = 1 << 20
"""Bytes of a log that is worth moving."""
_FULL = 512 << 20
"""Bytes of a log that a writer moves itself, so that it begins anew: reached by hundreds of tables that never pause."""
_log = logging.getLogger("quepu.server")
_to_disk = getattr(os, "fdatasync", os.fsync)  # macOS has only the latter


def careful(connection: object, _record: object) -> None:
    """A connection whose commits are on the disk when they return."""
    cursor = connection.cursor()  # type: ignore[attr-defined]  # a DBAPI connection
    for pragma in (
        "page_size=1024",  # of a new file: moves at many tables change rows far apart, and whole pages are written
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


def quick(connection: object, record: object) -> None:
    """A connection whose commits are on the disk a moment later, if `Tending` goes on."""
    careful(connection, record)
    connection.execute("PRAGMA synchronous=NORMAL")  # type: ignore[attr-defined]  # a DBAPI connection


def begin(connection: Connection) -> None:
    """Writers take the lock at once, so that two of them queue instead of failing half-way; readers take none."""
    reads = connection.get_execution_options().get(READS, False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


class Tending:
    """Brings the write-ahead log of a database to the disk, and from time to time to its place.

    A writer that finds it full (see `careful`) moves the rest itself, which then is little. Everybody waits for that:
    where a disk halts, a second.
    """

    def __init__(self, writer: Engine, database: Path) -> None:
        self._writer = writer
        self._file = database.with_name(f"{database.name}-wal")
        self._synced = 0  # when what has reached the disk was written
        self.failed = False
        """Whether the log could not be brought to the disk the last time."""
        self._task = asyncio.create_task(self._go())

    def stop(self) -> None:
        """Leave the rest to whoever closes the database, which brings everything to the disk."""
        self._task.cancel()

    async def _go(self) -> None:
        looks = 0
        while True:
            await asyncio.sleep(_SYNC)
            looks += 1
            await asyncio.shield(asyncio.to_thread(self._tend, looks % _TIDY == 0))

    def _tend(self, tidy: bool) -> None:
        try:
            with self._file.open("r+b") as file:  # SQLite keeps no locks on this file that closing it would drop
                now = os.fstat(file.fileno())
                if now.st_mtime_ns != self._synced:
                    began = time.time_ns()
                    _to_disk(file.fileno())
                    # the clock of files is coarse: what was written just now may have been followed in the same instant
                    self._synced = now.st_mtime_ns if began - now.st_mtime_ns > _INSTANT else 0
            self.failed = False
        except FileNotFoundError:
            return  # nobody has written yet
        except OSError as error:
            if not self.failed:
                _log.error("what was played does not reach the disk: %s", error)
            self.failed = True
            return
        if tidy and now.st_size > _LONG:
            with suppress(sqlite3.Error, SQLAlchemyError):  # busy, for instance: the next time, then
                self._move()

    def _move(self) -> None:
        connection = self._writer.raw_connection()  # in no transaction
        try:
            connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)")
        finally:
            connection.close()
