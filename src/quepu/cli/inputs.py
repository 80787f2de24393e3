"""From what is typed to hands and rulebooks; errors remember the text that they speak about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from quepu.errors import Error
from quepu.hands.hand import Hand
from quepu.rules.rulebook import Rulebook


@contextmanager
def error_source(source: str) -> Iterator[None]:
    """Errors raised inside are about this text: whoever shows them can point into it."""
    try:
        yield
    except Error as error:
        if error.at is not None:
            error.source = source  # type: ignore[attr-defined]  # only the command line looks for it
        raise


def rulebook(name: str) -> Rulebook:
    """A rulebook by id, alias or the path of a .toml file."""
    from quepu.rulebooks import named

    return named(name)


def hand_of(text: str) -> Hand:
    """The hand in a text."""
    from quepu.hands.notation import parse

    with error_source(text):
        return parse(text)


def natural(text: str) -> int | None:
    """The whole number that is written so, in ASCII digits and not absurdly many; None if none is."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None


def names_of(given: Iterable[str]) -> list[str]:
    """Names given one by one, or several in one word: 岭上开花,海底捞月; in English with commas between."""
    found: list[str] = []
    for word in given:
        for part in re.split("[，、,;；]", word):
            found += [part.strip()] if any(c.isascii() and c.isalpha() for c in part) else part.split()
    return found


def situated(hand: Hand, book: Rulebook, settings: dict[str, Any]) -> Hand:
    """The hand with seat, round, circumstances and flowers as they were typed."""
    from quepu.rules.circumstances import situate

    return situate(hand, book, **settings)
