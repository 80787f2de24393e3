"""Base of everything that is read from files and requests: checked on the way in, and nothing unnamed accepted."""

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
"""Text on one line that every database and page can hold: no control characters, no halves of characters."""


PlayerId = Annotated[str, Field(pattern="^[0-9a-z]{4,24}$")]
"""A player, whatever he is called; see `quepu.scorekeeper.roster`."""


class Schema(BaseModel):
    """Base: nothing unnamed goes in or out."""

    model_config = ConfigDict(extra="forbid")
