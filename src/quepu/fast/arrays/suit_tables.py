"""The suit tables as arrays indexed by suit key; the plain twin is `quepu.hands.suit_tables`.

A suit key is the sum of 5 ** (rank - 1) over the suit's tiles, honours like a suit of seven ranks. Everything here is
derived from `quepu.hands.suit_tables`: how tiles come apart is defined there only.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from quepu.fast.compiled import reading_loops
from quepu.fast.compiled.reading_loops import (
    AHEAD_CODE,
    AHEAD_HAS,
    AHEAD_PAIR,
    ENTRY_CODE,
    ENTRY_FIRST,
    ENTRY_NUMBER,
    SPLITS,
)
from quepu.folders import cache_folder, write_whole
from quepu.hands.suit_tables import Split, honour_splits, suit_splits
from quepu.tiles import KINDS

Array = NDArray[Any]
"""A numpy array. (The element types are said where it matters.)"""

BROKEN = 16
"""The code of a suit that cannot be taken apart: more than four suits' pairs."""

_WEEK = 7 * 24 * 3600.0
PLANES = ("c1", "c2", "c3", "c4", "p", "pair")


class Lane:
    """Arrays to look up by the key of one suit.

    Some have one entry for every key (5 ** ranks), the others one for every split; the splits of a key are adjacent, in
    the order of `quepu.hands.suit_tables`, `number[key]` of them from `first[key]`.
    """

    def __init__(self, ranks: int, entry: Array, ahead: Array, key: Array, pairs: Array, melds: Array, planes: Array):
        self.ranks = ranks
        self.entry = (
            entry  # int32: first, number, code, to look them up at once (fields: `quepu.fast.compiled.reading_loops`)
        )
        self.ahead = ahead  # int32: waits, pair_waits, whether with one tile more it has the pair, code
        self.key = key  # int32 by split
        self.pairs = pairs  # uint8 by split: 0 or 1
        self.melds = melds  # uint8 by split
        self.planes = planes  # int64 by split, a row for each of c1 c2 c3 c4 p pair, in the lane of bit 0

    @cached_property
    def first(self) -> Array:
        """int32."""
        return self.entry & ENTRY_FIRST

    @cached_property
    def number(self) -> Array:
        """uint8, 0 if the key cannot be taken apart."""
        return (self.entry >> ENTRY_NUMBER & SPLITS).astype(np.uint8)

    @cached_property
    def code(self) -> Array:
        """uint8: 0 complete without a pair, 1 with one, BROKEN not complete."""
        return (self.entry >> ENTRY_CODE).astype(np.uint8)

    @cached_property
    def levels(self) -> Array:
        """int64: the lanes t1 | t2 << 16 | t3 << 32 | t4 << 48."""
        found = np.zeros(1, np.int64)
        for r in range(self.ranks):
            of_rank = np.array([sum(1 << 16 * n + r for n in range(held)) for held in range(5)], np.int64)
            found = (of_rank[:, None] | found).reshape(-1)
        return found

    @property
    def arrays(self) -> tuple[Array, ...]:
        """The arrays that it is made of, in the order of its making."""
        return self.entry, self.ahead, self.key, self.pairs, self.melds, self.planes

    def save(self, file: BinaryIO) -> None:
        """Write them one after another."""
        for array in self.arrays:
            np.save(file, array)


def _tiles(ranks: int) -> Array:
    found = np.zeros(1, np.uint8)
    for _ in range(ranks):
        found = (np.arange(5, dtype=np.uint8)[:, None] + found).reshape(-1)
    return found


