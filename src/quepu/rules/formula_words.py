"""The words of formulas: the vocabulary of `quepu.hands.planes`, with names.

Every word has a Chinese and an English name, the kinds of its arguments and its result, and one line of help. Truths
are 0 or 1, numbers are small, tiles are planes (sets of kinds of tiles), ranks are one lane (sets of ranks).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any, NamedTuple

from quepu.errors import Text
from quepu.hands import planes
from quepu.hands.hand import Luck
from quepu.hands.planes import Condition


class FormulaKind(Enum):
    """The kind of a part of a formula."""

    TRUTH = Text("条件", "a condition")
    NUMBER = Text("数", "a number")
    TILES = Text("牌的集合", "a set of tiles")
    RANKS = Text("序数的集合", "a set of ranks")


TRUTH, NUMBER, TILES, RANKS = FormulaKind


class Word(NamedTuple):
    """A word: a name in Chinese and English, and its meaning.

    `takes` are the kinds of its arguments in order (`optional` of the last may be left out, `ranks_too`: sets of ranks
    do for sets of tiles); a word that takes none is a condition of its own. `make` builds the condition from arguments.
    `named`: a set of kinds whatever the hand holds (the honours, one's own wind). `of_hand`: of such a set the word is
    about the tiles that the hand has: has(honours) is has(tiles & honours). `of_ranks`: its number is a list of ranks.
    """

    zh: str
    en: str
    gives: FormulaKind
    help: Text
    make: Callable[..., Condition]
    takes: tuple[FormulaKind, ...] = ()
    optional: int = 0
    ranks_too: bool = False
    named: bool = False
    of_hand: bool = True
    of_ranks: bool = False


def _plane(zh: str, en: str, plane: str, help_zh: str, help_en: str, *, named: bool = False) -> Word:
    def of(h: Any) -> Any:
        return getattr(h, plane)

    return Word(zh, en, TILES, Text(help_zh, help_en), lambda: of, named=named)


def _const(zh: str, en: str, tiles: int, help_zh: str, help_en: str) -> Word:
    return Word(zh, en, TILES, Text(help_zh, help_en), lambda: lambda h: tiles, named=True)


def _truth(zh: str, en: str, when: Condition, help_zh: str, help_en: str) -> Word:
    return Word(zh, en, TRUTH, Text(help_zh, help_en), lambda: when)


def _of(
    zh: str, en: str, takes: tuple[FormulaKind, ...], gives: FormulaKind, what: Callable[..., Any],
    help_zh: str, help_en: str, **more: Any,
) -> Word:  # fmt: skip
    """Build a word that is computed from its arguments' values; `more` are fields of `Word`."""

    def make(*parts: Condition) -> Condition:
        return lambda h: what(*(part(h) for part in parts))

    return Word(zh, en, gives, Text(help_zh, help_en), make, takes, **more)


def _lucky(luck: int) -> Condition:
    return lambda h: (h.luck & luck) != 0


def _form(forms: int) -> Condition:
    return lambda h: (h.form & forms) != 0


def _place(places: int) -> Condition:
    return lambda h: (h.place & places) != 0


def _steps(x: Any, n: int, step: int = 1) -> Any:
    return planes.run(x, n, step)


def _only(part: Condition) -> Condition:
    return lambda h: (h.t1 & (planes.ALL_TILES & ~part(h))) == 0


def _rank_tiles(digits: int) -> Any:
    return planes.ranks("".join(d for d in str(digits) if d != "0"))


def _mirror_about_pair(part: Condition) -> Condition:
    return lambda h: planes.mirror_about_pair(part(h), h.pair)


def _chow_pairs(step: Condition) -> Condition:
    return lambda h: planes.couples(h, step(h))


def _number(zh: str, en: str, of: Condition, help_zh: str, help_en: str) -> Word:
    return Word(zh, en, NUMBER, Text(help_zh, help_en), lambda: of)


def _more_words() -> list[Word]:
    return [
        _of("升", "raised", (TILES, NUMBER), TILES, planes.raise_ranks,
            "各牌升 n 个序数，过九的没有：升(顺子, 1) 是各副顺子的中张",
            "tiles n ranks higher, none beyond nine: raised(chows, 1) is the middle tile of each chow"),
        _of("降", "lowered", (TILES, NUMBER), TILES, planes.lower_ranks,
            "各牌降 n 个序数，不足一的没有：刻子 & 降(刻子, 2)",
            "tiles n ranks lower, none below one: pungs & lowered(pungs, 2)"),
        _of("换色", "next_suit", (TILES,), TILES, planes.next_suit,
            "万换筒，筒换索，索换万", "characters to dots, to bamboo, to characters"),
        Word("绕雀头镜像", "mirrored_about_pair", TILES,
             Text("关于雀头的序数对换", "mirrored about the rank of the pair"), _mirror_about_pair, (TILES,)),
        _of("居中镜像", "mirrored_about_middle", (TILES,), TILES, planes.mirror_about_middle,
            "关于最小、最大序数的正中对换",
            "mirrored about the middle of the lowest and highest rank"),
        _of("相同", "same", (TILES, TILES), TRUTH, lambda x, y: (x ^ y) == 0,
            "两个集合一样：相同(镜像(刻子), 刻子)",
            "two sets are the same: same(mirrored(pungs), pungs)"),
        _of("算一次", "once", (TRUTH,), NUMBER, lambda x: (x != 0) * 1,
            "条件成立是 1，不成立是 0：算一次(有(刻子)) + 1",
            "1 where a condition holds, else 0: once(has(pungs)) + 1"),
        Word("几对顺子", "chow_pairs", NUMBER, Text("同色序数相差 n 的顺子有几对：几对顺子(3)",
             "pairs of chows of one suit, n ranks apart: chow_pairs(3)"), _chow_pairs, (NUMBER,)),
        _number("异色顺子对", "mixed_chow_pairs", lambda h: planes.couples(h, 16, 32),
                "异色同数的顺子有几对", "pairs of chows of the same ranks in two suits"),
        _number("吃碰的副数", "claimed_sets", planes.count_claimed_sets,
                "吃来、碰来的面子与明杠有几副",
                "chows, pungs and kongs that were claimed"),
        _number("花数", "flower_count", lambda h: planes.count(h.flowers), "有几张花牌", "how many flowers"),
        _truth("十三幺形", "orphans", _form(planes.ORPHANS), "十三幺", "thirteen orphans"),
        _truth("全不靠形", "unconnected", _form(planes.LOOSE), "全不靠", "unconnected tiles"),
        _truth("组合龙形", "knitted", _form(planes.KNITTED), "组合龙，一副一对",
               "a knitted straight, a set and a pair"),
    ]  # fmt: skip


def _words() -> list[Word]:
    return [
        _plane("顺子", "chows", "c1", "各副顺子（以最小的一张表示）", "the chows, each by its lowest tile"),
        _plane("两副顺子", "double_chows", "c2", "有两副以上相同的顺子", "chows that are there twice at least"),
        _plane("三副顺子", "triple_chows", "c3", "有三副以上相同的顺子", "chows that are there three times at least"),
        _plane("四副顺子", "quadruple_chows", "c4", "四副相同的顺子", "chows that are there four times"),
        _plane("吃的顺子", "claimed_chows", "o1", "吃来的顺子", "chows that were claimed"),
        _plane("刻子", "pungs", "p", "各副刻子，杠也在内", "the pungs, kongs among them"),
        _plane("碰的刻子", "claimed_pungs", "xp", "碰来的刻子与明杠", "pungs and kongs that were claimed"),
        _plane("暗的刻子", "concealed_pungs", "pc", "暗刻与暗杠", "pungs and kongs of own tiles only"),
        _plane("各副杠", "kongs", "k", "各副杠", "the kongs"),
        _plane("各副暗杠", "concealed_kongs", "kc", "各副暗杠", "the concealed kongs"),
        _plane("雀头", "pair", "pair", "雀头；七对时为全部七对", "the pair; in seven pairs all of them"),
        _plane("牌", "tiles", "t1", "和牌里有的各种牌", "the kinds of tiles in the hand"),
        _plane("成双的牌", "twice", "t2", "有两张以上的牌", "kinds held twice at least"),
        _plane("成三的牌", "three_times", "t3", "有三张以上的牌", "kinds held three times at least"),
        _plane("成四的牌", "four_times", "t4", "有四张的牌", "kinds held four times"),
        _plane("门风牌", "seat_wind", "seat", "自己的门风", "one's own wind", named=True),
        _plane("圈风牌", "round_wind", "round", "圈风", "the round wind", named=True),
        _plane("和牌张", "winning_tile", "win", "和的那一张", "the tile that won"),
        _plane("听的牌", "waits", "waits", "和牌前听的各种牌", "the tiles that the hand waited for"),
        _const("字牌", "honours", planes.HONOUR_TILES, "东南西北中发白", "winds and dragons"),
        _const("风牌", "winds", planes.WINDS, "东南西北", "the winds"),
        _const("箭牌", "dragons", planes.DRAGONS, "中发白，也叫三元牌", "the dragons"),
        _const("序数牌", "suited", planes.SUIT_TILES, "万筒索各一到九", "all number tiles"),
        _const("老头牌", "terminals", planes.TERMINALS, "一与九", "ones and nines"),
        _const("幺九牌", "outer", planes.OUTER, "一、九与字牌", "ones, nines and honours"),
        _const("万子", "characters", planes.LANE, "一至九万", "the characters"),
        _const("筒子", "dots", planes.LANE << 16, "一至九筒", "the dots"),
        _const("索子", "bamboo", planes.LANE << 32, "一至九索", "the bamboo"),
        _of("序数", "rank", (NUMBER,), TILES, _rank_tiles, "序数(258)：三色的二、五、八",
            "rank(258): the 2, 5 and 8 of every suit", named=True)._replace(of_ranks=True),
        _of("个数", "count", (TILES,), NUMBER, planes.count, "集合里有几个：个数(刻子)", "how many: count(pungs)",
            ranks_too=True),
        _of("几种序数", "rank_count", (TILES,), NUMBER, lambda x: planes.count(planes.any_suit(x)),
            "不分花色有几种序数", "how many ranks, whatever the suit"),
        _of("几门", "suit_count", (TILES,), NUMBER, planes.suits, "有几门花色", "in how many of the three suits"),
        _of("有", "has", (TILES,), TRUTH, lambda x: x != 0, "有这样的刻子、牌：有(刻子 & 字牌)、有(风牌)",
            "not empty: has(pungs & honours), has(winds)", ranks_too=True),
        _of("没有", "none", (TILES,), TRUTH, lambda x: x == 0, "没有这样的：没有(字牌)", "empty: none(honours)",
            ranks_too=True),
        Word("只有", "only", TRUTH, Text("和牌没有别的牌：只有(序数(258) | 字牌)",
             "the hand has no other tile: only(rank(258) | honours)"), _only, (TILES,), of_hand=False),
        _of("相连", "in_a_row", (TILES, NUMBER, NUMBER), TILES, _steps,
            "同色 n 个相连（步长默认 1），以最低的表示：相连(刻子, 3)、相连(顺子, 3, 3)",
            "n of one suit in a row (by steps of 1), each row by its lowest: in_a_row(pungs, 3), in_a_row(chows, 3, 3)",
            optional=1),
        _of("三色相连", "mixed_row", (TILES, NUMBER), RANKS, planes.mixed, "三色各一，依次差若干：三色相连(顺子, 3)",
            "one in each suit, so far apart: mixed_row(chows, 3)"),
        _of("三色相同", "in_three_suits", (TILES,), RANKS, planes.same_rank, "三色都有的序数",
            "ranks found in all three suits"),
        _of("两色相同", "in_two_suits", (TILES,), RANKS, planes.two_suits, "至少两色都有的序数",
            "ranks found in two suits at least"),
        _of("各色合并", "any_suit", (TILES,), RANKS, planes.any_suit, "不分花色有的序数", "ranks found in some suit"),
        _of("镜像", "mirrored", (TILES,), TILES, planes.mirrored, "一与九、二与八……对换", "1 for 9, 2 for 8 and so on"),
        _truth("自摸的", "drawn", _lucky(int(Luck.SELF_DRAW)), "自摸和牌", "won by self-draw"),
        _truth("门清的", "closed", _lucky(int(Luck.CLOSED)), "没有吃碰明杠", "nothing was claimed before the win"),
        _truth("标准形", "standard", _form(planes.STANDARD), "四副一对，也叫一般形", "four sets and a pair"),
        _truth("七对形", "seven_pairs", _form(planes.PAIRS), "七个对子", "seven pairs"),
        _truth("边张的", "edge_wait", _place(planes.EDGE), "和边张", "won on the edge of a chow"),
        _truth("嵌张的", "gap_wait", _place(planes.GAP), "和嵌张", "won inside a chow"),
        _truth("两面的", "open_wait", _place(planes.OPEN_END), "和两面", "won on an open end of a chow"),
        _truth("单钓的", "pair_wait", _place(planes.SINGLE), "和在雀头", "won on the pair"),
        _truth("对碰的", "pung_wait", _place(planes.PUNG_PLACE), "和在刻子", "won on a pung"),
    ]  # fmt: skip


OTHER_NAMES = {
    "三元牌": "箭牌", "数牌": "序数牌", "一九牌": "老头牌", "饼子": "筒子", "条子": "索子", "将牌": "雀头",
    "一般形": "标准形",
}  # fmt: skip
"""Other names of the words, as books use them; a fan of that name takes precedence."""


@cache
def words() -> dict[str, Word]:
    """Every word by its Chinese and by its English name, and by what else books call it."""
    found = {name: word for word in (*_words(), *_more_words()) for name in (word.zh, word.en)}
    return found | {other: found[name] for other, name in OTHER_NAMES.items()}


OPERATORS = {
    "且": "and", "并且": "and", "与": "and", "and": "and",
    "或": "or", "或者": "or", "or": "or",
    "非": "not", "not": "not",
    "除": "without", "without": "without",
}  # fmt: skip
"""Words that join parts: and, or, not; tiles without other tiles."""
