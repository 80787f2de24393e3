"""Join suits to every payable hand within some missing tiles, in numpy; the plain twin is `nearest.on_demand`.

This is the query behind `fast.nearest.payable`, in numpy. Where numba is installed (`quepu[fast]`) the same is answered
about ten times faster by `quepu.fast.nearest.join_loops`; tests compare the two.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import pairwise
from math import comb
from typing import Any, NamedTuple

import numpy as np

from quepu.fast.compiled.code_cache import installed
from quepu.fast.nearest import join_loops as loops
from quepu.fast.nearest.join_code import join_code
from quepu.fast.nearest.preferences import Liking
from quepu.fast.nearest.receipts import DRAWN_SHARE, FAR
from quepu.fast.universe.hand_index import JOINTS, Array, Half, Joint, bases, half, lane, rest
from quepu.fast.universe.standard_hands import MELD_SETS
from quepu.hands.suit_tables import unary_counts
from quepu.tiles import KINDS

_LANES = 64
"""Lanes whose readings are cached: the choices at one moment differ in one or two of them."""

CHOOSE = np.array([[comb(u, k) for k in range(5)] for u in range(5)], float)


class JoinQuery(NamedTuple):
    """A query, kinds in the order of the table (the own wind first among the winds)."""

    points: Array  # uint16, `quepu.fast.nearest.payments.gains`
    own: Array  # int64 [34]: tiles held, melds among them
    could: Array  # int64 [34]: copies that may still come
    chows: tuple[int, ...]  # fixed chows of each lane, unary
    pungs: tuple[int, ...]  # fixed pungs of each lane
    called: float  # how much likelier the third tile of a pung is than another: any player may discard it
    levels: int = 0  # at how many distances from the least on hands are summed; none: distances only
    liking: Liking | None = None  # values of hands; None: their payments


class Joined(NamedTuple):
    """The answer, in the same order. Bit k of a mask is kind k."""

    missing: int  # least missing tiles of a payable hand, FAR if there is none within the cap
    by_discard: (
        Array  # float64 [levels, 2, 35]: for each discard (the last: none) the ways to its hands, and their gains
    )
    useful: Array  # int64 [34]: after each discard, which tiles bring it nearer (none where it is no longer as near)
    helps: int  # the same, discarding nothing


def join(q: JoinQuery, cap: int) -> Joined:
    """Join every payable hand at most `cap` tiles away."""
    lanes = (lane(9), lane(9), lane(9), lane(7))
    near = [
        _near(s, x.ranks, *(held[9 * s : 9 * s + x.ranks].tobytes() for held in (q.own, q.could)),
              q.chows[s], q.pungs[s], q.called, cap)
        for s, x in enumerate(lanes)
    ]  # fmt: skip
    tallies = [np.zeros((q.levels, 2, len(x.cls))) for x in lanes]
    left, right = half(9), half(7)
    best = FAR
    masks = np.zeros(KINDS + 1, np.int64)  # the last: discarding nothing
    for joint in JOINTS:
        least_left = _least(left, joint, near[0], near[1])
        least_right = _least(right, rest(joint), near[2], near[3])
        if least_left + least_right > cap:
            continue
        one = _pairs(left, joint, near[0], near[1], cap - least_right, 0)
        two = _pairs(right, rest(joint), near[2], near[3], cap - least_left, 18)
        if one is None or two is None:
            continue
        width = right.size[4 - joint[0]]
        places = bases()[joint[0]] + one.number * width + one.pair * MELD_SETS
        beside = two.number + two.pair * MELD_SETS
        for level in range(int(one.far[0]), cap + 1):
            lo, hi = np.searchsorted(one.far, [level, level + 1])
            end = int(np.searchsorted(two.far, cap - level, "right"))
            if lo == hi or not end:
                continue
            value = q.points[places[lo:hi, None] + beside[None, :end]]
            paid = value > 0
            if not paid.any():
                continue
            least = level + int(two.far[:end][paid.any(0)].min())
            if least < best:
                for sums in tallies:  # nearer than all before: the sums so far move up one level
                    up = min(best - least, q.levels)
                    sums[up:] = sums[: q.levels - up].copy()
                    sums[:up] = 0
                best, masks = least, np.zeros(KINDS + 1, np.int64)
            if least == best:
                x, y = np.nonzero(paid & (two.far[:end] == best - level))
                _note(masks, one.lack[lo + x] | two.lack[y], one.spare[lo + x] | two.spare[y])
            for n in range(q.levels):
                exact = paid & (two.far[:end] == best + n - level)
                ways = one.ways[lo:hi, None] * two.ways[:end] * exact
                gain = value >> 1 if q.liking is None else q.liking.gain(value >> 1, places[lo:hi, None] + beside[:end])
                for sort, weight in enumerate((ways * np.where(value & 1, 1.0, DRAWN_SHARE), ways * gain)):
                    across, down = weight.sum(1), weight.sum(0)
                    np.add.at(tallies[0][n, sort], one.first[lo:hi], across)
                    np.add.at(tallies[1][n, sort], one.second[lo:hi], across)
                    np.add.at(tallies[2][n, sort], two.first[:end], down)
                    np.add.at(tallies[3][n, sort], two.second[:end], down)
    by_discard = np.zeros((q.levels, 2, KINDS + 1))
    for s, of in enumerate(lanes):
        row = np.flatnonzero(tallies[s].any((0, 1)))
        spare = (q.own[9 * s : 9 * s + of.ranks] > of.count[row]).astype(float)
        by_discard[:, :, 9 * s : 9 * s + of.ranks] = tallies[s][:, :, row] @ spare
    by_discard[:, :, KINDS] = tallies[0].sum(2)
    return Joined(best, by_discard, masks[:KINDS], int(masks[KINDS]))


def _note(masks: Array, lack: Array, spare: Array) -> None:
    """Add the tiles these hands still need to every discard that they can spare."""
    masks[KINDS] |= np.bitwise_or.reduce(lack)
    some = int(np.bitwise_or.reduce(spare))
    for kind in range(KINDS):
        if some >> kind & 1:
            masks[kind] |= np.bitwise_or.reduce(lack[spare >> kind & 1 == 1])


def unary(count: Array) -> int:
    """Copy n + 1 of rank r as bit 9 n + r."""
    return unary_counts(count.tolist())


class SuitReading(NamedTuple):
    """Readings of a lane near the hand, of one class: row, missing, ways to draw that, needed and spare kinds.

    `least` is the least missing of them, FAR if there are none.
    """

    row: Array
    far: Array
    ways: Array
    lack: Array
    spare: Array
    least: int


@lru_cache(_LANES)
def _near(
    s: int, ranks: int, held: bytes, unseen: bytes, chows: int, pungs: int, called: float, cap: int
) -> list[SuitReading]:
    """Find, by class, the readings of a lane at most `cap` tiles away."""
    of, own, could = lane(ranks), np.frombuffer(held, np.int64), np.frombuffer(unseen, np.int64)
    row, missing = _within(ranks, held, chows, pungs, cap)
    fit = (of.tiles[row] & ~unary(own + could)) == 0
    row, far = row[fit], missing[fit].astype(np.int64)
    more = of.count[row] - own.astype(np.int8)
    lack = np.maximum(more, 0)
    ways = CHOOSE[np.minimum(could, 4)][np.arange(of.ranks), lack].prod(1)
    bits = 1 << np.arange(9 * s, 9 * s + of.ranks)
    if called != 1.0:
        third = ((of.planes[row, 4][:, None] >> np.arange(of.ranks) & 1) * (lack > 0)).sum(1)
        ways = ways * called**third
    lacks, spares = (more > 0) @ bits, (more < 0) @ bits
    cut = np.searchsorted(of.cls[row], np.arange(11)).tolist()
    return [
        SuitReading(row[i:j], far[i:j], ways[i:j], lacks[i:j], spares[i:j], int(far[i:j].min()) if i < j else FAR)
        for i, j in pairwise(cut)
    ]


class HalfPairs(NamedTuple):
    """Readings of two lanes side by side, nearest first: the number in the half, the pair's kind, rows of each."""

    number: Array
    far: Array
    ways: Array
    first: Array
    second: Array
    pair: Array
    lack: Array
    spare: Array


