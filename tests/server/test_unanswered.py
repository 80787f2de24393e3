"""What the clock or a bot does for a person: where there is a clock, and what the log, the table and the review say."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from quepu.match.reader import read_log
from quepu.server.rooms import playing
from quepu.server.rooms.room import Room
from quepu.table.actions import timeout
from tests.server.rooms import opened, served, to_act, until

SHORT = {"move": 0.1, "bank": 0.1}


def test_one_person_among_bots_has_no_clock(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        me = opened(client, bots=["", "plain", "plain", "plain"], **SHORT)
        path = f"/api/rooms/{me['room']}"
        with client.websocket_connect(path + "/ws") as socket:
            socket.send_json({"token": me["token"]})
            socket.send_json({"ready": True})
            moment = until(socket, to_act)
            assert "clock" not in moment
            time.sleep(2.5)  # more than ten times as long as the clock that was asked for
            room: Room = client.app.state.rooms.rooms[me["room"]]  # type: ignore[attr-defined]
            assert room.record.last == moment["n"]  # nothing has happened
            terms = client.get(path).json()["terms"]
            assert (terms["move"], terms["bank"]) == (0, 0)
            choice = moment["view"]["options"][-1]
            socket.send_json({"action": {k: v for k, v in choice.items() if k != "score"}, "n": moment["n"]})
            until(socket, lambda m: m.get("n", 0) > moment["n"])  # and it goes on as before


def test_a_free_place_still_has_the_clock_that_was_agreed(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        me = opened(client, bots=["", "", "plain", "plain"], move=5, bank=20)
        terms = client.get(f"/api/rooms/{me['room']}").json()["terms"]
        assert (terms["move"], terms["bank"]) == (5, 20)


def _answered(socket: Any, moment: dict[str, Any]) -> None:
    option = moment["view"]["options"][-1]
    socket.send_json({"action": {k: v for k, v in option.items() if k != "score"}, "n": moment["n"]})


def _discarded(socket: Any) -> None:
    """Pass until it is one's turn, and discard then."""
    discards = False
    while not discards:
        moment = until(socket, to_act)
        discards = any(option["do"] == "discard" for option in moment["view"]["options"])
        _answered(socket, moment)


def test_between_people_the_clock_is_named_and_not_graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(tmp_path) as client:
        me = opened(client, bots=["", "", "plain", "plain"], move=1, bank=1, seed=8)
        path = f"/api/rooms/{me['room']}"
        friend = client.post(path + "/sit", json={"name": "乙"}).json()
        room: Room = client.app.state.rooms.rooms[me["room"]]  # type: ignore[attr-defined]

        def out_of_time(options: Any) -> Any:
            room.clock.move = 600.0  # once: after this everyone is in time, however busy the machine
            return timeout(options)

        monkeypatch.setattr(playing, "timeout", out_of_time)
        with client.websocket_connect(path + "/ws") as first, client.websocket_connect(path + "/ws") as second:
            for socket, who in ((first, me), (second, friend)):
                socket.send_json({"token": who["token"]})
                socket.send_json({"ready": True})
            moment = until(first, to_act)
            assert moment["clock"]["move"] == 1
            # the first person, East, lets the time run out
            late = until(second, lambda m: m.get("event", {}).get("e") == "discard")
            assert late["event"]["seat"] == "E"
            assert late["event"]["by"] == "clock"
            assert late["text"]["zh"].endswith("，超时")
            assert late["text"]["en"].endswith(", out of time")
            _discarded(second)
            until(first, lambda m: m.get("event", {}).get("e") == "discard" and m["event"]["seat"] == "S")
            _discarded(first)
            done = until(second, lambda m: m.get("event", {}).get("e") == "discard" and m["event"]["seat"] == "E")
            assert "by" not in done["event"]
            lines = client.portal.call(room.record.lines)  # type: ignore[union-attr]
    found = [json.loads(line) for line in lines]
    by = [one for one in found if one.get("e") == "discard" and one["seat"] == "E"]
    assert [one.get("by") for one in by[:2]] == ["clock", None]
    steps = read_log(lines, unfinished=True).hands[0].steps
    east = [step for step in steps if step.seat == 0 and step.event is not None]
    assert [step.by for step in east[:2]] == ["clock", ""]


def test_the_clock_stops_when_the_others_leave_and_runs_again_when_one_is_back(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        me = opened(client, bots=["", "", "plain", "plain"], move=2, bank=1, seed=8)
        path = f"/api/rooms/{me['room']}"
        friend = client.post(path + "/sit", json={"name": "乙"}).json()
        with client.websocket_connect(path + "/ws") as first:
            first.send_json({"token": me["token"]})
            first.send_json({"ready": True})
            with client.websocket_connect(path + "/ws") as second:
                second.send_json({"token": friend["token"]})
                second.send_json({"ready": True})
                assert "clock" in until(first, to_act)
                assert client.post(path + "/leave", headers={"x-token": friend["token"]}).status_code == 200
                alone = until(first, to_act)
                assert "clock" not in alone
            time.sleep(3.5)  # all that the clock had
            room: Room = client.app.state.rooms.rooms[me["room"]]  # type: ignore[attr-defined]
            assert room.record.last == alone["n"]
            with client.websocket_connect(path + "/ws") as second:
                second.send_json({"token": friend["token"]})
                again = until(first, to_act)
                assert again["clock"]["used"] < 3  # less than all of it, which would be gone
                assert again["n"] == alone["n"]
