"""Universes sorted into classes, cached on disk: some ten kilobytes to a megabyte for a book's conditions in a state.

Those of the registered books are shipped in `data/classes` as far as there is room, the states that the workshop
measures by first, named by the digest of their conditions; `python -m quepu.fast.universe.classed_cache` writes them
anew (ten minutes). Run it after changing a condition: until then universes are sorted on demand.
"""

from __future__ import annotations

import argparse
import io
import lzma
import os
import sys
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from quepu.fast import result_cache
from quepu.fast.processes import spread
from quepu.fast.universe.census import Progress
from quepu.fast.universe.classed import Classed, Conditions, class_universe, conditions_of
from quepu.fast.universe.collected import ClassedPart, Several
from quepu.fast.universe.standard_hands import MORE_STATES, STATES, HandState
from quepu.hands.planes import Planes
from quepu.rulebooks import book, book_ids, find_registered
from quepu.rules.rulebook import Rulebook

Array = NDArray[Any]
_CONDITIONS, _LEFT_OUT, _EXAMPLES, _READINGS, _SINGLE = "conditions", "left_out", "examples", "readings", "single"
_WIDTHS = tuple(np.dtype(f"<i{n}") for n in (1, 2, 4, 8))


def pack(*universes: Classed, preset: int = 6) -> bytes:
    """Pack universes of several states into bytes; `load` reads one. A lower preset of lzma is faster, the file larger.

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
    """Return the universe in a file; None where there is none, it is broken, or it was made by other conditions."""
    try:
        return read(path.read_bytes(), state, conditions)
    except OSError:
        return None


def read(data: bytes, state: HandState, conditions: str) -> Classed | None:
    """Return the universe of a state in some bytes; None where they are broken, or it was made by other conditions."""
    try:
        with np.load(io.BytesIO(_find(data, state)), allow_pickle=False) as file:
            arrays = dict(file)
        if str(arrays.pop(_CONDITIONS)) != conditions:
            return None
        left_out = tuple(arrays.pop(_LEFT_OUT).tolist())
        names = dict.fromkeys(name.split("/")[0] for name in arrays if name.count("/") > 1)
        parts = {name: _part(arrays, name) for name in names}
        examples = _without_tiles(_take(arrays, _EXAMPLES))
    except (OSError, ValueError, KeyError, EOFError, lzma.LZMAError):
        return None
    return Classed(state, conditions, examples, parts, left_out)


def _find(data: bytes, state: HandState) -> bytes:
    """Return the part of a state; what comes behind it is not unpacked."""
    with lzma.open(io.BytesIO(data)) as file:
        while head := file.readline():
            key, size = head.decode().rsplit(" ", 1)
            part = file.read(int(size))
            if key == state.key:
                return part
    raise KeyError(state.key)


def _part(arrays: dict[str, Array], name: str) -> ClassedPart:
    readings = _sums(_take(arrays, f"{name}/{_READINGS}"))
    single = _beside(_sums(_take(arrays, f"{name}/{_SINGLE}")), readings, 1)
    sizes, code, sets, hands = (_take(arrays, f"{name}/{field}")[:, 0] for field in ("starts", "code", "sets", "hands"))
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    examples = _without_tiles(_take(arrays, f"{name}/{_EXAMPLES}"))
    return ClassedPart(readings, single, Several(starts, code.astype(np.int32), sets, hands, examples))


# ---- columns


def _put(arrays: dict[str, Array], name: str, table: Array) -> None:
    """Add each column of a table, in the narrowest width that takes it, as bytes [width, rows]."""
    for at, column in enumerate(table.T):
        low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
        width = next(one for one in _WIDTHS if np.iinfo(one).min <= low and high <= np.iinfo(one).max)
        arrays[f"{name}/{at}"] = column.astype(width).view(np.uint8).reshape(-1, width.itemsize).T.copy()


def _take(arrays: dict[str, Array], name: str) -> Array:
    """Return the table that was put there: int64."""
    columns = []
    for at in count():
        if (column := arrays.get(f"{name}/{at}")) is None:
            break
        columns.append(np.ascontiguousarray(column.T).view(f"<i{len(column)}")[:, 0].astype(np.int64))
    return np.stack(columns, axis=1)


def _steps(table: Array) -> Array:
    """Return the same with steps for the first column, which goes up."""
    return np.column_stack([np.diff(table[:, 0], prepend=0), table[:, 1:]])


def _sums(table: Array) -> Array:
    return np.column_stack([np.cumsum(table[:, 0]), table[:, 1:]])


def _beside(single: Array, readings: Array, sign: int) -> Array:
    """Return the same with the numbers of the reading of that code added (or taken away), if there is one."""
    made = single.copy()
    if len(readings):
        at = np.minimum(np.searchsorted(readings[:, 0], single[:, 0]), len(readings) - 1)
        there = readings[at, 0] == single[:, 0]
        made[there, 1:] += sign * readings[at[there], 1:]
    return made


def _without_tiles(planes: Array) -> Array:
    """Return readings [readings, planes] without the tiles of their melds and pair, and own pungs without pungs.

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


