"""The match in a room and the current hand: begin, deal, settle, resume from the log. Without people."""

from __future__ import annotations

import json
import logging
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from quepu.errors import OverlayError, Text
from quepu.match.edition import edition_of
from quepu.match.formats import MIXED, Joined, seat_joined
from quepu.match.log import LogWriter
from quepu.match.log_lines import Step
from quepu.match.match import Match
from quepu.match.reader import read_log
from quepu.match.seats import ORIGIN
from quepu.match.settle import settle
from quepu.match.steps import follow, last_choice, table_steps
from quepu.rulebooks import book as find_book
from quepu.rulebooks.house_rules import book_of
from quepu.rules.play_rules import SEATS, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.server.rooms.closing import over
from quepu.server.rooms.messages import Message, RoomSpec
from quepu.server.rooms.record import RoomLog
from quepu.server.rooms.start import StartPosition
from quepu.table import Table, commitment, make_wall, secret_wall
from quepu.table.actions import Action
from quepu.table.mixed_wall import NO_SALTS, Sealed, mix_wall, seal
from quepu.tiles import WINDS

_log = logging.getLogger("quepu.server")


def book_then(rules: str, house: str, header: str | None) -> Rulebook:
    """Return the book that a room continues under: the revision in its log's first line; today's before that.

    House rules that can no longer be built leave their base book.

    Raises:
        UnknownName: the book no longer exists; the room's log can still be replayed.
    """
    try:
        book = book_of(rules, house)
    except OverlayError as error:
        base = find_book(str(tomllib.loads(house).get("base", rules)))
        _log.warning("house rules that can no longer be made: %s", error.text.en)
        title = Text(
            f"{base.title.zh}（原自定规则已无法读取）", f"{base.title.en} (its house rules cannot be read any more)"
        )
        book = base.having(title=title)
    return book if header is None else edition_of(json.loads(header), book).book


def playable(rules: str, house: str) -> Rulebook:
    """Return a book for a table, built and cached.

    Raises:
        Error: it does not exist, or its house rules are invalid.
    """
    made = book_of(rules, house)
    play_rules(made)
    return made


class Dealt(NamedTuple):
    """The inputs of the current wall: sealed with the salts of players, or promised with one salt."""

    sealed: Sealed | None = None
    salts: tuple[str, ...] = ()
    salt: str = ""
    commitment: str = ""


def played_for(steps: Sequence[Step]) -> dict[tuple[int, int], str]:
    """Return who acted for a seat, by the numbers of events and answers before it."""
    found: dict[tuple[int, int], str] = {}
    events = answers = 0
    for step in steps:
        if step.by:
            found[events, answers] = step.by
        if step.event is not None:
            events += 1
        elif step.penalty is None:
            answers += 1
    return found


