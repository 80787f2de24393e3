"""The row of 国标; its category is its heading in the seed, its value."""

from __future__ import annotations

from dataclasses import dataclass, field

from quepu.rules.row import head


@dataclass(frozen=True, slots=True)
class GuobiaoExtra:
    """Columns only 国标 has.

    `beside`: the row stays outside the minimum; `when_nothing`: it counts only if no other does (无番和). `source`: number,
    section and page of the row in the documents of a book that is not a seed. `japanese`: the name in Japan.
    """

    beside: bool = field(default=False, metadata=head("不算进起和", "outside the minimum"))
    when_nothing: bool = field(default=False, metadata=head("没有别的番种时才计", "counts only if nothing else does"))
    source: str | None = field(default=None, metadata=head("出处", "source", kind="text"))
    japanese: str | None = field(default=None, metadata=head("日文名", "Japanese name", kind="name"))
