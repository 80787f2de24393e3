"""Joining suit by suit, in numpy and compiled, against looking at every standard hand."""

from __future__ import annotations

import random
from functools import cache
from math import comb
from typing import Any

import numpy as np
import pytest

from quepu.fast.nearest.join import DRAWN_SHARE, FAR, Joined, JoinQuery, join, joiner
from quepu.fast.universe.hand_index import order
from quepu.fast.universe.standard_hands import MELD_SETS, melds
from quepu.tiles import KINDS


@cache
def points() -> Any:
    """A fifth of all hands pay, some of them only when drawn: no book's table, so that nothing has to be built."""
    rng = np.random.default_rng(5)
    some = rng.integers(0, 400, KINDS * MELD_SETS, np.uint16)
    return np.where(rng.random(KINDS * MELD_SETS) < 0.2, some, np.uint16(0))


def question(seed: int, exposed: int, tiles: int, called: float = 1.0) -> JoinQuery:
    """A hand with so many melds fixed, some tiles from ready, thirty tiles gone."""
    rng = random.Random(seed)
    left = [4] * KINDS
    own = [0] * KINDS
    chows, pungs = [0] * 4, [0] * 4
    for n in range(exposed):
        suit, rank = rng.randrange(3), rng.randrange(7)
        kinds = [9 * suit + rank + i for i in range(3)] if n % 2 else [rng.randrange(KINDS)] * 3
        if any(left[k] < kinds.count(k) for k in kinds):
            kinds = [33] * 3 if left[33] > 2 else [32] * 3
        for k in kinds:
            own[k] += 1
            left[k] -= 1
        s, r = divmod(kinds[0], 9)
        if len(set(kinds)) == 1:
            pungs[s] |= 1 << r
        else:
            chows[s] |= 1 << (r if not chows[s] >> r & 1 else r + 9)
    # the rest of a winning hand, but for three tiles
    rest = [
        rng.choice([27 + rng.randrange(7)] * 3 + [9 * rng.randrange(3) + rng.randrange(7)]) for _ in range(4 - exposed)
    ]
    for k in [k + (i if k < 27 else 0) for k in rest for i in range(3)][3:] + [rng.randrange(KINDS)] * 2:
        own[k] += left[k] > 0
        left[k] -= left[k] > 0
    while sum(own) < tiles:
        k = rng.randrange(KINDS)
        own[k] += left[k] > 0
        left[k] -= left[k] > 0
    for _ in range(30):
        k = rng.randrange(KINDS)
        left[k] -= left[k] > 0
    return JoinQuery(points(), np.array(own), np.array(left), tuple(chows), tuple(pungs), called)


def every_hand(q: JoinQuery, cap: int, nearest: int = 0) -> Joined:
    """The same from all 366 528 sets of melds and 34 pairs."""
    keys = melds().keys
    counts = np.stack([keys[k // 9] // 5 ** (k % 9) % 5 for k in range(KINDS)], axis=1).astype(np.int8)
    near = np.flatnonzero(np.maximum(counts - q.own.astype(np.int8), 0).sum(1) <= cap)
    place_of = np.empty(MELD_SETS, np.int64)
    place_of[order()] = np.arange(MELD_SETS)
    best, sums = FAR, np.zeros((q.levels, 2, KINDS + 1))
    useful, helps = np.zeros(KINDS, np.int64), 0
    for melded in near.tolist():
        chows = [[int(melds()[n][melded]) >> 16 * s & 0x1FF for n in range(4)] for s in range(4)]
        stacked = [sum(lane << 9 * n for n, lane in enumerate(lanes)) for lanes in chows]
        if any(stacked[s] & q.chows[s] != q.chows[s] for s in range(4)):
            continue
        fixed = [int(melds().p[melded]) >> 16 * s & 0x1FF for s in range(4)]
        if any(fixed[s] & q.pungs[s] != q.pungs[s] for s in range(4)):
            continue
        for pair in range(KINDS):
            whole = counts[melded].astype(int)
            whole[pair] += 2
            lack = np.maximum(whole - q.own, 0)
            value = int(q.points[pair * MELD_SETS + place_of[melded]])
            if whole[pair] > 4 or lack.sum() > cap or not value or (lack > q.could).any():
                continue
            far = int(lack.sum())
            ways = float(np.prod([comb(int(q.could[k]), int(lack[k])) for k in range(KINDS)]))
            thirds = sum(lack[k] > 0 and fixed[k // 9] >> k % 9 & 1 for k in range(KINDS))
            ways *= q.called**thirds
            if far < best:
                best, useful, helps = far, np.zeros(KINDS, np.int64), 0
            if far == best:
                mask = sum(1 << k for k in range(KINDS) if lack[k])
                useful[q.own > whole] |= mask
                helps |= mask
            if far - nearest < q.levels:
                both = np.array([[ways if value & 1 else ways * DRAWN_SHARE], [ways * (value >> 1)]])
                sums[far - nearest][:, [*np.flatnonzero(q.own > whole), KINDS]] += both
    return Joined(best, sums, useful, helps)


def same(a: Joined, b: Joined) -> None:
    assert a.missing == b.missing
    assert a.by_discard.shape == b.by_discard.shape
    assert np.allclose(a.by_discard, b.by_discard, rtol=1e-9)
    assert a.useful.tolist() == b.useful.tolist()
    assert a.helps == b.helps


@pytest.mark.long
@pytest.mark.parametrize("exposed", range(4))
def test_joining_finds_what_looking_at_every_hand_finds(exposed: int) -> None:
    found = 0
    for seed in range(2):
        q = question(seed, exposed, 14 if seed % 2 else 13, called=1.5)
        first = next((cap for cap in range(6) if join(q, cap).missing < FAR), 5)
        same(join(q, first), every_hand(q, first))
        q = q._replace(levels=2)
        same(join(q, first + 1), every_hand(q, first + 1, first))
        found += first < 5
    assert found


def test_compiled_loops_answer_as_numpy_does() -> None:
    pytest.importorskip("numba", reason="the extra [fast] is not installed")
    compiled = joiner()
    assert compiled is not join
    for seed in range(12):
        q = question(seed, seed % 4, 13 + seed % 2, called=1.0 + seed % 2)
        for cap in range(1, 6):
            more = q._replace(levels=cap % 3)
            same(compiled(more, cap), join(more, cap))
