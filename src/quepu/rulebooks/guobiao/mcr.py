"""What competitions and platforms play (`guobiao-mcr`): the changes to the seed's book, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from quepu.errors import Text
from quepu.planes import (
    EDGE,
    GAP,
    HONOUR_TILES,
    LOOSE,
    ORPHANS,
    OUTER,
    PAIRS,
    SINGLE,
    STANDARD,
    TERMINALS,
    Planes,
    count,
    is_form,
    nine_gates,
    only,
)
from quepu.rulebook import Rulebook
from quepu.rulebooks.guobiao.row import fan, shown
from quepu.rulebooks.guobiao.rows_2_and_1 import finished
from quepu.rulebooks.guobiao.rows_8_to_4 import closed, drawn

NAMES = {"碰碰胡": "碰碰和", "胡绝张": "和绝张", "门清": "门前清", "坎张": "嵌张"}


def sole_formal_wait(h: Planes) -> Any:
    """Whether the hand waited for one tile only, tiles of which it holds all four being waited for as well."""
    return count(h.waits) + count(h.dead_waits) == 1


def with_kongs(h: Planes, all_of_them: int, concealed: int) -> Any:
    """Whether the hand has so many kongs, so many of them concealed."""
    return (count(h.k) == all_of_them) & (count(h.kc) == concealed)


def takes_self_drawn(h: Planes) -> Any:
    """Whether the hand is one of those that, being concealed anyway, count 自摸 and not 不求人."""
    return is_form(h, PAIRS | ORPHANS | LOOSE) | (count(h.pc) == 4) | nine_gates(h) & (h.k == 0) & closed(h)


MIXED_KONGS = fan(
    "明暗杠", 5, "",
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
    # what is concealed by its nature counts 自摸 when drawn
    "不求人": {"when": lambda h: drawn(h) & closed(h) & (takes_self_drawn(h) == 0)},
    # only a sole wait, formally
    "边张": {"when": lambda h: finished(h, EDGE) & sole_formal_wait(h)},
    "坎张": {"when": lambda h: finished(h, GAP) & sole_formal_wait(h)},
    "单钓将": {"when": lambda h: finished(h, SINGLE) & sole_formal_wait(h)},
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
    return replace(mcr, fans=tuple(sorted(mcr.fans, key=lambda row: -row.value)), aliases=("mcr",))
