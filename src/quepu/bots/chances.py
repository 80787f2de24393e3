"""Estimate the chance that a hand wins, from its missing tiles, the ways to get them, the wall and the others' melds.

Over 31,000 discards of `gain` bots in three books (measured on 2026-11-22), the share of wins among hands that lacked n
tiles follows one law:

    log(p / (1 - p)) = FIRST[n] + WAYS · log(w / unseen) + TURNS[n] · log(turns) - MELDS · (most melds another shows)

with w = (ways · n!) ^ (1/n), the useful tiles per step if all steps were equal. The ways themselves would be much too
strong: twice the ways to draw three tiles are only a quarter more tiles per step.

In some books hands are nearer to a win than in others, and end sooner. `data/chances.json` has the measurements of each
book (`.ci/fit_chances.py --write`): new weights for the terms of the law, and the chance that another seat wins within
a turn, by turns left in the wall. Other books and house rules use the measurements of all books together.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from math import exp, lgamma, log
from typing import Any, NamedTuple

from quepu.rules.rulebook import Rulebook
from quepu.table import Board

DEEPEST = 5
FIRST = (0.0, 0.09, -4.14, -9.99, -13.18, -15.0)
TURNS = (0.0, 0.92, 1.92, 3.61, 4.43, 4.8)
WAYS = 0.77
MELDS = 0.22
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
    step = (log(ways) + lgamma(n + 1)) / max(missing, 1) - log(max(unseen, 1))
    return FIRST[n] + WAYS * step + TURNS[n] * log(turns) - MELDS * shown


MOST_HIDDEN = 53
"""Three whole hands and the largest dead wall."""
FARTHEST = 36.0
"""Beyond this, a square would let hopeless hands win again."""
ALL = ""
"""The entry of all books together."""


class MeasuredChances(NamedTuple):
    """Measured chances of a book: the terms of its law, and when others end hands.

    `missing` are constants for hands that lack one tile, two … five and more. The others are weights: of the log-odds
    of the common law and, besides, of their square (up to `FARTHEST`), of log(turns left), of the most melds another
    shows, and of the tiles that are unseen but not in the wall (`hidden`). `ended` are chances that
    another ends the hand within a turn, by turns left: the first is that of the last turn.
    """

    missing: tuple[float, ...]
    law: float
    square: float
    turns: float
    melds: float
    hidden: float
    ended: tuple[float, ...]

    def chance(self, missing: int, ways: float, unseen: int, turns: float, shown: int) -> float:
        """Return the chance to win, as `chance` but in this book."""
        if ways <= 0:
            return 0.0
        law = log_odds(missing, ways, unseen, turns, shown)
        odds = self.missing[min(max(missing, 1), DEEPEST) - 1] + self.law * law + self.square * min(law * law, FARTHEST)
        odds += self.turns * log(turns) + self.melds * shown + self.hidden * count_hidden(unseen, turns)
        return 1 / (1 + exp(-odds))


WEIGHTS = ("law", "square", "turns", "melds", "hidden")
NOTHING = MeasuredChances((0.0,) * DEEPEST, 1.0, 0.0, 0.0, 0.0, 0.0, (0.0,))
"""Without measurements: the law itself."""


def count_hidden(unseen: int, turns: float) -> float:
    """Count the unseen tiles that are not in the wall: the others' hands, and a dead wall."""
    return min(max(unseen - 4 * (turns - 0.5), 0.0), MOST_HIDDEN)


def load_measured(book: Rulebook) -> MeasuredChances:
    """Return the measured chances of a book."""
    found = _all()
    return found.get(book.id.partition("@")[0]) or found.get(ALL, NOTHING)


def from_json(one: dict[str, Any]) -> MeasuredChances:
    """Read an entry of `data/chances.json`."""
    law, square, turns, melds, hidden = (one[key] for key in WEIGHTS)
    return MeasuredChances(tuple(one["missing"]), law, square, turns, melds, hidden, tuple(one["ended"]))


@cache
def _all() -> dict[str, MeasuredChances]:
    path = files("quepu") / "data" / "chances.json"
    data: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return {id: from_json(one) for id, one in data.items()}
