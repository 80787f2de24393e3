"""Messages of the scorekeeper: requests about a physical table's records, and everything derived from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from quepu.schema import PlayerId, Schema, Short, Wind
from quepu.scorekeeper.records import Name, Record, TableFile, TableSpec
from quepu.scoring.signatures import DEFAULT_RULES
from quepu.server.http.messages import Bilingual, BookWords, Who
from quepu.server.payments import SettledHand


class OpenTable(TableSpec):
    """Open a table. Repeats with the same `id` have no effect."""

    who: Who
    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{12,22}$")] | None = None


class NewEntry(Schema):
    """A change to a table: a new record, one before record `at`, its correction or removal.

    `rename` sets a player's (`at`) `name`, and id (`player`) if known; `undo` takes back the last change of any kind. A
    change repeated with the same `key`, because the response was lost, has no effect.
    """

    do: Literal["add", "insert", "correct", "remove", "rename", "undo"]
    at: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    record: Record | None = None
    name: Name | None = None
    player: PlayerId | None = None
    key: Annotated[str, Field(max_length=40)] = ""


class Change(NewEntry):
    """A change to a table that had `seen` entries."""

    seen: Annotated[int, Field(ge=1, le=1_000_000)]


class CarriedTable(Schema):
    """A table opened and written on a device without a server: its whole log, in order."""

    who: Who
    spec: TableSpec
    entries: list[NewEntry] = Field(max_length=4000)


class LogLine(Schema):
    """One entry of a log: its number, when it was written (seconds since 1970), and its content."""

    n: int
    at: float
    body: dict[str, Any]


class TableLog(Schema):
    """A table's current log, for a device to continue; `mine`: the asker opened it."""

    id: str
    title: str
    created: float
    updated: float
    length: int
    mine: bool
    entries: list[LogLine]


class Trial(Schema):
    """A record to try, in place of record `at` or after the last."""

    record: Record
    at: Annotated[int, Field(ge=0, le=1_000_000)] | None = None


class PlaceShape(Schema):
    """A hand's place in the match: round, dealership, how often the dealer has stayed, and the players at E S W N."""

    name: Bilingual
    round: int
    dealership: int
    repeat: int
    round_wind: Wind
    seats: list[int]


class AnnouncementShape(Schema):
    """A seat's announcement at the end of a hand (报番)."""

    seat: Wind
    text: Bilingual


class QuestionShape(Schema):
    """A question on which payments depend: who gave melds ("givers"), or who discarded a kong's tile ("feeder")."""

    text: Bilingual
    about: Literal["givers", "feeder"]
    melds: list[int]
    tiles: list[str]


class RowShape(SettledHand):
    """A record with its effects: the events, payments, each player's gain, and the totals after it.

    `remarks` are notes on it, or why it would be refused if written now.
    """

    at: int
    kind: Literal["hand", "penalty", "reseat", "substitute", "end", "bell"]
    names: list[str]
    place: PlaceShape
    text: Bilingual
    how: Bilingual | None
    totals: list[int]
    announced: list[AnnouncementShape]
    remarks: list[Bilingual]
    record: Record


class StandingShape(Schema):
    """A line of the standings."""

    rank: int
    player: int
    name: str
    total: int


class FaultShape(Schema):
    """A fault in the book."""

    key: str
    name: Bilingual
    text: Bilingual
    points: int
    to: Literal["pool", "others", "one", "nobody"]
    again: list[int]
    price: Bilingual
    barred: bool
    remedies: list[Bilingual]


class NeededFacts(Schema):
    """Facts that this book's settlement depends on; nothing else is asked for."""

    supplied: bool
    kong_feeder: bool
    winners: int
    liable: bool
    ready: bool
    robbed: bool
    flower_value: int
    minimum: int
    zero_sum: bool
    announced: bool


class UsualShape(Schema):
    """A likely value of the next win: as announced (fan, in books whose players announce fan), and its points."""

    value: int
    points: int


class PersonShape(Schema):
    """A person's result at a table: points gained, reduced score and standard points if the table has them."""

    name: str
    total: int
    reduced: float | None
    standard: float | None


