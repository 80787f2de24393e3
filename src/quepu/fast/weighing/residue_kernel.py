"""The kernel that makes points by residues: rows by priority, each with the rest that the earlier ones leave.

The functions are compiled by numba as they stand and contain no figure of a book: those are in the tables passed to
them. The plain twin is the book's own `combine`.
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from quepu.hands.planes import count

MIX_ONE, MIX_TWO = 0x1E3779B97F4A7C15, 0x165667B19E3779F9
MOST_ORDERED = 8  # rows of one priority whose order is looked at
PUNGS_AT, SERVED_AT = 4, 12  # groups are bits of a mask: the chows from bit 0, then the pungs, the pair
SLOTS = 4  # places of what is found again
TOTAL_BITS = 16  # a total without fan pungs stands above one with them
# Entries of a context (see `fast.compiled.scorer_loops`): numbers, then tables as `weigh_residues` takes them.
(FANKE_ROW, FANKE_VALUE, FEWEST, FIELDS, COMBINATIONS, POINTS_OF_ROW, REMAINING, GROUPS_OF, APART) = range(9)
(PRIORITY, SERVES, VALUES, BIT_NUMBERS, HINDERS, CONCERNS, RELATED, SURE, UNIONS, POINTS_OF_TOTAL) = range(9, 19)
(MEMO, SEEN, COUNTINGS, FIELD_AT, ROWS_ROOM, OPEN_MASKS, ORDERS, RESIDUE_ENTRIES) = range(19, 27)


def mix(mark: Any, word: Any) -> Any:
    """A hash with one word more, good in its high bits; of integers or arrays of them."""
    mark = (mark ^ word) * MIX_ONE
    return (mark ^ mark >> 29) * MIX_TWO


def least_left(row: int, mask: int, after: Any, groups: Any, rows: Any, masks: Any, number: int) -> Any:
    """Number of its groups that a row on this mask keeps after some rows on theirs."""
    least = groups[row]
    for k in range(number):
        if after[rows[k], row] < least and masks[k] & mask:
            least = after[rows[k], row]
    return least


def order_rows(low: int, high: int, fanke: int, tables: Any, lists: Any, orders: Any) -> Any:
    """The order of rows `low` to `high` of those taken that adds least after those before; how much it adds.

    totals, left: room for every subset of MOST_ORDERED rows.
    """
    (rows, masks, added), (totals, left) = lists, orders
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


def bound_rest(span: Any, taken: int, served: Any, fanke: int, tables: Any, opened: Any, chosen: Any) -> Any:
    """Return the most that the open rows of a span (`at`, `end`) can still add."""
    (at, end), (serving, pungs), (rows, masks, number) = span, served, chosen
    open_rows, open_number, open_masks, _ = opened
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


def search_rows(
    end: Any, every: Any, serving: Any, all_pungs: Any, enough: Any, figures: Any, opened: Any, room: Any
) -> Any:
    """The best counting of the first rows of `opened`: its total, 0, the rows as a mask, how many fan pungs.

    end, every: how many rows they are, and which, as a mask. enough: only the totals are looked for, that without fan
    pungs and that with them, of which some are `serving` by other rows and not added. figures: `search`, `hinders` and
    `fewest` of `weigh_residues`. room: to work in. -1: more rows of one priority hold than are looked at.
    """
    search, hinders, fewest = figures
    added_points, after, groups, apart, priority, serves, value, bits, fanke_row, fanke_value = search
    open_rows, open_number, open_masks, level = opened
    lists, (totals, left) = room
    free, choice, taken, size, total, served = lists[0], lists[1], lists[2], lists[3], lists[4], lists[5]
    rows, masks, added, values, best_values = lists[6], lists[7], lists[8], lists[9], lists[10]
    best, best_fanke, best_zeros, best_size, best_rows, best_pungs, beside = -1, -1, 0, 0, 0, 0, -1
    for fanke in range(1 if fanke_row >= 0 and (enough or all_pungs) else 0, -1, -1):
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
                    return -1, -1, 0, 0
                total[at + 1] += order_rows(first, size[at + 1], fanke, search, (rows, masks, added), (totals, left))
                if total[at + 1] + bound_rest(
                    (at + 1, end), taken[at + 1], (served[at + 1], serving_pungs), fanke, search, opened,
                    (rows, masks, size[at + 1]),
                ) < reached + enough:  # fmt: skip
                    continue
            if at + 1 < end:
                at += 1
                choice[at] = -1
                continue
            here = at + 1
            fan_pungs = served[here] & serving_pungs
            sum_of = total[here] + fanke_value * bits[fan_pungs]
            reached = max(reached, sum_of)
            if sum_of < best + enough or (fanke and not enough and not fan_pungs):
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
                for k in range(number):
                    best_values[k] = values[k]
        if enough and fanke:  # without fan pungs the same rows add no less
            best, beside = best - fanke_value * bits[best_pungs], best - fanke_value * bits[serving]
    return best, max(beside, best * (fanke_row < 0)), best_rows, bits[best_pungs]


def weigh_residues(words: Any, pung_number: Any, figures: Any, points: Any, counts: Any) -> None:
    """Find points of readings by the best set of rows, each on some of the groups where it holds.

    Args:
        words: int64 [words, n], on which choices of groups each row holds.
        pung_number: int64 [n], how many pungs there are.
        figures: fields, combinations, tables, memo, seen, room.
            Fields: int64 [rows, 5], by priority: number in the book, word, shift, bits, which groups (`combinations`).
            Combinations: int64 [kinds, 10], masks of groups.
            Tables: points by row, with fan pungs or without, and groups left; groups left to a row after another;
            groups; rows apart as masks; priority; whether pungs serve; value; number of bits; number of the fan pung
            row (-1: none); what one adds. Then how rows relate (`ResidueWeighing._relations`), all groups by kind and
            choices, the points of a total, and whether the fewest rows are best.
            Memo: results found before, by a hash of what holds: int64 [a power of two, 4], the hash (0: free), the
            total, the rows that count as a mask, how many fan pungs; later ones take the place of earlier ones. Where
            only the total is looked for: the first two columns, of independent rows, the total without fan pungs
            above that with them.
            Seen: points of readings where only the total is looked for, by a hash of their words: int64 [a power of
            two, 2]; later ones take the place of earlier ones.
            Room: the field of each bit of the words, int64 [words, 64]; then to work in, for one more than there are
            rows and words: int64 [22, rows + words], [rows, 10], [1 + subsets of MOST_ORDERED, rows or subsets].
        points: int32 [n], to be filled.
        counts: uint8 [n or 0, rows of the book], to be filled; zeros before. Without it only the total is looked for.
    """
    fields, combinations, tables, memo, seen, (field_at, rows_room, open_masks, orders) = figures
    search, (hinders, concerns, related, added_sure), unions, points_of, fewest = tables
    _, _, _, _, priority, serves, _, bits, fanke_row, fanke_value = search
    most = len(fields)
    there, links, rest, row_of, field_of = rows_room[0], rows_room[1], rows_room[2], rows_room[3], rows_room[4]
    held, on, may = rows_room[5], rows_room[6], rows_room[7]
    open_rows, open_number, level = rows_room[8], rows_room[9], rows_room[10]
    opened = open_rows, open_number, open_masks, level
    room = rows_room[11:], (orders[0], orders[1:])
    enough = 0 if len(counts) else 1
    for i in range(len(points)):
        mark_of_all = (pung_number[i] + 1) * MIX_ONE
        for w in range(len(words)):
            mark_of_all = mix(mark_of_all, words[w, i])
        spot = mark_of_all >> 40 & len(seen) - 1
        mark_of_all |= 1  # 0 is a free place
        if enough and seen[spot, 0] == mark_of_all:
            points[i] = seen[spot, 1]
            continue
        all_pungs, number, holding = (1 << pung_number[i]) - 1 << PUNGS_AT, 0, 0
        for w in range(len(words)):
            x = words[w, i]
            while x:
                f = field_at[w, count((x & -x) - 1)]
                there[number], number = f, number + 1
                holding |= 1 << fields[f, 0]
                x &= -(1 << fields[f, 2] + fields[f, 3])
        sum_without, served_alone, others = 0, 0, 0
        for k in range(number):
            f = there[k]
            row = fields[f, 0]
            alone = enough and not concerns[row] & holding and added_sure[row] >= 0
            if alone and not serves[row]:
                sum_without += added_sure[row]
                continue
            choices = words[fields[f, 1], i] >> fields[f, 2] & (1 << fields[f, 3]) - 1
            groups_of = unions[fields[f, 4], choices]
            served = groups_of & all_pungs & -serves[row]
            if alone and (served == 0 or choices & choices - 1 == 0):
                sum_without += added_sure[row]
                served_alone |= served
                continue
            row_of[others], field_of[others], held[others], on[others], may[others] = row, f, choices, groups_of, served
            links[others] = 1 << others if enough else -1
            others += 1
        for a in range(others if enough else 0):
            for b in range(a):
                how = related[row_of[a], row_of[b]]
                linked = (how > 1) | ((how == 1) & (on[a] & on[b] != 0)) | (may[a] & may[b] != 0)
                links[a] |= linked * (1 << b)
                links[b] |= linked * (1 << a)
        for a in range(others if enough and others > 2 else 0):  # through another row, too
            for b in range(others):
                links[b] |= links[a] * (links[b] >> a & 1)
        sum_beside = sum_without + fanke_value * bits[served_alone] * (fanke_row >= 0)
        to_do = (1 << others) - 1
        while to_do:
            part = links[count((to_do & -to_do) - 1)] & to_do
            to_do &= ~part
            every, here_may, end = 0, 0, 0
            rest[:] = 0
            for k in range(others):
                if part >> k & 1:
                    every |= 1 << row_of[k]
                    here_may |= may[k]
                    rest[fields[field_of[k], 1]] |= held[k] << fields[field_of[k], 2]
            serving = here_may & served_alone
            mark = (serving << SERVED_AT | here_may) * MIX_ONE  # or it would be undone by bits of the first word
            for w in range(len(words)):
                mark = mix(mark, rest[w])
            mark ^= mark >> 32
            place = mark & len(memo) - SLOTS
            if memo[place, 0] != mark:
                for _ in range(SLOTS - 1):  # where another stands, the next
                    place += memo[place, 0] != 0 and memo[place, 0] != mark
            if memo[place, 0] == mark:
                sum_without += memo[place, 1] >> TOTAL_BITS * enough
                sum_beside += memo[place, 1] & (1 << TOTAL_BITS) - 1
                if len(counts):
                    for f in range(most):
                        counts[i, fields[f, 0]] = memo[place, 2] >> fields[f, 0] & 1
                    if memo[place, 3]:
                        counts[i, fanke_row] = memo[place, 3]
                continue
            for k in range(others):
                if not part >> k & 1:
                    continue
                f, number = field_of[k], 0
                for c in range(fields[f, 3]):
                    if held[k] >> c & 1:
                        open_masks[end, number] = combinations[fields[f, 4], c]
                        number += 1
                open_rows[end], open_number[end], level[end] = row_of[k], number, priority[row_of[k]]
                end += 1
            level[end] = -1
            best, beside, best_rows, fan_pungs = search_rows(
                end, every, serving, all_pungs, enough, (search, hinders, fewest), opened, room
            )
            if best < 0:
                points[i] = -1
                return
            sum_without += best
            sum_beside += beside
            memo[place, 0], memo[place, 1] = mark, (best << TOTAL_BITS | beside) if enough else best
            if len(counts):
                memo[place, 2], memo[place, 3] = best_rows, fan_pungs
                for k in range(end):
                    counts[i, open_rows[k]] = best_rows >> open_rows[k] & 1
                if fan_pungs:
                    counts[i, fanke_row] = fan_pungs
        points[i] = points_of[max(sum_without, sum_beside) if enough else sum_without]
        if enough:
            seen[spot, 0], seen[spot, 1] = mark_of_all, points[i]


def weigh(context_at: Any, n: Any, h_at: Any, totals_at: Any, more_at: Any, counts_at: Any, rows: Any) -> Any:
    """Make points of n readings whose planes stand at an address, and counts of rows if they are wanted."""
    e = ENTRY_WORDS
    f = e * FIGURES
    context = int64s(context_at, (f + e * RESIDUE_ENTRIES,))
    results_at, results = context[e * RESULTS], context[e * RESULTS + 1]
    call(context[e * LINE], 0, n, h_at, results_at)
    words = int64s(results_at, (results, ROOM))
    totals, more = int32s(totals_at, (ROOM,)), int32s(more_at, (ROOM,))
    counting = counts_at != 0
    most, masks = context[f + e * FIELDS + 1], context[f + e * COMBINATIONS + 1]
    rows_of, worths = context[f + e * PRIORITY + 1], context[f + e * POINTS_OF_TOTAL + 1]
    search = (
        int64s(context[f + e * POINTS_OF_ROW], (rows_of, 2, context[f + e * POINTS_OF_ROW + 3])),
        int64s(context[f + e * REMAINING], (rows_of, rows_of)), int64s(context[f + e * GROUPS_OF], (rows_of,)),
        int64s(context[f + e * APART], (rows_of,)), int64s(context[f + e * PRIORITY], (rows_of,)),
        int64s(context[f + e * SERVES], (rows_of,)), int64s(context[f + e * VALUES], (rows_of,)),
        int64s(context[f + e * BIT_NUMBERS], (1024,)), context[f + e * FANKE_ROW], context[f + e * FANKE_VALUE],
    )  # fmt: skip
    relations = (
        int64s(context[f + e * HINDERS], (rows_of,)), int64s(context[f + e * CONCERNS], (rows_of,)),
        int64s(context[f + e * RELATED], (rows_of, rows_of)), int64s(context[f + e * SURE], (rows_of,)),
    )  # fmt: skip
    memo_at, memo_size, memo_columns = context[f + e * MEMO], context[f + e * MEMO + 1], context[f + e * MEMO + 2]
    if counting:
        memo_at, memo_size, memo_columns = (
            context[f + e * COUNTINGS], context[f + e * COUNTINGS + 1], context[f + e * COUNTINGS + 2],
        )  # fmt: skip
    figures = (
        int64s(context[f + e * FIELDS], (most, 5)), int64s(context[f + e * COMBINATIONS], (masks, 10)),
        (
            search, relations, int64s(context[f + e * UNIONS], (masks, context[f + e * UNIONS + 2])),
            int64s(context[f + e * POINTS_OF_TOTAL], (worths,)), context[f + e * FEWEST],
        ),
        int64s(memo_at, (memo_size, memo_columns)), int64s(context[f + e * SEEN], (context[f + e * SEEN + 1], 2)),
        (
            int64s(context[f + e * FIELD_AT], (context[f + e * FIELD_AT + 1], 64)),
            int64s(context[f + e * ROWS_ROOM], (22, context[f + e * ROWS_ROOM + 2])),
            int64s(context[f + e * OPEN_MASKS], (context[f + e * OPEN_MASKS + 1], 10)),
            int64s(context[f + e * ORDERS], (context[f + e * ORDERS + 1], context[f + e * ORDERS + 2])),
        ),
    )  # fmt: skip
    counts = uint8s(counts_at, (n if counting else 0, rows))
    for i in range(n):
        totals[i], more[i] = -1, 0
        if counting:
            for row in range(rows):
                counts[i, row] = 0
    weigh_residues(words[: results - 1, :n], words[results - 1, :n], figures, totals[:n], counts)
    return 0
