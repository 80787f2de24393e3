"""Sums that a fan adds, to be checked by hand: value, deductions, residue, rounding half to even (凑偶)."""

from __future__ import annotations

from fractions import Fraction

from quepu.errors import Text
from quepu.rulebooks.yuque.point_fractions import half_even
from quepu.rulebooks.yuque.row import YuqueExtra
from quepu.rules.row import Fan


def printed(fan: Fan) -> str:
    """A fan's value as the book prints it, the one with 番刻 in brackets: 15-2(12-2), 7(5)."""
    own = fan.own(YuqueExtra)
    cut, off = own.cut, own.off
    less = f"-{off}" if off else ""
    return f"{fan.value}{less}" + (f"({fan.value - cut}{less})" if cut else "")


def sum_of(fan: Fan, remaining: int, with_fanke: bool) -> Text:
    """Return what a fan adds that keeps so many of its groups: 5×1/2=2.5→2（凑偶）, (9-2)×3/5=4.2→4，4-2=2."""
    own = fan.own(YuqueExtra)
    groups, off, cut = own.groups, own.off, own.cut if with_fanke else 0
    value = f"{fan.value}-{cut}" if cut else f"{fan.value}"
    if remaining >= groups:
        written = f"{value}-{off}={fan.value - cut - off}" if off else f"{value}={fan.value - cut}"
        return Text(written, written)
    numerator = (fan.value - cut) * remaining
    whole = half_even(numerator, groups)
    start = f"({value})×{remaining}/{groups}" if cut else f"{value}×{remaining}/{groups}"
    return rounded(start, numerator, groups, f"{whole}-{off}={whole - off}" if off else "")


def rounded(written: str, numerator: int, denominator: int, end: str = "") -> Text:
    """An equation of a fraction as it is written, with what it is rounded to: 49/2=24.5→24（凑偶）, 324/6=54."""
    exact, whole = Fraction(numerator, denominator), half_even(numerator, denominator)
    if exact == whole:
        return _joined(f"{written}={whole}", end)
    decimal = f"{float(exact):.2f}".rstrip("0")
    sign = "=" if Fraction(decimal) == exact else "≈"
    return _joined(f"{written}{sign}{decimal}→{whole}", end, exact.denominator == 2)


def _joined(start: str, end: str, half: bool = False) -> Text:
    zh, en = ("（凑偶）", " (to even)") if half else ("", "")
    return Text(f"{start}{zh}" + (f"，{end}" if end else ""), f"{start}{en}" + (f", {end}" if end else ""))
