"""Explain a decision: the kind of a mistake, its cost in points, hands aimed at, and chances turn by turn."""

from __future__ import annotations

from typing import NamedTuple

from quepu.bots.chances import load_measured
from quepu.bots.danger import costs
from quepu.hands.hand import Hand
from quepu.review import Mistake
from quepu.review.aimed_hands import Aim, aims
from quepu.review.turns import TurnChance, by_turn
from quepu.review.valuation import Eye, Rated, RatedAction, after
from quepu.rules.play_rules import play_rules
from quepu.shapes.distance import hand_missing
from quepu.table import ActionKind, View

_OF_A_DEAL_IN = 0.1
"""If a hand is worth less than this share of the cost of a deal-in, dangers are measured against that."""


class Side(NamedTuple):
    """A choice in detail: hands it leads to, tiles to any complete shape, and its chances by turn.

    `shape` is None after a win.
    """

    aims: tuple[Aim, ...] = ()
    shape: int | None = None
    by_turn: tuple[TurnChance, ...] = ()


class Insight(NamedTuple):
    """The best choice of a decision and the one taken (the same if it was the best).

    `risked` are the points that the chosen discard's danger costs more than the best one's (less: negative), 0 in books
    where defence does not pay; `cost` is the average loss of the choice in points.
    """

    best: Side
    taken: Side
    risked: float
    cost: float
    loss: float


def insight(view: View, found: Rated, chosen: int) -> Insight:
    """Explain the choice of this number compared with the best one (number 0)."""
    eye = Eye.of(view)
    best, taken = found.choices[0], found.choices[chosen]
    first = side(eye, view, best)
    if not chosen:
        return Insight(first, first, 0.0, 0.0, 0.0)
    risked, floor = 0.0, 0.0
    if best.points is None and play_rules(view.book).defence:
        dealt = costs(eye.payable)
        more = dealt.given - dealt.otherwise
        risked = (taken.danger - best.danger) * (more + best.expected)
        floor = _OF_A_DEAL_IN * more
    scale = max(best.expected, floor)
    loss = 1.0 - taken.share + (risked / scale if scale > 0 else 0.0)
    return Insight(
        first,
        side(eye, view, taken),
        risked,
        max(0.0, best.expected - taken.expected + risked),
        min(1.0, max(0.0, loss)),
    )


def side(eye: Eye, view: View, choice: RatedAction) -> Side:
    """Return a choice in detail."""
    left = after(view, choice)
    curve = (
        ()
        if choice.missing is None or choice.points is not None
        else by_turn(choice.missing, choice.chance, view.board.left, load_measured(view.book).ended)
    )
    if left is None:
        return Side(by_turn=curve)
    tiles, melds = left
    shape = hand_missing(Hand(tuple(sorted(tiles)), melds), view.book.shapes)
    return Side(tuple(aims(eye, tiles, melds)), shape, curve)


def mistake(choices: tuple[RatedAction, ...], chosen: int, seen: Insight) -> Mistake:
    """Return the kind of mistake that a choice was, compared with the best one."""
    best, taken = choices[0], choices[chosen]
    if best.points is not None:
        return "missed_win"
    if best.action.do is not ActionKind.DISCARD or taken.action.do is not ActionKind.DISCARD:
        return "claim"
    farther = taken.missing is None or (best.missing is not None and taken.missing > best.missing)
    shapes = seen.best.shape, seen.taken.shape
    if farther and shapes[0] is not None and shapes[1] is not None and shapes[1] <= shapes[0]:
        return "unpayable"
    if seen.risked > seen.cost / 2:
        return "safety"
    if farther or taken.chance * best.reach <= best.chance * taken.reach:
        return "speed"
    return "value"
