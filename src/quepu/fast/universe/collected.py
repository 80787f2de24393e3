"""Sums of hands by class while a universe is sorted; the plain twin is a `Counter` of single hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.compiled.code_cache import installed
from quepu.fast.universe.census import PUNGS
from quepu.fast.universe.compiled_sums import summed
from quepu.fast.universe.standard_hands import Universe
from quepu.hands.planes import Planes

Array = NDArray[Any]
_MIX = np.uint64(0x9E3779B97F4A7C15)
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
        alike = [np.maximum.reduceat(x, first) == np.minimum.reduceat(x, first) for x in (code, weight)]
        size[alike[0] & alike[1]] = 1  # readings of one class are as good as one
        self.single(code[first[size == 1]], weight[first[size == 1]])
        new: list[Array] = []
        for n in range(2, int(size.max()) + 1):
            if not (size == n).any():
                continue
            at = first[size == n][:, None] + np.arange(n)
            codes = code[at]
            _, index, inverse, hands = np.unique(
                _marked(codes), return_index=True, return_inverse=True, return_counts=True
            )
            sets = np.stack([_added_up(inverse, column, len(index)) for column in weight[at].T], axis=1)
            for row, one, many, w in zip(codes[index].tolist(), index.tolist(), hands.tolist(), sets, strict=True):
                place = self._place.setdefault(tuple(row), len(self._hands))
                if place == len(self._hands):
                    new.append(order[at[one]])
                    self._hands.append(0)
                    self._sets.append(np.zeros(n, np.int64))
                self._hands[place] += many
                self._sets[place] += w
        if new:
            self._examples.append(planes(np.concatenate(new)))

    def part(self) -> ClassedPart:
        """Return the collected part."""
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
