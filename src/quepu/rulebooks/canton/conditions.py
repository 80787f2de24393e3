"""Conditions of the patterns of 广东 that take more than a line. Ids are those of `rulings.toml`."""

from __future__ import annotations

from typing import Any

from quepu.hands.planes import (
    ALL_TILES,
    DRAGONS,
    GAP,
    HONOUR_TILES,
    LANE,
    LOW,
    OUTER,
    OUTER_CHOWS,
    PAIRS,
    SINGLE,
    STANDARD,
    SUIT_TILES,
    WINDS,
    Bits,
    Planes,
    any_suit,
    count,
    is_form,
    nine_gates,
    only,
    ranks,
    run,
    same_rank,
    suits,
    two_suits,
)
from quepu.rulebooks.canton.circumstance_bits import KONG_DRAW, ROBBED_KONG, SELF_DRAW
from quepu.rulebooks.canton.shapes.three_quads import THREE_QUADS
from quepu.rulebooks.canton.shapes.two_quads import TWO_QUADS
from quepu.tiles import BIT, EAST, GREEN, NAMES, RED, WHITE


def tiles(text: str) -> int:
    """The plane of these kinds, written with spaces between: tiles("2p 4p F")."""
    return sum(BIT[NAMES.index(name)] for name in text.split())


ONES, FIVES = tiles("1s"), tiles("5s")
EAST_WIND = BIT[EAST]
GREENS = tiles("2s 3s 4s 6s 8s F")
NO_RED = tiles("2p 4p 8p 2s 3s 4s 6s 8s E S W N F P")
UPSIDE = tiles("1p 2p 3p 4p 5p 8p 9p 2s 4s 5s 6s 8s 9s P")
PEACOCK = tiles("1s 5s 7s 9s C")
YELLOW = LANE | tiles("5p 6p 7p C P")
DARK_DOTS = tiles("2p 4p 8p")
CAR_DOTS = tiles("2p 4p 6p")
ROAD = WINDS | tiles("C P")
CHARACTERS, DOTS, BAMBOO = LANE, LANE << 16, LANE << 32
SETS_AND_PAIR = STANDARD | THREE_QUADS
QUADS = TWO_QUADS | THREE_QUADS


# ---- how it was won


def lucky_all(h: Planes, luck: int) -> Any:
    """Whether all of these circumstances hold."""
    return (h.luck & luck) == luck


def by_discard(h: Planes) -> Any:
    """Whether the winning tile was another player's."""
    return (h.luck & SELF_DRAW) == 0


def exposed_sets(h: Planes) -> Any:
    """Count the sets claimed from others."""
    return count(h.o1) + count(h.o2) + count(h.o3) + count(h.o4) + count(h.xp)


def mixed_kongs(h: Planes) -> Any:
    """满分花杠: a concealed kong and an exposed one, won on the third's replacement or by robbing a third (A19)."""
    third = lucky_all(h, SELF_DRAW | KONG_DRAW) & (count(h.k) >= 3)
    return (h.kc != 0) & ((h.k & h.xp) != 0) & (third | ((h.luck & ROBBED_KONG) != 0))


def sole_wait(h: Planes, places: int) -> Any:
    """Whether the winning tile took one of these places and was the only wait (A4)."""
    return ((h.place & places) != 0) & (h.waits == h.win)


def sole_five(h: Planes) -> Any:
    """卡五: 46 waiting only for 5."""
    return sole_wait(h, GAP) & ((h.win & ranks("5")) != 0)


def pair_wait(h: Planes) -> Any:
    """单吊: every wait can finish a pair (2345 counts, 5666 does not) (A4)."""
    return ((h.place & SINGLE) != 0) & (h.waits == h.pair_waits)


# ---- flowers (春夏秋冬 at bits 0-3, 梅兰竹菊 at bits 4-7)


def own_flowers(h: Planes) -> Any:
    """正花: count the seat's flowers that are not in a complete series.

    East 春梅, south 夏兰, west 秋菊, north 冬竹.
    """
    wind = h.seat >> 48
    own = wind | (wind & 3) << 4 | (wind & 4) << 5 | (wind & 8) << 3
    whole = ((h.flowers & 15) == 15) * 15 | ((h.flowers & 240) == 240) * 240
    return count(h.flowers & own & (whole ^ 255))


def whole_series(h: Planes) -> Any:
    """一台花: count complete series."""
    return ((h.flowers & 15) == 15) * 1 + ((h.flowers & 240) == 240) * 1


# ---- one tile four times


def in_chows(h: Planes) -> Bits:
    """Return the tiles that are in some chow."""
    return h.c1 | h.c1 << 1 | h.c1 << 2


def fours_in_one(h: Planes) -> Any:
    """四归一: count the fours that are a pung and a tile of a chow (N36)."""
    return count(h.t4 & h.p & (h.k ^ ALL_TILES) & in_chows(h))


def fours_in_four(h: Planes) -> Any:
    """四归四: count the fours spread over four chows (N36)."""
    return count(h.t4 & (h.pair ^ ALL_TILES)) * all_chows(h)


# ---- pairs of sets, each set used once (A5)


