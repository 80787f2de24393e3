"""Conditions of the 番种 of 灵雀 that take more than a line; both editions share these.

Numbers in comments are those of the rulings (`rulings.toml`).
"""

from __future__ import annotations

from typing import Any

from quepu.hands.hand import Luck
from quepu.hands.planes import (
    DRAGONS,
    HONOUR_TILES,
    LANE,
    OUTER,
    OUTER_CHOWS,
    PAIRS,
    STANDARD,
    SUIT_TILES,
    TERMINALS,
    WINDS,
    Bits,
    Planes,
    any_suit,
    count,
    four_unkonged,
    has_honours,
    is_form,
    lucky,
    mirrored,
    nine_gates,
    only,
    run,
    same_rank,
    suits,
    two_suits,
)

# ---- 字牌


def big_winds(h: Planes) -> Any:
    """四风刻各一."""
    return (h.p & WINDS) == WINDS


def small_winds(h: Planes) -> Any:
    """Three pungs of winds and the fourth wind as the pair."""
    return ((h.p | h.pair) & WINDS == WINDS) & (count(h.p & WINDS) == 3)


def big_dragons(h: Planes) -> Any:
    """三元刻各一."""
    return (h.p & DRAGONS) == DRAGONS


def small_dragons(h: Planes) -> Any:
    """Two pungs of dragons and the third as the pair."""
    return ((h.p | h.pair) & DRAGONS == DRAGONS) & (count(h.p & DRAGONS) == 2)


def pung_or_pair(h: Planes, tile: Bits) -> Any:
    """Return 2 for a pung of the tile, 1 for a pair of it: 番牌 are worth 4 副 or 2 副."""
    return (((h.p | h.pair) & tile) != 0) * (1 + ((h.p & tile) != 0))


# ---- 幺九


def outer_with_chow(h: Planes) -> Any:
    """清带幺: chows are 123 or 789, pungs and the pair are 1 or 9, and there is a chow."""
    return (h.c1 != 0) & (
        (h.c1 & ~OUTER_CHOWS & SUIT_TILES | (h.p | h.pair) & (SUIT_TILES | HONOUR_TILES) & ~TERMINALS) == 0
    )


def outer_and_honours(h: Planes) -> Any:
    """混带幺: the same with honours, at least one."""
    sets = h.p | h.pair
    return (
        (h.c1 != 0)
        & ((sets & HONOUR_TILES) != 0)
        & ((h.c1 & ~OUTER_CHOWS & SUIT_TILES | sets & (SUIT_TILES & ~TERMINALS)) == 0)
    )


def terminals_and_honours(h: Planes) -> Any:
    """混幺九 of v29: both occur, and the hand is standard or seven pairs (ruling 9)."""
    return only(h, OUTER) & has_honours(h) & ((h.t1 & TERMINALS) != 0) & is_form(h, STANDARD | PAIRS)


# ---- 花色


def nine_gates_closed(h: Planes) -> Any:
    """立牌为同色的 1112345678999: all thirteen in hand, no meld (ruling 24)."""
    return nine_gates(h) & lucky(h, Luck.CLOSED)


def five_gates(h: Planes) -> Any:
    """五门齐: a wind, a dragon and all three suits, in a standard hand (ruling 28)."""
    return is_form(h, STANDARD) & (suits(h.t1) == 3) & ((h.t1 & WINDS) != 0) & ((h.t1 & DRAGONS) != 0)


# ---- 序数


def ranks_in_a_row(h: Planes, n: int) -> Any:
    """三聚, 四聚: only suited tiles, of exactly n consecutive ranks."""
    ranks = any_suit(h.t1)
    return (has_honours(h) == 0) & (ranks == (ranks & -ranks) * ((1 << n) - 1))


def two_ranks(h: Planes) -> Any:
    """二数: suited tiles of two ranks only."""
    return (has_honours(h) == 0) & (count(any_suit(h.t1)) == 2)


def nine_ranks(h: Planes) -> Any:
    """九数贯通: nine ranks, none of them in two parts; five parts can do that only as 3 + 3 + 1 + 1 + 1."""
    return is_form(h, STANDARD) & (any_suit(h.t1) == LANE) & (count(h.p) == 2) & (has_honours(h) == 0)


# ---- 全体关联


def ends(h: Planes) -> tuple[Any, Any]:
    """Return the lowest and the highest rank (0-8) of the suited tiles; 0 and 0 if there are none."""
    ranks = any_suit(h.t1)
    low = count((ranks & -ranks) - 1 & LANE) * (ranks != 0)
    filled = ranks | ranks >> 1
    filled = filled | filled >> 2
    filled = filled | filled >> 4
    filled = filled | filled >> 8
    return low, count(filled) - (ranks != 0)


