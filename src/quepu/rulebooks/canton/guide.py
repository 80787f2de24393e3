"""The guide of 广东 besides its patterns: rules.toml, the values in footnotes, the examples."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from quepu.errors import Text
from quepu.rules.guide import Grid, Part, Section, examples, faults, read
from quepu.rules.rulebook import Rulebook

_HERE = Path(__file__).parent


def sections(book: Rulebook) -> tuple[Section, ...]:
    """Return the rules in words, the footnotes and the examples of the book or a house rule of it."""
    return read(_HERE / "rules.toml", book, {"house": _house, "examples": _examples, "faults": faults})


def _house(book: Rulebook, _words: str) -> Iterable[Part]:
    """List the values that the footnotes allow; each is an option of the book, named after its pattern."""
    rows = []
    for option in book.options:
        if option.key in book.index:
            fan = book.fan(option.key)
            others = "、".join(map(str, option.choices[1:]))
            cells = (str(option.choices[0]), others, str(fan.value))
            rows.append((Text(fan.name, f"{fan.name} {fan.english}"), *(Text(cell, cell) for cell in cells)))
    heads = (Text("牌型", "pattern"), Text("番", "fan"), Text("可定为", "or"), Text("本桌", "this table"))
    yield Grid(Text("可自订的番数", "Values that may be set"), heads, tuple(rows), (1, 2, 3))


def _examples(book: Rulebook, _words: str) -> Iterable[Part]:
    yield from examples(_HERE / "examples.toml", lambda _entry: True, book, seat="S")
