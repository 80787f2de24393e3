"""Back up an SQLite database in use; verify and restore backups."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from quepu.errors import Error, describe_system_refusal
from quepu.server.store.database import FILE, NewerSchema, no_database, own_revisions

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_LOCK = "serving.lock"
_PARTS = ("", "-wal", "-shm")
_GROUPS = {"room": "matches", "closed": "matches", "table": "tables", "desk": "tournaments", "replay": "imports"}
"""Kinds of logs as users know them; any other is among "others"."""


class BackupError(Error):
    """A backup cannot be made or restored."""


class Backup(NamedTuple):
    """A backup that can be restored: its file, when it was made, and its contents (see `contents`)."""

    file: Path
    made: float
    contents: dict[str, int]


class FolderInUse(BackupError):
    """A data folder is in use by a server, or by a restore or repair."""


@contextmanager
def in_use(folder: Path, *, alone: bool = False) -> Iterator[None]:
    """Lock a data folder while a server uses it, `alone` if its database is in that folder. Killed servers unlock.

    Raises:
        FolderInUse: another server uses it alone, or it is being restored or repaired.
        Error: the system refuses the folder.
    """
    with _hold(folder, f"server {os.getpid()}", alone=alone):
        yield


def check_folder(folder: Path, *, alone: bool) -> None:
    """Raise the errors of `in_use` without locking.

    Raises:
        FolderInUse: as for `in_use`.
    """
    if (folder / _LOCK).exists():
        with in_use(folder, alone=alone):
            pass


@contextmanager
def without_servers(folder: Path) -> Iterator[None]:
    """Lock a data folder that no server uses while its database is replaced."""
    with _hold(folder, f"repair {os.getpid()}", alone=True):
        yield


@contextmanager
def _hold(folder: Path, holder: str, *, alone: bool) -> Iterator[None]:
    if fcntl is None:
        yield
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = (folder / _LOCK).open("a+")
    except OSError as error:
        raise describe_system_refusal(error) from error
    with held:
        try:
            fcntl.flock(held, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except OSError:
            held.seek(0)
            raise _refuse(folder, holder, held.read()) from None
        held.truncate(0)
        held.write(holder)
        held.flush()
        yield


def _refuse(folder: Path, asker: str, holder: str) -> FolderInUse:
    """Say what uses a folder that `asker` wants."""
    what, _, process = holder.partition(" ")
    if what == "repair":
        return FolderInUse(f"{folder} 正在恢复或修复。", f"{folder} is being restored or repaired.")
    number = (f"（进程 {process}）", f" (process {process})") if process else ("", "")
    if asker.startswith("server"):
        return FolderInUse(
            f"已有服务器{number[0]}在用 {folder}：先停下它，或用 --data 给这一台另一个文件夹。",
            f"another server{number[1]} uses {folder}: stop it first, or give this one its own folder with --data.",
        )
    return FolderInUse(
        f"有服务器{number[0]}正在使用 {folder}：请先停下它。", f"a server{number[1]} is using {folder}: stop it first."
    )


def backup(folder: Path, target: Path) -> int:
    """Copy the database in `folder`, with all commits so far; return its size in bytes. Servers continue.

    Raises:
        BackupError: the database does not exist or is damaged, or the copy exists already.
        OSError: the copy cannot be written.
    """
    source = folder / FILE
    if not source.exists():
        raise BackupError(*no_database(folder))
    if target.exists():
        raise BackupError(f"{target} 已经存在。", f"{target} already exists.")
    if not target.parent.is_dir():
        raise BackupError(
            f"没有文件夹 {target.parent}，请先建好。", f"there is no folder {target.parent}; make it first."
        )
    half = target.with_name(f".{target.name}.{os.getpid()}.half")
    try:
        half.touch(mode=0o600)
        with closing(sqlite3.connect(source, timeout=30)) as one, closing(sqlite3.connect(half)) as other:
            one.backup(other)  # in one step: a consistent snapshot, whatever is written meanwhile
            other.execute("PRAGMA journal_mode=DELETE")  # the copy is a single file
        refuse_broken_file(half)
        with half.open("rb") as file:
            os.fsync(file.fileno())
        half.replace(target)
    except sqlite3.Error as error:
        raise BackupError(f"备份失败：{error}", f"the backup failed: {error}") from error
    finally:
        with suppress(OSError):
            half.unlink(missing_ok=True)
    return target.stat().st_size


def newest_backup(folder: Path) -> Backup | None:
    """Return the newest intact backup among those recorded, those beside them and in `folder`."""
    noted = []
    with suppress(sqlite3.Error, OSError), closing(_only_read(folder / FILE)) as connection:
        for (about,) in connection.execute("SELECT about FROM audit WHERE act = 'backup'"):
            noted.append(Path(about))
    beside = [found for place in {folder, *(file.parent for file in noted)} for found in place.glob("*.sqlite3")]
    files = {file.absolute() for file in (*noted, *beside) if file.is_file() and file.name != FILE}
    for file in sorted(files, key=lambda file: file.stat().st_mtime, reverse=True):
        with suppress(BackupError, NewerSchema, sqlite3.Error):
            refuse_broken_file(file)
            with closing(_only_read(file)) as connection:
                return Backup(file, file.stat().st_mtime, contents(connection))
    return None


def contents(connection: sqlite3.Connection) -> dict[str, int]:
    """Count the matches, score tables, tournaments, imports and other logs of a database, and all entries."""
    return count_logs(connection.execute("SELECT kind, length FROM log"))


def count_logs(logs: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Count logs, given as kind and length, by category, and their entries."""
    found = dict.fromkeys((*dict.fromkeys(_GROUPS.values()), "others", "entries"), 0)
    for kind, length in logs:
        found[_GROUPS.get(kind, "others")] += 1
        found["entries"] += length
    return found


