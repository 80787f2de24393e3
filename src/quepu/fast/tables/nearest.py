"""Distance of concealed tiles from the nearest shape, and the tiles that help; the plain twin is `quepu.shapes`.

`hand` below is a tuple of four: copies of each kind, int64 [34]; sets still to make; and the one meld of a hand with
one (its kind and lowest tile). `tiles` are the same copies as keys of the four suits and planes t1 to t4. `far`: see
`quepu.fast.tables.code.distances`.
"""

from __future__ import annotations

from typing import Any

from quepu.fast.compiled.reading_loops import SINGLE
from quepu.fast.tables.columns import CHOW, KINDS, PUNG
from quepu.hands.planes import count

FAR = 15
MELDS_ALLOWED = 2  # a column of the ways to stand


def tiles_of(copies: Any, far: Any) -> Any:
    """The keys and planes of some tiles."""
    five, bits = far[6], far[7]
    m, p, s, z, t1, t2, t3, t4 = 0, 0, 0, 0, 0, 0, 0, 0
    for kind in range(KINDS):
        n = copies[kind]
        if n:
            bit, key = bits[kind], n * five[kind]
            t1 |= bit
            if n > 1:
                t2 |= bit
                if n > 2:
                    t3 |= bit
                    if n > 3:
                        t4 |= bit
            if kind < 9:
                m += key
            elif kind < 18:
                p += key
            elif kind < 27:
                s += key
            else:
                z += key
    return m, p, s, z, t1, t2, t3, t4


def changed(tiles: Any, kind: int, step: int, n: int, far: Any) -> Any:
    """The tiles with a copy of a kind more (step 1) or less (-1); n: which copy that is, 1 the first."""
    m, p, s, z, t1, t2, t3, t4 = tiles
    key, bit = step * far[6][kind], far[7][kind]
    if kind < 9:
        m += key
    elif kind < 18:
        p += key
    elif kind < 27:
        s += key
    else:
        z += key
    if n == 1:
        t1 ^= bit
    elif n == 2:
        t2 ^= bit
    elif n == 3:
        t3 ^= bit
    else:
        t4 ^= bit
    return m, p, s, z, t1, t2, t3, t4


def sets_missing(need: Any, m: Any, p: Any, s: Any, z: Any, far: Any) -> Any:
    """Least missing tiles to so many sets and a pair: `Automaton.missing`."""
    suit, honour, left, right, final = far[0], far[1], far[2], far[3], far[4]
    return int(final[need, left[suit[m], suit[p]], right[suit[s], honour[z]]])


def whole_missing(_t1: Any, _t2: Any, _t3: Any, _t4: Any) -> Any:
    """Least missing tiles of a hand without melds to a shape that is no sets and pair.

    `quepu.fast.tables.code` puts the book's own function in its place, and in that of the next.
    """
    return FAR


def whole_helping(_t1: Any, _t2: Any, _t3: Any, _t4: Any, _now: Any) -> Any:
    """The kinds, as a plane, that bring such a hand nearer to those of these shapes that lack `now` tiles at most."""
    return 0


def beside_missing(tiles: Any, hand: Any, single: Any, far: Any) -> Any:
    """Return what is missing to sets and a pair beside those single tiles (a plane) that are there."""
    m, p, s, z, t1, t2, t3, _ = tiles
    there, lanes = single & t1, far[5]
    if hand[1] == 4:
        m, p, s = m - lanes[there & 511], p - lanes[there >> 16 & 511], s - lanes[there >> 32 & 511]
        return sets_missing(1, m, p, s, z, far)
    three = 0 if hand[2] == CHOW else far[7][hand[3]]
    if single & ~t1 & three and hand[2] != PUNG:
        return FAR  # all four copies lie in a kong
    if t2 & ~single | t3 & single:
        return 0
    return 1 if (t1 & ~single | t2 & single) & ~three else 2


def other_missing(tiles: Any, hand: Any, ways: Any, most: Any, far: Any) -> Any:
    """Least missing tiles to any shape but four sets and a pair; more than `most` where it is more than that."""
    least = most + 1
    if hand[1] == 4:
        least = min(least, whole_missing(tiles[4], tiles[5], tiles[6], tiles[7]))
    for w in range(len(ways)):
        single = ways[w, SINGLE]
        if single and 4 - hand[1] <= ways[w, MELDS_ALLOWED]:
            lacking = count(single & ~tiles[4])
            if lacking < least:
                least = min(least, lacking + beside_missing(tiles, hand, single, far))
    return least


