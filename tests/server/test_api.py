"""The REST API: the same answers as the library and the command line, and a sentence for everything wrong."""

import json
import re

import pytest
from starlette.testclient import TestClient

import quepu
from quepu.json_lines.answers import score_lines
from quepu.rules.guide import Shown, guide
from quepu.scorekeeper.supply import as_before
from quepu.server.app import Settings, create_app
from quepu.server.books.messages import BookBrief, BookPage, DifferenceAnswer, GuideAnswer
from quepu.server.hands.messages import ExplainedScore, HandShape, ScoreAnswer, WaitsAnswer
from quepu.server.payments import SettledWin
from tests.server.serving import unlimited

HAND = "123m456p789s(EEE)C+C"
BOOK = "guobiao"


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    return TestClient(create_app(unlimited(tmp_path_factory.mktemp("data"))))


def test_a_score_has_the_very_bytes_of_the_command_line(client):
    line = {"rules": BOOK, "hand": HAND, "seat": "S", "self_draw": True}
    answer = client.post("/api/score", json=line)
    assert answer.status_code == 200
    assert answer.text == next(iter(score_lines([json.dumps(line)])))
    ScoreAnswer.model_validate_json(answer.text)


def test_an_explained_score_is_what_the_library_says(client):
    answer = client.post("/api/score?explain=true&lang=en", json={"rules": BOOK, "hand": HAND})
    assert answer.json() == quepu.score(HAND, BOOK).to_json(explain=True, lang="en")
    assert ExplainedScore.model_validate_json(answer.text).counted


def test_waits_of_thirteen_and_discards_of_fourteen(client):
    thirteen = client.post("/api/waits", json={"rules": BOOK, "hand": "123m456p789s(EEE)C"})
    outlook = WaitsAnswer.model_validate_json(thirteen.text).outlook
    assert outlook is not None
    assert {wait.tile for wait in outlook.waits} == {"C"}
    fourteen = client.post("/api/waits", json={"rules": BOOK, "hand": "123m456p789s(EEE)C1s"})
    choices = WaitsAnswer.model_validate_json(fourteen.text).choices
    assert choices is not None
    assert choices[0].discard == "1s"
    assert choices[0].ready


def test_fourteen_unmarked_tiles_are_a_win_or_what_is_missing(client):
    request = {"rules": BOOK, "hand": "123m456p789s11pCCC", "seen": "1p"}
    won = client.post("/api/waits", json=request).json()["completion"]
    expected = quepu.completion(request["hand"], BOOK).to_json()
    assert won == {**expected, "last": "C"}
    assert won["complete"]
    assert client.post("/api/waits", json={**request, "hand": "123m456p789s11pCC+C"}).json()["completion"] is None
    assert (
        "多余"
        in client.post("/api/waits", json={**request, "hand": "123m456p789s11pCCE"}).json()["completion"]["sentence"]
    )


def test_a_hand_is_taken_apart_finished_or_not(client):
    shape = HandShape.model_validate(client.post("/api/hand", json={"hand": "一万 2m3m [5555p](789s)+东"}).json())
    assert shape.text == "123m[5555p](789s)+E"
    assert shape.concealed == ["1m", "2m", "3m"]
    assert [meld.kind for meld in shape.melds] == ["concealed_kong", "chow"]
    assert shape.winning == "E"
    assert client.post("/api/hand", json={"hand": ""}).json()["concealed"] == []


def test_circumstances_say_why_they_cannot_be(client):
    answer = client.post("/api/circumstances", json={"rules": BOOK, "hand": HAND, "self_draw": False}).json()
    by_name = {one["name"]: one for one in answer}
    assert set(by_name) == set(quepu.book(BOOK).circumstances)
    assert not by_name["杠上开花"]["possible"]
    assert by_name["杠上开花"]["why"]
    assert by_name["海底捞月"]["possible"]


