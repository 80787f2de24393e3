"""House options that the book names or leaves open. Ids (N1 …) are those of `rulings.toml` and the reading notes.

A change names rows and is applied to the current book, so options combine; choosing the default again restores the rows
an option touches and reapplies the other chosen options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from quepu.errors import Text
from quepu.hands.planes import EDGE, GAP, SINGLE
from quepu.rulebooks.canton import house
from quepu.rulebooks.canton.liability import DRAGONS, KONGS, LAST, NINE, TWELVE, WINDS
from quepu.rulebooks.canton.option_words import in_words
from quepu.rulebooks.canton.payment_tables import SHARES, TABLES, share_of, stake_of, unit_table
from quepu.rulebooks.canton.row import CantonExtra
from quepu.rulebooks.canton.rows import ROWS
from quepu.rules.row import Fan, words
from quepu.rules.rulebook import Option, Rulebook

_SEED = {row.name: row for row in ROWS}
TEN_CONCEALED = words(
    "天糊 地糊 十三幺 九莲宝灯 四暗刻 全不靠 十三魔王 十三不搭 连七对 七对子 三元七对 四喜七对 连六对 十三骑士"
)
"""The hands that the book's general sentence calls always concealed, and the other hands of seven pairs (A2)."""
TILE_PATTERNS = "缺五 无字 缺门 五门齐 混老头 一半数字 断幺九 推不倒 断红"


class RowChange(NamedTuple):
    """The change that a choice makes to one row."""

    when: Any = None
    most: int | None = None
    add: str = ""  # further names that the row excludes, stated
    remove: str = ""  # names that it no longer excludes
    each_more: int | None = None
    frees: tuple[str, ...] | None = None

    def apply(self, row: Fan) -> Fan:
        """Return the row with the change made."""
        gone = set(words(self.remove))
        implied = tuple(name for name in row.implied if name not in gone and name not in words(self.add))
        extra = row.extra
        if self.each_more is not None:
            extra = replace(row.own(CantonExtra), each_more=self.each_more)
        if self.frees is not None:
            extra = replace(row.own(CantonExtra), frees=self.frees)
        drops = tuple(name for name in row.drops if name not in gone)
        return replace(
            row,
            when=self.when or row.when,
            most=row.most if self.most is None else self.most,
            drops=drops + tuple(name for name in words(self.add) if name not in drops),
            implied=implied,
            extra=extra,
        )


Changes = Mapping[str, RowChange]


def restore(row: Fan) -> Fan:
    """Return the row as the book has it today, except for its value."""
    seed = _SEED[row.name]
    return replace(row, when=seed.when, most=seed.most, drops=seed.drops, implied=seed.implied, extra=seed.extra)


def _rows(key: str, text: Text, choices: Mapping[Any, Changes]) -> Option:
    """Build an option that changes rows; the first choice is the book's and changes nothing."""
    touched = {name for changes in choices.values() for name in changes}

    def change(book: Rulebook, choice: Any) -> Rulebook:
        changes = choices[choice]
        fans = tuple(changes[row.name].apply(row) if row.name in changes else row for row in book.fans)
        return replace(book, fans=fans)

    def apply(book: Rulebook, choice: Any) -> Rulebook:
        if book.chosen.get(key, next(iter(choices))) != next(iter(choices)):
            fans = tuple(restore(row) if row.name in touched else row for row in book.fans)
            book = replace(book, fans=fans)
            for other, chosen in book.chosen.items():
                if other != key and other in _CHANGES:
                    book = _CHANGES[other](book, chosen)
        return change(book, choice)

    _CHANGES[key] = change
    return Option(key, text, tuple(choices), apply)


_CHANGES: dict[str, Callable[[Rulebook, Any], Rulebook]] = {}


def _value(name: str, *others: int) -> Option:
    """Build the option for a footnote's other value of a pattern (可定为…番); the key is the pattern's name."""
    row = _SEED[name]
    choices = (row.value, *others)

    def change(book: Rulebook, value: int) -> Rulebook:
        there = any(name == fan.name or name in fan.aliases for fan in book.fans)  # else a house rule switched it off
        return book.having(id=book.id, values={name: value} if there else {})

    listed = "、".join(map(str, others))
    return Option(
        name,
        Text(
            f"{name}的番数，可定为{listed}番", f"fan of {row.english}: {' or '.join(map(str, others))} in some houses"
        ),
        choices,
        change,
    )


