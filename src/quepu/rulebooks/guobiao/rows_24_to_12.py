"""24番, 16番, 12番."""

from __future__ import annotations

from typing import Any

from quepu.planes import (
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
)
from quepu.rulebooks.guobiao.row import fan, join, shown
from quepu.rulebooks.guobiao.rows_88_to_32 import winds


def three_suit_dragon(h: Planes) -> Any:
    """123 and 789 in two suits, the pair 5 in the third."""
    ends = h.c1 & h.c1 >> 6 & LOW
    m, p, s = h.pair >> 4, h.pair >> 20, h.pair >> 36
    return (ends & (ends >> 16 & s | ends >> 32 & p) | ends >> 16 & ends >> 32 & m) & 1 != 0


ROWS = (
    fan(
        "七对", 24, "由七个对子组成的和牌（自摸加计不求人分）。",
        lambda h: is_form(h, PAIRS), "Seven Pairs",
        drops="门清 单钓将", aliases="七对子", rulings="G6",
        example=shown("1133m5577p2299sE+E"), near_miss=shown("112233m456p77sEE+E"),
    ),
    fan(
        "七星不靠", 24,
        "必须有七个单张的东、南、西、北、中、发、白，加上三种花色数位按147、258、369中的七张序数牌组成的"
        "没有将牌的和牌（自摸加计不求人分）。",
        lambda h: is_form(h, LOOSE) & (count(h.t1 & HONOUR_TILES) == 7), "Greater Honours and Knitted Tiles",
        drops="全不靠 五门齐 门清 单钓将", rulings="G6",
        example=shown("147m25p69sESWNCF+P"), near_miss=shown("147m258p369sESWN+C"),
    ),
    fan(
        "全双刻", 24, "由2、4、6、8序数牌的刻字（杠）、将牌组成的和牌。",
        lambda h: only(h, ranks("2468")) & (count(h.p) == 4), "All Even Pungs",
        drops="碰碰胡 断幺 无字",
        example=shown("222444m666p888s2p+2p"), near_miss=shown("222444m666p888s3p+3p"),
    ),
    fan(
        "清一色", 24, "由一种花色序数牌组成的和牌。",
        lambda h: (suits(h.t1) == 1) & ((h.t1 & HONOUR_TILES) == 0), "Full Flush",
        drops="无字 缺一门",
        example=shown("1233455678882m+2m"), near_miss=shown("123345567888mE+E"),
    ),
    join(
        "一色三同顺", 24, 3, "和牌中，有一种花色三副序数相同的顺子。",
        lambda h: h.c3 != 0, "Pure Triple Chow",
        example=shown("567p9s(234m)(234m)(234m)+9s"), near_miss=shown("223344m234567p9s+9s"),
    ),
    join(
        "一色三节高", 24, 3, "和牌中，有一种花色三副依次递增一个序数的刻子（杠）。",
        lambda h: run(h.p, 3) != 0, "Pure Shifted Pungs",
        example=shown("777888999p123m5s+5s"), near_miss=shown("777888p123999m5s+5s"),
    ),
    fan(
        "全大", 24, "有序数牌7、8、9组成的和牌。",
        lambda h: only(h, ranks("789")), "Upper Tiles",
        drops="大于五 无字",
        example=shown("777888m789p789s9m+9m"), near_miss=shown("777888m789p678s9m+9m"),
    ),
    fan(
        "全中", 24, "有序数牌4、5、6组成的和牌。",
        lambda h: only(h, ranks("456")), "Middle Tiles",
        drops="断幺 无字",
        example=shown("444555m456p456s6m+6m"), near_miss=shown("444555m456p345s6m+6m"),
    ),
    fan(
        "全小", 24, "有序数牌1、2、3组成的和牌。",
        lambda h: only(h, ranks("123")), "Lower Tiles",
        drops="小于五 无字",
        example=shown("111222m123p123s3m+3m"), near_miss=shown("111222m123p234s3m+3m"),
    ),
    join(
        "清龙", 16, 3, "和牌中，有同花色123、456、789相连的序数牌。",
        lambda h: run(h.c1, 3, 3) != 0, "Pure Straight",
        example=shown("123456789m234p5s+5s"), near_miss=shown("123456m234789p5s+5s"),
    ),
    fan(
        "三色双龙会", 16, "两种花色两个老少副、另一种花色5作将牌的和牌。",
        three_suit_dragon, "Three-Suited Terminal Chows",
        drops="平和 无字 喜相逢 老少副",
        example=shown("123789m123789p5s+5s"), near_miss=shown("123789m123789p6s+6s"),
    ),
    join(
        "一色三步高", 16, 3, "和牌中，有一种花色三副依次递增一个或二个序数的顺子。",
        lambda h: (run(h.c1, 3, 1) | run(h.c1, 3, 2)) != 0, "Pure Shifted Chows", aliases="素三步步高",
        example=shown("123345567m999p5s+5s"), near_miss=shown("123345m567999p5s+5s"),
    ),
    fan(
        "全带五", 16, "每副牌及将牌中必须有5的序数牌。",
        lambda h: ((h.c1 & ranks("126789") | (h.p | h.pair) & (ALL_TILES & ~ranks("5"))) == 0)
        & is_form(h, STANDARD),
        "All Fives",
        drops="断幺 无字",
        example=shown("3455567m456p555s+5m"), near_miss=shown("3445567m456p555s+4m"),
    ),
    join(
        "三同刻", 16, 3, "和牌中，有三副序数相同的刻子（杠）。",
        lambda h: same_rank(h.p) != 0, "Triple Pung",
        example=shown("333678m1333p333s+1p"), near_miss=shown("333678m1333p444s+1p"),
    ),
    fan(
        "三暗刻", 16, "和牌中，有三副暗刻（暗杠）。",
        lambda h: count(h.pc) == 3, "Three Concealed Pungs", of=3,
        example=shown("111m333789p2555s+2s"), near_miss=shown("111m333789p2255s+5s"),
    ),
    fan(
        "全不靠", 12,
        "由三种花色147、258、369不能错位的序数牌及东、南、西、北、中、发、白中任何14张单张牌组成的和牌"
        "（自摸加计不求人分）。",
        lambda h: is_form(h, LOOSE), "Lesser Honours and Knitted Tiles",
        drops="五门齐 门清 单钓将", rulings="G6",
        example=shown("147m258p369sESWN+C"), near_miss=shown("123447m258p369sE+E"),
    ),
    fan(
        "组合龙", 12, "和牌中，有三种花色的147、258、369不能错位的序数牌（特殊顺子）。",
        lambda h: is_form(h, KNITTED) | is_form(h, LOOSE) & (count(h.t1 & SUIT_TILES) == 9), "Knitted Straight",
        rulings="G12",
        example=shown("123447m258p369sE+E"), near_miss=shown("147m258p36sESWNC+F"),
    ),
    fan(
        "大于五", 12, "由序数牌6、7、8、9组成的和牌。",
        lambda h: only(h, ranks("6789")), "Upper Four",
        drops="无字",
        example=shown("666777m6789p789s+9p"), near_miss=shown("555777m6789p789s+9p"),
    ),
    fan(
        "小于五", 12, "由序数牌1、2、3、4组成的和牌。",
        lambda h: only(h, ranks("1234")), "Lower Four",
        drops="无字",
        example=shown("111222m1234p234s+4p"), near_miss=shown("111222m1235p234s+5p"),
    ),
    fan(
        "三风刻", 12, "和牌中，有三副风刻（杠）。",
        lambda h: count(h.p & WINDS) == 3, "Big Three Winds", of=3, on=winds,
        drops="幺九刻 缺一门", rulings="G17",
        example=shown("123m5pEEESSSWWW+5p"), near_miss=shown("123789m5pEEESSS+5p"),
    ),
)  # fmt: skip
