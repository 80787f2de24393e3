"""Measure the belief about others' hands: `python .ci/measure_belief.py FOLDER [--seconds S] [--show]`.

Four bots of a level play; at some turns of every seat the belief (`quepu.bots.belief`) sees what the seat sees and is
compared with the true hands: how well it knows tiles, who is ready, and on which discards another seat would win. Rows
are kept in FOLDER, so that a second run goes on. `--show` prints a table: intervals are of 95%, from means over hands.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import quepu
from quepu.arena import play_hand
from quepu.bots.belief import Past, believe, list_waits
from quepu.bots.danger import risks
from quepu.bots.protocol import Bot, make_bot
from quepu.hands.hand import Hand, Meld
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import best_points
from quepu.table import Action, ActionKind, Event, Table, View, make_wall
from quepu.tiles import BIT, EAST, FIRST_FLOWER, KINDS

THIRDS = 3
BOOKS = ("guobiao-mcr", "lingque-29", "yuque-54")
LEVELS = ("plain", "gain", "master")
SHARE = 0.08
"""The share of turns that are measured."""
EVEN = 0.05
"""The share of an even guess in the chances of tiles: no tile that may be there is ruled out."""
LEAST = 0.003
"""The least chance that is predicted."""
DEALT = 4 * 13 + 1


class TileRow(NamedTuple):
    """A hand of another seat: the bits to name a tile of it, by the belief and by the unseen tiles; its readiness."""

    hand: int
    third: int
    believed: float
    even: float
    ready: bool
    ready_believed: float
    melds: int


class DangerRow(NamedTuple):
    """A kind that a seat could discard: whether another would win on it, the chance by the level and by the belief."""

    hand: int
    third: int
    wins: bool
    risk: float
    believed: float


class Watched:
    """A bot that plays as another, and measures the belief at some of its turns."""

    def __init__(self, bot: Bot, hand: int, share: float, seed: int) -> None:
        self._bot, self._hand, self._share = bot, hand, share
        self._random = random.Random(f"belief {seed} {hand}")
        self._table: Table | None = None
        self.tiles: list[TileRow] = []
        self.dangers: list[DangerRow] = []

    def begin(self, book: Rulebook, seat: int) -> None:
        """Prepare for a hand."""
        self._bot.begin(book, seat)
        self._past = Past(book, seat)

    def sit(self, table: Table) -> None:
        """Remember the table: only the comparison looks at its hands."""
        self._table = table

    def watch(self, event: Event | int) -> None:
        """Remember an event."""
        self._past.watch(event)

    def act(self, view: View, options: Sequence[Action]) -> Action:
        """Act as the bot does."""
        turn = any(option.do is ActionKind.DISCARD for option in options) and not view.has_flower
        if turn and len(options) > 1 and self._random.random() < self._share:
            self._measure(view)
        return self._bot.act(view, options)

    def _measure(self, view: View) -> None:
        table, board = self._table, view.board
        assert table is not None  # noqa: S101  # it sat down
        belief = believe(view, self._past, seed=self._random.randrange(1 << 20))
        drawable = board.plan.size - board.plan.dead - DEALT
        third = min(THIRDS - 1, int(THIRDS * (1 - board.left / drawable)))
        unseen = np.array(view.unseen(), float)
        even = unseen / unseen.sum()
        waits = list_waits(belief, view)
        kinds = sorted({kind for kind in view.tiles if kind < KINDS})
        wins, safe = dict.fromkeys(kinds, False), dict.fromkeys(kinds, 1.0)
        for n in range(3):
            seat = (view.seat + 1 + n) & 3
            true = np.bincount([kind for kind in table.hands[seat] if kind < KINDS], minlength=KINDS)
            share = belief.hands[:, n].mean(axis=0)
            share = (1 - EVEN) * share / max(share.sum(), 1e-9) + EVEN * even
            bits = [float(-(true @ np.log2(np.maximum(p, 1e-12))) / true.sum()) for p in (share, even)]
            melds = tuple(shown.meld for shown in board.melds[seat])
            now = list_waits(belief._replace(hands=_alone(true, n)), view)[0, n]
            ready = float((waits[:, n] != 0).mean())
            self.tiles.append(TileRow(self._hand, third, bits[0], bits[1], bool(now), ready, len(melds)))
            flowers = tuple(kind - FIRST_FLOWER for kind in board.flowers[seat])
            for kind in kinds:
                made = Winning(melds, EAST + seat, EAST + board.round, flowers, kind)
                if now & BIT[kind]:
                    wins[kind] |= pays(tuple(np.repeat(np.arange(KINDS), true).tolist()), made, view.book)
                hits = 0
                for sample in np.flatnonzero(waits[:, n] & BIT[kind]).tolist():
                    tiles = tuple(np.repeat(np.arange(KINDS), belief.hands[sample, n]).tolist())
                    hits += pays(tiles, made, view.book)
                safe[kind] *= 1 - hits / len(belief.hands)
        risk = risks(view, view.unseen(), kinds)
        self.dangers += [DangerRow(self._hand, third, wins[k], risk[k], 1 - safe[k]) for k in kinds]


class Winning(NamedTuple):
    """What a win depends on besides the concealed tiles."""

    melds: tuple[Meld, ...]
    seat: int
    round: int
    flowers: tuple[int, ...]
    kind: int


@lru_cache(1 << 14)
def pays(tiles: tuple[int, ...], made: Winning, book: Rulebook) -> bool:
    """Return whether these concealed tiles win on a discard."""
    hand = Hand(tiles, made.melds, made.kind, made.seat, made.round, 0, made.flowers)
    points = best_points(hand, book)
    return points is not None and points >= book.minimum


def _alone(counts: NDArray[np.int64], at: int) -> NDArray[np.uint8]:
    found = np.zeros((1, 3, KINDS), np.uint8)
    found[0, at] = counts
    return found


def play(book: str, level: str, hand: int) -> tuple[list[TileRow], list[DangerRow]]:
    """Play a hand of four bots of a level, and measure the belief at some turns."""
    players = [Watched(make_bot(level, 4 * hand + seat), hand, SHARE, seat) for seat in range(4)]
    play_hand(quepu.book(book), make_wall("belief", hand), players)
    return [row for one in players for row in one.tiles], [row for one in players for row in one.dangers]


def read(folder: Path, book: str, level: str) -> tuple[Any, Any]:
    """Return the rows measured so far: of hands, and of discards."""
    files = sorted(folder.glob(f"{book}+{level}+*.npz"))
    both = [np.load(file) for file in files]
    if not both:
        return (), ()
    return np.concatenate([one["tiles"] for one in both]), np.concatenate([one["dangers"] for one in both])


def interval(values: Any, hands: Any) -> str:
    """Return a mean over rows with its 95% interval, by means over hands."""
    mean = values.mean()
    sums = [(values[hands == hand] - mean).sum() for hand in np.unique(hands)]
    half = 1.96 * float(np.sqrt(np.sum(np.square(sums)))) / len(values)
    return f"{mean:+.3f} ± {half:.3f}"


def fit_logistic(x: Any, y: Any) -> Any:
    """Return the weights of a logistic regression."""
    weights = np.zeros(x.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-x @ weights))
        weights += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + np.eye(x.shape[1]), x.T @ (y - p) - weights)
    return weights


def log_loss(y: Any, p: Any) -> Any:
    """Return the loss of each prediction, in bits."""
    p = np.clip(p, LEAST, 1 - LEAST)
    return -np.log2(np.where(y, p, 1 - p))


def area(y: Any, p: Any) -> float:
    """Return the chance that a case is rated higher than one that is none (AUC), equals counting half."""
    more, less = p[y > 0], np.sort(p[y == 0])
    below, most = np.searchsorted(less, more, "left"), np.searchsorted(less, more, "right")
    return float(((below + most) / 2).mean() / len(less)) if len(more) and len(less) else float("nan")


def both_ways(rows: Any) -> tuple[Any, Any]:
    """Return chances by the level's danger, and with the belief: each half of the hands predicts the other."""
    odds = [np.log(np.clip(p, LEAST, 1 - LEAST) / (1 - np.clip(p, LEAST, 1 - LEAST))) for p in (rows[:, 3], rows[:, 4])]
    one = np.stack([np.ones(len(rows)), odds[0]], 1)
    two = np.concatenate([one, odds[1][:, None]], axis=1)
    found = []
    for x in (one, two):
        p = np.zeros(len(rows))
        for half in (0, 1):
            test = rows[:, 0] % 2 == half
            p[test] = 1 / (1 + np.exp(-x[test] @ fit_logistic(x[~test], rows[~test, 2])))
        found.append(p)
    return found[0], found[1]


