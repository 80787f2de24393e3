"""Points of a number of 番 and fractions of them, rounded half to even (四舍五入凑偶); sums to check by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from quepu.errors import Text
from quepu.rulebooks.yuque.row import YuqueExtra
from quepu.rules.row import Fan


def half_even(numerator: int, denominator: int) -> int:
    """Round to the nearest whole number (四舍五入凑偶); of two equally near the even one. The denominator is positive."""
    whole, rest = divmod(numerator, denominator)
    return whole + (2 * rest > denominator or (2 * rest == denominator and whole % 2))


def points(fan: int) -> int:
    """Return the points (点数) of a number of 番: p = f^2."""
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
    """Return the line of 点数速查表 for this many 番 (the table itself stops at `QUICK_MOST`)."""
    p = points(fan)
    return QuickRow(fan, half_even(p, 6), half_even(p, 2), p, half_even(7 * p, 6))


def quick_table(most: int = QUICK_MOST) -> tuple[QuickRow, ...]:
    """Return 点数速查表 from 0 番 on.

    The book prints 541 for a sixth of 57 番 (p = 3249, 541.5): half to even is 542, a misprint (ruling yuque-30).
    """
    return tuple(quick_row(fan) for fan in range(most + 1))


def print_value(fan: Fan) -> str:
    """Write a fan's value as the book prints it, the one with 番刻 in brackets: 15-2(12-2), 7(5)."""
    own = fan.own(YuqueExtra)
    cut, off = own.cut, own.off
    less = f"-{off}" if off else ""
    return f"{fan.value}{less}" + (f"({fan.value - cut}{less})" if cut else "")


def sum_of(fan: Fan, remaining: int, with_fanke: bool) -> Text:
    """Write the sum for a fan that keeps `remaining` of its groups: 5×1/2=2.5→2（凑偶）, (9-2)×3/5=4.2→4，4-2=2."""
    own = fan.own(YuqueExtra)
    groups, off, cut = own.groups, own.off, own.cut if with_fanke else 0
    value = f"{fan.value}-{cut}" if cut else f"{fan.value}"
    if remaining >= groups:
        written = f"{value}-{off}={fan.value - cut - off}" if off else f"{value}={fan.value - cut}"
        return Text(written, written)
    numerator = (fan.value - cut) * remaining
    whole = half_even(numerator, groups)
    start = f"({value})×{remaining}/{groups}" if cut else f"{value}×{remaining}/{groups}"
    return explain_rounding(start, numerator, groups, f"{whole}-{off}={whole - off}" if off else "")


def explain_rounding(written: str, numerator: int, denominator: int, end: str = "") -> Text:
    """Write an equation of a fraction and its rounding: 49/2=24.5→24（凑偶）, 324/6=54."""
    exact, whole = Fraction(numerator, denominator), half_even(numerator, denominator)
    if exact == whole:
        return _join(f"{written}={whole}", end)
    decimal = f"{float(exact):.2f}".rstrip("0")
    sign = "=" if Fraction(decimal) == exact else "≈"
    return _join(f"{written}{sign}{decimal}→{whole}", end, exact.denominator == 2)


def _join(start: str, end: str, half: bool = False) -> Text:
    zh, en = ("（凑偶）", " (to even)") if half else ("", "")
    return Text(f"{start}{zh}" + (f"，{end}" if end else ""), f"{start}{en}" + (f", {end}" if end else ""))
