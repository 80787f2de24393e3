"""Every decomposed standard hand in the order of a small index: two halves (m, p and s, honours) by class.

A suit reading's class is 2 * melds + pair. A half is a pair of suit readings; halves are numbered inside their joint
class, and a hand's index is base[class of left] + left * (how many right halves fit) + right. So a table over all
11 580 567 hands is one flat array, and a hand built from four suit readings is found in it by arithmetic.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from quepu.suits import honour_splits, suit_splits

Array = Any
Joint = tuple[int, int]
JOINTS: tuple[Joint, ...] = tuple((melds, pair) for melds in range(5) for pair in (0, 1))


class Lane(NamedTuple):
    """All readings of one suit (9 ranks) or of the honours (7), sorted by class."""

    ranks: int
    cls: Array  # int64 [n]
    planes: Array  # int64 [n, 10]: c1 c2 c3 c4 p pair t1 t2 t3 t4 in the lane of bit 0
    count: Array  # int8 [n, ranks]: copies of each rank
    start: tuple[int, ...]  # where each of the ten classes starts, and the end
    tiles: Array  # int64 [n], unary: copy k + 1 of rank r is bit 9 k + r
    chows: Array  # int64 [n], unary

    def size(self, cls: int) -> int:
        """How many readings a class has."""
        return self.start[cls + 1] - self.start[cls]


UNARY = np.array([1 << 9 * n for n in range(4)], np.int64)


@cache
def lane(ranks: int) -> Lane:
    """The readings of a suit of nine ranks, or of the seven honours."""
    rows = []
    for key, splits in (suit_splits() if ranks == 9 else honour_splits()).items():
        count = [key // 5**r % 5 for r in range(ranks)]
        tiles = [sum(1 << r for r in range(ranks) if count[r] > n) for n in range(4)]
        for melds, pairs, *chows, pungs, pair in splits:
            rows.append((2 * melds + pairs, (*chows, pungs, pair, *tiles), count))
    rows.sort()
    cls = np.array([row[0] for row in rows], np.int64)
    planes = np.array([row[1] for row in rows], np.int64)
    start = tuple(int(i) for i in np.searchsorted(cls, np.arange(11)))
    count_of = np.array([row[2] for row in rows], np.int8)
    return Lane(ranks, cls, planes, count_of, start, planes[:, 6:10] @ UNARY, planes[:, 0:4] @ UNARY)


class Half(NamedTuple):
    """Two lanes side by side: for each joint class the pairs of classes with the number of the first half of each."""

    left: Lane
    right: Lane
    parts: dict[Joint, list[tuple[int, int, int]]]
    size: dict[Joint, int]


@cache
def half(right_ranks: int) -> Half:
    """The left half (m, p) for 9, the right half (s, honours) for 7."""
    left, right = lane(9), lane(right_ranks)
    parts: dict[Joint, list[tuple[int, int, int]]] = {joint: [] for joint in JOINTS}
    size = dict.fromkeys(JOINTS, 0)
    for a in range(10):
        for b in range(10):
            joint = (a // 2 + b // 2, a % 2 + b % 2)
            if joint in parts:
                parts[joint].append((a, b, size[joint]))
                size[joint] += left.size(a) * right.size(b)
    return Half(left, right, parts, size)


def rest(joint: Joint) -> Joint:
    """What the right half must be beside this left half: four melds and one pair in all."""
    return 4 - joint[0], 1 - joint[1]


@cache
def bases() -> tuple[dict[Joint, int], int]:
    """Where each class of left halves starts in the flat index, and how many hands there are."""
    left, right = half(9), half(7)
    base, at = {}, 0
    for joint in JOINTS:
        base[joint] = at
        at += left.size[joint] * right.size[rest(joint)]
    return base, at


def half_planes(joint: Joint, which: Half, shift: int) -> Array:
    """The ten planes of every half of a class, in the order of the index: int64 [n, 10]."""
    left, right = which.left, which.right
    made = [
        (
            left.planes[left.start[a] : left.start[a + 1], None] << shift
            | right.planes[None, right.start[b] : right.start[b + 1]] << shift + 16
        ).reshape(-1, 10)
        for a, b, _ in which.parts[joint]
        if left.size(a) and right.size(b)
    ]
    return np.concatenate(made) if made else np.zeros((0, 10), np.int64)
