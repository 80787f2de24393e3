"""Waits of hands before their winning tile, on arrays: `shapes.readings.wait_planes` for many hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import BITS, Wins
from quepu.fast.arrays.sets import complete
from quepu.fast.arrays.shapes import Picked, beside_which, choices_of, few_melds, kind_of, less, take
from quepu.fast.arrays.suit_tables import ahead_at, entries, lanes, tile_planes
from quepu.fast.compiled.reading_loops import AHEAD_CODE, AHEAD_PAIR, LANE, finishing
from quepu.hands.planes import ALL_TILES
from quepu.shapes import SHAPES, Shape
from quepu.shapes.readings import wait_planes

Array = NDArray[Any]
WAIT_PLANES = ("waits", "pair_waits", "dead_waits")


def waits(wins: Wins, shapes: Sequence[str], others: Array | None = None) -> tuple[Array, Array, Array]:
    """The planes `waits`, `pair_waits`, `dead_waits` of each hand before its winning tile, empty if that is unnamed.

    `others`: int64 [2, N], the tiles that complete other shapes and those that finish a pair: these are added there.
    """
    found, in_pair = np.zeros((2, wins.n), np.int64) if others is None else others
    before = _Before(wins)
    bare = np.flatnonzero(wins.bare)
    bare_before = Picked(before, bare)
    by_hand = []
    for shape in shapes:
        here = SHAPES[shape]
        if here.fours is not None:
            found |= _waits_of_fours(wins, here.fours.number)
        elif here.sets is not None:
            if 0 in here.sets.beside:
                _add_plain(wins, found, in_pair)
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

    def __init__(self, wins: Wins) -> None:
        self.wins = wins
        self.luck = wins.given_luck

    t1 = property(lambda self: self.wins.before[0])
    t2 = property(lambda self: self.wins.before[1])
    t3 = property(lambda self: self.wins.before[2])
    t4 = property(lambda self: self.wins.before[3])


def _add_whole(shape: Shape, before: _Before | Picked, hands: Array, found: Array, in_pair: Array) -> None:
    """Add the waits of some hands, of which these are the planes, that would be of a shape without a choice."""
    may_wait = shape.may_wait
    some = np.flatnonzero(np.broadcast_to(True if may_wait is None else may_wait(before), hands.shape))
    if some.size:
        more, pairs = shape.waits(Picked(before, some))  # type: ignore[arg-type]  # stands in for Thirteen
        found[hands[some]] |= more
        in_pair[hands[some]] |= pairs


def waits_of(keys: Array, pairs: int = 1) -> tuple[Array, Array]:
    """Tiles that complete these concealed tiles (keys of four suits [4, N]) to melds and so many pairs (0 or 1)."""
    ahead = [lane.ahead.take(key) for lane, key in zip(lanes(), keys, strict=True)]
    total = sum(here >> AHEAD_CODE for here in ahead)
    found = np.zeros(keys.shape[1], np.int64)
    in_pair = np.zeros_like(found)
    for s, here in enumerate(ahead):
        plane = finishing(total, here, pairs).astype(np.int64)
        found |= (plane & LANE) << 16 * s
        in_pair |= plane >> AHEAD_PAIR << 16 * s
    return found, in_pair


def _add_sets(wins: Wins, likely: Array, ways: tuple[int, ...], found: Array, in_pair: Array) -> None:
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


def _add_plain(wins: Wins, found: Array, in_pair: Array) -> None:
    """The same of all hands, with nothing beside.

    In a hand that is melds and a pair, all suits but the winning tile's are complete, so that suit determines nearly
    everything; only where it was complete with a pair may other suits' tiles do as well.
    """
    here = ahead_at(wins.keys_before, wins.lane)
    sure = complete(wins.entries) & (here >> AHEAD_CODE > 1) & (wins.winning >= 0)
    lane = 16 * wins.lane
    found |= (here & LANE & -sure.astype(np.int64)) << lane
    in_pair |= (here >> AHEAD_PAIR & LANE & -sure.astype(np.int64)) << lane
    others = np.flatnonzero(~sure)
    if others.size:
        more, pairs = waits_of(wins.keys_before.take(others, axis=1))
        found[others] |= more
        in_pair[others] |= pairs


def _waits_of_fours(wins: Wins, number: int) -> Array:
    """Fours and what completes the rest to sets; or the fourth of a three beside the other fours and sets."""
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
