"""The row of 广东: its categories, and its relation to the minimum and to other rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from quepu.rules.row import head

SHAPE, WAIT, MANNER, FLOWER, APART = "牌型", "叫糊", "食糊方式", "花牌", "牌外"
"""Categories of patterns. FLOWER and the dealer's fan never count towards the minimum; APART wins outside the tiles."""

ENGLISH_CLASS = {
    SHAPE: "hand shape", WAIT: "wait", MANNER: "winning manner", FLOWER: "flowers", APART: "outside the hand",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CantonExtra:
    """Columns of 广东 alone.

    `beside` keeps a pattern out of the minimum; `frees` are counted again when this row itself is not added;
    `only_with` names those of its implied patterns that accompany it only beside some other pattern; `each_more` is the
    value of a second time; `plain` holds only if no other pattern of tiles does.
    """

    beside: bool = field(default=False, metadata=head("不算进起和", "outside the minimum"))
    frees: tuple[str, ...] = field(
        default=(), metadata=head("自己不计时放回的番种", "fans counted again when this one is not added")
    )
    only_with: Mapping[str, str] | None = None
    each_more: int | None = field(default=None, metadata=head("第二次起每次计", "value of a second time"))
    plain: bool = field(
        default=False, metadata=head("没有别的牌型时才成立", "holds only if no other pattern of tiles does")
    )
