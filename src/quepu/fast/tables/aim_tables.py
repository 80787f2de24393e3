"""Tables that `aims` looks things up in: gains under a book, joins of suits; the twin is `fast.nearest.payable`."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.nearest.join import CHOOSE, unary
from quepu.fast.nearest.pair_distance import ways_to
from quepu.fast.nearest.payable import payable
from quepu.fast.nearest.receipts import special_gain
from quepu.fast.tables import aims
from quepu.fast.tables.code import special_shapes
from quepu.fast.universe.hand_index import JOINTS, bases, half, lane
from quepu.rules.rulebook import Rulebook
from quepu.shapes.automaton import automaton
from quepu.tiles import KINDS

Array = NDArray[Any]
_FARTHEST = aims.DEEPEST + 4


def aim_tables(book: Rulebook, rules: Array, wanted: bool) -> tuple[Any, ...]:
    """All of it for a book with these numbers (`quepu.fast.tables.code.numbers_of`); not `wanted`: no bot asks it."""
    gains: tuple[Array, ...]
    gains, special = (_unchanging(np.zeros(1, np.uint16)),) * 4, np.zeros(max(1, len(special_shapes(book.shapes))))
    if wanted:
        table = payable(book)
        table.prepare()
        gains = tuple(
            _unchanging(table.table(closed, double_wind)) for double_wind in (False, True) for closed in (True, False)
        )
        special[: len(special_shapes(book.shapes))] = [
            special_gain(book, shape) for shape in special_shapes(book.shapes)
        ]
    numbers = np.array(["round" in book.reads, len(special_shapes(book.shapes))], np.int64)
    return gains, readings(), joins(), (numbers, special, special_ways()), rules, room(wanted), np.zeros(KINDS + 1)


def _unchanging(table: Array) -> Array:
    """The same table, of one kind whether it was opened from its file or has none: the loops are compiled for it."""
    made = np.asarray(table).view()
    made.flags.writeable = False
    return made


@cache
def readings() -> Array:
    """The readings of a suit, then those of the honours: int64 [5, 24 031], a row for each of their numbers."""
    rows = [np.stack([of.tiles, of.chows, of.planes[:, 4], of.bare, of.pair]) for of in (lane(9), lane(7))]
    return np.ascontiguousarray(np.concatenate(rows, axis=1), np.int64)


@cache
def joins() -> tuple[Array, ...]:
    """Joins of suits to hands.

    Returns:
        Where the classes of readings begin, int64 [2, 11]; where halves begin and how wide they are, int64 [3, 10, 5];
        the ways to draw n of so many copies, int64 [5, 5]; the least missing tiles by class, int64 [2, 256, 10].
    """
    starts = np.array([lane(9).start, [lane(9).start[-1] + start for start in lane(7).start]], np.int64)
    made = np.zeros((3, 10, 5), np.int64)
    for side, which in enumerate((half(9), half(7))):
        for joint in JOINTS:
            for a, b, begin in which.parts[joint]:
                made[aims.J_FIRST, 5 * side + a // 2, b // 2] = begin
        made[aims.J_SIZE, side] = [which.right.size(2 * n) for n in range(5)]
    made[aims.J_WIDTH, 0] = bases()
    made[aims.J_WIDTH, 1] = [half(7).size[4 - n] for n in range(5)]
    return starts, made, CHOOSE.astype(np.int64), _least_by_class()


def _least_by_class() -> Array:
    """The least missing tiles to a reading of each class by the automaton's number of a suit: int64 [2, 256, 10]."""
    made = np.zeros((2, 256, aims.CLASSES), np.int64)
    for row, (of, numbers) in enumerate(((lane(9), automaton().suit), (lane(7), automaton().honour))):
        keys = np.arange(len(numbers))
        held = np.stack([keys // 5**rank % 5 for rank in range(of.ranks)], axis=1)
        few = keys[held.sum(axis=1) <= 14]
        for number, at in zip(*np.unique(np.frombuffer(numbers, np.uint8)[few], return_index=True), strict=True):
            missing = np.bitwise_count(of.tiles & ~unary(held[few[at]])).astype(np.int64)
            made[row, number] = np.minimum.reduceat(missing, of.start[:-1])
    return made


@cache
def special_ways() -> Array:
    """`ways_to` by the kinds that help, their unseen copies and the missing tiles: float64 [35, 137, 15]."""
    made = np.zeros((KINDS + 1, 4 * KINDS + 1, aims.DEEPEST + 1))
    for kinds in range(KINDS + 1):
        mask = (1 << kinds) - 1
        for copies in range(4 * kinds + 1):
            each = [copies // kinds + (k < copies % kinds) for k in range(kinds)]
            for missing in range(aims.DEEPEST + 1):
                made[kinds, copies, missing] = ways_to(each, missing, mask)
    return made


def room(wanted: bool) -> tuple[Array, ...]:
    """Room to work in, as `quepu.fast.tables.aims` names it; as good as none where no bot asks."""
    most, halves = (max(of.start[-1] for of in (lane(9), lane(7))), _most_halves()) if wanted else (1, 1)
    whole: dict[int, tuple[int, ...]] = {
        aims.ROOM_FOUND: (most,),
        aims.ROOM_DISTANCE: (most,),
        aims.ROOM_ORDERED: (most,),
        aims.ROOM_BEGINS: (4, aims.CLASSES, _FARTHEST),
        aims.ROOM_LEAST: (6, aims.CLASSES),
        aims.ROOM_SLACK: (4, aims.CLASSES),
        aims.ROOM_LANES: (4, 5),
        aims.ROOM_COULD: (KINDS + 2,),  # two kinds that are none make the honours a suit
        aims.ROOM_ROWS: (4, most),
        aims.ROOM_NUMBERS: (4, most),
        aims.ROOM_PAIRS: (4, most),
        aims.ROOM_AT: (2, _FARTHEST),
        aims.ROOM_PLACES: (2, halves),
        aims.ROOM_ONES: (2, halves),
        aims.ROOM_OTHERS: (2, halves),
        aims.ROOM_SUMS: (_FARTHEST, aims.ALL + 1),
        aims.ROOM_WAYS: (4, most),
        aims.ROOM_TALLIES: (4, most, 2),
        aims.ROOM_SHARES: (2, halves),
        aims.ROOM_SINGLE: (3, 8),
        aims.ROOM_HALVES: (2, 2, halves),
        aims.ROOM_OWN: (KINDS,),
        aims.ROOM_WINDS: (KINDS,),
        aims.ROOM_LEFT: (KINDS,),
        aims.ROOM_HELD: (KINDS,),
    }
    floats: dict[int, tuple[int, ...]] = {
        aims.ROOM_NEAR: (KINDS + 1,),
        aims.ROOM_NEXT: (KINDS + 1,),
    }
    made: dict[int, Array] = {at: np.zeros(size, np.int64) for at, size in whole.items()}
    made.update({at: np.zeros(size) for at, size in floats.items()})
    return tuple(made[at] for at in range(len(made)))


def _most_halves() -> int:
    """The most pairs of readings of two lanes that make so many melds and pairs."""
    sizes = [
        sum(which.left.size(a) * which.right.size(b) for a, b, _ in parts)
        for which in (half(9), half(7))
        for parts in which.parts.values()
    ]
    return max(sizes)
