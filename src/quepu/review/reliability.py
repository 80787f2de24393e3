"""Check whether predicted chances come true: random decisions of each seat in bots' hands, and the outcome.

The prediction is the review's own (`quepu.review.valuation`) for the choice of the seat. The bots are `gain`, whose
values reviews use. With numba hands are played by compiled tables (`quepu.fast.tables`) and followed here, which
gives the same rows in a third of the time.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from quepu.bots.payable_bot import GainBot, Sight
from quepu.fast.nearest.payable import FAR, Look
from quepu.review.rated_decisions import is_same_choice
from quepu.review.valuation import Eye, rate_options
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.shapes.distance import missing, tiles_of
from quepu.table import Action, ActionKind, Table, View, make_wall
from quepu.table.events import ChowClaimed, Claimed, Event, KongClaimed, PungClaimed, ReadyDeclared, SeatEvent, Won
from quepu.tiles import KINDS, PLAIN, TileSet

NEVER = 99.0
"""The turn of readiness of a hand that never was ready."""
_Z = 1.96


class Sample(NamedTuple):
    """A decision, its prediction, and the outcome of the hand.

    `hand` is its number. The chance depends on `missing`, `ways`, `unseen`, `left` and `shown` (`left` tiles in the
    wall). `ready` and `ended` are the turns (of four draws) from the decision until the seat was ready and until the
    hand was over.
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


class Remembered(NamedTuple):
    """A decision, and what was chosen (None: not known yet)."""

    view: View
    options: Sequence[Action]
    chosen: Action | None


def _leaves_ready(look: Look, discard: int) -> bool:
    ways = look.by_discard[: max(0, 2 - look.missing), 0, discard]
    return look.missing < FAR and bool(ways.any())


class Watched(GainBot):
    """Plays as `gain`, and remembers some of its decisions, chosen uniformly, and when it was ready."""

    def __init__(self, seed: int = 0, most: int = 1) -> None:
        super().__init__(seed)
        self._random = random.Random(seed)
        self._met, self._most = 0, most
        self._found: list[Remembered] = []
        self._readied: list[int] = []
        """Tiles left in the wall at each discard that left the hand ready."""

    def _discard(self, sight: Sight, options: Sequence[Action], look: Look) -> Action:
        chosen = super()._discard(sight, options, look)
        if _leaves_ready(look, chosen.tile_kind):
            self._readied.append(sight.view.board.left)
        return chosen

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """As `gain` does."""
        chosen = super().act(view, options)
        if len(options) > 1 and chosen.do is not ActionKind.WIN:
            self.meet(Remembered(view, options, chosen))
        return chosen

    def meet(self, decision: Remembered) -> None:
        """Count another decision, and perhaps remember it instead of an earlier one."""
        self._met += 1
        place = int(self._random.random() * self._met)
        if self._met <= self._most:
            self._found.append(decision)
        elif place < self._most:
            self._found[place] = decision

    def decisions(self) -> list[Remembered]:
        """Return the decisions remembered, in the order of the hand."""
        return sorted(self._found, key=lambda one: -one.view.board.left)

    def ready_from(self, left: int) -> int | None:
        """Return the tiles left in the wall when the hand was first ready from then on; None if it never was."""
        return next((then for then in self._readied if then <= left), None)


class Followed(Watched):
    """The same for a hand that was already played: its actions are given, and it evaluates at the end."""

    def __init__(self, seed: int = 0, most: int = 1) -> None:
        super().__init__(seed, most)
        self._discards: list[tuple[View, int]] = []

    def follow(self, view: View, options: Sequence[Action], chosen: Action | None) -> None:
        """Record the seat's choice; None: another seat's claim took precedence."""
        if chosen is not None and chosen.do is ActionKind.WIN:
            return
        if len(options) > 1:
            self.meet(Remembered(view, options, chosen))
        if chosen is not None and chosen.do is ActionKind.DISCARD and len(options) > 1:
            self._discards.append((view, chosen.tile_kind))

    def decisions(self) -> list[Remembered]:
        """Return the decisions remembered; those that another seat preempted are made now."""
        return [
            one if one.chosen else one._replace(chosen=GainBot.act(self, one.view, one.options))
            for one in super().decisions()
        ]

    def ready_from(self, left: int) -> int | None:
        """As for a hand that it plays itself."""
        found = (at for at, (view, _) in enumerate(self._discards) if view.board.left <= left and self._left_ready(at))
        first = next(found, None)
        return None if first is None else self._discards[first][0].board.left

    @lru_cache(128)  # noqa: B019  # discards of some hands: an open-ended cache would hold every bot for good
    def _left_ready(self, at: int) -> bool:
        view, tile = self._discards[at]
        tiles = [kind for kind in view.tiles if kind < KINDS]
        rest = tiles.copy()
        if tile < KINDS:
            rest.remove(tile)
        if tile >= KINDS or missing(tiles_of(rest, view.melds), view.book.shapes) > 1:
            return False  # no hand is that near, whatever its value
        return _leaves_ready(self.look(Sight.of(view), tiles, view.melds), tile)


