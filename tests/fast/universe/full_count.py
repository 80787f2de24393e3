"""A full count of drafts of one book: every reading of every hand is asked the draft's own conditions, one by one.

What the book's own conditions say of a reading is asked once for all drafts. Of a draft, each distinct answer is scored
by `Rulebook.tally`, as a single hand is, and a hand that can be read in several ways counts by its best reading.
"""

from __future__ import annotations

from itertools import starmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.readings import planes_at
from quepu.fast.universe.census import classify, classify_by_pair, may_win
from quepu.fast.universe.classed import conditions_of
from quepu.fast.universe.classes import Classes, Signatures
from quepu.fast.universe.special import counts_of, is_standard, is_tabulated, special_wins, tabulate, ways
from quepu.fast.universe.standard_hands import HandState, Universe, find_shared
from quepu.fast.universe.valued import HandClassifier
from quepu.hands.hand import Luck
from quepu.hands.planes import Planes
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.shapes.standard import SHAPE as STANDARD
from quepu.tiles import EAST

Array = NDArray[Any]
Counted = dict[tuple[int, int], tuple[int, int]]
"""Hands and tile sets by points before and after."""


class EveryReading:
    """All readings in a state, with their classes under a book."""

    def __init__(self, book: Rulebook, state: HandState) -> None:
        self.book, self.state, self.universe = book, state, Universe(state)
        self.classes = Classes(book)
        self._blocks: list[tuple[Any, Array]] = []  # planes that are gathered, and which of them
        self._number: list[Array] = []
        self._weight: list[Array] = []
        self._several: list[tuple[Array, Array, Array]] = []  # group, order, place among all readings
        self._left_out: list[Array] = []
        self._both: list[Array] = []  # keys of tiles that are of a special shape and standard too
        self._read_standard()
        self._other: list[tuple[HandArrays, Array]] = []
        shapes = [SHAPES[name] for name in book.shapes if not SHAPES[name].plain and may_win(name, state)]
        for shape in shapes:
            if shape.boundless or any(other.covers(shape) for other in shapes):
                continue
            if is_tabulated(shape):
                self._tabulate(shape)
            else:
                self._other += special_wins(shape.name, state, EAST, EAST)
        if any(keys.size for keys in self._both):
            counts = counts_of(np.unique(np.concatenate(self._both, axis=1), axis=1))
            self._other.append((HandArrays(counts, None, -1, EAST, EAST, state.luck), ways(counts)))
        self.number, self.weight = np.concatenate(self._number), np.concatenate(self._weight).astype(float)
        self.group, self.order, self.place = (np.concatenate(c) for c in zip(*self._several, strict=True))
        alone = np.ones(len(self.number), np.bool_)
        alone[np.concatenate([self.place, *self._left_out])] = False
        self.alone = np.flatnonzero(alone)
        self.alone_weight = self.weight[self.alone]
        order = np.lexsort((self.order, self.group))
        self.group, self.place = self.group[order], self.place[order]
        self.firsts = np.flatnonzero(np.diff(self.group, prepend=-1))
        self.starts = np.cumsum([0, *map(len, self._number)])
        self.points = np.array([book.tally(h).points for h in self.classes.examples])
        self.total = self.points + np.array([book.tally(h).bonus for h in self.classes.examples])
        number = self.number[self.place]
        self.before = self._best(self.points[number], self.total[number])
        self.before_weight = self.weight[self.before]

    def _read_standard(self) -> None:
        same, at = find_shared(), 0
        for kind, index, number in classify(self.classes, self.universe):
            self._blocks.append((kind, index))
            self._number.append(number)
            self._weight.append(self.universe.weights(kind, index))
            mine = np.flatnonzero(same.pair == kind)
            where = np.minimum(np.searchsorted(index, same.melds[mine]), len(index) - 1)
            there = index[where] == same.melds[mine]
            self._several.append((same.group[mine[there]], same.order[mine[there]], at + where[there]))
            at += len(index)

    def _tabulate(self, shape: Any) -> None:
        keys, places = [], []
        at = sum(map(len, self._number))
        first = max((int(group.max(initial=-1)) for group, _, _ in self._several), default=-1) + 1
        for chunk in tabulate(shape):
            h = chunk.planes(EAST, EAST, self.state.luck | int(Luck.CLOSED))
            self._blocks.append((h, np.arange(len(chunk.weight))))
            self._number.append(self.classes.classify(h, len(chunk.weight)))
            self._weight.append(chunk.weight)
            standing = is_standard(chunk.keys)
            more = np.flatnonzero(~standing & chunk.several)
            keys.append(chunk.keys[:, more])
            places.append(at + more)
            self._left_out.append(at + np.flatnonzero(standing))
            self._both.append(chunk.keys[:, standing])
            at += len(chunk.weight)
        of = np.unique(np.concatenate(keys, axis=1), axis=1, return_inverse=True)[1].reshape(-1)
        place = np.concatenate(places)
        self._several.append((first + of, np.arange(len(of)), place))

    def planes(self, places: Array) -> list[Planes]:
        """The planes of some readings."""
        found = np.zeros((len(places), len(Planes._fields)), np.int64)
        block = np.searchsorted(self.starts, places, side="right") - 1
        for number in np.unique(block).tolist():
            mine = np.flatnonzero(block == number)
            source, index = self._blocks[number]
            some = index[places[mine] - self.starts[number]]
            gathered = self.universe.block(source, some) if isinstance(source, int) else source
            found[mine] = planes_at(gathered, np.arange(len(some)) if isinstance(source, int) else some)
        return list(starmap(Planes, found.tolist()))

    def count(self, draft: Rulebook) -> Counted:
        """Count the hands under the book and a draft of it."""
        known = conditions_of(self.book).by_hash
        fresh = Signatures(part for key, part in conditions_of(draft).by_hash.items() if key not in known)
        if fresh.columns:
            made = [number for _, _, number in classify_by_pair(fresh, self.universe, compiling=False)]
            made += [fresh.classify(h, len(at)) for h, at in self._blocks[len(made) :]]
            key = self.number * np.int64(len(fresh))
            key += np.concatenate(made)
        else:
            key = self.number.astype(np.int64)
        example = np.full(int(key.max()) + 1, -1)
        example[key] = np.arange(len(key))
        there = np.flatnonzero(example >= 0)
        tallies = [draft.tally(h) for h in self.planes(example[there])]
        new = np.zeros(len(example), np.int64)
        new[there] = [tally.points for tally in tallies]
        total = new.copy()
        total[there] += [tally.bonus for tally in tallies]
        old = np.zeros(len(example), np.int64)
        old[there] = self.points[self.number[example[there]]]
        found = _Pairs()
        alone = key[self.alone]
        hands = np.bincount(alone, minlength=len(example))
        sets = np.bincount(alone, self.alone_weight, len(example))
        found.add(old, new, hands, sets)
        several = key[self.place]
        after = self._best(new[several], total[several])
        found.add(old[key[self.before]], new[key[after]], np.ones(len(after), np.int64), self.before_weight)
        self._add_others(found, draft)
        return found.counted()

    def _best(self, points: Array, total: Array) -> Array:
        """The best reading of each hand that has several, by group: of equals the first."""
        worth = total.astype(np.int64) << 32 | points
        most = np.maximum.reduceat(worth, self.firsts)
        at = np.flatnonzero(worth == np.repeat(most, np.diff(self.firsts, append=len(worth))))
        group = self.group[at]
        return np.asarray(self.place[at[np.flatnonzero(np.diff(group, prepend=-1))]])

    def _add_others(self, found: _Pairs, draft: Rulebook) -> None:
        both = HandClassifier(self.book, state=self.state), HandClassifier(draft, state=self.state)
        for wins, weight in self._other:
            for shapes, sign in ((None, 1), ((STANDARD.name,), -1)):
                one, other = (sorter.classify(wins, shapes) for sorter in both)
                at = np.flatnonzero(one.valid)
                assert np.array_equal(one.valid, other.valid)
                values = [
                    sorter.classes.points[made.classes[at]] for sorter, made in zip(both, (one, other), strict=True)
                ]
                found.add(values[0], values[1], np.full(len(at), sign), sign * weight[at])


class _Pairs:
    """Sums of hands and tile sets by points before and after."""

    def __init__(self) -> None:
        self._sums: dict[tuple[int, int], list[int]] = {}

    def add(self, old: Array, new: Array, hands: Array, sets: Array) -> None:
        both, at = np.unique(old.astype(np.int64) << 32 | new, return_inverse=True)
        sums = [np.bincount(at.reshape(-1), column, len(both)).astype(np.int64) for column in (hands, sets)]
        for key, n, w in zip(both.tolist(), *(column.tolist() for column in sums), strict=True):
            mine = self._sums.setdefault((key >> 32, key & 0xFFFF_FFFF), [0, 0])
            mine[0] += n
            mine[1] += w

    def counted(self) -> Counted:
        return {key: (n, w) for key, (n, w) in self._sums.items() if n}
