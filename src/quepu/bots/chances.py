"""The chance that a hand wins, as measured: from what is missing, the ways to get it, the wall and the others' melds.

How often hands won that lacked n tiles, over 31,000 discards of `gain` bots in three books, follows one law in all of
them (`bench/chances.py` measures it):

    log(p / (1 - p)) = FIRST[n] + WAYS · log(w / unseen) + TURNS[n] · log(turns) - MELDS · (most melds another shows)

with w = (ways · n!) ^ (1/n), the useful tiles a step if all steps were alike. The ways themselves would be far too
strong: twice the ways to draw three tiles are only a quarter more tiles a step.
"""

from __future__ import annotations

from math import exp, lgamma, log

from quepu.table import Board

DEEPEST = 5
FIRST = (0.0, 0.09, -4.14, -9.99, -13.18, -15.0)
TURNS = (0.0, 0.92, 1.92, 3.61, 4.43, 4.8)
WAYS = 0.77
MELDS = 0.22
BENT = 0.6
"""Half the ways cost less than half the wins: others stop a hand as often as the wall does, about two times in five."""


def turns(board: Board) -> float:
    """Draws left to each seat."""
    return board.left / 4 + 0.5


def shown(board: Board, seat: int) -> int:
    """The most melds that another seat has on the table."""
    return max(len(board.melds[(seat + i) & 3]) for i in (1, 2, 3))


def chance(missing: int, ways: float, unseen: int, turns: float, shown: int) -> float:
    """The chance to win for a hand that lacks so many tiles (0: taken as one) with these ways to get them."""
    return 1 / (1 + exp(-log_odds(missing, ways, unseen, turns, shown))) if ways > 0 else 0.0


def log_odds(missing: int, ways: float, unseen: int, turns: float, shown: int) -> float:
    """The same as log(p / (1 - p)); there must be a way."""
    n = min(max(missing, 1), DEEPEST)
    step = (log(ways) + lgamma(n + 1)) / max(missing, 1) - log(max(unseen, 1))
    return FIRST[n] + WAYS * step + TURNS[n] * log(turns) - MELDS * shown
