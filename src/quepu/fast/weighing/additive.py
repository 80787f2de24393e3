"""Points by straight line: for an arithmetic that only adds up, no signatures are needed.

Such an arithmetic is `Additive`: a row counts as often as it holds, unless a row that holds drops it by name
(then a row of EACH place loses only the places covered); rows that relate sets to each other (`Fan.joins`) are
settled together, by how often each holds, through the arithmetic's own `joined` (`Relating`). The result is looked
up in a table that fills as combinations are met: some hundred of them in all.
"""

from __future__ import annotations

from functools import cached_property, reduce
from operator import or_
from typing import Any, NamedTuple

import numpy as np

from quepu.fast.arrays.expressions import Tape
from quepu.fast.arrays.plane_cache import narrow, whole
from quepu.fast.compiled.conditions import Fused
from quepu.fast.universe.classes import one
from quepu.fast.weighing.row_counts import Held
from quepu.hands.planes import Planes, count
from quepu.rules.arithmetic import NO_LIMIT, Additive, Relating
from quepu.rules.row import EACH
from quepu.rules.rulebook import Rulebook
from quepu.rules.symbols import is_truth

Array = Any
_KEY_BITS = 22


class Values(NamedTuple):
    """The value of each reading."""

    points: Array
    bonus: Array
    counts: Array  # uint8 [rows, readings], how often each row counts, or [0, readings]
    joined: tuple[Array | None, ...]  # for each clan, which combination of its rows (None: of none)
    nothing: Array | None  # where no row counts but the one for that case


_Totals = dict[tuple[bool, int], Any]
_Times = dict[int, Any]


class _Clan(NamedTuple):
    """Relating rows that read the same planes, and the value of each combination of them."""

    rows: tuple[int, ...]
    shifts: tuple[int, ...]  # where in a key each row's number stands
    number: Array  # int16 by key: which combination, -1 not met yet
    points: list[int]
    times: list[tuple[tuple[int, int], ...]]


