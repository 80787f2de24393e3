"""`quepu admin move`: a store goes to PostgreSQL and back, equal row for row, whatever interrupts it."""

from __future__ import annotations

import gzip
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from quepu.cli import run as command
from quepu.server.app import create_app
from quepu.server.store.administration import Administration
from quepu.server.store.copying import RowRefused
from quepu.server.store.database import FILE, Database
from quepu.server.store.logs import Logs
from quepu.server.store.models import Base
from quepu.server.store.moving import MoveError, move, store_at
from quepu.server.store.practice import PracticeStore
from quepu.server.store.values import Answered, Moving
from tests.loop import run
from tests.server.serving import Server, unlimited
from tests.server.test_admin import filled

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/data.sqlite3.gz"))
WHO = "somebody-1234"
Rows = dict[str, list[tuple[Any, ...]]]


async def contents(base: Database) -> Rows:
    """Every row of every table that a move copies."""
    found = {}
    async with base.reading() as session:
        for table in Base.metadata.sorted_tables:
            rows = [tuple(row) for row in await session.execute(select(table))]
            found[table.name] = sorted(rows, key=repr)
    await base.close()
    return {name: rows for name, rows in found.items() if name != "move"}


def rows(place: str) -> Rows:
    return run(contents(store_at(place)))  # type: ignore[no-any-return]


def moved(source: Any, target: Any) -> Any:
    return run(move(store_at(str(source)), store_at(str(target))))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run(filled(tmp_path / "data", logs=5, entries=1200))
    return tmp_path / "data"


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda path: path.parent.name)
def test_a_golden_folder_goes_to_postgresql_and_back_equal_row_for_row(
    golden: Path, tmp_path: Path, postgres_address: str
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / FILE).write_bytes(gzip.decompress(golden.read_bytes()))
    before = rows(str(data))
    assert len(before["log"]) > 20 and len(before["log_entry"]) > 500
    there = moved(data, postgres_address)
    assert rows(postgres_address) == before
    assert there.counts == {name: len(of) for name, of in before.items()}
    back = moved(postgres_address, data)
    assert rows(str(data)) == before
    assert back.aside is not None and back.aside.exists()
    with pytest.raises(Moving, match="已搬到"):
        run(Database(data, postgres_address).open())


def test_what_is_written_after_a_move_gets_numbers_of_its_own(folder: Path, postgres_address: str) -> None:
    async def answer(base: Database) -> int:
        store = PracticeStore(base)
        await store.add(WHO, Answered("lingque-29", "score", 1, 5, True, 1.0, {"平和": True}))
        await Administration(base).note("backup", "x")
        found = await store.history(WHO, "lingque-29")
        await base.close()
        return len(found)

    assert run(answer(Database(folder))) == 1
    moved(folder, postgres_address)
    assert run(answer(Database(folder, postgres_address))) == 2


def test_an_interrupted_move_loses_nothing_and_goes_on(folder: Path, postgres_address: str) -> None:
    """Killed again and again at different places; in between the source serves, and changes."""
    words = [sys.executable, "-m", "quepu", "admin", "move", "--from", str(folder), "--to", postgres_address]
    killed = 0
    for number in range(3):
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        deadline = time.monotonic() + 60
        while process.poll() is None and run(_copied(postgres_address)) <= number * 1800:
            assert time.monotonic() < deadline
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            killed += 1
        process.communicate()
        if process.returncode == 0:
            break
        with pytest.raises(Moving, match="还没搬完"):
            run(Database(folder, postgres_address).open())
        run(_change(folder, number))
    assert killed >= 2
    if process.returncode:
        assert command(words[3:]) == 0
    assert rows(postgres_address)["log_entry"] == rows(str(folder))["log_entry"]
    assert rows(postgres_address)["log"] == rows(str(folder))["log"]


async def _copied(address: str) -> int:
    """The entries in the target so far."""
    import asyncpg

    connection = await asyncpg.connect(address.replace("+asyncpg", ""))
    try:
        return int(await connection.fetchval("SELECT count(*) FROM log_entry"))
    except asyncpg.UndefinedTableError:
        return 0
    finally:
        await connection.close()


async def _change(folder: Path, number: int) -> None:
    """Let one log grow, delete another, begin a third, and replace a fourth by one of the same length."""
    base = Database(folder)
    store = Logs(base)
    found = sorted([(head.title, head) for head in await store.list("room", "")], key=lambda one: one[0])
    heads = [head for _, head in found]
    await store.append(heads[0].id, heads[0].length, [{"line": f"more {number}"}], fence=0)
    if number == 0:
        await store.delete(heads[1].id)
        first = (await store.read(heads[2].id) or pytest.fail("gone"))[1]
        await store.delete(heads[2].id)
        again = await store.create("room", "", heads[2].title, {"other": 1}, process="p", id=heads[2].id)
        await store.append(again.id, 1, [{"other": n} for n in range(len(first) - 1)], fence=0)
    made = await store.create("room", "", f"z{number}", {"n": number}, process="p")
    await store.append(made.id, 1, [{"line": "x"}], fence=0)
    await base.close()


