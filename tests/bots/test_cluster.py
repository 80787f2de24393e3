"""A Dask cluster on the loopback address gives the counts of one process."""

from __future__ import annotations

from typing import Any

import pytest

from quepu.arena import Plan, simulate
from quepu.errors import HandError


@pytest.fixture
def distributed() -> Any:
    """The library, which takes half a second to import."""
    return pytest.importorskip("distributed", reason="the extra [cluster] is not installed")


@pytest.mark.long
def test_a_cluster_counts_the_same(distributed: Any) -> None:
    plan = Plan("lingque-29", ("plain", "random", "plain", "random"), 30, seed=4)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp", host="127.0.0.1"
    ) as cluster:
        counted = simulate(plan, cluster=cluster.scheduler_address)
    assert counted.to_json() == simulate(plan).to_json()


def test_a_cluster_that_is_not_there_is_a_sentence(distributed: Any) -> None:
    with pytest.raises(HandError, match="连不上集群"):
        simulate(Plan("lingque-29", ("plain",) * 4, 2), cluster="tcp://127.0.0.1:9")
