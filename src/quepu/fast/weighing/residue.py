"""Points by figures, for an arithmetic that adds rows by residues (`Accreting`).

Which groups each row holds on is worked out by the conditions themselves (`quepu.fast.universe.occurrence_hash`) and
packed in words. With numba the search for the best counting is a loop of `quepu.fast.weighing.residue_kernel`; without
it words not met before are searched together on arrays (`quepu.fast.weighing.residue_search`). Where only totals are
wanted, rows that do not concern each other are searched apart (`quepu.fast.weighing.independent_rows`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np

from quepu.fast.arrays.expressions import Tape
from quepu.fast.arrays.plane_cache import U64, Index, PlaneCache, families, whole
from quepu.fast.arrays.shapes import Picked
from quepu.fast.compiled.code_cache import CachedCode, installed
from quepu.fast.compiled.conditions import Fused
from quepu.fast.compiled.kernels import loops
from quepu.fast.universe.classes import one
from quepu.fast.universe.occurrence_hash import MELDS, groups_of, looks, occurrence_condition
from quepu.fast.weighing import residue_kernel as accreting_loop
from quepu.fast.weighing.independent_rows import ConcernedParts, hash_of, parts_of, reordered
from quepu.fast.weighing.product import Made
from quepu.fast.weighing.residue_kernel import MIX_ONE, MIX_TWO, PUNGS_AT, TOTAL_BITS
from quepu.fast.weighing.residue_search import Countings, SearchFigures, best_countings, best_totals
from quepu.fast.weighing.residue_totals import TotalsTable
from quepu.hands.planes import Planes, count
from quepu.rules.arithmetic import Accreting, Residues
from quepu.rules.row import ALL, EACH, Fan
from quepu.rules.rulebook import Rulebook

Array = Any
_WORD = 62
_MOST_ROWS = 63
"""Rows that a mask has room for."""
_PAIR = 8
_ALL, _EVERY_MELD = (1 << _PAIR + 1) - 1, (1 << _PAIR) - 1
_WORTHS = 4096
_Field = tuple[int, int, int, int, int]
"""A row, its word, shift and bits in it, and the kind of its choices of groups, by their place in `Accreted.masks`."""
_HELD = 1 << 10
"""Numbers of at most ten choices, as bits."""
_MEMO = 1 << 16
"""Countings that are remembered, in 2 MiB."""
_SEEN = 1 << 16
"""Readings that are remembered, in 1 MiB."""
_TOTALS = 2
"""To be counted up where the search finds another total for the same figures."""
_MOST_MET = 1 << 20
_FEW = 100
"""Signatures that are tallied sooner one by one."""


class Accreted:
    """Points of one book by residues."""

    loop = "accreted"  # of `quepu.fast.weighing.residue_kernel`

    def __init__(self, book: Rulebook, figures: Residues, rows: tuple[int, ...]) -> None:
        self.book = book
        self.rows = rows
        self.fans = [book.fans[i] for i in rows]
        self.figures = figures
        self.fused: Fused | None = None
        by_priority = sorted(range(len(rows)), key=lambda i: (figures.priority[i], i))
        self.order = [i for i in by_priority if i != figures.fan_pung]
        self.masks: list[tuple[int, ...]] = []  # the choices of groups
        self.fields: list[_Field] = []
        self._met: dict[bool, _Met] = {}
        self._tape = Tape(self._not_looked_up)
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
    def of(cls, book: Rulebook, holding: Iterable[int] | None = None) -> Accreted | None:
        """It, if the book's arithmetic adds by residues and its rows can be worked with.

        `holding`: the rows that hold in any reading, for a book that has more rows than can be worked with.
        """
        if not isinstance(book.arithmetic, Accreting):
            return None
        if any(fan.of == EACH for fan in book.fans) or len(book.shapes) != 1:
            return None
        try:
            figures = book.arithmetic.residue_figures(book)
        except ValueError:  # a row relates chows and pungs in a way that has no number
            return None
        if any(beside > without for both in figures.points for without, beside in zip(*both, strict=True)):
            return None  # a row that gains by fan pungs elsewhere would have to be searched beside all others
        rows = tuple(range(len(book.fans)))
        if len(rows) > _MOST_ROWS and holding is not None:
            rows = tuple(sorted({*holding, *(() if figures.fan_pung is None else (figures.fan_pung,))}))
            figures = _of_rows(figures, rows)
        return cls(book, figures, rows) if 0 < len(rows) <= _MOST_ROWS else None

    def line(self, h: Planes) -> list[Any]:
        """On which choices of groups each row holds, packed; then the number of pungs."""
        words = range(1 + max(word for _, word, _, _, _ in self.fields))
        return [*(self._word([field for field in self.fields if field[1] == word], h) for word in words), count(h.p)]

    def _word(self, fields: Sequence[_Field], h: Any) -> Any:
        """Choices of groups on which these rows of one word hold, packed."""
        if not fields:
            return 0
        return self._packed(fields, h) << fields[0][2]

    def _packed(self, fields: Sequence[_Field], h: Any) -> Any:
        """The same from the first one's place on: halves are joined, so that most of it is done in narrow arrays."""
        if len(fields) == 1:
            i = fields[0][0]
            holds: Any = (self.fans[i].when(h) != 0) * 1
            on = self._on[i]
            return holds if on is None else holds * on(h)
        middle = len(fields) // 2
        low, high = self._packed(fields[:middle], h), self._packed(fields[middle:], h)
        return low | high << fields[middle][2] - fields[0][2]

    def sums(self, h: Any, n: int, fans: bool) -> Made | None:
        """The best counting of n readings given as planes of arrays.

        None: more rows of one priority hold than are looked at.
        """
        if self.fused is not None:
            return self.of_words(np.stack(self.fused(h, n)), self.tables, fans)
        met = self._met.get(fans)
        if met is None or len(met.points) > _MOST_MET:
            met = self._met[fans] = _Met(self, fans)
        number = met.numbers(self.words(h, n), h)
        points = met.points.take(number.astype(np.int64))
        return None if n and int(points.min()) < 0 else Made(points, met.counts[number] if fans else met.counts)

    def words(self, h: Any, n: int) -> Array:
        """Words of n readings, as `line` returns them, given as planes of arrays: int64 [words, n]."""
        found = np.zeros((2 + max(word for _, word, _, _, _ in self.fields), n), np.int64)
        looked_up, others = self._families
        for cached, words in looked_up:
            number = cached.numbers(h, n)
            for word, values in zip(words, cached.values, strict=True):
                found[word] |= values.take(number)
        tape = self._tape.after(n)
        if tape is not None:
            for word, values in enumerate(tape(h, n)):
                found[word] |= values
            return found
        for i, word, shift, _, _ in others:
            there = whole(self.fans[i].when(h), n) != 0
            on = self._on[i]
            if on is None:
                found[word] |= there * np.int64(1 << shift)
            else:
                some = np.flatnonzero(there)
                found[word, some] |= on(Picked(h, some)) << shift  # type: ignore[arg-type]  # stands in for Planes
        found[-1] = whole(count(h.p), n)
        return found

    def _not_looked_up(self, h: Any) -> list[Any]:
        """The part of `words` that is worked out for every reading."""
        others = self._families[1]
        words = range(1 + max(word for _, word, _, _, _ in self.fields))
        return [*(self._word([field for field in others if field[1] == word], h) for word in words), count(h.p)]

    @cached_property
    def _families(self) -> tuple[list[tuple[PlaneCache, list[int]]], list[_Field]]:
        """The rows that are looked up by the few planes that they read, with the words they are in; the others."""
        reads = [
            (at, self.fans[i].reads if self._on[i] is None else looks(self.fans[i]))
            for at, (i, _, _, _, _) in enumerate(self.fields)
        ]
        found, left = [], set(range(len(self.fields)))
        for planes, some in families(reads):
            fields = [self.fields[at] for at in some]
            words = sorted({word for _, word, _, _, _ in fields})
            conditions = [partial(self._word, [field for field in fields if field[1] == word]) for word in words]
            found.append((PlaneCache(planes, conditions), words))
            left -= set(some)
        return found, [self.fields[at] for at in sorted(left)]

    @property
    def code(self) -> CachedCode:
        """The compiled loop."""
        return loops(accreting_loop, self.loop)

    def totals(self, words: Array) -> Made | None:
        """The best counting of readings by their `words`, its total in place of points; None as `sums`."""
        if installed() and self.code.there:
            *others, points_of, fewest = self.tables[-1]
            return self.of_words(words, (*self.tables[:-1], (*others, np.arange(len(points_of)), fewest)), fans=True)
        made = best_countings(words, self.search)
        too_many = len(made.totals) and int(made.totals.min()) < 0
        return None if too_many else Made(made.totals.astype(np.int32), self.counts(made))

    def of_words(self, words: Array, tables: tuple[Any, ...], fans: bool) -> Made | None:
        """The best counting of readings by their `words`, with these tables."""
        n = words.shape[1]
        points = np.empty(n, np.int32)
        counts = np.zeros((n if fans else 0, len(self.rows)), np.uint8)
        memo = self._countings if fans else self.totals_found.table
        self.code.functions.accreted(words[:-1], words[-1], *tables, memo, self.seen, points, counts)
        if not fans:
            self.totals_found.save(n)
        return None if n and int(points.min()) < 0 else Made(points, self._of_book(counts))

    def sums_of_words(self, words: Array) -> Array:
        """The best total of readings by their words, -1 where too many rows of one priority hold: on arrays."""
        parts = parts_of(words, self.search)
        found = self.totals_found.of(parts.marks, partial(self._reordered_totals, parts))
        self.totals_found.save(words.shape[1])
        without, beside = np.zeros((2, words.shape[1]), np.int64)
        np.add.at(without, parts.of, found >> TOTAL_BITS)
        np.add.at(beside, parts.of, found & (1 << TOTAL_BITS) - 1)
        if self.search.fan_pung >= 0:
            beside += self.search.fan_pung_value * np.bitwise_count(parts.served).astype(np.int64)
            without = np.maximum(without, beside)
        without += parts.added
        without[parts.of[found < 0]] = -1
        return without

    def _reordered_totals(self, parts: ConcernedParts, some: Array) -> Array:
        """Totals of some parts, known or searched for in an order of their groups in which many are alike."""
        words, serving, marks = reordered(parts.words[:, some], parts.may[some], parts.serving[some], self.search)
        return self.totals_found.of(marks, lambda few: self._searched(words[:, few], serving[few]))

    def _searched(self, words: Array, serving: Array) -> Array:
        """Both totals in a number, that without fan pungs above the other; -1 where too many rows hold."""
        without, beside = best_totals(words, self.search, serving)
        return np.where(without < 0, -1, without << TOTAL_BITS | beside)

    @cached_property
    def _relations(self) -> tuple[Array, Array, Array, Array]:
        """Of each row those that it excludes or leaves fewer groups, and with them those that do so to it, as masks.

        Then how rows concern each other: 1 if they share a group, 2 in any case; and what a row adds where nothing
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
    def _countings(self) -> Array:
        """The countings met so far, as `quepu.fast.weighing.residue_kernel.accreted` has them."""
        return np.zeros((_MEMO, 4), np.int64)

    @cached_property
    def seen(self) -> Array:
        """The readings met last and their points, as `quepu.fast.weighing.residue_kernel.accreted` has them."""
        return np.zeros((_SEEN, 2), np.int64)

    @cached_property
    def totals_found(self) -> TotalsTable:
        """The totals met so far, those of the package and of earlier processes among them."""
        fields, combinations_of, (search, *_) = self.tables
        whole_search = b"".join(np.asarray(x, np.int64).tobytes() for x in (fields, combinations_of, *search))
        figures = repr((_TOTALS, MIX_ONE, MIX_TWO)).encode()
        return TotalsTable(hashlib.sha256(whole_search + figures).hexdigest()[:16])

    @cached_property
    def tables(self) -> tuple[Any, ...]:
        """Fields, combinations and tables as `quepu.fast.weighing.residue_kernel.accreted` takes them."""
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

    @cached_property
    def search(self) -> SearchFigures:
        """The tables as `quepu.fast.weighing.residue_search` takes them."""
        fields, combinations_of, (search, (_, concerns, related, sure), unions, _, fewest) = self.tables
        points, remaining, groups, apart, priority, serves, values, _, fan_pung, fan_pung_value = search
        choices = np.zeros((len(self.masks), _HELD, 10), np.int16)
        held = np.arange(_HELD)
        for k in range(10):
            some = held[held >> k & 1 > 0]
            choices[:, some, np.bitwise_count(some & (1 << k) - 1)] = combinations_of[:, k : k + 1]
        return SearchFigures(
            fields, choices, unions, concerns, related, sure, points, remaining, groups, apart, priority, serves,
            values, fan_pung, fan_pung_value, fewest,
        )  # fmt: skip

    def counts(self, made: Countings) -> Array:
        """Number of times each row counts in some countings: uint8 [countings, rows of the book]."""
        counts = (made.rows[:, None] >> np.arange(len(self.rows)) & 1).astype(np.uint8)
        if self.figures.fan_pung is not None:
            counts[:, self.figures.fan_pung] = made.fan_pungs
        return self._of_book(counts)

    def _of_book(self, counts: Array) -> Array:
        """Counts of these rows as counts of all rows of the book."""
        if len(self.rows) == len(self.book.fans):
            return counts
        found = np.zeros((len(counts), len(self.book.fans)), np.uint8)
        found[:, list(self.rows)] = counts
        return found


class _Met:
    """The words met so far, with the best counting of each."""

    def __init__(self, part: Accreted, fans: bool) -> None:
        self._part = part
        self._fans = fans
        self._index = Index()
        self.points = np.zeros(0, np.int32)
        self.counts = np.zeros((0, len(part.book.fans)), np.uint8)

    def numbers(self, words: Array, h: Any) -> Array:
        """Numbers of readings by their words; `h` gives their planes."""
        hashes = hash_of(words).view(U64)
        found = self._index.find(hashes)
        new = np.flatnonzero(found < 0)
        if new.size:
            distinct, first = np.unique(hashes[new], return_index=True)
            self._settle(words[:, new[first]], h, new[first])
            self._index.add(distinct)
            found[new] = self._index.find(hashes[new])
        return found

    def _settle(self, words: Array, h: Any, at: Array) -> None:
        """Take up new words by one reading of each; points -1 where too many rows of one priority hold."""
        part = self._part
        if len(at) < _FEW:
            self._tally([one(h, reading) for reading in at.tolist()])
            return
        if self._fans:
            made = best_countings(words, part.search)
            totals = made.totals
            self.counts = np.concatenate([self.counts, part.counts(made)])
        else:
            totals = part.sums_of_words(words)
        points = np.where(totals < 0, -1, part.tables[-1][-2].take(np.maximum(totals, 0)))
        self.points = np.concatenate([self.points, points.astype(np.int32)])

    def _tally(self, readings: list[Planes]) -> None:
        """The same one by one, by the book's own arithmetic."""
        book = self._part.book
        tallies = [book.tally(reading) for reading in readings]
        self.points = np.concatenate([self.points, np.array([tally.points for tally in tallies], np.int32)])
        counts = np.zeros((len(tallies) if self._fans else 0, len(book.fans)), np.uint8)
        for row, tally in zip(counts, tallies, strict=False):
            for counted in tally.counted:
                row[counted.row] += counted.times
        self.counts = np.concatenate([self.counts, counts])


def _of_rows(figures: Residues, rows: tuple[int, ...]) -> Residues:
    """The figures of some rows, in a numbering of their own."""
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
    """The choices of groups a row may lie on, as masks: chows from bit 0, pungs from bit 4, the pair bit 8."""
    if fan.of == ALL:
        return (_ALL,)
    if occurrence_condition(fan) is None:
        return (_EVERY_MELD,)
    pungs = range(PUNGS_AT, PUNGS_AT + MELDS)
    slots = [1 << at for at in groups_of(fan, chows=range(MELDS), pungs=pungs, pair=_PAIR)]
    return tuple(sum(some) for some in combinations(slots, fan.of))
