"""Points as sums (`AdditiveArithmetic`), for many readings at once; the plain twin is the book's own `combine`.

A row counts as often as it holds, unless a row that holds drops it by name (in a book that drops `by_places`, a row of
EACH place then loses only the places covered). Rows that relate sets to each other (`Fan.joins`) are settled together,
by how often each holds, through the arithmetic's own `joined` (`Relating`): their value is looked up in a table that
fills as combinations are met, some hundred of them in all.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.readings import narrow, one, row_counts
from quepu.fast.weighing import additive_kernel
from quepu.hands.planes import Planes, count
from quepu.rules.arithmetic import NO_LIMIT, AdditiveArithmetic, Relating
from quepu.rules.row import EACH
from quepu.rules.rulebook import Rulebook
from quepu.rules.symbols import is_truth

_KEY_BITS = 22
Ints = NDArray[Any]
"""An array of integers or truths."""


class Weighed(NamedTuple):
    """The value of each reading."""

    points: NDArray[np.int32]
    bonus: NDArray[np.int32]
    counts: NDArray[np.uint8]  # [readings, rows of the book], how often each row counts; [0, rows] if not requested


_Totals = dict[tuple[bool, int], Any]
_Times = dict[int, Any]


class Clan(NamedTuple):
    """Relating rows that read the same planes, and the value of each combination of them."""

    rows: tuple[int, ...]
    shifts: tuple[int, ...]  # where in a key each row's number stands
    number: NDArray[np.int16]  # by key: which combination, -1 not met yet
    points: list[int]
    times: list[tuple[tuple[int, int], ...]]
    worth: NDArray[np.int64]  # the points by combination, for compiled loops
    row_times: NDArray[np.uint8]  # [combinations, rows of the clan], for compiled loops


class AdditiveWeighing:
    """Points of one book as sums."""

    kernel = additive_kernel

    def __init__(self, book: Rulebook, arithmetic: AdditiveArithmetic) -> None:
        self.book = book
        self.joined = arithmetic.joined if isinstance(arithmetic, Relating) else None
        fans = book.fans
        self.values = np.array([fan.value for fan in fans], np.int32)
        sums = arithmetic.additive_figures(book)
        excluded, self.pays = sums.excluded, sums.pays
        self.freed, self.only_with, self.by_places = sums.freed, sums.only_with, sums.by_places
        self.beside, self.when_nothing = sums.beside, sums.when_nothing
        often = sorted(
            range(len(fans)), key=lambda j: -excluded[j].bit_count()
        )  # so that rows begin with the same ones
        self.droppers = [[j for j in often if excluded[j] >> i & 1] for i in range(len(fans))]
        by_planes: dict[str, list[int]] = {}
        for i, fan in enumerate(fans):
            if fan.joins and self.joined is not None:
                by_planes.setdefault("p" if "p" in fan.reads else "c", []).append(i)
        self.clans = [_clan(book, rows) for rows in by_planes.values()]
        self._times = [np.zeros((0, len(fans)), np.uint8) for _ in self.clans]

    @classmethod
    def of(cls, book: Rulebook) -> AdditiveWeighing | None:
        """Build it for a book, or return None if the book's arithmetic does not add up."""
        return cls(book, book.arithmetic) if isinstance(book.arithmetic, AdditiveArithmetic) else None

    # ---- on arrays

    def weigh(self, h: Any, n: int, fans: bool, held: list[Ints] | None = None) -> Weighed:
        """Weigh n readings given as planes of arrays; with counts of rows if `fans`.

        held: how often each row holds, as `row_counts` gives it, if that is known.
        """
        held = row_counts(self.book, h, n) if held is None else held
        some = [bool(x.any()) for x in held]
        live = [x if x.dtype == np.bool_ else x != 0 if there else x for x, there in zip(held, some, strict=True)]
        totals, left, times = self._weigh(h, held, live, some)
        points, bonus = (_total(totals, beside, n) for beside in (False, True))
        counts = np.zeros((len(self.book.fans) if fans else 0, n), np.uint8)
        for i, x in times.items() if fans else ():
            counts[i] = x
        keys = [self._key(clan, left) for clan in self.clans]
        self._add_clans(h, keys, points, counts.T if fans else None)
        return Weighed(points, bonus, counts.T if fans else np.zeros((0, len(self.book.fans)), np.uint8))

    def _add_clans(self, h: Any, keys: list[Any], points: Ints, counts: Ints | None) -> None:
        """Add the values of the clans, and of the row for readings where no other counts."""
        for k, (clan, key) in enumerate(zip(self.clans, keys, strict=True)):
            if not isinstance(key, np.ndarray):
                continue
            number = self._join(clan, key, h, points)
            if counts is not None:
                times = self._times_of(k)
                few = np.flatnonzero(times.any(axis=1).take(number))
                counts[few] |= times.take(number[few], axis=0)  # each clan has rows of its own
        if self.when_nothing is not None:
            nothing = points == 0
            if counts is not None:
                counts[:, self.when_nothing] = nothing
            points += nothing * self.values[self.when_nothing]

    def _times_of(self, k: int) -> NDArray[np.uint8]:
        """Return how often each row counts in the combinations of a clan: [combinations, rows of the book]."""
        cached, times = self._times[k], self.clans[k].times
        if len(cached) < len(times):
            more = np.zeros((len(times) - len(cached), cached.shape[1]), np.uint8)
            for row, some in zip(more, times[len(cached) :], strict=True):
                for i, number in some:
                    row[i] = number
            self._times[k] = np.concatenate([cached, more])
        return self._times[k]

    # ---- for compiled loops

    @property
    def context(self) -> list[Any]:
        """The entries that `additive_kernel.weigh` reads."""
        nothing = -1 if self.when_nothing is None else self.when_nothing
        entries: list[Any] = [len(self.clans), nothing, int(self.values[nothing])]
        for clan in self.clans:
            entries += [clan.number, clan.worth, np.array(clan.rows, np.int64), clan.row_times]
        return entries

    def line(self, h: Planes) -> list[Any]:
        """Return points, bonus and the clans' keys of a reading whose planes are symbols."""
        return self._line(self._weigh_symbols(h))

    loop_line = line

    def count_line(self, h: Planes) -> list[Any]:
        """Return `line`, and in bytes, eight to a word, how often each row counts that relates no sets."""
        weighed = self._weigh_symbols(h)
        words: list[Any] = [0] * -(-len(self.book.fans) // 8)
        for i, times in weighed[2].items():
            words[i // 8] = words[i // 8] | times << i % 8 * 8
        return [*self._line(weighed), *words]

    def _line(self, weighed: tuple[_Totals, _Times, _Times]) -> list[Any]:
        totals, left, _ = weighed
        sums = [sum((x * value for (of, value), x in totals.items() if of == beside), 0) for beside in (False, True)]
        return [*sums, *(self._key(clan, left) for clan in self.clans)]

    def _weigh_symbols(self, h: Planes) -> tuple[_Totals, _Times, _Times]:
        held: list[Any] = [fan.when(h) for fan in self.book.fans]
        live: list[Any] = [x if is_truth(x) else x != 0 for x in held]
        return self._weigh(h, held, live, [True] * len(held))

    # ---- both

    def _weigh(self, h: Any, held: list[Any], live: list[Any], some: list[bool]) -> tuple[_Totals, _Times, _Times]:
        """Find which of the holding rows count: how often each value counts, the rows left to join, each row's times.

        `held` and `live` (whether it holds at all) are arrays, or symbols; `some` says which rows hold anywhere.
        """
        rows = self.book.fans
        totals: _Totals = {}
        left: _Times = {}
        counted: _Times = {}
        for i, fan in enumerate(rows):
            if not some[i]:
                continue
            x = held[i]
            once = is_truth(x) or (isinstance(x, np.ndarray) and x.dtype == np.bool_)
            droppers = [j for j in self.droppers[i] if some[j]]
            if fan.of == EACH and self.by_places:
                leaving_none = []
                for j in droppers:
                    on = rows[j].on
                    if on:
                        x = x & (live[j] * -1 & on(h) ^ -1)
                    elif rows[j].of == EACH:
                        x = x & (held[j] ^ -1)
                    else:
                        leaving_none.append(live[j])
                x = count(x)
                if leaving_none:
                    x = x * (reduce(or_, leaving_none) ^ True)
            else:
                x = count(x) if fan.of == EACH else x
                droppers = [j for j in droppers if some[self.only_with.get((j, i), j)]]
                if droppers:
                    x = x * (reduce(or_, [self._drops(j, i, live, some) for j in droppers]) ^ True)
            x = _small(x)
            if fan.joins and self.joined is not None:
                left[i] = x
                continue
            value, most, more = self.pays[i]
            if most < NO_LIMIT and not once:
                x = x - (x > most) * (x - most) if not isinstance(x, np.ndarray) else np.minimum(x, np.uint8(most))
            beside = i in self.beside
            if more is not None:
                _add(totals, (beside, more), x)
                x = _small(x != 0)
                value -= more
            _add(totals, (beside, value), x)
            counted[i] = x
        return totals, left, counted

    def _drops(self, dropper: int, row: int, live: list[Any], some: list[bool]) -> Any:
        """Return where one row excludes another."""
        if (dropper, row) in self.only_with:
            return live[dropper] & live[self.only_with[dropper, row]]
        if not self.freed.get(dropper, 0) >> row & 1:
            return live[dropper]
        dropped = live[dropper]
        for j in self.droppers[dropper]:
            if some[j]:
                dropped = dropped & (live[j] ^ True)
        return dropped

    @staticmethod
    def _key(clan: Clan, left: _Times) -> Any:
        """Number of times each row of a clan holds, as one number; 0 if none does."""
        key: Any = 0
        for i, shift in zip(clan.rows, clan.shifts, strict=True):
            if i in left:
                key = key + (_wide(left[i]) << shift)
        return key

    def meet(self, h: Planes) -> None:
        """Learn the combinations of the clans in one reading."""
        held = [fan.when(h) for fan in self.book.fans]
        _, left, _ = self._weigh(h, held, [x != 0 for x in held], [True] * len(held))
        for clan in self.clans:
            key = int(self._key(clan, left))
            if clan.number[key] < 0:
                self._meet(clan, key, h)

    def _meet(self, clan: Clan, key: int, h: Planes) -> None:
        ends = (*clan.shifts[1:], _KEY_BITS)
        held = [key >> low & (1 << high - low) - 1 for low, high in zip(clan.shifts, ends, strict=True)]
        live = tuple((i, times) for i, times in zip(clan.rows, held, strict=True) if times)
        totals, times = self.joined(self.book, live, h) if live and self.joined else (0, ())
        number = len(clan.points)
        clan.points.append(totals)
        clan.times.append(times)
        clan.worth[number] = totals
        for i, n in times:
            clan.row_times[number, clan.rows.index(i)] = n
        clan.number[key] = number

    def _join(self, clan: Clan, key: Any, h: Any, points: Ints) -> Any:
        """Add the values of a clan's rows to `points`, by their keys; returns which combination each is."""
        key = key.astype(np.int64, copy=False)  # numpy looks this type up eight times as fast
        number = clan.number.take(key)
        unmet = np.flatnonzero(number < 0)
        for new in unmet[np.unique(key[unmet], return_index=True)[1]].tolist():
            self._meet(clan, int(key[new]), one(h, new))
        if unmet.size:
            number = clan.number.take(key)
        points += np.array(clan.points, np.int32).take(number.astype(np.int64))
        return number


def _small(x: Any) -> Any:
    """Return a count as uint8."""
    if not isinstance(x, np.ndarray):
        return x
    return x.view(np.uint8) if x.dtype == np.bool_ else narrow(x)


def _wide(x: Any) -> Any:
    return x.astype(np.int64) if isinstance(x, np.ndarray) else x


def _add(totals: _Totals, what: tuple[bool, int], times: Any) -> None:
    totals[what] = totals[what] + times if what in totals else times


def _total(totals: _Totals, beside: bool, n: int) -> Any:
    total = np.zeros(n, np.int32)
    for (mine, value), times in totals.items():
        if mine == beside:
            total += times.astype(np.int32) * value
    return total


def _clan(book: Rulebook, rows: list[int]) -> Clan:
    """Return keys with room for every number of a row: one bit for a truth, three for a number of pairs of sets."""
    shifts, at = [], 0
    for i in rows:
        shifts.append(at)
        at += 3 if book.fans[i].of == 2 else 1
    if at > _KEY_BITS:
        raise ValueError(f"{book.id}: {len(rows)} relating rows need {at} bits")
    number, worth = np.full(1 << at, -1, np.int16), np.zeros(1 << 15, np.int64)
    return Clan(tuple(rows), tuple(shifts), number, [], [], worth, np.zeros((1 << 15, len(rows)), np.uint8))
