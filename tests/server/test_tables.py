"""The scorekeeper: payments by the book, players stay themselves through seat changes, nothing acknowledged is lost."""

import csv
import io
import re

import pytest
from starlette.testclient import TestClient

from quepu.scorekeeper.records import TableFile
from quepu.server.app import create_app
from quepu.server.score_tables.messages import TableView
from tests.server.serving import unlimited

WHO = "somebody-1234"
NAMES = ["林", "周", "何", "许"]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    with TestClient(create_app(unlimited(folder))) as client:
        yield client


class Keeper:
    """A table through the API."""

    def __init__(self, client, rules="lingque-29", **more):
        self.client = client
        made = client.post("/api/tables", json={"who": WHO, "rules": rules, "names": NAMES} | more)
        assert made.status_code == 201, made.text
        self.view = made.json()

    def __getitem__(self, key):
        return self.view[key]

    def do(self, do, at=None, record=None, status=200):
        body = {"seen": self["length"], "do": do, "at": at, "record": record}
        answer = self.client.post(f"/api/tables/{self['id']}", json=body)
        assert answer.status_code == status, answer.text
        if status == 200:
            self.view = answer.json()
            TableView.model_validate(self.view)
        return answer.json()

    def win(self, winner, points, discarder=None, **more):
        record = {"winner": winner, "points": points, "discarder": discarder, "self_draw": discarder is None, **more}
        return self.do("add", record={"kind": "hand", **record})


def test_lingque_pays_by_its_sentence_and_the_dealer_stays(client):
    table = Keeper(client)
    table.win(0, 48, 1)
    assert table["totals"] == [192, -96, -48, -48]
    assert table["place"]["repeat"] == 1
    assert "连庄" in table["news"][0]["zh"]
    table.win(2, 36)
    assert table["rows"][1]["gains"] == [-54, -54, 162, -54]
    assert table["place"]["seats"] == [1, 2, 3, 0]
    assert table["news"][0]["zh"] == "过庄，周 坐庄。"
    assert sum(table["totals"]) == 0


def test_half_a_supply_pays_half_for_the_others(client):
    table = Keeper(client)
    record = {"kind": "hand", "winner": 3, "points": 30, "self_draw": True, "supplied": [0, 0, 4, 0]}
    question = client.post(f"/api/tables/{table['id']}/preview", json={"record": record}).json()
    assert question["row"]["gains"] == [-22, -22, -91, 135]
    assert len(question["row"]["payments"]) >= 3
    assert table["needs"]["supplied"]
    assert not Keeper(client, "guobiao")["needs"]["supplied"]


def test_tiles_say_what_a_win_is_worth_and_who_supplied(client):
    table = Keeper(client)
    tiles = {"hand": "34567s(123m)(456p)(789s)2p+2p", "givers": ["left", "left", "left"]}
    refused = table.do("add", record={"kind": "hand", "winner": 0, "discarder": 1, "tiles": tiles}, status=400)
    assert "应有 5 张" in refused["error"]
    tiles = {"hand": "2344567s234m234p+4s"}
    table.do("add", record={"kind": "hand", "winner": 1, "discarder": 0, "tiles": tiles})
    assert table["rows"][0]["text"]["zh"] == "周 和 48 点，林 放铳"
    assert table["totals"] == [-96, 192, -48, -48]


def test_correcting_an_early_hand_keeps_later_ones_about_the_same_people(client):
    table = Keeper(client)
    table.win(0, 48, 1)  # the dealer stays
    table.win(1, 20, 2)
    before = [row["gains"] for row in table["rows"]]
    table.do("correct", at=0, record={"kind": "hand", "winner": 2, "points": 48, "discarder": 1})
    assert table["rows"][1]["gains"] == before[1]
    assert table["rows"][1]["place"]["seats"] == [1, 2, 3, 0]  # now 周 deals that hand
    table.do("remove", at=0)
    assert [row["gains"] for row in table["rows"]] == [before[1]]
    table.do("undo")
    assert len(table["rows"]) == 2
    table.do("undo")
    assert table["rows"][0]["gains"] == before[0]
    for _ in range(2):
        table.do("undo")
    assert table["totals"] == [0, 0, 0, 0]
    assert not table["can_undo"]


def test_rounds_end_winds_turn_and_the_match_is_over(client):
    table = Keeper(client, "guobiao", rounds=1)
    for _ in range(3):
        table.do("add", record={"kind": "hand"})
    assert not table["over"]
    table.do("add", record={"kind": "hand"})
    assert table["over"]
    assert "打完" in table["news"][0]["zh"]
    assert "打完" in table.do("add", record={"kind": "hand"}, status=400)["error"]
    longer = Keeper(client, "guobiao", rounds=2)
    for _ in range(4):
        longer.do("add", record={"kind": "hand"})
    assert longer["place"]["seats"] == [1, 0, 3, 2]
    assert longer["place"]["round_wind"] == "S"
    assert any("换座" in text["zh"] for text in longer["news"])


