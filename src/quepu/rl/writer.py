"""One writer of observations for any number of tables, on arrays that `quepu.rl.loops` writes.

`Observations` has the arrays of n tables, `TableWriter` follows one `Table` (n is 1). Compiled tables log their events
as words; those of a `Table` are turned into the same words here.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from quepu.fast.compiled.code_cache import CachedCode, installed, loops_text
from quepu.fast.tables import columns
from quepu.rl import action_numbers, layout, loops, shows, tokens
from quepu.rl.encodings import OF_ROW, PLAN, SCALE, Array, EncodingName, encoding_of, to_planes
from quepu.rl.loops import word_of
from quepu.rules.play_rules import TableRules
from quepu.table import Table, events
from quepu.table.actions import Action
from quepu.table.events import ChowClaimed, Dealt, DiceThrown, Discarded, Event, Exhausted, HandShown, Won
from quepu.table.wall import WallPlan, dealt_places
from quepu.tiles import EAST

_CALLED = (
    "show_counts", "show_planes", "show_tokens", "read_board", "read_tokens", "deal_board", "deal_tokens", "masks",
    "choose", "answer",
)  # fmt: skip
DEALT_AT = np.array([dealt_places(seat) for seat in range(4)], np.int64)
"""Where the tiles dealt to each seat lie in the order of drawing."""
NOWHERE: tuple[int, int, int] = (1, 0, 0)
NOTHING: tuple[int, int, int, int] = (0, 0, 0, 0)


@cache
def loops_code() -> CachedCode:
    """Return the functions of `quepu.rl.loops` and `quepu.rl.shows` as text for numba."""
    numbers = (columns, layout, action_numbers, tokens)  # constants of the text
    digest = hashlib.sha256("".join(map(inspect.getsource, numbers)).encode()).hexdigest()
    text = loops_text((loops, shows), _CALLED, lambda _: True, known="quepu.rl.loops")
    made = "".join(f"{name} = numba.njit(cache=True, _nrt=False, error_model='numpy')({name})\n" for name in _CALLED)
    return CachedCode("board", f"# {digest}\n{text}{made}")


def compile_loops() -> Any:
    """Return the functions, compiled when they are first called."""
    return loops_code().functions


@cache
def loops_there(encoding: EncodingName) -> bool:
    """Whether they were compiled on this machine before this process first asked."""
    return installed() and loops_code().compiled(f"show_{encoding}")


def _rows_seen() -> Array:
    """Return the rows that each seat sees, with others' concealed kongs open and face down: int64 [2, 4, 70]."""
    found = np.tile(np.arange(layout.ROWS), (2, 4, 1))
    for seat in range(4):
        rows = found[:, seat]
        rows[:, layout.HAND], rows[:, layout.DRAWN] = layout.HANDS + seat, layout.DRAWN_TILES + seat
        rows[:, layout.SEAT_WIND], rows[:, layout.SCALARS] = layout.WINDS + seat, layout.NUMBERS + seat
        for step in range(4):
            other = (seat + step) % 4
            for first in (
                layout.CHOWS, layout.PUNGS, layout.KONGS, layout.ADDED, layout.CONCEALED, layout.SLOTS,
                layout.FLOWERS, layout.SHOWN,
            ):  # fmt: skip
                rows[:, first + step] = first + other
            for first in (layout.RIVER, layout.MARKS):
                rows[:, first + 4 * step : first + 4 * step + 4] = range(first + 4 * other, first + 4 * other + 4)
            if step:
                rows[1, layout.CONCEALED + step], rows[1, layout.SLOTS + step] = (
                    layout.NOTHING, layout.FACE_DOWN + other,
                )  # fmt: skip
    return found


ROWS_SEEN = _rows_seen()
_PLANES = np.ascontiguousarray(OF_ROW), PLAN, SCALE


@cache
def _blank_rows(round: int) -> Array:
    """Return the rows of a table where nothing has happened, points and place left out."""
    rows = np.zeros((layout.ALL_ROWS, layout.WIDTH), np.int16)
    rows[layout.ROUND_WIND, EAST + round] = 1
    for seat in range(4):
        rows[layout.WINDS + seat, EAST + seat] = 1
        rows[layout.NUMBERS + seat, :2] = seat, round
    return rows


