"""Bots that aim at hands that can win (see `aiming`), by tables.

They use the table of every standard hand (numpy; shipped for registered books, for house rules built in some ten
seconds and cached).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from quepu.bots.aiming import NearestBot, WeighingBot, Weight
from quepu.bots.extras import extras
from quepu.fast.nearest.payable import Look, Payable, payable, release_tables
from quepu.fast.nearest.preferences import Preferences, feature_classes
from quepu.fast.nearest.receipts import GAIN_PACE, STEPS_PACE, rates_at
from quepu.fast.universe.hand_index import Array
from quepu.hands.hand import Hand
from quepu.rules.rulebook import Rulebook
from quepu.table import View

__all__ = ["OPENED", "GainBot", "Sight", "StepsBot", "Weight", "complete", "payable", "release_tables"]

OPENED = 0.5
"""Half of the closed hands are opened on the way: the final value of hands (`bench/opened.py`)."""


def complete(found: Payable) -> None:
    """Store everything that bots look up besides the tables: computing it takes seconds, and 120 MB for good."""
    _ = found.ordinary_points
    extras(found.book)
    for double_wind in (False, True) if found.looks_at_round else (False,):
        found.opened_table(OPENED, double_wind)
        feature_classes(double_wind)


class Sight(NamedTuple):
    """View of a seat on its turn, with the copies of each kind that it does not see."""

    view: View
    unseen: Array  # int64 [34]

    @classmethod
    def of(cls, view: View) -> Sight:
        """Return the sight of this view."""
        return cls(view, np.array(view.unseen()))


class TableBot(NearestBot[Sight, Look]):
    """Bot that looks hands up in the tables of its book."""

    pace: float
    called = 1.0
    opened = 0.0
    preferences: Preferences | None = None

    def __init__(self, seed: int = 0) -> None:
        self._payable: Payable

    def begin(self, book: Rulebook, seat: int) -> None:
        """Load the table of the book, building it if necessary."""
        self._payable = payable(book)

    def sight(self, view: View) -> Sight:
        """Return the tiles that this seat sees."""
        return Sight.of(view)

    def look_at(self, hand: Hand, sight: Sight, extra: int) -> Look:
        """Return the distance and the values of discards of a hand at this moment."""
        given = hand, sight.unseen, extra, self.rate(sight)
        return self._payable.look(*given, called=self.called, opened=self.opened, preferences=self.preferences)

    def rate(self, sight: Sight) -> Array:
        """Return the weight of this many missing tiles at this moment."""
        return np.array(rates_at(sight.view.board.left, int(sight.unseen.sum()), self.pace))


class StepsBot(TableBot):
    """Bot for the nearest hand that can win; among equally near discards, the one that leaves most useful tiles."""

    pace = STEPS_PACE


class GainBot(WeighingBot[Sight, Look], TableBot):
    """Bot that weighs the points of every payable hand nearby by the chance to get there, claims included."""

    pace = GAIN_PACE
