"""国标: the seed's own text (`guobiao`), and the version of platforms (`guobiao-mcr`), an overlay on it."""

from __future__ import annotations

from quepu.errors import Text
from quepu.hands.hand import Luck
from quepu.hands.planes import count
from quepu.rulebooks.guobiao import rows_2_and_1, rows_8_to_4, rows_24_to_12, rows_88_to_32
from quepu.rulebooks.guobiao.arithmetic import MOST_TIMES, Principles
from quepu.rulebooks.guobiao.mcr import build_platform_book, league
from quepu.rulebooks.guobiao.options import SEED, options
from quepu.rulebooks.guobiao.readings import europe, japan
from quepu.rules.rulebook import Correction, Rulebook, was
from quepu.rules.rulings import read

GUOBIAO = Rulebook(
    id="guobiao",
    title=Text("国标麻将", "MCR (original text)"),
    fans=rows_88_to_32.ROWS + rows_24_to_12.ROWS + rows_8_to_4.ROWS + rows_2_and_1.ROWS,
    arithmetic=Principles(),
    shapes=("standard", "any_pairs", "orphans", "loose", "knitted"),
    minimum=8,
    unit=Text("番", "points"),
    circumstances={
        "妙手回春": Luck.LAST_DRAW,
        "海底捞月": Luck.LAST_DISCARD,
        "杠上开花": Luck.KONG_DRAW,
        "抢杠和": Luck.ROBBED_KONG,
        "胡绝张": Luck.FOURTH_TILE,
    },
    near={"和绝张": "胡绝张", "绝张": "胡绝张", "杠上摸": "杠上开花", "抢杠": "抢杠和", "抢杠胡": "抢杠和"},
    aliases=("国标", "国标麻将"),
    classes={
        f"{value}番": f"{value} points" if value > 1 else "1 point"
        for value in (88, 64, 48, 32, 24, 16, 12, 8, 6, 5, 4, 2, 1)
    },
    family="guobiao",
    seed="003",
    options=options(SEED, beside_three=True),
    settings={**SEED, "penalties": "1998"},
    rulings=read(__file__),
    play="quepu.rulebooks.guobiao.play_rules",
    corrections=(
        Correction(  # ruling G7
            "2026-11-22",
            Text(
                "三副以上暗杠也计双暗杠，此前只在恰有两副时计；错和改为 1998 年的每家 10，此前每家 16。",
                "Three or four concealed kongs count two concealed kongs as well; only exactly two did. A false win "
                "costs 10 to each, as in 1998; it was 16.",
            ),
            was(fans={"双暗杠": {"when": lambda h: count(h.kc) == 2}}, settings={"penalties": ""}),
        ),
        MOST_TIMES,
    ),
    guide="quepu.rulebooks.guobiao.guide",
)

GUOBIAO_MCR = build_platform_book(GUOBIAO)

GUOBIAO_MIL_2025 = league(GUOBIAO_MCR)

BOOKS = (GUOBIAO, GUOBIAO_MCR, GUOBIAO_MIL_2025, europe(GUOBIAO_MIL_2025), japan(GUOBIAO_MIL_2025))
