"""The row of 玉雀: its categories, and the columns of the book's two tables."""

from __future__ import annotations

from dataclasses import dataclass, field

from quepu.rules.row import head

PUNGS, ACCIDENTS = "刻子类", "偶然类"
GATES, HONOURS, COLOURS, EQUAL, IN_A_ROW, SYMMETRY, OUTER_PUNGS, CLOSED_HAND = (
    "九莲宝灯", "字牌", "花色、幺九", "同顺、同刻", "连顺、连刻", "镜同、数同", "幺九刻", "门前清",
)  # fmt: skip
"""The families of table II (牌型类; 门前清), which the book numbers from 1 and does not name."""
ENGLISH_CLASS = {
    PUNGS: "pungs", ACCIDENTS: "accidents", GATES: "nine gates", HONOURS: "honours", COLOURS: "suits and terminals",
    EQUAL: "equal chows and pungs", IN_A_ROW: "chows and pungs in a row", SYMMETRY: "symmetry",
    OUTER_PUNGS: "outer pungs", CLOSED_HAND: "concealed hand",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class YuqueExtra:
    """Columns of 玉雀 alone.

    `number`, `groups` and `priority` are the book's 序号, 涉及组数 and 优先级. `off` is subtracted after the fan is
    counted (15-2), `cut` reduces its value if 番刻 are counted. `serves`: the pungs it consists of are 番刻.
    """

    number: str = field(default="", metadata=head("序号", "number"))
    groups: int = field(default=0, metadata=head("涉及组数", "groups"))
    priority: int = field(default=0, metadata=head("优先级", "priority"))
    off: int = field(default=0, metadata=head("计入后扣去的番", "fan taken off once counted"))
    cut: int = field(default=0, metadata=head("有番刻时扣去的番", "fan taken off beside fan pungs"))
    serves: bool = field(default=False, metadata=head("其刻子是番刻", "its pungs are fan pungs"))
