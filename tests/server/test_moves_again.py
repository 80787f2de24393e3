"""A move that was refused because the store failed may have been written: sent again as it was, it is made once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quepu.errors import Text
from quepu.server.store.database import StoreError
from quepu.server.store.logs import Logs
from tests.server.rooms import lazy, opened, served, to_act, until


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with served(tmp_path) as made:
        yield made


def own(client: TestClient, room: str, seat: str) -> int:
    """How often a seat has discarded or answered an offer in the log of a room."""
    found = client.portal.call(client.app.state.rooms.logs.read, room)  # type: ignore[attr-defined,union-attr]
    lines = [json.loads(entry.body["line"]) for entry in found[1] if "line" in entry.body]
    return sum(("a" in one or one.get("e") == "discard") and one["seat"] == seat for one in lines)


@pytest.mark.parametrize("written", [True, False])
@pytest.mark.parametrize("do", ["discard", "pass"])
def test_a_move_sent_again_is_made_once(
    do: str, written: bool, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    sat = opened(client, rounds=16)
    with client.websocket_connect(f"/api/rooms/{sat['room']}/ws") as socket:
        socket.send_json({"token": sat["token"]})
        socket.send_json({"ready": True})
        while True:
            turn = until(socket, to_act)
            options = turn["view"]["options"]
            chosen = next((one for one in options if one["do"] == do), None)
            if chosen is not None and not any(one["do"] == "win" for one in options):
                break
            socket.send_json({"action": lazy(options), "n": turn["n"]})
        move = {"action": {key: value for key, value in chosen.items() if key != "score"}, "n": turn["n"]}
        before = own(client, sat["room"], turn["view"]["seat"])
        real, failed = Logs.append, []

        async def failing(logs: Logs, id: str, seen: int, bodies: Any, *more: Any, **named: Any) -> Any:
            if id != sat["room"] or failed:
                return await real(logs, id, seen, bodies, *more, **named)
            failed.append(bodies)
            if written:
                await real(logs, id, seen, bodies, *more, **named)
            raise StoreError(*Text("磁盘满了。", "the disk is full."))

        monkeypatch.setattr(Logs, "append", failing)
        socket.send_json(move)
        until(socket, lambda message: "view" in message)  # the room is read again, from what was written
        assert failed
        for _ in range(2):
            socket.send_json(move)
            socket.send_json({"ping": 1})
            until(socket, lambda message: "pong" in message)
        assert own(client, sat["room"], turn["view"]["seat"]) == before + 1


def test_what_is_sent_while_the_room_is_read_is_not_lost(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = client.app.state.rooms  # type: ignore[attr-defined]  # the application's own state
    sat = opened(client)
    real, read = rooms.visit, asyncio.Event()

    async def slow(*given: Any) -> Any:
        await read.wait()
        return await real(*given)

    monkeypatch.setattr(rooms, "visit", slow)
    with client.websocket_connect(f"/api/rooms/{sat['room']}/ws") as socket:
        socket.send_json({"token": sat["token"]})
        socket.send_json({"ready": True})
        assert client.portal is not None
        client.portal.call(read.set)
        received: list[dict[str, Any]] = []
        while not (received and to_act(received[-1])):
            received.append(socket.receive_json())
    assert not any("refused" in message for message in received)
