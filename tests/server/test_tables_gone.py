"""Evicted tables of house rules: only the builder rebuilds them, and bots that need them wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from quepu.bots import payable_bot
from quepu.fast.nearest import payments
from quepu.fast.nearest.gain_files import cases, gains_file
from quepu.rulebooks.house_rules import book_of
from quepu.server.app import Settings, create_app
from quepu.server.budget import Buckets
from quepu.server.http.responses import Refusal
from quepu.server.limits import Limits
from quepu.server.rooms.bot_choice import BotRequest, TablesGone
from quepu.server.rooms.bot_pool import UNPREPARED, BotPool, BotPools, answers
from quepu.server.work import building
from quepu.server.work.building import BookSource, Building, Progress
from quepu.server.work.pool import Pool
from quepu.server.workshop import duel_tables
from quepu.server.workshop.duel_tables import DuelTables
from quepu.table import Table, make_wall
from tests.loop import run
from tests.review.flat import write_flat
from tests.server.serving import unlimited

HOUSE = 'base = "guobiao"\nminimum = 9\nid = "gone"'


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder, and nothing in memory; who builds a table fails."""

    def never(*_: object) -> Any:
        raise AssertionError("a table was built here")

    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    monkeypatch.setattr("quepu.fast.nearest.payable._TABLES", {})
    monkeypatch.setattr(payments, "gains", never)
    return tmp_path


def remove(house: str) -> None:
    rules = book_of("", house)
    for case in cases(rules):
        gains_file(rules, case).unlink()


def question(level: str) -> BotRequest:
    table = Table(book_of("", HOUSE), make_wall(4))
    view, options = table.view(0), tuple(table.options(0))
    return BotRequest("guobiao", HOUSE, level, 0, view.board, view.hand, view.drawn, options)


