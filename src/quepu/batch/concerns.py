"""Readings in parts whose rows do not concern each other, for an arithmetic that adds by residues.

A row concerns another that it excludes, or leaves fewer of its groups if both may lie on one of them; and two that may
make the same pung a fan pung concern each other. A part adds what it would add alone, whatever else holds, so that few
totals serve for many readings (`quepu.batch.totals`). `quepu.batch.tally_loops.accreted` does the same one by one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from quepu.batch.countings import Open, SearchFigures, open_rows, pungs_of
from quepu.batch.tally_loops import MIX_ONE, MIX_TWO, SERVED_AT

Array = Any


class ConcernedParts(NamedTuple):
    """Sums of the rows of each reading that nothing concerns, and the parts of all readings: int64 each."""

    added: Array  # [readings]: what rows add that nothing concerns
    served: Array  # [readings]: the pungs that these make fan pungs
    of: Array  # [parts]: the reading
    words: Array  # [words, parts]: as `Accreted.words`, of the part's own rows
    serving: Array  # [parts]: the pungs that the part may make fan pungs and are so without it
    marks: Array  # [parts]: a hash of all that its totals follow from


def parts_of(words: Array, figures: SearchFigures) -> ConcernedParts:
    """The parts of readings by their words."""
    there = open_rows(words, figures)
    number = (there.held != 0).sum(axis=0)
    order = np.argsort(-number, kind="stable")  # so that only the first so many have a row in a slot
    words, there = words[:, order], Open(*(x[:, order] for x in there))
    ends = [int(np.count_nonzero(number > slot)) for slot in range(len(there.rows))]
    serves = there.groups & figures.serves[there.rows] * pungs_of(words[-1])
    sure, held = figures.sure[there.rows], there.held
    slots = np.arange(len(held))[:, None]
    every = np.bitwise_or.reduce((held != 0).astype(np.int64) << there.rows, axis=0)
    alone = (held != 0) & (figures.concerns[there.rows] & every == 0) & (sure >= 0)
    alone &= (serves == 0) | (held & held - 1 == 0)
    links = _links(there, serves * ~alone, ends, figures)
    for through, end in enumerate(ends):  # what concerns it through another row, too
        for slot, its_end in enumerate(ends):
            mine = links[slot, : min(end, its_end)]
            mine |= links[through, : len(mine)] * (mine >> through & 1)
    firsts = (held != 0) & ~alone & (links & (1 << slots) - 1 == 0)  # of a part its first row's slot stands for it
    first, of = np.nonzero(firsts)
    members = links[first, of]
    own, may = np.zeros((len(words), len(of)), np.int64), np.zeros(len(of), np.int64)
    own[-1] = words[-1, of]
    for slot in range(len(held)):
        some = np.flatnonzero(members >> slot & 1)
        at = of[some]
        may[some] |= serves[slot, at]
        _, word, shift, _, _ = figures.fields[there.fields[slot, at]].T
        own[word, some] |= held[slot, at] << shift
    served = np.bitwise_or.reduce(serves * alone, axis=0)
    serving = may & served[of]
    added = (sure * alone).sum(axis=0)
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    mark = hash_of(own[:-1], serving << SERVED_AT | may)
    return ConcernedParts(added[back], served[back], order[of], own, serving, mark ^ mark >> 32)


def hash_of(words: Array, start: Any = 0) -> Array:
    """A hash of words, good in its high bits: int64."""
    mark: Array = (np.zeros(words.shape[1], np.int64) + start) * np.int64(MIX_ONE)
    for word in words:
        mark = (mark ^ word) * np.int64(MIX_ONE)
        mark = (mark ^ mark >> 29) * np.int64(MIX_TWO)
    return mark


def _links(there: Open, serves: Array, ends: list[int], figures: SearchFigures) -> Array:
    """The slots of the rows that concern that of each slot, and its own, as masks."""
    links = np.zeros_like(there.rows) + (1 << np.arange(len(ends)))[:, None]
    for a, end in enumerate(ends):
        for b in range(a):
            how = figures.related[there.rows[a, :end], there.rows[b, :end]]
            touch = there.groups[a, :end] & there.groups[b, :end] != 0
            linked = (how > 1) | (how == 1) & touch | (serves[a, :end] & serves[b, :end] != 0)
            links[a, :end] |= linked.astype(np.int64) << b
            links[b, :end] |= linked.astype(np.int64) << a
    return links
