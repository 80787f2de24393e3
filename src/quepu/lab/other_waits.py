"""Whether thirteen tiles of a hand may have waited for another shape than the one it is read in."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from quepu.batch.walk import without
from quepu.lab.last_tiles import Last, lasts
from quepu.rulebook import Rulebook
from quepu.shapes import SHAPES

Array = Any
_SINGLES = ("orphans", "loose", "knitted", "pyramid", "scattered")
"""Shapes of single tiles that make no chow and no pung: a standard hand without one tile is far from them.

A chow has one tile of a knitted line at most, and two that are no terminal; a pung without one tile is two alike.
"""


def near_others(book: Rulebook, shape: str, h: Any, luck: int) -> Array:
    """Whether thirteen of a hand's tiles may wait for another special shape of the book: bool by hand."""
    held = np.bitwise_count(h.t1)
    near = np.zeros(len(held), np.bool_)
    for name in book.shapes:
        known = SHAPES[name]
        if name in (shape, "standard") or (shape == "standard" and name in _SINGLES):
            continue
        low, high = known.kinds
        some = np.flatnonzero(~near & (held >= low) & (held <= high + 1))
        if some.size and known.may_wait is None:
            near[some] = True
        elif some.size and known.may_wait is not None:
            part = _Tiles(*(plane[some] for plane in (h.t1, h.t2, h.t3, h.t4)))
            for last in lasts(part.t1):
                near[some[last.of]] |= np.broadcast_to(known.may_wait(_Before(part, last, luck)), last.of.shape)
    return near


class _Tiles(NamedTuple):
    t1: Array
    t2: Array
    t3: Array
    t4: Array


class _Before:
    """Tile planes of hands without one tile."""

    def __init__(self, h: Any, last: Last, luck: int) -> None:
        t1, t2, t3, t4 = (getattr(h, name).take(last.of) for name in ("t1", "t2", "t3", "t4"))
        self.t1, self.t2, self.t3, self.t4 = without(t1, t2, t3, t4, last.win)
        self.luck = luck
        self.k = 0