def _first_rows(round: int, scores: Sequence[int], place: Sequence[int]) -> Array:
    """Return the rows of a table where nothing has happened."""
    rows = _blank_rows(round).copy()
    rows[layout.NUMBERS :, layout.N_ROUND : layout.N_ROUND + 3] = place
    if any(scores):
        for seat in range(4):
            for step in range(4):
                thousands, rest = divmod(scores[(seat + step) & 3], 1000)
                rows[layout.NUMBERS + seat, layout.N_THOUSANDS + step] = thousands
                rows[layout.NUMBERS + seat, layout.N_THOUSANDS + 4 + step] = rest
    return rows


def _first_tokens(round: int, scores: Sequence[int], place: Sequence[int]) -> Array:
    """Return the tokens of a table where nothing has happened."""
    rows = np.zeros((4, tokens.MOST, tokens.FIELDS), np.uint8)
    number, dealership, repeat = place
    for seat in range(4):
        rows[seat, 0] = tokens.PLACE, seat + 1, round + 1, number & 255, dealership, repeat & 255
        for step in range(4):
            points = scores[(seat + step) & 3]
            size = min(abs(points), (1 << 24) - 1)
            rows[seat, 1 + step] = (
                tokens.POINTS, step + 1, int(points < 0), size >> 16, size >> 8 & 255, size & 255
            )  # fmt: skip
    return rows


class Observations:
    """Rows or tokens, and notes, of n tables.

    Args:
        encoding: "counts", "planes" or "tokens".
        n: how many tables.
        functions: those of `quepu.rl.shows`, compiled or not.
    """

    def __init__(self, encoding: EncodingName, n: int, functions: Any) -> None:
        self.encoding = encoding_of(encoding)
        self.of_tokens = encoding == "tokens"
        size = 4 * tokens.MOST * tokens.FIELDS if self.of_tokens else layout.ALL_ROWS * layout.WIDTH
        self.cells: Array = np.zeros((n, size), np.uint8 if self.of_tokens else np.int16)
        self.notes: Array = np.zeros((n, loops.NOTES), np.int64)
        self.functions = functions

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"functions": None}

    def begin(
        self,
        i: int,
        table: TableRules,
        plan: WallPlan,
        round: int = 0,
        scores: Sequence[int] = NOTHING,
        place: Sequence[int] = NOWHERE,
    ) -> None:
        """Begin a hand at table i, before anything has happened."""
        first = _first_tokens if self.of_tokens else _first_rows
        self.cells[i] = first(round, scores, place).reshape(-1)
        note = self.notes[i]
        note[:] = 0
        note[loops.TOKENS : loops.TOKENS + 4] = 5
        note[loops.FEEDS], note[loops.HIDDEN] = plan.feeds, table.concealed_kongs_hidden
        note[loops.LEFT] = plan.size - plan.dealt - plan.dead
        note[loops.DRAWN] = note[loops.CODE] = -1

    def write(self, i: int, word: int) -> None:
        """Write what happened at table i."""
        (loops.write_tokens if self.of_tokens else loops.write_board)(self.cells[i], self.notes[i], word)

    def show_one(self, i: int, scalars: Array, log: Array, out: Array) -> None:
        """Write the last observation of a seat at table i, whose hand is over; scalars, log: of this table."""
        self.notes[i, loops.OVER] = 1
        show, more = self.shower()
        show(scalars, log, self.cells[i : i + 1], self.notes[i : i + 1], *more, out[None])

    def show(self, scalars: Array, log: Array, out: Array) -> None:
        """Write the observation of the seat that chooses at each table (see `quepu.rl.shows.show_counts`)."""
        show, more = self.shower()
        show(scalars, log, self.cells, self.notes, *more, out)

    def shower(self) -> tuple[Any, tuple[Any, ...]]:
        """Return the function that writes this encoding, and its arguments between the notes and the result."""
        more: dict[str, tuple[Any, ...]] = {"counts": (ROWS_SEEN,), "planes": (ROWS_SEEN, _PLANES), "tokens": ()}
        name = self.encoding.name
        return getattr(self.functions, f"show_{name}"), more[name]