def _setting(
    key: str,
    text: Text,
    choices: tuple[Any, ...],
    between: tuple[int, int] | None = None,
    free: Callable[[Any], object] | None = None,
) -> Option:
    def apply(book: Rulebook, choice: Any) -> Rulebook:
        return book.having(id=book.id, settings={key: choice})

    return Option(key, text, choices, apply, between, free=free)


def _later(
    key: str,
    text: Text,
    choices: tuple[Any, ...],
    free: Callable[[Any], object] | None = None,
    after: tuple[str, ...] = (),
) -> Option:
    """Build an option about a setting that older books do not have: its first choice leaves no trace in the book."""

    def apply(book: Rulebook, choice: Any) -> Rulebook:
        if choice == choices[0]:
            return replace(book, settings={name: value for name, value in book.settings.items() if name != key})
        return book.having(id=book.id, settings={key: choice})

    return Option(key, text, choices, apply, free=free, after=after)


def _without(key: str, text: Text, gone: str, shapes: str = "", settings: str = "") -> Option:
    """Build an option whose second choice, False, plays without some rows and shapes."""

    def apply(book: Rulebook, choice: bool) -> Rulebook:
        names, off = set(words(gone)), set(words(shapes))
        held = {row.name: row for row in book.fans}
        if choice:
            back = [held.get(row.name) or (row if row.name in names else None) for row in ROWS]
            fans = tuple(row for row in back if row) + tuple(row for row in book.fans if row.name not in _SEED)
            remaining = (*book.shapes, *(shape for shape in words(shapes) if shape not in book.shapes))
        else:
            fans = tuple(row for row in book.fans if row.name not in names)
            remaining = tuple(shape for shape in book.shapes if shape not in off)
        book = replace(book, fans=fans, shapes=remaining)
        return book.having(id=book.id, settings={settings: choice}) if settings else book

    return Option(key, text, (True, False), apply)


VALUES = (
    _value("四归一", 3), _value("混一色", 3), _value("一条龙", 7), _value("三暗刻", 7), _value("组合龙", 7),
    _value("三色双龙会", 7), _value("全带", 7), _value("一色三步高", 7), _value("小三元", 20), _value("清老头", 20),
    _value("字一色", 20), _value("三色同刻", 3, 7), _value("七对子", 10), _value("混老头", 10), _value("十三魔王", 10),
    _value("大三元", 40), _value("人糊", 40), _value("清一色", 8),
)  # fmt: skip
"""The footnotes' values."""


def _lost_value(name: str, *others: int) -> Option:
    """Build the option for the value of a pattern whose entry the text has lost (A22, N31)."""
    option = _value(name, *others)
    listed = "、".join(map(str, others))
    text = Text(
        f"{name}的番数：条目已失，例子在四十番一节；或作{listed}番",
        f"fan of {_SEED[name].english}: its entry is lost, its example stands under 40; or {' or '.join(map(str, others))}",
    )
    words = tuple(Text(f"{fan} 番", f"{fan} fan") for fan in option.choices)
    return replace(option, text=text, between=(0, 1000), words=words)


LOST = (_lost_value("十八罗汉", 30),)

_BY_GROUP = {
    "单边": RowChange(when=house.placed_at(EDGE)),
    "卡窿": RowChange(when=house.placed_at(GAP)),
    "卡五": RowChange(when=house.five_in_the_gap),
    "单吊": RowChange(when=house.placed_at(SINGLE)),
}
_WHOLE_SETS = {
    "青洞门": RowChange(when=house.whole_cave),
    "蓝一色": RowChange(when=house.whole_blue),
    "黑一色": RowChange(when=house.whole_black),
    "绿一色": RowChange(when=house.whole_green),
    "万绿丛中一点红": RowChange(when=house.whole_touch_of_red),
}
_KONG_WINS = {
    "杠上开花": RowChange(remove="开杠"),
    "钟鼓齐鸣": RowChange(remove="开杠"),
    "三连杠自摸": RowChange(remove="三杠子 双杠 开杠"),
}
_SELF_DRAW_IMPLIED = {
    name: RowChange(remove=" ".join(set(words("自摸 不求人")) & set(_SEED[name].implied))) for name in TEN_CONCEALED
}

