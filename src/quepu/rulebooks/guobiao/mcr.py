"""What competitions and platforms play (`guobiao-mcr`): the changes to the seed's book, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from quepu.errors import Text
from quepu.planes import (
    HONOUR_TILES,
    OUTER,
    PAIRS,
    STANDARD,
    TERMINALS,
    Planes,
    count,
    is_form,
    only,
)
from quepu.rulebook import Rulebook
from quepu.rulebooks.guobiao.options import PLAYED, answered, options
from quepu.rulebooks.guobiao.row import fan, shown

NAMES = {"碰碰胡": "碰碰和", "胡绝张": "和绝张", "门清": "门前清", "坎张": "嵌张"}


def with_kongs(h: Planes, all_of_them: int, concealed: int) -> Any:
    """Whether the hand has so many kongs, so many of them concealed."""
    return (count(h.k) == all_of_them) & (count(h.kc) == concealed)


MIXED_KONGS = fan(
    "明暗杠", 5, "一副明杠和一副暗杠（竞赛规则所有，原文没有）。",
    lambda h: with_kongs(h, 2, 1), "Melded and Concealed Kong", of=2, rulings="G1 G7",
    example=shown("123m456p9s[EEEE](1111s)+9s"), near_miss=shown("123m456p9s(EEEE)(1111s)+9s"),
)  # fmt: skip

CHANGES: dict[str, dict[str, Any]] = {
    # kongs of both kinds have a fan of their own, so each of these speaks of its exact number
    "双暗杠": {"when": lambda h: with_kongs(h, 2, 2)},
    "明杠": {"when": lambda h: with_kongs(h, 1, 0)},
    "暗杠": {"when": lambda h: with_kongs(h, 1, 1)},
    # seven pairs of such tiles count too
    "清幺九": {"when": lambda h: only(h, TERMINALS)},
    "字一色": {"when": lambda h: only(h, HONOUR_TILES)},
    "混幺九": {"when": lambda h: only(h, OUTER) & is_form(h, STANDARD | PAIRS)},
}


def played(book: Rulebook) -> Rulebook:
    """The seed's book as competitions and platforms play it."""
    mcr = book.having(
        id="guobiao-mcr",
        title=Text("国标麻将（竞赛）", "MCR as competitions play it"),
        values={"双暗杠": 6},
        fans=CHANGES,
        add=(MIXED_KONGS,),
        aliases=NAMES,
    )
    mcr = answered(mcr, **PLAYED)
    rows = tuple(sorted(mcr.fans, key=lambda row: -row.value))
    return replace(mcr, fans=rows, aliases=("mcr",), options=options(PLAYED))
