"""Seven different pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quepu.errors import Text
from quepu.hands.planes import ALL_TILES, OUTER, PAIRS, SINGLE, count
from quepu.shapes.automaton import FAR, Tiles
from quepu.shapes.shape import Almost, MadeOf, Part, Shape, Whole, register
from quepu.tiles import KINDS, kinds_of

if TYPE_CHECKING:
    from random import Random

WHOLE = Whole(
    PAIRS,
    when=lambda h: (h.t1 == h.t2) & (h.t3 == 0) & (count(h.t1) == 7),
    pair=lambda h: h.t1,
    place=lambda h: SINGLE,
)


def waits(h: Any) -> Any:
    """Return the single tile."""
    lone = ((count(h.t1) == 7) & (count(h.t2) == 6) & (h.t3 == 0)) * (h.t1 ^ h.t2)
    return lone, lone


def distance(tiles: Tiles) -> int:
    """Count missing pairs, and missing kinds if there are fewer than seven."""
    if tiles.need < 4:
        return FAR
    pairs, kinds = tiles.t2.bit_count(), tiles.t1.bit_count()
    return (7 - pairs) * (pairs < 7) + (7 - kinds) * (kinds < 7)


def nearer(tiles: Tiles) -> int:
    """Return single tiles, and new kinds while there are fewer than seven."""
    t1, t2 = tiles.t1, tiles.t2
    return (t1 & ~t2) * (t2.bit_count() < 7) | (ALL_TILES & ~t1) * (t1.bit_count() < 7)


def sample(rng: Random) -> list[Part]:
    """Return seven pairs out of all kinds, or out of a few that go together."""
    suit = rng.randrange(3) * 9
    start = suit + rng.randrange(3)
    pool = rng.choice((
        ALL_KINDS, ALL_KINDS, tuple(range(suit, suit + 9)), (*range(suit, suit + 9), *HONOURS), HONOURS, OUTER_KINDS,
        tuple(range(start, start + 7)), NUMBERS, tuple(k for k in NUMBERS if k % 9 < 5),
    ))  # fmt: skip
    return [(kind, kind) for kind in rng.sample(pool, 7)]


ALL_KINDS = tuple(range(KINDS))
NUMBERS = ALL_KINDS[:27]
HONOURS = ALL_KINDS[27:]
OUTER_KINDS = tuple(kinds_of(OUTER))

SHAPE = register(
    Shape(
        name="pairs",
        form=PAIRS,
        words=Text("七对", "seven pairs"),
        read=WHOLE.read,
        waits=waits,
        distance=distance,
        nearer=nearer,
        sample=sample,
        share=8,
        melds=0,
        kinds=(7, 7),
        may_win=lambda h: (h.t1 == h.t2) & (h.t3 == 0),
        may_wait=lambda h: count(h.t2) == 6,
        whole=WHOLE,
        made_of=(MadeOf(0, 7),),
        almost=Almost(
            when=lambda copies: 4 in copies and all(n in (0, 2, 4) for n in copies),
            why=Text(
                "七对要七个互不相同的对子，四张相同的牌不算两对",
                "seven pairs have to be seven different ones: four alike are not two pairs",
            ),
        ),
    )
)
