"""The patterns of 15 番, in the seed's order and words."""

from __future__ import annotations

from quepu.hands.planes import OUTER, WINDS, count, only, run, two_suits
from quepu.rulebooks.canton.conditions import (
    common_number,
    consecutive_pairs,
    half_odd,
    numbers_held,
    twice_in_two_suits,
)  # fmt: skip
from quepu.rulebooks.canton.row import SHAPE
from quepu.rules.row import fan, hand

ROWS = (
    fan("全带", 15, SHAPE, "所有顺子、刻子和眼都有同一数字。不计无字。全顺子另计平糊。",
        lambda h: common_number(h) != 0, "one number in every part",
        definition="One and the same rank in every set and in the pair.",
        drops="无字", aliases="满庭芳",
        example=hand("444m234444p4445s+6s", seat="S"), near_miss=hand("234p444p456s444m5s+5s", seat="S")),
    fan("三数", 15, SHAPE, "牌型由三个数字组成(风牌、三元牌各自当作一个数字)。",
        lambda h: numbers_held(h) == 3, "three numbers",
        definition="Three numbers only; each kind of honour is a number of its own.",
        example=hand("23444m222234p33s+3s", seat="S"), near_miss=hand("777p777sNNNFFF8m+8m", seat="S"), rulings="A17"),
    fan("混老头", 15, SHAPE, "牌型由数字牌一、九及番子组成。不计对对糊、全带幺。",
        lambda h: only(h, OUTER), "terminals and honours",
        definition="Terminals and honours only.",
        drops="对对糊 浑带幺", implied="缺五", aliases="花幺九 花幺 混幺九 地九",
        example=hand("111m111999sWWWF+F", seat="S"), near_miss=hand("111s999s111mWWW2s+2s", seat="S"), rulings="R1"),
    fan("一色三步高", 15, SHAPE, "同一门数字牌三副递增一位或二位的顺子。",
        lambda h: (run(h.c1, 3) | run(h.c1, 3, 2)) != 0, "pure shifted chows",
        former=("steps of a suit",),
        definition="Three chows of one suit, each one rank higher, or each two, than the one before.", of=3,
        aliases="半步桥 万乘之国",
        example=hand("122333445mSSSF+F", seat="S"), near_miss=hand("123m234m456mSSSF+F", seat="S")),
    fan("客风三刻", 15, SHAPE, "牌型有三副风刻,但不能有圈风牌。不计三风刻。",
        lambda h: (count(h.p & WINDS) >= 3) & ((h.t1 & h.round) == 0), "three guest winds",
        definition="Pungs of three winds, with none of the round's wind in the hand.", of=3,
        drops="三喜临门", aliases="万马奔腾",
        example=hand("678p22sSSSWWWNN+N", seat="S"), near_miss=hand("678pSSSWWWNNN2s+2s", seat="S", round="S")),
    fan("二色同对", 15, SHAPE, "同顺子的双龙抱。",
        lambda h: two_suits(h.c2) != 0, "twins in two suits",
        definition="Two couples of chows alike, both of the same ranks, in two suits.", of=4,
        implied="双龙抱 一般高 半般高", aliases="清杯口",
        example=hand("223344m223344pW+W", seat="S"), near_miss=hand("234p234p678m678mW+W", seat="S")),
    fan("镜糊糊", 15, SHAPE, "两门数字牌两种相同顺子。不计喜相逢。",
        lambda h: twice_in_two_suits(h.c1), "mirror of two suits",
        definition="The same two chows in each of two suits.", of=4,
        drops="半般高",
        example=hand("234678m234678pF+F", seat="S"), near_miss=hand("234p678p234m789mF+F", seat="S"), rulings="A15"),
    fan("一半数字", 15, SHAPE, "牌型中单数牌同双数牌数目一样。",
        half_odd, "half odd, half even",
        definition="As many odd as even number tiles.",
        example=hand("123678p555666sC+C", seat="S"), near_miss=hand("123p678p555s777sC+C", seat="S"), rulings="A18"),
    fan("连六对", 15, SHAPE, "包含同一门数字牌连续六对的七对子(另计七对子)。",
        lambda h: consecutive_pairs(h, 6), "six pairs in a row",
        definition="Seven pairs, six of them of one suit in a row.",
        implied="门前清 不求人 自摸 单吊", aliases="柳丁",
        example=hand("112233445566mS+S", seat="S"), near_miss=hand("1122334455m77mS+S", seat="S"), rulings="A2"),
)  # fmt: skip
