"""Rooms: opened, joined, played with bots to the end, looked at; what each is sent, and what is refused."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from quepu.match.reader import read_log
from tests.server.flat_hints import flat_hints
from tests.server.rooms import FAST, emptied, lazy, opened, play_on, served, to_act, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with (
        served(tmp_path_factory.mktemp("rooms")) as made,
        flat_hints(made.app, tmp_path_factory.mktemp("flat"), FAST["rules"]),
    ):
        yield made


@pytest.fixture
def client(server: TestClient) -> Iterator[TestClient]:
    with emptied(server) as rooms:
        yield rooms


def test_a_match_with_three_bots_to_its_end(client: TestClient) -> None:
    me = opened(client)
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        socket.send_json({"token": me["token"]})
        assert until(socket, lambda m: "room" in m)["you"] == me["place"]
        socket.send_json({"ready": True})
        seen = play_on(socket, lambda m: m.get("over", {}).get("match_over", False))
    numbers = [m["n"] for m in seen if "n" in m and "view" not in m]
    assert numbers == sorted(set(numbers))  # no holes are needed, none comes twice
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    over = [m["over"] for m in seen if "over" in m]
    assert over[-1]["standings"]
    assert sum(over[-1]["gains"]) == 0
    log = client.get(f"/api/rooms/{me['room']}/log")
    assert log.status_code == 200
    replay = read_log(log.text.splitlines())
    assert replay.finished
    assert len(replay.hands) == len(over)


def test_nothing_hidden_is_sent(client: TestClient) -> None:
    me = opened(client)
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        socket.send_json({"token": me["token"]})
        socket.send_json({"ready": True})
        seen = play_on(socket, lambda m: "over" in m)
    mine = next(message["view"]["seat"] for message in seen if message.get("view"))
    for message in seen:
        event = message.get("event")
        if event and event["e"] in ("deal", "draw", "replace"):
            assert event["seat"] == mine
        if "over" not in message:
            text = json.dumps(message, ensure_ascii=False)
            for secret in ('"wall"', '"salt"', '"secret"', '"seed"'):
                assert secret not in text


def test_a_wall_is_promised_and_then_shown(client: TestClient) -> None:
    me = opened(client, seed=None)
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        socket.send_json({"token": me["token"]})
        socket.send_json({"ready": True})
        sealed = until(socket, lambda m: "sealed" in m)["sealed"]
        hand = until(socket, lambda m: "hand" in m and isinstance(m["hand"], dict))["hand"]
        over = play_on(socket, lambda m: "over" in m)[-1]["over"]
    reveal = over["reveal"]
    assert (reveal["commitment"], reveal["commitments"]) == (sealed["commitment"], sealed["commitments"])
    assert reveal["salts"] == hand["salts"] == [""] * 4
    assert hashlib.sha256(f"secret {reveal['secret']}".encode()).hexdigest() == sealed["commitment"]


def test_the_end_of_a_hand_stands_alone(client: TestClient) -> None:
    me = opened(client, rules="yuque-54")
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        socket.send_json({"token": me["token"]})
        socket.send_json({"ready": True})
        over = play_on(socket, lambda m: "over" in m)[-1]["over"]
    melds = over["board"]["melds"]
    for seat, wind in enumerate(
        "ESWN"
    ):  # every hand is shown and paid here: 13 tiles with melds, 14 with the drawn one
        assert len(over["hands"][wind]) + 3 * len(melds[seat]) in (13, 14)
    assert over["zero_sum"] is False
    assert over["pool"] == -sum(over["gains"])
    assert len(over["ready"]) == 4
    assert over["winner"] is None or over["ready"]["ESWN".index(over["winner"])] is None
    assert over["self_draw"] == (over["winner"] is not None and over["discarder"] is None)
    if over["won"]:  # the question that gives this very score
        request = {key: value for key, value in over["won"].items() if key != "givers"}
        answer = client.post("/api/score", json={"rules": "yuque-54", **request}).json()
        assert answer["total"] == over["score"]["zh"]["total"]


def test_two_people_and_a_spectator(client: TestClient) -> None:
    me = opened(client, bots=["", "", "plain", "plain"])
    other = client.post(f"/api/rooms/{me['room']}/sit", json={"name": "客"}).json()
    assert other["place"] == 1
    path = f"/api/rooms/{me['room']}/ws"
    with (
        client.websocket_connect(path) as mine,
        client.websocket_connect(path) as theirs,
        client.websocket_connect(path) as watching,
    ):
        mine.send_json({"token": me["token"]})
        theirs.send_json({"token": other["token"]})
        watching.send_json({})
        mine.send_json({"ready": True})
        theirs.send_json({"ready": True})
        open_view = until(watching, lambda m: m.get("view"))
        assert set(open_view["view"]) == {"board", "options"}
        watching.send_json({"action": {"do": "pass"}})
        assert until(watching, lambda m: "refused" in m)["refused"]["zh"] == "旁观者不能出牌。"
        hands = {tuple(until(socket, lambda m: m.get("view"))["view"]["hand"]) for socket in (mine, theirs)}
        assert len(hands) == 2


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({"action": {"do": "win"}}, "不能"),
        ({"action": {"do": "fly"}}, "do 应是"),
        ({"say": {"do": "fly"}}, "do 应是"),  # the key that older pages and programs send
        ({"action": 3}, "do 应是"),
        ({"action": {"do": "discard", "tile": "9z"}}, "不是牌"),
        ({"foo": 1}, "不认识"),
        ([1], "JSON 对象"),
        ("x" * 10_000, "JSON 对象"),
        ({"action": {"do": "pass"}, "n": -5}, "已经过去"),
    ],
)
def test_what_is_no_message_is_refused_with_a_sentence(client: TestClient, message: Any, sentence: str) -> None:
    me = opened(client)
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        socket.send_json({"token": me["token"]})
        socket.send_json({"ready": True})
        before = until(socket, to_act)
        socket.send_json(message)
        assert sentence in until(socket, lambda m: "refused" in m)["refused"]["zh"]
        socket.send_json({"hint": True})
        hint = until(socket, lambda m: "hint" in m)["hint"]
        assert hint["choices"] if len(before["view"]["hand"]) % 3 == 1 else hint["outlook"]


def test_tokens_places_and_origins(client: TestClient) -> None:
    me = opened(client, listed=True)
    path = f"/api/rooms/{me['room']}/ws"
    with client.websocket_connect(path) as socket:
        socket.send_json({"token": "guess"})
        assert socket.receive_json()["refused"]["zh"] == "这不是你的座位。"
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(path, headers={"origin": "https://evil.example"}) as socket,
    ):
        socket.receive_json()
    assert client.post(f"/api/rooms/{me['room']}/sit", json={"name": "我"}).status_code == 400
    assert client.get("/api/rooms/none").status_code == 404
    assert client.get(f"/api/rooms/{me['room']}/log").status_code == 409
    assert client.post("/api/rooms", json={**FAST, "bots": ["exec:rm -rf", "", "", ""]}).status_code == 400
    assert client.post("/api/rooms", json={**FAST, "rules": "nothing"}).status_code == 400
    listed = client.get("/api/rooms").json()
    assert listed[0]["id"] == me["room"]
    assert me["token"] not in client.get("/api/rooms").text


def test_a_clock_runs_out_and_the_bank_is_used(client: TestClient) -> None:
    me = opened(client, move=0.2, bank=0.3, bots=["", "", "plain", "plain"])
    client.post(f"/api/rooms/{me['room']}/sit", json={"name": "乙"})
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        socket.send_json({"token": me["token"]})
        socket.send_json({"begin": True})
        first = until(socket, to_act)
        assert first["clock"].pop("used") >= 0
        assert first["clock"] == {"move": 0.2, "bank": 0.3}
        began = time.monotonic()
        until(socket, lambda m: m.get("event", {}).get("e") == "discard")
        assert time.monotonic() - began < 60


def test_what_was_agreed_is_sent_to_everybody(client: TestClient) -> None:
    text = 'base = "guobiao"\nminimum = 6\n'
    wanted = {"rounds": 2, "move": 8, "bank": 20, "shield": 0.5, "flowers": False, "seed": 3}
    me = opened(client, rules="guobiao", house=text, bots=["", "", "plain", "plain"], **wanted)
    head = client.get(f"/api/rooms/{me['room']}").json()
    terms = head["terms"]
    assert (terms["rounds"], terms["move"], terms["bank"], terms["shield"]) == (2, 8, 20, 0.5)
    assert (terms["minimum"], terms["flowers"], terms["house"], terms["sealed"]) == (6, False, True, False)
    assert client.get(f"/api/rooms/{me['room']}/house").text == text
    assert [place["name"] for place in head["places"][2:]] == ["电脑3·新手", "电脑4·新手"]


def test_everybody_is_sent_the_phase_and_a_hint_is_in_ones_language(client: TestClient) -> None:
    me = opened(client)
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        socket.send_json({"token": me["token"]})
        socket.send_json({"ready": True})
        until(socket, lambda m: m.get("room", {}).get("phase") == "playing")
        socket.send_json({"hint": True, "lang": "en"})
        hint = until(socket, lambda m: "hint" in m)["hint"]
        assert hint.get("choices") or hint.get("outlook")


def test_with_a_shield_nothing_follows_a_discard_before_its_time(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = opened(client, shield=0.15)
    room = client.app.state.rooms.rooms[me["room"]]  # type: ignore[attr-defined]
    restart, sent = room.clock.restart, {}

    def restarted() -> None:
        """By the server's clock: a busy machine may deliver a line late and the next one at once."""
        restart()
        sent[room.record.last] = room.clock.since

    monkeypatch.setattr(room.clock, "restart", restarted)
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        socket.send_json({"token": me["token"]})
        socket.send_json({"ready": True})
        discarded, waits = None, []
        while len(waits) < 12:
            message = socket.receive_json()
            if message.get("event", {}).get("e") == "discard":
                discarded = message["n"]
            elif "n" in message and "view" not in message and discarded is not None:
                claimed = message.get("event", {}).get("e") in ("chow", "pung", "kong", "win")
                if not claimed:  # a claim gives nothing away that it does not say itself
                    after = min(n for n in sent if n >= message["n"])
                    waits.append(sent[after] - sent[discarded])
                discarded = None
            elif to_act(message):
                choice = lazy(message["view"]["options"])
                socket.send_json({"action": {k: v for k, v in choice.items() if k != "score"}, "n": message["n"]})
            elif message.get("view") and message["view"]["board"]["offer"]:
                assert message["to_act"] == []
    assert min(waits) > 0.149


