"""The monthly ladder, ratings and profiles: out of public matches between accounts, and of nothing else."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quepu.arena.bot_match import match as bot_match
from quepu.rulebooks import house_rules
from quepu.server.app import create_app
from quepu.server.players.ladder import LEAST, count_fans, ladder, month_of, place_points, profile
from quepu.server.store.accounts import Accounts
from quepu.server.store.database import Database
from quepu.server.store.logs import Logs
from quepu.server.store.values import PublicMatch
from tests.loop import run
from tests.match.log_data import sealed_lines, unsealed
from tests.match.test_log import play_match
from tests.server.serving import unlimited

MATCH, LOG = play_match("guobiao", 3)
NAMES = tuple(MATCH.names)
NOVEMBER = datetime(2026, 11, 15, tzinfo=UTC).timestamp()


def match(n: int, totals: tuple[int, ...], accounts: str = "甲乙", **more: Any) -> PublicMatch:
    made = PublicMatch(f"room{n}", "guobiao", NOVEMBER + n, ("甲", "乙", "丙", "丁"), totals, tuple(accounts))
    return made._replace(**more)


def lines(matches: list[PublicMatch], month: str = "") -> dict[str, dict[str, Any]]:
    return {line["name"]: line for line in ladder(matches, "guobiao", month)["lines"]}


@pytest.mark.parametrize(
    ("totals", "found"),
    [
        ((30, 10, -10, -30), [(1, 4), (2, 2), (3, 1), (4, 0)]),
        ((10, 10, -5, -15), [(1, 3), (1, 3), (3, 1), (4, 0)]),
        ((0, 0, 0, 0), [(1, 1.75)] * 4),
        ((-5, 15, -5, -5), [(2, 1), (1, 4), (2, 1), (2, 1)]),
    ],
)
def test_equal_totals_share_the_points_of_their_places(totals, found):
    assert [place_points(totals, at) for at in range(4)] == found
    assert sum(points for _, points in found) == 7


def test_a_match_counts_if_two_accounts_met():
    alone = match(1, (8, -2, -3, -3), accounts="甲")
    assert lines([alone]) == {}
    met = match(2, (8, -2, -3, -3))
    assert set(lines([alone, met])) == {"甲", "乙"}
    assert lines([alone, met])["甲"]["matches"] == 1
    other = met._replace(rules="canton")
    assert lines([other]) == {}


def test_the_months_are_those_of_utc_and_apart():
    last = datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC).timestamp()
    assert (month_of(last), month_of(last + 1)) == ("2026-11", "2026-12")
    both = [match(1, (8, -2, -3, -3), played=last), match(2, (-8, 2, 3, 3), played=last + 1)]
    assert lines(both)["甲"]["places"] == [0, 0, 0, 1]
    assert lines(both, "2026-11")["甲"]["places"] == [1, 0, 0, 0]
    assert lines(both, "2026-10") == {}
    assert ladder(both, "guobiao", "")["months"] == ["2026-12", "2026-11"]


def test_a_rating_is_shown_after_enough_matches_and_grows_surer():
    matches = [match(n, (8, -2, -3, -3)) for n in range(3 * LEAST)]
    early = lines(matches[: LEAST - 1])["甲"]
    assert (early["mean"], early["deviation"], early["rated"]) == (None, None, LEAST - 1)
    first, later = lines(matches[:LEAST])["甲"], lines(matches)["甲"]
    assert first["mean"] > lines(matches[:LEAST])["乙"]["mean"]
    assert later["deviation"] < first["deviation"]


def test_guests_have_no_rating_and_change_none():
    winning = [match(n, (8, -2, -3, -3)) for n in range(LEAST)]
    losing = [match(n, (8, -2, 100, -106)) for n in range(LEAST)]  # the guests' totals are others
    assert lines(winning)["甲"]["mean"] == lines(losing)["甲"]["mean"]
    assert set(lines(losing)) == {"甲", "乙"}


def test_a_profile_has_all_public_matches_and_counts_met_ones():
    played = [
        match(1, (8, -2, -3, -3), accounts="甲"),
        match(2, (-8, 2, 3, 3)),
        match(3, (1, 2, 3, -6), rules="canton"),
    ]
    page = profile(played, "甲")
    assert page is not None
    assert [(book["book"], book["matches"], book["rated"]) for book in page["books"]] == [
        ("canton", 1, 1),
        ("guobiao", 2, 1),
    ]
    assert [(one["id"], one["place"], one["total"]) for one in page["recent"]] == [
        ("room3", 3, 1),
        ("room2", 4, -8),
        ("room1", 1, 8),
    ]
    house = profile([match(4, (1, 2, 3, -6), rules=house_rules.read('base = "guobiao"\nminimum = 2').id)], "甲")
    assert house is not None
    assert house["books"][0]["title"] == house["recent"][0]["book"] == {"zh": "自定规则", "en": "house rules"}
    assert profile(played, "丙") is None  # a guest
    assert profile([], "甲") is None


def test_the_fans_of_a_profile_are_those_of_its_wins(tmp_path: Path):
    played = bot_match("lingque-29", ["plain"] * 4, seed=2, rounds=1, log=tmp_path / "log")
    lines = (tmp_path / "log").read_text("utf-8").splitlines()
    assert len(set(played.names)) == 4
    for player, name in enumerate(played.names):
        won: Counter[str] = Counter()
        for hand in played.hands:
            for win in hand.ending.winners:
                if hand.place.seats[win.seat] == player and win.score is not None:
                    won.update({fan.name: fan.count for fan in win.score.fans})
        assert {fan["name"]: fan["count"] for fan in count_fans([lines, lines], name)} == {
            fan: 2 * count for fan, count in won.items()
        }
    assert any(hand.ending.winners for hand in played.hands)
    assert count_fans([lines], "another") == count_fans([], NAMES[0]) == []


def test_the_server_finds_matches_of_accounts_and_forgets_deleted_ones(tmp_path: Path):
    async def write(accounts: list[str]) -> None:
        database = Database(tmp_path)
        logs, known = Logs(database), Accounts(database)
        for listed in (True, False):
            spec = {"title": "", "rules": "guobiao", "house": "", "listed": listed}
            head = await logs.create("room", "", "", {"room": spec})
            await logs.append(head.id, 1, [{"line": line} for line in LOG])
            for id in accounts:
                await known.took(id, head.id, 0)
        await database.close()

    async def ids() -> list[str]:
        database = Database(tmp_path)
        known = Accounts(database)
        made = [(await known.register(name, "correct horse 马")).id for name in NAMES[:2]]
        await database.close()
        return made

    with TestClient(create_app(unlimited(tmp_path))):
        pass  # makes the tables
    run(write(run(ids())))
    with TestClient(create_app(unlimited(tmp_path))) as client:
        found = client.get("/api/ladder", params={"rules": "guobiao"}).json()
        assert {line["name"]: line["total"] for line in found["lines"]} == dict(
            zip(NAMES[:2], MATCH.totals[:2], strict=True)
        )
        assert found["matches"] == 1  # the other one is not public
        page = client.get(f"/api/ladder/{NAMES[0]}").json()
        assert [one["total"] for one in page["recent"]] == [MATCH.totals[0]]
        assert page["fans"] == []  # no one won in this match
        assert client.get(f"/api/ladder/{NAMES[2]}").status_code == 404
        assert client.get("/api/ladder?rules=nothing").status_code == 400
        assert client.get("/api/ladder?rules=guobiao&month=2026").status_code == 422


def test_a_match_counts_for_no_account_that_joined_it_later(tmp_path: Path):
    data = unsealed(LOG)
    data[0] |= {"log": 5, "joins": True, "bots": ["person", "plain", "person", "person"]}
    data[0]["players"] = [NAMES[0], "电脑2·快手", *NAMES[2:]]
    data.insert(next(n for n, line in enumerate(data) if "result" in line) + 1, {"joined": 1, "name": NAMES[1]})
    data[-1] = {"end": len(data) - 1}

    async def write() -> None:
        database = Database(tmp_path)
        logs, known = Logs(database), Accounts(database)
        head = await logs.create(
            "room", "", "", {"room": {"title": "", "rules": "guobiao", "house": "", "listed": True}}
        )
        await logs.append(head.id, 1, [{"line": line} for line in sealed_lines(data)])
        for place, name in enumerate(NAMES[:3]):
            await known.took((await known.register(name, "correct horse 马")).id, head.id, place)
        await database.close()

    with TestClient(create_app(unlimited(tmp_path))):
        pass  # makes the tables
    run(write())
    with TestClient(create_app(unlimited(tmp_path))) as client:
        found = client.get("/api/ladder", params={"rules": "guobiao"}).json()
        assert {line["name"]: line["total"] for line in found["lines"]} == {
            NAMES[0]: MATCH.totals[0], NAMES[2]: MATCH.totals[2]
        }  # fmt: skip
        assert client.get(f"/api/ladder/{NAMES[1]}").status_code == 404
        page = client.get(f"/api/ladder/{NAMES[0]}").json()
        assert page["recent"][0]["players"] == list(NAMES)
        listed = client.get("/api/replays").json()["replays"][0]
        assert listed["players"] == list(NAMES)
        by_bot = client.get("/api/replays", params={"words": NAMES[1]}).json()["replays"]
        assert [one["id"] for one in by_bot] == [listed["id"]]
