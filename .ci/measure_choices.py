"""Measure choices by playouts over believed hands: `python .ci/measure_choices.py FOLDER [--seconds S] [--show]`.

At some discards of four `gain` bots the three that the bot values most are played out to the end on compiled tables:
with the others' tiles dealt at random, with hands of the belief (`quepu.bots.belief`), and with their true hands. Each
picks a discard; playouts over the true hands with other walls judge it against the bot's own. Rows are kept in FOLDER.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from measure_belief import Watched, interval

import quepu
from quepu.arena import play_hand
from quepu.bots.belief import believe
from quepu.bots.payable_bot import GainBot, Sight
from quepu.bots.protocol import make_bot
from quepu.errors import HandError
from quepu.fast.tables import columns
from quepu.fast.tables.endings import endings
from quepu.fast.tables.resumed import Moment, ResumedTables
from quepu.match.settle import settle
from quepu.rules.play_rules import play_rules
from quepu.table import View, make_wall
from quepu.table.actions import AS_DRAWN, FROM_HAND
from quepu.table.sampling import HiddenPlaces
from quepu.tiles import FIRST_FLOWER, KINDS

BOOKS = ("guobiao-mcr", "lingque-29")
SHARE = 0.15
PLAYOUTS = 48
LEVEL = "gain"
WAYS = ("even", "believed", "known")


class Judged(Watched):
    """A `gain` bot, some of whose discards are judged: a row has the hand, and what each way of picking gained."""

    rows: list[tuple[float, ...]]

    def _measure(self, view: View) -> None:
        table, bot, seat = self._table, self._bot, view.seat
        assert table is not None  # noqa: S101  # it sat down
        assert isinstance(bot, GainBot)  # noqa: S101  # as made
        places = HiddenPlaces(table, seat)
        if table.offered[1] is not None or places.kongs or not 12 <= view.board.left <= 66:
            return
        try:
            moment = Moment.of(table, seat)
        except HandError:
            return
        held = sorted({kind for kind in view.tiles if kind < KINDS})
        sight = Sight.of(view)
        look = bot.look(sight, [kind for kind in view.tiles if kind < KINDS], view.melds)
        weights = dict(zip(held, bot.weights_of(look, sight, held), strict=True))
        best = sorted(held, key=lambda kind: weights[kind], reverse=True)[:3]
        if len(best) < 3:
            return
        draw = np.random.default_rng(self._random.randrange(1 << 30))
        hands = believe(view, self._past, seed=self._random.randrange(1 << 20)).hands
        chosen = hands[draw.permutation(len(hands))[:PLAYOUTS]]
        others = [[one.place for one in places.held[(seat + 1 + n) & 3]] for n in range(3)]
        deals = {
            "even": [deal(places, others, None, draw) for _ in range(PLAYOUTS)],
            "believed": [deal(places, others, hand, draw) for hand in chosen],
            "known": [deal(places, others, true_hands(places, others), draw) for _ in range(PLAYOUTS)],
            "judge": [deal(places, others, true_hands(places, others), draw) for _ in range(PLAYOUTS)],
        }
        orders = np.array([order for way in deals.values() for order in way], np.uint8)
        paid = np.array([points(moment, orders, kind) for kind in best]).reshape(3, 4, PLAYOUTS).mean(axis=2)
        picks = paid[:, :3].argmax(axis=0)
        self.rows.append((self._hand, *(paid[picks, 3] - paid[0, 3])))


def true_hands(places: HiddenPlaces, others: list[list[int]]) -> Any:
    """Return the true hands as counts."""
    return [np.bincount([places.order[at] for at in mine], minlength=KINDS) for mine in others]


def deal(places: HiddenPlaces, others: list[list[int]], hands: Any, draw: np.random.Generator) -> list[int]:
    """Return an order with these hands (None: any) in the places of the others, and the rest at random in the wall."""
    order = places.order[:]
    hidden = [at for mine in others for at in mine] + places.undrawn
    pool = draw.permutation([order[at] for at in hidden]).tolist()
    tiles, flowers = [k for k in pool if k < FIRST_FLOWER], [k for k in pool if k >= FIRST_FLOWER]
    for n, mine in enumerate(others):
        given = (
            tiles[: len(mine)] if hands is None else draw.permutation(np.repeat(np.arange(KINDS), hands[n])).tolist()
        )
        for at, kind in zip(mine, given, strict=True):
            tiles.remove(kind)
            order[at] = kind
    for at, kind in zip(places.undrawn, draw.permutation(tiles + flowers).tolist(), strict=True):
        order[at] = kind
    return order


def points(moment: Moment, orders: Any, kind: int) -> Any:
    """Return the seat's points at each table after a discard."""
    drawn = moment.numbers[columns.DRAWN] == kind
    tables = ResumedTables(moment, orders).choose((AS_DRAWN if drawn else FROM_HAND)[kind])
    made, which = endings(tables)
    rules = play_rules(moment.book)
    return np.array([settle(one, moment.book, rules).seats[moment.seat] for one in made], float)[which]


def play(book: str, hand: int) -> list[tuple[float, ...]]:
    """Play a hand of four bots, and judge some of its discards."""
    players = []
    for seat in range(4):
        one = Judged(make_bot(LEVEL, 4 * hand + seat), hand, SHARE, seat)
        one.rows = []
        players.append(one)
    play_hand(quepu.book(book), make_wall("choices", hand), players)
    return [row for one in players for row in one.rows]


def main() -> None:
    """Measure until the time is up, book by book in turn; or show the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    given.folder.mkdir(exist_ok=True)
    started, hand = time.monotonic(), 0
    while not given.show and time.monotonic() - started < given.seconds:
        for book in BOOKS:
            path = given.folder / f"{book}+{hand}.npy"
            if not path.exists():
                np.save(path, np.array(play(book, hand), float).reshape(-1, 4))
        hand += 1
    print("| book | discards |", *(f"{way} |" for way in WAYS))
    for book in BOOKS:
        rows = np.concatenate([np.load(file) for file in sorted(given.folder.glob(f"{book}+*.npy"))])
        if len(rows) > 1:
            print(f"| {book} | {len(rows)} |", *(f"{interval(rows[:, n + 1], rows[:, 0])} |" for n in range(3)))


if __name__ == "__main__":
    main()
