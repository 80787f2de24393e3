"""Each concealed tile in turn the one that won, counted by class; the plain twin is `score_hand` on each of them.

In the other states no winning tile is named. Here a hand is counted once for every kind of tile that may have come
last, and its weight is the number of physical tile sets times the copies of that tile: all (tile set, last tile).
Where the tile stands, what it leaves concealed and the waits before it are decided by the single scorer's own rules
(`quepu.hands.win.place_winning_tile` as a table, the suit tables of waits).

Nearly every hand is counted on arrays, with the part of its signature that no winning tile changes computed once. Hands
with several readings, and hands whose thirteen tiles may have waited for another shape too, are settled as `score_many`
settles them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.conditions import planes_at
from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.readings import read
from quepu.fast.universe.census import PUNGS, Progress
from quepu.fast.universe.classes import Signatures
from quepu.fast.universe.collected import ClassedPart, Collected
from quepu.fast.universe.each_hand import special_closed, standard_closed, standard_open
from quepu.fast.universe.last_tiles import CHUNK, Basis, Met
from quepu.fast.universe.pairs_and_fours import counts_of, is_standard, is_tabulated
from quepu.fast.universe.special import ways, wins_by_meld
from quepu.fast.universe.standard_hands import HandState, Universe
from quepu.hands.planes import ALL_TILES, STANDARD, Condition, count
from quepu.shapes import SHAPES
from quepu.tiles import EAST

Array = NDArray[Any]
_HELD = 1 << 19


class EachHands(Protocol):
    """Takes up the hands of such a state."""

    basis: Basis

    def standard(self, met: Met) -> None:
        """Take up standard hands."""
        ...

    def other(self, met: Met) -> None:
        """Take up hands of other shapes."""
        ...

    def settle(self, wins: HandArrays, weight: Array) -> None:
        """Take up hands that may be read in several ways, their winning tiles named."""
        ...


def walk_each(
    hands: EachHands, state: HandState, shapes: Sequence[str], *, seat: int, round: int, tiles: int = ALL_TILES,
    progress: Progress | None = None,
) -> None:  # fmt: skip
    """Hand over every hand of a state of this kind out of these tiles, in the shapes that can win in it."""
    basis, universe = hands.basis, Universe(state, seat, round)
    aside: list[Array] = []
    if state.chows_open:
        standard_open(basis, universe, tiles, hands.standard, progress)
    else:
        aside.append(standard_closed(basis, universe, tiles, hands.standard, progress))
    for shape in shapes:
        if is_tabulated(SHAPES[shape]):
            aside.append(special_closed(basis, shape, state, tiles, hands.other, seat, round))
        elif not SHAPES[shape].plain:
            for some, weight in wins_by_meld(shape, state, seat, round):
                few = np.flatnonzero((some.t1 & ~tiles == 0) & ~is_standard(some.keys))
                melds = None if some.meld_array is None else some.meld_array[few]
                hands.settle(*with_tiles(HandArrays(some.counts[few], melds), weight[few], state, seat, round))
    keys = np.unique(np.concatenate([np.zeros((4, 0), np.int64), *aside], axis=1), axis=1)
    for at in range(0, keys.shape[1], CHUNK // 4):
        counts = counts_of(keys[:, at : at + CHUNK // 4])
        hands.settle(*with_tiles(HandArrays(counts), ways(counts), state, seat, round))


def with_tiles(wins: HandArrays, weight: Array, state: HandState, seat: int, round: int) -> tuple[HandArrays, Array]:
    """Hands once for every kind of concealed tile that may have come last, their weights times its copies."""
    rows, kinds = np.nonzero(wins.counts)
    melds = None if wins.meld_array is None else wins.meld_array[rows]
    copies = wins.counts[rows, kinds].astype(np.int64)
    return HandArrays(wins.counts[rows], melds, kinds, seat, round, state.luck), weight[rows] * copies


class Gathering:
    """Buffer that adds counts a million at a time: a sum over tens of thousands of classes costs more than a block."""

    def __init__(self, add: Callable[..., None]) -> None:
        self._add = add
        self._held: dict[str, list[tuple[Array, ...]]] = {}
        self._sizes: dict[str, int] = {}

    def add(self, name: str, numbers: Array, pungs: Array, weight: Array | None = None) -> None:
        """Add columns of numbers under a name."""
        columns = (numbers, pungs) if weight is None else (numbers, pungs, weight)
        self._held.setdefault(name, []).append(columns)
        self._sizes[name] = self._sizes.get(name, 0) + len(numbers)
        if self._sizes[name] >= _HELD:
            self._flush(name)

    def _flush(self, name: str) -> None:
        columns = [np.concatenate(column) for column in zip(*self._held.pop(name), strict=True)]
        self._sizes[name] = 0
        self._add(name, *columns)

    def close(self) -> None:
        """Flush every buffer."""
        for name in list(self._held):
            self._flush(name)


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
