"""Sums of hands by class while a universe is sorted; the plain twin is a `Counter` of single hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.compiled.code_cache import installed
from quepu.fast.universe.census import PUNGS
from quepu.fast.universe.classes import Index
from quepu.fast.universe.compiled_sums import summed
from quepu.fast.universe.standard_hands import Universe
from quepu.hands.planes import Planes

Array = NDArray[Any]
_MIX = np.uint64(0x9E3779B97F4A7C15)
_MANY = 1 << 19
PlanesOf = Callable[[Array], Array]
"""The planes of readings by their numbers: int64 [n, planes]."""


class Several(NamedTuple):
    """Hands that can be read in several ways, by the codes of their readings in order (see `ClassedPart`)."""

    starts: Array  # int32 [kinds + 1]: where the readings of each kind begin
    code: Array  # int32 [readings]
    sets: Array  # int64 [readings]: tile sets of these hands as they are read so (a kong is four tiles)
    hands: Array  # int64 [kinds]
    examples: Array  # int64 [readings, planes]: the readings of one such hand


class ClassedPart(NamedTuple):
    """Hands of one shape. A code is 5 times the class, and the number of pungs."""

    readings: Array  # int64 [n, 3]: code, readings, tile sets
    single: Array  # int64 [n, 3]: code, hands of one reading, tile sets
    several: Several


class Collected:
    """Hands of one part while they are met."""

    def __init__(self) -> None:
        self._readings = np.zeros((0, 2), np.int64)
        self._single = np.zeros((0, 2), np.int64)
        self._place: dict[tuple[int, ...], int] = {}
        self._hands: list[int] = []
        self._sets: list[Array] = []
        self._examples: list[Array] = []
        self._marks, self._kind_of_mark = Index(), list[int]()
        self._met: list[tuple[Array, Array]] = []
        self._waiting = 0

    def readings(self, code: Array, weight: Array | None = None) -> None:
        """Readings of hands."""
        self._readings = _added(self._readings, code, weight)

    def single(self, code: Array, weight: Array) -> None:
        """Hands of one reading."""
        self._single = _added(self._single, code, weight)

    def standard(self, universe: Universe, kind: int, index: Array, numbers: Array) -> None:
        """Readings of the classes of these meld sets with this pair."""
        if installed():
            self._readings = summed(universe, kind, index, numbers, self._readings)
            return
        code = numbers.astype(np.int64) * PUNGS + universe.pungs[index]
        self.readings(code, universe.weights(kind, index))

    def single_but(self, code: Array, weight: Array) -> None:
        """Hands of one reading: all whose readings were added but these, which are part of those."""
        self._single = self._readings - _added(np.zeros_like(self._readings), code, weight)

    def whole(self, sums: Array, single: Array) -> None:
        """Readings and hands of one reading that were summed."""
        self._readings, self._single = sums, single

    def hands(self, of: Array, rank: Array, code: Array, weight: Array, planes: PlanesOf) -> None:
        """Readings of hands `of`, each hand's in the order of `rank`; `planes` are those of readings by number."""
        if not len(of):
            return
        order = np.lexsort((rank, of))
        of, code, weight = of[order], code[order], weight[order]
        first = np.flatnonzero(np.concatenate([[True], of[1:] != of[:-1]]))
        size = np.diff(np.append(first, len(of)))
        self.single(code[first[size == 1]], weight[first[size == 1]])
        new: list[Array] = []
        for n in np.unique(size[size > 1]).tolist():
            at = first[size == n][:, None] + np.arange(n)
            codes = code[at]
            _, index, inverse, hands = np.unique(
                _marked(codes), return_index=True, return_inverse=True, return_counts=True
            )
            sets = np.stack([_added_up(inverse, column, len(index)) for column in weight[at].T], axis=1)
            for row, one, many, w in zip(codes[index].tolist(), index.tolist(), hands.tolist(), sets, strict=True):
                place, is_new = self._kind(tuple(row))
                if is_new:
                    new.append(order[at[one]])
                self._hands[place] += many
                self._sets[place] += w
        if new:
            self._examples.append(planes(np.concatenate(new)))

    def _kind(self, codes: tuple[int, ...]) -> tuple[int, bool]:
        """The number of the kind of hands with readings of these codes, and whether it is new."""
        found = self._place.get(codes)
        if found is not None:
            return found, False
        self._place[codes] = number = len(self._hands)
        self._hands.append(0)
        self._sets.append(np.zeros(len(codes), np.int64))
        return number, True

    def alternatives(self, codes: Array, weight: Array, planes: Callable[[int, Array], Array]) -> None:
        """Hands with the codes of their readings in order: int64 [hands, most readings], -1 where there are fewer.

        The same as `hands` in less time. Planes: those of the j-th reading of some hands.
        """
        marks = _marked(codes)
        found = self._marks.find(marks)
        unmet = np.flatnonzero(found < 0)
        if unmet.size:
            new, first = np.unique(marks[unmet], return_index=True)
            self._marks.add(new)
            for at in unmet[first].tolist():
                row = codes[at][codes[at] >= 0]
                place, is_new = self._kind(tuple(row.tolist()))
                self._kind_of_mark.append(place)
                if is_new:
                    self._examples.append(np.concatenate([planes(j, np.array([at])) for j in range(len(row))]))
            found = self._marks.find(marks)
        self._met.append((found, weight))
        self._waiting += len(found)
        if self._waiting >= _MANY:
            self._add_up()

    def _add_up(self) -> None:
        if not self._met:
            return
        marks, weight = (np.concatenate(column) for column in zip(*self._met, strict=True))
        self._met, self._waiting = [], 0
        kinds = np.array(self._kind_of_mark)[marks]
        many = np.bincount(kinds)
        sets = _added_up(kinds, weight, len(many))
        for place in np.flatnonzero(many).tolist():
            self._hands[place] += int(many[place])
            self._sets[place] += sets[place]

    def part(self) -> ClassedPart:
        """Return the collected part."""
        self._add_up()
        sizes = [len(key) for key in self._place]
        none = np.zeros(0, np.int64)
        several = Several(
            np.cumsum([0, *sizes]).astype(np.int32),
            np.array([code for key in self._place for code in key], np.int32),
            np.concatenate([none, *self._sets]),
            np.array(self._hands, np.int64),
            np.concatenate([np.zeros((0, len(Planes._fields)), np.int64), *self._examples]),
        )
        return ClassedPart(_met(self._readings), _met(self._single), several)


