"""表 II: priority above 0, the patterns of melds and tiles, and the closed hand. Rows in the book's order."""

from __future__ import annotations

from quepu.hand import Luck
from quepu.planes import (
    DRAGONS,
    HONOUR_TILES,
    LANE,
    OUTER,
    OUTER_CHOWS,
    SUIT_TILES,
    TERMINALS,
    WINDS,
    Condition,
    count,
    lucky,
    mixed,
    nine_gates,
    only,
    run,
    same_rank,
    suits,
    two_suits,
)
from quepu.rulebook import Example, Fan
from quepu.rulebooks.yuque.row import CLOSED_HAND, fan, hand
from quepu.rulebooks.yuque.words import mirrored_about_pair, twin_suits, two_chains, two_meetings
from quepu.tiles import BIT, GREEN, RED, WHITE

_SUITS = (("萬", "characters"), ("筒", "dots"), ("索", "bamboo"))


def _dragon(number: str, name: str, english: str, kind: int, example: Example, near_miss: Example) -> Fan:
    tile = BIT[kind]
    return fan(
        number, f"番牌:{name}", 1, f"{english} dragon", f"有“{name}”的和牌。", lambda h: ((h.p | h.pair) & tile) != 0,
        example, near_miss, of=1, groups=1, priority=1, excludes="字一色", remark="排斥 字一色。", serves=True,
        rulings="yuque-1 yuque-2",
    )  # fmt: skip


def _pure(suit: int, off: str, cut: int, example: Example, near_miss: Example) -> Fan:
    name, english = _SUITS[suit]
    return fan(
        f"3.1.2.{suit + 1}", f"清一色:{name}", 15, f"all {english}", f"只由{name}子组成的和牌。",
        lambda h: only(h, LANE << 16 * suit), example, near_miss, groups=5, priority=6, off=2, cut=cut,
        remark=f"按番值 15 番计,计入完毕后又扣除 2 番。若有 番刻,另扣去 {cut} 番番值(即变为 {off} 番)。"
        "对 数同 的剩余数规定为 3/5。",
        rulings="yuque-4 yuque-11 yuque-12",
    )  # fmt: skip


def _half(suit: int, space: str, example: Example, near_miss: Example) -> Fan:
    name, english = _SUITS[suit]
    lane = LANE << 16 * suit
    return fan(
        f"3.1.3.{suit + 1}", f"混一色:{name}", 9, f"{english} and honours", f"只由字牌和{name}子组成的和牌。",
        lambda h: only(h, lane | HONOUR_TILES) & ((h.t1 & lane) != 0) & ((h.t1 & HONOUR_TILES) != 0),
        example, near_miss, groups=5, priority=6, off=2, cut=2,
        remark=f"按番值 9 番计,计入完毕后又扣除 2 番。若有{space}番刻,另扣去 2 番番值(即变为 7-2 番)。",
        rulings="yuque-4 yuque-5 yuque-11 yuque-13 yuque-19",
    )  # fmt: skip


def _outside(tiles: int) -> Condition:
    inner_chows, inner = SUIT_TILES & ~OUTER_CHOWS, (SUIT_TILES | HONOUR_TILES) & ~tiles
    return lambda h: ((h.c1 & inner_chows) | ((h.p | h.pair) & inner)) == 0


