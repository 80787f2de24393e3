"""A round of the desk played online: a room a table, places held, the same committed walls, results out of the logs."""

import json
from fractions import Fraction
from functools import partial

import pytest
from starlette.testclient import TestClient

from quepu.cli import run
from quepu.match.reader import read_log
from quepu.server.app import create_app
from quepu.server.desks import changes as desk_changes
from quepu.server.rooms import admission
from quepu.server.rooms.messages import RoomSpec
from quepu.tournament import duplicate
from quepu.tournament.walls import verify_walls
from tests.server.rooms import until
from tests.server.serving import unlimited
from tests.server.test_table_results import WHO

EIGHT = ["张伟", "王芳", "李娜", "刘洋", "陈静", "杨帆", "赵磊", "黄敏"]


@pytest.fixture
def client(tmp_path):
    settings = unlimited(tmp_path)
    with TestClient(create_app(settings)) as made:
        yield made


def write(client, desk, **record):
    answer = client.post(f"/api/desks/{desk['id']}", json={"seen": desk["length"], "record": record})
    assert answer.status_code == 200, answer.text
    return answer.json()


def begun(client, **more):
    body = {"who": WHO, "title": "周五", "rules": "guobiao-mcr", "players": EIGHT, "length": 1}
    desk = client.post("/api/desks", json=body).json()
    desk = write(client, desk, do="draw", rounds=1)
    return write(client, desk, do="begin", open_rooms=True, **more)


def sit(client, room, name):
    return client.post(f"/api/rooms/{room}/sit", json={"name": name})


def gains(payments):
    """What the players at the four winds win or lose in a hand."""
    found = [0, 0, 0, 0]
    for one in payments:
        found[one.payer] -= one.points
        found[one.payee] += one.points
    return found


def played_out(client, room, name):
    """One sits down, begins with bots in the other places, and leaves: a bot plays for him, too. What he was shown."""
    sat = sit(client, room, name).json()
    shown = []
    with client.websocket_connect(f"/api/rooms/{room}/ws") as socket:
        socket.send_json({"token": sat["token"]})
        socket.send_json({"begin": True})
        until(socket, lambda m: m.get("room", {}).get("phase") in ("playing", "between"))
        client.post(f"/api/rooms/{room}/leave", headers={"x-token": sat["token"]})
        while not shown or not shown[-1]["match_over"]:
            shown.append(until(socket, lambda m: "over" in m)["over"])
            socket.send_json({"ready": True})
    assert client.get(f"/api/rooms/{room}").json()["phase"] == "over"
    return [one["reveal"] for one in shown]


def test_rooms_are_made_with_places_held_for_who_sits_there(client):
    desk = begun(client)
    tables = desk["rounds"][0]["tables"]
    assert [table["online"] for table in tables] == [True, True]
    head = client.get(f"/api/rooms/{tables[0]['opened']}").json()
    assert [place["reserved"] for place in head["places"]] == tables[0]["names"]
    assert head["title"] == "周五 1-1"
    reader = client.post(f"/api/desks/{desk['id']}/reader", json={}).json()["reader"]
    public = client.get(f"/api/desks/{reader}").json()["rounds"][0]["tables"]
    assert [table["opened"] for table in public] == [table["opened"] for table in tables]  # players find their rooms
    refused = sit(client, tables[0]["opened"], tables[1]["names"][0])
    assert refused.status_code == 400  # that place is at the other table
    own = sit(client, tables[0]["opened"], tables[0]["names"][2])
    assert own.json()["place"] == 2


