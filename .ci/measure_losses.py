"""Measure where `master` loses points: `python .ci/measure_losses.py FOLDER [--seconds S] [--show]`.

Four bots play hands on one shared wall (compiled playouts know no other). There are two measurements, kept in FOLDER:

- *Losses*: some decisions of each kind are played out to the end by compiled `gain` bots in all seats. Each way of
  picking knows something else: `redealt` deals the hidden tiles again, `hands` knows the other hands, `wall` knows the
  order of the wall as well. A pick differs from the bot's own choice only if it is better by more than a standard
  error. Playouts over the true hands that took no part in picking judge it. `gain` is the choice of that level.
- *Luck*: all decisions and draws of a hand. The value of a moment is the mean of playouts over the true hands, for all
  four seats; the same random numbers order the wall at every moment of a hand. A change at a draw is luck. A change by
  a decision other than that of `gain` is the bot's own doing.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from measure_belief import Winning, interval, pays
from numpy.typing import NDArray

import quepu
from quepu.arena import play_hand
from quepu.bots.protocol import make_bot
from quepu.errors import Error
from quepu.fast.tables.endings import endings
from quepu.fast.tables.resumed import Moment, ResumedTables
from quepu.hands.suit_tables import KEY
from quepu.match.settle import settle
from quepu.review.asking import Scene
from quepu.review.rated_decisions import is_same_choice
from quepu.review.valuation import RatedAction
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.table import Action, ActionKind, Table, View, make_wall
from quepu.table.ready import LASTING, waits_of
from quepu.table.sampling import HiddenPlaces
from quepu.tiles import BIT, EAST, FIRST_FLOWER, KINDS

Array = NDArray[np.float64]
BOOKS = ("guobiao-mcr", "lingque-29")
LEVEL, BELOW = "master", "gain"
SHARES = {
    "discard, two or more from ready": 0.12,
    "discard, ready or one from ready": 0.15,
    "discard, another would win on a tile held": 0.2,
    "claim made": 0.25,
    "claim passed": 0.1,
    "kong made or left": 0.5,
    "win taken": 0.25,
}
"""Kinds of decisions, and the share of each that is played out."""
KIND_NAMES = tuple(SHARES)
FAR, NEAR, DANGER, MADE, PASSED, KONG, WIN = range(len(KIND_NAMES))
WAYS = ("redealt", "hands", "wall", "gain")
REDEALT, HALF = 48, 48
"""Playouts of a choice over redealt tiles, and in each of two halves over the true hands: one picks, one judges."""
OTHERS = 2
"""Choices that are compared with the bot's own, besides kongs, passes and a safe discard."""
LUCK_PLAYOUTS = 32
"""Playouts of each action in an account of luck."""
KONGS = {ActionKind.KONG, ActionKind.ADDED, ActionKind.CONCEALED}


class Row(NamedTuple):
    """A decision that was played out: what each way of picking gains over the bot's own choice, in points."""

    hand: int
    kind: int
    redealt: float
    hands: float
    wall: float
    gain: float


class Measured:
    """A bot that plays as a level, with the level below beside it, and the table before it."""

    def __init__(self, hand: int, seat: int) -> None:
        self._bot, self._below = (make_bot(level, 4 * hand + seat) for level in (LEVEL, BELOW))
        self._table: Table

    def begin(self, book: Rulebook, seat: int) -> None:
        """Prepare both levels for a hand."""
        self._bot.begin(book, seat)
        self._below.begin(book, seat)

    def sit(self, table: Table) -> None:
        """Remember the table: only the measurement looks at its hands."""
        self._table = table