ROWS: tuple[Fan, ...] = (
    fan("1", "九莲宝灯", 30, "nine gates", "在听牌阶段形成九面实听的和牌。",
        lambda h: nine_gates(h) & lucky(h, Luck.CLOSED),
        hand("1112345678999m+5m"), hand("1112345678889m+9m"),
        groups=0, priority=1, contains="* +天和 +地和 +海底捞月 +河底捞鱼",
        remark="仅可与天和、地和、海底捞月、河底捞鱼复计。", rulings="yuque-22"),

    # ---- winds and dragons
    fan("2.1.1", "大四喜", 17, "big four winds", "有四副风牌刻子的和牌。",
        lambda h: count(h.p & WINDS) == 4,
        hand("EEESSS(WWW)NNN4m+4m"), hand("EEESSS(WWW)N444m+N"),
        of=4, groups=4, priority=1, contains="三风刻 番牌:门风牌 对对和", serves=True, rulings="yuque-6"),
    fan("2.1.2", "小四喜", 15, "little four winds", "有三副风牌刻子,风牌作雀头的和牌。",
        lambda h: (count(h.p & WINDS) == 3) & ((h.pair & WINDS) != 0),
        hand("(123p)EEE(SSS)NNNW+W"), hand("(123p)EEE(SSS)NNNC+C"),
        of=4, groups=4, priority=1, contains="三风刻 番牌:门风牌", serves=True, rulings="yuque-6"),
    fan("2.1.3", "三风刻", 10, "three wind pungs", "有三副风牌刻子的和牌。",
        lambda h: count(h.p & WINDS) >= 3,
        hand("234sSSS(WWW)NNN7m+7m"), hand("234sSSS(777m)NNNW+W"),
        of=3, groups=3, priority=1, serves=True, rulings="yuque-6"),
    fan("2.2.1", "大三元", 12, "big three dragons", "有三副箭牌刻子的和牌。",
        lambda h: count(h.p & DRAGONS) == 3,
        hand("678pCCC(FFF)PPPE+E"), hand("678pCCC(FFF)EEEP+P"),
        of=3, groups=3, priority=1, contains="番牌:中 番牌:發 番牌:白", serves=True, rulings="yuque-6"),
    fan("2.2.2", "小三元", 11, "little three dragons", "有两副箭牌刻子,箭牌作雀头的和牌。",
        lambda h: (count(h.p & DRAGONS) == 2) & ((h.pair & DRAGONS) != 0),
        hand("345m567p(FFF)PPPC+C"), hand("345m567p(FFF)PPPE+E"),
        of=3, groups=3, priority=1, contains="番牌:中 番牌:發 番牌:白", serves=True),
    fan("2.3.3.1", "番牌:门风牌", 1, "seat wind", "有门风牌的和牌。",
        lambda h: ((h.p | h.pair) & h.seat) != 0,
        hand("(345m)567p888s999sN+N", "N"), hand("(345m)567p888s999sN+N", "E"),
        of=1, groups=1, priority=1, serves=True, aliases="门风牌", rulings="yuque-1 yuque-2 yuque-7"),
    _dragon("2.3.3.2", "中", "red", RED,
            hand("(345m)567p(888s)222sC+C"), hand("(345m)567p(888s)222sP+P")),
    _dragon("2.3.3.3", "發", "green", GREEN,
            hand("(345m)567p(888s)FFF2s+2s"), hand("(345m)567p(888s)CCC2s+2s")),
    _dragon("2.3.3.4", "白", "white", WHITE,
            hand("(345m)567p(888s)222sP+P"), hand("(345m)567p(888s)222sF+F")),

    # ---- colours and ends
    fan("3.1.1", "字一色", 15, "all honours", "只由字牌组成的和牌。",
        lambda h: only(h, HONOUR_TILES),
        hand("EEE(SSS)CCCPPPN+N"), hand("EEE(SSS)CCCPPP9s+9s"),
        groups=5, priority=6, contains="混幺九 混带幺 对对和",
        excludes="番牌:门风牌 番牌:中 番牌:發 番牌:白",
        remark="排斥 番牌:门风牌、番牌:中、番牌:發、番牌:白。", serves=True, rulings="yuque-13"),
    _pure(0, "12-2", 3, hand("123m234m567m(789m)4m+4m"), hand("123m234m567m(789m)4p+4p")),
    _pure(1, "12-2", 3, hand("222p(234p)678p888p9p+9p"), hand("222p(234p)678p888sF+F")),
    _pure(2, "13-2", 2, hand("567s666s(888s)999s1s+1s"), hand("567s666s(888s)999s1m+1m")),
    _half(0, " ", hand("123m456m(678m)CCCN+N", "E"), hand("123m456m(678m)999m5m+5m")),
    _half(1, "", hand("666p567p(SSS)FFFP+P"), hand("EEE(SSS)CCCPPPN+N")),
    _half(2, "", hand("123s555s(678s)789sW+W"), hand("123s555s(678s)789s1m+1m")),
    fan("3.2.1", "清幺九", 17, "all terminals", "只由幺九数牌组成的和牌。",
        lambda h: only(h, TERMINALS),
        hand("999m(111p)999p111s1m+1m"), hand("999m(111p)999p111sE+E"),
        groups=5, priority=6, contains="混幺九 清带幺 混带幺 对对和", excludes="双同刻 二同刻",
        remark="排斥 双同刻、二同刻。", serves=True),
    fan("3.2.2", "混幺九", 8, "terminals and honours", "只由幺九牌组成的和牌。",
        lambda h: only(h, OUTER),
        hand("111m(111p)999sEEEP+P", "S"), hand("111m(111p)999sEEE2p+2p", "S"),
        groups=5, priority=6, contains="混带幺 对对和", serves=True, rulings="yuque-5 yuque-19"),
    fan("3.2.3", "清带幺", 9, "terminals in every set", "四副面子和雀头均含幺九数牌的和牌。",
        _outside(TERMINALS),
        hand("123p123p(789s)999s9m+9m"), hand("123p123p(789s)999sE+E"),
        groups=5, priority=5, contains="混带幺"),
    fan("3.2.4", "混带幺", 7, "ends in every set", "四副面子和雀头均含幺九牌的和牌。",
        _outside(OUTER),
        hand("123m789s(EEE)WWWC+C", "S"), hand("123m789s(EEE)WWW8s+8s", "S"),
        groups=5, priority=5, cut=2, remark="若有番刻,另扣去 2 番番值(即变为 5 番)。", rulings="yuque-5"),

    # ---- chows and pungs alike
    fan("4.1.1", "四同顺", 35, "four same chows", "有四副完全相同的顺子的和牌。",
        lambda h: h.c4 != 0,
        hand("345p345p(345p)345p7m+7m"), hand("345p345p(345p)345s7m+7m"),
        of=4, groups=4, priority=2, contains="三同顺 二般高 一般高"),
    fan("4.1.2", "三同顺", 17, "three same chows", "有三副完全相同的顺子的和牌。",
        lambda h: h.c3 != 0,
        hand("789m789m(789m)NNN5s+5s"), hand("789m789m(678m)NNN5s+5s"),
        of=3, groups=3, priority=2, contains="一般高", rulings="yuque-8"),
    fan("4.1.3", "二般高", 13, "twice two same chows",
        "有两组各两副顺子,其中每一组的两副顺子完全相同的和牌。",
        lambda h: (count(h.c2) >= 2) | (h.c4 != 0),
        hand("234m234m(567p)567pS+S"), hand("234m234m(567p)567sS+S"),
        of=4, groups=4, priority=2, contains="一般高", rulings="yuque-8"),
    fan("4.1.4", "一般高", 5, "two same chows", "有两副完全相同的顺子的和牌。",
        lambda h: h.c2 != 0,
        hand("234p456p789s(789s)3s+3s"), hand("234p456p789s(789m)3s+3s"),
        of=2, groups=2, priority=2),
    fan("4.2.1", "三色同顺", 7, "three suits, one chow", "有序数相同的三色三副顺子的和牌。",
        lambda h: same_rank(h.c1) != 0,
        hand("456m(456p)567p456s8m+8m"), hand("456m(456p)567p567s8m+8m"),
        of=3, groups=3, priority=2, contains="喜相逢", excludes="二相逢", remark="排斥 二相逢。", rulings="yuque-8"),
    fan("4.2.2", "二相逢", 5, "two meetings",
        "有两组各两副顺子,其中每一组的两副顺子序数相同而花色不同的和牌。",
        two_meetings,
        hand("234m(789m)234p789sC+C"), hand("234m(789m)234p678sC+C"),
        of=4, groups=4, priority=2, contains="喜相逢", excludes="三色同顺 镜同", remark="排斥 三色同顺、镜同。",
        rulings="yuque-8"),
    fan("4.2.3", "喜相逢", 1, "meeting", "有序数相同的两色两副顺子的和牌。",
        lambda h: two_suits(h.c1) != 0,
        hand("567m678m(678p)789sF+F"), hand("567m678m(567m)789sF+F"),
        of=2, groups=2, priority=2, excludes="镜同", remark="排斥 镜同。"),
    fan("4.3.1", "三色同刻", 8, "three suits, one pung", "有三副序数相同的数牌刻子的和牌。",
        lambda h: same_rank(h.p) != 0,
        hand("222m(222p)123s222s3p+3p"), hand("222m(222p)123s333s3p+3p"),
        of=3, groups=3, priority=2, contains="双同刻", serves=True, rulings="yuque-8"),
    fan("4.3.2", "二同刻", 6, "twice two suits, one pung",
        "有两组各两副数牌刻子,其中每一组的两副刻子序数相同的和牌。",
        lambda h: count(two_suits(h.p)) >= 2,
        hand("444m(444p)666p666s9s+9s"), hand("444m(444p)666p777s9s+9s"),
        of=4, groups=4, priority=2, contains="双同刻 对对和", excludes="清幺九 镜同", remark="排斥 清幺九、镜同。",
        serves=True, rulings="yuque-8"),
    fan("4.3.3", "双同刻", 1, "two suits, one pung", "有序数相同的两色两副刻子的和牌。",
        lambda h: two_suits(h.p) != 0,
        hand("234m555m(456p)555p7s+7s"), hand("234m555m(456p)666p7s+7s"),
        of=2, groups=2, priority=2, excludes="清幺九 镜同", remark="排斥 清幺九、镜同。", serves=True),

    # ---- ranks in a row
    fan("5.3.1", "一气贯通", 8, "straight", "有同色123、456、789三副顺子的和牌。",
        lambda h: run(h.c1, 3, 3) != 0,
        hand("123m456m(789m)234s6s+6s"), hand("123m456m(678m)234s6s+6s"),
        of=3, groups=3, priority=1, rulings="yuque-8"),
    fan("5.3.2", "三色贯通", 7, "mixed straight", "有三色123、456、789三副顺子的和牌。",
        lambda h: mixed(h.c1, 3) != 0,
        hand("456m678m(123p)789sP+P"), hand("456m678m(123p)789pP+P"),
        of=3, groups=3, priority=1),
    fan("5.3.3", "清双龙会", 15, "two chains in one suit",
        "有两组各两副顺子,其中每一组的两副顺子序数连续,且四副顺子花色相同而没有构成一气贯通的和牌。",
        lambda h: two_chains(h) & (suits(h.c1) == 1),
        hand("234m345m(567m)678m1p+1p"), hand("123m456m(456m)789m1p+1p"),
        of=4, groups=4, priority=1, contains="双龙会"),
    fan("5.3.4", "双龙会", 7, "two chains",
        "有两组各两副顺子,其中每一组的两副顺子花色相同且序数连续,而没有构成一气贯通的和牌。",
        two_chains,
        hand("234p567p(123s)456s7m+7m"), hand("234p567p(123s)567s7m+7m"),
        of=4, groups=4, priority=1, rulings="yuque-8"),
    fan("5.1.1", "四步高", 20, "four steps of one", "有同色四副序数依次递增1的顺子的和牌。",
        lambda h: run(h.c1, 4, 1) != 0,
        hand("123s234s(345s)456s7p+7p"), hand("123s234s(345s)567s7p+7p"),
        of=4, groups=4, priority=1, contains="三步高"),
    fan("5.1.2", "三步高", 11, "three steps of one", "有同色三副序数依次递增1的顺子的和牌。",
        lambda h: run(h.c1, 3, 1) != 0,
        hand("234m345m(456m)SSS2s+2s"), hand("234m345m(567m)SSS2s+2s"),
        of=3, groups=3, priority=1, excludes="三连环", remark="排斥 三连环。", rulings="yuque-8"),
    fan("5.2.1", "四连环", 16, "four steps of two", "有同色四副序数依次递增2的顺子的和牌。",
        lambda h: run(h.c1, 4, 2) != 0,
        hand("123p345p(567p)789p3m+3m"), hand("123p345p(567p)678p3m+3m"),
        of=4, groups=4, priority=1, contains="三连环"),
    fan("5.2.2", "三连环", 8, "three steps of two", "有同色三副序数依次递增2的顺子的和牌。",
        lambda h: run(h.c1, 3, 2) != 0,
        hand("345m567m(789m)EEE1s+1s"), hand("345m567m(678m)EEE1s+1s"),
        of=3, groups=3, priority=1, excludes="三步高", remark="排斥 三步高。", rulings="yuque-8"),
    fan("5.4.1", "四连刻", 13, "four pungs in a row", "有同色四副序数依次递增1的刻子的和牌。",
        lambda h: run(h.p, 4, 1) != 0,
        hand("222p(333p)444p555p3m+3m"), hand("222p(333p)444p666p3m+3m"),
        of=4, groups=4, priority=1, contains="三连刻 对对和", serves=True),
    fan("5.4.2", "三连刻", 7, "three pungs in a row", "有同色三副序数依次递增1的刻子的和牌。",
        lambda h: run(h.p, 3, 1) != 0,
        hand("555s(666s)777sNNN9p+9p"), hand("555s(666s)888sNNN9p+9p"),
        of=3, groups=3, priority=1, serves=True, rulings="yuque-8"),
    fan("5.4.3", "三色连刻", 6, "three suits, pungs in a row", "有三色三副序数依次递增1的刻子的和牌。",
        lambda h: mixed(h.p, 1) != 0,
        hand("345m666m(888p)777s2s+2s"), hand("345m666m(888p)777m2s+2s"),
        of=3, groups=3, priority=1, serves=True),

    # ---- whole patterns
    fan("6.1", "镜同", 7, "twin suits",
        "有两色数牌各组成两副面子的和牌,其中对于一种花色的任一面子,必然在另一种花色中有与之序数相同的面子。",
        twin_suits,
        hand("234p(777p)234s777s1m+1m"), hand("234p(777p)234s888s1m+1m"),
        of=4, groups=4, priority=3, excludes="喜相逢 二相逢 双同刻 二同刻",
        remark="排斥 喜相逢、二相逢、双同刻、二同刻。", serves=True, rulings="yuque-8 yuque-14"),
    fan("6.2", "数同", 9, "ranks mirrored about the pair",
        "只由数牌构成的和牌,其中每一色面子均关于雀头的序数对称。若雀头序数为n,则在同色中若有最大数为a的顺子,必须亦有"
        "最小数为2n-a的顺子,且二者数量相同;若有序数a的刻子,则必须亦有序数2n-a的刻子,且二者数量相同。",
        mirrored_about_pair,
        hand("123m567m(234s)456s4p+4p"), hand("123m567m(234s)456s5p+5p"),
        groups=5, priority=4, serves=True, rulings="yuque-8 yuque-20"),
    fan("7.1", "幺九三刻", 3, "three terminal or honour pungs", "共三个幺九刻子的和牌。",
        lambda h: count(h.p & OUTER) == 3,
        hand("111m(999p)234sSSSN+N", "W"), hand("111m(888p)234sSSSN+N", "W"),
        of=3, groups=3, priority=4, serves=True, rulings="yuque-6 yuque-7 yuque-9"),
    fan("7.2", "幺九四刻", 6, "four terminal or honour pungs", "共四个幺九刻子,且雀头不为幺九牌的和牌。",
        lambda h: (count(h.p & OUTER) == 4) & ((h.pair & OUTER) == 0),
        hand("999m(111s)EEEWWW2p+2p", "S"), hand("999m(111s)EEEWWW1p+1p", "S"),
        of=4, groups=4, priority=4, contains="对对和", serves=True, rulings="yuque-6"),
    fan("8", "门前清", 2, "closed hand", "没有吃出的顺子、碰出的刻子与明杠(即没有副露)的和牌。",
        lambda h: lucky(h, Luck.CLOSED),
        hand("123m345m[5555p]678s9s+9s"), hand("123m(345m)[5555p]678s9s+9s"),
        category=CLOSED_HAND, groups=4, priority=1, rulings="yuque-17 yuque-18"),
)  # fmt: skip
