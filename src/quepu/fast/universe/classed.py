"""The universe of a state as classes: readings of equal signature together, with their numbers of hands and tile sets.

All 11.5 million standard hands and those of the other shapes fall into some thousand classes, and sets of classes where
a hand has several readings. Their values under a book take a moment (`quepu.fast.universe.valued`) if its
conditions are among those that the classes were made by; values, relations, the minimum and figures of the arithmetic
may be any. The plain twin counts every hand (`tests/fast/universe/plain_census.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.readings import planes_at, read
from quepu.fast.universe.census import CHUNK, PUNGS, Progress, classify, may_win
from quepu.fast.universe.classes import Signatures, signature_parts
from quepu.fast.universe.collected import ClassedPart, Collected, PlanesOf, pairs_loop
from quepu.fast.universe.compiled_classes import classify_compiled
from quepu.fast.universe.each_tile import PLACE, EachClasses
from quepu.fast.universe.limits import EVERY, Limits, limits_of
from quepu.fast.universe.special import counts_of, is_standard, is_tabulated, special_wins, tabulate, ways
from quepu.fast.universe.standard_hands import HandState, Universe, find_shared, read_held
from quepu.hands.hand import Luck
from quepu.hands.planes import Condition, Planes, count
from quepu.hands.planes import reads as find_reads
from quepu.rulebooks import find_registered
from quepu.rules.digest import digest, expression
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.shapes.standard import SHAPE as STANDARD
from quepu.tiles import EAST

Array = NDArray[Any]
OVERLAPPING, OTHERS = "overlapping", "others"


class Conditions(NamedTuple):
    """Conditions that classes are made by, each by the hash of its expression, and the shapes of hands."""

    by_hash: dict[str, tuple[Condition, frozenset[str]]]
    shapes: tuple[str, ...]
    usual: frozenset[str] = frozenset()  # those of the registered book they come from, if all are among them
    reads: frozenset[str] = frozenset()  # the planes that their books read
    limits: Limits = EVERY  # of the hands of their books

    @property
    def digest(self) -> str:
        """Twelve hex digits of them."""
        return digest((sorted(self.by_hash), self.shapes, *(() if self.limits == EVERY else self.limits)))

    def cover(self, other: Conditions, state: HandState) -> bool:
        """Return whether the classes of a state made by these tell apart all that the others do.

        Where each tile in turn is the last, whether a book reads its place decides how many readings there are.
        """
        places = [PLACE in one.reads for one in (self, other)] if state.each else [False, False]
        covered = self.by_hash.keys() >= other.by_hash.keys() and places[0] == places[1]
        return covered and self.shapes == other.shapes and self.limits == other.limits


def conditions_of(*books: Rulebook) -> Conditions:
    """Return the conditions of books, each once, and the shapes of all of them but those that others cover.

    Raises:
        HandError: their hands cannot be counted, or not together.
    """
    every = dict.fromkeys(name for book in books for name in book.shapes)
    covered = [name for name in every if any(SHAPES[other].covers(SHAPES[name]) for other in every)]
    parts = [part for book in books for part in signature_parts(book)]
    if any(book.shapes != books[0].shapes for book in books):  # tell apart the readings that each of them has
        shapes: list[Condition] = [attrgetter("form")]
        shapes += [whole.when for name in covered if (whole := SHAPES[name].whole)]
        parts += [(when, find_reads(when)) for when in shapes]
    found = {expression(part[0]): part for part in parts}
    usual = frozenset(expression(part[0]) for part in signature_parts(find_registered(books[0])))
    reads = frozenset[str]().union(*(book.reads for book in books))
    usual = usual if usual < found.keys() else frozenset()
    return Conditions(found, tuple(name for name in every if name not in covered), usual, reads, limits_of(*books))


@dataclass(frozen=True)
class Classed:
    """All hands of a state by their classes. `overlapping` are hands of other shapes by their standard reading.

    A hand of another shape that is standard too is in that shape's part, and is counted in `standard` and
    `overlapping` by its standard reading.

    Where each tile in turn is the last one, a hand is one with its last tile, all other shapes are one part (`others`),
    which has a hand of both kinds with all its readings, and nothing overlaps.
    """

    state: HandState
    conditions: str  # their digest
    examples: Array  # int64 [classes, planes], a reading of each
    parts: dict[str, ClassedPart]  # "standard", every other shape by name, "overlapping"
    left_out: tuple[str, ...]  # shapes that are not enumerated


class _Classing:
    """A state while its hands are sorted into classes."""

    def __init__(self, conditions: Conditions, state: HandState) -> None:
        self.state = state
        self.shapes, self.limits = conditions.shapes, conditions.limits
        usual = conditions.usual  # in front, as they are without the others: loops are compiled for them already
        keys = sorted(conditions.by_hash, key=lambda key: (key not in usual, key))
        self.signatures = Signatures(conditions.by_hash[key] for key in keys)
        if usual:
            self.signatures.first = len(usual)
        self.reads = frozenset[str]()  # the state names no winning tile: no waits to compute
        self.overlapping = Collected()

    def standard(self, universe: Universe, progress: Progress | None) -> ClassedPart:
        found = Collected()
        made = classify(self.signatures, universe, progress)
        same = find_shared()
        held: list[tuple[Array, ...]] = []
        for kind, index, numbers in made:
            found.standard(universe, kind, index, numbers)
            mine = np.flatnonzero(same.pair == kind)
            at = np.minimum(np.searchsorted(index, same.melds[mine]), len(index) - 1)
            there = index[at] == same.melds[mine]  # a state with kongs has not all of them
            mine, at = mine[there], at[there]
            code = numbers[at].astype(np.int64) * PUNGS + universe.pungs[index[at]]
            weight = universe.weights(kind, index[at])
            held.append((same.group[mine], same.order[mine], code, weight, np.full(len(at), kind), index[at]))
        of, rank, code, weight, pair, melds = (np.concatenate(column) for column in zip(*held, strict=True))
        found.single_but(code, weight)
        found.hands(of, rank, code, weight, _find_planes(universe, pair, melds))
        return found.part()

    def special(self, shape: str) -> ClassedPart:
        if is_tabulated(SHAPES[shape]):
            return self._tabulate(shape)
        found = Collected()
        for wins, weight in special_wins(shape, self.state, self.state.seat, EAST, self.limits):
            own = read(wins, (shape,), self.reads)
            code = self._codes(own.h, len(own.of))
            if SHAPES[shape].boundless:
                found.readings(code)
                continue  # an example; the hands cannot be counted
            found.readings(code, weight[own.of])
            self._settle(found, wins, weight, self.shapes)
            if is_standard(wins.keys).any():
                self._settle(self.overlapping, wins, weight, (STANDARD.name,))
        return found.part()

    def _codes(self, h: Any, n: int) -> Array:
        return self._code(self.signatures.classify(h, n), h)

    def _code(self, numbers: Array, h: Any) -> Array:
        found: Array = numbers.astype(np.int64) * PUNGS + np.broadcast_to(count(h.p), numbers.shape)
        return found

    def _settle(self, found: Collected, wins: HandArrays, weight: Array, shapes: Sequence[str]) -> None:
        every = read_held(wins, shapes, self.reads, self.state)
        code = self._codes(every.h, len(every.of))
        at = np.flatnonzero(np.broadcast_to(wins.possible, (wins.n,))[every.of])
        found.hands(
            every.of[at],
            every.rank[at],
            code[at],
            weight[every.of[at]],
            lambda some: planes_at(every.h, at[some]),
        )

    def _tabulate(self, shape: str) -> ClassedPart:
        luck = self.state.luck | int(Luck.CLOSED)
        found = Collected()
        standard: list[Array] = []
        again: list[tuple[Array, ...]] = []
        loop = pairs_loop(self.signatures, SHAPES[shape], self.state.seat, EAST, luck)
        if loop is not None:
            sums, alone, keys = loop.count(
                self.signatures, SHAPES[shape], self.state.seat, EAST, luck, self.limits.kinds
            )
            found.whole(sums, alone)
            standard.append(keys)
        for chunk in tabulate(SHAPES[shape], self.limits.kinds) if loop is None else ():
            h = chunk.planes(self.state.seat, EAST, luck)
            code = self._code(classify_compiled(self.signatures, h, len(chunk.weight)), h)
            found.readings(code, chunk.weight)
            both = is_standard(chunk.keys)
            alone = ~both & ~chunk.several
            found.single(code[alone], chunk.weight[alone])
            if both.any():
                standard.append(chunk.keys[:, both])
            more = np.flatnonzero(~both & chunk.several)
            if more.size:
                again.append((chunk.keys[:, more], code[more], chunk.weight[more], planes_at(h, more).T))
        if again:
            keys, code, weight, planes = (np.concatenate(column, axis=-1) for column in zip(*again, strict=True))
            of = np.unique(keys, axis=1, return_inverse=True)[1].reshape(-1)
            found.hands(of, np.arange(len(of)), code, weight, lambda some: planes[:, some].T)
        for counts in _chunks(standard):
            wins, weight = HandArrays(counts, None, -1, self.state.seat, EAST, self.state.luck), ways(counts)
            self._settle(found, wins, weight, self.shapes)
            self._settle(self.overlapping, wins, weight, (STANDARD.name,))
        return found.part()


def _chunks(keys: list[Array]) -> Iterator[Array]:
    """Return distinct tiles with these suit keys as counts, some at a time."""
    if keys:
        counts = counts_of(np.unique(np.concatenate(keys, axis=1), axis=1))
        for at in range(0, len(counts), CHUNK):
            yield counts[at : at + CHUNK]


def _find_planes(universe: Universe, pair: Array, melds: Array) -> PlanesOf:
    def planes(some: Array) -> Array:
        found = np.zeros((len(some), len(Planes._fields)), np.int64)
        for kind in np.unique(pair[some]).tolist():
            of = np.flatnonzero(pair[some] == kind)
            found[of] = planes_at(universe.block(kind, melds[some[of]]), np.arange(len(of)))
        return found

    return planes


def class_universe(conditions: Conditions, state: HandState, progress: Progress | None = None) -> Classed:
    """Sort every hand of a state into classes (some seconds; minutes where each tile is the last)."""
    if state.each:
        return each_universe(conditions, state, progress)
    classing = _Classing(conditions, state)
    parts = {STANDARD.name: classing.standard(Universe(state, limits=conditions.limits), progress)}
    left_out = []
    for shape in conditions.shapes:
        if SHAPES[shape].plain or not may_win(shape, state):
            continue
        parts[shape] = classing.special(shape)
        if SHAPES[shape].boundless:
            left_out.append(shape)
    parts[OVERLAPPING] = classing.overlapping.part()
    examples = classing.signatures.planes
    return Classed(state, conditions.digest, examples, parts, tuple(left_out))


def each_universe(conditions: Conditions, state: HandState, progress: Progress | None = None) -> Classed:
    """Return the universe of a state in which each tile is the last in turn."""
    shapes = [shape for shape in conditions.shapes if not SHAPES[shape].plain and may_win(shape, state)]
    enumerated = [shape for shape in shapes if not SHAPES[shape].boundless]
    some = [conditions.by_hash[key] for key in sorted(conditions.by_hash)]
    classes = EachClasses(some, conditions.shapes, conditions.reads)
    standard, others = classes.sort(state, enumerated, progress, conditions.limits)
    parts = {STANDARD.name: standard} | ({OTHERS: others} if enumerated else {}) | {OVERLAPPING: Collected().part()}
    examples = classes.signatures.planes
    return Classed(state, conditions.digest, examples, parts, tuple(one for one in shapes if one not in enumerated))
