"""Waits of thirteen tiles, computed after every discard: a quick no for nearly all, the exact answer for the rest."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from quepu.hands.hand import Hand, Luck, Meld
from quepu.hands.suit_tables import KEY_BITS, KEY_MASK, honour_splits, suit_splits, tile_planes
from quepu.hands.win import meld_planes
from quepu.shapes import SHAPES
from quepu.shapes.readings import wait_planes
from quepu.shapes.shape import HeldPlanes


class Waits(Protocol):
    """From a hand's key (see quepu.hands.suit_tables), concealed kinds and melds to the plane of its waits."""

    def __call__(self, key: int, hand: list[int], melds: tuple[Meld, ...], luck: int = ..., kinds: int = ..., /) -> int:
        """`luck`: the circumstances taken to hold of the win. `kinds`: their number in hand, if counted."""


WHATEVER = int(~Luck(0))
"""What only a circumstance makes a win is waited for too: whether it holds is judged when it comes."""
LASTING = 0
"""Only what is waited for at any time: what one may declare."""


_BOOKS_MOST = 64  # different lists of shapes, of books and house rules


@lru_cache(_BOOKS_MOST)
def waits_of(shapes: tuple[str, ...]) -> Waits:
    """What hands wait for under these shapes."""
    standard = any(SHAPES[shape].plain for shape in shapes)
    others = [SHAPES[shape] for shape in shapes if not SHAPES[shape].plain]
    # by melds, then by how many kinds are concealed
    near = [[[s.may_wait for s in others if s.allows(melds, kinds)] for kinds in range(14)] for melds in range(5)]
    any_near = [any(row) for row in near]
    number, honour = suit_splits(), honour_splits()
    two, three = 2 * KEY_BITS, 3 * KEY_BITS

    def waits(key: int, hand: list[int], melds: tuple[Meld, ...], luck: int = WHATEVER, kinds: int = 0) -> int:
        if standard:
            broken = 0 if key & KEY_MASK in number else 1
            if (key >> KEY_BITS & KEY_MASK) not in number:
                broken += 1
            if broken < 2:
                if (key >> two & KEY_MASK) not in number:
                    broken += 1
                if broken < 2 and (broken == 0 or key >> three in honour):
                    return wait_planes(Hand(tuple(hand), melds, luck=luck), shapes)[0]
        if any_near[len(melds)]:
            tests = near[len(melds)][kinds or len(set(hand))]
            if tests:
                t1, t2, t3, t4 = tile_planes(key + meld_planes(melds).key if melds else key)
                held = HeldPlanes(t1, t2, t3, t4, 0, luck)
                for may_wait in tests:
                    if may_wait is None or may_wait(held):
                        return wait_planes(Hand(tuple(hand), melds, luck=luck), shapes)[0]
        return 0

    return waits
