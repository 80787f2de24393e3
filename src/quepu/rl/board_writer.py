"""The board as each seat of a table sees it, written into one array as it happens (encodings counts and planes)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from quepu.hands.hand import MeldKind
from quepu.rl.layout import (
    ADDED,
    CHOWS,
    CONCEALED,
    DRAWN,
    FLOWERS,
    HAND,
    KONGS,
    MARKS,
    N_BACK,
    N_BARRED,
    N_DECLARED,
    N_DIE,
    N_DISCARDS,
    N_LAST,
    N_LEFT,
    N_OFFERER,
    N_OVER,
    N_PASSES,
    N_ROUND,
    N_THOUSANDS,
    N_TURN,
    N_WINNER,
    OFFER,
    PUNGS,
    RIVER,
    ROUND_WIND,
    ROWS,
    SCALARS,
    SEAT_WIND,
    SHOWN,
    SLOT_WIDTH,
    SLOTS,
    WIDTH,
)
from quepu.rl.tokens import CODES
from quepu.table import Table
from quepu.table.actions import ActionKind
from quepu.table.events import (
    BarLifted,
    Barred,
    ChowClaimed,
    Claimed,
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
from quepu.table.wall import WallPlan
from quepu.tiles import EAST

Array = np.ndarray[Any, Any]

# Rows of the table's own array: those by seat stand by seat, East first; then what only its owner may see.
_NOTHING = ROWS
_HANDS, _DRAWN, _WINDS, _FACE_DOWN = ROWS + 1, ROWS + 5, ROWS + 9, ROWS + 13
_NUMBERS = ROWS + 17
_ALL = ROWS + 21
HAND_ROWS, DRAWN_ROWS, WIND_ROWS, HIDDEN_SLOT_ROWS, NUMBER_ROWS = _HANDS, _DRAWN, _WINDS, _FACE_DOWN, _NUMBERS
"""Where the hands, drawn tiles, winds, slots with concealed kongs face down and numbers of the four seats begin."""
ALL_ROWS = _ALL


def _rows_seen() -> tuple[Array, Array]:
    """The rows that each seat sees, in the order of `quepu.rl.layout`, with others' concealed kongs open or not."""
    found = []
    for hidden in (False, True):
        of_seats = []
        for seat in range(4):
            rows = list(range(ROWS))
            rows[HAND], rows[DRAWN], rows[SEAT_WIND] = _HANDS + seat, _DRAWN + seat, _WINDS + seat
            rows[SCALARS] = _NUMBERS + seat
            for step in range(4):
                other = (seat + step) % 4
                for first in (CHOWS, PUNGS, KONGS, ADDED, CONCEALED, SLOTS, FLOWERS, SHOWN):
                    rows[first + step] = first + other
                for copy in range(4):
                    for first in (RIVER, MARKS):
                        rows[first + 4 * step + copy] = first + 4 * other + copy
                if hidden and step:
                    rows[CONCEALED + step], rows[SLOTS + step] = _NOTHING, _FACE_DOWN + other
            of_seats.append(rows)
        found.append(np.array(of_seats, np.intp))
    return found[0], found[1]


_OPEN, _HIDDEN = _rows_seen()
_OPEN_ROWS, _HIDDEN_ROWS = list(_OPEN), list(_HIDDEN)
ROWS_SEEN = _OPEN_ROWS, _HIDDEN_ROWS
"""The rows of `BoardWriter` that each seat sees, with others' concealed kongs open and face down."""
MELD_ROWS = {1: CHOWS, 2: PUNGS, 3: KONGS, 4: ADDED, 5: CONCEALED}
_MELD_CODES = {MeldKind.CHOW: 1, MeldKind.PUNG: 2, MeldKind.KONG: 3, MeldKind.CONCEALED_KONG: 5}


Write = Callable[[Any, Any], None]


