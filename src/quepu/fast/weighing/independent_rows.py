"""Readings in parts whose rows do not concern each other, for an arithmetic that adds by residues.

A row concerns another that it excludes, or leaves fewer of its groups if both may lie on one of them; and two that may
make the same pung a fan pung concern each other. A part adds what it would add alone, whatever else holds, so that few
totals serve for many readings (`quepu.fast.weighing.residue_totals`). `quepu.fast.weighing.residue_kernel.accreted`
does the same one by one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from quepu.fast.weighing.residue_kernel import MIX_ONE, PUNGS_AT, SERVED_AT, mixed
from quepu.fast.weighing.residue_search import SearchFigures, holding_rows, pungs_of

Array = Any
_ORDERED = np.arange(2 * PUNGS_AT)
"""The groups whose order says nothing: chows and pungs."""
_LAST = np.int64(1 << 62)


class ConcernedParts(NamedTuple):
    """Sums of the rows of each reading that nothing concerns, and the parts of all readings: int64 each."""

    added: Array  # [readings]: what rows add that nothing concerns
    served: Array  # [readings]: the pungs that these make fan pungs
    of: Array  # [parts]: the reading
    words: Array  # [words, parts]: as `Accreted.words`, of the part's own rows
    may: Array  # [parts]: the pungs that the part may make fan pungs
    serving: Array  # [parts]: those of them that are so without it
    marks: Array  # [parts]: a hash of all that its totals follow from


def parts_of(words: Array, figures: SearchFigures) -> ConcernedParts:
    """The parts of readings by their words."""
    n = words.shape[1]
    of, fields, held = holding_rows(words, figures)
    rows, kinds = (figures.fields[:, column].take(fields) for column in (0, 4))
    groups = figures.unions.take(kinds * figures.unions.shape[1] + held)
    serves, sure = groups & figures.serves.take(rows) * pungs_of(words[-1]).take(of), figures.sure.take(rows)
    every = _united(np.int64(1) << rows, of, n)
    alone = (figures.concerns.take(rows) & every.take(of) == 0) & (sure >= 0) & ((serves == 0) | (held & held - 1 == 0))
    added = np.bincount(of, sure * alone, n).astype(np.int64)
    served = _united(serves * alone, of, n)
    rest = np.flatnonzero(~alone)
    of, fields, held, rows, groups, serves = (x.take(rest) for x in (of, fields, held, rows, groups, serves))
    number = np.bincount(of, minlength=n)
    start = (np.cumsum(number) - number)[of]
    place = np.arange(len(of)) - start
    links = _links(rows, groups, serves, start, number[of], figures)
    first = start + np.bitwise_count((links & -links) - 1)  # of a part its first row stands for it
    is_first = links & (np.int64(1) << place) - 1 == 0
    part = (np.cumsum(is_first) - 1)[first]
    of, parts = of[is_first], int(is_first.sum())
    own = np.empty((len(words), parts), np.int64)
    order = np.argsort(part, kind="stable")
    part, fields = part[order], fields[order]
    word, bits = figures.fields[:, 1].take(fields), held[order] << figures.fields[:, 2].take(fields)
    for k in range(len(words) - 1):
        own[k] = _united(bits * (word == k), part, parts)
    own[-1] = words[-1, of]
    may = _united(serves[order], part, parts)
    serving = may & served[of]
    return ConcernedParts(added, served, of, own, may, serving, _marks(own, may, serving))


def reordered(words: Array, may: Array, serving: Array, figures: SearchFigures) -> tuple[Array, Array, Array]:
    """Parts with their chows and their pungs in an order of what holds on them: words, serving and marks.

    Their totals are the same, and most parts that differ in that order alone become one. A group is known by the rows
    that may lie on it, and those by all groups of theirs.
    """
    of, fields, held = holding_rows(words, figures)
    every = figures.choices[figures.fields[:, 4].take(fields), held]
    row, place = np.nonzero(every)
    of, fields, masks = of.take(row), fields.take(row), every[row, place].astype(np.int64)  # of each choice of groups
    starts = np.searchsorted(of, np.arange(words.shape[1]))
    on = masks[:, None] >> _ORDERED & 1
    weight = serving[:, None] >> _ORDERED & 1
    for _ in range(2):
        choice = mixed(fields + 1, (on * weight.take(of, axis=0)).sum(axis=1))
        weight = mixed(weight, np.add.reduceat(on * choice[:, None], starts))
    there = pungs_of(words[-1])[:, None] >> _ORDERED & 1
    weight = weight & _LAST - 1 | there * _LAST  # pungs that are not there stay behind the others
    order = np.concatenate(
        [(-x).argsort(axis=1, kind="stable") for x in (weight[:, :PUNGS_AT], weight[:, PUNGS_AT:])], 1
    )
    order[:, PUNGS_AT:] += PUNGS_AT
    masks = _moved(masks, order.take(of, axis=0))
    single = figures.choices[:, 1 << np.arange(figures.choices.shape[2]), 0].astype(np.int64)
    bits = (masks[:, None] == single[figures.fields[:, 4].take(fields)]).argmax(axis=1)
    own = np.zeros_like(words)
    np.bitwise_or.at(
        own, (figures.fields[:, 1].take(fields), of), np.int64(1) << bits + figures.fields[:, 2].take(fields)
    )
    own[-1] = words[-1]
    serving = _moved(serving, order)
    return own, serving, _marks(own, _moved(may, order), serving)


def _moved(masks: Array, order: Array) -> Array:
    """Masks of groups whose chows and pungs come in this order: [n], [n, 8]."""
    rest = masks & ~((1 << len(_ORDERED)) - 1)
    return rest | ((masks[:, None] >> order & 1) << _ORDERED).sum(axis=1)


def _marks(words: Array, may: Array, serving: Array) -> Array:
    """A hash of parts: int64."""
    mark = hash_of(words[:-1], serving << SERVED_AT | may)
    return mark ^ mark >> 32


def hash_of(words: Array, start: Any = 0) -> Array:
    """A hash of words, good in its high bits: int64."""
    mark: Array = (np.zeros(words.shape[1], np.int64) + start) * np.int64(MIX_ONE)
    for word in words:
        mark = mixed(mark, word)
    return mark


def _links(rows: Array, groups: Array, serves: Array, start: Array, number: Array, figures: SearchFigures) -> Array:
    """The places of the rows that concern each row of a reading, through others too, and its own, as masks.

    start, number: of each row's reading, where its rows begin and how many there are.
    """
    place = np.arange(len(rows)) - start
    own = np.repeat(np.arange(len(rows)), place)
    other = np.arange(len(own)) - np.repeat(np.cumsum(place) - place - start, place)  # each one before it
    how = figures.related.take(np.repeat(rows * len(figures.related), place) + rows.take(other))
    touch = np.repeat(groups, place) & groups.take(other) != 0
    linked = (how > 1) | (how == 1) & touch | (np.repeat(serves, place) & serves.take(other) != 0)
    there = np.flatnonzero(linked)
    own, other = own[there], other[there]
    bit = np.int64(1) << place
    links = bit.copy()
    np.add.at(links, own, bit.take(other))
    np.add.at(links, other, bit.take(own))
    last = start + number - 1
    for through in range(int(number.max(initial=0))):
        links |= links.take(np.minimum(start + through, last)) * (links >> through & 1)
    return links


def _united(masks: Array, of: Array, n: int) -> Array:
    """The union of the masks of each of n, in order: int64 [n]."""
    found = np.zeros(n, np.int64)
    if len(of):
        starts = np.flatnonzero(np.append(True, of[1:] != of[:-1]))
        found[of[starts]] = np.bitwise_or.reduceat(masks, starts)
    return found
