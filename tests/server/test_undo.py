"""Moves taken back against bots: the log only grows, says so, and reads as the hand that was played in the end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from quepu.match.reader import read_log
from quepu.server.rooms.room import MOST_UNDONE
from tests.server.rooms import emptied, lazy, opened, play_on, served, to_act, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with served(tmp_path_factory.mktemp("rooms")) as made:
        yield made


@pytest.fixture
def client(server: TestClient) -> Iterator[TestClient]:
    with emptied(server) as rooms:
        yield rooms


def begin(socket: WebSocketTestSession, token: str) -> dict[str, Any]:
    """Sit down, begin, and return the first snapshot with a choice."""
    socket.send_json({"token": token})
    socket.send_json({"ready": True})
    return until(socket, to_act)


def discard(socket: WebSocketTestSession, at: dict[str, Any], number: int = -1) -> str:
    """Discard one of the tiles of a snapshot; return it."""
    choice = [one for one in at["view"]["options"] if one["do"] == "discard"][number]
    socket.send_json({"action": {key: value for key, value in choice.items() if key != "score"}, "n": at["n"]})
    return str(choice["tile"])


def asked_to_discard(message: dict[str, Any]) -> bool:
    return to_act(message) and message["view"]["options"][-1]["do"] != "pass"


def own_turn(socket: WebSocketTestSession) -> dict[str, Any]:
    """Pass what is offered until a discard is asked for; return that snapshot."""
    while not asked_to_discard(at := until(socket, to_act)):
        socket.send_json({"action": {"do": "pass"}, "n": at["n"]})
    return at


def take_back(socket: WebSocketTestSession) -> dict[str, Any]:
    """Take choices back up to the last discard, over the offers that were passed since; return that snapshot."""
    while True:
        socket.send_json({"undo": True})
        assert until(socket, lambda m: "undone" in m)["undone"] == "E"
        if asked_to_discard(at := until(socket, to_act)):
            return at


def position(message: dict[str, Any]) -> dict[str, Any]:
    """Return what a player sees of a position, without its number in the stream."""
    return {key: value for key, value in message.items() if key != "n"}


def lines_of(client: TestClient, room: str) -> list[str]:
    record = client.app.state.rooms.rooms[room].record  # type: ignore[attr-defined]  # a Starlette application has it
    assert client.portal is not None
    found: list[str] = client.portal.call(record.lines)
    return found


KINDS_OF_WALL: tuple[dict[str, Any], ...] = ({}, {"seed": None}, {"shield": 0.02, "seed": None})


@pytest.mark.parametrize(
    "more", [{}, {"seed": None}, {"shield": 0.02, "seed": None}], ids=["seed", "sealed", "shielded"]
)
def test_a_move_taken_back_leads_to_the_same_choice_and_the_log_keeps_both(
    client: TestClient, more: dict[str, Any]
) -> None:
    me = opened(client, **more)
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        first = begin(socket, me["token"])
        assert first["view"]["options"]
        discard(socket, first)
        own_turn(socket)
        before = lines_of(client, me["room"])
        again = take_back(socket)
        assert position(again) == position(first)
        now = lines_of(client, me["room"])
        assert now[: len(before)] == before and len(now) > len(before)
        discard(socket, again, 0)
        play_on(socket, lambda m: "over" in m)
        log = lines_of(client, me["room"])
    replay = read_log(log, unfinished=True)
    assert replay.undone >= 1 and replay.problems == ()
    assert [hand.number for hand in replay.hands] == list(range(1, len(replay.hands) + 1))


def test_every_choice_of_a_hand_can_be_taken_back_and_none_before_it(client: TestClient) -> None:
    me = opened(client)
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        first = at = begin(socket, me["token"])
        made = 0
        while made < 4:
            choice = lazy(at["view"]["options"])
            socket.send_json({"action": {k: v for k, v in choice.items() if k != "score"}, "n": at["n"]})
            made += choice["do"] != "flower"
            at = until(socket, to_act)
        for _ in range(made):
            socket.send_json({"undo": True})
            until(socket, lambda m: "undone" in m)
            at = until(socket, to_act)
        assert position(at) == position(first)
        socket.send_json({"undo": True})
        assert "出过牌" in until(socket, lambda m: "refused" in m)["refused"]["zh"]


def test_who_comes_again_sees_the_hand_as_it_stands(client: TestClient) -> None:
    me = opened(client)
    path = f"/api/rooms/{me['room']}/ws"
    with client.websocket_connect(path) as socket:
        discard(socket, begin(socket, me["token"]))
        own_turn(socket)
        stands = take_back(socket)
    with client.websocket_connect(path) as socket:
        socket.send_json({"token": me["token"], "after": -1, "hand": True})
        seen: list[dict[str, Any]] = []
        until(socket, lambda m: seen.append(m) or to_act(m))
    assert position(seen[-1]) == position(stands)
    events = [message["event"]["e"] for message in seen if "event" in message]
    assert events.count("deal") == 1 and "discard" not in events  # the hand of before is not sent


def test_a_server_that_restarts_goes_on_after_a_move_taken_back(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        me = opened(client, seed=None)
        with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
            discard(socket, begin(socket, me["token"]))
            own_turn(socket)
            stands = take_back(socket)
    with served(tmp_path) as client, client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        socket.send_json({"token": me["token"]})
        again = until(socket, to_act)
        assert position(again) == position(stands)
        discard(socket, again)
        own_turn(socket)
        assert position(take_back(socket)) == position(stands)  # the wall is sealed alike


def test_nothing_is_taken_back_where_two_people_play(client: TestClient) -> None:
    me = opened(client, bots=["", "", "plain", "plain"])
    friend = client.post(f"/api/rooms/{me['room']}/sit", json={"name": "乙"}).json()
    path = f"/api/rooms/{me['room']}/ws"
    with client.websocket_connect(path) as socket, client.websocket_connect(path) as other:
        other.send_json({"token": friend["token"]})
        other.send_json({"ready": True})
        at = begin(socket, me["token"])
        head = client.get(f"/api/rooms/{me['room']}").json()
        assert head["terms"]["undo"] is False
        discard(socket, at)
        socket.send_json({"undo": True})
        assert "别人" in until(socket, lambda m: "refused" in m)["refused"]["zh"]
    assert all('"void"' not in line for line in lines_of(client, me["room"]))


def test_a_hand_is_not_written_again_without_end(client: TestClient) -> None:
    me = opened(client)
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        at = begin(socket, me["token"])
        for _ in range(MOST_UNDONE):
            discard(socket, at)
            until(socket, to_act)
            socket.send_json({"undo": True})
            until(socket, lambda m: "undone" in m)
            at = until(socket, to_act)
        discard(socket, at, 0) if asked_to_discard(at) else None
        socket.send_json({"undo": True})
        assert str(MOST_UNDONE) in until(socket, lambda m: "refused" in m)["refused"]["zh"]


def test_a_coached_match_says_so_in_its_log(client: TestClient) -> None:
    for coached in (True, False):
        me = opened(client, coached=coached)
        assert client.get(f"/api/rooms/{me['room']}").json()["terms"]["coached"] is coached
        with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
            begin(socket, me["token"])
        header = json.loads(lines_of(client, me["room"])[0])
        assert header.get("options", {}).get("coached", False) is coached


def test_the_page_of_a_coached_match_with_an_undone_move_says_both(client: TestClient) -> None:
    me = opened(client, coached=True)
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        discard(socket, begin(socket, me["token"]))
        own_turn(socket)
        discard(socket, take_back(socket), 0)
        play_on(socket, lambda m: "over" in m and m["over"]["match_over"])
    page = client.get(f"/api/replays/{me['room']}").json()
    words = " ".join(remark["zh"] for remark in page["notes"])
    assert "教练局" in words and "悔牌" in words


def test_the_pace_of_bots_changes_in_a_match_and_survives_a_restart(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        me = opened(client, think=10)
        path = f"/api/rooms/{me['room']}"
        with client.websocket_connect(f"{path}/ws") as socket:
            at = begin(socket, me["token"])
            socket.send_json({"pace": 0})
            until(socket, lambda m: "room" in m and m["room"]["terms"]["think"] == 0)
            discard(socket, at)
            own_turn(socket)  # at ten seconds a bot this would take half a minute
            for wrong in (-0.1, 10.1, "fast"):
                socket.send_json({"pace": wrong})
                assert "0 到 10 秒" in until(socket, lambda m: "refused" in m)["refused"]["zh"]
    with served(tmp_path) as client:
        assert client.get(path).json()["terms"]["think"] == 0


def test_only_who_is_in_charge_sets_the_pace(client: TestClient) -> None:
    me = opened(client, bots=["", "", "plain", "plain"])
    friend = client.post(f"/api/rooms/{me['room']}/sit", json={"name": "乙"}).json()
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        socket.send_json({"token": friend["token"]})
        socket.send_json({"pace": 5})
        assert "房主" in until(socket, lambda m: "refused" in m)["refused"]["zh"]
    assert client.get(f"/api/rooms/{me['room']}").json()["terms"]["think"] == 0
