"""Split concealed tiles into sets and a pair, for every shape that has sets."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from quepu.hands.suit_tables import KEY_BITS, KEY_MASK, completions, honour_apart, suit_apart
from quepu.shapes.shape import NOTHING, Waits


class Decomposition(NamedTuple):
    """Concealed tiles split into groups: planes of chows (at least one … four), pungs and the pair."""

    c1: int
    c2: int
    c3: int
    c4: int
    p: int
    pair: int


def take_apart(key: int, need: int, pairs: int = 1) -> list[Decomposition]:
    """Return every way to split concealed tiles into `need` melds and `pairs` pairs (0 or 1)."""
    a = suit_apart[key & KEY_MASK]
    if not a:
        return []
    b = suit_apart[key >> KEY_BITS & KEY_MASK]
    if not b:
        return []
    c = suit_apart[key >> 2 * KEY_BITS & KEY_MASK]
    if not c:
        return []
    letters = honour_apart[key >> 3 * KEY_BITS]
    if not letters:
        return []
    (z,) = letters
    if (
        a[0].pairs + b[0].pairs + c[0].pairs + z.pairs != pairs
        or a[0].melds + b[0].melds + c[0].melds + z.melds != need
    ):
        return []
    return [
        Decomposition(
            x.c1 | y.c1 << 16 | w.c1 << 32,
            x.c2 | y.c2 << 16 | w.c2 << 32,
            x.c3 | y.c3 << 16 | w.c3 << 32,
            x.c4 | y.c4 << 16 | w.c4 << 32,
            x.p | y.p << 16 | w.p << 32 | z.p << 48,
            x.pair | y.pair << 16 | w.pair << 32 | z.pair << 48,
        )
        for x, y, w in product(a, b, c)
    ]


def set_waits(key: int, need: int, pairs: int = 1) -> Waits:
    """Return the tiles that complete `need` sets and `pairs` pairs (0 or 1), and those that can finish the pair."""
    k0, k1, k2, k3 = key & KEY_MASK, key >> KEY_BITS & KEY_MASK, key >> 2 * KEY_BITS & KEY_MASK, key >> 3 * KEY_BITS
    whole = (suit_apart[k0], suit_apart[k1], suit_apart[k2], honour_apart[k3])
    melds, broken = need, -1
    for s, splits in enumerate(whole):
        if splits:
            melds -= splits[0].melds
            pairs -= splits[0].pairs
        elif broken >= 0:
            return NOTHING  # two suits lack a tile
        else:
            broken = s
    if broken >= 0:
        found = completions((k0, k1, k2, k3)[broken], broken == 3)
        fits = found.melds == melds and found.pairs == pairs
        return (found.ranks << 16 * broken, found.in_pair << 16 * broken) if fits else NOTHING
    waits = pair_waits = 0
    for s, (suit, splits) in enumerate(zip((k0, k1, k2, k3), whole, strict=True)):
        found = completions(suit, s == 3)
        if splits and found.melds == melds + splits[0].melds and found.pairs == pairs + splits[0].pairs:
            waits |= found.ranks << 16 * s
            pair_waits |= found.in_pair << 16 * s
    return waits, pair_waits
