"""What a server does for many tables in one go: questions to bots, commits, texts, the collector's looks."""

from __future__ import annotations

import asyncio
import gc
import json
import weakref
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import quepu
from quepu.server.http.memory import collect_by_the_clock
from quepu.server.rooms import bot_pool as thinking
from quepu.server.rooms.bot_choice import answer
from quepu.server.rooms.bot_pool import BotFailed, BotPool
from quepu.server.rooms.redaction import redact
from quepu.server.rooms.socket import Texts
from quepu.server.store.database import Database
from quepu.server.store.logs import Logs
from quepu.table import Table, make_wall
from tests.loop import run

RULES = "lingque-29"


def dealt(seed: int) -> Table:
    return Table(quepu.book(RULES), make_wall(seed))


class Here(BotPool):
    """Thinks in a thread of this process, and counts how often it is asked."""

    def __init__(self, pool: Executor) -> None:
        super().__init__()
        self.pool = pool
        self.batches: list[int] = []

    def _processes(self) -> Any:
        return self

    def submit(self, what: Any, questions: Sequence[Any]) -> Any:
        self.batches.append(len(questions))
        return self.pool.submit(what, questions)


async def chosen(bots: BotPool, table: Table, level: str = "plain") -> int:
    seat = table.to_act[0]
    return await bots.choose(RULES, "", level, table.view(seat), table.options(seat))


def test_bots_of_many_tables_choose_together_and_one_that_fails_fails_alone(monkeypatch: Any) -> None:
    def answered(question: thinking.Question) -> int:
        if question.level == "nobody":
            return answer(question)
        return sum(question.hand) % len(question.options)

    monkeypatch.setattr(thinking, "answer", answered)
    tables = [dealt(seed) for seed in range(40)]

    async def choose() -> tuple[list[int], list[Any]]:
        with ThreadPoolExecutor(1) as pool:
            bots = Here(pool)
            levels = ["nobody" if at % 10 == 3 else "plain" for at in range(40)]
            choices = [chosen(bots, table, level) for table, level in zip(tables, levels, strict=True)]
            return bots.batches, await asyncio.gather(*choices, return_exceptions=True)

    choices, found = run(choose())
    assert sum(choices) == 40
    assert len(choices) <= 40 / thinking._TOGETHER + 2
    for at, (table, what) in enumerate(zip(tables, found, strict=True)):
        if at % 10 == 3:
            assert isinstance(what, BotFailed)
            assert "nobody" in str(what)
        else:
            seat = table.to_act[0]
            assert what == sum(table.view(seat).hand) % len(table.options(seat))


def test_who_no_longer_waits_for_a_bot_holds_nobody_up() -> None:
    async def choose() -> int:
        with ThreadPoolExecutor(1) as pool:
            bots = Here(pool)
            gone = [asyncio.create_task(chosen(bots, dealt(seed))) for seed in range(20)]
            await asyncio.sleep(0)
            for task in gone:
                task.cancel()
            return await asyncio.wait_for(chosen(bots, dealt(1)), 20)

    assert run(choose()) >= 0


def test_processes_that_died_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dead:
        def submit(self, *_: Any) -> Any:
            raise BrokenExecutor

        def shutdown(self, **_: Any) -> None:
            pass

    async def choose() -> int:
        with ThreadPoolExecutor(1) as pool:
            bots = BotPool()
            bots._pool = Dead()  # type: ignore[assignment]  # stands for processes that were killed
            with pytest.raises(BotFailed):
                await chosen(bots, dealt(1))
            assert bots._pool is None
            bots._pool = pool  # type: ignore[assignment]
            return await chosen(bots, dealt(1))

    assert run(choose()) >= 0


def test_appends_of_many_logs_share_commits_and_keep_their_order(tmp_path: Path, monkeypatch: Any) -> None:
    commits = 0
    write = Database.write

    async def counted(self: Database, work: Any, *, sync: bool) -> Any:
        nonlocal commits
        commits += 1
        return await write(self, work, sync=sync)

    monkeypatch.setattr(Database, "write", counted)

    async def append() -> list[list[Any]]:
        database = Database(tmp_path)
        logs = Logs(database)
        ids = [(await logs.create("room", "", "", {"first": 1})).id for _ in range(30)]

        async def one(id: str) -> None:
            for number in range(1, 6):
                assert await logs.append(id, number, [{"line": number}]) == number + 1

        await asyncio.gather(*map(one, ids))
        stored = [await logs.read(id) for id in ids]
        await logs.close()
        await database.close()
        return [[entry.body.get("line") for entry in found[1]] for found in stored if found is not None]

    assert run(append()) == [[None, 1, 2, 3, 4, 5]] * 30
    assert 5 <= commits <= 15


def test_a_message_sent_to_many_is_rendered_once_and_never_taken_for_another() -> None:
    texts = Texts()
    message: dict[str, Any] = {"n": 1, "view": {"hand": ["5m"]}}
    assert texts.of(message) is texts.of(message)
    for number in range(1000):  # each is forgotten at once here: another may come to lie where it lay
        other = {"n": number, "view": None}
        assert json.loads(texts.of(other)) == other
        del other
    assert len(texts._rendered) == Texts.MOST
    assert json.loads(texts.of(message)) == message


def test_a_line_is_sent_to_its_owner_and_its_number_to_others() -> None:
    drawn = redact('{"n":5,"e":"draw","seat":"W","tile":"3p","h":1}', 9)
    for seat in (0, 1, 3, None):
        assert drawn.to(seat) == {"n": 9}
    assert drawn.to(2)["event"] == {"e": "draw", "seat": "W", "tile": "3p"}
    thrown = redact('{"n":6,"e":"discard","seat":"W","tile":"3p","h":1}', 10)
    assert all(thrown.to(seat) is thrown.shown for seat in (0, 1, 2, 3, None))


class Ring:
    def __init__(self) -> None:
        self.me = self


async def gone(ring: weakref.ref[Ring], seconds: float = 20) -> bool:
    for _ in range(int(seconds / 0.001)):
        if ring() is None:
            return True
        await asyncio.sleep(0.001)
    return False


async def rings_collected() -> None:
    collecting = asyncio.create_task(collect_by_the_clock(0.001, counted=10, grown=50_000))
    await asyncio.sleep(0.01)
    assert not gc.isenabled()
    assert await gone(weakref.ref(Ring())), "what goes at once"
    held = Ring()
    ring = weakref.ref(held)
    await asyncio.sleep(0.1)
    del held
    assert not await gone(ring, 0.2), "what was there for some time stays until there is much of it"
    many = [[number] for number in range(100_000)]
    assert await gone(ring), "then everything is looked at"
    del many
    collecting.cancel()
    await asyncio.gather(collecting, return_exceptions=True)
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def collected_by_the_clock() -> None:
    run(rings_collected())


@pytest.mark.long
def test_rings_are_collected_by_the_clock_alone() -> None:
    """In a process that holds little else: each look at all that the tests have left takes a tenth of a second."""
    with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
        fresh.submit(collected_by_the_clock).result()
