"""What one address may cost the server: rooms, strong bots, hints, sockets, messages."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from quepu.fast import result_cache
from quepu.folders import cache_folder
from quepu.rulebooks.house_rules import book_of
from quepu.server.app import Settings, create_app
from quepu.server.rooms import playing
from quepu.server.rooms.bot_pool import BotPools
from quepu.server.rooms.bot_turns import BotTurns
from quepu.server.rooms.messages import RoomSpec
from quepu.server.rooms.places import RoomError
from tests.loop import run

HOUSE = 'base = "guobiao"\nminimum = {0}\nid = "h{0}"'


def served(folder: Path, **limits: Any) -> TestClient:
    return TestClient(create_app(Settings(data=folder, **limits)))


def opened(client: TestClient, **spec: Any) -> Any:
    return client.post("/api/rooms", json={"name": "甲", "move": 0, "bank": 0, "think": 0} | spec)


def test_rooms_of_one_address(tmp_path: Path) -> None:
    with served(tmp_path, open_rooms=2, rooms=3) as client:
        first = opened(client, bots=[""] * 4).json()
        assert opened(client, bots=[""] * 4).status_code == 200
        refused = opened(client)
        assert (refused.status_code, "房间太多" in refused.json()["error"]) == (400, True)
        with client.websocket_connect(f"/api/rooms/{first['room']}/ws") as socket:
            socket.send_json({"token": first["token"]})
            socket.send_json({"ready": True})
            while socket.receive_json().get("phase") != "playing":
                pass
        assert opened(client).status_code == 200
        assert opened(client).status_code == 400


def test_strong_bots_under_house_rules(tmp_path: Path) -> None:
    with served(tmp_path, tables_burst=1, open_rooms=50) as client:
        spec = {"bots": ["", "master", "plain", "plain"]}
        assert opened(client, house=HOUSE.format(9), **spec).status_code == 200
        refused = opened(client, house=HOUSE.format(10), **spec)
        assert (refused.status_code, "很久" in refused.json()["error"]) == (400, True)
        assert opened(client, **spec).status_code == 200
        assert opened(client, house=HOUSE.format(11)).status_code == 200
        assert opened(client, bots=["", "nobody", "", ""]).status_code == 400
        assert opened(client, bots=["", "exec:true", "", ""]).status_code == 400


def test_each_kind_of_bot_has_its_own_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    pools = BotPools()
    calls = []
    for name in ("quick", "strong", "house"):

        async def choose(*_given: Any, name: str = name) -> int:
            calls.append(name)
            return 0

        monkeypatch.setattr(getattr(pools, name), "choose", choose)

    async def go() -> None:
        for house in ("", HOUSE.format(9)):
            for level in ("plain", "master"):
                await pools.choose("guobiao", house, level, None, [])  # type: ignore[arg-type]  # looked at by nobody

    run(go())
    assert calls == ["quick", "strong", "quick", "house"]


def test_tables_of_house_rules_take_only_so_much_of_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    monkeypatch.setattr(result_cache, "HOUSE_QUOTA", 2500)

    def table(number: int) -> Path:
        return result_cache.cache_path("payable", book_of("", HOUSE.format(number)), "closed", ".npy")

    assert result_cache.cache_path("payable", book_of("guobiao", ""), "closed", ".npy").parent == cache_folder()
    for number in (9, 10):
        result_cache.store(table(number), lambda file: file.write(bytes(1000)))
    now = table(10).stat().st_mtime
    for number, seconds in ((9, 9), (10, 5)):
        os.utime(table(number), (now - seconds, now - seconds))
    result_cache.mark_used(table(9))
    result_cache.store(table(11), lambda file: file.write(bytes(1000)))
    assert [table(number).exists() for number in (9, 10, 11)] == [True, False, True]


def test_a_hint_is_worked_out_once_for_each_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(tmp_path) as client:
        calls = []
        work = client.app.state.rooms.hints  # type: ignore[attr-defined]  # the application's own state

        async def working(asker: str, *_given: Any) -> Any:
            calls.append(asker)
            await asyncio.sleep(0)
            return {"hint": {"outlook": {}}}

        monkeypatch.setattr(work, "run", working)
        monkeypatch.setattr(work, "has_begun", lambda: True)
        monkeypatch.setattr(client.app.state.rooms.preparation, "is_ready", lambda *_: True)  # type: ignore[attr-defined]  # the same
        sat = opened(client, bots=[""] * 4, seed=5).json()
        with client.websocket_connect(f"/api/rooms/{sat['room']}/ws") as socket:
            socket.send_json({"token": sat["token"]})
            socket.send_json({"ready": True})
            while socket.receive_json().get("phase") != "playing":
                pass
            for _ in range(20):
                socket.send_json({"hint": True})
            hints = 0
            while hints < 20:
                hints += "hint" in socket.receive_json()
        assert calls
        assert len(calls) <= 4, "once, or once more for each bot that moved meanwhile"
        assert set(calls) == {"testclient"}


def test_handshakes_and_open_sockets_of_one_address(tmp_path: Path) -> None:
    with served(tmp_path, hello_rate=1e-6, hello_burst=3, sockets=2) as client:
        room = opened(client).json()["room"]
        path = f"/api/rooms/{room}/ws"
        refused = pytest.raises(WebSocketDisconnect)
        with client.websocket_connect(path), client.websocket_connect(path), refused, client.websocket_connect(path):
            pass
        with client.websocket_connect(path):
            pass
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(path):
            pass


def test_rooms_and_stored_bytes_of_an_account_are_its_own_wherever_it_is(tmp_path: Path) -> None:
    who = {"who": "somebody-1234"}
    table = {**who, "rules": "guobiao", "names": list("甲乙丙丁")}
    with served(tmp_path, open_rooms=2, stored_burst=6000, stored_rate=1e-3) as client:
        account = client.post("/api/account/register", json={"name": "林", "password": "long enough"}).json()
        key = f"account {client.portal.call(client.app.state.accounts.who, account['token']).id}"
        registry, storing = client.app.state.rooms, client.app.state.storing
        spec = RoomSpec(bots=[""] * 4)
        for address in ("10.0.0.1", "10.0.0.2"):
            client.portal.call(registry.open, spec, address, [address, key])
        with pytest.raises(RoomError, match="房间太多"):
            client.portal.call(registry.open, spec, "10.0.0.3", ["10.0.0.3", key])
        client.portal.call(registry.open, spec, "10.0.0.3", ["10.0.0.3"])
        assert client.post("/api/tables", json=table).status_code == 201
        client.cookies.clear()
        storing.spend([key], 6000)
        assert client.post("/api/tables", json=table).status_code == 201  # from here, and not of the account
        refused = client.post("/api/tables", json=table, headers={"authorization": f"Bearer {account['token']}"})
        assert (refused.status_code, "存" in refused.json()["error"]) == (429, True)
        assert int(refused.headers["retry-after"]) > 0
        storing.spend(["testclient"], 6000)
        made = client.get("/api/tables", headers={"x-who": who["who"]}).json()
        change = {"seen": 1, "do": "add", "record": {"kind": "hand", "winner": None}}
        for path, body in (
            ("/api/tables", table),
            (f"/api/tables/{made[0]['id']}", change),
            (f"/api/tables/{made[0]['id']}/reader", {}),
            ("/api/replays", {**who, "text": "x"}),
            ("/api/rooms", {"name": "甲"}),
        ):
            assert client.post(path, json=body).status_code == 429, path
        assert client.get(f"/api/tables/{made[0]['id']}").status_code == 200


def test_what_is_played_is_paid_for_by_who_opened_the_table(tmp_path: Path) -> None:
    with served(tmp_path, stored_rate=1e-3) as client:
        sat = opened(client, seed=3).json()
        storing = client.app.state.storing
        left = storing._buckets._count_left("testclient")
        with client.websocket_connect(f"/api/rooms/{sat['room']}/ws") as socket:
            socket.send_json({"token": sat["token"]})
            socket.send_json({"ready": True})
            while socket.receive_json().get("phase") != "playing":
                pass
        assert 500 < left - storing._buckets._count_left("testclient") < 50_000


def test_a_table_that_nobody_looks_at_goes_on_slowly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[float] = []
    start = BotTurns.start

    def noted(self: BotTurns, *given: Any) -> None:
        calls.append(given[-1])
        start(self, *given)

    monkeypatch.setattr(BotTurns, "start", noted)
    with served(tmp_path) as client:
        sat = opened(client, seed=3).json()
        with client.websocket_connect(f"/api/rooms/{sat['room']}/ws") as socket:
            socket.send_json({"token": sat["token"]})
            socket.send_json({"ready": True})
            while not (socket.receive_json().get("view") or {}).get("options"):
                pass
            assert set(calls) <= {0.0}
        client.post(f"/api/rooms/{sat['room']}/leave", headers={"x-token": sat["token"]})
        for _ in range(3000):
            if playing.ABANDONED in calls:
                break
            time.sleep(0.02)
        assert calls[-1] == playing.ABANDONED


def test_who_says_nothing_at_a_table_without_a_clock_is_played_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "SILENT", 0.3)
    with served(tmp_path) as client:
        sat = opened(client, seed=5, bots=["", "", "plain", "plain"], move=0, bank=0).json()
        other = client.post(f"/api/rooms/{sat['room']}/sit", json={"name": "乙"}).json()
        path = f"/api/rooms/{sat['room']}/ws"
        with client.websocket_connect(path) as mute, client.websocket_connect(path) as socket:
            for line, token in ((mute, sat["token"]), (socket, other["token"])):
                line.send_json({"token": token})
                line.send_json({"ready": True})
            for _ in range(400):  # both say nothing: each is played for, and the table tells so
                message = socket.receive_json()
                if "room" in message and all(place["level"] for place in message["room"]["places"]):
                    break
            else:
                raise AssertionError("the table hung")
            socket.send_json({"action": {"do": "pass"}, "n": -5})
            for _ in range(400):
                message = socket.receive_json()
                if "room" in message and not message["room"]["places"][1]["level"]:
                    return
            raise AssertionError("he is not taken to be there")


def test_an_account_pays_beside_its_addresses(tmp_path: Path) -> None:
    with served(tmp_path, sockets=2) as client:
        made = client.post("/api/account/register", json={"name": "林", "password": "a long password"}).json()
        room = opened(client, bots=[""] * 4).json()["room"]
        hand = {"hand": "123456789m1p(234p)1p", "rules": "guobiao"}
        assert client.post("/api/waits", json=hand).status_code == 200
        work = client.app.state.work  # type: ignore[attr-defined]  # the application's own state
        (account,) = (who for who in work.budget.buckets if who.startswith("account "))
        assert work.budget.buckets[account][0] < work.budget.burst
        work.budget.spend(account, 1e6)
        assert client.post("/api/waits", json=hand).status_code == 429
        session, path = client.cookies["quepu_session"], f"/api/rooms/{room}/ws"
        client.cookies.clear()
        assert client.post("/api/waits", json=hand).status_code == 200, "the address has not used up its own"
        bearer = {"authorization": f"Bearer {session}"}
        with client.websocket_connect(path, headers=bearer), client.websocket_connect(path, headers=bearer):
            sockets = client.app.state.sockets  # type: ignore[attr-defined]
            assert (sockets.open, sockets._open[account]) == (2, 2)
            sockets._open["testclient"] = 0  # as if it came from elsewhere
            with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect(path, headers=bearer):
                pass
            assert (denied.value.status_code, denied.value.headers["retry-after"]) == (503, "5")
            assert "太多" in denied.value.json()["error"]
        assert made["name"] == "林"
