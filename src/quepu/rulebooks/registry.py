"""The registry: every rulebook by id and alias, built on first use.

To add a book, add a line here; its aliases belong to the book (`Rulebook.aliases`). Books of installed packages come
after these (`quepu.rules.packages`).
"""

from __future__ import annotations

import importlib
from itertools import chain
from typing import TYPE_CHECKING, Final

from quepu.errors import UnknownName, near_names
from quepu.folding import fold
from quepu.rules.rulebook import Rulebook
from quepu.scoring.signatures import DEFAULT_RULES

if TYPE_CHECKING:
    from quepu.rules.packages import PackageProblem, Packages

_MODULES: dict[str, str] = {
    "lingque-29": "quepu.rulebooks.lingque",
    "lingque-26": "quepu.rulebooks.lingque",
    "yuque-54": "quepu.rulebooks.yuque",
    "guobiao": "quepu.rulebooks.guobiao",
    "guobiao-mcr": "quepu.rulebooks.guobiao",
    "guobiao-mil-2025": "quepu.rulebooks.guobiao",
    "canton": "quepu.rulebooks.canton",
}
_READINGS: dict[str, str] = {
    "guobiao-ema": "quepu.rulebooks.guobiao",
    "guobiao-jmsa": "quepu.rulebooks.guobiao",
}
"""Books that differ from another one in a line or two: found by id like any other, but not listed."""
_BOOKS: dict[str, Rulebook] = {}
_NEAR: Final = 0.65
"""Least similarity of a name to be suggested: names within one family are all similar."""


def book(name: str | Rulebook = DEFAULT_RULES) -> Rulebook:
    """Return the rulebook of this id or alias (a Rulebook is returned as it is).

    Raises:
        UnknownName: there is none.
    """
    if isinstance(name, Rulebook):
        return name
    if not isinstance(name, str):
        raise UnknownName("规则应是名称或 Rulebook。", "rules must be a name or a Rulebook.")
    if name in _BOOKS:
        return _BOOKS[name]
    plain, _, revision = fold(name).partition("@")
    module_of = {**_MODULES, **_READINGS}
    if plain not in module_of and _id_of(plain) not in module_of:
        module_of = {**_modules(), **_READINGS}
    key = plain if plain in module_of else _id_of(plain)
    if key not in module_of or (revision and not (revision.isascii() and revision.isdigit() and len(revision) < 4)):
        spellings = {one: one for one in module_of} | {alias: alias for one in module_of for alias in book(one).aliases}
        near = near_names(plain, spellings, most=3, cutoff=_NEAR)
        zh, en = f"没有规则“{name}”。", f"no rulebook {name!r}."
        if near:
            zh, en = f"{zh}是不是{'、'.join(near)}？", f"{en} Did you mean {' / '.join(near)}?"
        raise UnknownName(f"{zh}现有：{'、'.join(module_of)}。", f"{en} There are: {', '.join(module_of)}.")
    found = _load(key, module_of[key])
    if not revision or int(revision) == found.revision:
        return found
    earlier = found.at(int(revision))
    return _BOOKS.setdefault(earlier.id, earlier)


def _load(key: str, module: str) -> Rulebook:
    """Return the book of this id, from memory or from its module."""
    if key not in _BOOKS:
        for made in importlib.import_module(module).BOOKS:
            _BOOKS[made.id] = made
    return _BOOKS[key]


def _id_of(alias: str) -> str:
    """Return the id of the book with this (folded) alias, or the alias itself; families are loaded to look."""
    own = (*_MODULES.items(), *_READINGS.items())
    more = (pair for _ in (0,) for pair in _packages().modules.items())  # looked for only if none of ours has it
    for key, module in chain(own, more):
        if alias in map(fold, _load(key, module).aliases):
            return key
    return alias


def books() -> tuple[Rulebook, ...]:
    """Return every registered rulebook."""
    return tuple(book(name) for name in _modules())


def readings() -> tuple[Rulebook, ...]:
    """Return books that differ from another one in a line or two (国标 by EMA and JMSA); `books` leaves them out."""
    return tuple(book(name) for name in _READINGS)


def find_registered(book: Rulebook) -> Rulebook:
    """Return the registered book that this one is or was made from; its first origin if none is registered."""
    while book.origin is not None and _BOOKS.get(book.id) is not book:
        book = book.origin.book
    return book


def book_ids() -> tuple[str, ...]:
    """Return the ids of every registered rulebook; only those of installed packages are loaded."""
    return tuple(_modules())


def skipped_packages() -> tuple[PackageProblem, ...]:
    """Return the installed packages whose rulebooks cannot be used, with the reasons."""
    return _packages().problems


def _modules() -> dict[str, str]:
    """Return the module of every listed book, those of installed packages last."""
    return {**_MODULES, **_packages().modules}


def _packages() -> Packages:
    from quepu.rules.packages import Packages, find_installed, has_packages

    own = {**_MODULES, **_READINGS}
    aliases = (fold(alias) for key, module in own.items() for alias in _load(key, module).aliases)
    return find_installed(frozenset((*own, *aliases))) if has_packages() else Packages({}, ())
