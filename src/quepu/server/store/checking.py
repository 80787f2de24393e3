"""Check every page and row of an SQLite database, and rescue data from a damaged one."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from quepu.errors import Text, many
from quepu.server.store.backup import BackupError, contents, count_logs, refuse_broken_file, set_aside, without_servers
from quepu.server.store.database import FILE, newest_revisions, no_database, own_revisions

_MOST = 20
"""The most findings of one kind that are listed."""
_ORPHANS = (
    ("log_entry", "log", "log", "id"),
    ("replay", "log", "log", "id"),
    ("review", "log", "log", "id"),
    ("account_seat", "log", "log", "id"),
    ("account_seat", "account", "account", "id"),
    ("account_session", "account", "account", "id"),
    ("account_code", "account", "account", "id"),
    ("account_things", "account", "account", "id"),
)
"""Columns that refer to a row of another table."""
_GAPS = """
    SELECT id, length, (SELECT count(*) FROM log_entry WHERE log = id), (SELECT max(n) FROM log_entry WHERE log = id)
    FROM log
"""


class LogLoss(NamedTuple):
    """A log that lost entries: counts `before` and `after`. `kind` and `title` are "" if its head was lost."""

    id: str
    kind: str
    title: str
    before: int
    after: int


class Saved(NamedTuple):
    """The result of a repair: contents before and after, the logs that lost entries, and the old database."""

    before: dict[str, int]
    """The logs before, as far as known (see `backup.contents`)."""
    after: dict[str, int]
    losses: tuple[LogLoss, ...]
    unreadable: dict[str, int]
    """Rows of other tables that could not be read."""
    aside: Path


def check(folder: Path) -> list[Text]:
    """Return the problems of the database in `folder`; empty if it is intact. Servers may use it meanwhile.

    Raises:
        BackupError: the database does not exist.
    """
    path = folder / FILE
    if not path.exists():
        raise BackupError(*no_database(folder))
    try:
        with closing(sqlite3.connect(path, timeout=30)) as connection:
            connection.execute("BEGIN")
            report = [str(row[0]) for row in connection.execute(f"PRAGMA integrity_check({_MOST})")]
            if report != ["ok"]:
                return [Text(f"文件损坏：{line}", f"the file is damaged: {line}") for line in report]
            return [*_schema(connection), *_rows(connection)]
    except sqlite3.Error as error:
        return [Text(f"文件损坏：{error}", f"the file is damaged: {error}")]


def _schema(connection: sqlite3.Connection) -> Iterator[Text]:
    found = {row[0] for row in connection.execute("SELECT version_num FROM alembic_version")}
    if found - own_revisions():
        yield Text("更新版本的 quepu 写的。", "a newer quepu wrote it.")
    elif found != newest_revisions():
        yield Text("旧版本的结构；下次启动服务器时升级。", "an older schema; the next start of a server upgrades it.")


def _rows(connection: sqlite3.Connection) -> Iterator[Text]:
    for id, length, count, last in connection.execute(_GAPS):
        if not (length == count and last == length - 1):
            yield Text(
                f"记录 {id} 应有 {length} 条，实有 {count} 条。",
                f"log {id} should have {many(length, 'entry', 'entries')} and has {count}.",
            )
    for table, column, other, key in _ORPHANS:
        if not _has(connection, table):
            continue
        (count,) = connection.execute(
            f"SELECT count(*) FROM {table} WHERE {column} NOT IN (SELECT {key} FROM {other})"  # noqa: S608  # ours
        ).fetchone()
        if count:
            yield Text(f"{table} 有 {count} 行无主。", f"{table} has {many(count, 'row')} without an owner.")


def _has(connection: sqlite3.Connection, table: str) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    return connection.execute(query, (table,)).fetchone() is not None


def repair(folder: Path) -> Saved:
    """Copy every readable row into a new database, which replaces the old one; that is renamed.

    A log that has lost an entry ends before it: later ones cannot be replayed without it.

    Raises:
        BackupError: a server uses the folder, or the database does not exist, or its schema cannot be read.
    """
    path, half = folder / FILE, folder / f".{FILE}.half"
    if not path.exists():
        raise BackupError(*no_database(folder))
    with without_servers(folder):
        half.unlink(missing_ok=True)
        half.touch(mode=0o600)
        try:
            with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(half)) as new:
                old.text_factory = lambda raw: raw.decode("utf-8", "replace")
                new.executescript("PRAGMA page_size=1024; PRAGMA foreign_keys=OFF;")
                unreadable = _copy_rows(old, new)
                expected = _expect_logs(old, new)
                _end_before_gaps(new)
                new.commit()
                losses = tuple(_losses(expected, new))
                after = contents(new)
            refuse_broken_file(half)
            aside = set_aside(path, "damaged")
            half.replace(path)
        except sqlite3.Error as error:
            raise BackupError(f"无法修复：{error}", f"it cannot be repaired: {error}") from error
        finally:
            half.unlink(missing_ok=True)
    before = count_logs((one.kind, one.before) for one in expected.values())
    return Saved(before, after, losses, unreadable, aside)


def _copy_rows(old: sqlite3.Connection, new: sqlite3.Connection) -> dict[str, int]:
    """Copy readable rows; count unreadable ones by table, except those of logs, which are identified later."""
    made = old.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    schema = made.fetchall()
    lost: Counter[str] = Counter()
    for kind, name, sql in schema:
        if kind != "table":
            continue
        new.execute(sql)
        for row in _readable(old, name):
            if row is None:
                lost[name] += 1
                continue
            blanks = ", ".join("?" * len(row))
            new.execute(f"INSERT OR IGNORE INTO {name} VALUES ({blanks})", row)  # noqa: S608  # from the schema
    for kind, _, sql in schema:
        if kind != "table":
            new.execute(sql)
    return {name: count for name, count in lost.items() if name not in ("log", "log_entry")}


def _expect_logs(old: sqlite3.Connection, new: sqlite3.Connection) -> dict[str, LogLoss]:
    """Return every log that existed, as if all of it was lost: from heads, entries, and old indexes."""
    heads: dict[str, tuple[str, str]] = {}
    lengths: Counter[str] = Counter()
    for id, kind, title, length in new.execute("SELECT id, kind, title, length FROM log"):
        heads[id], lengths[id] = (kind, title), length
    for base, query in (
        (new, "SELECT log, max(n) + 1 FROM log_entry GROUP BY log"),
        (old, "SELECT id, 0 FROM log ORDER BY id"),  # both queries are answered from an index
        (old, "SELECT log, n + 1 FROM log_entry ORDER BY log, n"),
    ):
        with suppress(sqlite3.Error, UnicodeError):  # as far as the damage
            for id, length in base.execute(query):
                lengths[id] = max(lengths[id], length)
    return {id: LogLoss(id, *heads.get(id, ("", "")), length, 0) for id, length in lengths.items()}


def _losses(expected: Mapping[str, LogLoss], new: sqlite3.Connection) -> Iterator[LogLoss]:
    left = dict(new.execute("SELECT id, length FROM log"))
    for id, one in sorted(expected.items()):
        if id not in left or left[id] < one.before:
            yield one._replace(after=left.get(id, 0))


def _readable(old: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...] | None]:
    """Yield the rows of a table by number; None for each number on a damaged page."""
    spans = [(1, _last(old, table))]
    while spans:
        low, high = spans.pop()
        if low > high:
            continue
        try:
            found = old.execute(
                f"SELECT * FROM {table} WHERE rowid BETWEEN ? AND ? ORDER BY rowid",  # noqa: S608  # from the schema
                (low, high),
            ).fetchall()
        except (sqlite3.DatabaseError, UnicodeError):
            if low == high:
                yield None
            else:
                middle = (low + high) // 2
                spans += [(middle + 1, high), (low, middle)]
            continue
        yield from found


def _last(old: sqlite3.Connection, table: str) -> int:
    """Return the greatest row number, or (if its page is damaged) a number beyond it."""
    try:
        return old.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0] or 0  # noqa: S608  # from the schema
    except sqlite3.DatabaseError:
        pass
    beyond = 1
    while beyond < 1 << 24:
        try:
            old.execute(f"SELECT 1 FROM {table} WHERE rowid = ?", (beyond,)).fetchone()  # noqa: S608
        except sqlite3.DatabaseError:
            return beyond * 2
        beyond *= 2
    return beyond


def _end_before_gaps(new: sqlite3.Connection) -> None:
    """End every log before its first gap, and remove orphaned rows."""
    for id, length, count, last in new.execute(_GAPS).fetchall():
        if length == count and last == length - 1:
            continue
        intact = 0
        for (n,) in new.execute("SELECT n FROM log_entry WHERE log = ? ORDER BY n", (id,)).fetchall():
            if n != intact:
                break
            intact += 1
        new.execute("DELETE FROM log_entry WHERE log = ? AND n >= ?", (id, intact))
        if intact:
            new.execute("UPDATE log SET length = ? WHERE id = ?", (intact, id))
        else:
            new.execute("DELETE FROM log WHERE id = ?", (id,))
        for table in ("replay", "review"):  # recomputed from the log
            new.execute(f"DELETE FROM {table} WHERE log = ?", (id,))  # noqa: S608  # named above
    for table, column, other, key in _ORPHANS:
        if _has(new, table):
            new.execute(f"DELETE FROM {table} WHERE {column} NOT IN (SELECT {key} FROM {other})")  # noqa: S608  # ours
