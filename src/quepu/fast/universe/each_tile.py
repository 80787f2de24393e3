"""Each concealed tile in turn the one that won, counted by class; the plain twin is `score_hand` on each of them.

In the other states no winning tile is named. Here a hand is counted once for every kind of tile that may have come
last, and its weight is the number of physical tile sets times the copies of that tile: all (tile set, last tile).
Where the tile stands, what it leaves concealed and what the waits were is decided by the single scorer's own rules
(`quepu.hands.win.placed` as a table, the suit tables of waits).

Nearly every hand is counted on arrays, with the part of its signature that no winning tile changes computed once. Hands
with several readings, and hands whose thirteen tiles may have waited for another shape too, are settled as `score_many`
settles them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.readings import read
from quepu.fast.universe.best_class import HandClassifier
from quepu.fast.universe.classes import Classes
from quepu.fast.universe.each_hand import special_closed, standard_closed, standard_open
from quepu.fast.universe.last_tiles import CHUNK, Basis, Met, Progress
from quepu.fast.universe.pairs_and_fours import counts_of, is_standard, is_tabulated
from quepu.fast.universe.special import ways, wins_by_meld
from quepu.fast.universe.standard_hands import HandState, Universe
from quepu.hands.planes import ALL_TILES, STANDARD, count
from quepu.shapes import SHAPES

Array = NDArray[Any]
_HELD = 1 << 19


Add = Callable[..., None]
"""A `_Sums.add` of the census: name, class numbers, pungs, weight."""


class EachHands(Protocol):
    """Those who take the hands of such a state up."""

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


def count_each(
    classifier: HandClassifier, state: HandState, shapes: list[str], add: tuple[Add, Add], *, seat: int, round: int,
    tiles: int = ALL_TILES, progress: Progress | None = None,
) -> None:  # fmt: skip
    """Count every hand of such a state as `score_many` settles it: standard hands by `add[0]`, others by `add[1]`."""
    scored = _Scored(classifier, *add)
    walk_each(scored, state, shapes, seat=seat, round=round, tiles=tiles, progress=progress)
    scored.close()


class _Scored:
    """Hands counted by the class of their best reading."""

    def __init__(self, classifier: HandClassifier, add: Add, also: Add) -> None:
        self.basis = Basis(classifier.classes, classifier.book.shapes, classifier.book.reads)
        self._classifier, self._mine, self._others = classifier, Gathering(add), Gathering(also)

    def standard(self, met: Met) -> None:
        self._count(met, self._mine.add)

    def other(self, met: Met) -> None:
        self._count(met, self._others.add)

    def _count(self, met: Met, add: Add) -> None:
        classes = self._classifier.classes
        for some, numbers in met.numbers:
            add("readings", numbers, met.pungs[some])
            add("reading_sets", numbers, met.pungs[some], met.weight[some])
        best = met.numbers[0][1].copy()
        for some, numbers in met.numbers[1:]:
            better = _better(classes, numbers, best[some])
            best[some[better]] = numbers[better]
        add("hands", best, met.pungs)
        add("sets", best, met.pungs, met.weight)

    def settle(self, wins: HandArrays, weight: Array) -> None:
        book, classes = self._classifier.book, self._classifier.classes
        found = read(wins, book.shapes, book.reads)
        n = len(found.of)
        numbers = classes.classify(found.h, n)
        pungs = np.broadcast_to(count(found.h.p), (n,))
        settled = self._classifier.classify(wins)
        best = settled.best[settled.valid]
        form = np.broadcast_to(found.h.form, (n,))
        for which, to in ((form == STANDARD, self._mine.add), (form != STANDARD, self._others.add)):
            at = np.flatnonzero(which)
            to("readings", numbers[at], pungs[at])
            to("reading_sets", numbers[at], pungs[at], weight[found.of[at]])
            of = best[which[best]]
            to("hands", numbers[of], pungs[of])
            to("sets", numbers[of], pungs[of], weight[found.of[of]])

    def close(self) -> None:
        """Flush both buffers."""
        self._mine.close()
        self._others.close()


def _better(classes: Classes, a: Array, b: Array) -> Array:
    """Whether readings of classes `a` score higher than those of `b`, which came first: bool [N]."""
    points, other = classes.points.take(a).astype(np.int64), classes.points.take(b).astype(np.int64)
    total, others = points + classes.bonus.take(a), other + classes.bonus.take(b)
    found: Array = (total > others) | (total == others) & (points > other)
    return found


def with_tiles(wins: HandArrays, weight: Array, state: HandState, seat: int, round: int) -> tuple[HandArrays, Array]:
    """Hands once for every kind of concealed tile that may have come last, their weights times its copies."""
    rows, kinds = np.nonzero(wins.counts)
    melds = None if wins.meld_array is None else wins.meld_array[rows]
    copies = wins.counts[rows, kinds].astype(np.int64)
    return HandArrays(wins.counts[rows], melds, kinds, seat, round, state.luck), weight[rows] * copies


class Gathering:
    """Buffer that adds counts a million at a time: a sum over tens of thousands of classes costs more than a block."""

    def __init__(self, add: Add) -> None:
        self._add = add
        self._held: dict[str, list[tuple[Array, ...]]] = {}
        self._sizes: dict[str, int] = {}

    def add(self, name: str, numbers: Array, pungs: Array, weight: Array | None = None) -> None:
        """As `_Sums.add`."""
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
