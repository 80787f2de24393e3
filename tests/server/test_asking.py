"""Questions over HTTP: about a moment of a replay, and about a typed hand; the first answer is exact."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quepu.fast.nearest import join, payable
from quepu.fast.universe import hand_index
from quepu.rulebooks import book
from quepu.server.app import Settings, create_app
from quepu.server.replays import asking_api
from quepu.server.replays.asking_api import AskAnswer, AskHand, ChanceCheck
from quepu.server.work import Pool
from tests.loop import run
from tests.review.flat import copy_loops, write_flat
from tests.server.guarded import Exchange
from tests.server.test_review import served, uploaded

HAND = {"rules": "guobiao", "hand": "123m456p789sCCE5s2m"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("flat")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUEPU_CACHE", str(folder))
        write_flat(book("guobiao"), folder)
        copy_loops(folder)
        with served(Path(tmp_path_factory.mktemp("asking"))) as found:
            yield found


@pytest.mark.parametrize("prepare", [True, False])
def test_the_process_for_questions_begins_with_the_server(
    prepare: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Pool] = []

    def begin(pool: Pool) -> None:
        begun.append(pool)

    monkeypatch.setattr(Pool, "begin", begin)
    monkeypatch.setattr("quepu.server.app._WARM_AFTER", 0.0)
    app = create_app(Settings(data=tmp_path, prepare=prepare))
    with TestClient(app) as client:
        assert client.get("/api/calibration?rules=canton").status_code == 200  # the loop has come round
        assert (app.state.asking in begun) is prepare


@pytest.mark.parametrize("address", ["ask", "ask/choices"])
def test_a_question_that_waits_leaves_the_queue_with_its_client(address: str, tmp_path: Path) -> None:
    """Every change of a hand gives up the question before it: a quick writer is not refused for a full queue."""
    app = create_app(Settings(data=tmp_path, prepare=False))
    body = json.dumps(HAND if address == "ask/choices" else HAND | {"instead": "2m"}).encode()
    scope = {
        "type": "http", "method": "POST", "path": f"/api/{address}", "query_string": b"", "scheme": "http",
        "headers": [(b"content-type", b"application/json"), (b"host", b"localhost")], "client": ("127.0.0.1", 1),
    }  # fmt: skip

    async def ask_and_go() -> int | None:
        exchange = Exchange([{"type": "http.request", "body": body, "more_body": False}])
        await app(scope, exchange.receive, exchange.send)
        return exchange.status

    async def go() -> None:
        pool: Pool = app.state.asking
        busy = asyncio.create_task(pool.run("another", time.sleep, 3600))
        await asyncio.sleep(0)
        for _ in range(3):
            statuses = await asyncio.gather(*(ask_and_go() for _ in range(app.state.settings.work_each)))
            assert set(statuses) == {499}
            assert not pool.waiting
        assert not busy.done()
        busy.cancel()
        await pool.close()

    run(go())


def test_the_readings_of_suits_are_there_before_the_first_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Building them takes a second, which no question should wait for."""
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    monkeypatch.setattr(payable, "_TABLES", {})
    write_flat(book("guobiao"), tmp_path)
    for loops in ("compile_features", "compile_join"):
        monkeypatch.setattr(payable, loops, lambda: None)
    for made in (join.half_places, join._lane_columns, hand_index.half, hand_index.lane):
        made.cache_clear()
    asking_api.begin()
    monkeypatch.setattr(hand_index, "suit_rows", None)  # nothing is built again
    found = asking_api.answer(AskHand(**HAND, instead="2m").model_dump(), None)
    assert found is not None and "2m" in found["headline"]["en"]


def test_a_moment_of_a_replay_is_asked_about(client: TestClient) -> None:
    id = uploaded(client)
    moment = {"hand": 1, "frame": 1, "seat": "E"}
    answer = client.post(f"/api/replays/{id}/ask", json={**moment, "instead": "E"})
    assert answer.status_code == 200, answer.text
    found = AskAnswer.model_validate(answer.json())
    assert found.other.choice.tile == "E"
    assert found.verdict is None and found.played is None
    assert "东" in found.headline.zh and "discard E" in found.headline.en


@pytest.mark.parametrize(
    ("more", "status", "words"),
    [
        ({"instead": "5p"}, 400, "手里没有五筒"),
        ({"instead": "pung 5p"}, 400, "可以：打"),
        ({"instead": "5x"}, 400, "不认识"),
        ({"instead": "E", "seat": "S"}, 400, "南家现在没有可选的"),
        ({"instead": "E", "frame": 900}, 400, "没有第 901 步"),
        ({"instead": "E", "hand": 9}, 400, "没有第 9 局：牌谱有 3 局"),
        ({"instead": "E", "ready": ["E"]}, 400, "只能假设别家听牌"),
        ({"instead": "E", "frame": -1}, 422, ""),
        ({"instead": "E", "unknown": 1}, 422, ""),
    ],
)
def test_a_bad_question_says_what_is_wrong(client: TestClient, more: dict[str, Any], status: int, words: str) -> None:
    id = uploaded(client)
    answer = client.post(f"/api/replays/{id}/ask", json={"hand": 1, "frame": 1, "seat": "E", **more})
    assert answer.status_code == status, answer.text
    assert words in answer.json()["error"]


