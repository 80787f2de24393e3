"""Pack tables of every standard hand: as the difference from what symmetry, and another table, predict.

Suits, dragons and the winds of neither the round nor the seat may change places in nearly every fan, so most gains
are those of another hand; and books of one family, or one book with another round wind, differ in few hands. A packed
file says in its first line which other file it is the difference from.
"""

from __future__ import annotations

import lzma
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from quepu.fast.universe.hand_index import order
from quepu.fast.universe.standard_hands import MELD_SETS, melds
from quepu.tiles import KINDS

Table = NDArray[np.uint16]
Places = NDArray[np.int32]
_SUITS = {"mp": (0, 1), "ms": (0, 2), "ps": (1, 2)}
_HONOURS = {"WN": (2, 3), "CF": (4, 5), "CP": (4, 6), "FP": (5, 6)}
"""Exchanges of two suits, and of two honours, by their bits."""


@cache
def _move(name: str) -> Places:
    """Return for each set of melds the place of the one that an exchange makes of it."""
    sets = melds()
    planes = np.stack([sets.c1, sets.c2, sets.c3, sets.c4, sets.p])[:, order()]
    if name in _SUITS:
        one, other = (16 * lane for lane in _SUITS[name])
        mask = 0xFFFF
    else:
        one, other = (48 + bit for bit in _HONOURS[name])
        mask = 1
    differ = (planes >> one ^ planes >> other) & mask
    found = np.empty(MELD_SETS, np.int32)
    found[np.lexsort(planes ^ differ << one ^ differ << other)] = np.lexsort(planes)
    return found


@cache
def _least(names: tuple[str, ...]) -> Places:
    """Return for each set of melds the first one that these exchanges make of it."""
    least, before = np.arange(MELD_SETS, dtype=np.int32), np.zeros(0, np.int32)
    while not np.array_equal(least, before):
        before = least
        for name in names:
            least = np.minimum(least, least[_move(name)])
    return least


def _predict(kind: int) -> tuple[int, Places]:
    """Return the pair, and for each set of melds the place, whose number predicts that beside a pair of this kind."""
    if kind < 9:
        return kind, _least(("ps", "WN", "CF", "FP"))
    if kind < 27:
        return kind % 9, _move("mp" if kind < 18 else "ms")
    if kind == 30:
        return 29, _move("WN")
    if kind > 31:
        return 31, _move("CF" if kind == 32 else "CP")
    alone = {27: ("WN", "CF", "FP"), 28: ("WN", "CF", "FP"), 29: ("CF", "FP"), 31: ("WN", "FP")}[kind]
    return kind, _least(("mp", "ps", *alone))


def differences(table: Table, *, back: bool = False) -> Table:
    """Return a table as its differences from what symmetry predicts, or, `back`, the table of such differences."""
    given = table.reshape(KINDS, MELD_SETS)
    made = given.copy()
    known = made if back else given  # a row is predicted by itself or by one above it, which is whole by then
    for kind in range(KINDS):
        pair, place = _predict(kind)
        first = place == np.arange(MELD_SETS) if pair == kind else np.zeros(MELD_SETS, np.bool_)
        made[kind] = given[kind] ^ np.where(first, 0, known[pair][place])
    return made.reshape(-1)


def pack(differing: Table, base: str = "", other: Table | None = None) -> bytes:
    """Return differences as the content of a file; `other` are those of the file `base`."""
    left = differing if other is None else differing ^ other
    return lzma.compress(f"{base}\n".encode() + left.astype("<u2").tobytes(), preset=6)


def unpack(path: Path) -> Table | None:
    """Return the table in a file; None: it is not there, or broken."""
    found = _unpack(path)
    return None if found is None else differences(found, back=True)


def _unpack(path: Path) -> Table | None:
    """Return the differences in a file."""
    try:
        base, _, data = lzma.decompress(path.read_bytes()).partition(b"\n")
    except (OSError, EOFError, lzma.LZMAError):
        return None
    if len(data) != 2 * KINDS * MELD_SETS:
        return None
    found = np.frombuffer(data, "<u2").astype(np.uint16)
    if base:
        other = _unpack(path.with_name(base.decode()))
        return None if other is None else found ^ other
    return found
