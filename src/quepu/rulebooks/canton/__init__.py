"""广东麻雀胡牌列表 (新章): the Cantonese list of 149 patterns. Source: seed 004; readings in `rulings.md`."""

from __future__ import annotations

from quepu.errors import Text
from quepu.rulebooks.canton import shapes
from quepu.rulebooks.canton.arithmetic import Fans
from quepu.rulebooks.canton.circumstance_bits import CIRCUMSTANCES, OTHER_NAMES
from quepu.rulebooks.canton.corrections import CORRECTIONS
from quepu.rulebooks.canton.options import OPTIONS
from quepu.rulebooks.canton.row import ENGLISH_CLASS
from quepu.rulebooks.canton.rows import ROWS
from quepu.rules.rulebook import Rulebook
from quepu.rules.rulings import read

CANTON = Rulebook(
    id="canton",
    title=Text("广东麻雀（新章）", "Cantonese (new style)"),
    fans=ROWS,
    arithmetic=Fans(),
    shapes=("standard", "pairs", "orphans", "loose", "knitted", *shapes.NAMES),
    minimum=1,
    unit=Text("番", "fan"),
    circumstances=CIRCUMSTANCES,
    near=OTHER_NAMES,
    aliases=("cantonese", "广东", "广东麻雀"),
    family="canton",
    edition="新章",
    seed="004",
    classes=ENGLISH_CLASS,
    options=OPTIONS,
    rulings=read(__file__),
    corrections=CORRECTIONS,
    settings={
        "flowers": True,
        "minimum_of_all": False,
        "last_tile_kongs": True,
        "payment": "linear",
        "discard": "alone",
        "base": 1,
        "cap": 0,
        "dealer_repeats": "win or draw",
    },
    play="quepu.rulebooks.canton.play_rules",
    guide="quepu.rulebooks.canton.guide",
)

BOOKS = (CANTON,)
