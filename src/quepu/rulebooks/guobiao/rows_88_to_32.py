"""88番, 64番, 48番, 32番."""

from __future__ import annotations

from quepu.hands.hand import Luck
from quepu.hands.planes import (
    DRAGONS,
    HONOUR_TILES,
    ORPHANS,
    OUTER,
    PAIRS,
    STANDARD,
    SUIT_TILES,
    TERMINALS,
    WINDS,
    Bits,
    Planes,
    count,
    is_form,
    lucky,
    nine_gates,
    only,
    run,
)  # fmt: skip
from quepu.rules.row import fan

GREEN_TILES = 0b010101110 << 32 | 1 << 53


def winds(h: Planes) -> Bits:
    """The pungs of winds."""
    return h.p & WINDS


def dragons(h: Planes) -> Bits:
    """The pungs of dragons."""
    return h.p & DRAGONS


ROWS = (
    fan("大四喜", 88, "88番", "和牌中，有东、南、西、北四副刻子（杠）。",
        lambda h: count(h.p & WINDS) == 4, "Big Four Winds", of=4, on=winds,
        drops="三风刻 圈风刻 门风刻 碰碰胡 幺九刻",
        example="5mEEESSSWWWNNN+5m", near_miss="111mEEESSSWWWN+N"),
    fan("大三元", 88, "88番", "和牌中，有中、发、白三副刻子（杠）。",
        lambda h: count(h.p & DRAGONS) == 3, "Big Three Dragons", of=3, on=dragons,
        drops="双箭刻 箭刻 缺一门",
        example="123m55pCCCFFFPP+P", near_miss="123m456pCCCFFFP+P", rulings="G17"),
    fan("绿一色", 88, "88番", "由“23468条” 及 “发” 字中的任何牌组成的和牌。",
        lambda h: only(h, GREEN_TILES), "All Green",
        drops="混一色",
        example="223344666888sF+F", near_miss="223344666888sP+P"),
    fan("九莲宝灯", 88, "88番",
        "由一种花色序数牌按 “1112345678999” 组成的特定牌型，见同花色任何一张序数牌即成和牌（自摸加计不求人分）。",
        lambda h: nine_gates(h) & (h.k == 0) & lucky(h, Luck.CLOSED), "Nine Gates", on=lambda h: h.p & -h.p,
        drops="清一色 门清 无字 缺一门 幺九刻",
        example="1112345678999m+5m", near_miss="1112345678899m+9m", rulings="G6 G15"),
    fan("四杠", 88, "88番", "和牌中，有四副杠牌（暗杠加计）。",
        lambda h: count(h.k) == 4, "Four Kongs", of=4,
        drops="碰碰胡 单钓将",
        example="5m(1111m)(EEEE)[9999p][CCCC]+5m", near_miss="111s5m(1111m)(EEEE)[9999p]+5m", rulings="G7"),
    fan("连七对", 88, "88番", "由一种花色序数相连的七个对子组成的和牌（自摸加计不求人分）。",
        lambda h: is_form(h, PAIRS) & ((run(h.t1, 4) & run(h.t1, 4) >> 3) != 0), "Seven Shifted Pairs",
        drops="七对 清一色 门清 单钓将 无字 缺一门", aliases="一色连七对",
        example="1122334455667m+7m", near_miss="1122334455668m+8m", rulings="G6"),
    fan("十三幺", 88, "88番",
        "由一万、九万、一条、九条、一饼、九饼、东南西北、中发白这十三中牌组成。"
        "胡牌时，这十三种牌某一种有两枚，而另十二种各一枚，共计14枚，即构成十三幺。",
        lambda h: is_form(h, ORPHANS), "Thirteen Orphans",
        drops="五门齐 门清 单钓将", aliases="十三幺九 国士无双",
        example="19m19p19sESWNCFP+1m", near_miss="1199m1199pEESSC+C", rulings="G6"),
    fan("清幺九", 64, "64番", "由序数牌一、九刻字（杠）、将牌组成的和牌。",
        lambda h: only(h, TERMINALS) & is_form(h, STANDARD), "All Terminals",
        drops="混幺九 碰碰胡 全带幺 幺九刻 无字 双同刻",
        example="111999m111999p1s+1s", near_miss="111999m111p1sEEE+1s", rulings="G5"),
    fan("小四喜", 64, "64番", "和牌中，有风牌的三副刻字（杠）、另一种风牌作将牌。",
        lambda h: (count(h.p & WINDS) == 3) & ((h.pair & WINDS) != 0), "Little Four Winds", of=4, on=winds,
        drops="三风刻 幺九刻 缺一门",
        example="111mEEESSSWWWN+N", near_miss="111m5pEEESSSWWW+5p", rulings="G17"),
    fan("小三元", 64, "64番", "和牌中，有箭牌的两副刻字（杠）、另一种箭牌作将牌。",
        lambda h: (count(h.p & DRAGONS) == 2) & ((h.pair & DRAGONS) != 0), "Little Three Dragons", of=3, on=dragons,
        drops="双箭刻 箭刻 缺一门",
        example="123m456pCCCFFFP+P", near_miss="123m456p99sCCCFF+F", rulings="G17"),
    fan("字一色", 64, "64番", "由字牌的刻子（杠）、将牌组成的和牌。",
        lambda h: only(h, HONOUR_TILES) & is_form(h, STANDARD), "All Honours",
        drops="混幺九 碰碰胡 全带幺 幺九刻 缺一门",
        example="EEESSSWWWCCCF+F", near_miss="999mEEESSSWWWC+C", rulings="G5"),
    fan("四暗刻", 64, "64番", "和牌中，有四副暗刻。",
        lambda h: count(h.pc) == 4, "Four Concealed Pungs", of=4,
        drops="碰碰胡 门清",
        example="111m333p555s777s9p+9p", near_miss="111m333p555s77s99p+7s", rulings="G6"),
    fan("一色双龙会", 64, "64番", "一种花色的两个老少副、5作将牌。",
        lambda h: (h.c2 & h.c2 >> 6 & h.pair >> 4 & SUIT_TILES) != 0, "Pure Terminal Chows",
        drops="清一色 平和 无字 缺一门 一般高 老少副",
        example="1122335778899m+5m", near_miss="1122336778899m+6m"),
    fan("一色四同顺", 48, "48番", "一种花色四副序数相同的顺子。",
        lambda h: h.c4 != 0, "Quadruple Chow", of=4,
        drops="四归一 缺一门",
        example="222233334444m5p+5p", near_miss="222333444m2345p+5p", rulings="G17", joins=True),
    fan("一色四节高", 48, "48番", "一种花色四副依次递增一个序数的刻字（杠）。",
        lambda h: run(h.p, 4) != 0, "Four Pure Shifted Pungs", of=4,
        drops="碰碰胡 缺一门",
        example="111222333444m5p+5p", near_miss="111222333555m9p+9p", rulings="G17", joins=True),
    fan("一色四步高", 32, "32番", "一种花色四副依次递增一个或两个序数的顺子。",
        lambda h: (run(h.c1, 4, 1) | run(h.c1, 4, 2)) != 0, "Four Pure Shifted Chows", of=4,
        drops="缺一门", aliases="素四步步高",
        example="123234345456m9p+9p", near_miss="123234345m456p9s+9s", rulings="G17", joins=True),
    fan("三杠", 32, "32番", "和牌中，有三副杠牌（暗杠加计）。",
        lambda h: count(h.k) == 3, "Three Kongs", of=3,
        example="234m5p(1111m)(EEEE)[9999p]+5p", near_miss="234m5p(1111m)(EEEE)(999p)+5p", rulings="G7"),
    fan("混幺九", 32, "32番", "由字牌和序数牌一、九的刻字（杠）、将牌组成的和牌。",
        lambda h: only(h, OUTER) & is_form(h, STANDARD), "All Terminals and Honours",
        drops="碰碰胡 全带幺 幺九刻",
        example="111999m1pEEECCC+1p", near_miss="111999m2pEEECCC+2p", rulings="G5"),
)  # fmt: skip