class BoardWriter:
    """One hand as its four seats see it, from the events that a table has had so far.

    `scores` are the points of the seats before the hand, `place` round, dealership and repeat of the match.
    """

    shape: ClassVar[tuple[int, int]] = (ROWS, WIDTH)
    write: ClassVar[dict[type[Event], Write]] = {}
    """What each event changes, a function of the writer and the event."""

    def __init__(self, table: Table, scores: Sequence[int] = (0, 0, 0, 0), place: Sequence[int] = (1, 0, 0)) -> None:
        """Write what has happened so far."""
        self.table = table
        self._rows: Array = np.zeros((_ALL, WIDTH), np.int16)
        self._cells = memoryview(self._rows.reshape(-1))  # type: ignore[arg-type]  # an array is a buffer
        self._plan = WallPlan.of(table.rules.table, len(table.wall.tiles))
        self._hidden = table.rules.table.concealed_kongs_hidden
        self._events = self._answers = 0
        self._left = self._plan.size - self._plan.dealt - self._plan.dead
        self._back = self._discards = self._flowers = 0
        self._turn, self._drawn, self._dealt = 0, -1, False
        self._discard = 0  # where the last discard stands
        self._melds: list[list[tuple[int, int]]] = [[], [], [], []]  # code and lowest tile, in order
        self._last = (0, 0, 0)  # code, seat + 1, tile + 1
        self._declared = [0] * 4
        round = table.board.round
        self._cells[ROUND_WIND * WIDTH + EAST + round] = 1
        for seat in range(4):
            self._cells[(_WINDS + seat) * WIDTH + EAST + seat] = 1
            numbers = self._rows[_NUMBERS + seat]
            numbers[:2] = seat, round
            numbers[N_ROUND : N_ROUND + 3] = place
            for step in range(4):
                numbers[N_THOUSANDS + step] = scores[(seat + step) & 3] // 1000
                numbers[N_THOUSANDS + 4 + step] = scores[(seat + step) & 3] % 1000
        self.follow()

    def follow(self) -> None:
        """Write what has happened since the last time."""
        table = self.table
        fresh, write = table.events_from(self._events), self.write
        for event in fresh:
            write[type(event)](self, event)
        self._events += len(fresh)
        answers = table.answer_count
        if answers > self._answers:
            for _, seat, action in table.answers[self._answers :]:
                self._cells[(_NUMBERS + seat) * WIDTH + N_PASSES] += action.do is ActionKind.PASS
            self._answers = answers

    def observe(self, seat: int, out: Array | None = None) -> Array:
        """Return what a seat sees now, in `counts`: int16 [70, 42], `out` if one is given."""
        tile = self._write_numbers(seat)
        rows = (_HIDDEN_ROWS if self.hides else _OPEN_ROWS)[seat]
        seen: Array = self._rows.take(rows, axis=0, out=out, mode="clip")
        if tile is not None:
            seen[OFFER, tile] = 1
        return seen

    @property
    def hides(self) -> bool:
        """Whether others' concealed kongs lie face down now."""
        return self._hidden and not self.table.over

    def _write_numbers(self, seat: int) -> int | None:
        """Renew what changes from moment to moment, for this seat; the tile on offer."""
        tile, offerer = self.table.offered
        cells, at = self._cells, (_NUMBERS + seat) * WIDTH
        code, of, last = self._last
        cells[at + N_LEFT] = self._left
        cells[at + N_BACK] = self._back
        cells[at + N_TURN] = 1 + (self._turn - seat & 3)
        cells[at + N_OFFERER] = 0 if offerer is None else 1 + (offerer - seat & 3)
        cells[at + N_LAST] = code
        cells[at + N_LAST + 1] = of and 1 + (of - 1 - seat & 3)
        cells[at + N_LAST + 2] = last
        cells[at + N_DISCARDS] = self._discards
        cells[at + N_OVER] = self.table.over
        return tile

    def _of_seat(self, column: int, seat: int, value: int) -> None:
        """A number of one seat, as each of the four sees it: in the columns from `column` on, the own first."""
        for who in range(4):
            self._cells[(_NUMBERS + who) * WIDTH + column + (seat - who & 3)] = value

    def _declare(self, seat: int, how: int) -> None:
        if self._declared[seat] != how:
            self._declared[seat] = how
            self._of_seat(N_DECLARED, seat, how)

    # ---- what each event changes

    def _dice_thrown(self, event: DiceThrown) -> None:
        for seat in range(4):
            self._rows[_NUMBERS + seat, N_DIE : N_DIE + 4] = event.dice
        self._last = (CODES[DiceThrown], 0, 0)

    def _tiles_dealt(self, event: Dealt) -> None:
        row = (_HANDS + event.seat) * WIDTH
        for kind in event.tiles:
            self._cells[row + kind] += 1
        self._last = (CODES[Dealt], event.seat + 1, 0)

    def _tile_drawn(self, event: Drawn) -> None:
        seat, tile = event.seat, event.tile
        self._left -= 1
        self._dealt = True
        self._turn, self._drawn = seat, tile
        self._cells[(_DRAWN + seat) * WIDTH + tile] = 1
        self._last = (_DRAW_CODE, seat + 1, 0)

    def _tile_replaced(self, event: ReplacementDrawn) -> None:
        seat, tile = event.seat, event.tile
        self._back += 1
        self._left -= not self._plan.feeds
        if self._dealt:
            self._turn, self._drawn = seat, tile
            self._cells[(_DRAWN + seat) * WIDTH + tile] = 1
        else:  # instead of a flower dealt
            self._cells[(_HANDS + seat) * WIDTH + tile] += 1
        self._last = (CODES[ReplacementDrawn], seat + 1, 0)

    def _put_drawn_into_hand(self, seat: int) -> None:
        if self._drawn >= 0 and seat == self._turn:
            self._cells[(_DRAWN + seat) * WIDTH + self._drawn] = 0
            self._cells[(_HANDS + seat) * WIDTH + self._drawn] += 1
            self._drawn = -1

    def _take(self, seat: int, kinds: Sequence[int]) -> None:
        self._put_drawn_into_hand(seat)
        row = (_HANDS + seat) * WIDTH
        for kind in kinds:
            self._cells[row + kind] -= 1

    def _flower(self, event: FlowerSetAside) -> None:
        seat, tile = event.seat, event.tile
        self._take(seat, (tile,))
        self._flowers += 1
        self._cells[(FLOWERS + seat) * WIDTH + tile] = self._flowers
        self._last = (CODES[FlowerSetAside], seat + 1, tile + 1)

    def _discarded(self, event: Discarded) -> None:
        seat, tile = event.seat, event.tile
        cells = self._cells
        if event.as_drawn:
            cells[(_DRAWN + seat) * WIDTH + tile] = 0
            self._drawn = -1
        else:
            self._put_drawn_into_hand(seat)
            cells[(_HANDS + seat) * WIDTH + tile] -= 1
            self._declare(seat, 0)
        self._discards += 1
        at = (RIVER + 4 * seat) * WIDTH + tile
        while cells[at]:
            at += WIDTH
        cells[at] = self._discards
        self._discard = at + (MARKS - RIVER) * WIDTH
        cells[self._discard] = event.as_drawn + 2 * event.declares
        if event.declares:
            self._declare(seat, 2)
        self._last = (_DISCARD_CODE, seat + 1, tile + 1)

    def _add_meld(self, seat: int, code: int, tile: int, claimed: int = -1, giver: int | None = None) -> None:
        """A meld in its row and in the next slot; face down, a concealed kong has no tile."""
        cells = self._cells
        cells[(MELD_ROWS[code] + seat) * WIDTH + tile] += 1
        at = SLOT_WIDTH * len(self._melds[seat])
        self._melds[seat].append((code, tile))
        source = 0 if giver is None else seat - giver & 3
        for row, shown in ((SLOTS, tile + 1), (_FACE_DOWN, 0 if code == 5 else tile + 1)):
            first = (row + seat) * WIDTH + at
            values = (code, shown, claimed + 1, source, self._discards)
            for column, value in enumerate(values):
                cells[first + column] = value
        self._declare(seat, 0)

    def _claimed(self, event: Claimed) -> None:
        seat, giver = event.seat, event.giver
        self._cells[self._discard] += 4 * (seat - giver & 3)
        self._turn = seat
        self._take(seat, event.own)
        meld = event.meld
        self._add_meld(seat, _MELD_CODES[meld.kind], meld.tiles[0], event.tile, giver)
        self._last = (CODES[type(event)], seat + 1, event.tile + 1)

    def _turn_pung(self, seat: int, tile: int, was: int, to: int) -> None:
        """A pung becomes a kong, or a robbed kong a pung again."""
        cells = self._cells
        number = self._melds[seat].index((was, tile))
        self._melds[seat][number] = (to, tile)
        cells[(MELD_ROWS[was] + seat) * WIDTH + tile] = 0
        cells[(MELD_ROWS[to] + seat) * WIDTH + tile] = 1
        for row in (SLOTS, _FACE_DOWN):
            first = (row + seat) * WIDTH + SLOT_WIDTH * number
            cells[first] = to
            cells[first + 5] = self._discards + 1

    def _kong_added(self, event: KongAdded) -> None:
        self._take(event.seat, (event.tile,))
        self._turn_pung(event.seat, event.tile, 2, 4)
        self._declare(event.seat, 0)
        self._last = (CODES[KongAdded], event.seat + 1, event.tile + 1)

    def _kong_concealed(self, event: KongConcealed) -> None:
        self._take(event.seat, (event.tile,) * 4)
        self._add_meld(event.seat, 5, event.tile)
        self._last = (CODES[KongConcealed], event.seat + 1, 0 if self._hidden else event.tile + 1)

    def _won(self, event: Won) -> None:
        seat, tile, giver = event.seat, event.tile, event.giver
        if giver is not None and tile is not None:
            code = self._last[0]
            if code == CODES[KongAdded]:
                self._turn_pung(giver, tile, 4, 2)
            elif code == CODES[KongConcealed]:  # three of its tiles stay behind
                self._cells[(CONCEALED + giver) * WIDTH + tile] -= 1
                self._cells[(_HANDS + giver) * WIDTH + tile] += 3
            elif code == _DISCARD_CODE:
                self._cells[self._discard] += 16
        for who in range(4):
            given = 0 if giver is None else 1 + (giver - who & 3)
            won = 0 if tile is None else tile + 1
            self._rows[_NUMBERS + who, N_WINNER : N_WINNER + 3] = 1 + (seat - who & 3), given, won
        self._last = (CODES[Won], seat + 1, 0 if tile is None else tile + 1)

    def _exhausted(self, _: Exhausted) -> None:
        self._last = (CODES[Exhausted], 0, 0)

    def _shown(self, event: HandShown) -> None:
        row = (SHOWN + event.seat) * WIDTH
        for kind in event.tiles:
            self._cells[row + kind] += 1

    def _ready(self, event: ReadyDeclared) -> None:
        self._declare(event.seat, 1)
        self._last = (CODES[ReadyDeclared], event.seat + 1, 0)

    def _bar(self, event: Barred | BarLifted) -> None:
        self._of_seat(N_BARRED, event.seat, int(isinstance(event, Barred)))


_DRAW_CODE, _DISCARD_CODE = CODES[Drawn], CODES[Discarded]
BoardWriter.write = {
    DiceThrown: BoardWriter._dice_thrown,
    Dealt: BoardWriter._tiles_dealt,
    Drawn: BoardWriter._tile_drawn,
    ReplacementDrawn: BoardWriter._tile_replaced,
    FlowerSetAside: BoardWriter._flower,
    Discarded: BoardWriter._discarded,
    ReadyDeclared: BoardWriter._ready,
    ChowClaimed: BoardWriter._claimed,
    PungClaimed: BoardWriter._claimed,
    KongClaimed: BoardWriter._claimed,
    KongAdded: BoardWriter._kong_added,
    KongConcealed: BoardWriter._kong_concealed,
    Won: BoardWriter._won,
    Exhausted: BoardWriter._exhausted,
    HandShown: BoardWriter._shown,
    Barred: BoardWriter._bar,
    BarLifted: BoardWriter._bar,
}
