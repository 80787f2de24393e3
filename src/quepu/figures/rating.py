"""Ratings with their uncertainty out of matches in order: a Bradley–Terry model of each two players at a table.

A match is read as the comparison of each player with each other: more points win, equal points draw. A player's change
is the mean over the opponents, since comparisons within one match are not independent. A model of the whole order
(Plackett–Luce) was left for this: with ties it gives the third of A = B > C > D as much as the tied winners.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Rating(NamedTuple):
    """A player's rating: `mean` and `deviation` of what is believed of it, `low` three deviations below the mean."""

    mean: float
    deviation: float
    low: float
    matches: int


def ratings(matches: Iterable[Mapping[str, int]]) -> dict[str, Rating]:
    """Return the ratings after matches, each of them totals by name, the earliest first. Equal totals are draws."""
    from openskill.models import BradleyTerryPart

    skill: dict[str, Any] = {}
    played: dict[str, int] = {}
    for totals in matches:
        if len(totals) < 2:
            continue
        model = BradleyTerryPart(window_size=len(totals))  # wide enough that each player is compared with every other
        teams = [[skill.get(name) or model.rating(name=name)] for name in totals]
        ranks = [1.0 + sum(other > own for other in totals.values()) for own in totals.values()]
        for name, team in zip(totals, model.rate(teams, ranks=ranks), strict=True):
            skill[name] = team[0]
            played[name] = played.get(name, 0) + 1
    return {name: Rating(one.mu, one.sigma, one.mu - 3 * one.sigma, played[name]) for name, one in skill.items()}
