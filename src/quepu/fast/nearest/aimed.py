"""Payable hands of one fan only, for a player who goes for that fan; everything else is as in `Payable`."""

from __future__ import annotations

import random
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from quepu.errors import Error
from quepu.fast.nearest.gain_files import GainCase
from quepu.fast.nearest.payable import Payable, payable
from quepu.fast.universe.hand_index import Array, order
from quepu.fast.universe.standard_hands import MELD_SETS, STATES, Universe
from quepu.hands.hand import Hand
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand
from quepu.shapes import SHAPES
from quepu.tiles import EAST, KINDS

_SAMPLES = 20


class AimedPayable(Payable):
    """Queries about hands in which one fan's condition holds; all others pay nothing.

    A special shape counts if all its hands have the fan.
    """

    def __init__(self, book: Rulebook, fan: str) -> None:
        super().__init__(book)
        self._of, self._fan = payable(book), book.fan(fan)
        self._aimed: dict[GainCase, Array] = {}

    def table(self, closed: bool, double_wind: bool = False) -> Array:
        """Return the gains of every standard hand in this state that has the fan."""
        case = GainCase(closed, double_wind and self.looks_at_round)
        if case not in self._aimed:
            self._aimed[case] = np.where(self._holds(case), self._of.table(closed, double_wind), 0).astype(np.uint16)
        return self._aimed[case]

    def release(self) -> None:
        """Keep the tables: they are in no files."""

    @cached_property
    def ordinary_points(self) -> int:
        """Points of an ordinary win of the book."""
        return self._of.ordinary_points

    def _holds(self, case: GainCase) -> Array:
        """Return in which hands the fan's condition holds, won by a discard, or (if in none) by self-draw."""
        made = np.zeros((KINDS, MELD_SETS), np.bool_)
        for drawn in ("discard", "draw"):
            universe = Universe(
                STATES[f"{'closed' if case.closed else 'open'}-{drawn}"], EAST, EAST if case.double_wind else EAST + 1
            )
            if not case.closed:  # as `payments.gains`
                universe.base = universe.base._replace(o1=0, o2=0, o3=0, o4=0, xp=0)
            for kind, index in universe.pairs():
                hands: Any = universe.block(kind, index)
                made[kind, index] = np.asarray(self._fan.when(hands)) != 0
            if made.any():
                break
        found: Array = made[:, order()].reshape(-1)
        return found

    def _special_shapes(self) -> tuple[str, ...]:
        return self.shapes

    @cached_property
    def shapes(self) -> tuple[str, ...]:
        """The special shapes all of whose hands have the fan."""
        return tuple(name for name in self.book.shapes if SHAPES[name].whole and self._has_fan(name))

    def _has_fan(self, name: str) -> bool:
        rng = random.Random(9)
        for _ in range(_SAMPLES):
            tiles = sorted(tile for part in SHAPES[name].sample(rng) for tile in part)
            try:
                score = score_hand(Hand(tuple(tiles[:-1]), (), tiles[-1], 28, 27), self.book)
            except Error:
                return False  # it wins only in circumstances
            if self._fan.name not in {line.name for line in score.fans}:
                return False
        return True


@lru_cache(2)
def aimed(book: Rulebook, fan: str) -> AimedPayable:
    """Return the payable hands of a book that have this fan.

    Raises:
        UnknownName: the book has no such fan; the sentence suggests similar ones.
    """
    return AimedPayable(book, fan)
