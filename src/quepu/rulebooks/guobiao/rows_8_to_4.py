"""8番, 6番, 4番."""

from __future__ import annotations

from typing import Any

from quepu.hands.hand import Luck
from quepu.hands.planes import (
    DRAGONS,
    LOOSE,
    ORPHANS,
    OUTER,
    OUTER_CHOWS,
    PAIRS,
    STANDARD,
    SUIT_TILES,
    WINDS,
    Planes,
    count,
    has_honours,
    is_form,
    lucky,
    mixed,
    nine_gates,
    only,
    same_rank,
    suits,
)  # fmt: skip
from quepu.rulebooks.guobiao.row import GuobiaoExtra
from quepu.rulebooks.guobiao.rows_88_to_32 import dragons
from quepu.rules.row import fan, hand

SELF_DRAW, CLOSED = int(Luck.SELF_DRAW), int(Luck.CLOSED)
UPRIGHT_TILES = 0b110111010 << 32 | 0b110011111 << 16 | 1 << 54  # look the same upside down


def is_drawn(h: Planes) -> Any:
    """Whether the winner drew the winning tile."""
    return lucky(h, SELF_DRAW)


def is_claimed(h: Planes) -> Any:
    """Whether the winning tile was another player's."""
    return (h.luck & SELF_DRAW) == 0


def is_closed(h: Planes) -> Any:
    """Whether nothing was claimed before the winning tile."""
    return lucky(h, CLOSED)


def concealed_by_nature(h: Planes) -> Any:
    """Whether the hand is necessarily concealed: the special forms, four concealed pungs."""
    return is_form(h, PAIRS | ORPHANS | LOOSE) | (count(h.pc) == 4) | nine_gates(h) & (h.k == 0) & is_closed(h)


def fourth_tile(h: Planes) -> Any:
    """Whether the other three copies are on the table: as reported, or in the winner's own exposed melds."""
    starts = (h.win | h.win >> 1 | h.win >> 2) & SUIT_TILES  # of the chows that have it
    chows = count(h.o1 & starts) + count(h.o2 & starts) + count(h.o3 & starts)
    return lucky(h, Luck.FOURTH_TILE) | ((h.xp & h.win) != 0) | (chows == 3)


def all_claimed(h: Planes) -> Any:
    """Whether all four sets were claimed and the winning tile too."""
    sets = count(h.o1) + count(h.o2) + count(h.o3) + count(h.o4) + count(h.xp)
    return (sets == 4) & is_claimed(h)


