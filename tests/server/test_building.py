"""Tables of books are built a part at a time, in turn for those who want them; strangers have only so many built."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quepu.fast.nearest.gain_files import GainCase, cases, unbuilt
from quepu.fast.nearest.payable import Payable
from quepu.fast.nearest.payments import gains, table, whole
from quepu.rulebooks.house_rules import book_of
from quepu.server.budget import Buckets
from quepu.server.http.responses import Refusal
from quepu.server.limits import Limits
from quepu.server.work import building
from quepu.server.work.building import BookSource, Building, Progress
from quepu.server.work.pool import Pool
from quepu.server.work.process import Allowed
from quepu.tiles import KINDS
from tests.loop import run
from tests.review.flat import write_flat


def house(number: int) -> BookSource:
    return BookSource("guobiao", f'base = "guobiao"\nminimum = {number}\nid = "h{number}"')


PARTS = 4


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[BookSource]:
    """The parts that were built, in order; books of quepu's own have no house rules."""
    done: list[BookSource] = []
    there: set[BookSource] = set()

    async def work(_pool: Pool, _asker: str, what: Any, source: BookSource) -> Any:
        await asyncio.sleep(0)
        if what in (building.is_built, building.there):
            return True if source in there else False if source.house else None
        done.append(source)
        share = Counter(done)[source] / PARTS
        if share >= 1:
            there.add(source)
        return share

    monkeypatch.setattr(Pool, "run", work)
    return done


def made(**limits: Any) -> Building:
    given = Limits(**limits)
    return Building(given, Buckets(given.tables_rate, given.tables_burst))


def test_all_who_wait_for_a_book_are_shown_how_far_it_is(built: list[BookSource]) -> None:
    async def go() -> None:
        service = made()
        seen: list[list[Progress]] = [[], []]
        await asyncio.gather(*(service.wait(house(9), f"10.0.0.{n}", seen[n].append) for n in (0, 1)))
        await service.wait(house(9), "10.0.0.3")  # they are there
        for progress in seen:
            assert [one.share for one in progress] == [0, 0.25, 0.5, 0.75, 1]
        await service.close()

    run(go())
    assert built == [house(9)] * PARTS


def test_own_books_do_not_wait_for_house_rules_nor_one_asker_for_all_of_anothers(built: list[BookSource]) -> None:
    async def go() -> None:
        service = made()
        wanted = [(house(9), "a"), (house(10), "a"), (house(11), "a"), (house(12), "b"), (BookSource("canton"), "c")]
        waiting = [asyncio.create_task(service.wait(source, asker)) for source, asker in wanted]
        await asyncio.gather(*waiting)
        await service.close()

    run(go())
    ends = {source: len(built) - built[::-1].index(source) for source in built}
    assert ends[BookSource("canton")] <= 2 * PARTS + 1
    assert ends[house(12)] < ends[house(10)] < ends[house(11)]


def test_what_nobody_waits_for_any_more_is_left(built: list[BookSource]) -> None:
    async def go() -> None:
        service = made()
        task = asyncio.create_task(service.wait(house(9), "a", lambda progress: progress.share and task.cancel()))
        with pytest.raises(asyncio.CancelledError):
            await task
        await service.wait(house(10), "a")
        await service.close()

    run(go())
    assert built.count(house(9)) <= 2
    assert built.count(house(10)) == PARTS


def test_a_stranger_has_only_so_many_built(built: list[BookSource]) -> None:
    async def go() -> None:
        service, work = made(tables_burst=2), Pool(Allowed(1, 1))
        for number in (9, 10):
            await service.missing(house(number), "a", work.run)
            await service.wait(house(number), "a", paid=True)
        await service.missing(house(9), "a", work.run)  # what is there costs nothing
        with pytest.raises(Refusal) as refused:
            await service.missing(house(11), "a", work.run)
        assert (refused.value.status, refused.value.after > 0) == (429, True)
        with pytest.raises(Refusal):
            await service.wait(house(11), "a")
        await service.wait(BookSource("canton"), "a")  # one of quepu's own, for all
        await service.wait(house(11), "b")
        await service.close()

    run(go())


def test_a_review_that_is_wanted_does_not_wait_until_loops_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    service, work, given = made(), Pool(Allowed(1, 1)), []

    async def run_(pool: Pool, asker: str, what: Any, *_: Any) -> Any:
        if pool is not work:
            await asyncio.sleep(600)  # its process begins with the loops
        given.append((asker, what))
        return False

    monkeypatch.setattr(Pool, "run", run_)
    run(asyncio.wait_for(service.missing(house(9), "a", work.run), 60))
    assert given == [("a", building.there)]


def test_tables_are_there_by_their_files_or_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    assert building.there(BookSource("guobiao"))
    assert building.there(house(9)) is False
    write_flat(book_of("guobiao", house(9).house), tmp_path)
    assert building.there(house(9))
    monkeypatch.setattr("quepu.fast.nearest.gain_files.is_shipped", lambda _: False)
    assert building.there(BookSource("canton")) is None


def test_a_table_in_parts_is_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    rules, parts_of = book_of("", house(9).house), []
    monkeypatch.setattr("quepu.fast.nearest.payments.gains", lambda _, case: parts(case))

    def parts(case: GainCase) -> Any:
        for share in (0.5, 1.0):
            parts_of.append(case)
            yield share
        return np.arange(5, dtype=np.uint16)

    monkeypatch.setattr("quepu.fast.nearest.payable.compile_join", lambda: None)
    monkeypatch.setattr(Payable, "_ordinary_points", lambda _: 8)
    service = Payable(rules)
    assert not service.ready()
    shares = list(service.preparing())
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert parts_of == [case for case in cases(rules) for _ in range(2)]
    assert not unbuilt(rules)
    other = Payable(rules)
    assert other.ready()
    assert other.table(closed=True).tolist() == list(range(5))


@pytest.mark.slow
def test_a_real_table_is_built_in_many_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    parts, source = 0, house(9)
    building.compile_queries()  # as its process does first
    assert building.is_built(source) is False
    share = 0.0
    while share < 1:
        share = building.build(source)
        parts += 1
    assert parts > 2 * KINDS  # a kind of pair at a time, of hands won on a draw and on a discard
    assert building.is_built(source)
    assert len(list(tmp_path.glob("features-*.npy"))) == 2  # what bots with a style look up, too
    rules = book_of(source.rules, source.house)
    case = cases(rules)[0]
    assert np.array_equal(whole(gains(rules, case)), table(rules, case))
