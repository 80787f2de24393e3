"""Tables that compiled loops look suits up in; their plain twin is `quepu.hands.suit_tables`."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import BITS
from quepu.fast.arrays.sets import RANKS
from quepu.fast.arrays.shapes import less
from quepu.fast.arrays.suit_tables import honours, suit
from quepu.fast.compiled import reading_loops
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


@cache
def suit_arrays() -> SuitArrays:
    """Return the tables, made once."""
    both = (suit(), honours())
    levels, entry, ahead = (
        np.concatenate([getattr(lane, name) for lane in both]).astype(np.int64) for name in ("levels", "entry", "ahead")
    )
    first = reading_loops.ENTRY_FIRST  # those of the honours stand behind those of the suits
    entry = np.where(np.arange(len(entry)) < _SUITS, entry, entry & ~first | (entry & first) + suit().planes.shape[1])
    c1, c2, c3, c4, p, pair = np.concatenate([lane.planes for lane in both], axis=1)
    splits = sum(plane << 9 * at for at, plane in enumerate((c1, p, pair, c2, c3, c4)))
    return SuitArrays(
        BITS,
        np.array([*(5 ** (kind % 9) for kind in range(KINDS)), 0]),
        np.array([0, 0, 0, _SUITS]),
        np.array([_SUITS, _SUITS, _SUITS, len(levels)]) - 1,
        np.stack([levels, entry | ahead << reading_loops.AHEAD], axis=1),
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
