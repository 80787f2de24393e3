"""What an operator does: copies made while people play, put back and opened; damage seen and mended; people, names."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import stat
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
from quepu.server.store.database import FILE, Database
from quepu.server.store.logs import Logs
from quepu.server.store.models import PracticeAnswer
from tests.loop import run
from tests.server.filled_store import filled, rows
from tests.server.serving import unlimited

NAME, PASSWORD = "林清", "correct horse 马"
ROOM = {"name": "我", "think": 0, "move": 0, "bank": 0, "seed": 5, "rules": "lingque-29"}


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
        said = capsys.readouterr().err
        assert f"{where} 里没有数据库" in said and "--data" in said
    if words[0] not in ("check", "backup"):
        assert command(["admin", *words, "--database", f"sqlite+aiosqlite:///{tmp_path}/other.db"]) == 2
        assert "other.db 里没有数据库" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_database_of_a_server_is_nobody_elses(tmp_path: Path) -> None:
    run(filled(tmp_path))
    assert all(stat.S_IMODE(os.stat(path).st_mode) & 0o077 == 0 for path in tmp_path.glob(FILE + "*"))