class Losing(Measured):
    """A bot that has some of its decisions played out."""

    def __init__(self, hand: int, seat: int) -> None:
        super().__init__(hand, seat)
        self._hand, self._random = hand, random.Random(f"losses {hand} {seat}")
        self.counts = [0] * len(SHARES)
        self.unmeasured = 0
        self.rows: list[Row] = []

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """Act as the bot does."""
        action = self._bot.act(view, options)
        if len(options) > 1 and not view.has_flower:
            try:
                self._measure(view, options, action)
            except Error:  # compiled tables do not know this moment, or values do not decide here
                self.unmeasured += 1
        return action

    def _measure(self, view: View, options: Sequence[Action], action: Action) -> None:
        scene = Scene.of_table(self._table, view.seat)
        choices = scene.rated.choices
        own = find(choices, action)
        won_on = tiles_won_on(self._table, view) if options[0].do is ActionKind.DISCARD else set()
        kind = kind_of(options, own, won_on)
        _ = scene.moment  # refused before it is counted
        self.counts[kind] += 1
        if self._random.random() >= list(SHARES.values())[kind]:
            return
        below = find(choices, self._below.act(view, options))
        compared = select(choices, own, below, won_on)
        nets = play(scene, [choice.action for choice in compared], self._random.randrange(1 << 30))
        self.rows.append(Row(self._hand, kind, *gains(nets, compared.index(below))))


def find(choices: Sequence[RatedAction], action: Action) -> RatedAction:
    """Return the rated choice that an action takes.

    Raises:
        Error: it is not rated.
    """
    for choice in choices:
        if is_same_choice(choice.action, action):
            return choice
    raise Error("没有这个选择。", "this action is not rated.")


def kind_of(options: Sequence[Action], own: RatedAction, won_on: set[int]) -> int:
    """Return the number of the kind of a decision."""
    does = {option.do for option in options}
    if ActionKind.WIN in does:
        return WIN
    if does & KONGS:
        return KONG
    if ActionKind.PASS in does:
        return PASSED if own.action.do is ActionKind.PASS else MADE
    if won_on:
        return DANGER
    return NEAR if own.missing is not None and own.missing <= 2 else FAR


def tiles_won_on(table: Table, view: View) -> set[int]:
    """Return the kinds in a seat's hand on which another seat would win."""
    board, found = view.board, set()
    for seat in range(4):
        if seat == view.seat:
            continue
        tiles = tuple(sorted(kind for kind in table.hands[seat] if kind < KINDS))
        melds = tuple(shown.meld for shown in board.melds[seat])
        waits = waits_of(view.book.shapes)(sum(KEY[kind] for kind in tiles), list(tiles), melds, LASTING)
        flowers = tuple(kind - FIRST_FLOWER for kind in board.flowers[seat])
        for kind in {kind for kind in view.tiles if kind < KINDS and waits & BIT[kind]}:
            if pays(tiles, Winning(melds, EAST + seat, EAST + board.round, flowers, kind), view.book):
                found.add(kind)
    return found


def select(choices: Sequence[RatedAction], own: RatedAction, below: RatedAction, won_on: set[int]) -> list[RatedAction]:
    """Return the choices that are played out, the bot's own first."""
    others = [choice for choice in choices if choice is not own]
    taken = [
        own,
        *others[:OTHERS],
        *(one for one in others if one.action.do in KONGS or one.action.do is ActionKind.PASS),
    ]
    if won_on:
        taken += [one for one in choices if one.action.tile not in won_on][:1]
    return list({id(choice): choice for choice in (*taken, below)}.values())


def play(scene: Scene, actions: Sequence[Action], seed: int) -> Array:
    """Return the seat's points by action and world: redealt worlds, two halves of known hands, the true wall."""
    moment, places = scene.moment
    draw = np.random.default_rng(seed)
    first = int(draw.integers(1 << 20))
    known = np.array([places.order] * (2 * HALF + 1), np.uint8)
    for row in known[:-1]:
        row[places.undrawn] = draw.permutation(row[places.undrawn])
    orders = np.concatenate([scene.orders(first, first + REDEALT), known])
    return np.array([points(moment, orders, action)[:, moment.seat] for action in actions])


def points(moment: Moment, orders: Any, action: Action) -> Array:
    """Return the points of all seats at each table after an action."""
    made, which = endings(ResumedTables(moment, orders).choose(action))
    rules = play_rules(moment.book)
    found: Array = np.array([settle(one, moment.book, rules).seats for one in made], float)[which]
    return found


def pick(nets: Array) -> int:
    """Return the best choice; the first one unless another is better by more than a standard error."""
    apart = nets - nets[0]
    error = apart.std(axis=1, ddof=1) / nets.shape[1] ** 0.5
    best = int(apart.mean(axis=1).argmax())
    return best if apart[best].mean() > error[best] else 0


