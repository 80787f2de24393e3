"""Tables of the bot `gain` under a book, and room for it to work in; the twin is `fast.nearest.payable`.

A seat that goes for one fan has tables of its own, of the hands that have it.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.nearest.aimed import aimed
from quepu.fast.nearest.join import CHOOSE, half_places, unary
from quepu.fast.nearest.payable import payable
from quepu.fast.nearest.receipts import special_gain, ways_among
from quepu.fast.tables import aims
from quepu.fast.tables import columns as c
from quepu.fast.universe.hand_index import half, lane
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES, Shape
from quepu.shapes.automaton import automaton
from quepu.tiles import KINDS

Array = NDArray[Any]


def aim_tables(book: Rulebook) -> dict[int, Any]:
    """Return the entries of a context that the bot needs, by the names of `quepu.fast.tables.columns`."""
    table = payable(book)
    if not table.ready():
        table.prepare()
    shapes = special_shapes(book.shapes)
    starts, halves, choose, least = joins()
    found: dict[int, Any] = {
        c.AT_GAINS + 2 * double_wind + (not closed): table.table(closed, bool(double_wind))
        for double_wind in (0, 1)
        for closed in (True, False)
    }
    return found | shared_room() | {
        c.AT_READINGS: readings(), c.AT_STARTS: starts, c.AT_JOINS: halves, c.AT_CHOOSE: choose,
        c.AT_LEAST_BY_CLASS: least, c.READS_ROUND: int("round" in book.reads),
        c.AT_SPECIALS: np.array([parts for _, parts in shapes], np.int64).reshape(-1, 4),
        c.AT_SPECIAL_GAINS: np.array([special_gain(book, shape) for shape, _ in shapes]),
        c.AT_SPECIAL_WAYS: special_ways(), c.AT_VALUES: np.zeros(KINDS + 1),
    }  # fmt: skip


@lru_cache(2)
def aimed_tables(book: Rulebook, fan: str, double_wind: bool) -> dict[int, Any]:
    """Return the entries of a seat that goes for a fan; `double_wind`: its wind is the round's.

    A table without a hand that has the fan is empty, so that such hands are not looked for at every distance.
    """
    goal = aimed(book, fan)
    found: dict[int, Any] = {}
    for closed in (True, False):
        table = goal.table(closed, double_wind)
        for double in (0, 1):
            found[c.AT_AIMED + 2 * double + (not closed)] = table if table.any() else table[:0]
    gains = [
        special_gain(book, shape) if shape.name in goal.shapes else 0.0 for shape, _ in special_shapes(book.shapes)
    ]
    return found | {c.AT_AIMED_SPECIALS: np.array(gains)}


def special_shapes(shapes: tuple[str, ...]) -> list[tuple[Shape, tuple[int, int, int, int]]]:
    """List the shapes that `gain` aims at beside sets and a pair, as `quepu.fast.nearest.payable` does.

    With each the places of its first and last parts among those that `quepu.fast.nearest.distance` lists: of fours and
    pairs, and of single tiles.
    """
    found = []
    piles = singles = 0
    for shape in (SHAPES[name] for name in shapes):
        ends = piles + len(shape.made_of), singles + (len(shape.singles.planes) if shape.singles else 0)
        if shape.share and shape.whole is not None:
            found.append((shape, (piles, ends[0], singles, ends[1])))
        piles, singles = ends
    return found


@cache
def readings() -> Array:
    """Return the readings of a suit, then those of the honours: int64 [5, 24 031], a row for each of their numbers."""
    rows = [np.stack([of.tiles, of.chows, of.planes[:, 4], of.bare, of.pair]) for of in (lane(9), lane(7))]
    return np.ascontiguousarray(np.concatenate(rows, axis=1), np.int64)


@cache
def joins() -> tuple[Array, ...]:
    """Tabulate joins of suits to hands.

    Returns:
        Where the classes of readings begin, int64 [2, 11]; where halves begin and how wide they are, int64 [3, 10, 5];
        the ways to draw n of so many copies, int64 [5, 5]; the least missing tiles by class, int64 [2, 256, 10].
    """
    starts = np.array([lane(9).start, [lane(9).start[-1] + start for start in lane(7).start]], np.int64)
    made = np.zeros((3, 10, 5), np.int64)
    left_first, left_size, right_first, right_size, width, base = half_places()
    made[aims.J_FIRST, :5], made[aims.J_FIRST, 5:] = left_first, right_first
    made[aims.J_SIZE, :2], made[aims.J_WIDTH, :2] = (left_size, right_size), (base, width)
    return starts, made, CHOOSE.astype(np.int64), _least_by_class()


def _least_by_class() -> Array:
    """Tabulate the fewest missing tiles to a class by the automaton's number of a suit: int64 [2, 256, 10]."""
    made = np.zeros((2, 256, aims.CLASSES), np.int64)
    for row, (of, numbers) in enumerate(((lane(9), automaton().suit), (lane(7), automaton().honour))):
        tiles = np.zeros(1, np.int8)
        for _ in range(of.ranks):
            tiles = np.add.outer(np.arange(5, dtype=np.int8), tiles).ravel()
        few = np.flatnonzero(tiles <= 14)
        for number, at in zip(*np.unique(np.frombuffer(numbers, np.uint8)[few], return_index=True), strict=True):
            held = few[at] // 5 ** np.arange(of.ranks) % 5
            missing = np.bitwise_count(of.tiles & ~unary(held)).astype(np.int64)
            made[row, number] = np.minimum.reduceat(missing, of.start[:-1])
    return made


