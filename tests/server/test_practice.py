"""Practice questions: one answer each, judged by the book, and weak fans come back."""

import random

import pytest
from starlette.testclient import TestClient

import quepu
from quepu.server.app import Settings, create_app
from quepu.server.practice.questions import KINDS, LEVELS, _clear, chosen_seed, kinds_of, question
from quepu.server.store.values import Answered, weakness
from quepu.tiles import NAMES

BOOKS = ("lingque-29", "guobiao", "yuque-54")
WHO = "abcdefgh-12345"


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("practice")
    with TestClient(create_app(Settings(data=folder, rate=1e6, burst=10**6))) as client:
        yield client


def answer_of(book, made):
    """The right answer, from the library."""
    if made.kind == "waits":
        return {"waits": [NAMES[wait.tile] for wait in quepu.waits(made.hand, book).waits]}
    score = quepu.score(made.hand, book)
    return {
        "fans": {"fans": [fan.name for fan in score.fans]},
        "points": {"points": score.total},
        "payable": {"payable": score.can_win},
    }[made.kind]


@pytest.mark.parametrize("rules", BOOKS)
@pytest.mark.parametrize("kind", ["fans", "points", "payable", "waits"])
def test_the_books_answer_is_right_and_another_is_wrong(client, rules, kind):
    book = quepu.book(rules)
    if kind not in kinds_of(book):
        assert kind == "payable"
        assert client.post("/api/practice/question", json={"rules": rules, "kind": kind}).status_code == 400
        return
    for level in LEVELS:
        asked = client.post("/api/practice/question", json={"rules": rules, "kind": kind, "level": level, "seed": 5})
        shown = asked.json()
        made = question(book, kind, level, 5)
        assert shown["hand"]["text"] == quepu.write(made.hand)
        if made.score is not None:
            assert _clear(made.score)
            assert {fan.name for fan in made.score.fans} <= set(shown["offered"]) or kind != "fans"
        reply = {"rules": rules, "kind": kind, "level": level, "seed": 5, **answer_of(book, made)}
        assert client.post("/api/practice/answer", json=reply).json()["right"] is True
        wrong = {"fans": [], "points": -1, "payable": not reply.get("payable"), "waits": []}[kind]
        verdict = client.post("/api/practice/answer", json={**reply, kind: wrong}).json()
        assert verdict["right"] is False
        assert verdict[kind] == reply[kind]


@pytest.mark.parametrize("rules", BOOKS)
def test_payments_are_the_settlement_of_the_book(client, rules):
    if "pays" not in kinds_of(quepu.book(rules)):
        pytest.skip("no table rules yet")
    asked = client.post("/api/practice/question", json={"rules": rules, "kind": "pays", "seed": 9}).json()
    reply = {"rules": rules, "kind": "pays", "level": 1, "seed": 9}
    verdict = client.post("/api/practice/answer", json={**reply, "pays": dict.fromkeys("ESWN", 0)}).json()
    paid = client.post("/api/pay", json={
        "rules": rules, "hand": asked["hand"]["text"], "seat": asked["seat"], "round": asked["round"],
        "self_draw": asked["self_draw"], "circumstances": asked["circumstances"], "flowers": asked["flowers"],
        "discarder": asked["discarder"],
    }).json()  # fmt: skip
    assert verdict["pays"] == paid["totals"]
    assert not verdict["right"]
    assert client.post("/api/practice/answer", json={**reply, "pays": paid["totals"]}).json()["right"]


def test_history_is_kept_and_tells_what_is_weak(client):
    for seed, chosen in ((1, None), (2, []), (3, None)):
        made = question(quepu.book("guobiao"), "fans", 1, seed)
        fans = [fan.name for fan in made.score.fans] if chosen is None else chosen
        reply = {"rules": "guobiao", "kind": "fans", "level": 1, "seed": seed, "who": WHO, "fans": fans}
        assert client.post("/api/practice/answer", json=reply).status_code == 200
    told = client.get("/api/practice/history", params={"rules": "guobiao"}, headers={"X-Who": WHO}).json()
    assert (told["answered"], told["right"], told["streak"]) == (3, 2, 1)
    assert told["days"][0]["answered"] == 3
    assert told["fans"][0]["weakness"] > 0
    assert all(0 <= fan["recognised"] <= fan["met"] <= 3 and type(fan["recognised"]) is int for fan in told["fans"])
    nobody = client.get("/api/practice/history", params={"rules": "guobiao"}, headers={"X-Who": "nobody-12345"}).json()
    assert nobody["answered"] == 0
    asked = client.post("/api/practice/question", json={"rules": "guobiao", "who": WHO})
    assert asked.status_code == 200


def test_weak_fans_come_back_more_often():
    """Common fans and many questions: which hands a seed gives changes with the book's fingerprint."""
    book = quepu.book("guobiao")
    fans = ("四归一", "断幺", "混一色")

    def met(weak):
        rng = random.Random(3)
        found = 0
        for _ in range(80):
            made = question(book, "fans", 2, chosen_seed(book, "fans", 2, weak, rng))
            found += len({fan.name for fan in made.score.fans} & set(fans))
        return found

    assert met(dict.fromkeys(fans, 1.0)) > met({}) * 1.5


def test_old_mistakes_fade():
    def one(right):
        return Answered("guobiao", "fans", 1, 0, right, 1.0, {"断幺": right})

    assert weakness([one(True)] * 6 + [one(False)])["断幺"] < weakness([one(False)] + [one(True)] * 6)["断幺"]


@pytest.mark.parametrize("reply", [
    {"kind": "points"}, {"kind": "riddle"}, {"kind": "fans", "seed": -1}, {"kind": "fans", "who": "short"},
    {"kind": "points", "points": "many"}, {"kind": "pays", "pays": {"X": 1}},
])  # fmt: skip
def test_wrong_answers_to_the_server_get_a_sentence(client, reply):
    asked = {"rules": "guobiao", "level": 1, "seed": 1, **reply}
    answer = client.post("/api/practice/answer", json=asked)
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]


def test_every_kind_is_made():
    assert set(KINDS) >= set(kinds_of(quepu.book("guobiao")))
