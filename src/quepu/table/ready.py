"""Waits of thirteen tiles, computed after every discard: a quick no for nearly all, an exact answer for the rest."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from quepu.hands.hand import Hand, Luck, Meld
from quepu.hands.planes import reads
from quepu.hands.suit_tables import KEY_BITS, KEY_MASK, first_plane, honour_splits, suit_splits, tile_planes
from quepu.hands.win import meld_planes
from quepu.shapes import SHAPES
from quepu.shapes.readings import wait_planes
from quepu.shapes.shape import HeldPlanes, Shape


class Waits(Protocol):
    """Maps a hand's key (see quepu.hands.suit_tables), concealed kinds and melds to the plane of its waits."""

    def __call__(self, key: int, hand: list[int], melds: tuple[Meld, ...], luck: int = ..., kinds: int = ..., /) -> int:
        """`luck`: circumstances assumed for the win. `kinds`: the number of different kinds in hand, if known."""


WHATEVER = int(~Luck(0))
"""Include waits that only a circumstance makes winning: whether it holds is judged when the tile comes."""
LASTING = 0
"""Only waits that win at any time: those on which a hand may be declared ready."""


_BOOKS_MOST = 64  # different lists of shapes, of books and house rules


@lru_cache(_BOOKS_MOST)
def waits_of(shapes: tuple[str, ...]) -> Waits:
    """Return a function for the waits of hands under these shapes."""
    standard = any(SHAPES[shape].plain for shape in shapes)
    others = [SHAPES[shape] for shape in shapes if not SHAPES[shape].plain and not SHAPES[shape].boundless]
    boundless = tuple(shape for shape in shapes if SHAPES[shape].boundless)
    # by melds, then by how many kinds are concealed: tests of the tiles held at all, and further tests
    near = [[_tests(others, melds, kinds) for kinds in range(14)] for melds in range(5)]
    number, honour = suit_splits(), honour_splits()
    two, three = 2 * KEY_BITS, 3 * KEY_BITS

    def waits(key: int, hand: list[int], melds: tuple[Meld, ...], luck: int = WHATEVER, kinds: int = 0) -> int:
        m, p, s, z = key & KEY_MASK, key >> KEY_BITS & KEY_MASK, key >> two & KEY_MASK, key >> three
        if standard:
            broken = 0 if m in number else 1
            if p not in number:
                broken += 1
            if broken < 2:
                if s not in number:
                    broken += 1
                if broken < 2 and (broken == 0 or z in honour):
                    return wait_planes(Hand(tuple(hand), melds, luck=luck), shapes)[0]
        tests = near[len(melds)][kinds or len(set(hand))]
        if tests is not None:
            by_first, by_all = tests
            close: list[str] = []  # what the tiles may be near; nothing else is asked about
            if by_first:
                one = _OneCopy(first_plane(key + meld_planes(melds).key if melds else key))
                for name, may_be in by_first:
                    if may_be(one):
                        close.append(name)
            if by_all:
                t1, t2, t3, t4 = tile_planes(key + meld_planes(melds).key if melds else key)
                held = HeldPlanes(t1, t2, t3, t4, luck=luck)
                for name, may_wait in by_all:
                    if may_wait is None or may_wait(held):
                        close.append(name)
            if close:
                return wait_planes(Hand(tuple(hand), melds, luck=luck), (*close, *boundless))[0]
        return 0

    return waits


class _OneCopy(NamedTuple):
    """The tiles with at least one copy, all that some tests read."""

    t1: int


Test = Callable[[Any], Any]


def _tests(
    shapes: list[Shape], melds: int, kinds: int
) -> tuple[list[tuple[str, Test]], list[tuple[str, Test | None]]] | None:
    """Return what thirteen tiles near each of these shapes fulfil, on t1 alone and on more planes (None: unknown).

    None if they cannot be near any of these shapes.
    """
    fewer = 3 * melds  # number of tiles: a concealed meld could add three kinds
    near = [shape for shape in shapes if shape.allows(melds, kinds) and kinds + fewer <= shape.kinds[1]]
    by_first = {shape.name: shape.may_wait for shape in near if shape.may_wait and reads(shape.may_wait) <= {"t1"}}
    by_all = [(shape.name, shape.may_wait) for shape in near if shape.name not in by_first]
    return (list(by_first.items()), by_all) if near else None
