"""The kernel that makes points where an arithmetic multiplies; the plain twin is the book's own `combine`.

The functions are compiled by numba as they stand and contain no figure of a book: those are in the tables passed to
them.
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from quepu.hands.planes import count

TIMES_BITS = 3  # how often a row holds, seven times at most
ROWS_A_WORD = 21
HALF = 63  # rows to the first word of a mask
NUMBER, CLASSES = 6, 7  # columns of rows
# Entries of a context (see `fast.compiled.scorer_loops`): whether results begin with a sum, the place of its factor and
# whether rows conflict; then the figures.
WHOLE_FORM, FIRST_FIGURE = 0, 1


def weigh_products(words: Any, closed: Any, figures: Any, points: Any, counts: Any) -> None:
    """Find points of readings by the best legal choice among rows that conflict.

    Args:
        words: int64 [words, n], how often each row holds, three bits a row.
        closed: int64 [n], 0 or 1.
        figures: of_row, of_times, times, conflicts, choices, factor, room.
            Of_row: int64 [rows, 8]: the row's own bit as a mask of two words, the rows that drop it as such, its weight
            among equal choices (the order in which they are told apart), its class, its number in the book, and how
            many classes there are. Rows stand behind those that drop them.
            Of_times: int64 [rows, 8], by how often a row holds: its addition from bit 16, its own figure from bit 8,
            whether it merges. Times: int64 [rows, 8], how often it counts then. Conflicts: int64 [rows, 2], as masks.
            Choices: the rows with conflicts, then every largest set of them without: int64 [1 + sets, 2].
            Factor: int64 [2, figures, figures]: by `closed`, the highest class, the next.
            Room to work in: int64 [5, rows and choices].
        points: int32 [n], to be filled.
        counts: uint8 [n or 0, rows of the book], to be filled; zeros before.
    """
    of_row, of_times, times, conflicts, choices, factor, room = figures
    place, held, before0, before1, highest = room[0], room[1], room[2], room[3], room[4, : of_row[0, CLASSES]]
    for i in range(len(points)):
        number, h0, h1 = 0, 0, 0
        for w in range(len(words)):
            x = words[w, i]
            while x:
                of_word = count((x & -x) - 1) // TIMES_BITS
                row = ROWS_A_WORD * w + of_word
                place[number], held[number] = row, x >> TIMES_BITS * of_word & 7
                number += 1
                h0 |= of_row[row, 0]
                h1 |= of_row[row, 1]
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
                    if s0 & of_row[row, 0] | s1 & of_row[row, 1]:
                        continue
                    if not (conflicts[row, 0] | of_row[row, 2]) & c0 | (conflicts[row, 1] | of_row[row, 3]) & c1:
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
                if best0 & of_row[row, 0] | best1 & of_row[row, 1]:
                    counts[i, of_row[row, NUMBER]] = times[row, held[j]]


def weigh(context_at: Any, n: Any, h_at: Any, totals_at: Any, more_at: Any, counts_at: Any, rows: Any) -> Any:
    """Make points of n readings whose planes stand at an address, and counts of rows if they are wanted."""
    e = ENTRY_WORDS
    f = e * (FIGURES + FIRST_FIGURE)
    context = int64s(context_at, (f + 7 * e,))
    whole_form = context[e * FIGURES + e * WHOLE_FORM] != 0
    results_at, results = context[e * RESULTS], context[e * RESULTS + 1]
    call(context[e * LINE], 0, n, h_at, results_at)
    words = int64s(results_at, (results, ROOM))
    totals, more = int32s(totals_at, (ROOM,)), int32s(more_at, (ROOM,))
    number, factors = context[f + 1], context[f + 5 * e + 1] * context[f + 5 * e + 2] * context[f + 5 * e + 3]
    figures = (
        int64s(context[f], (number, 8)), int64s(context[f + e], (number, 8)), int64s(context[f + 2 * e], (number, 8)),
        int64s(context[f + 3 * e], (number, 2)), int64s(context[f + 4 * e], (context[f + 4 * e + 1], 2)),
        int64s(context[f + 5 * e], (2, context[f + 5 * e + 2], context[f + 5 * e + 3])),
        int64s(context[f + 6 * e], (5, context[f + 6 * e + 2])),
    )  # fmt: skip
    flat = int64s(context[f + 5 * e], (factors,))
    for i in range(n):
        more[i] = 0
    counting = counts_at != 0
    few, first = n, 3 if whole_form else 0
    if whole_form and not counting:
        few = 0
        for i in range(n):
            totals[i] = words[0, i] * flat[words[1, i]]
            if words[2, i]:  # what conflicts is weighed choice by choice
                for word in range(3, results):
                    words[word, few] = words[word, i]
                words[2, few] = i
                few += 1
    counts = uint8s(counts_at, (n if counting else 0, rows))
    if counting:
        for i in range(n):
            for row in range(rows):
                counts[i, row] = 0
    target = more if few < n else totals
    weigh_products(words[first : results - 1, :few], words[results - 1, :few], figures, target[:few], counts)
    if few < n:
        for k in range(few):
            at = words[2, k]
            totals[at], more[k] = more[k], 0
    return 0
