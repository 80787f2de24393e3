"""The monthly ladder, ratings and profiles of accounts, out of the public matches of a server.

A match counts if two accounts or more sat at its table: those are compared with each other. Guests and bots have no
rating, and nobody gains by playing alone against bots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from quepu.figures.figures import Figures, merge_figures
from quepu.figures.log_figures import Unreadable, read_bytes
from quepu.figures.player_report import played_book, rate_players
from quepu.folding import natural_order
from quepu.server.names import skeleton
from quepu.server.store.values import PublicMatch

Json = dict[str, Any]
LEAST: Final = 10
"""The matches after which a rating is shown."""
PLACE_POINTS: Final = (4.0, 2.0, 1.0, 0.0)
"""The ladder's points of the first to the fourth place; players with equal totals share those of their places."""
RECENT: Final = 20


def month_of(played: float) -> str:
    """Return the month of a time, by UTC."""
    return datetime.fromtimestamp(played, UTC).strftime("%Y-%m")


def place_points(totals: Sequence[int], at: int) -> tuple[int, float]:
    """Return the place of a player, and the ladder's points for it."""
    above, equal = sum(one > totals[at] for one in totals), totals.count(totals[at])
    return above + 1, sum(PLACE_POINTS[above : above + equal]) / equal


def seats_of(match: PublicMatch) -> dict[str, int]:
    """Return where the accounts of a match sat, by name."""
    players = {skeleton(name): at for at, name in enumerate(match.players)}
    return {name: players[skeleton(name)] for name in match.accounts if skeleton(name) in players}


def ladder(matches: Sequence[PublicMatch], book: str, month: str) -> Json:
    """Return the ladder of a book in a month, the most points first; "" is the last month with a match."""
    counted = _counted(matches, book)
    months = sorted({month_of(match.played) for match in counted}, reverse=True)
    month = month or (months[0] if months else "")
    lines: dict[str, Json] = {}
    for match in counted:
        if month_of(match.played) != month:
            continue
        for name, at in seats_of(match).items():
            line = lines.setdefault(name, {"name": name, "matches": 0, "points": 0.0, "places": [0] * 4, "total": 0})
            place, points = place_points(match.totals, at)
            line["matches"] += 1
            line["points"] += points
            line["places"][place - 1] += 1
            line["total"] += match.totals[at]
    rated = _ratings(counted)
    shown = [{**line, **rated.get(line["name"], _rating(None))} for line in lines.values()]
    shown.sort(key=lambda line: (-line["points"], -line["total"], natural_order(line["name"])))
    return {**played_book(book, len(counted)), "month": month, "months": months, "least": LEAST, "lines": shown}


def profile(matches: Sequence[PublicMatch], name: str) -> Json | None:
    """Return the page of an account: its books with ratings, and its recent matches; None if it has no public match."""
    own = [match for match in matches if skeleton(name) in {skeleton(one) for one in seats_of(match)}]
    if not own:
        return None
    called = next(one for one in own[-1].accounts if skeleton(one) == skeleton(name))
    books, recent = [], []
    for book in dict.fromkeys(match.rules for match in reversed(own)):
        mine = [match for match in own if match.rules == book]
        places = [0] * 4
        for match in mine:
            places[place_points(match.totals, seats_of(match)[called])[0] - 1] += 1
        rated = _ratings(_counted(matches, book)).get(called, _rating(None))
        total = sum(match.totals[seats_of(match)[called]] for match in mine)
        books.append({**played_book(book, len(mine)), "places": places, "total": total, **rated})
    for match in own[: -RECENT - 1 : -1]:
        at = seats_of(match)[called]
        recent.append({
            "id": match.id, "book": played_book(match.rules, 0)["title"], "played": match.played,
            "players": list(match.players), "place": place_points(match.totals, at)[0], "total": match.totals[at],
        })  # fmt: skip
    return {"name": called, "least": LEAST, "books": books, "recent": recent}


def count_fans(logs: Sequence[Sequence[str]], name: str) -> list[Json]:
    """Return the fans that a player won with in these logs, for each book the commonest first."""
    read = (read_bytes("\n".join(lines).encode(), "") for lines in logs)
    figures: Iterable[Mapping[str, Figures]] = (one.players for one in read if not isinstance(one, Unreadable))
    merged = merge_figures([{skeleton(who): one for who, one in match.items()} for match in figures])
    mine = merged.get(skeleton(name))
    if mine is None:
        return []
    return [
        {"book": book, "name": fan, "count": count}
        for book, fans in mine.fans.items()
        for fan, count in sorted(fans.items(), key=lambda item: (-item[1], item[0]))
    ]


def _counted(matches: Iterable[PublicMatch], book: str) -> list[PublicMatch]:
    return [match for match in matches if match.rules == book and len(seats_of(match)) > 1]


def _ratings(counted: Sequence[PublicMatch]) -> dict[str, Json]:
    found = rate_players([{name: match.totals[at] for name, at in seats_of(match).items()} for match in counted])
    return {name: _rating(rating) for name, rating in found.items()}


def _rating(rating: Any) -> Json:
    """Return a rating as it is shown: `mean` and `deviation` only after enough matches."""
    if rating is None or rating.matches < LEAST:
        return {"rated": 0 if rating is None else rating.matches, "mean": None, "deviation": None}
    return {"rated": rating.matches, "mean": rating.mean, "deviation": rating.deviation}