def test_every_book_shows_every_row_with_scored_examples(client):
    listed = client.get("/api/books").json()
    assert not any("options" in one for one in listed)  # most of a book's bytes, and no page starts with them
    briefs = [BookBrief.model_validate(one) for one in listed]
    assert {BOOK, "guobiao-ema", "guobiao-jmsa", *quepu.rulebooks.book_ids()} == {brief.id for brief in briefs}
    for brief in briefs:
        answer = client.get(f"/api/books/{brief.id}")
        page = BookPage.model_validate_json(answer.text)
        book = quepu.book(brief.id)
        assert [row.name for row in page.fans] == [fan.name for fan in book.fans]
        assert [one.key for one in page.options] == [option.key for option in book.options]
        assert [row.sentence for row in page.fans] == [fan.sentence for fan in book.fans]
        assert [one.zh for one in page.circumstance_names] == page.circumstances == list(book.circumstances)
        assert not [one.en for one in page.circumstance_names if re.search(r"[\u4e00-\u9fff]", one.en)]
        for row, fan in zip(page.fans, book.fans, strict=True):
            assert (row.example is None) == (fan.example is None)
            assert all(row.name in page.fans[book.index[other]].dropped_by for other in row.drops)


def test_what_a_book_prints_beside_a_hand_is_in_the_words_of_who_reads(client):
    """Lists of fans and totals are put into English; a sentence of the book's own stays its own."""
    chinese, lists = re.compile(r"[\u4e00-\u9fff]"), 0
    for id in quepu.rulebooks.book_ids():
        shown = [p for s in guide(quepu.book(id)) for p in s.parts if isinstance(p, Shown)]
        answer = GuideAnswer.model_validate_json(client.get(f"/api/books/{id}/rules").text)
        printed = [part.printed for section in answer.sections for part in section.parts if part.label]
        assert [one.zh for one in printed if one] == [part.sentence for part in shown]
        for one, part in zip(printed, shown, strict=True):
            translated = part.english not in ("", part.sentence)
            assert bool(chinese.search(one.en)) == (not translated and bool(chinese.search(one.zh))), one
            lists += translated
    assert lists > 100


def test_house_rules_come_with_the_question(client):
    house = f'base = "{BOOK}"\nminimum = 88\n'
    answer = client.post("/api/score", json={"rules": BOOK, "hand": HAND, "house": house}).json()
    assert answer["minimum"] == 88
    bad = client.post("/api/score", json={"rules": BOOK, "hand": HAND, "house": "base = "})
    assert bad.status_code == 400
    assert "1" in bad.json()["error"]


@pytest.mark.parametrize(
    ("path", "body", "status", "at"),
    [
        ("/api/score", {"hand": "12x"}, 400, 2),
        ("/api/score", {"hand": "123m"}, 400, 4),
        ("/api/score", {"hand": HAND, "rules": "bridge"}, 400, None),
        ("/api/score", {"hand": HAND, "rules": "\ud800"}, 422, None),
        ("/api/score", {"hand": HAND, "seat": "X"}, 400, None),
        ("/api/score", {"hand": HAND, "flowers": ["玫瑰"]}, 400, None),
        ("/api/score", {"hand": 7}, 422, None),
        ("/api/score", {}, 422, None),
        ("/api/score", {"hand": HAND, "speed": 1}, 422, None),
        ("/api/score", {"hand": "1" * 401}, 422, None),
        ("/api/score", [HAND], 422, None),
        ("/api/waits", {"hand": "1112345678999m"}, 200, None),
        ("/api/waits", {"hand": "1112345678999m", "seen": "9999m", "rules": BOOK}, 400, None),
        ("/api/hand", {"hand": "\0"}, 400, 0),
    ],
)
def test_wrong_input_gets_one_sentence(client, path, body, status, at):
    text = json.dumps(body)
    answer = client.post(path, content=text, headers={"content-type": "application/json"})
    assert answer.status_code == status, answer.text
    if status != 200:
        assert answer.json()["valid"] is False
        assert answer.json()["at"] == at
        assert answer.json()["error"]


def test_broken_json_unknown_addresses_and_methods(client):
    for send, status in [
        (lambda: client.post("/api/score", content="{", headers={"content-type": "application/json"}), 422),
        (lambda: client.get("/api/nothing"), 404),
        (lambda: client.delete("/api/score"), 405),
        (lambda: client.get("/api/books/bridge"), 400),
    ]:
        answer = send()
        assert answer.status_code == status
        assert set(answer.json()) == {"valid", "error", "at"}
    assert "没有" in client.get("/api/nothing").json()["error"]
    assert "does not exist" in client.get("/api/nothing", headers={"accept-language": "en-GB"}).json()["error"]


