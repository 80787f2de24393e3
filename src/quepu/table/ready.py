"""What thirteen tiles wait for, asked after every discard: a quick no for nearly all, the exact answer for the rest."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from quepu.hand import Hand, Meld
from quepu.readings import WORTH_TRYING, wait_planes, within_limits
from quepu.suits import KEY, KEY_BITS, KEY_MASK, honour_splits, levels, suit_splits

Test = Callable[["tuple[int, int, int, int]", int], bool]
Waits = Callable[[int, "list[int]", "tuple[Meld, ...]"], int]


@cache
def waits_of(shapes: tuple[str, ...]) -> Waits:
    """A function from a hand's key (see quepu.suits), concealed kinds and melds to the plane of its waits."""
    standard = "standard" in shapes
    others = tuple(shape for shape in shapes if shape != "standard")
    tests: list[
        list[tuple[Test, ...]] | None
    ] = []  # by melds, then by how many kinds are concealed; None: no other shape
    for melds in range(5):
        row = [
            tuple(
                WORTH_TRYING[shape] for shape in others if shape in WORTH_TRYING and within_limits(shape, melds, kinds)
            )
            for kinds in range(14)
        ]
        tests.append(row if any(row) else None)
    always = any(shape not in WORTH_TRYING for shape in others)
    number, honour = suit_splits(), honour_splits()
    two, three = 2 * KEY_BITS, 3 * KEY_BITS

    def worth(key: int, melds: tuple[Meld, ...], known: tuple[Test, ...]) -> bool:
        for meld in melds:
            for kind in meld.tiles:
                key += KEY[kind]
        a, b = levels(key & KEY_MASK), levels(key >> KEY_BITS & KEY_MASK)
        c, z = levels(key >> two & KEY_MASK), levels(key >> three)
        t = (
            a[0] | b[0] << 16 | c[0] << 32 | z[0] << 48,
            a[1] | b[1] << 16 | c[1] << 32 | z[1] << 48,
            a[2] | b[2] << 16 | c[2] << 32 | z[2] << 48,
            a[3] | b[3] << 16 | c[3] << 32 | z[3] << 48,
        )
        need = 4 - len(melds)
        return any(test(t, need) for test in known)

    def waits(key: int, hand: list[int], melds: tuple[Meld, ...]) -> int:
        if standard:
            broken = 0 if key & KEY_MASK in number else 1
            if (key >> KEY_BITS & KEY_MASK) not in number:
                broken += 1
            if broken < 2:
                if (key >> two & KEY_MASK) not in number:
                    broken += 1
                if broken < 2 and (broken == 0 or key >> three in honour):
                    return wait_planes(Hand(tuple(hand), melds), shapes)[0]
        if always:
            return wait_planes(Hand(tuple(hand), melds), shapes)[0]
        by_kinds = tests[len(melds)]
        if by_kinds is not None:
            known = by_kinds[len(set(hand))]
            if known and worth(key, melds, known):
                return wait_planes(Hand(tuple(hand), melds), shapes)[0]
        return 0

    return waits
