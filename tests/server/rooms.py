"""Rooms of a server under test: opened, listened to, played in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from quepu.server.app import create_app
from tests.server.serving import unlimited

FAST = {"name": "我", "think": 0, "move": 0, "bank": 0, "rounds": 1, "seed": 5, "rules": "lingque-29"}


@contextmanager
def served(folder: Path) -> Iterator[TestClient]:
    with TestClient(create_app(unlimited(folder))) as client:
        yield client


def opened(client: TestClient, **more: Any) -> dict[str, Any]:
    answer = client.post("/api/rooms", json={**FAST, **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def until(socket: WebSocketTestSession, wanted: Any, most: int = 4000) -> dict[str, Any]:
    for _ in range(most):
        message: dict[str, Any] = socket.receive_json()
        if wanted(message):
            return message
    raise AssertionError("it never came")


def to_act(message: dict[str, Any]) -> bool:
    return bool((message.get("view") or {}).get("options"))


def lazy(options: list[dict[str, Any]]) -> dict[str, Any]:
    """Win, pass, else the last discard."""
    for do in ("win", "pass", "flower"):
        for option in options:
            if option["do"] == do:
                return option
    return next(option for option in reversed(options) if option["do"] == "discard")


def play_on(socket: WebSocketTestSession, over: Any) -> list[dict[str, Any]]:
    seen = []
    for _ in range(20_000):
        message = socket.receive_json()
        seen.append(message)
        if over(message):
            return seen
        if "over" in message and not message["over"]["match_over"]:
            socket.send_json({"ready": True})
        elif to_act(message):
            choice = lazy(message["view"]["options"])
            socket.send_json({"action": {k: v for k, v in choice.items() if k != "score"}, "n": message["n"]})
    raise AssertionError("the match never ended")


@contextmanager
def emptied(server: TestClient) -> Iterator[TestClient]:
    """A server that several tests share; its rooms end with each, or bots would play on behind the next one."""
    yield server
    registry = server.app.state.rooms  # type: ignore[attr-defined]  # a Starlette application has it
    for room in list(registry.rooms.values()):
        server.portal.call(room.close)  # type: ignore[union-attr]  # there is one while the client is open
    registry.rooms.clear()