def _marked(codes: Array) -> Array:
    """A mark of each row of codes, the same for equal rows: uint64, as unlikely to be that of another as a signature's.

    Sorting marks takes a tenth of the time that sorting rows does.
    """
    marks = np.zeros(len(codes), np.uint64)
    for column in codes.T:
        marks = (marks ^ column.astype(np.uint64)) * _MIX
        marks ^= marks >> np.uint64(29)
    return marks


def _added_up(at: Array, weight: Array, n: int) -> Array:
    """The sum of the weights at each of n places: int64. Doubles are exact here, as in `_added`."""
    return np.bincount(at, weight, n).astype(np.int64)


def _added(sums: Array, code: Array, weight: Array | None) -> Array:
    """Sums [codes, 2] of numbers and weights with these added. Doubles are exact here: all stay below 2 ** 53."""
    if not len(code):
        return sums
    n = max(len(sums), int(code.max()) + 1)
    if len(sums) < n:
        sums = np.concatenate([sums, np.zeros((n - len(sums), 2), np.int64)])
    sums[:, 0] += np.bincount(code, minlength=n)
    if weight is not None:
        sums[:, 1] += _added_up(code, weight, n)
    return sums


def _met(sums: Array) -> Array:
    at = np.flatnonzero(sums[:, 0])
    return np.concatenate([at[:, None], sums[at]], axis=1)
