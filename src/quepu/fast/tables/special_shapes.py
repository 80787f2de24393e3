"""Special shapes as aims of the bot `gain`, on arrays; the plain twin is `quepu.fast.nearest.receipts`."""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from quepu.fast.nearest.distance import (
    AT_PILES,
    AT_SINGLES,
    bit_of,
    change,
    pile_missing,
    pile_nearer,
    single_missing,
    single_nearer,
)
from quepu.fast.tables import columns as c
from quepu.fast.tables.aims import DEEPEST, NOWHERE
from quepu.fast.tables.memory import by_kind, entry, table_of, values_of
from quepu.hands.planes import count


def limit_by(at: Any, gains: int, n: int, nearest: int, tiles: Any) -> Any:
    """The farthest hands that matter beside a special shape, if it pays and is as near as others may be."""
    lack = special_missing(at, n, tiles)
    if lack > nearest or values_of(at, gains)[n] == 0:
        return DEEPEST + 1
    mask, _, _ = helpers(at, n, tiles)
    return lack + 1 if comes(at, n, lack, mask, tiles) else DEEPEST + 1


def special_missing(at: Any, n: int, tiles: Any) -> Any:
    """Least missing tiles of a hand without melds to the n-th special shape that pays."""
    far, least = entry(at, c.FAR), NOWHERE
    parts = table_of(at, c.AT_SPECIALS)[n]
    for k in range(parts[0], parts[1]):
        least = min(least, pile_missing(AT_PILES + 1 + 2 * k, tiles, far))
    for k in range(parts[2], parts[3]):
        least = min(least, single_missing(AT_SINGLES + 1 + 4 * k, tiles, 0, far))
    return least


def special_helping(at: Any, n: int, tiles: Any) -> Any:
    """The kinds, as a plane, that bring such a hand nearer to it."""
    far, least, found = entry(at, c.FAR), special_missing(at, n, tiles), 0
    parts = table_of(at, c.AT_SPECIALS)[n]
    for k in range(parts[0], parts[1]):
        if pile_missing(AT_PILES + 1 + 2 * k, tiles, far) == least:
            found |= pile_nearer(AT_PILES + 1 + 2 * k, tiles, far)
    for k in range(parts[2], parts[3]):
        if single_missing(AT_SINGLES + 1 + 4 * k, tiles, 0, far) == least:
            found |= single_nearer(AT_SINGLES + 1 + 4 * k, tiles, far)
    return found


def helpers(at: Any, n: int, tiles: Any) -> Any:
    """The kinds that may come and bring a hand nearer to a special shape, as a mask; how many; their copies unseen."""
    copies, unseen = by_kind(at, c.AT_HELD), by_kind(at, c.AT_UNSEEN)
    helps, mask, kinds, helping = special_helping(at, n, tiles), 0, 0, 0
    for kind in range(c.KINDS):
        if copies[kind] < 4 and unseen[kind] > 0 and helps & bit_of(kind) != 0:
            mask |= 1 << kind
            kinds += 1
            helping += unseen[kind]
    return mask, kinds, helping


def with_special(at: Any, gains: int, n: int, missing: int, tiles: Any) -> Any:
    """Add a special shape that pays to the sums of the nearest hands; return the least missing tiles then."""
    copies, far, gain = by_kind(at, c.AT_HELD), entry(at, c.FAR), values_of(at, gains)[n]
    near, next_ = values_of(at, c.ROOM_NEAR), values_of(at, c.ROOM_NEXT)
    lack = special_missing(at, n, tiles)
    if lack > missing + 1 or gain == 0:
        return missing
    mask, _, _ = helpers(at, n, tiles)
    if not comes(at, n, lack, mask, tiles):
        return missing
    if lack < missing:
        for kind in range(c.KINDS + 1):
            next_[kind] = near[kind] if lack + 1 == missing else 0.0
            near[kind] = 0.0
        missing = lack
    sums = near if lack == missing else next_
    for kind in range(c.KINDS):
        if copies[kind]:
            left = change(tiles, kind, -1, copies[kind], far)
            if special_missing(at, n, left) == lack:
                sums[kind] += gain * special_ways(at, n, lack, left)
    sums[c.KINDS] += gain * special_ways(at, n, lack, tiles)
    return missing


