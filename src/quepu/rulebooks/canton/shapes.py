"""Shapes of a win that only 广东 has; they join the registry when the book is loaded."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

from quepu.generate import SPECIAL
from quepu.hand import Luck
from quepu.planes import (
    ALL_TILES,
    OUTER,
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
from quepu.rulebooks.canton.conditions import KNIGHTS
from quepu.shapes import (
    NOTHING,
    SHAPES,
    Shape,
    Thirteen,
    Waits,
    Whole,
    in_line,
    lines_of,
    one_of_each_waits,
    set_waits,
    take_apart,
)
from quepu.suits import KEY
from quepu.tile_sets import BOUNDLESS, NEEDS, TILE_SETS, off_lines, paired
from quepu.tiles import BIT, KIND, kinds_of
from quepu.win import PAIR, PUNG, TILE, Group, Reading, Win, placed

PYRAMID_TILES = TERMINALS | KNIGHTS
OUTSIDE_LUCK = int(Luck.SEVEN_FLOWERS | Luck.EIGHT_FLOWERS | Luck.ROBBED_FLOWER | Luck.OUTER_DISCARDS)
"""Circumstances that win whatever the tiles are."""
_FIRST_ROUND = int(Luck.FIRST_ROUND)


def two_quads(win: Win) -> list[Reading]:
    """二不杠: two fours of a kind that were not konged, and sets; no pair. Concealed; a concealed kong is a set."""
    fours = win.t[3] & ~win.melds.k
    if not fours & fours - 1 or not win.closed:
        return []
    found: list[Reading] = []
    for pair_of_fours in combinations(kinds_of(fours), 2):
        rest = win.key - sum(4 * KEY[kind] for kind in pair_of_fours)
        quads = sum(1 << (kind // 9 * 16 + kind % 9) for kind in pair_of_fours)
        for c1, c2, c3, c4, p, _ in take_apart(rest, win.melds.need - 2, 0):
            chows = (c1, c2, c3, c4)
            found += [_with_quads(reading, quads) for reading in placed(win, TWO_QUADS, chows, c1, p, 0, quads)]
    return found


THREE_FOURS = Whole(
    THREE_QUADS,
    when=lambda h: (count(h.t4) == 3) & (h.t3 == h.t4) & (h.t1 == h.t2) & (count(h.t1) == 4),
    pair=lambda h: h.t1 ^ h.t4,
    place=lambda h: (h.win & (h.t4 ^ ALL_TILES) != 0) * SINGLE,
    fours=lambda h: h.t4,
)


def three_quads(win: Win) -> list[Reading]:
    """三不杠: three fours of a kind that were not konged, and a pair."""
    return [_with_quads(reading, win.t[3]) for reading in THREE_FOURS.read(win)]


def _with_quads(reading: Reading, quads: int) -> Reading:
    """The reading with its fours of a kind: each a concealed pung and one more tile, whoever gave the fourth."""
    h: Planes = reading.h._replace(p=reading.h.p | quads, pc=reading.h.pc | quads)
    won = 0 if reading.h.place else reading.win.win
    four: list[Group] = []
    for kind in kinds_of(quads):
        four += [Group(PUNG, kind), Group(TILE, kind, won=bool(won) and KIND[won] == kind)]
    rest = [g for g in reading.groups if g.kind != TILE and not (g.kind == PUNG and BIT[g.tile] & quads)]
    if h.pair and not any(g.kind == PAIR for g in rest):
        rest.append(Group(PAIR, KIND[h.pair], won=h.place == SINGLE))
    return Reading(h, reading.win, (*four, *rest))


BY_LUCK = Whole(OUTSIDE, when=lambda h: h.luck & OUTSIDE_LUCK != 0, bare=False)


def outside(win: Win) -> list[Reading]:
    """花糊, 八仙过海, 七抢一, 流局十番: the tiles do not matter, the circumstance does; each stands alone."""
    if not BY_LUCK.when(win):  # asked of every hand
        return []
    tiles = tuple(Group(TILE, kind) for kind in sorted(win.tiles))
    melds = tuple(Group(0 if m.kind == 0 else PUNG, m.tile, m.exposed, m.kind >= 2) for m in win.hand.melds)
    return [Reading(reading.h, win, tiles + melds) for reading in BY_LUCK.read(win)]


# ---- what thirteen tiles wait for (tiles held four times are taken out by the caller)


def _scattered_waits(h: Any) -> tuple[Any, Any]:
    first = (h.luck & _FIRST_ROUND != 0) & (h.t3 == 0)
    lines = lines_of(h.t1)
    again = (first & (h.t2 == 0) & (lines != 0)) * h.t1  # thirteen different: any of them again
    return again | (first & (count(h.t2) == 1)) * (lines & (h.t1 ^ ALL_TILES)), 0


def _three_quads_waits(h: Any) -> tuple[Any, Any]:
    fits = (count(h.t1) == 4) & (count(h.t3) == 3)
    last = (fits & (h.t3 == h.t4)) * (h.t1 ^ h.t4)  # 4 + 4 + 4 + 1
    return last | (fits & (h.t1 == h.t2) & (count(h.t4) == 2)) * (h.t3 ^ h.t4), last  # 4 + 4 + 3 + 2


def _two_quads_waits(h: Thirteen) -> Waits:
    if not h.t4 or not h.t3 & h.t3 - 1 or not h.hand.closed:
        return NOTHING
    konged = {meld.tile for meld in h.hand.melds}
    fours = [kind for kind in kinds_of(h.t4) if kind not in konged]
    waits = 0
    for one, two in combinations(fours, 2):
        waits |= set_waits(h.key - 4 * KEY[one] - 4 * KEY[two], h.need - 2, 0)[0]
    for one in fours:
        for three in kinds_of(h.t3 & ~h.t4):
            if take_apart(h.key - 4 * KEY[one] - 3 * KEY[three], h.need - 2, 0):
                waits |= BIT[three]
    return waits, 0


# 十三金字塔: 1 and 9 of every suit, 258p 36s 47m, one of them twice
ONE_OF_EACH = Whole(
    PYRAMID,
    when=lambda h: (h.t1 == PYRAMID_TILES) & (h.t2 != 0),
    pair=lambda h: h.t2,
    place=lambda h: (h.t2 == h.win) * SINGLE,
)
# 十三不搭: in the first go-round, thirteen tiles of 147, 258, 369 and the honours, one of them twice
# (all fourteen different is the shape "loose"; the row of 十三不搭 looks at that too)
IN_LINE = Whole(
    SCATTERED,
    when=lambda h: (h.luck & _FIRST_ROUND != 0) & (h.t3 == 0) & (count(h.t2) == 1) & in_line(h.t1),
    pair=lambda h: h.t2,
)

OWN = {
    "pyramid": Shape(
        ONE_OF_EACH.read,
        lambda h: one_of_each_waits(h, PYRAMID_TILES),
        melds=0,
        kinds=(12, 13),
        may_win=lambda h: h.t1 == PYRAMID_TILES,
        may_wait=lambda h: h.t1 & (ALL_TILES ^ PYRAMID_TILES) == 0,
        whole=ONE_OF_EACH,
    ),
    "scattered": Shape(
        IN_LINE.read,
        _scattered_waits,
        melds=0,
        kinds=(12, 13),
        may_win=lambda h: (h.luck & _FIRST_ROUND != 0) & (count(h.t2) == 1),
        may_wait=lambda h: (h.luck & _FIRST_ROUND != 0) & (h.t3 == 0) & in_line(h.t1),
        whole=IN_LINE,
    ),
    "two_quads": Shape(
        two_quads,
        _two_quads_waits,
        melds=2,
        kinds=(2, 8),
        may_win=lambda h: count(h.t4 & (h.k ^ ALL_TILES)) >= 2,
        may_wait=lambda h: (h.t4 != 0) & (count(h.t3) >= 2),
    ),
    "three_quads": Shape(
        three_quads,
        _three_quads_waits,
        melds=0,
        kinds=(4, 4),
        may_win=lambda h: count(h.t4) == 3,
        may_wait=lambda h: (h.t4 != 0) & (count(h.t3) == 3),
        whole=THREE_FOURS,
    ),
    "outside": Shape(
        outside,
        lambda h: NOTHING,
        may_win=lambda h: h.luck & OUTSIDE_LUCK != 0,
        may_wait=lambda h: h.t1 == 0,
        whole=BY_LUCK,
    ),
}
NAMES = tuple(OWN)
SHAPES.update(OWN)


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

# ---- every set of tiles (二不杠 and 三不杠 are too many to list: see `quepu.lab`)

TILE_SETS.update(
    pyramid=lambda: paired(tuple(kinds_of(PYRAMID_TILES))),
    scattered=lambda: (tiles for some in off_lines(13) for tiles in paired(some)),
    outside=lambda: iter([(*kinds_of(OUTER), 0)]),
)
NEEDS.update(scattered=_FIRST_ROUND, outside=OUTSIDE_LUCK)
BOUNDLESS.add("outside")
