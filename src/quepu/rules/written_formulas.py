"""Conditions of a book's fans in words: formulas that a family writes beside its rows.

A family has a file `formulas.toml` beside the module of its guide, by names of fans. It serves its editions and house
rules too: a formula is given for a fan only if it holds as the fan does in the hands that (nearly) show any fan.
"""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from quepu.errors import Error
from quepu.rules.condition_trial import shown_hands
from quepu.rules.formula import Formula, parse_formula
from quepu.rules.row import EACH, Fan
from quepu.rules.rulebook import Rulebook


@cache
def family_formulas(guide: str) -> Mapping[str, str]:
    """Return the formulas beside a family's guide, by fan; empty if it has none."""
    if not guide:
        return {}
    file = importlib.import_module(guide).__file__
    path = Path(file or "").with_name("formulas.toml")
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def written_formulas(book: Rulebook) -> Mapping[str, str]:
    """Return the formulas of a book's fans, by name, as far as they are written in words."""
    found: dict[str, str] | None = book.notes.get("written formulas")
    if found is None:
        listed = family_formulas(book.guide)
        found = book.notes["written formulas"] = {}
        for fan in book.fans:
            if isinstance(fan.when, Formula):
                found[fan.name] = fan.when.text
                continue
            text = next((listed[name] for name in (fan.name, *fan.aliases) if name in listed), None)
            if text is not None and _fits(book, fan, text):
                found[fan.name] = text
    return found


def written_condition(book: Rulebook, name: str) -> Formula | None:
    """Return the formula of a fan, or None if it has none; it never means the fan itself."""
    fan = book.fan(name)
    if isinstance(fan.when, Formula):
        return fan.when
    text = written_formulas(book).get(fan.name)
    return None if text is None else parse_formula(text, book.having(without=[fan.name]))


def _fits(book: Rulebook, fan: Fan, text: str) -> bool:
    """Whether a formula holds as often as a fan in the sample hands of a book."""
    try:
        condition = parse_formula(text, book.having(without=[fan.name]))
    except Error:
        return False  # it names a fan or a circumstance that this edition lacks
    return all(min(int(condition(h)), fan.most) == _count_held(fan, h) for h in shown_hands(book))


def _count_held(fan: Fan, h: object) -> int:
    found = int(fan.when(h))  # type: ignore[arg-type]  # planes
    return min(found.bit_count() if fan.of == EACH else found, fan.most)