@pytest.mark.long
def test_a_bot_whose_tables_were_removed_builds_none(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quepu.server.rooms.bot_choice._bots", {})
    monkeypatch.setattr("quepu.server.rooms.bot_choice._BOTS", 4)
    strong, weak = answers([question("master"), question("plain")])
    assert strong is None
    assert isinstance(weak, int)
    write_flat(book_of("", HOUSE), cache)
    assert isinstance(answers([question("master")])[0], int)
    remove(HOUSE)
    assert isinstance(answers([question("master")])[0], int), "what it has open stays open"


def test_a_weaker_bot_plays_until_they_are_there_again(monkeypatch: pytest.MonkeyPatch) -> None:
    gone: list[tuple[str, str]] = []
    pools = BotPools(gone=lambda *key: gone.append(key))
    levels: list[str] = []

    async def choose(pool: BotPool, _rules: str, _house: str, level: str, *_: Any) -> int:
        levels.append(level)
        if pool is not pools.quick:
            raise TablesGone
        return 3

    monkeypatch.setattr(BotPool, "choose", choose)
    assert run(pools.choose("guobiao", HOUSE, "master", None, [])) == 3  # type: ignore[arg-type]  # looked at by nobody
    assert (levels, gone) == (["master", UNPREPARED], [("guobiao", HOUSE)])


def test_they_are_wanted_again_by_who_opened_the_table(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_flat(book_of("guobiao", HOUSE), cache)
    app = create_app(Settings(data=cache / "data"))
    wanted: list[tuple[Any, ...]] = []
    with TestClient(app) as client:
        rooms = app.state.rooms
        monkeypatch.setattr(Building, "wait", lambda _, *given, **more: waits(*given, more))

        async def waits(*given: Any) -> None:
            wanted.append(given)
            await asyncio.sleep(3600)

        spec = {"name": "甲", "rules": "guobiao", "house": HOUSE, "bots": ["", "master", "master", "master"]}
        room = client.post("/api/rooms", json=spec).json()["room"]
        assert client.get(f"/api/rooms/{room}").json()["preparing"] is False
        remove(HOUSE)
        assert client.get(f"/api/rooms/{room}").json()["preparing"] is False, "nobody has looked for them"
        client.portal.call(rooms._rebuild_tables, "guobiao", HOUSE)  # type: ignore[union-attr]  # as their bots report it
        assert client.get(f"/api/rooms/{room}").json()["preparing"] is True
        assert wanted == [(BookSource("guobiao", HOUSE), "testclient", {"paid": False})]


@pytest.mark.parametrize("path", ["hint", "values"])
def test_a_hint_that_does_not_find_them_has_them_built(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app(Settings(data=tmp_path))
    wanted: list[tuple[str, str]] = []
    with TestClient(app) as client:
        preparation = app.state.rooms.preparation
        preparation._ready.put(("guobiao", HOUSE), True)
        monkeypatch.setattr(preparation, "want", lambda rules, house, *_, **__: wanted.append((rules, house)))

        async def gone(*_: Any) -> Any:
            empty = {"preparing": True, "choices": [], "aims": [], "text": ""}
            return {"hint": {"preparing": True}} if path == "hint" else empty

        monkeypatch.setattr(app.state.rooms.hints, "run", gone)
        monkeypatch.setattr(app.state.rooms.hints, "has_begun", lambda: True)
        if path == "values":
            hand = {"hand": "123456789m11123p", "rules": "guobiao", "house": HOUSE}
            assert client.post("/api/discard-values", json=hand).json()["preparing"] is True
        else:
            spec = {"name": "甲", "rules": "guobiao", "house": HOUSE, "think": 0, "bots": ["", *["plain"] * 3]}
            sat = client.post("/api/rooms", json=spec).json()
            with client.websocket_connect(f"/api/rooms/{sat['room']}/ws") as socket:
                socket.send_json({"token": sat["token"]})
                socket.send_json({"ready": True})
                while not (socket.receive_json().get("view") or {}).get("options"):
                    pass
                socket.send_json({"hint": True})
                while "hint" not in (message := socket.receive_json()):
                    pass
            assert message["hint"]["preparing"] is True
        assert wanted == [("guobiao", HOUSE)]
        assert not preparation._ready.get(("guobiao", HOUSE))


@pytest.mark.long
def test_the_builder_looks_at_files_not_into_its_memory(cache: Path) -> None:
    source = BookSource("", HOUSE)
    assert building.is_built(source) is False
    write_flat(book_of("", HOUSE), cache)
    assert building.is_built(source) is True
    assert payable_bot.payable(book_of("", HOUSE)).ready()
    remove(HOUSE)
    assert building.is_built(source) is False


def test_what_cannot_be_stored_is_reported_and_not_built_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    parts: list[str] = []

    async def work(_pool: Pool, _asker: str, what: Callable[..., Any], _source: BookSource) -> Any:
        parts.append(what.__name__)
        return False if what is building.is_built else 1.0

    monkeypatch.setattr(Pool, "run", work)

    async def go() -> None:
        made = Building(Limits(), Buckets(1, 3))
        with pytest.raises(Refusal) as refused:
            await made.wait(BookSource("", HOUSE), "a")
        assert "缓存文件夹" in refused.value.text.zh
        await made.close()

    run(go())
    assert parts == ["is_built", "build", "is_built"]


class Builder:
    """A builder of tables whose progress is set here."""

    def __init__(self) -> None:
        self.begun: list[tuple[BookSource, str]] = []
        self.stopped = 0
        self.problem: Refusal | None = None
        self.share = 0.0
        self.done = asyncio.Event()

    async def wait(self, source: BookSource, asker: str, changed: Callable[[Progress], object]) -> None:
        self.begun.append((source, asker))
        if self.problem is not None:
            raise self.problem
        changed(Progress(self.share, 0))
        try:
            await self.done.wait()
        except asyncio.CancelledError:
            self.stopped += 1
            raise


def test_a_duel_waits_for_the_builder_while_somebody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duel_tables, "_LOOK", 0.01)
    source = BookSource("", HOUSE)

    async def go() -> None:
        builder: Any = Builder()
        tables = DuelTables(builder)
        builder.share = 0.25
        assert await tables.share(source, "a") == 0.25
        assert await tables.share(source, "b") == 0.25
        assert builder.begun == [(source, "a")], "begun and paid for once"
        builder.done.set()
        assert await tables.share(source, "a") == 1
        assert await tables.share(source, "a") == 1
        assert len(builder.begun) == 2, "what is there is looked at again: it may have been removed"
        builder.problem = Refusal(429, "过一会儿再来。", "please wait a while.")
        for _ in range(2):
            with pytest.raises(Refusal):
                await tables.share(source, "c")
        builder.problem = None
        builder.done.clear()
        monkeypatch.setattr(duel_tables, "_PATIENCE", 0.05)
        await tables.share(source, "a")
        while not builder.stopped:
            await asyncio.sleep(0.01)
        monkeypatch.setattr(duel_tables, "_PATIENCE", 60.0)
        await tables.share(source, "a")
        await tables.close()
        assert builder.stopped == 2

    run(go())


@pytest.mark.long
def test_the_workshop_itself_builds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process reports what is missing; of the two books each is had built in turn."""
    app = create_app(unlimited(tmp_path))
    sources: list[BookSource] = []
    draft = 'base = "canton"\nminimum = 4\nid = "duelled"'

    async def share(_: DuelTables, source: BookSource, _asker: str) -> float:
        sources.append(source)
        return 0.5

    monkeypatch.setattr(DuelTables, "share", share)
    with TestClient(app) as client:
        wanted = {"house": draft, "level": "master", "walls": 4}
        answer = client.post("/api/workshop/duel", json=wanted)
        assert answer.status_code == 200, answer.text
        found = answer.json()
        assert found["so_far"]["walls"] == 0
        assert 0 < found["prepared"] < 1
        assert sources[0].house in ("", draft)
