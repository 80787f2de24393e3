"""The three encodings of what a seat sees: counts, planes, tokens. None loses anything; see docs/environments.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from quepu.errors import UnknownName
from quepu.rl import layout
from quepu.rl.board_writer import BoardWriter
from quepu.rl.tokens import FIELDS, MOST, TokenWriter
from quepu.table import Table

Array = np.ndarray[Any, Any]
EncodingName = Literal["counts", "planes", "tokens"]


class Writer(Protocol):
    """Follows a table and shows what each seat sees."""

    table: Table

    def follow(self) -> None:
        """Write what has happened since the last time."""

    def observe(self, seat: int, out: Array | None = None) -> Array:
        """What a seat sees now."""


class Encoding(NamedTuple):
    """An encoding: its name, shape and type, its least and greatest value, and what writes it."""

    name: str
    shape: tuple[int, int]
    dtype: type
    low: float
    high: float
    writer: Callable[[Table, Sequence[int], Sequence[int]], Writer]


def _plan() -> tuple[Array, Array, Array, Array, Array]:
    """Of each plane: its row of counts, bits to look at, least value for a 1, or a scale instead."""
    rows: list[tuple[int, int, int, float]] = []

    def levels(row: int, most: int) -> None:
        rows.extend((row, -1, n, 0.0) for n in range(1, most + 1))

    levels(layout.HAND, 4)
    for row in (layout.DRAWN, layout.OFFER, layout.SEAT_WIND, layout.ROUND_WIND):
        levels(row, 1)
    for seat in range(4):
        levels(layout.CHOWS + seat, 4)
    for row in (layout.PUNGS, layout.KONGS, layout.ADDED, layout.CONCEALED):
        for seat in range(4):
            levels(row + seat, 1)
    for seat in range(4):
        rows.append((layout.FLOWERS + seat, -1, 0, 1 / 8))
        levels(layout.SHOWN + seat, 4)
    for place in range(16):
        rows.append((layout.RIVER + place, -1, 0, 1 / 128))
        rows.extend((layout.MARKS + place, bit, 1, 0.0) for bit in (1, 2, 4, 8, 16))
    rows.extend((layout.SLOTS + seat, -1, 0, 1 / 128) for seat in range(4))
    rows.append((layout.SCALARS, -1, 0, 1 / 1024))
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    bits, least = (column.astype(np.int16)[:, None] for column in columns[1:3])
    scaled = np.flatnonzero(columns[3])
    return columns[0], bits, least, columns[3].astype(np.float32)[:, None], scaled


_ROW, _BITS, _LEAST, _SCALE, _SCALED = _plan()
PLANES = len(_ROW)


class PlaneWriter(BoardWriter):
    """The same as float32 planes: copies as planes of ones (one or more, two or more …), numbers scaled."""

    def observe(self, seat: int, out: Array | None = None) -> Array:
        """What a seat sees now: float32 [planes, 42], `out` if one is given."""
        counts = super().observe(seat)
        rows = counts[_ROW]
        planes: Array = np.empty(rows.shape, np.float32) if out is None else out
        np.greater_equal(rows & _BITS, _LEAST, out=planes, casting="unsafe")
        planes[_SCALED] = rows[_SCALED] * _SCALE[_SCALED]
        return planes


ENCODINGS = {
    "counts": Encoding("counts", (layout.ROWS, layout.WIDTH), np.int16, -32768, 32767, BoardWriter),
    "planes": Encoding("planes", (PLANES, layout.WIDTH), np.float32, -32, 32, PlaneWriter),
    "tokens": Encoding("tokens", (MOST, FIELDS), np.uint8, 0, 255, TokenWriter),
}
"""By name."""


def encoding_of(name: str) -> Encoding:
    """The encoding of this name.

    Raises:
        UnknownName: there is none.
    """
    if name not in ENCODINGS:
        listed = ", ".join(ENCODINGS)
        raise UnknownName(f"没有编码“{name}”。现有：{listed}。", f"no encoding {name!r}; there are: {listed}.")
    return ENCODINGS[name]


def observe(table: Table, seat: int, encoding: EncodingName = "counts") -> Array:
    """What a seat of a table sees now, in an encoding; for many positions of one hand use an environment."""
    return encoding_of(encoding).writer(table, (0, 0, 0, 0), (1, 0, 0)).observe(seat)
