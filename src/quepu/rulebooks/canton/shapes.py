"""Shapes of a win that only 广东 has; they join the registry when the book is loaded."""

from __future__ import annotations

from itertools import combinations
from random import Random

from quepu.generate import SPECIAL
from quepu.hand import Hand, Luck
from quepu.planes import (
    ALL_TILES,
    HONOUR_TILES,
    OUTSIDE,
    PYRAMID,
    SCATTERED,
    SINGLE,
    TERMINALS,
    THREE_QUADS,
    TWO_QUADS,
    Planes,
    count,
)
from quepu.readings import (
    KNITTED_LINES,
    LIMITS,
    MAY_WAIT,
    MAY_WIN,
    OWN_WAITS,
    PAIR,
    PUNG,
    SHAPES,
    TILE,
    WORTH_TRYING,
    Group,
    Reading,
    Tiles,
    Win,
    placed,
    set_waits,
)
from quepu.rulebooks.canton.conditions import KNIGHTS
from quepu.suits import KEY, KEY_BITS, KEY_MASK, Split, honour_splits, suit_splits
from quepu.tiles import BIT, KIND, kinds_of

PYRAMID_TILES = TERMINALS | KNIGHTS
OUTSIDE_LUCK = int(Luck.SEVEN_FLOWERS | Luck.EIGHT_FLOWERS | Luck.ROBBED_FLOWER | Luck.OUTER_DISCARDS)
"""Circumstances that win whatever the tiles are."""
_FIRST_ROUND = int(Luck.FIRST_ROUND)


def pyramid(win: Win) -> list[Reading]:
    """十三金字塔: 1 and 9 of every suit, 258p 36s 47m, one of them twice."""
    t1, t2 = win.t[0], win.t[1]
    if t1 != PYRAMID_TILES or not t2 or not win.bare:
        return []
    return [Reading(win.planes(PYRAMID, pair=t2, place=SINGLE if t2 == win.win else 0), win)]


def scattered(win: Win) -> list[Reading]:
    """十三不搭: in the first go-round, thirteen tiles of 147, 258, 369 and the honours, one of them twice.

    All fourteen different is the shape "loose"; the row of 十三不搭 looks at that too.
    """
    if not win.luck & _FIRST_ROUND:
        return []
    t1, t2, t3, _ = win.t
    if t3 or t2.bit_count() != 1 or not win.bare or not _in_line(t1):
        return []
    return [Reading(win.planes(SCATTERED, pair=t2), win)]


def _in_line(t1: int) -> bool:
    numbers = t1 & ~HONOUR_TILES
    return any(not numbers & ~line for line in KNITTED_LINES)


def _set_splits(key: int, need: int) -> list[tuple[Split, Split, Split, Split]]:
    """Every way to take these tiles apart into `need` sets and no pair."""
    a = suit_splits().get(key & KEY_MASK)
    b = suit_splits().get(key >> KEY_BITS & KEY_MASK)
    c = suit_splits().get(key >> 2 * KEY_BITS & KEY_MASK)
    z = honour_splits().get(key >> 3 * KEY_BITS)
    if not (a and b and c and z) or a[0].pairs + b[0].pairs + c[0].pairs + z[0].pairs:
        return []
    if a[0].melds + b[0].melds + c[0].melds + z[0].melds != need:
        return []
    return [(x, y, w, v) for x in a for y in b for w in c for v in z]


