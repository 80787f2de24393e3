"""The book of platforms (`guobiao-mcr`) and the League's of 2025, each as changes to the book before it.

The League's fourteen clauses on counting (rulings L1 to L14) agree with `guobiao-mcr` row by row; only its penalties
and the conduct of a match differ. Europe (EMA) and Japan (JMSA) are made from it (`readings`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from quepu.errors import Text
from quepu.hands.planes import (
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
from quepu.rulebooks.guobiao.arithmetic import MOST_TIMES, Principles
from quepu.rulebooks.guobiao.options import PLAYED, answer_options, options
from quepu.rules.row import fan
from quepu.rules.rulebook import Correction, Rulebook
from quepu.rules.rulings import read

NAMES = {"碰碰胡": "碰碰和", "胡绝张": "和绝张", "门清": "门前清", "坎张": "嵌张"}


def with_kongs(h: Planes, all_of_them: int, concealed: int) -> Any:
    """Whether the hand has this many kongs, this many of them concealed."""
    return (count(h.k) == all_of_them) & (count(h.kc) == concealed)


MIXED_KONGS = fan("明暗杠", 5, "5番", "一副明杠和一副暗杠（竞赛规则所有，原文没有）。",
    lambda h: with_kongs(h, 2, 1), "Melded and Concealed Kong",
        definition="One exposed and one concealed kong.", of=2,
    example="123m456p9s[EEEE](1111s)+9s", near_miss="123m456p9s(EEEE)(1111s)+9s", rulings="G1 G7")  # fmt: skip

CHANGES: dict[str, dict[str, Any]] = {
    # kongs of both kinds have a fan of their own, so each of these speaks of its exact number
    "双暗杠": {
        "when": lambda h: with_kongs(h, 2, 2),
        "sentence": "和牌中，有两副暗杠（恰好两副杠）。",
        "definition": "Exactly two kongs, both concealed.",
        "category": "6番",
    },
    "明杠": {
        "when": lambda h: with_kongs(h, 1, 0),
        "sentence": "和牌中，只有一副杠，是明杠。",
        "definition": "Exactly one kong, an exposed one.",
    },
    "暗杠": {
        "when": lambda h: with_kongs(h, 1, 1),
        "sentence": "和牌中，只有一副杠，是暗杠。",
        "definition": "Exactly one kong, a concealed one.",
    },
    # seven pairs of such tiles count too
    "清幺九": {
        "when": lambda h: only(h, TERMINALS),
        "sentence": "由序数牌一、九刻子（杠）、将牌组成的和牌；七对也可。",
        "definition": "Ones and nines only; as seven pairs too.",
    },
    "字一色": {
        "when": lambda h: only(h, HONOUR_TILES),
        "sentence": "由字牌的刻子（杠）、将牌组成的和牌；七对也可。",
        "definition": "Honours only; as seven pairs too.",
    },
    "混幺九": {
        "when": lambda h: only(h, OUTER) & is_form(h, STANDARD | PAIRS),
        "sentence": "由字牌和序数牌一、九的刻子（杠）、将牌组成的和牌；七对也可。",
        "definition": "Terminals and honours only; as seven pairs too.",
    },
}


def build_platform_book(book: Rulebook) -> Rulebook:
    """Return the seed's book as platforms play it; where they differ, as PyMahjongGB counts (G14, G16)."""
    mcr = book.having(
        id="guobiao-mcr",
        title=Text("国标麻将（平台通行）", "MCR (online platforms)"),
        values={"双暗杠": 6},
        fans=CHANGES,
        add=(MIXED_KONGS,),
        aliases=NAMES,
    )
    mcr = answer_options(mcr, **PLAYED)
    rows = tuple(sorted(mcr.fans, key=lambda row: -row.value))
    return replace(
        mcr,
        fans=rows,
        settings={key: mcr.settings[key] for key in mcr.settings if key not in Principles.new_fans},
        aliases=("mcr",),
        options=options(PLAYED),
        circumstances={NAMES.get(name, name): bits for name, bits in book.circumstances.items()},
        near={**{other: NAMES.get(name, name) for other, name in book.near.items() if other not in NAMES.values()},
              **{name: NAMES[name] for name in book.circumstances if name in NAMES}},
        corrections=CORRECTIONS,
        play="quepu.rulebooks.guobiao.competition",
    )  # fmt: skip


def _find_first(book: Rulebook) -> Rulebook:
    """Return the book as it was first played, before the correction of 2026-11-22."""
    old = {new: name for name, new in NAMES.items()}
    return replace(
        book.having(settings={"penalties": ""}),
        circumstances={old.get(name, name): bits for name, bits in book.circumstances.items()},
        near={NAMES.get(other, other): old.get(name, name) for other, name in book.near.items()},
    )  # fmt: skip


CORRECTIONS = (
    Correction(
        "2026-11-22",
        Text(
            "和绝张这一情形也照番种的叫法（此前叫胡绝张）；错和改为 1998 年的每家 10，此前每家 16。",
            "A circumstance is named like its fan; a false win costs 10 to each, as in 1998; it was 16.",
        ),
        _find_first,
    ),
    MOST_TIMES,
)


PENALTIES = ("2025", "1998", "none")


def league(mcr: Rulebook) -> Rulebook:
    """Return the book of the International League's supplementary rules (trial, 2025)."""
    made = mcr.having(
        id="guobiao-mil-2025",
        title=Text("国标麻将（2025）", "MCR (MIL 2025)"),
        settings={"penalties": "2025"},
    )
    return replace(
        made,
        aliases=("国标2025", "mil"),
        options=options(PLAYED, PENALTIES),
        rulings=read(__file__, "rulings.toml", "rulings_2025.toml"),
        base="guobiao-mcr",
        corrections=(MOST_TIMES,),
    )
