"""Every decision of a played hand with the value of each choice (`quepu.review.valuation`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quepu.match.log import PlayedHand, follow
from quepu.review.valuation import RatedAction, rated
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, ActionKind, Table


class Decision(NamedTuple):
    """A moment at which a seat chose. `frame` is the picture of the hand (quepu.match.frames) at which it did.

    `choices` are the best first; `chosen` is the index of the action taken (None: one that is not valued, as a flower
    kept). `lost`: no hand that may win was in reach, so the choice cannot be judged.
    """

    frame: int
    seat: int
    kind: str  # discard or claim
    choices: tuple[RatedAction, ...]
    chosen: int | None
    lost: bool

    @property
    def loss(self) -> float:
        """The share of the best choice's value that was lost, 0 to 1."""
        return 0.0 if self.lost or self.chosen is None else 1.0 - self.choices[self.chosen].share


def decisions(hand: PlayedHand, book: Rulebook) -> list[Decision]:
    """Every decision of a hand at which there was more than one option, in order."""
    return list(each_decision(hand, book))


def each_decision(hand: PlayedHand, book: Rulebook) -> Iterator[Decision]:
    """The same one by one, each worked out when it is asked for.

    Empty for a hand that cannot be played again: its options are unknown.
    """
    if hand.problem is not None:
        return
    table = Table(book, hand.wall, round=hand.place.round_wind)
    events = 0
    for step in hand.steps:
        if step.action is not None and step.seat is not None and step.seat in table.to_act:
            options = table.options(step.seat)
            if len(options) > 1:
                made = _decide(table, step.seat, options, step.action, max(0, events - 5))
                if made is not None:
                    yield made
        follow(table, step)
        events += step.event is not None


def _decide(table: Table, seat: int, options: Sequence[Action], taken: Action, frame: int) -> Decision | None:
    found = rated(table.view(seat), options)
    if found is None:
        return None
    kind = "claim" if options[-1].do is ActionKind.PASS else "discard"
    chosen = next((i for i, choice in enumerate(found.choices) if _same(choice.action, taken)), None)
    return Decision(frame, seat, kind, found.choices, chosen, found.lost)


def _same(action: Action, taken: Action) -> bool:
    """Whether two actions are the same choice: whether a discard was just drawn, or declares, does not matter here."""
    if action.do is not taken.do or taken.do in (ActionKind.WIN, ActionKind.PASS):
        return action.do is taken.do
    return (action.tile, action.low) == (taken.tile, taken.low)
