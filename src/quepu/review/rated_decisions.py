"""Every decision of a played hand with the value of each choice (`quepu.review.valuation`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quepu.match.log import PlayedHand, follow
from quepu.review.insight import Insight, insight
from quepu.review.redrawn import redrawn
from quepu.review.valuation import RatedAction, rated
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, ActionKind, Table


class Decision(NamedTuple):
    """A moment at which a seat chose. `frame` is the picture of the hand (quepu.match.frames) at which it did.

    `choices` are the best first; `chosen` is the index of the action taken (None: one that is not valued, as a flower
    kept). `lost`: no hand that may win was in reach, so the choice cannot be judged; then there is no `insight`.
    """

    frame: int
    seat: int
    kind: str  # discard or claim
    choices: tuple[RatedAction, ...]
    chosen: int | None
    lost: bool
    book: Rulebook
    insight: Insight | None = None

    @property
    def loss(self) -> float:
        """The share of the best choice's value that was lost, 0 to 1, dangers among it where holding back pays."""
        return 0.0 if self.chosen is None or self.insight is None else self.insight.loss


def decisions(hand: PlayedHand, book: Rulebook, only: int | None = None) -> list[Decision]:
    """Every decision of a hand (of one seat only) at which there was more than one option, in order."""
    return list(each_decision(hand, book, only))


def each_decision(hand: PlayedHand, book: Rulebook, only: int | None = None) -> Iterator[Decision]:
    """The same one by one, each worked out when it is asked for.

    Empty for a hand that cannot be played again: its options are unknown. What the clock or a bot did for a seat is not
    its player's decision.
    """
    if hand.problem is not None:
        return
    table = Table(book, hand.wall, round=hand.place.round_wind)
    events = 0
    for step in hand.steps:
        wanted = step.seat is not None and only in (None, step.seat) and not step.by  # else its player chose nothing
        if wanted and step.action is not None and step.seat in table.to_act:
            options = table.options(step.seat)
            if len(options) > 1:
                made = _decide(table, step.seat, options, step.action, max(0, events - 5))
                if made is not None:
                    yield made
        follow(table, step)
        events += step.event is not None


def _decide(table: Table, seat: int, options: Sequence[Action], taken: Action, frame: int) -> Decision | None:
    view = table.view(seat)
    found = rated(view, options)
    if found is None:
        return None
    kind = "claim" if options[-1].do is ActionKind.PASS else "discard"
    chosen = next((i for i, choice in enumerate(found.choices) if same_choice(choice.action, taken)), None)
    if chosen and not found.lost:
        found = redrawn(view, found, chosen)
    seen = None if found.lost else insight(view, found, chosen or 0)
    return Decision(frame, seat, kind, found.choices, chosen, found.lost, view.book, seen)


def same_choice(action: Action, taken: Action) -> bool:
    """Whether two actions are the same choice: whether a discard was just drawn, or declares, does not matter here."""
    if action.do is not taken.do or taken.do in (ActionKind.WIN, ActionKind.PASS):
        return action.do is taken.do
    return (action.tile, action.low) == (taken.tile, taken.low)
