"""国标: the seed's own text (`guobiao`) and what competitions and platforms play (`guobiao-mcr`), an overlay on it."""

from __future__ import annotations

from pathlib import Path

from quepu.errors import Text
from quepu.hand import Luck
from quepu.rulebook import Rulebook
from quepu.rulebooks.guobiao import rows_2_and_1, rows_8_to_4, rows_24_to_12, rows_88_to_32
from quepu.rulebooks.guobiao.arithmetic import Principles
from quepu.rulebooks.guobiao.mcr import played
from quepu.rulebooks.guobiao.options import SEED, options
from quepu.rulings import read

GUOBIAO = Rulebook(
    id="guobiao",
    title=Text("国标麻将", "Guobiao (MCR), as written"),
    fans=rows_88_to_32.ROWS + rows_24_to_12.ROWS + rows_8_to_4.ROWS + rows_2_and_1.ROWS,
    arithmetic=Principles(),
    shapes=("standard", "any_pairs", "orphans", "loose", "knitted"),
    minimum=8,
    unit=Text("番", "fan"),
    circumstances={
        "妙手回春": Luck.LAST_DRAW,
        "海底捞月": Luck.LAST_DISCARD,
        "杠上开花": Luck.KONG_DRAW,
        "抢杠和": Luck.ROBBED_KONG,
        "胡绝张": Luck.FOURTH_TILE,
    },
    near={"和绝张": "胡绝张", "绝张": "胡绝张", "杠上摸": "杠上开花", "抢杠": "抢杠和", "抢杠胡": "抢杠和"},
    aliases=("国标", "国标麻将"),
    family="guobiao",
    seed="003",
    options=options(SEED),
    settings=dict(SEED),
    rulings=read(Path(__file__).with_name("rulings.toml")),
    play="quepu.rulebooks.guobiao.play",
)

GUOBIAO_MCR = played(GUOBIAO)

BOOKS = (GUOBIAO, GUOBIAO_MCR)