class Game:
    """A match that has begun. `table` is the hand being played, None between hands."""

    def __init__(
        self, book: Rulebook, spec: RoomSpec, record: RoomLog, match: Match, start: StartPosition | None = None
    ) -> None:
        self.start = start
        self.book = book
        self.spec = spec
        self.record = record
        self.match = match
        self.writer: LogWriter
        self.table: Table | None = None
        self.sealed: Sealed | None = None
        """The commitments for the next hand, until it is dealt."""
        self.undone = 0
        """Moves taken back in this hand."""
        self._dealt: Dealt = Dealt()
        self._played_for: dict[tuple[int, int], str] = {}  # who acted for a seat, by the events and answers before it
        self.result: Message | None = None
        """The result of the last hand, until the next is dealt."""
        self.first_hands: dict[int, int] = {}
        """The first hand of each person who took a bot's place, by place."""

    @classmethod
    def begin(
        cls,
        book: Rulebook,
        spec: RoomSpec,
        record: RoomLog,
        names: Sequence[str],
        players: list[str],
        start: StartPosition | None = None,
    ) -> Game:
        """Start a new match; `players` are levels of bots, or "person". `start`: it continues a replay."""
        first = ORIGIN if start is None else start.place
        match = Match(book, (names[0], names[1], names[2], names[3]), spec.rounds, spec.ranked, first=first)
        made = cls(book, spec, record, match, start)
        options: dict[str, Any] = {} if start is None else {"start": start.shown.model_dump()}
        if spec.coached:
            options["coached"] = True
        own = spec.own_walls if start is None else start.own_walls
        made.writer = LogWriter(
            match, record.line, seed=spec.seed, players=players, options=options, own_walls=own, joins=spec.joins
        )
        return made

    @classmethod
    def resume(
        cls, book: Rulebook, spec: RoomSpec, record: RoomLog, lines: Sequence[str], start: StartPosition | None = None
    ) -> Game:
        """Resume the match of a log (`lines`) that was interrupted anywhere.

        Raises:
            LogError: the log cannot be trusted.
        """
        replay = read_log(lines, book, unfinished=True)
        for remark in replay.remarks:
            _log.warning("room %s: %s", record.id, remark.en)
        made = cls(book, spec, record, replay.match, start)
        made.first_hands = {one.player: one.hand for one in replay.joined}
        if not replay.finished:
            made.writer, made.table = LogWriter.resume(replay, record.line)
            made.sealed = replay.sealed
            if made.table is not None:
                made.table.shielded = spec.shield > 0  # the stop applies from the next discard on
            if made.table is not None:
                hand = replay.hands[-1]
                made._dealt = Dealt(hand.sealed, hand.salts, hand.salt, "" if hand.sealed else hand.commitment)
                made._played_for = played_for(hand.steps)
        settled = [hand for hand in replay.hands if hand.ending is not None]
        if made.table is None and settled and settled[-1].problem is None:
            after, ended = replay.match, settled[-1].table(book)
            made.result = over(
                ended, after.undone(), after, after.hands[-1].settlement, record.revealed, shows=spec.show_hands
            )
        return made

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.match.over

    def player(self, seat: int) -> int:
        """Return the place that sits at a seat."""
        return self.match.place.seats[seat]

    def seat(self, place: int | None) -> int | None:
        """Return the seat of a place; None if it has none, and when the match is over."""
        return None if place is None or self.match.over else self.match.place.seats.index(place)

    @property
    def _plays_on(self) -> bool:
        """Return whether the next hand is not dealt but continues from a replay."""
        return self.start is not None and not self.match.hands

    def seal(self, commitments: Sequence[str] = NO_SALTS) -> bool:
        """Fix the inputs of the next wall; return whether something new was written for it.

        A match with a seed has known walls, and one begun before mixed walls existed continues as it began.
        """
        if self.spec.seed is not None or self.writer.format < MIXED or self.sealed is not None or self._plays_on:
            return False
        number, walls = len(self.match.hands) + 1, self.record.walls
        self.sealed = Sealed(number, walls, NO_SALTS) if walls else seal(number, commitments)
        self.writer.seal(self.sealed)
        return True

    @property
    def in_last_hand(self) -> bool:
        """Whether no hand follows the current one, unless the dealer stays or the players add a round."""
        place = self.match.place
        return place.round >= (self.match.rounds or self.match.rules.match.rounds) and place.dealership == SEATS - 1

    def join(self, place: int, name: str) -> None:
        """Let a person play from the next hand on in the place of a bot."""
        first = len(self.match.hands) + 1
        self.match = seat_joined(self.match, Joined(place, name, self.match.names[place], first))
        self.first_hands[place] = first
        self.writer.join(place, name)

    def deal(self, salts: Sequence[str] = NO_SALTS) -> None:
        """Build a wall and deal the next hand. `salts` go into a sealed wall."""
        match, spec = self.match, self.spec
        number = len(match.hands) + 1
        self._played_for, self.undone = {}, 0
        tiles = match.rules.table.tiles.with_flowers(spec.flowers)
        own, salt, promise = self.writer.own_walls, "", ""
        if self._plays_on and self.start is not None:
            self.table = self.start.table()
            self.table.shielded = spec.shield > 0
            self.writer.hand(number, match.place, self.table)
            self._dealt, self.result = Dealt(), None
            return
        if self.sealed is not None:
            wall = mix_wall(number, self.sealed.secret, salts, tiles, own)
        elif spec.seed is None:
            wall, salt = secret_wall(tiles, own)
            promise = commitment(wall, salt)
        else:
            wall = make_wall(spec.seed, number, tiles, own)
        self._dealt = Dealt(self.sealed, tuple(salts) if self.sealed is not None else (), salt, promise)
        self.table = Table(self.book, wall, round=match.place.round_wind, shielded=spec.shield > 0)
        self._write_deal(self.table)
        self.result = self.sealed = None

    def step(self, seat: int, action: Action, by: str = "") -> None:
        """Let a seat act; `by` is who acts for its player (see `quepu.match.log_lines.ACTED_FOR`).

        Raises:
            NotAllowed: the table refuses the action.
        """
        assert self.table is not None  # noqa: S101  # called while a hand is played
        if by:
            self._played_for[self.table.event_count, self.table.answer_count] = by
        self.table.step(seat, action)
        self.writer.sync(by)

    def _write_deal(self, table: Table) -> None:
        _, salts, salt, promise = self._dealt
        number, place = len(self.match.hands) + 1, self.match.place
        self.writer.hand(number, place, table, salt=salt, commitment=promise, salts=salts)

    def undo(self, seat: int) -> bool:
        """Take back a seat's last choice in this hand; return False if it has made none.

        The log only grows: it declares the hand void, and repeats its deal and its steps up to that choice.
        """
        if self.table is None:
            return False
        wall, round = self.table.wall, self.match.place.round_wind
        steps = table_steps(self.table, Table(self.book, wall, round=round))
        at = last_choice(steps, seat)
        begun = self.start.table() if self._plays_on and self.start is not None else None  # those steps are not ours
        if at is None or (begun is not None and at < len(table_steps(begun, Table(self.book, wall, round=round)))):
            return False
        self.writer.put({"void": len(self.match.hands) + 1, "undo": WINDS[seat]})
        if self._dealt.sealed is not None:
            self.writer.seal(self._dealt.sealed)
        table = self.table = Table(self.book, wall, round=round)
        self._write_deal(table)
        before, self._played_for = self._played_for, {}
        for step in steps[:at]:
            position = table.event_count, table.answer_count
            if by := before.get(position, ""):
                self._played_for[position] = by
            follow(table, step)
            self.writer.sync(by)
        table.shielded = self.spec.shield > 0
        self.undone += 1
        return True

    @property
    def held(self) -> bool:
        """Whether the table pauses after a discard."""
        return self.table is not None and self.table.held

    def go_on(self) -> None:
        """Resume a paused table."""
        if self.table is not None and self.table.held:
            self.table.go_on()
            self.writer.sync()

    def settle(self) -> bool:
        """Settle a finished hand; return whether there was one."""
        table, match = self.table, self.match
        if table is None or table.ending is None:
            return False
        settled = settle(table.ending, self.book, match.rules)
        played = match.add_hand(table.ending)
        if self.start is not None and self.start.alone:
            played = replace(played, ended=True)
        self.match = played
        self.writer.result(settled, played.totals, table.ending)
        self.result = over(table, match, played, settled, self.record.revealed, shows=self.spec.show_hands)
        self.table = None
        if played.over:
            self.writer.end()
        return True
