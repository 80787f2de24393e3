"""Hands with every tile that may have come last, in classes; the plain twin is `score_hand` on each of them.

Others are concealed hands of a tabulated shape (seven pairs, 二不杠 …).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.readings import WAIT_PLANES, Gathered, waits_of
from quepu.fast.arrays.suit_tables import BROKEN, ahead_at, lanes
from quepu.fast.compiled.reading_loops import AHEAD_CODE, AHEAD_PAIR, LANE
from quepu.fast.universe.classes import Column, Signatures
from quepu.fast.universe.last_tiles import (
    CHUNK,
    KIND_OF,
    POWER,
    WON,
    Basis,
    Block,
    Last,
    Progress,
    Take,
    near_others,
    take_block,
)
from quepu.fast.universe.pairs_and_fours import is_standard, tabulated
from quepu.fast.universe.standard_hands import DECOMPOSED, HandState, Universe, melds, shared
from quepu.hands.hand import Luck
from quepu.shapes import SHAPES
from quepu.shapes.standard import SHAPE as STANDARD
from quepu.tiles import BIT, KINDS

Array = NDArray[Any]
CLAIMED = frozenset({"o1", "o2", "o3", "o4", "xp"})
"""Planes that change with the meld that was not claimed."""

# ---- standard hands, nothing claimed


def standard_closed(
    basis: Basis, universe: Universe, tiles: int, take: Take, progress: Progress | None = None
) -> Array:
    """Take the concealed standard hands that are read in one way; returns the suit keys [4, N] of all others."""
    classes = basis.classes
    of_melds, columns, others = _parted(classes, WON)
    everything = np.arange(len(universe.melds.p), dtype=np.int32)
    start = np.empty(len(everything), np.uint64)
    for at in range(0, len(everything), CHUNK):
        start[everything[at : at + CHUNK]] = classes.hash(universe.gathered(everything[at : at + CHUNK]), of_melds)
    aside = _several(tiles)
    luck, looks, wants = universe.state.luck, basis.looks, not basis.reads.isdisjoint(WAIT_PLANES)
    same = shared()
    done = 0
    for kind, all_of_them in universe.pairs():
        done += len(all_of_them)
        needed = all_of_them[(universe.base.t1[all_of_them] | BIT[kind]) & ~tiles == 0]
        index = np.setdiff1d(needed, same.melds[same.pair == kind]).astype(np.int32)
        for at in range(0, len(index), CHUNK):
            some = index[at : at + CHUNK]
            h = universe.block(kind, some)
            keys = universe.melds.keys[:, some].astype(np.int64)
            keys[kind // 9] += 2 * 5 ** (kind % 9)
            if wants:
                near = near_others(basis.shapes, STANDARD.name, h, luck)
                if near.any():
                    aside.append(keys[:, near])
                    some, keys = some[~near], keys[:, ~near]
                    h = universe.block(kind, some)
            block = Block(
                h, classes.hash(h, others, start[some]), h.t1, h.c1, h.p, BIT[kind], universe.weights(kind, some),
                universe.pungs[some], (h.t2, h.t3, h.t4),
                _waits_of(keys, h),
            )  # fmt: skip
            take_block(classes, columns, looks, luck, block, take)
        if progress is not None:
            progress(done, DECOMPOSED)
    return np.concatenate(aside, axis=1)


def _parted(classes: Signatures, changing: frozenset[str]) -> tuple[list[Column], list[Column], list[Column]]:
    """A signature's columns: of melds alone, those that change with the winning tile, all others."""
    columns = [column for column in classes.columns if not column.reads.isdisjoint(changing)]
    rest = [column for column in classes.columns if column.reads.isdisjoint(changing)]
    return [c for c in rest if c.of_melds], columns, [c for c in rest if not c.of_melds]


