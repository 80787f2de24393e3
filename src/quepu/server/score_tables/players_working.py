"""Players over months, added up from what is stored of each table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import quepu
from quepu.errors import Error
from quepu.figures.figures import Figures, merged
from quepu.figures.rates import mean, rates
from quepu.figures.rating import Rating, ratings
from quepu.rules.measured_figures import figures as exact_figures
from quepu.server.store.values import TableResult

Json = dict[str, Any]


def players(rows: Sequence[TableResult], since: float | None, until: float | None) -> list[Json]:
    """A line for everybody."""
    chosen = _chosen(rows, since, until)
    rated = _rated(chosen)
    found = [_line(name, one, rated.get(name)) for name, one in _merged(chosen).items() if one.hands]
    return sorted(found, key=lambda line: (-line["rating"]["low"], line["name"]))


def player(rows: Sequence[TableResult], name: str, since: float | None, until: float | None) -> Json | None:
    """One player's page; None for somebody who did not play."""
    chosen = [row for row in _chosen(rows, since, until) if name in row.figures]
    one = _merged(chosen, name).get(name)
    if one is None or not one.hands:
        return None
    spread = mean(one.total, one.squares, one.hands)
    return {
        **_line(name, one, _rated(_chosen(rows, since, until)).get(name)),
        "rates": {key: rate._asdict() for key, rate in rates(one).items()},
        "mean": None if one.hands < 2 else spread._asdict(),
        "drawn": one.drawn,
        "fans": [_fans(book, one) for book in sorted(one.fans)],
        "against": [
            {"name": other, "matches": met, "above": above, "below": below, "difference": difference}
            for other, (met, above, below, difference) in sorted(
                one.against.items(), key=lambda item: (-item[1][0], item[0])
            )
        ],
        "best": [{"book": book, **hand._asdict()} for book in sorted(one.best) for hand in one.best[book]],
        "curve": [place._asdict() for place in one.curve],
    }


def _chosen(rows: Iterable[TableResult], since: float | None, until: float | None) -> list[TableResult]:
    """The tables of a time, the earliest first."""
    dated = [(when, row) for row in rows if (when := _when(row)) is not None]
    inside = [(w, row) for w, row in dated if (since is None or w >= since) and (until is None or w < until)]
    return [row for _, row in sorted(inside, key=lambda pair: pair[0])]


def _when(row: TableResult) -> float | None:
    """When a table was opened; None for one without a hand."""
    return next((one["curve"][0][0] for one in row.figures.values() if one.get("curve")), None)


def _merged(rows: Iterable[TableResult], name: str | None = None) -> dict[str, Figures]:
    return merged(
        {who: Figures.from_json(data) for who, data in row.figures.items() if name is None or who == name}
        for row in rows
    )


def _rated(rows: Iterable[TableResult]) -> dict[str, Rating]:
    return ratings(
        {name: data.get("total", 0) for name, data in row.figures.items() if data.get("matches")} for row in rows
    )


def _line(name: str, one: Figures, rating: Rating | None) -> Json:
    return {
        "name": name,
        "matches": one.matches,
        "hands": one.hands,
        "wins": one.wins,
        "self_draws": one.self_draws,
        "deal_ins": one.deal_ins,
        "total": one.total,
        "mean_win": one.won / one.wins if one.wins else None,
        "mean_deal_in": one.dealt / one.deal_ins if one.deal_ins else None,
        "places": list(one.places),
        "rating": (rating or Rating(25.0, 25 / 3, 0.0, 0))._asdict(),
    }


def _fans(book: str, one: Figures) -> Json:
    try:
        rulebook = quepu.book(book)
        exact = exact_figures(rulebook)
        all_fans, title = len(rulebook.fans), rulebook.title._asdict()
    except Error:
        exact, all_fans, title = {}, 0, {"zh": book, "en": book}
    wins = one.read.get(book, 0)
    return {
        "book": book,
        "title": title,
        "wins": wins,
        "of": all_fans,
        "fans": [
            {"name": fan, "count": count, "exact": exact[fan].share if fan in exact else None}
            for fan, count in sorted(one.fans[book].items(), key=lambda item: (-item[1], item[0]))
        ],
    }
