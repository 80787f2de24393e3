"""What a stranger may do at tables of others, and what he may be called."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from quepu.match import read_log
from quepu.rulebooks import book
from quepu.server.app import Settings, create_app
from quepu.server.device.stores import DeviceLogs
from quepu.server.names import like_a_bot, skeleton, storable, visible
from quepu.server.rooms import broadcast
from quepu.server.rooms.broadcast import _yield_missed
from quepu.server.rooms.lobby import DESERTED
from quepu.server.rooms.record import RoomLog
from quepu.server.rooms.redaction import redact
from quepu.server.store.database import Database
from tests.loop import run
from tests.match.test_log import play_match
from tests.server.serving import unlimited


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    settings = unlimited(tmp_path, open_rooms=1000, rooms=1000)
    with TestClient(create_app(settings), raise_server_exceptions=False) as made:
        yield made


def opened(client: TestClient, **spec: Any) -> dict[str, Any]:
    answer = client.post("/api/rooms", json={"name": "甲", "move": 0, "bank": 0, "think": 0, "bots": [""] * 4} | spec)
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()
    return made


def until(socket: Any, key: str) -> dict[str, Any]:
    for _ in range(200):
        redacted: dict[str, Any] = socket.receive_json()
        if key in redacted:
            return redacted
    raise AssertionError(key)


def test_names_that_are_not_what_they_seem() -> None:
    assert visible("\u200b\u2066甲\u202e \u3000乙\u3164") == "甲 乙"
    assert [visible(name) for name in ("\u3164", "\u2800", "\u200b\u202e", " \u00a0")] == [""] * 4
    assert skeleton("\u0410nna") == skeleton("anna") == skeleton("\uff21nn\u0430")
    assert skeleton("周 明") == skeleton("周明")
    assert like_a_bot("\u200b电脑2·大师")
    assert like_a_bot("電腦１")
    assert not like_a_bot("电脑爱好者")
    assert storable("a\0\ud800\n林") == "a林"


def test_nobody_takes_a_name_that_looks_like_anothers(client: TestClient) -> None:
    token = client.post("/api/account/register", json={"name": "Anna", "password": "long enough"}).json()["token"]
    client.cookies.clear()
    room = opened(client)["room"]

    def sit(name: str, **headers: str) -> Any:
        return client.post(f"/api/rooms/{room}/sit", json={"name": name}, headers=headers)

    for name in ("\u200b电脑2·大师", "\u3164", "甲\u200b", "Anna", "\u0410nna", "ANNA "):
        assert sit(name).status_code == 400, name
    assert sit("\u202e乙").status_code == 200
    assert sit("Anna", authorization=f"Bearer {token}").status_code == 200
    places = client.get(f"/api/rooms/{room}").json()["places"]
    assert [(place["name"], place["member"]) for place in places[:3]] == [("甲", False), ("乙", False), ("Anna", True)]
    for name in ("\u0410nna", "ﷺ" * 24, "电脑1·新手"):
        assert client.post("/api/account/register", json={"name": name, "password": "long enough"}).status_code in (
            400,
            409,
        )


def test_who_opened_a_table_sends_people_away_and_closes_the_door(client: TestClient) -> None:
    mine = opened(client)
    path = f"/api/rooms/{mine['room']}"
    other = client.post(f"{path}/sit", json={"name": "乙"}).json()
    with client.websocket_connect(f"{path}/ws") as host, client.websocket_connect(f"{path}/ws") as guest:
        host.send_json({"token": mine["token"]})
        guest.send_json({"token": other["token"]})
        assert until(guest, "room")["room"]["host"] == 0
        guest.send_json({"kick": 0})
        assert "房主" in until(guest, "refused")["refused"]["zh"]
        for wrong in (0, 2, 7, "x", True, None, [1]):
            host.send_json({"kick": wrong})
            assert until(host, "refused")
        host.send_json({"kick": 1})
        assert "请你离开" in until(guest, "refused")["refused"]["zh"]
        with pytest.raises(WebSocketDisconnect):
            until(guest, "never")
        host.send_json({"closed": True})
        host.send_json({"ping": 1})
        until(host, "pong")
        assert client.get(path).json()["closed"]
        assert client.post(f"{path}/sit", json={"name": "丙"}).status_code == 400
        host.send_json({"closed": False})
        host.send_json({"ping": 1})
        until(host, "pong")
    assert client.post(f"{path}/sit", json={"name": "丙"}).status_code == 200


def test_a_place_is_held_for_a_name(client: TestClient) -> None:
    token = client.post("/api/account/register", json={"name": "Anna", "password": "long enough"}).json()["token"]
    client.cookies.clear()
    mine = opened(client)
    path = f"/api/rooms/{mine['room']}"

    def sit(name: str, place: int | None = None, **headers: str) -> Any:
        return client.post(f"{path}/sit", json={"name": name, "place": place}, headers=headers)

    with client.websocket_connect(f"{path}/ws") as host, client.websocket_connect(f"{path}/ws") as watcher:
        host.send_json({"token": mine["token"]})
        watcher.send_json({})
        watcher.send_json({"reserve": 1, "name": "客"})
        assert until(watcher, "refused")
        for wrong in (
            {"reserve": 0, "name": "x"}, {"reserve": 9, "name": "x"}, {"reserve": True, "name": "x"}, {"reserve": [1]},
            {"reserve": 1, "name": 5}, {"reserve": 1, "name": "电脑2·大师"},
        ):  # fmt: skip
            host.send_json(wrong)
            assert until(host, "refused"), wrong
        for place, name in ((1, "Anna"), (2, "林"), (3, "周")):
            host.send_json({"reserve": place, "name": name})
        host.send_json({"ping": 1})
        until(host, "pong")
        assert [place["reserved"] for place in client.get(path).json()["places"]] == ["", "Anna", "林", "周"]
        assert sit("客").status_code == 400  # nothing is left for him
        assert "留给" in sit("客", 2).json()["error"]
        assert sit("Anna").status_code == 400  # it is an account's name, and he is not logged in
        assert sit("Anna", authorization=f"Bearer {token}").json()["place"] == 1
        assert sit("林").json()["place"] == 2
        host.send_json({"reserve": 3, "name": ""})
        host.send_json({"ping": 2})
        until(host, "pong")
        assert sit("客").json()["place"] == 3


def test_what_a_host_decides_outlives_the_server(tmp_path: Path) -> None:
    with TestClient(create_app(Settings(data=tmp_path))) as client:
        mine = opened(client)
        path = f"/api/rooms/{mine['room']}"
        first = client.post(f"{path}/sit", json={"name": "乙", "place": 3}).json()
        guest = client.post(f"{path}/sit", json={"name": "丙", "place": 1}).json()
        with client.websocket_connect(f"{path}/ws") as host:
            host.send_json({"token": mine["token"]})
            for message in ({"reserve": 2, "name": "林"}, {"closed": True}, {"ping": 1}):
                host.send_json(message)
            until(host, "pong")
        assert client.post(f"{path}/leave", headers={"x-token": mine["token"]}).json()["host"] == 3
    with TestClient(create_app(Settings(data=tmp_path))) as client:
        head = client.get(path).json()
        assert [place["reserved"] for place in head["places"]] == ["", "", "林", ""]
        assert head["closed"]
        assert head["host"] == 3, "who came before the other one"
        with client.websocket_connect(f"{path}/ws") as host:
            host.send_json({"token": guest["token"]})
            host.send_json({"closed": False})
            assert "房主" in until(host, "refused")["refused"]["zh"]
        with client.websocket_connect(f"{path}/ws") as host:
            host.send_json({"token": first["token"]})
            for message in ({"closed": False}, {"ping": 1}):
                host.send_json(message)
            until(host, "pong")
        assert "留给" in client.post(f"{path}/sit", json={"name": "客", "place": 2}).json()["error"]
        assert client.post(f"{path}/sit", json={"name": "林"}).json()["place"] == 2
        client.post(f"{path}/leave", headers={"x-token": first["token"]})
        assert client.get(path).json()["host"] == 1, "who came since the start came last"


def test_the_lobby_is_for_everybody(client: TestClient) -> None:
    for number in range(5):
        opened(client, title=f"我的 {number}")
    quiet = opened(client, bots=["", "plain", "plain", "plain"])["room"]
    house = client.app.state.rooms  # type: ignore[attr-defined]  # the application's own state
    theirs = opened(client, title="别人的")["room"]
    house.rooms[theirs].opener = "203.0.113.9"
    house.rooms[theirs].record.updated -= 30
    house.lobby._last = (-1e9, [])
    found = client.get("/api/rooms").json()
    assert [room["title"] for room in found[:3]] == ["我的 4", "别人的", "我的 3"]
    assert quiet not in [room["id"] for room in found]
    assert [room["title"] for room in client.get("/api/rooms?start=1&most=1").json()] == ["别人的"]
    house.rooms[theirs].record.updated -= DESERTED  # nobody has been there since
    house.lobby._last = (-1e9, [])
    assert theirs not in [room["id"] for room in client.get("/api/rooms").json()]


def test_who_requests_nothing_that_is_there_writes_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    table = client.post("/api/tables", json={"who": "somebody-1", "names": list("甲乙丙丁")}).json()["id"]
    house = client.app.state.rooms  # type: ignore[attr-defined]  # the application's own state

    async def take(_id: str) -> None:
        raise AssertionError("this would lock the database")

    monkeypatch.setattr(house.owners, "take", take)
    for _ in range(2):
        for id in ("nothing", table):
            assert client.get(f"/api/rooms/{id}").status_code == 404


def test_a_room_that_cannot_be_read_stops_nobody(tmp_path: Path) -> None:
    with TestClient(create_app(Settings(data=tmp_path))) as client:
        rooms = []
        for seed in range(3):
            sat = opened(client, bots=["", "plain", "plain", "plain"], seed=seed)
            with client.websocket_connect(f"/api/rooms/{sat['room']}/ws") as socket:
                socket.send_json({"token": sat["token"]})
                socket.send_json({"ready": True})
                while until(socket, "phase")["phase"] != "playing":
                    pass
            rooms.append(sat["room"])

    async def spoil() -> None:
        database = Database(tmp_path)
        async with database.writing() as session:
            spoiled = text("UPDATE log_entry SET body = replace(body, 'lingque', 'lingqve') WHERE log = :log")
            await session.execute(spoiled, {"log": rooms[2]})  # touched last: looked at first
        await database.close()

    run(spoil())
    with TestClient(create_app(Settings(data=tmp_path))) as client:
        for room in rooms[:2]:
            assert client.get(f"/api/rooms/{room}").json()["phase"] in ("playing", "between")
        for _ in range(2):
            refused = client.get(f"/api/rooms/{rooms[2]}")
            assert (refused.status_code, "读不了" in refused.json()["error"]) == (400, True)
        with client.websocket_connect(f"/api/rooms/{rooms[2]}/ws") as socket:
            socket.send_json({})
            assert "读不了" in socket.receive_json()["refused"]["zh"]


def test_what_no_program_sends(client: TestClient) -> None:
    for path in ("/" + "x" * 256, "/api/rooms/%00", "/api/replays?q=%00", "/" + "x" * 60_000, "/assets/" + "x" * 300):
        answer = client.get(path)
        assert answer.status_code in (200, 404), path
        assert "content-security-policy" in answer.headers
    sat = opened(client)
    with client.websocket_connect(f"/api/rooms/{sat['room']}/ws") as socket:
        socket.send_text('{"token": "\\ud800"}')
        assert "refused" in socket.receive_json()
    with client.websocket_connect(f"/api/rooms/{sat['room']}/ws") as socket:
        socket.send_json({"token": sat["token"]})
        for name in ("乙", "丙", "丁"):
            client.post(f"/api/rooms/{sat['room']}/sit", json={"name": name})
        socket.send_json({"action": {"do": ["a"]}})
        assert "refused" in until(socket, "refused")
        socket.send_json({"ping": 3})
        assert until(socket, "pong") == {"pong": 3}


def test_a_lockout_shuts_nobody_out_who_knows_his_password(client: TestClient) -> None:
    client.post("/api/account/register", json={"name": "周明", "password": "long enough"})
    one, everywhere, _ = client.app.state.tries  # type: ignore[attr-defined]  # the application's own state
    everywhere.burst = 1e9
    client.app.state.tries[2].spend("周明", 1000)  # type: ignore[attr-defined]  # strangers have guessed
    one.buckets.clear()
    assert client.post("/api/account/login", json={"name": "周明", "password": "long enough"}).status_code == 200
    one.buckets.clear()
    assert client.post("/api/account/login", json={"name": "周明", "password": "wrong, wrong"}).status_code == 401
    refused = client.post("/api/account/login", json={"name": "周明", "password": "long enough"})
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 0


def test_who_comes_back_after_hands_sees_what_his_own_seats_saw() -> None:
    lines = play_match("yuque-54", 3)[1]
    replay = read_log(lines)
    shown = [redact(line, number) for number, line in enumerate(one for one in lines if not one.startswith('{"a":'))]
    starts = [at for at, line in enumerate(shown) if "hand" in line.shown]
    assert len({hand.place.seats for hand in replay.match.hands}) > 1

    async def heard(place: int, first: int) -> list[Any]:
        logs = DeviceLogs()
        head = await logs.create("room", "", "", {"room": {}})
        record = RoomLog(head.id, logs, 0)
        for line in lines:
            record.line(line)
        await record.save()
        room: Any = SimpleNamespace(
            game=SimpleNamespace(match=replay.match, first_hands={}), record=record, book=book("yuque-54")
        )
        return [message async for chunk in _yield_missed(room, place, first, record.shown) for message in chunk]

    for first in (0, starts[1] + 7, starts[2] - 3):
        for place in range(4):
            messages = run(heard(place, first))
            for at, (line, message) in enumerate(zip(shown[first:], messages, strict=True), first):
                number = sum(start <= at for start in starts)
                if line.owner is not None:
                    seat = replay.hands[number - 1].place.seats.index(place)
                    assert (message == line.shown) == (seat == line.owner), at


@pytest.mark.parametrize(("every", "sent"), [(3600.0, False), (0.0, True)])
def test_many_who_come_to_watch_and_go_send_others_few_messages(
    every: float, sent: bool, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "HEAD_EVERY", every)
    sat = opened(client)
    address = f"/api/rooms/{sat['room']}/ws"
    with client.websocket_connect(address) as player:
        player.send_json({"token": sat["token"]})
        player.send_json({"ping": 1})
        until(player, "pong")
        for _ in range(10):
            with client.websocket_connect(address) as watching:
                watching.send_json({})
                watching.receive_json()
        player.send_json({"ping": 2})
        heads = 0
        while "pong" not in (message := player.receive_json()):
            heads += "room" in message
    assert (heads > 0) == sent
