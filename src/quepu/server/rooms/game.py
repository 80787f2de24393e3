"""The match in a room and the hand being played: begun, dealt, settled, found again from its log. No people here."""

from __future__ import annotations

from collections.abc import Sequence

from quepu.match.log import LogWriter
from quepu.match.match import Match
from quepu.match.reader import read_log
from quepu.match.settle import settle
from quepu.rulebook import Rulebook
from quepu.server.room_messages import Message, RoomSpec
from quepu.server.rooms.closing import over
from quepu.server.rooms.held import HeldTable
from quepu.server.rooms.record import Record
from quepu.table import Table, commitment, make_wall, secret_wall
from quepu.table.actions import Action


class Game:
    """A match that has begun. `table` is the hand being played, None between hands."""

    def __init__(self, book: Rulebook, spec: RoomSpec, record: Record, match: Match) -> None:
        self.book = book
        self.spec = spec
        self.record = record
        self.match = match
        self.writer: LogWriter
        self.table: Table | None = None
        self.result: Message | None = None
        """How the last hand ended, until the next is dealt."""

    @classmethod
    def begin(cls, book: Rulebook, spec: RoomSpec, record: Record, names: Sequence[str], players: list[str]) -> Game:
        """A new match; `players` are levels of bots, or "person"."""
        match = Match(book, (names[0], names[1], names[2], names[3]), spec.rounds, spec.ranked)
        made = cls(book, spec, record, match)
        made.writer = LogWriter(match, record.line, seed=spec.seed, players=players)
        return made

    @classmethod
    def resume(cls, book: Rulebook, spec: RoomSpec, record: Record, lines: Sequence[str]) -> Game:
        """The match of a log (`lines`) that was broken off anywhere, where it stands.

        Raises:
            LogError: the log cannot be trusted.
        """
        replay = read_log(lines, book, unfinished=True)
        made = cls(book, spec, record, replay.match)
        if not replay.finished:
            made.writer, made.table = LogWriter.resume(replay, record.line)
            if made.table is not None and spec.shield:
                made.table.__class__ = HeldTable  # the same data; it stops from the next discard on
        if made.table is None and replay.match.hands:
            after, ended = replay.match, replay.hands[-1].table(book)
            made.result = over(ended, after.undone(), after, after.hands[-1].settlement, record.wall)
        return made

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.match.over

    def player(self, seat: int) -> int:
        """The place that sits at a seat."""
        return self.match.place.seats[seat]

    def seat(self, place: int | None) -> int | None:
        """The seat of a place; None for nobody's, and when the match is over."""
        return None if place is None or self.match.over else self.match.place.seats.index(place)

    def deal(self) -> None:
        """Lay a wall and deal the next hand."""
        match, spec = self.match, self.spec
        number = len(match.hands) + 1
        flowers = match.rules.table.flowers if spec.flowers is None else spec.flowers
        if spec.seed is None:
            wall, salt = secret_wall(flowers)
            promise = commitment(wall, salt)
        else:
            wall, salt, promise = make_wall(spec.seed, number, flowers=flowers), "", ""
        kind = HeldTable if spec.shield else Table
        self.table = kind(self.book, wall, round=match.place.round_wind)
        self.writer.hand(number, match.place, self.table, salt=salt, commitment=promise)
        self.result = None

    def step(self, seat: int, action: Action) -> None:
        """Let a seat act.

        Raises:
            NotAllowed: the table refuses it.
        """
        assert self.table is not None  # noqa: S101  # asked by who holds a hand
        self.table.step(seat, action)
        self.writer.sync()

    @property
    def held(self) -> bool:
        """Whether the table stops for a moment after a discard."""
        return isinstance(self.table, HeldTable) and self.table.held

    def go_on(self) -> None:
        """Let a table that stopped go on."""
        if isinstance(self.table, HeldTable) and self.table.held:
            self.table.go_on()
            self.writer.sync()

    def settle(self) -> bool:
        """Settle a hand that has ended; whether there was one."""
        table, match = self.table, self.match
        if table is None or table.ending is None:
            return False
        settled = settle(table.ending, self.book, match.rules)
        self.match = played = match.played(table.ending)
        self.writer.result(settled, played.totals)
        self.result = over(table, match, played, settled, self.record.wall)
        self.table = None
        if played.over:
            self.writer.end()
        return True
