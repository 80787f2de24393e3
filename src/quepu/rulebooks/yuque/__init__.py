"""玉雀, 第 54 版: 62 番种, added by priority with residues; points are the square of the fan."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from quepu.errors import Text
from quepu.hands.hand import Luck
from quepu.rulebooks.yuque import accidents, patterns
from quepu.rulebooks.yuque.arithmetic import Accretion
from quepu.rulebooks.yuque.row import ENGLISH_CLASS, YuqueExtra
from quepu.rules.arithmetic import AS_WRITTEN, HIGHEST, LOWEST
from quepu.rules.rulebook import Correction, Option, Rulebook
from quepu.rules.rulings import read


def _setting(key: str) -> Any:
    def apply(book: Rulebook, choice: Any) -> Rulebook:
        return replace(book, settings={**book.settings, key: choice})

    return apply


def _set_unless_usual(key: str, usual: Any) -> Any:
    """Return the effect of an option whose usual choice leaves no trace in a book that never had it."""

    def apply(book: Rulebook, choice: Any) -> Rulebook:
        settings = {name: value for name, value in book.settings.items() if name != key}
        return replace(book, settings=settings if choice == usual else {**settings, key: choice})

    return apply


def _suo_cut(book: Rulebook, cut: Any) -> Rulebook:
    """Let 清一色:索 lose `cut` for 番刻; only the number used by the arithmetic changes, the book's remark stays."""
    fans = tuple(
        replace(fan, extra=replace(own, cut=cut)) if (own := fan.own(YuqueExtra)).number == "3.1.2.3" else fan
        for fan in book.fans
    )
    return replace(book, fans=fans)


OPTIONS = (
    Option(
        "self_draw",
        Text(
            "自摸和：其余三家各失和家点数的六分之一，或和家另得六分之一而他家不失",
            "self-draw: each other player loses a sixth of the winner's points, or the winner gets a sixth more",
        ),
        ("others_pay", "winner_gains"),
        _setting("self_draw"),
        words=(
            Text("其余三家各失六分之一", "each other player loses a sixth"),
            Text("和家另得六分之一", "the winner gets a sixth more"),
        ),
    ),
    Option(
        "unready_quarter",
        Text(
            "未听牌者所得的分（己点数之四分之一）。未听牌无番数，原则为 0；可约定为任何分数",
            "the payment for a hand that is not ready (a quarter of its points): it has no fan, so 0, or any number agreed on",
        ),
        (0,),
        _setting("unready_quarter"),
        between=(0, 100_000),
        words=(Text("0 分", "0 points"),),
    ),
    Option(
        "suo_fanke_cut",
        Text(
            "计番刻时清一色:索的番值",
            "the value of 清一色:索 when 番刻 count",
        ),
        (2, 3),
        _suo_cut,
        words=(Text("13-2（表 II）", "13-2 (table II)"), Text("12-2（计番简表）", "12-2 (the summary table)")),
    ),
    Option(
        "order",
        Text("同一优先级的番种按什么次序叠加", "the order of addition among fans of equal priority"),
        (LOWEST, HIGHEST, AS_WRITTEN),
        _set_unless_usual("order", LOWEST),
        words=(
            Text("总番数最低的次序", "the order with the lowest total"),
            Text("总番数最高的次序", "the order with the highest total"),
            Text("番种表的次序", "the order of the table"),
        ),
    ),
    Option(
        "kong_tiles",
        Text(
            "岭上牌从牌墙补足王张，或直接取自 14 张王张",
            "replacement tiles shorten the live wall, or the dead wall of 14",
        ),
        ("live", "dead_wall"),
        _setting("kong_tiles"),
        words=(Text("从牌墙补足王张", "shortens the live wall"), Text("取自王张", "shortens the dead wall")),
    ),
    Option(
        "dealer_repeats",
        Text("连庄（原文未说）", "when the dealer stays (the text does not say)"),
        ("never", "win", "win or draw"),
        _set_unless_usual("dealer_repeats", "never"),
        words=(
            Text("每局换庄", "never: the deal always passes"),
            Text("庄家和牌连庄", "after a win"),
            Text("庄家和牌或流局连庄", "after a win or a hand without a winner"),
        ),
    ),
)


def _own(book: Rulebook) -> Accretion:
    if not isinstance(book.arithmetic, Accretion):
        raise TypeError(book.id)
    return book.arithmetic


CORRECTIONS = (
    Correction(  # ruling yuque-19
        "2026-11-22",
        Text(
            "混一色之后的混幺九剩 4/5，此前为 5/5。",
            "混幺九 after 混一色 now keeps 4/5; it kept 5/5.",
        ),
        lambda book: replace(book, arithmetic=_own(book).having({("混一色", "混幺九"): 5})),
    ),
    Correction(
        "2026-11-22",
        Text(
            "总番数相等时报番种最少的计法，点数不变。",
            "Of equal totals, the one with the fewest fans is announced; scores do not change.",
        ),
        lambda book: replace(book, arithmetic=_own(book).having(fewest=False)),
    ),
)

YUQUE_54 = Rulebook(
    id="yuque-54",
    title=Text("玉雀第 54 版", "Yuque, 54th edition"),
    fans=accidents.ROWS + patterns.ROWS,
    arithmetic=Accretion(),
    shapes=("standard",),
    minimum=0,
    unit=Text("点", "points"),
    circumstances={
        "岭上开花": int(Luck.KONG_DRAW),
        "海底捞月": int(Luck.LAST_DRAW),
        "河底捞鱼": int(Luck.LAST_DISCARD),
        "抢杠": int(Luck.ROBBED_KONG),
        "天和": int(Luck.HEAVENLY),
        "地和": int(Luck.EARTHLY),
    },
    aliases=("yuque", "玉雀"),
    family="yuque",
    edition="54",
    seed="002",
    options=OPTIONS,
    settings={"self_draw": "others_pay", "unready_quarter": 0, "kong_tiles": "live"},
    corrections=CORRECTIONS,
    rulings=read(__file__),
    play="quepu.rulebooks.yuque.play_rules",
    guide="quepu.rulebooks.yuque.guide",
    classes=ENGLISH_CLASS,
    columns={
        "number": Text("序号", "number"),
        "groups": Text("涉及组数", "groups"),
        "priority": Text("优先级", "priority"),
    },
    near={
        "抢杠和": "抢杠",
        "杠上开花": "岭上开花",
        "岭上": "岭上开花",
        "海底": "海底捞月",
        "河底": "河底捞鱼",
        "天胡": "天和",
        "地胡": "地和",
    },
)

BOOKS = (YUQUE_54,)
