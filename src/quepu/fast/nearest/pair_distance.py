"""Special shapes as aims: what to discard and to draw for one, whether it can still come, and in how many ways.

Nothing here needs numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple

from quepu.fast.nearest.receipts import special_gain
from quepu.rules.rulebook import Rulebook
from quepu.shapes import Shape
from quepu.shapes.automaton import Tiles
from quepu.tiles import BIT, KINDS

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