@cache
def special_ways() -> Array:
    """Tabulate `ways_among` by helping kinds, their unseen copies and the missing tiles: float64 [35, 137, 15]."""
    made = np.zeros((KINDS + 1, 4 * KINDS + 1, aims.DEEPEST + 1))
    for kinds in range(KINDS + 1):
        for copies in range(4 * kinds + 1):
            made[kinds, copies] = [ways_among(kinds, copies, missing) for missing in range(aims.DEEPEST + 1)]
    return made


@cache
def shared_room() -> dict[int, Array]:
    """Return room to work in, by its entries. It is filled anew at every look, so one for all tables is enough."""
    most, halves, far = max(of.start[-1] for of in (lane(9), lane(7))), _most_halves(), aims.DEEPEST + 4
    whole: dict[int, tuple[int, ...]] = {
        c.ROOM_FOUND: (most,), c.ROOM_DISTANCE: (most,), c.ROOM_ORDERED: (most,),
        c.ROOM_BEGINS: (4, aims.CLASSES, far), c.ROOM_LEAST: (6, aims.CLASSES), c.ROOM_SLACK: (4, aims.CLASSES),
        c.ROOM_LANES: (4, 5), c.ROOM_COULD: (KINDS + 2,),  # two kinds that are none make the honours a suit
        c.ROOM_ROWS: (4, most), c.ROOM_NUMBERS: (4, most), c.ROOM_PAIRS: (4, most), c.ROOM_AT: (2, far),
        c.ROOM_PLACES: (2, halves), c.ROOM_ONES: (2, halves), c.ROOM_OTHERS: (2, halves),
        c.ROOM_SUMS: (far, aims.ALL + 1), c.ROOM_WAYS: (4, most), c.ROOM_TALLIES: (4, most, 2),
        c.ROOM_SHARES: (2, halves), c.ROOM_SINGLE: (3, 8), c.ROOM_HALVES: (2, 2, halves), c.ROOM_OWN: (KINDS,),
        c.ROOM_WINDS: (KINDS,), c.ROOM_LEFT: (KINDS,), c.ROOM_HELD: (KINDS,),
        c.ROOM_DRAWN: (KINDS,), c.ROOM_TWICE: (KINDS,),
    }  # fmt: skip
    made: dict[int, Array] = {name: np.zeros(size, np.int64) for name, size in whole.items()}
    return made | {name: np.zeros(KINDS + 1) for name in (c.ROOM_NEAR, c.ROOM_NEXT)}


def _most_halves() -> int:
    """Return the most pairs of readings of two lanes that make so many melds and pairs."""
    sizes = [
        sum(which.left.size(a) * which.right.size(b) for a, b, _ in parts)
        for which in (half(9), half(7))
        for parts in which.parts.values()
    ]
    return max(sizes)
