"""The conditions of patterns under house options (`options.py`); the seed's own reading is in the rows."""

from __future__ import annotations

from typing import Any

from quepu.hands.planes import (
    ALL_TILES,
    DRAGONS,
    GAP,
    HONOUR_TILES,
    KNITTED,
    LOOSE,
    STANDARD,
    WINDS,
    Planes,
    any_suit,
    count,
    has_honours,
    is_form,
    only,
    ranks,
    run,
    suits,
)
from quepu.rulebooks.canton.circumstance_bits import (
    CLOSED,
    EARTHLY,
    FIRST_ROUND,
    HUMANLY,
    KONG_DRAW,
    ROBBED_KONG,
    SELF_DRAW,
)
from quepu.rulebooks.canton.conditions import (
    DARK_DOTS,
    EAST_WIND,
    GREENS,
    all_black,
    all_chows,
    common_number,
    copies,
    dark_cave,
    false_nine_gates,
    lucky_all,
    three_neighbours,
    tiles,
    touch_of_red,
)
from quepu.rulebooks.canton.shapes.pyramid import PYRAMID
from quepu.rulebooks.canton.shapes.scattered import SCATTERED
from quepu.rulebooks.canton.shapes.three_quads import THREE_QUADS

BAMBOO_GREENS = tiles("2s 3s 4s 6s 8s")


def one_suit_missing_plain(h: Planes) -> Any:
    """缺门 without honours (N1)."""
    return (suits(h.t1) == 2) & (has_honours(h) == 0)


def common_five(h: Planes) -> Any:
    """全带 by fives alone (footnote 13)."""
    return (common_number(h) & ranks("5")) != 0


def placed_at(place: int) -> Any:
    """A wait judged by the completed group, whatever other waits there were (N19)."""
    return lambda h: (h.place & place) != 0


def five_in_the_gap(h: Planes) -> Any:
    """卡五 by the completed group (N19)."""
    return ((h.place & GAP) != 0) & ((h.win & ranks("5")) != 0)


def sanwei_of_winds(h: Planes) -> Any:
    """三尾 whose second kind needs a pair of winds (N21)."""
    return three_neighbours(h) & (((h.pair & HONOUR_TILES) == 0) | ((h.pair & WINDS) != 0))


def sanwei_of_any(h: Planes) -> Any:
    """三尾 whose second kind takes any pair (N21)."""
    winds = is_form(h, STANDARD | THREE_QUADS) & (count(h.p & WINDS) >= 2)
    return three_neighbours(h) | winds


def _numbers_by_class(h: Planes) -> Any:
    return count(any_suit(h.t1)) + ((h.t1 & WINDS) != 0) * 1 + ((h.t1 & DRAGONS) != 0) * 1


def three_numbers_by_class(h: Planes) -> Any:
    """三数 with winds as one number and dragons as one (N22)."""
    return _numbers_by_class(h) == 3


def two_numbers_by_class(h: Planes) -> Any:
    """两数 with winds as one number and dragons as one (N22)."""
    return _numbers_by_class(h) == 2


def six_in_line_by_tiles(h: Planes) -> Any:
    """连六 as six consecutive tiles of a suit, once (N18)."""
    three = run(h.t1, 3)
    return (three & three >> 3) != 0


def full_quanbukao(h: Planes) -> Any:
    """全不靠, with five more in the first go-round (N11)."""
    full = is_form(h, LOOSE) * 1
    return full + full * lucky_all(h, FIRST_ROUND)


def scattered_alone(h: Planes) -> Any:
    """十三不搭, with the full hand left to 全不靠 (N11)."""
    return is_form(h, SCATTERED)


def knitted_sets(h: Planes) -> Any:
    """组合龙 with only a set and a pair (N13)."""
    return is_form(h, KNITTED)


def any_258_pair(h: Planes) -> Any:
    """将眼, the doubled tile of irregular shapes included (N14)."""
    forms = STANDARD | KNITTED | THREE_QUADS | PYRAMID | SCATTERED
    return is_form(h, forms) & ((h.pair & ranks("258")) != 0)


def three_materials_exposed(h: Planes) -> Any:
    """三料牌 with an exposed kong (N16)."""
    return (h.o1 != 0) & ((h.xp & (h.k ^ ALL_TILES)) != 0) & ((h.k & h.xp) != 0)


def three_materials_any_pung(h: Planes) -> Any:
    """三料牌 where a concealed pung counts (N16)."""
    return (h.o1 != 0) & ((h.p & (h.k ^ ALL_TILES)) != 0) & (h.k != 0)


def open_nine_gates(h: Planes) -> Any:
    """九莲花灯 only in an open hand (N25)."""
    return false_nine_gates(h) & ((h.luck & CLOSED) == 0)


def half_odd_kongs_as_three(h: Planes) -> Any:
    """一半数字 with a kong as three tiles (N26)."""
    odd, even = ranks("13579"), ranks("2468")
    odds = copies(h, odd) - count(h.k & odd)
    return (odds != 0) & (odds == copies(h, even) - count(h.k & even))


def three_own_kongs(h: Planes) -> Any:
    """满分花杠 with three own kongs, robbing too (N27)."""
    won = lucky_all(h, SELF_DRAW | KONG_DRAW) | ((h.luck & ROBBED_KONG) != 0)
    return (h.kc != 0) & ((h.k & h.xp) != 0) & (count(h.k) >= 3) & won


def whole_cave(h: Planes) -> Any:
    """青洞门 with every dot (N29)."""
    return dark_cave(h) & ((h.t1 & DARK_DOTS) == DARK_DOTS)


def whole_blue(h: Planes) -> Any:
    """蓝一色 with the 8 of dots and 白 (N29)."""
    return only(h, WINDS | tiles("8p P")) & ((h.t1 & tiles("8p P")) == tiles("8p P"))


def whole_black(h: Planes) -> Any:
    """黑一色 with every dot (N29)."""
    return all_black(h) & ((h.t1 & DARK_DOTS) == DARK_DOTS)


def whole_green(h: Planes) -> Any:
    """绿一色 with every number (N29)."""
    return only(h, GREENS) & ((h.t1 & BAMBOO_GREENS) == BAMBOO_GREENS)


def whole_touch_of_red(h: Planes) -> Any:
    """万绿丛中一点红 with every number (N29)."""
    return touch_of_red(h) & ((h.t1 & BAMBOO_GREENS) == BAMBOO_GREENS)


def four_chows_by_text(h: Planes) -> Any:
    """一色四顺 by its text: four equal tiles spread over four chows with a pair of identical ones (N30)."""
    return all_chows(h) & ((h.t4 & (h.pair ^ ALL_TILES)) != 0) & (h.c2 != 0)


def humanly_undeclared(h: Planes) -> Any:
    """人糊 without a declaration (N37)."""
    return ((h.luck & HUMANLY) != 0) & ((h.luck & SELF_DRAW) == 0) & (h.seat != EAST_WIND)


def earthly_undeclared(h: Planes) -> Any:
    """地糊 without a declaration (N37)."""
    return lucky_all(h, EARTHLY | SELF_DRAW | CLOSED) & (h.seat != EAST_WIND)
