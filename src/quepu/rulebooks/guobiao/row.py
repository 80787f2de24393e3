"""The row of 国标; its category is its heading in the seed, its value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GuobiaoExtra:
    """Columns only 国标 has.

    `beside`: the row stays outside the minimum; `when_nothing`: it counts only if no other does (无番和). `source`: number,
    section and page of the row in the documents of a book that is not a seed.
    """

    beside: bool = False
    when_nothing: bool = False
    source: str | None = None