def missing(hand: Any, ways: Any, far: Any) -> Any:
    """Least missing tiles to any shape."""
    tiles = tiles_of(hand[0], far)
    least = sets_missing(hand[1], tiles[0], tiles[1], tiles[2], tiles[3], far)
    return min(least, other_missing(tiles, hand, ways, least, far)) if hand[1] >= 3 else least


def after_discards(hand: Any, ways: Any, far: Any, lacks: Any) -> Any:
    """Least missing tiles after each discard, into `lacks` (int64 [34]; beyond FAR for what is not held); the least.

    What is above the least may be too great, where only another shape is nearer.
    """
    copies, need = hand[0], hand[1]
    suit, honour, left, right, final, five = far[0], far[1], far[2], far[3], far[4], far[6]
    tiles = tiles_of(copies, far)
    m, p, s, z = tiles[0], tiles[1], tiles[2], tiles[3]
    a, b, c, d = suit[m], suit[p], suit[s], honour[z]
    one, two = left[a, b], right[c, d]
    best = FAR
    for kind in range(KINDS):
        lacks[kind] = FAR + 1
        if copies[kind]:
            if kind < 9:
                lack = final[need, left[suit[m - five[kind]], b], two]
            elif kind < 18:
                lack = final[need, left[a, suit[p - five[kind]]], two]
            elif kind < 27:
                lack = final[need, one, right[suit[s - five[kind]], d]]
            else:
                lack = final[need, one, right[c, honour[z - five[kind]]]]
            lacks[kind] = lack
            best = min(best, int(lack))
    if need >= 3 and other_missing(tiles, hand, ways, best, far) <= best:  # a discard only adds to that
        for kind in range(KINDS):
            if copies[kind]:
                rest = changed(tiles, kind, -1, copies[kind], far)
                lacks[kind] = min(lacks[kind], other_missing(rest, hand, ways, best, far))
                best = min(best, lacks[kind])
    return best


def helping(hand: Any, ways: Any, now: Any, unseen: Any, far: Any) -> Any:
    """Number of unseen tiles that bring a hand that lacks `now` tiles nearer."""
    copies, need = hand[0], hand[1]
    suit, honour, left, right, final, five = far[0], far[1], far[2], far[3], far[4], far[6]
    tiles = tiles_of(copies, far)
    m, p, s, z = tiles[0], tiles[1], tiles[2], tiles[3]
    a, b, c, d = suit[m], suit[p], suit[s], honour[z]
    one, two = left[a, b], right[c, d]
    planes, others = 0, False
    if need == 4:
        planes = whole_helping(tiles[4], tiles[5], tiles[6], tiles[7], now)
    if need >= 3:
        others = beside_nearer(tiles, hand, ways, now + 1, far)
    found = 0
    for kind in range(KINDS):
        if unseen[kind] > 0:
            if kind < 9:
                lack = final[need, left[suit[m + five[kind]], b], two]
            elif kind < 18:
                lack = final[need, left[a, suit[p + five[kind]]], two]
            elif kind < 27:
                lack = final[need, one, right[suit[s + five[kind]], d]]
            else:
                lack = final[need, one, right[c, honour[z + five[kind]]]]
            helps = lack < now or planes & far[7][kind] != 0
            if others and not helps:
                helps = beside_nearer(changed(tiles, kind, 1, copies[kind] + 1, far), hand, ways, now, far)
            if helps:
                found += unseen[kind]
    return found


def beside_nearer(tiles: Any, hand: Any, ways: Any, now: Any, far: Any) -> Any:
    """Whether these tiles lack less than `now` to sets and a pair beside single tiles."""
    for w in range(len(ways)):
        single = ways[w, SINGLE]
        if single and 4 - hand[1] <= ways[w, MELDS_ALLOWED]:
            lacking = count(single & ~tiles[4])
            if lacking < now and lacking + beside_missing(tiles, hand, single, far) < now:
                return True
    return False
