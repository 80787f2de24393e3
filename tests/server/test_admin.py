"""What an operator does: copies made while people play, put back and opened; damage seen and mended; people, names."""

from __future__ import annotations

import asyncio
import io
import json
import os
import sqlite3
import stat
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from quepu.cli import run as command
from quepu.errors import UnknownName
from quepu.server.app import create_app
from quepu.server.limits import Limits
from quepu.server.store.accounts import Accounts
from quepu.server.store.administration import Administration, ClockJumped
from quepu.server.store.backup import BackupError, FolderInUse, backup, in_use, restore, without_servers
from quepu.server.store.checking import LogLoss, check, repair
from quepu.server.store.database import FILE, Database, NewerSchema
from quepu.server.store.logs import Logs
from quepu.server.store.models import PracticeAnswer
from tests.loop import run
from tests.server.serving import unlimited

NAME, PASSWORD = "林清", "correct horse 马"
ROOM = {"name": "我", "think": 0, "move": 0, "bank": 0, "seed": 5, "rules": "lingque-29"}


def rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as base:
        tables = [row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            table: base.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
            for table in tables
            if table != "alembic_version"
        }


async def filled(folder: Path, logs: int = 3, entries: int = 40) -> list[str]:
    base = Database(folder)
    store = Logs(base)
    ids = []
    for number in range(logs):
        head = await store.create("room", "", f"t{number}", {"room": {}}, process="p")
        await store.append(head.id, 1, [{"line": f"{number} {n} {'x' * 60}"} for n in range(entries)], fence=0)
        ids.append(head.id)
    await base.close()
    return ids


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
    for name in ("half", "text", "foreign", "nothing"):
        with pytest.raises(BackupError):
            restore(tmp_path / name, tmp_path / "new")
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


def audited(data: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert command(["admin", "audit", "--json", "--data", str(data)]) == 0
    return capsys.readouterr().out


def test_a_code_is_good_once_and_logs_everybody_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app = create_app(unlimited(tmp_path))
    with TestClient(app) as client:
        body = {"name": NAME, "password": PASSWORD}
        token = client.post("/api/account/register", json=body).json()["token"]
        assert command(["admin", "reset", NAME, "--data", str(tmp_path)]) == 0
        printed = capsys.readouterr().out
        code = printed.split("：")[1].split("（")[0]
        wrong = {"name": NAME, "code": code[:-1] + "0", "password": "another one"}
        assert client.post("/api/account/reset", json=wrong).status_code == 401
        right = {**wrong, "code": f" {code.upper().replace('-', ' ')}"}
        assert client.post("/api/account/reset", json=right).status_code == 200
        assert client.post("/api/account/reset", json=right).status_code == 401
        assert client.post("/api/account/login", json=body).status_code == 401
        assert client.post("/api/account/login", json={**body, "password": "another one"}).status_code == 200
        client.cookies.clear()
        assert client.get("/api/account", headers={"authorization": f"Bearer {token}"}).status_code == 401
    assert code not in (tmp_path / FILE).read_bytes().decode("latin-1")


def test_accounts_are_listed_exported_renamed_and_deleted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def admin(*words: str) -> str:
        assert command(["admin", *words, "--data", str(tmp_path)]) == 0
        return capsys.readouterr().out

    app = create_app(unlimited(tmp_path))
    with TestClient(app) as client:
        client.post("/api/account/register", json={"name": NAME, "password": PASSWORD})
        room = client.post("/api/rooms", json={**ROOM, "bots": ["", "plain", "plain", "plain"]}).json()["room"]
        mine = client.get("/api/account/export")
        assert mine.headers["content-disposition"].startswith("attachment")
        assert json.loads(admin("export", NAME)) == mine.json()
        assert [match["room"] for match in mine.json()["matches"]] == [room]
        assert "argon2" not in mine.text and "log" not in mine.json()["matches"][0]
        assert json.loads(admin("accounts", "--json"))[0] == {
            "name": NAME,
            "created": mine.json()["account"]["created"],
            "sessions": 1,
            "seats": 1,
        }
        admin("rename", NAME, "周")
        assert client.get("/api/account").json()["name"] == "周"
        assert json.loads(admin("rooms", "--json"))[0]["id"] == room
        admin("delete-account", "周", "--yes")
        assert client.get("/api/account").status_code == 401
    assert [line["act"] for line in json.loads(admin("audit", "--json"))] == ["delete-account", "rename", "export"]
    assert command(["admin", "reset", "nobody", "--data", str(tmp_path)]) == 2
    assert "nobody" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("terminal", "answer", "status", "deleted"),
    [
        (True, "y\n", 0, True), (True, " YES \n", 0, True), (True, "是\n", 0, True),
        (True, "n\n", 1, False), (True, "\n", 1, False), (True, "", 1, False), (True, "周\n", 1, False),
        (False, "y\n", 2, False),
    ],
)  # fmt: skip
def test_an_account_is_deleted_once_that_is_confirmed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    terminal: bool, answer: str, status: int, deleted: bool,
) -> None:  # fmt: skip
    async def names(*, made: bool = False) -> list[str]:
        base = Database(tmp_path)
        if made:
            await Accounts(base).register("周", PASSWORD)
        found = await Administration(base).accounts()
        await base.close()
        return [one.name for one in found]

    assert run(names(made=True)) == ["周"]
    typed = io.StringIO(answer)
    typed.isatty = lambda: terminal  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stdin", typed)
    assert command(["admin", "delete-account", " 周", "--data", str(tmp_path)]) == status
    printed = capsys.readouterr()
    assert ("删了不能恢复" in printed.out) is terminal
    assert ("--yes" in printed.err) is not terminal
    assert run(names()) == ([] if deleted else ["周"])


