"""Every reading of many hands at once, and the best of each; the plain twin is `quepu.shapes.readings`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.sets import RANKS, Read
from quepu.fast.arrays.shapes import OWN, WAIT_PLANES, read_shape, waits, waits_of

__all__ = ["OWN", "WAIT_PLANES", "Gathered", "Readings", "read", "waits_of"]

Array = NDArray[Any]


class Gathered:
    """Planes of readings out of planes of hands: a field is gathered when first read.

    `index` gives the hand of each reading; the first `firsts` readings are, one by one, those of all hands.
    """

    def __init__(self, source: Any, index: Array | None, own: dict[str, Any], firsts: int = -1) -> None:
        self._source = source
        self._index = index
        self._firsts = firsts
        self.__dict__.update(own)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._source, name)
        if self._index is not None and isinstance(found, np.ndarray):
            if self._firsts == len(found):
                found = np.concatenate([found, found.take(self._index[self._firsts :])])
            else:
                found = found.take(self._index)
        self.__dict__[name] = found
        return found

    def at(self, name: str, reading: int) -> int:
        """Read a field for one reading; nothing is gathered for that."""
        found = self.__dict__.get(name)
        if found is None:
            found = getattr(self._source, name)
            if self._index is not None:
                reading = self._index[reading]
        return int(found[reading]) if isinstance(found, np.ndarray) else int(found)


class Readings(NamedTuple):
    """All readings of some hands: `of` is the hand of each, `rank` its place among that hand's readings."""

    of: Array
    rank: Array
    h: Gathered


def read(wins: HandArrays, shapes: Sequence[str], reads: frozenset[str]) -> Readings:
    """Every reading of these hands, shape after shape; the readings of a hand need not be adjacent."""
    parts = [
        part._replace(rank=part.rank + n * RANKS) if n else part
        for n, shape in enumerate(shapes)
        for part in read_shape(shape, wins, reads)
    ]
    if not parts:
        parts = [Read(*(np.zeros(0, np.int64),) * len(Read._fields))]
    columns = [np.concatenate(column) if len(column) > 1 else column[0] for column in zip(*parts, strict=True)]
    of, rank = columns[:2]
    everyone = len(of) >= wins.n and bool((of[: wins.n] == np.arange(wins.n)).all())
    index = None if everyone and len(of) == wins.n else of
    own = dict(zip(OWN, columns[2:], strict=True))
    needs_waits = not reads.isdisjoint(WAIT_PLANES) and (wins.winning >= 0).any()
    hands = WithWaits(wins, (lambda: waits(wins, shapes)) if needs_waits else lambda: (0, 0, 0))
    return Readings(of, rank, Gathered(hands, index, own, wins.n if everyone else -1))


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