class Straight:
    """Points of one book as sums, without signatures."""

    def __init__(self, book: Rulebook, arithmetic: Additive) -> None:
        self.book = book
        self.joined = arithmetic.joined if isinstance(arithmetic, Relating) else None
        fans = book.fans
        self.values = np.array([fan.value for fan in fans], np.int32)
        sums = arithmetic.sums(book)
        excluded, self.pays = sums.excluded, sums.pays
        self.freed, self.only_with = sums.freed, sums.only_with
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
        self.fused: Fused | None = None
        self.words: Fused | None = None
        self._tape = Tape(self.line)

    @cached_property
    def _held(self) -> Held:
        return Held(self.book)

    def sums(self, h: Any, n: int, fans: bool = True, held: list[Array] | None = None) -> Values:
        """The values of n readings given as planes of arrays; how often each row counts, if `fans`.

        held: what each row holds there, as `Held.of` gives it, where that is known.
        """
        counts = np.zeros((len(self.book.fans) if fans else 0, n), np.uint8)
        line = None if fans or held is not None else self.fused or self._tape.after(n)
        if line is not None:
            points, bonus, *keys = line(h, n)
            points, bonus = (whole(x, n).astype(np.int32) for x in (points, bonus))
        else:
            held = self._held.of(h, n) if held is None else held
            some = [bool(x.any()) for x in held]
            live = [x if x.dtype == np.bool_ else x != 0 if there else x for x, there in zip(held, some, strict=True)]
            totals, left, times = self._weigh(h, held, live, some)
            points, bonus = (_total(totals, beside, n) for beside in (False, True))
            keys = [self._key(clan, left) for clan in self.clans]
            for i, x in times.items() if fans else ():
                counts[i] = x
        joined: list[Array | None] = []
        for k, (clan, key) in enumerate(zip(self.clans, keys, strict=True)):
            joined.append(self._join(clan, key, h, points) if isinstance(key, np.ndarray) else None)
            for i in clan.rows if fans else ():
                counts[i] = 0 if joined[k] is None else self._times_of(k)[:, i].take(joined[k])
        nothing = None
        if self.when_nothing is not None:
            nothing = points == 0
            if fans:
                counts[self.when_nothing] = nothing
            points += nothing * self.values[self.when_nothing]
        return Values(points, bonus, counts, tuple(joined), nothing)

    def table(self, h: Any, n: int, sums: Values, best: Array) -> Array:
        """Number of times each row counts in some of n readings, by `words`: uint8 [some, rows of the book].

        sums: of all readings. best: int64, the numbers of those readings.
        """
        if self.words is None:
            raise ValueError(self.book.id)
        words = self.words(h, n)
        packed = np.empty((len(best), len(words)), np.dtype("<i8"))
        for k, word in enumerate(words):
            packed[:, k] = word.take(best)
        found = packed.view(np.uint8)[:, : len(self.book.fans)]
        for k, number in enumerate(sums.joined):
            if number is not None:
                times, mine = self._times_of(k), number[best]
                few = np.flatnonzero(times.any(axis=1).take(mine))
                found[few] |= times.take(mine[few], axis=0)  # each clan has rows of its own
        if self.when_nothing is not None and sums.nothing is not None:
            found[:, self.when_nothing] = sums.nothing[best]
        return found

    def _times_of(self, k: int) -> Array:
        """Number of times each row counts in the combinations of a clan: uint8 [combinations, rows of the book]."""
        cached, times = self._times[k], self.clans[k].times
        if len(cached) < len(times):
            more = np.zeros((len(times) - len(cached), cached.shape[1]), np.uint8)
            for row, some in zip(more, times[len(cached) :], strict=True):
                for i, number in some:
                    row[i] = number
            self._times[k] = np.concatenate([cached, more])
        return self._times[k]

    def line(self, h: Planes) -> list[Any]:
        """The same up to `joined`, for one reading's planes as symbols: points, bonus, the clans' keys."""
        totals, left, _ = self._weigh_symbols(h)
        sums = [sum((x * value for (of, value), x in totals.items() if of == beside), 0) for beside in (False, True)]
        return [*sums, *(self._key(clan, left) for clan in self.clans)]

    def packed(self, h: Planes) -> list[Any]:
        """Number of times each row counts, but for those that relate sets, eight to a word; for planes as symbols."""
        words: list[Any] = [0] * -(-len(self.book.fans) // 8)
        for i, times in self._weigh_symbols(h)[2].items():
            words[i // 8] = words[i // 8] | times << i % 8 * 8
        return words

    def _weigh_symbols(self, h: Planes) -> tuple[_Totals, _Times, _Times]:
        held: list[Any] = [fan.when(h) for fan in self.book.fans]
        live: list[Any] = [x if is_truth(x) else x != 0 for x in held]
        return self._weigh(h, held, live, [True] * len(held))

    def _weigh(self, h: Any, held: list[Any], live: list[Any], some: list[bool]) -> tuple[_Totals, _Times, _Times]:
        """Counting rows out of holding ones: how often each value counts, the rows left to join, each row's times.

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
            if fan.of == EACH:
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
            elif droppers:
                droppers = [j for j in droppers if some[self.only_with.get((j, i), j)]]
            if fan.of != EACH and droppers:
                gone = self._drops(droppers[0], i, live, some)
                for j in droppers[1:]:
                    gone = gone | self._drops(j, i, live, some)
                x = x * (gone ^ True)
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

    def _drops(self, dropper: int, row: int, live: list[Array], some: list[bool]) -> Array:
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
    def _key(clan: _Clan, left: _Times) -> Any:
        """Number of times each row of a clan holds, as one number; 0 if none does."""
        key: Any = 0
        for i, shift in zip(clan.rows, clan.shifts, strict=True):
            if i in left:
                key = key + (_wide(left[i]) << shift)
        return key

    def _join(self, clan: _Clan, key: Array, h: Any, points: Array) -> Array:
        """Add the values of a clan's rows to `points`, by their keys; returns which combination each is."""
        key = key.astype(np.int64, copy=False)  # by which numpy looks up eight times as fast
        number = clan.number.take(key)
        unmet = np.flatnonzero(number < 0)
        for new in unmet[np.unique(key[unmet], return_index=True)[1]].tolist():
            here = int(key[new])
            ends = (*clan.shifts[1:], _KEY_BITS)
            held = [here >> low & (1 << high - low) - 1 for low, high in zip(clan.shifts, ends, strict=True)]
            live = tuple((i, times) for i, times in zip(clan.rows, held, strict=True) if times)
            totals, times = self.joined(self.book, live, one(h, new)) if live and self.joined else (0, ())
            clan.number[here] = len(clan.points)
            clan.points.append(totals)
            clan.times.append(times)
        if unmet.size:
            number = clan.number.take(key)
        points += np.array(clan.points, np.int32).take(number.astype(np.int64))
        return number


def _small(x: Any) -> Any:
    """A count as uint8."""
    if not isinstance(x, np.ndarray):
        return x
    return x.view(np.uint8) if x.dtype == np.bool_ else narrow(x)


def _wide(x: Any) -> Any:
    return x.astype(np.int64) if isinstance(x, np.ndarray) else x


def _add(totals: dict[tuple[bool, int], Array], what: tuple[bool, int], times: Array) -> None:
    totals[what] = totals[what] + times if what in totals else times


def _total(totals: dict[tuple[bool, int], Array], beside: bool, n: int) -> Array:
    total = np.zeros(n, np.int32)
    for (mine, value), times in totals.items():
        if mine == beside:
            total += times.astype(np.int32) * value
    return total


def _clan(book: Rulebook, rows: list[int]) -> _Clan:
    """Keys with room for every number a row may return: one bit for a truth, three for a number of pairs of sets."""
    shifts, at = [], 0
    for i in rows:
        shifts.append(at)
        at += 3 if book.fans[i].of == 2 else 1
    if at > _KEY_BITS:
        raise ValueError(f"{book.id}: {len(rows)} relating rows need {at} bits")
    return _Clan(tuple(rows), tuple(shifts), np.full(1 << at, -1, np.int16), [], [])
