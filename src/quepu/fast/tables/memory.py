"""The arrays of tables and of a book, found in a context; for numba, and without a plain twin.

`at` is the address of a context, ENTRY_WORDS words for each entry that `quepu.fast.tables.columns` names. A call then
hands over numbers only: whole arrays would cost more than what most functions do. Each function here is one expression,
which `quepu.fast.tables.code` writes out where the function is called.
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from quepu.fast.tables import columns as c


def entry(at: Any, name: Any) -> Any:
    """The number or address of an entry."""
    return word_at(at, c.ENTRY_WORDS * name)


def size_of(at: Any, name: Any, axis: Any) -> Any:
    """A dimension of an entry's array."""
    return word_at(at, c.ENTRY_WORDS * name + 1 + axis)


def numbers_of(at: Any, i: Any) -> Any:
    """The numbers of table i."""
    return int64s(entry(at, c.AT_NUMBERS) + 8 * c.SCALARS * i, (c.SCALARS,))


def seat_of(at: Any, i: Any, seat: Any) -> Any:
    """The numbers of a seat."""
    return int64s(entry(at, c.AT_SEATS) + 8 * c.OF_SEAT * (4 * i + seat), (c.OF_SEAT,))


def held_by(at: Any, i: Any, seat: Any) -> Any:
    """The copies of each kind that a seat holds."""
    return int8s(entry(at, c.AT_COUNTS) + c.ALL_KINDS * (4 * i + seat), (c.ALL_KINDS,))


def kinds_by(at: Any, i: Any, seat: Any) -> Any:
    """The same without flowers, as one row of a table."""
    return int8s(entry(at, c.AT_COUNTS) + c.ALL_KINDS * (4 * i + seat), (1, c.KINDS))


def melds_by(at: Any, i: Any, seat: Any) -> Any:
    """The melds of a seat: kind, lowest tile, who gave a tile for it (-1 none)."""
    return int8s(entry(at, c.AT_MELDS) + 12 * (4 * i + seat), (4, 3))


def lists_by(at: Any, i: Any, seat: Any) -> Any:
    """The kinds that a seat holds four times, and those of its pungs, in the order they came."""
    return int8s(entry(at, c.AT_LISTS) + 8 * (4 * i + seat), (2, 4))


def visible_at(at: Any, i: Any) -> Any:
    """The copies of each kind that lie open."""
    return int8s(entry(at, c.AT_VISIBLE) + c.ALL_KINDS * i, (c.ALL_KINDS,))


def generator_of(at: Any, i: Any, seat: Any) -> Any:
    """The generator of a seat's bot."""
    return uint32s(entry(at, c.AT_GENERATORS) + 2500 * (4 * i + seat), (625,))


def wall_of(at: Any, i: Any) -> Any:
    """The wall in the order of drawing."""
    return uint8s(entry(at, c.AT_WALLS) + size_of(at, c.AT_WALLS, 1) * i, (size_of(at, c.AT_WALLS, 1),))


def log_of(at: Any, i: Any) -> Any:
    """The events so far."""
    return int64s(entry(at, c.AT_LOG) + 8 * c.MOST_EVENTS * i, (c.MOST_EVENTS,))


def words_of(at: Any, i: Any, k: Any) -> Any:
    """The numbers of the k-th question of a table."""
    return int64s(entry(at, c.AT_WORDS) + 40 * (c.QUESTIONS_MOST * i + k), (5,))


def rules_of(at: Any) -> Any:
    """The book's numbers."""
    return int64s(entry(at, c.AT_RULES), (22,))


def options_of(at: Any, other: Any) -> Any:
    """Room for the options of a seat: action, tile, lowest tile or whether it declares."""
    return int64s(entry(at, c.AT_OPTIONS) + 24 * c.MOST_OPTIONS * other, (c.MOST_OPTIONS, 3))


def by_kind(at: Any, name: Any) -> Any:
    """A number of each kind."""
    return int64s(entry(at, name), (c.KINDS,))


def list_of(at: Any, name: Any) -> Any:
    """A list of numbers."""
    return int64s(entry(at, name), (size_of(at, name, 0),))


def table_of(at: Any, name: Any) -> Any:
    """A table of numbers."""
    return int64s(entry(at, name), (size_of(at, name, 0), size_of(at, name, 1)))


def cube_of(at: Any, name: Any) -> Any:
    """A table of numbers with three dimensions."""
    return int64s(entry(at, name), (size_of(at, name, 0), size_of(at, name, 1), size_of(at, name, 2)))


def values_of(at: Any, name: Any) -> Any:
    """A list of numbers with fractions."""
    return float64s(entry(at, name), (size_of(at, name, 0),))
