"""Reviews over HTTP: worked out elsewhere, kept, stopped, and gone on with after a restart."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quepu.match import LogWriter, Match, read_log
from quepu.review import VERSION, review_hand
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import book_of
from quepu.rules.rulebook import Rulebook
from quepu.server.app import create_app
from quepu.server.http.responses import Refusal
from quepu.server.replays import review_worker as working
from quepu.server.replays.review_messages import HandReview, PlayerMistakes, ReviewState
from quepu.server.replays.reviews import Reviews
from quepu.server.store.database import Database
from quepu.server.store.replays import Replays
from quepu.table import Table
from tests.loop import run
from tests.review.flat import write_flat
from tests.server.serving import unlimited
from tests.table.walls import go, stacked

WHO = "me-me-me-me"


def short() -> list[str]:
    """A match of three hands that end with East's thirteen orphans on the third discard; it breaks off there."""
    lines: list[str] = []
    match = Match(book("guobiao"))
    log = LogWriter(match, lines.append)
    wall = stacked(["19m19p19sESWNCFE", "123m456p789sEE77p", "2468m2468p2468sW"], "9m8mP")
    for number in (1, 2, 3):
        table = Table(match.book, wall)
        go(table, "E discard 9m drawn", "S discard 8m drawn", "W discard P drawn", "E win")
        assert table.ending is not None
        log.hand(number, match.place, table)
        match = match.add_hand(table.ending)
        log.result(match.hands[-1].settlement, match.totals)
    return lines


LOG = short()
HANDS = 3


def decisions_of(number: int) -> Any:
    """The decisions of a hand, reviewed in this process."""
    replay = read_log(LOG, unfinished=True)
    return review_hand(replay.hands[number - 1], replay.book)["decisions"]


PREPARE = Reviews.prepare  # tests/conftest.py replaces it


