"""A case: a request as `quepu score --jsonl` reads it, what is expected of the answer, and the sentence it rests on."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

KINDS: Final = ("example", "positive", "near miss", "clause", "ruling", "payment")


class Case(NamedTuple):
    """One case. `expect` has points, total and fans (names and counts), or seats and pool of a payment."""

    id: str
    kind: str
    """example (of the book itself), positive and near miss (of `fan`), clause (`fan` holds and is not counted), ruling
    (a hand that a ruling decides), payment (who pays: `request` has `pay` instead of a hand)."""
    fan: str | None
    request: dict[str, Any]
    expect: dict[str, Any]
    sentence: str
    rulings: tuple[str, ...] = ()

    def line(self) -> str:
        """The case as a line of JSON."""
        return json.dumps(self._asdict(), ensure_ascii=False)


def _text(name: str) -> str | None:
    file = resources.files("quepu").joinpath(f"data/conformance/{name}")
    return file.read_text("utf-8") if file.is_file() else None


def cases(book_id: str) -> list[Case]:
    """The cases of a registered book; none for a house rule."""
    text = _text(f"{book_id}.jsonl") or ""
    return [Case(**{**data, "rulings": tuple(data["rulings"])}) for data in map(json.loads, text.splitlines())]


@cache
def _results() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(_text("results.json") or "{}")
    return found


def recorded(book_id: str, digest: str) -> tuple[int, int] | None:
    """Number of cases passed, of how many, when this book was last run; None if its scores may have changed since.

    digest: what a change of scores changes (`Rulebook.fingerprint`).
    """
    one = _results().get(book_id)
    return (one["passing"], one["cases"]) if one and one["digest"] == digest else None
