"""Read hands, weigh their readings and choose the best, a block at a time; the plain twin is `quepu.scoring.score`.

With the extra `fast` the text of this module is compiled behind that of `reading_loops`, whose functions it uses; it
also uses `levels` and `count` (machine instructions, see `quepu.fast.compiled.scorer`) and what is generated for a
book: `find` and `wholes` for its whole shapes, `weigh` for its rows. It contains no rule. All planes of a block stay in
the processor's cache: H has a row for each plane, ROOM readings wide.
"""

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
    finishing,
    fours,
    in_lanes,
    may_stand,
    taken_apart,
)

BLOCK, ROOM = 256, 704  # hands, readings
# Rows of H behind the twelve that `walk` fills by hand: nine of each reading, waits, circumstances.
OWN, WAITS, SEAT, ROUND, LUCK, FLOWERS, ROWS = 12, 21, 24, 25, 26, 27, 28


def grown(t1: Any, t2: Any, t3: Any, t4: Any, chow: Any, three: Any, four: Any) -> Any:
    """Tile planes with the tiles of a meld added; all empty where a tile would be there five times."""
    one = chow | chow << 1 | chow << 2
    fine = (t4 & one | t2 & three | t1 & four) == 0
    t4 |= t3 & one | t1 & three | four
    t3 |= t2 & one | three | four
    t2 |= t1 & one | three | four
    t1 |= one | three | four
    return t1 * fine, t2 * fine, t3 * fine, t4 * fine


