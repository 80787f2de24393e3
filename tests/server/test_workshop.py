"""The workshop: drafts are read, formulas judged, effects worked out and remembered."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quepu.rulebooks import book, house_rules
from quepu.rules.house_play import describe_play
from quepu.rules.play_rules import play_rules
from quepu.server.app import Settings, create_app
from quepu.server.budget import Buckets
from quepu.server.http.responses import Refusal
from quepu.server.work import process
from quepu.server.work.building import Building
from quepu.server.workshop import api as workshop_api
from quepu.server.workshop import working
from quepu.server.workshop.api import Workshop
from quepu.tiles import TileSet
from tests.loop import run
from tests.server.serving import unlimited

DRAFT = (
    'base = "guobiao-mcr"\nminimum = 10\n[values]\n"平和" = 4\n[fans."双龙刻"]\nwhen = "有(相连(刻子, 2))"\nvalue = 2\n'
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with TestClient(create_app(unlimited(tmp_path_factory.mktemp("workshop")))) as client:
        yield client


def test_a_draft_is_taken_apart(site: Any) -> None:
    answer = site.post("/api/workshop/draft", json={"house": DRAFT}).json()
    assert answer["base"] == "guobiao-mcr"
    assert answer["data"]["values"] == {"平和": 4}
    wrong = site.post("/api/workshop/draft", json={"house": DRAFT.replace("刻子, 2", "刻子, 9")})
    assert wrong.status_code == 400
    assert "第 6 行" in wrong.json()["error"]


def test_a_formula_is_judged_with_the_place_of_the_error(site: Any) -> None:
    house = 'base = "lingque-29"\n'
    one, other = (
        site.post("/api/workshop/formula", json={"house": house, "when": when}).json()
        for when in ("有(相连(刻子, 3))", "has(in_a_row(pungs, 3))")
    )
    assert one == other
    wrong = site.post("/api/workshop/formula", json={"house": house, "when": "有(刻子) 且 无此番"})
    assert (wrong.status_code, wrong.json()["at"]) == (400, 8)


def test_the_words_are_listed(site: Any) -> None:
    answer = site.get("/api/workshop/words?rules=lingque-29").json()
    assert "刻子" in [word["zh"] for word in answer["words"]]
    assert "三连刻" in answer["fans"]
    assert "closed-discard" in [state["key"] for state in answer["states"]]


def test_states_and_drafts_that_are_none_are_refused(site: Any) -> None:
    assert site.post("/api/workshop/effects", json={"house": DRAFT, "state": "nowhere"}).status_code == 400
    assert site.post("/api/workshop/effects", json={"house": "x", "state": "open-discard"}).status_code == 400
    assert site.post("/api/workshop/effects", json={"house": "", "state": "open-discard"}).status_code == 400


def test_a_draft_with_three_tiles_of_each_kind_has_no_effects_but_can_be_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = replace(book("guobiao-mcr"), tiles=TileSet(copies=3))
    monkeypatch.setattr(working, "draft_book", lambda house: few)
    how, (status, zh, en) = process._call(working.effects_of, (DRAFT, "open-discard"), 0.0)
    assert (how, status) == ("refused", 409)
    assert "每种牌 3 张" in zh
    assert "has 3 tiles of each kind" in en
    assert working.draft(DRAFT)["digest"] == few.fingerprint


@pytest.mark.long
def test_effects_by_each_last_tile(site: Any) -> None:
    request = {"house": 'base = "guobiao-mcr"\n[values]\n"边张" = 2\n', "state": "closed-each"}
    assert request["state"] in [
        one["key"] for one in site.get("/api/workshop/words?rules=guobiao-mcr").json()["states"]
    ]
    answer = site.post("/api/workshop/effects", json=request).json()
    edge = next(fan for fan in answer["fans"] if fan["name"] == "边张")
    published = json.loads((files("quepu.data") / "rarity-guobiao-mcr.json").read_text("utf-8"))["fans"]["边张"]
    assert edge["hands"][0] == published["hands"]
    assert edge["share"][0] == pytest.approx(published["share"])
    assert answer["summary"]["moves"]["up"]["hands"] >= edge["changed"] > 0


@pytest.mark.long
def test_effects_of_a_draft(site: Any) -> None:
    request = {"house": DRAFT, "state": "open-discard"}
    answer = site.post("/api/workshop/effects", json=request).json()
    assert answer["minimum"] == [8, 10]
    assert answer["digests"][1] == working.draft(DRAFT)["digest"]
    fans = {fan["name"]: fan for fan in answer["fans"]}
    assert fans["平和"]["value"] == [{"fan": 2}, {"fan": 4}]
    assert fans["双龙刻"]["hands"][0] is None
    assert fans["双龙刻"]["hands"][1] > 0
    assert abs(sum(row[1] for row in answer["points"]) - 1) < 1e-9
    assert answer["summary"]["mean"][1] > answer["summary"]["mean"][0]
    assert {"zh": "起和 8 → 10", "en": "minimum 8 → 10"} in answer["changes"]["values"]
    assert [one["en"] for one in answer["changes"]["values"] if "双龙刻" in one["zh"]] == ["new: 双龙刻 (2)"]
    (added,) = answer["added"]
    assert added["matches"]
    assert added["near"]
    assert answer["hands"][0]["points"][0] != answer["hands"][0]["points"][1]
    assert site.post("/api/workshop/effects", json=request).json() == answer


def test_hands_are_found_near_one_or_anywhere(site: Any) -> None:
    request = {"house": DRAFT, "state": "open-discard", "fans": ["混一色"], "least": 8, "number": 3}
    answer = site.post("/api/workshop/find", json=request).json()
    assert answer["hands"] > 1000
    assert all("混一色" in one["fans"] for one in answer["found"])
    near = site.post("/api/workshop/find", json={**request, "near": "123456m11p(999m)EE"}).json()
    assert near["found"][0]["into"] != ""
    assert near["away"] == 3
    none = site.post("/api/workshop/find", json={**request, "fans": ["七对", "碰碰和"]}).json()
    assert (none["hands"], none["found"]) == (0, [])
    for wrong in ({"fans": ["无此番"]}, {"near": "5x"}, {"state": "nowhere"}):
        assert site.post("/api/workshop/find", json={**request, **wrong}).status_code == 400


@pytest.mark.long
def test_suggestions_say_what_they_do(site: Any) -> None:
    request = {"house": DRAFT, "state": "open-discard", "law": "mean", "wanted": 12}
    answer = site.post("/api/workshop/suggest", json=request).json()
    assert abs(answer["found"][0]["measure"] - 12) < abs(answer["today"]["measure"] - 12)
    (change,) = answer["found"][0]["changes"]
    changed = DRAFT.replace("[values]\n", f'[values]\n"{change["fan"]}" = {change["new"]["fan"]}\n')
    effects = site.post("/api/workshop/effects", json={"house": changed, "state": "open-discard"}).json()
    assert abs(effects["summary"]["mean"][1] - answer["found"][0]["mean"]) < 1e-9
    for wrong in ({"law": "gravity"}, {"wanted": None}, {"law": "rare", "fan": "无此番"}):
        assert site.post("/api/workshop/suggest", json={**request, **wrong}).status_code == 400


def test_a_server_keeps_no_more_than_its_limits(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, workshop_cpu=0.05, rate=1e6, burst=10**6)
    with TestClient(create_app(settings)) as client:
        answer = client.post("/api/workshop/effects", json={"house": DRAFT, "state": "kongs"})
        assert answer.status_code == 413
        assert "请登录后再算" in answer.json()["error"]


def test_a_duel_ends_its_work_by_itself(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, workshop_cpu=0.05, rate=1e6, burst=10**6)
    with TestClient(create_app(settings)) as client:
        answer = client.post("/api/workshop/duel", json={"house": DRAFT, "level": "plain", "walls": 2})
        assert answer.json()["so_far"]["walls"] >= 1, answer.text


def test_who_is_logged_in_or_at_the_machine_may_use_more_of_it(tmp_path: Path) -> None:
    limits = {"workshop_cpu": 0.05, "workshop_cpu_member": 0.06, "rate": 1e6, "burst": 10**6}
    request = {"house": DRAFT, "state": "kongs"}
    application = create_app(Settings(data=tmp_path, **limits))  # type: ignore[arg-type]  # all are numbers
    workshop = application.state.workshop
    with TestClient(application) as client:
        assert "登录" in client.post("/api/workshop/effects", json=request).json()["error"]
        client.post("/api/account/register", json={"name": "林", "password": "a long password"})
        assert client.post("/api/workshop/effects", json=request).json()["error"] == "这项请求要算太久，已停止。"
        account = [who for who in workshop.pool.budget.buckets if who.startswith("account ")]
        assert len(account) == 1, "the account pays, beside the address"
    with TestClient(create_app(Settings(data=tmp_path, **limits)), client=("127.0.0.1", 5000)) as client:  # type: ignore[arg-type]
        assert client.post("/api/workshop/effects", json=request).json()["error"] == "这项请求要算太久，已停止。"
    behind = Settings(data=tmp_path, proxies=("127.0.0.1",), **limits)  # type: ignore[arg-type]
    with TestClient(create_app(behind), client=("127.0.0.1", 5000)) as client:
        assert "登录" in client.post("/api/workshop/effects", json=request).json()["error"]


def test_long_work_stops_when_the_client_has_gone(tmp_path: Path) -> None:
    async def request() -> None:
        settings = Settings(data=tmp_path)
        workshop = Workshop(settings, Building(settings, Buckets(1, 1)))
        stopped = asyncio.Event()

        async def never(*_: object, **__: object) -> None:
            try:
                await asyncio.sleep(3600)
            finally:
                stopped.set()

        class Gone:
            client = None
            app = create_app(Settings(data=tmp_path))

            async def is_disconnected(self) -> bool:
                return True

        workshop.effects = never  # type: ignore[method-assign]
        with pytest.raises(Refusal):
            await workshop.compute_effects(Gone(), "asker", DRAFT, "open-discard")  # type: ignore[arg-type]
        await asyncio.wait_for(stopped.wait(), 60)
        await workshop.close()

    run(request())


def test_work_that_waits_leaves_the_queue_with_its_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every change of a draft gives up the request before it: a quick writer is not refused for a full queue."""
    monkeypatch.setattr(workshop_api, "_PATIENCE", 3600.0)

    class Client:
        gone = False

        async def is_disconnected(self) -> bool:
            return self.gone

    async def request() -> None:
        settings = Settings(data=tmp_path)
        workshop = Workshop(settings, Building(settings, Buckets(1, 1)))

        def ask(client: Client, seconds: float) -> asyncio.Task[Any]:
            work = workshop.compute("asker", False, time.sleep, seconds)
            return asyncio.create_task(workshop.compute_wanted(client, work))  # type: ignore[arg-type]

        async def empty() -> None:
            while workshop.pool.waiting:
                await asyncio.sleep(0.05)

        first = Client()
        slow = ask(first, 3600)
        for _ in range(3):
            clients = [Client() for _ in range(settings.workshop_each)]
            given_up = [ask(client, 0) for client in clients]
            await asyncio.sleep(0)
            for client in clients:
                client.gone = True
            await asyncio.wait_for(empty(), 60)
            assert [one.status async for one in refusals(given_up)] == [499] * len(clients)
        first.gone = True  # it is worked on, and has an hour of patience
        await asyncio.sleep(1)
        assert not slow.done()
        await workshop.close()
        slow.cancel()

    async def refusals(asked: list[asyncio.Task[Any]]) -> AsyncIterator[Refusal]:
        for one in asked:
            with pytest.raises(Refusal) as caught:
                await one
            yield caught.value

    run(request())


