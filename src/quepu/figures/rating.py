"""Ratings with their uncertainty out of matches in order (openskill's Plackett-Luce model; any number of players)."""

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
    """Ratings after matches, each of them totals by name, the earliest first. Equal totals are draws."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    skill: dict[str, Any] = {}
    played: dict[str, int] = {}
    for totals in matches:
        if len(totals) < 2:
            continue
        teams = [[skill.get(name) or model.rating(name=name)] for name in totals]
        ranks = [1.0 + sum(other > own for other in totals.values()) for own in totals.values()]
        for name, team in zip(totals, model.rate(teams, ranks=ranks), strict=True):
            skill[name] = team[0]
            played[name] = played.get(name, 0) + 1
    return {name: Rating(one.mu, one.sigma, one.mu - 3 * one.sigma, played[name]) for name, one in skill.items()}