def samples(book: Rulebook, seed: int, first: int, last: int, fast: bool = False, most: int = 1) -> Iterator[Sample]:
    """Yield decisions of each seat, `most` at most, in hands `first` to `last` (exclusive) of a seed; deterministic.

    `fast`: by compiled tables.
    """
    tiles = PLAIN.with_flowers(play_rules(book).table.flowers)
    events = _events(book, seed, first, last, tiles) if fast else {}
    for number in range(first, last):
        bots = [(Followed if fast else Watched)(number * 4 + seat, most) for seat in range(4)]
        for seat, bot in enumerate(bots):
            bot.begin(book, seat)
        table = Table(book, make_wall(seed, number, tiles), round=number // 4 % 4)
        while table.to_act:
            seat = table.to_act[0]
            view, options, bot = table.view(seat), table.options(seat), bots[seat]
            if isinstance(bot, Followed):
                event = events[number][len(table.events) - 1]
                action = _find_taken(options, seat, event)
                bot.follow(view, options, None if _preempts(event, seat) else action)
            else:
                action = bot.act(view, options)
            table.step(seat, action)
        winners = () if table.ending is None else table.ending.seats
        for seat, bot in enumerate(bots):
            for decision in bot.decisions():
                found = _sample(decision, number, table.board.left, seat in winners)
                if found is not None:
                    ready = bot.ready_from(found.left)
                    yield found if ready is None else found._replace(ready=(found.left - ready) / 4)


def each_choice(book: Rulebook, seed: int, first: int, last: int) -> Iterator[tuple[int, Table, int, Action]]:
    """Yield the choices of bots in hands `first` to `last` (exclusive): hand, the table before it, seat, action.

    The hands are played by compiled tables, so numba is needed; flowers and declarations are left out.
    """
    tiles = PLAIN.with_flowers(play_rules(book).table.flowers)
    events = _events(book, seed, first, last, tiles)
    for number in range(first, last):
        table = Table(book, make_wall(seed, number, tiles), round=number // 4 % 4)
        while table.to_act:
            seat = table.to_act[0]
            options = table.options(seat)
            action = _find_taken(options, seat, events[number][len(table.events) - 1])
            if len(options) > 1 and action.do not in (ActionKind.FLOWER, ActionKind.READY):
                yield number, table, seat, action
            table.step(seat, action)


def _events(book: Rulebook, seed: int, first: int, last: int, tiles: TileSet) -> dict[int, tuple[Event, ...]]:
    """Return the events of each hand except the dice; hands of one round wind are played together."""
    import numpy as np

    from quepu.fast.tables import FastTables

    found: dict[int, tuple[Event, ...]] = {}
    for wind in range(4):
        numbers = [number for number in range(first, last) if number // 4 % 4 == wind]
        if numbers:
            order = np.array([make_wall(seed, number, tiles).order() for number in numbers], np.uint8)
            seeds = np.zeros((len(numbers), 4), np.int64)  # `gain` does not draw random numbers
            played = FastTables(book, order, seeds, round=wind, levels="gain").play()
            found |= {number: played.events(at) for at, number in enumerate(numbers)}
    return found


def _find_taken(options: Sequence[Action], seat: int, event: Event) -> Action:
    """Return the option behind the next event; a pass if it is another seat's."""
    if isinstance(event, SeatEvent) and event.seat == seat:
        match event:
            case Won():
                return next(one for one in options if one.do is ActionKind.WIN)
            case ReadyDeclared():
                return next(one for one in options if one.do is ActionKind.READY)
            case ChowClaimed():
                return next(one for one in options if one.do is ActionKind.CHOW and one.low == event.low)
            case PungClaimed():
                return next(one for one in options if one.do is ActionKind.PUNG)
            case KongClaimed():
                return next(one for one in options if one.do is ActionKind.KONG)
        action = event.action()
        if action is not None and action in options:
            return action
    return options[-1]


def _preempts(event: Event, seat: int) -> bool:
    """Return whether another seat's claim hides how this seat would have answered the discard."""
    return isinstance(event, Claimed | Won) and event.seat != seat


def _sample(decision: Remembered, number: int, left: int, won: bool) -> Sample | None:
    """Return a decision with its prediction, as of a hand that never was ready; None if nothing was predicted."""
    view, options, taken = decision
    found = rate_options(view, options)
    if taken is None or found is None or found.lost:
        return None
    choice = next((one for one in found.choices if is_same_choice(one.action, taken)), None)
    if choice is None or choice.missing is None:
        return None
    now, eye = view.board.left, Eye.of(view)
    claim = options[-1].do is ActionKind.PASS
    return Sample(
        number, claim, choice.missing, choice.ways, int(eye.unseen.sum()), now, eye.melds_shown, choice.chance, won,
        NEVER, (now - left) / 4,
    )  # fmt: skip


class Tenth(NamedTuple):
    """Predictions of one tenth: how many, their mean, the share that came true and its 95% interval (half of it)."""

    of: int
    predicted: float
    actual: float
    half: float


def tenths(hands: Iterable[int], predicted: Iterable[float], came: Iterable[bool]) -> list[Tenth]:
    """Predictions from 0 to 10%, from 10 to 20% … with their outcomes.

    Seats of one hand are not independent, since only one can win: intervals are those of sums over hands.
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
