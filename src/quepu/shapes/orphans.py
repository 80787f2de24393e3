"""The thirteen terminals and honours, one of them twice; and the functions of any shape of thirteen such kinds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from quepu.errors import Text
from quepu.hands.planes import ALL_TILES, ORPHANS, OUTER, SINGLE, count
from quepu.shapes.shape import Part, Shape, Singles, Whole, register
from quepu.tiles import kinds_of

if TYPE_CHECKING:
    from random import Random


def waits(h: Any, wanted: int) -> Any:
    """Return the tiles that complete thirteen wanted ones, one of each, and any of them a second time."""
    fits = (h.t1 & (wanted ^ ALL_TILES) == 0) & (h.t3 == 0)
    lacking = h.t1 ^ wanted
    every = (fits & (lacking == 0)) * wanted
    return every | (fits & (count(lacking) == 1)) * lacking, every


def sample(rng: Random, wanted: int) -> list[Part]:
    """Return the wanted kinds and one of them again."""
    kinds = kinds_of(wanted)
    return [(kind,) for kind in (*kinds, rng.choice(kinds))]


def tile_sets(kinds: Part) -> Iterator[Part]:
    """Yield some kinds with each of them twice in turn."""
    for kind in kinds:
        yield (*kinds, kind)


WHOLE = Whole(
    ORPHANS,
    when=lambda h: (h.t1 == OUTER) & (h.t3 == 0),
    pair=lambda h: h.t2,
    place=lambda h: (h.t2 == h.win) * SINGLE,
)
SINGLES = Singles(13, (OUTER,), again=True)

SHAPE = register(
    Shape(
        name="orphans",
        form=ORPHANS,
        words=Text("十三幺", "thirteen orphans"),
        read=WHOLE.read,
        waits=lambda h: waits(h, OUTER),
        distance=SINGLES.distance,
        nearer=SINGLES.nearer,
        sample=lambda rng: sample(rng, OUTER),
        share=1,
        melds=0,
        kinds=(12, 13),
        may_win=lambda h: h.t1 == OUTER,
        may_wait=lambda h: h.t1 & (OUTER ^ ALL_TILES) == 0,
        whole=WHOLE,
        singles=SINGLES,
        tile_sets=lambda: tile_sets(tuple(kinds_of(OUTER))),
        single=True,
    )
)
