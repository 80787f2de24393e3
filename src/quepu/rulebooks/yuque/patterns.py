"""表 II: priority above 0, the patterns of melds and tiles, and the closed hand. Rows in the book's order."""

from __future__ import annotations

from quepu.hands.hand import Luck
from quepu.hands.planes import (
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
)  # fmt: skip
from quepu.rulebooks.yuque.conditions import mirrored_about_pair, twin_suits, two_chains, two_meetings
from quepu.rulebooks.yuque.row import (
    CLOSED_HAND,
    COLOURS,
    EQUAL,
    GATES,
    HONOURS,
    IN_A_ROW,
    OUTER_PUNGS,
    SYMMETRY,
    YuqueExtra,
)
from quepu.rules.row import Example, Fan, fan, hand
from quepu.tiles import BIT, GREEN, RED, WHITE

_SUITS = (("萬", "characters"), ("筒", "dots"), ("索", "bamboo"))


def _dragon(number: str, name: str, english: str, kind: int, example: str | Example, near_miss: str | Example) -> Fan:
    tile = BIT[kind]
    return fan(f"番牌:{name}", 1, HONOURS,
        f"有“{name}”的和牌。"
        "排斥 字一色。",
        lambda h: ((h.p | h.pair) & tile) != 0, f"{english} dragon",
        definition=f"A pung or a pair of the {english} dragon.", of=1,
        conflicts="字一色",
        example=example, near_miss=near_miss, rulings="yuque-1 yuque-2",
        extra=YuqueExtra(number, groups=1, priority=1, serves=True))  # fmt: skip


def _pure(suit: int, off: str, cut: int, example: str | Example, near_miss: str | Example) -> Fan:
    name, english = _SUITS[suit]
    return fan(f"清一色:{name}", 15, COLOURS,
        f"只由{name}子组成的和牌。"
        f"按番值 15 番计,计入完毕后又扣除 2 番。若有 番刻,另扣去 {cut} 番番值(即变为 {off} 番)。"
        "对 数同 的剩余数规定为 3/5。",
        lambda h: only(h, LANE << 16 * suit), f"all {english}",
        definition=f"{english.capitalize()} only; {cut} fan less where pungs count, and 2 less in any case.",
        example=example, near_miss=near_miss, rulings="yuque-4 yuque-11 yuque-12",
        extra=YuqueExtra(f"3.1.2.{suit + 1}", groups=5, priority=6, off=2, cut=cut))  # fmt: skip


def _half(suit: int, space: str, example: str | Example, near_miss: str | Example) -> Fan:
    name, english = _SUITS[suit]
    lane = LANE << 16 * suit
    return fan(f"混一色:{name}", 9, COLOURS,
        f"只由字牌和{name}子组成的和牌。"
        f"按番值 9 番计,计入完毕后又扣除 2 番。若有{space}番刻,另扣去 2 番番值(即变为 7-2 番)。",
        lambda h: only(h, lane | HONOUR_TILES) & ((h.t1 & lane) != 0) & ((h.t1 & HONOUR_TILES) != 0),
        f"{english} and honours",
        definition=f"{english.capitalize()} and honours only; 2 fan less where pungs count, and 2 less in any case.",
        example=example, near_miss=near_miss, rulings="yuque-4 yuque-5 yuque-11 yuque-13 yuque-19",
        extra=YuqueExtra(f"3.1.3.{suit + 1}", groups=5, priority=6, off=2, cut=2))  # fmt: skip


def _outside(tiles: int) -> Condition:
    inner_chows, inner = SUIT_TILES & ~OUTER_CHOWS, (SUIT_TILES | HONOUR_TILES) & ~tiles
    return lambda h: ((h.c1 & inner_chows) | ((h.p | h.pair) & inner)) == 0


