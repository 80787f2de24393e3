"""Readings as melds and a pair, and waits, as loops over hands; the plain twin is `quepu.shapes.readings`.

With the extra `fast` this file is compiled as it stands (`fast.compiled.scorer`), so it imports nothing of quepu. It
contains no rule: how suits come apart, the melds, which single tiles may stand beside them and which groups a
winning tile may finish is in the tables passed to it, the same that are looked up on arrays; here are the loops over
them.
The functions above the loops never branch: they work on arrays of hands, too.
"""

from __future__ import annotations

from typing import Any

# Table entry for the tiles of one suit (`quepu.fast.arrays.suit_tables.Lane`). Entry: the first split, how many there
# are, the code (0 complete, 1 complete with the pair, more if neither); fields wide enough that four suits' add up.
ENTRY_FIRST = (1 << 17) - 1
ENTRY_NUMBER, ENTRY_CODE, SPLITS = 17, 22, 31
# Ahead: the ranks that would make it complete, those that finish the pair, whether it then has the pair, the code.
LANE = 0x1FF
AHEAD_PAIR, AHEAD_HAS, AHEAD_CODE = 9, 18, 19
# Both at once.
ENTRY, AHEAD = (1 << 32) - 1, 32
# A meld (`quepu.fast.arrays.hand_arrays.meld_table`): its planes, its suit, its part of that suit's key.
CHOW, EXPOSED, KONG, HIDDEN, SUIT, KEY = range(6)
# A way to stand (see `apart`).
SINGLE, MELDS = 1, 2
# The planes of a hand that the loops write, row by row.
T1, T2, T3, T4, O1, O2, O3, O4, XP, K, KC, WIN = range(12)
PLACES = 8  # how many parts the winning tile may have finished at most
MOST_FOURS = 3  # in fourteen tiles
WAYS_APART = 64  # how many ways there are at most to take tiles apart


def add_chow(c1: Any, c2: Any, c3: Any, c4: Any, bit: Any) -> Any:
    """Chow planes (at least one … four of a start) with one more chow."""
    return c1 | bit, c2 | c1 & bit, c3 | c2 & bit, c4 | c3 & bit


def join_chows(a1: Any, a2: Any, a3: Any, a4: Any, b1: Any, b2: Any, b3: Any, b4: Any) -> Any:
    """The chow planes of two parts of a hand together."""
    return a1 | b1, a2 | b2 | a1 & b1, a3 | b3 | a2 & b1 | a1 & b2, a4 | b4 | a3 & b1 | a2 & b2 | a1 & b3


def planes_of_levels(m: Any, p: Any, s: Any, z: Any) -> Any:
    """The planes t1 … t4 from the levels of the four suits (each below 2 ** 63: rank 9 is the ninth bit of a lane)."""
    lane = 0xFFFF
    return (
        m & lane | (p & lane) << 16 | (s & lane) << 32 | (z & lane) << 48,
        m >> 16 & lane | (p >> 16 & lane) << 16 | (s >> 16 & lane) << 32 | (z >> 16 & lane) << 48,
        m >> 32 & lane | (p >> 32 & lane) << 16 | (s >> 32 & lane) << 32 | (z >> 32 & lane) << 48,
        m >> 48 | p >> 48 << 16 | s >> 48 << 32 | z >> 48 << 48,
    )


def in_lanes(m: Any, p: Any, s: Any, z: Any) -> Any:
    """A plane from its four lanes, each in the lowest nine bits."""
    return m & LANE | (p & LANE) << 16 | (s & LANE) << 32 | (z & LANE) << 48


def without(t1: Any, t2: Any, t3: Any, t4: Any, w: Any) -> Any:
    """Tile planes with one copy of a tile removed."""
    return t1 & ~(w & ~t2), t2 & ~(w & ~t3), t3 & ~(w & ~t4), t4 & ~w


