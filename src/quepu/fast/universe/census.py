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

from quepu.fast.arrays.conditions import planes_at
from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.readings import read
from quepu.fast.universe.best_class import HandClassifier
from quepu.fast.universe.classes import Classes, Signatures
from quepu.fast.universe.compiled_classes import Added, parted, universe_loop
from quepu.fast.universe.each_tile import count_each
from quepu.fast.universe.pairs_and_fours import counts_of, is_standard, is_tabulated, tabulated
from quepu.fast.universe.special import special_wins, ways
from quepu.fast.universe.standard_hands import DECOMPOSED, HandState, Universe, shared
from quepu.hands.hand import Luck
from quepu.hands.planes import Planes, count
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.shapes.standard import SHAPE as STANDARD
from quepu.tiles import BIT, EAST

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
        """One of the counts summed over pungs, each pung weighed by the factor: exact ints for a factor of 1."""
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
        """One reading of a class."""
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
    """Every hand's class: for each kind of pair the meld sets (int32) and the class numbers (int32)."""
    return list(classify_by_pair(classes, universe, progress))


def classify_by_pair(
    classes: Signatures, universe: Universe, progress: Progress | None = None, *, compiling: bool = True
) -> Iterator[tuple[int, Array, Array]]:
    """The same one pair at a time, each when it is asked for. `compiling`: loops may be compiled for it first."""
    _, few, which = np.unique(universe.base.p, return_index=True, return_inverse=True)
    everything = np.arange(len(universe.melds.p), dtype=np.int32)
    loop = universe_loop(classes, universe, compiling=compiling)
    first, on_pair = classes.first if loop is not None else 0, universe.state.on_pair
    beside = parted(classes.columns[first:], on_pair=on_pair)
    others = (*beside.others, *beside.of_waits)
    if loop is not None:
        rest = (*beside.of_pungs, *others, *parted(classes.columns[:first], on_pair=on_pair).of_waits)
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


def take(
    book: Rulebook, state: HandState, *, specials: bool = True, seat: int | None = None, round: int = EAST,
    progress: Progress | None = None, classes: Classes | None = None,
) -> Census:  # fmt: skip
    """Score every hand in a state under a book (some seconds).

    With `specials` the hands of the book's other shapes are taken too, where the state allows them. The seat is the
    state's unless it is named. `classes`: those of the book by which values are made, if not one tally for each.
    """
    sorter = HandClassifier(book, classes)
    seat = state.seat if seat is None else seat
    if state.each:
        return _take_each(sorter, state, specials, seat, round, progress)
    universe = Universe(state, seat, round)
    whole = _standard(sorter.classes, universe, progress)
    overlap = _Sums()
    special: dict[str, _Sums] = {}
    left_out = []
    for shape in book.shapes:
        if SHAPES[shape].plain or not may_win(shape, state):
            continue
        if not specials:
            left_out.append(shape)
            continue
        special[shape] = _special(sorter, shape, state, seat, round, overlap)
        if SHAPES[shape].boundless:
            left_out.append(shape)
    return _made(sorter, state, whole, special, tuple(left_out), overlap)


def _take_each(
    sorter: HandClassifier, state: HandState, specials: bool, seat: int, round: int, progress: Progress | None
) -> Census:
    shapes = [shape for shape in sorter.book.shapes if not SHAPES[shape].plain and may_win(shape, state)]
    enumerated = [shape for shape in shapes if specials and not SHAPES[shape].boundless]
    standard, other = _Sums(), _Sums()
    count_each(sorter, state, enumerated, (standard.add, other.add), seat=seat, round=round, progress=progress)
    left_out = tuple(shape for shape in shapes if shape not in enumerated)
    return _made(sorter, state, standard, {"others": other} if enumerated else {}, left_out, _Sums())


