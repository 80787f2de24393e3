"""Distance of hands from the nearest shape, and the tiles that help, for numba; the twin is `quepu.shapes.distance`.

One loop serves every book: the shapes are rows of numbers, which `distance_code` makes, as it makes the tables.

`tiles` below are concealed tiles: the keys of the four suits, and planes t1 to t4 (at least one copy … four). `melds`
are the sets still to make and planes of the kinds of which melds hold at least one copy … four. `far` is the address of
all tables, so that functions hand over numbers only: whole arrays would cost more than what they do.
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from quepu.hands.planes import count

FAR = 15
KINDS = 34
EVERY_TILE = 0x01FF01FF01FF | 0x7F << 48
# Words at the address.
AT_LANE_KEYS = 0  # the key of every plane of a suit, one copy of each tile
AT_FIVE = 512  # what a tile of each kind adds to its suit's key
AT_GAME = 546  # the plane of the kinds in the game
AT_COPIES = 750  # the copies of each kind in the game
# Lists of shapes, a number and then rows: nine single tiles (a plane) beside a set and a pair; so many fours and pairs
# of different kinds; so many different tiles of a plane, one of them again or not, and the circumstances of which there
# must be one (0: any); so many fours beside sets, and the most melds; last, circumstances in which any tiles win.
AT_LINES, AT_PILES, AT_SINGLES, AT_FOURS, AT_NO_TILES = 550, 570, 600, 700, 710
AT_WORK, AT_END = 1024, 2048  # room to work in, and the end
# Bytes at the address, behind the words: the automaton of `quepu.shapes.automaton`. Suits by key, honours by key, two
# suits, a suit and honours, both halves.
LEFT_WIDTH, LEFTS, RIGHT_WIDTH, RIGHTS = 126, 180, 55, 165
AT_SUIT = 8 * AT_END
AT_HONOUR = AT_SUIT + 5**9
AT_LEFT = AT_HONOUR + 5**7
AT_RIGHT = AT_LEFT + LEFT_WIDTH * LEFT_WIDTH
AT_FINAL = AT_RIGHT + LEFT_WIDTH * RIGHT_WIDTH


def bit_of(kind: int) -> Any:
    """The plane of a kind."""
    return 1 << (kind // 9 * 16 + kind % 9)


def tiles_of(copies: Any, far: Any) -> Any:
    """The keys and planes of some tiles."""
    t1, t2, t3, t4 = 0, 0, 0, 0
    for kind in range(KINDS):
        n, at = int(copies[kind]), kind // 9 * 16 + kind % 9
        t1 |= int(n > 0) << at
        t2 |= int(n > 1) << at
        t3 |= int(n > 2) << at
        t4 |= int(n > 3) << at
    return with_keys(t1, t2, t3, t4, far)


def with_keys(t1: Any, t2: Any, t3: Any, t4: Any, far: Any) -> Any:
    """The keys and planes of tiles with these planes."""
    return (
        key_of(t1, t2, t3, t4, far), key_of(t1 >> 16, t2 >> 16, t3 >> 16, t4 >> 16, far),
        key_of(t1 >> 32, t2 >> 32, t3 >> 32, t4 >> 32, far), key_of(t1 >> 48, t2 >> 48, t3 >> 48, t4 >> 48, far),
        t1, t2, t3, t4,
    )  # fmt: skip


def key_of(t1: Any, t2: Any, t3: Any, t4: Any, far: Any) -> Any:
    """The key of the lowest suit of some planes."""
    one = word_at(far, AT_LANE_KEYS + (t1 & 511)) + word_at(far, AT_LANE_KEYS + (t2 & 511))
    return one + word_at(far, AT_LANE_KEYS + (t3 & 511)) + word_at(far, AT_LANE_KEYS + (t4 & 511))


def keys_with(tiles: Any, kind: int, more: Any, far: Any) -> Any:
    """The keys of the four suits with so many copies of a kind more."""
    m, p, s, z = tiles[0], tiles[1], tiles[2], tiles[3]
    key = more * word_at(far, AT_FIVE + kind)
    if kind < 9:
        m += key
    elif kind < 18:
        p += key
    elif kind < 27:
        s += key
    else:
        z += key
    return m, p, s, z


def change(tiles: Any, kind: int, step: int, n: int, far: Any) -> Any:
    """The tiles with a copy of a kind more (step 1) or less (-1); n: which copy that is, 1 the first."""
    m, p, s, z = keys_with(tiles, kind, step, far)
    t1, t2, t3, t4, bit = tiles[4], tiles[5], tiles[6], tiles[7], bit_of(kind)
    if n == 1:
        t1 ^= bit
    elif n == 2:
        t2 ^= bit
    elif n == 3:
        t3 ^= bit
    else:
        t4 ^= bit
    return m, p, s, z, t1, t2, t3, t4


def melds_of(need: Any, meld: Any, low: Any) -> Any:
    """The melds of a hand with one at most of this kind (0 a chow, 1 a pung, else a kong) and lowest tile."""
    bit = bit_of(low) if need < 4 and meld > 0 else 0
    return need, bit, bit, bit, bit if meld > 1 else 0


# ---- sets and a pair, each kind up to four times


def left_of(m: Any, p: Any, far: Any) -> Any:
    """The automaton's number of two suits."""
    return byte_at(far, AT_LEFT + byte_at(far, AT_SUIT + m) * LEFT_WIDTH + byte_at(far, AT_SUIT + p))