def find_groups(chows: Any, pair: Any, p: Any, single: Any, w: Any, one: Any) -> Any:
    """Groups that a winning tile may have finished, as bits of `fast.arrays.sets` (`one` the lowest)."""
    return (
        (chows & w != 0) * one
        | (chows & w >> 2 != 0) * one << 1
        | (chows & w >> 1 != 0) * one << 2
        | (pair & w != 0) * one << 3
        | (p & w != 0) * one << 4
        | (single & w != 0) * one << 5
    )


def finish(total: Any, here: Any, pairs: Any = 1) -> Any:
    """Those waits of one suit (here: its part of `ahead`) that complete the whole hand to melds and so many pairs.

    total: the codes of all four suits added up. The others must be complete. Waits, and from AHEAD_PAIR on those of
    them that finish the pair.
    """
    fits = total - (here >> AHEAD_CODE) + (here >> AHEAD_HAS & 1) == pairs
    return (here & (1 << AHEAD_HAS) - 1) * fits


def may_stand(low: Any, high: Any, ways: Any, planes: Any, numbers: Any, some: Any) -> Any:
    """The hands that may stand, or lack one tile to stand, in a way with single tiles; how many of `some` they are."""
    for i in range(low, high):
        some[i - low] = 0
    for way in range(len(ways)):
        single, most = ways[way, SINGLE], ways[way, MELDS]
        if single:
            for i in range(low, high):
                lacking = single & ~planes[T1, i]
                some[i - low] |= (lacking & lacking - 1 == 0) & (numbers[0, i] <= most)
    n = 0
    for i in range(low, high):  # what stands from `low` on is read before a hand is put there
        near = some[i - low]
        some[n] = i
        n += near
    return n


def apart(some: Any, way: Any, keys: Any, tables: Any, block: Any, at: Any) -> Any:
    """Take some hands apart in one way: reading i for hand i if that is free, others from `at` on; return their end.

    way: form, single tiles, most melds, first rank, and how much the single tiles take off each key.
    keys: key (int64 [4, N]), held (int64 [2, N]: the concealed tiles with and without the winning one), case.
    tables: lookup, splits, number, places, loses (see `fast.compiled.suit_arrays`).
    block: planes, numbers, own and index. own, index: int64 [9, M] and [2, M], filled as far as they reach: c1-c4, p,
    pc, pair, form, place of each reading; its hand and its rank (-1: there is none).
    """
    form, single, most, first, m0, p0, s0, z0 = way
    (key, held, case), (planes, numbers, own, index) = keys, block
    for i in some:
        if single and (numbers[0, i] > most or single & ~held[0, i]):
            continue
        here = key[0, i] - m0, key[1, i] - p0, key[2, i] - s0, key[3, i] - z0
        at = ways_apart(i, here, 1, (form, single, 0, first), case, tables, (planes, own, index), at)
    return at


def ways_apart(i: Any, keys: Any, pairs: Any, beside: Any, case: Any, tables: Any, block: Any, at: Any) -> Any:
    """Readings of hand i that has melds and so many pairs by these keys, as `apart`.

    beside: form, single tiles, those of them that are four alike (concealed pungs), first rank.
    """
    lookup, splits, number, places, loses = tables
    m, p, s, z = lookup[keys[0], 1], lookup[keys[1], 1], lookup[keys[2], 1], lookup[keys[3], 1]
    if ((m & ENTRY) + (p & ENTRY) + (s & ENTRY) + (z & ENTRY)) >> ENTRY_CODE != pairs:
        return at
    return take_apart(i, (m, p, s, z), beside, case, (splits, number, places, loses), block, at)


