"""Records of the desk of a tournament or club night, checked as they come in."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from quepu.schema import PersonName, Schema, Short, Writable

Name = PersonName
RoundNumber = Annotated[int, Field(ge=1, le=400)]
TableNumber = Annotated[int, Field(ge=1, le=100)]
Total = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
Reason = Annotated[str, Field(max_length=200)]
StandardPoints = Annotated[float, Field(ge=-1000, le=1000)]
Key = Literal["standard", "total", "reduced", "wins", "met", "direct", "imps"]
"""The order of standings: standard points, points, reduced score, tables won, opponents' points, head-to-head, IMPs.

Head-to-head compares players whose keys before are all equal: how often each finished above the others at one table.
"""


class DeskSpec(Schema):
    """A tournament as it is opened.

    `order` ranks players, the first that differs decides. `hands` is a table's number of hands, for the reduced score
    if a score sheet gives none; `alpha` and `scale` are its α and T₀. `odd` tells how to seat players who do not fill
    tables of four. `minutes` is the length of a round. `length` is the number of rounds of winds at a table. `interim`:
    score tables count while they are played; otherwise once they are over. `club` is the club night that it continues.
    """

    title: Annotated[str, Field(min_length=1, max_length=80), Writable]
    rules: Short = "guobiao-mil-2025"
    house: str = Field(default="", max_length=20_000)
    length: Annotated[int, Field(ge=1, le=16)] | None = None
    order: list[Key] = Field(default=["total"], min_length=1, max_length=6)
    odd: Literal["rest", "three"] = "rest"
    minutes: Annotated[int, Field(ge=1, le=600)] = 90
    hands: Annotated[int, Field(ge=1, le=200)] = 16
    alpha: Annotated[float, Field(gt=0, le=1000)] = 1.0
    scale: Annotated[float, Field(gt=0, le=1_000_000)] = 480.0
    interim: bool = False
    check_in: bool = False
    """Whether players may check in on the public page."""
    club: Annotated[str, Field(max_length=60)] = ""


class Enter(Schema):
    """Enter a player from the next round on, or change a player's team or club number."""

    do: Literal["enter"] = "enter"
    name: Name
    team: Annotated[str, Field(max_length=40), Writable] = ""
    number: Annotated[str, Field(max_length=20), Writable] = ""


class CheckIn(Schema):
    """A player is in the hall, by their own word."""

    do: Literal["check_in"] = "check_in"
    name: Name


class NewName(Schema):
    """Rename a player in all rounds, those already played included."""

    do: Literal["rename"] = "rename"
    name: Name
    to: Name


class Substitute(Schema):
    """Give a player's seats to a substitute from a round on; with `carry` the points so far, too."""

    do: Literal["substitute"] = "substitute"
    name: Name
    substitute: Name
    round: RoundNumber
    carry: bool = False


class Leave(Schema):
    """Take a player out from the next round on; `back` undoes that."""

    do: Literal["leave"] = "leave"
    name: Name
    back: bool = False


class Swap(Schema):
    """Exchange the seats of two players in a round; points already entered stay with the seats."""

    do: Literal["swap"] = "swap"
    round: RoundNumber
    one: Name
    other: Name


class DrawnRound(Schema):
    """A round as drawn: names at 东南西北 of each table (null: an empty seat), and the players who sit out."""

    tables: list[list[Name | None]] = Field(max_length=100)
    resting: list[Name] = Field(default=[], max_length=400)


class Draw(Schema):
    """Replace the rounds still to come."""

    do: Literal["draw"] = "draw"
    rounds: list[DrawnRound] = Field(min_length=1, max_length=30)


