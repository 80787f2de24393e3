"""Messages of the tournament desk: its records, and the public view of a tournament."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from quepu.schema import Schema, Short
from quepu.scorekeeper.records import ClubName
from quepu.scoring.signatures import DEFAULT_RULES
from quepu.server.http.messages import Who
from quepu.tournament.desk import DeskLine, TeamLine
from quepu.tournament.desk_records import Begin, ClockSet, DeskSpec, Enter, Fine, Leave, Slip, UndoRound

Player = Annotated[str, Field(min_length=1, max_length=200)]
"""One line: "name" or "name,team"; `working.parse_players` reports names that are too long."""


class OpenDesk(DeskSpec):
    """Open a tournament, with players: "name" or "name,team"."""

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
    """Draw the rounds still to come: all at once with few repeat meetings, or one by standings (Swiss).

    `absent` lists the drawn rounds (from 1) that a player misses.
    """

    do: Literal["draw"] = "draw"
    rounds: Annotated[int, Field(ge=1, le=30)] = 1
    by: Literal["schedule", "standings"] = "schedule"
    absent: dict[str, list[int]] = Field(default={}, max_length=400)


class BeginRound(Begin):
    """Begin the next round; with `open_tables`, a score table is opened for each table of four.

    With `open_rooms`, online rooms are opened, with seats reserved by name. With `same_walls`, a secret is drawn and
    committed to, from which the walls of all tables are derived.
    """

    open_tables: bool = False
    open_rooms: bool = False
    same_walls: bool = False


class DeskChange(Schema):
    """A change to a tournament whose log had `seen` entries; repeating it with the same `key` has no effect."""

    seen: Annotated[int, Field(ge=1, le=1_000_000)]
    key: Annotated[str, Field(max_length=40)] = ""
    record: Annotated[
        Enter | Leave | DrawRounds | BeginRound | UndoRound | Slip | Fine | ClockSet, Field(discriminator="do")
    ]


class OutcomeShape(Schema):
    """Final points of a table by seat, and when they were written."""

    points: list[int | None]
    hands: int
    at: float
    note: str


class DeskTableShape(Schema):
    """A table: its number, the players at 东南西北, its score table or room, and all results."""

    number: int
    names: list[str | None]
    opened: str
    online: bool
    results: list[OutcomeShape]


class DeskRoundShape(Schema):
    """A round; `at` is when it began, null for a future one.

    `commitment` is to the secret of its walls ("": every table builds its own); the desk can read the walls from the
    beginning, anyone once the round is over (`/walls/NUMBER`).
    """

    number: int
    at: float | None
    over: bool
    commitment: str
    tables: list[DeskTableShape]
    resting: list[str]


class DeskPlayer(Schema):
    """A player of the tournament."""

    name: str
    team: str
    here: bool


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
    """A tournament's state. `number` is that of the newest round that has begun.

    `zero_sum`: points of a table sum to 0, or to less if penalties are paid to no player; otherwise there is a pool.
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
    fines: list[Fine]
    clock: DeskClock | None
    evenness: EvennessShape
    zero_sum: bool


class DeskHead(Schema):
    """A tournament in a list."""

    id: str
    title: str
    updated: float


DESKS: tuple[type[Schema], ...] = (OpenDesk, ClubDesk, DeskChange, DeskView, DeskHead)
"""The types of the desk that the client needs."""
