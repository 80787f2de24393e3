"""What `opened` of a look should be: `python bench/opened.py [BOOK …] [--hands N] [--seed S]`.

Four `gain` bots play. After every discard of a closed hand that lacks two tiles or more its value is asked for with
several shares of `opened`; in the end it is seen how well each tells what the seat was paid. A row gives for each share
the part of the variance of payments explained (in thousandths), by a cubic of the value's logarithm, the turns left
and the others' melds.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from quepu.arena import play_hand
from quepu.bots.payable_bot import GainBot, Sight
from quepu.bots.protocol import Bot
from quepu.fast.nearest.payable import Look
from quepu.hands.hand import Hand
from quepu.match.settle import settle
from quepu.rulebooks import named
from quepu.rules.play_rules import play_rules
from quepu.table import make_wall
from quepu.tiles import EAST, KINDS

SHARES = (0.0, 0.3, 0.5, 0.7, 0.9)


class Watched(GainBot):
    """Plays as `gain` and writes down what its closed hands are worth by each share."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.noted: list[list[float]] = []

    def _discard(self, sight: Sight, options: Any, look: Look) -> Any:
        chosen = super()._discard(sight, options, look)
        view, unseen = sight
        board = view.board
        if any(meld.exposed for meld in view.melds) or look.missing < 2 or not look.values[chosen.tile]:
            return chosen
        tiles = tuple(sorted(kind for kind in view.tiles if kind < KINDS))
        hand = Hand(tiles, view.melds, None, EAST + view.seat, EAST + board.round)
        looks = [self._payable.look(hand, unseen, 1, self.rate(sight), opened=share) for share in SHARES]
        values = [float(look.values[chosen.tile]) for look in looks]
        melds = sum(len(board.melds[(view.seat + i) & 3]) for i in (1, 2, 3))
        self.noted.append([board.left / 4 + 0.5, melds, *values])
        return chosen


def play(rules: str, hands: int, seed: int) -> Any:
    """By discard: turns left, the others' melds, the values, and what the seat was paid in the end."""
    book = named(rules)
    play_by = play_rules(book)
    rows: list[list[float]] = []
    for number in range(hands):
        bots = [Watched() for _ in range(4)]
        seats: list[Bot] = list(bots)
        wall = make_wall(seed, number, play_by.table.tiles)
        ending = play_hand(book, wall, seats, round=number // 4 % 4, rules=play_by).ending
        assert ending is not None
        paid = settle(ending, book, play_by).seats
        rows += [[*row, paid[seat]] for seat, bot in enumerate(bots) for row in bot.noted]
    return np.array(rows, float)


def explained(value: Any, turns: Any, melds: Any, paid: Any) -> float:
    """The part of the variance of what was paid."""
    z, t = ((x - x.mean()) / x.std() for x in (np.log(np.maximum(value, value[value > 0].min() / 100)), np.log(turns)))
    columns = np.c_[np.ones(len(z)), z, z**2, z**3, t, t**2, z * t, z**2 * t, melds]
    fit, *_ = np.linalg.lstsq(columns, paid, rcond=None)
    return float(1 - ((paid - columns @ fit) ** 2).sum() / ((paid - paid.mean()) ** 2).sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("books", nargs="*", default=["lingque-29", "guobiao-mcr", "canton"])
    parser.add_argument("--hands", type=int, default=400)
    parser.add_argument("--seed", type=int, default=21)
    arguments = parser.parse_args()
    print("| book | hands | discards | " + " | ".join(f"opened {share:g}" for share in SHARES) + " |")
    print("|---|---:|---:" + "|---:" * len(SHARES) + "|")
    for rules in arguments.books:
        turns, melds, *values, paid = play(rules, arguments.hands, arguments.seed).T
        shares = " | ".join(f"{1000 * explained(value, turns, melds, paid):.1f}" for value in values)
        print(f"| {rules} | {arguments.hands} | {len(paid)} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
