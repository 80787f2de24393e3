"""Every reading of many hands at once: `quepu.readings` on arrays, reading for reading and in the same order.

A shape is a function from `Wins` to `Read`s. Shapes that have no array form here are asked hand by hand through
`quepu.shapes.SHAPES`, for the hands that pass a cheap test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from quepu.batch.tables import lanes, shifted
from quepu.batch.wins import BITS, Wins, add_chows, held_four
from quepu.hand import Luck
from quepu.planes import (
    EDGE,
    GAP,
    HONOUR_TILES,
    KNITTED,
    LOOSE,
    OPEN_END,
    ORPHANS,
    OUTER,
    PAIRS,
    PUNG_PLACE,
    SINGLE,
    STANDARD,
    SUIT_TILES,
)
from quepu.readings import wait_planes
from quepu.shapes import KNITTED_LINES, SHAPES
from quepu.suits import KEY, KEY_BITS, KEY_MASK
from quepu.tiles import kinds_of
from quepu.win import Win as OneWin

Array = Any
OWN = ("c1", "c2", "c3", "c4", "p", "pc", "pair", "form", "place")
"""The planes that differ from reading to reading; the others belong to the hand."""


class Read(NamedTuple):
    """Some readings: the hands they are of, their place among that hand's readings of this shape, their own planes.

    (p and pc are with the melds.)
    """

    of: Array
    rank: Array  # below _RANKS
    c1: Array
    c2: Array
    c3: Array
    c4: Array
    p: Array
    pc: Array
    pair: Array
    form: Array
    place: Array


_RANKS = 1 << 12


class Gathered:
    """Planes of readings out of planes of hands: a field is picked out when first asked for."""

    def __init__(self, source: Any, index: Array | None, own: dict[str, Any]) -> None:
        self._source = source
        self._index = index
        self.__dict__.update(own)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._source, name)
        if self._index is not None and isinstance(found, np.ndarray):
            found = found[self._index]
        self.__dict__[name] = found
        return found


class Readings(NamedTuple):
    """All readings of some hands: `of` is the hand of each, `rank` its place among that hand's readings."""

    of: Array
    rank: Array
    h: Gathered


def read(wins: Wins, shapes: Sequence[str], reads: frozenset[str]) -> Readings:
    """Every reading of these hands, shape after shape; the readings of a hand need not lie together."""
    parts = [
        part._replace(rank=part.rank + n * _RANKS)
        for n, shape in enumerate(shapes)
        for part in _shape(shape, wins, reads)
    ]
    if not parts:
        parts = [_empty()]
    columns = [np.concatenate(column) if len(column) > 1 else column[0] for column in zip(*parts, strict=True)]
    of, rank = columns[:2]
    everyone = len(of) == wins.n and len(parts) == 1 and bool((of[1:] > of[:-1]).all())
    h = Gathered(_Waiting(wins, shapes, reads), None if everyone else of, dict(zip(OWN, columns[2:], strict=True)))
    return Readings(of, rank, h)


class _Waiting:
    """The planes of the hands, waits worked out only if somebody looks at them."""

    def __init__(self, wins: Wins, shapes: Sequence[str], reads: frozenset[str]) -> None:
        self._wins = wins
        self._shapes = shapes
        self._wanted = not reads.isdisjoint(WAIT_PLANES)

    def __getattr__(self, name: str) -> Any:
        if name in WAIT_PLANES:
            found = waits(self._wins, self._shapes) if self._wanted else (0, 0, 0)
            self.__dict__.update(zip(WAIT_PLANES, found, strict=True))
            return self.__dict__[name]
        return getattr(self._wins, name)


def _empty() -> Read:
    none = np.zeros(0, np.int64)
    return Read(*(none,) * len(Read._fields))


def _shape(name: str, wins: Wins, reads: frozenset[str]) -> Iterator[Read]:
    shape = ARRAYS.get(name)
    yield from shape(wins, reads) if shape is not None else _one_by_one(name, wins, reads)


# ---- four melds and a pair


def _options(keys: Array, index: Array | None) -> Array:
    """Which of the hands with these keys of concealed tiles come apart into melds and one pair: their numbers."""
    code = np.zeros(keys.shape[1], np.uint8)
    for lane, key in zip(lanes(), keys, strict=True):
        code += lane.code[key]
    fine = np.flatnonzero(code == 1)
    return fine if index is None else index[fine]


class _Split(NamedTuple):
    """Ways to take concealed tiles apart: the hands, which way it is (as `quepu.readings` orders them), the planes."""

    of: Array
    rank: Array
    planes: list[Array]  # c1 c2 c3 c4 p pair of the concealed tiles