def show(folder: Path) -> None:
    """Print the tables."""
    print("| book | level | third | hands seen | bits, even | bits gained | ready | loss gained |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for book in BOOKS:
        for level in LEVELS:
            tiles, _ = read(folder, book, level)
            for third in range(THIRDS if len(tiles) else 0):
                x = tiles[tiles[:, 1] == third]
                if len(x) < 20:
                    continue
                base = np.full(len(x), x[:, 4].mean())
                gained = log_loss(x[:, 4], base) - log_loss(x[:, 4], x[:, 5])
                known, ready = interval(x[:, 3] - x[:, 2], x[:, 0]), x[:, 4].mean()
                row = book, level, third + 1, len(x), f"{x[:, 3].mean():.2f}", known, f"{ready:.2f}"
                print("|", *(f"{cell} |" for cell in (*row, interval(gained, x[:, 0]))))
    print("\n| book | level | discards | won on | loss, danger | gained by the belief alone | with it | AUC of each |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for book in BOOKS:
        for level in LEVELS:
            _, x = read(folder, book, level)
            if len(x) and x[:, 2].sum() >= 5:
                danger, joined = both_ways(x)
                now, y = log_loss(x[:, 2], danger), x[:, 2]
                gained = [interval(now - log_loss(y, p), x[:, 0]) for p in (x[:, 4], joined)]
                areas = ", ".join(f"{area(y, p):.2f}" for p in (x[:, 3], x[:, 4], joined))
                row = book, level, len(x), int(y.sum()), f"{now.mean():.4f}", *gained, areas
                print("|", *(f"{cell} |" for cell in row))


def main() -> None:
    """Measure until the time is up, book and level in turn; or show the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    if given.show:
        show(given.folder)
        return
    given.folder.mkdir(exist_ok=True)
    started, hand = time.monotonic(), 0
    while time.monotonic() - started < given.seconds:
        for book in BOOKS:
            for level in LEVELS:
                path = given.folder / f"{book}+{level}+{hand}.npz"
                if not path.exists() and time.monotonic() - started < given.seconds:
                    tiles, dangers = play(book, level, hand)
                    width = len(TileRow._fields), len(DangerRow._fields)
                    np.savez(path, tiles=np.array(tiles, float).reshape(-1, width[0]),
                             dangers=np.array(dangers, float).reshape(-1, width[1]))  # fmt: skip
        hand += 1


if __name__ == "__main__":
    main()
