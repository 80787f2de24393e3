"""Universes in classes as files: small, since what follows from something else is taken out before it is compressed.

Tiles follow from melds and pair, concealed pungs nearly from all pungs, hands with one reading from readings; codes go
up. What is left of each column lies byte by byte, the lowest of all numbers first.
"""

from __future__ import annotations

import io
import lzma
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.universe.classed import Classed
from quepu.fast.universe.collected import ClassedPart, Several
from quepu.fast.universe.standard_hands import HandState
from quepu.hands.planes import Planes

Array = NDArray[Any]
_CONDITIONS, _LEFT_OUT, _EXAMPLES, _READINGS, _SINGLE = "conditions", "left_out", "examples", "readings", "single"
_WIDTHS = tuple(np.dtype(f"<i{n}") for n in (1, 2, 4, 8))


def packed(*universes: Classed, preset: int = 6) -> bytes:
    """Universes of several states as bytes; `load` reads one. A lower preset of lzma is faster, the file larger.

    What one has in common with those before it takes hardly any room.
    """
    file = io.BytesIO()
    for classed in universes:
        part = _whole(classed)
        file.write(f"{classed.state.key} {len(part)}\n".encode())
        file.write(part)
    return lzma.compress(file.getvalue(), preset=preset)


def _whole(classed: Classed) -> bytes:
    arrays: dict[str, Any] = {
        _CONDITIONS: np.array(classed.conditions, np.str_),
        _LEFT_OUT: np.array(classed.left_out, np.str_),
    }
    _put(arrays, _EXAMPLES, _without_tiles(classed.examples))
    for name, part in classed.parts.items():
        _put(arrays, f"{name}/{_READINGS}", _steps(part.readings))
        _put(arrays, f"{name}/{_SINGLE}", _steps(_beside(part.single, part.readings, -1)))
        several = part.several
        _put(arrays, f"{name}/starts", np.diff(several.starts)[:, None])
        for field in ("code", "sets", "hands"):
            _put(arrays, f"{name}/{field}", getattr(several, field)[:, None])
        _put(arrays, f"{name}/{_EXAMPLES}", _without_tiles(several.examples))
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def load(path: Path, state: HandState, conditions: str) -> Classed | None:
    """The universe in a file; None where there is none, it is broken, or it was made by other conditions."""
    try:
        return read(path.read_bytes(), state, conditions)
    except OSError:
        return None


def read(data: bytes, state: HandState, conditions: str) -> Classed | None:
    """The universe of a state in some bytes; None where they are broken, or it was made by other conditions."""
    try:
        with np.load(io.BytesIO(_found(data, state)), allow_pickle=False) as file:
            arrays = dict(file)
        if str(arrays.pop(_CONDITIONS)) != conditions:
            return None
        left_out = tuple(arrays.pop(_LEFT_OUT).tolist())
        names = dict.fromkeys(name.split("/")[0] for name in arrays if name.count("/") > 1)
        parts = {name: _part(arrays, name) for name in names}
        examples = _without_tiles(_taken(arrays, _EXAMPLES))
    except (OSError, ValueError, KeyError, EOFError, lzma.LZMAError):
        return None
    return Classed(state, conditions, examples, parts, left_out)


def _found(data: bytes, state: HandState) -> bytes:
    """The part of a state; what comes behind it is not unpacked."""
    with lzma.open(io.BytesIO(data)) as file:
        while head := file.readline():
            key, size = head.decode().rsplit(" ", 1)
            part = file.read(int(size))
            if key == state.key:
                return part
    raise KeyError(state.key)


def _part(arrays: dict[str, Array], name: str) -> ClassedPart:
    readings = _sums(_taken(arrays, f"{name}/{_READINGS}"))
    single = _beside(_sums(_taken(arrays, f"{name}/{_SINGLE}")), readings, 1)
    sizes, code, sets, hands = (
        _taken(arrays, f"{name}/{field}")[:, 0] for field in ("starts", "code", "sets", "hands")
    )
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    examples = _without_tiles(_taken(arrays, f"{name}/{_EXAMPLES}"))
    return ClassedPart(readings, single, Several(starts, code.astype(np.int32), sets, hands, examples))


# ---- columns


def _put(arrays: dict[str, Array], name: str, table: Array) -> None:
    """Add each column of a table, in the narrowest width that takes it, as bytes [width, rows]."""
    for at, column in enumerate(table.T):
        low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
        width = next(one for one in _WIDTHS if np.iinfo(one).min <= low and high <= np.iinfo(one).max)
        arrays[f"{name}/{at}"] = column.astype(width).view(np.uint8).reshape(-1, width.itemsize).T.copy()


def _taken(arrays: dict[str, Array], name: str) -> Array:
    """Return the table that was put there: int64."""
    columns = []
    for at in count():
        if (column := arrays.get(f"{name}/{at}")) is None:
            break
        columns.append(np.ascontiguousarray(column.T).view(f"<i{len(column)}")[:, 0].astype(np.int64))
    return np.stack(columns, axis=1)


def _steps(table: Array) -> Array:
    """The same with steps for the first column, which goes up."""
    return np.column_stack([np.diff(table[:, 0], prepend=0), table[:, 1:]])


def _sums(table: Array) -> Array:
    return np.column_stack([np.cumsum(table[:, 0]), table[:, 1:]])


def _beside(single: Array, readings: Array, sign: int) -> Array:
    """The same with the numbers of the reading of that code added (or taken away), where there is one."""
    made = single.copy()
    if len(readings):
        at = np.minimum(np.searchsorted(readings[:, 0], single[:, 0]), len(readings) - 1)
        there = readings[at, 0] == single[:, 0]
        made[there, 1:] += sign * readings[at[there], 1:]
    return made


def _without_tiles(planes: Array) -> Array:
    """Readings [readings, planes] without the tiles of their melds and pair, and own pungs without the pungs.

    Those are turned over bit by bit, so that the same again brings them back.
    """
    h = Planes(*planes.T)
    tiles = [np.zeros_like(h.p) for _ in range(4)]  # at least one copy … four
    chows = [chow << rank for chow in (h.c1, h.c2, h.c3, h.c4) for rank in range(3)]
    for more in (*chows, h.p, h.p, h.p, h.k, h.pair, h.pair):
        for copies in (3, 2, 1):
            tiles[copies] = tiles[copies] | tiles[copies - 1] & more
        tiles[0] = tiles[0] | more
    t1, t2, t3, t4 = (of ^ made for of, made in zip((h.t1, h.t2, h.t3, h.t4), tiles, strict=True))
    return np.column_stack(h._replace(t1=t1, t2=t2, t3=t3, t4=t4, pc=h.pc ^ h.p))
