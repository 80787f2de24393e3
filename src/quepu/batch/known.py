"""Conditions that look at a few planes only, asked once for each content of those planes that is met.

The chows of a hand, say, are one of 12 650 sets however many hands there are: what rows about chows say is looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from quepu.planes import Condition

Array = Any
U64 = np.uint64

FAMILIES = (("c1", "c2", "c3", "c4"), ("p",), ("k", "kc"))
"""Planes that take few values together; rows that look at nothing else are looked up."""
_WORTH = 3  # so many rows
_TIMES = tuple(U64(x) for x in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93))


class Index:
    """A hash table from 64-bit numbers to small ones, asked about many at once (open addressing)."""

    def __init__(self) -> None:
        self._bits = 16
        self._hash = np.zeros(1 << self._bits, U64)
        self._id = np.full(1 << self._bits, -1, np.int32)
        self.known = np.zeros(0, U64)

    def find(self, hashes: Array) -> Array:
        """The number of each hash, -1 where it is new."""
        slot = (hashes >> U64(64 - self._bits)).view(np.int64)
        found = self._id.take(slot)
        wrong = np.flatnonzero((self._hash.take(slot) != hashes) & (found >= 0))
        while wrong.size:
            slot[wrong] = slot[wrong] + 1 & (1 << self._bits) - 1
            found[wrong] = self._id[slot[wrong]]
            wrong = wrong[(found[wrong] >= 0) & (self._hash[slot[wrong]] != hashes[wrong])]
        return found

    def add(self, hashes: Array) -> None:
        """Give the next numbers to these hashes, which are new and distinct."""
        self.known = np.concatenate([self.known, hashes])
        if 2 * len(self.known) > 1 << self._bits:
            while 4 * len(self.known) > 1 << self._bits:
                self._bits += 1
            self._hash = np.zeros(1 << self._bits, U64)
            self._id = np.full(1 << self._bits, -1, np.int32)
            start = 0
        else:
            start = len(self.known) - len(hashes)
        mask = (1 << self._bits) - 1
        for number in range(start, len(self.known)):
            at = int(self.known[number]) >> 64 - self._bits
            while self._id[at] >= 0:
                at = at + 1 & mask
            self._hash[at], self._id[at] = self.known[number], number


def whole(x: Any, n: int) -> Array:
    """What a condition says of n readings, as an array, even if it is the same for all."""
    return x if isinstance(x, np.ndarray) and x.shape == (n,) else np.broadcast_to(np.asarray(x), (n,))


class Known:
    """Some conditions that look at the same few planes."""

    def __init__(self, planes: tuple[str, ...], asks: Sequence[Condition]) -> None:
        self.planes = planes
        self.asks = asks
        self._index = Index()
        self.values = np.zeros((len(asks), 0), np.int64)
        """What each condition says of each content: int64 [conditions, contents]."""

    def numbers(self, h: Any, n: int) -> Array:
        """Which content each of n readings has: numbers for `values`."""
        columns = [whole(getattr(h, name), n) for name in self.planes]
        with np.errstate(over="ignore"):
            key = columns[0].view(U64) * _TIMES[0]
            for column, times in zip(columns[1:], _TIMES[1:], strict=False):
                key += column.view(U64) * times
        found = self._index.find(key)
        new = np.flatnonzero(found < 0)
        if new.size:
            distinct, first = np.unique(key[new], return_index=True)
            self._index.add(distinct)
            some = _Some({name: column[new[first]] for name, column in zip(self.planes, columns, strict=True)})
            more = np.zeros((len(self.asks), len(distinct)), np.int64)
            for row, ask in zip(more, self.asks, strict=True):
                row[:] = ask(some)  # type: ignore[arg-type]  # stands in for Planes
            self.values = np.concatenate([self.values, more], axis=1)
            found[new] = self._index.find(key[new])
        return found.astype(np.int64)


class _Some:
    """A few planes."""

    def __init__(self, planes: dict[str, Array]) -> None:
        self.__dict__.update(planes)


def families(rows: Sequence[tuple[int, frozenset[str]]]) -> list[tuple[tuple[str, ...], list[int]]]:
    """Which of these rows (number, planes it looks at) to look up together, by what planes."""
    found: list[tuple[tuple[str, ...], list[int]]] = []
    for planes in FAMILIES:
        mine = [i for i, reads in rows if reads and reads <= frozenset(planes)]
        if len(mine) >= _WORTH:
            found.append((planes, mine))
    return found
