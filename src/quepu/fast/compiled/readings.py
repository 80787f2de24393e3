"""Readings by the compiled loop of `reading_loops`, the same as those of `quepu.fast.arrays.readings`.

Shapes that are melds and a pair are read by that loop, whole shapes by a loop generated from their own functions; any
other shape is read on arrays.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from quepu.fast.arrays.hand_arrays import BITS, Wins, meld_table
from quepu.fast.arrays.readings import Gathered, Readings
from quepu.fast.arrays.sets import RANKS, Read
from quepu.fast.arrays.shapes import OWN, less, read_shape, wholes
from quepu.fast.arrays.suit_tables import honours, suit
from quepu.fast.arrays.waits import WAIT_PLANES
from quepu.fast.arrays.waits import waits as all_waits
from quepu.fast.arrays.win_places import choices
from quepu.fast.compiled import reading_loops as walk
from quepu.fast.compiled.code_cache import CachedCode
from quepu.fast.compiled.conditions import Fused, fused
from quepu.hands.hand import Luck
from quepu.hands.planes import Planes
from quepu.shapes import SHAPES
from quepu.tiles import KINDS

Array = Any
_HANDS = ("t1", "t2", "t3", "t4", "o1", "o2", "o3", "o4", "xp", "k", "kc", "win")
_SUITS = 5**9
_LOOPS = ("walk", "fours", "chosen")


@cache
def loops() -> CachedCode:
    """The loops, as text for numba."""
    functions = [name for name, what in vars(walk).items() if inspect.isfunction(what)]
    text = inspect.getsource(walk) + "\n\nimport numba\n\n"
    for name in functions:
        how = "cache=True" if name in _LOOPS else 'inline="always"'
        text += f"{name} = numba.njit({how})({name})\n"
    return CachedCode("walk", text)


class _Tables(NamedTuple):
    """Tables of the loops. In those indexed by key, the honours follow the suits."""

    bits: Array  # int64 [35]: the plane of each kind, none for -1
    five: Array  # int64 [35]: what a tile of each kind adds to its suit's key
    start: Array  # int64 [4]: the place of each suit's first key
    end: Array  # int64 [4]: the last
    lookup: Array  # int64 [keys, 2]: levels; entry, and from bit AHEAD on ahead
    splits: Array  # int64 [splits]: c1, p, pair, c2, c3, c4, nine bits each


@cache
def suit_arrays() -> _Tables:
    """The tables, made once."""
    both = (suit(), honours())
    levels, entry, ahead = (
        np.concatenate([getattr(lane, name) for lane in both]).astype(np.int64) for name in ("levels", "entry", "ahead")
    )
    first = walk.ENTRY_FIRST  # those of the honours stand behind those of the suits
    entry = np.where(np.arange(len(entry)) < _SUITS, entry, entry & ~first | (entry & first) + suit().planes.shape[1])
    c1, c2, c3, c4, p, pair = np.concatenate([lane.planes for lane in both], axis=1)
    splits = sum(plane << 9 * at for at, plane in enumerate((c1, p, pair, c2, c3, c4)))
    return _Tables(
        BITS,
        np.array([*(5 ** (kind % 9) for kind in range(KINDS)), 0]),
        np.array([0, 0, 0, _SUITS]),
        np.array([_SUITS, _SUITS, _SUITS, len(levels)]) - 1,
        np.stack([levels, entry | ahead << walk.AHEAD], axis=1),
        splits,
    )


def ways_to_stand(shapes: tuple[str, ...]) -> Array:
    """The ways to stand of those shapes that are melds and a pair: int64 [ways, 8], columns as `apart` has them."""
    ways = []
    for n, name in enumerate(shapes):
        sets = SHAPES[name].sets
        for m, beside in enumerate(sets.beside if sets else ()):
            rank = n * RANKS + walk.PLACES * walk.WAYS_APART * m
            form = sets.form if sets else 0
            ways.append((form, beside, SHAPES[name].melds, rank, *less((beside,))[:, 0].tolist()))
    return np.array(ways, np.int64).reshape(-1, 8)


def chosen(n: int, found: Readings, points: Array, bonus: Array) -> Array:
    """As `quepu.fast.engine.choose`, by loop."""
    best = np.empty(n, np.int64)
    loops().functions.chosen(found.of, found.rank, points, bonus, best)
    return best


class Walker:
    """Reads hands under some shapes."""

    def __init__(self, shapes: Sequence[str], reads: frozenset[str]) -> None:
        self.shapes = tuple(shapes)
        self.reads = reads
        self._ways = ways_to_stand(self.shapes)
        self._fours = np.array(
            [
                (shape.fours.form, shape.fours.number, n * RANKS)
                for n, shape in enumerate(SHAPES[name] for name in self.shapes)
                if shape.fours
            ],
            np.int64,
        )
        self._wants_waits = not reads.isdisjoint(WAIT_PLANES)
        self._wholes = [
            (n, shape, shape.whole)
            for n, shape in enumerate(SHAPES[name] for name in self.shapes)
            if shape.whole and shape.whole.bare
        ]
        self._find: Fused | None = fused(self._line) if self._wholes else None
        if self._find is None:  # there are none, or one cannot be expressed in symbols
            self._wholes = []
        found = [n for n, _, _ in self._wholes]
        self._others = [
            (n, s)
            for n, s in enumerate(self.shapes)
            if SHAPES[s].sets is None and SHAPES[s].fours is None and n not in found
        ]

    @property
    def compiled(self) -> bool:
        """Whether all of its code is cached."""
        return loops().there and (self._find is None or self._find.compiled)

    def load(self) -> None:
        """Compile it now, or load it from the cache."""
        nothing = np.zeros(0, np.int32)
        chosen(0, self.read(Wins(np.zeros((0, KINDS), np.uint8))), nothing, nothing)

    def _line(self, h: Planes) -> list[Any]:
        """Of one hand, as symbols: which whole shapes it is, its waits under those, which of them end in a pair."""
        there: Any = 0
        found: Any = 0
        in_pair: Any = 0
        t1, t2, t3, t4 = walk.without(h.t1, h.t2, h.t3, h.t4, h.win)
        before: Any = h._replace(t1=t1, t2=t2, t3=t3, t4=t4, luck=h.luck & ~int(Luck.CLOSED))
        for k, (_, shape, whole) in enumerate(self._wholes):
            there = there | whole.when(h) * (1 << k)
            if self._wants_waits:
                more, pairs = shape.waits(before)
                found, in_pair = found | more, in_pair | pairs
        bare = (h.o1 | h.xp | h.kc) == 0
        return [x * bare for x in (there, found, in_pair)]

    def read(self, wins: Wins) -> Readings:
        """Every reading of these hands as `quepu.fast.arrays.readings.read` gives them, in another order."""
        n = wins.n
        block = self._walk(wins)
        if self._find:
            there, found, in_pair = self._find(wins, n)
            for k, (m, _, whole) in enumerate(self._wholes):
                these = np.flatnonzero(there & 1 << k)
                if these.size:
                    block.add(wholes(whole, these, wins), m)
            if self._wants_waits:
                block.waits[0, :n] |= found
                block.waits[1, :n] |= in_pair
        for m, name in self._others:
            for part in read_shape(name, wins, self.reads):
                block.add(part, m)
        if self._wants_waits:
            block.waits[2, :n] = all_waits(wins, [name for _, name in self._others], block.waits[:2, :n])[2]
        return block.readings(wins, self._wants_waits)

    def _walk(self, wins: Wins) -> _Block:
        """The readings that are melds and a pair."""
        n = wins.n
        counts = np.require(wins.counts, np.uint8, ("C", "A", "W"))
        melds = np.full((n, 0, 2), -1, np.int8) if wins.meld_array is None else wins.meld_array
        melds = np.require(melds, np.int8, ("C", "A", "W"))
        arrays, choice = suit_arrays(), choices("place" in self.reads)
        tables = (*arrays, meld_table(), *choice)
        placing = (arrays.bits, arrays.five, arrays.start, arrays.lookup, arrays.splits, *choice)
        block = _Block(n, n + n // 2 + 64)
        while True:
            block.end = loops().functions.walk(
                (counts, melds, wins.winning, wins.case), tables, self._ways, self._wants_waits, block.planes,
                block.numbers, block.waits, block.own, block.index,
            )  # fmt: skip
            if len(self._fours):
                block.end = loops().functions.fours(
                    (counts, wins.winning, wins.case), placing, self._fours, self._wants_waits, block.planes,
                    block.waits, block.own, block.index, block.end,
                )  # fmt: skip
            if block.end <= block.index.shape[1]:
                break
            block = _Block(n, 2 * block.end)
        wins.know(dict(zip((*_HANDS, "melds", "kongs"), (*block.planes[:, :n], *block.numbers), strict=True)))
        return block


class _Block:
    """Readings of some hands, the first of each at the hand's own number, with room for more behind."""

    def __init__(self, hands: int, room: int) -> None:
        self.hands = hands
        self.end = hands
        self.numbers = np.empty((2, hands), np.uint8)
        self.planes, self.waits, self.own, self.index = (
            np.empty((rows, room), np.int64) for rows in (len(_HANDS), len(WAIT_PLANES), len(OWN), 2)
        )

    def add(self, part: Read, shape: int) -> None:
        """Readings of the shape of this number."""
        of = part.of
        taken = self.index[1, of] >= 0
        if (of[1:] <= of[:-1]).any():
            taken[np.setdiff1d(np.arange(len(of)), np.unique(of, return_index=True)[1])] = True
        more = np.flatnonzero(taken)
        start, self.end = self.end, self.end + len(more)
        if self.end > self.index.shape[1]:
            self.planes, self.waits, self.own, self.index = (
                np.concatenate([x, np.empty((len(x), self.end), np.int64)], axis=1)
                for x in (self.planes, self.waits, self.own, self.index)
            )
        to = of.copy()
        to[more] = np.arange(start, self.end)
        self.index[0, to], self.index[1, to] = of, part.rank + shape * RANKS
        for row, plane in zip(self.own, part[2:], strict=True):
            row[to] = plane

    def readings(self, wins: Wins, wants_waits: bool) -> Readings:
        """All readings that were added; with waits, if those are read."""
        n, end = self.hands, self.end
        of = self.index[0, :end]
        by_hand = [
            *zip(_HANDS, self.planes, strict=True),
            *(zip(WAIT_PLANES, self.waits, strict=True) if wants_waits else ()),
        ]
        for _, row in by_hand:
            row[n:end] = row[of[n:]]
        planes: dict[str, Any] = dict.fromkeys(WAIT_PLANES, 0)
        planes |= {name: row[:end] for name, row in (*by_hand, *zip(OWN, self.own, strict=True))}
        rank = self.index[1, :end]
        if (rank[:n] >= 0).all():
            return Readings(of, rank, Gathered(wins, of, planes, n))
        there = np.flatnonzero(rank >= 0)
        planes = {name: row[there] if isinstance(row, np.ndarray) else row for name, row in planes.items()}
        return Readings(of[there], rank[there], Gathered(wins, of[there], planes))
