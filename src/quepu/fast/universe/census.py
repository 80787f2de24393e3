"""Every hand scored by a book: its classes, with how many hands and tile sets each holds; the twin is `score_hand`.

Rarity, points, implications, calibrate and the report are all made from a census: their numbers are sums over its few
thousand classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.readings import planes_at
from quepu.fast.universe.classes import Signatures
from quepu.fast.universe.compiled_classes import Added, part_columns, universe_loop
from quepu.fast.universe.standard_hands import DECOMPOSED, HandState, Universe
from quepu.hands.planes import Planes
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.tiles import BIT

Array = NDArray[Any]
CHUNK = 16_384
PUNGS = 5
"""A hand has 0 to 4 pungs."""

Progress = Callable[[int, int], None]
"""Called with hands done and hands in all."""


@dataclass(frozen=True)
class Tallied:
    """Counts of a census, each int64 [classes, 5]: by class, and by the number of pungs in the reading."""

    readings: Array  # readings of this class (decomposed hands)
    reading_sets: Array  # physical tile sets that can be read so
    hands: Array  # distinct hands whose best reading is of this class
    sets: Array  # physical tile sets that are those hands

    def by_class(self, name: str, pung_factor: float = 1.0) -> Array:
        """Return one of the counts summed over pungs, each pung weighed by the factor: exact ints for a factor of 1."""
        column: Array = getattr(self, name)
        found: Array = column.sum(axis=1) if pung_factor == 1 else column @ pung_factor ** np.arange(PUNGS)
        return found


@dataclass(frozen=True)
class Census:
    """Every hand of one book in one state."""

    book: Rulebook
    state: HandState
    points: Array  # int32 [classes], towards the minimum
    bonus: Array  # int32 [classes]
    parts: Mapping[str, Array]  # the sums of the book's arithmetic (fan, or fu and fan), int32 [classes] each
    counts: Array  # uint8 [classes, fans], how often each fan counts
    holds: Array  # bool [classes, fans], whose condition holds, counted or not
    examples: Array  # int64 [classes, planes], the planes of one reading of each
    standard: Tallied  # standard hands taken by themselves
    special: dict[str, Tallied]  # hands of the other shapes; a hand that is of a shape and standard too is here
    left_out: tuple[str, ...]  # shapes that are not enumerated
    overlapping: Tallied  # standard hands that are in `special` too, with their standard reading

    def example(self, number: int) -> Planes:
        """Return one reading of a class."""
        return Planes(*self.examples[number].tolist())

    @cached_property
    def whole(self) -> Tallied:
        """All winning hands, each once with its best reading."""
        parts = [self.standard, *self.special.values()]
        return Tallied(
            np.sum([part.readings for part in parts], axis=0),
            np.sum([part.reading_sets for part in parts], axis=0),
            sum(part.hands for part in parts) - self.overlapping.hands,
            sum(part.sets for part in parts) - self.overlapping.sets,
        )


def classify(
    classes: Signatures, universe: Universe, progress: Progress | None = None
) -> list[tuple[int, Array, Array]]:
    """Return every hand's class: for each kind of pair the meld sets (int32) and the class numbers (int32)."""
    return list(classify_by_pair(classes, universe, progress))


def classify_by_pair(
    classes: Signatures, universe: Universe, progress: Progress | None = None, *, compiling: bool = True
) -> Iterator[tuple[int, Array, Array]]:
    """Classify one pair at a time, each when it is asked for. `compiling`: loops may be compiled for it first."""
    _, few, which = np.unique(universe.base.p, return_index=True, return_inverse=True)
    everything = np.arange(len(universe.melds.p), dtype=np.int32)
    loop = universe_loop(classes, universe, compiling=compiling)
    first, on_pair = classes.first if loop is not None else 0, universe.state.on_pair
    beside = part_columns(classes.columns[first:], on_pair=on_pair)
    others = (*beside.others, *beside.of_waits)
    if loop is not None:
        rest = (*beside.of_pungs, *others, *part_columns(classes.columns[:first], on_pair=on_pair).of_waits)
        planes, done, more = loop.columns(universe), 0, np.zeros(0, np.uint64)
        start = classes.hash(universe.gathered(everything), beside.of_melds, loop.start(universe))
        for kind, index in universe.pairs():
            settle, pungs = partial(_settle, classes, universe, kind), loop.pungs(universe, kind, few)
            if rest:
                more = np.broadcast_to(classes.hash(universe.block(kind, index), rest), index.shape).copy()
            done += len(index)
            yield kind, index, loop.numbers(classes, planes, BIT[kind], index, Added(start, pungs, which, more), settle)
            if progress is not None:
                progress(done, DECOMPOSED)
        return
    start = np.empty(len(everything), np.uint64)
    for at in range(0, len(everything), CHUNK):
        some = everything[at : at + CHUNK]
        start[some] = classes.hash(universe.gathered(some), beside.of_melds)
    done = 0
    for kind, index in universe.pairs():
        numbers = np.empty(len(index), np.int32)
        pungs = np.broadcast_to(classes.hash(universe.block(kind, few), beside.of_pungs), (len(few),))
        for at in range(0, len(index), CHUNK):
            some = index[at : at + CHUNK]
            h = universe.block(kind, some)
            numbers[at : at + CHUNK] = classes.numbers(classes.hash(h, others, start[some] + pungs[which[some]]), h)
            done += len(some)
            if progress is not None:
                progress(done, DECOMPOSED)
        yield kind, index, numbers


def _settle(classes: Signatures, universe: Universe, kind: int, index: Array) -> None:
    """Take up new classes, by the meld sets in which they were met with this pair."""
    classes.settle(planes_at(universe.block(kind, index), np.arange(len(index))))


def may_win(shape: str, state: HandState) -> bool:
    """Return whether a hand of this shape can be held and won as the state says. 组合龙 alone can have a claimed meld.

    A state that is won on the pair is of standard hands only: the others are in the states that name no tile.
    """
    definition = SHAPES[shape]
    if definition.plain:
        return True
    closed = not state.chows_open and not state.pungs_open
    lucky = not definition.needs or bool(definition.needs & state.luck)
    return lucky and not state.on_pair and (closed or definition.sets is not None or definition.boundless)
