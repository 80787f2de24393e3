"""Read the entries of a column: a list, an array, a series of pandas or polars, or an Arrow array.

These libraries are imported only where a column is of one of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.errors import HandError, needs
from quepu.hands.hand import Hand
from quepu.rules.rulebook import Rulebook
from quepu.tiles import KINDS

SHORT = 60
"""Characters of an entry that an error shows."""
_LISTS = ("to_pylist", "to_list", "tolist")
"""Methods of Arrow arrays, polars, pandas and numpy that return plain values."""
_TEXT_TYPES = ("string", "large_string", "string_view")
_MANY = 500_000
"""Entries from which on it pays to import pyarrow."""
_RANGE, _WORD = 1 << 16, 1 << 62


def is_column(given: Any) -> bool:
    """Return whether a value has an entry for each hand, rather than being one for all of them."""
    if isinstance(given, (str, bytes, int, float, Hand, Rulebook, Mapping)) or given is None:
        return False
    if getattr(given, "shape", None) == ():
        return False
    return isinstance(given, Iterable) or hasattr(given, "__arrow_c_array__") or hasattr(given, "__arrow_c_stream__")


class Texts:
    """A column of texts as Arrow keeps it: compiled loops read its bytes, and Python gets single entries when it asks.

    `array` is a pyarrow.LargeStringArray.
    """

    def __init__(self, array: Any) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, i: int) -> Any:
        return self.array[i].as_py()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.array.to_pylist())

    def some(self, rows: NDArray[np.int64]) -> Texts:
        """Return the texts of some rows."""
        return Texts(self.array.take(rows))

    def buffers(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return the bytes of all texts, and where each begins and ends, int64 [2, N]; missing ones are empty."""
        data, at = self._places()
        bounds = np.stack([at[:-1], at[1:]])
        if self.array.null_count:
            bounds[1] = np.where(self.array.is_null(), bounds[0], bounds[1])
        return data, bounds

    def _places(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return the bytes of all texts, and where each begins and the last one ends, int64 [N + 1]."""
        n, (_, places, data) = len(self), self.array.buffers()
        if not n or data is None:
            return np.zeros(1, np.uint8), np.zeros(n + 1, np.int64)
        at = np.frombuffer(places, np.int64)[self.array.offset : self.array.offset + n + 1]
        return np.frombuffer(data, np.uint8), at

    def number(self) -> tuple[NDArray[np.int64], list[Any]]:
        """Number the entries as `number_entries` does, without a look at each if all are one byte or most are empty."""
        data, at = self._places()
        sizes = np.diff(at)
        if len(self) and not self.array.null_count:
            if sizes.min() == sizes.max() == 1:  # so none of them is above 127
                of, codes = _number_range(data[at[0] : at[-1]])
                return of, list(map(chr, codes))
            rows = np.flatnonzero(sizes)
            if len(rows) <= len(self) // 4:
                own, different = _number_encoded(self.array.take(rows))
                of = np.full(len(self), len(different), np.int64)
                of[rows] = own
                return of, [*different, ""]
        return _number_encoded(self.array)


def texts_of(column: Any) -> Texts | None:
    """Return a column of texts that Arrow can read, or None: of pyarrow, or of pandas or polars if pyarrow is there."""
    array = _arrow(column)
    if array is None or str(array.type) not in _TEXT_TYPES:
        return None
    import pyarrow

    array = array.cast(pyarrow.large_string())
    if isinstance(array, pyarrow.ChunkedArray):
        array = array.chunk(0) if array.num_chunks == 1 else array.combine_chunks()
    return Texts(array)


def _arrow(column: Any) -> Any:
    """Return a column as an array of pyarrow if it is one, or if its library hands it over without copying it."""
    if hasattr(column, "dictionary_encode"):
        return column
    if hasattr(column, "read_all"):  # a stream, which is read once
        return None
    if hasattr(column, "iloc"):  # pandas
        there = getattr(getattr(column, "dtype", None), "storage", "") == "pyarrow"
    else:
        there = hasattr(column, "__arrow_c_stream__")
        there = there and ("pyarrow" in sys.modules or (hasattr(column, "__len__") and len(column) > _MANY))
    if not there:
        return None
    try:
        import pyarrow
    except ModuleNotFoundError:
        return None
    return pyarrow.chunked_array(column)


def values(given: Any) -> list[Any] | NDArray[Any]:
    """Return the entries of a column: an array if they are numbers or truth values, else a list.

    Raises:
        MissingExtra: the column can only be read by pyarrow, which is not installed.
    """
    if isinstance(given, (list, tuple)):
        return list(given)
    if hasattr(given, "__array__") and not isinstance(given, np.ma.MaskedArray):
        start = given.iloc[:1] if hasattr(given, "iloc") else given[:1]
        if np.asarray(start).dtype.kind in "biu":
            every = np.asarray(given)
            if every.dtype.kind in "biu":  # not so if an entry further on is missing
                return every
    for name in _LISTS:
        if hasattr(given, name):
            return list(getattr(given, name)())
    if not isinstance(given, Iterable):
        needs("pyarrow")
        import pyarrow

        return list(pyarrow.chunked_array(given).to_pylist())
    return list(given)


def entries(hands: Any) -> list[Any] | NDArray[Any]:
    """Return hands given as a column or frame: texts and `Hand`s as a list, counts as an array.

    Raises:
        HandError: a frame of anything but one column of hands or a column of counts for each kind.
    """
    if isinstance(hands, np.ndarray):
        return hands.tolist() if hands.ndim == 1 and hands.dtype.kind in "UO" else hands
    if hasattr(hands, "read_all"):  # a stream of Arrow, which is read once
        hands = hands.read_all()
    table: NDArray[Any] | None = None
    if hasattr(hands, "columns") and hasattr(hands, "to_numpy"):
        table = np.asarray(hands.to_numpy())
    elif hasattr(hands, "__arrow_c_stream__") and not hasattr(hands, "to_numpy"):
        table = _fields(hands)
    if table is None:
        found = values(hands)
        return found if isinstance(found, np.ndarray) or len(found) else []
    if table.ndim == 2 and table.dtype.kind not in "iu" and table.shape[1] == 1:
        return list(table[:, 0].tolist())
    if table.ndim == 2 and table.shape[1] != KINDS:
        n = table.shape[1]
        raise HandError(
            f"这是有 {n} 列的表：请给写着手牌的那一列，或 34 列张数。",
            f"this is a frame with {n} columns: give its column of hands, or 34 columns of counts.",
        )
    return table


def _fields(hands: Any) -> NDArray[Any] | None:
    """Return a table of Arrow, or of a library that hands over such, as an array; None if it is a column."""
    try:
        import pyarrow
    except ModuleNotFoundError:  # `values` reads a column without it if it can
        return None
    whole = pyarrow.chunked_array(hands)
    if not pyarrow.types.is_struct(whole.type):
        return None
    columns = [np.asarray(field.to_numpy()) for field in whole.flatten()]
    return np.stack(columns, axis=1) if columns else np.zeros((len(whole), 0), np.int64)


def is_missing(value: Any) -> bool:
    """Return whether an entry is None, NaN, or the NA of a data frame."""
    if value is None or (isinstance(value, (float, np.floating)) and np.isnan(value)):
        return True
    return type(value).__name__ in ("NAType", "NaTType", "NullType")


def brief(value: Any) -> str:
    """Return the repr of a value, cut to a length that fits a sentence."""
    text = repr(value)
    return text if len(text) <= SHORT else f"{text[:SHORT]}…"


def number_entries(column: Any) -> tuple[NDArray[np.int64], list[Any]]:
    """Return the number of each entry among those that differ, and these; fast where the column's library knows."""
    texts = None if isinstance(column, (list, tuple, np.ndarray)) else texts_of(column)
    if texts is not None:
        return texts.number()
    if hasattr(column, "dictionary_encode"):  # Arrow
        try:
            return _number_encoded(column)
        except NotImplementedError:  # lists
            return number_entries(values(column))
    found = None if _is_of_objects(column) else values(column)
    if isinstance(found, np.ndarray) and len(found) and _is_narrow(int(found.min()), int(found.max())):
        return _number_range(found)
    if hasattr(column, "factorize"):  # pandas
        try:
            codes, different = column.factorize()
        except TypeError:  # lists, for example
            return number_entries(list(column))
        return np.where(codes < 0, len(different), codes), [*different.tolist(), None]
    found = values(column) if found is None else found
    entries = found.tolist() if isinstance(found, np.ndarray) else found
    try:
        number = {one: i for i, one in enumerate(dict.fromkeys(entries))}
    except TypeError:
        entries = [_hashable(one) for one in entries]
        number = {one: i for i, one in enumerate(dict.fromkeys(entries))}
    return np.fromiter(map(number.__getitem__, entries), np.int64, len(entries)), list(number)


def _is_of_objects(column: Any) -> bool:
    return getattr(getattr(column, "dtype", None), "kind", "") == "O"


def _is_narrow(low: int, high: int) -> bool:
    return high - low < _RANGE and high < _WORD


def _number_range(entries: NDArray[Any]) -> tuple[NDArray[np.int64], list[Any]]:
    """Number whole numbers or truth values that do not differ by much."""
    bytes_alone = entries.dtype.str[1:] in ("b1", "u1")
    low = 0 if bytes_alone else int(entries.min())
    shifted = entries.view(np.uint8) if bytes_alone else entries.astype(np.int64) - low
    there = np.flatnonzero(np.bincount(shifted))
    numbers = np.zeros(int(there[-1]) + 1, np.int64)
    numbers[there] = np.arange(len(there))
    return numbers[shifted], (there + low).astype(entries.dtype).tolist()


def _number_encoded(array: Any) -> tuple[NDArray[np.int64], list[Any]]:
    """Number the entries of an array of pyarrow.

    Raises:
        NotImplementedError: it cannot say which of its entries differ.
    """
    encoded = array.dictionary_encode()
    encoded = encoded.combine_chunks() if hasattr(encoded, "combine_chunks") else encoded
    of = np.asarray(encoded.indices.fill_null(len(encoded.dictionary)), np.int64)
    return of, [*encoded.dictionary.to_pylist(), None]


def _hashable(one: Any) -> Any:
    if isinstance(one, (list, set, np.ndarray)):
        return tuple(one)
    try:
        hash(one)
    except TypeError:
        return brief(one)
    return one
