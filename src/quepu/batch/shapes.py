"""Shapes of a win on arrays, reading for reading what `quepu.shapes.SHAPES` gives for one hand.

The fields of a shape (`Sets`, `Fours`, `Whole`) are enough to read it; one that has none of them is read hand by
hand, for the hands that pass a cheap test.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from quepu.batch.numba_loops import WAYS_APART
from quepu.batch.sets import Read, complete, placed, splits
from quepu.batch.tables import entries
from quepu.batch.wins import BITS, Wins
from quepu.hands.suit_tables import KEY, KEY_BITS, KEY_MASK
from quepu.hands.win import Win as OneWin
from quepu.shapes import SHAPES, Fours, Sets, Shape, Whole
from quepu.tiles import KINDS, kinds_of

Array = Any
OWN = Read._fields[2:]
"""The planes that differ from reading to reading; the others belong to the hand."""


def read_shape(name: str, wins: Wins, reads: frozenset[str]) -> Iterator[Read]:
    """Every reading of the hands under one shape."""
    shape = SHAPES[name]
    if shape.sets is not None:
        yield from _sets(shape, shape.sets, wins, reads)
    elif shape.fours is not None:
        yield from _fours(shape.fours, wins, reads)
    elif shape.whole is not None:
        few = _likely(shape, wins)
        of = few[np.broadcast_to(shape.whole.when(Picked(wins, few)), few.shape)]
        if of.size:
            yield wholes(shape.whole, of, wins)
    else:
        yield from _one_by_one(name, wins, reads)


def _likely(shape: Shape, wins: Wins) -> Array:
    """The hands that may be of this shape."""
    maybe: Any = shape.may_win(wins) if shape.may_win is not None else np.ones(wins.n, np.bool_)  # type: ignore[arg-type]
    if shape.whole is not None and shape.whole.bare:
        maybe = maybe & wins.bare
    return np.flatnonzero(maybe)


class Picked:
    """Some hands, as planes: a field is gathered when first read."""

    def __init__(self, source: Any, index: Array) -> None:
        self._source = source
        self._index = index

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._source, name)
        if isinstance(found, np.ndarray):
            found = found[self._index]
        self.__dict__[name] = found
        return found


# ---- melds and a pair


def _sets(shape: Shape, sets: Sets, wins: Wins, reads: frozenset[str]) -> Iterator[Read]:
    for n, beside in enumerate(sets.beside):
        index, keys = holding(wins, shape.melds, beside)
        if not index.size:
            continue
        found = wins.entries if keys is wins.keys else entries(keys)
        fine = np.flatnonzero(complete(found))
        if fine.size:
            some = found if len(fine) == wins.n else [entry[fine] for entry in found]
            part = splits(some, index[fine])
            part = part._replace(rank=part.rank + WAYS_APART * n)
            yield from placed(wins, reads, sets.form, part, np.full(len(part.of), beside) if beside else None)


def holding(wins: Wins, melds: int, beside: int) -> tuple[Array, Array]:
    """The hands of at most so many melds that hold these single tiles, and the keys of what is beside those."""
    if not beside:
        return np.arange(wins.n), wins.keys
    few = nearly_holding(wins, melds, beside, lacking=False)
    few = few[concealed_plane(wins.counts[few]) & beside == beside]
    return few, wins.keys[:, few] - less(beside)


def nearly_holding(wins: Wins, melds: int, beside: int, lacking: bool) -> Array:
    """The hands of at most so many melds that may hold these single tiles (but for one), melds taken for concealed."""
    missing = beside & ~wins.t1
    few = np.flatnonzero(missing == 0 if not lacking else missing & missing - 1 == 0)
    return few[wins.melds[few] <= melds]


def concealed_plane(counts: Array) -> Array:
    """The tiles held at least once, from counts of concealed tiles [N, 34]."""
    return np.where(counts > 0, BITS[:KINDS], 0).sum(axis=1)


def less(tiles: int) -> Array:
    """The keys of some tiles, one of each: int64 [4, 1]."""
    taken = sum(KEY[kind] for kind in kinds_of(tiles))
    return np.array([[taken >> s * KEY_BITS & KEY_MASK] for s in range(4)], np.int64)


def _fours(fours: Fours, wins: Wins, reads: frozenset[str]) -> Iterator[Read]:
    few = np.flatnonzero((np.bitwise_count(wins.t4 & ~wins.k) >= fours.number) & wins.closed)
    for n, (index, kinds) in enumerate(choices_of(few, wins.t4[few] & ~wins.k[few], fours.number)):
        keys = wins.keys[:, index].copy()
        quads = np.zeros(len(index), np.int64)
        for kind in kinds:
            take(keys, kind, 4)
            quads |= BITS[kind]
        found = entries(keys)
        fine = np.flatnonzero(complete(found, 0))
        if fine.size:
            part = splits([entry[fine] for entry in found], index[fine])
            held = np.zeros(wins.n, np.int64)
            held[index] = quads
            held = held[part.of]
            part = part._replace(rank=part.rank + 64 * n)
            yield from placed(wins, reads, fours.form, part, held, held)


def choices_of(few: Array, planes: Array, n: int) -> Iterator[tuple[Array, list[Array]]]:
    """Every choice of n tiles out of each hand's plane, as `itertools.combinations` orders them: hands and kinds."""
    bits = []
    rest = planes
    while rest.any():
        low = rest & -rest
        bits.append(low)
        rest = rest ^ low
    for some in combinations(bits, n):
        there = np.flatnonzero(some[-1])
        yield few[there], [kind_of(bit[there]) for bit in some]


_SLOTS = np.bitwise_count(np.array([bit - 1 for bit in BITS[:KINDS].tolist()], np.int64))
_KIND_AT = np.zeros(64, np.int64)
_KIND_AT[_SLOTS] = np.arange(KINDS)


def kind_of(bit: Array) -> Array:
    """The kind of a plane of one tile."""
    return _KIND_AT[np.bitwise_count(bit - 1)]


def take(keys: Array, kind: Array, copies: int) -> None:
    """Take so many copies of a kind out of each hand's keys [4, N]."""
    keys[kind // 9, np.arange(keys.shape[1])] -= copies * 5 ** (kind % 9)


# ---- shapes without a choice


def wholes(shape: Whole, of: Array, wins: Wins) -> Read:
    """The readings of these hands, which are of a shape without a choice."""
    h, none = Picked(wins, of), np.zeros(len(of), np.int64)
    fours, pair, place = (none | plane_of(h) for plane_of in (shape.fours, shape.pair, shape.place))
    return Read(of, none, none, none, none, none, fours | h.meld_p, fours | h.kc, pair, none + shape.form, place)


def _one_by_one(name: str, wins: Wins, reads: frozenset[str]) -> Iterator[Read]:
    found: list[tuple[int, ...]] = []
    for i in _likely(SHAPES[name], wins).tolist():
        win = OneWin(wins.hand(i), reads)
        for rank, reading in enumerate(SHAPES[name].read(win)):
            found.append((i, rank, *(int(getattr(reading.h, plane)) for plane in OWN)))
    if found:
        yield Read(*np.array(found, np.int64).T)