def right_of(s: Any, z: Any, far: Any) -> Any:
    """The automaton's number of a suit and the honours."""
    return byte_at(far, AT_RIGHT + byte_at(far, AT_SUIT + s) * RIGHT_WIDTH + byte_at(far, AT_HONOUR + z))


def final_of(need: Any, left: Any, right: Any, far: Any) -> Any:
    """Least missing tiles by the numbers of both halves."""
    return byte_at(far, AT_FINAL + (need * LEFTS + left) * RIGHTS + right)


def sets_missing(need: Any, m: Any, p: Any, s: Any, z: Any, far: Any) -> Any:
    """Least missing tiles to so many sets and a pair: `Automaton.missing`."""
    return final_of(need, left_of(m, p, far), right_of(s, z, far), far)


def keys_missing(tiles: Any, need: Any, kind: Any, more: Any, far: Any) -> Any:
    """Least missing tiles to so many sets and a pair, with so many copies of a kind more."""
    m, p, s, z = keys_with(tiles, kind, more, far)
    return sets_missing(need, m, p, s, z, far)


def sets_nearer(need: Any, tiles: Any, free: Any, now: Any, far: Any) -> Any:
    """The kinds in the plane `free`, none held four times, after which less than `now` tiles are missing."""
    m, p, s, z = tiles[0], tiles[1], tiles[2], tiles[3]
    left, right = left_of(m, p, far), right_of(s, z, far)
    b, d = byte_at(far, AT_SUIT + p), byte_at(far, AT_HONOUR + z)
    with_p, with_z = (
        AT_LEFT + byte_at(far, AT_SUIT + m) * LEFT_WIDTH,
        AT_RIGHT + byte_at(far, AT_SUIT + s) * RIGHT_WIDTH,
    )
    column = AT_FINAL + need * LEFTS * RIGHTS + right
    row, found, five = column - right + left * RIGHTS, 0, 1
    for rank in range(9):
        lack = byte_at(far, column + byte_at(far, AT_LEFT + byte_at(far, AT_SUIT + m + five) * LEFT_WIDTH + b) * RIGHTS)
        found |= int(lack < now) << rank
        lack = byte_at(far, column + byte_at(far, with_p + byte_at(far, AT_SUIT + p + five)) * RIGHTS)
        found |= int(lack < now) << (16 + rank)
        lack = byte_at(far, row + byte_at(far, AT_RIGHT + byte_at(far, AT_SUIT + s + five) * RIGHT_WIDTH + d))
        found |= int(lack < now) << (32 + rank)
        if rank < 7:
            lack = byte_at(far, row + byte_at(far, with_z + byte_at(far, AT_HONOUR + z + five)))
            found |= int(lack < now) << (48 + rank)
        five *= 5
    return found & free


# ---- other shapes


