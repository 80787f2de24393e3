"""Messages of the tournament desk: its records, and the public view of a tournament."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from quepu.schema import Schema, Short
from quepu.scorekeeper.records import ClubName
from quepu.scoring.signatures import DEFAULT_RULES
from quepu.server.http.messages import Bilingual, Who
from quepu.tournament.desk_records import (
    Amend,
    Annul,
    Begin,
    CheckIn,
    ClockSet,
    Cut,
    DeskSpec,
    Enter,
    Fine,
    Leave,
    Name,
    NewName,
    Reason,
    Ruling,
    Slip,
    Substitute,
    Swap,
    UndoRound,
)
from quepu.tournament.desk_standings import DeskLine, Extra, TeamLine

Player = Annotated[str, Field(min_length=1, max_length=200)]
"""One line: "name", "name,team" or "name,team,number"; `working.parse_players` reports names that are too long."""


class OpenDesk(DeskSpec):
    """Open a tournament, with players: "name", "name,team" or "name,team,number"."""

    who: Who
    players: list[Player] = Field(default=[], max_length=400)


class ClubDesk(Schema):
    """Continue a club night at a desk, with these rules for later tables; new `players` are entered."""

    who: Who
    club: ClubName
    rules: Short = DEFAULT_RULES
    house: str = Field(default="", max_length=20_000)
    length: Annotated[int, Field(ge=1, le=16)] | None = None
    players: list[Player] = Field(default=[], max_length=400)


class DrawRounds(Schema):
    """Draw the rounds still to come: all at once with few repeat meetings, one by standings (Swiss), or fixed groups.

    `group` is how many neighbours in the standings form a group that stays together. `absent` lists the drawn rounds
    (from 1) that a player misses.
    """

    do: Literal["draw"] = "draw"
    rounds: Annotated[int, Field(ge=1, le=30)] = 1
    by: Literal["schedule", "standings", "groups"] = "schedule"
    group: Annotated[int, Field(ge=4, le=100)] = 4
    absent: dict[str, list[int]] = Field(default={}, max_length=400)


class BeginRound(Begin):
    """Begin the next round; with `open_tables`, a score table is opened for each table of four.

    With `open_rooms`, online rooms are opened, with seats reserved by name. With `same_walls`, a secret is drawn and
    committed to, from which the walls of all tables are derived; with `own`, a wall for each seat.
    """

    open_tables: bool = False
    open_rooms: bool = False
    same_walls: bool = False


class ImportSeating(Schema):
    """Replace the rounds still to come by seating that was brought along (`quepu.tournament.seat_list`)."""

    do: Literal["import"] = "import"
    text: Annotated[str, Field(max_length=200_000)]


class NextTable(Schema):
    """Open a table of an evening without rounds, for those who have waited longest; as in `BeginRound`."""

    do: Literal["next_table"] = "next_table"
    open_tables: bool = False


class CutTo(Schema):
    """Let only the first `top` of the standings go on, with this share of their points."""

    do: Literal["cut_to"] = "cut_to"
    top: Annotated[int, Field(ge=1, le=400)]
    carry: Annotated[float, Field(ge=0, le=1)] = 1


class DeskChange(Schema):
    """A change to a tournament whose log had `seen` entries; repeating it with the same `key` has no effect.

    `do`: add a record, correct or remove the one with number `of`, or undo the latest change of any kind; `note` is
    why.
    """

    seen: Annotated[int, Field(ge=1, le=1_000_000)]
    key: Annotated[str, Field(max_length=40)] = ""
    do: Literal["add", "correct", "remove", "undo"] = "add"
    of: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    note: Reason = ""
    record: (
        Annotated[
            Enter
            | Leave
            | CheckIn
            | NewName
            | Substitute
            | Swap
            | DrawRounds
            | ImportSeating
            | BeginRound
            | NextTable
            | UndoRound
            | Annul
            | Slip
            | Fine
            | Ruling
            | CutTo
            | Cut
            | Amend
            | ClockSet,
            Field(discriminator="do"),
        ]
        | None
    ) = None


class SlipPhoto(Schema):
    """A picture of a paper slip, a JPEG of at most 180 KB as base64."""

    jpeg: Annotated[str, Field(pattern="^/9j/[A-Za-z0-9+/]*={0,2}$", max_length=240_000)]


class PhotoTaken(Schema):
    """The id of a picture, for the record of its slip."""

    photo: str


class CheckInHere(Schema):
    """A player checks in on the public page."""

    name: Name


class OutcomeShape(Schema):
    """Final points of a table by seat, and when they were written; `record` is the number of their record, if any."""

    points: list[int | None]
    hands: int
    at: float
    note: str
    standard: list[float | None] | None
    record: int | None
    photo: str


class PersonScore(Schema):
    """Score of one player at a table: points and standard points."""

    name: str
    points: int
    standard: float


class DeskTableShape(Schema):
    """A table: its number, the players at 东南西北, its score table or room, and all results.

    `scores` are what the last result is worth to everyone who played there, substitutes included.
    """

    number: int
    names: list[str | None]
    opened: str
    online: bool
    results: list[OutcomeShape]
    scores: list[PersonScore]


class DeskRoundShape(Schema):
    """A round; `at` is when it began, null for a future one.

    `commitment` is to the secret of its walls ("": every table builds its own); the desk can read the walls from the
    beginning, anyone once the round is over (`/walls/NUMBER`). `own`: each seat has its own wall (duplicate); the
    slips for their trays are at `/trays/NUMBER`.
    """

    number: int
    at: float | None
    over: bool
    annulled: bool
    commitment: str
    own: bool
    tables: list[DeskTableShape]
    resting: list[str]


class DeskPlayer(Schema):
    """A player of the tournament; `checked` tells whether they have checked in by themselves."""

    name: str
    team: str
    number: str
    here: bool
    checked: bool


class FineShape(Schema):
    """A penalty, and the number of its record."""

    name: str
    points: int
    standard: float
    round: int | None
    note: str
    record: int | None


class StageShape(Schema):
    """A cut: after how many rounds it was made, who goes on, and the share of points carried.

    `others` are players who would go on instead, since results before it were corrected.
    """

    after: int
    names: list[str]
    carry: float
    others: list[str]


class DeskClock(Schema):
    """The clock: when it was set, the seconds left then, and whether it runs; `now` is the server's time."""

    at: float
    left: float
    running: bool
    now: float


