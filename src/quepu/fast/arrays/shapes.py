"""Shapes of a win and waits on arrays; the plain twins are `quepu.shapes.SHAPES` and `quepu.shapes.readings`.

The fields of a shape (`Sets`, `Fours`, `Whole`) are enough to read it; one that has none of them is read hand by
hand, for the hands that pass a cheap test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import BITS, KEYS, LANES, Gathered, HandArrays
from quepu.fast.arrays.sets import Read, complete, place_tiles, splits
from quepu.fast.arrays.suit_tables import entries, lanes, tile_planes
from quepu.fast.compiled.reading_loops import AHEAD_CODE, AHEAD_PAIR, LANE, WAYS_APART, finish
from quepu.hands.planes import ALL_TILES
from quepu.hands.suit_tables import KEY, KEY_BITS, KEY_MASK
from quepu.hands.win import Win as OneWin
from quepu.shapes import SHAPES, Fours, Sets, Shape, Whole
from quepu.shapes.readings import wait_planes
from quepu.tiles import KINDS, kinds_of

Array = NDArray[Any]
OWN = Read._fields[2:]
"""The planes that differ from reading to reading; the others belong to the hand."""


def read_shape(name: str, wins: HandArrays, reads: frozenset[str]) -> Iterator[Read]:
    """Return every reading of the hands under one shape."""
    shape = SHAPES[name]
    if shape.sets is not None:
        yield from _sets(shape, shape.sets, wins, reads)
    elif shape.fours is not None:
        yield from _fours(shape.fours, wins, reads)
    elif shape.whole is not None:
        few = _likely(shape, wins)
        of = few[np.broadcast_to(shape.whole.when(Gathered(wins, few)), few.shape)]
        if of.size:
            yield wholes(shape.whole, of, wins)
    else:
        yield from _one_by_one(name, wins, reads)


def _likely(shape: Shape, wins: HandArrays) -> Array:
    """Return the hands that may be of this shape."""
    maybe: Any = shape.may_win(wins) if shape.may_win is not None else np.ones(wins.n, np.bool_)  # type: ignore[arg-type]
    if shape.whole is not None and shape.whole.bare:
        maybe = maybe & wins.bare
    return np.flatnonzero(maybe)


# ---- melds and a pair


def _sets(shape: Shape, sets: Sets, wins: HandArrays, reads: frozenset[str]) -> Iterator[Read]:
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
    wins: HandArrays,
    reads: frozenset[str],
) -> Iterator[Read]:  # fmt: skip
    """Return the readings of some hands, each in one way, from the entries of what stands beside its single tiles."""
    fine = np.flatnonzero(complete(found))
    if not fine.size:
        return
    some = found if len(fine) == len(index) else [entry[fine] for entry in found]
    if beside is None:
        yield from place_tiles(wins, reads, form, splits(some, index[fine]))
        return
    part = splits(some, fine)
    rank = part.rank + WAYS_APART * np.asarray(way)[part.of]
    yield from place_tiles(wins, reads, form, part._replace(of=index[part.of], rank=rank), beside[part.of])


def few_melds(some: Array, shape: Shape, wins: HandArrays) -> Array:
    """Select those hands that have no more melds than a shape allows."""
    return some[wins.melds[some] <= shape.melds]


def beside_which(wins: HandArrays, some: Array, ways: tuple[int, ...], lacking: bool) -> tuple[Array, Array, Array]:
    """Select hands that may hold the single tiles of a way (but for one), melds taken for concealed.

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
    """Return the keys of some tiles, one of each, way by way: int64 [4, ways]."""
    taken = [sum(KEY[kind] for kind in kinds_of(tiles)) for tiles in ways]
    return np.array([[key >> s * KEY_BITS & KEY_MASK for key in taken] for s in range(4)], np.int64)


def _fours(fours: Fours, wins: HandArrays, reads: frozenset[str]) -> Iterator[Read]:
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
        part = part._replace(of=index[part.of], rank=part.rank + WAYS_APART * n[part.of])
        yield from place_tiles(wins, reads, fours.form, part, own, own)


