"""Every hand under two books at once: its class in either, and the number of such hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from quepu.errors import UnknownName
from quepu.fast.universe.census import Progress
from quepu.fast.universe.classed_cache import classed_for, prepare
from quepu.fast.universe.classes import Classes
from quepu.fast.universe.standard_hands import HandState
from quepu.fast.universe.valued import NO_WIN, kinds_of, valued
from quepu.hands.planes import Planes
from quepu.rules.rulebook import Rulebook

__all__ = ["NO_WIN", "ClassPairs", "pair_up", "prepare_pairing"]

Array = NDArray[Any]


@dataclass(frozen=True)
class ClassPairs:
    """Kinds of hands: the class under the old book, the class under the new, and how many there are.

        >>> import quepu
        >>> from quepu.lab.states import state
        >>> old = quepu.book("guobiao-mcr")
        >>> pairs = pair_up(old, old.having(values={"花龙": 10}), state("closed-discard"))
        >>> len(pairs.hands), int(pairs.hands[pairs.points(1) > pairs.points(0)].sum())
        (3496, 11016)

    A hand with several readings has its best one under either book. `examples` are the planes of one such hand.
    """

    old: Rulebook
    new: Rulebook
    state: HandState
    classes: tuple[Classes, Classes]
    number: Array  # int32 [kinds, 2], NO_WIN if the book does not have the shape
    hands: Array  # int64 [kinds]
    sets: Array  # int64 [kinds]
    examples: Sequence[Planes]

    def points(self, side: int) -> Array:
        """Return the points under the old (0) or the new book (1), 0 if it is not a win: int64 [kinds]."""
        number = self.number[:, side]
        return np.where(number == NO_WIN, 0, self.classes[side].points[number].astype(np.int64))

    def pays(self, side: int) -> Array:
        """Return whether it can win: bool [kinds]."""
        minimum = (self.old, self.new)[side].minimum
        return np.asarray((self.number[:, side] != NO_WIN) & (self.points(side) >= minimum))

    def counts(self, side: int, name: str) -> Array:
        """Return how often a fan counts, or zeros if the book does not have it."""
        book, number = (self.old, self.new)[side], self.number[:, side]
        if name not in book.index:
            return np.zeros(len(self.hands), np.uint8)
        return np.where(number == NO_WIN, 0, self.classes[side].counts[number, book.index[name]])


class _Examples(Sequence[Planes]):
    """Readings of hands in an array of planes, created on demand."""

    def __init__(self, planes: Array) -> None:
        self._planes = planes

    def __len__(self) -> int:
        return len(self._planes)

    @overload
    def __getitem__(self, at: int) -> Planes: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Planes]: ...
    def __getitem__(self, at: int | slice) -> Planes | Sequence[Planes]:
        return _Examples(self._planes[at]) if isinstance(at, slice) else Planes(*self._planes[at].tolist())


def pair_up(old: Rulebook, new: Rulebook, state: HandState, progress: Progress | None = None) -> ClassPairs:
    """Pair the classes of every hand that wins under either book: fast without new conditions, else in seconds.

        >>> import quepu
        >>> from quepu.lab.states import state
        >>> old = quepu.book("guobiao-mcr")
        >>> int(pair_up(old, old.having(values={"花龙": 10}), state("closed-discard")).hands.sum())
        27919573

    Raises:
        UnknownName: the state names the winning tile and the two books have different shapes.
    """
    if state.each and old.shapes != new.shapes:
        raise UnknownName(
            f"两本规则的和牌形不同，不能在状态 {state.key} 里比较；请用 quepu lab rarity -S {state.key} 分别算。",
            f"the two rulebooks have different winning shapes and cannot be compared in {state.key}; run quepu lab "
            f"rarity -S {state.key} for each of them.",
        )
    classed = classed_for((old, new), state, progress)
    before = valued(old, classed)
    after = valued(new, classed, before)
    found = kinds_of(before, after)
    return ClassPairs(
        old, new, state, (before.classes, after.classes), found.number, found.hands, found.sets,
        _Examples(found.examples),
    )  # fmt: skip


def prepare_pairing(old: Rulebook, new: Rulebook, states: Sequence[HandState], jobs: int) -> None:
    """Classify the hands of several states in parallel, on `jobs` processes (0: one per core)."""
    prepare((old, new), [state for state in states if old.shapes == new.shapes or not state.each], jobs)
