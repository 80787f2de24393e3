"""A duplicate evening at the desk: own walls for every seat, slips for the trays, and IMPs by seat and by team."""

from __future__ import annotations

import re
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest

from quepu.tournament.walls import verify_walls
from tests.server.rooms import served
from tests.server.test_desks import Organiser

LEAST = (20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600)
"""Laws of Duplicate Bridge 2017, 78B: the least difference for 1, 2, 3 … IMPs."""
TEAMS = "甲乙丙丁"
HANDS = [  # for each table: who wins each of four hands, for how many points, and who discarded (None: drawn)
    [(0, 8, None), (1, 24, 2), (2, 10, None), (3, 88, 0)],
    [(0, 12, None), (2, 8, 1), (2, 30, 3), (0, 16, None)],
    [(1, 64, 0), (1, 24, 2), None, (3, 8, None)],
    [None, (3, 8, 0), (0, 9, None), (1, 40, 2)],
]


@pytest.fixture
def client(tmp_path: Path):
    with served(tmp_path) as client:
        yield client


def begun(client, **more):
    """A desk of four teams whose members sit in four seats at four tables, with its first session begun."""
    players = [f"{team}{seat},{team}队" for team in TEAMS for seat in range(1, 5)]
    desk = Organiser(client, players, rules="guobiao-mcr", length=1, hands=4, **more)
    rows = ["\t".join(f"{TEAMS[(at + seat) % 4]}{seat + 1}" for seat in range(4)) for at in range(4)]
    desk.do(do="import", text="\n".join(row.replace("\t", ",") for row in rows))
    desk.do(do="begin", own=True, open_tables=True)
    return desk


def played(client, opened, hands):
    """Play hands at a score table; return the points of each player in each."""
    view, gained = client.get(f"/api/tables/{opened}").json(), []
    for hand in hands:
        record = {"kind": "hand"}
        if hand is not None:
            winner, points, discarder = hand
            way = {"self_draw": True} if discarder is None else {"discarder": discarder}
            record |= {"winner": winner, "points": points, **way}
        body = {"seen": view["length"], "do": "add", "record": record}
        answer = client.post(f"/api/tables/{opened}", json=body)
        assert answer.status_code == 200, answer.text
        now = answer.json()
        gained.append([after - before for before, after in zip(view["totals"], now["totals"], strict=True)])
        view = now
    return gained


def imps_of(difference):
    found = sum(abs(difference) >= least for least in LEAST)
    return found if difference > 0 else -found


def test_sixteen_players_with_own_walls_from_the_desk_to_the_standings(client):
    desk = begun(client)
    one = desk["rounds"][0]
    assert one["own"] is True
    assert len(one["commitment"]) == 64
    gained = [played(client, table["opened"], HANDS[at]) for at, table in enumerate(one["tables"])]
    view = client.get(f"/api/desks/{desk['id']}").json()
    assert view["rounds"][0]["over"]

    imps, of_team = defaultdict(int), defaultdict(int)
    for hand in range(4):
        for player in range(4):  # who sits at the same place everywhere has the same wind in every hand
            average = Fraction(sum(gained[at][hand][player] for at in range(4)), 4)
            for at, table in enumerate(one["tables"]):
                imps[table["names"][player]] += imps_of(gained[at][hand][player] - average)
        sums = {
            team: sum(
                gained[at][hand][player]
                for at, table in enumerate(one["tables"])
                for player in range(4)
                if table["names"][player].startswith(team)
            )
            for team in TEAMS
        }
        average = Fraction(sum(sums.values()), 4)
        for team, total in sums.items():
            of_team[f"{team}队"] += imps_of(total - average)
    assert {line["name"]: line["imps"] for line in view["standings"]} == imps
    assert {line["team"]: line["imps"] for line in view["teams"]} == of_team
    assert any(imps.values())
    assert any(of_team.values())

    desk.view = view
    desk.do(do="amend", order=["imps", "total"])
    ranked = [(line["imps"], line["total"]) for line in desk["standings"]]
    assert ranked == sorted(ranked, reverse=True)
    assert [line["imps"] for line in desk["teams"]] == sorted(of_team.values(), reverse=True)
    table = client.get(f"/api/desks/{desk['id']}/export", params={"lang": "en", "form": "standings"}).text
    assert "IMPs" in table.splitlines()[0]