def _splits(keys: Array, index: Array) -> _Split:
    """Every way to take the concealed tiles of these hands apart."""
    rows = [lane.first[key[index]] for lane, key in zip(lanes(), keys, strict=True)]
    several = [lane.number[key[index]] for lane, key in zip(lanes()[:3], keys[:3], strict=True)]
    of, rank = [index], [np.zeros(len(index), np.int64)]
    columns: list[list[Array]] = [[row] for row in rows]
    many = np.flatnonzero((several[0] | several[1] | several[2]) > 1)
    if many.size:
        few = [number[many] for number in several]
        most = [int(number.max()) for number in few]
        for a in range(most[0]):
            for b in range(most[1]):
                for c in range(most[2]):
                    if a or b or c:
                        some = many[(few[0] > a) & (few[1] > b) & (few[2] > c)]
                        of.append(index[some])
                        rank.append(np.full(len(some), 16 * a + 4 * b + c))
                        for column, row, step in zip(columns, rows, (a, b, c, 0), strict=True):
                            column.append(row[some] + step)
    return _Split(np.concatenate(of), np.concatenate(rank), _planes([np.concatenate(column) for column in columns]))


def _planes(rows: Sequence[Array]) -> list[Array]:
    m, p, s, z = shifted()
    found = [m[i].take(rows[0]) | p[i].take(rows[1]) | s[i].take(rows[2]) for i in range(6)]
    for i in (4, 5):  # the honours have no chows
        found[i] |= z[i].take(rows[3])
    return found


def _placed(wins: Wins, reads: frozenset[str], form: int, split: _Split, line: Array | None = None) -> Iterator[Read]:
    """A reading for each part that the winning tile may finish (see `quepu.readings.placed`)."""
    of, ways, (own, c2, c3, c4, p, pair) = split
    chows = (own, c2, c3, c4)
    looks = "place" in reads
    w = wins.win[of]
    drawn = (wins.given_luck[of] & int(Luck.SELF_DRAW)) != 0
    chow_w = np.where(w < 1 << 48, w, 0)
    first = own & chow_w != 0
    second = own & chow_w >> 2 != 0
    third = own & chow_w >> 1 != 0
    alone = pair & w != 0
    in_pung = p & w != 0
    first_place = np.where(w & 0x0040_0040_0040 != 0, EDGE, OPEN_END)
    second_place = np.where(w & 0x0004_0004_0004 != 0, EDGE, OPEN_END)
    pung_pc = np.where(drawn, p, p & ~w)
    if looks:
        second &= ~first | (first_place != second_place)
    else:
        second &= ~first
        third &= ~(first | second)
        alone &= ~(first | second | third)
        in_pung &= ~(first | second | third | alone) | (pung_pc != p)
    choices: list[tuple[Array, Any]] = [
        (w == 0, 0), (first, first_place), (second, second_place), (third, GAP), (alone, SINGLE), (in_pung, PUNG_PLACE),
    ]  # fmt: skip
    if line is not None:  # 组合龙: the winning tile may stand in the line
        in_line = (line & w) != 0
        choices.append((in_line if looks else in_line & ~(first | second | third | alone | in_pung), 0))
    taken = [np.flatnonzero(which) for which, _ in choices]
    some = np.concatenate(taken)
    if not some.size:
        return
    place = np.concatenate(
        [
            where[index] if isinstance(where, np.ndarray) else np.full(len(index), where)
            for index, (_, where) in zip(taken, choices, strict=True)
        ]
    )
    rank = 8 * ways[some] + np.repeat(np.arange(len(taken)), [len(index) for index in taken])
    own_p = p[some]
    pc = np.where(place == PUNG_PLACE, pung_pc[some], own_p)
    hands = of[some]
    planes = tuple(plane[some] for plane in chows)
    if wins.meld_array is not None:
        planes = add_chows(planes, [bit[hands] for bit in wins.chow_slots])
        own_p, pc = own_p | wins.meld_p[hands], pc | wins.kc[hands]
    columns: Any = (hands, rank, *planes, own_p, pc, pair[some], np.full(len(some), form), place)
    yield Read(*columns)


def _standard(wins: Wins, reads: frozenset[str]) -> Iterator[Read]:
    index = _options(wins.keys, None)
    if index.size:
        yield from _placed(wins, reads, STANDARD, _splits(wins.keys, index))


def _knitted(wins: Wins, reads: frozenset[str]) -> Iterator[Read]:
    few = _near_line(wins, wins.t1, 0)
    if not few.size:
        return
    held = _concealed_plane(wins.keys[:, few])
    for n, line in enumerate(KNITTED_LINES):
        index = few[held & line == line]
        if index.size:
            keys = wins.keys[:, index] - _less(line)
            fine = _options(keys, None)
            if fine.size:
                split = _splits(keys, fine)
                part = _Split(index[split.of], split.rank + 64 * n, split.planes)
                yield from _placed(wins, reads, KNITTED, part, np.full(len(part.of), line))


