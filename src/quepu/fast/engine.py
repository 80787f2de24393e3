"""One book, many hands: read, detect, combine, choose the best reading."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from quepu.fast.arrays.hand_arrays import Wins
from quepu.fast.arrays.readings import OWN, Readings, read
from quepu.fast.arrays.shapes import Picked
from quepu.fast.compiled.conditions import NO_HANDS, Fused, fused
from quepu.fast.compiled.readings import Walker, chosen
from quepu.fast.compiled.scorer import Chain
from quepu.fast.universe.classes import Classes
from quepu.fast.weighing.additive import Straight
from quepu.fast.weighing.product import Multiplied
from quepu.fast.weighing.residue import Accreted
from quepu.rules.arithmetic import Additive
from quepu.rules.rulebook import Rulebook

Array = Any


class Settled(NamedTuple):
    """The best reading of each hand. Hands that are no win have `valid` False and zeros."""

    valid: Array  # bool [N]
    points: Array  # int32 [N], towards the minimum
    bonus: Array  # int32 [N], fans that do not count towards the minimum
    classes: Array  # int32 [N], the class in `Engine.classes`, -1 where not valid or where classes were not requested
    readings: Readings
    best: Array  # int64 [N], number of the best reading among `readings`, -1 where not valid
    counts: Array  # uint8 [N, fans], how often each fan counts; empty if not requested

    def planes(self) -> dict[str, Array]:
        """The planes that distinguish the best reading from others: int64 [N] each, 0 where not valid."""
        at = np.maximum(self.best, 0)
        found = {}
        for name in OWN:
            column = getattr(self.readings.h, name)
            found[name] = np.where(self.valid, column[at] if len(column) else 0, 0)
        return found


class Engine:
    """Scores arrays of hands under one book; signatures are cached for the next chunk."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.classes = Classes(book)
        self.straight = Straight(book, book.arithmetic) if isinstance(book.arithmetic, Additive) else None
        self.tallied: Multiplied | Accreted | None = Multiplied.of(book) or Accreted.of(book)
        self._loop: Fused | None = None
        self.walker: Walker | None = None
        self._chain: Chain | None = None
        self.chain: Chain | None = None

    @property
    def part(self) -> Straight | Multiplied | Accreted | Classes:
        """The part that makes points of readings."""
        return self.straight or self.tallied or self.classes

    def fuse(self, only_cached: bool = False, fans: bool = True) -> None:
        """From now on, read hands and evaluate the conditions in compiled loops (the extra `fast`).

        Compiling takes seconds and is cached for other processes; `only_cached` does nothing where no code is cached.
        `fans`: for fan counts too.
        """
        part = self.part
        if part.fused is None:
            if self._loop is None:
                self._loop = fused(part.line)
            there = self._loop is not None and self._loop.compiled
            if self.tallied is not None and part is self.tallied:
                there = there and self.tallied.code.there
            if self._loop is not None and (there or not only_cached):
                self._loop.load()
                part.fused = self._loop
                if self.tallied is not None and part is self.tallied:
                    self.tallied.sums(NO_HANDS, 0, fans)
        if fans and self.straight is not None and self.straight.words is None:
            words = fused(self.straight.packed)
            if words is not None and (words.compiled or not only_cached):
                words.load()
                self.straight.words = words
        if self.walker is None:
            walker = Walker(self.book.shapes, self.book.reads)
            if walker.compiled or not only_cached:
                walker.load()
                self.walker = walker

    def fuse_points(self, only_cached: bool = False) -> None:
        """From now on, find `points` by one compiled loop; as `fuse` where there is none, or none is cached."""
        if self.chain is not None:
            return
        if self._chain is None:
            self._chain = Chain.of(self.book, self.part)
        if self._chain is None or (only_cached and not self._chain.compiled):
            self.fuse(only_cached, fans=False)
        else:
            self._chain.load()
            self.chain = self._chain

    def points(self, wins: Wins) -> tuple[Array, Array, Array]:
        """Whether each hand is a win, its points and its bonus, as `score` has them."""
        if self.chain is None:
            settled = self.score(wins, fans=False)
            return settled.valid, settled.points, settled.bonus
        *found, left = self.chain.points(wins)
        some = np.flatnonzero(left)
        at_once = _LEFT_AT_ONCE
        while some.size:  # by arrays, which meet new figures: a few hands, then the loop may do for the others
            few, some = some[:at_once], some[at_once:]
            settled = self.score(wins.some(few), fans=False)
            for column, values in zip(found, (settled.valid, settled.points, settled.bonus), strict=True):
                column[few] = values
            if some.size:
                *more, left = self.chain.points(wins.some(some))
                for column, values in zip(found, more, strict=True):
                    column[some] = values
                at_once = _LEFT_AT_ONCE if 2 * np.count_nonzero(left) < len(some) else len(some)
                some = some[left]
        return found[0], found[1], found[2]

    def _read(self, wins: Wins) -> Readings:
        """Every reading of the hands under the book's shapes."""
        if self.walker is not None:
            return self.walker.read(wins)
        return read(wins, self.book.shapes, self.book.reads)

    def _choose(self, n: int, found: Readings, points: Array, bonus: Array) -> Array:
        return (choose if self.walker is None else chosen)(n, found, points, bonus)

    def settle(self, wins: Wins, shapes: tuple[str, ...] | None = None) -> Settled:
        """The best reading of each hand: most points and bonus, then most points, then the first.

        `shapes` default to the book's.
        """
        found = read(wins, shapes, self.book.reads) if shapes else self._read(wins)
        classes = np.full(wins.n, -1, np.int32)
        best = np.full(wins.n, -1, np.int64)
        points = np.zeros(wins.n, np.int32)
        bonus = np.zeros(wins.n, np.int32)
        if len(found.of):
            number = self.classes.classify(found.h, len(found.of))
            at = self._choose(wins.n, found, self.classes.points[number], self.classes.bonus[number])
            valid = wins.possible & (at >= 0)
            best = np.where(valid, at, -1)
            some = np.flatnonzero(valid)
            classes[some] = number[best[some]]
            points[some] = self.classes.points[classes[some]]
            bonus[some] = self.classes.bonus[classes[some]]
        return Settled(best >= 0, points, bonus, classes, found, best, np.zeros((0, len(self.book.fans)), np.uint8))

    def score(self, wins: Wins, fans: bool = True) -> Settled:
        """As `settle`, with `counts` if `fans`; by straight line, without classes, where the arithmetic allows."""
        tallied = self._tally(wins, fans)
        if tallied is not None:
            return tallied
        if self.straight is None:
            settled = self.settle(wins)
            if not fans:
                return settled
            counts = np.zeros((wins.n, len(self.book.fans)), np.uint8)
            if settled.valid.all():
                self.classes.counts.take(settled.classes, axis=0, out=counts, mode="clip")
            else:
                counts[settled.valid] = self.classes.counts[settled.classes[settled.valid]]
            return settled._replace(counts=counts)
        found = self._read(wins)
        m, n = len(found.of), wins.n
        none = np.full(n, -1, np.int32)
        zeros = np.zeros(n, np.int32)
        counts = np.zeros((n if fans else 0, len(self.book.fans)), np.uint8)
        if not m:
            return Settled(none >= 0, zeros, zeros, none, found, none.astype(np.int64), counts)
        sums = self.straight.sums(found.h, m, fans and self.straight.fused is None)
        at = self._choose(n, found, sums.points, sums.bonus)
        best = np.where(wins.possible & (at >= 0), at, -1)
        valid = best >= 0
        some = np.flatnonzero(valid)
        if fans and self.straight.fused is None:
            counts = np.where(valid, sums.counts.take(best, axis=1), 0).T
        elif fans and self.straight.words is not None:
            counts = self.straight.table(found.h, m, sums, np.maximum(best, 0))
            counts[~valid] = 0
        elif fans:
            counts[some] = self.straight.sums(Picked(found.h, best[some]), len(some)).counts.T
        points, bonus = (np.where(valid, x[best], 0).astype(np.int32) for x in (sums.points, sums.bonus))
        return Settled(valid, points, bonus, none, found, best, counts)

    def _tally(self, wins: Wins, fans: bool) -> Settled | None:
        """`score` by figures; None where the book's arithmetic has none, or they do not suffice."""
        if self.tallied is None:
            return None
        found = self._read(wins)
        n, m = wins.n, len(found.of)
        made = self.tallied.sums(found.h, m, fans)
        if made is None:
            return None
        none = np.full(n, -1, np.int32)
        at = self._choose(n, found, made.points, np.zeros(m, np.int32))
        best = np.where(wins.possible & (at >= 0), at, -1)
        valid = best >= 0
        some = slice(None) if valid.all() else np.flatnonzero(valid)
        points = np.zeros(n, np.int32)
        points[some] = made.points[best[some]]
        counts = np.zeros((n if fans else 0, len(self.book.fans)), np.uint8)
        if fans:
            counts[some] = made.counts[best[some]]
        return Settled(valid, points, np.zeros(n, np.int32), none, found, best, counts)


