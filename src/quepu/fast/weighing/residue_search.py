"""The best counting of many readings at once, for an arithmetic that adds by residues: the search on arrays.

What `quepu.fast.weighing.residue_kernel.accreted` finds reading by reading, here without numba: every set of rows that
may count is one state, all readings together, priority after priority. Groups are bits of a mask: the chows from bit 0,
the pungs from bit `PUNGS_AT`, the pair behind them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from quepu.fast.weighing.residue_kernel import MOST_ORDERED, PUNGS_AT

Array = Any
_READINGS = 4096
"""Readings searched together, which bounds the memory."""
_FEW = 1000
"""So many are searched together at once."""
_SIMILAR = (3, 4, 5, 6, 8)
"""Of more those with up to so many rows are."""
_BITS, _SLOTS = 9, 7
"""Bits of a mask of groups, and how many masks a word has room for."""


class Countings(NamedTuple):
    """The best counting of each reading."""

    totals: Array  # int64, -1 where more rows of one priority hold than are looked at
    rows: Array  # int64, the rows that count, as a mask; where no fans are wanted those of any best counting
    fan_pungs: Array  # int64, how many pungs are fan pungs


class SearchFigures(NamedTuple):
    """The figures of a book, as `Accreted.tables` has them."""

    fields: Array
    choices: Array  # int16 [kinds, 1024, 10]: of rows of a kind, by where they hold: the masks of these choices
    unions: Array  # int64 [kinds, 1024]: all of them in one
    concerns: Array
    related: Array
    sure: Array
    points: Array
    remaining: Array
    groups: Array
    apart: Array
    priority: Array
    serves: Array
    values: Array
    fan_pung: int
    fan_pung_value: int
    fewest: bool


class Open(NamedTuple):
    """The rows that hold in some readings, by priority: slot after slot, int64 [slots, readings] each."""

    fields: Array  # 0 in slots that are empty
    held: Array  # the choices of groups on which it holds as bits, 0 in slots that are empty
    rows: Array  # 0 in slots that are empty
    groups: Array  # all groups that it may lie on


class _States(NamedTuple):
    """Sets of rows, readings in order. Of two totals the first is without fan pungs, the second with them."""

    of: Array  # the reading
    taken: Array  # the rows as a mask
    served: Array  # groups of rows that make fan pungs of pungs
    masks: Array  # int64 [words, states]: the groups of each slot's row, _BITS each, 0 where it does not count
    totals: Array  # int64 [2, states]
    zeros: Array  # int64 [2, states]: how many rows add nothing

    def at(self, places: Array) -> _States:
        """Some of them."""
        return _States(*(x.take(places, axis=-1) for x in self))


def best_countings(words: Array, figures: SearchFigures) -> Countings:
    """The best counting of readings by their words, as `Accreted.words` returns them."""
    found = Countings(*np.full((3, words.shape[1]), -1))
    for some in _similar(words, figures):
        for column, values in zip(found, _best(words[:, some], figures), strict=True):
            column[some] = values
    return found


def best_totals(words: Array, figures: SearchFigures, serving: Array) -> tuple[Array, Array]:
    """The highest totals of readings by their words, without fan pungs and with them: int64 each.

    serving: pungs that are fan pungs by rows that are left out of the words; they are not added.
    The first is -1 where more rows of one priority hold than are looked at.
    """
    found = np.full((2, words.shape[1]), -1)
    for some in _similar(words, figures):
        there = open_rows(words[:, some], figures)
        states = _all_states(len(some), there, figures, False, serving[some])
        new = states.served & ~serving[some][states.of] & pungs_of(words[-1, some])[states.of]
        fan_pungs = figures.fan_pung_value * np.bitwise_count(new).astype(np.int64)
        starts = np.searchsorted(states.of, np.arange(len(some)))
        without, beside = states.totals[0], states.totals[1] + fan_pungs
        found[:, some] = [np.maximum.reduceat(x, starts) for x in (without, beside)]
        found[0, some[_too_many(there, figures)]] = -1
    return found[0], found[1]


def pungs_of(number: Any) -> Any:
    """So many pungs as a mask of groups."""
    return (1 << number) - 1 << PUNGS_AT


def _similar(words: Array, figures: SearchFigures) -> Iterator[Array]:
    """Parts of the readings; of many those with about as many rows in one."""
    if words.shape[1] <= _FEW:
        yield np.arange(words.shape[1])
        return
    number = np.zeros(words.shape[1], np.int64)
    for _, word, shift, bits, _ in figures.fields.tolist():
        number += (words[word] >> shift & (1 << bits) - 1) != 0
    group = np.searchsorted(_SIMILAR, number)
    for k in range(len(_SIMILAR) + 1):
        some = np.flatnonzero(group == k)
        for at in range(0, len(some), _READINGS):
            yield some[at : at + _READINGS]


def _best(words: Array, figures: SearchFigures) -> Countings:
    n = words.shape[1]
    there = open_rows(words, figures)
    states = _all_states(n, there, figures, True, np.zeros(n, np.int64))
    counted = np.bitwise_count(states.served & pungs_of(words[-1])[states.of]).astype(np.int64)
    if figures.fan_pung < 0:
        counted[:] = 0
    sums = np.where(counted > 0, states.totals[1] + figures.fan_pung_value * counted, -1), states.totals[0]
    starts = np.searchsorted(states.of, np.arange(n))
    tops = [np.maximum.reduceat(x, starts) for x in sums]
    totals = np.maximum(*tops)
    rows, fan_pungs = np.zeros(n, np.int64), np.zeros(n, np.int64)
    with_pungs = tops[0] == totals  # of equal totals the one with them
    candidate = np.where(with_pungs[states.of], *sums) == totals[states.of]
    best = _first(np.flatnonzero(candidate), states, with_pungs, figures)
    rows[states.of[best]] = states.taken[best]
    fan_pungs[states.of[best]] = (counted * with_pungs[states.of])[best]
    return Countings(np.where(_too_many(there, figures), -1, totals), rows, fan_pungs)


def _first(best: Array, states: _States, with_pungs: Array, figures: SearchFigures) -> Array:
    """Countings of equal totals, the best of each reading behind its others."""
    of, taken = states.of[best], states.taken[best]
    several = np.bincount(of)[of] > 1
    alone, best, of, taken = best[~several], best[several], of[several], taken[several]
    size = np.bitwise_count(taken).astype(np.int64)
    values = np.full((int(size.max(initial=0)) + 1, len(best)), -1)
    place = np.zeros(len(best), np.int64)
    for row in np.argsort(-figures.values, kind="stable").tolist():
        there = np.flatnonzero(taken >> row & 1)
        values[place[there], there] = figures.values[row]
        place[there] += 1
    few = size if figures.fewest else size * 0
    zeros = states.zeros[with_pungs[of] * 1, best]
    order = np.lexsort((-np.arange(len(best)), *values[::-1], -few, -zeros, of))
    return np.concatenate([alone, best[order]])


def _levels(there: Open, figures: SearchFigures) -> Array:
    """The priorities of rows, -1 in slots that are empty."""
    return np.where(there.held != 0, figures.priority[there.rows], -1)


def _too_many(there: Open, figures: SearchFigures) -> Array:
    """Whether more rows of one priority hold than are looked at."""
    held = _levels(there, figures)
    most = [(held == level).sum(axis=0) for level in np.unique(held[held >= 0]).tolist()]
    return np.max(most, axis=0) > MOST_ORDERED if most else np.zeros(there.held.shape[1], np.bool_)


def open_rows(words: Array, figures: SearchFigures) -> Open:
    """The rows that hold, unpacked."""
    of, field, x = holding_rows(words, figures)
    number = np.bincount(of, minlength=words.shape[1])
    slot = np.arange(len(of)) - (np.cumsum(number) - number)[of]
    fields, held = np.zeros((2, int(number.max(initial=0)), words.shape[1]), np.int64)
    fields[slot, of], held[slot, of] = field, x
    return Open(fields, held, figures.fields[fields, 0], figures.unions[figures.fields[fields, 4], held])


def holding_rows(words: Array, figures: SearchFigures) -> tuple[Array, Array, Array]:
    """The rows that hold, reading by reading, by priority: the reading, the field, the choices of groups as bits."""
    _, word, shift, bits, _ = figures.fields.T
    every = (np.ascontiguousarray(words.T).take(word, axis=1) >> shift & (1 << bits) - 1).reshape(-1)
    there = np.flatnonzero(every != 0)
    of = there // len(figures.fields)
    return of, there - of * len(figures.fields), every.take(there)


def _free(there: Open, figures: SearchFigures, fans: bool) -> tuple[Array, Array]:
    """Rows that only help: no row is excluded by one or left fewer of its groups, and it always adds something.

    Without `fans` it is enough that it takes nothing away. Then the rows that leave another fewer of its groups: bool
    [slots, readings] each.
    """
    rows, held, union = there.rows, there.held != 0, there.groups
    own = figures.groups[rows]
    every = np.bitwise_or.reduce(held.astype(np.int64) << rows, axis=0)
    touch = (union[:, None] & union) != 0  # an empty slot has no groups
    touch[np.arange(len(rows)), np.arange(len(rows))] = False
    left = np.where(touch, np.minimum(figures.remaining[rows[:, None], rows], own), own)  # by each row to each other
    hinders = (left < own).any(axis=1)
    least = left.min(axis=0, initial=int(own.max(initial=0)))
    free = held & ~hinders & (figures.apart[rows] & every == 0)
    for with_pungs in (0, 1):
        free &= figures.points[rows, with_pungs, least] >= int(fans)
    return free, hinders


def _all_states(n: int, there: Open, figures: SearchFigures, fans: bool, serving: Array) -> _States:
    """Every set of rows that may count in these readings, with what it adds up to."""
    (free, hinders), levels = _free(there, figures, fans), _levels(there, figures)
    masks = figures.choices[figures.fields[there.fields, 4], there.held]
    none = np.zeros(n, np.int64)
    words = -(-len(there.rows) // _SLOTS)
    both = np.zeros((2, n), np.int64)
    states = _States(np.arange(n), none, serving, np.zeros((words, n), np.int64), both, both)
    for level in np.unique(levels[levels >= 0]).tolist():
        first = ((levels < level) & (levels >= 0)).sum(axis=0)
        number = (levels == level).sum(axis=0)
        for j in range(int(number.max())):
            states = _with_row(states, np.where(j < number, first + j, -1), there, masks, free, figures)
        states = _added_up(states, first, number, there, hinders, figures)
    return states


def _with_row(states: _States, slots: Array, there: Open, masks: Array, free: Array, figures: SearchFigures) -> _States:
    """The sets with the row of a reading's slot on each of its choices of groups, and without it; -1: no slot.

    masks: of each slot's choices: [slots, readings, choices].
    """
    of = states.of
    slot = slots[of]
    row = there.rows[slot, of]
    may = (slot >= 0) & (figures.apart[row] & states.taken == 0)
    choices = np.bitwise_count(there.held[slot, of]) * may.astype(np.int64)
    number = choices + ~(may & free[slot, of])
    parent = np.repeat(np.arange(len(of)), number)
    choice = np.arange(len(parent)) - np.repeat(np.cumsum(number) - number, number)
    new = states.at(parent)
    counts = np.flatnonzero(choice < choices[parent])
    at, row = slot[parent[counts]], row[parent[counts]]
    mask = masks[at, new.of[counts], choice[counts]].astype(np.int64)
    new.masks[at // _SLOTS, counts] |= mask << at % _SLOTS * _BITS
    new.taken[counts] |= 1 << row
    new.served[counts] |= mask * figures.serves[row]
    return new


def _masks_of(states: _States, slots: Any, some: Array) -> Array:
    """The groups on which the rows of these slots (or of one) count in some states, 0 where they do not."""
    word = slots // _SLOTS
    return states.masks[word, some] >> (slots - word * _SLOTS) * _BITS & (1 << _BITS) - 1


def _added_up(
    states: _States, first: Array, number: Array, there: Open, hinders: Array, figures: SearchFigures
) -> _States:
    """The same sets with what the rows of one priority add in the order that makes it least."""
    some = np.flatnonzero(number[states.of])
    start, last = first[states.of[some]], number[states.of[some]]
    most = len(there.rows) - 1
    masks = np.array(
        [np.where(j < last, _masks_of(states, np.minimum(start + j, most), some), 0) for j in range(int(number.max()))]
    )
    held = masks != 0
    size = held.sum(axis=0)
    earlier = hinders & (np.arange(len(hinders))[:, None] < first)
    for k in range(1, len(masks) + 1):
        here = np.flatnonzero(size == k)
        if not here.size:
            continue
        mine = some[here]
        places = np.nonzero(held[:, here].T)[1].reshape(-1, k).T  # the slots of those that count, counted from `start`
        rows = there.rows[start[here] + places, states.of[mine]]
        on = masks[places, here]
        left = figures.groups[rows]
        of = states.of.take(mine)
        for slot in np.flatnonzero(earlier.any(axis=1)).tolist():
            before = np.flatnonzero(earlier[slot].take(of))
            groups = _masks_of(states, slot, mine.take(before))
            before, groups = before[groups != 0], groups[groups != 0]
            if not before.size:
                continue
            rest = figures.remaining[there.rows[slot].take(of.take(before)), rows[:, before]]
            touch = groups & on[:, before] != 0
            left[:, before] = np.where(touch, np.minimum(left[:, before], rest), left[:, before])
        added, nothing = _least(rows, on, left, figures)
        states.totals[:, mine] += added.T
        states.zeros[:, mine] += nothing.T
    return states


def _least(rows: Array, masks: Array, left: Array, figures: SearchFigures) -> tuple[Array, Array]:
    """The least that these rows add in any order, and how many of them add nothing then: rows, masks, left [k, n].

    Both without fan pungs and with them: [n, 2].
    """
    k = len(rows)
    if k == 1:
        adds = figures.points[rows[0], :, left[0]]
        return adds, adds == 0
    after = [
        np.where(masks[j] & masks != 0, figures.remaining[rows[j], rows], figures.groups[rows]) for j in range(k)
    ]  # what a row leaves of each of the others
    total, nothing = np.zeros((2, len(left[0]), 2), np.int64)
    for j in range(k):
        adds = figures.points[rows[j], :, left[j]]
        total, nothing = total + adds, nothing + (adds == 0)
    some = np.flatnonzero(_matters(after, left))
    if some.size:
        few = [x[:, some] for x in after]
        total[some], nothing[some] = _least_in_order(rows[:, some], left[:, some], few, figures)
    return total, nothing


def _matters(after: list[Array], left: Array) -> Array:
    """Whether a row that comes earlier leaves another fewer groups than it has in any case."""
    found = np.zeros(left.shape[1], np.bool_)
    for j, rest in enumerate(after):
        for i in range(len(after)):
            if i != j:
                found |= rest[i] < left[i]
    return found


def _least_in_order(rows: Array, left: Array, after: list[Array], figures: SearchFigures) -> tuple[Array, Array]:
    """The same where the order matters; after: what each row leaves of each of the others."""
    k = len(rows)
    none = np.zeros((len(left[0]), 2), np.int64)
    lefts, totals, zeros = [left], [none], [none]
    for some in range(1, 1 << k):
        lowest = (some & -some).bit_length() - 1
        lefts.append(np.minimum(lefts[some ^ 1 << lowest], after[lowest]) if some + 1 < 1 << k else left)
        best: tuple[Array, Array] | None = None
        for j in range(k - 1, -1, -1):  # of equal orders the one in which the book's own last row is last
            if not some >> j & 1:
                continue
            before = some ^ 1 << j
            adds = figures.points[rows[j], :, lefts[before][j]]
            total, nothing = totals[before] + adds, zeros[before] + (adds == 0)
            if best is not None:
                less = total < best[0]
                total, nothing = np.where(less, total, best[0]), np.where(less, nothing, best[1])
            best = total, nothing
        if best is not None:
            totals.append(best[0])
            zeros.append(best[1])
    return totals[-1], zeros[-1]
