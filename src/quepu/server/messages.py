"""What every message between server and client is made of. The shapes stand in `…_messages.py`, each part's in its own.

The client's types are generated from them (`typescript.py`).
"""

from __future__ import annotations

import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Wind = Literal["E", "S", "W", "N"]
Short = Annotated[str, Field(max_length=200)]
Who = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
"""A random name that a browser keeps."""


def _writable(text: str) -> str:
    if any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in text):
        raise ValueError("control characters")
    return text


Writable = AfterValidator(_writable)
"""Text on one line that every database and page can hold: no control characters, no halves of characters."""


class Shape(BaseModel):
    """Base: nothing unnamed goes in or out."""

    model_config = ConfigDict(extra="forbid")


class Said(Shape):
    """A sentence in both languages."""

    zh: str
    en: str


class Refused(Shape):
    """What is said instead of an answer: the sentence, and the position in the hand's text if it is about that."""

    valid: Literal[False] = False
    error: str
    at: int | None = None