_MOST_WORDS = 1024


class TableWriter:
    """Write one hand of a `Table` as its four seats see it.

    `scores` are the points of the seats before the hand; `place` is the round, dealership and repeat of the match.
    """

    def __init__(
        self, encoding: EncodingName, table: Table, scores: Sequence[int] = NOTHING, place: Sequence[int] = NOWHERE
    ) -> None:
        """Write the events so far."""
        self.table = table
        self._compiled = loops_there(encoding)
        self._observations = Observations(encoding, 1, compile_loops() if self._compiled else shows)
        rules = table.rules.table
        plan = WallPlan.of(rules, len(table.wall.tiles), table.wall.own)
        self._observations.begin(0, rules, plan, table.board.round, scores, place)
        self._events = self._answers = 0
        self._note: Any
        self._shape = 1, *self._observations.encoding.shape
        if self._compiled:
            self._log = np.zeros((1, _MOST_WORDS), np.int64)
            self._scalars = np.zeros((1, columns.SCALARS), np.int64)
            self._note = memoryview(self._observations.notes.reshape(-1))  # type: ignore[arg-type]
            self._logged = memoryview(self._log.reshape(-1))  # type: ignore[arg-type]  # an array is a buffer
            self._numbers = memoryview(self._scalars.reshape(-1))  # type: ignore[arg-type]
            self._show, more = self._observations.shower()
            self._arrays = self._scalars, self._log, self._observations.cells, self._observations.notes, *more
        else:
            self._cells: Any = memoryview(self._observations.cells.reshape(-1))  # type: ignore[arg-type]
            self._note = self._observations.notes[0].tolist()
            self._write = loops.write_tokens if encoding == "tokens" else loops.write_board
        self.follow()

    def follow(self) -> None:
        """Write the new events."""
        table = self.table
        fresh = table.events_from(self._events)
        words: list[Any] = list(map(_WORDS.get, map(id, fresh)))
        if None in words:
            words = [word for event in fresh for word in words_of(event)]
        if table.answer_count > self._answers:
            words = list(self._with_answers(fresh))
            self._answers = table.answer_count
        self._events += len(fresh)
        if not self._compiled:
            cells, note, write = self._cells, self._note, self._write
            for word in words:
                write(cells, note, word)
            return
        end = self._numbers[columns.EVENTS]
        for word in words:
            if end == _MOST_WORDS:
                self._numbers[columns.EVENTS] = end
                self._read()
                end = 0
            self._logged[end] = word
            end += 1
        self._numbers[columns.EVENTS] = end

    def _with_answers(self, fresh: Sequence[Event]) -> Iterator[int]:
        """Words of events and of the answers between them."""
        at = self._events
        for n, seat, action in self.table.answers[self._answers :]:
            for event in fresh[at - self._events : n - self._events]:
                yield from words_of(event)
            at = max(at, n)
            yield _answer_word(seat, action)
        for event in fresh[at - self._events :]:
            yield from words_of(event)

    def _read(self) -> None:
        """Write all that was logged, and make room."""
        made = self._observations
        read = made.functions.read_tokens if made.of_tokens else made.functions.read_board
        read(made.cells[0], made.notes[0], self._log[0], self._numbers[columns.EVENTS])
        self._note[loops.READ] = self._numbers[columns.EVENTS] = 0

    def observe(self, seat: int, out: Array | None = None) -> Array:
        """Return the observation of a seat, in `out` if one is given."""
        table, made, note = self.table, self._observations, self._note
        if table.event_count != self._events or table.answer_count != self._answers:
            self.follow()
        tile, offerer = table.offered
        over = note[loops.OVER] = int(table.over)
        if self._compiled:
            numbers = self._numbers
            numbers[columns.WAITING] = seat + 1
            numbers[columns.OFFER_TILE] = -1 if tile is None else tile
            numbers[columns.OFFERER] = -1 if offerer is None else offerer
            shown = np.empty(self._shape, made.encoding.dtype) if out is None else out[None]
            self._show(*self._arrays, shown)
            note[loops.READ] = numbers[columns.EVENTS] = 0
            seen: Array = shown[0]
            return seen
        if made.of_tokens:
            return self._observe_tokens(seat, tile, offerer, out)
        shows.write_numbers(self._cells, note, seat, -1 if offerer is None else offerer)
        rows = ROWS_SEEN[int(note[loops.HIDDEN] and not over), seat]
        board = made.cells.reshape(layout.ALL_ROWS, layout.WIDTH)
        planes = made.encoding.name == "planes"
        counts: Array = board.take(rows, axis=0, out=None if planes else out, mode="clip")
        if tile is not None:
            counts[layout.OFFER, tile] = 1
        return to_planes(counts, out) if planes else counts

    def _observe_tokens(self, seat: int, tile: int | None, offerer: int | None, out: Array | None) -> Array:
        own = self._observations.cells.reshape(4, tokens.MOST, tokens.FIELDS)[seat]
        seen: Array = own.copy() if out is None else out
        if out is not None:
            seen[:] = own
        n = self._note[loops.TOKENS + seat]
        if offerer is not None and n < tokens.MOST:
            seen[n, :3] = tokens.OFFER, 1 + (offerer - seat & 3), 0 if tile is None else tile + 1
        return seen