def test_nobody_takes_a_banned_name_or_one_like_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app = create_app(unlimited(tmp_path))
    with TestClient(app) as client:
        assert command(["admin", "ban", "Admin", "--data", str(tmp_path)]) == 0
        for name in ("admin", "ΑDMIN", "аdmin"):
            assert client.post("/api/account/register", json={"name": name, "password": PASSWORD}).status_code == 409
            answer = client.post("/api/rooms", json={**ROOM, "name": name})
            assert answer.status_code == 400, answer.text
        assert command(["admin", "allow", "ADMIN", "--data", str(tmp_path)]) == 0
        assert client.post("/api/rooms", json={**ROOM, "name": "admin"}).status_code == 200
        assert command(["admin", "allow", "ADMIN", "--data", str(tmp_path)]) == 1
    capsys.readouterr()


def test_what_is_old_is_removed_and_nothing_else(tmp_path: Path) -> None:
    day = 86_400.0

    async def tidied() -> None:
        base = Database(tmp_path)
        store, admin = Logs(base), Administration(base, Limits(unbegun_days=30, match_days=400, practice_days=700))
        empty = await store.create("room", "", "t", {"room": {}})
        played = await store.create("room", "", "t", {"room": {}})
        await store.append(played.id, 1, [{"line": "x"}])
        table = await store.create("table", "somebody", "t", {"n": 0})
        now = time.time()
        async with base.writing() as session:
            session.add(
                PracticeAnswer(who="w", at=now, rules="r", kind="k", level=1, seed=1, right=True, seconds=1.0, fans={})
            )
        await admin.ban("x")
        assert sum(await admin.tidy(now + 29 * day, trust_clock=True)) == 0
        assert (await admin.tidy(now + 31 * day, trust_clock=True))[:2] == (1, 0)
        assert await store.read(empty.id) is None and await store.read(played.id) is not None
        assert (await admin.tidy(now + 401 * day, trust_clock=True))[:2] == (0, 1)
        assert (await admin.tidy(now + 701 * day, trust_clock=True)).practice == 1
        assert await store.read(table.id) is not None
        await base.close()

    run(tidied())


def test_nothing_is_removed_when_the_clock_is_more_than_a_day_from_the_last_time(tmp_path: Path) -> None:
    day, start = 86_400.0, 1.8e9

    async def tidied() -> None:
        base = Database(tmp_path)
        admin = Administration(base, Limits(practice_days=0.1))

        async def answered(at: float) -> None:
            async with base.writing() as session:
                session.add(
                    PracticeAnswer(
                        who="w", at=at, rules="r", kind="k", level=1, seed=1, right=True, seconds=1.0, fans={}
                    )
                )

        await admin.tidy(start)  # the first time there is nothing to measure the clock by
        await answered(start)
        assert (await admin.tidy(start + day)).practice == 1, "a day is not a jump"
        await answered(start)
        for jumped in (start + 2 * day + 1, start - 1, start + 800 * day):
            with pytest.raises(ClockJumped, match="--trust-clock"):
                await admin.tidy(jumped)
        assert (await admin.tidy(start + 2 * day)).practice == 1, "what was refused left nothing behind"
        await answered(start)
        assert (await admin.tidy(start + 800 * day, trust_clock=True)).practice == 1
        await answered(start)
        assert (await admin.tidy(start + 800.5 * day)).practice == 1, "what the operator said is believed from then on"
        await base.close()

    run(tidied())