def old_and_young(h: Planes) -> Any:
    """Count 老少: 123 with 789, 111 with 999."""
    return count(h.c1 & h.c1 >> 6 & LOW) + count(h.c2 & h.c2 >> 6 & LOW) + count(h.p & h.p >> 8 & LOW)


def old_and_young_suits(h: Planes) -> Bits:
    """Return the suits that hold a 老少 of either kind, at rank 1 of their lane."""
    return (h.c1 & h.c1 >> 6 | h.p & h.p >> 8) & LOW


def chows_alike(h: Planes) -> Any:
    """Count 半般高: the same numbers in two suits. Two of one number need 2 + 2 or 2 + 1 + 1 of four chows."""
    return count(two_suits(h.c1)) + count(two_suits(h.c2) | same_rank(h.c1) & any_suit(h.c2))


def six_in_line(h: Planes) -> Any:
    """Count 连六: starts 1-4-7, 2-5 and 3-6 of a suit are paths; each pair takes one of the middle."""
    low = h.c1 >> 3 & (h.c1 | h.c1 >> 6)
    again = h.c2 >> 3 & (h.c2 | h.c2 >> 6 | h.c1 & h.c1 >> 6)
    return count(low & 7 * LOW) + count(again & 7 * LOW)


def twice_in_two_suits(x: Bits) -> Any:
    """Whether two numbers stand each in the same two suits."""
    a, b, c = x & LANE, x >> 16 & LANE, x >> 32 & LANE
    return (count(a & b) >= 2) | (count(b & c) >= 2) | (count(a & c) >= 2)


def all_chows(h: Planes) -> Any:
    """Whether the hand is four chows and a pair."""
    return is_form(h, STANDARD) & (h.p == 0)


def twin_and_step(h: Planes) -> Any:
    """单龙抱: four chows, of which two are identical and the other two neighbours in one suit."""
    rest = h.c1 ^ h.c2 | h.c3  # the chows that one identical pair leaves
    return all_chows(h) & (h.c2 != 0) & (run(rest, 2) != 0)


def two_steps(h: Planes) -> Any:
    """乱蛇: four chows that form two pairs of neighbours in one suit.

    Four different ones: two runs of two, or one of four. One double: the middle of three. Two doubles: neighbours.
    """
    apart = (h.c2 == 0) & ((run(h.c1, 4) != 0) | ((run(h.c1, 3) == 0) & (count(run(h.c1, 2)) == 2)))
    middle = (h.c3 == 0) & ((run(h.c1, 3) << 1 & h.c2) != 0)
    return all_chows(h) & (apart | middle | (run(h.c2, 2) != 0))


# ---- sets


def all_pungs(h: Planes) -> Any:
    """Four pungs or kongs and a pair."""
    return is_form(h, STANDARD) & (count(h.p) == 4)


def outer_sets(h: Planes) -> Any:
    """Every set, and the pair, has a 1, a 9 or honours."""
    inner = h.c1 & (SUIT_TILES ^ OUTER_CHOWS) | (h.p | h.pair) & (ALL_TILES ^ OUTER)
    return is_form(h, STANDARD | QUADS) & (inner == 0)


def three_neighbours(h: Planes) -> Any:
    """三尾: two pungs and the pair on three consecutive numbers, or two pungs of winds and a pair of honours (A10)."""
    numbers = run(h.p | h.pair, 3) & (h.pair | h.pair >> 1 | h.pair >> 2)
    winds = (count(h.p & WINDS) >= 2) & ((h.pair & HONOUR_TILES) != 0)
    return is_form(h, SETS_AND_PAIR) & ((numbers != 0) | winds)


def peacock_flies(h: Planes) -> Any:
    """孔雀的飞: a pung of 1s with two of winds, or with two of dragons and none of winds."""
    winds = count(h.p & WINDS)
    return ((h.p & ONES) != 0) & ((winds >= 2) | (winds == 0) & (count(h.p & DRAGONS) >= 2))


def two_dragon_lines(h: Planes) -> Any:
    """三色双龙会: 老少 in two suits and a pair of 5 in the third."""
    e, five = old_and_young_suits(h), h.pair >> 4
    return ((e & e >> 16 & five >> 32 | e & e >> 32 & five >> 16 | e >> 16 & e >> 32 & five) & 1) != 0


def common_number(h: Planes) -> Bits:
    """全带: the number that every set and the pair hold, as a lane (0: none)."""
    number = any_suit(h.pair)
    missed = any_suit(h.c1) & ((number | number >> 1 | number >> 2) ^ LANE) | any_suit(h.p) & (number ^ LANE)
    honours = (h.p | h.pair) & HONOUR_TILES
    return number * (is_form(h, STANDARD) & (missed == 0) & (honours == 0))


def small_winds(h: Planes) -> Any:
    """小四喜: three pungs of winds and a pair of the fourth."""
    return (count(h.p & WINDS) == 3) & ((h.pair & WINDS) != 0)


def small_dragons(h: Planes) -> Any:
    """小三元: two pungs of dragons and a pair of the third."""
    return (count(h.p & DRAGONS) == 2) & ((h.pair & DRAGONS) != 0)


