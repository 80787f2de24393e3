"""The thirteen terminals and honours, one of them twice."""

from __future__ import annotations

from quepu.errors import Text
from quepu.hands.planes import ALL_TILES, ORPHANS, OUTER, SINGLE
from quepu.shapes import one_of_each
from quepu.shapes.shape import Shape, Whole, register
from quepu.tiles import kinds_of

WHOLE = Whole(
    ORPHANS,
    when=lambda h: (h.t1 == OUTER) & (h.t3 == 0),
    pair=lambda h: h.t2,
    place=lambda h: (h.t2 == h.win) * SINGLE,
)

SHAPE = register(
    Shape(
        name="orphans",
        form=ORPHANS,
        words=Text("十三幺", "thirteen orphans"),
        read=WHOLE.read,
        waits=lambda h: one_of_each.waits(h, OUTER),
        distance=lambda tiles: one_of_each.distance(tiles, OUTER),
        nearer=lambda tiles: one_of_each.nearer(tiles, OUTER),
        sample=lambda rng: one_of_each.sample(rng, OUTER),
        share=1,
        melds=0,
        kinds=(12, 13),
        may_win=lambda h: h.t1 == OUTER,
        may_wait=lambda h: h.t1 & (OUTER ^ ALL_TILES) == 0,
        whole=WHOLE,
        tile_sets=lambda: one_of_each.tile_sets(tuple(kinds_of(OUTER))),
        single=True,
    )
)
