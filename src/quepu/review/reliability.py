"""Whether predicted chances come true: bots' hands, a decision at random of each seat, and what became of the hand.

The prediction is the review's own (`quepu.review.valuation`), for what the seat did. The bots are `gain`, by whose
values a review grades.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import NamedTuple

from quepu.bots.payable_bot import GainBot, Sight
from quepu.efficiency.payable import FAR, Look
from quepu.review.rated_decisions import same_choice
from quepu.review.valuation import Eye, rated
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, ActionKind, Table, View, make_wall
from quepu.tiles import PLAIN

NEVER = 99.0
"""Turns after which a hand was ready that never was."""
_Z = 1.96


class Sample(NamedTuple):
    """A decision, what was predicted, and what became of the hand.

    `hand` is its number. `missing`, `ways`, `unseen`, `left` and `shown` are what the chance depends on (`left` tiles
    in the wall). `ready` and `ended` are the turns (of four draws) from the decision until the seat was ready and until
    the hand was over.
    """

    hand: int
    claim: bool
    missing: int
    ways: float
    unseen: int
    left: int
    shown: int
    chance: float
    won: bool
    ready: float
    ended: float


class Watched(GainBot):
    """Plays as `gain`, and remembers one of its decisions, all alike, and when it was ready."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._random = random.Random(seed)
        self._met = 0
        self.decision: tuple[View, Sequence[Action], Action] | None = None
        self.readied: list[int] = []
        """Tiles left in the wall at each discard that left the hand ready."""

    def _discard(self, sight: Sight, options: Sequence[Action], look: Look) -> Action:
        chosen = super()._discard(sight, options, look)
        ways = look.by_discard[: max(0, 2 - look.missing), 0, chosen.tile_kind]
        if look.missing < FAR and ways.any():
            self.readied.append(sight.view.board.left)
        return chosen

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """As `gain` does."""
        chosen = super().act(view, options)
        if len(options) > 1 and chosen.do is not ActionKind.WIN:
            self._met += 1
            if self._random.random() * self._met < 1:
                self.decision = view, options, chosen
        return chosen


def samples(book: Rulebook, seed: int, first: int, last: int) -> Iterator[Sample]:
    """A decision of each seat in hands `first` to `last` (exclusive) of a seed; the same whenever it is asked."""
    flowers = play_rules(book).table.flowers
    for number in range(first, last):
        bots = [Watched(number * 4 + seat) for seat in range(4)]
        for seat, bot in enumerate(bots):
            bot.begin(book, seat)
        table = Table(book, make_wall(seed, number, PLAIN.with_flowers(flowers)), round=number // 4 % 4)
        while table.to_act:
            seat = table.to_act[0]
            table.step(seat, bots[seat].act(table.view(seat), table.options(seat)))
        winner = None if table.ending is None else table.ending.winner
        for seat, bot in enumerate(bots):
            found = _sample(bot, number, table.board.left, seat == winner)
            if found is not None:
                yield found


def _sample(bot: Watched, number: int, left: int, won: bool) -> Sample | None:
    """The bot's decision; None where nothing was predicted."""
    if bot.decision is None:
        return None
    view, options, taken = bot.decision
    found = rated(view, options)
    if found is None or found.lost:
        return None
    choice = next((one for one in found.choices if same_choice(one.action, taken)), None)
    if choice is None or choice.missing is None:
        return None
    now, eye = view.board.left, Eye.of(view)
    ready = next((now - then for then in bot.readied if then <= now), None)
    claim = options[-1].do is ActionKind.PASS
    return Sample(
        number, claim, choice.missing, choice.ways, int(eye.unseen.sum()), now, eye.melds_shown, choice.chance, won,
        NEVER if ready is None else ready / 4, (now - left) / 4,
    )  # fmt: skip


class Tenth(NamedTuple):
    """Predictions of one tenth: how many, their mean, the share that came true and its 95 % interval (half of it)."""

    of: int
    predicted: float
    actual: float
    half: float


def tenths(hands: Iterable[int], predicted: Iterable[float], came: Iterable[bool]) -> list[Tenth]:
    """Predictions from 0 to 10 %, from 10 to 20 % … with what came true.

    Seats of one hand are no independent cases, only one can win: intervals are those of sums over hands.
    """
    found: list[dict[int, list[float]]] = [{} for _ in range(10)]
    for hand, share, true in zip(hands, predicted, came, strict=True):
        case = found[min(9, int(share * 10))].setdefault(hand, [0.0, 0.0, 0.0])
        case[0] += 1
        case[1] += share
        case[2] += true
    made = []
    for cases in found:
        of = sum(case[0] for case in cases.values())
        if not of:
            made.append(Tenth(0, 0.0, 0.0, 1.0))
            continue
        mean, actual = (sum(case[i] for case in cases.values()) / of for i in (1, 2))
        spread = sum((case[2] - actual * case[0]) ** 2 for case in cases.values())
        made.append(Tenth(int(of), mean, actual, _Z * sqrt(spread) / of))
    return made
