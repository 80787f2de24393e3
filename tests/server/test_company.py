"""People at one table: whose place is free, who sits where, who does not move, what they say, what watchers see."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from quepu.bots.protocol import heavy
from quepu.fast.nearest.gain_files import unbuilt
from quepu.rulebooks import book
from quepu.server.budget import Buckets
from quepu.server.limits import Limits
from quepu.server.rooms import playing, preparation, start
from quepu.server.rooms.bot_pool import UNPREPARED, BotPools
from quepu.server.rooms.preparation import Preparation
from quepu.server.work import building
from quepu.server.work.pool import Pool
from tests.loop import run
from tests.review.flat import write_flat
from tests.server.rooms import opened, play_on, served, to_act, until


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with served(tmp_path_factory.mktemp("company")) as made:
        yield made


def sit(client: TestClient, room: str, name: str, place: int | None = None) -> Any:
    return client.post(f"/api/rooms/{room}/sit", json={"name": name, "place": place})


@contextmanager
def line(client: TestClient, room: str, token: str | None) -> Iterator[WebSocketTestSession]:
    with client.websocket_connect(f"/api/rooms/{room}/ws") as socket:
        socket.send_json({"token": token} if token else {})
        yield socket


def test_a_bots_place_is_nobodys_until_the_host_frees_it(client: TestClient) -> None:
    me = opened(client)
    room = me["room"]
    assert "没有空位" in sit(client, room, "生客").json()["error"]
    assert "房主让出来" in sit(client, room, "生客", 2).json()["error"]
    with line(client, room, me["token"]) as socket:
        socket.send_json({"kick": 2})
        head = until(socket, lambda m: "room" in m and m["room"]["free"])["room"]
        assert [place["kind"] for place in head["places"]] == ["person", "bot", "free", "bot"]
        assert sit(client, room, "朋友").json()["place"] == 2
    client.portal.call(client.app.state.rooms.drop, room)  # type: ignore[attr-defined]  # out of memory: read again
    places = client.get(f"/api/rooms/{room}").json()["places"]
    assert [(place["kind"], place["name"]) for place in places][2] == ("person", "朋友")


def test_places_are_drawn_and_salts_are_in_the_first_wall(client: TestClient) -> None:
    me = opened(client, bots=["", "", "plain", "plain"], seed=None, shuffle=True)
    other = sit(client, me["room"], "朋友").json()
    rooms = client.app.state.rooms  # type: ignore[attr-defined]  # the application's own state
    with line(client, me["room"], me["token"]) as mine, line(client, me["room"], other["token"]) as theirs:
        for socket in (mine, theirs):
            socket.send_json({"ready": True})
        seats = []
        for socket in (mine, theirs):
            drawn = until(socket, lambda m: m.get("you") is not None and m["room"]["phase"] != "open")
            seats.append(drawn["you"])
            socket.send_json({"commitment": "0" * 64})
        head = until(mine, lambda m: m.get("room", {}).get("phase") == "playing")["room"]
        assert [head["places"][at]["name"] for at in seats] == ["我", "朋友"]
        for at, place in enumerate(head["places"]):
            assert place["kind"] != "bot" or f"电脑{at + 1}" in place["name"]
        sealed = json.loads(rooms.rooms[me["room"]].record._sealed)
        assert [bool(one) for one in sealed["commitments"]] == [at in seats for at in range(4)]
    client.portal.call(rooms.drop, me["room"])
    with line(client, me["room"], other["token"]) as again:
        assert until(again, lambda m: "room" in m)["you"] == seats[1]


def test_a_bot_plays_for_who_lets_the_clock_run_out_until_he_is_back(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "MISSED", 1)
    me = opened(client, bots=["", "", "plain", "plain"], move=0.2)
    other = sit(client, me["room"], "朋友").json()
    with line(client, me["room"], me["token"]) as mine, line(client, me["room"], other["token"]) as theirs:
        for socket in (mine, theirs):
            socket.send_json({"ready": True})
        until(mine, lambda m: "room" in m and m["room"]["places"][0]["level"] == "closed")
        mine.send_json({"back": True})
        until(mine, lambda m: "room" in m and m["room"]["places"][0]["level"] == "")
        theirs.send_json({"phrase": 3})
        assert until(mine, lambda m: "phrase" in m) == {"phrase": 3, "place": 1}
        theirs.send_json({"phrase": 3})
        assert "太频繁" in until(theirs, lambda m: "refused" in m)["refused"]["zh"]
        theirs.send_json({"phrase": 8})
        assert until(theirs, lambda m: "refused" in m)


def test_all_hands_are_shown_to_who_watches_late_enough(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    fast = {"name": "我", "bots": ["", "plain", "plain", "plain"], "open_hands": True}
    assert "120" in client.post("/api/rooms", json={**fast, "delay": 30}).json()["error"]
    monkeypatch.setattr(start, "OPEN_LATE", 0.0)
    me = opened(client, open_hands=True)
    with line(client, me["room"], me["token"]) as mine, line(client, me["room"], None) as watching:
        mine.send_json({"ready": True})
        own = until(mine, to_act)
        assert "hands" not in own
        seen = until(watching, lambda m: m.get("n") == own["n"] and "phase" in m)["hands"]
        assert sorted(seen) == ["E", "N", "S", "W"]
        assert sorted(seen[own["view"]["seat"]]) == sorted([*own["view"]["hand"], own["view"]["drawn"]])


@pytest.mark.parametrize("shows", [True, False])
def test_all_hands_lie_open_at_the_end_unless_the_table_agreed_otherwise(client: TestClient, shows: bool) -> None:
    me = opened(client, show_hands=shows, rounds=4)
    with line(client, me["room"], me["token"]) as socket:
        socket.send_json({"ready": True})
        over = play_on(socket, lambda m: "over" in m and m["over"]["winner"])[-1]["over"]
    assert sorted(over["hands"]) == (["E", "N", "S", "W"] if shows else [over["winner"]])
    for seat, tiles in over["hands"].items():
        melds = over["board"]["melds"]["ESWN".index(seat)]
        assert len(tiles) - (13 - 3 * len(melds)) in ((0, 1) if seat == over["winner"] else (0,))


def test_a_strong_bot_without_its_tables_plays_by_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    there: set[str] = set()
    pools = BotPools(ready=lambda rules, _house: rules in there)
    levels: list[tuple[str, str]] = []
    for name, pool in pools.pools.items():

        async def choose(_rules: str, _house: str, level: str, *_: Any, name: str = name) -> int:
            levels.append((name, level))
            return 0

        monkeypatch.setattr(pool, "choose", choose)
    run(pools.choose("guobiao", "", "master", None, []))  # type: ignore[arg-type]  # looked at by nobody
    there.add("guobiao")
    run(pools.choose("guobiao", "", "master", None, []))  # type: ignore[arg-type]
    assert levels == [("quick", UNPREPARED), ("strong", "master")]
    assert not heavy(UNPREPARED)


def test_tables_are_built_once_and_seen_when_they_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    monkeypatch.setattr(preparation, "_LOOK", 0.0)
    wanted: list[str] = []

    async def work(_pool: Pool, _asker: str, what: Any, source: building.BookSource, *_: Any) -> Any:
        wanted.append(what.__name__)
        if what is building.is_built:
            return not unbuilt(book(source.rules)) or None
        write_flat(book(source.rules), tmp_path)
        return 1.0

    monkeypatch.setattr(Pool, "run", work)
    done: list[tuple[str, str]] = []

    async def go() -> None:
        made = Preparation(building.Building(Limits(), Buckets(1, 1)), lambda *key: done.append(key))
        assert not made.is_ready("guobiao", "")
        for _ in range(3):
            made.want("guobiao", "")
        while not done:
            await asyncio.sleep(0.01)
        assert made.is_ready("guobiao", "")
        made.want("guobiao", "")
        await made.close()

    assert unbuilt(book("guobiao"))
    run(go())
    assert done == [("guobiao", "")]
    assert wanted.count("build") == 1
    assert not unbuilt(book("guobiao"))


@pytest.mark.parametrize("tables", [False, True])
def test_a_hint_without_tables_or_before_loops_are_compiled_is_by_shape_and_says_so(
    tables: bool, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = client.app.state.rooms  # type: ignore[attr-defined]  # the application's own state
    wanted: list[str] = []
    monkeypatch.setattr(rooms.preparation, "is_ready", lambda _rules, _house: tables)
    monkeypatch.setattr(rooms.hints, "has_begun", lambda: not tables)
    monkeypatch.setattr(rooms.hints, "begin", lambda: wanted.append("loops"))
    monkeypatch.setattr(rooms.preparation, "want", lambda rules, *_: wanted.append(rules))
    me = opened(client, rules="guobiao", seed=4)
    assert set(wanted) == {"guobiao"}, "tables that are shipped are there when the first hint is wanted"
    with line(client, me["room"], me["token"]) as socket:
        socket.send_json({"ready": True})
        view = until(socket, lambda m: any(one["do"] == "discard" for one in (m.get("view") or {}).get("options", [])))
        wanted.clear()
        socket.send_json({"hint": True})
        hint = until(socket, lambda m: "hint" in m)["hint"]
    assert wanted == (["loops"] if tables else ["guobiao"])
    assert hint["preparing"] is True
    assert "choices" not in hint
    assert hint["shape"]
    assert {one["tile"] for one in hint["shape"]} <= {*view["view"]["hand"], view["view"]["drawn"]}
    assert [one["missing"] for one in hint["shape"]] == sorted(one["missing"] for one in hint["shape"])


def test_the_same_people_play_again_at_one_table(client: TestClient) -> None:
    me = opened(client, bots=["", "plain", "", "steps"], name="林", seed=None, move=20, title="周五")
    friend = client.post(f"/api/rooms/{me['room']}/sit", json={"name": "周"}).json()
    again = f"/api/rooms/{me['room']}/again"
    early = client.post(again, json={"token": me["token"]})
    assert "还没有打完" in early.json()["error"]
    room = client.app.state.rooms.rooms[me["room"]]  # type: ignore[attr-defined]  # a Starlette application has it
    room.phase = "over"
    assert client.post(again, json={"token": "nobody"}).status_code == 400
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        socket.send_json({"token": me["token"]})
        assert until(socket, lambda m: "room" in m)["room"]["next"] == ""
        first = client.post(again, json={"token": friend["token"]}).json()
        assert until(socket, lambda m: m.get("room", {}).get("next"))["room"]["next"] == first["room"]
    head = client.get(f"/api/rooms/{first['room']}").json()
    assert [(one["kind"], one["name"] or one["reserved"]) for one in head["places"]] == [
        ("free", "林"), ("bot", "电脑2·新手"), ("person", "周"), ("bot", "电脑4·普通"),
    ]  # fmt: skip
    assert (head["title"], head["terms"]["move"], head["held"]) == ("周五", 20, False)
    stranger = client.post(f"/api/rooms/{first['room']}/sit", json={"name": "王"})
    assert stranger.status_code == 400
    second = client.post(again, json={"token": me["token"]}).json()
    assert (second["room"], second["place"]) == (first["room"], 0)


@pytest.mark.long
def test_the_table_where_they_play_again_is_known_after_a_restart_and_another_opened_if_it_is_gone(
    tmp_path: Path,
) -> None:
    with served(tmp_path) as client:
        me = opened(client)
        path, again = f"/api/rooms/{me['room']}", f"/api/rooms/{me['room']}/again"
        with client.websocket_connect(f"{path}/ws") as socket:
            socket.send_json({"token": me["token"]})
            socket.send_json({"ready": True})
            play_on(socket, lambda m: "over" in m and m["over"]["match_over"])
        first = client.post(again, json={"token": me["token"]}).json()["room"]
        log = client.get(f"{path}/log").text
    with served(tmp_path) as client:
        assert client.get(path).json()["next"] == first
        assert client.post(again, json={"token": me["token"]}).status_code == 400  # he sits there already
        assert client.get(f"{path}/log").text == log
        rooms = client.app.state.rooms  # type: ignore[attr-defined]  # a Starlette application has it
        client.portal.call(rooms.logs.delete, first)  # type: ignore[union-attr]  # the client is running
        client.portal.call(rooms.drop, first)  # type: ignore[union-attr]
        second = client.post(again, json={"token": me["token"]}).json()["room"]
        assert second != first
        assert client.get(path).json()["next"] == second
