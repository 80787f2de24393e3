"""Messages about rooms: requests of a client, and a room in the lobby."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from quepu.bots.protocol import LevelGroup
from quepu.schema import PersonName
from quepu.scoring.signatures import DEFAULT_RULES
from quepu.server.http.messages import Bilingual, BookWords, ReplayStart, Schema, Short, Wind, Writable

Seconds = Annotated[float, Field(ge=0, le=600)]
Name = PersonName


class RoomSpec(Schema):
    """A room as it is opened.

    `house` are house rules in TOML instead of the book `rules`; `rounds` of null is the book's own number; `ranked`
    adds its extra rounds; `flowers` of null is as the book says; with `own_walls` each seat draws from its own wall.
    `bots` are the levels of the four places: "" is for a person. `move` and `bank` are seconds for a move and in
    reserve for a hand (both 0: no clock); `think` is the least time a bot takes (up to a tenth more); `shield` seconds
    pass after every discard, whether or not it can be claimed; `hints` gives people hints; `listed` shows the room in
    the lobby (null: unless it has one seat for people); `coached`: a coach helps the only person, and the log says so.
    `spectators` lets others watch, `delay` seconds late, `open_hands` with all hands open if that is late enough.
    With `joins`, a person may take the place of a bot after a hand; such a match counts only for those who play all of
    it. `shuffle` draws the places when the match begins; with `show_hands` all four hands are revealed when a hand
    ends. A `seed` determines the walls, for practice and tests: anyone who knows it knows them.
    """

    title: Annotated[str, Field(max_length=80), Writable] = ""
    rules: Short = DEFAULT_RULES
    house: str = Field(default="", max_length=20_000)
    rounds: Annotated[int, Field(ge=1, le=16)] | None = 1
    ranked: bool = False
    bots: list[Short] = Field(default=["", "plain", "plain", "plain"], min_length=4, max_length=4)
    move: Seconds = 15
    bank: Seconds = 60
    think: Annotated[float, Field(ge=0, le=10)] = 0.6
    shield: Annotated[float, Field(ge=0, le=5)] = 0
    hints: bool = True
    coached: bool = False
    listed: bool | None = None
    spectators: bool = True
    delay: Seconds = 0
    flowers: bool | None = None
    own_walls: bool = False
    open_hands: bool = False
    shuffle: bool = False
    show_hands: bool = True
    joins: bool = False
    seed: Annotated[int, Field(ge=0, le=2**53)] | None = None


class PlayOn(Schema):
    """A table that continues from frame `at` of a replay: `name` sits at `seat`, bots of one `level` elsewhere.

    `redealt`: unseen tiles are dealt again at random; otherwise they are as in the log. `alone`: the match ends with
    this hand; otherwise it lasts as long as the recorded one. It has no clock.
    """

    name: Name
    at: Annotated[int, Field(ge=0, le=10**7)]
    seat: Wind
    level: Annotated[str, Field(min_length=1, max_length=40)] = "plain"
    redealt: bool = True
    alone: bool = True
    think: Annotated[float, Field(ge=0, le=10)] = 0.6


class OpenRoom(RoomSpec):
    """Open a room and sit down at its first free seat."""

    name: Name


class QuickSeat(OpenRoom):
    """Sit down with strangers: at a table with the same rules that has a free seat, or at a new one as given here.

    `fallback` is the name for tables where somebody else has `name`; `skip` are rooms where the player sits already.
    """

    fallback: Name
    skip: list[Short] = Field(default=[], max_length=100)


class Sit(Schema):
    """Sit down: at a given seat, or at the first free one; with a token, at one's own seat again."""

    name: Name
    place: Annotated[int, Field(ge=0, le=3)] | None = None


class Sat(Schema):
    """The seat taken, and the secret token that proves it."""

    room: str
    place: int
    token: str


class PlayAgain(Schema):
    """Play again with the same people after a match; `token` is a player's."""

    token: Annotated[str, Field(max_length=64)]


class GiveLink(Schema):
    """Issue another link to a lost player's seat; `token` is the requester's."""

    token: Annotated[str, Field(max_length=64)]


class RoomPlace(Schema):
    """One of the four places of a room. `member`: the name belongs to an account, which is logged in.

    `reserved`: the name for which a free place is held; in the match a bot plays there until the player comes.
    `link_by`: who issued another link to it while its owner was lost ("": not issued). `joiner`: who takes this bot's
    place after the hand.
    """

    kind: Literal["person", "bot", "free"]
    name: str
    level: str
    here: bool
    ready: bool
    member: bool
    reserved: str
    link_by: str
    joiner: str


class RoomTerms(Schema):
    """The terms agreed when a table was opened. `house`: it has house rules; `sealed`: walls are committed to.

    `coached`: a coach helps the only person. `undo`: moves may be taken back, as long as one person plays against bots.
    `joins`: a person may take a bot's place after a hand.

    `start`: it continues a replay.
    """

    rounds: int
    ranked: bool
    move: float
    bank: float
    think: float
    shield: float
    delay: float
    spectators: bool
    listed: bool
    open_hands: bool
    shuffle: bool
    flowers: bool
    own_walls: bool
    house: bool
    minimum: int
    unit: Bilingual
    words: BookWords
    sealed: bool
    show_hands: bool
    coached: bool
    undo: bool
    joins: bool
    start: ReplayStart | None


class RoomHead(Schema):
    """A room in the lobby: `free` places are empty before the match, `watching` counts current spectators.

    `joinable` are the bots' places in the match that a person may take after the hand.

    `host` is the place of the player who has sat there longest (-1: none), who can remove people, close the room
    (`closed`), and reserve places unless a desk assigned them (`held`). In the match it is the place of a connected
    player, who can give a lost player a new link. `next`: the room where the same people play again. `preparing`:
    tables of the rulebook are being built; until then its bots play by shape.
    """

    id: str
    title: str
    rules: str
    book: Bilingual
    phase: Literal["open", "playing", "between", "over"]
    hints: bool
    terms: RoomTerms
    free: int
    joinable: int
    host: int
    closed: bool
    held: bool
    next: str
    preparing: bool
    watching: int
    places: list[RoomPlace]
    hand: Bilingual | None
    updated: float


class Level(Schema):
    """A level of bot: its name, its style, and its purpose (`study`: not offered for play).

    `nickname` is its name at a table, `manner` one sentence about how it plays.
    """

    key: str
    name: Bilingual
    nickname: Bilingual
    manner: Bilingual
    text: Bilingual
    group: LevelGroup


ROOMS: tuple[type[Schema], ...] = (OpenRoom, PlayOn, QuickSeat, Sit, Sat, PlayAgain, GiveLink, RoomHead, Level)

Message = dict[str, Any]
"""A message on the socket; docs/reference/protocol.md lists them."""
