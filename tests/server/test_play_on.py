"""A table that plays on from a position of a replay: a match of its own, which begins with what was played there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quepu.match import read_log
from quepu.match.frames import hand_frames
from quepu.match.starts import StartError
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import book_of
from quepu.server.replays import play_on
from quepu.server.replays.review_worker import Source
from quepu.server.rooms.record import RECENT
from quepu.table import Table
from quepu.tiles import WINDS
from tests.match.test_log import play_match
from tests.server.rooms import play_on as to_the_end
from tests.server.rooms import served, to_act, until
from tests.server.test_replays import uploaded

LINES = play_match("guobiao", 5)[1]
SOURCE = Source("x", "", "", tuple(LINES))
REPLAY = read_log(LINES)
HAND = REPLAY.hands[0]
FRAMES = hand_frames(HAND, REPLAY.book).frames
WANTED = {"name": "我", "at": 20, "seat": "S", "think": 0}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with served(tmp_path_factory.mktemp("play-on")) as made:
        yield made


def opened(client: TestClient, id: str, **more: Any) -> dict[str, Any]:
    answer = client.post(f"/api/replays/{id}/table", json={**WANTED, **more})
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()
    return made


def begun(made: dict[str, Any]) -> Table:
    """The table that another one begins with."""
    table = read_log(made["lines"], unfinished=True).unfinished
    assert table is not None
    return table


@pytest.mark.parametrize("redealt", [True, False])
@pytest.mark.parametrize("seat", range(4))
def test_a_seat_sees_what_it_saw_from_any_position(seat: int, redealt: bool) -> None:
    same = 0
    for at in range(seat, len(FRAMES) - 2, 9):
        made = play_on.beginning(SOURCE, at, WINDS[seat], redealt, at)
        table = begun(made)
        recorded = HAND.table(REPLAY.book, made["steps"])
        assert made["place"] == HAND.place.seats[seat]
        assert made["at"] >= at
        assert FRAMES[made["at"]].steps <= made["steps"]
        assert table.view(seat) == recorded.view(seat)
        if redealt:
            assert sorted(table.wall.tiles) == sorted(recorded.wall.tiles)
            same += table.wall == recorded.wall
        else:
            assert (table.wall, table.events) == (recorded.wall, recorded.events)
            assert made["at"] == at
    assert same == 0


def test_what_was_not_seen_is_dealt_anew_each_time() -> None:
    walls = {begun(play_on.beginning(SOURCE, 10, "S", True, seed)).wall.tiles for seed in range(4)}
    assert len(walls) == 4


@pytest.mark.parametrize("at", [len(FRAMES) - 1, 10**6])
def test_there_is_no_going_on_from_the_end_or_from_nowhere(at: int) -> None:
    with pytest.raises(StartError):
        play_on.beginning(SOURCE, at, "E", True, 1)


def test_a_book_with_options_is_opened_by_them() -> None:
    chosen = book("canton").having(options={"base": 2})
    rules, house = play_on._names_of(chosen, "")
    assert book_of(rules, house).fingerprint == chosen.fingerprint != book("canton").fingerprint
    assert play_on._names_of(book("canton"), "") == ("canton", "")


def sat(client: TestClient, me: dict[str, Any], over: Any) -> list[dict[str, Any]]:
    """What a player is sent who begins at once and does what is offered, until `over`."""
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        socket.send_json({"token": me["token"]})
        head = until(socket, lambda m: "you" in m)
        socket.send_json({"ready": True})
        return [head, *to_the_end(socket, over)]


@pytest.mark.long
def test_a_hand_is_played_on_to_its_end_and_the_record_stays(client: TestClient) -> None:
    id = uploaded(client, LINES)["id"]
    me = opened(client, id, redealt=False)
    seen = sat(client, me, lambda m: "over" in m)
    head = next(m["room"] for m in seen if "room" in m)
    start = {"replay": id, "at": 20, "hand": 1, "seat": "S", "redealt": False, "alone": True}
    assert head["terms"]["start"] == start
    first = next(m for m in seen if m.get("view"))
    recorded = HAND.table(REPLAY.book, FRAMES[20].steps)
    assert first["view"]["seat"] == "S"
    assert first["view"]["hand"] == recorded.view(1).to_json([])["hand"]
    assert first["view"]["board"]["rivers"] == recorded.board_for(1).to_json()["rivers"]
    assert seen[-1]["over"]["match_over"]
    assert seen[-1]["over"]["reveal"]["wall"] == HAND.wall.text()
    played = read_log(client.get(f"/api/rooms/{me['room']}/log").text.splitlines())
    assert played.finished
    assert played.match.hands[0].place == HAND.place
    assert played.hands[0].events[: FRAMES[20].events] == HAND.events[: FRAMES[20].events]
    assert client.get(f"/api/replays/{me['room']}").json()["start"] == start
    assert client.get(f"/api/replays/{id}").json()["start"] is None
    assert client.get(f"/api/replays/{id}/log").text.splitlines() == LINES


def test_a_position_late_in_a_long_hand_is_sent_whole(client: TestClient) -> None:
    """More was played before it than a room's log remembers."""
    at = len(FRAMES) - 10
    assert FRAMES[at].events > RECENT
    me = opened(client, uploaded(client, LINES)["id"], redealt=False, at=at)
    seen = sat(client, me, lambda m: "over" in m)
    assert [m["n"] for m in seen if "event" in m or set(m) == {"n"}][:RECENT] == list(range(2, RECENT + 2))
    assert seen[-1]["over"]["match_over"]


