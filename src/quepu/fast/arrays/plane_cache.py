"""Conditions that read only a few planes, evaluated once for each content of those planes.

The chows of a hand, for example, are one of 12 650 sets however many hands there are: rows about chows are looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from quepu.hands.planes import Condition
from quepu.tiles import BIT

Array = Any
U64 = np.uint64

CHOWS = ("c1", "c2", "c3", "c4")
FAMILIES = (CHOWS, ("p",), ("k", "kc"))
"""Planes that take few values together; rows that look at nothing else are looked up."""
_FEWEST_ROWS = 3  # rows
_MANY_CHOWS = 1000
"""New sets of chows in one call from which on all 12 650 are worked out: they would come a few at a time."""
_TIMES = tuple(U64(x) for x in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93))


class Index:
    """A hash table from 64-bit numbers to small ones, for many look-ups at once (open addressing)."""

    def __init__(self) -> None:
        self._bits = 16
        self._hash = np.zeros(1 << self._bits, U64)
        self._id = np.full(1 << self._bits, -1, np.int32)
        self.hashes = np.zeros(0, U64)

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
        """Assign the next numbers to these hashes, which are new and distinct."""
        start = len(self.hashes)
        self.hashes = np.concatenate([self.hashes, hashes])
        if self._grown(len(self.hashes)):
            return
        self._place(start)

    def room_for(self, more: int) -> tuple[Array, Array, int]:
        """The slots with room for so many more: the hash and the number (-1: none) of each, and log2 of their number.

        A hash stands at its first bits, or at the next free slot. Whoever puts some there calls `placed`.
        """
        self._grown(len(self.hashes) + more)
        return self._hash, self._id, self._bits

    def placed(self, hashes: Array) -> None:
        """These hashes were put into slots with the next numbers."""
        self.hashes = np.concatenate([self.hashes, hashes])

    def _grown(self, n: int) -> bool:
        """Make room for n hashes in all; whether all were placed anew for that."""
        if 2 * n <= 1 << self._bits:
            return False
        while 4 * n > 1 << self._bits:
            self._bits += 1
        self._hash = np.zeros(1 << self._bits, U64)
        self._id = np.full(1 << self._bits, -1, np.int32)
        self._place(0)
        return True

    def _place(self, start: int) -> None:
        """Put the hashes from this one on into slots: all at once, those that find theirs taken in the next."""
        numbers = np.arange(start, len(self.hashes), dtype=np.int32)
        slot = (self.hashes[start:] >> U64(64 - self._bits)).astype(np.int64)
        while numbers.size:
            free = np.flatnonzero(self._id.take(slot) < 0)
            self._id[slot[free]] = numbers[free]  # of several for one slot the last stays there
            stays = self._id.take(slot) == numbers
            self._hash[slot[stays]] = self.hashes[numbers[stays]]
            left = np.flatnonzero(~stays)
            numbers, slot = numbers[left], slot[left] + 1 & (1 << self._bits) - 1


def whole(x: Any, n: int) -> Array:
    """The value of a condition for n readings, as an array, even if it is the same for all."""
    return x if isinstance(x, np.ndarray) and x.shape == (n,) else np.broadcast_to(np.asarray(x), (n,))


def narrow(x: Array) -> Array:
    """Counts as uint8; no row counts as often as the highest of them."""
    return x if x.dtype == np.uint8 else np.minimum(x, 255).astype(np.uint8)


class PlaneCache:
    """Some conditions that read the same few planes."""

    def __init__(self, planes: tuple[str, ...], conditions: Sequence[Condition]) -> None:
        self.planes = planes
        self.conditions = conditions
        self._index = Index()
        self.values = np.zeros((len(conditions), 0), np.int64)
        """What each condition says of each content: int64 [conditions, contents]."""

    def numbers(self, h: Any, n: int) -> Array:
        """Return which content each of n readings has: column numbers of `values`."""
        columns = [whole(getattr(h, name), n) for name in self.planes]
        key = _key(columns)
        found = self._index.find(key)
        new = np.flatnonzero(found < 0)
        if new.size:
            distinct, first = np.unique(key[new], return_index=True)
            self._learn(distinct, [column[new[first]] for column in columns])
            if self.planes == CHOWS and len(distinct) > _MANY_CHOWS:
                self._learn_all(every_four_chows())
            found[new] = self._index.find(key[new])
        return found.astype(np.int64)

    def _learn_all(self, columns: Sequence[Array]) -> None:
        """Take up those of these contents that are new."""
        key = _key(columns)
        new = np.flatnonzero(self._index.find(key) < 0)
        self._learn(key[new], [column[new] for column in columns])

    def _learn(self, keys: Array, columns: Sequence[Array]) -> None:
        """Take up contents that are new and distinct."""
        self._index.add(keys)
        some = _Some(dict(zip(self.planes, columns, strict=True)))
        more = np.zeros((len(self.conditions), len(keys)), np.int64)
        for row, condition in zip(more, self.conditions, strict=True):
            row[:] = condition(some)  # type: ignore[arg-type]  # stands in for Planes
        self.values = np.concatenate([self.values, more], axis=1)


def _key(columns: Sequence[Array]) -> Array:
    """A number for each content: uint64."""
    with np.errstate(over="ignore"):
        key: Array = columns[0].view(U64) * _TIMES[0]
        for column, times in zip(columns[1:], _TIMES[1:], strict=False):
            key += column.view(U64) * times
    return key


@cache
def every_four_chows() -> list[Array]:
    """The planes of chows of all sets of at most four: one, two, three, four of a start, int64 [12 650] each."""
    starts = [BIT[kind] for kind in range(27) if kind % 9 < 7]
    some = np.array([*combinations_with_replacement([0, *starts], 4)], np.int64).T
    planes = [np.zeros(some.shape[1], np.int64) for _ in CHOWS]
    for chow in some:
        more = chow
        for plane in planes:
            there = plane & more
            plane |= more  # noqa: PLW2901  # in place
            more = there
    return planes


class _Some:
    """A few planes."""

    def __init__(self, planes: dict[str, Array]) -> None:
        self.__dict__.update(planes)


def families(rows: Sequence[tuple[int, frozenset[str]]]) -> list[tuple[tuple[str, ...], list[int]]]:
    """Groups of these rows (number, planes it reads) to look up together, each with its planes."""
    found: list[tuple[tuple[str, ...], list[int]]] = []
    for planes in FAMILIES:
        mine = [i for i, reads in rows if reads and reads <= frozenset(planes)]
        if len(mine) >= _FEWEST_ROWS:
            found.append((planes, mine))
    return found
