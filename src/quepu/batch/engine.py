"""One book, many hands: read, detect, combine, take the best reading."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from quepu.batch.classes import Classes
from quepu.batch.readings import OWN, Readings, read
from quepu.batch.wins import Wins
from quepu.rulebook import Rulebook

Array = Any


class Settled(NamedTuple):
    """The best reading of each hand. Hands that are no win have `valid` False and zeros."""

    valid: Array  # bool [N]
    points: Array  # int32 [N], towards the minimum
    bonus: Array  # int32 [N], fans the book keeps out of the minimum
    classes: Array  # int32 [N], the class in `Engine.classes`, -1 where not valid
    readings: Readings
    best: Array  # int64 [N], number of the best reading among `readings`, -1 where not valid

    def planes(self) -> dict[str, Array]:
        """The planes of the best reading that tell it from others: int64 [N] each, 0 where not valid."""
        at = np.maximum(self.best, 0)
        found = {}
        for name in OWN:
            column = getattr(self.readings.h, name)
            found[name] = np.where(self.valid, column[at] if len(column) else 0, 0)
        return found


class Engine:
    """Scores arrays of hands under one book; what it learns about signatures it keeps for the next chunk."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.classes = Classes(book)

    def settle(self, wins: Wins, shapes: tuple[str, ...] | None = None) -> Settled:
        """The best reading of each hand: most points and bonus, then most points, then the first.

        `shapes` are the book's unless said otherwise.
        """
        found = read(wins, shapes or self.book.shapes, self.book.reads)
        classes = np.full(wins.n, -1, np.int32)
        best = np.full(wins.n, -1, np.int64)
        points = np.zeros(wins.n, np.int32)
        bonus = np.zeros(wins.n, np.int32)
        if len(found.of):
            number = self.classes.classify(found.h, len(found.of))
            at = choose(wins.n, found, self.classes.points[number], self.classes.bonus[number])
            valid = wins.possible & (at >= 0)
            best = np.where(valid, at, -1)
            some = np.flatnonzero(valid)
            classes[some] = number[best[some]]
            points[some] = self.classes.points[classes[some]]
            bonus[some] = self.classes.bonus[classes[some]]
        return Settled(best >= 0, points, bonus, classes, found, best)


def choose(n: int, found: Readings, points: Array, bonus: Array) -> Array:
    """The number of the best reading of each of n hands (int64), -1 for a hand without readings."""
    best = np.full(n, -1, np.int64)
    rows = np.arange(len(found.of))
    if len(found.of) <= n and not (np.bincount(found.of, minlength=n) > 1).any():
        best[found.of] = rows
        return best
    worth = (points.astype(np.int64) + bonus << 40) + (points.astype(np.int64) << 16) + (0xFFFF - found.rank)
    top = np.full(n, np.iinfo(np.int64).min)
    np.maximum.at(top, found.of, worth)
    mine = rows[worth == top[found.of]]
    best[found.of[mine]] = mine
    return best
