"""Work in other processes: limits, cancelling, and turns between those who ask."""

from __future__ import annotations

import asyncio
import functools
import os
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from quepu.errors import HandError
from quepu.server.budget import Buckets
from quepu.server.http.responses import Refusal
from quepu.server.work import Allowed, Pool
from quepu.server.work.pool import Turns
from quepu.server.work.process import Broken, Process
from tests.loop import run


def twice(number: int) -> int:
    return 2 * number


def process_id() -> int:
    return os.getpid()


def for_ever() -> None:
    while True:
        with suppress(ValueError):
            int("x")


def asleep() -> None:
    time.sleep(3600)


def greedy() -> int:
    return len(bytearray(1 << 31))


def refuse() -> None:
    raise HandError("这不行。", "this is wrong.", at=3)


def fail() -> None:
    raise KeyError("x")


def end() -> None:
    os._exit(3)


def lambda_like() -> Any:
    return lambda: None


def test_askers_take_turns() -> None:
    turns = Turns[str](each=3, most=5)
    for thing in ("a1", "a2", "a3", "a4"):
        assert turns.put("a", thing) == (thing != "a4")
    assert turns.put("b", "b1")
    assert turns.put("c", "c1")
    assert not turns.put("d", "d1")
    assert not turns.remove("c", "c2")
    assert [turns.take() for _ in range(3)] == ["a1", "b1", "c1"]
    assert turns.remove("a", "a2")
    assert [turns.take(), len(turns)] == ["a3", 0]
    with pytest.raises(IndexError):
        turns.take()


@pytest.fixture(scope="module")
def everything() -> dict[str, Any]:
    """One pool asked everything, in one go: a process takes a moment to start."""
    found: dict[str, Any] = {}

    async def call(pool: Pool, key: str, what: Any, *given: Any) -> None:
        try:
            found[key] = await pool.run("somebody", what, *given)
        except (Refusal, HandError, Broken) as error:
            found[key] = error

    async def go() -> None:
        # so long by the clock that a busy machine stops nothing; what sleeps has a pool of its own
        pool = Pool(Allowed(cpu=0.3, wall=60, memory=1024), each=20, budget=Buckets(1e-6, 0.95))
        short = Pool(Allowed(cpu=0.3, wall=1, memory=1024))
        assert pool.budget is not None
        await call(pool, "twice", twice, 21)
        await call(pool, "first", process_id)
        for what in (for_ever, greedy, refuse, fail, lambda_like):
            await call(pool, what.__name__, what)
        found["some"] = pool.budget.delay("somebody")
        await call(pool, "same", process_id)
        await call(short, "asleep", asleep)
        await short.close()
        await call(pool, "end", end)
        pool.budget.spend("somebody", -1)
        pool.budget.spend("somebody", 1)
        await call(pool, "spent", twice, 1)
        pool.budget.spend("somebody", -1)
        await call(pool, "other", process_id)
        task = asyncio.create_task(pool.run("somebody", asleep))
        await asyncio.sleep(0.1)
        task.cancel()
        pool.budget.spend("somebody", -1)
        await call(pool, "cancelled", twice, 4)
        waiting = [asyncio.create_task(pool.run("somebody", asleep)) for _ in range(5)]
        await asyncio.sleep(0.1)
        await pool.close()
        found["closed"] = await asyncio.gather(*waiting, return_exceptions=True)

    run(go())
    return found


@pytest.mark.long
def test_what_is_worked_out_comes_back(everything: dict[str, Any]) -> None:
    assert everything["twice"] == 42
    assert isinstance(everything["refuse"], HandError)
    assert (everything["refuse"].say("en"), everything["refuse"].at) == ("this is wrong.", 3)
    assert isinstance(everything["fail"], Broken)
    assert isinstance(everything["lambda_like"], Broken)


def test_what_takes_too_much_is_stopped_and_others_go_on(everything: dict[str, Any]) -> None:
    for key in ("for_ever", "greedy", "asleep"):
        assert isinstance(everything[key], Refusal), key
        assert everything[key].status == 413
    assert everything["first"] == everything["same"], "stopped within the process"
    assert isinstance(everything["end"], Broken)
    assert everything["other"] != everything["same"]


def test_what_nobody_waits_for_is_stopped(everything: dict[str, Any]) -> None:
    assert everything["cancelled"] == 8
    assert len(everything["closed"]) == 5
    assert all(isinstance(one, BaseException) for one in everything["closed"])


def test_who_has_used_up_his_time_waits(everything: dict[str, Any]) -> None:
    assert everything["some"] == 0, "0.3 of 0.95 seconds were used, or a little more on a busy machine"
    assert isinstance(everything["spent"], Refusal)
    assert everything["spent"].status == 429


