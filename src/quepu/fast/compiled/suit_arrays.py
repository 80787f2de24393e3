"""Tables that compiled loops look suits up in; their plain twin is `quepu.hands.suit_tables`."""

from __future__ import annotations

from contextlib import suppress
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import BITS
from quepu.fast.arrays.sets import RANKS
from quepu.fast.arrays.shapes import less
from quepu.fast.arrays.suit_tables import honours, remove_old_files, suit, table_file
from quepu.fast.arrays.win_places import cases
from quepu.fast.compiled import reading_loops
from quepu.folders import write_whole
from quepu.hands.hand import Luck
from quepu.hands.planes import ALL_TILES
from quepu.shapes import SHAPES
from quepu.tiles import KINDS

_SUITS = 5**9


class SuitArrays(NamedTuple):
    """Tables of the loops. In those indexed by key, the honours follow the suits."""

    bits: NDArray[np.int64]  # int64 [35]: the plane of each kind, none for -1
    five: NDArray[np.int64]  # int64 [35]: what a tile of each kind adds to its suit's key
    start: NDArray[np.int64]  # int64 [4]: the place of each suit's first key
    end: NDArray[np.int64]  # int64 [4]: the last
    lookup: NDArray[np.int64]  # int64 [keys, 2]: levels; entry, and from bit AHEAD on ahead
    splits: NDArray[np.int64]  # int64 [splits]: c1, p, pair, c2, c3, c4, nine bits each


class _Tables(NamedTuple):
    """Tables that take a tenth of a second to make."""

    lookup: NDArray[np.int64]
    splits: NDArray[np.int64]
    numbered: NDArray[np.uint16]
    entry: NDArray[np.int64]
    after: NDArray[np.int32]


@cache
def _tables() -> _Tables:
    """Return the tables out of their files, of which a process reads what it looks up; made where there are none."""
    whole = table_file("loops", __name__)
    paths = [whole.with_name(f"{name}-{whole.name}") for name in _Tables._fields]
    with suppress(OSError, ValueError, EOFError):
        found = _Tables(*(np.asarray(np.load(path, "c", allow_pickle=False)) for path in paths))
        if found.lookup.shape == (_SUITS + 5**7, 2) and found.numbered.shape == (len(found.lookup),):
            return found
    made = _make_tables()
    arrays: tuple[Any, ...] = made
    with suppress(OSError):
        for path, array in zip(paths, arrays, strict=True):
            write_whole(path, partial(np.save, arr=array))
            remove_old_files(path)
    return made


def _make_tables() -> _Tables:
    both = (suit(), honours())
    levels, entry, ahead = (
        np.concatenate([getattr(lane, name) for lane in both]).astype(np.int64) for name in ("levels", "entry", "ahead")
    )
    first = reading_loops.ENTRY_FIRST  # those of the honours stand behind those of the suits
    entry = np.where(np.arange(len(entry)) < _SUITS, entry, entry & ~first | (entry & first) + suit().planes.shape[1])
    c1, c2, c3, c4, p, pair = np.concatenate([lane.planes for lane in both], axis=1)
    splits = sum(plane << 9 * at for at, plane in enumerate((c1, p, pair, c2, c3, c4)))
    lookup = np.stack([levels, entry | ahead << reading_loops.AHEAD], axis=1)
    return _Tables(lookup, splits, *_make_complete(lookup[:, 1]))


def _make_complete(lookup: NDArray[np.int64]) -> tuple[NDArray[np.uint16], NDArray[np.int64], NDArray[np.int32]]:
    complete = np.concatenate([[0], np.flatnonzero((lookup >> reading_loops.ENTRY_NUMBER & reading_loops.SPLITS) > 0)])
    numbered = np.zeros(len(lookup), np.uint16)
    numbered[complete[1:]] = np.arange(1, len(complete))
    entry = lookup[complete]
    entry[0] = int(suit().entry[1])  # of a key that is not complete
    after = np.zeros((len(complete), 9), np.int32)
    five = 5 ** np.arange(9)
    for rank in range(9):
        key = np.where(complete >= _SUITS, complete - _SUITS, complete)
        held = np.flatnonzero((key // five[rank] % 5 > 0) & (np.arange(len(complete)) > 0))
        after[held, rank] = lookup[complete[held] - five[rank]] >> reading_loops.AHEAD
    return numbered, entry, after


@cache
def suit_arrays() -> SuitArrays:
    """Return the tables, made once."""
    lookup, splits = _tables()[:2]
    return SuitArrays(
        BITS,
        np.array([*(5 ** (kind % 9) for kind in range(KINDS)), 0]),
        np.array([0, 0, 0, _SUITS]),
        np.array([_SUITS, _SUITS, _SUITS, len(lookup)]) - 1,
        lookup,
        splits,
    )


def ways_to_stand(shapes: tuple[str, ...]) -> NDArray[np.int64]:
    """Return the ways to stand of shapes that are melds and a pair: int64 [ways, 8], columns as `apart` has them."""
    ways = []
    for n, name in enumerate(shapes):
        sets = SHAPES[name].sets
        for m, beside in enumerate(sets.beside if sets else ()):
            rank = n * RANKS + reading_loops.PLACES * reading_loops.WAYS_APART * m
            form = sets.form if sets else 0
            ways.append((form, beside, SHAPES[name].melds, rank, *less((beside,))[:, 0].tolist()))
    return np.array(ways, np.int64).reshape(-1, 8)


class CompleteKeys(NamedTuple):
    """Tables by the keys that are complete, see `scorer_loops.read_block`."""

    numbered: NDArray[Any]  # uint16 by key
    sums: NDArray[Any]  # int64 [512]
    entry: NDArray[Any]  # int64 by number
    after: NDArray[Any]  # int32 [numbers, 9]


@cache
def complete_keys() -> CompleteKeys:
    """Return the tables, made once."""
    _, _, numbered, entry, after = _tables()
    sums = np.array([sum(5**rank for rank in range(9) if lane >> rank & 1) for lane in range(512)], np.int64)
    return CompleteKeys(numbered, sums, entry, after)


@cache
def circumstance_numbers() -> tuple[Any, ...]:
    """Return the case of each winning tile (none last), the bit of a drawn one, luck bits, the plane of all tiles."""
    every, none = np.append(np.arange(KINDS), -1), np.zeros(KINDS + 1, np.int64)
    of_tile = cases(every, none).astype(np.int64)
    drawn = int(cases(every, none + int(Luck.SELF_DRAW))[0] - of_tile[0])
    return of_tile, drawn, int(Luck.CLOSED), int(Luck.SELF_DRAW), ALL_TILES
