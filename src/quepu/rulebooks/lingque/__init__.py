"""灵雀 by 莫莫柴: the twenty-ninth and the twenty-sixth edition. Seeds 000 (v29) and 001 (v26)."""

from __future__ import annotations

from quepu.errors import Text
from quepu.hands.hand import Luck
from quepu.rulebooks.lingque import v26, v29
from quepu.rulebooks.lingque.arithmetic import FuTimesFan
from quepu.rulebooks.lingque.options import V26_OPTIONS, V29_OPTIONS
from quepu.rulebooks.lingque.row import ENGLISH_CLASS
from quepu.rules import rulings
from quepu.rules.rulebook import Rulebook

CIRCUMSTANCES = {
    "天和": Luck.HEAVENLY,
    "地和": Luck.EARTHLY,
    "岭上开花": Luck.KONG_DRAW,
    "海底捞月": Luck.LAST_DRAW,
    "河底捞鱼": Luck.LAST_DISCARD,
    "抢杠": Luck.ROBBED_KONG,
}
_NEAR = {"杠上开花": "岭上开花", "岭上": "岭上开花", "妙手回春": "海底捞月", "海底": "海底捞月", "河底": "河底捞鱼",
         "抢杠和": "抢杠", "天胡": "天和", "地胡": "地和"}  # fmt: skip
_ARITHMETIC = FuTimesFan()
RULINGS = rulings.read(__file__)

V29 = Rulebook(
    id="lingque-29",
    title=Text("灵雀（第二十九版）", "Lingque, 29th edition"),
    fans=v29.FANS,
    arithmetic=_ARITHMETIC,
    shapes=("standard", "pairs", "orphans", "loose"),
    minimum=10,
    unit=Text("点", "points"),
    circumstances=CIRCUMSTANCES,
    flower_value=2,
    aliases=("lingque", "灵雀", "灵雀29"),
    family="lingque",
    edition="29",
    seed="000",
    play="quepu.rulebooks.lingque.play_rules",
    guide="quepu.rulebooks.lingque.guide",
    near=_NEAR,
    classes=ENGLISH_CLASS,
    rulings=RULINGS,
    options=V29_OPTIONS,
)

V26 = Rulebook(
    id="lingque-26",
    title=Text("灵雀（第二十六版）", "Lingque, 26th edition"),
    fans=v26.FANS,
    arithmetic=_ARITHMETIC,
    shapes=("standard", "pairs", "orphans", "loose"),
    minimum=10,
    unit=Text("点", "points"),
    circumstances=CIRCUMSTANCES,
    flower_value=2,
    aliases=("灵雀26",),
    family="lingque",
    edition="26",
    seed="001",
    play="quepu.rulebooks.lingque.play_rules",
    guide="quepu.rulebooks.lingque.guide",
    near=_NEAR,
    classes=ENGLISH_CLASS,
    rulings=RULINGS,
    options=V26_OPTIONS,
)

BOOKS = (V29, V26)
