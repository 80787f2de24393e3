"""The shapes of the desk: what is written there, and the tournament as everybody sees it."""

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
"""One line: "name" or "name,team"; what is too long in it is told by `working.entered`."""


class OpenDesk(DeskSpec):
    """Ask for a new tournament, with players at once: "name" or "name,team"."""

    who: Who
    players: list[Player] = Field(default=[], max_length=400)


class ClubDesk(Schema):
    """Go on with a club night at a desk, by these rules for tables to come; `players` are entered who are not yet."""

    who: Who
    club: ClubName
    rules: Short = DEFAULT_RULES
    house: str = Field(default="", max_length=20_000)
    length: Annotated[int, Field(ge=1, le=16)] | None = None
    players: list[Player] = Field(default=[], max_length=400)


class DrawRounds(Schema):
    """Draw the rounds still to come: all of them so that few meet again, or one by the standings (Swiss).

    `absent` are numbers of the drawn rounds (from 1) in which a player is not there.
    """

    do: Literal["draw"] = "draw"
    rounds: Annotated[int, Field(ge=1, le=30)] = 1
    by: Literal["schedule", "standings"] = "schedule"
    absent: dict[str, list[int]] = Field(default={}, max_length=400)


class BeginRound(Begin):
    """Begin the next round; with `open_tables`, a score table is opened for each of its tables of four.

    With `open_rooms` a room is, its places held for the names. With `same_walls` a secret is drawn and committed to, of
    which the walls of all tables are made.
    """

    open_tables: bool = False
    open_rooms: bool = False
    same_walls: bool = False


class DeskChange(Schema):
    """A change to a tournament whose log had `seen` entries; sent again with the same `key` it is made once."""

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
    """A table: its number, who sits at 东南西北, the score table (or room) that was opened, and all results."""

    number: int
    names: list[str | None]
    opened: str
    online: bool
    results: list[OutcomeShape]


class DeskRoundShape(Schema):
    """A round; `at` is when it began, null for one to come.

    `commitment` is to the secret that its walls are made of ("": every table builds its own); the walls are there for
    the desk from the beginning, for everybody when it is over (`/walls/NUMBER`).
    """

    number: int
    at: float | None
    over: bool
    commitment: str
    tables: list[DeskTableShape]
    resting: list[str]


class DeskPlayer(Schema):
    """Player who entered."""

    name: str
    team: str
    here: bool


class DeskClock(Schema):
    """Clock: when it was set, the seconds left then, and whether it runs; `now` is the server's time."""

    at: float
    left: float
    running: bool
    now: float


class EvennessShape(Schema):
    """Evenness of the rounds: meetings beyond the first, those that no schedule avoids, the seats' spread, rests."""

    repeats: int
    unavoidable: int
    seats: int
    rests: list[int]


class DeskView(Schema):
    """A tournament as it stands. `number` is that of the newest round that has begun.

    `zero_sum`: points of a table sum to nothing, or to less where penalties go to nobody; else there is a pool.
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
"""The shapes of the desk that the client needs."""
