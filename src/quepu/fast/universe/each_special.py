"""Concealed hands of a tabulated shape (seven pairs, 二不杠 …) with every tile that may have come last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.readings import waits_of
from quepu.fast.arrays.suit_tables import BROKEN, lanes
from quepu.fast.universe.last_tiles import POWER, WON, Basis, Block, Last, Take, take_block
from quepu.fast.universe.other_waits import near_others
from quepu.fast.universe.pairs_and_fours import is_standard, tabulated
from quepu.fast.universe.standard_hands import HandState
from quepu.hands.hand import Luck
from quepu.shapes import SHAPES

Array = NDArray[Any]


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