@pytest.fixture(scope="module", autouse=True)
def flat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tables that are there at once, also for the process that reviews."""
    folder = tmp_path_factory.mktemp("flat")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUEPU_CACHE", str(folder))
        write_flat(book("guobiao"), folder)
        yield


@pytest.fixture(scope="module")
def shared(flat: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """One server for several tests: its other process takes seconds to start."""
    with served(tmp_path_factory.mktemp("shared")) as client:
        yield client


def served(folder: Path) -> TestClient:
    return TestClient(create_app(unlimited(folder)))


def uploaded(client: TestClient) -> str:
    answer = client.post("/api/replays", json={"who": WHO, "text": "\n".join(LOG)})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def until(client: TestClient, id: str, states: set[str], done: int = 0) -> dict[str, Any]:
    for _ in range(2400):
        answer: dict[str, Any] = client.get(f"/api/replays/{id}/review").json()
        if answer["state"] in states and answer["done"] >= done:
            return answer
        assert answer["state"] != "failed"
        time.sleep(0.05)
    raise AssertionError(answer)


def processes(client: TestClient) -> list[Any]:
    """The processes that work reviews out, once there are any: a busy machine starts them late."""
    reviews = client.app.state.reviews  # type: ignore[attr-defined]  # the application's own state
    for _ in range(2400):
        if reviews._pool is not None and reviews._pool._processes:
            return list(reviews._pool._processes.values())
        time.sleep(0.05)
    raise AssertionError("no process was started")


@pytest.mark.long
def test_a_review_is_worked_out_stored_and_read_though_its_process_dies(shared: TestClient) -> None:
    client = shared
    id = uploaded(client)
    answer = client.get(f"/api/replays/{id}/review").json()
    assert (answer["state"], answer["done"], answer["total"]) == ("none", 0, HANDS)
    assert client.get(f"/api/replays/{id}/review/1").status_code == 404
    begun = client.post(f"/api/replays/{id}/review").json()
    assert begun["state"] in ("running", "preparing")
    until(client, id, {"running", "preparing"})
    for process in processes(client):
        process.kill()
    answer = ReviewState.model_validate(until(client, id, {"done"})).model_dump()
    assert [hand["number"] for hand in answer["hands"]] == list(range(1, HANDS + 1))
    shown = client.get(f"/api/replays/{id}/review/2").json()
    HandReview.model_validate(shown)
    with ProcessPoolExecutor(1, get_context("spawn")) as other:  # this one may have loaded other tables
        assert shown["decisions"] == other.submit(decisions_of, 2).result()  # one source for both
    film = client.get(f"/api/replays/{id}/hands/2").json()
    assert all(one["frame"] < len(film["frames"]) for one in shown["decisions"])
    assert client.post(f"/api/replays/{id}/review").json() == answer  # at once: nothing is worked out again
    assert client.get(f"/api/replays/{id}/review/99").status_code == 404
    for method in ("get", "post", "delete"):
        assert getattr(client, method)("/api/replays/none/review").status_code == 404
    other = uploaded(client)  # the same match once more, not reviewed
    mine = {"X-Who": WHO}
    found = PlayerMistakes.model_validate(client.get("/api/players/甲/mistakes", headers=mine).json())
    assert [match.id for match in found.unreviewed] == [other]
    one = found.books[0]
    reports = [seat for hand in answer["hands"] for seat in hand["seats"] if seat["player"] == 0]
    played = sum(seat["decisions"] > 0 for seat in reports)
    assert (one.book, one.hands, one.decisions) == ("guobiao", played, sum(seat["decisions"] for seat in reports))
    assert one.cost.mean * played == pytest.approx(sum(seat["cost"] for seat in reports), abs=0.1)
    assert [match.at for match in one.curve] == [id]
    none = {"name": "", "books": [], "unreviewed": []}
    assert client.get("/api/players/甲/mistakes", headers={"X-Who": "somebody-else"}).json() == none
    assert client.get("/api/players/甲/mistakes").json() == none


@pytest.mark.long
def test_a_review_that_was_cut_short_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        id = uploaded(client)

    async def cut() -> None:
        database = Database(tmp_path)
        store = Replays(database)
        await store.review(id, 0, {"state": "running", "version": VERSION})
        await store.review(
            id, 1, {"hand": 1, "decisions": [], "seats": [], "version": VERSION}
        )  # known by its emptiness
        await store.review(id, 2, {"decisions": [], "seats": [], "version": VERSION - 1})
        await database.close()

    run(cut())
    with served(tmp_path) as client:  # goes on by itself
        until(client, id, {"done"})
        assert client.get(f"/api/replays/{id}/review/1").json()["decisions"] == []
        assert client.get(f"/api/replays/{id}/review/2").json()["decisions"]  # an older version's is made anew


@pytest.mark.long
def test_a_review_is_stopped_and_begun_again(shared: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    client = shared
    reviews = client.app.state.reviews  # type: ignore[attr-defined]  # the application's own state
    gate, run_it = threading.Event(), reviews._run

    async def held(what: Any, task: Any) -> Any:
        while not gate.is_set():
            await asyncio.sleep(0.01)
        return await run_it(what, task)

    monkeypatch.setattr(reviews, "_run", held)
    first, second = uploaded(client), uploaded(client)
    client.post(f"/api/replays/{first}/review")
    waiting = client.post(f"/api/replays/{second}/review").json()
    assert (waiting["state"], waiting["before"]) == ("waiting", 1)
    assert client.portal is not None
    for stranger in ("10.9.9.9", ""):
        with pytest.raises(Refusal, match="只有要求复盘的人"):
            client.portal.call(reviews.cancel, second, stranger)
    assert client.portal.call(reviews.start, second, "10.9.9.9")["state"] == "waiting"  # he wants it too now
    assert client.portal.call(reviews.cancel, second, "10.9.9.9")["state"] == "waiting"  # and it goes on without him
    assert client.delete(f"/api/replays/{second}/review").json()["state"] == "canceled"
    assert client.delete(f"/api/replays/{first}/review").json()["state"] == "canceled"
    assert client.get(f"/api/replays/{first}/review").json()["done"] == 0
    gate.set()
    client.post(f"/api/replays/{first}/review")
    assert until(client, first, {"done"})["done"] == HANDS
    assert client.get(f"/api/replays/{second}/review").json()["state"] == "canceled"
    client.post(f"/api/replays/{second}/review")
    assert client.delete(f"/api/replays/{second}", headers={"X-Who": WHO}).status_code == 204  # in the middle of it
    assert client.get(f"/api/replays/{second}/review").status_code == 404


def test_a_hand_is_reviewed_over_several_turns() -> None:
    source = working.Source("turns", "", "", tuple(LOG))
    turns = 0
    while (found := working.review(working.Task(source, 2), seconds=-1.0)) is None:
        turns += 1
    replay = read_log(LOG, unfinished=True)
    assert found == review_hand(replay.hands[1], replay.book)
    assert turns == len(found["decisions"]) > 1
    assert working.review(working.Task(source, 2)) == found


def test_askers_of_reviews_take_turns(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        reviews = client.app.state.reviews  # type: ignore[attr-defined]  # the application's own state
        for id, asker in (("a1", "10.0.0.1"), ("a2", "10.0.0.1"), ("b1", "10.0.0.2")):
            reviews._waiting[id], reviews._askers[id] = asyncio.Event(), {asker: (asker,)}
        assert [reviews._next() for _ in range(4)] == ["a1", "b1", "a1", "b1"]
        reviews._waiting["c1"], reviews._askers["c1"] = asyncio.Event(), {"10.0.0.3": ("10.0.0.3",)}
        assert [reviews._next() for _ in range(3)] == ["c1", "a1", "b1"]
        del reviews._waiting["a1"]
        assert [reviews._next() for _ in range(3)] == ["c1", "a2", "b1"]
        reviews._waiting.clear()
        reviews._askers.clear()


def test_house_rules_and_options_reach_the_other_process() -> None:
    house = 'base = "guobiao"\nminimum = 6\n'
    source = working.Source("a", "", house, ())

    def header(rules: Rulebook) -> tuple[str, ...]:
        made: list[str] = []
        LogWriter(Match(rules), made.append)
        return tuple(made)

    mine = book_of("", house)
    assert working.load_replay(source._replace(lines=header(mine))).book.minimum == 6
    rules = book("guobiao")
    option = next(option for option in rules.options if len(option.choices) > 1)
    chosen = {option.key: option.choices[1]}
    made = working.load_replay(working.Source("b", "", "", header(rules.having(options=chosen)))).book
    assert made.fingerprint == rules.having(options=chosen).fingerprint


def test_what_reviews_under_a_book_need_is_loaded_once_as_a_match_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[Any] = []

    async def noted(_reviews: Reviews, *given: Any) -> None:
        loaded.append(given)

    monkeypatch.setattr(Reviews, "prepare", PREPARE)
    monkeypatch.setattr(Reviews, "_run", noted)
    app = create_app(unlimited(tmp_path))
    with TestClient(app) as client:
        assert client.portal is not None
        for rules in ("guobiao", "guobiao", "canton"):
            client.portal.call(app.state.rooms.on_near_end, rules)
        assert client.get("/api/books/canton").status_code == 200  # the loop has come round
    assert loaded == [(working.preload, "guobiao"), (working.preload, "canton")]
