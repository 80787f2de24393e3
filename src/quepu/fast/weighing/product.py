"""Points as a sum times a factor (`ProductArithmetic`), for many readings; the plain twin is the book's own `combine`.

Arrays and compiled loops share one expression; readings that it does not settle, where rows that hold conflict, go to
the plain scorer or the kernel (`product_kernel`).
"""

from __future__ import annotations

from functools import cached_property, reduce
from itertools import combinations, pairwise
from operator import or_
from typing import Any

import numpy as np

from quepu.fast.arrays.readings import one, whole
from quepu.fast.weighing import product_kernel
from quepu.fast.weighing.additive import Weighed
from quepu.fast.weighing.product_kernel import HALF, ROWS_A_WORD, TIMES_BITS
from quepu.hands.planes import Planes, count
from quepu.rules.arithmetic import MOST_TIMES, ProductArithmetic, ProductFigures
from quepu.rules.row import EACH
from quepu.rules.rulebook import Rulebook
from quepu.rules.symbols import is_truth

_MOST_CHOICES = 64
_MOST_CONTESTED = 40


class ProductWeighing:
    """Points of one book as products."""

    kernel = product_kernel

    def __init__(self, book: Rulebook, figures: ProductFigures) -> None:
        self.book = book
        self.figures = figures
        self.order = _in_order(figures.excluded)
        every = range(len(book.fans))
        self.droppers = [[j for j in every if figures.excluded[j] >> i & 1] for i in every]
        self.conflicts = [[j for j in every if figures.conflicts[i] >> j & 1] for i in every]
        self.contested = [i for i in every if self.conflicts[i]]
        self.choices = _largest(self.contested, figures.conflicts)
        # adds, figure, merges, times of each row, by how often it holds
        self._of = [np.array(rows, np.int64).T for rows in figures.rows]
        most = max(*(int(of[1].max()) for of in self._of), sum(bool(of[2].any()) for of in self._of))
        self.factor = np.array(
            [[[figures.factor(bool(c), a, b) for b in range(most + 1)] for a in range(most + 1)] for c in range(2)]
        )

    @classmethod
    def of(cls, book: Rulebook) -> ProductWeighing | None:
        """Build it for a book, or return None if the book does not multiply or its figures do not fit."""
        if not isinstance(book.arithmetic, ProductArithmetic):
            return None
        try:
            figures = book.arithmetic.product_figures(book)
        except AttributeError:  # a row has a value of another kind
            return None
        merging = {c for rows, c in zip(figures.rows, figures.classes, strict=True) if any(x.merges for x in rows)}
        fits = len(book.fans) <= 2 * HALF and len(merging) <= 1 and _in_order(figures.excluded)
        made = cls(book, figures) if fits else None
        return made if made and len(made.choices) <= _MOST_CHOICES and len(made.contested) <= _MOST_CONTESTED else None

    # ---- on arrays

    def weigh(self, h: Any, n: int, fans: bool) -> Weighed:
        """Find the best legal counting of n readings given as planes of arrays; with counts of rows if `fans`."""
        total, place, unsettled, times = self._settle(h, fans) if self._rising else (0, 0, True, {})
        points = whole(total, n) * self.factor.reshape(-1).take(whole(place, n))
        counts = np.zeros((n if fans else 0, len(self.book.fans)), np.uint8)
        for i, x in times.items():
            counts[:, i] = x
        for at in np.flatnonzero(whole(unsettled, n)).tolist():  # one or two in a hundred: the plain scorer counts them
            tally = self.book.tally(one(h, at))
            points[at] = tally.points
            if fans:
                counts[at] = 0
            for counted in tally.counted if fans else ():
                counts[at, counted.row] += counted.times
        return Weighed(points.astype(np.int32), np.zeros(n, np.int32), counts)

    # ---- for compiled loops

    def line(self, h: Planes) -> list[Any]:
        """Number of times each row holds, three bits a row, in `order`; then whether the factor's condition is met."""
        words: list[Any] = [0] * -(-len(self.order) // ROWS_A_WORD)
        for at, i in enumerate(self.order):
            fan = self.book.fans[i]
            x: Any = fan.when(h)
            if not is_truth(x):
                x = count(x) if fan.of == EACH else x
                x = x - (x > MOST_TIMES) * (x - MOST_TIMES)
            words[at // ROWS_A_WORD] = words[at // ROWS_A_WORD] | x << at % ROWS_A_WORD * TIMES_BITS
        return [*words, (self.figures.condition(h) != 0) * 1]

    def product(self, h: Planes) -> list[Any] | None:
        """As symbols: the sum, the place of its factor in `factor`, whether rows that hold conflict, then `line`.

        None: a row's figure goes down where it holds more often.
        """
        return [*self._settle(h, fans=False)[:3], *self.line(h)] if self._rising else None

    count_line = line

    def loop_line(self, h: Planes) -> list[Any]:
        """Return `product` of a reading whose planes are symbols, or `line` where there is none."""
        return self.product(h) or self.line(h)

    # ---- both

    def _settle(self, h: Any, fans: bool) -> tuple[Any, Any, Any, dict[int, Any]]:
        """Return the sum, the place of its factor, whether rows that hold conflict, and (if `fans`) each row's times.

        Planes are arrays, or symbols. The two highest figures are found as bits: n is the mask of the n lowest.
        """
        rows = self.book.fans
        held: dict[int, Any] = {}
        live: dict[int, Any] = {}
        times: dict[int, Any] = {}
        sums: dict[int, Any] = {}  # how often each number is added
        merged: Any = 0
        figures: dict[int, Any] = {}
        for i in self.order:
            x: Any = rows[i].when(h)
            if isinstance(x, np.ndarray) and not x.any():
                continue
            once = is_truth(x) or (isinstance(x, np.ndarray) and x.dtype == np.bool_)
            x = count(x) if rows[i].of == EACH and not once else x
            held[i] = x if once else x != 0
            droppers = [live[j] for j in self.droppers[i] if j in live]
            live[i] = held[i] & (reduce(or_, droppers) ^ True) if droppers else held[i]
            adds, own, merges, counts = (of.tolist() for of in self._of[i])
            c = self.figures.classes[i]
            for n in range(1, 2 if once else MOST_TIMES + 1):
                more = live[i] if n == 1 else live[i] & (x >= n)
                if adds[n] != adds[n - 1]:
                    sums[adds[n] - adds[n - 1]] = sums.get(adds[n] - adds[n - 1], 0) + more
                if merges[n] != merges[n - 1]:
                    merged = merged + more * (merges[n] - merges[n - 1])
                if fans:
                    times[i] = times.get(i, 0) + more * (counts[n] - counts[n - 1])
                if own[n] > own[n - 1]:
                    figures[c] = figures.get(c, 0) | more * ((1 << own[n]) - 1)
            if any(merges):
                figures.setdefault(c, 0)
                merging = c
        if not isinstance(merged, int):
            figures[merging] = figures[merging] | (1 << merged) - 1
        first: Any = 0
        second: Any = 0
        for mask in figures.values():
            first, second = first | mask, second | first & mask
        contested: Any = 0
        for i in self.contested:
            for j in self.conflicts[i]:
                if i < j and i in held and j in held:
                    contested = contested | held[i] & held[j]
        size = self.factor.shape[1]
        total = sum((number * value for value, number in sums.items()), 0)
        closed = (self.figures.condition(h) != 0) * 1
        return total, (closed * size + count(first)) * size + count(second), contested, times

    @property
    def context(self) -> list[Any]:
        """The entries that `product_kernel.weigh` reads."""
        return [int(self._rising), *self.figures_of_kernel]

    @cached_property
    def _rising(self) -> bool:
        """Whether no row's figure goes down where it holds more often."""
        return all(a <= b for of in self._of for a, b in pairwise(of[1].tolist()))

    @cached_property
    def figures_of_kernel(self) -> tuple[Any, ...]:
        """The `figures` of `weigh_products`."""
        place = {i: at for at, i in enumerate(self.order)}
        classes = max(self.figures.classes) + 1

        def mask(rows: Any) -> list[int]:
            places = [place[i] for i in rows]
            return [sum(1 << at for at in places if at < HALF), sum(1 << at - HALF for at in places if at >= HALF)]

        of_row = [
            [
                *mask([i]), *mask(self.droppers[i]),
                _weight(self.contested.index(i)) if i in self.contested else 0, self.figures.classes[i], i, classes,
            ]
            for i in self.order
        ]  # fmt: skip
        adds, single, merges, times = (np.array([self._of[i][k] for i in self.order], np.int64) for k in range(4))
        choices = np.array([mask(self.contested), *map(mask, self.choices)], np.int64)
        return (
            np.array(of_row, np.int64), (adds << 16) + (single << 8) + merges, np.ascontiguousarray(times),
            np.array([mask(self.conflicts[i]) for i in self.order], np.int64), choices,
            np.ascontiguousarray(self.factor, np.int64), np.zeros((5, max(len(self.order), len(choices))), np.int64),
        )  # fmt: skip


def _weight(at: int) -> int:
    """Return the weight of the contested row at this place: more rows weigh more, then earlier ones."""
    return (1 << _MOST_CONTESTED) + (1 << _MOST_CONTESTED - 1 - at)


def _in_order(excluded: tuple[int, ...]) -> list[int]:
    """Return the rows, each behind those that exclude it; empty if they exclude each other in a ring."""
    left = list(range(len(excluded)))
    order: list[int] = []
    while left:
        free = [i for i in left if not any(excluded[j] >> i & 1 for j in left)]
        if not free:
            return []
        order += free
        left = [i for i in left if i not in free]
    return order


def _largest(rows: list[int], conflicts: tuple[int, ...]) -> list[frozenset[int]]:
    """Return every set of these rows without a conflict to which no other can be added."""
    parts: list[set[int]] = []
    for row in rows:
        mine = {row} | {other for other in rows if conflicts[row] >> other & 1}
        touched = [part for part in parts if part & mine]
        parts = [part for part in parts if not part & mine] + [mine.union(*touched)]
    found = [frozenset[int]()]
    for part in parts:
        sets = [
            frozenset(some)
            for size in range(len(part), 0, -1)
            for some in combinations(sorted(part), size)
            if not any(conflicts[a] >> b & 1 for a in some for b in some)
        ]
        sets = [some for some in sets if not any(some < other for other in sets)]
        found = [one | more for one in found for more in sets]
    return found
