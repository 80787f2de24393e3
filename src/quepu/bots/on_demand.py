"""The bots `steps` and `gain` without tables, in plain Python, for devices: they make the same moves."""

from __future__ import annotations

from typing import NamedTuple

from quepu.bots.aiming import NearestBot, WeighingBot
from quepu.fast.nearest.on_demand import NearLook, PayableOnDemand, payable_on_demand
from quepu.fast.nearest.receipts import GAIN_PACE, STEPS_PACE, rates_at
from quepu.hands.hand import Hand
from quepu.rules.rulebook import Rulebook
from quepu.table import View


class PlainSight(NamedTuple):
    """As `payable_bot.Sight`, in plain numbers."""

    view: View
    unseen: list[int]


class OnDemandBot(NearestBot[PlainSight, NearLook]):
    """Bot that finds the payable hands near by and scores them when it acts."""

    pace: float

    def __init__(self, seed: int = 0) -> None:
        self._payable: PayableOnDemand

    def begin(self, book: Rulebook, seat: int) -> None:
        """Nothing to build."""
        self._payable = payable_on_demand(book)

    def sight(self, view: View) -> PlainSight:
        """The tiles that this seat sees."""
        return PlainSight(view, view.unseen())

    def look_at(self, hand: Hand, sight: PlainSight, extra: int) -> NearLook:
        """The distance and the values of discards of a hand at this moment."""
        view, unseen = sight
        return self._payable.look(hand, unseen, extra, rates_at(view.board.left, sum(unseen), self.pace))


class StepsOnDemand(OnDemandBot):
    """Bot for the nearest hand that may win."""

    pace = STEPS_PACE


class GainOnDemand(WeighingBot[PlainSight, NearLook], OnDemandBot):
    """Bot that weighs the points of every payable hand near by with the chance to get there."""

    pace = GAIN_PACE
