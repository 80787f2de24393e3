"""Rate every decision of a played hand, with the value of each choice (`quepu.review.valuation`).

A discard whose tile the hand needs back is valued a second time by the hand that it leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quepu.bots.chances import BENT
from quepu.match.frames import frame_at
from quepu.match.log import PlayedHand
from quepu.match.steps import follow
from quepu.review.insight import Insight, insight
from quepu.review.valuation import Eye, Rated, RatedAction, after, rate_options
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, ActionKind, Table, View
from quepu.tiles import KINDS


class Decision(NamedTuple):
    """A moment at which a seat chose. `frame` is the frame of the hand (quepu.match.frames) at that moment.

        >>> from quepu.arena import match
        >>> from quepu.match import read_log
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> hand = read_log("match.jsonl").hands[0]
        >>> first = decisions(hand, played.book, only=0)[0]
        >>> first.kind, first.chosen, round(first.loss, 2), first.choices[0].action.tile
        ('discard', 2, 0.35, 27)

    `choices` are the best first; `chosen` is the index of the action taken (None: one that is not valued, as a flower
    kept). `lost`: no hand that can win was in reach, so the choice cannot be judged and has no `insight`.
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
        """The lost share of the best choice's value, 0 to 1, including danger if defence pays."""
        return 0.0 if self.chosen is None or self.insight is None else self.insight.loss


def decisions(hand: PlayedHand, book: Rulebook, only: int | None = None) -> list[Decision]:
    """List every decision of a hand (or of one seat) with more than one option, in order.

    Examples:
        >>> from quepu.arena import match
        >>> from quepu.match import read_log
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> hand = read_log("match.jsonl").hands[0]
        >>> len(decisions(hand, played.book, only=0))
        10
    """
    return list(each_decision(hand, book, only))


def each_decision(hand: PlayedHand, book: Rulebook, only: int | None = None) -> Iterator[Decision]:
    """Yield the same decisions one by one, each computed on demand.

    Empty for a hand that cannot be replayed: its options are unknown. Actions by the clock or a bot are not decisions
    of the seat's player.
    """
    if hand.problem is not None:
        return
    table = Table(book, hand.wall, round=hand.place.round_wind)
    for done, step in enumerate(hand.steps):
        wanted = step.seat is not None and only in (None, step.seat) and not step.by  # else its player chose nothing
        if wanted and step.action is not None and step.seat in table.to_act:
            options = table.options(step.seat)
            if len(options) > 1:
                made = rate_decision(table, step.seat, options, step.action, frame_at(hand, done))
                if made is not None:
                    yield made
        follow(table, step)


def rate_decision(table: Table, seat: int, options: Sequence[Action], taken: Action, frame: int) -> Decision | None:
    """Rate the action that a seat took; None if its choices cannot be valued."""
    view = table.view(seat)
    found = rate_options(view, options)
    if found is None:
        return None
    kind = "claim" if options[-1].do is ActionKind.PASS else "discard"
    chosen = next((i for i, choice in enumerate(found.choices) if is_same_choice(choice.action, taken)), None)
    if chosen and not found.lost:
        found = revalue_redrawn(view, found, chosen)
    seen = None if found.lost else insight(view, found, chosen or 0)
    return Decision(frame, seat, kind, found.choices, chosen, found.lost, view.book, seen)


def is_same_choice(action: Action, taken: Action) -> bool:
    """Return whether two actions are the same choice, disregarding drawn-and-discarded and declarations."""
    if action.do is not taken.do or taken.do in (ActionKind.WIN, ActionKind.PASS):
        return action.do is taken.do
    return (action.tile, action.low) == (taken.tile, taken.low)


def revalue_redrawn(view: View, found: Rated, chosen: int, eye: Eye | None = None) -> Rated:
    """Value the chosen discard with hands that need another copy of its tile, if these are nearer.

    Discards are valued by the hands in reach that do without the tile. If it belonged to one of the nearest hands, the
    nearest one left may want it back. Checking this for every discard would take ten times as long, so only the chosen
    one is checked.
    """
    taken = found.choices[chosen]
    best = next(one for one in found.choices if one.points is None)
    if {taken.action.do, best.action.do} != {ActionKind.DISCARD} or taken.missing == best.missing:
        return found
    left = after(view, taken)
    if left is None:
        return found
    eye = eye or Eye.of(view)
    value, again = eye.choice(taken.action, eye.look(*left), KINDS)
    if again.missing is None or (taken.missing is not None and again.missing >= taken.missing):
        return found
    whole = eye.look([kind for kind in view.tiles if kind < KINDS], view.melds)
    most = float(whole.values[best.action.tile_kind])
    above = found.choices[chosen - 1] if chosen and found.choices[chosen - 1].points is None else None
    share = max(taken.share, min(value / most if most > 0 else 0.0, 1.0 if above is None else above.share))
    won = best.chance * best.reach if most > 0 else again.chance * again.reach
    changed = again._replace(share=share, expected=won * share**BENT, danger=taken.danger)
    return found._replace(choices=(*found.choices[:chosen], changed, *found.choices[chosen + 1 :]))