ROWS: tuple[Fan, ...] = (
    fan("九莲宝灯", 30, GATES,
        "在听牌阶段形成九面实听的和牌。"
        "仅可与天和、地和、海底捞月、河底捞鱼复计。",
        lambda h: nine_gates(h) & lucky(h, Luck.CLOSED), "nine gates",
        definition="Won from the wait for all nine tiles of one suit. Only the heavenly and earthly hands and the "
                   "last draw and discard count beside it.",
        drops="* +天和 +地和 +海底捞月 +河底捞鱼",
        example="1112345678999m+5m", near_miss="1112345678889m+9m", rulings="yuque-22",
        extra=YuqueExtra("1", priority=1)),

    # ---- winds and dragons
    fan("大四喜", 17, HONOURS, "有四副风牌刻子的和牌。",
        lambda h: count(h.p & WINDS) == 4, "big four winds",
        definition="Four pungs of winds.", of=4,
        drops="三风刻 番牌:门风牌 对对和",
        example="EEESSS(WWW)NNN4m+4m", near_miss="EEESSS(WWW)N444m+N", rulings="yuque-6",
        extra=YuqueExtra("2.1.1", groups=4, priority=1, serves=True)),
    fan("小四喜", 15, HONOURS, "有三副风牌刻子,风牌作雀头的和牌。",
        lambda h: (count(h.p & WINDS) == 3) & ((h.pair & WINDS) != 0), "little four winds",
        definition="Three pungs of winds, and winds as the pair.", of=4,
        drops="三风刻 番牌:门风牌",
        example="(123p)EEE(SSS)NNNW+W", near_miss="(123p)EEE(SSS)NNNC+C", rulings="yuque-6",
        extra=YuqueExtra("2.1.2", groups=4, priority=1, serves=True)),
    fan("三风刻", 10, HONOURS, "有三副风牌刻子的和牌。",
        lambda h: count(h.p & WINDS) >= 3, "three wind pungs",
        definition="Three pungs of winds.", of=3,
        example="234sSSS(WWW)NNN7m+7m", near_miss="234sSSS(777m)NNNW+W", rulings="yuque-6",
        extra=YuqueExtra("2.1.3", groups=3, priority=1, serves=True)),
    fan("大三元", 12, HONOURS, "有三副箭牌刻子的和牌。",
        lambda h: count(h.p & DRAGONS) == 3, "big three dragons",
        definition="Three pungs of dragons.", of=3,
        drops="番牌:中 番牌:發 番牌:白",
        example="678pCCC(FFF)PPPE+E", near_miss="678pCCC(FFF)EEEP+P", rulings="yuque-6",
        extra=YuqueExtra("2.2.1", groups=3, priority=1, serves=True)),
    fan("小三元", 11, HONOURS, "有两副箭牌刻子,箭牌作雀头的和牌。",
        lambda h: (count(h.p & DRAGONS) == 2) & ((h.pair & DRAGONS) != 0), "little three dragons",
        definition="Two pungs of dragons, and dragons as the pair.", of=3,
        drops="番牌:中 番牌:發 番牌:白",
        example="345m567p(FFF)PPPC+C", near_miss="345m567p(FFF)PPPE+E",
        extra=YuqueExtra("2.2.2", groups=3, priority=1, serves=True)),
    fan("番牌:门风牌", 1, HONOURS, "有门风牌的和牌。",
        lambda h: ((h.p | h.pair) & h.seat) != 0, "seat wind",
        definition="A pung or a pair of one's own wind.", of=1,
        aliases="门风牌",
        example=hand("(345m)567p888s999sN+N", seat="N"), near_miss="(345m)567p888s999sN+N",
        rulings="yuque-1 yuque-2 yuque-7", extra=YuqueExtra("2.3.3.1", groups=1, priority=1, serves=True)),
    _dragon("2.3.3.2", "中", "red", RED,
            "(345m)567p(888s)222sC+C", "(345m)567p(888s)222sP+P"),
    _dragon("2.3.3.3", "發", "green", GREEN,
            "(345m)567p(888s)FFF2s+2s", "(345m)567p(888s)CCC2s+2s"),
    _dragon("2.3.3.4", "白", "white", WHITE,
            "(345m)567p(888s)222sP+P", "(345m)567p(888s)222sF+F"),

    # ---- colours and ends
    fan("字一色", 15, COLOURS,
        "只由字牌组成的和牌。"
        "排斥 番牌:门风牌、番牌:中、番牌:發、番牌:白。",
        lambda h: only(h, HONOUR_TILES), "all honours",
        definition="Honours only.",
        drops="混幺九 混带幺 对对和", conflicts="番牌:门风牌 番牌:中 番牌:發 番牌:白",
        example="EEE(SSS)CCCPPPN+N", near_miss="EEE(SSS)CCCPPP9s+9s", rulings="yuque-13",
        extra=YuqueExtra("3.1.1", groups=5, priority=6, serves=True)),
    _pure(0, "12-2", 3, "123m234m567m(789m)4m+4m", "123m234m567m(789m)4p+4p"),
    _pure(1, "12-2", 3, "222p(234p)678p888p9p+9p", "222p(234p)678p888sF+F"),
    _pure(2, "13-2", 2, "567s666s(888s)999s1s+1s", "567s666s(888s)999s1m+1m"),
    _half(0, " ", "123m456m(678m)CCCN+N", "123m456m(678m)999m5m+5m"),
    _half(1, "", "666p567p(SSS)FFFP+P", "EEE(SSS)CCCPPPN+N"),
    _half(2, "", "123s555s(678s)789sW+W", "123s555s(678s)789s1m+1m"),
    fan("清幺九", 17, COLOURS,
        "只由幺九数牌组成的和牌。"
        "排斥 双同刻、二同刻。",
        lambda h: only(h, TERMINALS), "all terminals",
        definition="Ones and nines only.",
        drops="混幺九 清带幺 混带幺 对对和", conflicts="双同刻 二同刻",
        example="999m(111p)999p111s1m+1m", near_miss="999m(111p)999p111sE+E",
        extra=YuqueExtra("3.2.1", groups=5, priority=6, serves=True)),
    fan("混幺九", 8, COLOURS, "只由幺九牌组成的和牌。",
        lambda h: only(h, OUTER), "terminals and honours",
        definition="Terminals and honours only.",
        drops="混带幺 对对和",
        example=hand("111m(111p)999sEEEP+P", seat="S"), near_miss=hand("111m(111p)999sEEE2p+2p", seat="S"),
        rulings="yuque-5 yuque-19", extra=YuqueExtra("3.2.2", groups=5, priority=6, serves=True)),
    fan("清带幺", 9, COLOURS, "四副面子和雀头均含幺九数牌的和牌。",
        _outside(TERMINALS), "terminals in every set",
        definition="A one or nine in each of the four sets and in the pair.",
        drops="混带幺",
        example="123p123p(789s)999s9m+9m", near_miss="123p123p(789s)999sE+E",
        extra=YuqueExtra("3.2.3", groups=5, priority=5)),
    fan("混带幺", 7, COLOURS,
        "四副面子和雀头均含幺九牌的和牌。"
        "若有番刻,另扣去 2 番番值(即变为 5 番)。",
        _outside(OUTER), "ends in every set",
        definition="A one, nine or honour in each of the four sets and in the pair; 2 fan less beside counted "
                   "pungs.",
        example=hand("123m789s(EEE)WWWC+C", seat="S"), near_miss=hand("123m789s(EEE)WWW8s+8s", seat="S"),
        rulings="yuque-5", extra=YuqueExtra("3.2.4", groups=5, priority=5, cut=2)),

    # ---- chows and pungs alike
    fan("四同顺", 35, EQUAL, "有四副完全相同的顺子的和牌。",
        lambda h: h.c4 != 0, "four same chows",
        definition="Four chows that are quite alike.", of=4,
        drops="三同顺 二般高 一般高",
        example="345p345p(345p)345p7m+7m", near_miss="345p345p(345p)345s7m+7m",
        extra=YuqueExtra("4.1.1", groups=4, priority=2)),
    fan("三同顺", 17, EQUAL, "有三副完全相同的顺子的和牌。",
        lambda h: h.c3 != 0, "three same chows",
        definition="Three chows that are quite alike.", of=3,
        drops="一般高",
        example="789m789m(789m)NNN5s+5s", near_miss="789m789m(678m)NNN5s+5s", rulings="yuque-8",
        extra=YuqueExtra("4.1.2", groups=3, priority=2)),
    fan("二般高", 13, EQUAL, "有两组各两副顺子,其中每一组的两副顺子完全相同的和牌。",
        lambda h: (count(h.c2) >= 2) | (h.c4 != 0), "twice two same chows",
        definition="Two couples of chows, the two of each quite alike.", of=4,
        drops="一般高",
        example="234m234m(567p)567pS+S", near_miss="234m234m(567p)567sS+S", rulings="yuque-8",
        extra=YuqueExtra("4.1.3", groups=4, priority=2)),
    fan("一般高", 5, EQUAL, "有两副完全相同的顺子的和牌。",
        lambda h: h.c2 != 0, "two same chows",
        definition="Two chows that are quite alike.", of=2,
        example="234p456p789s(789s)3s+3s", near_miss="234p456p789s(789m)3s+3s",
        extra=YuqueExtra("4.1.4", groups=2, priority=2)),
    fan("三色同顺", 7, EQUAL,
        "有序数相同的三色三副顺子的和牌。"
        "排斥 二相逢。",
        lambda h: same_rank(h.c1) != 0, "three suits, one chow",
        definition="Three chows of the same ranks in the three suits.", of=3,
        drops="喜相逢", conflicts="二相逢",
        example="456m(456p)567p456s8m+8m", near_miss="456m(456p)567p567s8m+8m", rulings="yuque-8",
        extra=YuqueExtra("4.2.1", groups=3, priority=2)),
    fan("二相逢", 5, EQUAL,
        "有两组各两副顺子,其中每一组的两副顺子序数相同而花色不同的和牌。"
        "排斥 三色同顺、镜同。",
        two_meetings, "two meetings",
        definition="Two couples of chows, the two of each of the same ranks in different suits.", of=4,
        drops="喜相逢", conflicts="三色同顺 镜同",
        example="234m(789m)234p789sC+C", near_miss="234m(789m)234p678sC+C", rulings="yuque-8",
        extra=YuqueExtra("4.2.2", groups=4, priority=2)),
    fan("喜相逢", 1, EQUAL,
        "有序数相同的两色两副顺子的和牌。"
        "排斥 镜同。",
        lambda h: two_suits(h.c1) != 0, "meeting",
        definition="Two chows of the same ranks in two suits.", of=2,
        conflicts="镜同",
        example="567m678m(678p)789sF+F", near_miss="567m678m(567m)789sF+F",
        extra=YuqueExtra("4.2.3", groups=2, priority=2)),
    fan("三色同刻", 8, EQUAL, "有三副序数相同的数牌刻子的和牌。",
        lambda h: same_rank(h.p) != 0, "three suits, one pung",
        definition="Three pungs of number tiles of one rank.", of=3,
        drops="双同刻",
        example="222m(222p)123s222s3p+3p", near_miss="222m(222p)123s333s3p+3p", rulings="yuque-8",
        extra=YuqueExtra("4.3.1", groups=3, priority=2, serves=True)),
    fan("二同刻", 6, EQUAL,
        "有两组各两副数牌刻子,其中每一组的两副刻子序数相同的和牌。"
        "排斥 清幺九、镜同。",
        lambda h: count(two_suits(h.p)) >= 2, "twice two suits, one pung",
        definition="Two couples of pungs of number tiles, the two of each of one rank.", of=4,
        drops="双同刻 对对和", conflicts="清幺九 镜同",
        example="444m(444p)666p666s9s+9s", near_miss="444m(444p)666p777s9s+9s", rulings="yuque-8",
        extra=YuqueExtra("4.3.2", groups=4, priority=2, serves=True)),
    fan("双同刻", 1, EQUAL,
        "有序数相同的两色两副刻子的和牌。"
        "排斥 清幺九、镜同。",
        lambda h: two_suits(h.p) != 0, "two suits, one pung",
        definition="Two pungs of one rank in two suits.", of=2,
        conflicts="清幺九 镜同",
        example="234m555m(456p)555p7s+7s", near_miss="234m555m(456p)666p7s+7s",
        extra=YuqueExtra("4.3.3", groups=2, priority=2, serves=True)),

    # ---- ranks in a row
    fan("一气贯通", 8, IN_A_ROW, "有同色123、456、789三副顺子的和牌。",
        lambda h: run(h.c1, 3, 3) != 0, "straight",
        definition="123, 456 and 789 of one suit.", of=3,
        example="123m456m(789m)234s6s+6s", near_miss="123m456m(678m)234s6s+6s", rulings="yuque-8",
        extra=YuqueExtra("5.3.1", groups=3, priority=1)),
    fan("三色贯通", 7, IN_A_ROW, "有三色123、456、789三副顺子的和牌。",
        lambda h: mixed(h.c1, 3) != 0, "mixed straight",
        definition="123, 456 and 789 in the three suits.", of=3,
        example="456m678m(123p)789sP+P", near_miss="456m678m(123p)789pP+P",
        extra=YuqueExtra("5.3.2", groups=3, priority=1)),
    fan("清双龙会", 15, IN_A_ROW,
        "有两组各两副顺子,其中每一组的两副顺子序数连续,且四副顺子花色相同而没有构成一气贯通的和牌。",
        lambda h: two_chains(h) & (suits(h.c1) == 1), "two chains in one suit",
        definition="Two couples of chows, the two of each following each other, all four of one suit, and no "
                   "straight from 1 to 9.", of=4,
        drops="双龙会",
        example="234m345m(567m)678m1p+1p", near_miss="123m456m(456m)789m1p+1p",
        extra=YuqueExtra("5.3.3", groups=4, priority=1)),
    fan("双龙会", 7, IN_A_ROW, "有两组各两副顺子,其中每一组的两副顺子花色相同且序数连续,而没有构成一气贯通的和牌。",
        two_chains, "two chains",
        definition="Two couples of chows, the two of each of one suit and following each other, and no straight "
                   "from 1 to 9.", of=4,
        example="234p567p(123s)456s7m+7m", near_miss="234p567p(123s)567s7m+7m", rulings="yuque-8",
        extra=YuqueExtra("5.3.4", groups=4, priority=1)),
    fan("四步高", 20, IN_A_ROW, "有同色四副序数依次递增1的顺子的和牌。",
        lambda h: run(h.c1, 4, 1) != 0, "four steps of one",
        definition="Four chows of one suit, each one rank higher than the one before.", of=4,
        drops="三步高",
        example="123s234s(345s)456s7p+7p", near_miss="123s234s(345s)567s7p+7p",
        extra=YuqueExtra("5.1.1", groups=4, priority=1)),
    fan("三步高", 11, IN_A_ROW,
        "有同色三副序数依次递增1的顺子的和牌。"
        "排斥 三连环。",
        lambda h: run(h.c1, 3, 1) != 0, "three steps of one",
        definition="Three chows of one suit, each one rank higher than the one before.", of=3,
        conflicts="三连环",
        example="234m345m(456m)SSS2s+2s", near_miss="234m345m(567m)SSS2s+2s", rulings="yuque-8",
        extra=YuqueExtra("5.1.2", groups=3, priority=1)),
    fan("四连环", 16, IN_A_ROW, "有同色四副序数依次递增2的顺子的和牌。",
        lambda h: run(h.c1, 4, 2) != 0, "four steps of two",
        definition="Four chows of one suit, each two ranks higher than the one before.", of=4,
        drops="三连环",
        example="123p345p(567p)789p3m+3m", near_miss="123p345p(567p)678p3m+3m",
        extra=YuqueExtra("5.2.1", groups=4, priority=1)),
    fan("三连环", 8, IN_A_ROW,
        "有同色三副序数依次递增2的顺子的和牌。"
        "排斥 三步高。",
        lambda h: run(h.c1, 3, 2) != 0, "three steps of two",
        definition="Three chows of one suit, each two ranks higher than the one before.", of=3,
        conflicts="三步高",
        example="345m567m(789m)EEE1s+1s", near_miss="345m567m(678m)EEE1s+1s", rulings="yuque-8",
        extra=YuqueExtra("5.2.2", groups=3, priority=1)),
    fan("四连刻", 13, IN_A_ROW, "有同色四副序数依次递增1的刻子的和牌。",
        lambda h: run(h.p, 4, 1) != 0, "four pungs in a row",
        definition="Four pungs of one suit, each one rank higher than the one before.", of=4,
        drops="三连刻 对对和",
        example="222p(333p)444p555p3m+3m", near_miss="222p(333p)444p666p3m+3m",
        extra=YuqueExtra("5.4.1", groups=4, priority=1, serves=True)),
    fan("三连刻", 7, IN_A_ROW, "有同色三副序数依次递增1的刻子的和牌。",
        lambda h: run(h.p, 3, 1) != 0, "three pungs in a row",
        definition="Three pungs of one suit, each one rank higher than the one before.", of=3,
        example="555s(666s)777sNNN9p+9p", near_miss="555s(666s)888sNNN9p+9p", rulings="yuque-8",
        extra=YuqueExtra("5.4.2", groups=3, priority=1, serves=True)),
    fan("三色连刻", 6, IN_A_ROW, "有三色三副序数依次递增1的刻子的和牌。",
        lambda h: mixed(h.p, 1) != 0, "three suits, pungs in a row",
        definition="Three pungs of the three suits, each one rank higher than the one before.", of=3,
        example="345m666m(888p)777s2s+2s", near_miss="345m666m(888p)777m2s+2s",
        extra=YuqueExtra("5.4.3", groups=3, priority=1, serves=True)),

    # ---- whole patterns
    fan("镜同", 7, SYMMETRY,
        "有两色数牌各组成两副面子的和牌,其中对于一种花色的任一面子,必然在另一种花色中有与之序数相同的面子。"
        "排斥 喜相逢、二相逢、双同刻、二同刻。",
        twin_suits, "twin suits",
        definition="Two suits of two sets each, where every set of the one has a set of the same ranks in the "
                   "other.", of=4,
        conflicts="喜相逢 二相逢 双同刻 二同刻",
        example="234p(777p)234s777s1m+1m", near_miss="234p(777p)234s888s1m+1m", rulings="yuque-8 yuque-14",
        extra=YuqueExtra("6.1", groups=4, priority=3, serves=True)),
    fan("数同", 9, SYMMETRY,
        "只由数牌构成的和牌,其中每一色面子均关于雀头的序数对称。若雀头序数为n,则在同色中若有最大数为a的顺子,必须亦有"
        "最小数为2n-a的顺子,且二者数量相同;若有序数a的刻子,则必须亦有序数2n-a的刻子,且二者数量相同。",
        mirrored_about_pair, "ranks mirrored about the pair",
        definition="Number tiles only, and the sets of every suit mirrored about the rank of the pair: with a pair "
                   "of rank n, a chow that ends at a goes with one that begins at 2n-a, a pung of rank a with one "
                   "of rank 2n-a, as many of the one as of the other.",
        example="123m567m(234s)456s4p+4p", near_miss="123m567m(234s)456s5p+5p", rulings="yuque-8 yuque-20",
        extra=YuqueExtra("6.2", groups=5, priority=4, serves=True)),
    fan("幺九三刻", 3, OUTER_PUNGS, "共三个幺九刻子的和牌。",
        lambda h: count(h.p & OUTER) == 3, "three terminal or honour pungs",
        definition="Three pungs of terminals or honours in all.", of=3,
        example=hand("111m(999p)234sSSSN+N", seat="W"), near_miss=hand("111m(888p)234sSSSN+N", seat="W"),
        rulings="yuque-6 yuque-7 yuque-9", extra=YuqueExtra("7.1", groups=3, priority=4, serves=True)),
    fan("幺九四刻", 6, OUTER_PUNGS, "共四个幺九刻子,且雀头不为幺九牌的和牌。",
        lambda h: (count(h.p & OUTER) == 4) & ((h.pair & OUTER) == 0), "four terminal or honour pungs",
        definition="Four pungs of terminals or honours in all, and a pair that is neither.", of=4,
        drops="对对和",
        example=hand("999m(111s)EEEWWW2p+2p", seat="S"), near_miss=hand("999m(111s)EEEWWW1p+1p", seat="S"),
        rulings="yuque-6", extra=YuqueExtra("7.2", groups=4, priority=4, serves=True)),
    fan("门前清", 2, CLOSED_HAND, "没有吃出的顺子、碰出的刻子与明杠(即没有副露)的和牌。",
        lambda h: lucky(h, Luck.CLOSED), "closed hand",
        definition="No claimed chow or pung and no exposed kong.",
        example="123m345m[5555p]678s9s+9s", near_miss="123m(345m)[5555p]678s9s+9s", rulings="yuque-17 yuque-18",
        extra=YuqueExtra("8", groups=4, priority=1)),
)  # fmt: skip
