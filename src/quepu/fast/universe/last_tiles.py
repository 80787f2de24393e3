"""Readings with every last tile in every place it can be; the plain twin is `quepu.hands.win.place_winning_tile`.

The single scorer's own rules decide where the tile can be and which tiles it leaves concealed (the plain twin as a
table). The part of a reading's signature that no winning tile changes is computed once, before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.conditions import planes_at
from quepu.fast.arrays.readings import WAIT_PLANES, Gathered
from quepu.fast.arrays.win_places import Choices, cases, choices
from quepu.fast.compiled.reading_loops import standing, without
from quepu.fast.universe.classes import Column, Signatures
from quepu.shapes import SHAPES
from quepu.tiles import BIT, KINDS

Array = NDArray[Any]
CHUNK = 16_384
Progress = Callable[[int, int], None]
PLACE = "place"
WON = frozenset({"win", PLACE, "pc", *WAIT_PLANES})
"""Planes that the winning tile decides."""

KIND_OF = np.zeros(64, np.int64)
KIND_OF[[bit.bit_length() - 1 for bit in BIT]] = np.arange(KINDS)
"""The kind whose plane is this bit."""
POWER = np.array([5 ** (kind % 9) for kind in range(KINDS)])
"""The part of a tile of each kind in the key of its suit."""


class Basis(NamedTuple):
    """The basis that hands are sorted on: conditions, shapes, and the planes that a book reads."""

    classes: Signatures
    shapes: tuple[str, ...]
    reads: frozenset[str]

    @property
    def looks(self) -> bool:
        """Whether the place of the winning tile is read."""
        return PLACE in self.reads


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
    case: Array  # see `quepu.fast.arrays.sets`
    p: Array  # pungs that were not claimed
    start: Array
    waits: Callable[[], tuple[Array, ...]]

    def some(self, index: Array) -> _Ways:
        """A part of them."""
        of, win, case, p, start = (column[index] for column in self[:5])
        waits = self.waits
        return _Ways(of, win, case, p, start, _once(lambda: tuple(x[index] for x in waits())))

    def numbers(self, classes: Signatures, columns: list[Column], where: Choices, j: int, source: Any) -> Array:
        """The classes with the tile in the j-th of the places where it may stand."""
        h = self._won(where, j, source)
        return classes.numbers(classes.hash(h, columns, self.start), h)

    def planes(self, where: Choices, source: Any, j: int, index: Array) -> Array:
        """The planes of a part of them with the tile in the j-th place: int64 [n, planes]."""
        return planes_at(self.some(index)._won(where, j, source), np.arange(len(index)))

    def _won(self, where: Choices, j: int, source: Any) -> _Won:
        concealed = self.p & ~(self.win & where.loses[j].take(self.case))
        own = {"win": self.win, "place": where.place[j].take(self.case), "pc": concealed}
        return _Won(source, self.of, own, self.waits)


def _ways(last: Last, block: Block, luck: int) -> _Ways:
    of, win, kind = last
    own, p = block.own.take(of), block.p.take(of)
    pair = block.pair.take(of) if isinstance(block.pair, np.ndarray) else block.pair
    case = cases(kind, np.full(len(of), luck, np.int64)) | standing(own, pair, p, 0, win, np.uint16(1))
    return _Ways(of, win, case, p, block.start.take(of), _once(lambda: block.waits(last)))


class Met(NamedTuple):
    """Readings that differ by the last tile, each in every place where that tile may stand."""

    pungs: Array
    weight: Array
    numbers: list[tuple[Array, Array]]  # for each place: which of the readings have it, and their classes there
    planes: Callable[[int, Array], Array]  # of some readings by their number, with the tile in the j-th place


Take = Callable[[Met], None]


def take_block(classes: Signatures, columns: list[Column], looks: bool, luck: int, block: Block, take: Take) -> None:
    """Every reading of a block with every tile that may have come last."""
    where = choices(looks)
    for last in lasts(block.tiles):
        ways = _ways(last, block, luck)
        times = 1 + sum(((more.take(last.of) & last.win) != 0).astype(np.int64) for more in block.copies)
        every = np.arange(len(last.of))
        found = [(every, ways.numbers(classes, columns, where, 0, block.h))]
        several = where.number.take(ways.case)
        some = np.flatnonzero(several > 1)
        while some.size:
            j = len(found)
            found.append((some, ways.some(some).numbers(classes, columns, where, j, block.h)))
            some = some[several[some] > j + 1]
        planes = partial(ways.planes, where, block.h)
        take(Met(block.pungs.take(last.of), block.weight.take(last.of) * times, found, planes))


def _once(compute: Callable[[], tuple[Array, ...]]) -> Callable[[], tuple[Array, ...]]:
    cached: list[tuple[Array, ...]] = []

    def once() -> tuple[Array, ...]:
        if not cached:
            cached.append(compute())
        return cached[0]

    return once


def near_others(shapes: Sequence[str], shape: str, h: Any, luck: int) -> Array:
    """Whether thirteen of a hand's tiles may wait for another special one of these shapes: bool by hand."""
    held = np.bitwise_count(h.t1)
    near = np.zeros(len(held), np.bool_)
    for name in shapes:
        definition = SHAPES[name]
        if name == shape or definition.plain or (SHAPES[shape].plain and definition.single):
            continue
        low, high = definition.kinds
        some = np.flatnonzero(~near & (held >= low) & (held <= high + 1))
        if some.size and definition.may_wait is None:
            near[some] = True
        elif some.size and definition.may_wait is not None:
            part = _TileMemory(*(plane[some] for plane in (h.t1, h.t2, h.t3, h.t4)))
            for last in lasts(part.t1):
                near[some[last.of]] |= np.broadcast_to(
                    definition.may_wait(_WithoutTile(part, last, luck)), last.of.shape
                )
    return near


class _TileMemory(NamedTuple):
    t1: Array
    t2: Array
    t3: Array
    t4: Array


class _WithoutTile:
    """Tile planes of hands without one tile."""

    def __init__(self, h: Any, last: Last, luck: int) -> None:
        t1, t2, t3, t4 = (getattr(h, name).take(last.of) for name in ("t1", "t2", "t3", "t4"))
        self.t1, self.t2, self.t3, self.t4 = without(t1, t2, t3, t4, last.win)
        self.luck = luck
        self.k = 0
