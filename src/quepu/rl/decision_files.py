"""Files of decisions: `.npz` and `.parquet`, written from parts, so that memory holds one part of one column.

Until all parts are there each has a small compressed file of its own, in a folder beside the file to be written.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.lib import format as npy

from quepu.errors import Error, cannot_read, cannot_write, many, needs
from quepu.rl.encodings import Array

COLUMNS = ("observation", "mask", "action", "hand", "seat", "points", "won", "dealt_in", "drawn_hand")


class DataError(Error):
    """Positions that cannot be written so, or a file that is none."""


class Decisions(NamedTuple):
    """Columns by name (`quepu.rl.data` has what they are), and what they are of.

    Examples:
        >>> from quepu.rl.data import from_bots
        >>> made = from_bots("guobiao-mcr", ["random"] * 4, hands=2)
        >>> made, made.columns["observation"].shape[1:], made.about["bots"][0]
        (Decisions('guobiao-mcr': 222 decisions, counts), (70, 42), 'random')
    """

    columns: dict[str, Array]
    about: dict[str, Any]

    def __len__(self) -> int:
        return len(self.columns["action"])

    def __repr__(self) -> str:
        rules, encoding = self.about.get("rules"), self.about.get("encoding")
        return f"Decisions({rules!r}: {many(len(self), 'decision')}, {encoding})"


class _Columns(Protocol):
    """Columns of some decisions, in memory or read when they are asked for."""

    def __getitem__(self, name: str, /) -> Array:
        """A column."""


def pack(columns: dict[str, Array]) -> bytes:
    """Columns as the bytes of a compressed file, made in little time: it is there for a while only."""
    file = io.BytesIO()
    _write_npz(file, {}, [columns], len(columns["action"]), level=1)
    return file.getvalue()


class _Stored:
    """Columns in a file; it is open only while one is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __getitem__(self, name: str, /) -> Array:
        with np.load(self.path) as stored:
            found: Array = stored[name]
            return found


class PartFiles:
    """Parts on disk until `save` makes one file of them."""

    def __init__(self, target: Path) -> None:
        """Make a folder for parts beside the file.

        Raises:
            HandError: there can be none.
        """
        self.target = target
        self._parts: dict[int, _Stored] = {}
        self._rows = 0
        try:
            self._folder = TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent)
        except OSError as wrong:
            raise cannot_write(target, wrong) from wrong

    def __enter__(self) -> PartFiles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def add(self, at: int, part: bytes) -> None:
        """Store a `packed` part at its place among the others.

        Raises:
            HandError: it cannot be written.
        """
        path = Path(self._folder.name) / f"{at}.npz"
        try:
            path.write_bytes(part)
        except OSError as wrong:
            raise cannot_write(self.target, wrong) from wrong
        self._parts[at] = _Stored(path)

    def save(self, about: dict[str, Any]) -> dict[str, Any]:
        """Write all parts in their order as one file; return `about` with the number of positions.

        Raises:
            HandError: it cannot be written.
        """
        return {**about, "positions": _write(self.target, about, [self._parts[at] for at in sorted(self._parts)])}


def check_name(path: str | Path) -> Path:
    """A name that positions can be written under, before they are made.

        >>> check_name("plain.npz").suffix
        '.npz'

    Raises:
        DataError: it ends neither .npz nor .parquet.
        MissingExtra: pyarrow is not installed.
    """
    target = Path(path)
    if target.suffix == ".parquet":
        needs("pyarrow")
    elif target.suffix != ".npz":
        raise DataError(f"{target.name} 应以 .npz 或 .parquet 结尾。", f"{target.name} must end in .npz or .parquet.")
    return target


def save(decisions: Decisions, path: str | Path) -> None:
    """Write them: `.npz` (compressed, with `about` as JSON text) or `.parquet` (pyarrow; observations are lists).

        >>> from quepu.rl.data import from_bots
        >>> save(from_bots("guobiao-mcr", ["random"] * 4, hands=2), "random.npz")
        >>> load("random.npz").about["hands"]
        2

    Raises:
        DataError: the name ends otherwise.
        MissingExtra: pyarrow is not installed.
        HandError: the file cannot be written.
    """
    _write(check_name(path), decisions.about, [decisions.columns])


def _write(target: Path, about: dict[str, Any], parts: Sequence[_Columns]) -> int:
    """Write parts as one file, which is there when it is whole; how many positions there are."""
    positions = sum(len(part["action"]) for part in parts)
    half = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        if target.suffix == ".npz":
            _write_npz(half, about, parts, positions)
        else:
            _write_parquet(half, about, parts)
        half.replace(target)
    except OSError as wrong:
        raise cannot_write(target, wrong) from wrong
    finally:
        half.unlink(missing_ok=True)
    return positions


def _write_npz(
    target: Path | io.BytesIO,
    about: dict[str, Any],
    parts: Sequence[_Columns],
    positions: int,
    level: int | None = None,
) -> None:
    """Write the same file as `np.savez_compressed`, one column and one part at a time."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as file:
        _write_member(file, "about", [np.array(json.dumps(about))], ())
        for name in COLUMNS:
            _write_member(file, name, (part[name] for part in parts), (positions, *parts[0][name].shape[1:]))


def _write_member(file: zipfile.ZipFile, name: str, arrays: Iterable[Array], shape: tuple[int, ...]) -> None:
    with file.open(f"{name}.npy", "w", force_zip64=True) as member:
        for number, array in enumerate(arrays):
            if not number:
                header = {"descr": npy.dtype_to_descr(array.dtype), "fortran_order": False, "shape": shape}
                npy.write_array_header_1_0(member, header)
            member.write(np.ascontiguousarray(array).tobytes())


def _write_parquet(target: Path, about: dict[str, Any], parts: Sequence[_Columns]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    shapes = {name: list(parts[0][name].shape[1:]) for name in COLUMNS if parts[0][name].ndim > 1}
    meta = {"quepu": json.dumps({**about, "shapes": shapes})}

    def table(part: _Columns) -> Any:
        columns = {}
        for name in COLUMNS:
            column = part[name]
            values = pa.array(column.reshape(-1))
            if name in shapes:
                values = pa.FixedSizeListArray.from_arrays(values, int(np.prod(shapes[name])))
            columns[name] = values
        return pa.table(columns).replace_schema_metadata(meta)

    with parquet.ParquetWriter(target, table(parts[0]).schema, compression="zstd") as file:
        for part in parts:
            file.write_table(table(part))


def load(path: str | Path) -> Decisions:
    """Read decisions from an `.npz` file.

        >>> from quepu.rl.data import from_bots
        >>> save(from_bots("guobiao-mcr", ["random"] * 4, hands=2), "random.npz")
        >>> load("random.npz")
        Decisions('guobiao-mcr': 222 decisions, counts)

    Raises:
        DataError: it is not such a file.
        HandError: it cannot be read.
    """
    try:
        with np.load(path) as stored:
            columns = {name: stored[name] for name in COLUMNS}
            return Decisions(columns, json.loads(str(stored["about"])))
    except OSError as wrong:
        if wrong.errno is None:
            raise _none(path) from wrong
        raise cannot_read(path, wrong) from wrong
    except (ValueError, KeyError, TypeError, EOFError, AttributeError, zipfile.BadZipFile, zlib.error) as wrong:
        raise _none(path) from wrong


def _none(path: str | Path) -> DataError:
    return DataError(f"{path} 不是 quepu data 写的文件。", f"{path} is not a file written by quepu data.")