def test_a_running_server_goes_on_until_the_last_pass_and_then_says_where_its_data_is(
    tmp_path: Path, postgres_address: str
) -> None:
    """Nothing acknowledged is lost: what it took is in PostgreSQL, and what it refuses afterwards is in neither."""
    data = tmp_path / "data"
    server = Server(data)
    try:
        body = {"rules": "lingque-29", "title": "一", "names": ["林", "周", "何", "许"], "who": WHO}
        first = server.fetch("api/tables", body)["id"]
        assert command(["admin", "move", "--from", str(data), "--to", postgres_address]) == 0
        assert server.fetch(f"api/tables/{first}", who=WHO)["title"] == "一"
        for _ in range(2):
            with pytest.raises(HTTPError, match="503"):
                server.fetch("api/tables", body | {"title": "二"})
        with pytest.raises(HTTPError, match="503"):
            server.read("readyz")
    finally:
        server.kill()
    assert server.errors.count("数据已搬到") == 1 and "Traceback" not in server.errors
    again = subprocess.run(
        [sys.executable, "-m", "quepu", "serve", "--port", "0", "--no-browser", "--data", str(data)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (again.returncode, "数据已搬到" in again.stderr) == (2, True), again.stderr
    with TestClient(create_app(unlimited(data, database=postgres_address))) as client:
        tables = client.get("/api/tables", headers={"X-Who": WHO}).json()
        assert [table["title"] for table in tables] == ["一"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_wrong_places_are_refused_in_one_sentence(
    folder: Path, tmp_path: Path, postgres_address: str, capsys: pytest.CaptureFixture[str], lang: str
) -> None:
    empty, full = tmp_path / "empty", tmp_path / "full"
    run(filled(full, logs=1, entries=2))
    before = rows(str(folder))
    for source, target, zh, en in (
        (empty, full, "没有数据库", "no database"),
        (folder, folder, "同一个", "same"),
        (folder, full, "已有数据", "not empty"),
        (folder, "postgresql://me:secret@127.0.0.1:1/x", "没有数据库服务器在听", "no database server listens"),
        (folder, "postgresql://me:secret@nohost.invalid/x", "找不到这个主机名", "the name of its host is unknown"),
        (folder, "postgres//nonsense://", "PostgreSQL", "PostgreSQL"),
        (folder, "mysql://me:secret@host/x", "postgresql://", "postgresql://"),
        (folder, f"sqlite:///{tmp_path}/other.db", "文件夹", "folder"),
        (folder, re.sub(r"/test\d+\?", "/nothere?", postgres_address), "打不开", "cannot be opened"),
    ):
        assert command(["--lang", lang, "admin", "move", "--from", str(source), "--to", str(target)]) == 2, target
        out, said = capsys.readouterr()
        assert (zh if lang == "zh" else en) in said, said
        assert len(said.strip().splitlines()) == 1 and "secret" not in said + out, said
    assert rows(str(folder)) == before
    with closing(sqlite3.connect(full / FILE)) as base:
        assert base.execute("SELECT count(*) FROM log").fetchone() == (1,)


def test_a_target_that_a_server_uses_is_refused(folder: Path, tmp_path: Path, postgres_address: str) -> None:
    server = Server(tmp_path / "other", "--database", postgres_address)
    try:
        server.fetch("api/rooms", {"name": "我", "rules": "lingque-29"})
        for source, target in ((folder, postgres_address), (postgres_address, tmp_path / "new")):
            with pytest.raises(MoveError, match="正在使用"):
                moved(source, target)
    finally:
        server.kill()


def test_a_full_disk_stops_a_move_with_a_sentence_and_it_goes_on_with_room(
    folder: Path, tmp_path: Path, postgres_address: str
) -> None:
    """PostgreSQL to a disk with room for half of it: files of the process may not grow further."""
    before = rows(str(folder))
    moved(folder, postgres_address)
    target = tmp_path / "small"
    limit = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY)); "
    words = ["admin", "move", "--from", postgres_address, "--to", str(target)]
    script = limit + f"import sys; from quepu.cli import run; sys.exit(run({words!r}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2, done.stderr
    assert "没搬完" in done.stderr and len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert command(words) == 0
    assert {name: found for name, found in rows(str(target)).items() if name != "audit"} == {
        name: found for name, found in before.items() if name != "audit"
    }


def test_a_row_that_postgresql_cannot_hold_is_named(folder: Path, postgres_address: str) -> None:
    with closing(sqlite3.connect(folder / FILE)) as base:
        base.execute("UPDATE log SET title = ? WHERE title = 't3'", ("a\0b",))
        base.commit()
    with pytest.raises(RowRefused, match="装不下 log 的一行"):
        moved(folder, postgres_address)
    run(Database(folder).open())
