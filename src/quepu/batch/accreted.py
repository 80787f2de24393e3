"""Points by figures, for an arithmetic that adds rows by residues (`Accreting`).

Which groups each row holds on is worked out by the conditions themselves (`quepu.batch.occurrence_hash`). With numba
the search for the best counting is a loop of `quepu.batch.tally_loops`; without it signatures not met before are
searched together on arrays (`quepu.batch.countings`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cached_property
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np

from quepu.batch.classes import Signatures, signature_parts
from quepu.batch.code_cache import installed
from quepu.batch.countings import Countings, SearchFigures, best_countings
from quepu.batch.fused import Fused
from quepu.batch.multiplied import Made
from quepu.batch.occurrence_hash import MELDS, groups_of, occurrence_condition
from quepu.batch.plane_cache import whole
from quepu.batch.tallies import loops
from quepu.batch.tally_loops import MIX_ONE, MIX_TWO, places_of
from quepu.batch.totals import TotalsTable
from quepu.hands.planes import Planes, count
from quepu.rules.arithmetic import Accreting, Residues
from quepu.rules.row import ALL, EACH, Fan
from quepu.rules.rulebook import Rulebook

Array = Any
_WORD = 62
_MOST_ROWS = 63
"""Rows that a mask has room for."""
_ALL, _EVERY_MELD = 1 << 10, 1 << 9
_WORTHS = 4096
_PAIR = 8
_MEMO = 1 << 16
"""Countings that are remembered, in 2 MiB."""
_TOTALS = 1
"""To be counted up where the search finds another total for the same figures."""
_MOST_MET = 1 << 20
_FEW = 100
"""Signatures that are tallied sooner one by one."""


class Accreted:
    """Points of one book by residues."""

    def __init__(self, book: Rulebook, figures: Residues, rows: tuple[int, ...]) -> None:
        self.book = book
        self.rows = rows
        self.fans = [book.fans[i] for i in rows]
        self.figures = figures
        self.fused: Fused | None = None
        by_priority = sorted(range(len(rows)), key=lambda i: (figures.priority[i], i))
        self.order = [i for i in by_priority if i != figures.fan_pung]
        self.masks: list[tuple[int, ...]] = []  # the choices of groups
        self.fields: list[tuple[int, int, int, int, int]] = []
        self._met: dict[bool, _Met] = {}
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
        rows = tuple(range(len(book.fans)))
        if len(rows) > _MOST_ROWS and holding is not None:
            rows = tuple(sorted({*holding, *(() if figures.fan_pung is None else (figures.fan_pung,))}))
            figures = _of_rows(figures, rows)
        return cls(book, figures, rows) if 0 < len(rows) <= _MOST_ROWS else None

    def line(self, h: Planes) -> list[Any]:
        """On which choices of groups each row holds, packed; then the number of chows, pungs and pairs."""
        words: list[Any] = [0] * (1 + max(field[1] for field in self.fields))
        for i, word, shift, _, _ in self.fields:
            fan = self.fans[i]
            holds: Any = (fan.when(h) != 0) * 1
            on = occurrence_condition(fan) if fan.of > 0 else None
            if on is not None:
                holds = holds * on(h)
            words[word] = words[word] | holds << shift
        chows = count(h.c1) + count(h.c2) + count(h.c3) + count(h.c4)
        return [*words, chows, count(h.p), count(h.pair)]

    def sums(self, h: Any, n: int, fans: bool) -> Made | None:
        """The best counting of n readings given as planes of arrays.

        None: more rows of one priority hold than are looked at.
        """
        if self.fused is not None:
            return self.of_words(np.stack(self.fused(h, n)), self.tables, fans)
        met = self._met.get(fans)
        if met is None or len(met) > _MOST_MET:
            met = self._met[fans] = _Met(self, fans)
        number = met.classify(h, n)
        points = met.points.take(number)
        return None if n and int(points.min()) < 0 else Made(points, met.counts[number] if fans else met.counts)

    def words(self, h: Any, n: int) -> Array:
        """Words of n readings, as `line` returns them, given as planes of arrays: int64 [words, n]."""
        return np.stack([whole(x, n).astype(np.int64) for x in self.line(h)])

    def totals(self, words: Array) -> Made | None:
        """The best counting of readings by their `words`, its total in place of points; None as `sums`."""
        if installed() and loops().there:
            *others, points_of, fewest = self.tables[-1]
            return self.of_words(words, (*self.tables[:-1], (*others, np.arange(len(points_of)), fewest)), fans=True)
        made = best_countings(words, self.search, fans=True)
        too_many = len(made.totals) and int(made.totals.min()) < 0
        return None if too_many else Made(made.totals.astype(np.int32), self.counts(made))

    def of_words(self, words: Array, tables: tuple[Any, ...], fans: bool) -> Made | None:
        """The best counting of readings by their `words`, with these tables."""
        n = words.shape[1]
        points = np.empty(n, np.int32)
        counts = np.zeros((n if fans else 0, len(self.rows)), np.uint8)
        memo = self._countings if fans else self.totals_found.table
        loops().functions.accreted(words[:-3], words[-3:], *tables, memo, points, counts)
        if not fans:
            self.totals_found.save(n)
        return None if n and int(points.min()) < 0 else Made(points, self._of_book(counts))

    def sums_of_words(self, words: Array) -> Array:
        """The best total of readings by their `words`, -1 where too many rows of one priority hold: on arrays."""
        left, totals, serving = self._concerned(words)
        search = self.search
        fan_pungs = np.bitwise_count(serving) * np.int64(search.fan_pung_value if search.fan_pung >= 0 else 0)
        some = np.flatnonzero(left[:-3].any(axis=0))
        totals += np.where(left[:-3].any(axis=0), 0, np.maximum(fan_pungs, 0))
        left, serving = left[:, some], serving[some]
        mark = serving << 12 | left[-3] << 8 | left[-2] << 4 | left[-1]
        for word in left[:-3]:
            mark = (mark ^ word) * np.int64(MIX_ONE)
            mark = (mark ^ mark >> 29) * np.int64(MIX_TWO)
        mark ^= mark >> 32
        place = self.totals_found.places(mark)
        stored = self.totals_found.table[place]
        found = np.where(stored[:, 0] == mark, stored[:, 1], -1)
        new = np.flatnonzero(found < 0)
        _, first, inverse = np.unique(mark[new], return_index=True, return_inverse=True)
        first = new[first]
        made = best_countings(left[:, first], search, fans=False, serving=serving[first]).totals
        found[new] = made[inverse]
        first = first[made >= 0]
        self.totals_found.table[place[first], 0], self.totals_found.table[place[first], 1] = mark[first], found[first]
        self.totals_found.save(words.shape[1])
        totals[some] = np.where(found < 0, -1, totals[some] + found)
        return totals

    def _concerned(self, words: Array) -> tuple[Array, Array, Array]:
        """The words without the rows that no other that holds concerns; what those add; the pungs that they serve."""
        search, (_, concerns, sure) = self.search, self._touched
        left, (chows, pungs, pairs) = words.copy(), words[-3:]
        every, added, serving = np.zeros((3, words.shape[1]), np.int64)
        for row, word, shift, bits, _ in self.fields:
            every |= ((words[word] >> shift & (1 << bits) - 1) != 0).astype(np.int64) << row
        for row, word, shift, bits, kind in self.fields:
            held = words[word] >> shift & (1 << bits) - 1
            alone = (held != 0) & (concerns[row] & every == 0)
            if search.serves[row]:
                alone &= held & held - 1 == 0
            if sure[row] < 0 or not alone.any():
                continue
            added += alone * sure[row]
            left[word] ^= alone * held << shift
            for k, mask in enumerate(self.masks[kind] if search.serves[row] else ()):
                some = np.flatnonzero(alone & (held == 1 << k))
                serving[some] |= places_of(mask, chows[some], pungs[some], pairs[some])
        return left, added, serving & (1 << pungs) - 1 << chows

    @cached_property
    def _touched(self) -> tuple[Array, Array, Array]:
        """Of each row the rows that it excludes or leaves fewer groups, and with those the rows that do so to it.

        Both as masks; then what the row adds where none of them holds (-1: it depends on fan pungs).
        """
        f, rows = self.figures, range(len(self.rows))
        takes = [[f.remaining[a][b] < f.groups[b] or f.apart[a] >> b & 1 for b in rows] for a in rows]
        hinders = [sum(1 << b for b in rows if takes[a][b]) for a in rows]
        concerns = [sum(1 << b for b in rows if takes[a][b] or takes[b][a]) for a in rows]
        full = [[by_groups[own] for by_groups in both] for both, own in zip(f.points, f.groups, strict=True)]
        sure = [without if without == beside else -1 for without, beside in full]
        return np.array(hinders, np.int64), np.array(concerns, np.int64), np.array(sure, np.int64)

    @cached_property
    def _countings(self) -> Array:
        """The countings met so far, as `quepu.batch.tally_loops.accreted` has them."""
        return np.zeros((_MEMO, 4), np.int64)

    @cached_property
    def totals_found(self) -> TotalsTable:
        """The totals met so far, those of the package and of earlier processes among them."""
        fields, combinations_of, (search, _, _, _) = self.tables
        whole_search = b"".join(np.asarray(x, np.int64).tobytes() for x in (fields, combinations_of, *search))
        figures = repr((_TOTALS, MIX_ONE, MIX_TWO)).encode()
        return TotalsTable(hashlib.sha256(whole_search + figures).hexdigest()[:16])

    @cached_property
    def tables(self) -> tuple[Any, ...]:
        """Fields, combinations and tables as `quepu.batch.tally_loops.accreted` takes them."""
        f = self.figures
        most = max(f.groups) + 1
        points = np.zeros((len(f.points), 2, most), np.int64)
        for i, both in enumerate(f.points):
            for cut, by_groups in enumerate(both):
                points[i, cut, : len(by_groups)] = by_groups
        combinations_of = np.zeros((len(self.masks), 10), np.int64)
        for row, masks in zip(combinations_of, self.masks, strict=True):
            row[: len(masks)] = masks
        search = (
            points, np.array(f.remaining, np.int64), np.array(f.groups, np.int64), np.array(f.apart, np.int64),
            np.array(f.priority, np.int64), np.array(f.serves, np.int64), np.array(f.values, np.int64),
            np.array([x.bit_count() for x in range(1 << 10)], np.int64),
            -1 if f.fan_pung is None else f.fan_pung, f.fan_pung_value,
        )  # fmt: skip
        points_of = np.array([f.paid(total) for total in range(_WORTHS)], np.int64)
        return np.array(self.fields, np.int64), combinations_of, (search, self._touched, points_of, f.fewest)

    @cached_property
    def search(self) -> SearchFigures:
        """The tables as `quepu.batch.countings` takes them."""
        fields, combinations_of, (search, _, _, fewest) = self.tables
        points, remaining, groups, apart, priority, serves, values, _, fan_pung, fan_pung_value = search
        return SearchFigures(
            fields, combinations_of, points, remaining, groups, apart, priority, serves, values, fan_pung,
            fan_pung_value, fewest,
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


class _Met(Signatures):
    """The signatures met so far, with the best counting of each."""

    def __init__(self, part: Accreted, fans: bool) -> None:
        super().__init__(signature_parts(part.book))
        self._part = part
        self._fans = fans
        self.points = np.zeros(0, np.int32)
        self.counts = np.zeros((0, len(part.book.fans)), np.uint8)

    def settle(self, planes: Array) -> None:
        """Take up new signatures by one reading of each; points -1 where too many rows of one priority hold."""
        self._number += len(planes)  # the readings themselves are looked at no more
        part = self._part
        if len(planes) < _FEW:
            self._tally(planes)
            return
        h = SimpleNamespace(**dict(zip(Planes._fields, planes.T, strict=True)))
        words = part.words(h, len(planes))
        if self._fans:
            made = best_countings(words, part.search, fans=True)
            totals = made.totals
            self.counts = np.concatenate([self.counts, part.counts(made)])
        else:
            totals = part.sums_of_words(words)
        points = np.where(totals < 0, -1, part.tables[-1][2].take(np.maximum(totals, 0)))
        self.points = np.concatenate([self.points, points.astype(np.int32)])

    def _tally(self, planes: Array) -> None:
        """The same one by one, by the book's own arithmetic."""
        book = self._part.book
        tallies = [book.tally(Planes(*row)) for row in planes.tolist()]
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
    slots = [1 << at for at in groups_of(fan, chows=range(MELDS), pungs=range(MELDS, 2 * MELDS), pair=_PAIR)]
    return tuple(sum(some) for some in combinations(slots, fan.of))
