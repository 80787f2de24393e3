"""A log judged again under other rules than it was played by: what each win would score, who would pay what.

Nothing of the log changes by it: it was settled when it was played.
"""

from __future__ import annotations

from typing import NamedTuple

from quepu.errors import Error, Text
from quepu.match.log import PlayedHand, Replay
from quepu.match.settle import settle
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand


class Verdict(NamedTuple):
    """A hand that would have come to something else: its number, its line, points then and now (None: no win)."""

    hand: int
    line: int
    then: int
    now: int | None
    text: Text


def judged(replay: Replay, book: Rulebook) -> list[Verdict]:
    """The settled hands of a log that `book` would settle otherwise."""
    return [found for hand in replay.hands if (found := _judged(hand, book)) is not None]


def _judged(hand: PlayedHand, book: Rulebook) -> Verdict | None:
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
    text = Text("今天的收付与当时不同。", "today other payments would be made.")
    return Verdict(hand.number, hand.line, then.points, now, text)
