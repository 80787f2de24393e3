"""Join suits to payable hands by loops that numba compiles; the twin is `nearest.join`, on arrays.

A lane's readings near the hand are sorted by class and missing tiles; the right half (s and honours) is joined into
lists sorted by missing tiles, and each pair of the left half runs down its list while the sum stays within the cap.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numba
import numpy as np

from quepu.fast.nearest.join import CHOOSE, Joined, JoinQuery, unary
from quepu.fast.nearest.preferences import Liking
from quepu.fast.nearest.receipts import DRAWN_SHARE, FAR
from quepu.fast.universe.hand_index import Array, bases, half, lane
from quepu.fast.universe.standard_hands import MELD_SETS
from quepu.tiles import KINDS

_FAR, _KINDS, _SETS, _DRAWN = FAR, KINDS, MELD_SETS, DRAWN_SHARE


@lru_cache(1024)
def _within(ranks: int, own: bytes, chow: int, pung: int, cap: int) -> tuple[Array, Array]:
    """The readings at most `cap` tiles from these that contain the fixed melds, and the distance of each.

    Cached, because most suits of a hand are the same from one query to the next.
    """
    of = lane(ranks)
    missing = np.bitwise_count(of.tiles & ~unary(np.frombuffer(own, np.int64)))
    fit = missing <= cap
    if chow:
        fit &= (of.chows & chow) == chow
    if pung:
        fit &= (_pungs(ranks) & pung) == pung
    found = np.flatnonzero(fit)
    return found.astype(np.int32), missing[found].astype(np.int8)


@cache
def _pungs(ranks: int) -> Array:
    return np.ascontiguousarray(lane(ranks).planes[:, 4])


@numba.njit(cache=True)
def _near(near, of, tiles_of, cap, called, first, choose):  # type: ignore[no-untyped-def]
    """Those of them that can still come, by class and missing tiles: where each begins, and the data of each."""
    (within, far), (own, could) = near, tiles_of
    tiles, pungs, cls, count, bare, pair = of
    ranks = count.shape[1]
    reach = 0
    for r in range(ranks):
        for n in range(min(4, own[first + r] + could[first + r])):
            reach |= 1 << 9 * n + r
    found = np.empty(len(within), np.int32)
    start = np.zeros((10, cap + 2), np.int64)
    reach = ~reach
    got = 0
    for k in range(len(within)):
        i = within[k]
        if not tiles[i] & reach:
            found[got] = k
            start[cls[i], far[k]] += 1
            got += 1
    at = 0
    for c in range(10):
        for m in range(cap + 1):
            size = start[c, m]
            start[c, m] = at
            at += size
        start[c, cap + 1] = at
    fill = start.copy()
    numbers, pairs, ways = np.empty(got, np.int64), np.empty(got, np.int64), np.empty(got)
    lacks, spares = np.empty(got, np.int64), np.empty(got, np.int64)
    for k in range(got):
        i = within[found[k]]
        c, m = cls[i], far[found[k]]
        at = fill[c, m]
        fill[c, m] = at + 1
        weight, lack, spare = 1.0, 0, 0
        for r in range(ranks):
            more = count[i, r] - own[first + r]
            if more > 0:
                weight *= choose[min(could[first + r], 4), more]
                lack |= 1 << first + r
                if pungs[i] >> r & 1:
                    weight *= called
            elif more < 0:
                spare |= 1 << first + r
        numbers[at], pairs[at], ways[at], lacks[at], spares[at] = bare[i], pair[i] + first, weight, lack, spare
    return start, numbers, pairs, ways, lacks, spares


@numba.njit(cache=True)
def _join(points, liked, near, lanes, tiles_of, shape, limits):  # type: ignore[no-untyped-def]
    """The least distance, ways and gains of each discard by level (the last: of none), the tiles needed, the same."""
    (m, p, s, z), (suit, honours, choose), (levels, called, cap) = near, lanes, limits
    left_first, left_size, right_first, right_size, width, base = shape
    int64 = np.int64  # literal numbers are types of their own: `_near` would be compiled four times
    m_start, m_number, m_pair, m_ways, m_lack, m_spare = _near(m, suit, tiles_of, cap, called, int64(0), choose)
    p_start, p_number, p_pair, p_ways, p_lack, p_spare = _near(p, suit, tiles_of, cap, called, int64(9), choose)
    s_start, s_number, s_pair, s_ways, s_lack, s_spare = _near(s, suit, tiles_of, cap, called, int64(18), choose)
    z_start, z_number, z_pair, z_ways, z_lack, z_spare = _near(z, honours, tiles_of, cap, called, int64(27), choose)
    # the right half: how many pairs of each joint (melds, pair) at each distance, then the pairs themselves
    at = np.zeros((10, cap + 2), np.int64)
    for c in range(10):
        for d in range(10):
            if c // 2 + d // 2 > 4 or c % 2 + d % 2 > 1:
                continue
            joint = (c // 2 + d // 2) * 2 + c % 2 + d % 2
            for u in range(cap + 1):
                size = s_start[c, u + 1] - s_start[c, u]
                if size:
                    for v in range(cap + 1 - u):
                        at[joint, u + v] += size * (z_start[d, v + 1] - z_start[d, v])
    size = 0
    least = np.full(10, _FAR, np.int64)
    for joint in range(10):
        for u in range(cap + 1):
            n = at[joint, u]
            if n and least[joint] == _FAR:
                least[joint] = u
            at[joint, u] = size
            size += n
        at[joint, cap + 1] = size
    fill = at.copy()
    place, level = np.empty(size, np.int64), np.empty(size, np.int64)
    ways_of, level_sums = np.empty(size), np.zeros((size, 2 * levels))
    needs, spares = np.empty(size, np.int64), np.empty(size, np.int64)
    for c in range(10):
        for d in range(10):
            if c // 2 + d // 2 > 4 or c % 2 + d % 2 > 1:
                continue
            joint = (c // 2 + d // 2) * 2 + c % 2 + d % 2
            begin, step = right_first[c // 2, d // 2], right_size[d // 2]
            for u in range(cap + 1):
                for i in range(s_start[c, u], s_start[c, u + 1]):
                    for v in range(cap + 1 - u):
                        for j in range(z_start[d, v], z_start[d, v + 1]):
                            to = fill[joint, u + v]
                            fill[joint, u + v] = to + 1
                            pair = s_pair[i] if c % 2 else z_pair[j] if d % 2 else 0
                            place[to] = begin + s_number[i] * step + z_number[j] + pair * _SETS
                            level[to] = u + v
                            ways_of[to] = s_ways[i] * z_ways[j]
                            needs[to] = s_lack[i] | z_lack[j]
                            spares[to] = s_spare[i] | z_spare[j]
    best = _FAR
    useful = np.zeros(_KINDS + 1, np.int64)
    values, sums = np.zeros((_KINDS + 1, 2 * levels)), np.zeros(2 * levels)
    for a in range(10):
        for b in range(10):
            melds, pairs = a // 2 + b // 2, a % 2 + b % 2
            if melds > 4 or pairs > 1:
                continue
            joint = (4 - melds) * 2 + 1 - pairs
            room = cap - least[joint]
            begin, step = left_first[a // 2, b // 2], left_size[b // 2]
            from_ = at[joint, 0]
            for u in range(room + 1):
                for i in range(m_start[a, u], m_start[a, u + 1]):
                    for v in range(room + 1 - u):
                        to = at[joint, cap - u - v + 1]
                        for j in range(p_start[b, v], p_start[b, v + 1]):
                            pair = m_pair[i] if a % 2 else p_pair[j] if b % 2 else 0
                            here = (
                                base[melds] + (begin + m_number[i] * step + p_number[j]) * width[melds] + pair * _SETS
                            )
                            lack, spare, ways = m_lack[i] | p_lack[j], m_spare[i] | p_spare[j], m_ways[i] * p_ways[j]
                            paid = False
                            for k in range(from_, to):
                                value = points[here + place[k]]
                                if value == 0:
                                    continue
                                far = u + v + level[k]
                                if far <= best:
                                    if far < best:  # nearer than all so far: what is summed moves up
                                        up = 2 * (best - far)
                                        for n in range(2 * levels - 1, -1, -1):
                                            for kind in range(_KINDS + 1):
                                                values[kind, n] = values[kind, n - up] if n >= up else 0.0
                                            for other in range(size if best < _FAR else 0):
                                                level_sums[other, n] = level_sums[other, n - up] if n >= up else 0.0
                                            sums[n] = sums[n - up] if n >= up else 0.0
                                        best = far
                                        useful[:] = 0
                                    needed, x, kind = lack | needs[k], spare | spares[k], 0
                                    useful[_KINDS] |= needed
                                    while x:
                                        if x & 1:
                                            useful[kind] |= needed
                                        x >>= 1
                                        kind += 1
                                if far - best < levels:
                                    chance = ways * ways_of[k]
                                    if liked is None:
                                        gain = chance * (value >> 1)
                                    else:
                                        gain = chance * liked[2][value >> 1] * liked[1][liked[0][here + place[k]]]
                                    if not value & 1:
                                        chance *= _DRAWN
                                    n = 2 * (far - best)
                                    level_sums[k, n] += chance
                                    level_sums[k, n + 1] += gain
                                    sums[n] += chance
                                    sums[n + 1] += gain
                                    paid = True
                            if paid:
                                spare |= 1 << _KINDS
                                kind = 0
                                while spare:
                                    if spare & 1:
                                        for n in range(2 * levels):
                                            values[kind, n] += sums[n]
                                    spare >>= 1
                                    kind += 1
                                for n in range(2 * levels):
                                    sums[n] = 0.0
    if levels:
        for k in range(size):
            paid = False
            for n in range(2 * levels):
                paid = paid or level_sums[k, n] > 0
            if not paid:
                continue
            x, kind = spares[k], 0
            while x:
                if x & 1:
                    for n in range(2 * levels):
                        values[kind, n] += level_sums[k, n]
                x >>= 1
                kind += 1
    return best, values, useful


@cache
def _shape() -> tuple[Array, ...]:
    """Return where halves begin and how wide they are, as arrays."""
    made: list[Array] = []
    for which in (half(9), half(7)):
        first = np.zeros((5, 5), np.int64)
        for parts in which.parts.values():
            for a, b, begin in parts:
                first[a // 2, b // 2] = begin
        made += [first, np.array([which.right.size(2 * n) for n in range(5)], np.int64)]
    width = np.array([half(7).size[4 - n] for n in range(5)], np.int64)
    return (*made, width, np.array(bases(), np.int64))


@cache
def _columns(ranks: int) -> tuple[Array, ...]:
    of = lane(ranks)
    return of.tiles, _pungs(ranks), of.cls, of.count, of.bare, of.pair


def loop_files() -> list[Path]:
    """The files that have the machine code of the loops; none where no folder could be written."""
    found: set[Path] = set()
    for loop in (_near, _join):
        if (folder := loop.stats.cache_path) is not None:
            found.update(Path(folder).glob(f"{Path(__file__).stem}.*.nb?"))
    return sorted(found)


def _fix(numbers: Array) -> Array:
    """A view that cannot be written: arrays of files and of memory are then one kind, for which loops are compiled."""
    view = numbers.view(np.ndarray)
    view.flags.writeable = False
    return view


def _arguments(q: JoinQuery, cap: int) -> tuple[Any, ...]:
    within = [
        _within(ranks, q.own[9 * s : 9 * s + ranks].tobytes(), q.chows[s], q.pungs[s], cap)
        for s, ranks in enumerate((9, 9, 9, 7))
    ]
    liked = None if q.liking is None else (_fix(q.liking.numbers), q.liking.factors, q.liking.paid)
    return (
        _fix(q.points), liked, tuple(within), (_columns(9), _columns(7), CHOOSE), (q.own, q.could), _shape(),
        (q.levels, q.called, cap),
    )  # fmt: skip


def join(q: JoinQuery, cap: int) -> Joined:
    """Join every payable hand at most `cap` tiles away."""
    best, by_discard, useful = _join(*_arguments(q, cap))
    return Joined(best, by_discard.T.reshape(q.levels, 2, KINDS + 1), useful[:KINDS], int(useful[KINDS]))


def compile_join() -> None:
    """Compile the loops, or load them from the cache, for plain gains and for preferences; nothing is joined."""
    points, tiles = np.zeros(1, np.uint16), np.zeros(KINDS, np.int64)
    for liking in (None, Liking(points, np.ones(1), np.ones(1))):
        query = JoinQuery(points, tiles, tiles, (0,) * 4, (0,) * 4, 1.0, 1, liking)
        _join.compile(tuple(map(numba.typeof, _arguments(query, 1))))