def _made(
    sorter: HandClassifier,
    state: HandState,
    whole: _Sums,
    special: dict[str, _Sums],
    left_out: tuple[str, ...],
    overlap: _Sums,
) -> Census:  # fmt: skip
    n = len(sorter.classes)
    return Census(
        sorter.book,
        state,
        sorter.classes.points,
        sorter.classes.bonus,
        sorter.classes.parts,
        sorter.classes.counts,
        sorter.classes.holds,
        sorter.classes.planes,
        whole.padded(n),
        {shape: sums.padded(n) for shape, sums in special.items()},
        left_out,
        overlap.padded(n),
    )


class _Sums:
    """Sums by class and pungs that grow as classes are met."""

    def __init__(self) -> None:
        self.of: dict[str, Array] = {name: np.zeros((0, PUNGS), np.int64) for name in Tallied.__dataclass_fields__}

    def add(self, name: str, numbers: Array, pungs: Array, weight: Array | None = None, sign: int = 1) -> None:
        """Add hands (or their weights) to their classes. Sums of doubles are exact here: all stay below 2 ** 53."""
        if not len(numbers):
            return
        n = int(numbers.max()) + 1
        have = self.of[name]
        if len(have) < n:
            have = self.of[name] = np.concatenate([have, np.zeros((n - len(have), PUNGS), np.int64)])
        at = numbers.astype(np.int64) * PUNGS + pungs
        found = np.bincount(at, weight, n * PUNGS)
        have[:n] += sign * found.astype(np.int64).reshape(n, PUNGS)

    def padded(self, n: int) -> Tallied:
        return Tallied(*(np.pad(sums, ((0, n - len(sums)), (0, 0))) for sums in self.of.values()))


def _standard(classes: Classes, universe: Universe, progress: Progress | None) -> _Sums:
    sums = _Sums()
    made = classify(classes, universe, progress)
    for kind, index, numbers in made:
        pungs = universe.pungs[index]
        weight = universe.weights(kind, index)
        sums.add("readings", numbers, pungs)
        sums.add("reading_sets", numbers, pungs, weight)
        sums.add("hands", numbers, pungs)
        sums.add("sets", numbers, pungs, weight)
    # hands with several readings: remove all but the best
    same = shared()
    number = np.full(len(same.pair), -1, np.int32)
    weight = np.zeros(len(same.pair), np.int64)
    for kind, index, numbers in made:
        mine = np.flatnonzero(same.pair == kind)
        at = np.searchsorted(index, same.melds[mine])
        at = np.minimum(at, len(index) - 1)
        there = index[at] == same.melds[mine]  # a state with kongs has not all of them
        number[mine[there]] = numbers[at[there]]
        weight[mine[there]] = universe.weights(kind, same.melds[mine[there]])
    there = np.flatnonzero(number >= 0)
    values = classes.points[number[there]].astype(np.int64)
    total = values + classes.bonus[number[there]]
    order = np.lexsort((same.order[there], -values, -total, same.group[there]))
    ranked = there[order]
    again = ranked[1:][same.group[ranked[1:]] == same.group[ranked[:-1]]]
    pungs = universe.pungs[same.melds[again]]
    sums.add("hands", number[again], pungs, sign=-1)
    sums.add("sets", number[again], pungs, weight[again], sign=-1)
    return sums


def may_win(shape: str, state: HandState) -> bool:
    """Whether a hand of this shape can be held and won as the state says. 组合龙 alone can have a claimed meld.

    A state that is won on the pair is of standard hands only: the others are in the states that name no tile.
    """
    definition = SHAPES[shape]
    if definition.plain:
        return True
    closed = not state.chows_open and not state.pungs_open
    lucky = not definition.needs or bool(definition.needs & state.luck)
    return lucky and not state.on_pair and (closed or definition.sets is not None or definition.boundless)