def test_yuque_pays_every_ready_hand_out_of_the_pool(client):
    table = Keeper(client, "yuque-54")
    assert table["needs"]["ready"]
    assert not table["needs"]["zero_sum"]
    table.win(0, 64, 1, ready=[None, 16, 25, None])
    gains = table["rows"][0]["gains"]
    assert gains[0] == 64
    assert gains[1] == 8 - 32
    assert gains[2] == 12
    assert table["pool"] == -sum(gains)


def test_penalties_are_the_books_and_can_be_taken_back(client):
    table = Keeper(client)
    fault = next(f for f in table["faults"] if f["points"])
    assert all(re.search("[一-龥]", f["name"]["zh"]) and f["name"]["en"].isascii() for f in table["faults"])
    table.do("add", record={"kind": "penalty", "player": 1, "fault": fault["key"]})
    assert table["totals"][1] == -fault["points"] * (3 if fault["to"] == "others" else 1)
    revoked = {**table["rows"][0]["record"], "revoked": True}
    table.do("correct", at=0, record=revoked)
    assert table["totals"] == [0, 0, 0, 0]
    assert "没有" in table.do("add", record={"kind": "penalty", "player": 1, "fault": "打喷嚏"}, status=400)["error"]


def test_two_keepers_do_not_overwrite_each_other(client):
    table = Keeper(client)
    body = {"seen": 1, "do": "add", "record": {"kind": "hand"}}
    assert client.post(f"/api/tables/{table['id']}", json=body).status_code == 200
    answer = client.post(f"/api/tables/{table['id']}", json=body)
    assert answer.status_code == 409
    assert len(client.get(f"/api/tables/{table['id']}").json()["rows"]) == 1


def test_a_table_is_listed_exported_opened_again_and_deleted(client):
    who = "weekend-12345"
    table = Keeper(client, title="周末", who=who)
    table.win(0, 48, 1)
    table.do("add", record={"kind": "hand"})
    listed = client.get("/api/tables", headers={"X-Who": who}).json()
    assert [(t["title"], t["hands"], t["totals"]) for t in listed] == [("周末", 2, [192, -96, -48, -48])]
    data = client.get(f"/api/tables/{table['id']}/export").json()
    TableFile.model_validate(data)
    again = client.post("/api/tables/import", json={"who": "another-12345", "table": data}).json()
    assert again["rows"] == table["rows"]
    assert again["imported"] == []
    other = {**data, "totals": [1, 2, 3, 4], "fingerprint": "ffff"}
    wrong = client.post("/api/tables/import", json={"who": "another-12345", "table": other}).json()
    assert wrong["totals"] == table["totals"]
    assert "文件里写的总分是 +1 +2 +3 +4，照它的记录是 +192 -96 -48 -48" in wrong["imported"][0]["zh"]
    assert "另一版" in wrong["imported"][1]["zh"]
    seen = client.get(f"/api/tables/{wrong['id']}").json()
    assert seen["imported"] == wrong["imported"]  # for whoever opens it later, too
    text = client.get(f"/api/tables/{table['id']}/export?format=csv").content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0][2:6] == NAMES
    assert rows[1][2:6] == ["192", "-96", "-48", "-48"]
    assert rows[0][10:] == ["和家", "放铳", "点数"]
    assert rows[1][10:] == [NAMES[0], NAMES[1], "48"]
    assert client.delete(f"/api/tables/{table['id']}", headers={"X-Who": "another-12345"}).status_code == 403
    assert client.delete(f"/api/tables/{table['id']}", headers={"X-Who": who}).status_code == 204
    assert client.get(f"/api/tables/{table['id']}").status_code == 404


def test_a_name_like_a_formula_stays_text(client):
    table = Keeper(client, names=["=1+1", "b", "c", "d"])
    text = client.get(f"/api/tables/{table['id']}/export?format=csv&lang=en").content.decode("utf-8-sig")
    assert "'=1+1" in text


@pytest.mark.parametrize(("body", "status"), [
    ({"names": ["a", "a", "b", "c"]}, 400),
    ({"names": ["a", "b", "c"]}, 422),
    ({"names": ["a", "b", "c", ""]}, 422),
    ({"names": NAMES, "rules": "bridge"}, 400),
    ({"names": NAMES, "rounds": 0}, 422),
    ({"names": NAMES, "house": "base = 1"}, 400),
])  # fmt: skip
def test_a_table_that_cannot_be_is_refused(client, body, status):
    answer = client.post("/api/tables", json={"who": WHO, **body})
    assert answer.status_code == status
    assert answer.json()["error"]


