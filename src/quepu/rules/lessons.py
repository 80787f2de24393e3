"""Lessons of a rulebook as data: who the book is for, and the screens from which a beginner learns it.

`lessons.toml` beside this module has ten lessons for any book. A family may have a `lessons.toml` of its own beside its
guide (`Rulebook.guide`): its screens replace those of the same lesson and key, or are added at the end of their lesson;
`[welcome]` says in a sentence who plays the book, and `[[fan]]` describes fans in a beginner's words.

A screen is a table of the file: `lesson`, `key`, `kind` (how it is asked), `text` and `ask` in both languages, and what
its kind needs (a hand, tiles to choose from …). It never has the answer: `quepu.server.practice.course` works that out.
`edition` limits a screen to one edition, `drop` leaves it out, and `{name}` is filled in from the facts of the guide.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple

from quepu.errors import Text
from quepu.rules.rulebook import Rulebook

ScreenData = Mapping[str, Any]


class Welcome(NamedTuple):
    """Answer to “Which mahjong do you play?”: a name, a sentence, tiles as a picture, and the `book` it stands for.

    Books are offered by `order`; beginners who have no book of their own begin with the first.
    """

    book: str
    name: Text
    text: Text
    tiles: str
    order: int


class Lesson(NamedTuple):
    """A lesson: its screens in order."""

    key: str
    title: Text
    screens: tuple[ScreenData, ...]


def welcome(book: Rulebook) -> Welcome | None:
    """Return how a book is offered to newcomers, or None if its family offers another one, or none."""
    found = _of_family(book).get("welcome")
    if found is None or found["book"] != book.id:
        return None
    return Welcome(book.id, Text(**found["name"]), Text(**found["text"]), found["tiles"], found["order"])


def describe_fan(book: Rulebook, fan: str) -> Text | None:
    """Return a fan in a beginner's words, or None if the family has none for it."""
    return next((Text(one["zh"], one["en"]) for one in _of_family(book).get("fan", ()) if one["name"] == fan), None)


def lessons(book: Rulebook) -> tuple[Lesson, ...]:
    """Return the lessons of a book: those of any book, with the family's own screens in their place."""
    usual, family = _usual(), _of_family(book).get("screen", ())
    own = [one for one in family if one.get("edition", book.edition) == book.edition]
    replaced = {(one["lesson"], one["key"]): one for one in own}
    made = []
    for key, title in usual["lesson"].items():
        there = [one for one in usual["screen"] if one["lesson"] == key]
        screens = [replaced.get((key, one["key"]), one) for one in there]
        screens += [one for one in own if one["lesson"] == key and one not in screens]
        made.append(Lesson(key, Text(**title), tuple(one for one in screens if not one.get("drop"))))
    return tuple(made)


@lru_cache(1)
def _usual() -> dict[str, Any]:
    return tomllib.loads(resources.files("quepu.rules").joinpath("lessons.toml").read_text("utf-8"))


def _of_family(book: Rulebook) -> dict[str, Any]:
    """Return the family's own file; empty where there is none."""
    return _file(book.guide.rpartition(".")[0]) if book.guide else {}


@lru_cache(32)
def _file(package: str) -> dict[str, Any]:
    file = resources.files(package).joinpath("lessons.toml")
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
