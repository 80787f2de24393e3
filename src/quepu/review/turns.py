"""The chance to be ready and to have won after so many turns, as a curve that ends at the chance to win at all.

A hand that lacks n tiles takes n steps, one a turn at most; the last is the wait. The others end the hand at a measured
rate. How likely a step is follows from the chance to win (`quepu.bots.chances`), so that both say the same.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp
from typing import NamedTuple

EARLIER = 1.6
"""How much likelier a turn brings a step before the last than the last one."""
ENDED = (0.01, 0.10)
"""The chance that another ends the hand within a turn: with a full wall and with an empty one, a line between."""
_FULL = 84
"""Tiles in the wall after a deal of 136."""


class TurnChance(NamedTuple):
    """The chance to be ready and to have won within so many turns (of four draws)."""

    turn: int
    ready: float
    won: float


def by_turn(missing: int, chance: float, left: int) -> tuple[TurnChance, ...]:
    """Turn by turn to the end of a wall of so many tiles."""
    turns = max(1, round(left / 4))
    return _by_turn(max(1, missing), round(chance, 4), turns)


@lru_cache(4096)
def _by_turn(missing: int, chance: float, turns: int) -> tuple[TurnChance, ...]:
    low, high = 0.0, 8.0
    for _ in range(24):
        middle = (low + high) / 2
        if _course(missing, middle, turns)[-1].won < chance:
            low = middle
        else:
            high = middle
    return _course(missing, high, turns)


def _course(missing: int, step: float, turns: int) -> tuple[TurnChance, ...]:
    """The curve for a hand whose steps are so likely (as a rate a turn)."""
    last, earlier = 1 - exp(-step), 1 - exp(-EARLIER * step)
    lacks = [0.0] * (missing + 1)  # the chance to lack so many tiles while the hand goes on
    lacks[missing] = 1.0
    won, ready, made = 0.0, float(missing == 1), []
    for turn in range(1, turns + 1):
        won += lacks[1] * last
        lacks[1] *= 1 - last
        for n in range(2, missing + 1):
            on = lacks[n] * earlier
            lacks[n] -= on
            lacks[n - 1] += on
            ready += on if n == 2 else 0.0
        ends = ENDED[1] + (ENDED[0] - ENDED[1]) * min(1.0, 4 * (turns - turn) / _FULL)
        lacks = [share * (1 - ends) for share in lacks]
        made.append(TurnChance(turn, ready, won))
    return tuple(made)