def _several(tiles: int) -> list[Array]:
    """Keys [4, N] of the standard hands out of these tiles that have more than one reading, each once."""
    same = shared()
    first = np.flatnonzero(np.concatenate([[True], same.group[1:] != same.group[:-1]]))
    found = []
    m = melds()
    for kind in range(KINDS):
        index = same.melds[first[same.pair[first] == kind]]
        index = index[(m.t1[index] | BIT[kind]) & ~tiles == 0]
        keys = m.keys[:, index].astype(np.int64)
        keys[kind // 9] += 2 * 5 ** (kind % 9)
        found.append(keys)
    return found


def _waits_of(keys: Array, h: Any) -> Callable[[Last], tuple[Array, ...]]:
    """Waits of readings with planes h (see `_waits`), computed only where a row reads them."""
    return lambda last: _waits(keys[:, last.of], last, h.t4[last.of])


def _waits(keys: Array, last: Last, t4: Array) -> tuple[Array, Array, Array]:
    """`waits`, `pair_waits`, `dead_waits` of melds and a pair (keys [4, n]) before the last tile came.

    All suits but that tile's are complete, so its suit determines nearly all (see `quepu.fast.arrays.shapes`).
    """
    lane = last.kind // 9
    before = keys.copy()
    before.reshape(-1)[lane * before.shape[1] + np.arange(before.shape[1])] -= POWER.take(last.kind)
    here = ahead_at(before, lane)
    found, in_pair = (here & LANE) << 16 * lane, (here >> AHEAD_PAIR & LANE) << 16 * lane
    others = np.flatnonzero(here >> AHEAD_CODE <= 1)
    if others.size:
        found[others], in_pair[others] = waits_of(before[:, others])
    held = t4 & ~last.win
    return found & ~held, in_pair & ~held, found & held


# ---- standard hands, three melds claimed


def standard_open(basis: Basis, universe: Universe, tiles: int, take: Take, progress: Progress | None = None) -> None:
    """Take the standard hands with three melds claimed; the fourth and the pair hold the tile that came last.

    They are read in one way only, and wait for no other shape.
    """
    classes = basis.classes
    of_melds, columns, others = _parted(classes, WON | CLAIMED)
    of_claims = [column for column in columns if column.reads.isdisjoint(WON)]
    columns = [column for column in columns if not column.reads.isdisjoint(WON)]
    m = universe.base
    everything = np.arange(len(m.p), dtype=np.int32)
    looks, luck = basis.looks, universe.state.luck
    lots = _lots(m.c1, m.p)
    start = np.empty((len(lots), len(everything)), np.uint64)
    claims = [_claims(m, lot) for lot in lots]
    for at in range(0, len(everything), CHUNK):
        some = everything[at : at + CHUNK]
        plain = classes.hash(universe.gathered(some), of_melds)
        for j, claim in enumerate(claims):
            h = Gathered(m, some, {name: plane[some] for name, plane in claim.items()})
            start[j, some] = classes.hash(h, [c for c in of_claims if c.of_melds], plain)
    of_claims = [column for column in of_claims if not column.of_melds]
    done = 0
    for kind, all_of_them in universe.pairs():
        done += len(all_of_them)
        bit, lane, digit = BIT[kind], kind // 9, 5 ** (kind % 9)
        index = all_of_them[(m.t1[all_of_them] | bit) & ~tiles == 0]
        for at in range(0, len(index), CHUNK):
            every = index[at : at + CHUNK]
            plain = classes.hash(universe.block(kind, every), others)
            weights = universe.weights(kind, every)
            for j, (lot, claim) in enumerate(zip(lots, claims, strict=True)):
                there = np.flatnonzero(lot.chow[every] | lot.pung[every])
                some = every[there]
                h = Gathered(universe.block(kind, some), None, {name: plane[some] for name, plane in claim.items()})
                own, p = lot.chow[some], lot.pung[some]
                seen = classes.hash(h, of_claims, start[j, some] + plain[there])
                held = own | own << 1 | own << 2 | p
                keys = np.zeros((4, len(some)), np.int64)
                _put(keys, own, 31)
                _put(keys, p, 3)
                keys[lane] += 2 * digit
                # a second copy stands in the pair or the pung, a third in the pung or a pair beside its own chow
                twice = bit | p
                thrice = held & bit | p
                block = Block(
                    h, seen, held | bit, own, p, bit, weights[there], universe.pungs[some],
                    (twice, thrice, np.zeros_like(p)),
                    _waits_of(keys, h),
                )  # fmt: skip
                take_block(classes, columns, looks, luck, block, take)
        if progress is not None:
            progress(done, DECOMPOSED)


class _Lot(NamedTuple):
    """One meld of each meld set: the start of a chow, or a pung; both empty where there is none."""

    chow: Array
    pung: Array


def _lots(chows: Array, pungs: Array) -> list[_Lot]:
    """The different melds of each meld set, one in each of four lots: chows first."""
    found = []
    for _ in range(4):
        chow = chows & -chows
        pung = np.where(chow == 0, pungs & -pungs, 0)
        found.append(_Lot(chow, pung))
        chows, pungs = chows ^ chow, pungs ^ pung
    return found


def _claims(m: Any, lot: _Lot) -> dict[str, Array]:
    """The planes of claimed melds where all but this one are: it is the topmost of chows that are alike."""
    b = lot.chow
    return {
        "o1": m.c1 & ~(b & ~m.c2), "o2": m.c2 & ~(b & ~m.c3), "o3": m.c3 & ~(b & ~m.c4), "o4": m.c4 & ~b,
        "xp": m.p & ~lot.pung,
    }  # fmt: skip


def _put(keys: Array, plane: Array, tiles: int) -> None:
    """Add so many tiles (a suit key) to the keys [4, N] where each plane has its one bit, if it has one."""
    some = np.flatnonzero(plane)
    kind = KIND_OF.take(np.bitwise_count(plane[some] - 1))
    keys[kind // 9, some] += tiles * POWER.take(kind)


def special_closed(basis: Basis, shape: str, state: HandState, tiles: int, take: Take, seat: int, round: int) -> Array:
    """Take the concealed hands of a tabulated shape; returns the keys [4, N] of those left to `settle`.

    Tiles that are four melds and a pair too are left out: they are among the keys that `standard_closed` returns.
    """
    classes = basis.classes
    columns = [column for column in classes.columns if not column.reads.isdisjoint(WON)]
    rest = [column for column in classes.columns if column.reads.isdisjoint(WON)]
    luck = state.luck | int(Luck.CLOSED)
    aside = [np.zeros((4, 0), np.int64)]
    for chunk in tabulated(SHAPES[shape]):
        t1 = np.broadcast_to(chunk.own["t1"], chunk.weight.shape)
        some = np.flatnonzero((t1 & ~tiles == 0) & ~is_standard(chunk.keys))
        if not some.size:
            continue
        keys = chunk.keys[:, some].astype(np.int64)
        if not SHAPES[shape].of_pairs:
            aside.append(keys)
            continue
        own = {name: x[some] if isinstance(x, np.ndarray) else x for name, x in chunk.own.items()}
        h = chunk._replace(own=own).planes(seat, round, luck)
        near = near_others(basis.shapes, shape, h, luck)
        if near.any():
            aside.append(keys[:, near])
            own = {name: x[~near] if isinstance(x, np.ndarray) else x for name, x in own.items()}
            h = chunk._replace(own=own).planes(seat, round, luck)
            some, keys = some[~near], keys[:, ~near]
        none = np.zeros(len(some), np.int64)
        start = np.broadcast_to(classes.hash(h, rest), none.shape)
        block = Block(
            h, start, h.t1, none, none, h.pair, chunk.weight[some], none, (h.t2, h.t3, h.t4),
            _waits_of_pairs(keys, h.t4),
        )  # fmt: skip
        take_block(classes, columns, basis.looks, state.luck, block, take)
    return np.concatenate(aside, axis=1)


def _waits_of_pairs(keys: Array, t4: Array) -> Callable[[Last], tuple[Array, ...]]:
    """Waits of seven pairs (keys [4, N]): the tile that came, and what makes four melds and a pair.

    For these no two suits may be broken without the tile.
    """
    code = np.stack([suit.code.take(key) for suit, key in zip(lanes(), keys, strict=True)])
    total = code.sum(axis=0, dtype=np.uint8)
    flat, n = keys.reshape(-1), keys.shape[1]
    ahead = np.concatenate([lanes()[0].code, lanes()[3].code])

    def waits(last: Last) -> tuple[Array, ...]:
        lane = last.kind // 9
        at = lane * n + last.of
        before = flat.take(at) - POWER.take(last.kind)
        here = ahead.take(before + (lane == 3) * len(lanes()[0].code))
        found, in_pair = last.win.copy(), last.win.copy()
        some = np.flatnonzero(total.take(last.of) - code.reshape(-1).take(at) + here < 2 * BROKEN)
        if some.size:
            left = keys[:, last.of[some]]
            left[lane[some], np.arange(len(some))] = before[some]
            more, pairs = waits_of(left)
            found[some] |= more
            in_pair[some] |= pairs
        held = t4.take(last.of) & ~last.win
        return found & ~held, in_pair & ~held, found & held

    return waits
