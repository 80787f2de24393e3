"""Everything a room sends over its socket, as one union of types; the keys identify the message.

The client's types are generated from it. Rooms build their messages as plain data, since every move of every table
makes one; a test validates each of them against the union.
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
    """One possible action; `score` is the value of a win."""

    do: Deed
    tile: str = ABSENT
    low: str = ABSENT
    drawn: bool = ABSENT
    ready: bool = ABSENT
    score: ScoreAnswer = ABSENT


class SeatView(Schema):
    """The view of one seat; a spectator has no seat and no hand."""

    seat: Wind = ABSENT
    rules: str = ABSENT
    hand: list[str] = ABSENT
    drawn: str | None = None
    board: FrameBoard
    options: list[TableOption]


class SeatClock(Schema):
    """Seconds per move and in reserve, and how long the seat has been to act."""

    move: float
    bank: float
    used: float


class Snapshot(Schema):
    """The current table as this seat can see it; lists go by seat E S W N. `rest`: most seconds until the next hand.

    `hands`: the concealed tiles of all seats, for spectators of a table that shows them with a delay.
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
    """An event as a log writes it; `quepu.table.events` lists the kinds. `by`: who acted, if not the player."""

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

    `commitment` is for a wall that the server made alone.
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
    """The end of a hand at a table; lists by seat. `ready` is null unless every ready hand is paid.

    `great` names one of the book's greatest hands, by its fan.
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
    """A possible choice and its value, in words of the requested language."""

    text: str
    outlook: str


class AimShape(Schema):
    """A hand that can win: the tiles that must still come, the whole hand, its points and fans."""

    tiles: list[str]
    hand: str
    points: int
    fans: list[str]


class ShapeChoice(Schema):
    """A discard by shape alone: then `missing` tiles from a complete hand (1: ready), with `left` useful tiles."""

    tile: str
    missing: int
    left: int


class Hint(Schema):
    """The best current choices (`choices`), hands they lead to (`aims`) and the reason (`text`).

    Without a choice, `outlook` describes the hand and, if it is not ready, `distance` says how far it is: from a win,
    or with `preparing` from ready. `at` is the snapshot of the request. `preparing`: tables of the rulebook are being
    built; until then `shape` has discards by shape alone.
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
    """The room has changed; `you`: the receiver's index in `room.places`, null for a spectator.

    `joins`: the index of a bot that the receiver takes over after this hand.
    """

    room: RoomHead
    you: int | None = None
    joins: int = ABSENT


class HiddenMessage(Schema):
    """Message `n` of the stream, hidden from this seat."""

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


class UndoneMessage(Schema):
    """A seat took its last choice back: the hand follows again from its deal up to there."""

    n: int
    undone: Wind


class SealedMessage(Schema):
    """The inputs of the next wall are fixed; players who committed to a salt reveal it now."""

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
    """A fault was recorded or taken back."""

    n: int
    penalty: dict[str, Any]


class PersonJoined(Schema):
    """A person takes over a bot's seat from the next hand on."""

    place: int
    name: str


class JoinedMessage(Schema):
    """Between hands, a person takes over a bot's seat."""

    n: int
    joined: PersonJoined


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
    """The reason why a message has no effect."""

    refused: Bilingual


class SentPhrase(Schema):
    """A phrase, by its number, and the index in `room.places` of the player who sent it."""

    phrase: int
    place: int


class TakenMessage(Schema):
    """Another connection has taken over this seat."""

    taken: Literal[True]


class PongMessage(Schema):
    """The answer to a ping."""

    pong: Any


SocketMessage = (
    RoomMessage | HiddenMessage | EventMessage | LogMessage | UndoneMessage | SealedMessage | HandMessage
    | PaidMessage | PenaltyMessage | JoinedMessage | EndMessage | Snapshot | OverMessage | HintMessage | RefusedMessage
    | SentPhrase | TakenMessage | PongMessage
)  # fmt: skip
"""Anything a room sends."""

SOCKET: tuple[type[Schema], ...] = (
    RoomMessage, HiddenMessage, EventMessage, LogMessage, UndoneMessage, SealedMessage, HandMessage,
    PaidMessage, PenaltyMessage, JoinedMessage, EndMessage, Snapshot, OverMessage, HintMessage, RefusedMessage,
    SentPhrase, TakenMessage, PongMessage,
)  # fmt: skip
"""Each of them."""

ANY_MESSAGE: TypeAdapter[Any] = TypeAdapter(SocketMessage)
"""Reads one."""
