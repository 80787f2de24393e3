"""Every reading of a winning hand under some shapes, and the waits of thirteen tiles."""

from __future__ import annotations

from functools import lru_cache

from quepu.hands.hand import Hand
from quepu.hands.planes import Planes
from quepu.hands.suit_tables import KEY, tile_planes
from quepu.hands.win import NO_WAITS, Reading, WaitFor, Win, bits, meld_planes
from quepu.shapes import SHAPES, Shape, Thirteen, near_shapes
from quepu.tiles import KIND

WAIT_PLANES = frozenset(("waits", "pair_waits", "dead_waits"))


@lru_cache(256)
def _candidates(shapes: tuple[str, ...]) -> tuple[tuple[tuple[Shape, ...], ...], ...]:
    """Group the possible shapes by melds still to make and by number of different kinds of a complete hand."""
    listed = [SHAPES[name] for name in shapes]
    return tuple(
        tuple(
            tuple(shape for shape in listed if shape.allows(4 - need, kinds) or shape.allows(4 - need, kinds - 1))
            for kinds in range(15)
        )
        for need in range(5)
    )


@lru_cache(256)
def _wait_for(shapes: tuple[str, ...]) -> WaitFor:
    """Return a function for the waits that a complete hand had under these shapes."""

    def find_waits(win: Win) -> tuple[int, int, int]:
        (t1, t2, t3, t4), w, winning = win.t, win.win, win.hand.winning
        before = t1 & ~(w & ~t2), t2 & ~(w & ~t3), t3 & ~(w & ~t4), t4 & ~w
        key = win.key if winning is None else win.key - KEY[winning]
        return _waits(Thirteen(win.hand, key, win.melds.need, *before, int(win.hand.luck)), shapes)

    return find_waits


def readings(hand: Hand, shapes: tuple[str, ...], reads: frozenset[str] = frozenset(Planes._fields)) -> list[Reading]:
    """Return every reading of a complete hand under these shapes; empty if it is not a win.

    `reads` names the planes that will be read: the others are not computed, and readings that differ only in those are
    returned once.
    """
    win = Win(hand, reads, None if reads.isdisjoint(WAIT_PLANES) else _wait_for(shapes))
    found: list[Reading] = []
    for shape in _candidates(shapes)[win.melds.need][win.t[0].bit_count()]:
        found += shape.read(win)
    return found


def wait_planes(hand: Hand, shapes: tuple[str, ...]) -> tuple[int, int, int]:
    """Return the waits of thirteen tiles (a winning tile is left out), those that can finish a pair, the dead ones.

    A tile of which the hand holds all four copies, melds included, is not a wait; if a fifth would complete the hand,
    it is a dead one.
    """
    melds = meld_planes(hand.melds)
    key = sum(map(KEY.__getitem__, hand.concealed))
    return _waits(Thirteen(hand, key, melds.need, *tile_planes(key + melds.key), int(hand.luck)), shapes)


def list_waits(hand: Hand, shapes: tuple[str, ...]) -> list[int]:
    """List the kinds that complete a hand of thirteen tiles."""
    return [KIND[bit] for bit in bits(wait_planes(hand, shapes)[0])]


def _waits(tiles: Thirteen, shapes: tuple[str, ...]) -> tuple[int, int, int]:
    near = near_shapes(shapes)[tiles.need][tiles.t1.bit_count()]
    if not near:
        return NO_WAITS
    waits = pair_waits = 0
    for shape in near:
        more, more_pairs = shape.waits(tiles)
        waits |= more
        pair_waits |= more_pairs
    held = tiles.t4
    return waits & ~held, pair_waits & ~held, waits & held
