"""Practice questions: one answer each, judged by the book, and weak fans come back."""

import itertools
import random
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta

import pytest
from starlette.testclient import TestClient

import quepu
from quepu.rules.measured_figures import figures
from quepu.server.app import create_app
from quepu.server.practice.questions import KINDS, LEVELS, _clear, choose_seed, kinds_of, puzzle_of, question
from quepu.server.store.values import Answered, due, weakness
from quepu.tiles import NAMES
from tests.server.serving import unlimited
from tests.tuidaohu import BOOK as SUITS_ONLY

BOOKS = ("lingque-29", "guobiao", "yuque-54")
WHO = "abcdefgh-12345"


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("practice")
    with TestClient(create_app(unlimited(folder))) as client:
        yield client


def answer_of(book, made):
    """The right answer, from the library."""
    if made.kind == "waits":
        return {"waits": [NAMES[wait.tile] for wait in quepu.waits(made.hand, book).waits]}
    if made.kind == "discard":
        whole = made.hand._replace(concealed=made.hand.concealed[:-1], winning=made.hand.concealed[-1])
        can_win = {
            NAMES[one.discard]: sum(wait.left for wait in one.outlook.waits if wait.can_win)
            for one in quepu.discards(whole, book)
        }
        most = max(can_win.values())
        assert [*can_win.values()].count(most) == 1
        return {"discard": max(can_win, key=can_win.__getitem__)}
    score = quepu.score(made.hand, book)
    return {
        "fans": {"fans": [fan.name for fan in score.fans]},
        "points": {"points": score.total},
        "payable": {"payable": score.can_win},
    }[made.kind]


def test_a_book_is_asked_about_its_own_tiles():
    for kind in kinds_of(SUITS_ONLY):
        assert kind in KINDS
        for level in (1,) if kind == "aim" else LEVELS:  # a second and more each
            assert max(question(SUITS_ONLY, kind, level, 5).hand.concealed) < 27


@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("kind", ["fans", "points", "payable", "waits", "discard"])
def test_the_books_answer_is_right_and_another_is_wrong(client, rules, kind):
    book = quepu.book(rules)
    if kind not in kinds_of(book):
        assert kind == "payable"
        assert client.post("/api/practice/question", json={"rules": rules, "kind": kind}).status_code == 400
        return
    for level in LEVELS:
        answer = client.post("/api/practice/question", json={"rules": rules, "kind": kind, "level": level, "seed": 5})
        shown = answer.json()
        made = question(book, kind, level, 5)
        assert shown["hand"]["text"] == quepu.write(made.hand)
        if made.score is not None:
            assert _clear(made.score)
            assert {fan.name for fan in made.score.fans} <= set(shown["offered"]) or kind != "fans"
        reply = {"rules": rules, "kind": kind, "level": level, "seed": 5, **answer_of(book, made)}
        assert client.post("/api/practice/answer", json=reply).json()["right"] is True
        other = next((kind for kind in shown["offered"] if kind != reply.get("discard")), None)
        wrong = {"fans": [], "points": -1, "payable": not reply.get("payable"), "waits": [], "discard": other}[kind]
        verdict = client.post("/api/practice/answer", json={**reply, kind: wrong}).json()
        assert verdict["right"] is False
        assert verdict[kind] == reply[kind]
        if kind == "discard":  # each other tile has its reason
            assert set(verdict["why_not"]) == set(shown["offered"]) - {reply["discard"]}


@pytest.mark.parametrize("rules", BOOKS)
def test_the_best_aim_is_the_ready_hand_that_is_worth_most(client, rules):
    book = quepu.book(rules)
    for level, seed in itertools.product(LEVELS, (5, 6)):
        asked = {"rules": rules, "kind": "aim", "level": level, "seed": seed}
        shown = client.post("/api/practice/question", json=asked).json()
        made = question(book, "aim", level, seed)
        whole = made.hand._replace(concealed=made.hand.concealed[:-1], winning=made.hand.concealed[-1])
        worth = {
            NAMES[one.discard]: sum(
                wait.left * wait.by_discard.total
                for wait in one.outlook.waits
                if wait.by_discard is not None and wait.by_discard.can_win
            )
            for one in quepu.discards(whole, book)
        }
        verdicts = {
            aim: client.post("/api/practice/answer", json=asked | {"aim": aim}).json() for aim in shown["offered"]
        }
        assert len(verdicts) > 1
        assert [verdict["right"] for verdict in verdicts.values()].count(True) == 1
        best = next(verdict for aim, verdict in verdicts.items() if verdict["right"] and verdict["aim"] == aim)
        most = max(worth.values())
        assert worth[best["discard"]] == most
        assert set(best["why_not"]) == set(shown["offered"]), "each aim says what it is worth"
        assert str(most) in best["why_not"][best["aim"]]
        assert client.post("/api/practice/answer", json=asked).status_code == 400


