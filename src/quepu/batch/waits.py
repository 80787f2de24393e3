"""What hands waited for before their winning tile came, on arrays: `quepu.readings.wait_planes` for many hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from quepu.batch.sets import complete
from quepu.batch.shapes import Picked, choices_of, concealed_plane, kind_of, less, near_line, take
from quepu.batch.tables import AHEAD_CODE, AHEAD_PAIR, AHEAD_WAITS, ahead_at, entries, lanes
from quepu.batch.wins import BITS, Wins
from quepu.planes import ALL_TILES, HONOUR_TILES, OUTER
from quepu.readings import wait_planes
from quepu.shapes import KNITTED_LINES, SHAPES

Array = Any
WAIT_PLANES = ("waits", "pair_waits", "dead_waits")


def waits(wins: Wins, shapes: Sequence[str]) -> tuple[Array, Array, Array]:
    """The planes `waits`, `pair_waits`, `dead_waits` of each hand before its winning tile, empty if that is unnamed."""
    found = np.zeros(wins.n, np.int64)
    in_pair = np.zeros(wins.n, np.int64)
    before = _Before(wins)
    by_hand = []
    for shape in shapes:
        if shape in WAITS:
            more, pairs = WAITS[shape](wins)
            found |= more
            in_pair |= pairs
        elif SHAPES[shape].whole is not None:
            _add_whole(shape, before, found, in_pair)
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
    named = wins.winning >= 0
    return np.where(named, found, 0), np.where(named, in_pair, 0), np.where(named, dead, 0)


class _Before:
    """The planes of hands as they were without the winning tile."""

    def __init__(self, wins: Wins) -> None:
        self.wins = wins
        self.t1, self.t2, self.t3, self.t4 = wins.before
        self.luck = wins.given_luck
        self.bare = wins.bare


def _add_whole(shape: str, before: _Before, found: Array, in_pair: Array) -> None:
    whole, ask, may_wait = SHAPES[shape].whole, SHAPES[shape].waits, SHAPES[shape].may_wait
    if whole is None or ask is None:
        raise ValueError(shape)
    maybe: Any = before.bare if whole.bare else True
    if may_wait is not None:
        maybe = maybe & may_wait(before)
    some = np.flatnonzero(np.broadcast_to(maybe, found.shape))
    if some.size:
        more, pairs = ask(Picked(before, some))  # type: ignore[arg-type]  # stands in for Thirteen
        found[some] |= more
        in_pair[some] |= pairs


def waits_of(keys: Array, pairs: int = 1) -> tuple[Array, Array]:
    """What completes these concealed tiles (keys of four suits [4, N]) to melds and so many pairs (0 or 1)."""
    ahead = [lane.ahead.take(key) for lane, key in zip(lanes(), keys, strict=True)]
    total = (ahead[0] + ahead[1] + ahead[2] + ahead[3]) >> AHEAD_CODE
    found = np.zeros(keys.shape[1], np.int64)
    in_pair = np.zeros_like(found)
    for s, (lane, key, here) in enumerate(zip(lanes(), keys, ahead, strict=True)):
        # the other suits are complete, and with what this suit becomes there are so many pairs
        some = np.flatnonzero((total - (here >> AHEAD_CODE) <= pairs) & (here & AHEAD_WAITS != 0))
        fits = total[some] - (here[some] >> AHEAD_CODE) + ((lane.tiles[key[some]] + 1) % 3 == 2) == pairs
        some = some[fits]
        plane = here[some].astype(np.int64)
        found[some] |= (plane & AHEAD_WAITS) << 16 * s
        in_pair[some] |= (plane >> AHEAD_PAIR & AHEAD_WAITS) << 16 * s
    return found, in_pair


def _standard_waits(wins: Wins) -> tuple[Array, Array]:
    """In a hand that is four melds and a pair, all suits but the winning tile's are complete.

    So that suit says nearly everything; only where it was complete with a pair may other suits' tiles do as well.
    """
    lane = wins.lane
    here = ahead_at(wins.keys_before, lane)
    found = (here & AHEAD_WAITS) << 16 * lane
    in_pair = (here >> AHEAD_PAIR & AHEAD_WAITS) << 16 * lane
    others = np.flatnonzero(~complete(wins.entries) | (here >> AHEAD_CODE <= 1) | (wins.winning < 0))
    if others.size:
        found[others], in_pair[others] = waits_of(wins.keys_before[:, others])
    return found, in_pair


def _knitted_waits(wins: Wins) -> tuple[Array, Array]:
    found = np.zeros(wins.n, np.int64)
    in_pair = np.zeros_like(found)
    few = near_line(wins, wins.t1, 1)
    if not few.size:
        return found, in_pair
    keys = wins.keys_before[:, few]
    held = concealed_plane(keys)
    for line in KNITTED_LINES:
        lacking = line & ~held
        close = np.flatnonzero(lacking & lacking - 1 == 0)
        if not close.size:
            continue
        whole = close[lacking[close] == 0]
        if whole.size:
            more, pairs = waits_of(keys[:, whole] - less(line))
            found[few[whole]] |= more
            in_pair[few[whole]] |= pairs
        some = close[lacking[close] != 0]
        if some.size:
            rest = keys[:, some] - less(line)
            take(rest, kind_of(lacking[some]), -1)
            fits = complete(entries(rest))
            found[few[some[fits]]] |= lacking[some[fits]]
    return found, in_pair


def _two_quads_waits(wins: Wins) -> tuple[Array, Array]:
    """Two fours and what completes the rest to sets; or the fourth of a three beside a four and sets."""
    found = np.zeros(wins.n, np.int64)
    _, _, t3, t4 = wins.before
    fours, threes = t4 & ~wins.k, t3 & ~t4
    held = np.bitwise_count(fours)
    few = np.flatnonzero(wins.closed & (held >= 1) & (held + np.bitwise_count(threes) >= 2))
    for index, kinds in choices_of(few, fours[few], 2):
        keys = wins.keys_before[:, index]
        for kind in kinds:
            take(keys, kind, 4)
        found[index] |= waits_of(keys, 0)[0]
    for index, (four,) in choices_of(few, fours[few], 1):
        for again, (three,) in choices_of(np.arange(len(index)), threes[index], 1):
            keys = wins.keys_before[:, index[again]]
            take(keys, four[again], 4)
            take(keys, three, 3)
            fits = complete(entries(keys), 0)
            found[index[again[fits]]] |= BITS[three[fits]]
    return found, np.zeros_like(found)


def _of_some(wins: Wins, some: Array, waits: Callable[..., tuple[Array, Array]]) -> tuple[Array, Array]:
    """Waits of the hands that may have any (by their tile planes), nothing for the others."""
    found, in_pair = np.zeros(wins.n, np.int64), np.zeros(wins.n, np.int64)
    some = np.flatnonzero(some & wins.bare)
    if some.size:
        found[some], in_pair[some] = waits(*(plane[some] for plane in wins.before))
    return found, in_pair


def _pairs_waits(wins: Wins) -> tuple[Array, Array]:
    def waits(t1: Array, t2: Array, t3: Array, _t4: Array) -> tuple[Array, Array]:
        found = np.where((t3 == 0) & (np.bitwise_count(t1) == 7), t1 ^ t2, 0)
        return found, found

    return _of_some(wins, np.bitwise_count(wins.before[1]) == 6, waits)


def _any_pairs_waits(wins: Wins) -> tuple[Array, Array]:
    def waits(t1: Array, t2: Array, t3: Array, t4: Array) -> tuple[Array, Array]:
        odd = t1 ^ t2 | t3 ^ t4
        found = np.where(np.bitwise_count(odd) == 1, odd, 0)
        return found, found

    t1, t2, _, _ = wins.before
    return _of_some(wins, np.bitwise_count(t1 ^ t2) <= 1, waits)


def _orphans_waits(wins: Wins) -> tuple[Array, Array]:
    def waits(t1: Array, t2: Array, t3: Array, _t4: Array) -> tuple[Array, Array]:
        all_of_them = np.where((t1 == OUTER) & (t2 == 0), OUTER, 0)
        missing = OUTER & ~t1
        last = (t3 == 0) & (np.bitwise_count(missing) == 1) & (np.bitwise_count(t2) == 1)
        return all_of_them | np.where(last, missing, 0), all_of_them

    return _of_some(wins, wins.before[0] & ~OUTER == 0, waits)


def _loose_waits(wins: Wins) -> tuple[Array, Array]:
    def waits(t1: Array, *_others: Array) -> tuple[Array, Array]:
        found = np.zeros(len(t1), np.int64)
        for line in KNITTED_LINES:
            found |= np.where(t1 & ~(line | HONOUR_TILES) == 0, (line | HONOUR_TILES) & ~t1, 0)
        return found, np.zeros_like(found)

    return _of_some(wins, wins.before[1] == 0, waits)


WAITS: dict[str, Callable[[Wins], tuple[Array, Array]]] = {
    "standard": _standard_waits,
    "pairs": _pairs_waits,
    "any_pairs": _any_pairs_waits,
    "orphans": _orphans_waits,
    "loose": _loose_waits,
    "knitted": _knitted_waits,
    "two_quads": _two_quads_waits,
}
"""Waits of shapes on arrays (tiles held four times are taken out afterwards)."""
