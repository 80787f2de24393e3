"""十三金字塔: 1 and 9 of every suit, 258p 36s 47m, one of them twice."""

from __future__ import annotations

from quepu.errors import Text
from quepu.hands.planes import ALL_TILES, SINGLE, TERMINALS
from quepu.shapes import orphans
from quepu.shapes.shape import Shape, Singles, Whole, register
from quepu.tiles import kinds_of

PYRAMID = 1 << 5
KNIGHTS = 0b001001000 | 0b010010010 << 16 | 0b000100100 << 32
"""47m 258p 36s."""
TILES = TERMINALS | KNIGHTS

WHOLE = Whole(
    PYRAMID,
    when=lambda h: (h.t1 == TILES) & (h.t2 != 0),
    pair=lambda h: h.t2,
    place=lambda h: (h.t2 == h.win) * SINGLE,
)
SINGLES = Singles(13, (TILES,), again=True)

SHAPE = register(
    Shape(
        name="pyramid",
        form=PYRAMID,
        words=Text("十三金字塔", "the pyramid"),
        read=WHOLE.read,
        waits=lambda h: orphans.waits(h, TILES),
        distance=SINGLES.distance,
        nearer=SINGLES.nearer,
        sample=lambda rng: orphans.sample(rng, TILES),
        share=1,
        melds=0,
        kinds=(12, 13),
        may_win=lambda h: h.t1 == TILES,
        may_wait=lambda h: h.t1 & (ALL_TILES ^ TILES) == 0,
        whole=WHOLE,
        singles=SINGLES,
        tile_sets=lambda: orphans.tile_sets(tuple(kinds_of(TILES))),
        single=True,
    )
)