def choices_of(few: Array, planes: Array, n: int) -> tuple[Array, Array, list[Array]]:
    """Return every choice of n tiles out of each hand's plane: the hands, which choice it is, and the kinds.

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
    """Return the kind of a plane of one tile."""
    found: Array = _KIND_AT[np.bitwise_count(bit - 1)]
    return found


def take(keys: Array, kind: Array, copies: int) -> None:
    """Take so many copies of a kind out of each hand's keys [4, N]."""
    n = keys.shape[1]
    keys.reshape(-1)[LANES.take(kind) * n + np.arange(n)] -= copies * KEYS.take(kind)


# ---- shapes without a choice


def wholes(shape: Whole, of: Array, wins: HandArrays) -> Read:
    """Return the readings of these hands, which are of a shape without a choice."""
    h, none = Gathered(wins, of), np.zeros(len(of), np.int64)
    fours, pair, place = (none | plane_of(h) for plane_of in (shape.fours, shape.pair, shape.place))
    return Read(of, none, none, none, none, none, fours | h.meld_p, fours | h.kc, pair, none + shape.form, place)


def _one_by_one(name: str, wins: HandArrays, reads: frozenset[str]) -> Iterator[Read]:
    found: list[tuple[int, ...]] = []
    for i in _likely(SHAPES[name], wins).tolist():
        win = OneWin(wins.hand(i), reads)
        for rank, reading in enumerate(SHAPES[name].read(win)):
            found.append((i, rank, *(int(getattr(reading.h, plane)) for plane in OWN)))
    if found:
        yield Read(*np.array(found, np.int64).T)


WAIT_PLANES = ("waits", "pair_waits", "dead_waits")


def waits(wins: HandArrays, shapes: Sequence[str], others: Array | None = None) -> tuple[Array, Array, Array]:
    """Return the planes `waits`, `pair_waits`, `dead_waits` of hands before the winning tile, empty if that is unnamed.

    `others`: int64 [2, N], the tiles that complete other shapes and those that finish a pair: these are added there.
    """
    found, in_pair = np.zeros((2, wins.n), np.int64) if others is None else others
    before = _Before(wins)
    bare = np.flatnonzero(wins.bare)
    bare_before = Gathered(before, bare)
    by_hand = []
    for shape in shapes:
        here = SHAPES[shape]
        if here.fours is not None:
            found |= _waits_of_fours(wins, here.fours.number)
        elif here.sets is not None:
            if 0 in here.sets.beside:
                more, pairs = waits_of(wins.keys_before)
                found |= more
                in_pair |= pairs
            if any(here.sets.beside):
                maybe = np.broadcast_to(here.may_wait(before) if here.may_wait else True, found.shape)
                likely = few_melds(np.flatnonzero(maybe), here, wins)
                _add_sets(wins, likely, here.sets.beside, found, in_pair)
        elif here.whole is not None:
            if here.whole.bare:
                _add_whole(here, bare_before, bare, found, in_pair)
            else:
                _add_whole(here, before, np.arange(wins.n), found, in_pair)
        else:
            by_hand.append(shape)
    held = wins.t4 & ~wins.win & ALL_TILES
    dead = found & held
    found &= ~held
    in_pair &= ~held
    if by_hand:
        maybe = np.zeros(wins.n, np.bool_)
        for shape in by_hand:
            maybe |= may_wait(before) if (may_wait := SHAPES[shape].may_wait) else True
        for i in np.flatnonzero(maybe).tolist():
            a, b, c = wait_planes(wins.hand(i), tuple(by_hand))
            found[i] |= a
            in_pair[i] |= b
            dead[i] |= c
    unnamed = np.flatnonzero(wins.winning < 0)
    for plane in (found, in_pair, dead) if unnamed.size else ():
        plane[unnamed] = 0
    return found, in_pair, dead


