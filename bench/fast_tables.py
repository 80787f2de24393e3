"""Hands by `random`, `plain` and `gain`, compiled (`quepu.fast.tables`), beside riichienv and `Table`, all in turn.

Of the fast tables everything is counted: walls, the bots' generators, play with every event recorded, scoring of those
who may win. Compiling is not: it is done once and cached.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from riichi import legal_action, riichi_rounds
from rounds import EACH, by_bots, ours
from rows import Row

from quepu.fast.tables import FastTables, walls

BOOKS = ("lingque-29", "yuque-54", "guobiao", "canton")
TABLES, TURNS = 4096, 4
FEW = {"gain": 256}  # tables of levels that take a hundred times as long


def fast(name: str, seed: int, level: str) -> int:
    """So many hands of one book at once."""
    number = FEW.get(level, TABLES)
    seeds = np.random.default_rng(seed).integers(0, 1 << 40, (number, 4))
    FastTables(name, walls(name, number, seed), seeds, levels=level).play()
    return number


def measure() -> Iterator[Row]:
    """Rates, and how they compare."""
    works: dict[str, tuple[Callable[[int], int], int]] = {
        "riichienv: random": (lambda seed: riichi_rounds(seed, EACH, legal_action), EACH)
    }
    for name in BOOKS:
        works[f"{name}: Table, random"] = (partial(ours, name), EACH)
        for level in ("plain", "gain"):
            works[f"{name}: Table, {level}"] = (
                partial(by_bots, name, level),
                EACH // 4,
            )
        for level in ("random", "plain", "gain"):
            works[f"{name}: FastTables, {level}"] = (
                partial(fast, name, level=level),
                FEW.get(level, TABLES),
            )
    spent = dict.fromkeys(works, 0.0)
    load = os.getloadavg()[0]
    for seed in range(TURNS + 1):
        for what, (work, _) in works.items():
            begun = time.process_time()
            work(seed)
            if seed:  # the first turn warms up
                spent[what] += time.process_time() - begun
    base = EACH * TURNS / spent["riichienv: random"]
    for what, (_, hands) in works.items():
        rate = hands * TURNS / spent[what]
        yield Row(what, f"{rate:,.0f} hands/s", "" if "riichi" in what else f"{rate / base:.1f} × riichienv")
    yield Row("load of the machine, two cores", f"{load:.0f} to {os.getloadavg()[0]:.0f}", "")
