"""Weights of distances; nothing here needs numpy."""

from __future__ import annotations

from functools import lru_cache

FAR = 99
"""The distance of a hand that can no longer come to one that may win."""
DEEPEST = 14
"""Farther than any hand is from some payable hand that can still be reached."""

STEPS_PACE, GAIN_PACE = 1.0, 0.2
"""For a bot that goes the shortest way, and for one that weighs points: rounds end long before the wall does."""


def rates_at(left: float, unseen: int, pace: float) -> tuple[float, ...]:
    """The weight of so many missing tiles with so many tiles left in the wall, and so many unseen."""
    return rates(max(1.0, left / 4), max(8, unseen), pace)


@lru_cache(4096)
def rates(turns: float, unseen_tiles: int, pace: float = GAIN_PACE) -> tuple[float, ...]:
    """The weight of n missing tiles, 0-16."""
    out = [1.0]
    for n in range(16):
        out.append(out[-1] * max(turns * pace + 0.5 - n, 0.35) / max(unseen_tiles - n, 5))
    return tuple(out)
