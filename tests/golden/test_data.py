"""Data folders of every earlier version: everything in them opens, and what was being played goes on."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quepu.match.reader import read_log
from quepu.rulebooks.house_rules import book_of
from quepu.server.app import create_app
from quepu.server.store.moving import move, store_at
from tests.loop import run
from tests.server.rooms import play_on
from tests.server.serving import unlimited

Json = dict[str, Any]
FOLDERS = sorted(path.parent for path in Path(__file__).parent.glob("*/data.json.gz"))


@pytest.fixture(scope="module", params=FOLDERS, ids=lambda path: path.name)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the data folder."""
    place = tmp_path_factory.mktemp("golden")
    (place / "quepu.sqlite3").write_bytes(gzip.decompress((request.param / "data.sqlite3.gz").read_bytes()))
    (place / "version").write_text(request.param.name)
    (place / "data.json").write_bytes(gzip.decompress((request.param / "data.json.gz").read_bytes()))
    return place


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    with TestClient(create_app(unlimited(folder))) as made:
        yield made


@pytest.fixture(scope="module")
def expected(folder: Path) -> Json:
    """What the server of then answered."""
    found: Json = json.loads((folder / "data.json").read_bytes())
    return found


@pytest.mark.long
def test_tables_have_the_totals_they_had(client: TestClient, expected: Json) -> None:
    assert expected["tables"]
    for id, then in expected["tables"].items():
        now = client.get(f"/api/tables/{id}")
        assert now.status_code == 200, now.text
        assert [row["gains"] for row in now.json()["rows"]] == [row["gains"] for row in then["rows"]], then["title"]
        assert now.json()["totals"] == then["totals"]
        assert now.json()["place"]["seats"] == then["place"]["seats"]
    club = client.get("/api/clubs/周三夜", headers={"X-Who": expected["who"]}).json()
    assert [(line["name"], line["total"]) for line in club["standings"]] == [
        (line["name"], line["total"]) for line in expected["club"]["standings"]
    ]


def test_replays_open_with_every_hand(client: TestClient, expected: Json) -> None:
    assert expected["replays"]
    for id, then in expected["replays"].items():
        page = client.get(f"/api/replays/{id}")
        assert page.status_code == 200, page.text
        now = page.json()
        assert (now["totals"], now["players"], now["lines"]) == (
            then["page"]["totals"], then["page"]["players"], then["page"]["lines"],
        )  # fmt: skip
        assert [head["gains"] for head in now["hand_list"]] == [head["gains"] for head in then["page"]["hand_list"]]
        for number in range(1, now["hands"] + 1):
            hand = client.get(f"/api/replays/{id}/hands/{number}")
            assert hand.status_code == 200, hand.text
        assert client.get(f"/api/replays/{id}/log").text == then["log"]


def lines_then(folder: Path, room: str) -> list[str]:
    """The lines of a room's log as the server of then left it."""
    original = next(path for path in FOLDERS if path.name == (folder / "version").read_text())
    (folder / "original").write_bytes(gzip.decompress((original / "data.sqlite3.gz").read_bytes()))
    with sqlite3.connect(folder / "original") as store:
        found = store.execute("SELECT body FROM log_entry WHERE log = ? ORDER BY n", (room,)).fetchall()
    store.close()
    return [body["line"] for (text,) in found if "line" in (body := json.loads(text))]


STATES = [
    "playing",
    *(pytest.param(name, marks=pytest.mark.long) for name in ("house", "between", "promised", "shielded", "account")),
]


@pytest.mark.parametrize("name", STATES)
def test_a_match_that_was_being_played_goes_on(client: TestClient, folder: Path, expected: Json, name: str) -> None:
    """From where it stood, by the rules it began with, to its end."""
    sat = expected["sat"][name]
    before = lines_then(folder, sat["room"])
    assert before
    assert not before[-1].startswith('{"end"')
    with client.websocket_connect(f"/api/rooms/{sat['room']}/ws") as socket:
        socket.send_json({"token": sat["token"]})
        socket.send_json({"ready": True})
        play_on(socket, lambda message: message.get("over", {}).get("match_over", False))
    after = client.get(f"/api/rooms/{sat['room']}/log").text.splitlines()
    assert after[: len(before)] == before
    house = client.get(f"/api/rooms/{sat['room']}/house").text
    replay = read_log(after, book_of("", house) if house.strip() else None)
    assert replay.finished
    assert replay.problems == ()
    assert replay.book.revision == 1


def test_a_room_that_had_not_begun_begins(client: TestClient, expected: Json) -> None:
    sat = expected["sat"]["new"]
    with client.websocket_connect(f"/api/rooms/{sat['room']}/ws") as socket:
        socket.send_json({"token": sat["token"]})
        socket.send_json({"ready": True})
        assert play_on(socket, lambda message: (message.get("view") or {}).get("options"))


def test_the_account_is_known(client: TestClient, expected: Json) -> None:
    assert client.post("/api/account/login", json=expected["account"]).status_code == 200
    seats = client.get("/api/account/seats").json()
    assert [seat["room"] for seat in seats] == [expected["sat"]["account"]["room"]]


def test_one_room_that_cannot_be_read_stops_no_other(
    folder: Path, expected: Json, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A damaged log, a removed book: all other matches go on by themselves, and the log is kept."""
    database = tmp_path / "quepu.sqlite3"
    lines_then(folder, "")
    database.write_bytes((folder / "original").read_bytes())
    sat = {name: expected["sat"][name]["room"] for name in ("playing", "house", "between", "promised")}
    with sqlite3.connect(database) as store:
        store.execute(
            "UPDATE log_entry SET body = ? WHERE log = ? AND n = 5", (json.dumps({"line": "nonsense"}), sat["playing"])
        )
        for name, what, by in (("between", "yuque-54", "gone-1"), ("house", "碰碰胡", "没有的番")):
            body = store.execute("SELECT body FROM log_entry WHERE log = ? AND n = 0", (sat[name],)).fetchone()[0]
            spec = json.dumps(json.loads(body), ensure_ascii=False).replace(what, by)
            store.execute("UPDATE log_entry SET body = ? WHERE log = ? AND n = 0", (spec, sat[name]))
    store.close()
    with TestClient(create_app(unlimited(tmp_path))) as client:
        for name, status in (("playing", 400), ("between", 400), ("house", 200), ("promised", 200)):
            answer = client.get(f"/api/rooms/{sat[name]}")
            assert answer.status_code == status, (name, answer.text)
        assert "自定规则" in client.get(f"/api/rooms/{sat['house']}").json()["book"]["zh"]
        assert {sat["house"], sat["promised"]} <= client.app.state.rooms.rooms.keys()
    assert "cannot be read" in caplog.text


@pytest.mark.long
def test_the_same_data_on_postgresql(folder: Path, expected: Json, tmp_path: Path, postgres_address: str) -> None:
    """Tables and replays of then in the other store, and a match that was being played goes on there."""
    lines_then(folder, "")
    (tmp_path / "quepu.sqlite3").write_bytes((folder / "original").read_bytes())
    run(move(store_at(str(tmp_path)), store_at(postgres_address)))
    settings = unlimited(tmp_path, database=postgres_address)
    with TestClient(create_app(settings)) as client:
        test_tables_have_the_totals_they_had(client, expected)
        test_replays_open_with_every_hand(client, expected)
        test_a_match_that_was_being_played_goes_on(client, folder, expected, "playing")