def test_a_replay_that_does_not_exist_is_not_asked_about(client: TestClient) -> None:
    assert client.post("/api/replays/none/ask", json={"hand": 1, "frame": 1}).status_code == 404


def test_a_typed_hand_is_asked_about(client: TestClient) -> None:
    answer = client.post("/api/ask", json={**HAND, "instead": "2m", "gone": "C"}, headers={"Accept-Language": "en"})
    assert answer.status_code == 200, answer.text
    found = AskAnswer.model_validate(answer.json())
    assert found.other.choice.tile == "2m"
    assert found.sentences[0].en.startswith("Assumed: the other seats hold every C")
    assert "C" not in {one.tile for one in (*found.gained, *found.lost)}
    short = client.post("/api/ask", json={**HAND, "hand": "123m456p789sCCE5s", "instead": "2m"})
    assert short.status_code == 400
    assert "14 张" in short.json()["error"]


def test_choices_of_a_moment_are_listed(client: TestClient) -> None:
    id = uploaded(client)
    found = client.post(f"/api/replays/{id}/ask/choices", json={"hand": 1, "frame": 1, "seat": "E"}).json()["choices"]
    assert {"words": "E", "do": "discard", "tile": "E", "text": {"zh": "打东", "en": "discard E"}} in found
    assert len({one["words"] for one in found}) == len(found)
    nothing = client.post(f"/api/replays/{id}/ask/choices", json={"hand": 1, "frame": 1, "seat": "S"})
    assert (nothing.status_code, nothing.json()) == (200, {"choices": []})


def test_a_tile_that_is_offered_is_asked_about(client: TestClient) -> None:
    moment = {"rules": "guobiao", "hand": "123m4466p789sCCE", "offered": "4p", "giver": "W"}
    listed = client.post("/api/ask/choices", json=moment).json()["choices"]
    assert [one["words"] for one in listed] == ["pung 4p", "pass"]
    answer = client.post("/api/ask", json={**moment, "melds": ["(SSS)", "(123m)[9999m]", ""], "instead": "pung"})
    assert answer.status_code == 200, answer.text
    found = AskAnswer.model_validate(answer.json())
    assert {found.first.choice.do, found.other.choice.do} == {"pung", "pass"}
    assert found.first.aims and found.other.aims and found.gained + found.lost


def test_a_kong_is_robbed_or_passed(client: TestClient) -> None:
    moment = {
        "rules": "guobiao", "hand": "123456m78sEE(CCC)", "melds": ["", "(9999s)", ""], "offered": "9s", "giver": "W",
    }  # fmt: skip
    listed = client.post("/api/ask/choices", json=moment).json()["choices"]
    assert [one["words"] for one in listed] == ["win", "pass"]
    found = client.post("/api/ask", json={**moment, "instead": "pass", "play": 16}).json()
    assert [found[line]["choice"]["do"] for line in ("first", "other")] == ["win", "pass"]
    assert "抢杠和" in found["sentences"][0]["zh"]
    assert "抢杠" in found["lacking"]["zh"]
    refused = client.post("/api/ask", json=moment | {"hand": "123456m68sEE(CCC)"})
    assert refused.status_code == 400
    assert "这手牌不能抢杠和九索，只能过" in refused.json()["error"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"offered": "9m"}, "九万现在不能吃、碰、杠，也不能和，只能过"),
        ({"offered": "4p", "instead": "kong"}, "现在不能“杠”，可以："),
        ({"offered": "4p", "giver": "E"}, "东家是自己"),
        ({"offered": "4p", "melds": ["123m"]}, "“123m”不是副露"),
        ({"offered": "4p", "melds": ["(EEEE)", "(EEE)"]}, "东"),
        ({"giver": "W"}, "请写一张"),
        ({}, "给 13 张和那张牌"),
    ],
)
def test_a_claim_that_is_not_open_says_what_is_possible(client: TestClient, more: dict[str, Any], words: str) -> None:
    asked = {"rules": "guobiao", "hand": "123m4466p789sCCE", **({"giver": "W"} if "offered" in more else {}), **more}
    answer = client.post("/api/ask", json=asked)
    assert answer.status_code == 400, answer.text
    assert words in answer.json()["error"]


def test_what_was_measured_of_a_book_is_told(client: TestClient) -> None:
    found = ChanceCheck.model_validate(client.get("/api/calibration?rules=guobiao-mcr").json())
    assert found.decisions == sum(one.of for third in found.thirds for one in third) > 1000
    assert len(found.thirds) == 3
    unmeasured = client.get("/api/calibration?rules=guobiao-mil-2025").json()
    assert (unmeasured["decisions"], unmeasured["thirds"]) == (0, [])
    assert client.get("/api/calibration?rules=none-such").status_code == 400
