"""Imitation of `plain` whose hands are played by several workers of Dask or Ray, on this machine or many.

python examples/many_workers.py dask|ray [hands] [workers]      pip install distributed, or ray
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from imitation import block, imitated

Array = np.ndarray[Any, Any]
Block = tuple[Array, Array]


def dask_blocks(tasks: Sequence[tuple[int, int]], workers: int = 2) -> Iterator[Block]:
    """Yield the blocks of some seeds in order, played by workers of Dask."""
    from distributed import Client, LocalCluster

    none: Any = None  # its type allows an address only
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=none) as cluster,
        Client(cluster) as client,  # or Client(address)
    ):
        for future in [client.submit(block, *task, pure=False) for task in tasks]:
            yield future.result()


def ray_blocks(tasks: Sequence[tuple[int, int]], workers: int = 2) -> Iterator[Block]:
    """Yield the blocks of some seeds in order, played by workers of Ray."""
    import ray

    found = {"env_vars": {"PYTHONPATH": str(Path(__file__).parent)}}  # workers import `block` from this folder
    ray.init(num_cpus=workers, include_dashboard=False, runtime_env=found)  # or address="auto" for a running cluster
    try:
        remote: Any = ray.remote(num_cpus=1)(block)
        for future in [remote.remote(*task) for task in tasks]:
            yield ray.get(future)
    finally:
        ray.shutdown()


if __name__ == "__main__":
    blocks = {"dask": dask_blocks, "ray": ray_blocks}[sys.argv[1]]
    hands = int(sys.argv[2]) if len(sys.argv) > 2 else 3000
    imitated(hands, blocks=partial(blocks, workers=int(sys.argv[3]) if len(sys.argv) > 3 else 2))