NEXT = (
    'base = "yuque-54"\n[fans."二步高"]\nwhen = "有(相连(顺子, 2))"\nvalue = 4\nof = 2\npriority = 1\n'
    'class = "连顺、连刻"\n'
)


def test_a_formula_is_told_in_both_languages(site: Any) -> None:
    house = 'base = "lingque-29"\n'
    answer = site.post("/api/workshop/formula", json={"house": house, "when": "has(pungs&honours) 且 非 closed"}).json()
    assert answer["zh"] == "有(刻子 & 字牌) 且 非 门清的"
    assert answer["en"] == "has(pungs & honours) and not closed"


def test_rows_of_the_book_are_told_as_a_draft_writes_them(site: Any) -> None:
    answer = site.get("/api/workshop/words?rules=yuque-54").json()
    assert answer["rows"]["三步高"]["when"].startswith("有(相连(顺子, 3))")
    assert answer["rows"]["三步高"]["of"] == 3
    assert answer["rows"]["三步高"]["columns"]["groups"] == 3
    assert {"key": "serves", "head": {"zh": "其刻子是番刻", "en": "its pungs are fan pungs"}, "kind": "bool",
            "optional": False} in answer["columns"]  # fmt: skip
    assert answer["residues"]["清一色"] == 5
    assert site.get("/api/workshop/words?rules=canton").json()["residues"] == {}
    jump = next(one for one in site.get("/api/books/lingque-29").json()["options"] if one["key"] == "jump")
    assert jump["free"]


