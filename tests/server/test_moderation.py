"""What an operator takes off the pages, gives out, and erases: tables, tournaments, replays, names."""

from __future__ import annotations

import base64
import gzip
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quepu.cli import run as command
from quepu.match.reader import read_log
from quepu.server.app import create_app
from quepu.server.store.database import FILE
from tests.cli.test_json_schemas import check
from tests.match.test_log import forged, play_match
from tests.server.serving import unlimited

WHO, NAME = "somebody-1234", "林清"
OWN = {"X-Who": WHO}
GOLDEN = Path(__file__).parents[1] / "golden/0.1.0-e1aac81/data.sqlite3.gz"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(unlimited(tmp_path))) as made:
        yield made


def admin(folder: Path, *words: str) -> int:
    return command(["admin", *words, "--data", str(folder)])


def look(client: TestClient) -> None:
    """What the server does every ten seconds."""
    assert client.portal is not None
    client.portal.call(client.app.state.housekeeping.look)  # type: ignore[attr-defined]


def opened_table(client: TestClient, names: list[str], title: str = "周五") -> str:
    body = {"rules": "lingque-29", "title": title, "names": names, "who": WHO}
    id = client.post("/api/tables", json=body).json()["id"]
    record = {"kind": "hand", "winner": 0, "points": 48, "self_draw": True}
    assert client.post(f"/api/tables/{id}", json={"seen": 1, "do": "add", "record": record}).status_code == 200
    return str(id)


