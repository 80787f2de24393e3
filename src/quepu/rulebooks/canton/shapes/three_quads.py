"""三不杠: three fours of a kind that were not konged, and a pair."""

from __future__ import annotations

from random import Random
from typing import Any

from quepu.errors import Text
from quepu.hands.planes import ALL_TILES, SINGLE, count, most
from quepu.hands.win import Reading, Win
from quepu.rulebooks.canton.shapes.two_quads import with_quads
from quepu.shapes.automaton import FAR, Tiles
from quepu.shapes.shape import MadeOf, Part, Shape, Whole, register
from quepu.tiles import KINDS

THREE_QUADS = 1 << 8

WHOLE = Whole(
    THREE_QUADS,
    when=lambda h: (count(h.t4) == 3) & (h.t3 == h.t4) & (h.t1 == h.t2) & (count(h.t1) == 4),
    pair=lambda h: h.t1 ^ h.t4,
    place=lambda h: (h.win & (h.t4 ^ ALL_TILES) != 0) * SINGLE,
    fours=lambda h: h.t4,
)


def read(win: Win) -> list[Reading]:
    """Return the one reading, with its fours as groups."""
    return [with_quads(reading, win.t[3]) for reading in WHOLE.read(win)]


def waits(h: Any) -> tuple[Any, Any]:
    """Return the tile held singly, or the fourth of three."""
    fits = (count(h.t1) == 4) & (count(h.t3) == 3)
    last = (fits & (h.t3 == h.t4)) * (h.t1 ^ h.t4)  # 4 + 4 + 4 + 1
    return last | (fits & (h.t1 == h.t2) & (count(h.t4) == 2)) * (h.t3 ^ h.t4), last  # 4 + 4 + 3 + 2


def distance(tiles: Tiles) -> int:
    """Count missing tiles with the three most frequent kinds as fours and the next as the pair, the best choice."""
    if tiles.need < 4:
        return FAR
    held = [plane.bit_count() for plane in tiles.planes]  # kinds held once, twice, thrice, four times or more
    return 14 + sum([most(-3, -n) for n in held]) - (held[0] > 3) - (held[1] > 3)


def at_least(tiles: Tiles) -> int:
    """Count the tiles that three fours and a pair lack where every tile beyond pairs and single ones is in them."""
    kinds, pairs = tiles.t1.bit_count(), tiles.t2.bit_count()
    return 14 - min(4, kinds) - min(4, pairs) - min(6, 14 - kinds - pairs)


def nearer(tiles: Tiles) -> int:
    """Return one more copy of any kind, as long as too few kinds are held that often."""
    t1, t2, t3, t4 = tiles.planes
    return (
        (ALL_TILES & ~t1) * (t1.bit_count() < 4)
        | (t1 & ~t2) * (t2.bit_count() < 4)
        | (t2 & ~t3) * (t3.bit_count() < 3)
        | (t3 & ~t4) * (t4.bit_count() < 3)
    )


def sample(rng: Random) -> list[Part]:
    """Return three fours and a pair, sometimes all of one suit."""
    low = rng.choice((0, 9, 18))
    kinds = rng.sample(range(KINDS) if rng.random() < 0.5 else range(low, low + 9), 4)
    return [*((kind,) * 4 for kind in kinds[:3]), (kinds[3],) * 2]


SHAPE = register(
    Shape(
        name="three_quads",
        form=THREE_QUADS,
        words=Text("三不杠", "three unkonged fours"),
        read=read,
        waits=waits,
        distance=distance,
        nearer=nearer,
        at_least=at_least,
        sample=sample,
        share=1,
        melds=0,
        kinds=(4, 4),
        may_win=lambda h: count(h.t4) == 3,
        may_wait=lambda h: (h.t4 != 0) & (count(h.t3) == 3),
        whole=WHOLE,
        made_of=(MadeOf(3, 1),),
    )
)
