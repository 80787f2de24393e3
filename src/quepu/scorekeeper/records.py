"""Records of a physical table, checked on entry, and the file that holds them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import (
    AliasChoices,
    Field,
    PlainSerializer,
    SerializerFunctionWrapHandler,
    WithJsonSchema,
    model_serializer,
    model_validator,
)

from quepu.errors import Text
from quepu.rules.play_rules import SEATS, Ending, ReadyHand
from quepu.schema import PersonName, PlayerId, Schema, Short, Writable
from quepu.scoring.signatures import DEFAULT_RULES

Giver = Literal["left", "across", "right"]
Player = Annotated[int, Field(ge=0, le=3)]
Name = PersonName
Points = Annotated[int, Field(ge=0, le=1_000_000)]
Fan = Annotated[int, Field(ge=0, le=1000)]
Note = Annotated[str, Field(max_length=300)]
Line = Annotated[str, Field(max_length=120)]
ClubName = Annotated[str, Field(min_length=1, max_length=60), Writable]


class NoFeeder(Enum):
    """No player discarded the tile of a kong; tables are stored with this number."""

    OWN_TILE = -1


KongFeeder = Annotated[
    Player | NoFeeder,
    PlainSerializer(lambda feeder: feeder.value if isinstance(feeder, NoFeeder) else feeder, return_type=int),
    WithJsonSchema({"type": "integer", "minimum": -1, "maximum": 3}),
]


TABLE_VERSION, _REVISED = 3, 2
"""The version of the file of a table, and the first one that names the revision of its book.

Version 3 has `facts` and `unfinished`, formerly `told` and `telling`; both stay readable.
"""


class TableSpec(Schema):
    """A table as it is opened.

    `revision` is that of the book under which the evening is settled to its end; null: the newest.

    `alpha` and `scale` are α and T₀ of the reduced score (约化分数); null: the book's own, if it has them.
    `players` are the ids of the four where they are known (`quepu.scorekeeper.roster`); else their names count.
    `club_draw` is the same for all tables that were drawn at once: two devices may have drawn the same round.
    """

    title: Annotated[str, Field(max_length=80), Writable] = ""
    rules: Short = DEFAULT_RULES
    revision: Annotated[int, Field(ge=1, le=999)] | None = None
    house: str = Field(default="", max_length=20_000)
    names: list[Name] = Field(min_length=4, max_length=4)
    rounds: Annotated[int, Field(ge=1, le=16)] | None = None
    ranked: bool = False
    alpha: Annotated[float, Field(gt=0, le=1000)] | None = None
    scale: Annotated[float, Field(gt=0, le=1_000_000)] | None = None
    club: ClubName | None = None
    club_round: Annotated[int, Field(ge=1, le=1000)] = 1
    club_draw: Annotated[str, Field(pattern="^[0-9a-z]{0,24}$")] = ""
    players: list[PlayerId | None] = Field(default=[], max_length=4)

    @model_validator(mode="after")
    def _all_or_none(self) -> TableSpec:
        if len(self.players) not in (0, len(self.names)):
            raise ValueError("one id, or null, for each name")
        return self

    @model_serializer(mode="wrap")
    def _without_empty(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Omit ids and draws that are not set, so that the file looks as before they existed."""
        data: dict[str, Any] = handler(self)
        if not any(self.players):
            data.pop("players", None)
        if not self.club_draw:
            data.pop("club_draw", None)
        return data


class WonHand(Schema):
    """The tiles of a win, in place of its points: melds with their givers, circumstances, flowers."""

    hand: str = Field(max_length=400)
    circumstances: list[Short] = Field(default=[], max_length=40)
    flowers: Annotated[list[Short], Field(max_length=40)] | int = Field(default=[])
    givers: list[Giver | None] = Field(default=[], max_length=4)


