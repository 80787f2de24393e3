"""Messages about hands: requests, scores with reasons, waits."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from quepu.scoring.signatures import DEFAULT_RULES
from quepu.server.http.messages import Schema, Short, Wind

# ---- requests


class HandRequest(Schema):
    """A hand with its circumstances, and the book (`rules`, or `house` rules) that applies."""

    rules: Short = DEFAULT_RULES
    hand: str = Field(max_length=400)
    seat: Short = "E"
    round: Short = "E"
    self_draw: bool = False
    circumstances: list[Short] = Field(default=[], max_length=40)
    flowers: Annotated[list[Short], Field(max_length=40)] | int = Field(default=[])
    house: str = Field(default="", max_length=20_000, description="house rules as TOML; they name their own base book")


class ScoreRequest(HandRequest):
    """One hand to score: the same object as a line of `quepu score --jsonl`."""


class WaitsRequest(HandRequest):
    """A hand of 13 tiles (for its waits) or of 14 (for the waits after each discard); `seen` tiles are visible."""

    seen: str = Field(default="", max_length=400)


class HandText(Schema):
    """A hand as text, complete or not."""

    hand: str = Field(max_length=400)


class TilesText(Schema):
    """Visible tiles on the table as text: any number, no melds."""

    tiles: str = Field(max_length=400)


class TilesShape(Schema):
    """Tiles for drawing, in their order, and the same as canonical text."""

    text: str
    tiles: list[str]


class MeldShape(Schema):
    """A meld with its tiles."""

    kind: Literal["chow", "pung", "kong", "concealed_kong"]
    tiles: list[str]


class Situation(Schema):
    """The circumstances of a win, in the book's own names."""

    seat: Wind
    round: Wind
    self_draw: bool
    circumstances: list[str]
    flowers: list[str]


class WinRequest(Situation):
    """A win as `/api/score` takes it: its text and its circumstances.

    `givers` has the origin of each meld: L left, A across, R right, - the hand itself.
    """

    hand: str
    givers: str


class HandShape(Schema):
    """A hand split for drawing. `text` is its canonical form; tiles are named 1m … 9s E S W N C F P."""

    text: str
    concealed: list[str]
    melds: list[MeldShape]
    winning: str | None


class Named(Schema):
    """A fan or circumstance by its name in the book; `english` is "" if it has no English name."""

    name: str
    english: str


class CircumstanceState(Named):
    """A circumstance of the book (`english` of it or of its fan): possible with this hand, or why not."""

    possible: bool
    why: str | None
    self_draw: bool


class HouseText(Schema):
    """House rules as TOML."""

    house: str = Field(max_length=20_000)


# ---- answers


class FanCount(Schema):
    """A fan that counts."""

    name: str
    count: int
    value: dict[str, int]


class ScoredFan(FanCount):
    """A fan that counts; only answers in English have its English name."""

    english: str = ""


class GroupShape(Schema):
    """A group of the reading taken."""

    text: str
    tiles: list[int]
    exposed: bool
    kong: bool
    won: bool


class CountedFan(FanCount, Named):
    """A counted fan, with the groups that make it each time it counts (positions in `groups`).

    `value` is that of one time, `adds` the contribution of all of them; `called` is its name in this hand, if one row
    of the book stands for several.
    """

    adds: dict[str, int]
    category: str
    category_english: str | None = Field(default=None, description="in answers in English")
    sentence: str
    definition: str
    groups: list[list[int]]
    note: str | None = None
    called: str | None = None


class SuppressedFan(Named):
    """A fan that held but does not count, and why."""

    by: str | None
    by_english: str | None = Field(default=None, description="in answers in English")
    why: str


class OtherReading(Schema):
    """Another way to read the hand."""

    reading: str
    points: int
    how: str
    fans: list[str]
    english: list[str] | None = Field(default=None, description="`fans` in English, in answers in English")


class ScoreAnswer(Schema):
    """Score of a hand."""

    valid: Literal[True]
    points: int
    total: int
    paid: int | None = Field(default=None, description="the part of `total` that is paid; only of a book with a cap")
    minimum: int
    can_win: bool
    parts: dict[str, int]
    fans: list[ScoredFan]
    reading: str
    how: str


class ExplainedScore(ScoreAnswer):
    """Score of a hand, and why."""

    rules: str
    fingerprint: str
    groups: list[GroupShape]
    counted: list[CountedFan]
    suppressed: list[SuppressedFan]
    steps: list[str]
    flowers: int
    short: int
    others: list[OtherReading]


class WaitSide(Schema):
    """The score of a wait won one way; null if the circumstances allow no such win, and `how` says why."""

    points: int
    total: int
    paid: int | None = Field(default=None, description="the part of `total` that is paid; only of a book with a cap")
    can_win: bool
    how: str
    fans: list[str]
    english: list[str] | None = Field(default=None, description="`fans` in English, in answers in English")


class WaitShape(Schema):
    """A tile that completes the shape."""

    tile: str
    name: str
    left: int
    can_win: bool
    discard: WaitSide
    self_draw: WaitSide
    reason: str | None


class UsefulTile(Schema):
    """A tile that brings the hand nearer."""

    tile: str
    name: str
    left: int


class OutlookAnswer(Schema):
    """The outlook of a hand of 13."""

    ready: bool
    missing: int
    waits: list[WaitShape]
    useful: list[UsefulTile]
    tiles_left: int
    dead: list[str] = Field(description="kinds that would complete the hand if it did not hold all four itself (虚听)")


class ChoiceShape(OutlookAnswer):
    """A discard and its outlook."""

    discard: str
    name: str


class CompletionShape(Schema):
    """Whether 14 unmarked tiles are a win: each kind that may have completed them, or the missing tiles.

    `sentence` says it. `missing` tiles must be exchanged; a `spare` kind can be discarded without falling back.
    """

    complete: bool
    sentence: str
    tiles: list[WaitShape]
    missing: int
    spare: list[str]
    last: str | None = Field(description="the tile that was written last, most often the one")


class WaitsAnswer(Schema):
    """Waits of 13 tiles (`outlook`) or discards of 14 (`choices`), best first; if none is marked, `completion`."""

    outlook: OutlookAnswer | None
    choices: list[ChoiceShape] | None
    completion: CompletionShape | None


HANDS: tuple[type[Schema], ...] = (
    HandRequest, Named,
    ScoreRequest, WaitsRequest, HandText, HandShape, TilesText, TilesShape, CircumstanceState, ScoreAnswer,
    ExplainedScore, WaitsAnswer, CompletionShape, HouseText,
)  # fmt: skip