def _special(sorter: HandClassifier, shape: str, state: HandState, seat: int, round: int, overlap: _Sums) -> _Sums:
    """The hands of one shape. No tiles are of two shapes but some that are four melds and a pair too."""
    sums = _Sums()
    if is_tabulated(SHAPES[shape]):
        _tabulated(sorter, shape, state, seat, round, sums, overlap)
        return sums
    for wins, weight in special_wins(shape, state, seat, round):
        found = read(wins, (shape,), sorter.book.reads)
        numbers = sorter.classes.classify(found.h, len(found.of))
        pungs = count(found.h.p)
        sums.add("readings", numbers, pungs)
        if SHAPES[shape].boundless:
            continue  # an example; the hands cannot be counted
        sums.add("reading_sets", numbers, pungs, weight[found.of])
        settled = sorter.classify(wins)
        pungs = count(settled.planes()["p"])
        sums.add("hands", settled.classes, pungs)
        sums.add("sets", settled.classes, pungs, weight)
        if is_standard(wins.keys).any():
            _overlapping(sorter, wins, weight, overlap)
    return sums


def _tabulated(
    sorter: HandClassifier, shape: str, state: HandState, seat: int, round: int, sums: _Sums, overlap: _Sums
) -> None:
    luck = state.luck | int(Luck.CLOSED)
    standard: list[Array] = []
    again: list[tuple[Array, ...]] = []
    for chunk in tabulated(SHAPES[shape]):
        h = chunk.planes(seat, round, luck)
        numbers = sorter.classes.classify(h, len(chunk.weight))
        pungs = np.broadcast_to(count(h.p), numbers.shape)
        sums.add("readings", numbers, pungs)
        sums.add("reading_sets", numbers, pungs, chunk.weight)
        both = is_standard(chunk.keys)
        alone = ~both & ~chunk.several
        sums.add("hands", numbers[alone], pungs[alone])
        sums.add("sets", numbers[alone], pungs[alone], chunk.weight[alone])
        if both.any():
            standard.append(chunk.keys[:, both])
        more = ~both & chunk.several
        if more.any():
            again.append((chunk.keys[:, more], numbers[more], pungs[more], chunk.weight[more]))
    if again:
        keys, numbers, pungs, weight = (np.concatenate(column, axis=-1) for column in zip(*again, strict=True))
        best = first_of_best(sorter, keys, numbers)
        sums.add("hands", numbers[best], pungs[best])
        sums.add("sets", numbers[best], pungs[best], weight[best])
    if standard:
        counts = counts_of(np.unique(np.concatenate(standard, axis=1), axis=1))
        for at in range(0, len(counts), CHUNK):
            _both(sorter, counts[at : at + CHUNK], state.luck, seat, round, sums, overlap)


def first_of_best(sorter: HandClassifier, keys: Array, numbers: Array) -> Array:
    """Of readings of tiles with these keys [4, N] the best of each set of tiles: their places, tiles in order."""
    points = sorter.classes.points[numbers].astype(np.int64)
    total = points + sorter.classes.bonus[numbers]
    order = np.lexsort((-points, -total, *keys[::-1]))  # stable: among equals the first reading stays first
    ranked = keys[:, order]
    found: Array = order[np.concatenate([[True], (ranked[:, 1:] != ranked[:, :-1]).any(axis=0)])]
    return found


def _both(sorter: HandClassifier, counts: Array, luck: int, seat: int, round: int, sums: _Sums, overlap: _Sums) -> None:
    """Hands of a special shape that are standard too: their best reading."""
    wins, weight = HandArrays(counts, None, -1, seat, round, luck), ways(counts)
    settled = sorter.classify(wins)
    pungs = count(settled.planes()["p"])
    sums.add("hands", settled.classes, pungs)
    sums.add("sets", settled.classes, pungs, weight)
    _overlapping(sorter, wins, weight, overlap)


def _overlapping(sorter: HandClassifier, wins: HandArrays, weight: Array, overlap: _Sums) -> None:
    """The standard reading by which such hands were counted before."""
    settled = sorter.classify(wins, (STANDARD.name,))
    at = np.flatnonzero(settled.valid)
    pungs = count(settled.planes()["p"])[at]
    overlap.add("hands", settled.classes[at], pungs)
    overlap.add("sets", settled.classes[at], pungs, weight[at])
