"""The chance that a hand wins, as measured: from what is missing, the ways to get it, the wall and the others' melds.

How often hands won that lacked n tiles, over 31,000 discards of `gain` bots in three books, follows one law in all of
them (`bench/chances.py` measures it):

    log(p / (1 - p)) = FIRST[n] + WAYS · log(w / unseen) + TURNS[n] · log(turns) - MELDS · (most melds another shows)

with w = (ways · n!) ^ (1/n), the useful tiles a step if all steps were alike. The ways themselves would be far too
strong: twice the ways to draw three tiles are only a quarter more tiles a step.
"""

from __future__ import annotations

from math import lgamma

import numpy as np

from quepu.lab.lanes import Array
from quepu.table import Board

FIRST = np.array([3.0, 0.09, -4.14, -9.99, -13.18, -15.0])
TURNS = np.array([0.5, 0.92, 1.92, 3.61, 4.43, 4.8])
WAYS = 0.77
MELDS = 0.22
_FACTORIAL = np.array([lgamma(n + 1) for n in range(len(FIRST))])


def turns(board: Board) -> float:
    """Draws left to each seat."""
    return board.left / 4 + 0.5


def shown(board: Board, seat: int) -> int:
    """The most melds that another seat has on the table."""
    return max(len(board.melds[(seat + i) & 3]) for i in (1, 2, 3))


def chance(missing: int, ways: Array, unseen: int, turns: float, shown: int, weight: float = WAYS) -> Array:
    """The chance to win for hands that lack so many tiles with these ways to get them; 0 where there are none."""
    n = min(missing, len(FIRST) - 1)
    if not n:
        return np.where(ways > 0, 0.95, 0.0)
    with np.errstate(divide="ignore"):
        step = (np.log(ways) + _FACTORIAL[n]) / max(missing, 1) - np.log(max(unseen, 1))
    odds = FIRST[n] + weight * step + (WAYS - weight) * np.log(0.1) + TURNS[n] * np.log(turns) - MELDS * shown
    return np.where(ways > 0, 1 / (1 + np.exp(-odds)), 0.0)
