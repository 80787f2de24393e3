"""A player leaves a room: a bot plays, missed events are sent, and a restart and a second device lose nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx import Response
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from quepu.server.rooms import admission
from tests.server.rooms import emptied, lazy, opened, play_on, served, to_act, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with served(tmp_path_factory.mktemp("rooms")) as made:
        yield made


@pytest.fixture
def client(server: TestClient) -> Iterator[TestClient]:
    with emptied(server) as rooms:
        yield rooms


def test_who_leaves_is_played_for_at_once_until_he_is_back(client: TestClient) -> None:
    me = opened(client, bots=["", "", "plain", "plain"])
    friend = client.post(f"/api/rooms/{me['room']}/sit", json={"name": "乙"}).json()
    path = f"/api/rooms/{me['room']}/ws"
    with client.websocket_connect(path) as socket, client.websocket_connect(path) as other:
        for line, token in ((socket, me["token"]), (other, friend["token"])):
            line.send_json({"token": token})
            line.send_json({"ready": True})
        mine = until(socket, to_act)  # East begins
        client.post(f"/api/rooms/{me['room']}/leave", headers={"x-token": friend["token"]})
        message = until(socket, lambda m: m.get("room") and m["room"]["places"][1]["level"])
        assert message["room"]["places"][1]["kind"] == "person"
        other.close()
        began = time.monotonic()
        choice = lazy(mine["view"]["options"])
        socket.send_json({"action": {k: v for k, v in choice.items() if k != "score"}, "n": mine["n"]})
        play_on(socket, lambda m: "over" in m)  # nobody waits for him
        assert time.monotonic() - began < 60
    with client.websocket_connect(path) as socket:
        socket.send_json({"token": friend["token"]})
        assert (
            until(socket, lambda m: "room" in m and m["room"]["places"][1]["here"])["room"]["places"][1]["level"] == ""
        )


def test_a_lost_player_comes_back_by_a_link_that_everybody_sees_given(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = opened(client, name="甲", bots=["", "", "", "plain"])
    lost, third = (client.post(f"/api/rooms/{me['room']}/sit", json={"name": name}).json() for name in ("乙", "丙"))
    path = f"/api/rooms/{me['room']}/ws"

    def link(asker: str, place: int) -> Response:
        return client.post(f"/api/rooms/{me['room']}/places/{place}/link", json={"token": asker})

    def links(socket: WebSocketTestSession) -> list[str]:
        head = until(socket, lambda m: "room" in m and m["room"]["places"][1]["link_by"] != links_before)["room"]
        return [place["link_by"] for place in head["places"]]

    assert "还没有开始" in link(me["token"], 1).json()["error"]
    with client.websocket_connect(path) as socket, client.websocket_connect(path) as other:
        with client.websocket_connect(path) as gone:
            for line, token in ((socket, me["token"]), (gone, lost["token"]), (other, third["token"])):
                line.send_json({"token": token})
                line.send_json({"ready": True})
            until(socket, to_act)
            assert "没有掉线" in link(me["token"], 1).json()["error"]  # he is there
            assert "没有掉线" in link(me["token"], 3).json()["error"]  # a bot
            assert "没有掉线" in link(me["token"], 0).json()["error"]  # oneself
        until(socket, lambda m: "room" in m and not m["room"]["places"][1]["here"])
        assert "秒后" in link(me["token"], 1).json()["error"]  # perhaps it was the lift
        monkeypatch.setattr(admission, "LOST", 0.0)
        assert "房主" in link(third["token"], 1).json()["error"]
        assert "不是你" in link("nobody", 1).json()["error"]
        links_before = ""
        first, new = (
            link(me["token"], 1).json()["token"] for _ in range(2)
        )  # another one takes the place of the first
        assert links(other) == ["", "甲", "", ""]
        assert "不是你" in link(first, 0).json()["error"]
        with client.websocket_connect(path) as back:
            back.send_json({"token": new})
            assert until(back, lambda m: m.get("view"))["view"]["seat"] == "S"
            head = until(other, lambda m: "room" in m and m["room"]["places"][1]["here"])["room"]
            assert head["places"][1]["link_by"] == "甲"  # as long as he sits there by it
            links_before = "甲"
            with client.websocket_connect(path) as owner:  # it was not lost after all
                owner.send_json({"token": lost["token"]})
                assert until(owner, lambda m: m.get("view"))["view"]["seat"] == "S"
                until(back, lambda m: "taken" in m)
                assert links(other) == [""] * 4
        with client.websocket_connect(path) as back:
            back.send_json({"token": new})
            assert "不是你" in until(back, lambda m: "refused" in m)["refused"]["zh"]
        socket.close()  # whoever opened the table is lost: the next one decides
        until(other, lambda m: "room" in m and m["room"]["host"] == 2)
        assert link(third["token"], 0).status_code == 200
    entries = client.portal.call(client.app.state.rooms.logs.read, me["room"])[1]  # type: ignore[attr-defined,union-attr]
    assert [(one.body["link"], one.body["by"]) for one in entries if "link" in one.body] == [
        (1, "甲"), (1, "甲"), (1, ""), (0, "丙"),
    ]  # fmt: skip


def test_a_link_to_a_lost_place_outlives_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "LOST", 0.0)
    with served(tmp_path) as client:
        me = opened(client, name="甲", bots=["", "", "plain", "plain"])
        path = f"/api/rooms/{me['room']}/ws"
        client.post(f"/api/rooms/{me['room']}/sit", json={"name": "乙"})
        with client.websocket_connect(path) as socket:
            socket.send_json({"token": me["token"]})
            socket.send_json({"ready": True})
            socket.send_json({"begin": True})
            until(socket, to_act)
            new = client.post(f"/api/rooms/{me['room']}/places/1/link", json={"token": me["token"]}).json()["token"]
    with served(tmp_path) as client, client.websocket_connect(path) as socket:
        socket.send_json({"token": new})
        head = until(socket, lambda m: "room" in m)
        assert (head["you"], head["room"]["places"][1]["link_by"]) == (1, "甲")


def test_coming_back_after_message_n(client: TestClient) -> None:
    me = opened(client)
    path = f"/api/rooms/{me['room']}/ws"
    with client.websocket_connect(path) as socket:
        socket.send_json({"token": me["token"]})
        socket.send_json({"ready": True})
        for _ in range(3):
            message = until(socket, to_act)
            choice = lazy(message["view"]["options"])
            socket.send_json({"action": {k: v for k, v in choice.items() if k != "score"}, "n": message["n"]})
        last = until(socket, to_act)["n"]
    with client.websocket_connect(path) as socket:
        socket.send_json({"token": me["token"], "after": last - 4})
        again = [until(socket, lambda m: "n" in m and "view" not in m)["n"] for _ in range(4)]
        assert again == [last - 3, last - 2, last - 1, last]
        assert to_act(until(socket, lambda m: "view" in m))


def test_a_restart_in_mid_hand_loses_nothing(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        me = opened(client)
        path = f"/api/rooms/{me['room']}/ws"
        with client.websocket_connect(path) as socket:
            socket.send_json({"token": me["token"]})
            socket.send_json({"ready": True})
            message = until(socket, to_act)
            choice = lazy(message["view"]["options"])
            socket.send_json({"action": {k: v for k, v in choice.items() if k != "score"}, "n": message["n"]})
            before = until(socket, to_act)
    with served(tmp_path) as client, client.websocket_connect(path) as socket:
        socket.send_json({"token": me["token"], "after": before["n"]})
        after = until(socket, to_act)
        assert after["n"] == before["n"]
        assert after["view"] == before["view"]
        choice = lazy(after["view"]["options"])
        socket.send_json({"action": {k: v for k, v in choice.items() if k != "score"}, "n": after["n"]})
        play_on(socket, lambda m: "over" in m)


def test_leaving_before_the_first_word_is_no_error(client: TestClient) -> None:
    me = opened(client)
    for _ in range(2):
        with client.websocket_connect(f"/api/rooms/{me['room']}/ws"):
            pass
    assert client.get(f"/api/rooms/{me['room']}").json()["phase"] == "open"


def test_a_second_device_takes_over_and_the_first_is_notified(client: TestClient) -> None:
    me = opened(client)
    path = f"/api/rooms/{me['room']}/ws"
    with client.websocket_connect(path) as old, client.websocket_connect(path) as new:
        old.send_json({"token": me["token"]})
        old.send_json({"ready": True})
        before = until(old, to_act)
        new.send_json({"token": me["token"], "after": before["n"]})
        after = until(new, to_act)
        assert (after["n"], after["view"]) == (before["n"], before["view"])
        assert until(old, lambda m: "taken" in m) == {"taken": True}
        with pytest.raises(WebSocketDisconnect) as ended:
            old.receive_json()
        assert ended.value.code == 4408
        head = client.get(f"/api/rooms/{me['room']}").json()
        assert head["places"][0]["here"]
        choice = lazy(after["view"]["options"])
        new.send_json({"action": {k: v for k, v in choice.items() if k != "score"}, "n": after["n"]})
        play_on(new, lambda m: "over" in m)


def test_who_sits_there_but_is_away_need_not_be_waited_for(client: TestClient) -> None:
    me = opened(client, bots=["", "", "plain", "plain"])
    path = f"/api/rooms/{me['room']}"
    friend = client.post(path + "/sit", json={"name": "客"}).json()
    with client.websocket_connect(path + "/ws") as mine:
        mine.send_json({"token": me["token"]})
        with client.websocket_connect(path + "/ws") as other:
            other.send_json({"token": friend["token"]})
            until(other, lambda m: "room" in m)
            mine.send_json({"begin": True})
            refused = until(mine, lambda m: "refused" in m)
            assert refused["refused"]["en"] == "not everyone here is ready."
        until(mine, lambda m: "room" in m and not m["room"]["places"][1]["here"])
        mine.send_json({"ready": True})
        assert until(mine, lambda m: "room" in m and m["room"]["places"][0]["ready"])["room"]["phase"] == "open"
        mine.send_json({"begin": True})
        until(mine, to_act)
        mine.send_json({"begin": True})
        assert until(mine, lambda m: "refused" in m)["refused"]["zh"] == "牌局已经开始。"


def test_between_hands_a_restart_still_shows_how_the_last_one_ended(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        me = opened(client)
        path = f"/api/rooms/{me['room']}/ws"
        with client.websocket_connect(path) as socket:
            socket.send_json({"token": me["token"]})
            socket.send_json({"ready": True})
            before = play_on(socket, lambda m: "over" in m)[-1]
    with served(tmp_path) as client, client.websocket_connect(path) as socket:
        socket.send_json({"token": me["token"]})
        assert until(socket, lambda m: "over" in m) == before


def test_a_room_that_was_let_go_is_freed_at_once(client: TestClient) -> None:
    import gc
    import weakref

    me = opened(client)
    house = client.app.state.rooms  # type: ignore[attr-defined]  # the application's own state
    with client.websocket_connect(f"/api/rooms/{me['room']}/ws") as socket:
        socket.send_json({"token": me["token"]})
        socket.send_json({"ready": True})
        play_on(socket, lambda m: "over" in m)
    room = house.rooms.pop(me["room"])
    client.portal.call(room.close)  # type: ignore[union-attr]  # the client is running
    reference = weakref.ref(room)
    gc.disable()  # what holds itself would wait for the collector
    try:
        del room
        deadline = time.monotonic() + 60
        while reference() is not None and time.monotonic() < deadline:
            time.sleep(0.05)
        assert reference() is None
    finally:
        gc.enable()


@pytest.mark.long
def test_who_missed_much_is_sent_all_of_it(client: TestClient) -> None:
    me = opened(client, bots=["", "closed", "closed", "closed"])
    path = f"/api/rooms/{me['room']}/ws"
    hands = []

    def enough(message: dict[str, Any]) -> bool:
        hands.append("over" in message)
        return sum(hands) == 3 or message.get("over", {}).get("match_over", False)

    with client.websocket_connect(path) as socket:
        socket.send_json({"token": me["token"]})
        socket.send_json({"ready": True})
        seen = play_on(socket, enough)
    first = [m for m in seen if "n" in m and "phase" not in m and m["n"] > 0]
    assert len(first) > 300  # more than a room keeps in memory
    with client.websocket_connect(path) as socket:
        socket.send_json({"token": me["token"], "after": 0})
        again: list[dict[str, Any]] = []
        while len(again) < len(first):
            message = socket.receive_json()
            if "n" in message and "phase" not in message:
                again.append(message)
    assert [m["n"] for m in again] == [m["n"] for m in first]


def test_who_plays_alone_finds_the_result_where_he_left_it(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    me = opened(client)
    address = f"/api/rooms/{me['room']}"
    with client.websocket_connect(f"{address}/ws") as socket:
        socket.send_json({"token": me["token"]})
        socket.send_json({"ready": True})
        over = play_on(socket, lambda m: "over" in m)[-1]["over"]
    time.sleep(3.5)
    assert client.get(address).json()["phase"] == "between"
    with client.websocket_connect(f"{address}/ws") as socket:
        socket.send_json({"token": me["token"]})
        assert until(socket, lambda m: "over" in m)["over"] == over
    monkeypatch.setattr("quepu.server.rooms.playing.ALONE", 0.5)  # he does not come for long: bots play to the end
    for _ in range(240):
        if client.get(address).json()["phase"] == "playing":
            return
        time.sleep(0.25)
    raise AssertionError("the table waits for ever")
