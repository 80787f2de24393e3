"""The best reading of each hand on arrays; the plain twin is `quepu.scoring.score.Score`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.readings import Readings

Array = NDArray[Any]


def choose(n: int, found: Readings, points: Array, bonus: Array) -> Array:
    """Return the number of the best reading of each of n hands (int64), -1 for a hand without readings."""
    best = np.full(n, -1, np.int64)
    of, rows = found.of, np.arange(len(found.of))

    def order(some: Array) -> Array:
        total = points.take(some).astype(np.int64)
        number: Array = (total + bonus.take(some) << 40) + (total << 16) + (0xFFFF - found.rank.take(some))
        return number

    best[of] = rows
    others = np.flatnonzero(best.take(of) != rows)
    while others.size:  # those that are better than the best so far; of several of a hand one stays
        others = others[order(others) > order(best.take(of.take(others)))]
        hands = of.take(others)
        best[hands] = others
        others = others[best.take(hands) != others]
    return best