def test_a_hand_that_one_table_has_played_compares_with_nothing_and_slips_bring_no_imps(client):
    desk = begun(client, interim=True)
    tables = desk["rounds"][0]["tables"]
    played(client, tables[0]["opened"], HANDS[0][:2])
    view = client.get(f"/api/desks/{desk['id']}").json()
    assert {line["imps"] for line in view["standings"]} == {0}
    second = played(client, tables[1]["opened"], HANDS[1][:1])[0]
    first = [48, -16, -16, -16]  # drawn for 8: from each 8 and the base of 8
    desk.view = client.get(f"/api/desks/{desk['id']}").json()
    found = {line["name"]: line["imps"] for line in desk["standings"]}
    for player in range(4):
        apart = Fraction(first[player] - second[player], 2)
        assert found[tables[0]["names"][player]] == imps_of(apart)
        assert found[tables[1]["names"][player]] == imps_of(-apart)
    desk.do(do="slip", round=1, table=3, points=[500, -500, 0, 0])  # totals only: nothing to compare
    assert {line["name"]: line["imps"] for line in desk["standings"]} == found


def test_slips_say_what_stands_in_the_walls_and_are_shown_to_all_after_the_session(client):
    desk = begun(client)
    reader = client.post(f"/api/desks/{desk['id']}/reader", json={}).json()["reader"]
    for path in ("walls", "trays"):
        assert client.get(f"/api/desks/{reader}/{path}/1").status_code == 400
    file = client.get(f"/api/desks/{desk['id']}/walls/1").json()
    assert (file["own"], file["round"], file["tiles"]) == (True, 1, 136)
    assert verify_walls(file) == 4
    page = client.get(f"/api/desks/{desk['id']}/trays/1", params={"lang": "en"})
    assert page.headers["content-type"].startswith("text/html")
    slips = re.findall(r"<section>(.*?)</section>", page.text, re.DOTALL)
    assert len(slips) == 4 * 4
    assert [re.search("hand (\\d), (\\w+)", slip).groups() for slip in slips[:5]] == [
        ("1", "East"), ("1", "South"), ("1", "West"), ("1", "North"), ("2", "East"),
    ]  # fmt: skip
    assert [len(re.findall("<small>", slip)) for slip in slips] == [3] * 16
    for at, table in enumerate(desk["rounds"][0]["tables"]):
        played(client, table["opened"], HANDS[at])
    assert client.get(f"/api/desks/{reader}/walls/1").json() == file
    assert client.get(f"/api/desks/{reader}/trays/1", params={"lang": "en"}).text == page.text
    assert client.get(f"/api/desks/{desk['id']}/trays/2", params={"lang": "zh"}).status_code == 400


def test_a_session_without_own_walls_has_no_slips_and_no_imps(client):
    desk = Organiser(client, ["甲", "乙", "丙", "丁"], rules="guobiao-mcr", length=1)
    desk.do(do="draw", rounds=1)
    desk.do(do="begin", same_walls=True, open_tables=True)
    assert desk["rounds"][0]["own"] is False
    answer = client.get(f"/api/desks/{desk['id']}/trays/1", params={"lang": "zh"})
    assert (answer.status_code, "不是复式" in answer.json()["error"]) == (400, True)
    played(client, desk["rounds"][0]["tables"][0]["opened"], HANDS[0])
    view = client.get(f"/api/desks/{desk['id']}").json()
    assert {line["imps"] for line in view["standings"]} == {0}
