"""Club nights: who sits with whom in the next round, and standings over several tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

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


class Result(NamedTuple):
    """What standings need of a table: the four who sit there, and what everybody who played there came to.

    `standard` are standard points by name, None where the book has none; `ratio` are α and T₀ of its reduced score.
    """

    round: int
    names: tuple[str, ...]
    people: Mapping[str, int]
    hands: int
    over: bool
    standard: Mapping[str, float] | None
    ratio: tuple[float, float] | None

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return self._asdict()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Result:
        """What `to_json` gave."""
        ratio = data["ratio"]
        return cls(**{**data, "names": tuple(data["names"]), "ratio": None if ratio is None else tuple(ratio)})


def result_of(ledger: Ledger) -> Result:
    """The result of a table as it stands."""
    return Result(
        ledger.spec.club_round,
        ledger.match.names,
        dict(ledger.people),
        len(ledger.match.hands),
        ledger.over,
        standard_points(ledger) if ledger.match.rules.match.standard else None,
        ledger.ratio,
    )


def draw_round(names: Sequence[str], results: Sequence[Result], *, by_standings: bool, seed: int) -> tuple[int, Round]:
    """The number of the next round of a club night and its tables; who is one too many rests.

    By standings neighbours sit together; otherwise those who have met least. Rounds played count.

    Raises:
        HandError: the names are not different, or do not fill one table.
    """
    rounds: dict[int, list[tuple[str, ...]]] = {}
    for one in results:
        rounds.setdefault(one.round, []).append(one.names)
    played = [
        Round(tuple(tables), tuple(name for name in names if not any(name in table for table in tables)))
        for _, tables in sorted(rounds.items())
    ]
    number = max(rounds, default=0) + 1
    if not by_standings:
        return number, make_schedule(names, 1, played=played, seed=seed).rounds[0]
    best = sorted(lines(results, *formula(results)), key=lambda line: -line.total)
    return number, next_round(names, [line.name for line in best], played=played, seed=seed)


def formula(results: Sequence[Result]) -> tuple[float, float]:
    """α and T₀ of the reduced score: what a table or its book sets, else the usual ones."""
    return next((one.ratio for one in results if one.ratio is not None), DEFAULT_RATIO)


def lines(results: Sequence[Result], alpha: float, scale: float) -> list[Standing]:
    """Each player's points, reduced scores (n = hands of the table) and standard points, summed by name."""
    total: Counter[str] = Counter()
    tables: Counter[str] = Counter()
    hands: Counter[str] = Counter()
    score: dict[str, float] = {}
    standard: Counter[str] = Counter()
    ranked = any(one.standard is not None for one in results)
    for one in results:
        points_of = list(one.people.values())
        zero = (0.0,) * len(points_of)
        shares = reduced(points_of, alpha=alpha, scale=scale, n=one.hands) if one.hands else zero
        for name, points, share in zip(one.people, points_of, shares, strict=True):
            total[name] += points
            tables[name] += 1
            hands[name] += one.hands
            score[name] = score.get(name, 0.0) + share
        standard.update(one.standard or {})
    return [
        Standing(name, total[name], score[name], standard[name] if ranked else None, tables[name], hands[name])
        for name in tables
    ]
