"""147, 258, 369 of three suits: shared parts of the shapes made of such lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

from quepu.hands.planes import HONOUR_TILES, SUIT_TILES
from quepu.shapes.shape import Part
from quepu.tiles import kinds_of


def _lines() -> tuple[int, ...]:
    """The six ways to give 147, 258 and 369 a suit each, as planes of nine tiles."""
    lines = (0b001001001, 0b010010010, 0b100100100)
    return tuple(lines[a] | lines[b] << 16 | lines[c] << 32 for a, b, c in permutations(range(3)))


KNITTED_LINES = _lines()


def lines_of(t1: Any) -> Any:
    """147, 258, 369 of three suits that contain all suit tiles, and the honours, as a plane; 0 if there are none."""
    found = (t1 & (SUIT_TILES ^ KNITTED_LINES[0]) == 0) * (KNITTED_LINES[0] | HONOUR_TILES)
    for line in KNITTED_LINES[1:]:
        found = found | (t1 & (SUIT_TILES ^ line) == 0) * (line | HONOUR_TILES)
    return found


def in_line(t1: Any) -> Any:
    """Whether all suit tiles are of 147, 258, 369 of three suits."""
    return lines_of(t1) != 0


def off_lines(n: int) -> Iterator[Part]:
    """N different tiles out of 147, 258, 369 of three suits and the honours (n ≥ 11: of one line only)."""
    for line in KNITTED_LINES:
        yield from combinations((*kinds_of(line), *kinds_of(HONOUR_TILES)), n)
