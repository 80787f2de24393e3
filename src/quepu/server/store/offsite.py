"""Backups on another machine, by any command that copies files (rclone, aws s3, scp), and their rehearsal.

A backup is an SQLite database, whatever the server uses, and a small file beside it with the counts of its rows.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import tempfile
import time
import tomllib
from contextlib import closing
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from quepu.errors import Error, describe_system_refusal
from quepu.server.store.backup import BackupError, backup, refuse_broken_file, restore
from quepu.server.store.checking import check
from quepu.server.store.copying import Copier, count_rows, keep
from quepu.server.store.database import FILE, Database

_BEGIN, _END, _COUNTS = "quepu-", ".sqlite3", ".json"
Words = Annotated[list[str], Field(min_length=1)]


class OffsiteError(Error):
    """A backup cannot be sent, fetched or restored."""


class Offsite(BaseModel):
    """The commands that reach the other machine, as lists of words.

    `{name}` is the name of a backup there, `{file}` its path here. `list` prints one name on each line. `keep` backups
    stay there.
    """

    model_config = ConfigDict(extra="forbid")

    put: Words
    get: Words
    list: Words
    remove: Words
    keep: int = Field(default=14, ge=1)
    seconds: float = Field(default=3600, gt=0)
    """Time limit of one command."""


class Sent(NamedTuple):
    """A backup that was sent: its name there, size in bytes, rows of each table, and the older ones removed there."""

    name: str
    size: int
    counts: dict[str, int]
    removed: list[str]


class Rehearsed(NamedTuple):
    """A backup that was restored into a scratch folder: rows of each table there, and in the server's store now."""

    name: str
    counts: dict[str, int]
    now: dict[str, int]
    seconds: float


def load(file: Path) -> Offsite:
    """Read the commands from a TOML file.

    Raises:
        OffsiteError: the file is missing or wrong.
    """
    try:
        return Offsite.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise describe_system_refusal(error) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise OffsiteError(f"{file} 不是 TOML：{error}", f"{file} is not TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise OffsiteError(
            f'{file} 的 {place} 不对：要有 put、get、list、remove，各是一串词，如 ["rclone", "copyto", …]。',
            f"{place} in {file} is wrong: put, get, list and remove are lists of words, "
            'such as ["rclone", "copyto", …].',
        ) from error


async def send(source: Database, offsite: Offsite) -> Sent:
    """Back up a store and send the backup; servers continue.

    Raises:
        OffsiteError: a command fails, or the backup is not listed afterwards. StoreError: the store does not respond.
    """
    name = f"{_BEGIN}{_stamp()}{_END}"
    with tempfile.TemporaryDirectory(prefix="quepu-") as scratch:
        file, beside = Path(scratch) / FILE, Path(scratch) / "counts.json"
        counts = await _snapshot(source, Path(scratch))
        beside.write_text(json.dumps({"counts": counts}), encoding="utf-8")
        size = file.stat().st_size
        _run(offsite, offsite.put, name, file)
        _run(offsite, offsite.put, name + _COUNTS, beside)
    there = _names(offsite)
    if name not in there:
        raise OffsiteError(
            f"{name} 已送出，list 却没有列出它：请核对 list 命令。",
            f"{name} was sent, but list does not print it: check the list command.",
        )
    removed = there[: -offsite.keep]
    for old in removed:
        _run(offsite, offsite.remove, old, Path())
        _run(offsite, offsite.remove, old + _COUNTS, Path())
    return Sent(name, size, counts, removed)


async def _snapshot(source: Database, folder: Path) -> dict[str, int]:
    """Copy a store at one moment into an SQLite database in `folder`; return the counts of the copy's rows."""
    if source.address is None:
        backup(source.folder, folder / FILE)
    copy = Database(folder)
    try:
        await copy.open()
        if source.address is not None:
            async with source.reading() as session:
                await Copier(lambda: keep(session), copy).run()
        async with copy.reading() as session:
            counts = await count_rows(session)
    finally:
        await copy.close()
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")  # the backup is a single file
    refuse_broken_file(folder / FILE)
    return counts


async def rehearse(source: Database, offsite: Offsite, name: str = "") -> Rehearsed:
    """Fetch a backup (the newest), restore it into a scratch folder, check it, and compare its counts.

    Raises:
        OffsiteError: there is none, it is damaged, or its counts are not those of the day it was made.
    """
    began = time.perf_counter()
    name = name or next(reversed(_names(offsite)), "")
    if not name:
        raise OffsiteError(
            "远端还没有备份：先运行 quepu admin offsite。", "there are no remote backups yet: run quepu admin offsite."
        )
    with tempfile.TemporaryDirectory(prefix="quepu-") as scratch:
        file, beside, folder = Path(scratch) / "backup", Path(scratch) / "counts", Path(scratch) / "data"
        _run(offsite, offsite.get, name, file)
        _run(offsite, offsite.get, name + _COUNTS, beside)
        try:
            restore(file, folder, called=name)
        except BackupError as error:
            raise OffsiteError(*error.text) from error
        for problem in check(folder):
            raise OffsiteError(f"{name}：{problem.zh}", f"{name}: {problem.en}")
        then = json.loads(beside.read_text(encoding="utf-8"))["counts"]
        base = Database(folder)
        try:
            async with base.reading() as session:
                counts = await count_rows(session)
        finally:
            await base.close()
    differing = [f"{table} {then.get(table)} → {count}" for table, count in counts.items() if then.get(table) != count]
    if differing:
        raise OffsiteError(
            f"{name} 恢复出来的行数与备份时不同：{'，'.join(differing)}。",
            f"{name} has other counts than when it was made: {', '.join(differing)}.",
        )
    async with source.reading() as session:
        now = await count_rows(session)
    return Rehearsed(name, counts, now, time.perf_counter() - began)


def _names(offsite: Offsite) -> list[str]:
    """Return the backups on the other machine, oldest first."""
    lines = _run(offsite, offsite.list, "", Path()).split("\n")
    words = (line.split()[-1].rsplit("/", 1)[-1] for line in lines if line.strip())
    return sorted({word for word in words if word.startswith(_BEGIN) and word.endswith(_END)})


def _run(offsite: Offsite, words: list[str], name: str, file: Path) -> str:
    """Run a command and return what it prints.

    Raises:
        OffsiteError: it does not exist, fails, or takes too long.
    """
    command = [word.replace("{name}", name).replace("{file}", str(file)) for word in words]
    shown = " ".join(command)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=offsite.seconds, check=False)  # noqa: S603  # the operator's own
    except FileNotFoundError:
        raise OffsiteError(f"没有命令 {command[0]}。", f"the command {command[0]} does not exist.") from None
    except OSError as error:
        raise describe_system_refusal(error) from error
    except subprocess.TimeoutExpired:
        raise OffsiteError(
            f"{shown} 过了 {offsite.seconds:g} 秒还没完。", f"{shown} took more than {offsite.seconds:g} s."
        ) from None
    if done.returncode:
        why = next(reversed(done.stderr.strip().splitlines()), f"exit {done.returncode}")
        raise OffsiteError(f"{shown} 失败：{why}", f"{shown} failed: {why}")
    return done.stdout


def _stamp() -> str:
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
