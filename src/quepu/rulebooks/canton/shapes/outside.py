"""花糊, 八仙过海, 七抢一, 流局十番: wins by a circumstance, whatever the tiles; each stands alone."""

from __future__ import annotations

from random import Random

from quepu.errors import Text
from quepu.hands.hand import Luck
from quepu.hands.planes import OUTER
from quepu.hands.win import PUNG, TILE, Group, Reading, Win
from quepu.shapes.automaton import FAR, Tiles
from quepu.shapes.shape import NOTHING, Part, Shape, Whole, register
from quepu.tiles import kinds_of

OUTSIDE = 1 << 9
OUTSIDE_LUCK = int(Luck.SEVEN_FLOWERS | Luck.EIGHT_FLOWERS | Luck.ROBBED_FLOWER | Luck.OUTER_DISCARDS)
"""Circumstances that win with any tiles."""

WHOLE = Whole(OUTSIDE, when=lambda h: h.luck & OUTSIDE_LUCK != 0, bare=False)


def read(win: Win) -> list[Reading]:
    """Read all tiles, each by itself, and the melds."""
    if not WHOLE.when(win):  # checked for every hand
        return []
    tiles = tuple(Group(TILE, kind) for kind in sorted(win.tiles))
    melds = tuple(Group(0 if m.kind == 0 else PUNG, m.tile, m.exposed, m.kind >= 2) for m in win.hand.melds)
    return [Reading(reading.h, win, tiles + melds) for reading in WHOLE.read(win)]


def distance(tiles: Tiles) -> int:
    """Return 0 in such a circumstance: no tile is missing; in any other, none helps."""
    return 0 if tiles.luck & OUTSIDE_LUCK else FAR


def sample(rng: Random) -> list[Part]:
    """Return any fourteen tiles."""
    return [(tile,) for tile in rng.sample([kind for kind in range(34) for _ in range(4)], 14)]


SHAPE = register(
    Shape(
        name="outside",
        form=OUTSIDE,
        words=Text("不论手牌、只凭际遇的和", "wins by circumstance with any tiles"),
        read=read,
        waits=lambda h: NOTHING,
        distance=distance,
        sample=sample,
        may_win=lambda h: h.luck & OUTSIDE_LUCK != 0,
        may_wait=lambda h: h.t1 == 0,
        whole=WHOLE,
        tile_sets=lambda: iter([(*kinds_of(OUTER), 0)]),
        needs=OUTSIDE_LUCK,
        boundless=True,
    )
)