def test_a_match_waits_for_the_others_and_who_is_late_takes_his_place_from_the_bot(client, monkeypatch):
    monkeypatch.setattr(desk_changes, "RoomSpec", partial(RoomSpec, think=0))
    table = begun(client)["rounds"][0]["tables"][0]
    room, names = table["opened"], table["names"]
    first = sit(client, room, names[0]).json()
    with client.websocket_connect(f"/api/rooms/{room}/ws") as socket:
        socket.send_json({"token": first["token"]})
        until(socket, lambda m: "room" in m)
        socket.send_json({"reserve": 1, "name": ""})
        assert "裁判台" in until(socket, lambda m: "refused" in m)["refused"]["zh"]  # the desk has given the places
        socket.send_json({"ready": True})
        head = until(socket, lambda m: m.get("room", {}).get("places", [{}])[0].get("ready"))["room"]
        assert (head["phase"], head["held"]) == ("open", True)  # three have yet to come
        sit(client, room, names[1])
        socket.send_json({"begin": True})
        begun_head = until(socket, lambda m: m.get("room", {}).get("phase") in ("playing", "between"))["room"]
        assert [place["name"] for place in begun_head["places"]] == names
        assert [place["reserved"] for place in begun_head["places"]] == ["", "", *names[2:]]
        assert all(place["level"] for place in begun_head["places"][2:])  # bots play there
        assert sit(client, room, "别人").status_code == 400
        late = sit(client, room, names[2]).json()
        assert late["place"] == 2
        assert sit(client, room, names[2]).status_code == 400  # once
        with client.websocket_connect(f"/api/rooms/{room}/ws") as own:
            own.send_json({"token": late["token"]})
            view = until(own, lambda m: m.get("view"))
            assert view["names"][view["players"].index(2)] == names[2]
        head = client.get(f"/api/rooms/{room}").json()
        assert (head["places"][2]["reserved"], head["places"][3]["reserved"]) == ("", names[3])


def test_the_desk_gives_a_lost_player_a_link(client, monkeypatch):
    monkeypatch.setattr(admission, "LOST", 0.0)
    desk = begun(client)
    tables = desk["rounds"][0]["tables"]
    room, names = tables[0]["opened"], tables[0]["names"]
    here, lost = (sit(client, room, name).json() for name in names[:2])
    with client.websocket_connect(f"/api/rooms/{room}/ws") as socket:
        socket.send_json({"token": here["token"]})
        socket.send_json({"begin": True})
        until(socket, lambda m: m.get("view"))
        own = client.post(f"/api/rooms/{room}/places/1/link", json={"token": here["token"]})
        assert "裁判台" in own.json()["error"]
        path = f"/api/desks/{desk['id']}/rooms/{room}/places"
        link = client.post(f"{path}/1/link")
        assert (link.status_code, link.json()["place"]) == (200, 1)
        assert client.post(f"{path}/2/link").status_code == 400  # he has not come: no link is needed
        assert client.post(f"/api/desks/{desk['id']}/rooms/other/places/1/link").status_code == 404
        reader = client.post(f"/api/desks/{desk['id']}/reader", json={}).json()["reader"]
        assert client.post(f"/api/desks/{reader}/rooms/{room}/places/1/link").status_code == 403
        head = until(socket, lambda m: m.get("room", {}).get("places", [{}] * 2)[1].get("link_by"))["room"]
        assert head["places"][1]["link_by"] == "裁判台"
        with client.websocket_connect(f"/api/rooms/{room}/ws") as back:
            back.send_json({"token": link.json()["token"]})
            assert until(back, lambda m: m.get("view"))["view"]["seat"] == "S"
            assert lost["token"] != link.json()["token"]


def test_a_room_read_again_from_its_log_still_holds_the_place_of_who_has_not_come(client, tmp_path):
    table = begun(client)["rounds"][0]["tables"][0]
    room, names = table["opened"], table["names"]
    first = sit(client, room, names[0]).json()
    with client.websocket_connect(f"/api/rooms/{room}/ws") as socket:
        socket.send_json({"token": first["token"]})
        socket.send_json({"begin": True})
        until(socket, lambda m: m.get("view"))
    client.__exit__(None, None, None)
    with TestClient(create_app(unlimited(tmp_path))) as again:
        head = again.get(f"/api/rooms/{room}").json()
        assert head["held"] is True
        assert [place["reserved"] for place in head["places"]] == ["", *names[1:]]
        assert sit(again, room, names[3]).json()["place"] == 3
    client.__enter__()