def classed_for(
    books: tuple[Rulebook, ...], state: HandState, progress: Progress | None = None, *, fresh: bool = False
) -> Classed:
    """Return the universe of a state in classes that tell apart all that these books' conditions do.

    That of the registered book they were made from serves where no condition is new. `fresh`: sort it anew.
    """
    return _load_or_make(_key(books, state), progress, fresh=fresh)


def is_cached(books: tuple[Rulebook, ...], state: HandState) -> bool:
    """Return whether that universe was made before, so that it is there at once."""
    key = _key(books, state)
    shipped = shipped_file(key.conditions.digest, state)
    return _lately(key)[0] is not None or shipped.is_file() or key.path.is_file()


def prepare(
    books: tuple[Rulebook, ...], states: Sequence[HandState], jobs: int, cluster: str = "", *, fresh: bool = False
) -> None:
    """Make the universes of several states at once, on so many processes (0: one per core) or on a Dask cluster.

    Those that were made before are left, unless `fresh`.

    Raises:
        HandError: unknown cluster.
    """
    missing = [state for state in states if fresh or not is_cached(books, state)]
    jobs = min(jobs or os.cpu_count() or 1, len(missing))
    if not missing or (jobs < 2 and not cluster):
        return
    for at, data in spread(_make, [(books, state, fresh) for state in missing], jobs, cluster):
        key = _key(books, missing[at])
        _lately(key)[0] = read(data, missing[at], key.conditions.digest)
        result_cache.store(key.path, partial(_write, data))


def _make(books: tuple[Rulebook, ...], state: HandState, fresh: bool) -> bytes:
    return pack(classed_for(books, state, fresh=fresh), preset=1)


def _key(books: tuple[Rulebook, ...], state: HandState) -> _Key:
    wanted = conditions_of(*books)
    for one in books:
        root = find_registered(one)
        conditions = conditions_of(root)
        if conditions.cover(wanted, state):
            return _Key(root, conditions, state)
    return _Key(books[-1], wanted, state)


class _Key:
    """The key of a universe in this process's cache; the book names the file."""

    def __init__(self, book: Rulebook, conditions: Conditions, state: HandState) -> None:
        self.book, self.conditions, self.state = book, conditions, state
        self.key = (conditions.digest, state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def path(self) -> Path:
        return result_cache.conditions_path("classes", self.book, self.conditions.digest, self.state.key, ".xz")


_REMEMBERED = 12


def _load_or_make(key: _Key, progress: Progress | None, *, fresh: bool = False) -> Classed:
    room = _lately(key)
    digest = key.conditions.digest
    files = () if fresh else (shipped_file(digest, key.state), key.path)
    found = None if fresh else room[0]
    for path in files:
        found = found or load(path, key.state, digest)
    if found is None:
        made = found = class_universe(key.conditions, key.state, progress)
        result_cache.store(key.path, lambda file: file.write(pack(made, preset=1)))
    result_cache.mark_used(key.path)
    room[0] = found
    return found


@lru_cache(_REMEMBERED)
def _lately(_: _Key) -> list[Classed | None]:
    """Return the place for a universe that was read or made lately."""
    return [None]


# ---- what is shipped

SHIPPED = tuple(
    tuple((STATES | MORE_STATES)[key] for key in keys.split())
    for keys in (
        "open-discard open-draw one-flower four-flowers pungs-open pungs-hidden",
        "closed-discard closed-draw",
        "closed-each",
        "open-each",
        "kongs hidden-kongs mixed-kongs one-kong",
        "single-closed",
        "single-open",
    )
)
"""The states of each file, in the order of importance; similar states share a file, which keeps it small."""
_FILES = {state: states[0] for states in SHIPPED for state in states}
MOST_SHIPPED = 600 << 10
"""Bytes for a book's conditions: states beyond that are sorted, and cached, on demand."""
_FOLDER = Path(__file__).parents[2] / "data" / "classes"


def shipped_file(conditions: str, state: HandState) -> Path:
    """Return the file of the package for conditions with this digest; there is none for most."""
    return _FOLDER / f"{conditions}-{_FILES.get(state, state).key}.xz"


def ship() -> None:
    """Write the files of every registered book, and remove those of conditions that no book has any more."""
    wanted = {conditions.digest: conditions for conditions in map(conditions_of, map(book, book_ids()))}
    _FOLDER.mkdir(exist_ok=True)
    for path in _FOLDER.glob("*.xz"):
        if path not in {shipped_file(digest, states[0]) for digest in wanted for states in SHIPPED}:
            path.unlink()
    for digest, conditions in wanted.items():
        room = MOST_SHIPPED
        for states in SHIPPED:
            path = shipped_file(digest, states[0])
            there = path.is_file()
            data = path.read_bytes() if there else pack(*(class_universe(conditions, state) for state in states))
            if len(data) <= room:
                room -= len(data)
                path.write_bytes(data)
            else:
                path.unlink(missing_ok=True)


def _write(data: bytes, file: BinaryIO) -> None:
    file.write(data)


def main(arguments: Sequence[str]) -> None:
    """Write the files that are shipped; refuse every argument before a file is touched."""
    program = "python -m quepu.fast.universe.classed_cache"
    argparse.ArgumentParser(prog=program, description=ship.__doc__).parse_args(arguments)
    ship()


if __name__ == "__main__":
    main(sys.argv[1:])
