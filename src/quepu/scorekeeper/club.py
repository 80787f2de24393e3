"""Club nights: who sits with whom in the next round, and standings over several tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from quepu.match.match import reduced
from quepu.scorekeeper.ledger import DEFAULT_RATIO, Ledger
from quepu.scorekeeper.settlement import standard_points
from quepu.tournament import Round, make_schedule, next_round


class Standing(NamedTuple):
    """A player's results over several tables."""

    name: str
    total: int
    reduced: float
    standard: float | None
    tables: int
    hands: int


def draw_round(names: Sequence[str], ledgers: Sequence[Ledger], *, by_standings: bool, seed: int) -> tuple[int, Round]:
    """The number of the next round of a club night and its tables; who is one too many rests.

    By standings neighbours sit together; otherwise those who have met least. Rounds played count.

    Raises:
        HandError: the names are not different, or do not fill one table.
    """
    rounds: dict[int, list[tuple[str, ...]]] = {}
    for one in ledgers:
        rounds.setdefault(one.spec.club_round, []).append(one.match.names)
    played = [
        Round(tuple(tables), tuple(name for name in names if not any(name in table for table in tables)))
        for _, tables in sorted(rounds.items())
    ]
    number = max(rounds, default=0) + 1
    if not by_standings:
        return number, make_schedule(names, 1, played=played, seed=seed).rounds[0]
    best = sorted(lines(ledgers, *formula(ledgers)), key=lambda line: -line.total)
    return number, next_round(names, [line.name for line in best], played=played, seed=seed)


def formula(ledgers: Sequence[Ledger]) -> tuple[float, float]:
    """α and T₀ of the reduced score: what a table or its book sets, else the usual ones."""
    return next((one.ratio for one in ledgers if one.ratio is not None), DEFAULT_RATIO)


def lines(ledgers: Sequence[Ledger], alpha: float, scale: float) -> list[Standing]:
    """Each player's points, reduced scores (n = hands of the table) and standard points, summed by name."""
    total: Counter[str] = Counter()
    tables: Counter[str] = Counter()
    hands: Counter[str] = Counter()
    score: dict[str, float] = {}
    standard: Counter[str] = Counter()
    ranked = any(one.match.rules.match.standard for one in ledgers)
    for one in ledgers:
        played = len(one.match.hands)
        points_of = list(one.people.values())
        shares = reduced(points_of, alpha=alpha, scale=scale, n=played) if played else (0.0,) * len(points_of)
        for name, points, share in zip(one.people, points_of, shares, strict=True):
            total[name] += points
            tables[name] += 1
            hands[name] += len(one.match.hands)
            score[name] = score.get(name, 0.0) + share
        standard.update(standard_points(one))
    return [
        Standing(name, total[name], score[name], standard[name] if ranked else None, tables[name], hands[name])
        for name in tables
    ]