def gains(nets: Array, below: int) -> tuple[float, ...]:
    """Return what each way of picking gains over the first choice, as playouts over the true hands judge it."""
    apart = nets - nets[0]
    redealt, one, other = np.split(apart[:, :-1], [REDEALT, REDEALT + HALF], axis=1)
    judged = (one.mean(axis=1) + other.mean(axis=1)) / 2
    hands = (other[pick(one)].mean() + one[pick(other)].mean()) / 2
    return float(judged[pick(redealt)]), float(hands), float(apart[:, -1].max()), float(judged[below])


class Luck:
    """The account of a hand: its value for each seat, and who drew or decided when it changed."""

    def __init__(self, hand: int) -> None:
        self.deal: Array | None = None
        self.draws, self.decisions = np.zeros((4, 4)), np.zeros((4, 4))
        self.last = np.zeros(4)
        self.keys = np.random.default_rng(hand).random((LUCK_PLAYOUTS, 200))

    def value(self, table: Table, seat: int, action: Action) -> Array:
        """Return the value of a moment after an action, for all seats."""
        moment, places = Moment.of(table, seat), HiddenPlaces(table, seat)
        undrawn = np.array(places.undrawn, np.int64)
        orders = np.array([places.order] * LUCK_PLAYOUTS, np.uint8)
        for row, keys in zip(orders, self.keys, strict=True):
            row[undrawn] = row[undrawn[keys[undrawn].argsort()]]
        found: Array = points(moment, orders, action).mean(axis=0)
        return found


class Accounted(Measured):
    """A bot that writes into the account of the hand."""

    def __init__(self, hand: int, seat: int, luck: Luck) -> None:
        super().__init__(hand, seat)
        self._luck = luck

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """Act as the bot does."""
        action = self._bot.act(view, options)
        if len(options) > 1 and not view.has_flower:
            below = self._below.act(view, options)
            other = not is_same_choice(below, action)
            turn = options[-1].do is not ActionKind.PASS
            if turn or other:
                with suppress(Error):  # compiled tables do not know this moment: its change counts at the next one
                    self._account(view.seat, turn, below, action if other else None)
        return action

    def _account(self, seat: int, turn: bool, below: Action, action: Action | None) -> None:
        luck = self._luck
        now = luck.value(self._table, seat, below)
        taken = now if action is None else luck.value(self._table, seat, action)
        if luck.deal is None:
            luck.deal = now
        elif turn:
            luck.draws[seat] += now - luck.last
        luck.decisions[seat] += taken - now
        luck.last = taken if turn else luck.last + taken - now


def measure_losses(book: str, hand: int, path: Path) -> None:
    """Play a hand, play some of its decisions out, and store them."""
    players = [Losing(hand, seat) for seat in range(4)]
    play_hand(quepu.book(book), make_wall("losses", hand), players, round=hand % 4)
    rows = np.array([row for one in players for row in one.rows], float).reshape(-1, len(Row._fields))
    np.savez(path, rows=rows, counts=np.sum([one.counts for one in players], axis=0),
             unmeasured=sum(one.unmeasured for one in players))  # fmt: skip


def measure_luck(book: str, hand: int, path: Path) -> None:
    """Play a hand, and store its account: result, deal, own draws, others' draws, own and others' decisions."""
    luck = Luck(hand)
    players = [Accounted(hand, seat, luck) for seat in range(4)]
    rules = quepu.book(book)
    ending = play_hand(rules, make_wall("luck", hand), players, round=hand % 4).ending
    assert ending is not None and luck.deal is not None  # noqa: S101, PT018  # the hand is over
    result = np.array(settle(ending, rules, play_rules(rules)).seats, float)
    parts = [luck.deal]
    for changes in (luck.draws, luck.decisions):
        own = changes.diagonal()
        parts += [own, changes.sum(axis=0) - own]
    np.save(path, np.stack([result, *parts]))