def _near_line(wins: Wins, t1: Array, lacking: int) -> Array:
    """The hands of at most one meld whose tiles (at least one copy: t1) may hold a line of 组合龙 but for some."""
    few = np.flatnonzero((np.bitwise_count(t1 & SUIT_TILES) >= 9 - lacking) & (wins.melds <= 1))
    t1 = t1[few]
    near = np.zeros(len(few), np.bool_)
    for line in KNITTED_LINES:
        missing = line & ~t1
        near |= (missing & missing - 1 == 0) if lacking else missing == 0
    return few[near]


def _concealed_plane(keys: Array) -> Array:
    """The tiles held at least once, by the keys of the concealed tiles."""
    m, p, s, z = (lane.levels[key] & 0xFFFF for lane, key in zip(lanes(), keys, strict=True))
    return m | p << 16 | s << 32 | z << 48


# ---- shapes without melds


def _whole(wins: Wins, which: Array, form: int, pair: Array | None, place: Array | int) -> Iterator[Read]:
    of = np.flatnonzero(which & wins.bare)
    if of.size:
        none = np.zeros(len(of), np.int64)
        places = place[of] if isinstance(place, np.ndarray) else np.full(len(of), place, np.int64)
        own = none if pair is None else pair[of]
        yield Read(of, none, none, none, none, none, none, none, own, np.full(len(of), form, np.int64), places)


def _pairs(wins: Wins, _reads: frozenset[str]) -> Iterator[Read]:
    which = (wins.t1 == wins.t2) & (wins.t3 == 0) & (np.bitwise_count(wins.t1) == 7)
    yield from _whole(wins, which, PAIRS, wins.t1, SINGLE)


def _any_pairs(wins: Wins, _reads: frozenset[str]) -> Iterator[Read]:
    pairs = np.bitwise_count(wins.t1) + np.bitwise_count(wins.t3)
    which = (wins.t1 == wins.t2) & (wins.t3 == wins.t4) & (pairs == 7)
    yield from _whole(wins, which, PAIRS, wins.t1, SINGLE)


def _orphans(wins: Wins, _reads: frozenset[str]) -> Iterator[Read]:
    which = (wins.t1 == OUTER) & (wins.t3 == 0)
    yield from _whole(wins, which, ORPHANS, wins.t2, np.where(wins.t2 == wins.win, SINGLE, 0))


def _loose(wins: Wins, _reads: frozenset[str]) -> Iterator[Read]:
    numbers = wins.t1 & ~HONOUR_TILES
    inside = np.zeros(wins.n, np.bool_)
    for line in KNITTED_LINES:
        inside |= numbers & ~line == 0
    yield from _whole(wins, inside & (wins.t2 == 0), LOOSE, None, 0)


ARRAYS: dict[str, Callable[[Wins, frozenset[str]], Iterator[Read]]] = {
    "standard": _standard,
    "pairs": _pairs,
    "any_pairs": _any_pairs,
    "orphans": _orphans,
    "loose": _loose,
    "knitted": _knitted,
}
"""Shapes that are read on arrays."""


def _one_by_one(name: str, wins: Wins, reads: frozenset[str]) -> Iterator[Read]:
    likely: Any = may_win(wins) if (may_win := SHAPES[name].may_win) else True  # type: ignore[arg-type]  # stands in for Planes
    asked = np.flatnonzero(np.broadcast_to(likely, (wins.n,)))
    found: list[tuple[int, ...]] = []
    for i in asked.tolist():
        win = OneWin(wins.hand(i), reads)
        for rank, reading in enumerate(SHAPES[name].read(win)):
            found.append((i, rank, *(int(getattr(reading.h, plane)) for plane in OWN)))
    if found:
        yield Read(*np.array(found, np.int64).T)


# ---- what the hands waited for

WAIT_PLANES = ("waits", "pair_waits", "dead_waits")


def waits(wins: Wins, shapes: Sequence[str]) -> tuple[Array, Array, Array]:
    """The planes `waits`, `pair_waits`, `dead_waits` of each hand as it was before its winning tile."""
    found = np.zeros(wins.n, np.int64)
    in_pair = np.zeros(wins.n, np.int64)
    dead = np.zeros(wins.n, np.int64)
    by_hand = tuple(shape for shape in shapes if shape not in WAITS)
    for shape in shapes:
        if shape in WAITS:
            more, pairs = WAITS[shape](wins)
            found |= more
            in_pair |= pairs
    held = held_four(wins)
    dead |= found & held
    found &= ~held
    in_pair &= ~held
    if by_hand:
        maybe = np.zeros(wins.n, np.bool_)
        before = Gathered(wins, None, dict(zip(("t1", "t2", "t3", "t4"), _before(wins), strict=True)))
        for shape in by_hand:
            maybe |= may_wait(before) if (may_wait := SHAPES[shape].may_wait) else True
        for i in np.flatnonzero(maybe).tolist():
            a, b, c = wait_planes(wins.hand(i), by_hand)
            found[i] |= a
            in_pair[i] |= b
            dead[i] |= c
    return found, in_pair, dead