def pungs_of(h: Planes, sets: tuple[int, ...]) -> Any:
    """Four pungs and a pair, all of them of one of these sets of tiles."""
    found = only(h, sets[0])
    for these in sets[1:]:
        found = found | only(h, these)
    return all_pungs(h) & found


def four_pungs_with_wind(h: Planes, three: int) -> Any:
    """Pungs of these three tiles and of a wind."""
    return ((h.p & three) == three) & (count(h.p) == 4) & ((h.p & WINDS & (three ^ ALL_TILES)) != 0)


def new_line(h: Planes) -> Any:
    """新干线: 123456789 of a suit, a pung and a pair out of the winds, 中 and 白."""
    return is_form(h, STANDARD) & (run(h.c1, 3, 3) != 0) & ((h.p & ROAD) != 0) & ((h.pair & ROAD) != 0)


def pearl(h: Planes) -> Any:
    """双龙抢珠: 连六 in characters, 连六 in bamboo, a pair of dots."""
    six = run(h.c1, 2, 3)
    return all_chows(h) & ((six & CHARACTERS) != 0) & ((six & BAMBOO) != 0) & ((h.pair & DOTS) != 0)


# ---- tiles


def one_suit(h: Planes) -> Any:
    """清一色: one suit and no honours."""
    return (suits(h.t1) == 1) & ((h.t1 & HONOUR_TILES) == 0)


def numbers_held(h: Planes) -> Any:
    """Count the different numbers in the hand, each kind of honour being one (A17)."""
    return count(any_suit(h.t1)) + count(h.t1 & HONOUR_TILES)


def copies(h: Planes, of: int) -> Any:
    """Count the tiles of these kinds, kongs as four."""
    return count(h.t1 & of) + count(h.t2 & of) + count(h.t3 & of) + count(h.t4 & of)


def half_odd(h: Planes) -> Any:
    """一半数字: as many odd numbers as even ones, at least one of each (A18)."""
    odd = copies(h, ranks("13579"))
    return (odd != 0) & (odd == copies(h, ranks("2468")))


def number_sum(h: Planes) -> Any:
    """Return the sum of all tile numbers, by the bits of each number."""
    return (
        copies(h, ranks("13579"))
        + 2 * copies(h, ranks("2367"))
        + 4 * copies(h, ranks("4567"))
        + 8 * copies(h, ranks("89"))
    )


def nine_gates_shape(h: Planes) -> Any:
    """1112345678999 and one more of the suit, without a kong, whatever the wait was (A16)."""
    a, b, c = h.t1 & LANE, h.t1 >> 16 & LANE, h.t1 >> 32 & LANE
    whole = ((a == LANE) * 1 | (b == LANE) << 16 | (c == LANE) << 32) * 0x101
    return one_suit(h) & (whole != 0) & ((h.t3 & whole) == whole) & (h.k == 0)


def false_nine_gates(h: Planes) -> Any:
    """九莲花灯: the same fourteen tiles without the nine-sided wait (A16)."""
    return nine_gates_shape(h) & (true_nine_gates(h) == 0)


def true_nine_gates(h: Planes) -> Any:
    """The thirteen tiles before the last were exactly 1112345678999 (A16)."""
    return nine_gates(h) & (h.k == 0)


def touch_of_red(h: Planes) -> Any:
    """万绿丛中一点红: the tiles of 绿一色 and either 中 or 5s, not both."""
    red, five = (h.t1 & BIT[RED]) != 0, (h.t1 & FIVES) != 0
    return only(h, GREENS | BIT[RED] | FIVES) & (red ^ five)


def driveway(h: Planes) -> Any:
    """自动车道: pungs and pair of exactly 2p 4p 6p and two of the winds, 中, 白."""
    return all_pungs(h) & only(h, CAR_DOTS | ROAD) & ((h.t1 & CAR_DOTS) == CAR_DOTS)


def dark_cave(h: Planes) -> Any:
    """青洞门: 2p 4p 8p, winds and 發 only, with 發 (A21)."""
    return only(h, DARK_DOTS | WINDS | BIT[GREEN]) & ((h.t1 & BIT[GREEN]) != 0)


def all_black(h: Planes) -> Any:
    """黑一色: pungs and pair of 2p 4p 8p and winds, a number among them (A21)."""
    return all_pungs(h) & only(h, DARK_DOTS | WINDS) & ((h.t1 & DARK_DOTS) != 0)


def all_yellow(h: Planes) -> Any:
    """黄一色: characters, 5p 6p 7p and 中 白, some of each of the three (A21)."""
    return only(h, YELLOW) & ((h.t1 & CHARACTERS) != 0) & ((h.t1 & DOTS) != 0) & ((h.t1 & (BIT[RED] | BIT[WHITE])) != 0)


# ---- seven pairs


def consecutive_pairs(h: Planes, n: int) -> Any:
    """Seven pairs with n (6 or 7) consecutive ones of a suit."""
    four = run(h.pair, 4)
    return is_form(h, PAIRS) & ((four & four >> n - 4) != 0)
