"""Every win in a special shape, as held in a state; the plain twins are the shapes' own `tile_sets`.

All of them are concealed but 组合龙, whose meld is claimed or not as the state says. Where a state names no winning
tile, the tile that wins leaves every pung concealed: it completes the line, or the single tiles. Shapes with too many
tile sets to list, seven pairs and unkonged fours, are laid out by `tabulate` as planes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby, islice
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.suit_tables import lanes
from quepu.fast.universe.limits import EVERY, Limits
from quepu.fast.universe.standard_hands import HandState, meld_sets
from quepu.hands.hand import MeldKind
from quepu.hands.planes import Planes
from quepu.shapes import SHAPES, Fours, Sets, Shape
from quepu.tiles import BIT, KINDS, kinds_of

Array = NDArray[Any]
CHUNK = 16_384


def ways(counts: Array) -> Array:
    """Number of physical tile sets with these counts [N, 34]: int64 [N]."""
    table = np.array([comb(4, n) for n in range(5)], np.int64)
    found: Array = table[counts].prod(axis=1)
    return found


def counts_of_kinds(rows: list[tuple[int, ...]]) -> Array:
    """Return lists of kinds as counts [N, 34]."""
    counts = np.zeros((len(rows), KINDS), np.uint8)
    np.add.at(counts, (np.repeat(np.arange(len(rows)), [len(row) for row in rows]), np.concatenate(rows)), 1)
    return counts


def list_wins(
    shape: str, state: HandState, seat: int, round: int, limits: Limits = EVERY
) -> Iterator[tuple[HandArrays, Array]]:
    """Yield the wins of a shape with few sets of tiles, each set of tiles once, with its physical tile sets."""
    listed_sets = SHAPES[shape].tile_sets
    if listed_sets is None:
        raise ValueError(shape)
    sets = listed_sets()
    while rows := list(islice(sets, CHUNK)):
        counts = counts_of_kinds(rows)
        counts = counts[_within(counts, limits)]
        yield HandArrays(counts, None, -1, seat, round, state.luck), ways(counts)


def _within(counts: Array, limits: Limits) -> Array:
    """Return whether tiles [N, 34] are within the limits: bool [N]."""
    others = [kind for kind in range(KINDS) if not limits.tiles & BIT[kind]]
    return np.asarray(~counts[:, others].any(axis=1))


def beside(
    sets: Sets, state: HandState, seat: int, round: int, limits: Limits = EVERY
) -> Iterator[tuple[HandArrays, Array]]:
    """List hands of nine single tiles (组合龙), a meld as the state has it, and a pair; no two are the same tiles."""
    melds = [(k, k + 1, k + 2) for k in range(27) if k % 9 < 7] + [(k,) * 3 for k in range(KINDS)]
    lines, pairs = counts_of_kinds([tuple(kinds_of(line)) for line in sets.beside]), 2 * np.eye(KINDS, dtype=np.int64)
    for meld in melds:
        chow = meld[0] != meld[1]
        kong = state.kongs and not chow
        claimed = state.chows_open and limits.chows if chow else state.pungs_open
        kind = (
            MeldKind.CHOW
            if chow
            else (MeldKind.KONG if claimed else MeldKind.CONCEALED_KONG)
            if kong
            else MeldKind.PUNG
        )
        tiles = np.bincount([*meld, *meld[:kong]], minlength=KINDS)
        counts = (lines[:, None] + tiles + pairs).reshape(-1, KINDS).astype(np.uint8)
        fits = (counts <= 4).all(axis=1) & _within(counts, limits)
        counts = counts[fits]
        weight = ways(counts)
        open_melds = None
        if claimed or kong:
            open_melds = np.full((len(counts), 4, 2), (-1, 0), np.int8)
            open_melds[:, 0] = kind, meld[0]
            counts -= counts_of_kinds([(*meld, *meld[:kong])])
        yield HandArrays(counts, open_melds, -1, seat, round, state.luck), weight


def special_wins(
    shape: str, state: HandState, seat: int, round: int, limits: Limits = EVERY
) -> Iterator[tuple[HandArrays, Array]]:
    """Return the wins of a shape that is not tabulated, as held in the state, many at a time."""
    # sixty small parts cost more than what is in them
    parts = wins_by_meld(shape, state, seat, round, limits)
    for closed, some in groupby(parts, lambda part: part[0].meld_array is None):
        wins, weights = zip(*some, strict=True)
        counts, weight = np.concatenate([one.counts for one in wins]), np.concatenate(weights)
        melds = None if closed else np.concatenate([one.meld_array for one in wins])
        for at in range(0, len(counts), CHUNK):
            part = slice(at, at + CHUNK)
            yield (
                HandArrays(counts[part], None if melds is None else melds[part], -1, seat, round, state.luck),
                weight[part],
            )


def wins_by_meld(
    shape: str, state: HandState, seat: int, round: int, limits: Limits = EVERY
) -> Iterator[tuple[HandArrays, Array]]:
    """Return the same in parts: 组合龙 by its meld."""
    sets = SHAPES[shape].sets
    return list_wins(shape, state, seat, round, limits) if sets is None else beside(sets, state, seat, round, limits)


_TABULATED = 65_536


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
        """Return all planes; no winning tile is named."""
        rest = dict.fromkeys(Planes._fields, 0) | {"seat": BIT[seat], "round": BIT[round], "luck": luck}
        return Planes(**(rest | self.own))


def choices(n: int, bits: Array) -> Array:
    """Return every choice of n of these bits, as planes (int64)."""
    if n > len(bits):
        return np.zeros(0, np.int64)
    made = np.zeros(1, np.int64)
    last = np.full(1, -1)
    for k in range(n):
        sizes = len(bits) - (n - 1 - k) - (last + 1)
        start = np.repeat(last + 1, sizes)
        offset = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        made = np.repeat(made, sizes) | bits[start + offset]
        last = start + offset
    return made


def keys_of(plane: Array, copies: int) -> Array:
    """Return the suit keys [4, N] of so many copies of each tile of a plane."""
    table = key_of_lane(copies)
    return np.stack([table[plane >> 16 * s & 0x1FF] for s in range(4)])


@cache
def key_of_lane(copies: int) -> Array:
    """Return what so many copies of the tiles of a lane add to the key of its suit: int32 [512]."""
    return np.array([sum(copies * 5**r for r in range(9) if lane >> r & 1) for lane in range(512)], np.int32)


def is_tabulated(shape: Shape) -> bool:
    """Return whether a shape (fours and pairs, or fours and sets) has too many sets of tiles to list one by one."""
    return bool(shape.made_of) or shape.fours is not None


def tabulate(shape: Shape, kinds: Sequence[int] = range(KINDS)) -> Iterator[Chunk]:
    """Return every reading of every set of tiles of such a shape, of some kinds only if they are named.

    Seven pairs are 5 379 616 sets, 16 417 104 where four of a kind may be two pairs.
    """
    held: list[Chunk] = []
    number = 0
    for chunk in _fours_and_sets(shape.fours, kinds) if shape.fours else _fours_and_pairs(shape, kinds):
        held.append(chunk)
        number += len(chunk.weight)
        if number >= _TABULATED:
            yield _together(held)
            held, number = [], 0
    if held:
        yield _together(held)


def _together(chunks: list[Chunk]) -> Chunk:
    """Join chunks: thousands of small ones cost more than their contents. Planes that are one array stay one."""
    own: dict[str, Any] = {}
    made: dict[int, Array] = {}
    for name, plane in chunks[0].own.items():
        if isinstance(plane, np.ndarray) and id(plane) not in made:
            made[id(plane)] = np.concatenate([chunk.own[name] for chunk in chunks])
        own[name] = made.get(id(plane), plane)
    rest = ([getattr(chunk, name) for chunk in chunks] for name in ("keys", "weight", "several"))
    return Chunk(own, *(np.concatenate(column, axis=-1) for column in rest))


def _fours_and_pairs(shape: Shape, kinds: Sequence[int]) -> Iterator[Chunk]:
    bits = np.array([BIT[kind] for kind in kinds], np.int64)
    for made in shape.made_of:
        fours_of, pairs_of = choices(made.fours, bits), choices(made.pairs, bits)
        step = max(1, _TABULATED // max(1, len(pairs_of)))  # so few kinds may have too few pairs
        for at in range(0, len(fours_of), step):
            some = fours_of[at : at + step]
            four, two = np.nonzero((some[:, None] & pairs_of) == 0)
            for first in range(0, len(two), _TABULATED):
                plane = some[four[first : first + _TABULATED]]
                held = pairs_of[two[first : first + _TABULATED]] | plane
                one = of_pairs(shape, held, plane)
                yield one._replace(weight=np.full(len(held), 6**made.pairs, np.int64))


def pairs_missing(shape: Shape, counts: Array, missing: int, kinds: Sequence[int] = range(KINDS)) -> Iterator[Chunk]:
    """Yield the sets of tiles of a shape of fours and pairs with exactly so many tiles not among these [34]."""
    held = [np.array([BIT[kind] for kind in kinds if min(2, counts[kind]) == n], np.int64) for n in range(3)]
    for made in shape.made_of:
        wanted = 4 * made.fours + 2 * made.pairs - missing
        fours_of = choices(made.fours, np.array([BIT[kind] for kind in kinds], np.int64))
        there = sum(np.where(fours_of & BIT[kind], min(4, counts[kind]), 0) for kind in range(KINDS))
        for n in np.unique(there).tolist():
            pairs_of = _pairs_there(made.pairs, held, wanted - n)
            if not len(pairs_of):
                continue
            fours = fours_of[there == n]
            step = max(1, _TABULATED // len(pairs_of))
            for at in range(0, len(fours), step):
                some = fours[at : at + step]
                four, two = np.nonzero((some[:, None] & pairs_of) == 0)
                for first in range(0, len(two), _TABULATED):
                    plane = some[four[first : first + _TABULATED]]
                    yield of_pairs(shape, pairs_of[two[first : first + _TABULATED]] | plane, plane)


def _pairs_there(number: int, held: list[Array], there: int) -> Array:
    """Return the planes of so many pairs with so many tiles there; `held` are the kinds by copies there, 0 to 2."""
    found: list[Array] = [np.zeros(0, np.int64)]
    for whole in range(max(0, there - number), there // 2 + 1):
        parts = [number - there + whole, there - 2 * whole, whole]
        if min(parts) >= 0:
            none, one, both = (choices(n, bits) for n, bits in zip(parts, held, strict=True))
            found.append(((both[:, None] | one).reshape(-1, 1) | none).reshape(-1))
    return np.concatenate(found)


def of_pairs(shape: Shape, held: Array, fours: Array) -> Chunk:
    """Return readings of a shape of fours and pairs: every kind held, and those held four times; no weight."""
    whole = shape.whole
    if whole is None:
        raise ValueError(shape.name)
    none = np.zeros(len(held), np.int64)
    h = Planes(**(dict.fromkeys(Planes._fields, none) | {"t1": held, "t2": held, "t3": fours, "t4": fours}))
    pungs, pair, place = (none | part(h) for part in (whole.fours, whole.pair, whole.place))
    own = {
        "p": pungs, "pc": pungs, "pair": pair, "place": place, "t1": held, "t2": held, "t3": fours, "t4": fours,
        "form": whole.form,
    }  # fmt: skip
    return Chunk(own, keys_of(held, 2) + keys_of(fours, 2), none, np.zeros(len(held), np.bool_))


def _fours_and_sets(fours: Fours, kinds: Sequence[int]) -> Iterator[Chunk]:
    """List unkonged fours with sets, concealed, such as 4 + 4 + 3 + 3: the fours count as concealed pungs.

    One four more, a pung and a chow, can stand in place of another: those tiles are here more than once.
    """
    m = meld_sets((14 - 4 * fours.number) // 3)
    out = sum(bit for kind, bit in enumerate(BIT) if kind not in kinds)
    quads_of = choices(fours.number, np.array([BIT[kind] for kind in kinds], np.int64))
    inside = np.flatnonzero(m.t1 & out == 0)
    for low in range(0, len(quads_of), KINDS):
        planes = quads_of[low : low + KINDS]
        which, index = np.nonzero((m.t1[inside] & planes[:, None]) == 0)
        for at in range(0, len(index), _TABULATED):
            some, quads = inside[index[at : at + _TABULATED]], planes[which[at : at + _TABULATED]]
            pungs = m.p[some] | quads
            own = {
                "c1": m.c1[some], "c2": m.c2[some], "c3": m.c3[some], "c4": m.c4[some], "p": pungs, "pc": pungs,
                "t1": m.t1[some] | quads, "t2": m.t2[some] | quads, "t3": m.t3[some] | quads, "t4": m.t4[some] | quads,
                "form": fours.form,
            }  # fmt: skip
            keys = m.keys[:, some] + keys_of(quads, 4)
            yield Chunk(own, keys, m.weight[some], m.t4[some] != 0)


def is_standard(keys: Array) -> Array:
    """Return whether the tiles with these keys [4, N] also make four melds and a pair: bool [N]."""
    code = np.zeros(keys.shape[1], np.uint8)
    for lane, key in zip(lanes(), keys, strict=True):
        code += lane.code[key]
    found: Array = code == 1
    return found


def counts_of(keys: Array) -> Array:
    """Turn suit keys [4, N] into counts [N, 34]."""
    counts = np.zeros((keys.shape[1], KINDS), np.uint8)
    for kind in range(KINDS):
        counts[:, kind] = keys[kind // 9] // 5 ** (kind % 9) % 5
    return counts
