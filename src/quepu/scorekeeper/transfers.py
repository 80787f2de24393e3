"""The end of a match: who pays whom in the fewest transfers, and a summary as text to be sent."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from quepu.errors import Text, many
from quepu.match.settle import THE_POOL
from quepu.scorekeeper.ledger import Ledger

MOST_EXACT = 12
"""Number of people up to which the fewest transfers are found exactly; with more, the largest debts are paid first."""


class Transfer(NamedTuple):
    """One payment at the end; payer and payee are names, None for the common pool."""

    payer: str | None
    payee: str | None
    points: int


class Person(NamedTuple):
    """A person's gains at a table; `reduced` and `standard` are None if the table has no such scores.

    The standard points of a place go to the last player in that seat.
    """

    name: str
    total: int
    reduced: float | None
    standard: float | None = None


def people(ledger: Ledger) -> list[Person]:
    """List everyone who has played, best first."""
    small = ledger.reduce_scores() or (None,) * len(ledger.people)
    standard = standard_points(ledger)
    found = [
        Person(name, total, one, standard.get(name))
        for (name, total), one in zip(ledger.people.items(), small, strict=True)
    ]
    return sorted(found, key=lambda person: -person.total)


def standard_points(ledger: Ledger) -> dict[str, float]:
    """Return standard points by name; empty if the book has none, and before the first hand."""
    match = ledger.match
    points = match.standard_points() if match.hands else ()
    return dict(zip(match.names, points, strict=True)) if points else {}


def transfers(totals: Mapping[str, int], start: int = 0) -> list[Transfer]:
    """List the payments that return everyone to `start`: as few as possible, the largest first.

    In a book with a pool, the difference of the totals is paid from or to the pool.
    """
    left: dict[str | None, int] = {name: total - start for name, total in totals.items() if total != start}
    rest = -sum(left.values())
    if rest:
        left[None] = rest
    found = [transfer for group in _groups(list(left.items())) for transfer in _chain(dict(group))]
    return sorted(found, key=lambda one: -one.points)


def _groups(balances: list[tuple[str | None, int]]) -> list[list[tuple[str | None, int]]]:
    """Split into as many groups as possible that each sum to zero: a group of n is settled by n - 1 transfers."""
    n = len(balances)
    if n > MOST_EXACT:
        return [balances]
    sums = [0] * (1 << n)
    best = [0] * (1 << n)
    for mask in range(1, 1 << n):
        low = (mask & -mask).bit_length() - 1
        sums[mask] = sums[mask & (mask - 1)] + balances[low][1]
        best[mask] = max((best[mask ^ 1 << i] for i in range(n) if mask >> i & 1), default=0) + (sums[mask] == 0)
    groups: list[list[tuple[str | None, int]]] = []
    mask, current = (1 << n) - 1, []
    while mask:
        i = next(i for i in range(n) if mask >> i & 1 and best[mask ^ 1 << i] + (sums[mask] == 0) == best[mask])
        current.append(balances[i])
        mask ^= 1 << i
        if sums[mask] == 0:
            groups.append(current)
            current = []
    return groups


def _chain(balances: dict[str | None, int]) -> list[Transfer]:
    """Pay the largest debt to the largest claim, until all are settled."""
    found = []
    while balances:
        payer = min(balances, key=lambda name: balances[name])
        payee = max(balances, key=lambda name: balances[name])
        points = min(-balances[payer], balances[payee])
        found.append(Transfer(payer, payee, points))
        for name, change in ((payer, points), (payee, -points)):
            balances[name] += change
            if not balances[name]:
                del balances[name]
    return found


_LOST = Text("罚分（不归任何人）", "penalties (paid to nobody)")


def transfer_text(one: Transfer, zero_sum: bool = False, value: Fraction | None = None) -> Text:
    """Describe a transfer in a sentence; without a pool, amounts that no player gets are penalties.

    `value` is the money that a point is worth, if the table has agreed on it.
    """
    if value is not None:
        plain, money = transfer_text(one, zero_sum), f"{float(one.points * value):.10g}"
        return Text(f"{plain.zh}（{money} 元）", f"{plain.en} ({money} in money)")
    sink = _LOST if zero_sum else THE_POOL
    payer, payee = (Text(name, name) if name is not None else sink for name in (one.payer, one.payee))
    return Text(f"{payer.zh} 给 {payee.zh} {one.points}", f"{payer.en} pays {payee.en} {one.points}")


def summary(ledger: Ledger) -> Text:
    """Summarise the match in a few lines to be sent to the players: results, and who pays whom how much."""
    match, title = ledger.match, ledger.spec.title
    hands = len(match.hands)
    zh = [f"{title + ' · ' if title else ''}{match.book.title.zh} · {hands} {match.rules.words.hand.zh}"]
    en = [f"{title + ' · ' if title else ''}{match.book.title.en} · {many(hands, 'hand')}"]
    ranked = people(ledger)
    for person in ranked:
        rank = 1 + sum(other.total > person.total for other in ranked)
        small = "" if person.reduced is None else f" ({person.reduced:+.3f})"
        points = Text("", "")
        if person.standard is not None:
            points = Text(f"，标准分 {person.standard:g}", f", standard points {person.standard:g}")
        zh.append(f"{rank}. {person.name} {person.total:+d}{small}{points.zh}")
        en.append(f"{rank}. {person.name} {person.total:+d}{small}{points.en}")
    for one in transfers(ledger.people, match.rules.match.start):
        zh.append(transfer_text(one, match.rules.zero_sum, match.rules.point_value).zh)
        en.append(transfer_text(one, match.rules.zero_sum, match.rules.point_value).en)
    return Text("\n".join(zh), "\n".join(en))
