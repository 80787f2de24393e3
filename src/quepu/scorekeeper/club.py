"""Club nights: who sits with whom in the next round, and standings over several tables."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from quepu.errors import HandError
from quepu.match.match import reduced
from quepu.scorekeeper.ledger import DEFAULT_RATIO, Ledger

SEATS = 4
_TRIES = 400


class Standing(NamedTuple):
    """A player's results over several tables."""

    name: str
    total: int
    reduced: float
    tables: int
    hands: int


def seated(
    names: Sequence[str], before: Iterable[Sequence[str]], rng: random.Random, standings: Sequence[str] = ()
) -> list[list[str]]:
    """Tables of four. With `standings` neighbours in them sit together; else those who have met least.

    Raises:
        HandError: the names are not different, or do not fill tables of four.
    """
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise HandError(f"名字“{twice}”写了两次。", f"the name {twice!r} is there twice.")
    if len(names) % SEATS:
        short = SEATS - len(names) % SEATS
        raise HandError(
            f"{len(names)} 人坐不满四人一桌，再来 {short} 人或减 {len(names) % SEATS} 人。",
            f"{len(names)} players do not fill tables of four: {short} more or {len(names) % SEATS} fewer.",
        )
    if standings:
        place = {name: i for i, name in enumerate(standings)}
        order = sorted(names, key=lambda name: place.get(name, len(place)))
        tables = _fours(order)
        for table in tables:
            rng.shuffle(table)
        return tables
    met: Counter[frozenset[str]] = Counter(frozenset(pair) for table in before for pair in combinations(table, 2))

    def again(tables: list[list[str]]) -> int:
        return sum(met[frozenset(pair)] ** 2 for table in tables for pair in combinations(table, 2))

    best: list[list[str]] = []
    fewest: int | None = None
    for _ in range(_TRIES if met else 1):
        order = list(names)
        rng.shuffle(order)
        tables = _fours(order)
        meetings = again(tables)
        if fewest is None or meetings < fewest:
            best, fewest = tables, meetings
        if not fewest:
            break
    return best


def _fours(order: Sequence[str]) -> list[list[str]]:
    return [list(order[i : i + SEATS]) for i in range(0, len(order), SEATS)]


def formula(ledgers: Sequence[Ledger]) -> tuple[float, float]:
    """α and T₀ of the reduced score: what a table or its book sets, else the usual ones."""
    return next((one.ratio for one in ledgers if one.ratio is not None), DEFAULT_RATIO)


def lines(ledgers: Sequence[Ledger], alpha: float, scale: float) -> list[Standing]:
    """Each player's points and reduced scores (n = hands of the table), summed over the tables by name."""
    total: Counter[str] = Counter()
    tables: Counter[str] = Counter()
    hands: Counter[str] = Counter()
    score: dict[str, float] = {}
    for one in ledgers:
        played = len(one.match.hands)
        points_of = list(one.people.values())
        shares = reduced(points_of, alpha=alpha, scale=scale, n=played) if played else (0.0,) * len(points_of)
        for name, points, share in zip(one.people, points_of, shares, strict=True):
            total[name] += points
            tables[name] += 1
            hands[name] += len(one.match.hands)
            score[name] = score.get(name, 0.0) + share
    return [Standing(name, total[name], score[name], tables[name], hands[name]) for name in tables]
