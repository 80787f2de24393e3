"""Work spread over processes or a Dask cluster comes to what one process makes of it."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from quepu.arena.played_effect import Duel, play_duel
from quepu.arena.seat_value import play_seats
from quepu.fast.processes import spread
from quepu.fast.universe.classed_cache import prepare
from quepu.fast.universe.standard_hands import STATES
from quepu.fast.universe.valued import census
from quepu.rulebooks import book
from tests.fast.universe.plain_census import take
from tests.fast.universe.test_classed import numbers


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_answer_comes_with_its_place(jobs: int) -> None:
    given = [(12, 18), (7, 5), (100, 75)]
    assert sorted(spread(math.gcd, given, jobs)) == [(0, 6), (1, 1), (2, 25)]


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("where", ["jobs", "cluster"])
def test_two_workers_come_to_the_censuses_that_one_process_counts(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, states = book("yuque-54"), [STATES["open-discard"], STATES["closed-draw"]]
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    duel, part = Duel("lingque-26", "lingque-29", ("plain",) * 4, 60), tmp_path / "seats.json"
    jobs, address, cluster = 2, "", None
    if where == "cluster":
        distributed = pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, protocol="tcp", host="127.0.0.1"
        )
        jobs, address = 1, cluster.scheduler_address
    try:
        prepare((rules,), states, jobs, address, fresh=True)
        played = play_duel(duel, jobs, cluster=address)
        seats = play_seats("lingque-29", "plain", 60, 3, part, jobs, cluster=address)
    finally:
        if cluster is not None:
            cluster.close()
    for state in states:
        assert numbers(census(rules, state)) == numbers(take(rules, state))
    assert played == play_duel(duel)
    assert seats.sums == play_seats("lingque-29", "plain", 60, 3, None).sums