READINGS = (
    _rows("all_fives", Text("全带仅限“五”（注 13）", "one number in every set: fives only (footnote 13)"),
          {False: {}, True: {"全带": RowChange(when=house.common_five)}}),
    _rows("missing_suit_with_honours", Text("有字牌也计缺门", "one suit missing also counts with honours"),
          {True: {}, False: {"缺门": RowChange(when=house.one_suit_missing_plain)}}),
    _rows("chain_adds_kongs", Text("连杠开花另计各杠", "a win after consecutive kongs also counts the kongs"),
          {True: {}, False: {"连杠开花": RowChange(add="开杠 双杠 三杠子")}}),
    _rows("kong_wins_add_kongs", Text("杠上开花等另计所需的杠", "wins after kongs also count the kongs they need"),
          {False: {}, True: _KONG_WINS}),
    _rows("clear_pungs_add_all_pungs", Text("清四碰另计对对糊", "all pungs melded also counts all pungs"),
          {True: {}, False: {"清四碰": RowChange(add="对对糊")}}),
    _rows("one_line_adds_three_numbers", Text("三步刻另计三数", "pungs in a line also count three numbers"),
          {True: {}, False: {"三步刻": RowChange(add="三数")}}),
    _rows("half_melded_adds", Text("半求人另计：无、自摸、自摸与单吊", "half melded also counts: nothing, "
                                   "the self-draw, the self-draw and the pair wait"),
          {"nothing": {}, "self_draw": {"半求人": RowChange(remove="自摸")},
           "both": {"半求人": RowChange(remove="自摸 单吊")}}),
    _rows("concealed_hands_add_self_draw", Text("必定门清的牌型自摸时另计自摸或不求人",
                                                "hands that are always concealed also count the self-draw"),
          {False: {}, True: _SELF_DRAW_IMPLIED}),
    _rows("scattered_adds_self_draw", Text("十三不搭自摸另计不求人", "thirteen unrelated also counts concealed self-draw"),
          {False: {}, True: {"十三不搭": RowChange(remove="自摸 不求人")}}),
    _rows("three_fours_add_self_draw", Text("三不杠自摸另计自摸", "three unkonged fours also count the self-draw"),
          {True: {}, False: {"三不杠": RowChange(add="自摸")}}),
    _rows("pyramid_self_drawn", Text("十三金字塔自摸另计：不求人或自摸",
                                     "a self-drawn pyramid also counts: concealed self-draw, or self-draw"),
          {"不求人": {}, "自摸": {"十三金字塔": RowChange(add="不求人")}}),
    _rows("full_in_first_go_round", Text("第一巡做出全不靠：十三不搭加五番，或全不靠加五番",
                                         "fourteen unrelated in the first go-round: 40 + 5, or 8 + 5"),
          {"十三不搭": {}, "全不靠": {"十三不搭": RowChange(when=house.scattered_alone, most=1),
                                      "全不靠": RowChange(when=house.full_quanbukao, most=2, each_more=5)}}),
    _rows("tiles_of_unrelated_hands", Text("全不靠、十三魔王、十三不搭另计只看牌的牌型",
                                           "unrelated hands also count patterns of tiles"),
          {True: {}, False: {name: RowChange(add=TILE_PATTERNS) for name in ("全不靠", "十三魔王", "十三不搭")}}),
    _rows("knitted_in_unrelated_hands", Text("全不靠、十三不搭有齐九张另计组合龙",
                                             "unrelated hands with all nine also count the knitted straight"),
          {True: {}, False: {"组合龙": RowChange(when=house.knitted_sets)}}),
    _rows("pair_of_irregular_shapes", Text("十三金字塔、十三不搭的一对可计将眼",
                                           "the doubled tile of irregular shapes counts as a 2, 5, 8 pair"),
          {False: {}, True: {"将眼": RowChange(when=house.any_258_pair)}}),
    _rows("heavenly_adds_fresh", Text("天糊另计生张", "the heavenly hand also counts the fresh tile"),
          {False: {}, True: {"天糊": RowChange(remove="生张")}}),
    _rows("three_materials", Text("三料牌：暗杠可、杠须明、暗刻亦可",
                                  "chow, pung and kong: any kong, only an exposed kong, or also a concealed pung"),
          {"any kong": {}, "exposed kong": {"三料牌": RowChange(when=house.three_materials_exposed)},
           "any pung": {"三料牌": RowChange(when=house.three_materials_any_pung)}}),
    _rows("outer_hand_adds_terminal_pung", Text("混老头另计简单花幺",
                                                "all terminals and honours also counts the terminal pung"),
          {True: {}, False: {"混老头": RowChange(add="简单花幺")}}),
    _rows("six_in_line", Text("连六：每两副顺子，或六张相连只计一次",
                              "six in line: each two chows, or six tiles once"),
          {"chows": {}, "tiles": {"连六": RowChange(when=house.six_in_line_by_tiles, most=1)}}),
    _rows("waits", Text("单吊、单边、卡窿、卡五：只叫一种，或看补成的那组",
                        "waits: only a sole wait, or by the completed group"),
          {"sole": {}, "group": _BY_GROUP}),
    _rows("both_winds", Text("风牌：每合一样计一次，或至多一次", "winds: each match counts, or only one"),
          {"each": {}, "once": {"风牌": RowChange(most=1)}}),
    _rows("pair_of_sanwei", Text("三尾 2 的眼：字牌、风牌、任何", "the pair of two wind pungs"),
          {"honour": {}, "wind": {"三尾": RowChange(when=house.sanwei_of_winds)},
           "any": {"三尾": RowChange(when=house.sanwei_of_any)}}),
    _rows("numbers_by_class", Text("三数、两数把风牌、三元牌各当一个数字",
                                   "all winds count as one number, and all dragons as one"),
          {False: {}, True: {"三数": RowChange(when=house.three_numbers_by_class),
                             "两数": RowChange(when=house.two_numbers_by_class)}}),
    _rows("couples", Text("老少、半般高、双同刻两次时：计两次，或一次", "pairs of sets found twice count twice, or once"),
          {"each": {}, "once": {name: RowChange(most=1) for name in ("老少", "半般高", "双同刻")}}),
    _rows("mirror_beside", Text("双飘、双龙抢珠另计镜糊糊", "double old and young, and two dragons with a pearl, also count the mirror"),
          {True: {}, False: {"双飘": RowChange(add="镜糊糊"), "双龙抢珠": RowChange(add="镜糊糊")}}),
    _rows("false_nine_gates", Text("九莲花灯：门清也可，或须有副露", "false nine gates: also concealed, or melded only"),
          {"any": {}, "melded": {"九莲花灯": RowChange(when=house.open_nine_gates)}}),
    _rows("half_counts_kongs_as", Text("一半数字的杠算几张", "half odd, half even: how many tiles a kong counts as"),
          {4: {}, 3: {"一半数字": RowChange(when=house.half_odd_kongs_as_three)}}),
    _rows("mixed_kongs_robbing", Text("满分花杠抢杠时自己要有几杠", "mixed kongs by robbing: kongs the winner needs"),
          {2: {}, 3: {"满分花杠": RowChange(when=house.three_own_kongs)}}),
    _rows("five_in_the_gap_adds_gap", Text("卡五另计卡窿，即 2＋1", "five in the gap also counts the gap, 2 + 1"),
          {False: {}, True: {"卡五": RowChange(remove="卡窿")}}),
    _rows("every_kind_of_a_set", Text("青洞门、蓝黑绿一色、万绿丛中一点红须各种数牌齐全",
                                      "patterns of tile sets (all blue and the like) need every tile of the set"),
          {False: {}, True: _WHOLE_SETS}),
    _rows("four_chows_by_text", Text("一色四顺从文字：四张相同的牌分在四副顺子",
                                     "four identical chows by the text: four equal tiles spread over four chows"),
          {False: {}, True: {"一色四顺": RowChange(when=house.four_chows_by_text)}}),
    _rows("seven_flowers_add_self_draw", Text("花糊另计自摸", "seven flowers also count the self-draw"),
          {False: {}, True: {"花糊": RowChange(add="+自摸")}}),
    _rows("four_in_one_each", Text("四归一、四归四每四张各计一次",
                                   "four in pung and chow, and four in four chows, count once for each four tiles"),
          {True: {}, False: {"四归一": RowChange(most=1), "四归四": RowChange(most=1)}}),
    _rows("undeclared_first_win", Text("起手叫糊而没有宣布听牌，也计人糊、地糊",
                                       "a first-turn win by a hand dealt ready counts even if readiness was not declared"),
          {False: {}, True: {"人糊": RowChange(when=house.humanly_undeclared),
                             "地糊": RowChange(when=house.earthly_undeclared)}}),
    _rows("mixed_kongs_robbing_add", Text("抢杠的满分花杠另计三杠子",
                                          "mixed kongs won by robbing also count three kongs"),
          {True: {}, False: {"满分花杠": RowChange(add="三杠子")}}),
    _rows("heavenly_adds_dealer", Text("天糊另计庄家", "the heavenly hand also counts the dealer"),
          {True: {}, False: {"天糊": RowChange(add="庄家")}}),
    _rows("twin_steps_add_concealed", Text("门清的同般低另计门前清", "twin steps in a closed hand also count the concealed hand"),
          {True: {}, False: {"乱蛇": RowChange(frees=())}}),
)  # fmt: skip
"""Readings of rows."""

