"""The loops that make points of what holds, for an arithmetic that multiplies and one that adds by residues.

The text of this module is compiled by numba as it stands (`quepu.batch.tallies`), so it imports nothing of quepu. It
contains no figure of a book: those are in the tables passed to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

TIMES_BITS = 3  # how often a row holds, seven times at most
ROWS_A_WORD = 21
HALF = 63  # rows to the first word of a mask
MIX_ONE, MIX_TWO = 0x1E3779B97F4A7C15, 0x165667B19E3779F9
MOST_ORDERED = 8  # rows of one priority whose order is looked at


def lowest_bit(x: Any) -> Any:
    """The number of the lowest bit set in x, which is not 0."""
    return int(x & -x).bit_length() - 1


# ---- the sum of all rows times a figure of the two highest classes


def multiplied(
    words: Any, closed: Any, relations: Any, values: Any, choices: Any, factor: Any, points: Any, counts: Any
) -> None:
    """Points of readings by the best legal choice among rows that conflict.

    Args:
        words: int64 [words, n], how often each row holds, three bits a row.
        closed: int64 [n], 0 or 1.
        relations: droppers and conflicts of each row as masks, int64 [rows, 2]; the rows' numbers in the book; their
            weight among equal choices (the order in which they are told apart). Rows stand behind those that drop them.
        values: what each row adds, its own figure, whether it merges, how often it counts, by how often it holds:
            int64 [rows, 8] each; the class of each row.
        choices: the rows with conflicts, then every largest set of them without: int64 [1 + sets, 2].
        factor: int64 [2, figures, figures]: by `closed`, the highest class, the next.
        points: int32 [n], to be filled.
        counts: uint8 [n or 0, rows of the book], to be filled; zeros before.
    """
    droppers, conflicts, numbers, weight = relations
    adds, single, merges, times, classes = values
    bit = np.zeros((len(numbers), 2), np.int64)
    of_row, of_times = np.zeros((len(numbers), 8), np.int64), np.zeros((len(numbers), 8), np.int64)
    for row in range(len(numbers)):  # what is looked at together stands together
        bit[row, row // HALF] = 1 << row % HALF
        of_row[row, 0], of_row[row, 1] = bit[row, 0], bit[row, 1]
        of_row[row, 2], of_row[row, 3] = droppers[row, 0], droppers[row, 1]
        of_row[row, 4], of_row[row, 5] = weight[row], classes[row]
        for n in range(8):
            of_times[row, n] = (adds[row, n] << 16) + (single[row, n] << 8) + merges[row, n]
    highest = np.zeros(classes.max() + 1, np.int64)
    place, held = np.zeros(len(numbers), np.int64), np.zeros(len(numbers), np.int64)
    before0, before1 = np.zeros(len(choices), np.int64), np.zeros(len(choices), np.int64)  # what was tried
    for i in range(len(points)):
        number, h0, h1 = 0, 0, 0
        for w in range(len(words)):
            x = words[w, i]
            while x:
                of_word = lowest_bit(x) // TIMES_BITS
                row = ROWS_A_WORD * w + of_word
                place[number], held[number] = row, x >> TIMES_BITS * of_word & 7
                number += 1
                h0 |= bit[row, 0]
                h1 |= bit[row, 1]
                x &= -(1 << TIMES_BITS * of_word + TIMES_BITS)
        tries, tried = 1, 0
        if h0 & choices[0, 0] | h1 & choices[0, 1]:
            for j in range(number):
                if conflicts[place[j], 0] & h0 | conflicts[place[j], 1] & h1:
                    tries = len(choices)
        best, best_order, best0, best1 = -1, -1, 0, 0
        for choice in range(min(1, tries - 1), tries):
            s0, s1 = h0, h1
            if choice:
                s0 &= ~choices[0, 0] | choices[choice, 0]
                s1 &= ~choices[0, 1] | choices[choice, 1]
                before = 0
                while before < tried and (before0[before] != s0 or before1[before] != s1):
                    before += 1
                if before < tried:
                    continue
                before0[tried], before1[tried] = s0, s1
                tried += 1
            c0, c1, total, merged, order = 0, 0, 0, 0, 0
            highest[:] = 0
            for j in range(number):  # sums instead of branches, which could not be foreseen
                row = place[j]
                own, own0, own1 = of_times[row, held[j]], of_row[row, 0], of_row[row, 1]
                may = s0 & own0 | s1 & own1 != 0
                order += of_row[row, 4] * may
                may &= of_row[row, 2] & c0 | of_row[row, 3] & c1 == 0
                c0 |= own0 * may
                c1 |= own1 * may
                own *= may
                total += own >> 16
                merges_here = own & 0xFF
                merged += merges_here
                k = of_row[row, 5]
                highest[k] = max(highest[k], own >> 8 & 0xFF, merged * merges_here)
            legal = True
            if choice:  # a row may stay out only because of one that counts
                for j in range(number):
                    row = place[j]
                    if s0 & bit[row, 0] | s1 & bit[row, 1]:
                        continue
                    if not (conflicts[row, 0] | droppers[row, 0]) & c0 | (conflicts[row, 1] | droppers[row, 1]) & c1:
                        legal = False
            if not legal:
                continue
            f0, f1 = 0, 0
            for k in range(len(highest)):
                f1 = max(f1, min(f0, highest[k]))
                f0 = max(f0, highest[k])
            total *= factor[closed[i], f0, f1]
            if total > best or (total == best and order > best_order):
                best, best_order, best0, best1 = total, order, c0, c1
        points[i] = best
        if len(counts):
            for j in range(number):
                row = place[j]
                if best0 & bit[row, 0] | best1 & bit[row, 1]:
                    counts[i, numbers[row]] = times[row, held[j]]


# ---- rows added by priority, each keeping what the earlier ones leave of it


def least_left(row: int, mask: int, after: Any, groups: Any, rows: Any, masks: Any, number: int) -> Any:
    """Number of its groups that a row on this mask keeps after some rows on theirs."""
    least = groups[row]
    for k in range(number):
        if after[rows[k], row] < least and masks[k] & mask:
            least = after[rows[k], row]
    return least


def lowest(
    low: int, high: int, fanke: int, tables: Any, rows: Any, masks: Any, added: Any, totals: Any, left: Any
) -> Any:
    """The order of rows `low` to `high` of those taken that adds least after those before; what it adds.

    totals, left: room for every subset of MOST_ORDERED rows.
    """
    points, after, groups = tables[0], tables[1], tables[2]
    number = high - low
    start = left[0]
    fixed = True
    for j in range(number):
        start[j] = least_left(rows[low + j], masks[low + j], after, groups, rows, masks, low)
    for j in range(number):
        for k in range(number):
            if j != k and after[rows[low + k], rows[low + j]] < start[j] and masks[low + j] & masks[low + k]:
                fixed = False
    if fixed:
        total = 0
        for j in range(number):
            added[low + j] = points[rows[low + j], fanke, start[j]]
            total += added[low + j]
        return total
    totals[0] = 0
    for some in range(1, 1 << number):
        totals[some] = -1
        for j in range(number - 1, -1, -1):
            if not some >> j & 1:
                continue
            row, mask, before = rows[low + j], masks[low + j], some ^ 1 << j
            least = left[0, j]
            for k in range(number):
                if before >> k & 1 and masks[low + k] & mask and after[rows[low + k], row] < least:
                    least = after[rows[low + k], row]
            total = totals[before] + points[row, fanke, least]
            if totals[some] < 0 or total < totals[some]:
                totals[some] = total
                for k in range(number):
                    if before >> k & 1:
                        left[some, k] = left[before, k]
                left[some, j] = least
    every = (1 << number) - 1
    for j in range(number):
        added[low + j] = points[rows[low + j], fanke, left[every, j]]
    return totals[every]


def still_to_come(
    at: int, end: int, taken: int, serving: int, pungs: int, fanke: int, tables: Any, open_rows: Any, open_masks: Any,
    open_number: Any, rows: Any, masks: Any, number: int,
) -> Any:  # fmt: skip
    """No less than what the open rows from `at` on can still add."""
    points, after, groups, apart, _, serves, _, bits, _, _ = tables
    most = 0
    for a in range(at, end):
        row = open_rows[a]
        if apart[row] & taken:
            continue
        here = 0
        for k in range(open_number[a]):
            mask = open_masks[a, k]
            here = max(here, points[row, fanke, least_left(row, mask, after, groups, rows, masks, number)])
            if serves[row]:
                serving |= mask
        most += here
    return most + tables[9] * bits[serving & pungs]


def places_of(mask: Any, chows: Any, pungs: Any, pairs: Any) -> Any:
    """The groups of a reading that a mask of `combinations` (see `accreted`) stands for, from bit 0 on."""
    if mask == 1 << 10:
        return (1 << chows + pungs + pairs) - 1
    if mask == 1 << 9:
        return (1 << chows + pungs) - 1
    return mask & 15 | (mask >> 4 & 15) << chows | (mask >> 8 & 1) << chows + pungs


def accreted(
    words: Any, sizes: Any, fields: Any, combinations: Any, tables: Any, memo: Any, points: Any, counts: Any
) -> None:
    """Points of readings by the best set of rows, each on some of the groups where it holds.

    Args:
        words: int64 [words, n], on which choices of groups each row holds.
        sizes: int64 [3, n], how many chows, pungs and pairs there are.
        fields: int64 [rows, 5], by priority: number in the book, word, shift, bits, which groups (see `combinations`).
        combinations: int64 [kinds, 10], masks: over the chows from bit 0, the pungs from bit 4, the pair bit 8; the
            mask 1 << 9 is every meld and 1 << 10 everything.
        tables: points by row, with fan pungs or without, and groups left; groups left to a row after another; groups;
            rows apart as masks; priority; whether pungs serve; value; number of bits; number of the fan pung row
            (-1: none); what one adds. Then the rows touched (`Accreted._touched`), the points of a total, and whether
            the fewest rows are best.
        memo: what was found before, by a hash of what holds: int64 [a power of two, 4], the hash (0: free), the total,
            the rows that count as a mask, how many fan pungs; later ones take the place of earlier ones. Where only
            the total is looked for: the first two columns, of the rows that something concerns.
        points: int32 [n], to be filled.
        counts: uint8 [n or 0, rows of the book], to be filled; zeros before. Without it only the total is looked for.
    """
    search, (hinders, concerns, sure), points_of, fewest = tables
    added_points, after, groups, apart, priority, serves, value, bits, fanke_row, fanke_value = search
    most = len(fields)
    field_at = np.zeros((len(words), 64), np.int64)
    for f in range(most):
        field_at[fields[f, 1], fields[f, 2] : fields[f, 2] + fields[f, 3]] = f
    there, rest = np.zeros(most, np.int64), np.zeros(len(words), np.int64)
    open_rows, open_number, level = np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most + 1, np.int64)
    open_masks = np.zeros((most, 10), np.int64)
    free, choice, taken = np.zeros(most, np.int64), np.zeros(most + 1, np.int64), np.zeros(most + 1, np.int64)
    size, total, served = np.zeros(most + 1, np.int64), np.zeros(most + 1, np.int64), np.zeros(most + 1, np.int64)
    rows, masks, added = np.zeros(most + 1, np.int64), np.zeros(most + 1, np.int64), np.zeros(most + 1, np.int64)
    totals, left = np.empty(1 << MOST_ORDERED, np.int64), np.empty((1 << MOST_ORDERED, most), np.int64)
    values, best_values = np.zeros(most + 1, np.int64), np.zeros(most + 1, np.int64)
    enough = 0 if len(counts) else 1
    for i in range(len(points)):
        chows, pungs, pairs = sizes[0, i], sizes[1, i], sizes[2, i]
        all_pungs = (1 << pungs) - 1 << chows
        rest[:] = words[:, i]
        constant, serving, number, every = 0, 0, 0, 0
        if enough:  # rows that nothing concerns are added at once
            for w in range(len(words)):
                x = words[w, i]
                while x:
                    f = field_at[w, lowest_bit(x)]
                    there[number], number = f, number + 1
                    every |= 1 << fields[f, 0]
                    x &= -(1 << fields[f, 2] + fields[f, 3])
            for k in range(number):
                f = there[k]
                row, w = fields[f, 0], fields[f, 1]
                held = words[w, i] >> fields[f, 2] & (1 << fields[f, 3]) - 1
                if concerns[row] & every or sure[row] < 0 or (serves[row] and held & held - 1):
                    continue
                constant += sure[row]
                if serves[row]:
                    serving |= places_of(combinations[fields[f, 4], lowest_bit(held)], chows, pungs, pairs) & all_pungs
                rest[w] ^= held << fields[f, 2]
            if not rest.any():
                points[i] = points_of[constant + max(0, fanke_value * bits[serving] * (fanke_row >= 0))]
                continue
        mark = serving << 12 | chows << 8 | pungs << 4 | pairs
        for w in range(len(words)):
            mark = (mark ^ rest[w]) * MIX_ONE
            mark = (mark ^ mark >> 29) * MIX_TWO
        mark ^= mark >> 32
        place = mark & len(memo) - 1
        place ^= (memo[place, 0] != 0) & (memo[place, 0] != mark)  # where another stands, the next slot
        if memo[place, 0] == mark:
            points[i] = points_of[constant + memo[place, 1]]
            if len(counts):
                for f in range(most):
                    counts[i, fields[f, 0]] = memo[place, 2] >> fields[f, 0] & 1
                if memo[place, 3]:
                    counts[i, fanke_row] = memo[place, 3]
            continue
        end, every = 0, 0
        for f in range(most):
            held = rest[fields[f, 1]] >> fields[f, 2] & (1 << fields[f, 3]) - 1
            if not held:
                continue
            open_rows[end], number = fields[f, 0], 0
            every |= 1 << fields[f, 0]
            for k in range(fields[f, 3]):
                if held >> k & 1:
                    open_masks[end, number] = places_of(combinations[fields[f, 4], k], chows, pungs, pairs)
                    number += 1
            open_number[end] = number
            level[end] = priority[fields[f, 0]]
            end += 1
        level[end] = -1
        best, best_fanke, best_zeros, best_size, best_rows, best_pungs = -1, -1, 0, 0, 0, 0
        for fanke in range(1 if pungs and fanke_row >= 0 else 0, -1, -1):
            reached, serving_pungs = best, all_pungs if fanke else 0
            for a in range(end):  # rows that only help: nothing excludes them, and they leave every other its groups
                row, least = open_rows[a], groups[open_rows[a]]
                free[a] = 0
                if not hinders[row] & every:
                    for b in range(end):
                        least = min(least, after[open_rows[b], row])
                    free[a] = added_points[row, fanke, least] > 0
            at, choice[0], taken[0], total[0], served[0], size[0] = 0, -1, 0, 0, serving, 0
            while at >= 0:
                if at < end:
                    row, number = open_rows[at], open_number[at]
                    c = choice[at] + 1
                    allowed = not apart[row] & taken[at]
                    if not allowed and c < number:
                        c = number
                    if c > number or (c == number and allowed and free[at]):
                        at -= 1
                        continue
                    choice[at] = c
                    taken[at + 1], served[at + 1], size[at + 1] = taken[at], served[at], size[at]
                    total[at + 1] = total[at]
                    if c < number:
                        mask = open_masks[at, c]
                        taken[at + 1] |= 1 << row
                        if serves[row]:
                            served[at + 1] |= mask
                        rows[size[at]], masks[size[at]] = row, mask
                        size[at + 1] += 1
                    if level[at + 1] != level[at]:  # all of this priority are chosen
                        first = size[at + 1]
                        while first and priority[rows[first - 1]] == level[at]:
                            first -= 1
                        if size[at + 1] - first > MOST_ORDERED:
                            points[i] = -1
                            return
                        total[at + 1] += lowest(first, size[at + 1], fanke, search, rows, masks, added, totals, left)
                        if total[at + 1] + still_to_come(
                            at + 1, end, taken[at + 1], served[at + 1], serving_pungs, fanke, search, open_rows,
                            open_masks, open_number, rows, masks, size[at + 1],
                        ) < reached + enough:  # fmt: skip
                            continue
                    if at + 1 < end:
                        at += 1
                        choice[at] = -1
                        continue
                here = at + 1 if end else 0
                if not end:
                    at = -1
                fan_pungs = served[here] & serving_pungs
                sum_of = total[here] + fanke_value * bits[fan_pungs]
                reached = max(reached, sum_of)
                if (fanke and not fan_pungs) or sum_of < best + enough:
                    continue
                number, zeros = size[here], 0
                for k in range(number):
                    zeros += added[k] == 0
                    values[k] = value[rows[k]]
                    j = k
                    while j and values[j - 1] < values[j]:
                        values[j - 1], values[j] = values[j], values[j - 1]
                        j -= 1
                more = sum_of - best or fanke - best_fanke or best_zeros - zeros or fewest * (best_size - number)
                for k in range(min(number, best_size)):
                    more = more or values[k] - best_values[k]
                more = more or number - best_size
                if more > 0:
                    best, best_fanke, best_zeros, best_size = sum_of, fanke, zeros, number
                    best_rows, best_pungs = taken[here], fan_pungs
                    best_values[:number] = values[:number]
        points[i] = points_of[constant + best]
        memo[place, 0], memo[place, 1] = mark, best
        if len(counts):
            memo[place, 2], memo[place, 3] = best_rows, bits[best_pungs]
            for a in range(end):
                counts[i, open_rows[a]] = best_rows >> open_rows[a] & 1
            if best_pungs:
                counts[i, fanke_row] = bits[best_pungs]