def take_apart(i: Any, words: Any, beside: Any, case: Any, placing: Any, block: Any, at: Any) -> Any:
    """Readings of hand i by what its four suits' keys give, complete together, as `ways_apart`.

    placing: splits, number, places, loses.
    """
    form, single, quads, first = beside
    planes, own, index = block
    splits, number, places, loses = placing
    m, p, s, z = words
    w, xp, kc = planes[WIN, i], planes[XP, i], planes[KC, i] | quads
    a, b, c = m >> ENTRY_NUMBER & SPLITS, p >> ENTRY_NUMBER & SPLITS, s >> ENTRY_NUMBER & SPLITS
    x, y, v, u = m & ENTRY_FIRST, p & ENTRY_FIRST, s & ENTRY_FIRST, z & ENTRY_FIRST
    for n in range(a * b * c):
        rank = first
        m, p, s, z = splits[x], splits[y], splits[v], splits[u]
        if n:  # a further way to take the suits apart
            i0, i1, i2 = n // (b * c), n // c % b, n % c
            m, p, s = splits[x + i0], splits[y + i1], splits[v + i2]
            rank += PLACES * (16 * i0 + 4 * i1 + i2)
        c1, pung = in_lanes(m, p, s, z), in_lanes(m >> 9, p >> 9, s >> 9, z >> 9)
        pair = in_lanes(m >> 18, p >> 18, s >> 18, z >> 18)
        c2, c3, c4 = 0, 0, 0
        if (m | p | s) >> 27:
            c2 = in_lanes(m >> 27, p >> 27, s >> 27, 0)
            c3 = in_lanes(m >> 36, p >> 36, s >> 36, 0)
            c4 = in_lanes(m >> 45, p >> 45, s >> 45, 0)
        stands = case[i] | find_groups(c1, pair, pung, single, w, 1)
        c1, c2, c3, c4 = join_chows(c1, c2, c3, c4, planes[O1, i], planes[O2, i], planes[O3, i], planes[O4, i])
        for j in range(number[stands]):
            to = i
            if index[1, i] >= 0:
                to = at
                at += 1
            if to < index.shape[1]:
                index[0, to], index[1, to] = i, rank + j
                own[0, to], own[1, to], own[2, to], own[3, to] = c1, c2, c3, c4
                own[4, to] = pung | xp | kc
                own[5, to] = pung & ~(w & loses[j, stands]) | kc
                own[6, to], own[7, to], own[8, to] = pair, form, places[j, stands]
    return at


def ahead(some: Any, way: Any, keys: Any, winning: Any, tables: Any, numbers: Any, waits: Any) -> None:
    """Add the waits of some hands that may stand in this way to `waits`, int64 [2, N].

    tables: bits, five, lookup (see `fast.compiled.suit_arrays`). Tiles held four times are among the waits.
    """
    key, held, _ = keys
    _, single, most, _, m0, p0, s0, z0 = way
    bits, five, lookup = tables
    for i in some:
        if winning[i] < 0:
            continue
        suit, less = winning[i] // 9, five[winning[i]]
        m, p = key[0, i] - m0 - less * (suit == 0), key[1, i] - p0 - less * (suit == 1)
        s, z = key[2, i] - s0 - less * (suit == 2), key[3, i] - z0 - less * (suit == 3)
        if single:
            lacking = single & ~held[1, i]
            if numbers[0, i] > most or lacking & lacking - 1:
                continue
            if lacking:
                for kind in range(27):
                    if bits[kind] == lacking:
                        suit, more = kind // 9, five[kind]
                        m, p, s = m + more * (suit == 0), p + more * (suit == 1), s + more * (suit == 2)
                total = (
                    (lookup[m, 1] & ENTRY) + (lookup[p, 1] & ENTRY) + (lookup[s, 1] & ENTRY) + (lookup[z, 1] & ENTRY)
                )
                waits[0, i] |= lacking * (total >> ENTRY_CODE == 1)
                continue
        m, p, s, z = lookup[m, 1] >> AHEAD, lookup[p, 1] >> AHEAD, lookup[s, 1] >> AHEAD, lookup[z, 1] >> AHEAD
        total = (m >> AHEAD_CODE) + (p >> AHEAD_CODE) + (s >> AHEAD_CODE) + (z >> AHEAD_CODE)
        m, p, s, z = finish(total, m), finish(total, p), finish(total, s), finish(total, z)
        waits[0, i] |= in_lanes(m, p, s, z)
        waits[1, i] |= in_lanes(m >> AHEAD_PAIR, p >> AHEAD_PAIR, s >> AHEAD_PAIR, z >> AHEAD_PAIR)