@pytest.mark.parametrize("rules", BOOKS)
def test_payments_are_the_settlement_of_the_book(client, rules):
    if "pays" not in kinds_of(quepu.book(rules)):
        pytest.skip("no table rules yet")
    question = client.post("/api/practice/question", json={"rules": rules, "kind": "pays", "seed": 9}).json()
    reply = {"rules": rules, "kind": "pays", "level": 1, "seed": 9}
    verdict = client.post("/api/practice/answer", json={**reply, "pays": dict.fromkeys("ESWN", 0)}).json()
    paid = client.post("/api/pay", json={
        "rules": rules, "hand": question["hand"]["text"], "seat": question["seat"], "round": question["round"],
        "self_draw": question["self_draw"], "circumstances": question["circumstances"], "flowers": question["flowers"],
        "discarder": question["discarder"],
    }).json()  # fmt: skip
    pays = dict(zip("ESWN", paid["gains"], strict=True))
    assert verdict["pays"] == pays
    assert not verdict["right"]
    assert client.post("/api/practice/answer", json={**reply, "pays": pays}).json()["right"]


def test_history_is_stored_and_shows_what_is_weak(client):
    for seed, chosen in ((1, None), (2, []), (3, None)):
        made = question(quepu.book("guobiao"), "fans", 1, seed)
        fans = [fan.name for fan in made.score.fans] if chosen is None else chosen
        reply = {"rules": "guobiao", "kind": "fans", "level": 1, "seed": seed, "who": WHO, "fans": fans}
        assert client.post("/api/practice/answer", json=reply).status_code == 200
    answer = client.get("/api/practice/history", params={"rules": "guobiao"}, headers={"X-Who": WHO}).json()
    assert (answer["answered"], answer["right"], answer["streak"]) == (3, 2, 1)
    assert answer["days"][0]["answered"] == 3
    assert any(fan["weakness"] > 0 for fan in answer["fans"])
    assert all(0 <= fan["recognised"] <= fan["met"] <= 3 and type(fan["recognised"]) is int for fan in answer["fans"])
    stranger = client.get(
        "/api/practice/history", params={"rules": "guobiao"}, headers={"X-Who": "nobody-12345"}
    ).json()
    assert stranger["answered"] == 0
    assert [fan["name"] for fan in stranger["fans"]] == [fan.name for fan in quepu.book("guobiao").fans]
    assert answer["fans"][0]["due"] <= answer["now"]
    posed = client.post("/api/practice/question", json={"rules": "guobiao", "who": WHO})
    assert posed.status_code == 200


def test_beginners_practise_what_is_common():
    """Of 120 easy questions of 国标 37 were seven pairs; and flowers are there or not, where a book counts them."""
    for rules in ("guobiao", "lingque-29", "canton"):
        book = quepu.book(rules)
        shares = figures(book)
        seen = [question(book, "points", 1, seed).score for seed in range(30)]
        rare = [
            fan.name
            for score in seen
            for fan in score.fans
            if (share := shares[fan.name].share) is not None and share < 0.01
        ]
        assert not rare
        assert {len(score.best.groups) for score in seen} == {5}
        if book.counts_flowers:
            assert {bool(score.hand.flower_count) for score in seen} == {True, False}


def test_a_fan_is_due_later_each_time_it_is_known():
    day = 86_400.0

    def answered(at, right):
        return Answered("guobiao", "fans", 1, 0, right, 1.0, {"断幺": right}, at)

    assert due([]) == {}
    assert due([answered(0.0, False)])["断幺"] == (0, 0.0)
    assert due([answered(0.0, True)])["断幺"] == (1, day)
    assert due([answered(10.0, True), answered(0.0, True)])["断幺"] == (1, day)  # known again before it was due
    assert due([answered(day, True), answered(0.0, True)])["断幺"] == (2, 4 * day)
    assert due([answered(5 * day, False), answered(day, True), answered(0.0, True)])["断幺"] == (0, 5 * day)


