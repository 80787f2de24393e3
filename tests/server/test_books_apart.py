"""The points of one rulebook are never added to those of another: players' lists, pages, files."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quepu.cli import run as command
from quepu.server.app import create_app
from tests.match.test_log import play_match
from tests.server.serving import unlimited

WHO = "somebody-1234"
OWN = {"X-Who": WHO}
NAMES = ["林", "周", "何", "许"]
WINS = {"lingque-29": 48, "guobiao": 8}


def opened(client: TestClient, rules: str, points: int, winner: int = 0) -> None:
    body = {"rules": rules, "names": NAMES, "who": WHO}
    id = client.post("/api/tables", json=body).json()["id"]
    record = {"kind": "hand", "winner": winner, "points": points, "self_draw": True}
    answer = client.post(f"/api/tables/{id}", json={"seen": 1, "do": "add", "record": record})
    assert answer.status_code == 200, answer.text


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(unlimited(tmp_path))) as made:
        for rules, points in (*WINS.items(), ("guobiao", 16)):
            opened(made, rules, points)
        yield made


def test_a_list_has_a_line_for_each_player_and_book(client: TestClient) -> None:
    lines = client.get("/api/players", headers=OWN).json()
    assert sorted((line["book"], line["name"]) for line in lines) == sorted((b, n) for b in WINS for n in NAMES)
    of = {(line["book"], line["name"]): line for line in lines}
    assert (of["lingque-29", "林"]["matches"], of["lingque-29", "林"]["mean_win"]) == (1, 48)
    assert (of["guobiao", "林"]["matches"], of["guobiao", "林"]["mean_win"]) == (2, 12)
    assert of["guobiao", "林"]["rating"]["matches"] == 2 and of["lingque-29", "林"]["rating"]["matches"] == 1
    for book in WINS:
        assert sum(line["total"] for line in lines if line["book"] == book) == 0


def test_a_page_is_about_one_book_and_names_the_others(client: TestClient) -> None:
    page = client.get("/api/players/林", headers=OWN).json()
    assert page["book"] == "guobiao"  # played most
    assert {one["book"]: one["matches"] for one in page["books"]} == {"guobiao": 2, "lingque-29": 1}
    assert {one["book"]: one["unit"]["zh"] for one in page["books"]}["lingque-29"] == "点"
    assert {hand["book"] for hand in page["best"]} == {"guobiao"} and len(page["curve"]) == 2
    other = client.get("/api/players/林?book=lingque-29", headers=OWN).json()
    assert (other["book"], other["matches"], [hand["points"] for hand in other["best"]]) == ("lingque-29", 1, [48])
    assert other["total"] != page["total"]
    assert client.get("/api/players/林?book=yuque-54", headers=OWN).status_code == 404


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    for number, book in enumerate(("yuque-54", "lingque-29", "lingque-29")):
        (folder / f"{number}.jsonl").write_text("\n".join(play_match(book, number)[1]), encoding="utf-8")
    return folder


def test_files_are_added_up_for_each_book(client: TestClient, logs: Path) -> None:
    files = [{"name": path.name, "when": 1.0, "text": path.read_text()} for path in sorted(logs.iterdir())]
    sets = [client.post("/api/stats/read", json={"files": some}).json() for some in (files[:1], files[1:])]
    view = client.post("/api/stats", json={"sets": sets}).json()
    assert [(one["book"], one["matches"]) for one in view["books"]] == [("lingque-29", 2), ("yuque-54", 1)]
    assert {line["book"]: line["matches"] for line in view["players"]} == {"lingque-29": 2, "yuque-54": 1}
    id = view["players"][0]["id"]
    for book, matches in (("lingque-29", 2), ("yuque-54", 1)):
        page = client.post("/api/stats", json={"sets": sets, "id": id, "book": book}).json()["player"]
        assert (page["book"], page["matches"]) == (book, matches)


def test_the_command_line_shows_a_table_for_each_book(
    logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(["stats", str(logs)]) == 0
    out = capsys.readouterr().out
    assert out.index("lingque-29") < out.index("yuque-54")
    assert command(["stats", str(logs), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert {(one["book"], one["matches"]) for one in found["players"]} == {("lingque-29", 2), ("yuque-54", 1)}
    assert command(["stats", str(logs), "--csv", str(tmp_path / "all.csv")]) == 0
    rows = list(csv.DictReader((tmp_path / "all.csv").open(encoding="utf-8-sig")))
    assert {row["book"] for row in rows} == {"lingque-29", "yuque-54"}
