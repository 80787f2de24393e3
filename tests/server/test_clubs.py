"""A club night is the desk's: its rules for rounds and standings; two devices that drew one round; on at a desk."""

from collections import Counter
from itertools import combinations

import pytest
from starlette.testclient import TestClient

from quepu.server.app import create_app
from tests.server.serving import unlimited
from tests.server.test_table_results import WHO

OWN = {"X-Who": WHO}
CLUB = "周五"
EIGHT = [f"甲{i}" for i in range(8)]


@pytest.fixture
def client(tmp_path):
    with TestClient(create_app(unlimited(tmp_path))) as made:
        yield made


def drawn(client, names=EIGHT, **more):
    body = {"who": WHO, "names": names, "rules": "lingque-29", "rounds": 1, "anyway": True, **more}
    answer = client.post(f"/api/clubs/{CLUB}/rounds", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def win(client, table, winner=0, points=48):
    seen = client.get(f"/api/tables/{table['id']}").json()["length"]
    record = {"kind": "hand", "winner": winner, "points": points, "self_draw": True}
    answer = client.post(f"/api/tables/{table['id']}", json={"seen": seen, "do": "add", "record": record})
    assert answer.status_code == 200, answer.text


def carried(client, club_round, draw, *fours):
    """Tables that a device opened without a server, and brings now."""
    for i, names in enumerate(fours, 1):
        spec = {
            "title": f"{CLUB} {club_round}-{i}", "rules": "lingque-29", "names": names, "rounds": 1,
            "club": CLUB, "club_round": club_round, "club_draw": draw,
        }  # fmt: skip
        record = {"kind": "hand", "winner": 0, "points": 48, "self_draw": True}
        body = {"who": WHO, "spec": spec, "entries": [{"do": "add", "record": record, "key": f"{draw}{i}"}]}
        answer = client.put(f"/api/tables/{draw}table{i:06}/log", json=body)
        assert answer.status_code == 200, answer.text


def totals(view):
    return {line["name"]: line["total"] for line in view["standings"]}


@pytest.mark.parametrize("all_played", [False, True])
def test_two_devices_that_drew_one_round_are_noticed_and_somebody_chooses(client, all_played):
    first = drawn(client)
    for table in first["rounds"][0]["tables"]:
        win(client, table)
    carried(client, 2, "d1", [EIGHT[0], EIGHT[2], EIGHT[4], EIGHT[6]], [EIGHT[1], EIGHT[3], EIGHT[5], EIGHT[7]])
    assert client.get(f"/api/clubs/{CLUB}", headers=OWN).json()["conflicts"] == []
    carried(client, 2, "d2", [EIGHT[0], EIGHT[1], EIGHT[6], EIGHT[7]], [EIGHT[2], EIGHT[3], EIGHT[4], EIGHT[5]])
    view = client.get(f"/api/clubs/{CLUB}", headers=OWN).json()
    [conflict] = view["conflicts"]
    assert "第 2 轮有 2 份" in conflict["text"]["zh"]
    assert [len(one) for one in conflict["versions"]] == [2, 2]
    body = {"who": WHO, "names": EIGHT, "rules": "lingque-29", "anyway": True}
    refused = client.post(f"/api/clubs/{CLUB}/rounds", json=body)
    assert (refused.status_code, "请先选定" in refused.json()["error"]) == (400, True)
    chosen = None if all_played else conflict["versions"][1][0]
    answer = client.post(f"/api/clubs/{CLUB}/versions", json={"who": WHO, "round": 2, "table": chosen})
    after = answer.json()
    assert after["conflicts"] == []
    if all_played:
        assert [one["number"] for one in after["rounds"]] == [1, 2, 3]
        assert totals(after) == totals(view)  # all of it counts
    else:
        assert [table["id"] for table in after["rounds"][1]["tables"]] == conflict["versions"][1]
        left_out = client.get(f"/api/tables/{conflict['versions'][0][0]}").json()
        assert (left_out["spec"]["club"], len(left_out["rows"])) == (None, 1)  # still there, and nothing of it is lost
        assert {line["name"]: line["tables"] for line in after["standings"]} == dict.fromkeys(EIGHT, 2)
    assert client.post(f"/api/clubs/{CLUB}/versions", json={"who": WHO, "round": 2, "table": None}).status_code == 400


def test_draws_of_different_people_are_one_round(client):
    carried(client, 1, "d1", EIGHT[:4])
    carried(client, 1, "d2", EIGHT[4:])
    view = client.get(f"/api/clubs/{CLUB}", headers=OWN).json()
    assert view["conflicts"] == []
    assert [len(one["tables"]) for one in view["rounds"]] == [2]


def test_the_night_goes_on_at_a_desk_with_the_same_standings(client):
    first = drawn(client, [*EIGHT, "甲8"])
    one, two = first["rounds"][0]["tables"]
    win(client, one)
    win(client, two, 1, 60)
    substitute = {"kind": "substitute", "player": 2, "name": "替补"}
    client.post(f"/api/tables/{one['id']}", json={"seen": 2, "do": "add", "record": substitute})
    win(client, one, 2, 100)
    night = client.get(f"/api/clubs/{CLUB}", headers=OWN).json()
    assert night["desk"] == ""
    made = client.post("/api/desks/club", json={"who": WHO, "club": CLUB, "rules": "lingque-29", "length": 1})
    assert made.status_code == 201, made.text
    desk = made.json()
    assert {line["name"]: line["total"] for line in desk["standings"]} == totals(night)
    assert {line["name"]: line["hands"] for line in desk["standings"]} == {
        line["name"]: line["hands"] for line in night["standings"]
    }
    assert totals(night)["替补"] != 0
    assert [table["opened"] for table in desk["rounds"][0]["tables"]] == [one["id"], two["id"]]
    again = client.post("/api/desks/club", json={"who": WHO, "club": CLUB})
    assert again.json()["id"] == desk["id"]
    assert client.get(f"/api/clubs/{CLUB}", headers=OWN).json()["desk"] == desk["id"]
    # a slip at the desk counts before the table, and the tables go on counting
    slip = {"do": "slip", "round": 1, "table": 2, "points": [1, 2, 3, -6]}
    body = {"seen": desk["length"], "record": slip}
    after = client.post(f"/api/desks/{desk['id']}", json=body).json()
    names = after["rounds"][0]["tables"][1]["names"]
    assert {line["name"]: line["total"] for line in after["standings"] if line["name"] in names} == dict(
        zip(names, [1, 2, 3, -6], strict=True)
    )


def test_two_substitutes_in_one_seat_leave_the_points_of_the_table_whole(client):
    table = drawn(client, EIGHT[:4])["rounds"][0]["tables"][0]
    names = table["names"]
    for name in ("替补一", "替补二"):
        win(client, table, 2, 100)
        seen = client.get(f"/api/tables/{table['id']}").json()["length"]
        record = {"kind": "substitute", "player": 2, "name": name}
        answer = client.post(f"/api/tables/{table['id']}", json={"seen": seen, "do": "add", "record": record})
        assert answer.status_code == 200, answer.text
    win(client, table, 0, 60)
    desk = client.post("/api/desks/club", json={"who": WHO, "club": CLUB, "rules": "lingque-29"}).json()
    [shown] = desk["rounds"][0]["tables"]
    [result] = shown["results"]
    assert sum(result["points"]) == 0
    points = {one["name"]: one["points"] for one in shown["scores"]}
    assert set(points) == {*names, "替补一", "替补二"}
    assert result["points"] == [
        points[name] + (points["替补一"] + points["替补二"] if name == names[2] else 0) for name in shown["names"]
    ]
    grid = client.get(f"/api/desks/{desk['id']}/grid").json()
    for row in grid["rows"]:
        [cell] = row["cells"]
        assert (cell["points"], cell["standard"], row["extras"]) == (row["total"], row["standard"], [])
        assert (cell["seat"] is None) == (row["name"] not in names)


def test_who_is_here_comes_along_to_the_desk(client):
    club = "带人社"
    night = {"who": WHO, "club": club, "rules": "lingque-29", "players": ["甲", "乙", "丙", "丁", "晚到"]}
    client.post(
        f"/api/clubs/{club}/rounds", json={"who": WHO, "rules": "lingque-29", "names": ["甲", "乙", "丙", "丁"]}
    )
    desk = client.post("/api/desks/club", json=night)
    assert desk.status_code == 201, desk.text
    assert sorted(one["name"] for one in desk.json()["players"]) == sorted(night["players"])
    empty = client.post("/api/desks/club", json={**night, "club": "还没有一轮"})
    assert [one["name"] for one in empty.json()["players"]] == night["players"]


def test_a_club_night_seats_rounds_and_sums_by_name(client):
    who, club = "club-12345678", "周五"
    names = [f"甲{i}" for i in range(8)]
    request = {"who": who, "names": names, "rules": "lingque-26", "rounds": 1, "anyway": True}
    first = client.post(f"/api/clubs/{club}/rounds", json=request)
    assert first.status_code == 201, first.text
    tables = first.json()["rounds"][0]["tables"]
    assert sorted(name for table in tables for name in table["names"]) == names
    for table in tables:
        record = {"kind": "hand", "winner": 0, "points": 48, "self_draw": True}
        client.post(f"/api/tables/{table['id']}", json={"seen": 1, "do": "add", "record": record})
    view = client.get(f"/api/clubs/{club}", params={"by": "reduced"}, headers={"X-Who": who}).json()
    assert [line["rank"] for line in view["standings"]] == [1, 1, 3, 3, 3, 3, 3, 3]
    assert [line["total"] for line in view["standings"]] == [216, 216, *[-72] * 6]
    assert view["standings"][0]["reduced"] > 0 > view["standings"][-1]["reduced"]
    assert abs(sum(line["reduced"] for line in view["standings"])) < 1e-9
    again = client.post(f"/api/clubs/{club}/rounds", json={**request, "by": "standings"}).json()
    best = {line["name"] for line in view["standings"][:2]}
    assert any(best <= set(table["names"]) for table in again["rounds"][1]["tables"])
    odd = client.post(f"/api/clubs/{club}/rounds", json={**request, "names": names[:6]})
    assert odd.status_code == 201, odd.text
    assert len(odd.json()["rounds"][2]["tables"]) == 1  # two rest
    few = client.post(f"/api/clubs/{club}/rounds", json={**request, "names": [*names[:3], names[0]]})
    assert few.status_code == 400
    assert "两次" in few.json()["error"]


def test_a_round_of_a_club_night_is_guarded_and_can_be_taken_back(client):
    who, club = "club-guard-1234", "周日"
    request = {"who": who, "names": [f"甲{i}" for i in range(8)], "rules": "lingque-29", "rounds": 1}
    assert client.post(f"/api/clubs/{club}/undo", json={"who": who}).status_code == 409
    first = client.post(f"/api/clubs/{club}/rounds", json=request).json()["rounds"][0]["tables"]
    refused = client.post(f"/api/clubs/{club}/rounds", json=request)
    assert refused.status_code == 409
    assert "第 1 轮的桌 1、2 还没有结果" in refused.json()["error"]
    again = client.post(f"/api/clubs/{club}/rounds", json={**request, "anyway": True})
    assert len(again.json()["rounds"]) == 2
    assert client.post(f"/api/clubs/{club}/undo", json={"who": "club-other-1234"}).status_code == 409
    back = client.post(f"/api/clubs/{club}/undo", json={"who": who})
    assert [[table["id"] for table in one["tables"]] for one in back.json()["rounds"]] == [[t["id"] for t in first]]
    record = {"kind": "hand", "winner": 0, "points": 48, "self_draw": True}
    client.post(f"/api/tables/{first[0]['id']}", json={"seen": 1, "do": "add", "record": record})
    undone = client.post(f"/api/clubs/{club}/undo", json={"who": who})
    assert undone.status_code == 409
    assert "已经有记录" in undone.json()["error"]
    assert client.get(f"/api/tables/{first[0]['id']}").status_code == 200


def test_a_draw_brings_new_people_together(client):
    who, club = "club-87654321", "周六"
    request = {"who": who, "names": [f"p{i}" for i in range(16)], "rules": "guobiao-mcr", "anyway": True}
    for _ in range(3):
        answer = client.post(f"/api/clubs/{club}/rounds", json=request)
        assert answer.status_code == 201, answer.text
    rounds = [[table["names"] for table in one["tables"]] for one in answer.json()["rounds"]]
    met = Counter(frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))
    assert sum(met.values()) == 3 * 4 * 6
    assert sum(times - 1 for times in met.values()) <= 4
