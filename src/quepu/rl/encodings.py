"""Three lossless encodings of what a seat sees: counts, planes, tokens (docs/guide/environments.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from quepu.errors import UnknownName
from quepu.rl import layout
from quepu.rl.board_writer import (
    DRAWN_ROWS,
    HAND_ROWS,
    HIDDEN_SLOT_ROWS,
    MELD_ROWS,
    NUMBER_ROWS,
    ROWS_SEEN,
    BoardWriter,
    Write,
)
from quepu.rl.tokens import FIELDS, MOST, TokenWriter
from quepu.table import Table
from quepu.table.events import ChowClaimed, Claimed, Discarded, Drawn, KongClaimed, PungClaimed

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


class _Planes(NamedTuple):
    """Planes of some rows of counts: the row of each, the bits looked at and the least value for a 1, or a scale."""

    row: Array
    bits: Array
    least: Array
    scale: Array  # 0 where there is none


def _plan() -> _Planes:
    """The planes of what one seat sees, in order."""
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
    return _Planes(*(np.array(column) for column in zip(*rows, strict=True)))


def _of_table(seen: _Planes) -> tuple[_Planes, list[list[Array]]]:
    """The planes of all rows that a `BoardWriter` writes, and which of them each seat sees, kongs open or hidden."""
    keys = [
        [
            list(zip(rows[seen.row].tolist(), *(column.tolist() for column in seen[1:]), strict=True))
            for rows in of_seats
        ]
        for of_seats in ROWS_SEEN
    ]
    every = dict.fromkeys(key for of_seats in keys for listed in of_seats for key in listed)
    number = {key: n for n, key in enumerate(sorted(every, key=lambda key: key[3] != 0))}  # with a scale: the last
    places = [[np.array([number[key] for key in listed]) for listed in of_seats] for of_seats in keys]
    return _Planes(*(np.array(column) for column in zip(*number, strict=True))), places


_WIDTH = layout.WIDTH
_SEEN = _plan()
PLANES = len(_SEEN.row)
PLAN = tuple(np.ascontiguousarray(column) for column in _SEEN)
"""Of each plane: its row of counts, the bits looked at, the least value for a 1, or a scale (0: none)."""
_OFFER = int(np.flatnonzero(_SEEN.row == layout.OFFER)[0])
_TABLE, _PLANES_SEEN = _of_table(_SEEN)
_ONES = int(np.count_nonzero(_TABLE.scale == 0))
# of every cell: a row at a time takes longer
_BITS, _LEAST = (np.repeat(column[:_ONES].astype(np.int16)[:, None], _WIDTH, axis=1) for column in _TABLE[1:3])
_SCALE = _TABLE.scale[_ONES:].astype(np.float32)[:, None]
_FIRST = [0] * int(_TABLE.row.max() + 1)
"""Of each row of a `BoardWriter`: the first cell of its planes, which follow each other."""
for _at, _row in reversed(list(enumerate(_TABLE.row.tolist()))):
    _FIRST[_row] = _at * _WIDTH
_HAND_AT, _DRAWN_AT = ([_FIRST[rows + seat] for seat in range(4)] for rows in (HAND_ROWS, DRAWN_ROWS))
_MARKS_AFTER = layout.MARKS - layout.RIVER
_SCALE_128, _NUMBER_SCALE = 1 / 128, np.float32(1 / 1024)


class PlaneWriter(BoardWriter):
    """The same as float32 planes: copies as planes of ones (one or more, two or more …), numbers scaled.

    What is drawn, discarded and claimed is written cell by cell; after anything else all planes are written anew.
    """

    def __init__(self, table: Table, scores: Sequence[int] = (0, 0, 0, 0), place: Sequence[int] = (1, 0, 0)) -> None:
        """Write what has happened so far."""
        self._planes: Array = np.zeros((len(_TABLE.row), _WIDTH), np.float32)
        self._plane_cells: Any = memoryview(self._planes.reshape(-1))  # type: ignore[arg-type]  # an array is a buffer
        self._stale = True
        super().__init__(table, scores, place)

    def _tile_drawn(self, event: Drawn) -> None:
        BoardWriter._tile_drawn(self, event)
        self._plane_cells[_DRAWN_AT[event.seat] + event.tile] = 1

    def _discarded(self, event: Discarded) -> None:
        seat, tile, drawn = event.seat, event.tile, self._drawn
        BoardWriter._discarded(self, event)
        cells = self._plane_cells
        if drawn >= 0:
            cells[_DRAWN_AT[seat] + drawn] = 0
        if not event.as_drawn:  # a further copy of the one, one fewer of the other
            hand, planes = (HAND_ROWS + seat) * _WIDTH, _HAND_AT[seat]
            if drawn >= 0:
                cells[planes + (self._cells[hand + drawn] - 1) * _WIDTH + drawn] = 1
            cells[planes + self._cells[hand + tile] * _WIDTH + tile] = 0
        row = self._discard // _WIDTH
        cells[_FIRST[row - _MARKS_AFTER] + tile] = self._discards * _SCALE_128
        if event.as_drawn:
            cells[_FIRST[row] + tile] = 1
        if event.declares:
            cells[_FIRST[row] + _WIDTH + tile] = 1

    def _claimed(self, event: Claimed) -> None:
        super()._claimed(event)
        seat, cells, planes = event.seat, self._cells, self._plane_cells
        row, tile = divmod(self._discard, _WIDTH)
        mark, first = cells[self._discard], _FIRST[row] + tile
        planes[first + 2 * _WIDTH], planes[first + 3 * _WIDTH] = mark >> 2 & 1, mark >> 3 & 1
        hand, first = (HAND_ROWS + seat) * _WIDTH, _FIRST[HAND_ROWS + seat]
        for kind in event.own:
            for n in range(cells[hand + kind], 4):
                planes[first + n * _WIDTH + kind] = 0
        melds = self._melds[seat]
        code, tile = melds[-1]
        row = MELD_ROWS[code] + seat
        planes[_FIRST[row] + (cells[row * _WIDTH + tile] - 1) * _WIDTH + tile] = 1
        at = layout.SLOT_WIDTH * (len(melds) - 1)
        for row in (layout.SLOTS + seat, HIDDEN_SLOT_ROWS + seat):
            for n in range(at, at + 5):
                planes[_FIRST[row] + n] = cells[row * _WIDTH + n] * _SCALE_128

    def _write_all(self) -> None:
        rows = self._rows.take(_TABLE.row, axis=0, mode="clip")
        np.greater_equal(rows[:_ONES] & _BITS, _LEAST, out=self._planes[:_ONES])
        np.multiply(rows[_ONES:], _SCALE, out=self._planes[_ONES:])
        self._stale = False

    def observe(self, seat: int, out: Array | None = None) -> Array:
        """Return what a seat sees now: float32 [planes, 42], `out` if one is given."""
        if self._stale:
            self._write_all()
        tile = self._write_numbers(seat)
        planes: Array = self._planes.take(_PLANES_SEEN[self.hides][seat], axis=0, out=out, mode="clip")
        np.multiply(self._rows[NUMBER_ROWS + seat], _NUMBER_SCALE, out=planes[-1])
        if tile is not None:
            planes[_OFFER, tile] = 1
        return planes


def _anew(write: Write) -> Write:
    """The same for planes: they are all written anew."""

    def written(writer: BoardWriter, event: Any) -> None:
        writer._stale = True  # type: ignore[attr-defined]  # of a PlaneWriter
        write(writer, event)

    return written


PlaneWriter.write = {kind: _anew(write) for kind, write in BoardWriter.write.items()}
PlaneWriter.write |= {
    Drawn: PlaneWriter._tile_drawn,
    Discarded: PlaneWriter._discarded,
    **dict.fromkeys((ChowClaimed, PungClaimed, KongClaimed), PlaneWriter._claimed),
}


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
    if not isinstance(name, str) or name not in ENCODINGS:
        listed = ", ".join(ENCODINGS)
        raise UnknownName(f"没有编码“{name}”。现有：{listed}。", f"no encoding {name!r}; encodings: {listed}.")
    return ENCODINGS[name]


def observe(table: Table, seat: int, encoding: EncodingName = "counts") -> Array:
    """Return what a seat of a table sees now, in an encoding; for many positions of one hand use an environment."""
    return encoding_of(encoding).writer(table, (0, 0, 0, 0), (1, 0, 0)).observe(seat)
