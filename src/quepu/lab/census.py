"""A book asked about every hand: which signature classes there are, how many hands and physical tile sets each holds.

A census is the one thing that rarity, points, implications, calibrate and the report are drawn from: everything they
say is a sum over its few thousand classes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from quepu.batch.classes import MELD_PLANES, Classes
from quepu.lab.universe import DECOMPOSED, Universe

Array = Any
CHUNK = 16_384
Progress = Callable[[int, int], None]
"""Called with hands done and hands in all."""


def classify(classes: Classes, universe: Universe, progress: Progress | None = None) -> list[tuple[int, Array, Array]]:
    """Every hand's class: for each kind of pair the meld sets (int32) and the class numbers (int32)."""
    fans = classes.book.fans
    melds_only = [i for i, fan in enumerate(fans) if fan.reads <= MELD_PLANES]
    others = [i for i, fan in enumerate(fans) if not fan.reads <= MELD_PLANES]
    meld_facts = [name for name in classes.facts if name in MELD_PLANES]
    facts = [name for name in classes.facts if name not in MELD_PLANES]
    everything = np.arange(len(universe.melds.p), dtype=np.int32)
    start = np.empty(len(everything), np.uint64)
    for at in range(0, len(everything), CHUNK):
        some = everything[at : at + CHUNK]
        start[some] = classes.hash(universe.gathered(some), melds_only, meld_facts)
    made = []
    done = 0
    for kind, index in universe.pairs():
        numbers = np.empty(len(index), np.int32)
        for at in range(0, len(index), CHUNK):
            some = index[at : at + CHUNK]
            h = universe.block(kind, some)
            numbers[at : at + CHUNK] = classes.numbers(classes.hash(h, others, facts, start[some]), h)
            done += len(some)
            if progress is not None:
                progress(done, DECOMPOSED)
        made.append((kind, index, numbers))
    return made
