"""Every reading of many hands at once, the best of each, and what holds in them.

The plain twins are `quepu.shapes.readings` and `quepu.rules.rulebook.Rulebook.detect`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import Gathered, HandArrays
from quepu.fast.arrays.sets import RANKS, Read
from quepu.fast.arrays.shapes import OWN, WAIT_PLANES, read_shape, waits, waits_of
from quepu.hands.planes import Planes
from quepu.rules.row import EACH
from quepu.rules.rulebook import Rulebook

__all__ = ["OWN", "WAIT_PLANES", "Gathered", "Readings", "choose", "planes_at", "read", "row_counts", "waits_of"]

Array = NDArray[Any]


class Readings(NamedTuple):
    """All readings of some hands: `of` is the hand of each, `rank` its place among that hand's readings."""

    of: Array
    rank: Array
    h: Gathered


def read(wins: HandArrays, shapes: Sequence[str], reads: frozenset[str]) -> Readings:
    """Return every reading of these hands, shape after shape; the readings of a hand need not be adjacent."""
    parts = [
        part._replace(rank=part.rank + n * RANKS) if n else part
        for n, shape in enumerate(shapes)
        for part in read_shape(shape, wins, reads)
    ]
    if not parts:
        parts = [Read(*(np.zeros(0, np.int64),) * len(Read._fields))]
    columns = [np.concatenate(column) if len(column) > 1 else column[0] for column in zip(*parts, strict=True)]
    of, rank = columns[:2]
    own = dict(zip(OWN, columns[2:], strict=True))
    needs_waits = not reads.isdisjoint(WAIT_PLANES) and (wins.winning >= 0).any()
    hands = WithWaits(wins, (lambda: waits(wins, shapes)) if needs_waits else lambda: (0, 0, 0))
    return Readings(of, rank, Gathered(hands, of, own))


class WithWaits:
    """The planes of hands, waits computed only if a condition reads them."""

    def __init__(self, wins: HandArrays, find: Callable[[], tuple[Any, Any, Any]]) -> None:
        self._wins = wins
        self._find = find

    def __getattr__(self, name: str) -> Any:
        if name in WAIT_PLANES:
            self.__dict__.update(zip(WAIT_PLANES, self._find(), strict=True))
            return self.__dict__[name]
        return getattr(self._wins, name)


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


def whole(x: Any, n: int) -> NDArray[Any]:
    """Return the value of a condition for n readings as an array, even if it is the same for all."""
    return x if isinstance(x, np.ndarray) and x.shape == (n,) else np.broadcast_to(np.asarray(x), (n,))


def narrow(x: NDArray[Any]) -> NDArray[np.uint8]:
    """Return counts as uint8; no row counts as often as the highest of them."""
    return x if x.dtype == np.uint8 else np.minimum(x, 255).astype(np.uint8)


def row_counts(book: Rulebook, h: Any, n: int) -> list[NDArray[Any]]:
    """Evaluate every row of a book on n readings.

    Returns:
        For each row how often it holds (bool or uint8 [n]); for a row of EACH place, the plane of its places (int64).
    """
    found = []
    for fan in book.fans:
        x = whole(fan.when(h), n)
        found.append(x if fan.of == EACH or x.dtype == np.bool_ else narrow(x))
    return found


def one(h: Any, at: int) -> Planes:
    """Return the planes of one reading out of many, as ints."""
    if isinstance(h, Gathered):
        return Planes(*(h.at(name, at) for name in Planes._fields))
    fields = (getattr(h, name) for name in Planes._fields)
    return Planes(*(int(x[at]) if isinstance(x, np.ndarray) else int(x) for x in fields))


def planes_at(h: Any, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the planes of some readings: int64 [n, planes]."""
    fields = (getattr(h, name) for name in Planes._fields)
    columns = [x[places] if isinstance(x, np.ndarray) else np.full(len(places), int(x)) for x in fields]
    return np.stack(columns, axis=1).astype(np.int64, copy=False)
