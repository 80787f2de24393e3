"""Figures of a rulebook's fans measured by the lab, in the package (see `quepu.lab.published_figures`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple

from quepu.errors import Text
from quepu.rules.rulebook import Rulebook


class Figure(NamedTuple):
    """A fan's share among all wins of one state (see `measured_in`), and its cheapest hand in any state."""

    share: float | None
    least: int | None
    least_hand: str | None


@lru_cache(64)
def _read(name: str) -> dict[str, Any] | None:
    file = resources.files("quepu").joinpath(f"data/{name}.json")
    if not file.is_file():  # a house rule, or a source tree without the generated file
        return None
    read: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return read


def _find_figures(book: Rulebook) -> dict[str, Any] | None:
    """Return the figures computed for exactly this book, by its fingerprint."""
    stored = _read(f"rarity-{book.id}")
    return stored if stored and stored["fingerprint"] == book.fingerprint else None


def figures(book: Rulebook) -> Mapping[str, Figure]:
    """Return the figures of a book's fans by name; empty for a book (or house rule) without figures."""
    stored = _find_figures(book)
    if stored is None:
        return {}
    return {name: Figure(one["share"] or None, one["least"], one["least_hand"]) for name, one in stored["fans"].items()}


def usual(book: Rulebook) -> tuple[int, ...]:
    """Return usual wins under a book at the table, the most frequent first (`quepu.arena.usual`).

    Flowers that are entered separately are left out, fans of flowers are not. A house rule takes the values of its
    family, without those below its minimum.
    """
    return tuple(value for value in _usual(book) if value >= book.minimum)


def top_tenth(book: Rulebook) -> int | None:
    """Return the least value of the highest tenth of usual wins; None if none are known."""
    found, seen = _usual(book), 0
    for value in sorted(found, reverse=True):
        seen += found[value]
        if 10 * seen >= sum(found.values()):
            return value
    return None


def _usual(book: Rulebook) -> dict[int, int]:
    """Return the usual wins of the book, or of its family: value → how often."""
    stored: dict[str, dict[str, int]] = _read("usual") or {}
    own = stored.get(book.id) or next((stored[id] for id in stored if id.split("-")[0] == book.family), {})
    return {int(value): n for value, n in own.items()}


def measured_in(book: Rulebook) -> Text | None:
    """Return the state of the hands behind the shares of a book's fans (see docs/guide/lab.md)."""
    stored = _find_figures(book)
    return None if stored is None else Text(stored["state"]["zh"], stored["state"]["en"])


def commonest(book: Rulebook) -> tuple[str, ...]:
    """Return the fans of a book by how often wins at the table hold them, the most frequent first.

    Games of bots that play like people are counted; where there are none for this very book, all possible wins.
    """
    for name in (f"wins-{book.id}-people", f"wins-{book.id}"):
        played = _read(name)
        if played and played["fingerprint"] == book.fingerprint:
            counts: dict[str, float] = played["fans"]
            return tuple(sorted(counts, key=lambda fan: -counts[fan]))
    shares = {name: one.share or 0.0 for name, one in figures(book).items()}
    return tuple(sorted(shares, key=lambda fan: -shares[fan]))