@pytest.mark.long
def test_a_duplicate_round_online_deals_own_walls_and_compares_hand_by_hand(client, monkeypatch):
    monkeypatch.setattr(desk_changes, "RoomSpec", partial(RoomSpec, think=0))
    desk = begun(client, own=True)
    tables = desk["rounds"][0]["tables"]
    for table in tables:
        played_out(client, table["opened"], table["names"][0])
    whole = client.get(f"/api/desks/{desk['id']}").json()
    assert whole["rounds"][0]["over"]
    file = client.get(f"/api/desks/{desk['id']}/walls/1").json()
    points = []  # of each hand of a table, by wind
    for table in tables:
        hands = read_log(client.get(f"/api/rooms/{table['opened']}/log").text.splitlines()).hands
        for hand, wall in zip(hands, file["walls"], strict=False):
            assert (hand.wall.text(), hand.wall.own) == (wall["wall"], True)
        assert len(hands) >= 4
        points.append([gains(hand.payments) for hand in hands])
    imps = dict.fromkeys((name for table in tables for name in table["names"]), 0)
    both = list(zip(*points, strict=False))
    assert any(one != other for one, other in both)
    for at, table in enumerate(tables):
        hands = read_log(client.get(f"/api/rooms/{table['opened']}/log").text.splitlines()).hands
        for hand, of_tables in zip(hands, both, strict=False):
            for wind, player in enumerate(hand.place.seats):
                difference = Fraction(of_tables[at][wind] - of_tables[1 - at][wind], 2)
                imps[table["names"][player]] += duplicate.imps(difference)
    assert {line["name"]: line["imps"] for line in whole["standings"]} == imps


@pytest.mark.long
def test_a_round_online_has_one_wall_and_its_results_come_back_by_the_logs(client, tmp_path, monkeypatch):
    monkeypatch.setattr(desk_changes, "RoomSpec", partial(RoomSpec, think=0))
    desk = begun(client, same_walls=True)
    tables = desk["rounds"][0]["tables"]
    one, two = (table["opened"] for table in tables)
    promised = desk["rounds"][0]["commitment"]
    for shown in played_out(client, one, tables[0]["names"][0]):
        assert shown["commitment"] == promised
        assert (shown["wall"], shown["secret"]) == ("", "")  # the other table has yet to play it
    assert client.get(f"/api/rooms/{one}/log").status_code == 409
    assert client.get(f"/api/replays/{one}").status_code == 409
    half = client.get(f"/api/desks/{desk['id']}").json()
    points = half["rounds"][0]["tables"][0]["results"][-1]["points"]
    assert sum(points) == 0
    assert half["rounds"][0]["over"] is False
    assert client.get(f"/api/rooms/{one}/log").status_code == 409
    played_out(client, two, tables[1]["names"][0])
    whole = client.get(f"/api/desks/{desk['id']}").json()
    assert whole["rounds"][0]["over"] is True
    totals = {line["name"]: line["total"] for line in whole["standings"]}
    assert [totals[name] for name in tables[0]["names"]] == points
    logs = [client.get(f"/api/rooms/{room}/log") for room in (one, two)]
    assert [log.status_code for log in logs] == [200, 200]
    walls = [[json.loads(line)["wall"] for line in log.text.splitlines() if line.startswith('{"hand"')] for log in logs]
    file = client.get(f"/api/desks/{desk['id']}/walls/1").json()
    common = min(map(len, walls))
    assert common >= 4
    assert walls[0][:common] == walls[1][:common] == [wall["wall"] for wall in file["walls"]][:common]
    assert verify_walls(file) >= common
    for i, log in enumerate(logs):
        path = tmp_path / f"{i}.jsonl"
        path.write_text(log.text, encoding="utf-8")
        assert run(["verify", str(path)]) == 0
    assert client.get(f"/api/replays/{one}").status_code == 200
    drawn = write(client, whole, do="draw", rounds=1)
    later = write(client, drawn, do="begin", open_rooms=False)  # over what the logs say, which no slip does
    assert client.get(f"/api/desks/{desk['id']}").json()["rounds"] == later["rounds"]
    assert [one["over"] for one in later["rounds"]] == [True, False]
    other = begun(client)  # without the same walls nothing is held back
    assert other["rounds"][0]["commitment"] == ""
