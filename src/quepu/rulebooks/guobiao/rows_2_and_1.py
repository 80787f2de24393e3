"""2番, 1番."""

from __future__ import annotations

from typing import Any

from quepu.hands.planes import (
    EDGE,
    GAP,
    HONOUR_TILES,
    KNITTED,
    OUTER,
    SINGLE,
    STANDARD,
    SUIT_TILES,
    Planes,
    count,
    couples,
    four_unkonged,
    is_form,
    same_rank,
    suits,
    two_suits,
)  # fmt: skip
from quepu.rulebooks.guobiao.row import GuobiaoExtra
from quepu.rulebooks.guobiao.rows_8_to_4 import claimed, closed, drawn
from quepu.rulebooks.guobiao.rows_88_to_32 import dragons
from quepu.rules.row import EACH, fan, hand


def sole_wait(h: Planes) -> Any:
    """Whether the hand waited for one tile only."""
    return count(h.waits) == 1


def finished(h: Planes, place: int) -> Any:
    """Whether the winning tile finished such a part of a hand of sets and a pair."""
    return ((h.place & place) != 0) & is_form(h, STANDARD | KNITTED)


ROWS = (
    fan("箭刻", 2, "2番", "由箭牌组成的刻子（杠）。",
        dragons, "Dragon Pung", of=EACH,
        drops="幺九刻", most=3,
        example="1235m456p789sCCC+5m", near_miss="123567m456p789sC+C"),
    fan("圈风刻", 2, "2番", "与圈风相同的风刻（杠）。",
        lambda h: h.p & h.round, "Prevalent Wind", of=EACH,
        drops="幺九刻",
        example=hand("1235m456p789sSSS+5m", round="S"), near_miss=hand("1235m456p789sSSS+5m", round="W")),
    fan("门风刻", 2, "2番", "与本门风相同的风刻（杠）。",
        lambda h: h.p & h.seat, "Seat Wind", of=EACH,
        drops="幺九刻",
        example=hand("1235m456p789sSSS+5m", seat="S"), near_miss=hand("1235m456p789sSSS+5m", seat="W")),
    fan("门清", 2, "2番", "没有吃牌、碰牌、明杠，和他家打出的牌。",
        lambda h: claimed(h) & closed(h), "Concealed Hand",
        aliases="门前清",
        example="123456m567p789sE+E", near_miss=hand("123456m567p789sE+E", self_draw=True), rulings="G2"),
    fan("平和", 2, "2番", "由四副顺子及序数牌作将组成的和牌。",
        lambda h: (h.p == 0) & ((h.pair & SUIT_TILES) != 0) & is_form(h, STANDARD | KNITTED), "All Chows",
        drops="无字",
        example="123456m5679p789s+9p", near_miss="123456m567p789sE+E", rulings="G12"),
    fan("四归一", 2, "2番", "胡牌时，手中有4张相同的牌，但是这4张牌不是作为杠牌。",
        four_unkonged, "Tile Hog", of=EACH,
        most=3,
        example="455556m1239p789s+9p", near_miss="123m1239p789s(5555m)+9p", rulings="G12"),
    fan("双同刻", 2, "2番", "和牌中，有两副序数相同的刻子（杠）。",
        lambda h: count(two_suits(h.p)) + 2 * count(same_rank(h.p)), "Double Pung", of=2,
        most=2,
        example="123789m3335p333s+5p", near_miss="123789m3335p444s+5p", joins=True),
    fan("双暗刻", 2, "2番", "胡牌时，有两副暗刻（暗杠）。",
        lambda h: count(h.pc) == 2, "Two Concealed Pungs", of=2,
        example="111m3335p456789s+5p", near_miss="111m5p456789s(333p)+5p"),
    fan("暗杠", 2, "2番", "手中有三张相同的牌，又抓到一张相同的牌，即可杠牌，称为暗杠。",
        lambda h: count(h.kc) == 1, "Concealed Kong", of=1,
        example="123m4556p789s[EEEE]+5p", near_miss="123m4556p789s(EEEE)+5p", rulings="G1 G7"),
    fan("断幺", 2, "2番", "和牌中，没有一、九及字牌。",
        lambda h: (h.t1 & OUTER) == 0, "All Simples",
        drops="无字",
        example="234555m4568p678s+8p", near_miss="123555m4568p678s+8p"),
    fan("一般高", 1, "1番", "由一种花色的序数相同的顺子组成。",
        lambda h: count(h.c2) + 2 * count(h.c3) + 3 * count(h.c4), "Pure Double Chow", of=2,
        most=2,
        example="223344m5679p789s+9p", near_miss="234345m5679p789s+9p", joins=True),
    fan("喜相逢", 1, "1番", "由两种花色的序数相同的顺子组成。",
        lambda h: couples(h, 16, 32), "Mixed Double Chow", of=2,
        most=2,
        example="234567m2349p789s+9p", near_miss="234567m3459p789s+9p", rulings="G3 G11", joins=True),
    fan("连六", 1, "1番", "由一种花色六张序数相连的顺子组成。",
        lambda h: couples(h, 3), "Short Straight", of=2,
        most=2,
        example="234567m1239p789s+9p", near_miss="234678m1239p789s+9p", joins=True),
    fan("老少副", 1, "1番", "由一种花色的123、789的顺子组成。",
        lambda h: couples(h, 6), "Two Terminal Chows", of=2,
        most=2,
        example="123789m3459p567s+9p", near_miss="123678m3459p567s+9p", joins=True),
    fan("幺九刻", 1, "1番", "由三张相同的一、九序数牌，子牌组成的刻子（杠）。",
        lambda h: h.p & OUTER, "Pung of Terminals or Honours", of=EACH,
        most=4,
        example="1115m456p567789s+5m", near_miss="2225m456p567789s+5m"),
    fan("明杠", 1, "1番", "他家打出一张与暗刻相同的牌开杠；或拿进一张与明刻相同的牌开杠。",
        lambda h: (count(h.k) - count(h.kc) == 1) & (count(h.k) <= 2), "Melded Kong", of=1,
        example="123m4556p789s(EEEE)+5p", near_miss="123m4556p789s[EEEE]+5p", rulings="G7"),
    fan("缺一门", 1, "1番", "和牌中缺少一种花色序数牌。",
        lambda h: suits(h.t1) < 3, "One Voided Suit",
        example="123456m3455789p+5p", near_miss="123456m3455p789s+5p"),
    fan("无字", 1, "1番", "和牌中没有字牌。",
        lambda h: (h.t1 & HONOUR_TILES) == 0, "No Honours",
        example="123m4569p555789s+9p", near_miss="123m456p555789sE+E"),
    fan("边张", 1, "1番", "只能听和123的3或789的7。",
        lambda h: finished(h, EDGE) & sole_wait(h), "Edge Wait",
        example="12m45699p789sEEE+3m", near_miss="23m45699p789sEEE+1m", rulings="G8 G14"),
    fan("坎张", 1, "1番", "只能听和顺子中间的牌。",
        lambda h: finished(h, GAP) & sole_wait(h), "Closed Wait",
        aliases="嵌张",
        example="13m45699p789sEEE+2m", near_miss="23m45699p789sEEE+1m", rulings="G2 G8 G14"),
    fan("单钓将", 1, "1番", "如果已经凑好四副扑子，而将只有一张，碰到这一张就胡牌的听牌方式，叫做“单钓将”。",
        lambda h: finished(h, SINGLE), "Single Wait",
        aliases="单钓",
        example="1235m456p789sEEE+5m", near_miss="23m45699p789sEEE+1m", rulings="G8"),
    fan("自摸", 1, "1番", "拿牌后成和牌。",
        drawn, "Self-Drawn",
        example=hand("5m(123m)(456p)(789s)(EEE)+5m", self_draw=True), near_miss="5m(123m)(456p)(789s)(EEE)+5m"),
    fan("花牌", 1, "1番",
        "每张花牌计1分，不计在起和分内，和牌后才能计分。补花成和牌计自摸，不计杠上开花分；未补的花牌允许打出。",
        lambda h: count(h.flowers), "Flower Tiles",
        most=8,
        example=hand("123456m567p789sE+E", flowers="春 竹"), near_miss="123456m567p789sE+E", rulings="G4 G10",
        extra=GuobiaoExtra(beside=True)),
)  # fmt: skip
