"""A book asked about every hand: which signature classes there are, how many hands and physical tile sets each holds.

A census is the one thing that rarity, points, implications, calibrate and the report are drawn from: everything they
say is a sum over its few thousand classes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from quepu.batch.classes import Classes
from quepu.batch.engine import Engine
from quepu.batch.readings import read
from quepu.batch.wins import Wins
from quepu.hand import Luck
from quepu.lab.special import (
    TILE_SETS,
    counts_of_keys,
    is_standard,
    keys_of_pairs,
    seven_pairs,
    ways,
)
from quepu.lab.universe import DECOMPOSED, State, Universe, shared
from quepu.planes import PAIRS, SINGLE, Planes, count
from quepu.rulebook import Rulebook
from quepu.tiles import BIT, EAST

Array = Any
CHUNK = 16_384
PUNGS = 5
"""A hand has 0 to 4 pungs."""

Progress = Callable[[int, int], None]
"""Called with hands done and hands in all."""


@dataclass(frozen=True)
class Tallied:
    """What a census counts, each int64 [classes, 5]: by class, and by the number of pungs in the reading."""

    readings: Array  # readings of this class (decomposed hands)
    reading_sets: Array  # physical tile sets that can be read so
    hands: Array  # distinct hands whose best reading is of this class
    sets: Array  # physical tile sets that are those hands

    def by_class(self, name: str, pung_factor: float = 1.0) -> Array:
        """One of them summed over pungs, each pung weighed so often: exact ints for a factor of 1."""
        column = getattr(self, name)
        if pung_factor == 1:
            return column.sum(axis=1)
        return column @ pung_factor ** np.arange(PUNGS)


@dataclass(frozen=True)
class Census:
    """Every hand of one book in one state."""

    book: Rulebook
    state: State
    points: Array  # int32 [classes], towards the minimum
    bonus: Array  # int32 [classes]
    parts: dict[str, Array]  # the sums the book speaks of (fan, or fu and fan), int32 [classes] each
    counts: Array  # uint8 [classes, fans], how often each fan counts
    holds: Array  # bool [classes, fans], whose condition holds, counted or not
    examples: Array  # int64 [classes, planes], the planes of one reading of each
    standard: Tallied  # standard hands taken by themselves
    special: dict[str, Tallied]  # hands of the other shapes; a hand that is of a shape and standard too is here
    left_out: tuple[str, ...]  # shapes that nobody has enumerated
    overlapping: Tallied  # standard hands that are in `special` too, with their standard reading

    def example(self, number: int) -> Planes:
        """One reading of a class."""
        return Planes(*self.examples[number].tolist())

    @cached_property
    def whole(self) -> Tallied:
        """All winning hands, each once with its best reading."""
        parts = [self.standard, *self.special.values()]
        return Tallied(
            sum(part.readings for part in parts),
            sum(part.reading_sets for part in parts),
            sum(part.hands for part in parts) - self.overlapping.hands,
            sum(part.sets for part in parts) - self.overlapping.sets,
        )


def classify(classes: Classes, universe: Universe, progress: Progress | None = None) -> list[tuple[int, Array, Array]]:
    """Every hand's class: for each kind of pair the meld sets (int32) and the class numbers (int32)."""
    of_melds = [column for column in classes.columns if column.of_melds]
    of_pungs = [column for column in classes.columns if not column.of_melds and column.of_pungs]
    others = [column for column in classes.columns if not column.of_melds and not column.of_pungs]
    everything = np.arange(len(universe.melds.p), dtype=np.int32)
    start = np.empty(len(everything), np.uint64)
    for at in range(0, len(everything), CHUNK):
        some = everything[at : at + CHUNK]
        start[some] = classes.hash(universe.gathered(some), of_melds)
    _, few, which = np.unique(universe.base.p, return_index=True, return_inverse=True)
    made = []
    done = 0
    for kind, index in universe.pairs():
        numbers = np.empty(len(index), np.int32)
        pungs = np.broadcast_to(classes.hash(universe.block(kind, few), of_pungs), (len(few),))
        for at in range(0, len(index), CHUNK):
            some = index[at : at + CHUNK]
            h = universe.block(kind, some)
            numbers[at : at + CHUNK] = classes.numbers(classes.hash(h, others, start[some] + pungs[which[some]]), h)
            done += len(some)
            if progress is not None:
                progress(done, DECOMPOSED)
        made.append((kind, index, numbers))
    return made


