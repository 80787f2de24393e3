"""Messages about replays: a list, a match with its hands, every frame of a hand."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from quepu.server.http.messages import ABSENT, Bilingual, BookWords, ReplayStart, Schema, Who, Wind, Writable
from quepu.server.limits import Limits
from quepu.server.payments import EndOfHand
from quepu.server.score_tables.messages import StandingShape

MOST_LOG = Limits().log
"""The most characters of an imported log."""


class NewReplay(Schema):
    """A log to be stored as a replay of `who`: quepu's own lines, or a match of another program.

    `house` are the house rules (TOML) that a log under such rules needs.
    """

    who: Who
    text: str = Field(max_length=MOST_LOG)
    title: Annotated[str, Field(max_length=80), Writable] = ""
    house: str = Field(default="", max_length=20_000)


class ReplayHead(Schema):
    """A replay in the list. `kind`: played here (room), an imported log, or a match of another program."""

    id: str
    kind: Literal["room", "log", "botzone", "tziakcha", "open_mahjong", "mjai"]
    title: str
    rules: str
    book: Bilingual
    players: list[str]
    totals: list[int]
    hands: int
    whole: bool
    played: float
    mine: bool


class ReplayList(Schema):
    """Replays, latest first; `before` asks for the next ones, null at the end."""

    replays: list[ReplayHead]
    before: float | None


class HandHead(Schema):
    """A hand of a replay. `first` is the number of its first frame in the whole match.

    `names` are those of its players, in the order of the match: a person may have taken a bot's place.
    """

    number: int
    place: Bilingual
    players: list[int]
    names: list[str]
    first: int
    frames: int
    line: int
    text: Bilingual
    gains: list[int] | None
    sealed: bool


class ReplayPage(ReplayHead):
    """A match with its hands (lists of players go by E S W N of the first hand).

    `start`: it continues another replay.
    """

    words: BookWords
    fingerprint: str
    quepu: str
    seed: str | None
    bots: list[str]
    lines: int
    start: ReplayStart | None
    hand_list: list[HandHead]
    standings: list[StandingShape]
    notes: list[Bilingual]
    lost: list[Bilingual]


class OpenMeldShape(Schema):
    """A meld on the table: its tiles as one text, which was claimed, and from whom.

    `added`: the fourth tile was added to a pung.
    """

    kind: Literal["chow", "pung", "kong", "concealed_kong"]
    tiles: str
    claimed: str | None = None
    source: Wind | None = Field(default=None, alias="from")
    added: bool = False


class WallShape(Schema):
    """The wall: stacks by side (E S W N; `each` at most); the deal began at `seat`'s `stack` (1: rightmost).

    From there, `head` tiles are gone, from the other end `tail` tiles, where `dead` more stay. If each seat has its own
    wall, only `piles` matters: the tiles left in each.
    """

    each: int
    sides: list[int]
    seat: Wind
    stack: int
    head: int
    tail: int
    dead: int
    piles: list[int] | None = None


class FrameBoard(Schema):
    """The board: everything that all four can see, by seat E S W N."""

    round: Wind
    dice: list[int]
    stacks: WallShape
    rivers: list[list[str]]
    melds: list[list[OpenMeldShape]]
    flowers: list[list[str]]
    left: int
    turn: Wind
    offer: str | None
    offerer: Wind | None
    declared: list[str]
    barred: list[bool]
    over: bool


class HeldTile(Schema):
    """A tile shown apart from a hand: just drawn, or the winning one."""

    seat: Wind
    tile: str


class OfferAnswer(Schema):
    """A seat's answer to an offer."""

    seat: Wind
    text: Bilingual


class FrameShape(Schema):
    """The whole table after one event. `hidden` is the form for other seats, if its tile is secret.

    `turn` changes when another turn begins; `waits` are, by seat, the kinds that complete the hand's shape; `at` is the
    number of the frame in the whole match.
    """

    at: int
    n: int
    turn: int
    e: str
    seat: Wind | None
    tile: str | None
    as_drawn: bool
    source: Wind | None
    text: Bilingual
    hidden: Bilingual | None
    hands: list[list[str]]
    drawn: HeldTile | None
    won: bool
    board: FrameBoard
    to_act: list[Wind]
    waits: list[list[str]]
    answers: list[OfferAnswer]
    notes: list[Bilingual]


class WallTile(Schema):
    """A tile of the wall in the order of drawing: who took it (null: not drawn), how, and in which frame."""

    tile: str
    seat: Wind | None
    how: Literal["deal", "draw", "replace"] | None
    at: int | None


class RevealedWall(Schema):
    """The wall of a finished hand, and the commitments before it.

    `commitment` is to wall, dice and `salt`; of a mixed wall to `secret`, with the players' `commitments` and `salts`.
    """

    hand: int
    wall: str
    dice: list[int]
    commitment: str = ABSENT
    salt: str = ABSENT
    secret: str = ABSENT
    commitments: list[str] = ABSENT
    salts: list[str] = ABSENT


class HandEnd(EndOfHand):
    """The end of a hand in a replay: the winning tile, and the totals after it."""

    winning: str | None
    totals: list[int]


class HandFilm(Schema):
    """Every frame of one hand. `names` go by seat; `bots` describe the players in the order of the match."""

    number: int
    place: Bilingual
    names: list[str]
    players: list[int]
    bots: list[str]
    before: list[int]
    frames: list[FrameShape]
    wall: list[WallTile]
    opening: Bilingual
    reveal: RevealedWall
    end: HandEnd | None


REPLAYS: tuple[type[Schema], ...] = (NewReplay, ReplayList, ReplayPage, HandFilm)
