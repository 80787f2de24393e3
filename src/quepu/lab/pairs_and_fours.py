"""Shapes with too many sets of tiles to take one by one, laid out straight as planes: seven pairs, unkonged fours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from quepu.batch.tables import lanes
from quepu.lab.universe import meld_sets
from quepu.planes import PAIRS, SINGLE, THREE_QUADS, TWO_QUADS, Planes
from quepu.tiles import BIT, KINDS

Array = Any
CHUNK = 16_384


class Chunk(NamedTuple):
    """Some readings of one shape.

    Attributes:
        own: their planes; those not named are empty or the same for all.
        keys: suit keys of the tiles [4, N].
        weight: physical tile sets of each, int64.
        several: whether the same tiles stand here in another reading too, bool.
    """

    own: dict[str, Any]
    keys: Array
    weight: Array
    several: Array

    def planes(self, seat: int, round: int, luck: int) -> Planes:
        """All planes; no winning tile is named."""
        rest = dict.fromkeys(Planes._fields, 0) | {"seat": BIT[seat], "round": BIT[round], "luck": luck}
        return Planes(**(rest | self.own))


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


def _keys(plane: Array, copies: int) -> Array:
    """The suit keys [4, N] of so many copies of each tile of a plane."""
    table = np.array([sum(copies * 5**r for r in range(9) if lane >> r & 1) for lane in range(512)], np.int32)
    return np.stack([table[plane >> 16 * s & 0x1FF] for s in range(4)])


def seven_pairs(quads: bool, kinds: Sequence[int] = range(KINDS)) -> Iterator[Chunk]:
    """Every set of seven pairs. With `quads` four of a kind are two pairs: 16 417 104 sets, without 5 379 616."""
    held: list[Chunk] = []
    for chunk in _seven_pairs(quads, kinds):
        held.append(chunk)
        if sum(len(some.weight) for some in held) >= CHUNK:
            yield _together(held)
            held = []
    if held:
        yield _together(held)


def _together(chunks: list[Chunk]) -> Chunk:
    """Chunks as one: thousands of small ones cost more than what is in them."""
    own = {
        name: np.concatenate([chunk.own[name] for chunk in chunks]) if isinstance(plane, np.ndarray) else plane
        for name, plane in chunks[0].own.items()
    }
    rest = ([getattr(chunk, name) for chunk in chunks] for name in ("keys", "weight", "several"))
    return Chunk(own, *(np.concatenate(column, axis=-1) for column in rest))


def _seven_pairs(quads: bool, kinds: Sequence[int]) -> Iterator[Chunk]:
    bits = np.array([BIT[kind] for kind in kinds], np.int64)
    for n in range(4 if quads else 1):
        for four in combinations(range(len(kinds)), n):
            plane = int(bits[list(four)].sum())
            twice = _choices(7 - 2 * n, np.delete(bits, four))
            for at in range(0, len(twice), CHUNK):
                held = twice[at : at + CHUNK] | plane
                fours = np.full(len(held), plane, np.int64)
                own = {"pair": held, "t1": held, "t2": held, "t3": fours, "t4": fours, "form": PAIRS, "place": SINGLE}
                weight = np.full(len(held), 6 ** (7 - 2 * n), np.int64)
                yield Chunk(own, _keys(held, 2) + _keys(fours, 2), weight, np.zeros(len(held), np.bool_))


def two_fours() -> Iterator[Chunk]:
    """二不杠: every two fours of a kind with two sets, concealed: 4 + 4 + 3 + 3. Two fours count as concealed pungs.

    A third four, a pung and a chow, can be one of the two as well: those tiles stand here more than once.
    """
    m = meld_sets(2)
    for first in range(KINDS):
        fours = np.array([BIT[first] | BIT[second] for second in range(first + 1, KINDS)], np.int64)
        which, index = np.nonzero((m.t1 & fours[:, None]) == 0)
        for at in range(0, len(index), CHUNK):
            some, quads = index[at : at + CHUNK], fours[which[at : at + CHUNK]]
            pungs = m.p[some] | quads
            own = {
                "c1": m.c1[some], "c2": m.c2[some], "c3": m.c3[some], "c4": m.c4[some], "p": pungs, "pc": pungs,
                "t1": m.t1[some] | quads, "t2": m.t2[some] | quads, "t3": m.t3[some] | quads, "t4": m.t4[some] | quads,
                "form": TWO_QUADS,
            }  # fmt: skip
            keys = m.keys[:, some] + _keys(quads, 4)
            yield Chunk(own, keys, m.weight[some], m.t4[some] != 0)


def three_fours() -> Iterator[Chunk]:
    """三不杠: every three fours of a kind with a pair, concealed: 4 + 4 + 4 + 2."""
    fours = _choices(3, np.array(BIT, np.int64))
    for bit in BIT:
        quads = fours[fours & bit == 0]
        held = quads | bit
        own = {"p": quads, "pc": quads, "pair": bit, "t1": held, "t2": held, "t3": quads, "t4": quads,
               "form": THREE_QUADS}  # fmt: skip
        keys = _keys(quads, 4) + _keys(np.array([bit]), 2)
        yield Chunk(own, keys, np.full(len(quads), 6, np.int64), np.zeros(len(quads), np.bool_))


LAID_OUT: dict[str, Callable[[], Iterator[Chunk]]] = {
    "pairs": lambda: seven_pairs(quads=False),
    "any_pairs": lambda: seven_pairs(quads=True),
    "two_quads": two_fours,
    "three_quads": three_fours,
}
"""For each shape every reading of every set of tiles."""


def is_standard(keys: Array) -> Array:
    """Whether the tiles with these keys [4, N] also make four melds and a pair: bool [N]."""
    code = np.zeros(keys.shape[1], np.uint8)
    for lane, key in zip(lanes(), keys, strict=True):
        code += lane.code[key]
    return code == 1


def counts_of(keys: Array) -> Array:
    """Suit keys [4, N] → counts [N, 34]."""
    counts = np.zeros((keys.shape[1], KINDS), np.uint8)
    for kind in range(KINDS):
        counts[:, kind] = keys[kind // 9] // 5 ** (kind % 9) % 5
    return counts
