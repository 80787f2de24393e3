"""Compare results of hands in a log with those of a replay, or of other rules.

The log itself does not change: it was settled when it was played.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from quepu.errors import Error, Text
from quepu.match.log import PlayedHand, Replay
from quepu.match.settle import settle
from quepu.rules.play_rules import Ending, Payment, SeatWin, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand
from quepu.table.events import Event, FlowerSetAside, KongAdded, KongConcealed, Won


def alike(some: Iterable[Payment], others: Iterable[Payment]) -> bool:
    """Return whether payers, payees and points are the same, whatever the reasons."""
    return [payment[:3] for payment in some] == [payment[:3] for payment in others]


def unlike(ending: Ending, data: dict[str, Any]) -> tuple[str, str]:
    """Describe how a settlement differs from the one in the log."""
    if not ending.winners:
        return "流局的收付与今天的算法不同。", "today's rules give other payments for a hand without a winner."
    then, points = points_of(data), tuple(win.points for win in ending.winners)
    now = _list_kinds(points)
    if then and then != points:
        return f"今天计 {now}，当时 {_list_kinds(then)}。", f"it scores {now} today, {_list_kinds(then)} then."
    return f"今天计 {now}，当时的收付不同。", f"it scores {now} today, as then, but the payments differ."


def _list_kinds(points: Iterable[int]) -> str:
    return "、".join(map(str, points))


def points_of(data: dict[str, Any]) -> tuple[int, ...]:
    """Return the points of each win if the log has them (since format 2)."""
    return tuple(int(win["points"]) for win in (data["won"], *data.get("also", ()))) if "won" in data else ()


def as_then(ending: Ending, data: dict[str, Any]) -> Ending:
    """Return the ending with the recorded points, without today's score if they differ."""
    points = points_of(data)
    if not points:
        return ending
    wins = (
        win if at >= len(points) or points[at] == win.points else win._replace(points=points[at], score=None)
        for at, win in enumerate(ending.winners)
    )
    return ending._replace(winners=tuple(wins))


def ending_of(events: Sequence[Event], data: dict[str, Any]) -> Ending:
    """Return how a hand ended, from its events alone."""
    won = [event for event in events if isinstance(event, Won)]
    if not won:
        return Ending()
    giver, before = won[0].giver, events[events.index(won[0]) - 1]
    robbed = giver is not None and isinstance(before, KongAdded | KongConcealed | FlowerSetAside)
    points = (*points_of(data), *[0] * len(won))
    wins = (SeatWin(event.seat, worth) for event, worth in zip(won, points, strict=False))
    return Ending(tuple(wins), giver is None, giver, robbed)


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
    for win in then.winners:
        found = _judge_win(hand, win, book)
        if found is not None:
            return found
    points = 0 if then.first is None else then.first.points
    try:
        paid = settle(then, book, play_rules(book)).payments
    except Error as error:
        return Verdict(hand.number, hand.line, points, points, error.text)
    if [payment[:3] for payment in paid] == [payment[:3] for payment in hand.payments]:
        return None
    text = Text("今天的收付与当时不同。", "today's rules give other payments.")
    return Verdict(hand.number, hand.line, points, points, text)


def _judge_win(hand: PlayedHand, then: SeatWin, book: Rulebook) -> Verdict | None:
    """Return the verdict on one win if it would score otherwise by `book`."""
    if then.score is None:
        return None
    try:
        score = score_hand(then.score.hand, book)
    except Error as error:
        text = Text(
            f"今天不能和：{error.text.zh}当时 {then.points}。", f"no win today, {then.points} then: {error.text.en}"
        )
        return Verdict(hand.number, hand.line, then.points, None, text)
    if score.can_win and score.total == then.points:
        return None
    why = Text("", "")
    if not score.can_win:
        why = Text(f"，不够起和的 {score.minimum}", f", below the minimum of {score.minimum}")
    text = Text(
        f"今天计 {score.total}{why.zh}，当时 {then.points}。",
        f"it scores {score.total} today{why.en}, {then.points} then.",
    )
    return Verdict(hand.number, hand.line, then.points, score.total, text)
