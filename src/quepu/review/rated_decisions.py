"""Every decision of a hand with the value of each choice: steps to a hand that may win, its ways, what it pays.

The values are those by which the level 高手 (`gain`) plays: all payable hands near by, weighed by what they pay and by
the chance to draw what is missing. A win is never weighed against playing on: taking it is the best choice. Only what
the seat could see is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from quepu.bots.payable_bot import GainBot, payable
from quepu.bots.simple import after_claim
from quepu.efficiency.payable import FAR, Look, rates
from quepu.hands.hand import Hand, Meld, MeldKind
from quepu.match.log import PlayedHand, follow
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, ActionKind, Table, View
from quepu.tiles import EAST, KINDS

if TYPE_CHECKING:
    from quepu.enumeration.hand_index import Array


class RatedAction(NamedTuple):
    """One possible action with its value.

    `share` is its value as a part of the best one's (0 to 1). `missing` counts the tiles that must still come to a hand
    that may win (1: ready; None: two more than the best choice's, or none is left), `useful` are the kinds that bring
    it nearer, `left` their unseen copies, `reach` is what the hands in reach pay on the average. `then` is the discard
    that goes with a claim (None: none). A win has `points`.
    """

    action: Action
    share: float
    missing: int | None
    useful: tuple[int, ...]
    left: int
    reach: float
    then: int | None = None
    points: int | None = None


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


class _Eye:
    """View of one seat at one moment, and the payable hands in its reach."""

    def __init__(self, book: Rulebook, view: View) -> None:
        import numpy as np

        self.view = view
        self.payable = payable(book)
        self.unseen: Array = np.array(view.unseen())
        turns = max(1.0, view.board.left / 4)
        self.rate: Array = rates(turns, max(8, int(self.unseen.sum())), GainBot.pace)

    def look(self, concealed: Sequence[int], melds: tuple[Meld, ...]) -> Look:
        """The distance and the values of discards for these tiles."""
        view = self.view
        hand = Hand(tuple(sorted(concealed)), melds, None, EAST + view.seat, EAST + view.board.round)
        look = self.payable.look(hand, self.unseen, GainBot.extra, self.rate)
        if look.missing == 0:  # complete, but it may not win now: one tile must go
            look = self.payable.look(hand, self.unseen, 1, self.rate)
        return look

    def choice(self, action: Action, look: Look, discard: int, then: int | None = None) -> tuple[float, RatedAction]:
        """The value of a discard (KINDS: of discarding nothing), and its rated action."""
        value = look.total if discard == KINDS else float(look.values[discard])
        if look.missing >= FAR or value <= 0:
            return 0.0, RatedAction(action, 0.0, None, (), 0, 0.0, then)
        ways, gains = look.by_discard[:, 0, discard], look.by_discard[:, 1, discard]
        levels = self.rate[look.missing : look.missing + len(ways)]
        all_ways = float(levels @ ways)
        reach = float(levels @ gains) / all_ways if all_ways else 0.0
        farther = next((n for n, way in enumerate(ways) if way > 0), None)
        mask = look.helps if discard == KINDS else int(look.useful[discard])
        useful = tuple(kind for kind in range(KINDS) if mask >> kind & 1)
        left = int(sum(self.unseen[kind] for kind in useful))
        missing = None if farther is None else look.missing + farther
        return value, RatedAction(action, 0.0, missing, useful, left, reach, then)


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
                made = _decide(table, book, step.seat, options, step.action, max(0, events - 5))
                if made is not None:
                    yield made
        follow(table, step)
        events += step.event is not None


def _decide(
    table: Table, book: Rulebook, seat: int, options: Sequence[Action], taken: Action, frame: int
) -> Decision | None:
    view = table.view(seat)
    claim = options[-1].do is ActionKind.PASS
    if claim and all(option.do in (ActionKind.READY, ActionKind.PASS) for option in options):
        return None  # declaring the dealt hand ready: a matter of the book, not of values
    if not claim and view.drawn is not None and view.drawn >= KINDS:
        return None  # a flower in hand
    eye = _Eye(book, view)
    valued = _claims(eye, options) if claim else _turn(eye, options)
    best = max((value for value, _ in valued), default=0.0)
    win = next((option for option in options if option.do is ActionKind.WIN), None)
    choices = sorted(
        (choice._replace(share=value / best if best else 0.0) for value, choice in valued),
        key=lambda choice: (-choice.share, choice.action.do is not ActionKind.DISCARD, choice.action.tile or 0),
    )
    if win is not None:
        points = win.score.total if win.score is not None else 0
        choices = [RatedAction(win._replace(score=None), 1.0, 0, (), 0, 0.0, points=points),
                   *(choice._replace(share=choice.share * 0.5) for choice in choices)]  # fmt: skip
    chosen = next((i for i, choice in enumerate(choices) if _same(choice.action, taken)), None)
    lost = win is None and best <= 0
    return Decision(frame, seat, "claim" if claim else "discard", tuple(choices), chosen, lost)


def _same(action: Action, taken: Action) -> bool:
    """Whether two actions are the same choice: whether a discard was just drawn, or declares, does not matter here."""
    if action.do is not taken.do or taken.do in (ActionKind.WIN, ActionKind.PASS):
        return action.do is taken.do
    return (action.tile, action.low) == (taken.tile, taken.low)


def _turn(eye: _Eye, options: Sequence[Action]) -> list[tuple[float, RatedAction]]:
    """Values of discards, each kind once, and of kongs."""
    view = eye.view
    tiles = [kind for kind in view.tiles if kind < KINDS]
    look = eye.look(tiles, view.melds)
    found, seen = [], set()
    for option in options:
        tile = option.tile
        if option.do is ActionKind.DISCARD and tile is not None and tile < KINDS and tile not in seen:
            seen.add(tile)
            found.append(eye.choice(Action(ActionKind.DISCARD, tile), look, tile))
        elif option.do is ActionKind.CONCEALED:
            rest = [kind for kind in tiles if kind != option.tile]
            after = eye.look(rest, (*view.melds, Meld(MeldKind.CONCEALED_KONG, option.tile_kind)))
            found.append(eye.choice(option, after, KINDS))
        elif option.do is ActionKind.ADDED:
            rest = tiles.copy()
            rest.remove(option.tile_kind)
            found.append(eye.choice(option, eye.look(rest, view.melds), KINDS))
    return found


def _claims(eye: _Eye, options: Sequence[Action]) -> list[tuple[float, RatedAction]]:
    """Values of passing, and of every claim with its best discard."""
    view = eye.view
    found = [eye.choice(Action(ActionKind.PASS), eye.look(view.hand, view.melds), KINDS)]
    for option in options:
        rest = after_claim(view.hand, option)
        if rest is None:
            continue
        after = eye.look(rest, (*view.melds, option.meld))
        if option.do is ActionKind.KONG:
            found.append(eye.choice(option, after, KINDS))
        else:
            out = max(sorted(set(rest)), key=lambda kind: float(after.values[kind]))  # used at once
            found.append(eye.choice(option, after, out, out))
    return found
