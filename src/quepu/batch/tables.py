"""The suit tables of `hands.suit_tables` as arrays indexed by suit key, so that a million hands are looked up at once.

A suit key is the sum of 5 ** (rank - 1) over the suit's tiles, honours like a suit of seven ranks. Everything here is
derived from `quepu.hands.suit_tables`: how tiles come apart is defined there only.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from quepu.batch.numba_loops import (
    AHEAD_CODE,
    AHEAD_HAS,
    AHEAD_PAIR,
    DEEP,
    ENTRY_CODE,
    ENTRY_NUMBER,
    PAIR_KIND,
    planes_of_levels,
)
from quepu.hands.suit_tables import Split, honour_splits, suit_splits

Array = Any
"""A numpy array. (The element types are said where it matters.)"""

BROKEN = 16
"""The code of a suit that cannot be taken apart: more than four suits' pairs."""

PLANES = ("c1", "c2", "c3", "c4", "p", "pair")


class Lane(NamedTuple):
    """Arrays to look up by the key of one suit.

    The first seven arrays have one entry for every key (5 ** ranks), the others one for every split; the splits of a
    key are adjacent, in the order of `quepu.hands.suit_tables`, `number[key]` of them from `first[key]`.
    """

    first: Array  # int32
    number: Array  # uint8, 0 if the key cannot be taken apart
    levels: Array  # int64: the lanes t1 | t2 << 16 | t3 << 32 | t4 << 48
    waits: Array  # int16: the ranks that make the key complete (a fifth tile among them)
    pair_waits: Array  # int16: those of them that can finish a pair
    code: Array  # uint8: 0 complete without a pair, 1 with one, BROKEN not complete
    tiles: Array  # uint8: how many tiles
    pairs: Array  # uint8 by split: 0 or 1
    melds: Array  # uint8 by split
    planes: Array  # int64 by split, a row for each of c1 c2 c3 c4 p pair, in the lane of bit 0
    key: Array  # int32 by split
    entry: Array  # int32: first, number, code, to look them up at once (fields: `quepu.batch.numba_loops`)
    ahead: Array  # int32: waits, pair_waits, whether with one tile more it has the pair, code


def _lane(table: dict[int, tuple[Split, ...]], ranks: int) -> Lane:
    size = 5**ranks
    keys = np.arange(size, dtype=np.int64)
    rows = [(key, split) for key, splits in table.items() for split in splits]
    first = np.zeros(size, np.int32)
    number = np.zeros(size, np.uint8)
    at = 0
    for key, splits in table.items():
        first[key], number[key] = at, len(splits)
        at += len(splits)
    pair_of = np.zeros(size, np.int16)
    code = np.full(size, BROKEN, np.uint8)
    for key, split in rows:
        pair_of[key] |= split.pair
        code[key] = split.pairs
    levels = np.zeros(size, np.int64)
    waits = np.zeros(size, np.int16)
    pair_waits = np.zeros(size, np.int16)
    tiles = np.zeros(size, np.uint8)
    for r in range(ranks):
        digit = keys // 5**r % 5
        tiles += digit.astype(np.uint8)
        for n in range(1, 5):
            levels |= (digit >= n).astype(np.int64) << (16 * (n - 1) + r)
        more = np.flatnonzero(digit < 4)
        complete = number[more + 5**r] > 0
        waits[more] |= complete.astype(np.int16) << r
        pair_waits[more] |= (complete & (pair_of[more + 5**r] >> r & 1 != 0)).astype(np.int16) << r
    for r in range(ranks):
        waits |= _with_fifth(keys, number, code, r, ranks).astype(np.int16) << r
    planes = np.array([[getattr(split, name) for _, split in rows] for name in PLANES], np.int64)
    pairs = np.array([split.pairs for _, split in rows], np.uint8)
    melds = np.array([split.melds for _, split in rows], np.uint8)
    key_of = np.array([key for key, _ in rows], np.int32)
    entry = first | number.astype(np.int32) << ENTRY_NUMBER | code.astype(np.int32) << ENTRY_CODE
    has_pair = (tiles.astype(np.int32) + 1) % 3 == 2
    ahead = (
        waits | pair_waits.astype(np.int32) << AHEAD_PAIR | has_pair << AHEAD_HAS | code.astype(np.int32) << AHEAD_CODE
    )
    return Lane(
        first,
        number,
        levels,
        waits,
        pair_waits,
        code,
        tiles,
        pairs,
        melds,
        planes,
        key_of,
        entry,
        ahead.astype(np.int32),
    )


