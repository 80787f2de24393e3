"""v29, 丙 1-3: 偶然类, 特殊类, 鸣牌类."""

from __future__ import annotations

from quepu.hands.hand import Luck
from quepu.hands.planes import LOOSE, ORPHANS, PAIRS, is_form, lucky
from quepu.rulebooks.lingque.row import CALLS, LUCK, SPECIAL, FuFan
from quepu.rules.row import fan, hand

_PLAIN = "234789m345p67s99s+8s"  # no fan but luck

ROWS = (
    fan("天和", FuFan(48, 3), LUCK, "和牌由庄家的 13 张配牌与第一张摭牌组成。计 48 副 3 翻。不计自摸、门前清。",
        lambda h: lucky(h, Luck.HEAVENLY), "heavenly hand",
        former=("heavenly win",),
        definition="The dealer wins with the 13 tiles dealt and the first one drawn.",
        drops="自摸 门前清",
        example=hand(_PLAIN, "天和", self_draw=True), near_miss=hand(_PLAIN, self_draw=True), rulings="LQ25"),
    fan("地和", FuFan(48, 3), LUCK,
        "和牌由闲家的 13 张配牌与庄家的首张舍牌组成。庄家若在此之前已经暗杠，则地和不成立。计 48 副 3 翻。不计门前清。",
        lambda h: lucky(h, Luck.EARTHLY), "earthly hand",
        former=("earthly win",),
        definition="Another player wins with the 13 tiles dealt on the dealer's first discard; not after a "
                   "concealed kong of the dealer.",
        drops="门前清",
        example=hand(_PLAIN, "地和", seat="S"), near_miss=hand(_PLAIN, seat="S"), rulings="LQ25"),
    fan("岭上开花", FuFan(8, 2), LUCK, "和自家开杠后摭得的岭上牌。计 8 副 2 翻。不计自摸。",
        lambda h: lucky(h, Luck.KONG_DRAW), "win on a replacement tile",
        former=("win on a kong's replacement",),
        definition="The tile drawn to replace one's own kong wins.",
        drops="自摸",
        example=hand("234m345p67s99s(8888m)+8s", "岭上开花", self_draw=True),
        near_miss=hand("234m345p67s99s(8888m)+8s", self_draw=True), rulings="LQ26 LQ27 LQ33"),
    fan("海底捞月", FuFan(8, 2), LUCK, "摭牌墙中最后一枚牌张得和。计 8 副 2 翻。不计自摸。",
        lambda h: lucky(h, Luck.LAST_DRAW), "win on the last tile of the wall",
        definition="The last tile of the wall is drawn and wins.",
        drops="自摸",
        example=hand(_PLAIN, "海底捞月", self_draw=True), near_miss=hand(_PLAIN, "河底捞鱼"), rulings="LQ27 LQ33"),
    fan("河底捞鱼", FuFan(8, 2), LUCK, "牌墙已被摭完时，他家放铳得和。计 8 副 2 翻。",
        lambda h: lucky(h, Luck.LAST_DISCARD), "win on a discard after the last tile",
        definition="A discard wins after the last tile of the wall has been drawn.",
        example=hand(_PLAIN, "河底捞鱼"), near_miss=hand(_PLAIN, "海底捞月", self_draw=True), rulings="LQ27 LQ32"),
    fan("抢杠", FuFan(8, 2), LUCK, "和别家加杠之牌。计 8 副 2 翻。",
        lambda h: lucky(h, Luck.ROBBED_KONG), "robbing a kong",
        definition="The tile that another player adds to a pung wins.",
        example=hand(_PLAIN, "抢杠"), near_miss=_PLAIN, rulings="LQ27 LQ35"),
    fan("自摸", FuFan(2, 1), LUCK, "和自家摭得之牌。计 2 副 1 翻。",
        lambda h: lucky(h, Luck.SELF_DRAW), "self-draw",
        definition="The winning tile is drawn by the winner.",
        example=hand(_PLAIN, self_draw=True), near_miss=_PLAIN),
    fan("七对", FuFan(8, 3), SPECIAL, "由七个互不相同的对子组成的特殊和牌。计 8 副 3 翻。不计门前清。",
        lambda h: is_form(h, PAIRS), "seven pairs",
        definition="Seven pairs, no two alike.",
        drops="门前清",
        example="1199m44p3377sNNC+C", near_miss="1122335577889m+9m", rulings="LQ22 LQ23"),
    fan("全不靠", FuFan(12, 3), SPECIAL,
        "由以下 16 种牌张中的 14 种各一枚组成的特殊和牌：一色的 147、另一色的 258、剩余一色的 369，以及七种字牌。"
        "计 12 副 3 翻。不计门前清。",
        lambda h: is_form(h, LOOSE), "unconnected tiles",
        definition="14 of these 16 tiles, one of each: 1 4 7 of one suit, 2 5 8 of another, 3 6 9 of the third, and "
                   "the seven honours.",
        drops="门前清",
        example="147m258p36sESWNC+F", near_miss="19m19p19sESWNCFP+1m"),
    fan("十三幺", FuFan(48, 3), SPECIAL,
        "由十三种幺九牌（一、九数牌及字牌）各一，加上任意一张幺九牌组成的特殊和牌。计 48 副 3 翻。不计门前清。",
        lambda h: is_form(h, ORPHANS), "thirteen orphans",
        definition="One of each of the 13 terminals and honours, and one more of any of them.",
        drops="门前清",
        example="19m19p19sESWNCFP+1m", near_miss="147m258p36sESWNC+F", rulings="LQ9 LQ21"),
    fan("门前清", FuFan(2, 1), CALLS, "除和张外的所有牌张皆由自家摭得的和牌。计 2 副 1 翻。",
        lambda h: lucky(h, Luck.CLOSED), "concealed hand",
        former=("closed hand",),
        definition="All tiles but the winning one are drawn by the winner.",
        example="123456m234p6899p+7p", near_miss="23456m12355p(8888p)+1m", rulings="LQ7 LQ25"),
)  # fmt: skip
