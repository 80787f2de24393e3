"""Everything a room sends over its socket, as one union of types; which keys are there says which message it is.

The client's types are generated from it. Rooms build their messages as plain data, because a message is made for every
move of every table; a test holds each one that they send against the union.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, TypeAdapter

from quepu.server.hands.messages import OutlookAnswer, ScoreAnswer
from quepu.server.http.messages import ABSENT, Bilingual, Schema, Wind
from quepu.server.payments import EndOfHand, PaymentShape
from quepu.server.replays.messages import FrameBoard, RevealedWall
from quepu.server.replays.review_messages import RatedChoice
from quepu.server.rooms.messages import RoomHead
from quepu.server.score_tables.messages import StandingShape
from quepu.table.event_json import KINDS_OF_EVENT

Deed = Literal["discard", "chow", "pung", "kong", "added", "concealed", "flower", "ready", "win", "pass"]


class TableOption(Schema):
    """One thing that may be done now; `score` is what a win comes to."""

    do: Deed
    tile: str = ABSENT
    low: str = ABSENT
    drawn: bool = ABSENT
    ready: bool = ABSENT
    score: ScoreAnswer = ABSENT


class SeatView(Schema):
    """View of one seat; a spectator has no seat and no hand."""

    seat: Wind = ABSENT
    rules: str = ABSENT
    hand: list[str] = ABSENT
    drawn: str | None = None
    board: FrameBoard
    options: list[TableOption]


class SeatClock(Schema):
    """Seconds for a move and in reserve, and for how long the seat has been to act."""

    move: float
    bank: float
    used: float


class Snapshot(Schema):
    """The table as this place may see it now; lists go by seat E S W N. `rest`: seconds until the next hand at most.

    `hands`: the concealed tiles of all seats, for spectators of a table that shows them (late).
    """

    n: int
    phase: Literal["open", "playing", "between", "over"]
    view: SeatView | None
    names: list[str] = ABSENT
    players: list[int] = ABSENT
    totals: list[int] = ABSENT
    place: Bilingual = ABSENT
    hand: int = ABSENT
    held: list[int] = ABSENT
    hands: dict[Wind, list[str]] = ABSENT
    to_act: list[Wind] = ABSENT
    clock: SeatClock = ABSENT
    rest: float = ABSENT


class TableEvent(Schema):
    """Event as a log writes it; `quepu.table.events` lists the kinds. `by`: who did it, if not the player."""

    e: str = Field(json_schema_extra={"enum": list(KINDS_OF_EVENT)})
    seat: Wind = ABSENT
    tile: str = ABSENT
    low: str = ABSENT
    giver: Wind | None = Field(default=None, alias="from")
    drawn: bool = ABSENT
    ready: bool = ABSENT
    dice: list[int] = ABSENT
    tiles: str = ABSENT
    by: Literal["clock", "bot"] = ABSENT


class WallSealed(Schema):
    """Commitments to the wall of the next hand: the server's commitment, and each player's ("": none)."""

    hand: int
    commitment: str
    commitments: list[str]


class HandBegun(Schema):
    """A hand: its number, its place in the match, its dice, and the players' salts in its wall ("": none).

    `commitment` is the promise of a wall that the server made alone.
    """

    hand: int
    place: list[int | list[int]]
    dice: list[int]
    commitment: str = ABSENT
    salts: list[str] = ABSENT


class HandPaid(Schema):
    """Payments for a hand."""

    payments: list[PaymentShape]
    totals: list[int]


class Announced(Schema):
    """A sentence about a hand at the end (报番)."""

    seat: Wind
    text: Bilingual


class HandOver(EndOfHand):
    """The end of a hand at a table; lists by seat. `ready` is null but where every ready hand is paid.

    `great` is the fan that one of the book's greatest hands is called by.
    """

    great: Bilingual | None
    place: Bilingual
    seats: list[str]
    supplied: list[int]
    ready: list[int | None] | None
    announced: list[Announced]
    hands: dict[Wind, list[str]]
    board: FrameBoard
    zero_sum: bool
    standings: list[StandingShape]
    next: Bilingual | None
    match_over: bool
    reveal: RevealedWall


class HintChoice(RatedChoice):
    """One thing that may be done, and what it is worth, in words of the language asked for."""

    text: str
    outlook: str


class AimShape(Schema):
    """A hand that may win: the tiles that must still come, the whole hand, its points and fans."""

    tiles: list[str]
    hand: str
    points: int
    fans: list[str]


class ShapeChoice(Schema):
    """A discard by shape alone: `missing` tiles from a complete hand then (1: ready), `left` tiles bring it nearer."""

    tile: str
    missing: int
    left: int


class Hint(Schema):
    """The best of what may be done now (`choices`), hands it leads to (`aims`) and the reason (`text`).

    Where there is nothing to choose, `outlook` is where the hand stands and, of one that is not ready, `distance` says
    how far it is: from a win, or with `preparing` from a hand that is ready. `at` is the snapshot it was asked at.
    `preparing`: tables of the rulebook are being built; until they are there `shape` has discards by shape alone.
    """

    at: int
    preparing: Literal[True] = ABSENT
    shape: list[ShapeChoice] = ABSENT
    outlook: OutlookAnswer = ABSENT
    distance: str = ABSENT
    choices: list[HintChoice] = ABSENT
    aims: list[AimShape] = ABSENT
    text: str = ABSENT


class RoomMessage(Schema):
    """The room has changed; `you`: the place of who receives it, null for a spectator."""

    room: RoomHead
    you: int | None = None


class HiddenMessage(Schema):
    """Message `n` of the stream, which this seat may not see."""

    n: int


class EventMessage(Schema):
    """An event, and the same in words."""

    n: int
    event: TableEvent
    text: Bilingual


class LogMessage(Schema):
    """The match begins: the header of its log."""

    n: int
    log: dict[str, Any]


class SealedMessage(Schema):
    """Seal of the next wall: what it is made of is fixed; who committed to a salt shows it now."""

    n: int
    sealed: WallSealed


class HandMessage(Schema):
    """A hand begins."""

    n: int
    hand: HandBegun


class PaidMessage(Schema):
    """A hand was paid."""

    n: int
    result: HandPaid


class PenaltyMessage(Schema):
    """A fault was noted or taken back."""

    n: int
    penalty: dict[str, Any]


class EndMessage(Schema):
    """The match is over."""

    n: int
    end: Literal[True]


class OverMessage(Schema):
    """The end of a hand."""

    over: HandOver


class HintMessage(Schema):
    """A hint."""

    hint: Hint


class RefusedMessage(Schema):
    """The reason why what was sent has no effect."""

    refused: Bilingual


class SentPhrase(Schema):
    """Phrase chosen at a place, by its number."""

    phrase: int
    place: int


class TakenMessage(Schema):
    """Another connection has taken this place over."""

    taken: Literal[True]


class PongMessage(Schema):
    """The answer to a ping."""

    pong: Any


SocketMessage = (
    RoomMessage | HiddenMessage | EventMessage | LogMessage | SealedMessage | HandMessage | PaidMessage | PenaltyMessage
    | EndMessage | Snapshot | OverMessage | HintMessage | RefusedMessage | SentPhrase | TakenMessage
    | PongMessage
)  # fmt: skip
"""Anything a room sends."""

SOCKET: tuple[type[Schema], ...] = (
    RoomMessage, HiddenMessage, EventMessage, LogMessage, SealedMessage, HandMessage, PaidMessage, PenaltyMessage,
    EndMessage, Snapshot, OverMessage, HintMessage, RefusedMessage, SentPhrase, TakenMessage, PongMessage,
)  # fmt: skip
"""The same, one by one."""

ANY_MESSAGE: TypeAdapter[Any] = TypeAdapter(SocketMessage)
"""Reads one."""
