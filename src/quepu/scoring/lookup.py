"""Find fans and rulings of a book by what a user types: a name, an alias, a part of one, a category, an id."""

from __future__ import annotations

import re

from quepu.errors import Text, UnknownName, join_list
from quepu.folding import fold
from quepu.rules.circumstances import spellings
from quepu.rules.row import Fan
from quepu.rules.rulebook import Rulebook, Ruling


def find_fans(book: Rulebook, name: str) -> list[Fan]:
    """Return the fan of this name, or all that share an alias (花幺 in 广东 is two)."""
    both = [fan for fan in book.fans if fold(name) in map(fold, fan.aliases)]
    return both if len(both) > 1 else [find_fan(book, name)]


def find_fan(book: Rulebook, name: str) -> Fan:
    """Return the fan of this name, or the only one whose name contains it; the error suggests similar names."""
    low = fold(name)
    try:
        return book.fan(name)
    except UnknownName:
        if (other := spellings(book).get(low)) in book.index:
            return book.fan(other)  # one of its circumstances has this name in other books
        near = [f for f in book.fans if any(low in fold(n) for n in (f.name, f.english, *f.former, *f.aliases))]
        if len(near) == 1:
            return near[0]
        raise


def in_category(book: Rulebook, category: str) -> list[Fan]:
    """Return the fans of a category, or all."""
    if not category:
        return list(book.fans)
    wanted = fold(category)
    found = [f for f in book.fans if wanted in (fold(f.category), fold(book.class_name(f.category, "en")))]
    if not found:
        named = dict.fromkeys(
            Text(*(book.class_name(fan.category, lang) for lang in ("zh", "en"))) for fan in book.fans
        )
        listed = join_list(named)
        raise UnknownName(
            f"{book.title.zh}没有“{category}”这一类，现有：{listed.zh}。",
            f"{book.title.en} has no category {category!r}; there are: {listed.en}.",
        )
    return found


def find_rulings(book: Rulebook, id: str) -> list[Ruling]:
    """Return the rulings with this id, or with this number at the end of their id.

    Raises:
        UnknownName: there is none.
    """
    found = [one for one in book.rulings if id.casefold() == one.id.casefold()]
    found = found or [one for one in book.rulings if id == re.sub(r"^\D+", "", one.id)]
    if not found:
        ids = join_list(one.id for one in book.rulings)
        raise UnknownName(
            f"{book.title.zh}没有裁定“{id}”，现有：{ids.zh}。",
            f"{book.title.en} has no ruling {id!r}; there are: {ids.en}.",
        )
    return found