ROWS = (
    fan("花龙", 8, "8番", "和牌中，有三种花色的三副顺子连接成123、456、789。",
        lambda h: mixed(h.c1, 3) != 0, "Mixed Straight",
        definition="123, 456 and 789, each in a suit of its own.", of=3,
        example="1223m456p789sEEE+2m", near_miss="1223m456789pEEE+2m", joins=True),
    fan("推不倒", 8, "8番",
        "有些牌正着放，还是倒着放都是一样的：2条、4条、5条、6条、8条、9条、1234589饼、白板。"
        "胡牌时，手牌中全是这些牌，即为推不倒。",
        lambda h: only(h, UPRIGHT_TILES), "Reversible Tiles",
        definition="Only tiles that look the same upside down: 2 4 5 6 8 9 of bamboo, 1 2 3 4 5 8 9 of dots, and "
                   "the white dragon.",
        drops="缺一门",
        example="123345p456888sP+P", near_miss="123345p456777sP+P"),
    fan("三色三同顺", 8, "8番", "和牌中，有三种花色三副序数相同的顺子。",
        lambda h: same_rank(h.c1) != 0, "Mixed Triple Chow",
        definition="Three chows of the same ranks in the three suits.", of=3,
        aliases="大姊妹 桂林山水",
        example="123789m1235p123s+5p", near_miss="123789m1235p234s+5p", joins=True),
    fan("三色三节高", 8, "8番", "和牌中，有三种花色三副依次递增一个序数的刻子（杠）。",
        lambda h: mixed(h.p, 1) != 0, "Mixed Shifted Pungs",
        definition="Three pungs or kongs of the three suits, each one rank higher than the one before.", of=3,
        example="333m123444p5557s+7s", near_miss="333m123444p6668s+8s", joins=True),
    fan("无番和", 8, "8番", "和牌后，数不出任何番种分（花牌不计算在内）。",
        lambda h: (h.t1 & 0) != 0, "Chicken Hand",
        definition="A win in which no other fan counts, flowers left aside.",
        example="45m567p789sEE(123m)+3m", near_miss="12345m567p789sEE+3m", extra=GuobiaoExtra(when_nothing=True)),
    fan("妙手回春", 8, "8番", "自拿牌墙上最后一张牌和牌（不计自摸分）。",
        lambda h: is_drawn(h) & lucky(h, Luck.LAST_DRAW), "Last Tile Draw",
        definition="The last tile of the wall is drawn and wins; the self-draw is not counted.",
        drops="自摸",
        example=hand("123456m567p789sE+E", "妙手回春", self_draw=True),
        near_miss=hand("123456m567p789sE+E", "海底捞月")),
    fan("海底捞月", 8, "8番", "和打出的最后一张牌。",
        lambda h: is_claimed(h) & lucky(h, Luck.LAST_DISCARD), "Last Tile Claim",
        definition="The last discard of the hand wins.",
        example=hand("123456m567p789sE+E", "海底捞月"),
        near_miss=hand("123456m567p789sE+E", "妙手回春", self_draw=True)),
    fan("杠上开花", 8, "8番",
        "杠牌时，从牌墙补上一张牌成和牌。杠牌加计，不计自摸；杠来花牌再补花成和，不计杠上开花，可计自摸分。",
        lambda h: is_drawn(h) & lucky(h, Luck.KONG_DRAW), "Out with Replacement Tile",
        definition="The tile drawn to replace a kong wins. The kong counts too, the self-draw does not; if that "
                   "tile was a flower, its replacement counts as a self-draw only.",
        drops="自摸", aliases="杠上摸",
        example=hand("123456m789p5s[EEEE]+5s", "杠上开花", self_draw=True),
        near_miss=hand("123456m789p5s[EEEE]+5s", self_draw=True), rulings="G10"),
    fan("抢杠和", 8, "8番", "和他人自拿开明杠的牌（不计和绝张）。",
        lambda h: is_claimed(h) & lucky(h, Luck.ROBBED_KONG), "Robbing the Kong",
        definition="The tile that another player adds to a pung wins.",
        drops="胡绝张", aliases="抢杠 抢杠胡",
        example=hand("123456m55789p23s+1s", "抢杠和"), near_miss="123456m55789p23s+1s"),
    fan("双暗杠", 8, "8番", "和牌中，有两副暗杠。",
        lambda h: count(h.kc) >= 2, "Two Concealed Kongs",
        definition="Two concealed kongs.", of=2,
        drops="双暗刻",
        example="123m456p9s[EEEE][1111s]+9s", near_miss="123m456p9s[EEEE](1111s)+9s", rulings="G1 G7"),
    fan("碰碰胡", 6, "6番", "由四副刻子（杠）、将牌组成的和牌。",
        lambda h: count(h.p) == 4, "All Pungs",
        definition="Four pungs or kongs and a pair.", of=4,
        aliases="碰碰和 对对胡",
        example="333m8s(222p)(EEE)(999s)+8s", near_miss="345m8s(222p)(EEE)(999s)+8s", rulings="G2"),
    fan("混一色", 6, "6番", "由一种花色的序数牌及字牌组成的和牌。",
        lambda h: (suits(h.t1) == 1) & has_honours(h), "Half Flush",
        definition="Number tiles of one suit, and honours.",
        drops="缺一门",
        example="123456789mEECC+C", near_miss="123456m789pEECC+C"),
    fan("三色三步高", 6, "6番", "和牌中，由三种花色三副依次递增一个序数的顺子。",
        lambda h: mixed(h.c1, 1) != 0, "Mixed Shifted Chows",
        definition="Three chows of the three suits, each one rank higher than the one before.", of=3,
        example="123789m2345p345s+5p", near_miss="123789m3458p567s+8p", joins=True),
    fan("五门齐", 6, "6番", "由三种花色序数牌、风牌、箭牌组成的和牌。即万、条、饼、风、箭齐全。",
        lambda h: (suits(h.t1) == 3) & ((h.t1 & WINDS) != 0) & ((h.t1 & DRAGONS) != 0), "All Types",
        definition="Tiles of all three suits, winds and dragons.",
        aliases="五门全 五彩缤纷 五雀共和 五子登科",
        example="123m456p789sEEEC+C", near_miss="123m456p789sEEES+S"),
    fan("全求人", 6, "6番", "四副牌组全是吃、碰（明杠），和他家打出的牌。",
        all_claimed, "Melded Hand",
        definition="All four sets claimed, and won on a discard.",
        drops="单钓将",
        example="5m(123m)(456p)(789s)(EEE)+5m", near_miss=hand("5m(123m)(456p)(789s)(EEE)+5m", self_draw=True)),
    fan("双箭刻", 6, "6番", "和牌中，有两副箭刻（杠）。",
        lambda h: count(h.p & DRAGONS) == 2, "Two Dragon Pungs",
        definition="Two pungs or kongs of dragons.", of=2, on=dragons,
        drops="箭刻",
        example="123m456p9sCCCFFF+9s", near_miss="123m456p9sEEECCC+9s"),
    fan("全带幺", 4, "4番", "每副牌及将牌中都有幺九牌。",
        lambda h: ((h.c1 & (SUIT_TILES & ~OUTER_CHOWS) | (h.p | h.pair) & (SUIT_TILES & ~OUTER)) == 0) & is_form(h, STANDARD),
        "Outside Hand",
        definition="A terminal or honour in every set and in the pair.",
        example="1239m789p123sEEE+9m", near_miss="1239m678p123sEEE+9m"),
    fan("不求人", 4, "4番", "没有吃牌、碰牌、明杠，自摸和牌。",
        lambda h: is_drawn(h) & is_closed(h), "Fully Concealed Hand",
        definition="Nothing claimed, and won by self-draw.",
        drops="自摸",
        example=hand("123456m567p789sE+E", self_draw=True), near_miss=hand("456m567p789sE(123m)+E", self_draw=True),
        rulings="G6"),
    fan("双明杠", 4, "4番", "和牌中，有两副明杠。",
        lambda h: (count(h.k) == 2) & (h.kc == 0), "Two Melded Kongs",
        definition="Two exposed kongs.", of=2,
        example="123m456p9s(EEEE)(1111s)+9s", near_miss="123m456p9s[EEEE](1111s)+9s", rulings="G7"),
    fan("胡绝张", 4, "4番", "胡牌时，桌面上已经有3张该牌，自己胡第4张。",
        fourth_tile, "Last Tile",
        definition="Won on the fourth of a kind when the other three can be seen on the table.",
        aliases="和绝张",
        example=hand("12m45699p789sEEE+3m", "胡绝张"), near_miss="12m45699p789sEEE+3m", rulings="G2 G12"),
)  # fmt: skip
