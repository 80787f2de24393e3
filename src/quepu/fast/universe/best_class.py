"""The class of each hand's best reading under a book; the plain twin is `quepu.scoring.score.score_hand`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.readings import OWN, Readings, choose, read
from quepu.fast.universe.classes import Classes
from quepu.rules.rulebook import Rulebook


class Classified(NamedTuple):
    """The best reading of each hand and its class."""

    valid: NDArray[np.bool_]  # whether it is a win
    classes: NDArray[np.int32]  # -1 where it is not
    readings: Readings
    best: NDArray[np.int64]  # the number of the best reading among `readings`, -1 where it is not a win

    def planes(self) -> dict[str, NDArray[np.int64]]:
        """Return the planes that distinguish the best reading from others: [N] each, 0 where it is not a win."""
        at = np.maximum(self.best, 0)
        found = {}
        for name in OWN:
            column = getattr(self.readings.h, name)
            found[name] = np.where(self.valid, column[at] if len(column) else 0, 0)
        return found


class HandClassifier:
    """Finds the classes of hands under one book."""

    def __init__(self, book: Rulebook, classes: Classes | None = None) -> None:
        self.book = book
        self.classes = Classes(book) if classes is None else classes

    def classify(self, wins: HandArrays, shapes: tuple[str, ...] | None = None) -> Classified:
        """Classify the best reading of each hand: most points and bonus, then most points, then the first.

        shapes: those to read; the book's by default.
        """
        found = read(wins, shapes or self.book.shapes, self.book.reads)
        classes, best = np.full(wins.n, -1, np.int32), np.full(wins.n, -1, np.int64)
        if len(found.of):
            number = self.classes.classify(found.h, len(found.of))
            at = choose(wins.n, found, self.classes.points[number], self.classes.bonus[number])
            valid = wins.possible & (at >= 0)
            best = np.where(valid, at, -1)
            classes[valid] = number[best[valid]]
        return Classified(best >= 0, classes, found, best)


def first_of_best(sorter: HandClassifier, keys: NDArray[np.int64], numbers: NDArray[np.int32]) -> NDArray[np.int64]:
    """Of readings of tiles with these keys [4, N] the best of each set of tiles: their places, tiles in order."""
    points = sorter.classes.points[numbers].astype(np.int64)
    total = points + sorter.classes.bonus[numbers]
    order = np.lexsort((-points, -total, *keys[::-1]))  # stable: among equals the first reading stays first
    ranked = keys[:, order]
    found: NDArray[np.int64] = order[np.concatenate([[True], (ranked[:, 1:] != ranked[:, :-1]).any(axis=0)])]
    return found
