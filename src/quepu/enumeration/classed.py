"""The universe of a state as classes: readings of equal signature together, with how many hands and tile sets they are.

All 11.5 million standard hands and those of the other shapes fall into some thousand classes, and sets of classes where
a hand has several readings. What a book makes of them is tallied in a moment (`quepu.enumeration.valued`) if its
conditions are among those the classes were made by; values, relations, the minimum and figures of the arithmetic are
free. A census of every hand (`quepu.enumeration.census.take`) is the plain twin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from quepu.batch.classes import Signatures, planes_at, signature_parts
from quepu.batch.code_cache import installed
from quepu.batch.readings import read
from quepu.batch.wins import Wins
from quepu.enumeration.census import CHUNK, PUNGS, Progress, classify, may_win
from quepu.enumeration.compiled_classes import classified
from quepu.enumeration.compiled_sums import pairs_loop, summed
from quepu.enumeration.pairs_and_fours import counts_of, is_standard, is_tabulated, tabulated
from quepu.enumeration.special import special_wins, ways
from quepu.enumeration.universe import HandState, Universe, shared
from quepu.hands.hand import Luck
from quepu.hands.planes import Condition, Planes, count
from quepu.rulebooks import registered
from quepu.rules.digest import digest, expression
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.shapes.standard import SHAPE as STANDARD
from quepu.tiles import EAST

Array = Any
PlanesOf = Callable[[Array], Array]
"""The planes of readings by their numbers: int64 [n, planes]."""


OVERLAPPING = "overlapping"


class Conditions(NamedTuple):
    """Conditions that classes are made by, each by the hash of its expression, and the shapes of hands."""

    by_hash: dict[str, tuple[Condition, frozenset[str]]]
    shapes: tuple[str, ...]
    usual: frozenset[str] = frozenset()  # those of the registered book they come from, if all are among them

    @property
    def digest(self) -> str:
        """Twelve hex digits of them."""
        return digest((sorted(self.by_hash), self.shapes))

    def cover(self, other: Conditions) -> bool:
        """Whether classes made by these tell apart all that the others do."""
        return self.shapes == other.shapes and self.by_hash.keys() >= other.by_hash.keys()


def conditions_of(*books: Rulebook) -> Conditions:
    """The conditions of books that read hands in the same shapes, each once."""
    found = {expression(part[0]): part for book in books for part in signature_parts(book)}
    usual = frozenset(expression(part[0]) for part in signature_parts(registered(books[0])))
    return Conditions(found, books[0].shapes, usual if usual < found.keys() else frozenset())


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


@dataclass(frozen=True)
class Classed:
    """All hands of a state by their classes. `overlapping` are hands of other shapes by their standard reading.

    A hand of another shape that is standard too is in that shape's part, and is counted in `standard` and
    `overlapping` by its standard reading.
    """

    state: HandState
    conditions: str  # their digest
    examples: Array  # int64 [classes, planes], a reading of each
    parts: dict[str, ClassedPart]  # "standard", every other shape by name, "overlapping"
    left_out: tuple[str, ...]  # shapes that are not enumerated


class _Collected:
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
        self.single(code[first[size == 1]], weight[first[size == 1]])
        new: list[Array] = []
        for n in np.unique(size[size > 1]).tolist():
            at = first[size == n][:, None] + np.arange(n)
            rows, index, inverse, hands = np.unique(
                code[at], axis=0, return_index=True, return_inverse=True, return_counts=True
            )
            sets = np.zeros(rows.shape, np.int64)
            np.add.at(sets, inverse.reshape(-1), weight[at])
            for row, one, many, w in zip(rows.tolist(), index.tolist(), hands.tolist(), sets, strict=True):
                key = tuple(row)
                if key not in self._place:
                    self._place[key] = len(self._hands)
                    self._hands.append(0)
                    self._sets.append(np.zeros(n, np.int64))
                    new.append(order[at[one]])
                self._hands[self._place[key]] += many
                self._sets[self._place[key]] += w
        if new:
            self._examples.append(planes(np.concatenate(new)))

    def part(self) -> ClassedPart:
        """Return what was collected."""
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


def _added(sums: Array, code: Array, weight: Array | None) -> Array:
    """Sums [codes, 2] of numbers and weights with these added. Doubles are exact here: all stay below 2 ** 53."""
    if not len(code):
        return sums
    n = max(len(sums), int(code.max()) + 1)
    if len(sums) < n:
        sums = np.concatenate([sums, np.zeros((n - len(sums), 2), np.int64)])
    sums[:, 0] += np.bincount(code, minlength=n)
    if weight is not None:
        sums[:, 1] += np.bincount(code, weight, n).astype(np.int64)
    return sums


def _met(sums: Array) -> Array:
    at = np.flatnonzero(sums[:, 0])
    return np.concatenate([at[:, None], sums[at]], axis=1)


class _Classing:
    """A state while its hands are sorted into classes."""

    def __init__(self, conditions: Conditions, state: HandState) -> None:
        self.state = state
        self.shapes = conditions.shapes
        usual = conditions.usual  # in front, as they are without the others: loops are compiled for them already
        keys = sorted(conditions.by_hash, key=lambda key: (key not in usual, key))
        self.signatures = Signatures(conditions.by_hash[key] for key in keys)
        if usual:
            self.signatures.first = len(usual)
        self.reads = frozenset[str]()  # the state names no winning tile: no waits to compute
        self.overlapping = _Collected()

    def standard(self, universe: Universe, progress: Progress | None) -> ClassedPart:
        found = _Collected()
        made = classify(self.signatures, universe, progress)
        same = shared()
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
        found.hands(of, rank, code, weight, _standing(universe, pair, melds))
        return found.part()

    def special(self, shape: str) -> ClassedPart:
        if is_tabulated(SHAPES[shape]):
            return self._tabulated(shape)
        found = _Collected()
        for wins, weight in special_wins(shape, self.state, self.state.seat, EAST):
            own = read(wins, (shape,), self.reads)
            code = self._codes(own.h, len(own.of))
            if SHAPES[shape].boundless:
                found.readings(code)
                continue  # an example; the hands cannot be counted
            found.readings(code, weight[own.of])
            self._settled(found, wins, weight, self.shapes)
            if is_standard(wins.keys).any():
                self._settled(self.overlapping, wins, weight, (STANDARD.name,))
        return found.part()

    def _codes(self, h: Any, n: int) -> Array:
        return self._coded(self.signatures.classify(h, n), h)

    def _coded(self, numbers: Array, h: Any) -> Array:
        return numbers.astype(np.int64) * PUNGS + np.broadcast_to(count(h.p), numbers.shape)

    def _settled(self, found: _Collected, wins: Wins, weight: Array, shapes: Sequence[str]) -> None:
        every = read(wins, shapes, self.reads)
        code = self._codes(every.h, len(every.of))
        at = np.flatnonzero(np.broadcast_to(wins.possible, (wins.n,))[every.of])
        found.hands(
            every.of[at],
            every.rank[at],
            code[at],
            weight[every.of[at]],
            lambda some: planes_at(every.h, at[some]),
        )

    def _tabulated(self, shape: str) -> ClassedPart:
        luck = self.state.luck | int(Luck.CLOSED)
        found = _Collected()
        standard: list[Array] = []
        again: list[tuple[Array, ...]] = []
        loop = pairs_loop(self.signatures, SHAPES[shape], self.state.seat, EAST, luck)
        if loop is not None:
            sums, alone, keys = loop.count(self.signatures, SHAPES[shape], self.state.seat, EAST, luck)
            found.whole(sums, alone)
            standard.append(keys)
        for chunk in tabulated(SHAPES[shape]) if loop is None else ():
            h = chunk.planes(self.state.seat, EAST, luck)
            code = self._coded(classified(self.signatures, h, len(chunk.weight)), h)
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
            wins, weight = Wins(counts, None, -1, self.state.seat, EAST, self.state.luck), ways(counts)
            self._settled(found, wins, weight, self.shapes)
            self._settled(self.overlapping, wins, weight, (STANDARD.name,))
        return found.part()


def _chunks(keys: list[Array]) -> Iterator[Array]:
    """Distinct tiles with these suit keys as counts, some at a time."""
    if keys:
        counts = counts_of(np.unique(np.concatenate(keys, axis=1), axis=1))
        for at in range(0, len(counts), CHUNK):
            yield counts[at : at + CHUNK]


def _standing(universe: Universe, pair: Array, melds: Array) -> PlanesOf:
    def planes(some: Array) -> Array:
        found = np.zeros((len(some), len(Planes._fields)), np.int64)
        for kind in np.unique(pair[some]).tolist():
            of = np.flatnonzero(pair[some] == kind)
            found[of] = planes_at(universe.block(kind, melds[some[of]]), np.arange(len(of)))
        return found

    return planes


def class_universe(conditions: Conditions, state: HandState, progress: Progress | None = None) -> Classed:
    """Sort every hand of a state into classes (some seconds).

    Raises:
        ValueError: the state names every tile in turn as the winning one.
    """
    if state.each:
        raise ValueError(state.key)
    classing = _Classing(conditions, state)
    parts = {STANDARD.name: classing.standard(Universe(state), progress)}
    left_out = []
    for shape in conditions.shapes:
        if SHAPES[shape].plain or not may_win(shape, state):
            continue
        parts[shape] = classing.special(shape)
        if SHAPES[shape].boundless:
            left_out.append(shape)
    parts[OVERLAPPING] = classing.overlapping.part()
    examples = np.array(classing.signatures.examples, np.int64)
    return Classed(state, conditions.digest, examples, parts, tuple(left_out))