def waits_of(keys: Array) -> tuple[Array, Array]:
    """What completes these concealed tiles (keys of four suits [4, N]) to melds and one pair."""
    codes = [lane.code[key] for lane, key in zip(lanes(), keys, strict=True)]
    total = codes[0] + codes[1] + codes[2] + codes[3]
    found = np.zeros(keys.shape[1], np.int64)
    in_pair = np.zeros_like(found)
    for s, (lane, key) in enumerate(zip(lanes(), keys, strict=True)):
        # the other suits are complete, and with what this suit becomes there is one pair
        some = np.flatnonzero(total - codes[s] + ((lane.tiles[key] + 1) % 3 == 2) == 1)
        found[some] |= lane.waits[key[some]].astype(np.int64) << 16 * s
        in_pair[some] |= lane.pair_waits[key[some]].astype(np.int64) << 16 * s
    return found, in_pair


def _standard_waits(wins: Wins) -> tuple[Array, Array]:
    return waits_of(wins.keys_before)


def _knitted_waits(wins: Wins) -> tuple[Array, Array]:
    found = np.zeros(wins.n, np.int64)
    in_pair = np.zeros_like(found)
    few = _near_line(wins, wins.t1, 1)
    keys = wins.keys_before[:, few]
    held = _concealed_plane(keys)
    for line in KNITTED_LINES:
        lacking = line & ~held
        close = np.flatnonzero(lacking & lacking - 1 == 0)
        if not close.size:
            continue
        whole = close[lacking[close] == 0]
        if whole.size:
            more, pairs = waits_of(keys[:, whole] - _less(line))
            found[few[whole]] |= more
            in_pair[few[whole]] |= pairs
        for kind in kinds_of(line):
            some = close[lacking[close] == BITS[kind]]
            if some.size:
                rest = keys[:, some] - _less(line & ~int(BITS[kind]))
                found[few[some[_options(rest, None)]]] |= BITS[kind]
    return found, in_pair


@cache
def _less(line: int) -> Array:
    """The keys of some tiles, one of each: int32 [4, 1]."""
    taken = sum(KEY[kind] for kind in kinds_of(line))
    return np.array([[taken >> s * KEY_BITS & KEY_MASK] for s in range(4)], np.int32)


def _before(wins: Wins) -> tuple[Array, Array, Array, Array]:
    """The tile planes without the winning tile."""
    w = wins.win
    return wins.t1 & ~(w & ~wins.t2), wins.t2 & ~(w & ~wins.t3), wins.t3 & ~(w & ~wins.t4), wins.t4 & ~w


def _pairs_waits(wins: Wins) -> tuple[Array, Array]:
    t1, t2, t3, _ = _before(wins)
    fits = wins.bare & (np.bitwise_count(t2) == 6) & (t3 == 0) & (np.bitwise_count(t1) == 7)
    found = np.where(fits, t1 ^ t2, 0)
    return found, found


def _any_pairs_waits(wins: Wins) -> tuple[Array, Array]:
    t1, t2, t3, t4 = _before(wins)
    odd = t1 ^ t2 | t3 ^ t4
    fits = wins.bare & (np.bitwise_count(odd) == 1)
    found = np.where(fits, odd, 0)
    return found, found


def _orphans_waits(wins: Wins) -> tuple[Array, Array]:
    t1, t2, t3, _ = _before(wins)
    outer = wins.bare & (t1 & ~OUTER == 0) & (t3 == 0)
    all_of_them = np.where(outer & (t1 == OUTER) & (t2 == 0), OUTER, 0)
    missing = OUTER & ~t1
    last = np.where(outer & (np.bitwise_count(missing) == 1) & (np.bitwise_count(t2) == 1), missing, 0)
    return all_of_them | last, all_of_them


def _loose_waits(wins: Wins) -> tuple[Array, Array]:
    t1, t2, _, _ = _before(wins)
    found = np.zeros(wins.n, np.int64)
    for line in KNITTED_LINES:
        inside = wins.bare & (t2 == 0) & (t1 & ~(line | HONOUR_TILES) == 0)
        found |= np.where(inside, (line | HONOUR_TILES) & ~t1, 0)
    return found, np.zeros_like(found)


WAITS: dict[str, Callable[[Wins], tuple[Array, Array]]] = {
    "standard": _standard_waits,
    "pairs": _pairs_waits,
    "any_pairs": _any_pairs_waits,
    "orphans": _orphans_waits,
    "loose": _loose_waits,
    "knitted": _knitted_waits,
}
"""Waits of shapes on arrays (tiles held four times are taken out afterwards)."""
