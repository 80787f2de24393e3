"""Base of everything read from files and requests: validated on entry, and unknown fields refused."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Wind = Literal["E", "S", "W", "N"]
Short = Annotated[str, Field(max_length=200)]


def _writable(text: str) -> str:
    if any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in text):
        raise ValueError("control characters")
    return text


Writable = AfterValidator(_writable)
"""Text on one line that every database and page can hold: no control characters or lone surrogates."""


LONGEST_PERSON = 40
"""Most characters of a person's name at desks, score tables, clubs and rooms."""
PersonName = Annotated[str, Field(min_length=1, max_length=LONGEST_PERSON), Writable]
"""The name of a person at desks, score tables, clubs and rooms."""


PlayerId = Annotated[str, Field(pattern="^[0-9a-z]{4,24}$")]
"""The id of a player, independent of the name; see `quepu.scorekeeper.roster`."""


class Schema(BaseModel):
    """Base of schemas: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")
