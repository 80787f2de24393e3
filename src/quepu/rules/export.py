"""A house rulebook as Python rows for a pull request: a module that makes the same book with `Rulebook.having`.

Formulas become conditions in the words of `quepu.hands.planes`; rows that the house leaves alone are not repeated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from quepu.errors import OverlayError
from quepu.hands import planes
from quepu.rules.digest import expression
from quepu.rules.formula import Formula
from quepu.rules.formula_python import write_python
from quepu.rules.row import EACH, Fan
from quepu.rules.rulebook import Rulebook
from quepu.rules.written_formulas import written_condition

_FIELDS: Final = ("value", "when", "of", "most", "category", "sentence", "english", "definition", "drops", "implied",
                  "conflicts", "extra")  # fmt: skip
"""Fields of a row that a house may change."""
_TILES: Final = frozenset({"BIT", "EAST", "SOUTH", "WEST", "NORTH", "RED", "GREEN", "WHITE"})
Examples = Mapping[str, tuple[str, str]]
"""For a fan a hand that shows it and one that nearly does."""


def python_rows(base: Rulebook, book: Rulebook, examples: Examples | None = None) -> str:
    """Return the text of a module whose `BOOK` scores as `book`, which a house made from `base`.

    Raises:
        OverlayError: something of the book cannot be written in Python.
    """
    chosen = {key: choice for key, choice in book.chosen.items() if base.chosen.get(key) != choice}
    start = base.having(options=chosen)
    names = _names_now(start, book)
    renamed = {old: now for old, now in names.items() if old != now}
    gone = [fan.name for fan in start.fans if fan.name not in names]
    kept = {*names.values()}
    new = [fan for fan in book.fans if fan.name not in kept]
    changed = {fan.name: _changes(start, book, fan) for fan in start.fans if fan.name not in gone}
    parts: dict[str, str] = {"options": repr(chosen) if chosen else ""}
    parts["without"] = repr(gone) if gone else ""
    parts["aliases"] = repr(renamed) if renamed else ""
    first = _call("BASE", parts)
    rows = "".join(_row(book, fan, (examples or {}).get(fan.name)) for fan in new)
    cells = "".join(_cells(name, found) for name, found in changed.items() if found)
    settings = {key: value for key, value in book.settings.items() if start.settings.get(key) != value}
    order = [fan.name for fan in book.fans]
    usual = [renamed.get(fan.name, fan.name) for fan in start.fans if fan.name not in gone] + [fan.name for fan in new]
    second = _call(
        first,
        {
            "id": repr(book.id),
            "title": f"Text({book.title.zh!r}, {book.title.en!r})",
            "fans": "CHANGED" if cells else "",
            "add": "NEW" if rows else "",
            "settings": repr(settings) if settings else "",
            "minimum": repr(book.minimum) if book.minimum != start.minimum else "",
            "flower_value": repr(book.flower_value) if book.flower_value != start.flower_value else "",
            "order": repr(order) if order != usual else "",
            "classes": repr(dict(book.classes)) if book.classes != start.classes else "",
        },
    )
    body = (f"CHANGED = {{\n{cells}}}\n\n" if cells else "") + (f"NEW = (\n{rows})\n\n" if rows else "")
    text = f"BASE = book({base.id!r})\n\n{body}BOOK = {second}\n"
    head = f'"""{book.title.zh}: rows of a house, made from {base.id}."""\n\n'
    return head + _imports(text, book) + "\n" + text


def _now(book: Rulebook, fan: Fan) -> Fan | None:
    """Return what became of a row of the base, by its name or as an alias."""
    if fan.name not in book.index:
        return None
    found = book.fans[book.index[fan.name]]
    return found if found.name == fan.name or fan.name in found.aliases else None


def _names_now(start: Rulebook, book: Rulebook) -> dict[str, str]:
    """Map the rows that are still there to what they are called."""
    return {fan.name: now.name for fan in start.fans if (now := _now(book, fan)) is not None}


def _changes(start: Rulebook, book: Rulebook, fan: Fan) -> dict[str, str]:
    """Return the fields of a row that differ, in Python."""
    now = _now(book, fan)
    if now is None:
        return {}
    names = _names_now(start, book)
    found: dict[str, str] = {}
    for key in _FIELDS:
        before, after = getattr(fan, key), getattr(now, key)
        if key in ("drops", "implied", "conflicts"):
            before = tuple(names.get(name, name) for name in before)
        if key == "when" and expression(before) != expression(after):
            found[key] = condition_code(start, now)
            found["on"] = "None"
        elif key != "when" and before != after:
            found[key] = repr(after)
    return found


def _cells(name: str, found: Mapping[str, str]) -> str:
    lines = "".join(f'        "{key}": {text},\n' for key, text in found.items())
    return f"    {name!r}: {{\n{lines}    }},\n"


def _row(book: Rulebook, fan: Fan, hands: tuple[str, str] | None) -> str:
    """Return a new row as its book writes it; hands that are missing are for its author to add."""
    more = {
        "definition": repr(fan.definition) if fan.definition else "",
        "of": "EACH" if fan.of == EACH else str(fan.of) if fan.of else "",
        "drops": _names([name for name in fan.drops if name not in fan.implied]),
        "implied": _names(fan.implied),
        "conflicts": _names(fan.conflicts),
        "most": str(fan.most) if fan.most != 1 else "",
        "example": repr(hands[0] if hands else ""),
        "near_miss": repr(hands[1] if hands else ""),
        "extra": repr(fan.extra) if fan.extra is not None else "",
    }
    given = "".join(f"        {key}={text},\n" for key, text in more.items() if text)
    return (
        f"    fan({fan.name!r}, {fan.value!r}, {fan.category!r},\n        {fan.sentence!r},\n"
        f"        {condition_code(book, fan)}, {fan.english!r},\n{given}    ),\n"
    )


def _names(names: Iterable[str]) -> str:
    """Return names as a row lists them: with spaces between, or as a tuple if a name has one itself."""
    listed = tuple(names)
    return repr(listed if any(" " in name for name in listed) else " ".join(listed)) if listed else ""


def _call(of: str, parts: Mapping[str, str]) -> str:
    given = ", ".join(f"{key}={text}" for key, text in parts.items() if text)
    return f"{of}.having({given})" if given else of


def condition_code(book: Rulebook, fan: Fan) -> str:
    """Return the condition of a fan as a lambda.

    Raises:
        OverlayError: it is not a formula.
    """
    if not isinstance(fan.when, Formula):
        raise OverlayError(
            f"“{fan.name}”的条件不是公式，写不成 Python。", f"{fan.name!r} is not a formula, so it cannot be written."
        )
    code = _formula_code(book, fan.when)
    return f"lambda h: ({code}) & ALL_TILES" if fan.when.places else f"lambda h: {code}"


def _formula_code(book: Rulebook, formula: Formula) -> str:
    fans = {fan.name: fan for fan in formula.fans}

    def write_fan(name: str) -> str:
        when = fans[name].when
        found = when if isinstance(when, Formula) else written_condition(book, name) if name in book.index else None
        return f"BASE.fan({name!r}).when(h) != 0" if found is None else f"({_formula_code(book, found)}) != 0"

    return write_python(formula.tree, write_fan, lambda name: f"BASE.circumstances[{name!r}]")


def _imports(text: str, book: Rulebook) -> str:
    """Return the imports that the text needs."""
    code = re.sub(r"'[^'\n]*'|\"[^\"\n]*\"", "", text)
    used = {*re.findall(r"\b[A-Za-z_]\w*\b", code)}
    lines = ["from quepu.rulebooks import book\n"]
    groups: dict[str, set[str]] = {
        "quepu.errors": {"Text"} & used,
        "quepu.hands.hand": {"Luck"} & used,
        "quepu.hands.planes": {name for name in used if name in vars(planes) and name not in ("Any", "Luck")},
        "quepu.tiles": used & _TILES,
        "quepu.rules.row": {"fan", "EACH"} & used,
    }
    for one in {type(cell) for fan in book.fans for cell in (fan.value, fan.extra) if cell is not None}:
        if one.__name__ in used:
            groups.setdefault(one.__module__, set()).add(one.__name__)
    groups.pop("builtins", None)
    lines += [f"from {module} import {', '.join(sorted(names))}\n" for module, names in groups.items() if names]
    return "".join(sorted(lines))
