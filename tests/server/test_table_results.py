"""What tables came to is written beside them: lists and standings need no log, and are what the logs come to."""

import json
import random
import sqlite3

from starlette.testclient import TestClient

from quepu.figures.figures import Figures, merge_figures, of_match
from quepu.figures.log_figures import figures_of
from quepu.scorekeeper.ledger import fold
from quepu.scorekeeper.records import HandRecord, TableSpec, WonHand
from quepu.server.app import create_app
from quepu.server.players.messages import PlayerView
from quepu.server.score_tables import working
from tests.server.serving import unlimited

WHO = "somebody-1234"


def played(client, names, hands, **more):
    table = client.post("/api/tables", json={"who": WHO, "names": names, **more}).json()
    for i in range(hands):
        record = {"kind": "hand", "winner": i % 4, "points": 24 + 2 * i, "discarder": (i + 1) % 4}
        table = client.post(
            f"/api/tables/{table['id']}", json={"seen": table["length"], "do": "add", "record": record}
        ).json()
    return table


def test_lists_and_standings_read_no_log_and_survive_a_lost_result(tmp_path, monkeypatch):
    with TestClient(create_app(unlimited(tmp_path))) as client:
        own = {"X-Who": WHO}
        for i in range(3):
            played(client, ["林", "周", "何", "许"], 2 + i, club="周五", club_round=i + 1)
        played(client, ["甲", "乙", "丙", "丁"], 1)
        listed = client.get("/api/tables", headers=own).json()
        night = client.get("/api/clubs/周五", headers=own).json()
        assert len(listed) == 4
        assert [len(one["tables"]) for one in night["rounds"]] == [1, 1, 1]
        reads = []
        tables = client.app.state.tables
        read = tables.logs.read

        async def counted(*given):
            reads.append(given)
            return await read(*given)

        monkeypatch.setattr(tables.logs, "read", counted)
        assert client.get("/api/tables", headers=own).json() == listed
        assert client.get("/api/clubs/周五", headers=own).json() == night
        assert reads == []
        with sqlite3.connect(tmp_path / "quepu.sqlite3") as database:
            stored = database.execute("SELECT length, fingerprint FROM score_table").fetchall()
            assert sorted(length for length, _ in stored) == [2, 3, 4, 5]
            assert all(len(fingerprint) > 8 for _, fingerprint in stored)
            database.execute(
                "UPDATE score_table SET length = 1, shown = '{}'"
            )  # as a server that stopped between leaves it
        assert client.get("/api/tables", headers=own).json() == listed
        assert client.get("/api/clubs/周五", headers=own).json() == night
        assert len(reads) >= 4
        some = listed[0]["id"]
        assert client.delete(f"/api/tables/{some}", headers=own).status_code == 204
        assert some not in [one["id"] for one in client.get("/api/tables", headers=own).json()]


def test_figures_of_a_table_are_what_its_records_say():
    spec = TableSpec(rules="lingque-29", names=["林", "周", "何", "许"])
    records = [
        HandRecord(winner=0, points=48, discarder=1),
        HandRecord(winner=1, discarder=0, tiles=WonHand(hand="2344567s234m234p+4s")),
        HandRecord(),
        HandRecord(winner=2, points=30, self_draw=True),
    ]
    ledger = fold(spec, records)
    found = figures_of(ledger, at="t", when=5.0)
    lin, zhou = found["林"], found["周"]
    assert (lin.hands, lin.wins, lin.self_draws, lin.deal_ins, lin.drawn) == (4, 1, 0, 1, 1)
    assert (lin.won, lin.dealt, zhou.won, zhou.dealt) == (48, 48, 48, 48)
    assert zhou.read == {"lingque-29": 1}
    score = ledger.match.hands[1].ending.winners[0].score
    assert zhou.fans == {"lingque-29": {fan.name: 1 for fan in score.fans}}
    assert zhou.best["lingque-29"][0][:2] == (48, "2344567s234m234p+4s")
    assert {name: one.total for name, one in found.items()} == dict(ledger.people)
    assert sum(one.places[0] for one in found.values()) >= 1
    assert lin.against["周"][3] == ledger.people["林"] - ledger.people["周"]
    row = working.results
    assert row is not None
    again = {name: Figures.from_json(json.loads(json.dumps(one.to_json()))) for name, one in found.items()}
    assert again == found


def test_figures_of_a_merged_set_are_the_merge_of_figures():
    from quepu.figures.figures import HandResult, WinResult

    rng = random.Random(5)

    def match(i):
        names = rng.sample(["甲", "乙", "丙", "丁", "戊", "己"], 4)
        hands, totals = [], dict.fromkeys(names, 0)
        for _ in range(rng.randint(1, 8)):
            winner = rng.choice([None, 0, 1, 2, 3])
            others = [p for p in range(4) if p != winner]
            discarder = rng.choice([None, *others]) if winner is not None else None
            gains = [rng.randint(-50, 50) for _ in range(4)]
            fans = rng.choice([None, [("自摸", 1), ("一般高", 2)]])
            wins = [] if winner is None else [WinResult(winner, rng.randint(8, 99), fans)]
            also = [p for p in others if p != discarder][: rng.randint(0, 2) if discarder is not None else 0]
            wins += [WinResult(player, rng.randint(8, 99)) for player in also]
            hands.append(HandResult(names, wins, discarder, gains))
            for name, gain in zip(names, gains, strict=True):
                totals[name] += gain
        return of_match("guobiao", totals, hands, at=str(i), when=float(i))

    matches = [match(i) for i in range(30)]
    whole = merge_figures(matches)
    parts = merge_figures([merge_figures(matches[:7]), merge_figures(matches[7:19]), merge_figures(matches[19:])])
    assert parts == whole
    assert sum(one.wins for one in whole.values()) > 20
    assert all(sum(one.places) == one.matches == len(one.curve) for one in whole.values())


def test_a_players_page_adds_up_what_is_stored(tmp_path):
    own = {"X-Who": WHO}
    with TestClient(create_app(unlimited(tmp_path))) as client:
        played(client, ["林", "周", "何", "许"], 3)
        played(client, ["林", "周", "甲", "乙"], 4)
        last = played(client, ["丙", "周", "林", "乙"], 1)
        tiles = {"kind": "hand", "winner": 1, "discarder": 0, "tiles": {"hand": "2344567s234m234p+4s"}}
        body = {"seen": last["length"], "do": "add", "record": tiles}
        last = client.post(f"/api/tables/{last['id']}", json=body).json()
        everybody = client.get("/api/players", headers=own).json()
        assert {line["name"] for line in everybody} == set("林周何许甲乙丙")
        low = [line["rating"]["low"] for line in everybody]
        assert low == sorted(low, reverse=True)
        page = client.get("/api/players/周", headers=own).json()
        PlayerView.model_validate(page)
        assert (page["matches"], page["hands"], page["wins"]) == (3, 9, 3)
        assert page["rates"]["win"]["low"] < 1 / 3 < page["rates"]["win"]["high"]
        assert [one["matches"] for one in page["against"] if one["name"] == "林"] == [3]
        assert len(page["curve"]) == 3
        assert page["fans"][0]["wins"] == 1
        assert all(fan["exact"] for fan in page["fans"][0]["fans"])
        assert page["best"][0]["points"] >= page["best"][1]["points"]
        assert sum(line["total"] for line in everybody) == 0
        now = last["created"]
        assert client.get(f"/api/players/周?since={now}", headers=own).json()["matches"] == 1
        assert client.get("/api/players/谁", headers=own).status_code == 404
