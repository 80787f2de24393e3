"""The three encodings of what a seat sees: counts, planes, tokens. None loses anything; see docs/environments.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from quepu.errors import UnknownName
from quepu.rl import layout
from quepu.rl.board_writer import ROWS_SEEN, BoardWriter
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
        """Return what a seat sees now."""


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
    # of every cell: a row at a time takes longer
    bits, least = (np.repeat(column.astype(np.int16)[:, None], layout.WIDTH, axis=1) for column in columns[1:3])
    scaled = np.flatnonzero(columns[3])
    return columns[0], bits, least, columns[3].astype(np.float32)[scaled, None], scaled


def _slices(rows: Array) -> list[tuple[slice, slice]]:
    """Rows at even distances, as slices of the planes and of these rows: quicker than one by one."""
    found: list[tuple[slice, slice]] = []
    at = 0
    while at < len(rows):
        end = at + 2
        step = int(rows[min(at + 1, len(rows) - 1)] - rows[at]) or 1
        while end < len(rows) and rows[end] - rows[end - 1] == step:
            end += 1
        end = min(end, len(rows))
        found.append((slice(int(rows[at]), int(rows[end - 1]) + 1, step), slice(at, end)))
        at = end
    return found


_ROW, _BITS, _LEAST, _SCALE, _SCALED = _plan()
PLANES = len(_ROW)
_OFFER = int(np.flatnonzero(_ROW == layout.OFFER)[0])
_PLANE_ROWS = tuple([rows[_ROW] for rows in seen] for seen in ROWS_SEEN)
_SLICES = _slices(_SCALED)
_SCALED_ROWS = tuple([rows[_SCALED] for rows in seen] for seen in _PLANE_ROWS)


class PlaneWriter(BoardWriter):
    """The same as float32 planes: copies as planes of ones (one or more, two or more …), numbers scaled."""

    def __init__(self, table: Table, scores: Sequence[int] = (0, 0, 0, 0), place: Sequence[int] = (1, 0, 0)) -> None:
        """Write what has happened so far."""
        super().__init__(table, scores, place)
        self._counts: Array = np.empty(_BITS.shape, np.int16)
        self._ones: Array = np.empty(_BITS.shape, np.bool_)

    def observe(self, seat: int, out: Array | None = None) -> Array:
        """Return what a seat sees now: float32 [planes, 42], `out` if one is given."""
        tile, hides = self._write_numbers(seat), self.hides
        counts, ones = self._counts, self._ones
        self._rows.take(_PLANE_ROWS[hides][seat], axis=0, out=counts, mode="clip")
        np.bitwise_and(counts, _BITS, out=counts)
        np.greater_equal(counts, _LEAST, out=ones)
        planes: Array = np.empty(ones.shape, np.float32) if out is None else out
        planes[:] = ones
        scaled = self._rows.take(_SCALED_ROWS[hides][seat], axis=0) * _SCALE
        for here, there in _SLICES:
            planes[here] = scaled[there]
        if tile is not None:
            planes[_OFFER, tile] = 1
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
    """Return what a seat of a table sees now, in an encoding; for many positions of one hand use an environment."""
    return encoding_of(encoding).writer(table, (0, 0, 0, 0), (1, 0, 0)).observe(seat)
