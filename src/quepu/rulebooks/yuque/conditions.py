"""Three conditions of 玉雀's table II that are longer than a line; free of branches, for ints and arrays."""

from __future__ import annotations

from typing import Any

from quepu.hands.planes import (
    HONOUR_TILES,
    LANE,
    SUIT_TILES,
    Planes,
    any_suit,
    count,
    mirrored,
    same_rank,
    two_suits,
)


def two_meetings(h: Planes) -> Any:
    """二相逢: two separate pairs of chows, each of one rank in two suits; all four may have one rank."""
    return (count(two_suits(h.c1)) >= 2) | (two_suits(h.c2) != 0) | ((same_rank(h.c1) & any_suit(h.c2)) != 0)


def two_chains(h: Planes) -> Any:
    """双龙会: two separate pairs of chows, each in one suit and three ranks apart, without 123 456 789."""
    chained = h.c1 & h.c1 >> 3 & SUIT_TILES
    dragon = h.c1 & h.c1 >> 3 & h.c1 >> 6 & SUIT_TILES
    return ((count(chained) >= 2) | ((h.c2 & h.c2 >> 3 & SUIT_TILES) != 0)) & (dragon == 0)


def twin_suits(h: Planes) -> Any:
    """镜同: two suits of two melds each, equal in kind and rank, and no other meld."""
    chows, twice, pungs = h.c1, h.c2, h.p
    found = 0
    for i, j, k in ((0, 16, 32), (0, 32, 16), (16, 32, 0)):
        alike = (
            ((chows >> i ^ chows >> j) & LANE) | ((twice >> i ^ twice >> j) & LANE) | ((pungs >> i ^ pungs >> j) & LANE)
        )
        third = (chows | pungs) >> k & LANE
        present = ((chows | pungs) >> i & LANE) != 0
        found = found | ((alike == 0) & (third == 0) & present)
    return found & ((pungs & HONOUR_TILES) == 0)


def mirrored_about_pair(h: Planes) -> Any:
    """数同: suited tiles only, and the melds of every suit are symmetric about the rank of the pair.

    A mirror image that leaves a suit's nine places drops out or lands in the next suit; as all images move the same
    way, the whole can then not equal the original.
    """
    lane = any_suit(h.pair)
    twice_rank = 2 * count((lane & -lane) - 1)  # of the pair, counted from 0
    chows, doubled = h.c1 << 1, h.c2 << 1  # a chow stands at its middle tile, as a pung does
    pungs = h.p & SUIT_TILES
    return (
        ((h.t1 & HONOUR_TILES) == 0)
        & (lane != 0)
        & (_image(chows, twice_rank) == chows)
        & (_image(doubled, twice_rank) == doubled)
        & (_image(pungs, twice_rank) == pungs)
    )


def _image(x: Any, twice_rank: Any) -> Any:
    return mirrored(x) << twice_rank >> 8 & SUIT_TILES
