"""Totals of rows that affect each other (`fast.weighing.independent_rows`), by a hash of what holds: found once.

Of the registered books those of many hands are shipped (`data/totals`); those met besides are cached for other
processes. A table has four places for each hash, in one line of the processor's cache (`accreting_loop.accreted`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from quepu.fast.weighing.residue_kernel import SLOTS
from quepu.folders import cache_folder, write_whole

Array = Any
PLACES = 1 << 18
"""In four MiB."""
_SAVED_FROM = 1000
"""Readings from which on new totals are saved."""
_WEEK = 7 * 24 * 3600.0
_FOLDER = Path(__file__).parents[2] / "data" / "totals"


class TotalsTable:
    """The totals of one book's rows; `digest` names all that they follow from."""

    def __init__(self, digest: str) -> None:
        self.digest = digest
        self.table = np.zeros((PLACES, 2), np.int64)  # hash (0: free), the totals without and with fan pungs
        if not self._load():
            self.put(*shipped(digest))
        self._saved = int(np.count_nonzero(self.table[:, 0]))

    def places(self, marks: Array) -> Array:
        """The place of each hash, or where it would stand."""
        place = marks & PLACES - SLOTS
        for _ in range(SLOTS - 1):  # as the loop does it
            there = self.table[place, 0]
            place += (there != 0) & (there != marks)
        return place

    def of(self, marks: Array, find: Callable[[Array], Array]) -> Array:
        """The totals of these hashes; `find` says what those are that are not known yet, by their places."""
        place = self.places(marks)
        stored = self.table[place]
        found: Array = np.where(stored[:, 0] == marks, stored[:, 1], -1)
        new = np.flatnonzero(found < 0)
        if new.size:
            _, first, inverse = np.unique(marks[new], return_index=True, return_inverse=True)
            first = new[first]
            made = find(first)
            found[new] = made[inverse]
            first = first[made >= 0]
            place = self.places(marks[first])  # others may have been put there meanwhile
            self.table[place, 0], self.table[place, 1] = marks[first], found[first]
        return found

    def put(self, marks: Array, totals: Array) -> None:
        """Take up totals of distinct hashes; those of which all places are taken are left out."""
        for _ in range(SLOTS):
            place = self.places(marks)
            free = np.flatnonzero(self.table[place, 0] == 0)
            _, first = np.unique(place[free], return_index=True)
            some = free[first]
            self.table[place[some], 0], self.table[place[some], 1] = marks[some], totals[some]

    def save(self, readings: int) -> None:
        """Write them to a file if so many readings were looked at and they have become a tenth more."""
        if readings < _SAVED_FROM:
            return
        number = int(np.count_nonzero(self.table[:, 0]))
        if number <= self._saved * 1.1:
            return
        self._saved = number
        with suppress(OSError):  # then the next process works them out again
            write_whole(self._file, lambda file: np.save(file, self.table))
            for other in self._file.parent.glob("totals-*.npy"):
                if other != self._file and other.stat().st_mtime < time.time() - _WEEK:
                    other.unlink(missing_ok=True)

    @property
    def _file(self) -> Path:
        """Of other shipped totals there is another: it begins with those."""
        shipped = shipped_file(self.digest)
        return cache_folder() / f"totals-{self.digest}-{shipped.stat().st_size if shipped.exists() else 0}.npy"

    def _load(self) -> bool:
        """Whether those that an earlier process saved could be read."""
        with suppress(OSError, ValueError, EOFError):
            found = np.load(self._file, allow_pickle=False)
            if found.shape == self.table.shape and found.dtype == self.table.dtype:
                self.table = found
                return True
        return False


def shipped_file(digest: str) -> Path:
    """The file of the package for these rows; there is none for most."""
    return _FOLDER / f"{digest}.npz"


def shipped(digest: str) -> tuple[Array, Array]:
    """The hashes and totals of the package: int64 each, none where it has no file."""
    with suppress(OSError, ValueError, EOFError, KeyError), np.load(shipped_file(digest), allow_pickle=False) as file:
        return file["marks"], file["totals"].astype(np.int64)
    return np.zeros(0, np.int64), np.zeros(0, np.int64)


def ship(digest: str, marks: Array, totals: Array) -> None:
    """Write the package's file for these rows (`bench/ship_totals.py` does)."""
    _FOLDER.mkdir(exist_ok=True)
    order = np.argsort(marks)
    write_whole(shipped_file(digest), partial(_write, marks[order], totals[order].astype(np.uint32)))


def _write(marks: Array, totals: Array, file: BinaryIO) -> None:
    np.savez(file, marks=marks, totals=totals)