def mirror_hand(h: Planes) -> Any:
    """镜数 (ruling 4): mirroring this very decomposition gives a decomposition of the same tiles that keeps the melds.

    The mirror must carry the lowest rank to the highest, so there is one candidate for 2q. Kongs are read as pungs.
    """
    low, high = ends(h)
    s = low + high  # rank r (0-8) goes to s - r
    t = (s - 2) * (s > 2)  # a chow's lowest tile goes to s - 2 - r
    t1, t2, t3, t4 = h.t1 & SUIT_TILES, h.t2 & SUIT_TILES, h.t3 & SUIT_TILES, four_unkonged(h) & SUIT_TILES
    fixed = (h.xp | h.kc) & SUIT_TILES
    changed = (
        (mirrored(t2) << s >> 8 ^ t2)
        | (mirrored(t3) << s >> 8 ^ t3)
        | (mirrored(t4) << s >> 8 ^ t4)
        | (mirrored(fixed) << s >> 8 & ~h.p)
        | (mirrored(h.o1) << t >> 8 & ~h.c1)
        | (mirrored(h.o2) << t >> 8 & ~h.c2)
        | (mirrored(h.o3) << t >> 8 & ~h.c3)
        | (mirrored(h.o4) << t >> 8 & ~h.c4)
    )
    return (
        is_form(h, STANDARD) & (has_honours(h) == 0) & ((mirrored(t1) << s >> 8) == t1) & ((changed & SUIT_TILES) == 0)
    )


def mirror_pairs(h: Planes) -> Any:
    """镜数对: seven pairs of suited tiles that mirror onto themselves (ruling 5)."""
    low, high = ends(h)
    pairs = h.pair & SUIT_TILES
    return is_form(h, PAIRS) & (has_honours(h) == 0) & ((mirrored(pairs) << (low + high) >> 8 ^ pairs) == 0)


# ---- 部分一致, 部分关联


def couple_twice(h: Planes) -> Any:
    """二般高: two groups of two equal chows each; four equal chows count, too."""
    return (count(h.c2) >= 2) | (h.c4 != 0)


def mixed_couples(h: Planes) -> Any:
    """喜相逢: pairs of chows of one rank in two suits, none using a chow twice: 0, 1 or 2 (ruling 2)."""
    met = two_suits(h.c1)
    twice = (count(met) >= 2) | (two_suits(h.c2) != 0) | ((same_rank(h.c1) & any_suit(h.c2)) != 0)
    return (met != 0) * (1 + twice)


def mirror_suits(h: Planes) -> Any:
    """镜同: four sets, two in each of two suits, the same in both (ruling 3)."""
    one = h.c1 & SUIT_TILES | (h.p & SUIT_TILES) << 7  # starts of chows need 7 bits, pungs 9
    a, b, c = one & 0xFFFF, one >> 16 & 0xFFFF, one >> 32 & 0xFFFF
    d, e, f = h.c2 & LANE, h.c2 >> 16 & LANE, h.c2 >> 32 & LANE  # two equal chows
    return (
        is_form(h, STANDARD)
        & ((h.p & HONOUR_TILES) == 0)
        & (one != 0)
        & ((a == b) & (d == e) & (c == 0) | (a == c) & (d == f) & (b == 0) | (b == c) & (e == f) & (a == 0))
    )


def mirror_suit_pairs(h: Planes) -> Any:
    """镜同对: three pairs of one suit and the same three ranks in another."""
    x = h.pair
    a, b, c = x & LANE, x >> 16 & LANE, x >> 32 & LANE
    return is_form(h, PAIRS) & ((count(a & b) >= 3) | (count(a & c) >= 3) | (count(b & c) >= 3))


def six_twice(h: Planes) -> Any:
    """双龙会: two pairs of chows, sharing none, both three ranks apart or both 123 with 789 (ruling 17)."""
    near, far = run(h.c1, 2, 3), run(h.c1, 2, 6)
    shared = near & near >> 3 & ~(h.c2 >> 3)  # 123 456 789 with one 456 only
    return ((count(near) >= 2) & (shared == 0)) | (run(h.c2, 2, 3) != 0) | (count(far) >= 2) | (run(h.c2, 2, 6) != 0)


def seven_in_a_row(h: Planes) -> Any:
    """连七对: pairs of seven ranks in a row of one suit."""
    x = h.pair & SUIT_TILES
    return is_form(h, PAIRS) & ((run(x, 4) & x >> 4 & x >> 5 & x >> 6) != 0)