def take(
    book: Rulebook, state: State, *, specials: bool = True, seat: int = EAST, round: int = EAST,
    progress: Progress | None = None,
) -> Census:  # fmt: skip
    """Ask a book about every hand in a state (some seconds).

    With `specials` the hands of the book's other shapes are taken too, where the state is closed.
    """
    engine = Engine(book)
    universe = Universe(state, seat, round)
    whole = _standard(engine.classes, universe, progress)
    special: dict[str, _Sums] = {}
    overlap = _Sums()
    others = [shape for shape in book.shapes if shape != "standard"]
    known = [shape for shape in others if shape in TILE_SETS or shape in ("pairs", "any_pairs")]
    closed = not state.chows_open and not state.pungs_open and not state.kongs and not state.on_pair
    if specials and closed:
        for shape in known:
            special[shape] = _special(engine, shape, state, seat, round, overlap)
    n = len(engine.classes)
    tallies = engine.classes.tallies
    return Census(
        book,
        state,
        engine.classes.points,
        engine.classes.bonus,
        {name: np.array([t.parts[name] for t in tallies], np.int32) for name in (tallies[0].parts if tallies else ())},
        engine.classes.counts,
        engine.classes.holds,
        np.array(engine.classes.examples, np.int64),
        whole.padded(n),
        {shape: sums.padded(n) for shape, sums in special.items()},
        tuple(shape for shape in others if shape not in known) if specials and closed else tuple(others),
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
    # hands with several readings: take out all but the best
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
    worth = classes.points[number[there]].astype(np.int64)
    total = worth + classes.bonus[number[there]]
    order = np.lexsort((same.order[there], -worth, -total, same.group[there]))
    ranked = there[order]
    again = ranked[1:][same.group[ranked[1:]] == same.group[ranked[:-1]]]
    pungs = universe.pungs[same.melds[again]]
    sums.add("hands", number[again], pungs, sign=-1)
    sums.add("sets", number[again], pungs, weight[again], sign=-1)
    return sums


def _special(engine: Engine, shape: str, state: State, seat: int, round: int, overlap: _Sums) -> _Sums:
    sums = _Sums()
    luck = state.luck
    if shape in ("pairs", "any_pairs"):
        for held, four in seven_pairs(shape == "any_pairs"):
            keys = keys_of_pairs(held, four)
            h = Planes(
                *(0,) * 13, held, held, held, four, four, PAIRS, BIT[seat], BIT[round], 0, SINGLE, 0, 0,
                luck | int(Luck.CLOSED), 0, 0,
            )  # fmt: skip
            numbers = engine.classes.classify(h, len(held))
            weight = 6 ** (7 - 2 * count(four))
            sums.add("readings", numbers, 0)
            sums.add("reading_sets", numbers, 0, weight)
            both = is_standard(keys)
            alone = ~both
            sums.add("hands", numbers[alone], 0)
            sums.add("sets", numbers[alone], 0, weight[alone])
            if both.any():
                counts = counts_of_keys(keys[:, both])
                _both(engine, counts, luck, seat, round, sums, overlap)
    else:
        for counts in TILE_SETS[shape]():
            wins = Wins(counts, None, -1, seat, round, luck)
            found = read(wins, (shape,), engine.book.reads)
            numbers = engine.classes.classify(found.h, len(found.of))
            sums.add("readings", numbers, count(found.h.p))
            sums.add("reading_sets", numbers, count(found.h.p), ways(counts)[found.of])
            both = is_standard(wins.keys)
            _best(engine, counts[~both], luck, seat, round, sums)
            if both.any():
                _both(engine, counts[both], luck, seat, round, sums, overlap)
    return sums


def _best(engine: Engine, counts: Array, luck: int, seat: int, round: int, sums: _Sums) -> None:
    if not len(counts):
        return
    settled = engine.settle(Wins(counts, None, -1, seat, round, luck))
    pungs = count(settled.planes()["p"])
    sums.add("hands", settled.classes, pungs)
    sums.add("sets", settled.classes, pungs, ways(counts))


def _both(engine: Engine, counts: Array, luck: int, seat: int, round: int, sums: _Sums, overlap: _Sums) -> None:
    """Hands of a special shape that are standard too: their best reading, and the standard one they were counted by."""
    _best(engine, counts, luck, seat, round, sums)
    settled = engine.settle(Wins(counts, None, -1, seat, round, luck), ("standard",))
    pungs = count(settled.planes()["p"])
    overlap.add("hands", settled.classes, pungs)
    overlap.add("sets", settled.classes, pungs, ways(counts))
