"""The row of 国标; its category is its heading in the seed, its value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GuobiaoExtra:
    """Columns only 国标 has: whether a row stays outside the minimum, or counts only if no other does (无番和)."""

    beside: bool = False
    when_nothing: bool = False