class Begin(Schema):
    """Begin the next round, over unfinished tables only if `anyway`; `opened` are ids of score tables.

    They are ids of rooms where it is played `online`. `commitment` is to the secret that all its walls are made of,
    published now; "": every table builds its own. `own`: each seat has its own wall, the same at all tables
    (duplicate, `quepu.tournament.duplicate`), and hands are compared seat by seat in IMPs. `arena`: one table of an
    evening without rounds, which leaves the clock and the other tables alone.
    """

    do: Literal["begin"] = "begin"
    commitment: Annotated[str, Field(pattern="^([0-9a-f]{64})?$")] = ""
    anyway: bool = False
    opened: list[Annotated[str, Field(max_length=32)]] = Field(default=[], max_length=100)
    online: bool = False
    own: bool = False
    arena: bool = False


class UndoRound(Schema):
    """Take back the start of the newest round; its results no longer count but stay in the log."""

    do: Literal["undo_round"] = "undo_round"


class Slip(Schema):
    """The final points of a table in seat order; a second one for the same table corrects the first.

    `standard` are standard points in seat order where the referee sets them; null: they follow from the points.
    `photo` is the id of a picture of the paper slip ("": there is none).
    """

    do: Literal["slip"] = "slip"
    round: RoundNumber
    table: TableNumber
    points: list[Total | None] = Field(min_length=4, max_length=4)
    hands: Annotated[int, Field(ge=1, le=200)] | None = None
    standard: Annotated[list[StandardPoints | None], Field(min_length=4, max_length=4)] | None = None
    photo: Annotated[str, Field(pattern="^[A-Za-z0-9_-]{0,32}$")] = ""
    note: Reason = ""


class Fine(Schema):
    """A penalty outside of a table: points and standard points taken from a player; `round` is when it happened."""

    do: Literal["fine"] = "fine"
    name: Name
    points: Annotated[int, Field(ge=0, le=100_000)] = 0
    standard: Annotated[float, Field(ge=0, le=1000)] = 0.0
    round: RoundNumber | None = None
    note: Reason = ""


class Ruling(Schema):
    """A line of the referee's log: a decision or a remark without points."""

    do: Literal["ruling"] = "ruling"
    text: Annotated[str, Field(min_length=1, max_length=500)]
    round: RoundNumber | None = None
    table: TableNumber | None = None


class Annul(Schema):
    """Count a round that has begun for nothing; `back` counts it again."""

    do: Literal["annul"] = "annul"
    round: RoundNumber
    back: bool = False
    note: Reason = ""


class Cut(Schema):
    """Let only the best go on; `names` are those, and `carry` is the share of the points that they keep."""

    do: Literal["cut"] = "cut"
    names: list[Name] = Field(min_length=1, max_length=400)
    carry: Annotated[float, Field(ge=0, le=1)] = 1


class Amend(Schema):
    """Change the tournament itself; null leaves a value as it is. Rounds that have begun keep their score tables."""

    do: Literal["amend"] = "amend"
    title: Annotated[str, Field(min_length=1, max_length=80), Writable] | None = None
    rules: Short | None = None
    house: Annotated[str, Field(max_length=20_000)] | None = None
    length: Annotated[int, Field(ge=0, le=16)] | None = None
    """0: the length of the rulebook."""
    order: Annotated[list[Key], Field(min_length=1, max_length=6)] | None = None
    odd: Literal["rest", "three"] | None = None
    minutes: Annotated[int, Field(ge=1, le=600)] | None = None
    hands: Annotated[int, Field(ge=1, le=200)] | None = None
    check_in: bool | None = None


class ClockSet(Schema):
    """The clock of the round: the seconds left at the time of the entry, and whether it runs."""

    do: Literal["clock"] = "clock"
    left: Annotated[float, Field(ge=0, le=36_000)]
    running: bool


DeskRecord = Annotated[
    Enter
    | Leave
    | CheckIn
    | NewName
    | Substitute
    | Swap
    | Draw
    | Begin
    | UndoRound
    | Annul
    | Slip
    | Fine
    | Ruling
    | Cut
    | Amend
    | ClockSet,
    Field(discriminator="do"),
]
