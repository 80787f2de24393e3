"""Shared parts of the messages between server and client; each part's own are in its `messages`.

The client's types are generated from them (`typescript.py`).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from quepu.schema import Schema, Short, Wind, Writable

__all__ = ["ABSENT", "Bilingual", "BookWords", "Refused", "ReplayStart", "Schema", "Short", "Who", "Wind", "Writable"]

ABSENT: Any = Field(default=None)
"""Marks a key that may be missing, but is never null."""

Who = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
"""A random name that a browser keeps."""


class Bilingual(Schema):
    """A sentence in both languages."""

    zh: str
    en: str


class BookWords(Schema):
    """A book's own words: a hand, a hand without a winner, the match, the acts of winner and discarder."""

    hand: Bilingual
    drawn: Bilingual
    match: Bilingual
    won: Bilingual
    discarded: Bilingual


class ReplayStart(Schema):
    """The position of a replay from which a table continues: its frame `at`, in `hand`, seen from `seat`.

    `redealt`: unseen tiles were dealt again at random; otherwise they are as in the log. `alone`: the match ends with
    this hand.
    """

    replay: str
    at: int
    hand: int
    seat: Wind
    redealt: bool
    alone: bool


class Refused(Schema):
    """A refusal: the sentence, and the position in the hand's text if it is about that."""

    valid: Literal[False] = False
    error: str
    at: int | None = None
