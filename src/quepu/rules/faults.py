"""Faults at the table: their names, prices and consequences, and a house's own version of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from quepu.errors import Text

_FAULTS_IN_ENGLISH = {
    "错和": "false win", "诈和": "win of an unready hand", "诈糊": "false win", "和错牌": "win on a wrong tile",
    "冲和": "false win, hand shown", "报和未亮牌": "win not shown", "和牌不规范": "win not announced properly",
    "相公": "wrong number of tiles", "错吃碰杠": "wrong claim", "空吃碰杠": "empty claim", "错鸣牌": "wrong call",
    "错报鸣牌": "wrong word for a call", "错喊和": "call announced as a win", "错加杠": "wrong added kong",
    "错暗杠": "wrong concealed kong", "提前摸牌": "draw out of turn", "摸错位置": "draw from a wrong place",
    "错摭牌": "wrong draw", "补花次序": "flowers out of turn", "毁坏牌墙": "wall destroyed",
    "毁坏牌河": "discards disturbed", "错明牌:自家": "own tile shown", "错明牌:别家": "another's tile shown",
    "错明牌:多张": "many tiles shown", "迟到": "late", "迟到十分钟": "late by 10 minutes",
    "迟到十五分钟": "late by 15 minutes", "缺席": "absent",
    "改正吃碰杠": "wrong claim mended", "未取所报": "claimed tile not taken", "摸错入手": "wrong draw kept",
    "错补花": "false flower", "动和牌": "hand used as counters", "传递信息": "information passed",
    "拖延": "obstruction",
    "报和收回": "win withdrawn", "死手报和": "win of a dead hand", "未取和牌张": "winning tile not taken",
}  # fmt: skip


def fault_name(key: str) -> Text:
    """Return the name of a fault in both languages."""
    return Text(key, _FAULTS_IN_ENGLISH.get(key, key))


class Fault(NamedTuple):
    """A fault at the table, its cost and its consequences.

    `points` go to the pool ("pool"), from the offender to each of the others ("others": `points` to each), to the one
    player whom the fault harmed ("one"), or to no one ("nobody"). `again` has the prices of the same player's second,
    third … such fault of a match, the last number for all further ones; a first warning is `points` of 0 with `again`.
    `barred`: no win and no claim for the rest of this hand (停和陪打). `remedies` name the ways to make it good, each
    in words; if one is used, the bar is not applied. `names` are other words for it. `open`: the rules give no
    figure, so the referee sets the price.
    """

    key: str
    text: Text
    points: int
    to: Literal["pool", "others", "one", "nobody"] = "pool"
    barred: bool = False
    remedies: tuple[Text, ...] = ()
    again: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    open: bool = False

    @property
    def name(self) -> Text:
        """Name of the fault; a house's own fault has one name for every language."""
        return fault_name(self.key)

    @property
    def typed(self) -> Text:
        """Its name as a single word for input: in English with hyphens."""
        return Text(self.name.zh, self.name.en.replace(" ", "-"))

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every name by which it is found."""
        return (self.key, *self.names, self.name.en, self.typed.en)

    def amount(self, before: int = 0) -> int:
        """Return the price for a player who committed it this often before in this match."""
        return self.points if not before or not self.again else self.again[min(before, len(self.again)) - 1]

    @property
    def price(self) -> Text:
        """Its points in words: "10", or "警告，再犯 10、20"."""
        if self.open:
            return Text("由裁判定", "up to the referee")
        first = Text(str(self.points), str(self.points)) if self.points or not self.again else Text("警告", "a warning")
        if not self.again:
            return first
        more = [str(points) for points in self.again]
        return Text(f"{first.zh}，再犯 {'、'.join(more)}", f"{first.en}, then {', '.join(more)}")


RECEIVERS = {
    "pool": Text("交公池", "to the pool"),
    "others": Text("赔各家", "to each other player"),
    "one": Text("赔受害的一家", "to the player it harmed"),
    "nobody": Text("不归任何人", "paid to nobody"),
}
"""The receiver of the points of a fault."""

FaultChange = tuple[str, tuple[tuple[str, Any], ...] | None]
"""A house's own version of a fault: its name, and fields of `Fault` to set (None: no such fault)."""


def change_faults(faults: tuple[Fault, ...], changes: Sequence[FaultChange]) -> tuple[Fault, ...]:
    """Return a book's faults as changed by a house: other amounts, some removed, some added."""
    made = list(faults)
    for name, fields in changes:
        at = next((i for i, one in enumerate(made) if name in (one.key, *one.names)), None)
        if fields is None:
            made = [one for i, one in enumerate(made) if i != at]
        elif at is None:
            made.append(Fault(**{"key": name, "text": Text(name, name), "points": 0, "to": "others", **dict(fields)}))
        else:
            made[at] = made[at]._replace(**dict(fields))
    return tuple(made)