def test_spectators_see_the_table_late_but_who_sits_there_at_once(client: TestClient) -> None:
    me = opened(client, delay=3, bots=["", "", "plain", "plain"])
    path = f"/api/rooms/{me['room']}/ws"
    with client.websocket_connect(path) as watcher, client.websocket_connect(path) as player:
        watcher.send_json({})
        assert watcher.receive_json()["room"]["terms"]["delay"] == 3
        began = time.monotonic()
        player.send_json({"token": me["token"]})
        player.send_json({"ready": True})
        until(player, to_act)
        watcher.send_json({"ping": 1})
        before = [watcher.receive_json()]
        while "pong" not in before[-1]:
            before.append(watcher.receive_json())
        assert all("room" in message for message in before[:-1])  # nothing yet of the table
        assert before[-2]["room"]["phase"] == "playing"
        dealt = until(watcher, lambda m: (m.get("view") or {}).get("board"))
        assert time.monotonic() - began >= 3
        assert dealt["view"]["options"] == []


def test_the_lobby_shows_what_one_joins(client: TestClient) -> None:
    me = opened(client, bots=["", "", "steps", "plain"], move=20, bank=90, shield=1, delay=5, rounds=None, flowers=True)
    head = client.get("/api/rooms").json()[0]
    assert head["free"] == 1
    assert head["watching"] == 0
    terms = head["terms"]
    assert (terms["move"], terms["bank"], terms["shield"], terms["delay"]) == (20, 90, 1, 5)
    assert terms["rounds"] == 4
    assert terms["flowers"] is True
    assert terms["sealed"] is False
    assert "seed" not in json.dumps(head)
    assert head["places"][2]["level"] == "steps"
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as watching:
        watching.send_json({})
        watching.receive_json()
        assert client.get(f"/api/rooms/{me['room']}").json()["watching"] == 1
    for name in ("电脑2·新手", "  "):
        assert client.post(f"/api/rooms/{me['room']}/sit", json={"name": name}).status_code == 400


@pytest.mark.long
def test_house_rules_at_a_table(client: TestClient) -> None:
    house = 'base = "guobiao"\ntitle = "家规"\nminimum = 6\n'
    me = opened(client, house=house)
    head = client.get(f"/api/rooms/{me['room']}").json()
    assert head["terms"]["house"] is True
    assert head["book"]["zh"] == "家规"
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        socket.send_json({"token": me["token"]})
        socket.send_json({"ready": True})
        over = play_on(socket, lambda m: "over" in m)[-1]["over"]
    assert over["standings"]
    assert client.post("/api/rooms", json={**FAST, "house": "base = 3"}).status_code == 400


def test_a_result_is_not_taken_away_from_who_plays_alone() -> None:
    from quepu.server.rooms.playing import ALONE, BETWEEN, _longest
    from quepu.server.rooms.seat_taking import Seating

    class One:
        seating = Seating(["", "", "plain", "plain"])

    One.seating.take("甲", 0)
    assert _longest(One()) == ALONE  # type: ignore[arg-type]
    One.seating.take("乙", 1)
    assert _longest(One()) == BETWEEN  # type: ignore[arg-type]
