"""Fourteen different tiles out of 147, 258, 369 of three suits and the seven honours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quepu.errors import Text
from quepu.hands.planes import ALL_TILES, HONOUR_TILES, LOOSE
from quepu.shapes.knitted import KNITTED_LINES, in_line, lines_of, most_in_line, off_lines
from quepu.shapes.shape import Part, Shape, Singles, Whole, register
from quepu.tiles import kinds_of

if TYPE_CHECKING:
    from random import Random

WHOLE = Whole(LOOSE, when=lambda h: (h.t2 == 0) & in_line(h.t1))
SINGLES = Singles(14, tuple(line | HONOUR_TILES for line in KNITTED_LINES), again=False)


def waits(h: Any) -> Any:
    """Return the tiles of the line and the honours that are not held."""
    return (h.t2 == 0) * (lines_of(h.t1) & (h.t1 ^ ALL_TILES)), 0


def sample(rng: Random) -> list[Part]:
    """Return fourteen tiles of a line and the honours, sometimes with all seven honours."""
    line, honours = kinds_of(rng.choice(KNITTED_LINES)), kinds_of(HONOUR_TILES)
    if rng.random() < 0.3:
        return [(kind,) for kind in (*honours, *rng.sample(line, 7))]
    return [(kind,) for kind in rng.sample([*line, *honours], 14)]


SHAPE = register(
    Shape(
        name="loose",
        form=LOOSE,
        words=Text("全不靠", "all different tiles"),
        read=WHOLE.read,
        waits=waits,
        distance=SINGLES.distance,
        nearer=SINGLES.nearer,
        at_least=lambda tiles: 14 - most_in_line(tiles.t1) - (tiles.t1 >> 48).bit_count(),
        sample=sample,
        share=2,
        melds=0,
        kinds=(13, 13),
        may_win=lambda h: h.t2 == 0,
        may_wait=lambda h: h.t2 == 0,
        whole=WHOLE,
        singles=SINGLES,
        tile_sets=lambda: off_lines(14),
        single=True,
    )
)
