"""Values of classes by their book's figures; under a changed book, of those in which a changed row holds or counts.

An arithmetic that adds up without relating sets to each other is evaluated on arrays, all classes at once, and one that
adds by residues by its kernel, if that is compiled; tallies are made when they are read. Any other book is asked class
by class: that is the plain twin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from quepu.fast.compiled.code_cache import installed
from quepu.fast.universe.classes import Classes
from quepu.fast.weighing.additive import AdditiveWeighing
from quepu.fast.weighing.residue import ResidueWeighing
from quepu.hands.planes import Planes
from quepu.rules.arithmetic import AdditiveArithmetic, Relating, ResidueArithmetic, Tally
from quepu.rules.row import EACH
from quepu.rules.rulebook import Rulebook

Array = NDArray[Any]


class FiguredClasses(Classes):
    """The signatures met so far under one book, given their values by its figures where it has them."""

    def __init__(self, book: Rulebook) -> None:
        super().__init__(book)
        self._made: list[Tally | None] = []
        self._words = _Words(self.planes)

    def settle(self, planes: Array) -> None:
        """Take up new classes by one reading of each, and what holds in it."""
        super().settle(planes)
        self._made += [None] * len(planes)

    @property
    def tallies(self) -> Sequence[Tally]:
        """The book's tallies, by class, each made when it is looked at."""
        return _Tallies(self)

    def tally(self, number: int) -> Tally:
        """Return the book's tally of a class."""
        found = self._made[number]
        if found is None:
            found = self._made[number] = self.book.tally_hits(self.hits[number], self.examples[number])
        return found

    def _value(self, base: int) -> None:
        """Give the classes from this one on their values."""
        self._words = _Words(self.planes)
        names = self.tallies[0].parts
        values = self._values_of(np.arange(base, len(self)), tuple(names))
        self._points, self._bonus = (
            np.concatenate([old, new]) for old, new in ((self._points, values.points), (self._bonus, values.bonus))
        )
        self._counts = np.concatenate([self._counts, values.counts])
        none = np.zeros(0, np.int32)
        self._parts = {name: np.concatenate([self._parts.get(name, none), values.parts[name]]) for name in names}

    def _values_of(self, places: Array, names: tuple[str, ...]) -> _Values:
        """Return the values of some classes, of a sum with these parts."""
        values = self._at_once(places, names[0]) if len(names) == 1 else None
        return self._one_by_one(places, names) if values is None else values

    def _one_by_one(self, places: Array, names: tuple[str, ...]) -> _Values:
        tallies = [self.tallies[number] for number in places.tolist()]
        counts = np.zeros((len(places), len(self.book.fans)), np.uint8)
        for row, tally in zip(counts, tallies, strict=True):
            for counted in tally.counted:
                row[counted.row] += counted.times
        return _Values(
            np.array([t.points for t in tallies], np.int32),
            np.array([t.bonus for t in tallies], np.int32),
            counts,
            {name: np.array([t.parts[name] for t in tallies], np.int32) for name in names},
        )

    def _at_once(self, places: Array, part: str) -> _Values | None:
        """Return the values of some classes by the book's figures; None for a book that is asked once a class."""
        book, arithmetic = self.book, self.book.arithmetic
        if isinstance(arithmetic, AdditiveArithmetic) and not isinstance(arithmetic, Relating):
            held = self.held.of(places, len(book.fans))
            rows = [x if fan.of == EACH else x.astype(np.uint8) for fan, x in zip(book.fans, held, strict=True)]
            h = Planes(*self.planes[places].T)
            sums = AdditiveWeighing(book, arithmetic).weigh(h, len(places), fans=True, held=rows)
            return _Values(sums.points, sums.bonus, sums.counts, {part: sums.points})
        if isinstance(arithmetic, ResidueArithmetic) and installed():
            by_residues = ResidueWeighing.of(book, np.flatnonzero(self.holds.any(axis=0)).tolist())
            if by_residues is None or not by_residues.code.there:  # compiling it would take longer
                return None
            made = by_residues.totals(self._words.of(by_residues, places))
            if made is not None:
                paid = by_residues.figures.paid
                points = np.array([paid(total) for total in range(int(made.points.max(initial=0)) + 1)], np.int32)
                return _Values(points[made.points], np.zeros_like(made.points), made.counts, {part: made.points})
        return None


class RevisedClasses(FiguredClasses):
    """The classes of a book under another that differs only in the values and relations of some rows.

    A tally is settled by the rows that hold or count in it, so all others stay.
    """

    def __init__(self, near: Classes, book: Rulebook, rows: frozenset[int]) -> None:
        points, bonus, counts = near.points.copy(), near.bonus.copy(), near.counts.copy()
        self.__dict__.update(near.__dict__)  # the signatures are the same
        self.book = book
        self._words = near._words if isinstance(near, FiguredClasses) else _Words(near.planes)
        self._held, self._holds = near.held, near.holds
        self._points, self._bonus, self._counts = points, bonus, counts
        self._parts = parts = {name: column.copy() for name, column in near.parts.items()}
        self._made = list(near._made if isinstance(near, FiguredClasses) else near.tallies)
        some = sorted(rows)
        places = np.flatnonzero(self.holds[:, some].any(axis=1) | (self._counts[:, some] != 0).any(axis=1))
        for number in places.tolist():
            self._made[number] = None
        values = self._values_of(places, tuple(parts))
        self._points[places], self._bonus[places], self._counts[places] = values.points, values.bonus, values.counts
        for name, column in values.parts.items():
            parts[name][places] = column

    def settle(self, planes: Array) -> None:
        """Refuse new classes: they would be the near book's too.

        Raises:
            ValueError: always.
        """
        raise ValueError(f"{self.book.id}: {len(planes)} classes that were not met before")


class _Values(NamedTuple):
    """Values of some classes."""

    points: Array  # int32 [classes]
    bonus: Array  # int32 [classes]
    counts: Array  # uint8 [classes, fans]
    parts: dict[str, Array]  # int32 [classes] each


class _Tallies(Sequence[Tally]):
    """The tallies of classes, made when they are looked at."""

    def __init__(self, classes: FiguredClasses) -> None:
        self._classes = classes

    def __len__(self) -> int:
        return len(self._classes)

    @overload
    def __getitem__(self, at: int) -> Tally: ...
    @overload
    def __getitem__(self, at: slice) -> list[Tally]: ...
    def __getitem__(self, at: int | slice) -> Tally | list[Tally]:
        if isinstance(at, slice):
            return [self._classes.tally(one) for one in range(*at.indices(len(self)))]
        return self._classes.tally(at)


class _Words:
    """The words of all classes (`ResidueWeighing.words`), made once for each layout of them."""

    def __init__(self, examples: Array) -> None:
        self._examples = examples
        self._found: dict[Any, Array] = {}

    def of(self, part: ResidueWeighing, places: Array) -> Array:
        """Return the words of some classes: int64 [words, places]."""
        key = part.rows, tuple(part.fields), tuple(part.masks)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = part.words(Planes(*self._examples.T), len(self._examples))
        return found.take(places, axis=1)