class _Before:
    """The planes of hands as they were without the winning tile."""

    def __init__(self, wins: HandArrays) -> None:
        self.wins = wins
        self.luck = wins.given_luck

    t1 = property(lambda self: self.wins.before[0])
    t2 = property(lambda self: self.wins.before[1])
    t3 = property(lambda self: self.wins.before[2])
    t4 = property(lambda self: self.wins.before[3])


def _add_whole(shape: Shape, before: _Before | Gathered, hands: Array, found: Array, in_pair: Array) -> None:
    """Add the waits of some hands, of which these are the planes, that would be of a shape without a choice."""
    may_wait = shape.may_wait
    some = np.flatnonzero(np.broadcast_to(True if may_wait is None else may_wait(before), hands.shape))
    if some.size:
        more, pairs = shape.waits(Gathered(before, some))  # type: ignore[arg-type]  # stands in for Thirteen
        found[hands[some]] |= more
        in_pair[hands[some]] |= pairs


def waits_of(keys: Array, pairs: int = 1) -> tuple[Array, Array]:
    """Return what completes these concealed tiles (keys of four suits [4, N]) to melds and so many pairs (0 or 1)."""
    ahead = [lane.ahead.take(key) for lane, key in zip(lanes(), keys, strict=True)]
    total = sum(here >> AHEAD_CODE for here in ahead)
    found = np.zeros(keys.shape[1], np.int64)
    in_pair = np.zeros_like(found)
    for s, here in enumerate(ahead):
        plane = finish(total, here, pairs).astype(np.int64)
        found |= (plane & LANE) << 16 * s
        in_pair |= plane >> AHEAD_PAIR << 16 * s
    return found, in_pair


def _add_sets(wins: HandArrays, likely: Array, ways: tuple[int, ...], found: Array, in_pair: Array) -> None:
    """Add the waits of those of some hands that would be melds and a pair beside the single tiles of a way."""
    few, way, beside = beside_which(wins, likely, ways, lacking=True)
    if not few.size:
        return
    rest = wins.keys_before.take(few, axis=1)
    lacking = beside & ~tile_planes(rest)[0]
    rest -= less(ways).take(way, axis=1)
    whole = np.flatnonzero(lacking == 0)
    if whole.size:
        more, pairs = waits_of(rest.take(whole, axis=1))
        np.bitwise_or.at(found, few[whole], more)
        np.bitwise_or.at(in_pair, few[whole], pairs)
    some = np.flatnonzero((lacking & lacking - 1 == 0) & (lacking != 0))
    if some.size:
        rest = rest.take(some, axis=1)
        take(rest, kind_of(lacking[some]), -1)
        fits = complete(entries(rest))
        np.bitwise_or.at(found, few[some[fits]], lacking[some[fits]])


def _waits_of_fours(wins: HandArrays, number: int) -> Array:
    """Return the waits of fours and sets: what completes the sets, or the fourth of a three if all else is complete."""
    found = np.zeros(wins.n, np.int64)
    _, _, t3, t4 = wins.before
    few = np.flatnonzero((t3 & ~wins.k != 0) & wins.closed)
    fours, threes = t4 & ~wins.k, t3 & ~t4
    held = np.bitwise_count(fours[few])
    few = few[(held >= number - 1) & (held + np.bitwise_count(threes[few]) >= number)]
    index, _, kinds = choices_of(few, fours[few], number)
    keys = wins.keys_before.take(index, axis=1)
    for kind in kinds:
        take(keys, kind, 4)
    np.bitwise_or.at(found, index, waits_of(keys, 0)[0])
    index, _, kinds = choices_of(few, fours[few], number - 1)
    again, _, (three,) = choices_of(np.arange(len(index)), threes[index], 1)
    keys = wins.keys_before.take(index[again], axis=1)
    for kind in kinds:
        take(keys, kind[again], 4)
    take(keys, three, 3)
    fits = complete(entries(keys), 0)
    np.bitwise_or.at(found, index[again[fits]], BITS[three[fits]])
    return found
