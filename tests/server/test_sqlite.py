"""When what was written reaches the disk: what people enter before they are told, play a moment later."""

import asyncio
import logging
import os
import sqlite3

import pytest

from quepu.server.store import sqlite
from quepu.server.store.database import Database
from quepu.server.store.logs import Logs
from tests.loop import run

WHO = "somebody-1234"


def on_the_way_to_disk(monkeypatch, folder, seen):
    """Calls `seen` with the log's size instead of bringing it to the disk; other servers of this process go on."""
    to_disk = sqlite._to_disk

    def ours(file):
        now, log = os.fstat(file), folder / "quepu.sqlite3-wal"
        if log.exists() and log.stat().st_ino == now.st_ino:
            seen(now.st_size)
        else:
            to_disk(file)

    monkeypatch.setattr(sqlite, "_SYNC", 0.02)
    monkeypatch.setattr(sqlite, "_to_disk", ours)


@pytest.fixture
def reached(monkeypatch, tmp_path):
    """How long the log was each time it was brought to the disk behind the writers."""
    sizes = []
    on_the_way_to_disk(monkeypatch, tmp_path, sizes.append)
    return sizes


async def until(condition, seconds=60.0):
    for _ in range(int(seconds / 0.01)):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came")


def careful_commits(monkeypatch, folder):
    """Whether each commit of an append was on the disk when it was told."""
    seen = []
    written = Database._write

    def look(writer, work):
        if writer.url.database == str(folder / "quepu.sqlite3"):
            with writer.connect() as connection:
                seen.append(connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2)
        return written(writer, work)

    monkeypatch.setattr(Database, "_write", staticmethod(look))
    return seen


@pytest.mark.parametrize("sync", [False, True])
def test_what_people_enter_is_on_the_disk_and_play_only_if_wanted(tmp_path, monkeypatch, sync):
    seen = careful_commits(monkeypatch, tmp_path)

    async def both():
        base = Database(tmp_path, sync=sync)
        logs = Logs(base)
        entered, played = [await logs.create(kind, WHO, "t", {"n": 0}, process="p") for kind in ("table", "room")]
        assert await logs.append(played.id, 1, [{"n": 1}], fence=0) == 2
        assert await logs.append(entered.id, 1, [{"n": 1}]) == 2
        await asyncio.gather(logs.append(played.id, 2, [{"n": 2}], fence=0), logs.append(entered.id, 2, [{"n": 2}]))
        await base.close()

    run(both())
    assert seen[:2] == [sync, True]
    assert seen[-1]  # they shared a commit, or the entry had its own


def test_play_reaches_the_disk_behind_the_players_and_then_nothing_is_done(tmp_path, reached):
    async def played():
        base = Database(tmp_path)
        logs = Logs(base)
        head = await logs.create("room", WHO, "t", {"n": 0}, process="p")
        assert await logs.append(head.id, 1, [{"n": 1}], fence=0) == 2
        log = tmp_path / "quepu.sqlite3-wal"
        await until(lambda: reached and reached[-1] == log.stat().st_size)
        for _ in range(100):  # the clock of files has to go on, and a busy machine looks late
            idle = len(reached)
            await asyncio.sleep(0.6)
            if len(reached) == idle:
                break
        assert len(reached) == idle
        assert await logs.append(head.id, 2, [{"n": 2}], fence=0) == 3
        await until(lambda: len(reached) > idle and reached[-1] == log.stat().st_size)
        await base.close()

    run(played())


def test_a_disk_that_fails_is_logged_once_and_tried_again(tmp_path, monkeypatch, caplog):
    tries = []

    def broken(_):
        tries.append(1)
        raise OSError(5, "Input/output error")

    on_the_way_to_disk(monkeypatch, tmp_path, broken)

    async def played():
        base = Database(tmp_path)
        await Logs(base).create("room", WHO, "t", {"n": 0}, process="p")
        await until(lambda: len(tries) > 2)
        await base.close()

    with caplog.at_level(logging.ERROR, "quepu.server"):
        run(played())
    assert [record.message for record in caplog.records if "disk" in record.message] == [
        "moves do not reach the disk: [Errno 5] Input/output error"
    ]


def test_a_long_log_is_moved_though_the_database_was_busy_once(tmp_path, reached, monkeypatch):
    monkeypatch.setattr(sqlite, "_LONG", 1)
    move, moved = sqlite.LogKeeper._move, []

    def busy_at_first(self):
        if self._file.parent != tmp_path:
            return
        if not moved:
            moved.append("busy")
            raise sqlite3.OperationalError("database is locked")
        move(self)
        moved.append("moved")

    monkeypatch.setattr(sqlite.LogKeeper, "_move", busy_at_first)

    async def played():
        base = Database(tmp_path)
        head = await Logs(base).create("room", WHO, "t", {"n": 0}, process="p")
        await until(lambda: len(moved) > 1)
        with sqlite3.connect(f"file:{tmp_path / 'quepu.sqlite3'}?immutable=1", uri=True) as alone:  # without the log
            assert alone.execute("SELECT length FROM log WHERE id = ?", (head.id,)).fetchall() == [(1,)]
        await base.close()

    run(played())