class EvennessShape(Schema):
    """Evenness of the rounds: repeat meetings, unavoidable ones, the spread of seats, rests."""

    repeats: int
    unavoidable: int
    seats: int
    rests: list[int]


class DeskView(Schema):
    """A tournament's state. `number` is that of the newest round that has begun, `undo` what undoing would take back.

    `zero_sum`: points of a table sum to 0, or to less if penalties are paid to no player; otherwise there is a pool.
    `ema_rules`: the rules under which EMA files its results; empty if it takes none.
    """

    id: str
    readonly: bool
    length: int
    created: float
    spec: DeskSpec
    players: list[DeskPlayer]
    number: int
    rounds: list[DeskRoundShape]
    standings: list[DeskLine]
    teams: list[TeamLine]
    fines: list[FineShape]
    stages: list[StageShape]
    clock: DeskClock | None
    evenness: EvennessShape
    zero_sum: bool
    ema_rules: str
    undo: Bilingual | None


class DeskHead(Schema):
    """A tournament in a list."""

    id: str
    title: str
    updated: float


class HistoryLine(Schema):
    """A line of a tournament's log. `stands`: its record counts as it is here, and can be corrected or removed.

    `undone`: it was taken back. `whole`: a draw or the start of a round, which can only be undone as the latest change.
    """

    entry: int
    at: float
    do: Literal["add", "correct", "remove"]
    number: int
    text: Bilingual
    note: str
    stands: bool
    undone: bool
    whole: bool
    kind: str
    record: Annotated[Slip | Fine | Ruling | Substitute | Enter, Field(discriminator="do")] | None


class DeskHistory(Schema):
    """Everything that was written at a desk, in order."""

    title: str
    lines: list[HistoryLine]


class GridCell(Schema):
    """A player's place and points in a round; null points: no result yet; null seat: a substitute in the middle."""

    table: int
    seat: int | None
    points: int | None
    standard: float | None


class GridRow(Schema):
    """A player's rounds, null where the player did not sit; in the order of the standings.

    The cells and `extras` add up to `total` and `standard`.
    """

    rank: int
    name: str
    cells: list[GridCell | None]
    extras: list[Extra]
    total: int | float
    standard: float


class DeskGrid(Schema):
    """Rounds by players."""

    rounds: int
    rows: list[GridRow]


class SwapShape(Schema):
    """A player with whom another could exchange seats: the change in repeat meetings and in meetings of team-mates."""

    name: str
    repeats: int
    teammates: int


DESKS: tuple[type[Schema], ...] = (
    OpenDesk, ClubDesk, DeskChange, DeskView, DeskHead, DeskHistory, DeskGrid, SwapShape, CheckInHere, SlipPhoto,
    PhotoTaken,
)  # fmt: skip
"""The types of the desk that the client needs."""
