"""The guide of 国标 besides its fans: rules.toml and the examples of its text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from quepu.rules.guide import Part, Section, examples, faults, read
from quepu.rules.rulebook import Rulebook

_HERE = Path(__file__).parent


def sections(book: Rulebook) -> tuple[Section, ...]:
    """Return the rules in words and the examples of the book, of an overlay on it or of a house rule."""
    return read(_HERE / "rules.toml", book, {"examples": _examples, "faults": faults})


def _examples(book: Rulebook, _words: str) -> Iterable[Part]:
    yield from examples(_HERE / "examples.toml", lambda entry: book.id not in entry.get("not_in", ()), book)
