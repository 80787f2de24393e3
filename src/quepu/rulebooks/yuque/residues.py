"""有效组数 d(a, b): how many changes a hand with fan a may still need, in the worst case, to have b too.

One entry a line of the book's arithmetic: after a, b keeps d of its h groups (r = d/h). A fan that is not listed keeps
all of its groups. Tied groups (same or consecutive ranks, one suit) move together and cost one change. Each family
gives its reason. A name before a colon stands for all its variants: 清一色 for 清一色:萬, 清一色:筒 and 清一色:索.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from quepu.errors import Text


class Family(NamedTuple):
    """Entries with one reason: for each fan already counted, the fans that come after it and their d."""

    why: Text
    after: Mapping[str, Mapping[str, int]]


FAMILIES: tuple[Family, ...] = (
    Family(
        Text("字牌已占的牌组不必再改，只改其余的牌组。", "Honour sets already fit; only the other groups change."),
        {
            "大四喜": {"混带幺": 1, "字一色": 1, "混一色": 1, "混幺九": 1},
            "小四喜": {"混带幺": 1, "字一色": 1, "混一色": 1, "混幺九": 1},
            "三风刻": {"混带幺": 2, "字一色": 2, "混一色": 2, "混幺九": 2},
            "大三元": {"混带幺": 2, "字一色": 2, "混一色": 2, "混幺九": 2},
            "小三元": {"混带幺": 2, "字一色": 2, "混一色": 2, "混幺九": 2},
            "番牌": {"混带幺": 4, "混一色": 4, "混幺九": 4},
        },
    ),
    Family(
        Text(
            "风刻、箭刻本身就是幺九刻;“共三个”“雀头不为幺九牌”等附带条件不另计改变。",
            "Wind and dragon pungs are such pungs; side conditions (exactly three, the pair) cost nothing.",
        ),
        {
            "大四喜": {"幺九四刻": 0},
            "小四喜": {"幺九三刻": 0},
            "三风刻": {"幺九三刻": 0, "幺九四刻": 1},
            "大三元": {"幺九三刻": 0, "幺九四刻": 1},
            "小三元": {"幺九三刻": 1},
        },
    ),
    Family(
        Text(
            "序数相同的刻子一次同改为幺九;其余刻子各改一次。",
            "Pungs of one rank become terminals in one change; each other pung costs one.",
        ),
        {
            "三色同刻": {"幺九三刻": 1, "幺九四刻": 2},
            "二同刻": {"幺九四刻": 2},
            "双同刻": {"幺九三刻": 2, "幺九四刻": 3},
            "镜同": {"幺九四刻": 2},
        },
    ),
    Family(
        Text(
            "一气贯通、三连刻等已要求同花色:改一次花色则全部跟随,其余牌组各改一次。",
            "The fan already asks for one suit: its groups change suit together, each other group costs one.",
        ),
        {
            "一气贯通": {"清一色": 3, "混一色": 3},
            "清双龙会": {"清一色": 2, "混一色": 2},
            "双龙会": {"清一色": 3, "混一色": 3},
            "四步高": {"清一色": 2, "混一色": 2},
            "三步高": {"清一色": 3, "混一色": 3},
            "四连环": {"清一色": 2, "混一色": 2},
            "三连环": {"清一色": 3, "混一色": 3},
            "四连刻": {"清一色": 2, "混一色": 2},
            "三连刻": {"清一色": 3, "混一色": 3},
            "四同顺": {"清一色": 2, "混一色": 2},
            "三同顺": {"清一色": 3, "混一色": 3},
            "二般高": {"清一色": 3, "混一色": 3},
            "一般高": {"清一色": 4, "混一色": 4},
        },
    ),
    Family(
        Text(
            "番种表在清一色下规定：对数同的剩余数为 3/5。",
            "The table of fans says so under 清一色: 3/5 is left after 数同.",
        ),
        {"数同": {"清一色": 3}},
    ),
    Family(
        Text(
            "序数相同的牌组一次同改为带幺,其余牌组各改一次。",
            "Groups of one rank move to an end together, each other group costs one.",
        ),
        {
            "四同顺": {"清带幺": 2, "混带幺": 2},
            "三同顺": {"清带幺": 3, "混带幺": 3},
            "二般高": {"清带幺": 3, "混带幺": 3},
            "一般高": {"清带幺": 4, "混带幺": 4},
            "三色同顺": {"清带幺": 3, "混带幺": 3},
            "二相逢": {"清带幺": 3, "混带幺": 3},
            "喜相逢": {"清带幺": 4, "混带幺": 4},
            "三色同刻": {"清带幺": 3, "混带幺": 3, "清幺九": 3, "混幺九": 3},
            "二同刻": {"清带幺": 3, "混带幺": 3, "混幺九": 3},
            "双同刻": {"清带幺": 4, "混带幺": 4, "混幺九": 4},
            "镜同": {"清带幺": 3, "混带幺": 3, "清幺九": 3, "混幺九": 3},
        },
    ),
    Family(
        Text(
            "三副幺九刻已含幺九牌,只改另一副面子和雀头。",
            "The three pungs already hold terminals or honours; only the fourth set and the pair change.",
        ),
        {"幺九三刻": {"混带幺": 2}},
    ),
    Family(
        Text(
            "清带幺的雀头必是幺九牌,至多改四副面子。",
            "The pair of 清带幺 is always a terminal; at most the four sets change.",
        ),
        {"清带幺": {"混幺九": 4}},
    ),
    Family(  # ruling yuque-19
        Text(
            "混幺九的五组互不相同,另两色的幺九牌只有四种,所以至少有一组是该花色或字牌,至多改其余四组。",
            "The five groups of 混幺九 are all different tiles and the other two suits have only four terminals, so at least "
            "one group is of the suit or an honour; at most the other four change.",
        ),
        {"混幺九": {"混一色": 4}},
    ),
    Family(  # ruling yuque-13
        Text(
            "混一色必有字牌,那一组已是幺九,至多改其余四组。",
            "A half flush always holds an honour group, which fits; at most the other four change.",
        ),
        {"混一色": {"混幺九": 4}},
    ),
    Family(
        Text(
            "雀头一次,每个不居中的序数关联一次,每副自由面子一次。",
            "The pair once, each tie that is off centre once, each free meld once.",
        ),
        {
            "一气贯通": {"数同": 2},
            "清双龙会": {"数同": 2},
            "双龙会": {"数同": 2},
            "三步高": {"数同": 2},
            "四连环": {"数同": 1},
            "三连环": {"数同": 2},
            "三连刻": {"数同": 2},
            "四同顺": {"数同": 1},
            "三同顺": {"数同": 2},
            "二般高": {"数同": 2},
            "一般高": {"数同": 3},
            "三色同顺": {"数同": 2},
            "二相逢": {"数同": 2},
            "喜相逢": {"数同": 3},
            "二同刻": {"数同": 2},
            "双同刻": {"数同": 3},
            "镜同": {"数同": 2},
        },
    ),
    Family(
        Text("改一副面子即成。", "One change of the remaining meld does it."),
        {
            "一气贯通": {"一般高": 1, "喜相逢": 1},
            "三色贯通": {"一般高": 1, "喜相逢": 1},
            "清双龙会": {"一般高": 1},
            "双龙会": {"一般高": 1, "喜相逢": 1},
            "三步高": {"一般高": 1, "喜相逢": 1},
            "三连环": {"一般高": 1, "喜相逢": 1},
            "三连刻": {"双同刻": 1},
            "三色连刻": {"双同刻": 1},
            "三同顺": {"二般高": 1, "喜相逢": 1},
            "二般高": {"三同顺": 1, "喜相逢": 1},
            "一般高": {"喜相逢": 1},
            "三色同顺": {"一般高": 1},
            "二相逢": {"一般高": 1},
            "喜相逢": {"一般高": 1},
        },
    ),
    Family(
        Text(
            "两组关联的面子整组移动,改一次即成。",
            "Two tied couples: moving one couple does it.",
        ),
        {
            "清双龙会": {"二般高": 1},
            "双龙会": {"二般高": 1, "二相逢": 1, "镜同": 1},
            "二般高": {"二相逢": 1, "镜同": 1},
            "二相逢": {"二般高": 1},
        },
    ),
    Family(
        Text("已有一组两副，再改其余两副。", "One couple is there; the other two melds change."),
        {
            "一般高": {"三色同顺": 2, "二相逢": 2, "镜同": 2},
            "喜相逢": {"三同顺": 2, "二般高": 2},
        },
    ),
    Family(
        Text(
            "优先级为 0 的番种只对门前清有剩余数:已是暗刻的面子不必再改。",
            "Of priority 0 only concealed pungs spare 门前清 anything: they are closed already.",
        ),
        {
            "三暗刻": {"门前清": 1},
            "双暗刻": {"门前清": 2},
        },
    ),
)


@cache
def entries() -> dict[tuple[str, str], tuple[int, Text]]:
    """Map (a, b) to d and the reason, with short names for variants (清一色, 混一色, 番牌)."""
    return {
        (a, b): (d, family.why) for family in FAMILIES for a, later in family.after.items() for b, d in later.items()
    }


def stem(name: str) -> str:
    """Return the name used in a variant's entries: 清一色 for 清一色:萬."""
    return name.partition(":")[0]


def residue(a: str, b: str) -> int | None:
    """Return d(a, b) of two fans that share groups, or None if b keeps all of its groups."""
    found = entries().get((stem(a), stem(b)))
    return None if found is None else found[0]


def reason(a: str, b: str) -> Text | None:
    """Say why d(a, b) has its value, or return None if b keeps all of its groups."""
    found = entries().get((stem(a), stem(b)))
    return None if found is None else found[1]
