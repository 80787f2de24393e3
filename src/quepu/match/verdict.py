"""Compare results of hands in a log with those of a replay, or of other rules.

The log itself does not change: it was settled when it was played.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from quepu.errors import Error, Text
from quepu.match.log import PlayedHand, Replay
from quepu.match.settle import settle
from quepu.rules.play_rules import Ending, Payment, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand
from quepu.table.events import Event, FlowerSetAside, KongAdded, KongConcealed, Won


def alike(some: Iterable[Payment], others: Iterable[Payment]) -> bool:
    """Return whether payers, payees and points are the same, whatever the reasons."""
    return [payment[:3] for payment in some] == [payment[:3] for payment in others]


def unlike(ending: Ending, data: dict[str, Any]) -> tuple[str, str]:
    """Describe how a settlement differs from the one in the log."""
    points = points_of(data)
    if ending.winner is not None and points is not None and points != ending.points:
        return f"今天计 {ending.points}，当时 {points}。", f"it scores {ending.points} today, {points} then."
    if ending.winner is None:
        return "流局的收付与今天的算法不同。", "today's rules give other payments for a hand without a winner."
    return (
        f"今天计 {ending.points}，当时的收付不同。",
        f"it scores {ending.points} today, as then, but the payments differ.",
    )


def points_of(data: dict[str, Any]) -> int | None:
    """Return the points of a win if the log has them (since format 2)."""
    return int(data["won"]["points"]) if "won" in data else None


def as_then(ending: Ending, data: dict[str, Any]) -> Ending:
    """Return the ending with the recorded points, without today's score if they differ."""
    points = data["won"]["points"] if "won" in data else ending.points
    return ending if points == ending.points else ending._replace(points=int(points), score=None)


def ending_of(events: Sequence[Event], data: dict[str, Any]) -> Ending:
    """Return how a hand ended, from its events alone."""
    for before, won in pairwise(events):
        if isinstance(won, Won):
            robbed = won.giver is not None and isinstance(before, KongAdded | KongConcealed | FlowerSetAside)
            return Ending(won.seat, points_of(data) or 0, won.giver is None, won.giver, robbed)
    return Ending()


class Verdict(NamedTuple):
    """A hand with another result: its number, its line, points then and now (None: not a win)."""

    hand: int
    line: int
    then: int
    now: int | None
    text: Text


def judge(replay: Replay, book: Rulebook) -> list[Verdict]:
    """List the settled hands of a log that `book` would settle differently."""
    return [found for hand in replay.hands if (found := _judge(hand, book)) is not None]


def _judge(hand: PlayedHand, book: Rulebook) -> Verdict | None:
    then = hand.ending
    if then is None or hand.problem is not None:
        return None
    now, why = then.points, Text("", "")
    if then.score is not None:
        try:
            score = score_hand(then.score.hand, book)
            now = score.total
            if not score.can_win:
                why = Text(f"，不够起和的 {score.minimum}", f", below the minimum of {score.minimum}")
        except Error as error:
            text = Text(
                f"今天不能和：{error.text.zh}当时 {then.points}。", f"no win today, {then.points} then: {error.text.en}"
            )
            return Verdict(hand.number, hand.line, then.points, None, text)
    if now != then.points or why.zh:
        text = Text(
            f"今天计 {now}{why.zh}，当时 {then.points}。", f"it scores {now} today{why.en}, {then.points} then."
        )
        return Verdict(hand.number, hand.line, then.points, now, text)
    try:
        paid = settle(then, book, play_rules(book)).payments
    except Error as error:
        return Verdict(hand.number, hand.line, then.points, now, error.text)
    if [payment[:3] for payment in paid] == [payment[:3] for payment in hand.payments]:
        return None
    text = Text("今天的收付与当时不同。", "today's rules give other payments.")
    return Verdict(hand.number, hand.line, then.points, now, text)
