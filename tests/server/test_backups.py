"""Backups and repairs of a store: copies under load, restores, damaged pages."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import stat
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from quepu.cli import run as command
from quepu.server.store.backup import BackupError, FolderInUse, backup, in_use, restore, without_servers
from quepu.server.store.checking import LogLoss, check, repair
from quepu.server.store.database import FILE, Database, NewerSchema
from quepu.server.store.logs import Logs
from tests.loop import run
from tests.server.filled_store import audited, filled, rows


def test_a_copy_made_under_load_holds_all_that_was_acknowledged_and_opens(tmp_path: Path) -> None:
    """Writers go on while copies are made; each copy is one moment: no log with a gap, nothing acknowledged lost."""
    data, other = tmp_path / "data", tmp_path / "other"
    stored: dict[str, int] = {}
    stop = threading.Event()

    async def write() -> None:
        base = Database(data)
        store = Logs(base)
        heads = [await store.create("room", "", "t", {"n": 0}, process="p") for _ in range(4)]
        for n in range(1, 10_000):
            if stop.is_set():
                break
            lengths = await asyncio.gather(*(store.append(head.id, n, [{"line": str(n)}], fence=0) for head in heads))
            stored.update({head.id: length or 0 for head, length in zip(heads, lengths, strict=True)})
        await base.close()

    writer = threading.Thread(target=lambda: asyncio.run(write()))
    writer.start()
    while len(stored) < 4:
        time.sleep(0.01)
    before = []
    for number in range(3):
        before.append(dict(stored))
        backup(data, tmp_path / f"copy{number}")
        time.sleep(0.05)
    stop.set()
    writer.join()
    for number, acknowledged in enumerate(before):
        restore(tmp_path / f"copy{number}", other, replace=True)
        assert check(other) == []
        lengths = {row[0]: row[6] for row in rows(other / FILE)["log"]}
        assert all(lengths[id] >= length for id, length in acknowledged.items())

    async def opened() -> int:
        base = Database(other)
        head, entries = await Logs(base).read(next(iter(stored))) or pytest.fail("gone")
        await base.close()
        assert head.length == len(entries)
        return head.length

    assert run(opened()) > 1


def test_a_copy_is_equal_private_and_never_in_the_way_of_another(tmp_path: Path) -> None:
    run(filled(tmp_path / "data"))
    copy = tmp_path / "copy"
    backup(tmp_path / "data", copy)
    assert rows(copy) == rows(tmp_path / "data" / FILE)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "data"]
    with pytest.raises(BackupError, match="存在"):
        backup(tmp_path / "data", copy)
    with pytest.raises(BackupError, match="没有数据库"):
        backup(tmp_path / "nothing", tmp_path / "x")
    with pytest.raises(BackupError, match=f"^没有文件夹 {tmp_path / 'nowhere'}，请先建好"):
        backup(tmp_path / "data", tmp_path / "nowhere" / "copy")
    with pytest.raises(BackupError, match="--replace"):
        restore(copy, tmp_path / "data")
    with in_use(tmp_path / "data"), pytest.raises(BackupError, match="停下"):
        restore(copy, tmp_path / "data", replace=True)
    data, alone = tmp_path / "data", in_use(tmp_path / "data", alone=True)  # as a server on SQLite, not on PostgreSQL
    with in_use(data), in_use(data), pytest.raises(FolderInUse, match="已有服务器"), alone:
        pass
    with without_servers(data), pytest.raises(FolderInUse, match="正在恢复或修复"), in_use(data):
        pass
    aside = restore(copy, tmp_path / "data", replace=True)
    assert aside is not None and rows(aside) == rows(copy) == rows(tmp_path / "data" / FILE)


def test_what_a_copy_replaces_stays_however_soon_the_next_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(filled(tmp_path / "data", logs=3))
    run(filled(tmp_path / "other", logs=1))
    backup(tmp_path / "other", copy := tmp_path / "copy")
    monkeypatch.setattr("time.gmtime", lambda: time.struct_time((2026, 1, 2, 3, 4, 5, 4, 2, 0)))
    first, second, third = (restore(copy, tmp_path / "data", replace=True) for _ in range(3))
    assert first and second and third and len({first, second, third}) == 3
    assert [len(rows(path)["log"]) for path in (first, second, third)] == [3, 1, 1]


def test_what_is_no_copy_is_not_put_back(tmp_path: Path) -> None:
    run(filled(tmp_path / "data"))
    whole = tmp_path / "whole"
    backup(tmp_path / "data", whole)
    (tmp_path / "half").write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    (tmp_path / "text").write_text("no database\n" * 100)
    with closing(sqlite3.connect(tmp_path / "foreign")) as base:
        base.execute("CREATE TABLE t (x)")
    for name, words in (
        ("half", "已损坏|不能恢复|不是完好"),
        ("text", "不是 quepu 的备份"),
        ("foreign", "不是完好的 quepu 数据库"),
        ("nothing", "没有文件"),
    ):
        with pytest.raises(BackupError, match=words) as refused:
            restore(tmp_path / name, tmp_path / "new")
        assert str(tmp_path / name) in refused.value.say("en")
    with closing(sqlite3.connect(whole)) as base:
        base.execute("UPDATE alembic_version SET version_num = '9999_later'")
        base.commit()
    with pytest.raises(NewerSchema):
        restore(whole, tmp_path / "new")
    assert not (tmp_path / "new" / FILE).exists()


def test_a_damaged_page_is_seen_and_what_can_be_read_is_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = run(filled(tmp_path, logs=6, entries=60))
    assert check(tmp_path) == []
    path = tmp_path / FILE
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = base.execute("PRAGMA page_size").fetchone()[0]
    content = bytearray(path.read_bytes())
    page = content.index(f"{3} {30} xx".encode()) // size  # a leaf in the middle of the fourth log
    content[page * size : (page + 1) * size] = b"\xa5" * size
    path.write_bytes(content)
    assert check(tmp_path)
    assert command(["admin", "check", "--data", str(tmp_path)]) == 1
    assert "没有找到完好的备份" in capsys.readouterr().out
    with pytest.raises(BackupError):
        backup(tmp_path, tmp_path / "copy")
    saved = repair(tmp_path)
    assert [(one.id, one.title, one.before) for one in saved.losses] == [(ids[3], "t3", 61)]
    assert (saved.before["matches"], saved.before["entries"]) == (6, 366)
    assert (saved.after["matches"], saved.after["entries"]) == (6, 305 + saved.losses[0].after)
    assert check(tmp_path) == []

    async def lengths() -> list[int]:
        base = Database(tmp_path)
        found = [await Logs(base).read(id) for id in ids]
        await base.close()
        return [0 if one is None else len(one[1]) for one in found]

    left = run(lengths())
    assert left[:3] == [61, 61, 61] and left[4:] == [61, 61] and 0 < left[3] < 32
    assert left[3] == saved.losses[0].after
    assert saved.aside.read_bytes() == bytes(content)
    capsys.readouterr()


def test_a_missing_entry_is_seen_and_the_log_ends_before_it(tmp_path: Path) -> None:
    ids = run(filled(tmp_path))
    with closing(sqlite3.connect(tmp_path / FILE)) as base:
        base.execute("DELETE FROM log_entry WHERE log = ? AND n = 7", (ids[1],))
        base.commit()
    assert len(check(tmp_path)) == 1
    assert repair(tmp_path).losses == (LogLoss(ids[1], "room", "t1", 41, 7),)
    assert check(tmp_path) == []


def test_a_repair_counts_logs_before_and_after_and_points_to_the_newest_whole_backup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, copies = tmp_path / "data", tmp_path / "copies"
    copies.mkdir()
    ids = run(filled(data, logs=5))
    monkeypatch.chdir(copies)  # a name is noted with its folder
    for number, name in enumerate(("old.sqlite3", "new", "torn.sqlite3")):
        assert command(["admin", "backup", name, "--data", str(data)]) == 0
        os.utime(name, (1.7e9 + number, 1.7e9 + number))
    torn = copies / "torn.sqlite3"
    torn.write_bytes(torn.read_bytes()[:5000])
    os.utime(torn, (1.7e9 + 9, 1.7e9 + 9))
    with closing(sqlite3.connect(data / FILE)) as base:
        base.execute("DELETE FROM log_entry WHERE log = ? AND n >= 3", (ids[0],))
        base.execute("DELETE FROM log_entry WHERE log = ? AND n = 0", (ids[1],))  # nothing of it can be kept
        base.execute("DELETE FROM log WHERE id = ?", (ids[2],))  # only its entries say that it was there
        base.execute("UPDATE log SET kind = 'table', title = '周末' WHERE id = ?", (ids[1],))
        base.commit()
    assert command(["admin", "check", "--repair", "--data", str(data)]) == 0
    printed = capsys.readouterr().out
    pointer = next(line for line in printed.splitlines() if "最新的完好备份" in line)
    assert f"{copies / 'new'}（2023-11-14 22:13:21Z；对局 5，以上共有记录 205 条）" in pointer
    assert printed.index("最新的完好备份") < printed.index("已修复")
    lines = [
        "对局 3 → 3", "记分表 1 → 0", "其他 1 → 0", "以上共有记录 205 → 85 条",
        f"截短：{ids[0]}（t0），41 条剩 3 条", f"丢失：{ids[1]}（周末），41 条", f"丢失：{ids[2]}（?），41 条",
    ]  # fmt: skip
    for line in lines:
        assert line in printed.splitlines(), line
    assert check(data) == []
    assert (
        json.loads(audited(data, capsys))[0]["about"] == "matches 3 → 3, tables 1 → 0, others 1 → 0, entries 205 → 85"
    )