def restore(source: Path, folder: Path, *, replace: bool = False, called: str = "") -> Path | None:
    """Replace the database in `folder` by a backup; return the new path of the old one (None: there was none).

    Errors name the backup `called`, if `source` is a copy of it.

    Raises:
        BackupError: a server uses the folder, the backup is damaged or newer than this program, or there is a database
            and `replace` is not set.
        OSError: it cannot be written.
    """
    name = called or str(source)
    if not source.exists():
        raise BackupError(f"没有文件 {name}。", f"there is no file {name}.")
    with without_servers(folder):
        target = folder / FILE
        if target.exists() and not replace:
            raise BackupError(
                f"{target} 已有数据库；要换掉它请加 --replace（原来的会改名留下）。",
                f"{target} exists; use --replace to put the backup in its place (the old one is renamed).",
            )
        half = folder / f".{FILE}.half"
        try:
            half.unlink(missing_ok=True)
            half.touch(mode=0o600)
            with closing(_only_read(source)) as one, closing(sqlite3.connect(half)) as other:
                one.backup(other)
            refuse_broken_file(half, name)
            with half.open("rb") as file:
                os.fsync(file.fileno())
            before = set_aside(target, "before") if target.exists() else None
            half.replace(target)
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
                raise BackupError(
                    f"{name} 不是 quepu 的备份（不是 SQLite 数据库）。",
                    f"{name} is not a backup of quepu (not an SQLite database).",
                ) from error
            raise BackupError(f"{name} 不能恢复：{error}", f"{name} cannot be restored: {error}") from error
        finally:
            half.unlink(missing_ok=True)
    return before


def _only_read(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def set_aside(database: Path, why: str) -> Path:
    """Rename a database with its log; return its new, unused path."""
    name = f"{database.name}.{why}-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}"
    number, aside = 1, database.with_name(name)
    while aside.exists():  # within the same second
        number += 1
        aside = database.with_name(f"{name}-{number}")
    for part in _PARTS:
        with suppress(FileNotFoundError):
            database.with_name(database.name + part).replace(aside.with_name(aside.name + part))
    return aside


def refuse_broken_file(path: Path, called: str = "") -> None:
    """Refuse a file that is not an intact database of this program; errors name it `called`, if it is a copy.

    Raises:
        BackupError: it is damaged, or not a database of quepu. NewerSchema: a newer version wrote it.
    """
    name = called or str(path)
    try:
        with closing(_only_read(path)) as connection:
            report = [row[0] for row in connection.execute("PRAGMA integrity_check(3)")]
            found = [row[0] for row in connection.execute("SELECT version_num FROM alembic_version")]
    except sqlite3.Error as error:
        raise BackupError(
            f"{name} 不是完好的 quepu 数据库：{error}", f"{name} is not an intact quepu database: {error}"
        ) from error
    if report != ["ok"]:
        raise BackupError(f"{name} 已损坏：{report[0]}", f"{name} is damaged: {report[0]}")
    if set(found) - own_revisions():
        raise NewerSchema
