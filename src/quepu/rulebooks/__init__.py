"""The rulebooks: found by id or alias (`quepu.rulebooks.registry`), or made by a file of house rules; pickled by name."""

from __future__ import annotations

import copyreg
import os
from typing import Any

from quepu.errors import OverlayError, UnknownName
from quepu.rulebooks.registry import (
    _BOOKS,
    _MODULES,
    book,
    book_ids,
    books,
    find_registered,
    readings,
    skipped_packages,
)
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook

__all__ = [
    "_BOOKS",
    "_MODULES",
    "book",
    "book_ids",
    "books",
    "find_book",
    "find_registered",
    "readings",
    "skipped_packages",
]  # fmt: skip


def find_book(name: str | Rulebook, *, recorded: bool = False) -> Rulebook:
    """Return a rulebook by id, alias or path of a .toml file of house rules; never for untrusted names.

    `recorded`: games were played by that file (`house_rules.read`).

    Raises:
        UnknownName: the book does not exist.
        OverlayError: the file cannot be read or applied.
    """
    if isinstance(name, str) and name.endswith(".toml"):
        from quepu.rulebooks.house_rules import load

        return load(name, recorded=recorded)
    try:
        return book(name)
    except UnknownName:
        if isinstance(name, str) and (os.sep in name or os.path.exists(name)):
            raise OverlayError(
                f"{name} 不是规则文件：规则文件的名称以 .toml 结尾。",
                f"{name} is not a rules file: its name must end in .toml.",
            ) from None
        raise


def _reduce_book(book: Rulebook) -> tuple[Any, ...]:
    from quepu.rulebooks import pickles

    return pickles.reduce_book(book, _BOOKS)


def _reduce_fan(fan: Fan) -> tuple[Any, ...]:
    from quepu.rulebooks import pickles

    return pickles.reduce_fan(fan, _BOOKS)


copyreg.pickle(Rulebook, _reduce_book)
copyreg.pickle(Fan, _reduce_fan)
