"""What one address may cost the server: rooms, strong bots, hints, sockets, messages."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from quepu.enumeration import result_cache
from quepu.folders import cache_folder
from quepu.rulebooks.house_rules import book_of
from quepu.server.app import Settings, create_app
from quepu.server.budget import Buckets, whole
from quepu.server.rooms.bot_pool import Lanes
from tests.loop import run

HOUSE = 'base = "guobiao"\nminimum = {0}\nid = "h{0}"'


def served(folder: Path, **limits: Any) -> TestClient:
    return TestClient(create_app(Settings(data=folder, **limits)))


def opened(client: TestClient, **spec: Any) -> Any:
    return client.post("/api/rooms", json={"name": "甲", "move": 0, "bank": 0, "think": 0} | spec)


def test_buckets_refill_and_forget_the_oldest() -> None:
    now = 0.0
    buckets = Buckets(rate=2, burst=3, clock=lambda: now, most=2)
    assert [buckets.wait("a") for _ in range(4)] == [0, 0, 0, 0.5]
    now = 1.0
    assert buckets.wait("a", cost=2) == 0
    buckets.spend("a", 5)
    assert buckets.empty("a") == pytest.approx(2.5, abs=0.01)
    buckets.wait("b")
    buckets.wait("c")
    assert buckets.empty("a") == 0, "forgotten"


def test_addresses() -> None:
    assert whole("203.0.113.7") == "203.0.113.7"
    assert whole("::ffff:203.0.113.7") == "203.0.113.7"
    assert whole("2001:db8:1:2:3:4:5:6") == whole("2001:db8:1:2::9") == "2001:db8:1:2::/64"
    assert whole("2001:db8:1:3::9") != whole("2001:db8:1:2::9")
    assert whole("fe80::1%eth0") == "fe80::/64"
    assert whole("testclient") == "testclient"


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
    with served(tmp_path, strong_burst=1, open_rooms=50) as client:
        spec = {"bots": ["", "master", "plain", "plain"]}
        assert opened(client, house=HOUSE.format(9), **spec).status_code == 200
        refused = opened(client, house=HOUSE.format(10), **spec)
        assert (refused.status_code, "很久" in refused.json()["error"]) == (400, True)
        assert opened(client, **spec).status_code == 200
        assert opened(client, house=HOUSE.format(11)).status_code == 200
        assert opened(client, bots=["", "nobody", "", ""]).status_code == 400
        assert opened(client, bots=["", "exec:true", "", ""]).status_code == 400


def test_each_kind_of_bot_has_its_own_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    lanes = Lanes()
    asked = []
    for name in ("quick", "strong", "house"):

        async def ask(*_given: Any, name: str = name) -> int:
            asked.append(name)
            return 0

        monkeypatch.setattr(getattr(lanes, name), "ask", ask)

    async def go() -> None:
        for house in ("", HOUSE.format(9)):
            for level in ("plain", "master"):
                await lanes.ask("guobiao", house, level, None, [])  # type: ignore[arg-type]  # looked at by nobody

    run(go())
    assert asked == ["quick", "strong", "quick", "house"]


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
    result_cache.used(table(9))
    result_cache.store(table(11), lambda file: file.write(bytes(1000)))
    assert [table(number).exists() for number in (9, 10, 11)] == [True, False, True]


def test_a_hint_is_worked_out_once_for_each_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(tmp_path) as client:
        asked = []
        work = client.app.state.house.work  # type: ignore[attr-defined]  # the application's own state

        async def working(asker: str, *_given: Any) -> Any:
            asked.append(asker)
            await asyncio.sleep(0)
            return {"hint": {"outlook": {}}}

        monkeypatch.setattr(work, "run", working)
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
        assert asked
        assert len(asked) <= 4, "once, or once more for each bot that moved meanwhile"
        assert set(asked) == {"testclient"}


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
