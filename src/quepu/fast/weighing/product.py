"""Points as a sum times a factor (`ProductArithmetic`), for many readings; the plain twin is the book's own `combine`.

The form for arrays comes first, then the tables of the kernel (`product_kernel`).
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from quepu.fast.arrays.readings import one, row_counts, whole
from quepu.fast.weighing import product_kernel
from quepu.fast.weighing.additive import Ints, Weighed
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
        except AttributeError:  # a row of a value that is none of the book's
            return None
        merging = {c for rows, c in zip(figures.rows, figures.classes, strict=True) if any(x.merges for x in rows)}
        fits = len(book.fans) <= 2 * HALF and len(merging) <= 1 and _in_order(figures.excluded)
        made = cls(book, figures) if fits else None
        return made if made and len(made.choices) <= _MOST_CHOICES and len(made.contested) <= _MOST_CONTESTED else None

    # ---- on arrays

    def weigh(self, h: Any, n: int, fans: bool) -> Weighed:
        """Find the best legal counting of n readings given as planes of arrays; with counts of rows if `fans`."""
        held, closed = self._held_and_closed(h, n)
        made = self._weigh(held, closed, fans)
        real = np.zeros(n, np.bool_)
        for i in self.contested:
            for j in self.conflicts[i]:
                if i < j:
                    real |= (held[i] != 0) & (held[j] != 0)
        for at in np.flatnonzero(real).tolist():  # one or two in a hundred have a choice: the plain scorer takes it
            tally = self.book.tally(one(h, at))
            made.points[at] = tally.points
            if fans:
                made.counts[at] = 0
            for counted in tally.counted if fans else ():
                made.counts[at, counted.row] += counted.times
        return made

    @cached_property
    def _factors(self) -> Ints:
        """`factor`, by one number: int32."""
        return self.factor.reshape(-1).astype(np.int32)

    def _held_and_closed(self, h: Any, n: int) -> tuple[list[Any], Ints]:
        """Number of times each row holds in n readings, and whether their condition is met."""
        held = [self._times(i, x) for i, x in enumerate(row_counts(self.book, h, n))]
        return held, (whole(self.figures.condition(h), n) != 0).view(np.uint8)

    def _times(self, i: int, x: Ints) -> Ints:
        if self.book.fans[i].of == EACH:
            x = count(x).astype(np.uint8)
        return x.view(np.uint8) if x.dtype == np.bool_ else np.minimum(x, np.uint8(MOST_TIMES))

    def _weigh(self, held: list[Any], closed: Ints, fans: bool) -> Weighed:
        """Return the points of readings where these rows count unless one that counts drops them."""
        n = len(closed)
        total = np.zeros(n, np.int32)
        highest = np.zeros((max(self.figures.classes) + 1, n), np.uint8)
        merged = np.zeros(n, np.uint8)
        merging = -1
        live: list[Any] = [None] * len(held)
        counts = np.zeros((n if fans else 0, len(held)), np.uint8)
        for i in self.order:
            x = held[i]
            if not x.any():
                continue
            gone = None
            for j in self.droppers[i]:
                there = live[j]
                if there is not None:
                    gone = there if gone is None else gone | there
            if gone is not None:
                x = x * ~gone
            live[i] = x != 0
            adds, figure, merges, times = self._of[i]
            most = int(x.max())
            total += _by_times(adds, x, most)
            if merges.any():
                merged += _by_times(merges, x, most).astype(np.uint8)
                merging = self.figures.classes[i]
            own = highest[self.figures.classes[i]]
            np.maximum(own, _by_times(figure, x, most).astype(np.uint8), out=own)
            if fans:
                counts[:, i] = _by_times(times, x, most)
        if merging >= 0:
            np.maximum(highest[merging], merged, out=highest[merging])
        f0, f1 = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
        for x in highest:
            f1 = np.maximum(f1, np.minimum(f0, x))
            f0 = np.maximum(f0, x)
        size = self.factor.shape[1]
        at = (closed.astype(np.int64) * size + f0) * size + f1
        total *= self._factors.take(at)
        return Weighed(total, np.zeros(n, np.int32), counts)

    # ---- for compiled loops

    def line(self, h: Planes) -> list[Any]:
        """Number of times each row holds, three bits a row in the order worked in, and what else settles the factor."""
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

        None: a row's figure goes down where it holds more often. The two highest figures are found as bits: n is the
        mask of the n lowest.
        """
        if not self._rising:
            return None
        rows = self.book.fans
        held: list[Any] = [0] * len(rows)
        live: list[Any] = [0] * len(rows)
        sums: dict[int, Any] = {}  # how often each number is added
        merged: Any = 0
        figures: dict[int, Any] = {}
        for i in self.order:
            x: Any = rows[i].when(h)
            if not is_truth(x) and rows[i].of == EACH:
                x = count(x)
            held[i] = x if is_truth(x) else x != 0
            gone: Any = 0
            for j in self.droppers[i]:
                gone = gone | live[j]
            live[i] = held[i] & (gone ^ 1)
            adds, own, merges, _ = (of.tolist() for of in self._of[i])
            for n in range(1, 2 if is_truth(x) else MOST_TIMES + 1):
                more = live[i] if n == 1 else live[i] & (x >= n)
                sums[adds[n] - adds[n - 1]] = sums.get(adds[n] - adds[n - 1], 0) + more
                merged = merged + more * (merges[n] - merges[n - 1])
                if own[n] > own[n - 1]:
                    c = self.figures.classes[i]
                    figures[c] = figures.get(c, 0) | more * ((1 << own[n]) - 1)
            if any(merges):
                figures.setdefault(self.figures.classes[i], 0)
                merging = self.figures.classes[i]
        if not isinstance(merged, int):
            figures[merging] = figures[merging] | (1 << merged) - 1
        first: Any = 0
        second: Any = 0
        for mask in figures.values():
            first, second = first | mask, second | first & mask
        contested: Any = 0
        for i in self.contested:
            for j in self.conflicts[i]:
                if i < j:
                    contested = contested | held[i] & held[j]
        *words, closed = self.line(h)
        size = self.factor.shape[1]
        total = sum((times * value for value, times in sums.items()), 0)
        return [total, (closed * size + count(first)) * size + count(second), contested, *words, closed]

    count_line = line

    def loop_line(self, h: Planes) -> list[Any]:
        """Return `product` of a reading whose planes are symbols, or `line` where there is none."""
        return self.product(h) or self.line(h)

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


def _by_times(figure: Ints, x: Ints, most: int) -> Ints:
    """Return a figure by how often a row holds, at most `most` times."""
    if most == 1:
        return x * figure.dtype.type(figure[1]).astype(np.int32) if figure[1] != 1 else x
    return figure.astype(np.int32).take(x.astype(np.int64))  # by which numpy looks up eight times as fast


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