@pytest.mark.long
def test_a_draft_is_checked_residues_proposed_and_written_out(site: Any) -> None:
    found = site.post("/api/workshop/check", json={"house": NEXT}).json()["findings"]
    assert [(one["kind"], one["fan"], one["other"], one["drops"]) for one in found] == [
        ("clash", "四步高", "二步高", ["四步高", "二步高"]),
        ("clash", "三步高", "二步高", ["三步高", "二步高"]),
    ]
    effects = site.post("/api/workshop/effects", json={"house": NEXT, "state": "closed-discard"}).json()
    assert effects["findings"] == found
    proposed = site.post("/api/workshop/residues", json={"house": NEXT}).json()["found"]
    pure = next(one for one in proposed if (one["a"], one["b"]) == ("二步高", "清一色"))
    assert (pure["left"], pure["groups"], pure["now"]) == (4, 5, 5)
    assert "最多改 4 次" in pure["why"]["zh"]
    hands = site.post(
        "/api/workshop/hands", json={"house": NEXT, "state": "closed-discard", "when": "有(相连(刻子, 3))"}
    ).json()
    assert (hands["readings"], hands["of"]) == (32661, 11_580_567)
    assert hands["matches"]
    assert not {one["text"] for one in hands["matches"]} & {one["text"] for one in hands["near"]}
    written = site.post("/api/workshop/export", json={"house": NEXT}).json()
    assert "lambda h: run(h.c1, 2) != 0" in written["python"]
    assert "## 新番种" in written["changes"]["zh"]
    for path in ("check", "residues", "export"):
        assert site.post(f"/api/workshop/{path}", json={"house": "x"}).status_code == 400, path
    for when, status in (("有(", 400), ("字" * 2000, 422)):
        request = {"house": NEXT, "state": "closed-discard", "when": when}
        assert site.post("/api/workshop/hands", json=request).status_code == status
    assert site.post("/api/workshop/residues", json={"house": DRAFT}).status_code == 400