def fours(hands: Any, tables: Any, shapes: Any, wants_waits: Any, block: Any, room: Any, at: Any) -> Any:
    """Read hands that are so many times four alike, no kongs, and melds; return where the readings end.

    Args:
        hands: counts, winning, case as `scorer_loops.read_block` has them.
        tables: see `fast.compiled.suit_arrays`.
        shapes: int64 [shapes, 3]: form, how many fours, first rank.
        wants_waits: whether any condition reads waits; then they are added to `waits`.
        block: planes, waits, own and index, see `apart`.
        room: to work in, int64 [hands + 8].
        at: where the readings ended before.
    """
    planes, waits, own, index = block
    counts, winning, case = hands
    bits, five, start, lookup, splits, number, places, loses = tables
    placing = lookup, splits, number, places, loses
    key, kinds, closed = room[:4], room[4:7], room[7:]
    few, least = 0, MOST_FOURS
    for shape in range(len(shapes)):
        least = min(least, shapes[shape, 1])
    for i in range(len(counts)):  # closed, with one four at least and another three
        four, three = planes[T4, i] & ~planes[K, i], planes[T3, i] & ~planes[K, i]
        closed[few] = i
        likely = (least < 2) | (four != 0) & (three & three - 1 != 0)
        few += likely & (planes[O1, i] | planes[XP, i] == 0)
    for i in closed[:few]:
        for shape in range(len(shapes)):
            form, wanted, first = shapes[shape, 0], shapes[shape, 1], shapes[shape, 2]
            four, three = planes[T4, i] & ~planes[K, i], planes[T3, i] & ~planes[K, i]
            if wanted > 1 and (four == 0 or three & three - 1 == 0):
                continue  # there is one four at least, and another three
            for before in range(int(wanted > 1 and four & four - 1 == 0), 2 if wants_waits and winning[i] >= 0 else 1):
                alike = 0
                for s in range(4):
                    key[s] = start[s]
                for kind in range(34):
                    held = counts[i, kind] - (before and kind == winning[i])
                    key[kind // 9] += held * five[kind]
                    if held == 4:
                        kinds[alike % MOST_FOURS] = kind
                        alike += 1
                if alike > MOST_FOURS:  # no hand
                    continue
                for chosen_fours in range(1 << alike):
                    m, p, s, z = key[0], key[1], key[2], key[3]
                    quads, some = 0, 0
                    for k in range(alike):
                        if chosen_fours >> k & 1:
                            suit, less = kinds[k] // 9, 4 * five[kinds[k]]
                            quads |= bits[kinds[k]]
                            some += 1
                            m, p, s = m - less * (suit == 0), p - less * (suit == 1), s - less * (suit == 2)
                            z -= less * (suit == 3)
                    if not before:
                        if some == wanted:
                            beside = form, quads, quads, first + PLACES * WAYS_APART * chosen_fours
                            at = ways_apart(i, (m, p, s, z), 0, beside, case, placing, (planes, own, index), at)
                    elif some == wanted:
                        m, p, s = lookup[m, 1] >> AHEAD, lookup[p, 1] >> AHEAD, lookup[s, 1] >> AHEAD
                        z = lookup[z, 1] >> AHEAD
                        total = (m >> AHEAD_CODE) + (p >> AHEAD_CODE) + (s >> AHEAD_CODE) + (z >> AHEAD_CODE)
                        m, p, s = finish(total, m, 0), finish(total, p, 0), finish(total, s, 0)
                        waits[0, i] |= in_lanes(m, p, s, finish(total, z, 0))
                    elif some == wanted - 1:
                        for kind in range(34):  # the fourth of three alike
                            if counts[i, kind] - (kind == winning[i]) == 3:
                                suit, less = kind // 9, 3 * five[kind]
                                total = (
                                    (lookup[m - less * (suit == 0), 1] & ENTRY)
                                    + (lookup[p - less * (suit == 1), 1] & ENTRY)
                                    + (lookup[s - less * (suit == 2), 1] & ENTRY)
                                    + (lookup[z - less * (suit == 3), 1] & ENTRY)
                                )
                                waits[0, i] |= bits[kind] * (total >> ENTRY_CODE == 0)
    return at
