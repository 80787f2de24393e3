"""A census counted hand by hand on arrays: what the classes of a universe are compared with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.readings import read
from quepu.fast.universe.census import CHUNK, PUNGS, Census, Progress, Tallied, classify, may_win
from quepu.fast.universe.classes import Classes
from quepu.fast.universe.each_tile import each_win
from quepu.fast.universe.limits import EVERY, Limits
from quepu.fast.universe.special import counts_of, is_standard, is_tabulated, special_wins, tabulate, ways
from quepu.fast.universe.standard_hands import HandState, Universe, find_shared
from quepu.fast.universe.valued import HandClassifier
from quepu.hands.hand import Luck
from quepu.hands.planes import STANDARD, count
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.shapes.standard import SHAPE
from quepu.tiles import EAST

Array = NDArray[Any]


def take(
    book: Rulebook, state: HandState, *, specials: bool = True, seat: int | None = None, round: int = EAST,
    progress: Progress | None = None, classes: Classes | None = None,
) -> Census:  # fmt: skip
    """Score every hand in a state under a book (some seconds).

    With `specials` the hands of the book's other shapes are taken too, where the state allows them. The seat is the
    state's unless it is named. `classes`: those of the book by which values are made, if not one tally for each.
    """
    sorter = HandClassifier(book, classes, state)
    seat = state.seat if seat is None else seat
    if state.each:
        return _take_each(sorter, state, specials, progress)
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


def _take_each(sorter: HandClassifier, state: HandState, specials: bool, progress: Progress | None) -> Census:
    shapes = [shape for shape in sorter.book.shapes if not SHAPES[shape].plain and may_win(shape, state)]
    enumerated = [shape for shape in shapes if specials and not SHAPES[shape].boundless]
    standard, other = _Sums(), _Sums()
    count_each(sorter, state, enumerated, (standard.add, other.add), progress=progress)
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
    same = find_shared()
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
    for chunk in tabulate(SHAPES[shape]):
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
    settled = sorter.classify(wins, (SHAPE.name,))
    at = np.flatnonzero(settled.valid)
    pungs = count(settled.planes()["p"])[at]
    overlap.add("hands", settled.classes[at], pungs)
    overlap.add("sets", settled.classes[at], pungs, weight[at])


def count_each(
    classifier: HandClassifier, state: HandState, shapes: list[str], add: tuple[Any, Any], *, limits: Limits = EVERY,
    progress: Progress | None = None,
) -> None:  # fmt: skip
    """Count every hand of such a state as `score_many` settles it: standard hands by `add[0]`, others by `add[1]`."""
    book, classes = classifier.book, classifier.classes
    for wins, weight in each_win(state, shapes, limits, progress):
        found = read(wins, book.shapes, book.reads)
        n = len(found.of)
        numbers = classes.classify(found.h, n)
        pungs = np.broadcast_to(count(found.h.p), (n,))
        settled = classifier.classify(wins)
        best = settled.best[settled.valid]
        form = np.broadcast_to(found.h.form, (n,))
        for which, to in ((form == STANDARD, add[0]), (form != STANDARD, add[1])):
            at = np.flatnonzero(which)
            to("readings", numbers[at], pungs[at])
            to("reading_sets", numbers[at], pungs[at], weight[found.of[at]])
            of = best[which[best]]
            to("hands", numbers[of], pungs[of])
            to("sets", numbers[of], pungs[of], weight[found.of[of]])


def first_of_best(sorter: HandClassifier, keys: NDArray[np.int64], numbers: NDArray[np.int32]) -> NDArray[np.int64]:
    """Find the best reading of each set of tiles with these keys [4, N]: its place, tiles in order."""
    points = sorter.classes.points[numbers].astype(np.int64)
    total = points + sorter.classes.bonus[numbers]
    order = np.lexsort((-points, -total, *keys[::-1]))  # stable: among equals the first reading stays first
    ranked = keys[:, order]
    found: NDArray[np.int64] = order[np.concatenate([[True], (ranked[:, 1:] != ranked[:, :-1]).any(axis=0)])]
    return found
