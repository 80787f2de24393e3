"""Shapes of a win on arrays, reading for reading what `quepu.shapes.SHAPES` gives for one hand.

A shape is a function from `Wins` to `Read`s. A shape without a choice (`Whole`) needs no function of its own.
What has no array form here is asked hand by hand, for the hands that pass a cheap test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np

from quepu.batch.sets import Read, complete, placed, splits
from quepu.batch.tables import entries, lanes
from quepu.batch.wins import BITS, Wins
from quepu.planes import (
    KNITTED,
    LOOSE,
    ORPHANS,
    OUTER,
    PAIRS,
    SINGLE,
    STANDARD,
    SUIT_TILES,
    TWO_QUADS,
)
from quepu.shapes import KNITTED_LINES, SHAPES, Whole, in_line
from quepu.suits import KEY, KEY_BITS, KEY_MASK
from quepu.tiles import KINDS, kinds_of
from quepu.win import Win as OneWin

Array = Any
OWN = Read._fields[2:]
"""The planes that differ from reading to reading; the others belong to the hand."""


def read_shape(name: str, wins: Wins, reads: frozenset[str]) -> Iterator[Read]:
    """Every reading of the hands under one shape."""
    whole = SHAPES[name].whole
    if name in ARRAYS:
        yield from ARRAYS[name](wins, reads)
    elif whole is not None:
        yield from _only(whole, _likely(name, wins), wins)
    else:
        yield from _one_by_one(name, wins, reads)


def _likely(name: str, wins: Wins) -> Array:
    """The hands that may be of this shape."""
    may_win: Any = SHAPES[name].may_win
    return np.arange(wins.n) if may_win is None else np.flatnonzero(may_win(wins))


class Picked:
    """Some hands, as planes: a field is picked out when first asked for."""

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


def _standard(wins: Wins, reads: frozenset[str]) -> Iterator[Read]:
    found = wins.entries
    index = np.flatnonzero(complete(found))
    if index.size:
        some = found if len(index) == wins.n else [entry[index] for entry in found]
        yield from placed(wins, reads, STANDARD, splits(some, index))


def _knitted(wins: Wins, reads: frozenset[str]) -> Iterator[Read]:
    few = near_line(wins, wins.t1, 0)
    if not few.size:
        return
    held = concealed_plane(wins.keys[:, few])
    for n, line in enumerate(KNITTED_LINES):
        index = few[held & line == line]
        if index.size:
            found = entries(wins.keys[:, index] - less(line))
            fine = np.flatnonzero(complete(found))
            if fine.size:
                part = splits([entry[fine] for entry in found], index[fine])
                part = part._replace(rank=part.rank + 64 * n)
                yield from placed(wins, reads, KNITTED, part, np.full(len(part.of), line))


def near_line(wins: Wins, t1: Array, lacking: int) -> Array:
    """The hands of at most one meld whose tiles (at least one copy: t1) may hold a line of 组合龙 but for some."""
    few = np.flatnonzero((np.bitwise_count(t1 & SUIT_TILES) >= 9 - lacking) & (wins.melds <= 1))
    t1 = t1[few]
    near = np.zeros(len(few), np.bool_)
    for line in KNITTED_LINES:
        missing = line & ~t1
        near |= (missing & missing - 1 == 0) if lacking else missing == 0
    return few[near]


def concealed_plane(keys: Array) -> Array:
    """The tiles held at least once, by the keys of the concealed tiles."""
    m, p, s, z = (lane.levels[key] & 0xFFFF for lane, key in zip(lanes(), keys, strict=True))
    return m | p << 16 | s << 32 | z << 48


def less(tiles: int) -> Array:
    """The keys of some tiles, one of each: int64 [4, 1]."""
    taken = sum(KEY[kind] for kind in kinds_of(tiles))
    return np.array([[taken >> s * KEY_BITS & KEY_MASK] for s in range(4)], np.int64)


def _two_quads(wins: Wins, reads: frozenset[str]) -> Iterator[Read]:
    few = np.flatnonzero((np.bitwise_count(wins.t4 & ~wins.k) >= 2) & wins.closed)
    for n, (index, kinds) in enumerate(choices_of(few, wins.t4[few] & ~wins.k[few], 2)):
        keys = wins.keys[:, index].copy()
        quads = np.zeros(len(index), np.int64)
        for kind in kinds:
            take(keys, kind, 4)
            quads |= BITS[kind]
        found = entries(keys)
        fine = np.flatnonzero(complete(found, 0))
        if fine.size:
            part = splits([entry[fine] for entry in found], index[fine])
            fours = np.zeros(wins.n, np.int64)
            fours[index] = quads
            fours = fours[part.of]
            part = part._replace(rank=part.rank + 64 * n)
            yield from placed(wins, reads, TWO_QUADS, part, fours, fours)


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


# ---- shapes without melds


def _bare(wins: Wins, which: Array, form: int, pair: Array | None, place: Array | int) -> Iterator[Read]:
    of = np.flatnonzero(which & wins.bare)
    if of.size:
        none = np.zeros(len(of), np.int64)
        places = place[of] if isinstance(place, np.ndarray) else np.full(len(of), place, np.int64)
        own = none if pair is None else pair[of]
        yield Read(of, none, none, none, none, none, none, none, own, np.full(len(of), form, np.int64), places)


def _only(shape: Whole, few: Array, wins: Wins) -> Iterator[Read]:
    """The readings of a shape without a choice."""
    if not few.size:
        return
    h = Picked(wins, few)
    there = shape.when(h) & h.bare if shape.bare else shape.when(h)
    of = few[there]
    if of.size:
        h, none = Picked(wins, of), np.zeros(len(of), np.int64)
        fours, pair, place = (none | ask(h) for ask in (shape.fours, shape.pair, shape.place))
        yield Read(of, none, none, none, none, none, fours | h.meld_p, fours | h.kc, pair, none + shape.form, place)


def _pairs(wins: Wins, _reads: frozenset[str]) -> Iterator[Read]:
    which = (wins.t1 == wins.t2) & (wins.t3 == 0) & (np.bitwise_count(wins.t1) == 7)
    yield from _bare(wins, which, PAIRS, wins.t1, SINGLE)


def _any_pairs(wins: Wins, _reads: frozenset[str]) -> Iterator[Read]:
    pairs = np.bitwise_count(wins.t1) + np.bitwise_count(wins.t3)
    which = (wins.t1 == wins.t2) & (wins.t3 == wins.t4) & (pairs == 7)
    yield from _bare(wins, which, PAIRS, wins.t1, SINGLE)


def _orphans(wins: Wins, _reads: frozenset[str]) -> Iterator[Read]:
    which = (wins.t1 == OUTER) & (wins.t3 == 0)
    yield from _bare(wins, which, ORPHANS, wins.t2, np.where(wins.t2 == wins.win, SINGLE, 0))


def _loose(wins: Wins, _reads: frozenset[str]) -> Iterator[Read]:
    which = wins.bare & (wins.t2 == 0)
    some = np.flatnonzero(which)
    which[some] = in_line(wins.t1[some])
    yield from _bare(wins, which, LOOSE, None, 0)


ARRAYS: dict[str, Callable[[Wins, frozenset[str]], Iterator[Read]]] = {
    "standard": _standard,
    "pairs": _pairs,
    "any_pairs": _any_pairs,
    "orphans": _orphans,
    "loose": _loose,
    "knitted": _knitted,
    "two_quads": _two_quads,
}
"""Shapes that are read on arrays."""


def _one_by_one(name: str, wins: Wins, reads: frozenset[str]) -> Iterator[Read]:
    found: list[tuple[int, ...]] = []
    for i in _likely(name, wins).tolist():
        win = OneWin(wins.hand(i), reads)
        for rank, reading in enumerate(SHAPES[name].read(win)):
            found.append((i, rank, *(int(getattr(reading.h, plane)) for plane in OWN)))
    if found:
        yield Read(*np.array(found, np.int64).T)
