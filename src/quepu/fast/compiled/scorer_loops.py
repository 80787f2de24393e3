"""Read hands, weigh their readings and choose the best, a block at a time; the plain twin is `quepu.scoring.score`.

With the extra `fast` the text of this module is compiled behind that of `reading_loops`, whose functions it uses; it
also uses `levels` and `count` (machine instructions, see `quepu.fast.compiled.scorer`) and the functions of a
book: `find` and `wholes` for its whole shapes, `weigh` for its rows. It contains no rule. All planes of a block stay in
the processor's cache: H has a row for each plane, ROOM readings wide.
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

import numpy as np

from quepu.fast.compiled.reading_loops import (
    AHEAD,
    AHEAD_CODE,
    AHEAD_PAIR,
    CHOW,
    ENTRY,
    ENTRY_CODE,
    EXPOSED,
    HIDDEN,
    KC,
    KONG,
    LANE,
    O1,
    O2,
    O3,
    O4,
    T1,
    T2,
    T3,
    T4,
    WIN,
    XP,
    K,
    add_chow,
    ahead,
    apart,
    finish,
    fours,
    in_lanes,
    may_stand,
    take_apart,
)


def add_meld(t1: Any, t2: Any, t3: Any, t4: Any, chow: Any, three: Any, four: Any) -> Any:
    """Tile planes with the tiles of a meld added; all empty where a tile would be there five times."""
    one = chow | chow << 1 | chow << 2
    fine = (t4 & one | t2 & three | t1 & four) == 0
    t4 |= t3 & one | t1 & three | four
    t3 |= t2 & one | three | four
    t2 |= t1 & one | three | four
    t1 |= one | three | four
    return t1 * fine, t2 * fine, t3 * fine, t4 * fine


def read_block(hands: Any, tables: Any, shapes: Any, scratch: Any, block: Any, room: Any) -> Any:
    """Read a block of hands: the readings that are melds and a pair; return where they end.

    shapes: ways, four_shapes and wants_waits of `chain`. block: planes, numbers, waits, own, index. Reading i is one of
    hand i, of rank -1 if there is none; further readings stand behind.
    tables: those of `fast.compiled.suit_arrays`, `of_meld`, the choices of places; then, for the keys that are
    complete: their numbers (uint16 by key, 0: not complete), how much a plane of nine bits adds to a key (int64 [512]),
    `lookup` by number, and `ahead` by number and by the rank of which one tile is taken away (int32 [numbers, 9]).
    scratch: int64 [11, BLOCK + 1].
    """
    (counts, melds, winning, case), (ways, four_shapes, wants_waits) = hands, shapes
    planes, numbers, waits, own, index = block
    bits, five, start, lookup, splits, of_meld, number, places, loses, numbered, sums, entry, after = tables
    n = len(counts)
    at = n
    key, word, held, rest = scratch[:4], scratch[4:8], scratch[8:10], scratch[10]
    for i in range(n):
        t1, t2, t3, t4 = levels(counts, i)
        for suit in range(4):
            here = 16 * suit
            key[suit, i] = (
                start[suit] + sums[t1 >> here & LANE] + sums[t2 >> here & LANE] + sums[t3 >> here & LANE]
                + sums[t4 >> here & LANE]
            )  # fmt: skip
        w = bits[winning[i]]
        held[0, i], held[1, i] = t1, t1 & ~(w & ~t2)
        o1, o2, o3, o4, xp, k, kc, melded, kongs = 0, 0, 0, 0, 0, 0, 0, 0, 0
        for j in range(melds.shape[1]):
            kind = melds[i, j, 0]
            tile = melds[i, j, 1] if kind >= 0 else 0  # of_meld[-1] is no meld
            chow, exposed, kong, concealed = (
                of_meld[kind, tile, CHOW], of_meld[kind, tile, EXPOSED], of_meld[kind, tile, KONG],
                of_meld[kind, tile, HIDDEN],
            )  # fmt: skip
            o1, o2, o3, o4 = add_chow(o1, o2, o3, o4, chow)
            t1, t2, t3, t4 = add_meld(t1, t2, t3, t4, chow, (exposed | concealed) & ~kong, kong)
            xp |= exposed
            k |= kong
            kc |= concealed
            melded += kind >= 0
            kongs += kong != 0
        planes[T1, i], planes[T2, i], planes[T3, i], planes[T4, i] = t1, t2, t3, t4
        planes[O1, i], planes[O2, i], planes[O3, i], planes[O4, i] = o1, o2, o3, o4
        planes[XP, i], planes[K, i], planes[KC, i], planes[WIN, i] = xp, k, kc, w
        numbers[0, i], numbers[1, i] = melded, kongs
        index[0, i], index[1, i] = i, -1
        waits[0, i], waits[1, i] = 0, 0
    for suit in range(4):
        for i in range(n):
            word[suit, i] = numbered[key[suit, i]]
    left = 0
    for i in range(n):
        numbers_of = word[0, i], word[1, i], word[2, i], word[3, i]
        m, p, s, z = entry[numbers_of[0]], entry[numbers_of[1]], entry[numbers_of[2]], entry[numbers_of[3]]
        words = m & ENTRY, p & ENTRY, s & ENTRY, z & ENTRY
        if (words[0] + words[1] + words[2] + words[3]) >> ENTRY_CODE != 1:
            rest[left] = i
            left += 1
            continue
        at = take_apart(
            i, words, (ways[0, 0], 0, 0, ways[0, 3]), case, (splits, number, places, loses),
            (planes, own, index), at,
        )  # fmt: skip
        if wants_waits and winning[i] >= 0:
            suit = winning[i] // 9
            left_by = np.int64(after[word[suit, i], winning[i] - 9 * suit])
            m = left_by if suit == 0 else m >> AHEAD
            p = left_by if suit == 1 else p >> AHEAD
            s = left_by if suit == 2 else s >> AHEAD
            z = left_by if suit == 3 else z >> AHEAD
            total = (m >> AHEAD_CODE) + (p >> AHEAD_CODE) + (s >> AHEAD_CODE) + (z >> AHEAD_CODE)
            m, p, s, z = finish(total, m), finish(total, p), finish(total, s), finish(total, z)
            waits[0, i] = in_lanes(m, p, s, z)
            waits[1, i] = in_lanes(m >> AHEAD_PAIR, p >> AHEAD_PAIR, s >> AHEAD_PAIR, z >> AHEAD_PAIR)
    for w in range(len(ways)):
        way = ways[w, 0], ways[w, 1], ways[w, 2], ways[w, 3], ways[w, 4], ways[w, 5], ways[w, 6], ways[w, 7]
        if w == 1:
            left = may_stand(0, n, ways, planes, numbers, rest)
        if w:
            placing = lookup, splits, number, places, loses
            at = apart(rest[:left], way, (key, held, case), placing, (planes, numbers, own, index), at)
        if wants_waits:
            ahead(rest[:left], way, (key, held, case), winning, (bits, five, lookup), numbers, waits)
    if len(four_shapes):
        at = fours(
            (counts, winning, case), (bits, five, start, lookup, splits, number, places, loses), four_shapes,
            wants_waits, (planes, waits, own, index), room, at,
        )  # fmt: skip
    return at


def fit(number: Any, counts_at: Any, slots: Any, melds_at: Any, winning_at: Any) -> Any:
    """Whether so many hands may be checked no further: four of a kind at most, melds that can be, winning tiles held.

    Addresses of counts uint8 [N, 34], melds int8 [N, slots, 2], winning int64 [N], from -1 to 33.
    """
    flat = uint8s(counts_at, (number * 34,))
    winning = int64s(winning_at, (number,))
    most = np.uint8(0)
    for at in range(len(flat)):
        most = max(most, flat[at])
    wrong = most > 4
    for i in range(len(winning)):
        wrong |= (winning[i] >= 0) & (flat[34 * i + max(winning[i], 0)] == 0)
    flat_melds = int8s(melds_at, (number * slots * 2,))
    for at in range(0, len(flat_melds), 2):  # bytes compared without a branch: many at once
        kind, tile = flat_melds[at], flat_melds[at + 1]
        no_start = (tile == 7) | (tile == 8) | (tile == 16) | (tile == 17) | (tile > 24)
        wrong |= (kind >= 0) & ((tile < 0) | (tile > 33) | (kind > 3) | (kind == 0) & no_start)
    return not wrong


def read_wholes(n: Any, context: Any, block: Any, whole: Any, wants_waits: Any, at: Any) -> Any:
    """Read shapes that have one reading; return where the readings end.

    block: whole_shapes (int64 [shapes, 2]: form, rank), waits, own, index. whole: int64 [3 + 4 * shapes, ROOM].
    """
    whole_shapes, waits, own, index = block
    if len(whole_shapes) == 0:
        return at
    call(context[ENTRY_WORDS * WHOLES], 0, n, context[ENTRY_WORDS * H], context[ENTRY_WORDS * WHOLE])
    for i in range(n):
        if wants_waits:
            waits[0, i] |= whole[1, i]
            waits[1, i] |= whole[2, i]
        there = whole[0, i]
        if there == 0:
            continue
        call(
            context[ENTRY_WORDS * WHOLE_PLANES], i, i + 1, context[ENTRY_WORDS * H],
            context[ENTRY_WORDS * WHOLE] + 8 * 3 * ROOM,
        )  # fmt: skip
        for k in range(len(whole_shapes)):
            if there >> k & 1 == 0:
                continue
            to = i
            if index[1, i] >= 0:
                to = at
                at += 1
            if to < ROOM:
                row = 3 + 4 * k
                own[0, to], own[1, to], own[2, to], own[3, to] = 0, 0, 0, 0
                own[4, to], own[5, to], own[6, to] = whole[row, i], whole[row + 1, i], whole[row + 2, i]
                own[7, to], own[8, to] = whole_shapes[k, 0], whole[row + 3, i]
                index[0, to], index[1, to] = i, whole_shapes[k, 1]
    return at


def score_blocks(context: Any, hands: Any) -> None:
    """Find the best reading of a block of hands and its points, as many at a time as there is room for."""
    number = hands[HANDS]
    counts, melds = uint8s(hands[COUNTS], (number, 34)), int8s(hands[MELDS_OF], (number, hands[MELD_SLOTS], 2))
    winning, seat = int64s(hands[WINNING], (number,)), int64s(hands[SEATS], (number,))
    round_wind, luck = int64s(hands[ROUNDS], (number,)), int64s(hands[LUCKS], (number,))
    flowers = int64s(hands[FLOWERS_OF], (number,))
    points, bonus = int32s(hands[POINTS], (number,)), int32s(hands[BONUS], (number,))
    valid, left = truths(hands[VALID], (number,)), uint8s(hands[LEFT], (number,))
    wants_planes, wants_fans, fan_number = hands[PLANES] != 0, hands[FANS] != 0, hands[FAN_NUMBER]
    best_planes = int64s(hands[PLANES], (ROWS, number))
    fans = uint8s(hands[FANS], (number, fan_number))
    e = ENTRY_WORDS
    keys = context[e * LOOKUP + 1]
    tables = (
        int64s(context[e * BITS], (35,)), int64s(context[e * FIVE], (35,)), int64s(context[e * START], (4,)),
        int64s(context[e * LOOKUP], (keys, 2)), int64s(context[e * SPLIT_PLANES], (context[e * SPLIT_PLANES + 1],)),
        int64s(context[e * OF_MELD], (context[e * OF_MELD + 1], 34, 6)),
        uint8s(context[e * PLACE_NUMBER], (context[e * PLACE_NUMBER + 1],)),
        int64s(context[e * PLACE], (context[e * PLACE + 1], context[e * PLACE + 2])),
        int64s(context[e * LOSES], (context[e * LOSES + 1], context[e * LOSES + 2])),
        uint16s(context[e * NUMBERED], (keys,)), int64s(context[e * SUMS], (512,)),
        int64s(context[e * OF_KEY], (context[e * OF_KEY + 1],)),
        int32s(context[e * AFTER], (context[e * AFTER + 1], 9)),
    )  # fmt: skip
    wants_waits, drawn, closed_bit = context[e * WANTS_WAITS] != 0, context[e * DRAWN], context[e * CLOSED_BIT]
    drawn_luck, all_tiles = context[e * DRAWN_LUCK], context[e * ALL_TILES]
    bits, case_of = tables[0], int64s(context[e * CASE_OF], (35,))
    shapes = (
        int64s(context[e * WAYS], (context[e * WAYS + 1], 8)),
        int64s(context[e * FOUR_SHAPES], (context[e * FOUR_SHAPES + 1], 3)), wants_waits,
    )  # fmt: skip
    whole_shapes = int64s(context[e * WHOLE_SHAPES], (context[e * WHOLE_SHAPES + 1], 2))
    h = int64s(context[e * H], (ROWS, ROOM))
    planes, own, waits = h[:OWN], h[OWN:WAITS], h[WAITS:SEAT]
    chosen = int64s(context[e * BEST_PLANES], (ROWS, ROOM))
    numbers, index = uint8s(context[e * HAND_NUMBERS], (2, BLOCK)), int64s(context[e * INDEX], (2, ROOM))
    scratch, whole = (
        int64s(context[e * SCRATCH], (11, BLOCK + 1)),
        int64s(context[e * WHOLE], (context[e * WHOLE + 1], ROOM)),
    )
    totals, more = int32s(context[e * TOTALS], (ROOM,)), int32s(context[e * MORE], (ROOM,))
    best, case = int64s(context[e * BEST], (BLOCK,)), int64s(context[e * CASE], (BLOCK,))
    room = int64s(context[e * FOURS_ROOM], (BLOCK + 8,))
    for low in range(0, number, BLOCK):
        high = min(number, low + BLOCK)
        n = high - low
        for i in range(n):
            case[i] = case_of[winning[low + i]] | drawn * (luck[low + i] & drawn_luck != 0)
        some = counts[low:high], melds[low:high], winning[low:high], case[:n]
        end = read_block(some, tables, shapes, scratch, (planes, numbers, waits, own, index), room)
        for i in range(n):
            closed = (planes[O1, i] | planes[XP, i]) == 0
            h[SEAT, i], h[ROUND, i] = bits[seat[low + i]], bits[round_wind[low + i]]
            h[LUCK, i], h[FLOWERS, i] = luck[low + i] | closed_bit * closed, flowers[low + i]
        end = read_wholes(n, context, (whole_shapes, waits, own, index), whole, wants_waits, end)
        if end > ROOM:
            left[low:high] = MANY
            continue
        if wants_waits:
            for i in range(n):
                gone = planes[T4, i] & ~planes[WIN, i] & all_tiles
                named = -np.int64(winning[low + i] >= 0)
                waits[2, i] = waits[0, i] & gone & named
                waits[0, i] &= ~gone & named
                waits[1, i] &= ~gone & named
        else:
            for i in range(n):
                waits[0, i], waits[1, i], waits[2, i] = 0, 0, 0
        for row in range(ROWS):
            if row < OWN or row >= WAITS:
                for j in range(n, end):
                    h[row, j] = h[row, index[0, j]]
        for i in range(n):
            if index[1, i] < 0:
                for row in range(OWN, WAITS):
                    h[row, i] = 0
            best[i] = -1
        call(context[e * WEIGH], context[e * SELF], end, context[e * H], context[e * TOTALS], context[e * MORE], 0, 0)
        for j in range(end):
            if index[1, j] < 0:
                continue
            i = index[0, j]
            b = best[i]
            if b >= 0:
                if totals[b] < 0:
                    continue
                over = totals[j] + more[j] - totals[b] - more[b]
                if over == 0:
                    over = totals[j] - totals[b]
                if totals[j] >= 0 and (over < 0 or (over == 0 and index[1, j] > index[1, b])):
                    continue
            best[i] = j  # of readings of figures not met yet the first
        for i in range(n):
            held = (
                count(planes[T1, i]) + count(planes[T2, i])
                + count(planes[T3, i]) + count(planes[T4, i])
            )  # fmt: skip
            wanted = numbers[1, i] + 14
            if winning[low + i] < 0:  # a hand that wins without a winning tile may have thirteen
                tiles = 0
                for kind in range(34):
                    tiles += counts[low + i, kind]
                wanted -= tiles % 3 == 1
            b = best[i]
            fine = b >= 0 and held == wanted
            left[low + i] = UNMET * (fine and totals[b] < 0)
            valid[low + i] = fine
            points[low + i] = totals[b] if fine else 0
            bonus[low + i] = more[b] if fine else 0
        if not (wants_planes or wants_fans):
            continue
        for row in range(ROWS):
            for i in range(n):
                chosen[row, i] = h[row, max(best[i], 0)] if valid[low + i] else 0
        if wants_planes:
            for row in range(ROWS):
                for i in range(n):
                    best_planes[row, low + i] = chosen[row, i]
        if wants_fans:
            call(
                context[e * WEIGH], context[e * SELF], n, context[e * BEST_PLANES], context[e * TOTALS],
                context[e * MORE], hands[FANS] + low * fan_number, fan_number,
            )  # fmt: skip
            for i in range(n):
                if totals[i] < 0 and valid[low + i] and left[low + i] == 0:
                    left[low + i] = MANY
                if not valid[low + i]:
                    for row in range(fan_number):
                        fans[low + i, row] = 0


def score(context_at: Any, hands_at: Any, tiles_at: Any, numbers: Any, luck: Any, flowers: Any, held_at: Any) -> Any:
    """Score a block of hands, or (where that is 0) one hand: 0, or points and bonus in one word.

    Of one hand: the address of its winning tile, seat and round, then its concealed tiles, then its melds (kind and
    lowest tile), a byte each; how many tiles, and from bit 8 how many melds; luck; flowers, a plane.
    -1: it is not a win; -2: it has to be scored in another way; -3: a figure was not met yet. What holds in the best
    reading is written to an address: how many words follow, its planes, each row that holds and what its condition
    gives; where the block of one hand has room for counts, each row that counts and how often instead.
    """
    context = int64s(context_at, (ENTRY_WORDS * FIGURES,))
    if hands_at:
        score_blocks(context, int64s(hands_at, (BLOCK_WORDS,)))
        return 0
    hands = int64s(context[ENTRY_WORDS * ONE], (BLOCK_WORDS,))
    tile_number, meld_number = numbers & 255, numbers >> 8
    if meld_number > 4 or tile_number != 13 - 3 * meld_number:
        return -2
    counts, melds = uint8s(hands[COUNTS], (34,)), int8s(hands[MELDS_OF], (4, 2))
    around, tiles = uint8s(tiles_at, (3,)), uint8s(tiles_at + 3, (tile_number + 2 * meld_number,))
    winning, seat, round_wind = around[0], around[1], around[2]
    if winning > 33 or seat > 33 or round_wind > 33:
        return -2
    for kind in range(34):
        counts[kind] = 0
    for k in range(tile_number):
        if tiles[k] > 33:
            return -2
        counts[tiles[k]] += 1
    counts[winning] += 1
    for kind in range(34):
        if counts[kind] > 4:
            return -2
    for k in range(4):
        melds[k, 0], melds[k, 1] = -1, -1
    for k in range(meld_number):
        kind, tile = tiles[tile_number + 2 * k], tiles[tile_number + 2 * k + 1]
        no_start = (tile == 7) | (tile == 8) | (tile == 16) | (tile == 17) | (tile > 24)
        if kind > 3 or tile > 33 or (kind == 0 and no_start):
            return -2
        melds[k, 0], melds[k, 1] = kind, tile
    int64s(hands[WINNING], (1,))[0], int64s(hands[SEATS], (1,))[0] = winning, seat
    int64s(hands[ROUNDS], (1,))[0], int64s(hands[LUCKS], (1,))[0] = round_wind, luck
    int64s(hands[FLOWERS_OF], (1,))[0] = flowers
    score_blocks(context, hands)
    points, bonus = int32s(hands[POINTS], (1,))[0], int32s(hands[BONUS], (1,))[0]
    if uint8s(hands[LEFT], (1,))[0] == UNMET:
        return -3
    if uint8s(hands[LEFT], (1,))[0] != 0 or bonus < 0 or bonus >= 1 << BONUS_BITS or points < 0:
        return -2
    if uint8s(hands[VALID], (1,))[0] == 0:
        return -1
    if hands[FANS] == 0:
        int64s(held_at, (1,))[0] = call(context[ENTRY_WORDS * HITS], hands[PLANES], held_at + 8, 0, 0)
        return np.int64(points) << BONUS_BITS | np.int64(bonus)
    rows, n = uint8s(hands[FANS], (hands[FAN_NUMBER],)), 0
    counted = int64s(held_at, (1 + 2 * MOST_COUNTED,))
    for row in range(len(rows)):
        if rows[row]:
            if n == MOST_COUNTED:
                return -2
            counted[1 + 2 * n], counted[2 + 2 * n] = row, rows[row]
            n += 1
    counted[0] = 2 * n
    return np.int64(points) << BONUS_BITS | np.int64(bonus)
