"""The encoding `tokens`: all that a seat has seen of a hand, in order, uint8 [512, 6]; unused rows are zero.

A token is (what, seat, tile + 1, lowest tile of a chow + 1, giver, mark). Seats are 1 oneself, 2 the next to play, 3
opposite, 4 the one before, 0 nobody. What others draw has tile 0. `what` is one of `NAMES`; a mark is 1 as drawn,
2 declaring ready. The first tokens are the place ("place": seat + 1, round wind + 1, round, dealership, repeat), the
points of each seat ("points": seat, sign, three bytes) and the dice ("dice": the first, and the four in the rest). A
dealt tile is a token of its own; a pass, and any answer of one's own, is "answer" with the action in the last place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from quepu.table import Table
from quepu.table.actions import ActionKind
from quepu.table.events import (
    BarLifted,
    Barred,
    ChowClaimed,
    Dealt,
    DiceThrown,
    Discarded,
    Drawn,
    Event,
    Exhausted,
    FlowerSetAside,
    HandShown,
    KongAdded,
    KongClaimed,
    KongConcealed,
    PungClaimed,
    ReadyDeclared,
    ReplacementDrawn,
    Won,
)

Array = np.ndarray[Any, Any]
MOST, FIELDS = 512, 6

_EVENTS = (
    DiceThrown, Dealt, Drawn, ReplacementDrawn, FlowerSetAside, Discarded, ReadyDeclared, ChowClaimed, PungClaimed,
    KongClaimed, KongAdded, KongConcealed, Won, Exhausted, HandShown, Barred, BarLifted,
)  # fmt: skip
CODES: dict[type[Event], int] = {kind: code for code, kind in enumerate(_EVENTS, 1)}
"""The number of each kind of event."""
PLACE, POINTS, ANSWER, OFFER = range(len(_EVENTS) + 1, len(_EVENTS) + 5)
NAMES = ("", *(kind.tag for kind in _EVENTS), "place", "points", "answer", "offer")
"""What each first number of a token means."""
ACTION_CODES = {do: n for n, do in enumerate(ActionKind, 1)}
"""The number of each action in an answer."""

Token = tuple[int, int, int, int, int, int]


class TokenWriter:
    """One hand as its four seats see it, a token for each thing that happened."""

    shape: ClassVar[tuple[int, int]] = (MOST, FIELDS)

    def __init__(self, table: Table, scores: Sequence[int] = (0, 0, 0, 0), place: Sequence[int] = (1, 0, 0)) -> None:
        """Write what has happened so far."""
        self.table = table
        self._rows: Array = np.zeros((4, MOST, FIELDS), np.uint8)
        self._cells = [memoryview(self._rows[seat].reshape(-1)) for seat in range(4)]
        self._numbers = [0] * 4
        self._events = self._answers = 0
        self._hidden = table.rules.table.concealed_kongs_hidden
        round, dealership, repeat = place
        for seat in range(4):
            self._put(seat, (PLACE, seat + 1, table.board.round + 1, round & 255, dealership, repeat & 255))
            for step in range(4):
                points = scores[(seat + step) & 3]
                size = min(abs(points), (1 << 24) - 1)
                low, middle, high = size & 255, size >> 8 & 255, size >> 16
                self._put(seat, (POINTS, step + 1, int(points < 0), high, middle, low))
        self.follow()

    def _put(self, seat: int, token: Token) -> None:
        n = self._numbers[seat]
        if n < MOST:  # only a referee who bars a seat again and again gets there
            self._cells[seat][n * FIELDS : n * FIELDS + FIELDS] = bytes(token)
            self._numbers[seat] = n + 1

    def follow(self) -> None:
        """Write what has happened since the last time."""
        table = self.table
        fresh = table.events_from(self._events)
        first = self._events
        if table.answer_count > self._answers:
            for n, seat, action in table.answers[self._answers :]:
                self._write(fresh[self._events - first : n - first])
                low = 0 if action.low is None else action.low + 1
                self._put(
                    seat, (ANSWER, 1, 0 if action.tile is None else action.tile + 1, low, 0, ACTION_CODES[action.do])
                )
            self._answers = table.answer_count
        self._write(fresh[self._events - first :])

    def _write(self, events: Sequence[Event]) -> None:
        for event in events:
            for seat in range(4):
                _TOKENS[type(event)](self, event, seat)
        self._events += len(events)

    def observe(self, seat: int, out: Array | None = None) -> Array:
        """Return what a seat has seen so far: uint8 [512, 6], `out` if one is given. An offer is the last token."""
        seen = self._rows[seat].copy() if out is None else out
        if out is not None:
            seen[:] = self._rows[seat]
        tile, offerer = self.table.offered
        n = self._numbers[seat]
        if offerer is not None and n < MOST:
            seen[n] = (OFFER, 1 + (offerer - seat & 3), 0 if tile is None else tile + 1, 0, 0, 0)
        return seen

    # ---- a token of each event

    def _dice(self, event: DiceThrown, seat: int) -> None:
        self._put(seat, (CODES[DiceThrown], 0, *event.dice))

    def _tiles(self, event: Dealt | HandShown, seat: int) -> None:
        who = 1 + (event.seat - seat & 3)
        if type(event) is HandShown or who == 1:
            for kind in event.tiles:
                self._put(seat, (CODES[type(event)], who, kind + 1, 0, 0, 0))

    def _drawn(self, event: Drawn | ReplacementDrawn, seat: int) -> None:
        who = 1 + (event.seat - seat & 3)
        self._put(seat, (CODES[type(event)], who, event.tile + 1 if who == 1 else 0, 0, 0, 0))

    def _tile(self, event: FlowerSetAside | KongAdded, seat: int) -> None:
        self._put(seat, (CODES[type(event)], 1 + (event.seat - seat & 3), event.tile + 1, 0, 0, 0))

    def _concealed(self, event: KongConcealed, seat: int) -> None:
        who = 1 + (event.seat - seat & 3)
        tile = 0 if self._hidden and who != 1 else event.tile + 1
        self._put(seat, (CODES[KongConcealed], who, tile, 0, 0, 0))

    def _discarded(self, event: Discarded, seat: int) -> None:
        mark = event.as_drawn + 2 * event.declares
        self._put(seat, (CODES[Discarded], 1 + (event.seat - seat & 3), event.tile + 1, 0, 0, mark))

    def _claimed(self, event: ChowClaimed | PungClaimed | KongClaimed, seat: int) -> None:
        low = event.low + 1 if isinstance(event, ChowClaimed) else 0
        who, giver = 1 + (event.seat - seat & 3), 1 + (event.giver - seat & 3)
        self._put(seat, (CODES[type(event)], who, event.tile + 1, low, giver, 0))

    def _won(self, event: Won, seat: int) -> None:
        who, giver = 1 + (event.seat - seat & 3), 0 if event.giver is None else 1 + (event.giver - seat & 3)
        self._put(seat, (CODES[Won], who, 0 if event.tile is None else event.tile + 1, 0, giver, 0))

    def _of_seat(self, event: ReadyDeclared | Barred | BarLifted, seat: int) -> None:
        self._put(seat, (CODES[type(event)], 1 + (event.seat - seat & 3), 0, 0, 0, 0))

    def _exhausted(self, _: Exhausted, seat: int) -> None:
        self._put(seat, (CODES[Exhausted], 0, 0, 0, 0, 0))


_TOKENS: dict[type[Event], Callable[[TokenWriter, Any, int], None]] = {
    DiceThrown: TokenWriter._dice,
    Dealt: TokenWriter._tiles,
    HandShown: TokenWriter._tiles,
    Drawn: TokenWriter._drawn,
    ReplacementDrawn: TokenWriter._drawn,
    FlowerSetAside: TokenWriter._tile,
    KongAdded: TokenWriter._tile,
    KongConcealed: TokenWriter._concealed,
    Discarded: TokenWriter._discarded,
    ChowClaimed: TokenWriter._claimed,
    PungClaimed: TokenWriter._claimed,
    KongClaimed: TokenWriter._claimed,
    Won: TokenWriter._won,
    ReadyDeclared: TokenWriter._of_seat,
    Barred: TokenWriter._of_seat,
    BarLifted: TokenWriter._of_seat,
    Exhausted: TokenWriter._exhausted,
}
