"""Start from a log: the table after some steps of one of its hands, and the match before it."""

from __future__ import annotations

from typing import NamedTuple

from quepu.errors import Error, Text, many
from quepu.match.log import Replay
from quepu.match.match import Match
from quepu.match.seats import RoundPosition
from quepu.rules.play_rules import SEATS
from quepu.table.play import Table


class StartError(Error, ValueError):
    """A log position from which play cannot start."""


class LogStart(NamedTuple):
    """A table to continue, its place in the match, and each player's points before the hand."""

    table: Table
    place: RoundPosition
    totals: tuple[int, int, int, int]


def describe_missing(number: int, hands: int) -> Text:
    """Say that a log of so many hands has none of this number."""
    return Text(
        f"没有第 {number} 局：牌谱有 {hands} 局，从 1 数起。",
        f"there is no hand {number}: the log has {many(hands, 'hand')}, counted from 1.",
    )


def start_in(log: Replay, hand: int, steps: int | None) -> LogStart:
    """Return the position in a log's `hand` (from 1) after `steps` steps; None: all of them.

    Raises:
        StartError: the hand does not exist, or is over by then.
        NotAllowed: the book does not allow one of the steps.
    """
    if not 1 <= hand <= len(log.hands):
        raise StartError(*describe_missing(hand, len(log.hands)))
    played = log.hands[hand - 1]
    table = played.table(log.book, steps)
    if table.over:
        raise StartError("走了这些步，这一局已打完。", "after this many steps the hand is over.")
    return LogStart(table, played.place, _totals_before(log.match, hand - 1))


def _totals_before(match: Match, hands: int) -> tuple[int, int, int, int]:
    """Return each player's points after this many hands of a match, penalties left out."""
    totals = [match.rules.match.start] * SEATS
    for hand in match.hands[:hands]:
        for player, gain in enumerate(hand.players):
            totals[player] += gain
    return totals[0], totals[1], totals[2], totals[3]
