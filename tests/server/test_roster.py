"""Players by id over HTTP: renamed, different, made one; old tables and old databases need nothing done to them."""

import json
import sqlite3

import pytest
from starlette.testclient import TestClient

from quepu.cli import run
from quepu.scorekeeper.roster import id_of
from quepu.server.app import create_app
from tests.server.serving import unlimited
from tests.server.test_table_results import WHO, played

OWN = {"X-Who": WHO}


@pytest.fixture
def client(tmp_path):
    with TestClient(create_app(unlimited(tmp_path))) as made:
        yield made


def change(client, expect=200, /, **record):
    seen = client.get("/api/roster", headers=OWN).json()["length"]
    body = {"who": WHO, "seen": seen, "key": f"key-{seen}", "record": record}
    answer = client.post("/api/roster", json=body)
    assert answer.status_code == expect, answer.text
    return answer.json()


def lines(client):
    return {one["name"]: one for one in client.get("/api/players", headers=OWN).json()}


def test_a_renamed_player_is_the_same_with_all_his_tables(client):
    played(client, ["林", "周", "何", "许"], 3)
    before = lines(client)["林"]
    change(client, do="rename", id=before["id"], name="林海")
    played(client, ["林海", "周", "何", "甲"], 2)
    played(client, ["林", "周", "何", "甲"], 1)  # who types the old name means him
    after = lines(client)
    assert "林" not in after
    assert (after["林海"]["id"], after["林海"]["matches"], after["林海"]["hands"]) == (before["id"], 3, 6)
    for key in ("林", "林海", before["id"]):
        page = client.get(f"/api/players/{key}", headers=OWN).json()
        assert (page["name"], page["hands"]) == ("林海", 6)
    against = {one["name"]: one for one in client.get("/api/players/周", headers=OWN).json()["against"]}
    assert against["林海"]["matches"] == 3


def test_two_of_one_name_are_two_players(client):
    played(client, ["王芳", "周", "何", "许"], 2)
    roster = change(client, do="add", name="王芳", note="高")["players"]
    tall = next(one for one in roster if one["note"] == "高")
    assert {one["label"] for one in roster if one["name"] == "王芳"} == {"王芳", "王芳（高）"}
    played(client, ["王芳", "周", "何", "许"], 3, players=[tall["id"], None, None, None])
    both = played(client, ["王芳", "王芳（高）", "何", "许"], 4, players=[None, tall["id"], None, None])
    found = lines(client)
    assert (found["王芳"]["hands"], found["王芳（高）"]["hands"]) == (6, 7)
    # one of the tables was the other's after all
    first = client.get(f"/api/players/{id_of('王芳')}", headers=OWN).json()
    early = next(one["at"] for one in first["curve"] if one["at"] != both["id"])
    change(client, do="seat", table=early, player=id_of("王芳"), id=tall["id"])
    found = lines(client)
    assert (found["王芳"]["hands"], found["王芳（高）"]["hands"]) == (4, 9)
    refused = change(client, 400, do="merge", id=tall["id"], into=id_of("王芳"))
    assert "同桌打过 1 次" in refused["error"]
    refused = change(client, 400, do="seat", table=both["id"], player=tall["id"], id=id_of("王芳"))
    assert "已经在这一桌" in refused["error"]


def test_two_entries_are_made_one_with_a_trace_and_two_again(client):
    played(client, ["王芳", "周", "何", "许"], 2)
    played(client, ["王 芳", "周", "何", "许"], 3)
    view = change(client, do="merge", id=id_of("王 芳"), into=id_of("王芳"))
    assert view["changes"][0]["text"]["zh"] == "王 芳 并入 王芳"
    found = lines(client)
    assert found["王芳"]["hands"] == 5
    assert "王 芳" not in found
    assert client.get(f"/api/players/{id_of('王 芳')}", headers=OWN).json()["hands"] == 5
    view = change(client, do="undo", change=view["changes"][0]["key"])
    assert view["changes"][0]["undone"] is True
    found = lines(client)
    assert (found["王芳"]["hands"], found["王 芳"]["hands"]) == (2, 3)
    refused = change(client, 400, do="undo", change=view["changes"][0]["key"])
    assert "已经撤回" in refused["error"]


def test_a_rename_and_a_substitute_at_a_table_are_players_too(client):
    played(client, ["林", "周", "何", "许"], 1)
    change(client, do="rename", id=id_of("林"), name="林海")
    table = played(client, ["林海", "周", "何", "许"], 1)
    assert table["spec"]["players"] == [id_of("林"), None, None, None]
    body = {"seen": table["length"], "do": "rename", "at": 1, "name": "林周"}
    table = client.post(f"/api/tables/{table['id']}", json=body).json()
    assert table["spec"]["players"] == [id_of("林"), None, None, None]
    record = {"kind": "substitute", "player": 2, "name": "丁", "id": "d0d0"}
    table = client.post(f"/api/tables/{table['id']}", json={"seen": 3, "do": "add", "record": record}).json()
    record = {"kind": "hand", "winner": 2, "points": 24, "discarder": 1}
    client.post(f"/api/tables/{table['id']}", json={"seen": 4, "do": "add", "record": record})
    assert {one["id"] for one in lines(client).values()} >= {"d0d0", id_of("林"), id_of("林周")}