class TransferShape(Schema):
    """A payment at the end; null is the common pool, or no player (penalties)."""

    payer: str | None
    payee: str | None
    points: int


class TableView(Schema):
    """A table with everything derived from its records. `usual` are likely values of the next win.

    `names` are the players of the next hand, `people` everyone who has played, best first, `transfers` the payments if
    it ended now, and `summary` a text to be sent. `imported` lists how its source file differs from the results of its
    records under today's rules. `readonly`: the view behind a read-only link, under that link's id.
    """

    id: str
    readonly: bool
    length: int
    title: str
    created: float
    updated: float
    spec: TableSpec
    book: Bilingual
    unit: Bilingual
    words: BookWords
    rows: list[RowShape]
    names: list[str]
    totals: list[int]
    pool: int
    standings: list[StandingShape]
    people: list[PersonShape]
    transfers: list[TransferShape]
    summary: Bilingual
    place: PlaceShape
    over: bool
    news: list[Bilingual]
    faults: list[FaultShape]
    notes: list[Bilingual]
    imported: list[Bilingual]
    needs: NeededFacts
    usual: list[UsualShape]
    can_undo: bool
    barred: list[int]


class ReaderLink(Schema):
    """A read-only id of a table."""

    reader: str


class TrialAnswer(Schema):
    """The result of a trial, or the question that has to be answered first."""

    row: RowShape | None
    news: list[Bilingual]
    totals: list[int]
    question: QuestionShape | None


class TableHead(Schema):
    """A table in a list."""

    id: str
    title: str
    rules: str
    names: list[str]
    totals: list[int]
    hands: int
    over: bool
    place: Bilingual
    updated: float


class ClubRound(Schema):
    """One round of a club night."""

    number: int
    tables: list[TableHead]


class ClubConflict(Schema):
    """A round with several versions, each the ids of its tables, and what that means."""

    number: int
    text: Bilingual
    versions: list[list[str]]


class ClubLine(Schema):
    """A player of a club night: rank, points over all tables, reduced score, standard points (null: none)."""

    rank: int
    name: str
    total: int
    reduced: float
    standard: float | None
    tables: int
    hands: int


class ClubView(Schema):
    """A club night: its rounds and the standings over all of them; `desk` is the tournament that continues it."""

    name: str
    rounds: list[ClubRound]
    conflicts: list[ClubConflict]
    standings: list[ClubLine]
    by: Literal["total", "reduced", "standard"]
    alpha: float
    scale: float
    desk: str


class NextRound(Schema):
    """Ask for the tables of the next round: drawn with few repeat meetings, or by the standings.

    If tables of the round before are unfinished, it is opened only with `anyway`.
    """

    who: Who
    anyway: bool = False
    names: list[Name] = Field(min_length=4, max_length=256)
    rules: Short = DEFAULT_RULES
    house: str = Field(default="", max_length=20_000)
    rounds: Annotated[int, Field(ge=1, le=16)] | None = None
    alpha: Annotated[float, Field(gt=0, le=1000)] | None = None
    scale: Annotated[float, Field(gt=0, le=1_000_000)] | None = None
    by: Literal["draw", "standings"] = "draw"


class UndoClubRound(Schema):
    """Take back the newest round of a club night, whose tables are still empty."""

    who: Who


class ChooseVersion(Schema):
    """Say which version of a round was played, by one of its tables; null: all, the later ones as later rounds."""

    who: Who
    round: Annotated[int, Field(ge=1, le=1000)]
    table: Annotated[str, Field(max_length=32)] | None = None


class ImportTable(Schema):
    """A file to open as a table of `who`."""

    who: Who
    table: TableFile


TABLES: tuple[type[Schema], ...] = (
    OpenTable, NewEntry, Change, CarriedTable, LogLine, TableLog,
    Trial, TableView, ReaderLink, TrialAnswer, TableHead, TableFile, ImportTable,
    ClubView, NextRound,
)  # fmt: skip
"""The types of the scorekeeper that the client needs."""