def rest_missing(single: Any, tiles: Any, far: Any) -> Any:
    """Least missing tiles to a set and a pair, without one copy each of those single tiles (a plane) that are there."""
    rest = rest_of(single, tiles, far)
    return sets_missing(1, rest[0], rest[1], rest[2], rest[3], far)


def rest_of(single: Any, tiles: Any, far: Any) -> Any:
    """The keys of the tiles left without them, and the planes of all."""
    there = single & tiles[4]
    return (
        tiles[0] - word_at(far, AT_LANE_KEYS + (there & 511)),
        tiles[1] - word_at(far, AT_LANE_KEYS + (there >> 16 & 511)),
        tiles[2] - word_at(far, AT_LANE_KEYS + (there >> 32 & 511)),
        tiles[3], tiles[4], tiles[5], tiles[6], tiles[7],
    )  # fmt: skip


def pair_missing(single: Any, tiles: Any, melds: Any) -> Any:
    """Least missing tiles to a pair beside those single tiles and one meld; FAR if a single tile is in a kong."""
    if single & ~tiles[4] & melds[4]:
        return FAR
    if tiles[5] & ~single | tiles[6] & single:
        return 0
    return 1 if (tiles[4] & ~single | tiles[5] & single) & ~melds[3] else 2


def line_missing(single: Any, tiles: Any, melds: Any, far: Any) -> Any:
    """Least missing tiles to those single tiles, a set and a pair; the set may be melded."""
    beside = rest_missing(single, tiles, far) if melds[0] == 4 else pair_missing(single, tiles, melds)
    return count(single & ~tiles[4]) + beside


def line_nearer(single: Any, tiles: Any, melds: Any, free: Any, far: Any) -> Any:
    """The kinds in `free` that bring them nearer."""
    found = single & ~tiles[4]
    if melds[0] == 4:
        beside = rest_missing(single, tiles, far)
        if beside:
            found |= sets_nearer(1, rest_of(single, tiles, far), free, beside, far)
    else:
        beside = pair_missing(single, tiles, melds)
        if beside == 1:
            found |= (tiles[4] & ~single | tiles[5] & single) & ~melds[3]
        elif beside == 2:
            found |= EVERY_TILE & ~melds[3]
    return found & free


def pile_missing(at: Any, tiles: Any, far: Any) -> Any:
    """Least missing tiles to so many fours and pairs of different kinds."""
    fours, kinds = word_at(far, at), word_at(far, at) + word_at(far, at + 1)
    kept = min(count(tiles[4]), kinds) + min(count(tiles[5]), kinds)
    return 2 * fours + 2 * kinds - kept - min(count(tiles[6]), fours) - min(count(tiles[7]), fours)


def pile_nearer(at: Any, tiles: Any, far: Any) -> Any:
    """The kinds of which another copy brings them nearer."""
    fours, kinds = word_at(far, at), word_at(far, at) + word_at(far, at + 1)
    _, _, _, _, t1, t2, t3, t4 = tiles
    found = EVERY_TILE & ~t1 if count(t1) < kinds else 0
    found |= t1 & ~t2 if count(t2) < kinds else 0
    found |= t2 & ~t3 if count(t3) < fours else 0
    return found | (t3 & ~t4 if count(t4) < fours else 0)


def single_missing(at: Any, tiles: Any, luck: Any, far: Any) -> Any:
    """Least missing tiles to so many different ones of a plane, and one of them again or not."""
    plane, needs = word_at(far, at), word_at(far, at + 3)
    lacking = max(0, word_at(far, at + 1) - count(tiles[4] & plane))
    lacking += word_at(far, at + 2) * int(tiles[5] & plane == 0)
    return FAR if needs and not needs & luck else lacking


def single_nearer(at: Any, tiles: Any, far: Any) -> Any:
    """The kinds that bring them nearer."""
    plane = word_at(far, at)
    found = plane & ~tiles[4] if count(tiles[4] & plane) < word_at(far, at + 1) else 0
    return found | (plane & tiles[4] if word_at(far, at + 2) and tiles[5] & plane == 0 else 0)


