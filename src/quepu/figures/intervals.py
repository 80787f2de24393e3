"""Shares of few cases, with a confidence interval."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from quepu.figures.figures import Figures

_LEVEL = 0.95
_Z = NormalDist().inv_cdf((1 + _LEVEL) / 2)


class Rate(NamedTuple):
    """`cases` of `of`; the true share is between `low` and `high` with 95% confidence."""

    cases: int
    of: int
    share: float
    low: float
    high: float


class Mean(NamedTuple):
    """A mean of `of` values with its 95% interval."""

    of: int
    mean: float
    low: float
    high: float


def rate(count: int, of: int) -> Rate:
    """Return a share with Wilson's interval (E. B. Wilson, 1927); without cases, the interval is everything."""
    if not of:
        return Rate(0, 0, 0.0, 0.0, 1.0)
    share, z2 = count / of, _Z * _Z
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = _Z * sqrt(share * (1 - share) / of + z2 / (4 * of * of)) / (1 + z2 / of)
    return Rate(count, of, share, max(0.0, middle - half), min(1.0, middle + half))


def mean(total: float, squares: float, of: int) -> Mean:
    """Return a mean with the interval of its standard error; a single value has no interval."""
    if of < 2:
        return Mean(of, total if of else 0.0, float("-inf"), float("inf"))
    middle = total / of
    error = sqrt(max(0.0, squares / of - middle * middle) / (of - 1))
    return Mean(of, middle, middle - _Z * error, middle + _Z * error)


def rates(figures: Figures) -> dict[str, Rate]:
    """Return the shares for a player's page: of hands, of wins, of matches."""
    return {
        "win": rate(figures.wins, figures.hands),
        "self_draw": rate(figures.self_draws, figures.wins),
        "deal_in": rate(figures.deal_ins, figures.hands),
        "drawn": rate(figures.drawn, figures.hands),
        "first": rate(figures.places[0], figures.matches),
        "last": rate(figures.places[3], figures.matches),
    }
