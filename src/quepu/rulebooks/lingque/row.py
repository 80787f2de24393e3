"""The row of 灵雀: 副 and 翻, its categories, the value of a pair."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from quepu.rules.row import head

LUCK, SPECIAL, CALLS, SETS, HONOURS, TERMINALS, SUITS, RANKS, WHOLE, SAME, RELATED = (
    "偶然", "特殊", "鸣牌", "刻、杠", "字牌", "幺九", "花色", "序数", "全体关联", "部分一致", "部分关联",
)  # fmt: skip
"""The categories (类) of 番种, as written in the table at the end of v29."""

ENGLISH_CLASS = {
    "偶然": "luck", "特殊": "special", "鸣牌": "calls", "副露": "calls", "刻、杠": "pungs and kongs", "字牌": "honours",
    "幺九": "terminals", "花色": "suits", "序数": "ranks", "全体关联": "whole-hand relations",
    "部分一致": "equal chows", "部分关联": "partial relations",
}  # fmt: skip


class FuFan(NamedTuple):
    """The value of a row: 副 and 翻."""

    fu: int
    fan: int


@dataclass(frozen=True, slots=True)
class LingqueExtra:
    """Columns of 灵雀 alone.

    `pair` makes a row a 番牌: the value if the tile is only a pair; its pungs merge for the 翻.
    """

    pair: FuFan | None = field(
        default=None, metadata=head("只作雀头时的值（番牌）", "value as a pair only (fan tiles)")
    )
