"""Whether thirteen tiles of a hand may have waited for another shape than the one it is read in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.compiled.reading_loops import without
from quepu.fast.universe.last_tiles import Last, lasts
from quepu.shapes import SHAPES

Array = NDArray[Any]


def near_others(shapes: Sequence[str], shape: str, h: Any, luck: int) -> Array:
    """Whether thirteen of a hand's tiles may wait for another special one of these shapes: bool by hand."""
    held = np.bitwise_count(h.t1)
    near = np.zeros(len(held), np.bool_)
    for name in shapes:
        definition = SHAPES[name]
        if name == shape or definition.plain or (SHAPES[shape].plain and definition.single):
            continue
        low, high = definition.kinds
        some = np.flatnonzero(~near & (held >= low) & (held <= high + 1))
        if some.size and definition.may_wait is None:
            near[some] = True
        elif some.size and definition.may_wait is not None:
            part = _TileMemory(*(plane[some] for plane in (h.t1, h.t2, h.t3, h.t4)))
            for last in lasts(part.t1):
                near[some[last.of]] |= np.broadcast_to(
                    definition.may_wait(_WithoutTile(part, last, luck)), last.of.shape
                )
    return near


class _TileMemory(NamedTuple):
    t1: Array
    t2: Array
    t3: Array
    t4: Array


class _WithoutTile:
    """Tile planes of hands without one tile."""

    def __init__(self, h: Any, last: Last, luck: int) -> None:
        t1, t2, t3, t4 = (getattr(h, name).take(last.of) for name in ("t1", "t2", "t3", "t4"))
        self.t1, self.t2, self.t3, self.t4 = without(t1, t2, t3, t4, last.win)
        self.luck = luck
        self.k = 0
