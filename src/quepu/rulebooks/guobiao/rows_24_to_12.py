"""24番, 16番, 12番."""

from __future__ import annotations

from typing import Any

from quepu.hands.planes import (
    ALL_TILES,
    HONOUR_TILES,
    KNITTED,
    LOOSE,
    LOW,
    PAIRS,
    STANDARD,
    SUIT_TILES,
    WINDS,
    Planes,
    count,
    is_form,
    only,
    ranks,
    run,
    same_rank,
    suits,
)  # fmt: skip
from quepu.rulebooks.guobiao.rows_88_to_32 import winds
from quepu.rules.row import fan


def three_suit_dragon(h: Planes) -> Any:
    """123 and 789 in two suits, the pair 5 in the third."""
    ends = h.c1 & h.c1 >> 6 & LOW
    m, p, s = h.pair >> 4, h.pair >> 20, h.pair >> 36
    return (ends & (ends >> 16 & s | ends >> 32 & p) | ends >> 16 & ends >> 32 & m) & 1 != 0


ROWS = (
    fan("七对", 24, "24番", "由七个对子组成的和牌（自摸加计不求人分）。",
        lambda h: is_form(h, PAIRS), "Seven Pairs",
        drops="门清 单钓将", aliases="七对子",
        example="1133m5577p2299sE+E", near_miss="112233m456p77sEE+E", rulings="G6"),
    fan("七星不靠", 24, "24番",
        "必须有七个单张的东、南、西、北、中、发、白，加上三种花色数位按147、258、369中的七张序数牌组成的"
        "没有将牌的和牌（自摸加计不求人分）。",
        lambda h: is_form(h, LOOSE) & (count(h.t1 & HONOUR_TILES) == 7), "Greater Honours and Knitted Tiles",
        drops="全不靠 五门齐 门清 单钓将",
        example="147m25p69sESWNCF+P", near_miss="147m258p369sESWN+C", rulings="G6"),
    fan("全双刻", 24, "24番", "由2、4、6、8序数牌的刻字（杠）、将牌组成的和牌。",
        lambda h: only(h, ranks("2468")) & (count(h.p) == 4), "All Even Pungs",
        drops="碰碰胡 断幺 无字",
        example="222444m666p888s2p+2p", near_miss="222444m666p888s3p+3p"),
    fan("清一色", 24, "24番", "由一种花色序数牌组成的和牌。",
        lambda h: (suits(h.t1) == 1) & ((h.t1 & HONOUR_TILES) == 0), "Full Flush",
        drops="无字 缺一门",
        example="1233455678882m+2m", near_miss="123345567888mE+E"),
    fan("一色三同顺", 24, "24番", "和牌中，有一种花色三副序数相同的顺子。",
        lambda h: h.c3 != 0, "Pure Triple Chow", of=3,
        example="567p9s(234m)(234m)(234m)+9s", near_miss="223344m234567p9s+9s", joins=True),
    fan("一色三节高", 24, "24番", "和牌中，有一种花色三副依次递增一个序数的刻子（杠）。",
        lambda h: run(h.p, 3) != 0, "Pure Shifted Pungs", of=3,
        example="777888999p123m5s+5s", near_miss="777888p123999m5s+5s", joins=True),
    fan("全大", 24, "24番", "有序数牌7、8、9组成的和牌。",
        lambda h: only(h, ranks("789")), "Upper Tiles",
        drops="大于五 无字",
        example="777888m789p789s9m+9m", near_miss="777888m789p678s9m+9m"),
    fan("全中", 24, "24番", "有序数牌4、5、6组成的和牌。",
        lambda h: only(h, ranks("456")), "Middle Tiles",
        drops="断幺 无字",
        example="444555m456p456s6m+6m", near_miss="444555m456p345s6m+6m"),
    fan("全小", 24, "24番", "有序数牌1、2、3组成的和牌。",
        lambda h: only(h, ranks("123")), "Lower Tiles",
        drops="小于五 无字",
        example="111222m123p123s3m+3m", near_miss="111222m123p234s3m+3m"),
    fan("清龙", 16, "16番", "和牌中，有同花色123、456、789相连的序数牌。",
        lambda h: run(h.c1, 3, 3) != 0, "Pure Straight", of=3,
        example="123456789m234p5s+5s", near_miss="123456m234789p5s+5s", joins=True),
    fan("三色双龙会", 16, "16番", "两种花色两个老少副、另一种花色5作将牌的和牌。",
        three_suit_dragon, "Three-Suited Terminal Chows",
        drops="平和 无字 喜相逢 老少副",
        example="123789m123789p5s+5s", near_miss="123789m123789p6s+6s"),
    fan("一色三步高", 16, "16番", "和牌中，有一种花色三副依次递增一个或二个序数的顺子。",
        lambda h: (run(h.c1, 3, 1) | run(h.c1, 3, 2)) != 0, "Pure Shifted Chows", of=3,
        aliases="素三步步高",
        example="123345567m999p5s+5s", near_miss="123345m567999p5s+5s", joins=True),
    fan("全带五", 16, "16番", "每副牌及将牌中必须有5的序数牌。",
        lambda h: ((h.c1 & ranks("126789") | (h.p | h.pair) & (ALL_TILES & ~ranks("5"))) == 0) & is_form(h, STANDARD),
        "All Fives",
        drops="断幺 无字",
        example="3455567m456p555s+5m", near_miss="3445567m456p555s+4m"),
    fan("三同刻", 16, "16番", "和牌中，有三副序数相同的刻子（杠）。",
        lambda h: same_rank(h.p) != 0, "Triple Pung", of=3,
        example="333678m1333p333s+1p", near_miss="333678m1333p444s+1p", joins=True),
    fan("三暗刻", 16, "16番", "和牌中，有三副暗刻（暗杠）。",
        lambda h: count(h.pc) == 3, "Three Concealed Pungs", of=3,
        example="111m333789p2555s+2s", near_miss="111m333789p2255s+5s"),
    fan("全不靠", 12, "12番",
        "由三种花色147、258、369不能错位的序数牌及东、南、西、北、中、发、白中任何14张单张牌组成的和牌"
        "（自摸加计不求人分）。",
        lambda h: is_form(h, LOOSE), "Lesser Honours and Knitted Tiles",
        drops="五门齐 门清 单钓将",
        example="147m258p369sESWN+C", near_miss="123447m258p369sE+E", rulings="G6"),
    fan("组合龙", 12, "12番", "和牌中，有三种花色的147、258、369不能错位的序数牌（特殊顺子）。",
        lambda h: is_form(h, KNITTED) | is_form(h, LOOSE) & (count(h.t1 & SUIT_TILES) == 9), "Knitted Straight",
        example="123447m258p369sE+E", near_miss="147m258p36sESWNC+F", rulings="G12"),
    fan("大于五", 12, "12番", "由序数牌6、7、8、9组成的和牌。",
        lambda h: only(h, ranks("6789")), "Upper Four",
        drops="无字",
        example="666777m6789p789s+9p", near_miss="555777m6789p789s+9p"),
    fan("小于五", 12, "12番", "由序数牌1、2、3、4组成的和牌。",
        lambda h: only(h, ranks("1234")), "Lower Four",
        drops="无字",
        example="111222m1234p234s+4p", near_miss="111222m1235p234s+5p"),
    fan("三风刻", 12, "12番", "和牌中，有三副风刻（杠）。",
        lambda h: count(h.p & WINDS) == 3, "Big Three Winds", of=3, on=winds,
        drops="幺九刻 缺一门",
        example="123m5pEEESSSWWW+5p", near_miss="123789m5pEEESSS+5p", rulings="G17"),
)  # fmt: skip
