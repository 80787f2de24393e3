"""The registry: every rulebook by id and alias, built when first asked for. Adding a book is adding a line here."""

from __future__ import annotations

import importlib

from quepu.errors import UnknownName
from quepu.rulebook import Rulebook

_MODULES: dict[str, str] = {
    "lingque-29": "quepu.rulebooks.lingque",
    "lingque-26": "quepu.rulebooks.lingque",
    "yuque-54": "quepu.rulebooks.yuque",
    "guobiao": "quepu.rulebooks.guobiao",
    "guobiao-mcr": "quepu.rulebooks.guobiao",
    "canton": "quepu.rulebooks.canton",
}
_ALIASES: dict[str, str] = {
    "lingque": "lingque-29", "灵雀": "lingque-29", "灵雀29": "lingque-29", "灵雀26": "lingque-26",
    "yuque": "yuque-54", "玉雀": "yuque-54",
    "国标": "guobiao", "mcr": "guobiao-mcr", "国标麻将": "guobiao",
    "cantonese": "canton", "广东": "canton", "广东麻雀": "canton",
}  # fmt: skip
_BOOKS: dict[str, Rulebook] = {}


def book(name: str | Rulebook = "lingque-29") -> Rulebook:
    """The rulebook of this id or alias (a Rulebook is handed back as it is).

    Raises:
        UnknownName: there is none.
    """
    if isinstance(name, Rulebook):
        return name
    key = _ALIASES.get(name, name)
    if key not in _MODULES:
        known = "、".join(_MODULES)
        raise UnknownName(
            f"没有规则“{name}”。现有：{known}。", f"no rulebook {name!r}; there are: {', '.join(_MODULES)}."
        )
    if key not in _BOOKS:
        module = importlib.import_module(_MODULES[key])
        for made in module.BOOKS:
            _BOOKS[made.id] = made
    return _BOOKS[key]


def books() -> tuple[Rulebook, ...]:
    """Every registered rulebook."""
    return tuple(book(name) for name in _MODULES)


def book_ids() -> tuple[str, ...]:
    """The ids of every registered rulebook, without loading any."""
    return tuple(_MODULES)
