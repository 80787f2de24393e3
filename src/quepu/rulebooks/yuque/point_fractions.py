"""Points of a number of 番, and what is a fraction of them: the nearest whole, half to even (四舍五入凑偶)."""

from __future__ import annotations

from typing import NamedTuple


def half_even(numerator: int, denominator: int) -> int:
    """四舍五入凑偶: the nearest whole number; of two equally near the even one. The denominator is positive."""
    whole, rest = divmod(numerator, denominator)
    return whole + (2 * rest > denominator or (2 * rest == denominator and whole % 2))


def points(fan: int) -> int:
    """点数 p = f^2."""
    return fan * fan


class QuickRow(NamedTuple):
    """One line of 点数速查表: f, a sixth, a half, all and seven sixths of its points."""

    fan: int
    sixth: int
    half: int
    points: int
    seven_sixths: int


QUICK_MOST = 61
"""The last number of 番 that the book's own 点数速查表 prints."""


def quick_row(fan: int) -> QuickRow:
    """The line of 点数速查表 for this many 番 (the table itself stops at `QUICK_MOST`)."""
    p = points(fan)
    return QuickRow(fan, half_even(p, 6), half_even(p, 2), p, half_even(7 * p, 6))


def quick_table(most: int = QUICK_MOST) -> tuple[QuickRow, ...]:
    """点数速查表 from 0 番 on.

    The book prints 541 for a sixth of 57 番 (p = 3249, 541.5): half to even is 542, a misprint (ruling yuque-30).
    """
    return tuple(quick_row(fan) for fan in range(most + 1))
