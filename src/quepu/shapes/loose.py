"""Fourteen different tiles out of 147, 258, 369 of three suits and the seven honours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quepu.errors import Text
from quepu.hands.planes import ALL_TILES, HONOUR_TILES, LOOSE, most
from quepu.shapes.automaton import FAR, Tiles
from quepu.shapes.knitted import KNITTED_LINES, in_line, lines_of, off_lines
from quepu.shapes.shape import Part, Shape, Whole, register
from quepu.tiles import kinds_of

if TYPE_CHECKING:
    from random import Random

WHOLE = Whole(LOOSE, when=lambda h: (h.t2 == 0) & in_line(h.t1))


def waits(h: Any) -> Any:
    """Return the tiles of the line and the honours that are not held."""
    return (h.t2 == 0) * (lines_of(h.t1) & (h.t1 ^ ALL_TILES)), 0


def distance(tiles: Tiles) -> int:
    """Count the tiles missing to fourteen, by the line with the most tiles held."""
    if tiles.need < 4:
        return FAR
    held = tiles.t1
    return 14 - (held & HONOUR_TILES).bit_count() - most(*[(held & line).bit_count() for line in KNITTED_LINES])


def nearer(tiles: Tiles) -> int:
    """Return missing honours and missing tiles of the lines with the most tiles held."""
    held = [(tiles.t1 & line).bit_count() for line in KNITTED_LINES]
    best = most(*held)
    wanted = HONOUR_TILES
    for line, n in zip(KNITTED_LINES, held, strict=True):
        wanted |= line * (n == best)
    return wanted & ~tiles.t1


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
        distance=distance,
        nearer=nearer,
        sample=sample,
        share=2,
        melds=0,
        kinds=(13, 13),
        may_win=lambda h: h.t2 == 0,
        may_wait=lambda h: h.t2 == 0,
        whole=WHOLE,
        tile_sets=lambda: off_lines(14),
        single=True,
    )
)
