"""The loops of `distance_exact` compiled, and their tables; the plain twin is `quepu.shapes.distance`."""

from __future__ import annotations

import ctypes
import zlib
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.compiled.code_cache import MachineCode, loops_text
from quepu.fast.nearest import distance, distance_exact, parts
from quepu.hands.hand import Hand, Luck
from quepu.hands.suit_tables import KEY_BITS, KEY_MASK
from quepu.hands.win import meld_planes
from quepu.shapes import SHAPES, Shape
from quepu.shapes.distance import use_compiled
from quepu.tiles import BIT, KINDS, PLAIN, TileSet

_SIGNATURES = {
    "look_many": "int64(int64)",
    "look_at": "int64(int64, int32, int32, int32, int32, int32, int32, int64)",
}
_CLOSED = int(Luck.CLOSED)
_BEYOND = 1 << 20
"""Bytes behind the tables that loops may read, without using what they contain."""


class DistanceTables(NamedTuple):
    """Memory with all that the loops look up for some shapes."""

    memory: NDArray[np.uint8]
    address: int
    pointer: ctypes.c_void_p


@cache
def _automaton() -> bytes:
    return zlib.decompress((files("quepu") / "data" / "distance.bin").read_bytes())[8:]


@lru_cache(64)
def distance_tables(shapes: tuple[str, ...], tiles: TileSet = PLAIN) -> DistanceTables | None:
    """Return the tables for hands of these shapes in a game with these tiles; None if the loops do not know a shape."""
    found = [SHAPES[name] for name in shapes]
    if not any(shape.plain for shape in found) or not all(map(_is_known, found)):
        return None
    lanes = [sum(5**rank for rank in range(9) if lane >> rank & 1) for lane in range(512)]
    five = [5 ** (kind % 9) for kind in range(KINDS)]
    game = [sum(BIT[kind] for kind in tiles.kinds)]
    numbers = {distance.AT_LANE_KEYS: lanes, distance.AT_FIVE: five, distance.AT_GAME: game}
    numbers[distance.AT_COPIES] = list(tiles.counts)
    numbers[distance.AT_NO_TILES] = [sum(shape.needs for shape in found if shape.boundless)]
    lists: dict[int, list[tuple[int, ...]]] = {
        distance.AT_LINES: [(plane,) for shape in found if shape.sets for plane in shape.sets.beside if plane],
        distance.AT_PILES: [(made.fours, made.pairs) for shape in found for made in shape.made_of],
        distance.AT_SINGLES: [
            (plane, shape.singles.number, int(shape.singles.again), shape.needs)
            for shape in found
            if shape.singles
            for plane in shape.singles.planes
        ],
        distance.AT_FOURS: [(shape.fours.number, shape.melds) for shape in found if shape.fours],
    }
    for at, rows in lists.items():
        numbers[at] = [len(rows), *(number for row in rows for number in row)]
    words = np.zeros((distance.AT_FINAL + 5 * distance.LEFTS * distance.RIGHTS + _BEYOND) // 8, np.int64)
    for at, some in numbers.items():
        words[at : at + len(some)] = some
    memory = words.view(np.uint8)
    table = np.frombuffer(_automaton(), np.uint8)
    memory[distance.AT_SUIT : distance.AT_SUIT + len(table)] = table
    return DistanceTables(memory, words.ctypes.data, ctypes.c_void_p(words.ctypes.data))


def _is_known(shape: Shape) -> bool:
    """Return whether the loops know a shape: more of it than functions."""
    if shape.boundless:
        return True
    if shape.singles is not None:
        return not shape.melds
    if shape.made_of:
        return not shape.melds and not shape.needs
    if shape.sets is not None:
        nine = all(plane.bit_count() == 9 for plane in shape.sets.beside)
        return not shape.needs and (shape.plain or (nine and shape.melds == 1))
    return shape.fours is not None and shape.fours.number < 3 and not shape.needs


@cache
def distance_code() -> MachineCode:
    """Return the loops, compiled when they are first called on a machine (some seconds)."""
    return MachineCode("distance", loops_text((distance, parts, distance_exact), _SIGNATURES), _SIGNATURES)


def loops() -> MachineCode:
    """Return the loaded loops; from then on they answer for single hands, too."""
    code = distance_code()
    code.load()
    use_compiled(look)
    return code


def load() -> None:
    """Load the loops, if they were compiled before."""
    if distance_code().there:
        loops()


def look(hand: Hand, shapes: tuple[str, ...], wanted: bool) -> int | None:
    """Return the least missing tiles of a hand, from bit 4 on its useful kinds if wanted; None for unknown shapes."""
    tables = distance_tables(shapes)
    if tables is None:
        return None
    concealed, melds, winning, _, _, luck, _ = hand
    if winning is not None:
        concealed = (*concealed, winning)
    number = len(concealed) | wanted << 5
    if not melds:
        return _look_at()(bytes(concealed), number | 4 << 6, 0, 0, 0, 0, luck | _CLOSED, tables.pointer)
    mine = meld_planes(melds)
    key, number = mine.key, number | mine.need << 6
    m, p, s = key & KEY_MASK, key >> KEY_BITS & KEY_MASK, key >> 2 * KEY_BITS & KEY_MASK
    return _look_at()(bytes(concealed), number, m, p, s, key >> 3 * KEY_BITS, luck | mine.closed, tables.pointer)


@cache
def _look_at() -> Callable[..., int]:
    return distance_code().function("look_at")