def added_replay(client: TestClient) -> str:
    log = forged(play_match("yuque-54", 3)[1], 0, players=[NAME, "周", "何", "许"])
    answer = client.post("/api/replays", json={"who": WHO, "text": "\n".join(log)})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def opened_desk(client: TestClient) -> str:
    body = {"who": WHO, "title": "杯赛", "rules": "lingque-29", "players": [NAME, "周", "何", "许"]}
    answer = client.post("/api/desks", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def test_a_table_that_was_taken_down_opens_for_nobody_until_it_is_put_back(client: TestClient, tmp_path: Path) -> None:
    for id, path in (
        (opened_table(client, [NAME, "周", "何", "许"]), "/api/tables/{}"),
        (opened_desk(client), "/api/desks/{}"),
        (added_replay(client), "/api/replays/{}"),
    ):
        before = client.get(path.format(id), headers=OWN)
        assert before.status_code == 200
        assert admin(tmp_path, "take-down", id) == 0
        look(client)
        assert client.get(path.format(id), headers=OWN).status_code == 404
        assert admin(tmp_path, "take-down", id) == 2
        assert admin(tmp_path, "put-back", id) == 0
        look(client)
        after = client.get(path.format(id), headers=OWN)
        assert (after.status_code, after.json()) == (200, before.json())
        assert admin(tmp_path, "put-back", id) == 2


def test_a_replay_that_was_hidden_is_found_by_nobody_but_opens(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(gzip.decompress(GOLDEN.read_bytes()))
    stranger = {"X-Who": "another-12345"}
    with TestClient(create_app(unlimited(tmp_path))) as client:

        def listed() -> list[str]:
            return [one["id"] for one in client.get("/api/replays", headers=stranger).json()["replays"]]

        id, *others = listed()
        assert admin(tmp_path, "hide", id) == 0
        assert listed() == others
        assert client.get(f"/api/replays/{id}", headers=stranger).status_code == 200
        assert admin(tmp_path, "show", id) == 0
        assert listed() == [id, *others]
        private = added_replay(client)
        table = opened_table(client, list("甲乙丙丁"))
        assert [admin(tmp_path, "show", one) for one in (private, table)] == [2, 2]  # neither was ever public
        assert admin(tmp_path, "hide", table) == 2
        assert listed() == [id, *others]


def everything(client: TestClient, ids: dict[str, str]) -> str:
    answers = [client.get(f"/api/{kind}/{id}", headers=OWN) for kind, id in ids.items()]
    answers += [client.get(path, headers=OWN) for path in ("/api/tables", "/api/replays", "/api/players", "/api/desks")]
    answers.append(client.get(f"/api/replays/{ids['replays']}/log"))
    assert {answer.status_code for answer in answers} == {200}
    return "\n".join(answer.text for answer in answers)


def test_an_erased_name_is_nowhere_and_all_results_stay(
    client: TestClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = {
        "tables": opened_table(client, [NAME, "周", "何", "许"], f"{NAME}的桌"),
        "desks": opened_desk(client),
        "replays": added_replay(client),
    }
    other = opened_table(client, ["甲", "乙", "丙", "丁"])
    totals = client.get(f"/api/tables/{ids['tables']}").json()["totals"]
    gains = [hand["gains"] for hand in client.get(f"/api/replays/{ids['replays']}").json()["hand_list"]]
    untouched = client.get(f"/api/tables/{other}").json()
    assert NAME in everything(client, ids)
    assert [admin(tmp_path, act, ids["tables"]) for act in ("take-down", "put-back")] == [0, 0]
    look(client)
    assert admin(tmp_path, "audit") == 0 and f"{NAME}的桌" in capsys.readouterr().out
    assert admin(tmp_path, "erase", NAME) == 2 and "--yes" in capsys.readouterr().err
    assert admin(tmp_path, "erase", NAME, "--yes") == 0
    assert "3 份记录" in capsys.readouterr().out
    look(client)
    after = everything(client, ids)
    assert [after[max(0, found.start() - 80) : found.end() + 80] for found in re.finditer(NAME, after)] == []
    assert "某人" in after
    assert client.get(f"/api/tables/{ids['tables']}").json()["totals"] == totals
    page = client.get(f"/api/replays/{ids['replays']}").json()
    assert [hand["gains"] for hand in page["hand_list"]] == gains
    replay = read_log(client.get(f"/api/replays/{ids['replays']}/log").text.splitlines())
    assert replay.finished and replay.problems == ()
    assert client.get(f"/api/tables/{other}").json() == untouched
    assert admin(tmp_path, "erase", NAME, "--yes") == 2  # nothing has this name any more
    assert admin(tmp_path, "find", NAME) == 0
    capsys.readouterr()
    assert admin(tmp_path, "audit") == 0
    trail = capsys.readouterr().out
    assert NAME not in trail and trail.count("的桌") == 2  # titles of what was taken down and put back


def test_photos_of_slips_go_with_an_erased_name_and_with_their_tournament(
    client: TestClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def photographed(names: list[str]) -> tuple[str, str]:
        body = {"who": WHO, "title": f"{names[0]}杯", "rules": "lingque-29", "players": names}
        id = client.post("/api/desks", json=body).json()["id"]
        jpeg = base64.b64encode(b"\xff\xd8\xff\xe0" + bytes(99)).decode()
        photo = client.post(f"/api/desks/{id}/photos", json={"jpeg": jpeg}).json()["photo"]
        slip = {"do": "slip", "round": 1, "table": 1, "points": [8, 0, 0, -8], "photo": photo}
        for record in ({"do": "draw", "rounds": 1}, {"do": "begin"}, slip):
            seen = client.get(f"/api/desks/{id}", headers=OWN).json()["length"]
            answer = client.post(f"/api/desks/{id}", json={"seen": seen, "record": record})
            assert answer.status_code == 200, answer.text
        client.post(f"/api/desks/{id}/reader", json={})
        return id, photo

    def shown(id: str) -> str:
        result = client.get(f"/api/desks/{id}", headers=OWN).json()["rounds"][0]["tables"][0]["results"][0]
        assert result["points"] == [8, 0, 0, -8]
        return str(result["photo"])

    def titles(kind: str) -> list[str]:
        with closing(sqlite3.connect(tmp_path / FILE)) as data:
            return [title for (title,) in data.execute("SELECT title FROM log WHERE kind = ? ORDER BY 1", [kind])]

    (id, photo), (other, kept) = photographed([NAME, "周", "何", "许"]), photographed(["甲", "乙", "丙", "丁"])
    assert (shown(id), shown(other)) == (photo, kept) and titles("photo") == sorted(["林清杯", "甲杯"])
    capsys.readouterr()
    assert admin(tmp_path, "erase", NAME, "--yes") == 0 and "1 张成绩单照片" in capsys.readouterr().out
    look(client)
    assert (shown(id), shown(other)) == ("", kept) and titles("photo") == ["甲杯"]
    assert client.get(f"/api/desks/{id}/photos/{photo}").status_code == 404
    assert not any(NAME in title for kind in ("desk", "reader") for title in titles(kind))
    assert admin(tmp_path, "take-down", other) == 0
    look(client)
    assert client.get(f"/api/desks/{other}/photos/{kept}").status_code == 404
    assert admin(tmp_path, "put-back", other) == 0
    look(client)
    assert client.get(f"/api/desks/{other}/photos/{kept}").status_code == 200
    assert client.delete(f"/api/desks/{other}", headers=OWN).status_code == 204
    assert titles("photo") == []


def test_in_one_log_only_one_of_two_of_a_name_is_erased(client: TestClient, tmp_path: Path) -> None:
    one, other = (opened_table(client, [NAME, "周", "何", "许"]) for _ in range(2))
    assert admin(tmp_path, "erase", NAME, "--log", one, "--yes") == 0
    assert NAME not in client.get(f"/api/tables/{one}").json()["names"]
    assert NAME in client.get(f"/api/tables/{other}").json()["names"]


def test_logs_are_found_given_out_and_every_act_is_written_down(
    client: TestClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    id = opened_table(client, [NAME, "周", "何", "许"])
    opened_table(client, ["甲", "乙", "丙", "丁"], "别的")
    capsys.readouterr()
    for words in (NAME, "周五"):
        assert admin(tmp_path, "find", words, "--json") == 0
        found = json.loads(capsys.readouterr().out)
        assert [one["id"] for one in found] == [id]
        check("admin find", found)
    assert admin(tmp_path, "export-log", id) == 0
    given: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert given["entries"][0]["spec"]["names"][0] == NAME and len(given["entries"]) == 2
    admin(tmp_path, "take-down", id)
    admin(tmp_path, "put-back", id)
    admin(tmp_path, "erase", NAME, "--yes")
    capsys.readouterr()
    assert admin(tmp_path, "audit", "--json") == 0
    acts = [(line["act"], id in line["about"]) for line in json.loads(capsys.readouterr().out)]
    assert acts == [("erase", True), ("put-back", True), ("take-down", True), ("export-log", True)]


@pytest.mark.parametrize("act", ["hide", "show", "take-down", "put-back", "export-log"])
def test_an_unknown_log_is_refused_in_one_sentence(
    client: TestClient, tmp_path: Path, capsys: pytest.CaptureFixture[str], act: str
) -> None:
    for lang, words in (("zh", "没有编号为 nothere 的记录"), ("en", "there is no log nothere")):
        assert command(["--lang", lang, "admin", act, "nothere", "--data", str(tmp_path)]) == 2
        said = capsys.readouterr().err
        assert words in said and len(said.strip().splitlines()) == 1


def test_a_match_that_is_being_played_is_left_alone_and_named(
    client: TestClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    room = {"name": NAME, "think": 0, "move": 0, "bank": 0, "seed": 5, "rules": "lingque-29"}
    id = client.post("/api/rooms", json=room).json()["room"]
    assert admin(tmp_path, "erase", NAME, "--yes") == 0
    assert id in capsys.readouterr().out
    assert NAME in client.get(f"/api/rooms/{id}").text
