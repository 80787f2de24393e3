"""Thirteen wanted kinds, one of each, and any of them a second time: shared parts of such shapes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from quepu.hands.planes import ALL_TILES, count
from quepu.shapes.automaton import FAR, Tiles
from quepu.shapes.shape import Part
from quepu.tiles import kinds_of

if TYPE_CHECKING:
    from random import Random


def waits(h: Any, wanted: int) -> Any:
    """The tiles that complete thirteen wanted ones, one of each, and any of them a second time."""
    fits = (h.t1 & (wanted ^ ALL_TILES) == 0) & (h.t3 == 0)
    lacking = h.t1 ^ wanted
    every = (fits & (lacking == 0)) * wanted
    return every | (fits & (count(lacking) == 1)) * lacking, every


def distance(tiles: Tiles, wanted: int) -> int:
    """Wanted kinds that are missing, and the second copy."""
    if tiles.need < 4:
        return FAR
    return 14 - (tiles.t1 & wanted).bit_count() - (tiles.t2 & wanted != 0)


def nearer(tiles: Tiles, wanted: int) -> int:
    """Wanted kinds that are missing; any wanted one while none is there twice."""
    return wanted & ~(tiles.t1 * (tiles.t2 & wanted != 0))


def sample(rng: Random, wanted: int) -> list[Part]:
    """The wanted kinds and one of them again."""
    kinds = kinds_of(wanted)
    return [(kind,) for kind in (*kinds, rng.choice(kinds))]


def tile_sets(kinds: Part) -> Iterator[Part]:
    """Some kinds, each of them twice in turn."""
    for kind in kinds:
        yield (*kinds, kind)