@pytest.mark.parametrize(("record", "status"), [
    ({"kind": "hand", "winner": 0, "discarder": 0, "points": 20}, 400),
    ({"kind": "hand", "winner": 0, "points": 20}, 400),
    ({"kind": "hand", "winner": 0, "discarder": 1}, 400),
    ({"kind": "hand", "winner": 0, "discarder": 1, "points": 8}, 400),
    ({"kind": "hand", "winner": 0, "discarder": 1, "points": 21}, 400),
    ({"kind": "hand", "winner": 4}, 422),
    ({"kind": "hand", "winner": 0, "self_draw": True, "points": 20, "supplied": [0, 5, 1, 0]}, 400),
    ({"kind": "reseat", "start": [0, 0, 1, 2]}, 400),
    ({"kind": "riddle"}, 422),
    (None, 422),
])  # fmt: skip
def test_a_record_that_cannot_be_is_refused_and_nothing_is_written(client, record, status):
    table = Keeper(client)
    assert table.do("add", record=record, status=status)["error"]
    assert client.get(f"/api/tables/{table['id']}").json()["length"] == 1


def test_many_penalties_cost_no_more_than_few(client):
    penalty = {"kind": "penalty", "player": 0, "fault": "错和"}
    spec = {"rules": "guobiao", "names": NAMES}
    file = {"quepu": "table", "spec": spec, "records": [penalty] * 301}
    refused = client.post("/api/tables/import", json={"who": WHO, "table": file})
    assert (refused.status_code, "300" in refused.json()["error"]) == (409, True)
    file["records"].pop()
    made = client.post("/api/tables/import", json={"who": WHO, "table": file})
    assert made.status_code == 201, made.text
    view = made.json()
    assert len(view["rows"]) == 300
    body = {"seen": view["length"], "do": "add", "record": penalty}
    assert client.post(f"/api/tables/{view['id']}", json=body).status_code == 409
    work = client.app.state.work
    calls = []  # what was worked out is remembered
    run = work.run

    def counting(asker, what, *given):
        calls.append(what)
        return run(asker, what, *given)

    work.run = counting
    try:
        for _ in range(3):
            assert client.get(f"/api/tables/{view['id']}").json() == view
            client.get("/api/tables", headers={"X-Who": WHO})
    finally:
        del work.run
    assert len(calls) <= 2, "each of them once"


def test_a_spreadsheet_has_the_words_of_its_book(client):
    table = Keeper(client, "guobiao")
    address = f"/api/tables/{table['id']}/export?format=csv"
    assert client.get(address).content.decode("utf-8-sig").splitlines()[0].endswith("和家,点炮,番数")
    assert client.get(f"{address}&lang=en").content.decode("utf-8-sig").splitlines()[0].endswith("discarder,points")


def test_a_change_that_lost_a_race_leaves_nothing_behind(client, monkeypatch):
    table = Keeper(client)
    from quepu.server.store.logs import Logs
    from quepu.server.store.values import Conflict

    async def overtaken(*_given, **_more):
        raise Conflict

    win = {"kind": "hand", "winner": 0, "points": 48, "discarder": 1, "self_draw": False}
    with monkeypatch.context() as patch:
        patch.setattr(Logs, "append", overtaken)
        table.do("add", record=win | {"winner": 2}, status=409)
    table.win(0, 48, 1)
    assert table["totals"] == [192, -96, -48, -48]
    assert client.get(f"/api/tables/{table['id']}").json()["totals"] == [192, -96, -48, -48]


@pytest.mark.parametrize(("record", "sentence"), [
    ({"points": 12.5}, "这个数应是整数。"),
    ({"points": -2}, "这个数太小，至少 0。"),
    ({"points": 10**7}, "这个数太大，最多 1000000。"),
    ({"points": 10**6}, "1000000 点大得不可能。"),
    ({"points": 30, "supplied": [0, 9, 0, 0]}, "供的张数太大，最多 5。"),
    ({"points": 30, "winner": 9}, "和家不是这桌四人之一。"),
    ({"points": 30, "discarder": 1.5}, "放铳的人不是这桌四人之一。"),
    ({"points": 30, "kong_feeder": 7}, "放杠牌的人不是这桌四人之一。"),
])  # fmt: skip
def test_numbers_that_cannot_be_are_refused_in_the_words_of_the_table(client, record, sentence):
    table = Keeper(client)
    whole = {"kind": "hand", "winner": 0, "discarder": 1, **record}
    answer = client.post(f"/api/tables/{table['id']}/preview", json={"record": whole})
    assert answer.status_code in (400, 422)
    assert answer.json()["error"] == sentence
    english = client.post(f"/api/tables/{table['id']}/preview?lang=en", json={"record": whole}).json()["error"]
    assert "record" not in english and "'" not in english


