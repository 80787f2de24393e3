"""The row of 国标; its category is the heading it stands under in the seed, its worth."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GuobiaoExtra:
    """Columns of 国标 alone: whether a row counts beside the minimum, or only when no other does (无番和)."""

    beside: bool = False
    when_nothing: bool = False
