"""A club over seasons: attendance, records, leagues with promotion, fees, clubs merged; all from tables."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quepu.scorekeeper.roster import id_of
from quepu.server.app import create_app
from tests.server.serving import unlimited

WHO = "somebody-1234"
OWN = {"X-Who": WHO}
FOUR, OTHERS = list("甲乙丙丁"), list("子丑寅卯")
TODAY = time.strftime("%Y-%m-%d", time.gmtime())
keys = (f"key-{number}" for number in count())


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(unlimited(tmp_path)), headers=OWN) as made:
        yield made


def opened(
    client: TestClient, names: list[str], points: int = 48, winner: int = 0, rules: str = "lingque-29", **more: Any
) -> str:
    body = {"rules": rules, "names": names, "who": WHO, **more}
    id = str(client.post("/api/tables", json=body).json()["id"])
    record = {"kind": "hand", "winner": winner, "points": points, "self_draw": True}
    answer = client.post(f"/api/tables/{id}", json={"seen": 1, "do": "add", "record": record})
    assert answer.status_code == 200, answer.text
    return id


def season(client: TestClient, **query: str) -> Any:
    answer = client.get("/api/season", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_season_counts_guests_over_all_books_and_points_within_one(client: TestClient) -> None:
    opened(client, FOUR, club="周五")
    opened(client, FOUR, 64, 1, club="周五", club_round=2)
    opened(client, [*FOUR[:3], "戊"], 8, rules="guobiao", club="周日")
    view = season(client)
    assert (view["book"], view["tables"], view["days"], view["hands"]) == ("lingque-29", 3, 1, 3)
    assert {one["book"]: one["matches"] for one in view["books"]} == {"lingque-29": 2, "guobiao": 1}
    assert {one["name"]: one["tables"] for one in view["attendance"]} == {"甲": 3, "乙": 3, "丙": 3, "丁": 2, "戊": 1}
    assert {line["name"]: line["matches"] for line in view["lines"]} == dict.fromkeys(FOUR, 2)
    records = {one["kind"]: (one["name"], one["value"]) for one in view["records"]}
    assert records["win"] == ("乙", 64)
    assert view["months"] == [{"month": TODAY[:7], "tables": 3}]
    other = season(client, book="guobiao")
    assert {line["name"] for line in other["lines"]} == {"甲", "乙", "丙", "戊"}
    assert {one["kind"]: one["value"] for one in other["records"]}["win"] == 8
    friday = season(client, club="周五")
    assert (friday["tables"], [one["book"] for one in friday["books"]]) == (2, ["lingque-29"])


def test_a_season_has_its_days_and_an_empty_one_is_empty(client: TestClient) -> None:
    assert season(client)["lines"] == []
    opened(client, FOUR)
    assert season(client, since=TODAY, until=TODAY)["tables"] == 1
    assert season(client, until="2020-01-01")["tables"] == 0
    assert season(client, since="2999-01-01")["book"] == ""
    for wrong in ("2026-13-01", "tomorrow", "2026-1-1"):
        assert client.get("/api/season", params={"since": wrong}).status_code == 422
    file = client.get("/api/season/attendance").content.decode("utf-8-sig")
    assert [row["player"] for row in csv.DictReader(io.StringIO(file))] == sorted(FOUR, key=id_of)


def ids(names: list[str]) -> list[str]:
    return [id_of(name) for name in names]


def opened_league(client: TestClient, **more: Any) -> Any:
    body = {
        "who": WHO, "title": "联赛", "book": "lingque-29", "divisions": [ids(FOUR), ids(OTHERS)], "moving": 1,
        "since": "2020-01-01", "until": TODAY, **more,
    }  # fmt: skip
    return client.post("/api/leagues", json=body)


def test_a_league_promotes_after_a_season(client: TestClient) -> None:
    for winner in (0, 0, 1):
        opened(client, FOUR, winner=winner)
    opened(client, OTHERS, winner=3)
    opened(client, [*FOUR[:2], *OTHERS[:2]])  # between divisions: does not count
    opened(client, FOUR, 24, 3, rules="guobiao")  # another book: neither
    made = opened_league(client)
    assert made.status_code == 201, made.text
    [first] = made.json()["seasons"]
    upper, lower = first["divisions"]
    assert (upper[0]["name"], upper[0]["tables"], lower[0]["name"]) == ("甲", 3, "卯")
    assert [line["moves"] for line in upper] == [0, 0, 0, -1] and lower[0]["moves"] == 1
    id = made.json()["id"]
    body = {"who": WHO, "seen": 1, "since": "2999-01-01", "until": ""}
    after = client.post(f"/api/leagues/{id}", json=body)
    assert after.status_code == 200, after.text
    now, then = after.json()["seasons"]
    assert {line["name"] for line in now["divisions"][0]} == {*(line["name"] for line in upper[:3]), "卯"}
    assert upper[3]["name"] in {line["name"] for line in now["divisions"][1]}
    assert then == first
    assert client.post(f"/api/leagues/{id}", json=body).status_code == 422  # nothing happens twice
    assert [one["title"] for one in client.get("/api/leagues").json()] == ["联赛"]
    assert client.get(f"/api/leagues/{id}", headers={"X-Who": "another-1234"}).status_code == 404
    assert client.delete(f"/api/leagues/{id}").status_code == 204
    assert client.get("/api/leagues").json() == []


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"divisions": [ids(FOUR[:3])]}, "四个人"),
        ({"divisions": [ids(FOUR), ids(FOUR)]}, "两次"),
        ({"moving": 3}, "至少要 6 人"),
        ({"until": "2019-01-01"}, "第一天之前"),
        ({"book": "no-such-book"}, "no-such-book"),
    ],
)
def test_an_impossible_league_is_refused_and_nothing_is_stored(client: TestClient, more: Any, why: str) -> None:
    refused = opened_league(client, **more)
    assert refused.status_code in (400, 422) and why in refused.json()["error"]
    assert client.get("/api/leagues").json() == []


def test_a_season_that_is_not_over_has_no_next_one(client: TestClient) -> None:
    id = opened_league(client, until="").json()["id"]
    body = {"who": WHO, "seen": 1, "since": "2999-01-01"}
    assert client.post(f"/api/leagues/{id}", json=body).status_code == 409
    assert len(client.get(f"/api/leagues/{id}").json()["seasons"]) == 1


def paid(client: TestClient, name: str, amount: int, seen: int, key: str | None = None, day: str = TODAY) -> Any:
    fee = {"day": day, "name": name, "amount": amount, "note": "台费"}
    return client.post("/api/fees", json={"who": WHO, "seen": seen, "key": key or next(keys), "fee": fee})


def test_fees_are_a_plain_ledger_with_balances_undo_and_a_file(client: TestClient) -> None:
    assert paid(client, "甲", 2000, 0, "first-1").status_code == 200
    assert paid(client, "甲", -1550, 1, day="2020-01-01").status_code == 200
    view = paid(client, "=乙", 500, 2, "third-3").json()
    assert {one["name"]: one["amount"] for one in view["balances"]} == {"甲": 450, "=乙": 500}
    assert view["total"] == 950 and [one["day"] for one in view["entries"]] == [TODAY, TODAY, "2020-01-01"]
    again = paid(client, "甲", 2000, 0, "first-1").json()  # its answer was lost
    assert again == view
    assert paid(client, "丙", 100, 1).status_code == 409  # another device was faster
    undo = {"who": WHO, "seen": 3, "key": next(keys), "undo": "third-3"}
    after = client.post("/api/fees", json=undo).json()
    assert {one["name"]: one["amount"] for one in after["balances"]} == {"甲": 450}
    assert [one["undone"] for one in after["entries"]] == [True, False, False]
    assert client.post("/api/fees", json=undo | {"seen": 4, "key": next(keys), "undo": "nothing"}).status_code == 404
    rows = list(csv.DictReader(io.StringIO(client.get("/api/fees/export").content.decode("utf-8-sig"))))
    assert [(row["date"], row["player"], row["amount"]) for row in rows] == [
        ("2020-01-01", "甲", "-15.50"), (TODAY, "甲", "20.00"),
    ]  # fmt: skip


def test_two_clubs_become_one_with_all_rounds(client: TestClient) -> None:
    for club, rounds in (("周五", 2), ("周日", 3)):
        for number in range(1, rounds + 1):
            opened(client, FOUR, club=club, club_round=number)
    before = {line["name"]: line["total"] for line in client.get("/api/clubs/周五").json()["standings"]}
    more = {line["name"]: line["total"] for line in client.get("/api/clubs/周日").json()["standings"]}
    assert client.post("/api/clubs/周日/merge", json={"who": WHO, "into": "周五"}).status_code == 204
    view = client.get("/api/clubs/周五").json()
    assert [one["number"] for one in view["rounds"]] == [1, 2, 3, 4, 5]
    assert {line["name"]: line["total"] for line in view["standings"]} == {n: before[n] + more[n] for n in before}
    assert client.get("/api/clubs/周日").json()["rounds"] == []
    assert client.post("/api/clubs/周日/merge", json={"who": WHO, "into": "周五"}).status_code == 404
    assert client.post("/api/clubs/周五/merge", json={"who": WHO, "into": "周五"}).status_code == 422
    assert client.post("/api/clubs/周五/merge", json={"who": WHO, "into": "周六"}).status_code == 204  # a new name
    assert len(client.get("/api/clubs/周六").json()["rounds"]) == 5
