"""The log of a match on disk: JSON lines, each with a short hash chained to the line before.

    {"log": 3, "quepu": "0.1.0", "rules": "lingque-29", "revision": 1, "fingerprint": "…", "players": [...], …, "h": …}
    {"sealed": 1, "secret": "…", "commitment": "…", "commitments": ["…", "", …], "h": …}   before the deal
    {"hand": 1, "place": [1, 0, 0, [0, 1, 2, 3]], "wall": "…", "dice": [2, 4, 1, 5], "salts": ["…", "", …], "h": …}
    {"n": 7, "e": "discard", "seat": "E", "tile": "5m", "h": …}       an event, numbered within its hand
    {"a": {"do": "pass"}, "seat": "S", "h": …}       an answer to an offer: not numbered, so not countable
    {"fault": "冲和", "player": 2, "paid": [...], …, "h": …}   a penalty; {"revoke": 3} takes back the fourth entry
    {"void": 1, "h": …}        dealt again; with "undo": "E", the same wall and steps up to a choice of that seat
    {"result": [[0, 1, 45, "自摸 30 点：3p/2", …]], "totals": [...], "won": {"seat": "S", "points": 30, …}, "h": …}
                                       further winners of the same tile follow in "also": [{"seat": …}, …]
    {"joined": 2, "name": "…", "h": …}   between hands: a person plays from here on in the place of a bot
    {"end": 812, "h": …}                                                   the number of lines before

Where each seat has its own wall, the header has `"walls": "own"`, and a wall is East's tiles as East draws them, then
South's, West's and North's.

An edited, reordered or truncated log is refused with the number of its line. It has the events and the payments,
so it outlives its rules. Hands are also replayed; if today's program gives another
result, that is a `LogProblem`: a verdict on the log, but not a reason to refuse it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from quepu.errors import Error, Text, many
from quepu.match.formats import FORMAT, JOINS, OWN_WALLS, Joined
from quepu.match.log_lines import LogProblem, Step, action_text, dump, event_text, text_cache
from quepu.match.match import Match
from quepu.match.penalties import Penalty
from quepu.match.seats import ORIGIN, RoundPosition
from quepu.match.settle import Settlement
from quepu.match.steps import follow
from quepu.rules.play_rules import Ending, Payment, SeatWin, TableRules
from quepu.rules.rulebook import Rulebook
from quepu.table.events import Event
from quepu.table.mixed_wall import Sealed
from quepu.table.play import Table
from quepu.table.wall import Wall, WallPlan
from quepu.tiles import WINDS
from quepu.version import __version__

_REMARKS_MOST = 8


class LogError(Error):
    """A log that cannot be trusted or read; `line` is the line number (1 is the header)."""

    def __init__(self, line: int, zh: str, en: str) -> None:
        super().__init__(f"第 {line} 行：{zh}", f"line {line}: {en}", at=line)
        self.line = line


class NotALog(LogError):
    """The first line is not one of a quepu log."""


def chain_hash(previous: int, text: str) -> int:
    """Return the hash of a line's text (without its own hash) chained to the line before: a running CRC.

    It locates the line where a log was damaged; whether a log is truthful is verified by replaying it.
    """
    return zlib.crc32(text.encode(), previous)


def _flow(payment: Payment) -> list[Any]:
    payer, payee, points, why = payment
    return [payer, payee, points, *why]


def read_flow(data: Any) -> Payment:
    """Read a payment as a log writes it."""
    payer, payee, points, zh, en = data
    return Payment(int(payer), int(payee), int(points), Text(str(zh), str(en)))


def _encode_win(win: SeatWin) -> dict[str, Any]:
    data: dict[str, Any] = {"seat": WINDS[win.seat], "points": win.points}
    if win.score is not None:
        data["fans"] = [[fan.name, fan.count] for fan in win.score.fans]
    return data


class LogWriter:
    """Writes a match as it is played. `write` is called with each finished line (without its newline).

    Examples:
        >>> import quepu
        >>> lines: list[str] = []
        >>> _ = LogWriter(quepu.Match(quepu.book("guobiao")), lines.append)
        >>> lines[0][:8]
        '{"log":3'
    """

    def __init__(
        self, match: Match, write: Callable[[str], Any], *, seed: int | str | None = None, players: Iterable[str] = (),
        options: Mapping[str, Any] | None = None, own_walls: bool = False, joins: bool = False,
    ) -> None:  # fmt: skip
        """Write the header. `players` describe the players (a bot's name), if they differ from the match's names.

        With `joins`, a person may take the place of a bot between hands (`join`).
        """
        self._write = write
        self.own_walls = own_walls
        """Whether each seat draws from its own wall."""
        self.format = JOINS if joins else OWN_WALLS if own_walls else FORMAT
        self._last = 0
        self._table: Table | None = None
        self._events = self._answers = 0
        self.lines: int = 0
        book = match.book
        header: dict[str, Any] = {
            "log": self.format,
            "quepu": __version__,
            "rules": book.id.partition("@")[0],
            "revision": book.revision,
            "fingerprint": book.fingerprint,
            "title": list(book.title),
            "players": list(match.names),
            "rounds": match.rounds or match.rules.match.rounds,
            "ranked": match.ranked,
        }
        if match.first != ORIGIN:
            first = match.first
            header["begin"] = [first.round, first.dealership, first.repeat, list(first.start)]
        if book.chosen:
            header["chosen"] = dict(book.chosen)
        if own_walls:
            header["walls"] = "own"
        if joins:
            header["joins"] = True
        if seed is not None:
            header["seed"] = seed
        if bots := list(players):
            header["bots"] = bots
        if options:
            header["options"] = dict(options)
        self.put(header)

    @classmethod
    def resume(cls, replay: Replay, write: Callable[[str], Any]) -> tuple[LogWriter, Table | None]:
        """Resume a log that broke off; return the writer, and the table of the unfinished hand, if any.

        Events of the table that are missing in the log are written first. A hand that the book does not allow to be
        replayed is written off and dealt again.
        """
        made = cls.__new__(cls)
        made._write, made._last, made.lines = write, replay.last_hash, replay.lines
        made.format, made.own_walls = replay.header["log"], replay.header.get("walls") == "own"
        try:
            table = made._table = replay.unfinished
        except Error:  # today's program does not allow it to be played that way: it is dealt again
            made._table = None
            made.put({"void": replay.hands[-1].number})
            return made, None
        if table is not None:
            made._events, made._answers = len(replay.hands[-1].events), len(table.answers)
            made.sync()
        return made, table

    def put(self, data: Mapping[str, Any]) -> None:
        """Write one line."""
        self._line(dump(data)[:-1])

    def _line(self, text: str) -> None:
        self._last = chain_hash(self._last, text)
        self._write(f'{text},"h":{self._last}}}')
        self.lines += 1

    def seal(self, sealed: Sealed) -> None:
        """Write everything that is fixed before a deal (a log shown before the end leaves out the secret)."""
        whole = {"sealed": sealed.number, "secret": sealed.secret, "commitment": sealed.commitment}
        self.put({**whole, "commitments": list(sealed.commitments)})

    def hand(
        self, number: int, place: RoundPosition, table: Table, *, salt: str = "", commitment: str = "",
        salts: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """Begin a hand: its place and its wall (a log shown before the end leaves out wall and salt).

        `salts` are the players', of a wall that was `sealed` before.
        """
        wall = table.wall
        if wall.own is not self.own_walls:
            raise ValueError("the header says whether each seat has its own wall")
        a, b, c, d = place.start
        text = f'{{"hand":{number},"place":[{place.round},{place.dealership},{place.repeat},[{a},{b},{c},{d}]]'
        a, b, c, d = wall.dice
        text += f',"wall":"{wall.text()}","dice":[{a},{b},{c},{d}]'
        if commitment:
            text += f',"commitment":{dump(commitment)},"salt":{dump(salt)}'
        if salts:
            text += f',"salts":{dump(list(salts))}'
        self._table, self._events, self._answers = table, 0, 0
        self._line(text)
        self.sync()

    def sync(self, by: str = "") -> None:
        """Write everything that has happened at the table since the last call.

        `by` tells who acted for the seat of the first event (see `log_lines.ACTED_FOR`), if it was not its own player.
        """
        table = self._table
        if table is None:
            return
        if by:
            self._write_action(table, by)
        events, answers, total = table.events_from(self._events), table.answers, table.event_count
        # the hot loop of writing: `_line` inlined
        texts, crc32, write, last = text_cache(), zlib.crc32, self._write, self._last
        n, answered, before = self._events, self._answers, self._events + self._answers
        first = n
        while answered < len(answers) or n < total:
            until = answers[answered][0] if answered < len(answers) else total
            for event in events[n - first : until - first]:
                line = f'{{"n":{n},{texts.get(id(event)) or event_text(event)}'
                last = crc32(line.encode(), last)
                write(f'{line},"h":{last}}}')
                n += 1
            if answered < len(answers):
                _, seat, action = answers[answered]
                text = texts.get(id(action)) or action_text(action._replace(score=None))
                line = f'{{"a":{text},"seat":"{WINDS[seat]}"'
                last = crc32(line.encode(), last)
                write(f'{line},"h":{last}}}')
                answered += 1
        self.lines += n + answered - before
        self._events, self._answers, self._last = n, answered, last

    def _write_action(self, table: Table, by: str) -> None:
        """Write the next answer or event, made for its seat by the clock or a bot."""
        if self._answers < len(table.answers) and table.answers[self._answers][0] == self._events:
            _, seat, action = table.answers[self._answers]
            self._line(f'{{"a":{action_text(action._replace(score=None))},"seat":"{WINDS[seat]}","by":"{by}"')
            self._answers += 1
        elif new := table.events_from(self._events):
            self._line(f'{{"n":{self._events},{event_text(new[0])},"by":"{by}"')
            self._events += 1

    def penalty(self, penalty: Penalty, paid: Iterable[Payment] = ()) -> None:
        """Write a fault and its payments."""
        data: dict[str, Any] = {"fault": penalty.fault, "player": penalty.player}
        if penalty.points is not None:
            data["points"] = penalty.points
        if penalty.remedied:
            data["remedied"] = True
        if penalty.note:
            data["note"] = penalty.note
        if penalty.receiver is not None:
            data["receiver"] = penalty.receiver
        if flows := [_flow(payment) for payment in paid]:
            data["paid"] = flows
        self.sync()
        self.put(data)

    def revoke(self, index: int) -> None:
        """Write that the penalty at `Match.entries[index]` was taken back."""
        self.sync()
        self.put({"revoke": index})

    def result(self, settlement: Settlement, totals: Iterable[int], ending: Ending | None = None) -> None:
        """Write how the hand was settled, and how much a win was worth."""
        self.sync()
        data: dict[str, Any] = {"result": [_flow(payment) for payment in settlement.payments], "totals": list(totals)}
        if ending is not None and ending.winners:
            data["won"], *also = map(_encode_win, ending.winners)
            if also:
                data["also"] = also
        self.put(data)
        self._table = None

    def join(self, player: int, name: str) -> None:
        """Write that a person plays from the next hand on in the place of a bot."""
        if self.format != JOINS:
            raise ValueError("the header says whether persons may join")
        self.put({"joined": player, "name": name})

    def end(self) -> None:
        """Write the last line."""
        self.put({"end": self.lines})


@dataclass
class PlayedHand:
    """A hand of a log: its wall and every step. `table(n)` is the table after the first n steps.

    `commitment` was published before the deal: to wall and `salt`, or, of a mixed wall, to the secret of `sealed`,
    with the players' `salts` ("": none).

    `ending` and `payments` are how it was settled when it was played (`fans`: those counted for each winner, as far as
    the log names them).
    `problem`: from there on it cannot be replayed and is known by its events alone.
    """

    number: int
    place: RoundPosition
    wall: Wall
    line: int
    salt: str = ""
    commitment: str = ""
    sealed: Sealed | None = None
    salts: tuple[str, ...] = ()
    steps: list[Step] = field(default_factory=list)
    ending: Ending | None = None
    payments: tuple[Payment, ...] = ()
    fans: tuple[tuple[tuple[str, int], ...], ...] = ()
    problem: LogProblem | None = None
    names: tuple[str, ...] = ()
    """The players of this hand, in the order of the header."""
    bots: tuple[str, ...] = ()
    """Descriptions of these players, as in the header (a bot's level, or "person"); empty if it has none."""

    def __repr__(self) -> str:
        winners = "" if self.ending is None else "".join(WINDS[seat] for seat in self.ending.seats)
        how = "unfinished" if self.ending is None else f"won by {winners}" if winners else "drawn"
        return f"PlayedHand({self.number}: {self.place.name}, {how}, {many(len(self.steps), 'step')})"

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the hand."""
        return tuple(step.event for step in self.steps if step.event is not None)

    def plan(self, rules: TableRules) -> WallPlan:
        """Return the plan of its wall under a book's table rules."""
        return WallPlan.of(rules, len(self.wall.tiles), self.wall.own)

    def table(self, book: Rulebook, steps: int | None = None) -> Table:
        """Return the table after the first `steps` steps (all of them if None), replayed.

        Raises:
            NotAllowed: the book does not allow one of the steps.
        """
        table = Table(book, self.wall, round=self.place.round_wind)
        for step in self.steps[:steps]:
            follow(table, step)
        return table


@dataclass
class Replay:
    """A log that was read: the match so far, and each hand with its steps.

        >>> from quepu.arena import match
        >>> played = match("guobiao", ["plain"] * 4, seed=1, rounds=1, log="match.jsonl")
        >>> from quepu.match import read_log
        >>> read_log("match.jsonl")
        Replay('guobiao': plain 1, plain 2, plain 3, plain 4, 4 hands)

    `book` is the one of its time (see `quepu.match.edition`); `notes` list how it differs today, `problems` where a
    replay disagrees with the log.
    """

    header: Mapping[str, Any]
    book: Rulebook
    match: Match
    hands: list[PlayedHand]
    finished: bool
    last_hash: int
    lines: int
    same_rules: bool = True
    notes: tuple[Text, ...] = ()
    problems: tuple[LogProblem, ...] = ()
    sealed: Sealed | None = None
    """What was fixed for a hand that had not been dealt when the log broke off."""
    undone: int = 0
    """How many moves were taken back (`{"void": 1, "undo": "E"}`)."""
    joined: tuple[Joined, ...] = ()
    """The persons who took the place of a bot during the match."""

    def __repr__(self) -> str:
        names = ", ".join(self.match.names)
        hands = many(len(self.hands), "hand") + ("" if self.finished else ", unfinished")
        return f"Replay({self.book.id!r}: {names}, {hands})"

    @property
    def remarks(self) -> tuple[Text, ...]:
        """Remarks for a reader: how the rules have changed since, and where a replay disagrees."""
        found = [Text(f"第 {line} 行：{text.zh}", f"line {line}: {text.en}") for line, text in self.problems]
        more = len(found) - _REMARKS_MOST
        if more > 0:
            found = [*found[:_REMARKS_MOST], Text(f"还有 {more} 处。", f"there are {more} more.")]
        return (*self.notes, *found)

    @property
    def unfinished(self) -> Table | None:
        """The table of an unfinished hand, ready to be continued; None if the last hand was settled.

        Raises:
            LogError: it cannot be continued, because the book does not allow one of its steps.
        """
        if not self.hands or self.hands[-1].ending is not None:
            return None
        hand = self.hands[-1]
        if hand.problem is not None:
            raise LogError(hand.problem.line, *hand.problem.text)
        return hand.table(self.book)