def test_a_fan_that_is_due_comes_with_its_example(client):
    book = quepu.book("lingque-29")
    met = set()
    for fan in book.fans[:12]:
        question = client.post("/api/practice/question", json={"rules": book.id, "about": fan.name, "seed": 2})
        shown = question.json()
        assert fan.name in shown["offered"]
        reply = {"rules": book.id, "kind": "fans", "level": 1, "seed": 2, "about": fan.name}
        verdict = client.post("/api/practice/answer", json={**reply, "fans": []}).json()
        met |= {fan.name} & set(verdict["fans"])
        for name in shown["offered"]:
            assert bool(verdict["why_not"].get(name)) == (name not in verdict["fans"])
    assert len(met) >= 6
    assert client.post("/api/practice/question", json={"rules": book.id, "about": "无此番"}).status_code == 400


def test_a_tile_that_is_no_wait_is_distinguished_from_one(client):
    request = {"rules": "guobiao", "kind": "waits", "level": 1, "seed": 4}
    right = answer_of(quepu.book("guobiao"), question(quepu.book("guobiao"), "waits", 1, 4))["waits"]
    wrong = next(name for name in NAMES if name not in right)
    verdict = client.post("/api/practice/answer", json={**request, "waits": [wrong]}).json()
    assert "听牌" in verdict["why_not"][wrong]
    assert set(verdict["why_not"]) == {wrong}


def test_weak_fans_come_back_more_often():
    """Common fans and many questions: which hands a seed gives changes with the book's fingerprint."""
    book = quepu.book("guobiao")
    fans = ("四归一", "断幺", "混一色")

    def met(weak):
        rng = random.Random(3)
        found = 0
        for _ in range(80):
            made = question(book, "fans", 2, choose_seed(book, "fans", 2, weak, rng))
            found += len({fan.name for fan in made.score.fans} & set(fans))
        return found

    assert met(dict.fromkeys(fans, 1.0)) > met({}) * 1.5


@pytest.mark.parametrize("rules", BOOKS)
def test_easy_questions_about_waits_have_usual_hands(rules):
    book = quepu.book(rules)
    for seed in range(12):
        made = question(book, "waits", 1, seed)
        completed = [quepu.score(made.hand._replace(winning=wait.tile), book) for wait in made.outlook.waits]
        assert any(len(score.best.groups) == 5 for score in completed)


def test_old_mistakes_fade():
    def one(right):
        return Answered("guobiao", "fans", 1, 0, right, 1.0, {"断幺": right})

    assert weakness([one(True)] * 6 + [one(False)])["断幺"] < weakness([one(False)] + [one(True)] * 6)["断幺"]


@pytest.mark.parametrize("reply", [
    {"kind": "points"}, {"kind": "riddle"}, {"kind": "fans", "seed": -1}, {"kind": "fans", "who": "short"},
    {"kind": "points", "points": "many"}, {"kind": "pays", "pays": {"X": 1}},
])  # fmt: skip
def test_wrong_answers_to_the_server_get_a_sentence(client, reply):
    request = {"rules": "guobiao", "level": 1, "seed": 1, **reply}
    answer = client.post("/api/practice/answer", json=request)
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]


def test_every_kind_is_made():
    assert set(KINDS) >= set(kinds_of(quepu.book("guobiao")))


@pytest.mark.parametrize("rules", [book.id for book in quepu.books()])
def test_lessons_are_made_of_the_book(client, rules):
    book = quepu.book(rules)
    question = client.post("/api/practice/lessons", json={"rules": rules}).json()
    guide = {one["key"]: one for one in client.get(f"/api/books/{rules}/rules").json()["sections"]}
    keys = [lesson["key"] for lesson in question["lessons"]]
    assert keys == ["tiles", "shape", "counting", "waits", "paying", "manners"]
    for lesson in question["lessons"]:
        assert all(section == guide[section["key"]] for section in lesson["sections"])
        assert lesson["sections"] or lesson["kind"]
        assert not lesson["passed"]
    counted = question["counted"]
    there = {part["example"]["hand"]["text"] for one in guide.values() for part in one["parts"] if part["example"]}
    assert counted["hand"]["text"] in there | {quepu.write(quepu.parse(f.example.hand)) for f in book.fans if f.example}
    situation = {key: counted[key] for key in ("seat", "round", "self_draw", "circumstances", "flowers")}
    body = {"rules": rules, "hand": counted["hand"]["text"], **situation}
    assert client.post("/api/score?explain=true", json=body).json() == counted["score"]
    assert 3 <= len(counted["score"]["counted"]) <= 5