def test_the_pages_forbid_everything_from_other_hosts(client):
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")  # what runs WebAssembly and nothing else
    for path in ("/../../etc/passwd", "/assets/%2e%2e/%2e%2e/app.py", "/assets/none.js", "/%00"):
        assert client.get(path).status_code == 404 or client.get(path).headers["content-type"].startswith("text/html")


def test_too_large_and_too_many(tmp_path):
    small = TestClient(create_app(Settings(data=tmp_path, rate=0.001, burst=3, body=2000)))
    assert small.post("/api/hand", json={"hand": "1" * 3000}).status_code == 413
    statuses = [small.get("/api/books/bridge").status_code for _ in range(4)]
    assert statuses[-1] == 429
    last = small.get("/api/books/bridge")
    assert int(last.headers["retry-after"]) > 0
    assert last.json()["valid"] is False


def test_the_two_editions_are_compared_with_a_hand_under_both(client):
    found = DifferenceAnswer.model_validate(client.get("/api/diff?old=lingque-26&new=lingque-29").json())
    assert {row.name for row in found.added} == {"五门齐"}
    assert "大七星" in {row.name for row in found.removed}
    new = found.added[0]
    assert new.hand is not None
    assert new.new_total != new.old_total
    revalued = [row for row in found.changed if row.values]
    assert len(revalued) > 5
    assert all(row.old_total != row.new_total for row in revalued), "each has a hand that shows the change"
    moved = {row.name: [one.en for one in row.categories] for row in found.changed if row.categories}
    assert moved["门前清"] == [
        quepu.book(f"lingque-{n}").class_name(name, "en") for n, name in ((26, "副露"), (29, "鸣牌"))
    ]
    assert not re.search("[\u4e00-\u9fff]", str(moved.values()))
    same = DifferenceAnswer.model_validate(client.get("/api/diff?old=guobiao&new=guobiao").json())
    assert not (same.added or same.removed or same.changed)
    assert client.get("/api/diff?old=guobiao").status_code == 422


def test_payments_follow_the_books_table_rules(client):
    win = {"rules": BOOK, "hand": "123m789s[EEEE]CC99m+C", "seat": "E"}
    points = quepu.score(win["hand"], BOOK, seat="E").total
    answer = SettledWin.model_validate(client.post("/api/pay", json={**win, "discarder": "W"}).json())
    assert answer.gains == [24 + points, -8, -8 - points, -8]
    assert answer.zero_sum
    assert answer.pool == 0
    for wrong in ({}, {"discarder": "E"}, {"discarder": "S", "self_draw": True}, {"discarder": "X"}):
        assert client.post("/api/pay", json={**win, **wrong}).status_code == 400


def test_givers_decide_how_many_tiles_a_seat_supplied():
    hand = quepu.parse("(123m)(EEE)(9999p)[5555s]C+C")
    assert as_before(hand, ["right", "across", None, None], 1, 2) == (2, 0, 1, 1)
    assert as_before(hand, [], 0, None) == (0, 0, 0, 3)


def test_house_rules_are_checked_before_they_are_used(client):
    fine = client.post("/api/house", json={"house": 'base = "lingque-29"\nminimum = 8\nwithout = ["自摸"]\n'}).json()
    assert (fine["minimum"], fine["rows"]) == (8, 73)
    wrong = client.post("/api/house", json={"house": 'base = "lingque-29"\n\nwithout = ["无此番"]\n'})
    assert wrong.status_code == 400
    assert "3" in wrong.json()["error"]


def test_tiles_seen_on_the_table_are_read_sorted_and_counted(client):
    found = client.post("/api/tiles", json={"tiles": "东 4s2m4s 一万"}).json()
    assert found == {"text": "12m44sE", "tiles": ["1m", "2m", "4s", "4s", "E"]}
    assert client.post("/api/tiles", json={"tiles": ""}).json() == {"text": "", "tiles": []}
    for wrong in ("44444s", "1x", "(123s)", "春"):
        answer = client.post("/api/tiles", json={"tiles": wrong})
        assert answer.status_code == 400, wrong
        assert answer.json()["error"]


def test_every_revision_of_every_book_has_its_pages(client):
    """An example may be of a situation that an older revision does not know."""
    for id in quepu.rulebooks.book_ids():
        for revision in range(1, quepu.rulebooks.book(id).revision + 1):
            for more in ("", "/rules"):
                answer = client.get(f"/api/books/{id}@{revision}{more}")
                assert answer.status_code == 200, (id, revision, answer.text[:200])