def _with_fifth(keys: Array, number: Array, code: Array, r: int, ranks: int) -> Array:
    """The keys that hold four of rank r and would be complete with a fifth (see `hands.suit_tables.completions`)."""
    four = np.flatnonzero(keys // 5**r % 5 == 4)
    made = (code[four - 5**r] == 0) | (number[four - 2 * 5**r] > 0)
    for a, b in ((r + 1, r + 2), (r - 1, r + 1), (r - 2, r - 1)):
        if ranks == 9 and a >= 0 and b < 9:
            both = np.flatnonzero((four // 5**a % 5 > 0) & (four // 5**b % 5 > 0))
            made[both] |= number[four[both] - 5**a - 5**b] > 0
    found = np.zeros(len(keys), np.bool_)
    found[four] = made
    return found


@cache
def suit() -> Lane:
    """A suit of nine ranks (some 35 MB, built in half a second)."""
    return _lane(suit_splits(), 9)


@cache
def honours() -> Lane:
    """The honours as a suit of seven ranks without chows."""
    return _lane(honour_splits(), 7)


@cache
def lanes() -> tuple[Lane, Lane, Lane, Lane]:
    """The four lanes of a hand: m, p, s, honours."""
    return suit(), suit(), suit(), honours()


class PlacedSplits(NamedTuple):
    """The planes of one lane's splits where they stand in a hand's planes: int64 by split.

    Added up over the four lanes they are those of the hand.
    """

    chows: Array  # c1, the pair's kind + 1 from bit PAIR_KIND, from bit DEEP how many lanes have a chow twice
    pungs: Array  # p
    deeper: tuple[Array, Array, Array]  # c2, c3, c4


@cache
def placed_splits() -> tuple[PlacedSplits, PlacedSplits, PlacedSplits, PlacedSplits]:
    """The four lanes' splits, each in its place."""
    found = []
    for s, lane in enumerate(lanes()):
        c1, c2, c3, c4, p, pair = lane.planes
        rank = np.bitwise_count(pair - 1)  # of the one bit; 0 … 8
        kind = np.where(pair > 0, 9 * s + rank + 1, 0).astype(np.int64)
        deep = (c2 != 0).astype(np.int64)
        here = 16 * s
        deeper = (c2 << here, c3 << here, c4 << here)
        found.append(PlacedSplits(c1 << here | kind << PAIR_KIND | deep << DEEP, p << here, deeper))
    return tuple(found)  # type: ignore[return-value]


@cache
def weights() -> Array:
    """float32 [34, 4]: counts of tiles @ weights = the four suit keys, exactly (a key is below 2 ** 21)."""
    table = np.zeros((34, 4), np.float32)
    for kind in range(34):
        table[kind, kind // 9] = 5 ** (kind % 9)
    return table


def keys_of(counts: Array) -> Array:
    """Counts of tiles [N, 34] → the keys of the four suits, int64 [4, N]."""
    return np.ascontiguousarray((counts.astype(np.float32) @ weights()).T).astype(np.int64)


def tile_planes(keys: Array) -> tuple[Array, Array, Array, Array]:
    """Keys of whole hands [4, N] → the planes t1, t2, t3, t4 (int64 [N])."""
    # a key beyond the table is that of a hand with five of a kind
    m, p, s, z = (lane.levels.take(key, mode="clip") for lane, key in zip(lanes(), keys, strict=True))
    found: tuple[Array, Array, Array, Array] = planes_of_levels(m, p, s, z)
    return found


def entries(keys: Array) -> list[Array]:
    """Table entries of the four suits of each hand."""
    return [lane.entry.take(key) for lane, key in zip(lanes(), keys, strict=True)]


@cache
def _ahead() -> Array:
    """`Lane.ahead` of a suit, and behind it that of the honours."""
    return np.concatenate([suit().ahead, honours().ahead])


def ahead_at(keys: Array, lane: Array) -> Array:
    """`Lane.ahead` of one lane of each hand (int64)."""
    flat = keys.reshape(-1).take(lane * keys.shape[1] + np.arange(keys.shape[1]))
    return _ahead().take(flat + (lane == 3) * len(suit().ahead)).astype(np.int64)