def test_what_is_stopped_costs_the_time_it_took() -> None:
    """Who changes a draft again and again is not charged all that the work might have used."""

    async def go() -> float:
        pool = Pool(Allowed(cpu=1000, wall=60), budget=Buckets(1e-6, 500))
        assert pool.budget is not None
        await pool.run("somebody", twice, 1)
        task = asyncio.create_task(pool.run("somebody", for_ever))
        await asyncio.sleep(0.1)
        task.cancel()
        await pool.run("somebody", twice, 1)  # after what was stopped
        await pool.close()
        return pool.budget.delay("somebody")

    assert run(go()) == 0


def imports_for_ever(folder: str) -> None:
    sys.path.insert(0, folder)
    import_module("endless")


def test_what_is_stopped_while_its_process_starts_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    process = Process(Allowed(60, 60, 512))
    start = process._start

    def stopped_meanwhile() -> None:
        process.stop()
        start()
        process.stop()

    monkeypatch.setattr(process, "_start", stopped_meanwhile)
    process.expect()
    with pytest.raises(Broken):
        process.do(for_ever, ())
    monkeypatch.undo()
    process.expect()
    assert process.do(twice, (21,)) == 42
    process.kill()


def test_a_process_begins_before_there_is_work_and_who_would_wait_can_see_it() -> None:
    async def go() -> None:
        pool = Pool(Allowed(60, 60, 512), begin=asleep)
        assert not pool.has_begun()
        pool.begin()
        pool.begin()
        assert len(pool._tasks) == 1
        await pool.close()
        assert not pool.has_begun()
        quick = Pool(Allowed(60, 60, 512))
        quick.begin()
        assert await quick.run("a", twice, 21) == 42
        assert quick.has_begun()
        await quick.close()
        assert not quick.has_begun()

    run(go())


def test_only_a_process_that_fails_as_it_begins_is_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def go() -> None:
        stopped = Pool(Allowed(60, 60, 512), begin=functools.partial(begin_slowly, str(tmp_path)))
        stopped.begin()
        while not list(tmp_path.iterdir()):
            await asyncio.sleep(0.01)
        await stopped.close()  # a server that stops early
        assert not caplog.records
        broken = Pool(Allowed(60, 60, 512), begin=begin_wrongly)
        broken.begin()
        while not caplog.records:
            await asyncio.sleep(0.01)
        await broken.close()

    run(go())
    assert len(caplog.records) == 1
    assert "what is missing" in caplog.messages[0]


def test_an_import_that_was_cut_off_ends_the_process(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text("while True:\n    pass\n", encoding="utf-8")
    process = Process(Allowed(5, 30))
    try:
        before = process.do(process_id, ())
        for work, given, same in ((for_ever, (), True), (imports_for_ever, (str(tmp_path),), False)):
            with pytest.raises(Refusal):
                process.do(work, given, Allowed(0.05, 30))
            assert (process.do(process_id, ()) == before) is same
    finally:
        process.kill()


def begin_slowly(folder: str) -> None:
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(3.5)


def begin_wrongly() -> None:
    raise KeyError("what is missing")


def test_a_process_that_begins_slowly_begins_once_and_on_nobodys_time(tmp_path: Path) -> None:
    """On a busy machine the beginning takes longer than a request may, and whoever waits for it goes away."""

    async def go() -> int:
        pool = Pool(Allowed(cpu=1, wall=3), begin=functools.partial(begin_slowly, str(tmp_path)))
        first = asyncio.create_task(pool.run("somebody", twice, 1))
        while not list(tmp_path.iterdir()):
            await asyncio.sleep(0.01)
        first.cancel()
        answer = await pool.run("somebody", twice, 21)
        await pool.close()
        return answer

    assert run(go()) == 42
    assert len(list(tmp_path.iterdir())) == 1


def test_a_server_that_stops_while_a_process_begins_reports_no_failure(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def go() -> None:
        pool = Pool(Allowed(cpu=1, wall=60), begin=functools.partial(begin_slowly, str(tmp_path)))
        pool.begin()
        while not list(tmp_path.iterdir()):
            await asyncio.sleep(0.01)
        await pool.close()
        failing = Pool(Allowed(cpu=1, wall=60), begin=begin_wrongly)
        failing.begin()
        while not caplog.records:
            await asyncio.sleep(0.01)
        await failing.close()

    run(go())
    assert [("what is missing" in one.message) for one in caplog.records] == [True]


def test_a_process_that_cannot_begin_says_why() -> None:
    process = Process(Allowed(5, 30), begin=begin_wrongly)
    with pytest.raises(Broken, match="what is missing"):
        process.do(twice, (1,))


def test_work_after_one_that_was_stopped_too_late_has_a_process() -> None:
    """The job ended before its cancellation was known; its process, just killed, may still look alive."""
    process = Process(Allowed(5, 30))
    try:
        for _ in range(5):
            process.expect()
            assert process.do(twice, (21,)) == 42
            process.stop()
    finally:
        process.kill()
