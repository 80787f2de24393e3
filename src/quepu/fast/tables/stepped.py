"""Compiled tables that wait for seats played from outside; the plain twin is `quepu.table.Table`.

`SteppedTables.deal` begins a hand at a table, `go_on` plays at all of them. Whose choice each table waits for is in
`arrays`, and the choice is made there: the place of the option + 1 in that seat's CHOSEN, and 0 in WAITING.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.tables import columns
from quepu.fast.tables.endings import feeder, ready_of
from quepu.fast.tables.fast_tables import LEVELS, OUTSIDE, FastTables, seed_all
from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.rules.play_rules import Ending, SeatWin
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand
from quepu.tiles import EAST, KINDS

Array = NDArray[Any]
BOTS = tuple(level for level in LEVELS if level != "gain")
"""The bots that play here: `gain` has tables and room of its own."""


class SteppedTables(FastTables):
    """N tables of one book with walls of so many tiles; see the module. All play the East round.

    Args:
        rules: the book, or its name.
        n: how many tables.
        size: tiles of a wall.
        levels: who plays East, South, West, North: "outside" or a bot (`BOTS`), or four for each table.

    Raises:
        HandError: as `FastTables`.
    """

    playing_levels = (*BOTS, OUTSIDE)

    def __init__(self, rules: str | Rulebook, n: int, size: int, levels: Any = OUTSIDE) -> None:
        super().__init__(rules, np.zeros((n, size), np.uint8), np.zeros((n, 4), np.int64), levels=levels)
        self._scalars[:, columns.PHASE] = columns.OVER  # nothing was dealt yet

    def _order_of(self, given: Any) -> Array:
        """Return the walls as they are: others come with `deal`."""
        order: Array = given
        return order

    def deal(self, i: int, order: Array, seeds: Array | None = None, levels: Array | None = None) -> None:
        """Begin a hand at table i from a wall in the order of drawing.

        Args:
            i: the table.
            order: uint8 [size].
            seeds: int64 [4], of the bots, if there are any.
            levels: numbers of `NUMBERED` of its four seats, if they change.
        """
        numbers = self._of_seat[i, :, columns.LEVEL].copy() if levels is None else levels
        for array in self._tables[:6]:
            array[i] = 0
        self._of_seat[i, :, columns.LEVEL] = numbers
        self._begin(self._scalars[i])
        self.order[i] = order
        self.points[i] = 0
        if seeds is not None:
            seed_all(self._tables[columns.AT_GENERATORS][i], np.ascontiguousarray(seeds, np.int64))

    def go_on(self) -> list[int]:
        """Play at every table until a seat played outside is to choose, or the hand is over; where it is over."""
        self._go_on()
        over = (self._scalars[:, columns.PHASE] == columns.OVER).nonzero()[0]
        if len(over):
            self._find_wins(over)
        return [int(i) for i in over]

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arrays of tables, in the order of `quepu.fast.tables.columns`."""
        return self._tables

    def ending(self, i: int) -> Ending:
        """Return how the hand at table i ended, as `Table.ending` has it."""
        winner, ready = int(self.winners[i]), ready_of(self, i)
        if winner < 0:
            return Ending(ready=ready)
        hand = self._winning_hand(i)
        giver = int(self.givers[i])
        melds = self._melds[i, winner, : int(self._of_seat[i, winner, columns.MELDS])].tolist()
        sources = [source for kind, _, source in melds if kind != MeldKind.CONCEALED_KONG]
        sources += [giver] * (giver >= 0)
        score = score_hand(hand, self.book)
        fed = feeder(self, i) if hand.luck & Luck.KONG_DRAW else -1
        supplied = sources.count(0), sources.count(1), sources.count(2), sources.count(3)
        return Ending(
            (SeatWin(winner, score.total, supplied, score.hand.luck, score),),
            self_draw=giver < 0,
            discarder=None if giver < 0 else giver,
            robbed=bool(hand.luck & (Luck.ROBBED_KONG | Luck.ROBBED_FLOWER)),
            kong_feeder=None if fed < 0 else fed,
            ready=ready,
        )

    def _winning_hand(self, i: int) -> Hand:
        hands, melds, words = self._questions
        at = int(self._won_by[i])
        seat, tile, luck, _, _ = words[at].tolist()
        log = self._log[i, : self.lengths[i]]
        set_aside = log[(log & 0xFFFF) == (columns.E_FLOWER | seat << 8)] >> 16 & 0xFF
        counts = hands[at].astype(int)
        if tile >= 0:
            counts[tile] -= 1
        return Hand(
            tuple(np.repeat(np.arange(KINDS), counts).tolist()),
            tuple(Meld(MeldKind(kind), low) for kind, low in melds[at].tolist() if kind >= 0),
            tile if tile >= 0 else None,
            EAST + seat,
            EAST + self.round,
            luck,
            tuple((set_aside - KINDS).tolist()),
        )