def _least(which: Half, joint: Joint, one: list[SuitReading], two: list[SuitReading]) -> int:
    """Return the least missing of readings of two lanes side by side."""
    return min((one[a].least + two[b].least for a, b, _ in which.parts[joint]), default=FAR)


def _pairs(
    which: Half, joint: Joint, one: list[SuitReading], two: list[SuitReading], cap: int, first: int
) -> HalfPairs | None:
    parts = []
    left, right = which.left, which.right
    for a, b, start in which.parts[joint]:
        i, j = one[a], two[b]
        if i.least + j.least <= cap:
            total = i.far[:, None] + j.far
            x, y = np.nonzero(total <= cap)
            here, there = i.row[x], j.row[y]
            parts.append(
                (
                    start + left.bare[here] * right.size(b - b % 2) + right.bare[there],
                    total[x, y],
                    i.ways[x] * j.ways[y],
                    here,
                    there,
                    left.pair[here] + first if a % 2 else right.pair[there] + first + 9 if b % 2 else 0 * x,
                    i.lack[x] | j.lack[y],
                    i.spare[x] | j.spare[y],
                )
            )
    if not parts:
        return None
    whole = HalfPairs(*(np.concatenate(p) for p in zip(*parts, strict=True)))
    if not len(whole.number):
        return None
    nearest = np.argsort(whole.far, kind="stable")
    return HalfPairs(*(p[nearest] for p in whole))


