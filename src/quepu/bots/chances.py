"""Estimate the chance that a hand wins, from its missing tiles, the ways to get them, the wall and the others' melds.

Over 31,000 discards of `gain` bots in three books (measured on 2026-11-22), the share of wins among hands that lacked n
tiles follows one law:

    log(p / (1 - p)) = FIRST[n] + WAYS · log(w / unseen) + TURNS[n] · log(turns) - MELDS · (most melds another shows)

with w = (ways · n!) ^ (1/n), the useful tiles per step if all steps were equal. The ways themselves would be much too
strong: twice the ways to draw three tiles are only a quarter more tiles per step.

In some books hands are nearer to a win than in others, and end sooner. `data/chances.json` has the measurements of each
book (`.ci/fit_chances.py --write`): other weights for each number of missing tiles, a bend that moves a chance to what
came true at this size and this time of the hand, and the chance that another seat wins within a turn, by turns left in
the wall. Other books and house rules use the measurements of all books together.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import exp, lgamma, log
from typing import Any, NamedTuple

from quepu.rules.rulebook import Rulebook
from quepu.table import Board

DEEPEST = 5
FIRST = (0.0, 0.09, -4.14, -9.99, -13.18, -15.0)
TURNS = (0.0, 0.92, 1.92, 3.61, 4.43, 4.8)
WAYS = 0.77
MELDS = 0.22
FARTHER = 0.68
"""Each missing tile beyond `DEEPEST` leaves this share of the chance (measured in 2,471 decisions)."""
BENT = 0.6
"""Half the ways cost less than half the wins: others stop a hand as often as the wall does, about two times in five."""


def turns(board: Board) -> float:
    """Return the draws left to each seat."""
    return board.left / 4 + 0.5


def count_most_melds(board: Board, seat: int) -> int:
    """Return the most melds that another seat has on the table."""
    return max(len(board.melds[(seat + i) & 3]) for i in (1, 2, 3))


def chance(missing: int, ways: float, unseen: int, turns: float, shown: int) -> float:
    """Return the chance to win for a hand that lacks this many tiles (0 counts as one) with these ways to draw them."""
    return 1 / (1 + exp(-log_odds(missing, ways, unseen, turns, shown))) if ways > 0 else 0.0


def log_odds(missing: int, ways: float, unseen: int, turns: float, shown: int) -> float:
    """Return the same as log(p / (1 - p)); there must be a way."""
    n = min(max(missing, 1), DEEPEST)
    return FIRST[n] + WAYS * log_step(missing, ways, unseen) + TURNS[n] * log(turns) - MELDS * shown


def log_step(missing: int, ways: float, unseen: int) -> float:
    """Return log(w / unseen); there must be a way."""
    n = max(missing, 1)
    return (log(ways) + lgamma(min(n, DEEPEST) + 1)) / n - log(max(unseen, 1))


MOST_HIDDEN = 53
"""Three whole hands and the largest dead wall."""
ALL = ""
"""The entry of all books together."""


class MeasuredChances(NamedTuple):
    """Measured chances of a book: the log-odds of its hands, how they bend, and when others end hands.

    `missing` has a row for hands that lack one tile, two … five and more: a constant, and the weights of `log_step`, of
    its square, and of a tenth of the turns left. The others weigh the most melds another shows, and the tiles that are
    unseen but not in the wall (`hidden`). `bend` is added to the log-odds: a row for each of `BEND_ODDS`, with a number
    for each of the `times` (turns left). `ended` are chances that another ends the hand within a turn, by turns left:
    the first is that of the last turn.
    """

    missing: tuple[tuple[float, ...], ...]
    melds: float
    hidden: float
    times: tuple[float, ...]
    bend: tuple[tuple[float, ...], ...]
    ended: tuple[float, ...]

    def chance(self, missing: int, ways: float, unseen: int, turns: float, shown: int) -> float:
        """Return the chance to win, as `chance` but in this book."""
        if ways <= 0:
            return 0.0
        odds = self.odds(missing, log_step(missing, ways, unseen), turns)
        odds += self.melds * shown + self.hidden * count_hidden(unseen, turns)
        return FARTHER ** max(0, missing - DEEPEST) / (1 + exp(-odds - self._bend(odds, turns)))

    def odds(self, missing: int, step: float, turns: float) -> float:
        """Return the part of the log-odds that rises with the ways and with the turns left."""
        first, weight, square, by_turn = self.missing[min(max(missing, 1), DEEPEST) - 1]
        if square:  # beyond the top of the parabola more ways help no more
            top = -weight / (2 * square)
            step = min(step, top) if square < 0 else max(step, top)
        return first + weight * step + square * step * step + by_turn * turns / 10

    def _bend(self, odds: float, turns: float) -> float:
        at, more = _place(BEND_ODDS, odds)
        then, later = _place(self.times, turns)
        near, far = ((1 - later) * row[then] + later * row[then + 1] for row in self.bend[at : at + 2])
        return (1 - more) * near + more * far


def _place(knots: tuple[float, ...], at: float) -> tuple[int, float]:
    """Return the interval of knots in which a number lies, and how far: 0 to 1, its ends also beyond them."""
    for number, (low, high) in enumerate(pairwise(knots)):
        if at < high or number == len(knots) - 2:
            return number, min(1.0, max(0.0, (at - low) / (high - low)))
    raise ValueError(knots)


BEND_ODDS = tuple(log(share / (1 - share)) for share in (0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85))


def count_hidden(unseen: int, turns: float) -> float:
    """Count the unseen tiles that are not in the wall: the others' hands, and a dead wall."""
    return min(max(unseen - 4 * (turns - 0.5), 0.0), MOST_HIDDEN)


def load_measured(book: Rulebook) -> MeasuredChances:
    """Return the measured chances of a book."""
    found = _all()
    return found.get(book.id.partition("@")[0]) or found[ALL]


def from_json(one: dict[str, Any]) -> MeasuredChances:
    """Read an entry of `data/chances.json`."""
    missing, bend = (tuple(map(tuple, one[key])) for key in ("missing", "bend"))
    return MeasuredChances(missing, one["melds"], one["hidden"], tuple(one["times"]), bend, tuple(one["ended"]))


@cache
def _all() -> dict[str, MeasuredChances]:
    path = files("quepu") / "data" / "chances.json"
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return {id: from_json(one) for id, one in data.items()}