PLAYED = (
    _without("flowers", Text("有花牌", "played with flowers"), "无花 正花 一台花 花糊 八仙过海 七抢一", settings="flowers"),
    _without("fours", Text("二不杠、三不杠是食糊牌型", "unkonged fours are winning shapes"), "二不杠 三不杠",
             "two_quads three_quads"),
    _without("dealer_counts", Text("庄家计一番，收付也多一番", "the dealer counts a fan, and wins and loses a fan more"), "庄家"),
    _without("chicken_listed", Text("列出鸡糊", "the chicken hand is listed"), "鸡糊"),
    Option("minimum", Text("起和番数", "fan needed to win"),
           (1, 3, 0, 2, 5, 8), lambda book, least: book.having(id=book.id, minimum=least), (0, 1000)),
    _setting("minimum_of_all", Text("起和番数算上花牌、庄家", "flowers and the dealer's fan count towards the minimum"),
             (False, True)),
    _setting("payment", Text("付钱表：每番一单位、辣辣上、半辣上、四级、旧表底分",
                             "payment table: one unit a fan, doubling, half doubling, four tiers, old base points"),
             tuple(TABLES), free=unit_table),
    _setting("discard", Text("出冲谁付：出冲者一份、两份、三份，半铳，全铳",
                             "who pays for a win on a discard: the discarder once, twice or for all three; half shares; the discarder all"), tuple(SHARES),
             free=share_of),
    _setting("base", Text("每单位多少点", "points per unit"), (1, 2, 5, 10), (1, 100_000)),
    _setting("cap", Text("封顶番数，0 为不封顶", "most fan paid, 0 for no cap"), (0, 8, 10, 13, 50, 100), (0, 1000)),
    _setting("dealer_repeats", Text("连庄：食糊或流局、食糊、不连庄", "the dealer repeats after a win or a draw, after a win, or never"),
             ("win or draw", "win", "never")),
    _later("stake", Text("一点值多少钱：半铳的鸡糊别家、出冲者付 ¼、½ 叫二五鸡，½、1 叫五一，1、2 叫一二蚊",
                         "the money a point is worth; by what others and the discarder pay for a chicken hand under half shares: "
                         "¼ and ½, ½ and 1, or 1 and 2"), ("", "1/4", "1/2", "1"), free=stake_of),
    _later("winners", Text("一炮多响：同一张牌至多几家食糊", "winners on one discard: at most so many"), (1, 2, 3)),
    _later("winners_order", Text("一炮多响先付谁：从出冲者起按座次，或番多的先付",
                                 "several winners are paid in turn order from the discarder, or the highest first"), ("turn", "fan"), after=("winners",)),
    _later("winners_dealer", Text("一炮多响庄家也食糊时：连庄、最近的一家是庄家才连庄、不连庄",
                                  "the dealer among several winners stays: always, only as the nearest, never"),
           ("any", "first", "never"), after=("winners",)),
    _later(TWELVE, Text("十二章包：打出别家第四副上碰杠的人包（任何四副，或只限一色、字、幺九）",
                        "twelve tiles: whoever gives the fourth claimed set pays (any sets, or only flushes, honours and terminals)"),
           ("off", "any", "flush")),
    _later(DRAGONS, Text("打出第三副三元牌的人包大三元", "whoever gives the third dragon set pays for it"), (False, True)),
    _later(WINDS, Text("打出第四副风牌的人包大四喜", "whoever gives the fourth wind set pays for it"), (False, True)),
    _later(KONGS, Text("打出第四副明杠的牌的人包四杠", "whoever gives the fourth open kong pays for it"), (False, True)),
    _later(NINE, Text("九章包：别家落地三副同一门，打出那一门的牌让他和清一色，包三家",
                      "nine tiles: whoever discards to a full flush with three sets of the suit open pays for all"),
           (False, True)),
    _later(LAST, Text("墙剩五张以内打出生张出冲，包三家", "a tile nobody has seen, discarded with five or fewer left, pays for all"),
           (False, True)),
    _later("bao_discard", Text("包的牌由第三家出冲：出冲者付、包的人付、两人都付",
                               "a third player discards to a guaranteed hand: the discarder pays, the guarantor, or both"),
           ("discarder", "guarantor", "both"), after=(TWELVE, DRAGONS, WINDS, KONGS)),
)  # fmt: skip
"""Shapes, minimum, payments."""

OPTIONS = tuple(in_words(option) for option in VALUES + LOST + READINGS + PLAYED)
