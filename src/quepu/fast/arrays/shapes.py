"""Shapes of a win on arrays, reading for reading what `quepu.shapes.SHAPES` gives for one hand.

The fields of a shape (`Sets`, `Fours`, `Whole`) are enough to read it; one that has none of them is read hand by
hand, for the hands that pass a cheap test.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import BITS, KEYS, LANES, Wins
from quepu.fast.arrays.sets import Read, complete, placed, splits
from quepu.fast.arrays.suit_tables import entries, tile_planes
from quepu.fast.compiled.reading_loops import WAYS_APART
from quepu.hands.suit_tables import KEY, KEY_BITS, KEY_MASK
from quepu.hands.win import Win as OneWin
from quepu.shapes import SHAPES, Fours, Sets, Shape, Whole
from quepu.tiles import KINDS, kinds_of

Array = NDArray[Any]
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
        if not beside:
            yield from _apart(np.arange(wins.n), wins.entries, n, None, sets.form, wins, reads)
    if not any(sets.beside):
        return
    likely = few_melds(_likely(shape, wins), shape, wins)
    index, way, single = beside_which(wins, likely, sets.beside, lacking=False)
    keys = wins.keys.take(index, axis=1)
    there = np.flatnonzero(tile_planes(keys)[0] & single == single)
    index, way, single = index[there], way[there], single[there]
    keys = keys.take(there, axis=1) - less(sets.beside).take(way, axis=1)
    yield from _apart(index, entries(keys), way, single, sets.form, wins, reads)


def _apart(
    index: Array,
    found: list[Array],
    way: Array | int,
    beside: Array | None,
    form: int,
    wins: Wins,
    reads: frozenset[str],
) -> Iterator[Read]:  # fmt: skip
    """Readings of some hands, each in one way, from the entries of what stands beside its single tiles."""
    fine = np.flatnonzero(complete(found))
    if not fine.size:
        return
    some = found if len(fine) == len(index) else [entry[fine] for entry in found]
    if beside is None:
        yield from placed(wins, reads, form, splits(some, index[fine]))
        return
    part = splits(some, fine)
    rank = part.rank + WAYS_APART * np.asarray(way)[part.of]
    yield from placed(wins, reads, form, part._replace(of=index[part.of], firsts=0, rank=rank), beside[part.of])


def few_melds(some: Array, shape: Shape, wins: Wins) -> Array:
    """Those of some hands that have no more melds than a shape allows."""
    return some[wins.melds[some] <= shape.melds]


def beside_which(wins: Wins, some: Array, ways: tuple[int, ...], lacking: bool) -> tuple[Array, Array, Array]:
    """Those of some hands that may hold the single tiles of a way (but for one), melds taken for concealed.

    The hands, the number of the way, its single tiles; a hand may be there for several ways.
    """
    t1 = wins.t1[some]
    found = []
    for beside in ways:
        missing = beside & ~t1
        found.append(np.flatnonzero(missing == 0 if not lacking else missing & missing - 1 == 0))
    way = np.repeat(np.arange(len(ways)), [len(x) * (beside != 0) for x, beside in zip(found, ways, strict=True)])
    index = some[np.concatenate([x for x, beside in zip(found, ways, strict=True) if beside])]
    return index, way, np.array(ways, np.int64)[way]


@lru_cache(64)
def less(ways: tuple[int, ...]) -> Array:
    """The keys of some tiles, one of each, way by way: int64 [4, ways]."""
    taken = [sum(KEY[kind] for kind in kinds_of(tiles)) for tiles in ways]
    return np.array([[key >> s * KEY_BITS & KEY_MASK for key in taken] for s in range(4)], np.int64)


def _fours(fours: Fours, wins: Wins, reads: frozenset[str]) -> Iterator[Read]:
    few = np.flatnonzero((np.bitwise_count(wins.t4 & ~wins.k) >= fours.number) & wins.closed)
    index, n, kinds = choices_of(few, wins.t4[few] & ~wins.k[few], fours.number)
    keys, quads = wins.keys.take(index, axis=1), np.zeros(len(index), np.int64)
    for kind in kinds:
        take(keys, kind, 4)
        quads |= BITS[kind]
    found = entries(keys)
    fine = np.flatnonzero(complete(found, 0))
    if fine.size:
        part = splits([entry[fine] for entry in found], fine)
        own = quads[part.of]
        part = part._replace(of=index[part.of], firsts=0, rank=part.rank + WAYS_APART * n[part.of])
        yield from placed(wins, reads, fours.form, part, own, own)


def choices_of(few: Array, planes: Array, n: int) -> tuple[Array, Array, list[Array]]:
    """Every choice of n tiles out of each hand's plane: the hands, which choice it is, and the kinds.

    Choices are numbered as `itertools.combinations` orders them.
    """
    bits = []
    rest = planes
    while rest.any():
        low = rest & -rest
        bits.append(low)
        rest = rest ^ low
    there = [(which, some, np.flatnonzero(some[-1])) for which, some in enumerate(combinations(bits, n))]
    if not there:
        none = np.zeros(0, np.int64)
        return none, none, [none] * n
    number = np.repeat(*np.array([(which, len(hands)) for which, _, hands in there]).T)
    kinds = [kind_of(np.concatenate([some[k][hands] for _, some, hands in there])) for k in range(n)]
    return few[np.concatenate([hands for _, _, hands in there])], number, kinds


_SLOTS = np.bitwise_count(np.array([bit - 1 for bit in BITS[:KINDS].tolist()], np.int64))
_KIND_AT = np.zeros(64, np.int64)
_KIND_AT[_SLOTS] = np.arange(KINDS)


def kind_of(bit: Array) -> Array:
    """The kind of a plane of one tile."""
    found: Array = _KIND_AT[np.bitwise_count(bit - 1)]
    return found


def take(keys: Array, kind: Array, copies: int) -> None:
    """Take so many copies of a kind out of each hand's keys [4, N]."""
    n = keys.shape[1]
    keys.reshape(-1)[LANES.take(kind) * n + np.arange(n)] -= copies * KEYS.take(kind)


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
