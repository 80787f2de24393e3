"""Build the automaton for `quepu.shapes.automaton`: `python -m quepu.lab.distance_tables FILE`.

For every combination of tiles in a suit (5 ** 9 counts), the least number of tiles missing for m melds, with and
without a pair, is a distance transform: surplus tiles cost nothing, each missing one costs one. It separates by rank.
Only 126 different rows of ten numbers occur, so a suit is an id, two suits are an id, and two of those give the
distance.
"""

from __future__ import annotations

import sys
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from quepu.hands.suit_tables import Splits, honour_splits, suit_splits

FAR = 15
Rows = NDArray[np.uint8]


def missing(splits: dict[int, Splits], ranks: int) -> Rows:
    """Return the least missing tiles for every count key.

    The shape is (5 ** ranks, 10): columns for 0-4 melds without a pair, then with one.
    """
    table = np.full((10, 5**ranks), FAR, np.uint8)
    for key, ways in splits.items():
        table[ways[0].melds + 5 * ways[0].pairs, key] = 0
    for axis in range(ranks):
        view = table.reshape(10, 5 ** (ranks - 1 - axis), 5, 5**axis)
        np.minimum.accumulate(view, axis=2, out=view)
        for have in range(3, -1, -1):
            np.minimum(view[:, :, have], view[:, :, have + 1] + 1, out=view[:, :, have])
    return np.ascontiguousarray(table.T)


def _intern(rows: Rows) -> tuple[NDArray[np.int64], Rows]:
    unique, ids = np.unique(rows, axis=0, return_inverse=True)
    return ids.reshape(-1), unique


def _join(left: Rows, right: Rows) -> Rows:
    """Combine every row of `left` with every row of `right`: melds and the pair distributed at the least cost."""
    a = left[:, None, :].astype(np.int16)
    b = right[None, :, :].astype(np.int16)
    out = np.full((len(left), len(right), 10), FAR, np.int16)
    for melds in range(5):
        for first in range(melds + 1):
            rest = melds - first
            plain = a[..., first] + b[..., rest]
            paired = np.minimum(a[..., 5 + first] + b[..., rest], a[..., first] + b[..., 5 + rest])
            np.minimum(out[..., melds], plain, out=out[..., melds])
            np.minimum(out[..., 5 + melds], paired, out=out[..., 5 + melds])
    return out.clip(0, FAR).astype(np.uint8).reshape(-1, 10)


def build() -> bytes:
    """Return the whole automaton, packed: sizes as four 16-bit numbers, then the tables, then compressed."""
    suit_ids, suit_rows = _intern(missing(suit_splits(), 9))
    honour_ids, honour_rows = _intern(missing(honour_splits(), 7))
    left_ids, left_rows = _intern(_join(suit_rows, suit_rows))
    right_ids, right_rows = _intern(_join(suit_rows, honour_rows))
    final = _join(left_rows, right_rows)[:, 5:].reshape(len(left_rows), len(right_rows), 5)
    assert max(len(suit_rows), len(honour_rows), len(left_rows), len(right_rows)) < 256  # noqa: S101  # ids are bytes
    sizes = np.array([len(suit_rows), len(honour_rows), len(left_rows), len(right_rows)], np.uint16)
    parts = (suit_ids, honour_ids, left_ids, right_ids, final.transpose(2, 0, 1))
    return zlib.compress(sizes.tobytes() + b"".join(p.astype(np.uint8).tobytes() for p in parts), 9)


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(build())