def show_losses(folder: Path) -> None:
    """Print points lost by kind of decision: per decision, then per hand and seat."""
    for book in BOOKS:
        files = [np.load(file) for file in sorted(folder.glob(f"losses+{book}+*.npz"))]
        if not files:
            continue
        rows = np.concatenate([one["rows"] for one in files])
        rates = np.sum([one["counts"] for one in files], axis=0) / (4 * len(files))
        unmeasured = sum(int(one["unmeasured"]) for one in files)
        print(f"\n{book}: {len(files)} hands, {len(rows)} decisions played out; {unmeasured} could not be")
        print("| kind | a hand | played out |", *(f"{way} |" for way in WAYS), *(f"{way}, a hand |" for way in WAYS))
        sums = np.zeros((len(WAYS), 1 + int(rows[:, 0].max())))
        """What each hand adds to the error of the sum over kinds."""
        total = np.zeros(len(WAYS))
        for kind, name in enumerate(KIND_NAMES):
            some = rows[rows[:, 1] == kind]
            if not len(some):
                continue
            hands, rate = some[:, 0], rates[kind]
            columns = some[:, 2:].T
            for way, values in enumerate(columns):
                total[way] += rate * values.mean()
                np.add.at(sums[way], hands.astype(int), rate / len(some) * (values - values.mean()))
            cells = [*(interval(values, hands) for values in columns), *(interval(rate * v, hands) for v in columns)]
            print(f"| {name} | {rate:.2f} | {len(some)} |", *(f"{cell} |" for cell in cells))
        half = 1.96 * np.sqrt(np.square(sums).sum(axis=1))
        cells = [f"{mean:+.3f} ± {error:.3f}" for mean, error in zip(total, half, strict=True)]
        print(f"| together | {rates.sum():.2f} | {len(rows)} |", "|" * len(WAYS), *(f"{cell} |" for cell in cells))


PARTS = ("deal", "own draws", "others' draws", "own decisions", "others' decisions")


def show_luck(folder: Path) -> None:
    """Print the shares of a seat's result, each with the 95% interval of a bootstrap over hands."""
    draw = np.random.default_rng(1)
    for book in BOOKS:
        files = sorted(folder.glob(f"luck+{book}+*.npy"))
        if len(files) < 2:
            continue
        data = np.stack([np.load(file) for file in files])  # hand, part, seat
        tries = [shares(data[draw.integers(len(data), size=len(data))]) for _ in range(1000)]
        low, high = np.percentile(tries, [2.5, 97.5], axis=0)
        print(f"\n{book}: {len(data)} hands, standard deviation of a result {data[:, 0].std():.1f}")
        for name, share, a, b in zip(PARTS, shares(data), low, high, strict=True):
            print(f"| {name} | {share:.0%} | {a:.0%} to {b:.0%} |")
        own = data[:, 1 + PARTS.index("own decisions")]
        print("own decisions, points a hand:", interval(own.ravel(), np.repeat(np.arange(len(own)), 4)))
        rest = data[:, 0] - data[:, 1:].sum(axis=1)
        print(f"left over: {np.abs(rest).max():.3f} at most")


def shares(data: Array) -> Array:
    """Return the share of each part in the variance of the results: its covariance with the result."""
    result, parts = data[:, 0] - data[:, 0].mean(), data[:, 1:]
    apart = parts - parts.mean(axis=(0, 2), keepdims=True)
    found: Array = (apart * result[:, None]).mean(axis=(0, 2)) / np.square(result).mean()
    return found


def main() -> None:
    """Measure until the time is up, book by book in turn; or show the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=600, help="of processor time")
    parser.add_argument("--luck", action="store_true", help="measure luck instead of losses")
    parser.add_argument("--first", type=int, default=0, help="number of the first hand")
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    given.folder.mkdir(exist_ok=True)
    hand = given.first
    while not given.show and time.process_time() < given.seconds:
        for book in BOOKS:
            name = f"{'luck' if given.luck else 'losses'}+{book}+{hand:04}"
            path = given.folder / f"{name}.{'npy' if given.luck else 'npz'}"
            if not path.exists():
                (measure_luck if given.luck else measure_losses)(book, hand, path)
        hand += 1
    show_losses(given.folder)
    show_luck(given.folder)


if __name__ == "__main__":
    main()