class CameTo(Schema):
    """The result of a record when it was written, and its place: the result stands whatever rules say later.

    `payments` are payer, payee (seats, 4 the pool), points, the reason in Chinese and English; `winner` and
    `discarder` are seats, too, `also` the seat and points of each further winner of the same tile; `place` is
    round, dealership, repeat and who began the round; `barred` the players who could not win. It holds as long as
    the record keeps its place: correcting an earlier hand recalculates later ones.
    """

    fingerprint: Annotated[str, Field(max_length=40)]
    place: list[Annotated[int, Field(ge=0, le=100_000)]] = Field(min_length=7, max_length=7)
    barred: list[Player] = Field(default=[], max_length=4)
    points: Points | None = None
    winner: Player | None = None
    discarder: Player | None = None
    also: list[tuple[Player, Points]] = Field(default=[], max_length=2)
    payments: list[tuple[int, int, int, str, str]] = Field(max_length=40)

    @model_serializer(mode="wrap")
    def _without_empty(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Omit further winners if there are none, so that earlier versions can read the record."""
        data: dict[str, Any] = handler(self)
        if not self.also:
            data.pop("also", None)
        return data


class FurtherWinner(Schema):
    """A further winner of the same tile: as in `HandRecord`, the points, the fan as announced, or the tiles."""

    winner: Player
    points: Points | None = None
    fan: Fan | None = None
    flowers: Annotated[int, Field(ge=0, le=8)] = 0
    supplied: list[Annotated[int, Field(ge=0, le=5)]] = Field(default=[0, 0, 0, 0], min_length=4, max_length=4)
    tiles: WonHand | None = None
    liable: Player | None = None


class HandRecord(Schema):
    """The record of how a hand ended; players are numbered 0-3 as in `names`.

    A win has `points` (without flowers, which are counted in `flowers`), `fan` where a book's players announce fan, or
    `tiles`. `supplied` is how many tiles each player gave the winner (0: unknown if the tiles are given); `kong_feeder`
    the player who discarded the tile of an exposed kong (-1: none, it was the winner's own; null: unknown). `also` are
    further winners of the same tile, `liable` is the player who pays for the whole hand (包). `ready` is
    the value of each other hand (null: not ready), `ready_fan` the same as announced, `ready_hands` their tiles, and
    `seen` the visible tiles on the table. Alternatively the whole hand is given as lines of `quepu.table.facts`, from
    which everything else follows.
    """

    kind: Literal["hand"] = "hand"
    winner: Player | None = None
    points: Points | None = None
    fan: Fan | None = None
    flowers: Annotated[int, Field(ge=0, le=8)] = 0
    self_draw: bool = False
    discarder: Player | None = None
    robbed: bool = False
    supplied: list[Annotated[int, Field(ge=0, le=5)]] = Field(default=[0, 0, 0, 0], min_length=4, max_length=4)
    kong_feeder: KongFeeder | None = None
    ready: list[Points | None] = Field(default=[None, None, None, None], min_length=4, max_length=4)
    ready_fan: list[Fan | None] = Field(default=[None, None, None, None], min_length=4, max_length=4)
    ready_hands: list[Annotated[str, Field(max_length=400)] | None] = Field(
        default=[None, None, None, None], min_length=4, max_length=4
    )
    seen: str = Field(default="", max_length=400)
    tiles: WonHand | None = None
    also: list[FurtherWinner] = Field(default=[], max_length=2)
    liable: Player | None = None
    facts: list[Line] = Field(default=[], max_length=500, validation_alias=AliasChoices("facts", "told"))
    note: Note = ""
    came_to: CameTo | None = None

    @model_serializer(mode="wrap")
    def _without_empty(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Omit empty facts, so that earlier versions, which forbid unknown fields, can read the record."""
        data: dict[str, Any] = handler(self)
        for name in ("facts", "also", "liable"):
            if getattr(self, name) in ([], None):
                data.pop(name, None)
        return data


class PenaltyRecord(Schema):
    """A fault of a player; `points` replaces the book's number if the table agreed so, `receiver` is the one paid."""

    kind: Literal["penalty"] = "penalty"
    player: Player
    fault: Short
    points: Points | None = None
    remedied: bool = False
    revoked: bool = False
    note: Note = ""
    receiver: Player | None = None
    came_to: CameTo | None = None


class ReseatRecord(Schema):
    """New seats drawn before a round: the players that begin it at East, South, West, North."""

    kind: Literal["reseat"] = "reseat"
    start: list[Player] = Field(min_length=4, max_length=4)


class SubstituteRecord(Schema):
    """A substitute takes over a player's seat, starting from zero points. `id` is the substitute's, if known."""

    kind: Literal["substitute"] = "substitute"
    player: Player
    name: Name
    id: PlayerId | None = None


class EndRecord(Schema):
    """The match ends here, whatever the book says; `note` is why."""

    kind: Literal["end"] = "end"
    note: Note = ""


class BellRecord(Schema):
    """Time is up: one more hand (the current one or, if a win was being counted, the next), then it is over."""

    kind: Literal["bell"] = "bell"


Record = Annotated[
    HandRecord | PenaltyRecord | ReseatRecord | SubstituteRecord | EndRecord | BellRecord, Field(discriminator="kind")
]


def find_result(record: Record) -> CameTo | None:
    """Return the stored result of a record, if any."""
    return record.came_to if isinstance(record, HandRecord | PenaltyRecord) else None


class TableFile(Schema):
    """A table as a file, for `export` and `import`.

    `unfinished` has the facts of a hand that was entered in part (`quepu match`).
    """

    quepu: Literal["table"]
    version: int = TABLE_VERSION
    spec: TableSpec
    records: list[Record] = Field(max_length=2000)
    unfinished: list[Line] = Field(default=[], max_length=500, validation_alias=AliasChoices("unfinished", "telling"))
    fingerprint: str | None = None
    totals: list[int] | None = None

    @model_validator(mode="after")
    def _first_revision(self) -> TableFile:
        if self.version < _REVISED:
            self.spec = then(self.spec)
        return self


def then(spec: TableSpec) -> TableSpec:
    """Return a spec for a table from before revisions were recorded: it belongs to the first one."""
    return spec if spec.revision is not None else spec.model_copy(update={"revision": 1})


class EntryQuestion(NamedTuple):
    """A question on which payments depend: the givers of the pungs and kongs, or who discarded a kong's tile."""

    about: str  # "givers" or "feeder"
    melds: tuple[int, ...] = ()
    tiles: tuple[str, ...] = ()


class RecordProblem(NamedTuple):
    """A problem for which a new record would be refused; with a question if an answer would fix it."""

    text: Text
    question: EntryQuestion | None = None


class Entered(NamedTuple):
    """A hand's end in seats, how its points came about, the ready hands, and remarks about the record."""

    ending: Ending = Ending()
    how: Text | None = None
    ready: Sequence[ReadyHand | None] = (None,) * SEATS
    remarks: tuple[Text, ...] = ()
    problems: tuple[RecordProblem, ...] = ()