def test_an_operator_may_say_that_a_clock_which_jumped_is_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = run(filled(tmp_path, logs=1))
    assert command(["admin", "tidy", "--limit", "match_days=30", "--data", str(tmp_path)]) == 0
    now = time.time() + 800 * 86_400
    monkeypatch.setattr(time, "time", lambda: now)
    assert command(["admin", "tidy", "--limit", "match_days=30", "--data", str(tmp_path)]) == 2
    refused = capsys.readouterr().err
    assert "800.0 天" in refused and "--trust-clock" in refused and "Traceback" not in refused
    assert [row[0] for row in rows(tmp_path / FILE)["log"]] == ids
    assert command(["admin", "tidy", "--limit", "match_days=30", "--trust-clock", "--data", str(tmp_path)]) == 0
    assert rows(tmp_path / FILE)["log"] == []
    capsys.readouterr()


def test_a_database_of_before_measures_the_clock_by_what_was_written_last(tmp_path: Path) -> None:
    ids = run(filled(tmp_path))
    with closing(sqlite3.connect(tmp_path / FILE)) as base:
        base.execute("DROP TABLE tidied")
        base.execute("DROP TABLE move")
        base.execute("UPDATE alembic_version SET version_num = '0007_belongings'")
        base.execute("UPDATE log SET updated = 1.7e9")
        base.execute("UPDATE log SET updated = 1.75e9 WHERE id = ?", (ids[1],))
        base.commit()

    async def upgraded() -> None:
        base = Database(tmp_path)
        with pytest.raises(ClockJumped, match="2025-06-15"):
            await Administration(base).tidy(1.8e9)
        await base.close()

    run(upgraded())


def test_a_closed_room_is_gone_for_everybody(tmp_path: Path) -> None:
    app = create_app(unlimited(tmp_path))
    with TestClient(app) as client:
        room = client.post("/api/rooms", json={**ROOM, "bots": ["", "plain", "plain", "plain"]}).json()["room"]

        async def closed() -> None:
            await Administration(app.state.database).close_room(room)
            await app.state.housekeeping.look()
            with pytest.raises(UnknownName):
                await Administration(app.state.database).close_room(room)

        assert client.portal is not None
        client.portal.call(closed)
        assert client.get(f"/api/rooms/{room}").status_code == 404
        assert room not in app.state.rooms.rooms


@pytest.mark.parametrize(("what", "tool"), [("backup", "pg_dump"), ("restore", "pg_restore"), ("check", "pg_amcheck")])
def test_postgresql_is_copied_by_its_own_tools(what: str, tool: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [] if what == "check" else ["x"]
    assert command(["admin", what, *words, "--database", "postgresql://me:secret@db/quepu"]) == 2
    printed = capsys.readouterr().err
    assert tool in printed and "postgresql://me@db/quepu" in printed and "secret" not in printed


MISSPELT = [
    ["accounts"], ["accounts", "--json"], ["reset", "x"], ["delete-account", "x"], ["export", "x"],
    ["rename", "x", "y"], ["ban"], ["ban", "x"], ["allow", "x"], ["rooms"], ["rooms", "--all", "--json"],
    ["close-room", "x"], ["tidy"], ["audit"], ["check"], ["backup", "x"],
]  # fmt: skip


@pytest.mark.parametrize("words", MISSPELT, ids=" ".join)
def test_no_command_makes_a_database_where_there_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    for where in (tmp_path / "misspelt", tmp_path):
        assert command(["admin", *words, "--data", str(where)]) == 2
        assert f"{where} 里没有数据库" in capsys.readouterr().err
    if words[0] not in ("check", "backup"):
        assert command(["admin", *words, "--database", f"sqlite+aiosqlite:///{tmp_path}/other.db"]) == 2
        assert "other.db 里没有数据库" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_database_of_a_server_is_nobody_elses(tmp_path: Path) -> None:
    run(filled(tmp_path))
    assert all(stat.S_IMODE(os.stat(path).st_mode) & 0o077 == 0 for path in tmp_path.glob(FILE + "*"))