def read_block(hands: Any, tables: Any, shapes: Any, scratch: Any, block: Any) -> Any:
    """Read a block of hands: the readings that are melds and a pair; return where they end.

    shapes: ways, four_shapes and wants_waits of `chain`. block: planes, numbers, waits, own, index. Reading i is one of
    hand i, of rank -1 if there is none; further readings stand behind.
    tables: those of `fast.compiled.suit_arrays`, `of_meld`, the choices of places; then, for the keys that are
    complete: their numbers (uint16 by key, 0: not complete), what a plane of nine bits adds to a key (int64 [512]),
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
        t1, t2, t3, t4 = levels(counts, i)  # type: ignore[name-defined]  # noqa: F821
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
            t1, t2, t3, t4 = grown(t1, t2, t3, t4, chow, (exposed | concealed) & ~kong, kong)
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
        at = taken_apart(
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
            m, p, s, z = finishing(total, m), finishing(total, p), finishing(total, s), finishing(total, z)
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
            wants_waits, (planes, waits, own, index), at,
        )  # fmt: skip
    return at


def fit(counts: Any, melds: Any, winning: Any) -> Any:
    """Whether all hands may be checked no further: four of a kind at most, melds that can be, winning tiles held.

    counts uint8 [N, 34], melds int8 [N, up to 4, 2], winning int64 [N], from -1 to 33.
    """
    flat = counts.reshape(-1)
    most = np.uint8(0)
    for at in range(len(flat)):
        most = max(most, flat[at])
    wrong = most > 4
    for i in range(len(winning)):
        wrong |= (winning[i] >= 0) & (counts[i, max(winning[i], 0)] == 0)
    flat_melds = melds.reshape(-1)
    for at in range(0, len(flat_melds), 2):  # bytes compared without a branch: many at once
        kind, tile = flat_melds[at], flat_melds[at + 1]
        no_start = (tile == 7) | (tile == 8) | (tile == 16) | (tile == 17) | (tile > 24)
        wrong |= (kind >= 0) & ((tile < 0) | (tile > 33) | (kind > 3) | (kind == 0) & no_start)
    return not wrong


def score_blocks(hands: Any, tables: Any, shapes: Any, circumstances: Any, figures: Any, found: Any) -> None:
    """Find the best reading of many hands and its points.

    Args:
        hands: counts uint8 [N, 34], melds int8 [N, up to 4, 2], then int64 [N] each: winning, seat and round (kinds),
            luck, flowers (a plane).
        tables: see `read_block`.
        shapes: ways, four_shapes, wants_waits. Ways: int64 [ways to stand, 8], as `apart` takes them, the first without
            single tiles. Four_shapes: as `fours` takes them. Wants_waits: whether any condition reads waits.
        circumstances: the case of each winning tile (see `fast.arrays.sets`), last of none; the bit of a drawn
            one; the bits of luck of a hand with nothing claimed, and of a drawn tile; the plane of every tile.
        figures: what `weigh` takes.
        found: points, bonus (int32 [N]), valid (bool [N]: whether it is a win), left (bool [N]: hands that have too
            many readings or are of figures not met yet), best planes (int64 [ROWS, N] or [ROWS, 0]), to be filled.
    """
    counts, melds, winning, seat, round_wind, luck, flowers = hands
    wants_waits = shapes[2]
    bits, (case_of, drawn, closed_bit, drawn_luck, all_tiles) = tables[0], circumstances
    points, bonus, valid, left, best_planes = found
    case = np.empty(BLOCK, np.int64)
    h = np.empty((ROWS, ROOM), np.int64)
    planes, own, waits = h[:OWN], h[OWN:WAITS], h[WAITS:SEAT]
    flat, results = h.reshape(-1), np.empty(RESULTS * ROOM, np.int64)  # type: ignore[name-defined]  # noqa: F821
    numbers, index = np.empty((2, BLOCK), np.uint8), np.empty((2, ROOM), np.int64)
    scratch, whole = np.empty((11, BLOCK + 1), np.int64), np.empty((3, BLOCK), np.int64)
    totals, more = np.empty(ROOM, np.int32), np.zeros(ROOM, np.int32)
    best = np.empty(BLOCK, np.int64)
    for low in range(0, len(counts), BLOCK):
        high = min(len(counts), low + BLOCK)
        n = high - low
        for i in range(n):
            case[i] = case_of[winning[low + i]] | drawn * (luck[low + i] & drawn_luck != 0)
        some = counts[low:high], melds[low:high], winning[low:high], case[:n]
        end = read_block(some, tables, shapes, scratch, (planes, numbers, waits, own, index))
        for i in range(n):
            closed = (planes[O1, i] | planes[XP, i]) == 0
            h[SEAT, i], h[ROUND, i] = bits[seat[low + i]], bits[round_wind[low + i]]
            h[LUCK, i], h[FLOWERS, i] = luck[low + i] | closed_bit * closed, flowers[low + i]
        end = wholes(n, (flat, whole), (index, own, waits), winning[low:high], end)  # type: ignore[name-defined]  # noqa: F821
        if end > ROOM:
            left[low:high] = True
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
        weigh(end, flat, results, figures, totals, more)  # type: ignore[name-defined]  # noqa: F821
        for j in range(end):
            if index[1, j] < 0:
                continue
            i = index[0, j]
            if totals[j] < 0:
                left[low + i] = True
            b = best[i]
            if b >= 0:
                over = totals[j] + more[j] - totals[b] - more[b]
                if over == 0:
                    over = totals[j] - totals[b]
                if over < 0 or (over == 0 and index[1, j] > index[1, b]):
                    continue
            best[i] = j
        for i in range(n):
            held = (
                count(planes[T1, i]) + count(planes[T2, i])  # type: ignore[name-defined]  # noqa: F821
                + count(planes[T3, i]) + count(planes[T4, i])  # type: ignore[name-defined]  # noqa: F821
            )  # fmt: skip
            wanted = numbers[1, i] + 14
            if winning[low + i] < 0:  # a hand that wins without a winning tile may have thirteen
                tiles = 0
                for kind in range(34):
                    tiles += counts[low + i, kind]
                wanted -= tiles % 3 == 1
            b = best[i]
            fine = b >= 0 and held == wanted
            valid[low + i] = fine
            points[low + i] = totals[b] if fine else 0
            bonus[low + i] = more[b] if fine else 0
        if best_planes.shape[1]:
            for row in range(ROWS):
                for i in range(n):
                    best_planes[row, low + i] = h[row, max(best[i], 0)] if valid[low + i] else 0