def test_a_change_is_made_once_and_never_over_one_that_was_not_seen(client):
    body = {"who": WHO, "seen": 0, "key": "one", "record": {"do": "add", "name": "林"}}
    assert client.post("/api/roster", json=body).json()["length"] == 1
    assert client.post("/api/roster", json=body).json()["length"] == 1
    other = {**body, "key": "two"}
    assert client.post("/api/roster", json=other).status_code == 409


def test_a_roster_goes_where_its_owner_goes(client):
    played(client, ["林", "周", "何", "许"], 1)
    change(client, do="rename", id=id_of("林"), name="林海")
    code = client.post("/api/belongings/code", headers=OWN, json={}).json()
    other = {"X-Who": "another-browser-1"}
    body = {"who": "another-browser-1", "seen": 0, "key": "mine", "record": {"do": "add", "name": "甲"}}
    assert client.post("/api/roster", json=body).status_code == 200
    answer = client.post("/api/belongings/take", headers=other, json={"code": code["code"]})
    assert answer.status_code == 200, answer.text
    who = {"X-Who": answer.json()["who"]}
    view = client.get("/api/roster", headers=who).json()
    assert {one["name"] for one in view["players"]} >= {"林海", "甲", "周"}
    assert view["length"] == 2


def test_a_database_of_before_opens_and_its_names_are_ids(tmp_path):
    with TestClient(create_app(unlimited(tmp_path))) as client:
        played(client, ["林", "周", "何", "许"], 2)
        listed = client.get("/api/tables", headers=OWN).json()
    with sqlite3.connect(tmp_path / "quepu.sqlite3") as database:  # as the program of before wrote results
        for id, result in database.execute("SELECT log, result FROM score_table").fetchall():
            old = {key: value for key, value in json.loads(result).items() if key != "players"}
            database.execute("UPDATE score_table SET result = ? WHERE log = ?", (json.dumps(old), id))
    with TestClient(create_app(unlimited(tmp_path))) as client:
        assert client.get("/api/tables", headers=OWN).json() == listed
        assert lines(client)["林"]["id"] == id_of("林")
        change(client, do="rename", id=id_of("林"), name="林海")
        assert lines(client)["林海"]["hands"] == 2


def test_the_terminal_knows_the_tables_of_the_page_by_their_files(client, tmp_path, capsys):
    one, other = (played(client, ["林", "周", "何", "许"], hands) for hands in (3, 2))
    made = change(client, do="add", name="林", note="高")["players"]
    tall = next(line["id"] for line in made if line["note"] == "高")
    change(client, do="seat", table=one["id"], player=id_of("林"), id=tall)
    file = tmp_path / "roster.json"
    file.write_text(client.get("/api/roster/export", headers=OWN).text, encoding="utf-8")
    logs = tmp_path / "logs"
    for number, again in enumerate(("", " (1)", "(2)")):  # as browsers name what was saved before
        folder = logs / str(number)
        folder.mkdir(parents=True)
        for table in (one, other):
            answer = client.get(f"/api/tables/{table['id']}/export")
            name = answer.headers["content-disposition"].split('"')[1]
            (folder / name.replace(".json", f"{again}.json")).write_text(answer.text, encoding="utf-8")
        assert run(["stats", str(folder), "--roster", str(file), "--json"]) == 0
        found = {line["id"]: line["hands"] for line in json.loads(capsys.readouterr().out)["players"]}
        assert (found[tall], found[id_of("林")]) == (3, 2)


def test_the_terminal_takes_the_roster_of_the_page(client, tmp_path, capsys):
    table = played(client, ["林", "周", "何", "许"], 3)
    other = played(client, ["林海", "周", "何", "许"], 2)
    change(client, do="merge", id=id_of("林海"), into=id_of("林"))
    logs = tmp_path / "logs"
    logs.mkdir()
    for one in (table, other):
        text = client.get(f"/api/tables/{one['id']}/export").text
        (logs / f"{one['id']}.json").write_text(text, encoding="utf-8")
    file = tmp_path / "roster.json"
    file.write_text(client.get("/api/roster/export", headers=OWN).text, encoding="utf-8")
    assert run(["stats", str(logs), "--roster", str(file), "--json"]) == 0
    found = {one["name"]: one for one in json.loads(capsys.readouterr().out)["players"]}
    page = client.get("/api/players/林", headers=OWN).json()
    same = ("id", "matches", "hands", "wins", "total", "rates", "mean", "fans")
    assert {key: found["林"][key] for key in same} == {key: page[key] for key in same}
    assert run(["roster", str(file)]) == 0
    out = capsys.readouterr().out
    assert "林海 并入 林" in out
    for words in (["rename", "周", "周周"], ["add", "何", "高"], ["seat", f"{other['id']}.json", "许", "何"]):
        assert run(["roster", str(file), *words]) == 0
    capsys.readouterr()
    assert run(["stats", str(logs), "--roster", str(file), "--player", "周周"]) == 0
    assert "周周" in capsys.readouterr().out
    assert run(["roster", str(file), "dance", "周"]) == 2
    assert run(["roster", str(file), "merge", "林", "林海"]) == 2
    assert "同一个人" in capsys.readouterr().err
