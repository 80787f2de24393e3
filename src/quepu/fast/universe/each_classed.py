"""Hands with each tile in turn the last, sorted into classes; the twin is `each_tile.count_each`."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.conditions import planes_at
from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.readings import read
from quepu.fast.universe.census import PUNGS, Progress
from quepu.fast.universe.classes import Signatures
from quepu.fast.universe.collected import ClassedPart, Collected
from quepu.fast.universe.each_tile import Gathering, walk_each
from quepu.fast.universe.last_tiles import Basis, Met
from quepu.fast.universe.standard_hands import HandState
from quepu.hands.planes import ALL_TILES, STANDARD, Condition, count
from quepu.tiles import EAST

Array = NDArray[Any]
_FORM = (attrgetter("form"), frozenset({"form"}))
"""The form of a reading tells its class from others: which shape a hand is counted in hangs on its best reading."""


class EachClasses:
    """The parts of such a universe: standard hands, and those of other shapes, which may be standard too."""

    def __init__(
        self, conditions: Iterable[tuple[Condition, frozenset[str]]], shapes: tuple[str, ...], reads: frozenset[str]
    ) -> None:
        self.signatures = Signatures([*conditions, _FORM])
        self.basis = Basis(self.signatures, shapes, reads)
        self._standard, self._others = _Part(), _Part()

    def sort(
        self, state: HandState, shapes: list[str], progress: Progress | None = None, tiles: int = ALL_TILES
    ) -> tuple[ClassedPart, ClassedPart]:
        """Sort every hand of a state out of these tiles; return standard hands, and those of these other shapes."""
        walk_each(self, state, shapes, seat=state.seat, round=EAST, tiles=tiles, progress=progress)
        return self._standard.part(), self._others.part()

    def standard(self, met: Met) -> None:
        """Take up standard hands."""
        self._standard.take(met)

    def other(self, met: Met) -> None:
        """Take up hands of other shapes."""
        self._others.take(met)

    def settle(self, wins: HandArrays, weight: Array) -> None:
        """Take up hands that may be read in several ways, their winning tiles named."""
        found = read(wins, self.basis.shapes, self.basis.reads)
        n = len(found.of)
        numbers = self.signatures.classify(found.h, n)
        code = numbers.astype(np.int64) * PUNGS + np.broadcast_to(count(found.h.p), (n,))
        plain = np.broadcast_to(found.h.form, (n,)) == STANDARD
        otherwise = np.zeros(wins.n, np.bool_)
        otherwise[found.of[~plain]] = True
        for part, readings, hands in (
            (self._standard, plain, ~otherwise[found.of]), (self._others, ~plain, otherwise[found.of]),
        ):  # fmt: skip
            some = np.flatnonzero(readings)
            part.readings(code[some], weight[found.of[some]])
            at = np.flatnonzero(hands)
            part.hands(found.of[at], found.rank[at], code[at], weight[found.of[at]], planes_of(found.h, at))


def planes_of(h: Any, at: Array) -> Any:
    """The planes of some of these readings, by their numbers among them."""
    return lambda some: planes_at(h, at[some])


class _Part:
    """Hands of one part while they are met."""

    def __init__(self) -> None:
        self._found = Collected()
        self._sums = Gathering(self._add)
        self.hands = self._found.hands

    def _add(self, name: str, code: Array, weight: Array) -> None:
        (self._found.readings if name == "readings" else self._found.single)(code, weight)

    def readings(self, code: Array, weight: Array) -> None:
        """Readings of hands."""
        self._sums.add("readings", code, weight)

    def take(self, met: Met) -> None:
        """Hands by their readings, which differ by where the last tile stands."""
        (_, numbers), *more = met.numbers
        first = numbers.astype(np.int64) * PUNGS + met.pungs
        self.readings(first, met.weight)
        if not more:
            self._sums.add("single", first, met.weight)
            return
        some = more[0][0]  # those with a second place are all that have more than one
        place = np.full(len(first), -1)
        place[some] = np.arange(len(some))
        codes = np.full((len(some), len(met.numbers)), -1, np.int64)
        codes[:, 0] = first[some]
        for j, (which, other) in enumerate(more, 1):
            code = other.astype(np.int64) * PUNGS + met.pungs[which]
            self.readings(code, met.weight[which])
            codes[place[which], j] = code
        same = ((codes == codes[:, :1]) | (codes < 0)).all(axis=1)  # each reading is of one class: as good as one
        alone = np.ones(len(first), np.bool_)
        alone[some[~same]] = False
        self._sums.add("single", first[alone], met.weight[alone])
        apart = some[~same]
        if len(apart):
            self._found.alternatives(codes[~same], met.weight[apart], lambda j, at: met.planes(j, apart[at]))

    def part(self) -> ClassedPart:
        """Return the collected parts."""
        self._sums.close()
        return self._found.part()
