"""Rulings in a file: how a family reads unclear places of its seed, one TOML table each, in both languages."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from quepu.errors import Text
from quepu.rules.parts import Ruling
from quepu.rules.row import Example

if TYPE_CHECKING:
    from quepu.rules.rulebook import Rulebook


def write_plain(sentence: str) -> str:
    r"""A sentence of a seed as it is shown: the formulas that its author set (`$n$`, `$\times 2$`) as plain text."""
    return re.sub(r"\$([^$]*)\$", r"\1", re.sub(r" *\$\\times (\d+)\$ *", r"×\1", sentence))


class Rulings(Sequence[Ruling]):
    """The rulings of a family's files, read on demand: scoring does not need them."""

    def __init__(self, *paths: str) -> None:
        self._paths = paths

    @cached_property
    def _read(self) -> tuple[Ruling, ...]:
        return tuple(ruling for path in self._paths for ruling in _of_file(path))

    @overload
    def __getitem__(self, at: int) -> Ruling: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Ruling]: ...

    def __getitem__(self, at: int | slice) -> Ruling | Sequence[Ruling]:
        return self._read[at]

    def __len__(self) -> int:
        return len(self._read)

    def __reduce__(self) -> tuple[type[tuple[Ruling, ...]], tuple[tuple[Ruling, ...]]]:
        return tuple, (self._read,)


def read(module: str, *names: str) -> Rulings:
    """Return the rulings in these files of `[[ruling]]` tables beside a module (its `__file__`).

    A table has id, question and answer (zh, en), sentence, tests, open, weight, edition, option, asks (hand …),
    alike (zh, en). A sentence is written as the seed has it, and read as it is shown.

    Raises:
        KeyError: when they are read, an entry lacks something: a mistake in the family's own file.
    """
    return Rulings(*(os.path.join(os.path.dirname(module), name) for name in names or ("rulings.toml",)))


def recorded_hands(book: Rulebook) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the hands in the tests of the rulings of a book, or of its base: the id of the ruling, and the request."""
    import json

    path = os.path.join(os.path.dirname(os.path.dirname(__file__)), "rulebooks", book.family, "ruling_hands.jsonl")
    if not os.path.isfile(path):
        return
    with open(path, encoding="utf-8") as file:
        for one in map(json.loads, file):
            if one["request"]["rules"] in (book.id, book.base):
                yield one["ruling"], one["request"]


def _of_file(path: str) -> tuple[Ruling, ...]:
    import tomllib

    with open(path, encoding="utf-8") as file:
        entries: list[dict[str, Any]] = tomllib.loads(file.read())["ruling"]
    return tuple(
        Ruling(
            entry["id"],
            Text(entry["question"]["zh"], entry["question"]["en"]),
            Text(entry["answer"]["zh"], entry["answer"]["en"]),
            write_plain(entry["sentence"]),
            tuple(entry["tests"]),
            entry.get("open", False),
            entry.get("weight", 0),
            entry.get("edition", ""),
            entry.get("option", ""),
            asks=tuple(Example(**one) for one in entry.get("asks", ())),
            alike=_text(entry.get("alike")),
        )
        for entry in entries
    )


def _text(entry: dict[str, str] | None) -> Text | None:
    return None if entry is None else Text(entry["zh"], entry["en"])
