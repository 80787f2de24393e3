"""Messages about a club's seasons: attendance, records, leagues, fees."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from quepu.schema import PlayerId, Schema, Short, Writable
from quepu.scorekeeper.records import ClubName, Name
from quepu.scorekeeper.roster import Key, Note
from quepu.server.http.messages import Who
from quepu.server.players.messages import PlayedBook, PlayerLine

Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]
OpenDay = Day | Annotated[str, StringConstraints(max_length=0)]
"""A day, or "" for no limit."""
Title = Annotated[str, Field(min_length=1, max_length=60), Writable]


class AttendedLine(Schema):
    """A player's attendance: days, and tables of all rulebooks; the first and the last day."""

    id: str
    name: str
    days: int
    tables: int
    first: str
    last: str


class RecordLine(Schema):
    """A record, and the table (`at`) where it was reached.

    `kind`: win (the best), total (of a table), wins (at a table), firsts (tables won in a row), safe (hands in a row
    without dealing in, by whole tables).
    """

    kind: str
    id: str
    name: str
    value: int
    at: str
    day: str


class ClubCount(Schema):
    """A club night, "" for tables without one, and how many tables it has."""

    name: str
    tables: int


class MonthCount(Schema):
    """A month, as YYYY-MM, and how many tables it has."""

    month: str
    tables: int


class SeasonView(Schema):
    """A season: attendance over all rulebooks; ratings (`lines`) and records of one, `book`."""

    books: list[PlayedBook]
    book: str
    clubs: list[ClubCount]
    tables: int
    days: int
    hands: int
    lines: list[PlayerLine]
    attendance: list[AttendedLine]
    records: list[RecordLine]
    months: list[MonthCount]


class MergeClub(Schema):
    """Merge a club night into another one (or rename it): its rounds follow those that are there."""

    who: Who
    into: ClubName


class OpenLeague(Schema):
    """Open a league of a rulebook: players by division, the highest first; `moving` go up and down after a season.

    `offset` is how many minutes east of UTC its days are.
    """

    who: Who
    title: Title
    book: Short
    divisions: list[Annotated[list[PlayerId], Field(max_length=64)]] = Field(min_length=1, max_length=12)
    moving: Annotated[int, Field(ge=0, le=8)] = 1
    since: Day
    until: OpenDay = ""
    offset: Annotated[int, Field(ge=-840, le=840)] = 0


class NextSeason(Schema):
    """Begin a league's next season, once the last one is over."""

    who: Who
    seen: int
    since: Day
    until: OpenDay = ""


class LeagueHead(Schema):
    """A league in the list."""

    id: str
    title: str


class LeagueShape(Schema):
    """A player of a division: league points, tables, total; `moves` is 1 up, -1 down."""

    rank: int
    id: str
    name: str
    tables: int
    points: float
    total: int
    moves: int


class LeagueSeason(Schema):
    """A season of a league: its days and the standings of its divisions."""

    since: str
    until: str
    divisions: list[list[LeagueShape]]


class LeagueView(Schema):
    """A league; its newest season comes first."""

    id: str
    length: int
    title: str
    book: PlayedBook
    moving: int
    seasons: list[LeagueSeason]


class NewFee(Schema):
    """An amount in hundredths: paid if positive, owed if negative."""

    day: Day
    name: Name
    amount: Annotated[int, Field(ge=-100_000_000, le=100_000_000)]
    note: Note = ""


class FeeChange(Schema):
    """Write an amount into the ledger, or take back the one with the key `undo`. Repeats of a `key` have no effect."""

    who: Who
    seen: int
    key: Key
    fee: NewFee | None = None
    undo: Key | None = None


class FeeLine(NewFee):
    """An amount in the ledger."""

    key: str
    undone: bool


class Balance(Schema):
    """A player's balance in hundredths."""

    name: str
    amount: int


class FeesView(Schema):
    """The ledger of fees: the latest day first."""

    length: int
    entries: list[FeeLine]
    balances: list[Balance]
    total: int


SEASONS: tuple[type[Schema], ...] = (
    SeasonView, MergeClub, OpenLeague, NextSeason, LeagueHead, LeagueView, FeeChange, FeesView,
)  # fmt: skip
"""The types of seasons that the client needs."""
