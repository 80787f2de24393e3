"""Operations of formulas: comparisons, sets joined, conditions joined."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from quepu.hands.planes import Condition

COMPARISONS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


JOINS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "&": lambda x, y: x & y,
    "|": lambda x, y: x | y,
    "without": lambda x, y: x ^ (x & y),
}


def held(kinds: Condition) -> Condition:
    """The tiles of these kinds that the hand has: a set of kinds alone is never empty."""
    return lambda h: h.t1 & kinds(h)


def always(value: int) -> Condition:
    """The condition that is this number in every hand."""
    return lambda h: value


def joined(join: Callable[[Any, Any], Any], a: Condition, b: Condition) -> Condition:
    """Two conditions joined by an operation."""
    return lambda h: join(a(h), b(h))
