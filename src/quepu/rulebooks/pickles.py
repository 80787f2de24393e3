"""Pickle rulebooks and fans by name: a pickle records how a book was made, without its conditions.

A registered book is its id; one made by `having` or `at` is the book before and the changes. A row's condition is
named by the registered row that has it, so that house rules with other values, names and options need no code in the
pickle; an external condition can be pickled if it is a function of a module. Loading compares fingerprints.
`quepu.rulebooks` imports this module when a book is first pickled.
"""

from __future__ import annotations

import pickle
from dataclasses import fields
from functools import lru_cache
from typing import Any, Final
from weakref import WeakKeyDictionary

from quepu.errors import Error, UnknownName
from quepu.hands.planes import Condition
from quepu.rulebooks.registry import book as find
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook

_LOADED_MOST: Final = 64
_BOOK: Final = tuple(field.name for field in fields(Rulebook) if field.name != "origin")
_FAN: Final = tuple(field.name for field in fields(Fan))
_CONDITIONS: Final = ("when", "on")
_recipes: WeakKeyDictionary[Rulebook, bytes] = WeakKeyDictionary()


# ---- books


def reduce_book(book: Rulebook, registered: dict[str, Rulebook]) -> tuple[Any, ...]:
    """Return a book's pickled form; `registered` are the books by id, as far as they were built."""
    if registered.get(book.id) is book:
        return load_registered, (book.id, book.fingerprint)
    if book not in _recipes:
        origin = book.origin
        made = (origin.book, origin.changes) if origin else tuple(getattr(book, name) for name in _BOOK)
        try:
            _recipes[book] = pickle.dumps(made)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            if isinstance(error, NotPortable):
                raise
            raise _not_portable(book.title.zh, book.title.en) from error
    return load_made, (_recipes[book], book.fingerprint)


class NotPortable(Error, pickle.PicklingError):
    """A book or fan that cannot be pickled: it has conditions that are not functions of a module."""


def _not_portable(zh: str, en: str) -> NotPortable:
    return NotPortable(
        f"{zh}不能在进程之间传送：自加番种的成立条件要写成模块里的函数，不能是 lambda。",
        f"{en} cannot be pickled: conditions of fans from outside must be functions of a module, not lambdas.",
    )


def load_registered(id: str, fingerprint: str) -> Rulebook:
    """Return the registered book of this id that scores as it did when pickled; an earlier revision if that one does.

    Raises:
        UnknownName: the book is unknown, or no longer scores that way.
    """
    book = find(id)
    for revision in range(book.revision, 0, -1):
        if (found := book.at(revision)).fingerprint == fingerprint:
            return found
    raise _describe_change(book, fingerprint)


@lru_cache(_LOADED_MOST)
def load_made(recipe: bytes, fingerprint: str) -> Rulebook:
    """Return a book made from another, or row by row; one object for all loaded pickles of it.

    Raises:
        UnknownName: a book, row or option no longer exists, or the book does not score as it did when pickled.
    """
    made = pickle.loads(recipe)  # noqa: S301  # part of a pickle that is being loaded
    if len(made) == 2:
        base, changes = made
        book: Rulebook = base.at(changes["revision"]) if "revision" in changes else base.having(**changes)
    else:
        book = Rulebook(**dict(zip(_BOOK, made, strict=True)))
    if book.fingerprint != fingerprint:
        raise _describe_change(book, fingerprint)
    return book


def _describe_change(book: Rulebook, fingerprint: str) -> UnknownName:
    return UnknownName(
        f"{book.title.zh}的计分与存下来时不同（指纹当时 {fingerprint}，现在 {book.fingerprint}）。",
        f"{book.title.en} does not score as when it was pickled (fingerprint then {fingerprint}, now"
        f" {book.fingerprint}).",
    )


# ---- rows


class _Named:
    """A condition in a pickle: a reference to the row of a registered book that has it."""

    def __init__(self, book: str, row: str, field: str) -> None:
        self.where = (book, row, field)

    def __reduce__(self) -> tuple[Any, ...]:
        return condition_of, self.where


def condition_of(book: str, row: str, field: str) -> Condition:
    """Return the condition of a row of a registered book.

    Raises:
        UnknownName: the book or row no longer exists.
    """
    found: Condition = getattr(find(book).fan(row), field)
    return found


def reduce_fan(fan: Fan, registered: dict[str, Rulebook]) -> tuple[Any, ...]:
    """Return a row's pickled form."""
    made = {name: getattr(fan, name) for name in _FAN}
    for name in _CONDITIONS:
        if made[name] is not None:
            made[name] = _portable(made[name], fan, registered)
    return load_fan, (made,)


def load_fan(made: dict[str, Any]) -> Fan:
    """Return a row from its fields."""
    return Fan(**made)


def _portable(condition: Condition, fan: Fan, registered: dict[str, Rulebook]) -> Condition | _Named:
    """Return the condition as a reference to the registered row that has it, or itself if it is a module's function."""
    try:
        pickle.dumps(condition)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        for book in registered.values():
            for row in book.fans:
                for name in _CONDITIONS:
                    if getattr(row, name) is condition:
                        return _Named(book.id, row.name, name)
        raise _not_portable(f"番种“{fan.name}”", f"the fan {fan.english!r}") from error
    return condition
