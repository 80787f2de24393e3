"""Parts of every message between server and client. The shapes stand in `…_messages.py`, each part's in its own.

The client's types are generated from them (`typescript.py`).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from quepu.schema import Schema, Short, Wind, Writable

__all__ = ["ABSENT", "Bilingual", "BookWords", "Refused", "ReplayStart", "Schema", "Short", "Who", "Wind", "Writable"]

ABSENT: Any = Field(default=None)
"""Of a key that may be missing, but is never null."""

Who = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
"""A random name that a browser keeps."""


class Bilingual(Schema):
    """A sentence in both languages."""

    zh: str
    en: str


class BookWords(Schema):
    """A book's own words: one hand, a hand nobody won, the whole match, what a winner and a discarder do."""

    hand: Bilingual
    drawn: Bilingual
    match: Bilingual
    won: Bilingual
    discarded: Bilingual


class ReplayStart(Schema):
    """The position of a replay from which a table plays on: its picture `at`, in `hand`, seen from `seat`.

    `redealt`: what that seat had not seen was dealt anew, each way alike; else it is as in the record. `alone`: the
    match ends with this hand.
    """

    replay: str
    at: int
    hand: int
    seat: Wind
    redealt: bool
    alone: bool


class Refused(Schema):
    """Refusal instead of an answer: the sentence, and the position in the hand's text if it is about that."""

    valid: Literal[False] = False
    error: str
    at: int | None = None
