"""Every message that a room sends is one of the union that the client's types are generated from."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from quepu.server.rooms.socket_messages import ANY_MESSAGE, SOCKET
from quepu.table.event_json import KINDS_OF_EVENT
from tests.server.flat_hints import flat_hints
from tests.server.rooms import opened, served, to_act


@pytest.mark.parametrize(
    "rules", ["guobiao", *(pytest.param(name, marks=pytest.mark.long) for name in ("lingque-29", "canton"))]
)
def test_every_message_is_one_of_the_union(tmp_path: Path, rules: str) -> None:
    seen: set[str] = set()
    rng = random.Random(rules)

    def check(message: dict[str, Any]) -> dict[str, Any]:
        found = ANY_MESSAGE.validate_python(message, strict=True)
        again = found.model_dump(by_alias=True, exclude_unset=True)
        assert again == message
        seen.add(type(found).__name__)
        return message

    with served(tmp_path) as client, flat_hints(client.app, tmp_path / "flat", rules):
        room = opened(client, rules=rules, move=60, hints=True, rounds=1)
        path = f"/api/rooms/{room['room']}/ws"
        with client.websocket_connect(path) as watching, client.websocket_connect(path) as socket:
            watching.send_json({})
            socket.send_json({"token": room["token"]})
            for sent in ({"ping": 3}, {"action": {"do": "chant"}}, {"ready": True}):
                socket.send_json(sent)
            ended = hinted = False
            for _ in range(4000):
                message = check(socket.receive_json())
                if "over" in message:
                    ended = True
                    break
                if to_act(message):
                    if not hinted:
                        socket.send_json({"hint": True})
                        hinted = True
                    options = message["view"]["options"]
                    wins = [option for option in options if option["do"] in ("win", "pung", "kong")]
                    chosen = rng.choice(wins or options)
                    action = {key: value for key, value in chosen.items() if key != "score"}
                    socket.send_json({"action": action, "n": message["n"]})
            assert ended
            with client.websocket_connect(path) as second:
                second.send_json({"token": room["token"], "after": 0})
                check(second.receive_json())
                for _ in range(50):
                    if "taken" in check(socket.receive_json()):
                        break
            for _ in range(5):
                check(watching.receive_json())
    wanted = {"RoomMessage", "HiddenMessage", "EventMessage", "HandMessage", "PaidMessage", "Snapshot", "OverMessage"}
    assert seen >= wanted | {"PongMessage", "RefusedMessage", "HintMessage", "LogMessage", "TakenMessage"}
    assert {shape.__name__ for shape in SOCKET} >= seen


def test_the_kinds_of_event_are_those_of_the_table() -> None:
    from quepu.server.rooms.socket_messages import TableEvent

    assert TableEvent.model_json_schema()["properties"]["e"]["enum"] == list(KINDS_OF_EVENT)
