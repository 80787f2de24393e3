"""十三不搭: in the first go-round, thirteen tiles of 147, 258, 369 and the honours, one of them twice.

All fourteen different is the shape "loose"; the row of 十三不搭 looks at that too.
"""

from __future__ import annotations

from random import Random
from typing import Any

from quepu.errors import Text
from quepu.hands.hand import Luck
from quepu.hands.planes import ALL_TILES, HONOUR_TILES, count
from quepu.shapes.automaton import FAR, Tiles
from quepu.shapes.knitted import KNITTED_LINES, in_line, lines_of, off_lines
from quepu.shapes.orphans import tile_sets
from quepu.shapes.shape import Part, Shape, Singles, Whole, register
from quepu.tiles import kinds_of

SCATTERED = 1 << 6
_FIRST_ROUND = int(Luck.FIRST_ROUND)

WHOLE = Whole(
    SCATTERED,
    when=lambda h: (h.luck & _FIRST_ROUND != 0) & (h.t3 == 0) & (count(h.t2) == 1) & in_line(h.t1),
    pair=lambda h: h.t2,
)

SINGLES = Singles(13, tuple(line | HONOUR_TILES for line in KNITTED_LINES), again=True)


def waits(h: Any) -> tuple[Any, Any]:
    """Return the waits: with thirteen different tiles any of them again, with twelve and a pair the missing ones."""
    first = (h.luck & _FIRST_ROUND != 0) & (h.t3 == 0)
    lines = lines_of(h.t1)
    again = (first & (h.t2 == 0) & (lines != 0)) * h.t1  # thirteen different: any of them again
    return again | (first & (count(h.t2) == 1)) * (lines & (h.t1 ^ ALL_TILES)), 0


def distance(tiles: Tiles) -> int:
    """Return the missing tiles in the first go-round; later the shape cannot win."""
    return SINGLES.distance(tiles) if tiles.luck & _FIRST_ROUND else FAR


def sample(rng: Random) -> list[Part]:
    """Return thirteen tiles of a line and the honours, one of them again."""
    kinds = rng.sample(kinds_of(rng.choice(KNITTED_LINES) | HONOUR_TILES), 13)
    return [(kind,) for kind in (*kinds, rng.choice(kinds))]


SHAPE = register(
    Shape(
        name="scattered",
        form=SCATTERED,
        words=Text("十三不搭", "thirteen scattered tiles"),
        read=WHOLE.read,
        waits=waits,
        distance=distance,
        nearer=lambda tiles: SINGLES.nearer(tiles) if tiles.luck & _FIRST_ROUND else 0,
        sample=sample,
        melds=0,
        kinds=(12, 13),
        may_win=lambda h: (h.luck & _FIRST_ROUND != 0) & (count(h.t2) == 1),
        may_wait=lambda h: (h.luck & _FIRST_ROUND != 0) & (h.t3 == 0),
        whole=WHOLE,
        singles=SINGLES,
        tile_sets=lambda: (tiles for some in off_lines(13) for tiles in tile_sets(some)),
        needs=_FIRST_ROUND,
        single=True,
    )
)
