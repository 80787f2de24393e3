"""Every set of tiles that wins in a shape other than four melds and a pair: seven pairs, orphans, 全不靠, 组合龙.

Such a hand is concealed (of 组合龙 too only the concealed ones are counted here). A family with shapes of its own adds
to `TILE_SETS`; a shape that is not there is left out of a census and named in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from quepu.batch.tables import lanes
from quepu.planes import OUTER
from quepu.shapes import KNITTED_LINES
from quepu.tiles import BIT, KINDS, kinds_of

Array = Any
CHUNK = 16_384


def ways(counts: Array) -> Array:
    """How many physical tile sets have these counts [N, 34]: int64 [N]."""
    table = np.array([comb(4, n) for n in range(5)], np.int64)
    return table[counts].prod(axis=1)


def _in_chunks(sets: Iterator[tuple[int, ...]]) -> Iterator[Array]:
    """Lists of kinds as counts [N, 34]."""
    rows: list[tuple[int, ...]] = []
    for kinds in sets:
        rows.append(kinds)
        if len(rows) == CHUNK:
            yield _counts(rows)
            rows = []
    if rows:
        yield _counts(rows)


def _counts(rows: list[tuple[int, ...]]) -> Array:
    counts = np.zeros((len(rows), KINDS), np.uint8)
    np.add.at(counts, (np.repeat(np.arange(len(rows)), [len(row) for row in rows]), np.concatenate(rows)), 1)
    return counts


def _orphans() -> Iterator[Array]:
    outer = kinds_of(OUTER)
    yield from _in_chunks((*outer, kind) for kind in outer)


def _loose() -> Iterator[Array]:
    letters = range(27, 34)
    yield from _in_chunks(some for line in KNITTED_LINES for some in combinations((*kinds_of(line), *letters), 14))


def _knitted() -> Iterator[Array]:
    chows = [(k, k + 1, k + 2) for k in range(27) if k % 9 < 7]
    pungs = [(k,) * 3 for k in range(KINDS)]
    sets = {
        tuple(sorted((*kinds_of(line), *meld, pair, pair)))
        for line in KNITTED_LINES
        for meld in chows + pungs
        for pair in range(KINDS)
    }
    yield from _in_chunks(tiles for tiles in sorted(sets) if all(tiles.count(kind) <= 4 for kind in set(tiles)))


TILE_SETS: dict[str, Callable[[], Iterator[Array]]] = {"orphans": _orphans, "loose": _loose, "knitted": _knitted}
"""For each shape, every set of tiles once, as counts [N, 34] in chunks."""


# ---- seven pairs are many: straight to planes


def _choices(n: int, bits: Array) -> Array:
    """Every choice of n of these bits, as planes (int64)."""
    made = np.zeros(1, np.int64)
    last = np.full(1, -1)
    for k in range(n):
        sizes = len(bits) - (n - 1 - k) - (last + 1)
        start = np.repeat(last + 1, sizes)
        offset = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        made = np.repeat(made, sizes) | bits[start + offset]
        last = start + offset
    return made


def seven_pairs(quads: bool) -> Iterator[tuple[Array, Array]]:
    """Every set of seven pairs in chunks, as planes: the kinds held, and those held four times.

    With `quads` four of a kind are two pairs: 16 417 104 sets, without 5 379 616.
    """
    bits = np.array(BIT, np.int64)
    for n in range(4 if quads else 1):
        for four in combinations(range(KINDS), n):
            plane = sum(BIT[kind] for kind in four)
            twice = _choices(7 - 2 * n, np.delete(bits, four))
            for at in range(0, len(twice), CHUNK):
                some = twice[at : at + CHUNK] | plane
                yield some, np.full(len(some), plane, np.int64)


def keys_of_pairs(held: Array, four: Array) -> Array:
    """The suit keys [4, N] of seven pairs given as those planes."""
    twice = np.array([sum(2 * 5**r for r in range(9) if lane >> r & 1) for lane in range(512)], np.int32)
    return np.stack([twice[held >> 16 * s & 0x1FF] + twice[four >> 16 * s & 0x1FF] for s in range(4)])


def is_standard(keys: Array) -> Array:
    """Whether the tiles with these keys [4, N] also make four melds and a pair: bool [N]."""
    code = np.zeros(keys.shape[1], np.uint8)
    for lane, key in zip(lanes(), keys, strict=True):
        code += lane.code[key]
    return code == 1


def counts_of_keys(keys: Array) -> Array:
    """Suit keys [4, N] → counts [N, 34]."""
    counts = np.zeros((keys.shape[1], KINDS), np.uint8)
    for kind in range(KINDS):
        counts[:, kind] = keys[kind // 9] // 5 ** (kind % 9) % 5
    return counts
