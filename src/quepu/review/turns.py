"""The chance to be ready and to have won after each turn, as a curve that ends at the overall chance to win.

A hand that lacks n tiles takes n steps, one a turn at most; the last is the wait. The likelihood of each relative to
the last, and how often others end the hand, were measured. The overall likelihood follows from the chance to win, so
that both agree.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp
from typing import NamedTuple

_CLOSE, _MOST_TRIES = 2e-5, 40
"""How close a curve must end to the chance to win, and the most tries to get there."""
_MOST = 8.0
"""The highest rate: a step that usually comes in the first turn."""

STEPS = (1.0, 0.72, 2.1, 1.9, 4.7)
"""Rates, relative to the last step, at which a hand lacking one, two … five or more tiles comes a tile nearer."""


class TurnChance(NamedTuple):
    """The chance to be ready and to have won within a number of turns (of four draws)."""

    turn: int
    ready: float
    won: float


def by_turn(
    missing: int, chance: float, left: int, ended: tuple[float, ...], steps: tuple[float, ...] = STEPS
) -> tuple[TurnChance, ...]:
    """Return the chances turn by turn to the end of a wall of `left` tiles; `ended` as in `quepu.bots.chances`."""
    return _by_turn(max(1, missing), round(chance, 4), max(1, round(left / 4)), ended, steps)


@lru_cache(4096)
def _by_turn(
    missing: int, chance: float, turns: int, ended: tuple[float, ...], steps: tuple[float, ...]
) -> tuple[TurnChance, ...]:
    most = max(missing, turns)  # with more steps than turns, claims merge several: show the last ones
    rate = _rate(missing, chance, most, ended, steps)
    course = _course(missing, rate, most, ended, steps)[most - turns :]
    return tuple(one._replace(turn=turn) for turn, one in enumerate(course, 1))


def _rate(missing: int, chance: float, turns: int, ended: tuple[float, ...], steps: tuple[float, ...]) -> float:
    """Find the rate at which a hand wins with the given chance, by the Illinois variant of false position.

    `_MOST` if even that is too slow.
    """
    low, high = 0.0, _MOST
    below, above = -chance, _course(missing, high, turns, ended, steps)[-1].won - chance
    if above <= 0:
        return high
    moved = 0
    for _ in range(_MOST_TRIES):
        middle = (low * above - high * below) / (above - below)
        off = _course(missing, middle, turns, ended, steps)[-1].won - chance
        if abs(off) < _CLOSE:
            return middle
        if off < 0:
            low, below = middle, off
            above *= 0.5 if moved < 0 else 1.0
            moved = -1
        else:
            high, above = middle, off
            below *= 0.5 if moved > 0 else 1.0
            moved = 1
    return (low + high) / 2


def _course(
    missing: int, rate: float, turns: int, ended: tuple[float, ...], steps: tuple[float, ...]
) -> tuple[TurnChance, ...]:
    """Return the curve for a hand whose last step comes at this rate per turn."""
    likely = [0.0, *(1 - exp(-rate * steps[min(n, len(steps)) - 1]) for n in range(1, missing + 1))]
    lacks = [0.0] * (missing + 1)  # the chance to lack this many tiles while the hand goes on
    lacks[missing] = 1.0
    won, ready, made = 0.0, float(missing == 1), []
    last, farther = len(ended) - 1, range(2, missing + 1)
    for turn in range(1, turns + 1):
        goes_on = 1 - ended[turns - turn if turns - turn < last else last]
        won += lacks[1] * likely[1]
        lacks[1] *= (1 - likely[1]) * goes_on
        for n in farther:
            nearer = lacks[n] * likely[n]
            lacks[n] = (lacks[n] - nearer) * goes_on
            lacks[n - 1] += nearer * goes_on
            if n == 2:
                ready += nearer
        made.append(TurnChance(turn, ready, won))
    return tuple(made)
