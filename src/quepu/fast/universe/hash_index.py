"""Small numbers for 64-bit hashes, many at once; the plain twin is a `dict`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

U64 = np.uint64


class Index:
    """A hash table from 64-bit numbers to small ones, for many look-ups at once (open addressing)."""

    def __init__(self) -> None:
        self._bits = 16
        self._hash = np.zeros(1 << self._bits, U64)
        self._id = np.full(1 << self._bits, -1, np.int32)
        self.hashes = np.zeros(0, U64)

    def find(self, hashes: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Return the number of each hash, -1 where it is new."""
        slot = (hashes >> U64(64 - self._bits)).view(np.int64)
        found = self._id.take(slot)
        wrong = np.flatnonzero((self._hash.take(slot) != hashes) & (found >= 0))
        while wrong.size:
            slot[wrong] = slot[wrong] + 1 & (1 << self._bits) - 1
            found[wrong] = self._id[slot[wrong]]
            wrong = wrong[(found[wrong] >= 0) & (self._hash[slot[wrong]] != hashes[wrong])]
        return found

    def add(self, hashes: NDArray[np.uint64]) -> None:
        """Assign the next numbers to these hashes, which are new and distinct."""
        start = len(self.hashes)
        self.hashes = np.concatenate([self.hashes, hashes])
        if self._grown(len(self.hashes)):
            return
        self._place(start)

    def room_for(self, more: int) -> tuple[NDArray[np.uint64], NDArray[np.int32], int]:
        """Return slots with room for more: the hash and the number (-1: none) of each, and log2 of their number.

        A hash stands at its first bits, or at the next free slot. Call `placed` after putting some there.
        """
        self._grown(len(self.hashes) + more)
        return self._hash, self._id, self._bits

    def placed(self, hashes: NDArray[np.uint64]) -> None:
        """Note hashes that were put into slots with the next numbers."""
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
