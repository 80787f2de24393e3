"""Encode the view of a seat without loss, in three ways: counts, planes, tokens (docs/guide/environments.md)."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.errors import UnknownName
from quepu.rl import layout
from quepu.rl.tokens import FIELDS, MOST

Array = NDArray[Any]
EncodingName = Literal["counts", "planes", "tokens"]


class Encoding(NamedTuple):
    """An encoding: its name, shape and type, its least and greatest value.

    Examples:
        >>> encoding_of("planes").shape
        (161, 42)
    """

    name: EncodingName
    shape: tuple[int, int]
    dtype: type
    low: float
    high: float


def _plan() -> tuple[Array, Array]:
    """Return the planes of what one seat sees, in order: int16 [3, planes] and float32 [planes], see `PLAN`."""
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
    columns = np.array(rows).T
    return columns[:3].astype(np.int16), columns[3].astype(np.float32)


PLAN, SCALE = _plan()
"""Of each plane: its row of counts, the bits looked at, the least value for a 1; and a scale (0: ones and zeros)."""
PLANES = len(SCALE)
OF_ROW = np.array(
    [(at.min(), at.max() + 1) for at in map(np.flatnonzero, PLAN[0] == np.arange(layout.ROWS)[:, None])]
).T
"""Where the planes of each row of counts begin and end."""
_BITS, _LEAST = (np.repeat(column[:, None], layout.WIDTH, axis=1) for column in PLAN[1:])
_SCALED = np.flatnonzero(SCALE)


def to_planes(counts: Array, out: Array | None = None) -> Array:
    """Return what `counts` shows as planes: copies as planes of ones (one or more, two or more …), numbers scaled.

    Examples:
        >>> import quepu.rl
        >>> env = quepu.rl.env("guobiao-mcr")
        >>> env.reset(seed=7)
        >>> to_planes(env.observe(env.agent_selection)["observation"]).shape
        (161, 42)
    """
    rows = counts.take(PLAN[0], axis=0)
    scaled = rows[_SCALED] * SCALE[_SCALED, None]
    np.bitwise_and(rows, _BITS, out=rows)
    planes: Array = (rows >= _LEAST).astype(np.float32)
    planes[_SCALED] = scaled
    if out is None:
        return planes
    out[:] = planes
    return out


ENCODINGS = {
    "counts": Encoding("counts", (layout.ROWS, layout.WIDTH), np.int16, -32768, 32767),
    "planes": Encoding("planes", (PLANES, layout.WIDTH), np.float32, -32, 32),
    "tokens": Encoding("tokens", (MOST, FIELDS), np.uint8, 0, 255),
}
"""Encodings of observations by name: `counts` int16 [70, 42], `planes` float32 [161, 42], `tokens` uint8 [512, 6]."""


def encoding_of(name: str) -> Encoding:
    """Return the encoding of this name.

        >>> encoding_of("tokens").dtype
        <class 'numpy.uint8'>

    Raises:
        UnknownName: there is none.
    """
    if not isinstance(name, str) or name not in ENCODINGS:
        listed = ", ".join(ENCODINGS)
        raise UnknownName(f"没有编码“{name}”。现有：{listed}。", f"no encoding {name!r}; encodings: {listed}.")
    return ENCODINGS[name]
