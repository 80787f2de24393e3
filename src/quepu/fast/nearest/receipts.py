"""Payments of a win to its winner, as its book settles it, and weights of distances; nothing here needs numpy."""

from __future__ import annotations

import random
from functools import lru_cache

from quepu.hands.hand import Hand
from quepu.rules.play_rules import Ending, SeatWin, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import best_points
from quepu.shapes import Shape

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


DRAWN_SHARE = 0.3  # of wins, those by self-draw: what measured play shows
LEAST_RECEIPT = 0.1
"""A win that pays nothing is still a win."""
_SAMPLES = 40


def receipt(book: Rulebook, points: int, self_draw: bool) -> float:
    """Return the winner's receipt for so many points, as the book settles; the points themselves if it has no table."""
    if not book.play:
        return float(points)
    rules = play_rules(book)
    ending = Ending((SeatWin(1, points),), self_draw=self_draw, discarder=None if self_draw else 3)
    paid = 0
    for payment in rules.settle(ending, book):
        paid += payment.points * ((payment.payee == 1) - (payment.payer == 1))
    return float(paid)


def paid_for(hand: Hand, book: Rulebook, self_draw: bool) -> float | None:
    """Return the winner's payment for this hand, or None if it may not win."""
    points = best_points(hand, book)
    return None if points is None or points < book.minimum else receipt(book, points, self_draw)


@lru_cache(64)  # it is looked up at every decision, and scores forty hands
def special_gain(book: Rulebook, shape: Shape) -> float:
    """Gain of the plainest hands of a special shape: the least of forty, 0 if that is below the minimum."""
    rng = random.Random(9)
    least: int | None = None
    for _ in range(_SAMPLES):
        tiles = sorted(tile for part in shape.sample(rng) for tile in part)
        points = best_points(Hand(tuple(tiles[:-1]), (), tiles[-1], 28, 27), book) or 0
        least = points if least is None else min(least, points)
    if least is None or least < book.minimum:
        return 0.0
    return max(receipt(book, least, False), LEAST_RECEIPT)
