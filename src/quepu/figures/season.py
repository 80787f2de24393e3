"""A club over a season: attendance, records and leagues, from the results of its score tables.

Attendance counts tables of all rulebooks; records and leagues belong to one, whose points are not those of another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from quepu.errors import Error
from quepu.figures.figures import Figures


class PlayedTable(NamedTuple):
    """A table of a season: who sat there, by id, and the figures of everyone who played a hand."""

    id: str
    day: str
    """The day of its first hand, as YYYY-MM-DD."""
    club: str
    book: str
    totals: Mapping[str, int]
    figures: Mapping[str, Figures]


class Attended(NamedTuple):
    """A player's attendance: days, and tables of all rulebooks."""

    id: str
    days: int
    tables: int
    first: str
    last: str


class SeasonRecord(NamedTuple):
    """A record of a season: `kind`, who holds it, its value, and the table (the last of several)."""

    kind: str
    id: str
    value: int
    at: str
    day: str


def attendance(tables: Sequence[PlayedTable]) -> list[Attended]:
    """Count the days and tables of everyone, the most frequent guests first."""
    days: dict[str, list[str]] = {}
    for table in tables:
        for id in table.totals:
            days.setdefault(id, []).append(table.day)
    found = [Attended(id, len(set(those)), len(those), min(those), max(those)) for id, those in days.items()]
    return sorted(found, key=lambda one: (-one.days, -one.tables, one.id))


def records(tables: Sequence[PlayedTable]) -> list[SeasonRecord]:
    """Return the records of one book's tables, given in the order of time; the first who reached a record holds it."""
    best: dict[str, SeasonRecord] = {}

    def offer(kind: str, id: str, value: int, table: PlayedTable) -> None:
        if value > 0 and (kind not in best or value > best[kind].value):
            best[kind] = SeasonRecord(kind, id, value, table.id, table.day)

    firsts: dict[str, int] = {}
    safe: dict[str, int] = {}
    for table in tables:
        for id, one in sorted(table.figures.items()):
            if not one.hands:
                continue
            for hands in one.best.values():
                offer("win", id, hands[0].points, table)
            offer("total", id, table.totals[id], table)
            offer("wins", id, one.wins, table)
            firsts[id] = firsts.get(id, 0) + 1 if one.places[0] else 0
            offer("firsts", id, firsts[id], table)
            safe[id] = safe.get(id, 0) + one.hands if not one.deal_ins else 0
            offer("safe", id, safe[id], table)
    return [best[kind] for kind in ("win", "total", "wins", "firsts", "safe") if kind in best]


def count_months(tables: Iterable[PlayedTable]) -> list[tuple[str, int]]:
    """Count the tables of each month that has some, as YYYY-MM."""
    return [(month, len(list(those))) for month, those in groupby(sorted(table.day[:7] for table in tables))]


# ---- leagues


class LeagueError(Error):
    """A league is impossible."""


class LeagueLine(NamedTuple):
    """A player of a division: matches, the sum of places' points, and of totals. `moves`: 1 up, -1 down, 0 stays."""

    rank: int
    id: str
    tables: int
    points: float
    total: int
    moves: int


PLACES = (4.0, 2.0, 1.0, 0.0)
"""Points for the places of a table in a league; equal totals share them."""


def check_divisions(divisions: Sequence[Sequence[str]], moving: int) -> None:
    """Refuse divisions in which a player is missing, occurs twice, or too few remain when some move.

    Raises:
        LeagueError: says what is wrong.
    """
    everyone = [id for division in divisions for id in division]
    if not divisions or any(len(division) < 4 for division in divisions):
        raise LeagueError("每一级至少要四个人。", "every division needs at least four players.")
    for id in everyone:
        if everyone.count(id) > 1:
            raise LeagueError(f"{id} 在名单里出现了两次。", f"{id} is listed twice.")
    if moving and any(len(division) < 2 * moving for division in divisions) and len(divisions) > 1:
        raise LeagueError(
            f"升降 {moving} 人，每一级就至少要 {2 * moving} 人。",
            f"if {moving} move up and down, every division needs at least {2 * moving} players.",
        )


def league_standings(
    tables: Sequence[PlayedTable], divisions: Sequence[Sequence[str]], moving: int
) -> list[list[LeagueLine]]:
    """Return the standings of each division, from the tables at which four of its players met.

    The order is that of league points, then totals, then the list of the division.
    """
    found = []
    for number, division in enumerate(divisions):
        members = set(division)
        points: dict[str, list[float]] = {id: [0.0, 0, 0] for id in division}
        for table in tables:
            if len(table.totals) != 4 or not set(table.totals) <= members:
                continue
            for id, total in table.totals.items():
                own = points[id]
                own[0] += _share_places(table.totals, total)
                own[1] += 1
                own[2] += total
        ordered = sorted(division, key=lambda one: (-points[one][0], -points[one][2], division.index(one)))
        up = moving if number > 0 else 0
        down = moving if number < len(divisions) - 1 else 0
        lines = []
        for at, id in enumerate(ordered):
            moves = 1 if at < up else -1 if at >= len(ordered) - down else 0
            own = points[id]
            lines.append(LeagueLine(at + 1, id, int(own[1]), own[0], int(own[2]), moves))
        found.append(lines)
    return found


def _share_places(totals: Mapping[str, int], total: int) -> float:
    above = sum(other > total for other in totals.values())
    equal = sum(other == total for other in totals.values())
    return sum(PLACES[above : above + equal]) / equal


def promote(standings: Sequence[Sequence[LeagueLine]]) -> list[list[str]]:
    """Return the divisions of the next season: those who move up come last there, those who move down come first."""
    stay = [[line.id for line in lines if line.moves == 0] for lines in standings]
    up = [[line.id for line in lines if line.moves > 0] for lines in standings]
    down = [[line.id for line in lines if line.moves < 0] for lines in standings]
    last = len(standings) - 1
    return [
        [*(down[n - 1] if n > 0 else []), *stay[n], *(up[n + 1] if n < last else [])] for n in range(len(standings))
    ]