_MOST_CLASSES = 1 << 19
_LEFT_AT_ONCE = 2048
"""Hands that the loop to points leaves over, scored before it is asked again about the others."""


@lru_cache(8)
def _cached_engine(book: Rulebook) -> Engine:
    return Engine(book)


def engine_of(book: Rulebook) -> Engine:
    """A book's engine, with its cached signatures (at most some hundred megabytes of them)."""
    engine = _cached_engine(book)
    if len(engine.classes) > _MOST_CLASSES:
        _cached_engine.cache_clear()
        engine = _cached_engine(book)
    return engine


def choose(n: int, found: Readings, points: Array, bonus: Array) -> Array:
    """The number of the best reading of each of n hands (int64), -1 for a hand without readings."""
    best = np.full(n, -1, np.int64)
    of, rows = found.of, np.arange(len(found.of))

    def order(some: Array) -> Array:
        total = points.take(some).astype(np.int64)
        number: Array = (total + bonus.take(some) << 40) + (total << 16) + (0xFFFF - found.rank.take(some))
        return number

    best[of] = rows
    others = np.flatnonzero(best.take(of) != rows)
    while others.size:  # those that are better than the best so far; of several of a hand one stays
        others = others[order(others) > order(best.take(of.take(others)))]
        hands = of.take(others)
        best[hands] = others
        others = others[best.take(hands) != others]
    return best