def test_lessons_are_passed_by_reading_or_a_right_answer(client):
    who = "learner-123456"

    def passed(rules="guobiao"):
        answer = client.post("/api/practice/lessons", json={"rules": rules, "who": who}).json()
        return [lesson["key"] for lesson in answer["lessons"] if lesson["passed"]]

    read = {"rules": "guobiao", "kind": "shape", "level": 1, "seed": 0, "who": who}
    for _ in range(2):
        assert client.post("/api/practice/answer", json=read).json()["right"] is True
    assert passed() == ["shape"]
    request = {"rules": "guobiao", "kind": "waits", "level": 1, "seed": 5, "who": who}
    right = answer_of(quepu.book("guobiao"), question(quepu.book("guobiao"), "waits", 1, 5))
    wrong = {"waits": [NAMES[0]] if right["waits"] != [NAMES[0]] else [NAMES[1]]}
    assert client.post("/api/practice/answer", json={**request, **wrong}).json()["right"] is False
    assert passed() == ["shape"]
    assert client.post("/api/practice/answer", json={**request, **right}).json()["right"] is True
    assert passed() == ["shape", "waits"]
    assert passed("canton") == []
    history = client.get("/api/practice/history", params={"rules": "guobiao"}, headers={"X-Who": who}).json()
    assert history["answered"] == 2  # what was read is no answer
    assert client.post("/api/practice/question", json={"rules": "guobiao", "kind": "shape"}).status_code == 422


@pytest.mark.parametrize("rules", BOOKS)
def test_the_puzzle_of_a_day_is_the_same_for_everyone_and_of_many_kinds(client, rules):
    book = quepu.book(rules)
    days = [date(2026, 12, 1) + timedelta(n) for n in range(14)]
    kinds = [puzzle_of(book, day)[0] for day in days]
    assert set(kinds) == {"discard", "points", "waits", "aim", "fans"} | ({"payable"} if book.minimum > 1 else set())
    assert all(one != other for one, other in itertools.pairwise(kinds))
    assert [puzzle_of(book, day)[1] for day in days[6:13]] == [1, 1, 1, 2, 2, 2, 3]  # 7 December is a Monday
    day = days[0]
    kind, level, seed = puzzle_of(book, day)
    asked = {"rules": rules, "day": day.isoformat()}
    first = client.post("/api/practice/question", json=asked).json()
    assert (first["kind"], first["level"], first["seed"]) == (kind, level, seed)
    assert client.post("/api/practice/question", json=asked | {"kind": "pays", "seed": 5}).json() == first
    made = question(book, kind, level, seed)
    reply = {key: first[key] for key in ("rules", "kind", "level", "seed")}
    assert client.post("/api/practice/answer", json=reply | answer_of(book, made)).json()["right"] is True


def test_puzzles_before_december_ask_for_a_discard_as_they_did(client):
    book = quepu.book("guobiao")
    assert puzzle_of(book, date(2026, 11, 30)) == ("discard", 1, 20261130)
    asked = client.post("/api/practice/question", json={"rules": "guobiao", "day": "2026-11-05"}).json()
    before = {"rules": "guobiao", "kind": "discard", "level": 1, "seed": 20261105}
    assert asked == client.post("/api/practice/question", json=before).json()
    for wrong in ("2026-13-01", "today", "", 5):
        assert client.post("/api/practice/question", json={"rules": "guobiao", "day": wrong}).status_code == 422


def test_an_answer_that_is_sent_twice_at_the_same_time_counts_once(client):
    """On a slow line a page sends what waits to be sent, while its first request is still under way."""
    who = "twice-and-twice"
    body = {"rules": "guobiao", "kind": "points", "level": 1, "seed": 4, "points": 3, "who": who}
    fast = time.time() + 3000  # the page's clock is fast
    for at, counted in ((1.7e9, 1), (1.7e9 + 1, 2), (fast, 3)):
        with ThreadPoolExecutor(4) as threads:
            sent = [threads.submit(client.post, "/api/practice/answer", json=body | {"at": at}) for _ in range(4)]
        assert [one.result().status_code for one in sent] == [200] * 4
        history = client.get("/api/practice/history?rules=guobiao", headers={"X-Who": who}).json()
        assert history["answered"] == counted
