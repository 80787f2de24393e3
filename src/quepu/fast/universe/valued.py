"""Values of classes: of a universe (a census, two books side by side), of single hands by their best reading.

The plain twins are `score_hand` and, in tests, a count hand by hand.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.readings import OWN, Readings, choose
from quepu.fast.universe.census import PUNGS, Census, Progress, Tallied
from quepu.fast.universe.classed import OTHERS, OVERLAPPING, Classed
from quepu.fast.universe.classed_cache import classed_for
from quepu.fast.universe.classes import Classes, places_left
from quepu.fast.universe.collected import ClassedPart, Several
from quepu.fast.universe.revised_classes import FiguredClasses, RevisedClasses
from quepu.fast.universe.standard_hands import HandState, read_held
from quepu.hands.planes import STANDARD as STANDARD_FORM
from quepu.hands.planes import Planes
from quepu.rules.arithmetic import Figured
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.shapes.standard import SHAPE as STANDARD

Array = NDArray[Any]
_FORM = Planes._fields.index("form")
NO_WIN = -1
"""The class of readings that are no win under a book: it does not have their shape."""


class Valued(NamedTuple):
    """A universe under one book: the book's own classes, and which of them each class of the universe is."""

    classed: Classed
    book: Rulebook
    classes: Classes
    number: Array  # int64 [classes of the universe], NO_WIN where the book does not have the shape

    def best(self, several: Several) -> Array:
        """Return the place of the best reading of each kind of hands: int64 [kinds]."""
        number = self.number[several.code // PUNGS]
        points = self.classes.points[number].astype(np.int64)
        total = np.where(number == NO_WIN, NO_WIN, points + self.classes.bonus[number])
        of = np.repeat(np.arange(len(several.hands)), np.diff(several.starts))
        order = np.lexsort((np.arange(len(of)), -points, -total, of))
        return order[several.starts[:-1]]


_REMEMBERED = 16
_lately: OrderedDict[tuple[int, str, str], Valued] = OrderedDict()


def valued(book: Rulebook, classed: Classed, near: Valued | None = None) -> Valued:
    """Tally every class under a book whose conditions the classes tell apart; remembered for the last few.

    Of a book that differs by some rows only from that of `near`, or from one that was tallied lately, just the classes
    with one of those rows are tallied anew: a draft that is changed step by step costs what its last step changes.
    """
    key = (id(classed), book.id, book.fingerprint)
    found = _lately.pop(key, None)
    if found is None or found.classed is not classed:
        near, rows = _nearest(book, classed, near)
        if near is not None:
            found = Valued(classed, book, RevisedClasses(near.classes, book, rows), near.number)
        else:
            classes, wins = FiguredClasses(book), np.flatnonzero(_are_wins(book, classed))
            number = np.full(len(classed.examples), NO_WIN, np.int64)
            number[wins] = classes.classify(Planes(*classed.examples[wins].T), len(wins))
            found = Valued(classed, book, classes, number)
    _lately[key] = found
    while len(_lately) > _REMEMBERED:
        _lately.popitem(last=False)
    return found


def _are_wins(book: Rulebook, classed: Classed) -> Array:
    """Return which classes are of shapes that a book has, or that one of the universe covers: bool [classes]."""
    h = Planes(*classed.examples.T)
    found = np.zeros(len(classed.examples), np.bool_)
    for shape in (SHAPES[name] for name in book.shapes):
        mine = h.form == shape.form
        if shape.whole is not None and not {shape.name, OTHERS} & classed.parts.keys():
            mine &= np.asarray(shape.whole.when(h)) != 0
        found |= mine
    return found


def _nearest(book: Rulebook, classed: Classed, near: Valued | None) -> tuple[Valued | None, frozenset[int]]:
    """Return the tallied universe whose book differs by the fewest rows, and those rows; None if there is none."""
    best: tuple[Valued | None, frozenset[int]] = None, frozenset()
    if near is None:
        return best
    for one in (near, *_lately.values()):
        rows = changed_rows(one.book, book) if one.classed is classed else None
        if rows is not None and (best[0] is None or len(rows) < len(best[1])):
            best = one, rows
    return best


def changed_rows(old: Rulebook, new: Rulebook) -> frozenset[int] | None:
    """Return the rows that differ in value or relations, of two books otherwise alike; None if they are not."""
    alike = (
        type(old.arithmetic) is type(new.arithmetic)
        and old.shapes == new.shapes
        and _figures(old) == _figures(new)
        and (old.settings, old.chosen, old.flower_value, old.family) == (
            new.settings, new.chosen, new.flower_value, new.family)
        and [fan.name for fan in old.fans] == [fan.name for fan in new.fans]
        and places_left(old) == places_left(new)
        and all(a.when is b.when and a.on is b.on and a.of == b.of for a, b in zip(old.fans, new.fans, strict=True))
    )  # fmt: skip
    if not alike:
        return None
    found = set()
    for row, (a, b) in enumerate(zip(old.fans, new.fans, strict=True)):
        same = (a.value, a.category, a.most, a.joins, a.extra, a.implied, old.drops[row], old.conflicts[row]) == (
            b.value, b.category, b.most, b.joins, b.extra, b.implied, new.drops[row], new.conflicts[row])  # fmt: skip
        if not same:
            found.add(row)
    return frozenset(found)


def _figures(book: Rulebook) -> object:
    return book.arithmetic.figures if isinstance(book.arithmetic, Figured) else ()


# ---- a census


def census(
    book: Rulebook, state: HandState, *, specials: bool = True, progress: Progress | None = None, fresh: bool = False
) -> Census:
    """Return the census of a book in a state. `fresh`: sort the hands anew, whatever was kept of them.

    Without `specials`, of standard hands alone.
    """
    found = census_of(valued(book, classed_for((book,), state, progress, fresh=fresh)))
    if specials:
        return found
    nothing = replace(
        found.overlapping, **{name: np.zeros_like(column) for name, column in vars(found.overlapping).items()}
    )
    left_out = tuple(dict.fromkeys((*found.special, *found.left_out)))
    return replace(found, special={}, left_out=left_out, overlapping=nothing)


def census_of(valued: Valued) -> Census:
    """Return the census of a universe under one book."""
    classes = valued.classes
    parts = {name: _tally(valued, part) for name, part in valued.classed.parts.items()}
    overlapping = parts.pop(OVERLAPPING)
    if OTHERS in parts:
        parts[STANDARD.name], parts[OTHERS] = _by_best(valued, parts[STANDARD.name], parts[OTHERS])
    return Census(
        valued.book,
        valued.classed.state,
        classes.points,
        classes.bonus,
        classes.parts,
        classes.counts,
        classes.holds,
        classes.planes,
        parts.pop(STANDARD.name),
        parts,
        valued.classed.left_out,
        overlapping,
    )


def _tally(valued: Valued, part: ClassedPart) -> Tallied:
    several, best = part.several, valued.best(part.several)
    hands = [(part.single[:, 0], part.single[:, 1]), (several.code[best], several.hands)]
    sets = [(part.single[:, 0], part.single[:, 2]), (several.code[best], several.sets[best])]
    readings = part.readings
    return Tallied(
        _by_class(valued, [(readings[:, 0], readings[:, 1])]),
        _by_class(valued, [(readings[:, 0], readings[:, 2])]),
        _by_class(valued, hands),
        _by_class(valued, sets),
    )


def _by_best(valued: Valued, standard: Tallied, others: Tallied) -> tuple[Tallied, Tallied]:
    """Join both parts where each tile is the last: a hand is a standard one if its best reading is."""
    several = valued.classed.parts[OTHERS].several
    best = valued.best(several)
    code = several.code[best]
    at = np.flatnonzero(valued.classed.examples[code // PUNGS, _FORM] == STANDARD_FORM)
    hands = _by_class(valued, [(code[at], several.hands[at])])
    sets = _by_class(valued, [(code[at], several.sets[best[at]])])
    return (
        replace(standard, hands=standard.hands + hands, sets=standard.sets + sets),
        replace(others, hands=others.hands - hands, sets=others.sets - sets),
    )


def _by_class(valued: Valued, sums: list[tuple[Array, Array]]) -> Array:
    """Sum numbers by code into int64 [the book's classes, pungs]."""
    table = np.zeros((len(valued.classes), PUNGS), np.int64)
    for code, n in sums:
        np.add.at(table, (valued.number[code // PUNGS], code % PUNGS), n)
    return table


# ---- two books


class Kinds(NamedTuple):
    """Kinds of hands by their class under either book: hands and tile sets, and the planes of one such hand."""

    number: Array  # int64 [kinds, 2]
    hands: Array  # int64 [kinds]
    sets: Array  # int64 [kinds]
    examples: Array  # int64 [kinds, planes]


def kinds_of(old: Valued, new: Valued) -> Kinds:
    """Return the hands of a universe by the classes of their best readings under two books."""
    columns: list[tuple[Array, ...]] = []
    for name, part in old.classed.parts.items():
        sign = -1 if name == OVERLAPPING else 1
        code = part.single[:, 0] // PUNGS
        columns.append(
            (old.number[code], new.number[code], sign * part.single[:, 1], sign * part.single[:, 2],
             old.classed.examples[code])
        )  # fmt: skip
        several = part.several
        a, b = old.best(several), new.best(several)
        codes = several.code // PUNGS
        shown = np.where(old.number[codes[a]] == NO_WIN, b, a)
        columns.append(
            (old.number[codes[a]], new.number[codes[b]], sign * several.hands, sign * several.sets[shown],
             several.examples[shown])
        )  # fmt: skip
    first, second, hands, sets, examples = (np.concatenate(column) for column in zip(*columns, strict=True))
    key = first - NO_WIN << 32 | second - NO_WIN
    _, one, inverse = np.unique(key, return_index=True, return_inverse=True)
    n = len(one)
    sums = np.zeros((2, n), np.int64)
    np.add.at(sums[0], inverse, hands)
    np.add.at(sums[1], inverse, sets)
    left = np.flatnonzero((sums[0] != 0) & ((first[one] != NO_WIN) | (second[one] != NO_WIN)))
    left = left[np.argsort(one[left], kind="stable")]
    at = one[left]
    return Kinds(np.stack([first[at], second[at]], axis=1), sums[0][left], sums[1][left], examples[at])


class Classified(NamedTuple):
    """The best reading of each hand and its class."""

    valid: NDArray[np.bool_]  # whether it is a win
    classes: NDArray[np.int32]  # -1 where it is not
    readings: Readings
    best: NDArray[np.int64]  # the number of the best reading among `readings`, -1 where it is not a win

    def planes(self) -> dict[str, NDArray[np.int64]]:
        """Return the planes that distinguish the best reading from others: [N] each, 0 where it is not a win."""
        at = np.maximum(self.best, 0)
        found = {}
        for name in OWN:
            column = getattr(self.readings.h, name)
            found[name] = np.where(self.valid, column[at] if len(column) else 0, 0)
        return found


class HandClassifier:
    """Finds the classes of hands under one book, as a state holds them if it is named."""

    def __init__(self, book: Rulebook, classes: Classes | None = None, state: HandState | None = None) -> None:
        self.book = book
        self.state = state
        self.classes = Classes(book) if classes is None else classes

    def classify(self, wins: HandArrays, shapes: tuple[str, ...] | None = None) -> Classified:
        """Classify the best reading of each hand: most points and bonus, then most points, then the first.

        shapes: those to read; the book's by default.
        """
        found = read_held(wins, shapes or self.book.shapes, self.book.reads, self.state)
        classes, best = np.full(wins.n, -1, np.int32), np.full(wins.n, -1, np.int64)
        if len(found.of):
            number = self.classes.classify(found.h, len(found.of))
            at = choose(wins.n, found, self.classes.points[number], self.classes.bonus[number])
            valid = wins.possible & (at >= 0)
            best = np.where(valid, at, -1)
            classes[valid] = number[best[valid]]
        return Classified(best >= 0, classes, found, best)
