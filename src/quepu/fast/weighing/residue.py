"""Points by residues (`ResidueArithmetic`), for many readings at once; the plain twin is the book's own `combine`.

It has no form for arrays: without numba such books are scored hand by hand. Which groups each row holds on is worked
out by the conditions themselves (`fast.weighing.occurrences`) and packed in words; the search for the best counting is
the kernel `residue_kernel.weigh_residues`.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache, cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from quepu.fast.arrays.readings import whole
from quepu.fast.compiled.code_cache import CachedCode, loops_text
from quepu.fast.weighing import residue_kernel
from quepu.fast.weighing.additive import Ints, Weighed
from quepu.fast.weighing.occurrences import MELDS, groups_of, occurrence_condition
from quepu.fast.weighing.residue_kernel import PUNGS_AT
from quepu.folders import cache_folder, write_whole
from quepu.hands.planes import Planes, count
from quepu.rules.arithmetic import LOWEST, ResidueArithmetic, ResidueFigures
from quepu.rules.row import ALL, EACH, Fan
from quepu.rules.rulebook import Rulebook

_WORD = 62
_MOST_ROWS = 63
"""Rows that a mask has room for."""
_PAIR = 8
_ALL, _EVERY_MELD = (1 << _PAIR + 1) - 1, (1 << _PAIR) - 1
_WORTHS = 4096
_Field = tuple[int, int, int, int, int]
"""A row, its word, shift and bits in it, and the kind of its choices of groups, by their place in `masks`."""
_HELD = 1 << 10
"""Numbers of at most ten choices, as bits."""
_MEMO = 1 << 16
"""Countings that are remembered, in 2 MiB."""
_TOTALS = 1 << 18
"""Totals that are remembered, in 4 MiB."""
_SAVED_FROM = 1000
"""Hands from which on new totals are saved."""
_SEEN = 1 << 16
"""Readings that are remembered, in 1 MiB."""


class ResidueWeighing:
    """Points of one book by residues."""

    kernel = residue_kernel

    def __init__(self, book: Rulebook, figures: ResidueFigures, rows: tuple[int, ...]) -> None:
        self.book = book
        self.rows = rows
        self.fans = [book.fans[i] for i in rows]
        self.figures = figures
        by_priority = sorted(range(len(rows)), key=lambda i: (figures.priority[i], i))
        self.order = [i for i in by_priority if i != figures.fan_pung]
        self.masks: list[tuple[int, ...]] = []  # the choices of groups
        self.fields: list[_Field] = []
        self._saved = 0
        self._on = [occurrence_condition(fan) if fan.of > 0 else None for fan in self.fans]
        word, shift = 0, 0
        for i in self.order:
            choices = _choices(self.fans[i])
            if choices not in self.masks:
                self.masks.append(choices)
            if shift + len(choices) > _WORD:
                word, shift = word + 1, 0
            self.fields.append((i, word, shift, len(choices), self.masks.index(choices)))
            shift += len(choices)

    @classmethod
    def of(cls, book: Rulebook, holding: Iterable[int] | None = None) -> ResidueWeighing | None:
        """Build it for a book, or return None if the book is not residue-based or has too many rows.

        `holding`: the rows that hold in any reading, for a book that has more rows than can be worked with.
        """
        if not isinstance(book.arithmetic, ResidueArithmetic):
            return None
        if any(fan.of == EACH for fan in book.fans) or len(book.shapes) != 1:
            return None
        try:
            figures = book.arithmetic.residue_figures(book)
        except ValueError:  # a row relates chows and pungs in a way that has no number
            return None
        if figures.order != LOWEST:
            return None
        if any(beside > without for both in figures.points for without, beside in zip(*both, strict=True)):
            return None  # a row that gains by fan pungs elsewhere would have to be searched beside all others
        rows = tuple(range(len(book.fans)))
        if len(rows) > _MOST_ROWS and holding is not None:
            rows = tuple(sorted({*holding, *(() if figures.fan_pung is None else (figures.fan_pung,))}))
            figures = _of_rows(figures, rows)
        return cls(book, figures, rows) if 0 < len(rows) <= _MOST_ROWS else None

    def line(self, h: Planes) -> list[Any]:
        """Return the choices of groups on which each row holds, packed; then the number of pungs."""
        words = range(1 + max(word for _, word, _, _, _ in self.fields))
        return [*(self._word([field for field in self.fields if field[1] == word], h) for word in words), count(h.p)]

    def _word(self, fields: Sequence[_Field], h: Any) -> Any:
        """Return the choices of groups on which these rows of one word hold, packed."""
        if not fields:
            return 0
        return self._pack(fields, h) << fields[0][2]

    def _pack(self, fields: Sequence[_Field], h: Any) -> Any:
        """Pack these from the first one's place on; halves are joined, so that most work is in narrow arrays."""
        if len(fields) == 1:
            i = fields[0][0]
            holds: Any = (self.fans[i].when(h) != 0) * 1
            on = self._on[i]
            return holds if on is None else holds * on(h)
        middle = len(fields) // 2
        low, high = self._pack(fields[:middle], h), self._pack(fields[middle:], h)
        return low | high << fields[middle][2] - fields[0][2]

    @property
    def code(self) -> CachedCode:
        """The compiled kernel."""
        return kernel_code()

    def words(self, h: Planes, n: int) -> Ints:
        """Return `line` for n readings given as planes of arrays: int64 [words, n]."""
        return np.stack([whole(x, n).astype(np.int64, copy=False) for x in self.line(h)])

    loop_line = line
    count_line = line

    def count(self, words: Ints, tables: tuple[Any, ...]) -> Weighed | None:
        """Find the best counting of readings by their `words`; None if too many rows of one priority hold.

        tables: those of `tables`, or some with other points of totals.
        """
        n = words.shape[1]
        points = np.empty(n, np.int32)
        counts = np.zeros((n, len(self.rows)), np.uint8)
        figures = (*tables, self._countings, self.seen, self._room)
        self.code.functions.weigh_residues(words[:-1], words[-1], figures, points, counts)
        if n and int(points.min()) < 0:
            return None
        return Weighed(points, np.zeros(n, np.int32), self._of_book(counts))

    def totals(self, words: Ints) -> Weighed | None:
        """Do the same as `count`, with totals in place of points."""
        *others, points_of, fewest = self.tables[-1]
        return self.count(words, (*self.tables[:-1], (*others, np.arange(len(points_of)), fewest)))

    @cached_property
    def figures_of_kernel(self) -> tuple[Any, ...]:
        """The `figures` of `weigh_residues` where only totals are wanted."""
        return (*self.tables, self._totals, self.seen, self._room)

    @property
    def context(self) -> list[Any]:
        """The entries that `residue_kernel.weigh` reads."""
        fields, combinations_of, (search, relations, unions, points_of, fewest) = self.tables
        *by_row, fan_pung, worth = search
        return [
            fan_pung, worth, int(fewest), fields, combinations_of, *by_row, *relations, unions, points_of, self._totals,
            self.seen, self._countings, *self._room,
        ]  # fmt: skip

    @cached_property
    def _totals(self) -> Ints:
        """The totals met so far, in this process and by earlier ones: int64 [_TOTALS, 2]."""
        with suppress(OSError, ValueError, EOFError):
            found: Ints = np.load(self._totals_file, allow_pickle=False)
            if found.shape == (_TOTALS, 2) and found.dtype == np.int64:
                self._saved = int(np.count_nonzero(found[:, 0]))
                return found
        return np.zeros((_TOTALS, 2), np.int64)

    @cached_property
    def _totals_file(self) -> Path:
        """The file of totals in the cache folder, named by all that they follow from, the kernel included."""
        fields, combinations_of, (search, *_) = self.tables
        parts = [np.asarray(x, np.int64).tobytes() for x in (fields, combinations_of, *search)]
        digest = hashlib.sha256(b"".join([*parts, inspect.getsource(residue_kernel).encode()])).hexdigest()[:16]
        return cache_folder() / f"totals-{digest}.npy"

    def save_totals(self, hands: int) -> None:
        """Write the totals for later processes if these hands are many and the totals have become a tenth more."""
        number = int(np.count_nonzero(self._totals[:, 0])) if hands >= _SAVED_FROM else 0
        if number > 1.1 * self._saved:
            self._saved = number
            with suppress(OSError):  # the next process computes them again
                write_whole(self._totals_file, lambda file: np.save(file, self._totals))

    @cached_property
    def _relations(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Of each row those that it excludes or leaves fewer groups, and with them those that do so to it, as masks.

        Then how rows concern each other: 1 if they share a group, 2 in any case; and the worth of a row where nothing
        concerns it (-1: it depends on fan pungs).
        """
        f, rows = self.figures, range(len(self.rows))
        takes = [[f.remaining[a][b] < f.groups[b] for b in rows] for a in rows]
        apart = [[f.apart[a] >> b & 1 > 0 for b in rows] for a in rows]
        hinders = [sum(1 << b for b in rows if takes[a][b] or apart[a][b]) for a in rows]
        related = [[2 if apart[a][b] or apart[b][a] else int(takes[a][b] or takes[b][a]) for b in rows] for a in rows]
        concerns = [sum(1 << b for b in rows if mine[b]) for mine in related]
        full = [[by_groups[own] for by_groups in both] for both, own in zip(f.points, f.groups, strict=True)]
        sure = [without if without == beside else -1 for without, beside in full]
        return tuple(np.array(x, np.int64) for x in (hinders, concerns, related, sure))  # type: ignore[return-value]

    @cached_property
    def _countings(self) -> Ints:
        """The countings met so far, as `weigh_residues` has them."""
        return np.zeros((_MEMO, 4), np.int64)

    @cached_property
    def seen(self) -> Ints:
        """The readings met last and their points, as `weigh_residues` has them."""
        return np.zeros((_SEEN, 2), np.int64)

    @cached_property
    def _room(self) -> tuple[Ints, Ints, Ints, Ints]:
        """The `room` of `weigh_residues`."""
        most, words = len(self.fields), 1 + max(word for _, word, _, _, _ in self.fields)
        field_at = np.zeros((words, 64), np.int64)
        for at, (_, word, shift, bits, _) in enumerate(self.fields):
            field_at[word, shift : shift + bits] = at
        orders = 1 << residue_kernel.MOST_ORDERED
        wide = most + words + 1
        return (
            field_at, np.zeros((22, wide), np.int64), np.zeros((most, 10), np.int64),
            np.zeros((1 + orders, max(orders, most)), np.int64),
        )  # fmt: skip

    @cached_property
    def tables(self) -> tuple[Any, ...]:
        """Fields, combinations and tables as `weigh_residues` takes them."""
        f = self.figures
        most = max(f.groups) + 1
        points = np.zeros((len(f.points), 2, most), np.int64)
        for i, both in enumerate(f.points):
            for cut, by_groups in enumerate(both):
                points[i, cut, : len(by_groups)] = by_groups
        combinations_of = np.zeros((len(self.masks), 10), np.int64)
        for row, masks in zip(combinations_of, self.masks, strict=True):
            row[: len(masks)] = masks
        unions = np.zeros((len(self.masks), _HELD), np.int64)
        for k in range(10):
            unions |= combinations_of[:, k : k + 1] * (np.arange(_HELD) >> k & 1)
        search = (
            points, np.array(f.remaining, np.int64), np.array(f.groups, np.int64), np.array(f.apart, np.int64),
            np.array(f.priority, np.int64), np.array(f.serves, np.int64), np.array(f.values, np.int64),
            np.array([x.bit_count() for x in range(1 << 10)], np.int64),
            -1 if f.fan_pung is None else f.fan_pung, f.fan_pung_value,
        )  # fmt: skip
        points_of = np.array([f.paid(total) for total in range(_WORTHS)], np.int64)
        return np.array(self.fields, np.int64), combinations_of, (
            search, self._relations, unions, points_of, f.fewest,
        )  # fmt: skip

    def _of_book(self, counts: Ints) -> Ints:
        """Return counts of these rows as counts of all rows of the book."""
        if len(self.rows) == len(self.book.fans):
            return counts
        found = np.zeros((len(counts), len(self.book.fans)), np.uint8)
        found[:, list(self.rows)] = counts
        return found


@cache
def kernel_code() -> CachedCode:
    """Return the compiled kernel, for all books."""
    text = loops_text((residue_kernel,), ("weigh_residues",), lambda _: True)  # to pass every array would take too long
    return CachedCode("kernel", f"{text}weigh_residues = numba.njit(cache=True)(weigh_residues)\n")


def _of_rows(figures: ResidueFigures, rows: tuple[int, ...]) -> ResidueFigures:
    """Return the figures of some rows, in a numbering of their own."""
    return figures._replace(
        points=tuple(figures.points[i] for i in rows),
        remaining=tuple(tuple(figures.remaining[i][j] for j in rows) for i in rows),
        groups=tuple(figures.groups[i] for i in rows),
        apart=tuple(sum((figures.apart[i] >> j & 1) << at for at, j in enumerate(rows)) for i in rows),
        priority=tuple(figures.priority[i] for i in rows),
        serves=tuple(figures.serves[i] for i in rows),
        values=tuple(figures.values[i] for i in rows),
        fan_pung=rows.index(figures.fan_pung) if figures.fan_pung in rows else None,
    )


def _choices(fan: Fan) -> tuple[int, ...]:
    """Return the choices of groups a row may lie on, as masks: chows from bit 0, pungs from bit 4, the pair bit 8."""
    if fan.of == ALL:
        return (_ALL,)
    if occurrence_condition(fan) is None:
        return (_EVERY_MELD,)
    pungs = range(PUNGS_AT, PUNGS_AT + MELDS)
    slots = [1 << at for at in groups_of(fan, chows=range(MELDS), pungs=pungs, pair=_PAIR)]
    return tuple(sum(some) for some in combinations(slots, fan.of))