def comes(at: Any, n: int, lack: int, mask: int, tiles: Any) -> Any:
    """Whether tiles that can still come complete a special shape: `quepu.fast.nearest.receipts.reachable`."""
    copies, unseen, far = by_kind(at, c.AT_HELD), by_kind(at, c.AT_UNSEEN), entry(at, c.FAR)
    left, held = by_kind(at, c.ROOM_LEFT), by_kind(at, c.ROOM_HELD)
    for kind in range(c.KINDS):
        left[kind], held[kind] = unseen[kind], copies[kind]
    for need in range(lack, 0, -1):
        nearer, among = -1, 0
        while nearer < 0 and among < 2 * c.KINDS:
            kind = among % c.KINDS
            may_come = left[kind] > 0 and (among >= c.KINDS or mask >> kind & 1 > 0)
            if may_come and special_missing(at, n, change(tiles, kind, 1, held[kind] + 1, far)) < need:
                nearer = kind
            among += 1
        if nearer < 0:
            return False
        tiles = change(tiles, nearer, 1, held[nearer] + 1, far)
        held[nearer] += 1
        left[nearer] -= 1
        mask &= ~(1 << nearer)
    return True


def special_ways(at: Any, n: int, lack: int, tiles: Any) -> Any:
    """Count the ways to draw the tiles missing to a special shape: `quepu.fast.nearest.receipts.special_ways`."""
    far, parts, ways = entry(at, c.FAR), table_of(at, c.AT_SPECIALS)[n], 0
    if lack == 0:
        return 1.0
    if parts[2] < parts[3]:
        for k in range(parts[2], parts[3]):
            if single_missing(AT_SINGLES + 1 + 4 * k, tiles, 0, far) == lack:
                ways += single_ways(at, AT_SINGLES + 1 + 4 * k, tiles)
        return float(ways)
    if word_at(far, AT_PILES + 1 + 2 * parts[0]) == 0:
        return float(pair_ways(at, word_at(far, AT_PILES + 2 + 2 * parts[0]), int(parts[1] - parts[0] > 1), tiles))
    _, kinds, helping = helpers(at, n, tiles)
    return float64s(entry(at, c.AT_SPECIAL_WAYS), (c.KINDS + 1, 4 * c.KINDS + 1, DEEPEST + 1))[kinds, helping, lack]


def single_ways(at: Any, part: int, tiles: Any) -> Any:
    """Count the ways to draw the kinds of a plane that are lacking, and one of them or of those held again."""
    far, unseen = entry(at, c.FAR), by_kind(at, c.AT_UNSEEN)
    ways, twice = by_kind(at, c.ROOM_DRAWN), by_kind(at, c.ROOM_TWICE)
    plane, again = word_at(far, part), word_at(far, part + 2) and tiles[5] & word_at(far, part) == 0
    lacking, held = max(0, word_at(far, part + 1) - count(tiles[4] & plane)), 0
    for drawn in range(lacking + 1):
        ways[drawn], twice[drawn] = int(drawn == 0), 0
    for kind in range(c.KINDS):
        if bit_of(kind) & plane & tiles[4] != 0:
            held += unseen[kind]
        elif bit_of(kind) & plane != 0:
            two = unseen[kind] * (unseen[kind] - 1) // 2
            for drawn in range(lacking, 0, -1):
                twice[drawn] += twice[drawn - 1] * unseen[kind] + ways[drawn - 1] * two
                ways[drawn] += ways[drawn - 1] * unseen[kind]
    return twice[lacking] + ways[lacking] * held if again else ways[lacking]


def pair_ways(at: Any, pairs: int, fours: int, tiles: Any) -> Any:
    """Count the ways to so many pairs, those whole only for which too few tiles are alone."""
    unseen, ways = by_kind(at, c.AT_UNSEEN), by_kind(at, c.ROOM_DRAWN)
    odd = tiles[4] & ~tiles[5] | (tiles[6] & ~tiles[7]) * fours
    lacking = pairs - count(tiles[5]) - count(tiles[7]) * fours
    whole = lacking - count(odd)
    most = max(lacking if whole <= 0 else whole, 0)
    for drawn in range(most + 1):
        ways[drawn] = int(drawn == 0)
    for kind in range(c.KINDS):
        bit, n = bit_of(kind), unseen[kind]
        alone, none, few = odd & bit != 0, int(tiles[4] & bit == 0), int(tiles[6] & bit == 0)
        one, two, three = 1, 0, 0
        if whole <= 0:
            two = n * int(alone)
        elif alone:
            one, two = n, n * (n - 1) * (n - 2) // 6 * fours * int(tiles[5] & bit == 0)
        else:
            two = n * (n - 1) // 2 * max(none, fours * few)
            three = n * (n - 1) * (n - 2) * (n - 3) // 24 * fours * none
        for drawn in range(most if one != 1 or two != 0 else -1, -1, -1):
            made = ways[drawn] * one
            if drawn > 0:
                made += ways[drawn - 1] * two
            if drawn > 1:
                made += ways[drawn - 2] * three
            ways[drawn] = made
    return ways[most]
