"""Move a store between SQLite and PostgreSQL: copy its rows, compare counts, continue after an interruption.

Rows are copied in passes. Each pass makes the target equal to the source, so a pass after an interruption copies only
the rest, and a pass over a store in use copies the changes since. The last pass runs while the source takes no writes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import delete, func, make_url, select, text
from sqlalchemy.exc import ArgumentError

from quepu.errors import Error
from quepu.server.store.backup import set_aside, without_servers
from quepu.server.store.copying import TABLES, Copier, Pass, count_rows, keep
from quepu.server.store.database import FILE, Database
from quepu.server.store.failures import cannot_open, first_line
from quepu.server.store.models import Audit, Move, PracticeAnswer, ServerProcess, Tidied
from quepu.server.store.sqlite import LEFT
from quepu.server.store.values import StoreError

_TRACES = (Audit.__tablename__, Tidied.__tablename__, ServerProcess.__tablename__)
"""Tables with rows in a store that has only been opened: they do not count as contents."""
_CLOSE = 2000
"""Rows that one pass may copy before the last one: what is left then takes a moment."""
_PASSES = 8


class MoveError(Error):
    """A store cannot be moved."""


class Moved(NamedTuple):
    """The result of a move: the rows of each table in both stores, and the seconds without writes."""

    counts: dict[str, int]
    pause: float
    aside: Path | None
    """The new path of an old database in the target's folder."""


def store_at(place: str) -> Database:
    """Return the store at a URL or in a folder, for moving.

    Raises:
        MoveError: the URL cannot be read, or names an SQLite file that is not in a folder as a server has it.
    """
    if "://" not in place:
        path = Path(place).expanduser()
        return Database(path.parent if path.name == FILE else path, moves=True)
    try:
        url = make_url(place)
    except ArgumentError as error:
        raise MoveError(*cannot_open(error)) from None
    if not url.drivername.startswith("sqlite"):
        return Database(Path(), place, moves=True)
    path = Path(url.database or "")
    if path.name != FILE:
        raise MoveError(
            f"{place}：SQLite 请写它的文件夹（其中有 {FILE}）。",
            f"{place}: write the folder of an SQLite database (it contains {FILE}).",
        )
    return Database(path.parent, moves=True)


def name_of(store: Database) -> str:
    """Return a store's address without its password."""
    if store.address is None:
        return str(store.folder.absolute())
    return make_url(store.address).render_as_string(hide_password=True)


async def move(source: Database, target: Database, tell: Callable[[Pass], None] = lambda _: None) -> Moved:
    """Move all rows of `source` to `target`; afterwards servers refuse `source`. Run it again if it is interrupted.

    A server may use an SQLite source meanwhile: it answers 503 to changes from the last pass on.

    Raises:
        MoveError: a store cannot be used, the target has data of its own, or the counts differ at the end.
        StoreError: a store does not respond; `source` is as before.
    """
    if name_of(source) == name_of(target):
        raise MoveError("两处是同一个数据库。", "both are the same database.")
    if await source.revision() == "new":
        where = name_of(source)
        raise MoveError(f"{where} 里没有数据库。", f"there is no database in {where}.")
    with ExitStack() as locks:
        try:
            aside = None
            if target.address is None:
                locks.enter_context(without_servers(target.folder))
                aside = await _make_room(target)
            await source.open()
            await target.open()
            await _prepare(source, target)
            counts, pause = await _copy(source, target, tell)
            return Moved(counts, pause, aside)
        except StoreError as error:
            failing = next((store for store in (target, source) if store.trouble), None)
            if failing is None or error.__cause__ is None:
                raise
            where, why = name_of(failing), first_line(getattr(error.__cause__, "orig", None) or error.__cause__)
            raise MoveError(
                f"没搬完，{where} 出错：{why}。什么都没丢；排除后再运行一次，会接着搬。",
                f"the move is not finished, {where} failed: {why}. Nothing is lost; repair it and run the command "
                "again to continue.",
            ) from error
        finally:
            await source.close()
            await target.close()


