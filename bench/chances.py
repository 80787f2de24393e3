"""What `quepu.bots.chances` and `.danger` state, measured anew: `python bench/chances.py [BOOK …] [--hands N]`.

Four `gain` bots play; every discard is written down with what it leaves (missing tiles, ways, the wall, the others'
melds) and whether that seat won in the end, and with each other seat whether it won on the tile. Two logistic
regressions, over all books together, give the constants of both modules with their standard errors.
"""

from __future__ import annotations

import argparse
from math import lgamma
from typing import Any

import numpy as np
from reliability import regression

from quepu.arena import play_hand
from quepu.bots.payable_bot import GainBot, Sight
from quepu.bots.protocol import Bot
from quepu.fast.nearest.payable import Look, rates
from quepu.rulebooks import named
from quepu.rules.play_rules import play_rules
from quepu.table import make_wall
from quepu.tiles import PLAIN

DEEPEST = 5


class Watched(GainBot):
    """Plays as `gain` and writes down what its discards leave and risk."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.left: list[list[float]] = []
        self.risked: list[list[float]] = []

    def _discard(self, sight: Sight, options: Any, look: Look) -> Any:
        chosen = super()._discard(sight, options, look)
        kind, board, seat = chosen.tile_kind, sight.view.board, sight.view.seat
        at = 0 if look.by_discard[0, 0, kind] > 0 else 1
        missing = look.missing + at
        unseen = int(sight.unseen.sum())
        rate = rates(max(1.0, board.left / 4), max(8, unseen), self.pace)
        ratio = rate[missing : missing + 2 - at] / rate[missing]
        ways = float(ratio @ look.by_discard[at:, 0, kind])
        most = max(len(board.melds[(seat + i) & 3]) for i in (1, 2, 3))
        if ways and 1 <= missing <= DEEPEST:
            self.left.append([missing, ways, unseen, board.left / 4 + 0.5, most])
        rank = kind % 9 if kind < 27 else -1
        for i in (1, 2, 3):
            other = (seat + i) & 3
            since = [board.rivers[(other + j) & 3] for j in range(1, 4 - i)]
            self.risked.append([
                other, len(board.melds[other]), len(board.rivers[other]), sight.unseen[kind], rank,
                kind in board.rivers[other], any(river and river[-1] == kind for river in since),
            ])  # fmt: skip
        return chosen


def logistic(x: Any, y: Any, names: list[str]) -> None:
    """Fit by Newton's steps and print each coefficient with its standard error."""
    for name, weight, error in zip(names, *regression(x, y), strict=True):
        print(f"| {name} | {weight:+.2f} ± {error:.2f} |")


def play(rules: str, hands: int, seed: int) -> tuple[list[list[float]], list[list[float]]]:
    """What was left, with whether it won, and what was risked, with whether it was won upon."""
    book = named(rules)
    flowers = play_rules(book).table.flowers
    left, risked = [], []
    for number in range(hands):
        bots = [Watched() for _ in range(4)]
        seats: list[Bot] = list(bots)
        ending = play_hand(
            book, make_wall(seed, number, PLAIN.with_flowers(flowers)), seats, round=number // 4 % 4
        ).ending
        assert ending is not None
        for seat, bot in enumerate(bots):
            left += [[*row, seat == ending.winner] for row in bot.left]
            rows = [[*row, False] for row in bot.risked]
            if ending.discarder == seat and not ending.robbed:
                last = [row for row in rows if row[0] == ending.winner][-1:]
                for row in last:
                    row[-1] = True
            risked += rows
    return left, risked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("books", nargs="*", default=["lingque-29", "guobiao-mcr", "canton"])
    parser.add_argument("--hands", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    played = [play(rules, arguments.hands, arguments.seed) for rules in arguments.books]
    n, ways, unseen, turns, most, won = np.array([row for left, _ in played for row in left], float).T
    each = np.eye(DEEPEST + 1)[n.astype(int)][:, 1:]
    factorial = np.array([lgamma(k + 1) for k in range(DEEPEST + 1)])[n.astype(int)]
    step = (np.log(ways) + factorial) / n - np.log(unseen)
    lacks = range(1, DEEPEST + 1)
    print(f"{len(n)} discards of hands that lack 1 to {DEEPEST} tiles; won in the end:\n\n| | |\n|---|---:|")
    logistic(
        np.c_[each, step, each * np.log(turns)[:, None], -most], won,
        [*(f"FIRST[{k}]" for k in lacks), "WAYS", *(f"TURNS[{k}]" for k in lacks), "MELDS"],
    )  # fmt: skip
    _, melds, thrown, copies, rank, own, passed, dealt = np.array(
        [row for _, risked in played for row in risked], float
    ).T
    print(f"\n{len(melds)} looks at another seat, {int(dealt.sum())} wins on the tile, ", end="")
    let_pass, on_them = int(passed.sum()), int(dealt[passed > 0].sum())
    print(f"{on_them} of them on the {let_pass} just let pass; the others:\n\n| | |\n|---|---:|")
    honour, suited = rank < 0, rank >= 0
    columns = {
        "constant": np.ones(len(melds)),
        "a meld": melds,
        "log(thrown + 1)": np.log(thrown + 1),
        "a tile thrown": thrown,
        "thrown by itself": own,
        "end": suited & (rank % 8 == 0),
        "next to an end": (rank == 1) | (rank == 7),
        "none unseen": suited & (copies == 0),
        "one unseen": suited & (copies == 1),
        "three unseen": suited & (copies == 3),
        "honour, none unseen": honour & (copies == 0),
        "honour, one unseen": honour & (copies == 1),
        "honour, more unseen": honour & (copies > 1),
    }
    new = passed == 0
    logistic(np.stack(list(columns.values()), axis=1)[new].astype(float), dealt[new], list(columns))


if __name__ == "__main__":
    main()
