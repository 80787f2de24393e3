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
from quepu.shapes.shape import Singles
from quepu.tiles import BIT, KINDS, kinds_of

FAR = 99
"""The distance of a hand that can no longer come to one that may win."""
DEEPEST = 14
"""Farther than any hand is from some payable hand that can still be reached."""

STEPS_PACE, GAIN_PACE = 1.0, 0.2
"""For a bot that goes the shortest way, and for one that weighs points: hands end long before the wall does."""


def rates_at(left: float, unseen: int, pace: float) -> tuple[float, ...]:
    """Return the weight of so many missing tiles with so many tiles left in the wall, and so many unseen."""
    return rates(max(1.0, left / 4), max(8, unseen), pace)


@lru_cache(4096)
def rates(turns: float, unseen_tiles: int, pace: float = GAIN_PACE) -> tuple[float, ...]:
    """Return the weight of n missing tiles, 0-16."""
    out = [1.0]
    for n in range(16):
        out.append(out[-1] * max(turns * pace + 0.5 - n, 0.35) / max(unseen_tiles - n, 5))
    return tuple(out)


DRAWN_SHARE = 0.3  # the share of wins by self-draw, as measured in play
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
    """Return the gain of the plainest hands of a special shape: the least of forty, 0 if that is below the minimum."""
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
    """Return the shape as an aim of these tiles; None if it lacks more than `most`, is not paid, or is out of reach."""
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
    """Return the discards that leave a special shape as near, and a mask of the kinds that bring it nearer."""
    distance = shape.distance
    missing = distance(tiles)
    counts = [concealed.count(k) for k in range(KINDS)]
    discards = tuple(k for k in range(KINDS) if counts[k] and distance(tiles.without_tile(k)) == missing)
    helps = shape.helping(tiles)
    return discards, sum(1 << k for k in range(KINDS) if counts[k] < 4 and BIT[k] & helps)


def reachable(distance: Callable[[Tiles], int], tiles: Tiles, unseen: Sequence[int], missing: int, helps: int) -> bool:
    """Return whether tiles that can still come complete the shape: any that helps is taken, until none is needed."""
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


def special_ways(shape: Shape, tiles: Tiles, unseen: Sequence[int], missing: int) -> float:
    """Count the ways to draw the tiles that these lack to a special shape, each set of drawn tiles once.

    For shapes of fours it is an estimate: `ways_among`.
    """
    if not missing:
        return 1.0
    singles = shape.singles
    if singles is not None:
        near = (plane for plane in singles.planes if singles.lacking(plane, tiles) == missing)
        return float(sum(_single_ways(singles, plane, tiles, unseen) for plane in near))
    if shape.of_pairs and not shape.made_of[0].fours:
        return float(_pair_ways(shape.made_of[0].pairs, len(shape.made_of) > 1, tiles, unseen))
    helps = shape.helping(tiles)
    each = [int(unseen[kind]) for kind in range(KINDS) if BIT[kind] & helps and unseen[kind] > 0]
    return ways_among(len(each), sum(each), missing)


def ways_among(kinds: int, copies: int, missing: int) -> float:
    """Estimate the ways to draw so many tiles of useful kinds, as if any of them would do together."""
    if not missing:
        return 1.0
    return comb(max(kinds, missing), missing) * float((copies / kinds) ** missing) if kinds else 0.0


def _single_ways(singles: Singles, plane: int, tiles: Tiles, unseen: Sequence[int]) -> int:
    """Count the ways to draw the kinds of a plane that are lacking, and one of them or of those held again."""
    held = tiles.t1 & plane
    lacking = max(0, singles.number - held.bit_count())
    ways, twice = [1] + [0] * lacking, [0] * (lacking + 1)  # by kinds drawn; `twice`: one of them comes twice
    for kind in kinds_of(plane & ~held):
        copies = int(unseen[kind])
        for n in range(lacking, 0, -1):
            twice[n] += twice[n - 1] * copies + ways[n - 1] * comb(copies, 2)
            ways[n] += ways[n - 1] * copies
    if not singles.again or tiles.t2 & plane:
        return ways[lacking]
    return twice[lacking] + ways[lacking] * sum(int(unseen[kind]) for kind in kinds_of(held))


def _pair_ways(pairs: int, fours: bool, tiles: Tiles, unseen: Sequence[int]) -> int:
    """Count the ways to so many pairs; with `fours`, four alike are two of them.

    A tile that is alone needs one more. Only if there are too few of those, pairs come whole.
    """
    t1, t2, t3, t4 = tiles.planes
    odd = t1 & ~t2 | (t3 & ~t4) * fours
    lacking = pairs - t2.bit_count() - t4.bit_count() * fours
    whole = lacking - odd.bit_count()
    most = max(lacking if whole <= 0 else whole, 0)
    ways = [1] + [0] * most
    for kind in range(KINDS):
        bit, copies = BIT[kind], int(unseen[kind])
        alone = bool(odd & bit)
        if whole <= 0:
            first, second, third = 1, copies * alone, 0
        elif alone:
            first, second, third = copies, comb(copies, 3) * fours * (not t2 & bit), 0
        else:
            free = not t1 & bit or (fours and not t3 & bit)
            first, second, third = 1, comb(copies, 2) * free, comb(copies, 4) * fours * (not t1 & bit)
        if (first, second) == (1, 0):
            continue
        for n in range(most, -1, -1):
            more = ways[n - 1] * second if n else 0
            ways[n] = ways[n] * first + more + (ways[n - 2] * third if n > 1 else 0)
    return ways[most]
