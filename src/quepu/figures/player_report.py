"""A report on players as plain data: for a list of them, and for the page of one.

Ratings are a Bradley–Terry model of each pair of players at a table. A match is a comparison of each player with each
other one: more points win, equal points draw. A player's change is the mean over the opponents, since comparisons
within one match are not independent. A model of the whole order (Plackett–Luce) was rejected: with ties, it gives the
third of A = B > C > D as much as the tied winners.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import quepu
from quepu.errors import Error, Text
from quepu.figures.figures import Figures, merge_figures
from quepu.figures.intervals import mean, rates
from quepu.folding import natural_order
from quepu.rulebooks.house_rules import UNNAMED, UNNAMED_ID
from quepu.rules.measured_figures import figures as exact_figures


class Rating(NamedTuple):
    """A player's rating: `mean` and `deviation` of the belief, `low` three deviations below the mean."""

    mean: float
    deviation: float
    low: float
    matches: int


def ratings(matches: Iterable[Mapping[str, int]]) -> dict[str, Rating]:
    """Return the ratings after matches, each given as totals by name, the earliest first. Equal totals are draws."""
    from openskill.models import BradleyTerryPart

    skill: dict[str, Any] = {}
    played: dict[str, int] = {}
    for totals in matches:
        if len(totals) < 2:
            continue
        model = BradleyTerryPart(window_size=len(totals))  # wide enough to compare each player with every other
        teams = [[skill.get(name) or model.rating(name=name)] for name in totals]
        ranks = [1.0 + sum(other > own for other in totals.values()) for own in totals.values()]
        for name, team in zip(totals, model.rate(teams, ranks=ranks), strict=True):
            skill[name] = team[0]
            played[name] = played.get(name, 0) + 1
    return {name: Rating(one.mu, one.sigma, one.mu - 3 * one.sigma, played[name]) for name, one in skill.items()}


Json = dict[str, Any]
UNRATED = Rating(25.0, 25 / 3, 0.0, 0)
"""The belief about a player without matches."""


class AddedUp(NamedTuple):
    """The sum of many matches of one book: everyone's figures by id, and their ratings (empty without openskill).

    Books are never added up together: the points of one are not those of another.
    """

    book: str
    figures: Mapping[str, Figures]
    ratings: Mapping[str, Rating]


def several(book: str, matches: Sequence[Mapping[str, Figures]]) -> AddedUp:
    """Add up matches of a book, the earliest first."""
    totals = [{id: one.total for id, one in match.items() if one.matches} for match in matches]
    return AddedUp(book, merge_figures(matches), rate_players(totals))


def rate_players(totals: Sequence[Mapping[str, int]]) -> Mapping[str, Rating]:
    """Return the ratings after matches, the earliest first; empty without openskill."""
    try:
        return ratings(totals)
    except ImportError:
        return {}


def lines(found: AddedUp, called: Mapping[str, str]) -> list[Json]:
    """Return a line for every player, the highest rating first; `called` are names by id."""
    made = [_line(id, one, found, called) for id, one in found.figures.items() if one.hands]
    return sorted(made, key=lambda line: (-line["rating"]["low"], natural_order(line["name"]), line["id"]))


def page(found: AddedUp, id: str, called: Mapping[str, str]) -> Json | None:
    """Return one player's page; None if the player did not play."""
    one = found.figures.get(id)
    if one is None or not one.hands:
        return None
    spread = mean(one.total, one.squares, one.hands)
    return {
        **_line(id, one, found, called),
        "rates": {key: rate._asdict() for key, rate in rates(one).items()},
        "mean": None if one.hands < 2 else spread._asdict(),
        "drawn": one.drawn,
        "fans": [_fans(book, one) for book in sorted(one.fans)],
        "against": [
            {
                "id": other,
                "name": called.get(other, other),
                "matches": met,
                "above": above,
                "below": below,
                "difference": difference,
            }
            for other, (met, above, below, difference) in sorted(
                one.against.items(), key=lambda item: (-item[1][0], natural_order(called.get(item[0], item[0])))
            )
        ],
        "best": [{"book": book, **hand._asdict()} for book in sorted(one.best) for hand in one.best[book]],
        "curve": [place._asdict() for place in one.curve],
    }


def _line(id: str, one: Figures, found: AddedUp, called: Mapping[str, str]) -> Json:
    return {
        "id": id,
        "name": called.get(id, id),
        "book": found.book,
        "matches": one.matches,
        "hands": one.hands,
        "wins": one.wins,
        "self_draws": one.self_draws,
        "deal_ins": one.deal_ins,
        "total": one.total,
        "mean_win": one.won / one.wins if one.wins else None,
        "mean_deal_in": one.dealt / one.deal_ins if one.deal_ins else None,
        "places": list(one.places),
        "rating": found.ratings.get(id, UNRATED)._asdict(),
    }


def played_book(book: str, matches: int) -> Json:
    """Return a book that was played: its title, the unit of its points, and how many matches."""
    try:
        there = quepu.book(book)
        title, unit = there.title._asdict(), there.unit._asdict()
    except Error:
        title, unit = _title_of_unknown(book), {"zh": "", "en": ""}
    return {"book": book, "title": title, "unit": unit, "matches": matches}


def _title_of_unknown(book: str) -> dict[str, str]:
    return (UNNAMED if book == UNNAMED_ID else Text(book, book))._asdict()


def _fans(book: str, one: Figures) -> Json:
    try:
        rulebook = quepu.book(book)
        exact = exact_figures(rulebook)
        all_fans, title = len(rulebook.fans), rulebook.title._asdict()
    except Error:
        exact, all_fans, title = {}, 0, _title_of_unknown(book)
    return {
        "book": book,
        "title": title,
        "wins": one.read.get(book, 0),
        "of": all_fans,
        "fans": [
            {"name": fan, "count": count, "exact": exact[fan].share if fan in exact else None}
            for fan, count in sorted(one.fans[book].items(), key=lambda item: (-item[1], item[0]))
        ],
    }
