"""Exact distances of hands one by one or many at once, for numba; the plain twin is `quepu.shapes.distance`.

Beyond `distance`, which this stands on: copies that lie in melds cannot come again, fours of a kind beside sets, and
waits that are dead because the hand holds all four copies itself (虚听).
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from quepu.fast.nearest.distance import (
    AT_FOURS,
    AT_GAME,
    AT_LANE_KEYS,
    AT_LINES,
    EVERY_TILE,
    FAR,
    KINDS,
    bit_of,
    change,
    key_of,
    keys_missing,
    other_missing,
    other_nearer,
    rest_of,
    sets_missing,
    sets_nearer,
    with_keys,
)
from quepu.fast.nearest.parts import HAVE, ROOM, copies_of, parts_missing, parts_nearer, put_copies
from quepu.hands.planes import count

CLOSED = 2  # the bit of luck that says whether nothing was claimed: `quepu.hands.hand.Luck.CLOSED`
MANY_WORDS = 10  # of `look_many`
# Why a row is not a hand.
BAD_COUNT, BAD_MELD, FIVE_ALIKE, BAD_NUMBER, OTHER_TILE, NOT_13, NOT_14 = range(-1, -8, -1)


def fours_of(tiles: Any, need: Any, luck: Any, most: Any, far: Any) -> Any:
    """The fours of the shape of fours beside sets, if these tiles may lack `most` tiles to it at most; 0 if not."""
    for n in range(word_at(far, AT_FOURS) if luck & CLOSED else 0):
        number = word_at(far, AT_FOURS + 1 + 2 * n)
        if 4 - need <= word_at(far, AT_FOURS + 2 + 2 * n) and need >= number:
            kept = min(number, count(tiles[4])) + min(number, count(tiles[5]))
            kept += min(number, count(tiles[6])) + min(number, count(tiles[7]))
            if 4 * number - kept <= most and may_pile(tiles, need - number, number, most, far):
                return number
    return 0


def may_pile(tiles: Any, need: Any, number: Any, most: Any, far: Any) -> Any:
    """Whether so many sets beside one four or two may lack `most` tiles at most.

    Each choice of fours gives a lower bound: the sets that the other tiles lack, whatever copies the fours take. A pair
    of an honour that is not held stands for the pair, which the automaton always counts.
    """
    t1, t2, t3, t4 = tiles[4], tiles[5], tiles[6], tiles[7]
    spare = ~(t1 >> 48) & ((t1 >> 48) + 1)
    if spare > 64:
        return True
    honours, first, one = tiles[3] + 2 * word_at(far, AT_LANE_KEYS + spare), t1, 1
    while one:  # the last is a kind that is not held
        one = first & -first
        first ^= one
        second, two = first if number > 1 else 0, 1
        while two:
            two = second & -second
            second ^= two
            fours = one | two
            lack = 4 * number - count(t1 & fours) - count(t2 & fours) - count(t3 & fours) - count(t4 & fours)
            if lack <= most:
                k1, k2, k3, k4 = t1 & fours, t2 & fours, t3 & fours, t4 & fours
                m, p = key_of(k1, k2, k3, k4, far), key_of(k1 >> 16, k2 >> 16, k3 >> 16, k4 >> 16, far)
                s = key_of(k1 >> 32, k2 >> 32, k3 >> 32, k4 >> 32, far)
                z = honours - key_of(k1 >> 48, k2 >> 48, k3 >> 48, k4 >> 48, far)
                if lack + sets_missing(need, tiles[0] - m, tiles[1] - p, tiles[2] - s, z, far) <= most:
                    return True
    return False


def exceeds(tiles: Any, melds: Any, least: Any, far: Any) -> Any:
    """Whether the nearest sets and pair may need more copies of a melded kind than are left.

    If they do, then drawing one copy more than are left would bring the tiles nearer by as many.
    """
    for kind in range(KINDS):
        if melds[1] & bit_of(kind):
            beyond = 5 - copies_of(melds[1], melds[2], melds[3], melds[4], kind)
            beyond -= copies_of(tiles[4], tiles[5], tiles[6], tiles[7], kind)
            if beyond <= least and keys_missing(tiles, melds[0], kind, beyond, far) == least - beyond:
                return True
    return False


def free_kinds(tiles: Any, melds: Any) -> Any:
    """The kinds, as a plane, of which a hand holds less than all four copies."""
    t1, t2, t3, t4 = tiles[4], tiles[5], tiles[6], tiles[7]
    full = t4 | melds[4] | t3 & melds[1] | t2 & melds[2] | t1 & melds[3]
    return EVERY_TILE & ~full


def look(tiles: Any, melds: Any, luck: Any, wanted: Any, far: Any) -> Any:
    """Least missing tiles of a hand, and the plane of the kinds that bring it nearer if those are wanted.

    luck: the circumstances, with CLOSED. A kind of which the hand holds all four copies brings nothing.
    """
    need, limited, piled = melds[0], False, FAR
    sets = sets_missing(need, tiles[0], tiles[1], tiles[2], tiles[3], far)
    if need < 4 and exceeds(tiles, melds, sets, far):
        limited = True
        put_copies(tiles, melds, far)
        sets = parts_missing(need, 1, 0, far)
    others = other_missing(tiles, melds, luck, sets, far)
    least = min(sets, others)
    fours = fours_of(tiles, need, luck, least - int(wanted == 0), far)
    if fours:
        put_copies(tiles, melds, far)
        piled = parts_missing(need - fours, 0, fours, far)
        least = min(least, piled)
    found = 0
    if wanted and least < FAR:
        free = free_kinds(tiles, melds)
        if fours and piled == least:
            found |= parts_nearer(need - fours, 0, fours, least, far)
        if others == least:
            found |= other_nearer(tiles, melds, luck, free, least, far)
        if sets == least:
            found |= sets_useful(tiles, melds, free, least, limited, far)
    return least, found


def sets_useful(tiles: Any, melds: Any, free: Any, least: Any, limited: Any, far: Any) -> Any:
    """The kinds that bring a hand nearer to sets and a pair, even with the copies that are left."""
    need = melds[0]
    if limited:
        put_copies(tiles, melds, far)
        parts_missing(need, 1, 0, far)
        return parts_nearer(need, 1, 0, least, far)
    found = sets_nearer(need, tiles, free, least, far)
    for kind in range(KINDS if need < 4 else 0):
        if found & bit_of(kind):
            more = change(tiles, kind, 1, copies_of(tiles[4], tiles[5], tiles[6], tiles[7], kind) + 1, far)
            if exceeds(more, melds, least - 1, far):
                put_copies(more, melds, far)
                if parts_missing(need, 1, 0, far) >= least:
                    found &= ~bit_of(kind)
    return found


def dead_waits(tiles: Any, melds: Any, luck: Any, far: Any) -> Any:
    """The kinds, as a plane, of which a hand of thirteen holds all four and that would complete it all the same."""
    need, found, full = melds[0], 0, EVERY_TILE & ~free_kinds(tiles, melds)
    for kind in range(KINDS if full else 0):
        if full & bit_of(kind) and completes(tiles, need, kind, luck, far):
            found |= bit_of(kind)
    return found


def completes(tiles: Any, need: Any, kind: Any, luck: Any, far: Any) -> Any:
    """Whether another tile of a kind completes a shape with sets, as if there were five of it."""
    bit = bit_of(kind)
    if with_another(tiles, need, kind, copies_of(tiles[4], tiles[5], tiles[6], tiles[7], kind), far):
        return True
    for n in range(word_at(far, AT_LINES) if need >= 3 else 0):
        single = word_at(far, AT_LINES + 1 + n)
        rest = rest_of(single, tiles, far)
        if single & ~tiles[4] == 0:
            held = copies_of(tiles[4], tiles[5], tiles[6], tiles[7], kind) - int(single & bit != 0)
            if with_another(rest, need - 3, kind, held, far):
                return True
        elif single & ~tiles[4] == bit and sets_missing(need - 3, rest[0], rest[1], rest[2], rest[3], far) == 0:
            return True
    fours = fours_of(tiles, need, luck, 1, far)
    if fours:
        put_copies(tiles, (need, 0, 0, 0, 0), far)
        put_word(far, HAVE + kind, word_at(far, HAVE + kind) + 1)
        put_word(far, ROOM + kind, word_at(far, ROOM + kind) + 1)
        return parts_missing(need - fours, 0, fours, far) == 0
    return False


def with_another(tiles: Any, need: Any, kind: Any, held: Any, far: Any) -> Any:
    """Whether tiles and another of a kind are so many sets and a pair.

    Of four alike the fifth stands in a pung or a chow, for where it stands in the pair, it may change places.
    """
    if held < 4:
        return keys_missing(tiles, need, kind, 1, far) == 0
    if need and keys_missing(tiles, need - 1, kind, -2, far) == 0:
        return True
    for low in range(max(kind - 2, kind // 9 * 9), kind + 1 if need and kind < 27 else 0):
        if low % 9 < 7:
            one, two = (low + 1 if low == kind else low), (low + 1 if low == kind - 2 else low + 2)
            there = bit_of(one) | bit_of(two)
            if tiles[4] & there == there and (
                keys_missing(change(tiles, one, -1, 1, far), need - 1, two, -1, far) == 0
            ):
                return True
    return False


# ---- many hands, or one


def read_melds(address: Any, most: Any) -> Any:
    """The melds of a row, and CLOSED or 0; a negative number in place of the sets to make names the fault."""
    number, u1, u2, u3, u4, closed = 0, 0, 0, 0, 0, CLOSED
    melds = int8s(address, (most, 2))
    for j in range(most):
        meld, low = int(melds[j, 0]), int(melds[j, 1])
        if meld < 0:
            continue
        if meld > 3 or low < 0 or low >= KINDS or (meld == 0 and (low > 26 or low % 9 > 6)):
            return BAD_MELD, 0, 0, 0, 0, 0
        number += 1
        closed = closed if meld == 3 else 0
        bit = bit_of(low)
        if meld == 0:
            bit |= bit << 1 | bit << 2
        for _ in range(1 if meld == 0 else 3 if meld == 1 else 4):
            if u4 & bit:
                return FIVE_ALIKE, 0, 0, 0, 0, 0
            u4 |= u3 & bit
            u3 |= u2 & bit
            u2 |= u1 & bit
            u1 |= bit
    return 4 - number, u1, u2, u3, u4, closed


def over_four(address: Any) -> Any:
    """Whether there are more than four copies of any of the 34 kinds, a byte each."""
    found = at_least(address, 0, 5) | at_least(address, 8, 5) | at_least(address, 16, 5) | at_least(address, 24, 5)
    return found | at_least(address, 26, 5)


def fault_of(tiles: Any, melds: Any, beyond: Any, far: Any) -> Any:
    """Find why a row is not a hand: a negative number, or 0."""
    need, t1, t2, t3, t4 = melds[0], tiles[4], tiles[5], tiles[6], tiles[7]
    if beyond:
        return BAD_COUNT
    if need < 0:
        return need
    if t4 & melds[1] | t3 & melds[2] | t2 & melds[3] | t1 & melds[4]:
        return FIVE_ALIKE
    if (t1 | melds[1]) & ~word_at(far, AT_GAME):
        return OTHER_TILE
    number = count(t1) + count(t2) + count(t3) + count(t4) - 3 * need
    return 0 if 0 < number < 3 else BAD_NUMBER


def look_many(at: Any) -> Any:
    """Least missing tiles of each hand, or why it is none, and planes of kinds, into the arrays that the words name.

    Words at the address: how many hands, the addresses of counts (of concealed tiles, uint8 [N, 34]) and of melds
    (kind and lowest tile, int8 [N, most, 2]; kind -1 is none), how many melds at most; circumstances (int64 [N] or [1])
    and whether each hand has its own; what is wanted: 0 for distances alone, 1 for the kinds that bring each nearer, 2
    for dead waits as well (in thirteen tiles), 3 for the hand that each discard out of fourteen leaves; missing tiles,
    int8 [N, 1], or [N, 34] of the discards (one beyond FAR for kinds that are not there); planes, int64 [N, 0], [N, 1]
    or [N, 2], or [N, 34]; `far` as `distance` has it.
    """
    words = int64s(at, (MANY_WORDS,))
    number, counts_at, most, own_luck, wanted, far = words[0], words[1], words[3], words[5], words[6], words[9]
    columns = KINDS if wanted == 3 else 1
    counts, luck = uint8s(counts_at, (number, KINDS)), int64s(words[4], (number,))
    missing, found = int8s(words[7], (number, columns)), int64s(words[8], (number, wanted if wanted < 3 else KINDS))
    for i in range(number):
        need, u1, u2, u3, u4, closed = read_melds(words[2] + 2 * most * i, most)
        t1, t2, t3, t4 = levels(counts, i)
        beside, tiles, given = (
            (need, u1, u2, u3, u4),
            with_keys(t1, t2, t3, t4, far),
            luck[i * own_luck] | closed,
        )
        fault = fault_of(tiles, beside, over_four(counts_at + KINDS * i), far)
        if fault == 0 and wanted > 1 and (count(t1) + count(t2) + count(t3) + count(t4)) % 3 != wanted - 1:
            fault = NOT_13 if wanted == 2 else NOT_14
        if fault < 0:
            missing[i, 0] = fault
        elif wanted == 3:
            for kind in range(KINDS):
                missing[i, kind] = FAR + 1
                if t1 & bit_of(kind):
                    rest = change(tiles, kind, -1, counts[i, kind], far)
                    lack, helps = look(rest, beside, given, 1, far)
                    missing[i, kind], found[i, kind] = lack, helps
        else:
            lack, helps = look(tiles, beside, given, wanted, far)
            missing[i, 0] = lack
            if wanted:
                found[i, 0] = helps
            if wanted == 2:
                found[i, 1] = dead_waits(tiles, beside, given, far)
    return 0


def look_at(kinds: Any, numbers: Any, m: Any, p: Any, s: Any, z: Any, luck: Any, far: Any) -> Any:
    """Least missing tiles of a hand in the lowest four bits, above them the plane of the kinds that bring it nearer.

    kinds: the address of its concealed kinds, a byte each; numbers: how many (five bits), whether the plane is wanted
    (one bit), the sets that it needs. Then the keys of the suits of its melds (`quepu.hands.suit_tables`).
    """
    need, t1, t2, t3, t4 = numbers >> 6, 0, 0, 0, 0
    for at in range(numbers & 31):
        bit = bit_of(byte_at(kinds, at))
        t4 |= t3 & bit
        t3 |= t2 & bit
        t2 |= t1 & bit
        t1 |= bit
    u1, u2, u3, u4 = planes_of_keys(m, p, s, z) if need < 4 else (0, 0, 0, 0)
    lack, found = look(with_keys(t1, t2, t3, t4, far), (need, u1, u2, u3, u4), luck, numbers >> 5 & 1, far)
    return lack | found << 4


def planes_of_keys(m: Any, p: Any, s: Any, z: Any) -> Any:
    """The planes t1 to t4 of tiles with these keys of the four suits."""
    t1, t2, t3, t4 = 0, 0, 0, 0
    for suit in range(4):
        key = m if suit == 0 else p if suit == 1 else s if suit == 2 else z
        for rank in range(9):
            n, key = key % 5, key // 5
            t1 |= int(n > 0) << (16 * suit + rank)
            t2 |= int(n > 1) << (16 * suit + rank)
            t3 |= int(n > 2) << (16 * suit + rank)
            t4 |= int(n > 3) << (16 * suit + rank)
    return t1, t2, t3, t4
