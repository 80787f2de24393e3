"""Environments with observation and mask at every decision, beside riichienv with the same in the same run, in turn.

All sides choose uniformly among the actions that the mask allows. Compiled tables (the extra `fast`) choose for all
tables at once, as a policy would.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from riichi import masked_action, riichi_rounds
from rows import Row

from quepu.fast.compiled.code_cache import installed
from quepu.rl import env, vec
from quepu.rl.encodings import EncodingName

EACH, TURNS = 60, 5
BOOKS = ("lingque-29", "yuque-54", "guobiao-mcr", "canton")


def one_by_one(name: str, encoding: EncodingName, seed: int) -> int:
    """The same by the AEC environment."""
    made, rnd = env(name, encoding=encoding), random.Random(seed).random
    decisions = 0
    made.reset(seed=seed)
    for _ in range(EACH):
        made.reset()
        while not made.episode.over:
            seen = made.observe(made.agent_selection)
            legal = np.flatnonzero(seen["action_mask"])
            made.step(int(legal[int(rnd() * len(legal))]))
            decisions += 1
    return decisions


MADE: dict[tuple[str, EncodingName, int], Any] = {}


def compiled(name: str, encoding: EncodingName, n: int, seed: int) -> int:
    """The same by compiled tables, which are made once; at least so many hands, and four of each table."""
    made = MADE.get((name, encoding, n)) or vec(name, n, compiled=True, encoding=encoding)
    MADE[name, encoding, n] = made
    rng = np.random.default_rng(seed)
    shown, _ = made.reset(seed=seed)
    decisions = ended = 0
    while ended < max(EACH, 4 * n):
        mask = shown["action_mask"]
        chance = rng.random(mask.shape, np.float32)
        shown, _, over, _, _ = made.step((chance * mask).argmax(axis=1))
        decisions += n
        ended += int(np.count_nonzero(over))
    return decisions


def side_by_side(name: str, seed: int) -> int:
    """The same by sixteen tables at once."""
    n, rnd = 16, random.Random(seed).random
    made = vec(name, n)
    shown, _ = made.reset(seed=seed)
    decisions = ended = 0
    while ended < EACH:
        legal = [np.flatnonzero(mask) for mask in shown["action_mask"]]
        shown, _, over, _, _ = made.step(np.array([one[int(rnd() * len(one))] for one in legal]))
        decisions += n
        ended += int(over.sum())
    return decisions


def measure() -> Iterator[Row]:
    """Rates, and how they compare."""
    works: dict[str, Callable[[int], int]] = {
        "riichienv: encode and mask": lambda seed: riichi_rounds(seed, EACH, masked_action)
    }
    for name in BOOKS:
        works[f"{name}: counts and mask"] = partial(one_by_one, name, "counts")
    works["lingque-29: planes and mask"] = partial(one_by_one, "lingque-29", "planes")
    works["lingque-29: tokens and mask"] = partial(one_by_one, "lingque-29", "tokens")
    works["lingque-29: sixteen tables, counts and mask"] = lambda seed: side_by_side("lingque-29", seed)
    if installed():
        for n, of in ((256, "256 compiled tables"), (1, "one compiled table")):
            kinds: list[tuple[str, EncodingName]] = [(name, "counts") for name in BOOKS]
            kinds += [("lingque-29", "planes"), ("lingque-29", "tokens")]
            for name, encoding in kinds:
                works[f"{name}: {of}, {encoding} and mask"] = partial(compiled, name, encoding, n)
        works["lingque-29: 16 compiled tables, counts and mask"] = partial(compiled, "lingque-29", "counts", 16)
    spent, decisions = dict.fromkeys(works, 0.0), dict.fromkeys(works, 0)
    load = os.getloadavg()[0]
    for seed in range(TURNS + 1):
        for what, work in works.items():
            begun = time.process_time()
            made = work(seed)
            if seed:  # the first turn warms up
                spent[what] += time.process_time() - begun
                decisions[what] += made
    rates = {what: decisions[what] / spent[what] for what in works}
    base = rates["riichienv: encode and mask"]
    for what, rate in rates.items():
        beside = "" if "riichi" in what else f"{rate / base:.2f} × riichienv"
        yield Row(what, f"{rate:,.0f} decisions/s", beside)
    yield Row("load of the machine, two cores", f"{load:.0f} to {os.getloadavg()[0]:.0f}", "")
