"""A person takes a bot's place between hands: waits, is seated, leaves, comes back; a server may stop in between."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from quepu.match.reader import read_log
from quepu.server.rooms import seat_taking
from tests.server.rooms import opened, play_on, served, until

BOTS = ["", "plain", "fast", "closed"]
Json = dict[str, Any]


def hand_over(message: Json) -> bool:
    return "over" in message


def match_over(message: Json) -> bool:
    return bool(message.get("over", {}).get("match_over"))


def seated(message: Json) -> bool:
    return "room" in message and message.get("you") is not None


def shown(number: int) -> Any:
    """The first view of a hand; whoever plays on has yet to answer it."""
    return lambda message: message.get("hand") == number and message.get("view") is not None


def dealt(number: int) -> Any:
    """The beginning of a hand, before there is anything to answer."""
    return lambda message: isinstance(message.get("hand"), dict) and message["hand"]["hand"] == number


@contextmanager
def table(client: TestClient, **more: Any) -> Iterator[tuple[Json, WebSocketTestSession]]:
    """A table that can be joined, in its first hand."""
    room = opened(client, **{"joins": True, "bots": BOTS, **more})
    with client.websocket_connect(f"/api/rooms/{room['room']}/ws") as socket:
        socket.send_json({"token": room["token"]})
        socket.send_json({"ready": True})
        until(socket, dealt(1))
        yield room, socket


def sit(client: TestClient, room: str, name: str, place: int | None = None) -> Json:
    answer = client.post(f"/api/rooms/{room}/sit", json={"name": name, "place": place})
    return {"status": answer.status_code, **answer.json()}


@contextmanager
def line(client: TestClient, sat: Json) -> Iterator[WebSocketTestSession]:
    with client.websocket_connect(f"/api/rooms/{sat['room']}/ws") as socket:
        socket.send_json({"token": sat["token"], "after": -1})
        yield socket


def head(client: TestClient, room: str) -> Json:
    found: Json = client.get(f"/api/rooms/{room}").json()
    return found


def test_who_asks_in_a_hand_watches_it_and_plays_the_next(tmp_path: Path) -> None:
    with served(tmp_path) as client, table(client) as (room, first):
        assert (head(client, room["room"])["joinable"], head(client, room["room"])["free"]) == (3, 0)
        sat = sit(client, room["room"], "阿明", 2)
        assert (sat["place"], head(client, room["room"])["places"][2]["joiner"]) == (2, "阿明")
        assert head(client, room["room"])["joinable"] == 2
        with line(client, sat) as second:
            told = second.receive_json()
            assert (told["you"], told["joins"]) == (None, 2)
            play_on(first, hand_over)
            watched = []
            while not seated(message := second.receive_json()):
                watched.append(message)
            assert message["you"] == 2
            for one in watched:
                view = one.get("view") or {}
                assert "hand" not in view and not view.get("options"), "a hidden hand was shown to who only waits"
                assert one.get("event", {}).get("e") != "draw" or "tile" not in one["event"]
            first.send_json({"ready": True})
            view = until(second, shown(2))["view"]
            assert len(view["hand"]) in (13, 14)
            names = until(first, shown(2))["names"]
            assert "阿明" in names
            now = head(client, room["room"])
            assert (now["places"][2]["kind"], now["places"][2]["joiner"]) == ("person", "")
            assert now["joinable"] == 2


def test_the_log_says_from_which_hand_on_and_the_replay_names_who_played(tmp_path: Path) -> None:
    with served(tmp_path) as client, table(client) as (room, first):
        bot = head(client, room["room"])["places"][1]["name"]
        sat = sit(client, room["room"], "阿明", 1)
        with line(client, sat) as second:
            play_on(first, hand_over)
            until(second, seated)
            first.send_json({"ready": True})
            until(second, dealt(2))
            client.post(f"/api/rooms/{room['room']}/leave", headers={"x-token": sat["token"]})
        play_on(first, match_over)
        lines = client.get(f"/api/rooms/{room['room']}/log").text.splitlines()
        replay = read_log(lines)
        assert not replay.problems
        assert [tuple(one) for one in replay.joined] == [(1, "阿明", bot, 2)]
        assert [hand.names[1] for hand in replay.hands] == [bot, *["阿明"] * (len(replay.hands) - 1)]
        assert [hand.bots[1] for hand in replay.hands][:2] == ["plain", "person"]
        left = [json.loads(text) for text in lines if '"by":"bot"' in text]
        assert left, "who left is played for, and the log says so"
        page = client.get(f"/api/replays/{room['room']}").json()
        assert page["players"][1] == "阿明"
        assert [one["names"][1] for one in page["hand_list"]][:2] == [bot, "阿明"]
        assert any("第 2 局起由阿明接替" in note["zh"] for note in page["notes"])
        films = [client.get(f"/api/replays/{room['room']}/hands/{n}").json() for n in (1, 2)]
        assert [film["bots"][1] for film in films] == ["plain", "person"]
        assert [bot in film["names"] for film in films] == [True, False]


def test_two_persons_take_the_places_of_two_bots(tmp_path: Path) -> None:
    with served(tmp_path) as client, table(client) as (room, first):
        sats = [sit(client, room["room"], name) for name in ("阿明", "小红")]
        assert sats[0]["place"] != sats[1]["place"]
        assert sit(client, room["room"], "阿明")["status"] == 400, "a name is taken while its owner waits"
        with line(client, sats[0]) as second, line(client, sats[1]) as third:
            play_on(first, hand_over)
            assert until(second, seated)["you"] == sats[0]["place"]
            assert until(third, seated)["you"] == sats[1]["place"]
            first.send_json({"ready": True})
            assert len(until(second, shown(2))["view"]["hand"]) in (13, 14)
            assert len(until(third, shown(2))["view"]["hand"]) in (13, 14)
            assert sum(place["kind"] == "person" for place in head(client, room["room"])["places"]) == 3


def test_who_is_away_when_the_hand_ends_stays_in_line_for_the_next(tmp_path: Path) -> None:
    with served(tmp_path) as client, table(client) as (room, first):
        sat = sit(client, room["room"], "阿明", 3)
        with line(client, sat) as second:
            second.receive_json()
        play_on(first, hand_over)
        first.send_json({"ready": True})
        until(first, dealt(2))
        assert (
            head(client, room["room"])["places"][3] | {"kind": "bot", "joiner": "阿明"}
            == head(client, room["room"])["places"][3]
        ), "the bot plays on"
        with line(client, sat) as second:
            assert second.receive_json()["joins"] == 3
            play_on(first, hand_over)
            assert until(second, seated)["you"] == 3


def test_who_stays_away_loses_the_place_to_the_next_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(tmp_path) as client, table(client) as (room, _):
        sats = [sit(client, room["room"], name) for name in ("阿明", "小红", "老王")]
        assert {sat["place"] for sat in sats} == {1, 2, 3}
        late = sit(client, room["room"], "小李")
        assert (late["status"], late["error"]) == (400, "这一桌现在没有可以接替的电脑。")
        monkeypatch.setattr(seat_taking, "ABSENT", -1.0)
        with line(client, sats[0]) as waiting:
            waiting.receive_json()
            late = sit(client, room["room"], "小李")
            assert late["place"] in {2, 3}, "who is here keeps the place"
        with client.websocket_connect(f"/api/rooms/{room['room']}/ws") as gone:
            gone.send_json({"token": next(sat for sat in sats if sat["place"] == late["place"])["token"]})
            assert "refused" in gone.receive_json()


def test_who_does_not_want_to_wait_gives_the_place_back(tmp_path: Path) -> None:
    with served(tmp_path) as client, table(client) as (room, first):
        sat = sit(client, room["room"], "阿明", 1)
        left = client.post(f"/api/rooms/{room['room']}/leave", headers={"x-token": sat["token"]})
        assert (left.json()["joinable"], left.json()["places"][1]["joiner"]) == (3, "")
        play_on(first, hand_over)
        first.send_json({"ready": True})
        until(first, dealt(2))
        assert head(client, room["room"])["places"][1]["kind"] == "bot"


@pytest.mark.parametrize("seated_before", [pytest.param(False, marks=pytest.mark.long), True])
def test_a_server_that_stops_forgets_neither_who_waits_nor_who_was_seated(tmp_path: Path, seated_before: bool) -> None:
    with served(tmp_path) as client, table(client) as (room, first):
        sat = sit(client, room["room"], "阿明", 2)
        if seated_before:
            with line(client, sat) as second:
                play_on(first, hand_over)
                until(second, seated)
                first.send_json({"ready": True})
                until(second, dealt(2))
    with served(tmp_path) as client:
        place = head(client, room["room"])["places"][2]
        assert (place["kind"], place["joiner"]) == (("person", "") if seated_before else ("bot", "阿明"))
        with line(client, room) as first, line(client, sat) as second:
            told = second.receive_json()
            assert (told["you"], told.get("joins")) == ((2, None) if seated_before else (None, 2))
            if not seated_before:
                play_on(first, hand_over)
                assert until(second, seated)["you"] == 2
            first.send_json({"ready": True})
            assert len(until(second, shown(2))["view"]["hand"]) in (13, 14)


def test_the_newcomer_is_not_shown_what_the_bot_had_held(tmp_path: Path) -> None:
    with served(tmp_path) as client, table(client, show_hands=False) as (room, first):
        sat = sit(client, room["room"], "阿明", 2)
        with line(client, sat) as second:
            play_on(first, hand_over)
            until(second, seated)
            first.send_json({"ready": True})
            until(second, dealt(2))
        with line(client, sat) as again:  # everything from the beginning
            seen: list[Json] = []

            def second_hand(message: Json) -> bool:
                seen.append(message)
                return bool(shown(2)(message))

            until(again, second_hand)
        start = next(
            n
            for n, message in enumerate(seen)
            if isinstance(message.get("hand"), dict) and n and message["hand"]["hand"] == 2
        )
        drawn = [one["event"] for one in seen[:start] if one.get("event", {}).get("e") in ("draw", "deal")]
        assert not any("tile" in one or "tiles" in one for one in drawn)
        assert any("tiles" in one["event"] for one in seen[start:] if one.get("event", {}).get("e") == "deal")


def test_a_review_is_prepared_before_the_last_hand_and_not_earlier(tmp_path: Path) -> None:
    with served(tmp_path) as client, table(client, rules="guobiao-mcr") as (_, first):
        told: list[str] = []
        client.app.state.rooms.on_near_end = told.append  # type: ignore[attr-defined]  # a Starlette application
        for number in (1, 2, 3, 4):
            play_on(first, hand_over)
            assert len(told) == max(0, number - 2), "before the fourth hand, and after it"
            first.send_json({"ready": True})
        assert {rules.partition("@")[0] for rules in told} == {"guobiao-mcr"}


def test_only_tables_that_say_so_can_be_joined_and_not_in_their_last_hand(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        with table(client, joins=False) as (room, _):
            assert (head(client, room["room"])["joinable"], head(client, room["room"])["terms"]["joins"]) == (0, False)
            refused = sit(client, room["room"], "阿明")
            assert (refused["status"], refused["error"]) == (400, "牌局已经开始。")
        with table(client, rules="guobiao-mcr") as (room, first):
            for number in (2, 3, 4):
                play_on(first, hand_over)
                first.send_json({"ready": True})
                until(first, dealt(number))
            assert head(client, room["room"])["joinable"] == 0
            assert sit(client, room["room"], "阿明")["status"] == 400
        for wrong in ({"open_hands": True, "delay": 600}, {"coached": True}, {"spectators": False}):
            answer = client.post("/api/rooms", json={"name": "我", "joins": True, **wrong})
            assert answer.status_code == 400 and "中途" in answer.json()["error"]


QUICK = {"rules": "lingque-29", "bots": [""] * 4, "joins": True, "name": "阿明", "fallback": "客人123"}


def quick(client: TestClient, **more: Any) -> Json:
    answer = client.post("/api/rooms/quick", json={**QUICK, **more})
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def test_who_looks_for_players_sits_down_where_one_waits_however_old_the_lobby_is(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        assert client.get("/api/rooms").json() == []  # cached for a second
        waiting = opened(client, seed=None, bots=["", "", "", ""])["room"]
        found = quick(client)
        assert (found["room"], found["place"]) == (waiting, 1)
        assert head(client, waiting)["places"][1]["name"] == "阿明"
        again = quick(client)
        assert (again["room"], again["place"]) == (waiting, 2)
        assert head(client, waiting)["places"][2]["name"] == "客人123", "the name is taken there"
        assert quick(client, skip=[waiting])["room"] != waiting


def test_who_finds_no_table_opens_one_that_the_next_one_finds(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        opened(client, seed=None, bots=["", "", "", ""], listed=False)
        opened(client, seed=None, bots=["", "", "", ""], rules="guobiao-mcr")
        opened(client, seed=None, bots=["", "", "", ""], house='base = "lingque-29"\ntitle = "家规"\nminimum = 6\n')
        closed = opened(client, seed=None, bots=["", "", "", ""])
        with line(client, closed) as host:
            host.send_json({"closed": True})
            until(host, lambda message: "room" in message and message["room"]["closed"])
            names = [f"客人{number}" for number in range(100, 107)]
            with ThreadPoolExecutor(len(names)) as together:
                found = list(together.map(lambda name: quick(client, name=name), names))
        rooms = Counter(one["room"] for one in found)
        assert sorted(rooms.values()) == [3, 4]
        assert closed["room"] not in rooms
        refused = client.post("/api/rooms/quick", json={**QUICK, "rules": "nonsense"})
        assert refused.status_code == 400


def test_a_running_table_is_joined_where_none_is_open_and_somebody_is_there(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        with table(client, listed=True, seed=None) as (running, _):
            taken = quick(client)
            assert (taken["room"], head(client, running["room"])["joinable"]) == (running["room"], 2)
            waiting = opened(client, seed=None, bots=["", "", "plain", "plain"])["room"]
            assert quick(client)["room"] == waiting
            full = quick(client, name="小波")
            assert full["room"] == running["room"]
        left = quick(client, name="小林")
        assert left["room"] not in (running["room"], waiting), "nobody is there"


def test_who_looks_for_players_never_sits_where_the_host_may_know_the_walls(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        known = opened(client, bots=["", "", "", ""], seed=5)
        assert quick(client)["room"] != known["room"]


def test_an_account_is_not_seated_twice_at_one_table_from_two_devices(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        who = {"name": "阿明", "password": "a long password"}
        assert client.post("/api/account/register", json=who).status_code == 200
        first, second = quick(client), quick(client)
        assert first["room"] != second["room"], "the second device has no ticket to skip"
        places = head(client, first["room"])["places"]
        assert [place["name"] for place in places if place["kind"] == "person"] == ["阿明"]