def two_quads(win: Win) -> list[Reading]:
    """二不杠: two fours of a kind that were not konged, and sets; no pair. Concealed; a concealed kong is a set."""
    fours = win.t[3] & ~win.melds.k
    if not fours & fours - 1 or not win.closed:
        return []
    found: list[Reading] = []
    for pair_of_fours in combinations(kinds_of(fours), 2):
        rest = win.key - sum(4 * KEY[kind] for kind in pair_of_fours)
        quads = sum(1 << (kind // 9 * 16 + kind % 9) for kind in pair_of_fours)
        for a, b, c, z in _set_splits(rest, win.melds.need - 2):
            chows = (
                a.c1 | b.c1 << 16 | c.c1 << 32,
                a.c2 | b.c2 << 16 | c.c2 << 32,
                a.c3 | b.c3 << 16 | c.c3 << 32,
                a.c4 | b.c4 << 16 | c.c4 << 32,
            )
            p = a.p | b.p << 16 | c.p << 32 | z.p << 48
            made = placed(win, TWO_QUADS, chows, chows[0], p, 0) if win.win else []
            if win.win & quads or not made:
                made.append(Reading(win.planes(TWO_QUADS, chows, p, p), win))
            found += [_with_quads(reading, quads) for reading in made]
    return found


def three_quads(win: Win) -> list[Reading]:
    """三不杠: three fours of a kind that were not konged, and a pair."""
    t1, t2, t3, t4 = win.t
    if t4.bit_count() != 3 or t3 != t4 or t1 != t2 or t1.bit_count() != 4 or not win.bare:
        return []
    place = SINGLE if win.win & ~t4 else 0
    return [_with_quads(Reading(win.planes(THREE_QUADS, pair=t1 & ~t4, place=place), win), t4)]


def _with_quads(reading: Reading, quads: int) -> Reading:
    """The reading with its fours of a kind: each a concealed pung and one more tile, whoever gave the fourth."""
    h: Planes = reading.h._replace(p=reading.h.p | quads, pc=reading.h.pc | quads)
    won = 0 if reading.h.place else reading.win.win
    four: list[Group] = []
    for kind in kinds_of(quads):
        four += [Group(PUNG, kind), Group(TILE, kind, won=bool(won) and KIND[won] == kind)]
    rest = [g for g in reading.groups if g.kind != TILE]
    if h.pair and not any(g.kind == PAIR for g in rest):
        rest.append(Group(PAIR, KIND[h.pair], won=h.place == SINGLE))
    return Reading(h, reading.win, (*four, *rest))


def outside(win: Win) -> list[Reading]:
    """花糊, 八仙过海, 七抢一, 流局十番: the tiles do not matter, the circumstance does."""
    if not win.luck & OUTSIDE_LUCK:
        return []
    tiles = tuple(Group(TILE, kind) for kind in sorted(win.tiles))
    melds = tuple(Group(0 if m.kind == 0 else PUNG, m.tile, m.exposed, m.kind >= 2) for m in win.hand.melds)
    return [Reading(win.planes(OUTSIDE), win, tiles + melds)]


# ---- what thirteen tiles wait for (tiles held four times are taken out by the caller)


def _pyramid_waits(t: Tiles, need: int) -> tuple[int, int]:
    if need < 4 or t[0] & ~PYRAMID_TILES or t[2]:
        return 0, 0
    if t[0] == PYRAMID_TILES:
        return PYRAMID_TILES, PYRAMID_TILES
    lacking = PYRAMID_TILES & ~t[0]
    return (0, 0) if lacking & lacking - 1 else (lacking, 0)


def _scattered_waits(hand: Hand, t: Tiles, need: int) -> tuple[int, int]:
    if need < 4 or t[2] or not hand.luck & _FIRST_ROUND or not _in_line(t[0]):
        return 0, 0
    if not t[1]:
        return t[0], 0  # thirteen different: any of them again
    if t[1] & t[1] - 1:
        return 0, 0
    numbers = t[0] & ~HONOUR_TILES
    waits = HONOUR_TILES
    for line in KNITTED_LINES:
        if not numbers & ~line:
            waits |= line
    return waits & ~t[0], 0


def _two_quads_waits(hand: Hand, key: int, t: Tiles, need: int) -> tuple[int, int]:
    if not t[3] or not t[2] & t[2] - 1 or not hand.closed:
        return 0, 0
    konged = {meld.tile for meld in hand.melds}
    fours = [kind for kind in kinds_of(t[3]) if kind not in konged]
    waits = 0
    for one, two in combinations(fours, 2):
        waits |= set_waits(key - 4 * KEY[one] - 4 * KEY[two], need - 2, 0)[0]
    for one in fours:
        for three in kinds_of(t[2] & ~t[3]):
            if _set_splits(key - 4 * KEY[one] - 3 * KEY[three], need - 2):
                waits |= BIT[three]
    return waits, 0


def _three_quads_waits(t: Tiles, need: int) -> tuple[int, int]:
    t1, t2, t3, t4 = t
    if need < 4 or not t4 or t1.bit_count() != 4 or t3.bit_count() != 3:
        return 0, 0
    if t3 == t4:  # 4 + 4 + 4 + 1
        return t1 & ~t4, t1 & ~t4
    return (t3 & ~t4, 0) if t1 == t2 else (0, 0)  # 4 + 4 + 3 + 2


NAMES = ("pyramid", "scattered", "two_quads", "three_quads", "outside")
SHAPES.update(pyramid=pyramid, scattered=scattered, two_quads=two_quads, three_quads=three_quads, outside=outside)
LIMITS.update(pyramid=(0, 12, 13), scattered=(0, 12, 13), two_quads=(2, 2, 8), three_quads=(0, 4, 4))
WORTH_TRYING.update(
    pyramid=lambda t, need: not t[0] & ~PYRAMID_TILES,
    scattered=lambda t, need: not t[2] and _in_line(t[0]),
    two_quads=lambda t, need: t[3] != 0 and t[2] & t[2] - 1 != 0,
    three_quads=lambda t, need: t[3] != 0 and t[2].bit_count() == 3,
    outside=lambda t, need: False,
)
OWN_WAITS.update(
    pyramid=lambda hand, key, t, need: _pyramid_waits(t, need),
    scattered=lambda hand, key, t, need: _scattered_waits(hand, t, need),
    two_quads=_two_quads_waits,
    three_quads=lambda hand, key, t, need: _three_quads_waits(t, need),
    outside=lambda hand, key, t, need: (0, 0),
)
MAY_WIN.update(
    pyramid=lambda h: h.t1 == PYRAMID_TILES,
    scattered=lambda h: (h.luck & _FIRST_ROUND != 0) & (count(h.t2) == 1),
    two_quads=lambda h: count(h.t4 & (h.k ^ ALL_TILES)) >= 2,
    three_quads=lambda h: count(h.t4) == 3,
    outside=lambda h: h.luck & OUTSIDE_LUCK != 0,
)
MAY_WAIT.update(
    pyramid=lambda h: (h.t1 & (ALL_TILES ^ PYRAMID_TILES)) == 0,
    scattered=lambda h: h.luck & _FIRST_ROUND != 0,
    two_quads=lambda h: (h.t4 != 0) & (count(h.t3) >= 2),
    three_quads=lambda h: (h.t4 != 0) & (count(h.t1) == 4),
    outside=lambda h: h.t1 == 0,
)


# ---- hands of these shapes for tests, benches and practice


def _some_pyramid(rng: Random) -> list[int]:
    kinds = kinds_of(PYRAMID_TILES)
    return [*kinds, rng.choice(kinds)]


def _some_fours(rng: Random) -> list[int]:
    """Two fours and two sets, or three fours and a pair."""
    low = rng.choice((0, 9, 18))
    kinds = rng.sample(range(34) if rng.random() < 0.5 else range(low, low + 9), 5)
    own = kinds[:2] * 4
    if rng.random() < 0.4:
        return own + kinds[2:3] * 4 + kinds[3:4] * 2
    for kind in kinds[2:4]:
        own += [kind, kind + 1, kind + 2] if kind < 27 and kind % 9 < 7 and rng.random() < 0.7 else [kind] * 3
    return own


SPECIAL.update(pyramid=(1, _some_pyramid), two_quads=(2, _some_fours), three_quads=(1, _some_fours))