def test_a_name_that_is_too_long_says_how_long_it_may_be(client):
    table = Keeper(client)
    said = table.do("add", record={"kind": "substitute", "player": 0, "name": "长" * 41}, status=422)
    assert said["error"] == "名字太长，最多 40 个字符。"


def test_a_table_is_written_into_anywhere_renamed_settled_and_undone(client):
    table = Keeper(client, "lingque-26")
    table.win(0, 48, 1)
    table.win(2, 24, 3)
    before = table["totals"]
    inserted = {"kind": "hand", "winner": 1, "points": 30, "discarder": 0}
    table.do("insert", at=1, record=inserted)
    assert [row["record"]["points"] for row in table["rows"]] == [48, 30, 24]
    answer = client.post(
        f"/api/tables/{table['id']}", json={"seen": table["length"], "do": "rename", "at": 2, "name": "小何"}
    )
    table.view = answer.json()
    assert table["names"] == ["林", "周", "小何", "许"]
    table.do("add", record={"kind": "substitute", "player": 3, "name": "沈"})
    table.do("add", record={"kind": "end"})
    assert table["over"]
    assert {one["name"] for one in table["people"]} == {"林", "周", "小何", "许", "沈"}
    assert sum(one["total"] for one in table["people"]) == 0
    left = {one["name"]: one["total"] for one in table["people"]}
    for one in table["transfers"]:
        left[one["payer"]] += one["points"]
        left[one["payee"]] -= one["points"]
    assert set(left.values()) == {0}
    assert "给" in table["summary"]["zh"]
    assert "已经结束" in table.do("add", record=inserted, status=400)["error"]
    for _ in range(3):
        table.do("undo")
    assert table["names"] == NAMES
    table.do("undo")
    assert table["totals"] == before


def test_whose_tables_are_meant_stands_in_no_address(client):
    table = Keeper(client)
    mine = client.get("/api/tables", headers={"x-who": WHO}).json()
    assert table["id"] in [one["id"] for one in mine]
    assert mine == client.get("/api/tables", headers={"X-Who": WHO}).json()
    assert client.get("/api/tables").status_code == 422
    assert client.get("/api/tables", headers={"x-who": "no!"}).status_code == 422
    assert client.delete(f"/api/tables/{table['id']}", headers={"x-who": "somebody-else"}).status_code == 403
    assert client.delete(f"/api/tables/{table['id']}", headers={"x-who": WHO}).status_code == 204


def test_a_link_for_readers_shows_and_changes_nothing(client):
    table = Keeper(client)
    made = client.post(f"/api/tables/{table['id']}/reader")
    assert made.status_code == 200, made.text
    reader = made.json()["reader"]
    assert reader != table["id"]
    assert client.post(f"/api/tables/{table['id']}/reader").json() == {"reader": reader}
    table.win(0, 48, 1)
    seen = client.get(f"/api/tables/{reader}")
    TableView.model_validate(seen.json())
    mine = client.get(f"/api/tables/{table['id']}").json()
    assert seen.json() == {**mine, "id": reader, "readonly": True, "can_undo": False}
    assert (mine["readonly"], mine["can_undo"]) == (False, True)
    assert table["id"] not in seen.text
    record = {"kind": "hand", "winner": 1, "points": 20, "self_draw": True}
    owner = {"X-Who": WHO}
    refused = [
        client.post(f"/api/tables/{reader}", json={"seen": mine["length"], "do": "add", "record": record}),
        client.post(f"/api/tables/{reader}", json={"seen": mine["length"], "do": "undo"}),
        client.post(f"/api/tables/{reader}/preview", json={"record": record}),
        client.post(f"/api/tables/{reader}/reader"),
        client.delete(f"/api/tables/{reader}", headers=owner),
    ]
    assert [answer.status_code for answer in refused] == [403] * 5
    exported = client.get(f"/api/tables/{reader}/export")
    assert exported.status_code == 200
    assert table["id"] not in exported.text
    assert reader not in [head["id"] for head in client.get("/api/tables", headers=owner).json()]
    assert client.get(f"/api/tables/{table['id']}").json() == mine
    assert client.delete(f"/api/tables/{table['id']}", headers=owner).status_code == 204
    assert client.get(f"/api/tables/{reader}").status_code == 404
    assert client.post("/api/tables/none/reader").status_code == 404


def test_whose_tables_stands_in_no_address(client):
    answer = client.get("/api/tables", params={"who": WHO}, headers={"X-Who": WHO})
    assert answer.status_code == 422
    assert "X-Who" in answer.text
