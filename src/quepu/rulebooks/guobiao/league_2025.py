"""国标 as it is refereed: the League's supplementary rules of 2025 (`guobiao-mil-2025`), and the readings it names.

The League's fourteen clauses on counting (rulings L1 to L14) agree with `guobiao-mcr` row by row; what is its own are
the penalties and the conduct of a match. Europe (EMA) and Japan (JMSA) are that book with a line or two changed.
"""

from __future__ import annotations

from dataclasses import replace

from quepu.errors import Text
from quepu.rulebooks.guobiao.arithmetic import MOST_TIMES
from quepu.rulebooks.guobiao.options import PLAYED, answered, options
from quepu.rules.rulebook import Rulebook
from quepu.rules.rulings import read

_PENALTIES = ("2025", "1998", "none")


def league(mcr: Rulebook) -> Rulebook:
    """The book of the International League's supplementary rules (trial, 2025)."""
    made = mcr.having(
        id="guobiao-mil-2025",
        title=Text("国标麻将（2025）", "MCR by the League, 2025"),
        settings={"penalties": "2025"},
    )
    return replace(
        made,
        aliases=("国标2025", "mil"),
        options=options(PLAYED, _PENALTIES),
        rulings=read(__file__, "rulings.toml", "rulings_2025.toml"),
        base="guobiao-mcr",
        corrections=(MOST_TIMES,),
    )


def europe(mil: Rulebook) -> Rulebook:
    """The European reading: 不求人 counts on hands that are closed by nature."""
    made = answered(mil, nature_drawn="不求人").having(
        id="guobiao-ema", title=Text("国标麻将（欧洲 EMA）", "MCR as EMA reads it")
    )
    return replace(made, aliases=("ema",), options=options({**PLAYED, "nature_drawn": "不求人"}, _PENALTIES))


def japan(mil: Rulebook) -> Rulebook:
    """The Japanese reading: 七对 never with 五门齐, no hand pays above 88."""
    made = mil.having(
        id="guobiao-jmsa",
        title=Text("国标麻将（日本 JMSA）", "MCR as JMSA reads it"),
        fans={"七对": {"drops": (*mil.fan("七对").drops, "五门齐")}},
        settings={"most": 88},
    )
    return replace(
        made,
        aliases=("jmsa",),
        rulings=read(__file__, "rulings.toml", "rulings_2025.toml", "rulings_jmsa.toml"),
    )