def other_missing(tiles: Any, melds: Any, luck: Any, most: Any, far: Any) -> Any:
    """Least missing tiles to any shape but sets and a pair, fours left out; more than `most` where it is more."""
    least = most + 1
    if word_at(far, AT_NO_TILES) & luck:
        return 0
    if melds[0] == 4:
        for n in range(word_at(far, AT_PILES)):
            least = min(least, pile_missing(AT_PILES + 1 + 2 * n, tiles, far))
        for n in range(word_at(far, AT_SINGLES)):
            least = min(least, single_missing(AT_SINGLES + 1 + 4 * n, tiles, luck, far))
    if melds[0] >= 3:
        for n in range(word_at(far, AT_LINES)):
            single = word_at(far, AT_LINES + 1 + n)
            if count(single & ~tiles[4]) < least:
                least = min(least, line_missing(single, tiles, melds, far))
    return least


def other_nearer(tiles: Any, melds: Any, luck: Any, free: Any, now: Any, far: Any) -> Any:
    """The kinds in `free` that bring a hand nearer to one of these shapes, where it lacks `now` tiles."""
    found = 0
    if melds[0] == 4:
        for n in range(word_at(far, AT_PILES)):
            if pile_missing(AT_PILES + 1 + 2 * n, tiles, far) == now:
                found |= pile_nearer(AT_PILES + 1 + 2 * n, tiles, far)
        for n in range(word_at(far, AT_SINGLES)):
            if single_missing(AT_SINGLES + 1 + 4 * n, tiles, luck, far) == now:
                found |= single_nearer(AT_SINGLES + 1 + 4 * n, tiles, far)
    if melds[0] >= 3:
        for n in range(word_at(far, AT_LINES)):
            single = word_at(far, AT_LINES + 1 + n)
            if count(single & ~tiles[4]) <= now and line_missing(single, tiles, melds, far) == now:
                found |= line_nearer(single, tiles, melds, free, far)
    return found & free


# ---- a player's questions at a table, where the copies in melds are not looked at


def missing(copies: Any, melds: Any, far: Any) -> Any:
    """Least missing tiles to any shape."""
    tiles = tiles_of(copies, far)
    least = sets_missing(melds[0], tiles[0], tiles[1], tiles[2], tiles[3], far)
    return min(least, other_missing(tiles, melds, 0, least, far))


def after_discards(copies: Any, melds: Any, far: Any, lacks: Any) -> Any:
    """Least missing tiles after each discard, into `lacks` (int64 [34]; beyond FAR for kinds not held); the least.

    What is above the least may be too great, where only another shape is nearer.
    """
    need, tiles = melds[0], tiles_of(copies, far)
    m, p, s, z = tiles[0], tiles[1], tiles[2], tiles[3]
    left, right = left_of(m, p, far), right_of(s, z, far)
    best = FAR
    for kind in range(KINDS):
        lacks[kind] = FAR + 1
        if copies[kind]:
            five = word_at(far, AT_FIVE + kind)
            if kind < 9:
                lack = final_of(need, left_of(m - five, p, far), right, far)
            elif kind < 18:
                lack = final_of(need, left_of(m, p - five, far), right, far)
            elif kind < 27:
                lack = final_of(need, left, right_of(s - five, z, far), far)
            else:
                lack = final_of(need, left, right_of(s, z - five, far), far)
            lacks[kind] = lack
            best = min(best, lack)
    if need >= 3 and other_missing(tiles, melds, 0, best, far) <= best:  # a discard only adds to that
        for kind in range(KINDS):
            if copies[kind]:
                rest = change(tiles, kind, -1, copies[kind], far)
                lacks[kind] = min(lacks[kind], other_missing(rest, melds, 0, best, far))
                best = min(best, lacks[kind])
    return best


def helping(copies: Any, melds: Any, now: Any, unseen: Any, far: Any) -> Any:
    """Number of unseen tiles that bring a hand that lacks `now` tiles nearer."""
    tiles, free, found = tiles_of(copies, far), 0, 0
    for kind in range(KINDS):
        if unseen[kind] > 0:
            free |= bit_of(kind)
    helps = sets_nearer(melds[0], tiles, free, now, far) | other_nearer(tiles, melds, 0, free, now, far)
    for kind in range(KINDS):
        if helps & bit_of(kind):
            found += unseen[kind]
    return found
