"""The shapes of the scorekeeper: records of a physical table, and what follows from them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from quepu.server.messages import Said, Shape, Short, Who, Wind, Writable
from quepu.server.pay_messages import Giver, PaymentShape

Player = Annotated[int, Field(ge=0, le=3)]
Name = Annotated[str, Field(min_length=1, max_length=24), Writable]
Points = Annotated[int, Field(ge=0, le=1_000_000)]
Note = Annotated[str, Field(max_length=300)]
Line = Annotated[str, Field(max_length=120)]
ClubName = Annotated[str, Field(min_length=1, max_length=60), Writable]


class TableSpec(Shape):
    """A table as it is opened. `rounds` of null is the book's own number; `ranked` asks for the book's extra rounds."""

    title: Annotated[str, Field(max_length=80), Writable] = ""
    rules: Short = "lingque-29"
    house: str = Field(default="", max_length=20_000)
    names: list[Name] = Field(min_length=4, max_length=4)
    rounds: Annotated[int, Field(ge=1, le=16)] | None = None
    ranked: bool = False
    club: ClubName | None = None
    club_round: Annotated[int, Field(ge=1, le=1000)] = 1


class WonHand(Shape):
    """The tiles of a win, instead of its points: melds with their givers, circumstances, flowers."""

    hand: str = Field(max_length=400)
    circumstances: list[Short] = Field(default=[], max_length=40)
    flowers: Annotated[list[Short], Field(max_length=40)] | int = Field(default=[])
    givers: list[Giver | None] = Field(default=[], max_length=4)


class HandRecord(Shape):
    """How a hand ended; players are numbered 0-3 as in `names`.

    A win has `points` (without flowers, which are counted in `flowers`) or `tiles`. `supplied` is how many tiles each
    player gave the winner, `ready` what each other hand is worth (null: not ready), `ready_hands` their tiles. Or the
    whole hand is `told` in lines of `quepu.table.facts`: all else then follows from them.
    """

    kind: Literal["hand"] = "hand"
    winner: Player | None = None
    points: Points | None = None
    flowers: Annotated[int, Field(ge=0, le=8)] = 0
    self_draw: bool = False
    discarder: Player | None = None
    robbed: bool = False
    supplied: list[Annotated[int, Field(ge=0, le=5)]] = Field(default=[0, 0, 0, 0], min_length=4, max_length=4)
    kong_feeder: Player | None = None
    ready: list[Points | None] = Field(default=[None, None, None, None], min_length=4, max_length=4)
    ready_hands: list[Annotated[str, Field(max_length=400)] | None] = Field(
        default=[None, None, None, None], min_length=4, max_length=4
    )
    tiles: WonHand | None = None
    told: list[Line] = Field(default=[], max_length=500)
    note: Note = ""


class PenaltyRecord(Shape):
    """A fault of a player; `points` instead of the book's number where the table agreed so."""

    kind: Literal["penalty"] = "penalty"
    player: Player
    fault: Short
    points: Points | None = None
    remedied: bool = False
    revoked: bool = False
    note: Note = ""


class ReseatRecord(Shape):
    """Seats drawn anew before a round: the players that begin it at East, South, West, North."""

    kind: Literal["reseat"] = "reseat"
    start: list[Player] = Field(min_length=4, max_length=4)


Record = Annotated[HandRecord | PenaltyRecord | ReseatRecord, Field(discriminator="kind")]


class OpenTable(TableSpec):
    """Ask for a new table."""

    who: Who


class Change(Shape):
    """A change to a table that had `seen` entries: a new record, a correction of record `at`, or its removal.

    `undo` takes back the last change of any sort.
    """

    seen: Annotated[int, Field(ge=1, le=1_000_000)]
    do: Literal["add", "correct", "remove", "undo"]
    at: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    record: Record | None = None


class Trial(Shape):
    """What would follow from a record, in the place of record `at` or after the last."""

    record: Record
    at: Annotated[int, Field(ge=0, le=1_000_000)] | None = None


class PlaceShape(Shape):
    """Where a hand stands: round, dealership, how often the dealer has stayed, and the players at E S W N."""

    name: Said
    round: int
    dealership: int
    repeat: int
    round_wind: Wind
    seats: list[int]


class RowShape(Shape):
    """A record told: what happened, who pays whom, what each player gained, and the totals after it."""

    at: int
    kind: Literal["hand", "penalty", "reseat"]
    place: PlaceShape
    text: Said
    how: Said | None
    payments: list[PaymentShape]
    gains: list[int]
    totals: list[int]
    pool: int
    record: Record


class StandingShape(Shape):
    """A line of the standings."""

    rank: int
    player: int
    name: str
    total: int


class FaultShape(Shape):
    """A fault that the book knows."""

    key: str
    text: Said
    points: int
    to: Literal["pool", "others"]
    barred: bool
    remedies: list[Said]


class Asks(Shape):
    """What this book's settlement depends on, so that nothing else is asked."""

    supplied: bool
    kong_feeder: bool
    ready: bool
    robbed: bool
    flower_value: int
    minimum: int
    zero_sum: bool


class TableView(Shape):
    """A table with everything that follows from its records. `usual` are likely points of the next win."""

    id: str
    length: int
    title: str
    created: float
    updated: float
    spec: TableSpec
    book: Said
    unit: Said
    rows: list[RowShape]
    totals: list[int]
    pool: int
    standings: list[StandingShape]
    place: PlaceShape
    over: bool
    news: list[Said]
    faults: list[FaultShape]
    notes: list[Said]
    asks: Asks
    usual: list[int]
    can_undo: bool


class TrialAnswer(Shape):
    """What a record would lead to."""

    row: RowShape
    news: list[Said]
    totals: list[int]


class TableHead(Shape):
    """A table in a list."""

    id: str
    title: str
    rules: str
    names: list[str]
    totals: list[int]
    hands: int
    over: bool
    place: Said
    updated: float


class ClubRound(Shape):
    """One round of a club night."""

    number: int
    tables: list[TableHead]


class ClubLine(Shape):
    """A player of a club night: rank, points over all tables, and the reduced score where it is asked for."""

    rank: int
    name: str
    total: int
    reduced: float
    tables: int
    hands: int


class ClubView(Shape):
    """A club night: its rounds and the standings over all of them."""

    name: str
    rounds: list[ClubRound]
    standings: list[ClubLine]
    by: Literal["total", "reduced"]
    alpha: float
    scale: float


class NextRound(Shape):
    """Ask for the tables of the next round: drawn so that few meet again, or by the standings."""

    who: Who
    names: list[Name] = Field(min_length=4, max_length=256)
    rules: Short = "lingque-29"
    house: str = Field(default="", max_length=20_000)
    rounds: Annotated[int, Field(ge=1, le=16)] | None = None
    by: Literal["draw", "standings"] = "draw"


class KeptTable(Shape):
    """A table as a file: what `export` gives and `import` takes. `telling` is a hand told in part (`quepu match`)."""

    quepu: Literal["table"]
    version: int = 1
    spec: TableSpec
    records: list[Record] = Field(max_length=2000)
    telling: list[Line] = Field(default=[], max_length=500)
    fingerprint: str | None = None
    totals: list[int] | None = None


class ImportTable(Shape):
    """A file to be opened as a table of `who`."""

    who: Who
    table: KeptTable


TABLES: tuple[type[Shape], ...] = (
    OpenTable, Change, Trial, TableView, TrialAnswer, TableHead, KeptTable, ImportTable,
    ClubView, NextRound,
)  # fmt: skip
"""The shapes of the scorekeeper that the client needs."""