async def _make_room(target: Database) -> Path | None:
    """Rename an SQLite database whose rows were moved away before; return its new path."""
    if await target.revision() == "new":
        return None
    await target.open()
    async with target.reading() as session:
        state = (await session.execute(select(Move.state))).scalar_one_or_none()
    if state != "left":
        return None
    await target.close()
    return set_aside(target.folder / FILE, "moved")


async def _prepare(source: Database, target: Database) -> None:
    """Refuse stores that cannot be moved, and mark the target as incomplete."""
    here, there = name_of(source), name_of(target)
    for store, name in ((source, here), (target, there)):
        if store.shared and await _has_servers(store):
            raise MoveError(
                f"有服务器正在使用 {name}：请先停下它（刚停的等几秒）。",
                f"a server is using {name}: stop it first (if it has just stopped, wait a few seconds).",
            )
    async with source.reading() as session:
        left = (await session.execute(select(Move))).scalar_one_or_none()
    async with target.writing() as session:
        filling = (await session.execute(select(Move))).scalar_one_or_none()
        if left is not None and left.state == "filling":
            raise MoveError(
                f"{here} 自己还没搬完（来自 {left.other}）。",
                f"{here} is incomplete: it is being filled from {left.other}.",
            )
        resumed = filling is not None and (filling.state, filling.other) == ("filling", here[:300])
        if left is not None and not resumed:
            raise MoveError(
                f"{here} 的数据已搬到 {left.other}。", f"the data of {here} has been moved to {left.other} already."
            )
        if resumed:
            return
        if filling is not None or any(
            count for name, count in (await count_rows(session)).items() if name not in _TRACES
        ):
            raise MoveError(
                f"{there} 里已有数据：请换一个空的数据库或文件夹。",
                f"{there} is not empty: name an empty database or folder.",
            )
        session.add(Move(id=1, state="filling", other=here[:300], at=time.time()))


async def _has_servers(store: Database) -> bool:
    async with store.reading() as session:
        clock = func.extract("epoch", func.clock_timestamp())
        found = await session.execute(select(ServerProcess.id).where(ServerProcess.alive_until > clock).limit(1))
        return found.first() is not None


async def _copy(source: Database, target: Database, tell: Callable[[Pass], None]) -> tuple[dict[str, int], float]:
    """Copy in passes until little is left, then the rest without writers; return the counts, and the pause."""
    for _ in range(_PASSES):
        done = await Copier(source.reading, target).run()
        tell(done)
        if done.copied + done.deleted <= _CLOSE:
            break
    async with source.writing() as session:
        began = time.perf_counter()
        if source.shared:
            names = ", ".join(table.name for table in TABLES)
            await session.execute(text(f"LOCK TABLE {names} IN SHARE MODE"))
        done = await Copier(lambda: keep(session), target).run()
        await _continue_numbers(target)
        counts = await count_rows(session)
        async with target.reading() as other:
            _compare(counts, await count_rows(other))
        await session.merge(Move(id=1, state="left", other=name_of(target)[:300], at=time.time()))
        if not source.shared:
            await session.execute(text(f"PRAGMA user_version = {LEFT}"))
    async with target.writing() as other:
        await other.execute(delete(Move))
    pause = time.perf_counter() - began
    tell(done._replace(last=True))
    return counts, pause


def _compare(here: dict[str, int], there: dict[str, int]) -> None:
    differing = [f"{name} {here[name]} → {there[name]}" for name in here if here[name] != there[name]]
    if differing:
        raise MoveError(
            f"行数不一致，没有搬成：{'，'.join(differing)}。",
            f"nothing was moved, the counts differ: {', '.join(differing)}.",
        )


async def _continue_numbers(target: Database) -> None:
    """Let PostgreSQL number new rows after the copied ones; SQLite does so by itself."""
    if not target.shared:
        return
    async with target.writing() as session:
        for name in (Audit.__tablename__, PracticeAnswer.__tablename__):
            sequence = f"pg_get_serial_sequence('{name}', 'id')"
            query = f"SELECT setval({sequence}, coalesce(max(id), 0) + 1, false) FROM {name}"  # noqa: S608  # ours
            await session.execute(text(query))
