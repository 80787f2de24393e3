"""Seven pairs, four of a kind being two of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quepu.hands.planes import ALL_TILES, PAIRS, SINGLE, Planes, count, most
from quepu.hands.win import PAIR, Group, Reading, Win, bits
from quepu.shapes import pairs
from quepu.shapes.automaton import FAR, Tiles
from quepu.shapes.shape import MadeOf, Part, Shape, Whole, register
from quepu.tiles import KIND

if TYPE_CHECKING:
    from random import Random

WHOLE = Whole(
    PAIRS,
    when=lambda h: (h.t1 == h.t2) & (h.t3 == h.t4) & (count(h.t1) + count(h.t3) == 7),
    pair=lambda h: h.t1,
    place=lambda h: SINGLE,
)


def read(win: Win) -> list[Reading]:
    """Read seven pairs, where four of a kind count as two."""
    return [Reading(reading.h, win, _by_twos) for reading in WHOLE.read(win)]


def _by_twos(h: Planes, _: Win) -> tuple[Group, ...]:
    return tuple(
        Group(PAIR, KIND[bit], won=bit == h.win and plane == h.t1) for plane in (h.t1, h.t3) for bit in bits(plane)
    )


def waits(h: Any) -> Any:
    """Return the tile held once, or the fourth of three."""
    odd = h.t1 ^ h.t2 | h.t3 ^ h.t4
    lone = (odd & odd - 1 == 0) * odd
    return lone, lone


def _count_pairs(tiles: Tiles) -> tuple[int, int, int]:
    """Count pairs, four alike being two; also return the kinds held once or thrice and those held four times."""
    t1, t2, t3, t4 = tiles.planes
    return t2.bit_count() + t4.bit_count(), t1 & ~t2 | t3 & ~t4, t4


def distance(tiles: Tiles) -> int:
    """Count missing pairs, and the new kinds needed if there are too few to pair."""
    if tiles.need < 4:
        return FAR
    have, odd, _ = _count_pairs(tiles)
    lacking = most(0, 7 - have)
    return lacking + most(0, lacking - odd.bit_count())


def at_least(tiles: Tiles) -> int:
    """Count the pairs that lack where every two tiles beyond pairs and single ones make a four of a kind."""
    pairs = tiles.t2.bit_count()
    return 7 - pairs - (14 - tiles.t1.bit_count() - pairs) // 2


def nearer(tiles: Tiles) -> int:
    """Return kinds held once or thrice, and new ones while there are too few of those."""
    have, odd, fours = _count_pairs(tiles)
    return odd * (have < 7) | (ALL_TILES & ~odd & ~fours) * (have + odd.bit_count() < 7)


def sample(rng: Random) -> list[Part]:
    """Return seven pairs, sometimes with one of them twice."""
    parts = pairs.sample(rng)
    if rng.random() < 0.3:
        parts[1] = parts[0]
    return parts


SHAPE = register(
    Shape(
        name="any_pairs",
        form=PAIRS,
        words=pairs.SHAPE.words,
        read=read,
        waits=waits,
        distance=distance,
        nearer=nearer,
        at_least=at_least,
        sample=sample,
        share=8,
        melds=0,
        kinds=(4, 7),
        may_win=lambda h: (h.t1 == h.t2) & (h.t3 == h.t4),
        may_wait=lambda h: count(h.t1 ^ h.t2 | h.t3 ^ h.t4) == 1,
        whole=WHOLE,
        made_of=tuple(MadeOf(fours, 7 - 2 * fours) for fours in range(4)),
    )
)
