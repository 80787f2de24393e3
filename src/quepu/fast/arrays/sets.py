"""Take concealed tiles apart and place the winning tile, for many hands; the plain twin is `quepu.hands.win`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import add
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.suit_tables import placed_splits
from quepu.fast.arrays.win_places import choices
from quepu.fast.compiled.reading_loops import (
    ENTRY_CODE,
    ENTRY_FIRST,
    ENTRY_NUMBER,
    PLACES,
    WAYS_APART,
    find_groups,
    join_chows,
)

Array = NDArray[Any]


class Read(NamedTuple):
    """Some readings: the hands they are of, their place among that hand's readings of this shape, their own planes.

    (p and pc are with the melds. c2, c3, c4, form may be plain ints that hold for all.)
    """

    of: Array
    rank: Array  # below RANKS
    c1: Array
    c2: Array
    c3: Array
    c4: Array
    p: Array
    pc: Array
    pair: Array
    form: Array
    place: Array


RANKS = 8 * PLACES * WAYS_APART


class SplitArrays(NamedTuple):
    """Ways to take concealed tiles apart: the hands, which way it is (as `shapes.readings` orders them), the planes."""

    of: Array
    rank: Array
    c1: Array
    c2: Array
    c3: Array
    c4: Array
    p: Array
    pair: Array


def complete(found: list[Array], pairs: int = 1) -> Array:
    """Return whether each hand comes apart into melds and so many pairs (0 or 1), from its suits' entries."""
    fits: Array = (found[0] + found[1] + found[2] + found[3]) >> ENTRY_CODE == pairs
    return fits


def splits(found: list[Array], index: Array) -> SplitArrays:
    """Return every way to take apart the concealed tiles of some hands, from the entries of their suits."""
    number = (found[0] + found[1] + found[2] + found[3]) >> ENTRY_NUMBER & 31
    rows = [(entry & ENTRY_FIRST).astype(np.int64) for entry in found]
    of, rank = index, np.zeros(len(index), np.int64)
    many = np.flatnonzero(number > 4)
    if many.size:  # the second way and all further ones of each suit with each of the others'
        a, b, c = ((entry.take(many) >> ENTRY_NUMBER & 7).astype(np.int64) for entry in found[:3])
        others = a * b * c - 1
        parent = np.repeat(np.arange(len(many)), others)
        way = np.arange(len(parent)) - np.repeat(np.cumsum(others) - others, others) + 1
        b, c = b.take(parent), c.take(parent)
        i, j, k = way // (b * c), way // c % b, way % c
        hands = many.take(parent)
        of, rank = np.concatenate([of, index.take(hands)]), np.concatenate([rank, 16 * i + 4 * j + k])
        steps = (i, j, k, 0)
        rows = [np.concatenate([row, row.take(hands) + step]) for row, step in zip(rows, steps, strict=True)]
    planes: Array = reduce(add, (lane.take(row, axis=1) for lane, row in zip(placed_splits(), rows, strict=True)))
    return SplitArrays(of, rank, *planes)


def place_tiles(
    wins: HandArrays,
    reads: frozenset[str],
    form: int,
    split: SplitArrays,
    loose: Array | None = None,
    fours: Array | None = None,
) -> Iterator[Read]:
    """Return a reading for each part that the winning tile may finish (see `quepu.hands.win.place_winning_tile`).

    `loose`: the tiles that stand alone in each split. `fours`: four alike in each, none of them a
    kong: concealed pungs.
    """
    of, own, p, pair = split.of, split.c1, split.p, split.pair
    w = wins.win.take(of)
    single = np.int64(0) if loose is None else loose
    case = wins.case.take(of) | find_groups(own, pair, p, single, w, np.uint16(1))
    case = case.astype(np.int64)  # numpy looks this type up eight times as fast
    table = choices("place" in reads)
    number = table.number.take(case)
    chows = _all_chows(wins, split)
    melded = hidden = None
    if wins.meld_array is not None:
        melded, hidden = wins.meld_p.take(of), wins.kc.take(of)
    if fours is not None:
        melded, hidden = (fours if x is None else x | fours for x in (melded, hidden))
    all_p = p if melded is None else p | melded
    columns = [of, PLACES * split.rank, *chows, all_p, p, pair, np.full(len(of), form), case, w]
    if hidden is not None:
        columns.append(hidden)
    for j in range(int(number.max(initial=1))):
        some = np.flatnonzero(number > j) if j or not number.all() else None
        of, rank, c1, c2, c3, c4, all_p, own_p, pair, forms, case_j, tile, *more = (
            columns if some is None else [column[some] for column in columns]
        )
        pc = own_p & ~(tile & table.loses[j].take(case_j))
        for plane in more:
            pc |= plane
        yield Read(of, rank + j, c1, c2, c3, c4, all_p, pc, pair, forms, table.place[j].take(case_j))


def _all_chows(wins: HandArrays, split: SplitArrays) -> tuple[Array, Array, Array, Array]:
    """Return the chow planes of splits, exposed chows included."""
    chows = split.c1, split.c2, split.c3, split.c4
    if wins.meld_array is None:
        return chows
    of = split.of
    joined: tuple[Array, Array, Array, Array] = join_chows(
        *chows, wins.o1.take(of), wins.o2.take(of), wins.o3.take(of), wins.o4.take(of)
    )
    return joined
