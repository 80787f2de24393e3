"""The kernel that makes points where an arithmetic multiplies; the plain twin is the book's own `combine`.

The function is compiled by numba as it stands (`fast.compiled.conditions.kernel`). It contains no figure of a book:
those are in the tables passed to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quepu.fast.weighing.residue_kernel import lowest_bit

TIMES_BITS = 3  # how often a row holds, seven times at most
ROWS_A_WORD = 21
HALF = 63  # rows to the first word of a mask


def weigh_products(words: Any, closed: Any, figures: Any, points: Any, counts: Any) -> None:
    """Find points of readings by the best legal choice among rows that conflict.

    Args:
        words: int64 [words, n], how often each row holds, three bits a row.
        closed: int64 [n], 0 or 1.
        figures: relations, values, choices, factor.
            Relations: droppers and conflicts of each row as masks, int64 [rows, 2]; the rows' numbers in the book;
            their weight among equal choices (the order in which they are told apart). Rows stand behind those that
            drop them.
            Values: what each row adds, its own figure, whether it merges, how often it counts, by how often it holds:
            int64 [rows, 8] each; the class of each row.
            Choices: the rows with conflicts, then every largest set of them without: int64 [1 + sets, 2].
            Factor: int64 [2, figures, figures]: by `closed`, the highest class, the next.
        points: int32 [n], to be filled.
        counts: uint8 [n or 0, rows of the book], to be filled; zeros before.
    """
    relations, values, choices, factor = figures
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