@pytest.mark.long
def test_hands_that_tell_readings_apart_are_asked(site: Any) -> None:
    house = 'base = "lingque-29"\n'
    found = site.post("/api/workshop/questions", json={"house": house, "ruling": "LQ1"}).json()
    assert found["option"] == "meeting_beside_mirror"
    assert [one["choice"] for one in found["readings"]] == ["true", "false"]
    assert all(len({*one["points"]}) == 2 for one in found["questions"])
    assert found["questions"][0]["keys"]["hand"] == found["questions"][0]["hand"]["text"]
    other = site.post("/api/workshop/questions", json={"house": house, "other": 'base = "lingque-26"\n'}).json()
    assert other["questions"]
    for wrong in ({"ruling": "LQ99"}, {"ruling": "LQ2"}, {"other": "x"}):
        assert site.post("/api/workshop/questions", json={"house": house, **wrong}).status_code == 400, wrong


def test_table_matches_and_penalties_are_told_as_a_draft_writes_them(site: Any) -> None:
    """A file that says all of it again changes nothing, and one that changes it is what the answer then tells."""
    for rules in ("lingque-29", "yuque-54", "guobiao", "canton"):
        play = site.get("/api/workshop/words", params={"rules": rules}).json()["play"]
        match = dict(play["match"], reduced=play["match"]["reduced"] or False)
        data = {
            "match": match,
            "table": {one["key"]: one["on"] for one in play["table"]},
            "penalties": {
                one["key"]: {key: one[key] for key in ("points", "again", "to", "barred")} for one in play["faults"]
            },
        }
        again, before = play_rules(house_rules.read(written(rules, data))), play_rules(book(rules))
        assert replace(again, quick_table=None) == replace(before, quick_table=None)  # a function of the book itself
        repeats = next(one["value"] for one in play["repeats"] if one["value"] != match["dealer_repeats"])
        data["match"] |= {"rounds": match["rounds"] + 1, "dealer_repeats": repeats}
        data["table"] |= {"kong_after_claim": not data["table"]["kong_after_claim"]}
        first = play["faults"][0]["key"]
        data["penalties"] |= {first: 77}
        now = describe_play(house_rules.read(written(rules, data)))
        assert now["match"] | {"reduced": 0} == data["match"] | {"reduced": 0}
        assert {one["key"]: one["on"] for one in now["table"]} == data["table"]
        assert next(one["points"] for one in now["faults"] if one["key"] == first) == 77


def written(rules: str, data: dict[str, Any]) -> str:
    """Write tables as the page does: each on one line, before the others."""
    return f'base = "{rules}"\n' + "".join(f"{key} = {toml(value)}\n" for key, value in data.items())


def toml(value: Any) -> str:
    """Write a value as TOML on one line."""
    if isinstance(value, dict):
        return (
            "{ "
            + ", ".join(f"{json.dumps(key, ensure_ascii=False)} = {toml(one)}" for key, one in value.items())
            + " }"
        )
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value, ensure_ascii=False)
