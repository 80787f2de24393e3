"""Every win in a shape of few tile sets, as held in a state; the plain twins are the shapes' own `tile_sets`.

All of them are concealed but 组合龙, whose meld is claimed or not as the state says. Where a state names no winning
tile, the tile
that wins leaves every pung concealed: it completes the line, or the single tiles.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.universe.standard_hands import HandState
from quepu.hands.hand import MeldKind
from quepu.shapes import SHAPES, Sets
from quepu.tiles import KINDS, kinds_of

Array = NDArray[Any]
CHUNK = 16_384


def ways(counts: Array) -> Array:
    """Number of physical tile sets with these counts [N, 34]: int64 [N]."""
    table = np.array([comb(4, n) for n in range(5)], np.int64)
    found: Array = table[counts].prod(axis=1)
    return found


def counts_of_kinds(rows: list[tuple[int, ...]]) -> Array:
    """Lists of kinds as counts [N, 34]."""
    counts = np.zeros((len(rows), KINDS), np.uint8)
    np.add.at(counts, (np.repeat(np.arange(len(rows)), [len(row) for row in rows]), np.concatenate(rows)), 1)
    return counts


def listed(shape: str, state: HandState, seat: int, round: int) -> Iterator[tuple[HandArrays, Array]]:
    """The wins of a shape with few sets of tiles, each set of tiles once, with the physical tile sets of each."""
    listed_sets = SHAPES[shape].tile_sets
    if listed_sets is None:
        raise ValueError(shape)
    sets = listed_sets()
    while rows := list(islice(sets, CHUNK)):
        counts = counts_of_kinds(rows)
        yield HandArrays(counts, None, -1, seat, round, state.luck), ways(counts)


def beside(sets: Sets, state: HandState, seat: int, round: int) -> Iterator[tuple[HandArrays, Array]]:
    """Nine single tiles (组合龙), a meld as the state has it, a pair. No two of them are the same tiles."""
    melds = [(k, k + 1, k + 2) for k in range(27) if k % 9 < 7] + [(k,) * 3 for k in range(KINDS)]
    lines, pairs = counts_of_kinds([tuple(kinds_of(line)) for line in sets.beside]), 2 * np.eye(KINDS, dtype=np.int64)
    for meld in melds:
        chow = meld[0] != meld[1]
        kong = state.kongs and not chow
        claimed = state.chows_open if chow else state.pungs_open
        kind = (
            MeldKind.CHOW
            if chow
            else (MeldKind.KONG if claimed else MeldKind.CONCEALED_KONG)
            if kong
            else MeldKind.PUNG
        )
        tiles = np.bincount([*meld, *meld[:kong]], minlength=KINDS)
        counts = (lines[:, None] + tiles + pairs).reshape(-1, KINDS).astype(np.uint8)
        fits = (counts <= 4).all(axis=1)
        counts = counts[fits]
        weight = ways(counts)
        open_melds = None
        if claimed or kong:
            open_melds = np.full((len(counts), 4, 2), (-1, 0), np.int8)
            open_melds[:, 0] = kind, meld[0]
            counts -= counts_of_kinds([(*meld, *meld[:kong])])
        yield HandArrays(counts, open_melds, -1, seat, round, state.luck), weight


def special_wins(shape: str, state: HandState, seat: int, round: int) -> Iterator[tuple[HandArrays, Array]]:
    """The wins of a shape that is not tabulated, as held in the state, many at a time."""
    # sixty small parts cost more than what is in them
    for closed, some in groupby(wins_by_meld(shape, state, seat, round), lambda part: part[0].meld_array is None):
        wins, weights = zip(*some, strict=True)
        counts, weight = np.concatenate([one.counts for one in wins]), np.concatenate(weights)
        melds = None if closed else np.concatenate([one.meld_array for one in wins])
        for at in range(0, len(counts), CHUNK):
            part = slice(at, at + CHUNK)
            yield (
                HandArrays(counts[part], None if melds is None else melds[part], -1, seat, round, state.luck),
                weight[part],
            )


def wins_by_meld(shape: str, state: HandState, seat: int, round: int) -> Iterator[tuple[HandArrays, Array]]:
    """The same in parts: 组合龙 by its meld."""
    sets = SHAPES[shape].sets
    return listed(shape, state, seat, round) if sets is None else beside(sets, state, seat, round)
