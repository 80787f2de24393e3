"""Standard hands in an order in which one is looked up suit by suit; the plain twin is `hands.suit_rows`.

A suit reading's class is 2 * melds + pair. Two lanes side by side are a half (m and p, s and honours). Halves are
numbered by their melds alone; with the pair beside, a hand is one place in a flat array of 34 * 366 528 entries:
pair * 366 528 + base[melds on the left] + left * (how many right halves fit) + right.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.universe.standard_hands import MELD_SETS, melds
from quepu.hands.suit_tables import suit_rows, unary_levels

Array = NDArray[Any]
Joint = tuple[int, int]
"""Melds and pairs of a half."""

JOINTS: tuple[Joint, ...] = tuple((melds, pair) for melds in range(5) for pair in (0, 1))


class SuitReadings(NamedTuple):
    """All readings of one suit (9 ranks) or of the honours (7), sorted by class."""

    ranks: int
    cls: Array  # int64 [n]
    planes: Array  # int64 [n, 5]: c1 c2 c3 c4 p in the lane of bit 0
    pair: Array  # int64 [n]: rank of the pair, 0 where there is none
    bare: Array  # int64 [n]: number of these melds among the readings of as many melds without a pair
    count: Array  # type: ignore[assignment]  # int8 [n, ranks]: copies of each rank
    start: tuple[int, ...]  # where each of the ten classes starts, and the end
    tiles: Array  # int64 [n], unary: copy k + 1 of rank r is bit 9 k + r
    chows: Array  # int64 [n], unary

    def size(self, cls: int) -> int:
        """Number of readings a class has."""
        return self.start[cls + 1] - self.start[cls]


@cache
def lane(ranks: int) -> SuitReadings:
    """Return the readings of a suit of nine ranks, or of the seven honours."""
    rows = suit_rows(ranks)
    cls = np.array([row.cls for row in rows], np.int64)
    start = tuple(int(i) for i in np.searchsorted(cls, np.arange(11)))
    bare_at = {row.planes: i - start[row.cls] for i, row in enumerate(rows) if not row.pair}
    planes_of = np.array([row.planes for row in rows], np.int64)
    keys = np.array([row.key for row in rows], np.int64)
    return SuitReadings(
        ranks,
        cls,
        planes_of,
        np.array([max(row.pair.bit_length() - 1, 0) for row in rows], np.int64),
        np.array([bare_at[row.planes] for row in rows], np.int64),
        (keys[:, None] // 5 ** np.arange(ranks) % 5).astype(np.int8),
        start,
        np.array([unary_levels(row.levels) for row in rows], np.int64),
        np.array([unary_levels(row.planes[:4]) for row in rows], np.int64),
    )


class Half(NamedTuple):
    """Two lanes side by side: for each joint the pairs of classes with the number of the first half of their melds."""

    left: SuitReadings
    right: SuitReadings
    parts: dict[Joint, list[tuple[int, int, int]]]
    size: tuple[int, ...]  # halves without a pair, by melds


@cache
def half(right_ranks: int) -> Half:
    """Return the left half (m, p) for 9, the right half (s, honours) for 7."""
    left, right = lane(9), lane(right_ranks)
    size = [0] * 5
    first: dict[tuple[int, int], int] = {}
    for a in range(5):
        for b in range(5 - a):
            first[a, b] = size[a + b]
            size[a + b] += left.size(2 * a) * right.size(2 * b)
    parts: dict[Joint, list[tuple[int, int, int]]] = {joint: [] for joint in JOINTS}
    for a in range(10):
        for b in range(10):
            joint = (a // 2 + b // 2, a % 2 + b % 2)
            if joint in parts:
                parts[joint].append((a, b, first[a // 2, b // 2]))
    return Half(left, right, parts, tuple(size))


def rest(joint: Joint) -> Joint:
    """Return the joint of the right half beside this left half: four melds and one pair in all."""
    return 4 - joint[0], 1 - joint[1]


@cache
def bases() -> tuple[int, ...]:
    """Return where the meld sets with so many melds on the left start."""
    left, right = half(9), half(7)
    made, at = [], 0
    for n in range(5):
        made.append(at)
        at += left.size[n] * right.size[4 - n]
    return tuple(made)


def _half_planes(which: Half, n: int, shift: int) -> Array:
    """Return c1 c2 c3 c4 p of every half with n melds and no pair, in the order of the index: int64 [size, 5]."""
    left, right = which.left, which.right
    made = []
    for a in range(n + 1):
        x = left.planes[left.start[2 * a] : left.start[2 * a + 1]] << shift
        y = right.planes[right.start[2 * (n - a)] : right.start[2 * (n - a) + 1]] << shift + 16
        made.append((x[:, None] | y[None]).reshape(-1, 5))
    return np.concatenate(made)


@cache
def order() -> Array:
    """Number of the meld set in `standard_hands` at each place of the index (366 528 of one pair): int32."""
    mine = np.concatenate(
        [
            (_half_planes(half(9), n, 0)[:, None] | _half_planes(half(7), 4 - n, 32)[None]).reshape(-1, 5)
            for n in range(5)
        ]
    )
    theirs = np.stack([melds().c1, melds().c2, melds().c3, melds().c4, melds().p], axis=1)
    assert len(mine) == len(theirs) == MELD_SETS  # noqa: S101  # both count the same thing
    found = np.empty(MELD_SETS, np.int32)
    found[np.lexsort(mine.T)] = np.lexsort(theirs.T)
    return found