# ---- the same by compiled loops


@lru_cache(1024)
def _within(ranks: int, own: bytes, chow: int, pung: int, cap: int) -> tuple[Array, Array]:
    """Return the readings at most `cap` tiles from these that contain the fixed melds, and the distance of each.

    Cached, because most suits of a hand are the same from one query to the next.
    """
    of = lane(ranks)
    missing = np.bitwise_count(of.tiles & ~unary(np.frombuffer(own, np.int64)))
    fit = missing <= cap
    if chow:
        fit &= (of.chows & chow) == chow
    if pung:
        fit &= (_lane_columns(ranks)[1] & pung) == pung
    found = np.flatnonzero(fit)
    return found.astype(np.int32), missing[found].astype(np.int8)


@cache
def _lane_columns(ranks: int) -> tuple[Array, ...]:
    """Return the table of a lane in the order of its words: tiles, pungs, classes, counts, bare numbers, pairs."""
    of = lane(ranks)
    words = [np.require(x, np.int64, "C") for x in (of.tiles, of.planes[:, 4], of.cls, of.bare, of.pair)]
    return (*words[:3], np.require(of.count, np.int8, "C"), *words[3:])


@cache
def half_places() -> tuple[Array, ...]:
    """Return where halves begin and how wide they are, in the order of their words."""
    made: list[Array] = []
    for which in (half(9), half(7)):
        first = np.zeros((5, 5), np.int64)
        for parts in which.parts.values():
            for a, b, begin in parts:
                first[a // 2, b // 2] = begin
        made += [first, np.array([which.right.size(2 * n) for n in range(5)], np.int64)]
    width = np.array([half(7).size[4 - n] for n in range(5)], np.int64)
    return (*made, width, np.array(bases(), np.int64))


def prepare_readings() -> None:
    """Build the readings of suits and halves that joins look up: about a second, once in a process."""
    half_places()
    for ranks in (9, 7):
        _lane_columns(ranks)


def join_compiled(q: JoinQuery, cap: int) -> Joined:
    """Join every payable hand at most `cap` tiles away."""
    words, columns, kinds = np.zeros(loops.WORDS, np.int64), 2 * q.levels, loops.KINDS
    held: list[Any] = []  # arrays whose addresses the words are

    def put(at: int, *arrays: Array) -> None:
        for array in arrays:
            held.append(array)
            words[at] = array.ctypes.data
            at += 1

    words[loops.CAP], words[loops.LEVELS], words[loops.FAR], words[loops.SETS] = cap, q.levels, FAR, MELD_SETS
    put(loops.OWN, *(np.require(x, np.int64, "C") for x in (q.own, q.could)), np.array([q.called, DRAWN_SHARE]), CHOOSE)
    put(loops.POINTS, q.points, *(q.liking or ()))
    put(loops.LEFT_FIRST, *half_places())
    edges, values, useful = (cap + 2) * 10, np.zeros((kinds + 1, columns)), np.zeros(kinds + 1, np.int64)
    put(loops.BEGINS, *np.zeros((2, edges), np.int64), np.zeros(10, np.int64))
    put(loops.SUMS, np.zeros(columns), values, useful)
    for s, ranks in enumerate((9, 9, 9, 7)):
        near, far = _within(ranks, q.own[9 * s : 9 * s + ranks].tobytes(), q.chows[s], q.pungs[s], cap)
        of, table = loops.LANES + loops.LANE_WORDS * s, _lane_columns(ranks)
        words[of + loops.NEAR], words[of + loops.RANKS], words[of + loops.ROWS] = len(near), ranks, len(table[0])
        put(of + loops.WITHIN, near, far)
        put(of + loops.TILES, *table, np.zeros((2, edges), np.int64), np.empty(len(near), np.int32))
        put(of + loops.READ, np.empty((4, len(near)), np.int64), np.empty(len(near)))
    at = ctypes.c_void_p(words.ctypes.data)
    size = words[loops.SIZE] = join_code().function("measure")(at)
    put(loops.RIGHT, np.empty((4, size), np.int64), np.empty(size), np.zeros((size, columns)))
    best = join_code().function("join")(at)
    by_discard = values.T.reshape(q.levels, 2, kinds + 1)
    return Joined(best, by_discard, useful[:kinds], int(useful[kinds]))


@cache
def joiner() -> Callable[[JoinQuery, int], Joined]:
    """Return the fastest installed implementation of `join`."""
    return join_compiled if installed() else join