def _lane(table: dict[int, tuple[Split, ...]], ranks: int) -> Lane:
    size = 5**ranks
    keys = np.arange(size, dtype=np.int64)
    rows = [(key, split) for key, splits in table.items() for split in splits]
    first = np.zeros(size, np.int32)
    number = np.zeros(size, np.uint8)
    at = 0
    for key, splits in table.items():
        first[key], number[key] = at, len(splits)
        at += len(splits)
    pair_of = np.zeros(size, np.int16)
    code = np.full(size, BROKEN, np.uint8)
    for key, split in rows:
        pair_of[key] |= split.pair
        code[key] = split.pairs
    waits = np.zeros(size, np.int16)
    pair_waits = np.zeros(size, np.int16)
    for r in range(ranks):
        more = np.flatnonzero(keys // 5**r % 5 < 4)
        complete = number[more + 5**r] > 0
        waits[more] |= complete.astype(np.int16) << r
        pair_waits[more] |= (complete & (pair_of[more + 5**r] >> r & 1 != 0)).astype(np.int16) << r
    for r in range(ranks):
        waits |= _with_fifth(keys, number, code, r, ranks).astype(np.int16) << r
    has_pair = (_tiles(ranks).astype(np.int32) + 1) % 3 == 2
    entry = first | number.astype(np.int32) << ENTRY_NUMBER | code.astype(np.int32) << ENTRY_CODE
    ahead = (
        waits | pair_waits.astype(np.int32) << AHEAD_PAIR | has_pair << AHEAD_HAS | code.astype(np.int32) << AHEAD_CODE
    )
    return Lane(
        ranks,
        entry,
        ahead.astype(np.int32),
        np.array([key for key, _ in rows], np.int32),
        np.array([split.pairs for _, split in rows], np.uint8),
        np.array([split.melds for _, split in rows], np.uint8),
        np.array([[getattr(split, name) for _, split in rows] for name in PLANES], np.int64),
    )


def _with_fifth(keys: Array, number: Array, code: Array, r: int, ranks: int) -> Array:
    """The keys that hold four of rank r and would be complete with a fifth (see `hands.suit_tables.completions`)."""
    four = np.flatnonzero(keys // 5**r % 5 == 4)
    made = (code[four - 5**r] == 0) | (number[four - 2 * 5**r] > 0)
    for a, b in ((r + 1, r + 2), (r - 1, r + 1), (r - 2, r - 1)):
        if ranks == 9 and a >= 0 and b < 9:
            both = np.flatnonzero((four // 5**a % 5 > 0) & (four // 5**b % 5 > 0))
            made[both] |= number[four[both] - 5**a - 5**b] > 0
    found = np.zeros(len(keys), np.bool_)
    found[four] = made
    return found


def cached_lane(name: str, ranks: int, build: Callable[[], Lane]) -> Lane:
    """A lane out of its file; built, and the file written, where there is none that can be read."""
    path = table_file(name)
    with suppress(OSError, ValueError, EOFError), path.open("rb") as file:
        found = Lane(ranks, *(np.load(file, allow_pickle=False) for _ in range(6)))
        if found.entry.shape == found.ahead.shape == (5**ranks,) and len(found.planes) == len(PLANES):
            return found
    made = build()
    with suppress(OSError):  # a full or read-only disk costs the next run half a second
        write_whole(path, made.save)
        remove_old_files(path)
    return made


def table_file(name: str, *modules: str) -> Path:
    """Return the file of tables that this module and others make.

    It is named after a hash of the sources that it depends on, so none is out of date.
    """
    sources = (inspect.getsource(sys.modules[module]) for module in (__name__, suit_splits.__module__, *modules))
    digest = hashlib.sha256("".join([*sources, inspect.getsource(reading_loops)]).encode()).hexdigest()[:16]
    return cache_folder() / f"{name}-{digest}.tables"


def remove_old_files(path: Path) -> None:
    """Remove files of these tables that other sources wrote more than a week ago."""
    for other in path.parent.glob(f"{path.stem.rpartition('-')[0]}-*.tables"):
        if other != path and other.stat().st_mtime < time.time() - _WEEK:
            other.unlink(missing_ok=True)


@cache
def suit() -> Lane:
    """A suit of nine ranks (some 35 MB, built in half a second, and cached in a file of 17)."""
    return cached_lane("suit", 9, lambda: _lane(suit_splits(), 9))


@cache
def honours() -> Lane:
    """The honours as a suit of seven ranks without chows, cached as a suit is."""
    return cached_lane("honours", 7, lambda: _lane(honour_splits(), 7))


@cache
def lanes() -> tuple[Lane, Lane, Lane, Lane]:
    """The four lanes of a hand: m, p, s, honours."""
    return suit(), suit(), suit(), honours()


@cache
def placed_splits() -> tuple[Array, Array, Array, Array]:
    """The splits of the four lanes where they stand in a hand's planes: int64 [planes, splits], rows as in PLANES."""
    m, p, s, z = (lane.planes << 16 * at for at, lane in enumerate(lanes()))
    return m, p, s, z


def keys_of(counts: Array) -> Array:
    """Counts of tiles [N, 34] → the keys of the four suits, int64 [4, N]."""
    found: Array = (counts.astype(np.float32) @ _FIVES).T.astype(np.int64, order="C")  # exact: no key reaches 2 ** 24
    return found


_FIVES = np.array([[5 ** (kind % 9) * (kind // 9 == s) for s in range(4)] for kind in range(KINDS)], np.float32)


def tile_planes(keys: Array) -> tuple[Array, Array, Array, Array]:
    """Keys of whole hands [4, N] → the planes t1, t2, t3, t4 (int64 [N])."""
    # a key beyond the table is that of a hand with five of a kind
    m, p, s, z = (lane.levels.take(key, mode="clip") for lane, key in zip(lanes(), keys, strict=True))
    planes: tuple[Array, Array, Array, Array] = reading_loops.planes_of_levels(m, p, s, z)
    return planes


def entries(keys: Array) -> list[Array]:
    """Table entries of the four suits of each hand."""
    return [lane.entry.take(key) for lane, key in zip(lanes(), keys, strict=True)]
