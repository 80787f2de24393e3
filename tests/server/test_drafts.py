"""A draft is a book everywhere: its page, its rules, what it changes, practice, a booklet, a table with its fans."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quepu.arena.played_effect import PlayedSums, add_played
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import read
from quepu.rules.play_rules import play_rules
from quepu.scoring.booklet import club_options
from quepu.server.app import create_app
from tests.server.serving import unlimited

FORMULA = '[fans."双龙刻"]\nwhen = "有(相连(刻子, 2))"\nvalue = 2\nenglish = "two pungs in a row"\n'
DRAFT = f'base = "guobiao-mcr"\ntitle = "试作"\nminimum = 6\n[values]\n"平和" = 4\n{FORMULA}'
WHO = "who-practises-a-draft"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Any:
    settings = unlimited(tmp_path_factory.mktemp("drafts"))
    with TestClient(create_app(settings), headers={"X-Who": WHO}) as client:
        yield client


@pytest.mark.long
def test_a_draft_has_the_page_of_a_book(site: Any) -> None:
    page = site.post("/api/house/page", json={"house": DRAFT}).json()
    rows = {row["name"]: row for row in page["fans"]}
    assert (page["title"]["zh"], page["minimum"]) == ("试作", 6)
    assert rows["平和"]["value"] == {"fan": 4}
    assert rows["双龙刻"]["english"] == "two pungs in a row"
    shown, base = (
        next(row for row in one["fans"] if row["name"] == "平和")["example"]["total"]
        for one in (page, site.get("/api/books/guobiao-mcr").json())
    )
    assert shown == base + 2
    rules = site.post("/api/house/rules", json={"house": DRAFT}).json()
    assert rules["title"]["zh"] == "试作"
    for what in ("page", "rules", "diff"):
        refused = site.post(f"/api/house/{what}", json={"house": 'base = "guobiao"\nminimum = "x"\n'})
        assert refused.status_code == 400
        assert "第 2 行" in refused.json()["error"]
        assert site.post(f"/api/house/{what}", json={"house": ""}).status_code == 400


def test_a_draft_is_compared_with_its_book_or_another(site: Any) -> None:
    answer = site.post("/api/house/diff", json={"house": DRAFT}).json()
    assert answer["old"] == "guobiao-mcr"
    assert [row["name"] for row in answer["added"]] == ["双龙刻"]
    assert [row["name"] for row in answer["changed"]] == ["平和"]
    lines = [line["zh"] for line in answer["changes"]["values"]]
    assert "起和 8 → 6" in lines
    assert "平和 2 → 4" in lines
    other = site.post("/api/house/diff", json={"house": DRAFT, "old": "guobiao"}).json()
    assert other["old"] == "guobiao"
    plain = site.get("/api/diff?old=lingque-26&new=lingque-29").json()
    assert len(plain["changes"]["values"]) > 10
    assert plain["changes"]["wording"]


def test_practice_by_a_draft_has_a_history_of_its_own(site: Any) -> None:
    question = site.post("/api/practice/question", json={"house": DRAFT, "kind": "points", "who": WHO}).json()
    assert question["rules"] == "guobiao-mcr"
    assert question["minimum"] == 6
    reply = {key: question[key] for key in ("rules", "kind", "level", "seed")} | {"house": DRAFT, "who": WHO}
    verdict = site.post("/api/practice/answer", json={**reply, "points": 0}).json()
    again = site.post("/api/practice/answer", json={**reply, "points": verdict["points"]}).json()
    assert (verdict["right"], again["right"]) == (False, True)
    history = site.get("/api/practice/history", params={"rules": question["history"]}).json()
    assert (history["answered"], history["right"]) == (2, 1)
    assert site.get("/api/practice/history", params={"rules": "guobiao-mcr"}).json()["answered"] == 0


def test_a_booklet_is_printed_from_the_page(site: Any) -> None:
    answer = site.get("/api/booklet", params={"house": DRAFT})
    assert answer.headers["content-type"].startswith("text/html")
    assert "script" not in answer.headers["content-security-policy"]
    assert "style-src 'unsafe-inline'" in answer.headers["content-security-policy"]
    assert "起和 8 → 6" in answer.text
    assert "双龙刻" in answer.text
    sheet = site.get("/api/booklet", params={"rules": "lingque-29", "sheet": True, "paper": "A5", "lang": "en"}).text
    assert len(sheet) < len(answer.text) / 10
    assert site.get("/api/booklet", params={"paper": "A3"}).status_code == 422
    assert site.get("/api/booklet", params={"rules": "no book"}).status_code == 400


def test_a_fan_in_words_is_won_at_a_table() -> None:
    often = read('base = "guobiao-mcr"\nminimum = 0\n[fans."有顺"]\nwhen = "有(顺子)"\nvalue = 1\n')
    sums = PlayedSums()
    for at in range(12):
        add_played(sums, book("guobiao-mcr"), often, ("plain",) * 4, 3, at)
    assert sums.fans[0]["有顺"] == 0
    assert sums.fans[1]["有顺"] > 0


@pytest.mark.long
def test_a_duel_goes_on_where_it_was(tmp_path: Path) -> None:
    with TestClient(create_app(unlimited(tmp_path))) as client:
        request = {"house": DRAFT, "level": "plain", "seed": 5, "walls": 4}
        part = client.post("/api/workshop/duel", json=request).json()
        assert (part["prepared"], part["so_far"]["walls"]) == (1.0, 4)
        whole = client.post("/api/workshop/duel", json={**request, "walls": 8, "so_far": part["so_far"]}).json()
        sums = PlayedSums()
        for at in range(8):
            add_played(sums, book("guobiao-mcr"), read(DRAFT), ("plain",) * 4, 5, at)
        assert whole["so_far"] == sums.to_json()
        assert [row["error"] for row in whole["measures"]] == [row[4] for row in sums.rows()]
        broken = {**part["so_far"], "sums": {"won": [1]}}
        assert client.post("/api/workshop/duel", json={**request, "so_far": broken}).status_code == 400
        assert client.post("/api/workshop/duel", json={**request, "level": "nobody"}).status_code == 400


def test_a_club_is_asked_the_same_on_the_page_as_on_the_command_line(site: Any) -> None:
    for one in site.get("/api/books").json():
        asked = [option.key for option in club_options(book(one["id"]))]
        assert one["club"] == (asked if play_rules(book(one["id"])).club else [])
        options = site.get(f"/api/books/{one['id']}").json()["options"]
        assert set(one["club"]) <= {option["key"] for option in options}
    card = site.get("/api/booklet", params={"house": 'base = "canton"\ntitle = "雀会"\n', "card": True, "paper": "A5"})
    assert "<h1>雀会</h1>" in card.text
    assert "script" not in card.headers["content-security-policy"]
