"""Points by straight line: for an arithmetic that only adds up, no signatures are needed.

Such an arithmetic says so by `adds_up` (`AddsUp`): a row counts as often as it holds, unless a row that holds drops it
by name (then a row of EACH place loses only the places covered); rows that relate sets to each other (`Fan.joins`) are
settled together, by how often each holds, through the arithmetic's own `joined`. What they come to is looked up in a
table that fills as combinations are met: some hundred of them in all.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, cast

import numpy as np

from quepu.batch.classes import one
from quepu.planes import Planes
from quepu.rulebook import EACH, Hits, Rulebook

Array = Any
_KEY_BITS = 22


class AddsUp(Protocol):
    """What an arithmetic says that only adds up, beside `combine`."""

    adds_up: bool

    def joined(self, book: Rulebook, live: Hits, h: Planes) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Points of relating rows that hold and are not dropped, and how often each row counts."""
        ...

    def beside(self, book: Rulebook) -> tuple[int, ...]:
        """The rows whose worth is bonus."""
        ...

    def when_nothing(self, book: Rulebook) -> int | None:
        """The row that counts where the points are zero."""
        ...

    def kept_out(self, book: Rulebook) -> tuple[int, ...]:
        """For each row, the rows it keeps out, as a mask."""
        ...

    def freed(self, book: Rulebook) -> dict[int, int]:
        """Rows that, kept out themselves, no longer keep out all of theirs: the rows that then count again."""
        ...

    def amount(self, book: Rulebook, row: int, times: Array) -> tuple[Array, Array]:
        """How often a row counts that holds so many times (zeros among them), and what that is worth."""
        ...


class Sums(NamedTuple):
    """What each reading is worth, and how often each row counts in it (uint8 [rows, readings])."""

    points: Array
    bonus: Array
    counts: Array


class _Clan(NamedTuple):
    """Relating rows that look at the same planes, and what each combination of them comes to."""

    rows: tuple[int, ...]
    shifts: tuple[int, ...]  # where in a key each row's number stands
    number: Array  # int16 by key: which combination, -1 not met yet
    points: list[int]
    times: list[tuple[tuple[int, int], ...]]


class Straight:
    """One book's straight line."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.arithmetic = cast("AddsUp", book.arithmetic)
        fans = book.fans
        self.values = np.array([fan.value for fan in fans], np.int32)
        kept_out = self.arithmetic.kept_out(book)
        self.freed = self.arithmetic.freed(book)
        self.beside = frozenset(self.arithmetic.beside(book))
        self.when_nothing = self.arithmetic.when_nothing(book)
        self.droppers = [[j for j in range(len(fans)) if kept_out[j] >> i & 1] for i in range(len(fans))]
        by_planes: dict[str, list[int]] = {}
        for i, fan in enumerate(fans):
            if fan.joins:
                by_planes.setdefault("p" if "p" in fan.reads else "c", []).append(i)
        self.clans = [_clan(book, rows) for rows in by_planes.values()]

    def sums(self, h: Any, n: int) -> Sums:
        """The worth of n readings given as planes of arrays."""
        fans = self.book.fans
        held = [np.broadcast_to(np.asarray(fan.when(h)), (n,)) for fan in fans]
        live = [x if x.dtype == np.bool_ else x != 0 for x in held]
        some = [bool(x.any()) for x in live]
        counts = np.zeros((len(fans), n), np.uint8)
        points = np.zeros(n, np.int32)
        bonus = np.zeros(n, np.int32)
        left: dict[int, Array] = {}
        for i, fan in enumerate(fans):
            if not some[i]:
                continue
            x = held[i]
            droppers = [j for j in self.droppers[i] if some[j]]
            if fan.of == EACH:
                for j in droppers:
                    on = fans[j].on
                    cover = on(h) if on else held[j] if fans[j].of == EACH else -1
                    x = x & ~np.where(live[j], cover, 0)
                x = np.bitwise_count(x)
            elif droppers:
                gone = self._drops(droppers[0], i, live, some)
                for j in droppers[1:]:
                    gone = gone | self._drops(j, i, live, some)
                x = x & ~gone if x.dtype == np.bool_ else x * ~gone
            if fan.joins:
                left[i] = x
                continue
            counts[i], worth = self.arithmetic.amount(self.book, i, x)
            into = bonus if i in self.beside else points
            into += worth
        for clan in self.clans:
            self._join(clan, left, h, points, counts)
        if self.when_nothing is not None:
            nothing = points == 0
            counts[self.when_nothing] = nothing
            points += nothing * self.values[self.when_nothing]
        return Sums(points, bonus, counts)

    def _drops(self, dropper: int, row: int, live: list[Array], some: list[bool]) -> Array:
        """Where one row keeps another out."""
        if not self.freed.get(dropper, 0) >> row & 1:
            return live[dropper]
        kept = live[dropper]
        for j in self.droppers[dropper]:
            if some[j]:
                kept = kept & ~live[j]
        return kept

    def _join(self, clan: _Clan, left: dict[int, Array], h: Any, points: Array, counts: Array) -> None:
        rows = [i for i in clan.rows if i in left]
        if not rows:
            return
        key = np.zeros(len(points), np.int32)
        for i in rows:
            key += left[i].astype(np.int32) << clan.shifts[clan.rows.index(i)]
        number = clan.number[key]
        for at in np.unique(key[number < 0], return_index=True)[1].tolist():
            new = int(np.flatnonzero(number < 0)[at])
            live = tuple((i, int(left[i][new])) for i in rows if left[i][new])
            worth, times = self.arithmetic.joined(self.book, live, one(h, new)) if live else (0, ())
            clan.number[key[new]] = len(clan.points)
            clan.points.append(worth)
            clan.times.append(times)
        number = clan.number[key]
        points += np.array(clan.points, np.int32)[number]
        for i in rows:
            counts[i] = np.array([dict(times).get(i, 0) for times in clan.times], np.uint8)[number]


def _clan(book: Rulebook, rows: list[int]) -> _Clan:
    """Keys with room for every number a row may return: one bit for a truth, three for a number of pairs of sets."""
    shifts, at = [], 0
    for i in rows:
        shifts.append(at)
        at += 3 if book.fans[i].of == 2 else 1
    if at > _KEY_BITS:
        raise ValueError(f"{book.id}: {len(rows)} relating rows need {at} bits")
    return _Clan(tuple(rows), tuple(shifts), np.full(1 << at, -1, np.int16), [], [])
