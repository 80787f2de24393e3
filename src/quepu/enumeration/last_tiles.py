"""Readings on arrays, each with every tile that may have come last: the best reading for each tile is counted.

Where the tile stands and what it leaves concealed is decided by the single scorer's own rules (`hands.win.placed` as a
table). The part of a reading's signature that no winning tile changes is computed once, before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from quepu.batch.classes import Classes, Column
from quepu.batch.numba_loops import standing
from quepu.batch.readings import WAIT_PLANES, Gathered
from quepu.batch.win_place_table import Choices, cases, choices
from quepu.tiles import BIT, KINDS

Array = Any
CHUNK = 16_384
_MANY = 1 << 19
Progress = Callable[[int, int], None]
Add = Callable[..., None]
"""A `_Sums.add` of the census: name, class numbers, pungs, weight."""

WON = frozenset({"win", "place", "pc", *WAIT_PLANES})
"""Planes that the winning tile decides."""

KIND_OF = np.zeros(64, np.int64)
KIND_OF[[bit.bit_length() - 1 for bit in BIT]] = np.arange(KINDS)
"""The kind whose plane is this bit."""
POWER = np.array([5 ** (kind % 9) for kind in range(KINDS)])
"""What a tile of each kind adds to the key of its suit."""


class Last(NamedTuple):
    """One tile of each of some hands: which hands of a block, the tile's plane and kind."""

    of: Array
    win: Array
    kind: Array


def lasts(tiles: Array) -> Iterator[Last]:
    """Every tile of each plane once: the first of each hand, then the second of those that have two, and so on."""
    of = np.flatnonzero(tiles)
    left = tiles[of]
    while of.size:
        win = left & -left
        yield Last(of, win, KIND_OF.take(np.bitwise_count(win - 1)))
        left = left ^ win
        some = np.flatnonzero(left)
        if some.size < of.size:
            of, left = of[some], left[some]


class _Won(Gathered):
    """Readings with a winning tile, out of the planes of readings without."""

    def __init__(self, source: Any, index: Array, own: dict[str, Any], waits: Callable[[], tuple[Array, ...]]) -> None:
        super().__init__(source, index, own)
        self._waits = waits

    def __getattr__(self, name: str) -> Any:
        if name not in WAIT_PLANES:
            return super().__getattr__(name)
        self.__dict__.update(zip(WAIT_PLANES, self._waits(), strict=True))
        return self.__dict__[name]


class Block(NamedTuple):
    """Arrays of readings, and which tiles may have come last in each."""

    h: Any  # their planes
    start: Array  # uint64: what no winning tile changes, of their hash
    tiles: Array  # the tiles that may have come last
    own: Array  # chows that were not claimed
    p: Array  # pungs that were not claimed
    pair: Any
    weight: Array
    pungs: Array
    copies: tuple[Array, Array, Array]  # planes of the tiles of which a second, third, fourth may have come last
    waits: Callable[[Last], tuple[Array, ...]]


class _Ways(NamedTuple):
    """Readings with the tile that came last, and every place where it may stand."""

    of: Array  # which readings of the block
    win: Array
    case: Array  # see `quepu.batch.win_place_table`
    p: Array  # pungs that were not claimed
    start: Array
    waits: Callable[[], tuple[Array, ...]]

    def some(self, index: Array) -> _Ways:
        """A part of them."""
        of, win, case, p, start = (column[index] for column in self[:5])
        waits = self.waits
        return _Ways(of, win, case, p, start, _once(lambda: tuple(x[index] for x in waits())))

    def numbers(self, classes: Classes, columns: list[Column], where: Choices, j: int, source: Any) -> Array:
        """The classes with the tile in the j-th of the places where it may stand."""
        concealed = self.p & ~(self.win & where.loses[j].take(self.case))
        own = {"win": self.win, "place": where.place[j].take(self.case), "pc": concealed}
        h = _Won(source, self.of, own, self.waits)
        return classes.numbers(classes.hash(h, columns, self.start), h)


def _ways(last: Last, block: Block, luck: int) -> _Ways:
    of, win, kind = last
    own, p = block.own.take(of), block.p.take(of)
    pair = block.pair.take(of) if isinstance(block.pair, np.ndarray) else block.pair
    case = cases(kind, np.full(len(of), luck, np.int64)) | standing(own, pair, p, 0, win, np.uint16(1))
    return _Ways(of, win, case, p, block.start.take(of), _once(lambda: block.waits(last)))


def count_block(classes: Classes, columns: list[Column], looks: bool, luck: int, block: Block, add: Add) -> None:
    """Every reading of a block with every tile that may have come last: the readings, and the best for each tile."""
    where = choices(looks)
    for last in lasts(block.tiles):
        ways = _ways(last, block, luck)
        pungs = block.pungs.take(last.of)
        times = 1 + sum(((more.take(last.of) & last.win) != 0).astype(np.int64) for more in block.copies)
        weight = block.weight.take(last.of) * times
        best = ways.numbers(classes, columns, where, 0, block.h)
        add("readings", best, pungs)
        add("reading_sets", best, pungs, weight)
        several = where.number.take(ways.case)
        j, some = 1, np.flatnonzero(several > 1)
        while some.size:
            more = ways.some(some).numbers(classes, columns, where, j, block.h)
            add("readings", more, pungs[some])
            add("reading_sets", more, pungs[some], weight[some])
            better = _better(classes, more, best[some])
            best[some[better]] = more[better]
            j += 1
            some = some[several[some] > j]
        add("hands", best, pungs)
        add("sets", best, pungs, weight)


def _better(classes: Classes, a: Array, b: Array) -> Array:
    """Whether readings of classes `a` score higher than those of `b`, which came first: bool [N]."""
    points, other = classes.points.take(a).astype(np.int64), classes.points.take(b).astype(np.int64)
    total, others = points + classes.bonus.take(a), other + classes.bonus.take(b)
    return (total > others) | (total == others) & (points > other)


def _once(compute: Callable[[], tuple[Array, ...]]) -> Callable[[], tuple[Array, ...]]:
    cached: list[tuple[Array, ...]] = []

    def once() -> tuple[Array, ...]:
        if not cached:
            cached.append(compute())
        return cached[0]

    return once


class Gathering:
    """Buffer that adds counts a million at a time: a sum over tens of thousands of classes costs more than a block."""

    def __init__(self, add: Add) -> None:
        self._add = add
        self._held: dict[str, list[tuple[Array, ...]]] = {}
        self._sizes: dict[str, int] = {}

    def add(self, name: str, numbers: Array, pungs: Array, weight: Array | None = None) -> None:
        """As `_Sums.add`."""
        columns = (numbers, pungs) if weight is None else (numbers, pungs, weight)
        self._held.setdefault(name, []).append(columns)
        self._sizes[name] = self._sizes.get(name, 0) + len(numbers)
        if self._sizes[name] >= _MANY:
            self._flush(name)

    def _flush(self, name: str) -> None:
        columns = [np.concatenate(column) for column in zip(*self._held.pop(name), strict=True)]
        self._sizes[name] = 0
        self._add(name, *columns)

    def close(self) -> None:
        """Add what is left."""
        for name in list(self._held):
            self._flush(name)