def observe(table: Table, seat: int, encoding: EncodingName = "counts") -> Array:
    """Encode the view of a seat at a table; for many positions of one hand use an environment.

    Examples:
        >>> import quepu.rl
        >>> from quepu.table import make_wall
        >>> quepu.rl.observe(quepu.Table(quepu.book("guobiao"), make_wall(7)), 0, "counts").shape
        (70, 42)
    """
    return TableWriter(encoding, table).observe(seat)


# ---- words of a table's events

_CODE_OF = {kind: code for code, kind in reversed(list(enumerate(tokens.OF_LOOP)))}


def _event_words() -> dict[int, int]:
    """Return the words of events that are made once and for all, by identity."""
    codes = (
        (events.DRAW, columns.E_DRAW), (events.REPLACE, columns.E_REPLACE), (events.FLOWER, columns.E_FLOWER),
        (events.DISCARD, columns.E_DISCARD), (events.DISCARD_DRAWN, columns.E_DRAWN_DISCARD),
    )  # fmt: skip
    return {
        id(event): word_of(code, event.seat, event.tile, 0, 0) for made, code in codes for row in made for event in row
    }


_WORDS: dict[int, Any] = _event_words()


def words_of(event: Event) -> Sequence[int]:
    """Return the words of an event: one, but for several tiles one each."""
    code = _CODE_OF[type(event)]
    match event:
        case DiceThrown(dice):
            return (word_of(code, *dice),)
        case Dealt() | HandShown():
            return [word_of(code, event.seat, tile, 0, 0) for tile in event.tiles]
        case Discarded():
            return (word_of(code + event.as_drawn, event.seat, event.tile, int(event.declares), 0),)
        case Won():
            tile = columns.NO_TILE if event.tile is None else event.tile
            return (word_of(code, event.seat, tile, 0, 0 if event.giver is None else event.giver + 1),)
        case Exhausted():
            return (code,)
        case events.Claimed():
            low = event.low if isinstance(event, ChowClaimed) else 0
            return (word_of(code, event.seat, event.tile, low, event.giver),)
        case events.TileEvent():
            return (word_of(code, event.seat, event.tile, 0, 0),)
        case events.SeatEvent():
            return (word_of(code, event.seat, 0, 0, 0),)
    raise TypeError(event)


def _answer_word(seat: int, action: Action) -> int:
    tile, low = (0 if one is None else one + 1 for one in (action.tile, action.low))
    return word_of(tokens.E_ANSWER, seat, tile, low, tokens.ACTION_CODES[action.do])
