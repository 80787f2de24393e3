"""The choices of the book's options as people read them, in the order in which `options` has them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from quepu.errors import Text
from quepu.rules.parts import Option

_WORDS: dict[str, dict[Any, Text]] = {
    "half_melded_adds": {
        "nothing": Text("都不另计", "neither"),
        "self_draw": Text("只另计自摸", "only the self-draw"),
        "both": Text("自摸与单吊都另计", "both the self-draw and the pair wait"),
    },
    "pyramid_self_drawn": {"不求人": Text("不求人", "concealed self-draw"), "自摸": Text("自摸", "self-draw")},
    "full_in_first_go_round": {
        "十三不搭": Text("十三不搭加五番", "thirteen unrelated and 5 more"),
        "全不靠": Text("全不靠加五番", "fourteen unrelated and 5 more"),
    },
    "three_materials": {
        "any kong": Text("暗杠也可", "any kong"),
        "exposed kong": Text("杠须明", "an exposed kong"),
        "any pung": Text("暗刻也可", "also a concealed pung"),
    },
    "six_in_line": {
        "chows": Text("每两副顺子一次", "each two chows"),
        "tiles": Text("六张相连只计一次", "six tiles, once"),
    },
    "waits": {"sole": Text("只叫一种", "a sole wait"), "group": Text("看补成的那组", "by the completed group")},
    "both_winds": {"each": Text("每合一样计一次", "each match"), "once": Text("至多一次", "at most once")},
    "pair_of_sanwei": {
        "honour": Text("字牌", "an honour"),
        "wind": Text("风牌", "a wind"),
        "any": Text("任何牌", "any tile"),
    },
    "couples": {"each": Text("计两次", "twice"), "once": Text("计一次", "once")},
    "false_nine_gates": {"any": Text("门清也可", "also concealed"), "melded": Text("须有副露", "with melds only")},
    "payment": {
        "linear": Text("每番一单位", "one unit a fan"),
        "doubling": Text("辣辣上", "doubling"),
        "half_doubling": Text("半辣上", "half doubling"),
        "tiers_4_7_10": Text("四级", "four tiers"),
        "half_spicy": Text("半辣上到 13 番", "half-spicy up to 13 fan"),
        "full_spicy": Text("辣辣上到 13 番", "full up to 13 fan"),
        "tiers_5_7_10": Text("五、七、十番分级", "steps at 5, 7 and 10"),
        "base_3_4_7_10": Text("旧表底分", "old base points"),
    },
    "discard": {
        "alone": Text("出冲者付一份", "the discarder pays once"),
        "double": Text("出冲者付两份", "the discarder pays twice"),
        "for_three": Text("出冲者付三份", "the discarder pays for three"),
        "half": Text("半铳", "half shares"),
        "full": Text("全铳", "the discarder pays all"),
    },
    "stake": {
        "": Text("不说", "not agreed"),
        "1/4": Text("¼（二五鸡）", "¼"),
        "1/2": Text("½（五一）", "½"),
        "1": Text("1（一二蚊）", "1"),
    },
    "winners": {
        1: Text("一家（截糊）", "one, the nearest"),
        2: Text("两家", "two"),
        3: Text("三家", "three"),
    },
    "winners_order": {"turn": Text("按座次", "in turn order"), "fan": Text("番多的先付", "the highest first")},
    "winners_dealer": {
        "any": Text("庄家在内即连庄", "stays if among them"),
        "first": Text("最近的一家是庄家才连庄", "stays if the nearest"),
        "never": Text("不连庄", "never stays"),
    },
    "bao_twelve": {
        "off": Text("不包", "off"),
        "any": Text("任何四副", "any four sets"),
        "flush": Text("一色、字、幺九", "flushes, honours, terminals"),
    },
    "bao_discard": {
        "discarder": Text("出冲者付", "the discarder pays"),
        "guarantor": Text("包的人付", "the guarantor pays"),
        "both": Text("两人都付", "both pay"),
    },
    "dealer_repeats": {
        "win or draw": Text("食糊或流局", "after a win or a draw"),
        "win": Text("食糊", "after a win"),
        "never": Text("不连庄", "never"),
    },
}


def in_words(option: Option) -> Option:
    """Return an option with its choices in words, if it has any."""
    found = _WORDS.get(option.key)
    return option if found is None else replace(option, words=tuple(found[choice] for choice in option.choices))
