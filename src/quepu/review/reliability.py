"""Check whether predicted chances come true: a random decision of each seat in bots' hands, and the outcome.

The prediction is the review's own (`quepu.review.valuation`) for the choice of the seat. The bots are `gain`, whose
values reviews use. With numba hands are played by compiled tables (`quepu.fast.tables`) and followed here, which
gives the same rows in a third of the time.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
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
from quepu.table.events import ChowClaimed, Event, KongClaimed, PungClaimed, ReadyDeclared, SeatEvent, Won
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


class Watched(GainBot):
    """Plays as `gain`, and remembers one of its decisions, uniformly chosen, and when it was ready."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._random = random.Random(seed)
        self._met = 0
        self.decision: tuple[View, Sequence[Action], Action] | None = None
        self.readied: list[int] = []
        """Tiles left in the wall at each discard that left the hand ready."""

    def _discard(self, sight: Sight, options: Sequence[Action], look: Look) -> Action:
        chosen = super()._discard(sight, options, look)
        if _leaves_ready(look, chosen.tile_kind):
            self.readied.append(sight.view.board.left)
        return chosen

    def meets(self) -> bool:
        """Count another decision; return whether to remember it instead of the earlier one."""
        self._met += 1
        return self._random.random() * self._met < 1

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """As `gain` does."""
        chosen = super().act(view, options)
        if len(options) > 1 and chosen.do is not ActionKind.WIN and self.meets():
            self.decision = view, options, chosen
        return chosen


def _leaves_ready(look: Look, discard: int) -> bool:
    ways = look.by_discard[: max(0, 2 - look.missing), 0, discard]
    return look.missing < FAR and bool(ways.any())


class Followed(Watched):
    """The same for a hand that was already played: its actions are given, and it evaluates once at the end."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._found: tuple[View, Sequence[Action]] | None = None
        self._discards: list[tuple[View, int]] = []

    def follow(self, view: View, options: Sequence[Action], chosen: Action) -> None:
        """Record the seat's choice."""
        if chosen.do is ActionKind.WIN:
            return
        if len(options) > 1 and self.meets():
            self._found, self._discards = (view, options), []
        if self._found is not None and chosen.do is ActionKind.DISCARD and len(options) > 1:
            self._discards.append((view, chosen.tile_kind))

    def finish(self) -> None:
        """Find the seat's choice, even if another seat's claim took precedence, and when it was first ready."""
        if self._found is None:
            return
        self.decision = *self._found, GainBot.act(self, *self._found)
        self.readied = []
        for view, tile in self._discards:
            tiles = [kind for kind in view.tiles if kind < KINDS]
            rest = tiles.copy()
            if tile < KINDS:
                rest.remove(tile)
            if missing(tiles_of(rest, view.melds), view.book.shapes) > 1:
                continue  # no hand is that near, whatever its value
            if tile < KINDS and _leaves_ready(self.look(Sight.of(view), tiles, view.melds), tile):
                self.readied.append(view.board.left)
                return


def samples(book: Rulebook, seed: int, first: int, last: int, fast: bool = False) -> Iterator[Sample]:
    """Yield a decision of each seat in hands `first` to `last` (exclusive) of a seed; deterministic.

    `fast`: by compiled tables.
    """
    tiles = PLAIN.with_flowers(play_rules(book).table.flowers)
    events = _events(book, seed, first, last, tiles) if fast else {}
    for number in range(first, last):
        bots = [(Followed if fast else Watched)(number * 4 + seat) for seat in range(4)]
        for seat, bot in enumerate(bots):
            bot.begin(book, seat)
        table = Table(book, make_wall(seed, number, tiles), round=number // 4 % 4)
        while table.to_act:
            seat = table.to_act[0]
            view, options, bot = table.view(seat), table.options(seat), bots[seat]
            if isinstance(bot, Followed):
                action = _find_taken(options, seat, events[number][len(table.events) - 1])
                bot.follow(view, options, action)
            else:
                action = bot.act(view, options)
            table.step(seat, action)
        winners = () if table.ending is None else table.ending.seats
        for seat, bot in enumerate(bots):
            if isinstance(bot, Followed):
                bot.finish()
            found = _sample(bot, number, table.board.left, seat in winners)
            if found is not None:
                yield found


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


def _sample(bot: Watched, number: int, left: int, won: bool) -> Sample | None:
    """Return the bot's decision; None if nothing was predicted."""
    if bot.decision is None:
        return None
    view, options, taken = bot.decision
    found = rate_options(view, options)
    if found is None or found.lost:
        return None
    choice = next((one for one in found.choices if is_same_choice(one.action, taken)), None)
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
    """Predictions from 0 to 10 %, from 10 to 20 % … with their outcomes.

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