def test_the_match_of_the_record_goes_on(client: TestClient) -> None:
    id = uploaded(client, LINES)["id"]
    at = len(FRAMES) + 12  # in the second hand
    seen = sat(
        client,
        opened(client, id, at=at, alone=False),
        lambda m: isinstance(m.get("hand"), dict) and m["hand"]["hand"] == 2,
    )
    assert not next(m["over"] for m in seen if "over" in m)["match_over"]
    first, second = (m["hand"] for m in seen if isinstance(m.get("hand"), dict))
    assert first["place"] == [*REPLAY.hands[1].place[:3], list(REPLAY.hands[1].place.start)]
    assert second["place"][:2] != first["place"][:2] or second["place"][2] > first["place"][2]
    assert next(m["sealed"] for m in seen if "sealed" in m)["hand"] == 2  # later walls are sealed as everywhere


@pytest.mark.long
def test_a_restart_loses_nothing_before_or_after_the_beginning(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        me = opened(client, uploaded(client, LINES)["id"])
    path = f"/api/rooms/{me['room']}/ws"
    with served(tmp_path) as client, client.websocket_connect(path) as socket:
        socket.send_json({"token": me["token"]})
        until(socket, lambda m: "you" in m)
        socket.send_json({"ready": True})
        before = until(socket, to_act)
    with served(tmp_path) as client, client.websocket_connect(path) as socket:
        socket.send_json({"token": me["token"], "after": before["n"]})
        after = until(socket, to_act)
        assert (after["n"], after["view"]) == (before["n"], before["view"])
    with served(tmp_path) as client:
        assert sat(client, me, lambda m: "over" in m)[-1]["over"]["match_over"]


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"at": len(FRAMES) - 1}, 400),
        ({"at": 10**6}, 400),
        ({"seat": "X"}, 422),
        ({"level": "exec:sh"}, 400),
        ({"level": "nobody"}, 400),
        ({"level": ""}, 422),
        ({"name": "电脑2"}, 400),
    ],
)
def test_what_cannot_be_played_on_is_a_sentence(client: TestClient, more: dict[str, Any], status: int) -> None:
    id = uploaded(client, LINES)["id"]
    answer = client.post(f"/api/replays/{id}/table", json={**WANTED, **more})
    assert answer.status_code == status
    assert answer.json()["error"]


def test_a_table_that_is_still_played_is_no_replay(client: TestClient) -> None:
    room = opened(client, uploaded(client, LINES)["id"])["room"]
    assert client.post(f"/api/replays/{room}/table", json=WANTED).status_code == 409
    assert client.post("/api/replays/nothing/table", json=WANTED).status_code == 404
