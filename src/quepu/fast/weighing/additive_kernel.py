"""The kernel that makes points by adding up; the plain twin is the book's own `combine`.

It is compiled by numba with `fast.compiled.scorer_loops`, whose contexts it reads, and contains no figure of a book.
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

# Entries of a context: the number of clans, the row that counts where the points are zero (-1: none), what it is worth;
# then of each clan its combinations by key, and of combinations the points, the rows, how often each counts.
CLANS, WHEN_NOTHING, NOTHING_WORTH, FIRST_CLAN, CLAN_ENTRIES = range(5)


def weigh(context_at: Any, n: Any, h_at: Any, totals_at: Any, more_at: Any, counts_at: Any, rows: Any) -> Any:
    """Make points of n readings whose planes stand at an address, and counts of rows if they are wanted.

    The total is -1 where a combination of a clan was not met yet.
    """
    e = ENTRY_WORDS
    f = e * FIGURES
    context = int64s(context_at, (f + 100 * e,))
    clans, when_nothing = context[f + e * CLANS], context[f + e * WHEN_NOTHING]
    nothing_worth = context[f + e * NOTHING_WORTH]
    results_at = context[e * RESULTS]
    r = int64s(results_at, (context[e * RESULTS + 1] * ROOM,))
    totals, more = int32s(totals_at, (ROOM,)), int32s(more_at, (ROOM,))
    counting = counts_at != 0
    line = context[e * COUNT_LINE] if counting else context[e * LINE]
    call(line, 0, n, h_at, results_at)
    counts = uint8s(counts_at, (n if counting else 0, rows))
    words = (2 + clans) * ROOM
    for i in range(n if counting else 0):
        for row in range(rows):
            counts[i, row] = r[words + (row >> 3) * ROOM + i] >> 8 * (row & 7) & 255
    for i in range(n):
        totals[i], more[i] = r[i], r[ROOM + i]
        r[i] = 0  # whether a combination is missing
    for k in range(clans):
        c = f + e * (FIRST_CLAN + CLAN_ENTRIES * k)
        number_of = int16s(context[c], (context[c + 1],))
        worth = int64s(context[c + e], (context[c + e + 1],))
        last, key = context[c + 1] - 1, (2 + k) * ROOM
        for i in range(n):
            number = number_of[r[key + i] & last]
            r[i] |= number < 0
            totals[i] += worth[max(number, 0)]
        if counting:
            of_clan = int64s(context[c + 2 * e], (context[c + 2 * e + 1],))
            times = uint8s(context[c + 3 * e], (context[c + 3 * e + 1], len(of_clan)))
            for i in range(n):
                number = max(number_of[r[key + i] & last], 0)
                for j in range(len(of_clan)):
                    counts[i, of_clan[j]] = times[number, j]
    for i in range(n):
        nothing = when_nothing >= 0 and totals[i] == 0
        if nothing:
            totals[i] = nothing_worth
        if counting and when_nothing >= 0:
            counts[i, when_nothing] = nothing
        if r[i]:
            totals[i] = -1
    return 0
