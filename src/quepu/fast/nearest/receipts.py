"""Payments of a win to its winner, weights of distances, special shapes as aims; nothing here needs numpy.

A special shape is an aim by what to discard and to draw for it, whether it can still come, and in how many ways.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple

from quepu.hands.hand import Hand
from quepu.rules.play_rules import Ending, SeatWin, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import best_points
from quepu.shapes import Shape
from quepu.shapes.automaton import Tiles
from quepu.tiles import BIT, KINDS

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


_CACHE_SIZE = 1024


class SpecialAim(NamedTuple):
    """A special shape that pays and can still come: tiles it lacks, its gain, and what to do for it."""

    missing: int
    gain: float
    discards: tuple[int, ...]  # those that leave it as near
    helps: int  # mask of the kinds that can come and bring it nearer


def special_aim(
    book: Rulebook, shape: Shape, tiles: Tiles, concealed: Sequence[int], unseen: Sequence[int], most: int
) -> SpecialAim | None:
    """The shape as an aim of these tiles; None if it lacks more than `most`, does not pay, or can no longer come."""
    if not shape.share or shape.whole is None:
        return None
    missing = shape.distance(tiles)
    gain = special_gain(book, shape) if missing <= most else 0.0
    if not gain:
        return None
    discards, helps = discards_and_draws(shape, tiles, tuple(concealed))
    helps = sum(1 << k for k in range(KINDS) if helps >> k & 1 and unseen[k] > 0)
    if not reachable(shape.distance, tiles, unseen, missing, helps):
        return None
    return SpecialAim(missing, gain, discards, helps)


@lru_cache(_CACHE_SIZE)
def discards_and_draws(shape: Shape, tiles: Tiles, concealed: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """The discards that leave a special shape as near, and a mask of the kinds that bring it nearer."""
    distance = shape.distance
    missing = distance(tiles)
    counts = [concealed.count(k) for k in range(KINDS)]
    discards = tuple(k for k in range(KINDS) if counts[k] and distance(tiles.without_tile(k)) == missing)
    helps = shape.helping(tiles)
    return discards, sum(1 << k for k in range(KINDS) if counts[k] < 4 and BIT[k] & helps)


def reachable(distance: Callable[[Tiles], int], tiles: Tiles, unseen: Sequence[int], missing: int, helps: int) -> bool:
    """Whether tiles that can still come complete the shape: any that helps is taken, until none is needed."""
    left = [int(copies) for copies in unseen]
    likely = [k for k in range(KINDS) if helps >> k & 1]
    for need in range(missing, 0, -1):
        nearer = next(
            (k for k in (*likely, *range(KINDS)) if left[k] > 0 and distance(tiles.with_tile(k)) < need), None
        )
        if nearer is None:
            return False
        tiles = tiles.with_tile(nearer)
        left[nearer] -= 1
        if nearer in likely:
            likely.remove(nearer)
    return True


def ways_to(unseen: Sequence[int], missing: int, helps: int) -> float:
    """Estimate the ways to draw the missing tiles of a special shape, as if any useful tiles would do together."""
    each = [int(unseen[k]) for k in range(KINDS) if helps >> k & 1]
    return ways_among(len(each), sum(each), missing)


def ways_among(kinds: int, copies: int, missing: int) -> float:
    """Do the same for so many useful kinds with so many copies together."""
    if not missing:
        return 1.0
    return comb(max(kinds, missing), missing) * float((copies / kinds) ** missing) if kinds else 0.0


def pair_ways(shape: Shape, concealed: Sequence[int], discard: int, unseen: Sequence[int], missing: int) -> float:
    """Ways to pair so many of the tiles held singly after a discard (KINDS: none), each choice of them once."""
    counts = [0] * (KINDS + 1)
    for kind in concealed:
        counts[kind] += 1
    counts[discard] -= 1
    fours = any(made.fours for made in shape.made_of)
    alone = [int(unseen[k]) for k in range(KINDS) if counts[k] == 1 or (counts[k] == 3 and fours)]
    if len(alone) < missing:  # new kinds must come: two tiles each, of which the first may be any
        others = [int(unseen[k]) for k in range(KINDS) if counts[k] == 0]
        alone += sorted(others)[len(others) // 2 :][: missing - len(alone)]
    ways = [1.0] + [0.0] * missing  # elementary symmetric sums
    for copies in alone:
        for n in range(missing, 0, -1):
            ways[n] += ways[n - 1] * copies
    return ways[missing]
