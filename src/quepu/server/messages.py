"""The shapes that server and client exchange. The client's types are generated from these (`typescript.py`)."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Wind = Literal["E", "S", "W", "N"]
Short = Annotated[str, Field(max_length=200)]


def _writable(text: str) -> str:
    if any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in text):
        raise ValueError("control characters")
    return text


Writable = AfterValidator(_writable)
"""Text on one line that every database and page can hold: no control characters, no halves of characters."""


class Shape(BaseModel):
    """Base: nothing unnamed goes in or out."""

    model_config = ConfigDict(extra="forbid")


class Said(Shape):
    """A sentence in both languages."""

    zh: str
    en: str


class Refused(Shape):
    """What is said instead of an answer: the sentence, and the position in the hand's text if it is about that."""

    valid: Literal[False] = False
    error: str
    at: int | None = None


# ---- asking about hands


class ScoreRequest(Shape):
    """One hand to score: the same object as a line of `quepu score --jsonl`."""

    rules: Short = "lingque-29"
    hand: str = Field(max_length=400)
    seat: Short = "E"
    round: Short = "E"
    self_draw: bool = False
    circumstances: list[Short] = Field(default=[], max_length=40)
    flowers: Annotated[list[Short], Field(max_length=40)] | int = Field(default=[])
    house: str = Field(default="", max_length=20_000, description="house rules as TOML; they name their own base book")


class WaitsRequest(Shape):
    """A hand of 13 tiles (what it waits for) or of 14 (what each discard would wait for)."""

    rules: Short = "lingque-29"
    hand: str = Field(max_length=400)
    seat: Short = "E"
    round: Short = "E"
    circumstances: list[Short] = Field(default=[], max_length=40)
    flowers: Annotated[list[Short], Field(max_length=40)] | int = Field(default=[])
    seen: str = Field(default="", max_length=400)
    house: str = Field(default="", max_length=20_000, description="house rules as TOML; they name their own base book")


class HandText(Shape):
    """A hand as text, complete or not."""

    hand: str = Field(max_length=400)


class TilesText(Shape):
    """Tiles that lie open on the table, as text: any number, no melds."""

    tiles: str = Field(max_length=400)


class TilesShape(Shape):
    """Tiles for drawing, in their order, and the same as canonical text."""

    text: str
    tiles: list[str]


class MeldShape(Shape):
    """A meld with its tiles."""

    kind: Literal["chow", "pung", "kong", "concealed_kong"]
    tiles: list[str]


class HandShape(Shape):
    """A hand taken apart for drawing. `text` is its canonical form; tiles are named 1m … 9s E S W N C F P."""

    text: str
    concealed: list[str]
    melds: list[MeldShape]
    winning: str | None


class CircumstanceState(Shape):
    """A circumstance of the book: possible with this hand, or the sentence why not."""

    name: str
    possible: bool
    why: str | None
    self_draw: bool


# ---- answers


class FanCount(Shape):
    """A fan that counts."""

    name: str
    count: int
    value: dict[str, int]


class GroupShape(Shape):
    """A group of the reading taken."""

    text: str
    tiles: list[int]
    exposed: bool
    kong: bool
    won: bool


class CountedFan(Shape):
    """A fan that counts, with the groups that make each occurrence (positions in `groups`)."""

    name: str
    english: str
    count: int
    value: dict[str, int]
    category: str
    sentence: str
    groups: list[list[int]]
    note: str | None = None


class SuppressedFan(Shape):
    """A fan that held but does not count, and why."""

    name: str
    english: str
    by: str | None
    why: str


class OtherReading(Shape):
    """Another way to read the hand."""

    reading: str
    points: int
    how: str
    fans: list[str]


class ScoreAnswer(Shape):
    """What a hand is worth."""

    valid: Literal[True]
    points: int
    total: int
    minimum: int
    can_win: bool
    parts: dict[str, int]
    fans: list[FanCount]
    reading: str
    how: str


class ExplainedScore(ScoreAnswer):
    """What a hand is worth, and why."""

    rules: str
    fingerprint: str
    groups: list[GroupShape]
    counted: list[CountedFan]
    suppressed: list[SuppressedFan]
    steps: list[str]
    flowers: int
    short: int
    others: list[OtherReading]


class WaitSide(Shape):
    """What a wait is worth one way."""

    points: int
    total: int
    can_win: bool
    how: str
    fans: list[str]


class WaitShape(Shape):
    """A tile that completes the shape."""

    tile: str
    name: str
    left: int
    can_win: bool
    discard: WaitSide
    self_draw: WaitSide
    reason: str | None


class UsefulTile(Shape):
    """A tile that brings the hand nearer."""

    tile: str
    name: str
    left: int


class OutlookAnswer(Shape):
    """Where a hand of 13 stands."""

    ready: bool
    missing: int
    waits: list[WaitShape]
    useful: list[UsefulTile]
    tiles_left: int


class ChoiceShape(OutlookAnswer):
    """A discard and where it leads."""

    discard: str
    name: str


class WaitsAnswer(Shape):
    """Waits of 13 tiles (`outlook`) or the discards of 14 (`choices`), best first."""

    outlook: OutlookAnswer | None
    choices: list[ChoiceShape] | None


# ---- rulebooks


class OptionShape(Shape):
    """A choice that the book leaves to the house; the first is the default."""

    key: str
    text: Said
    choices: list[Any]
    chosen: Any = None


class BookBrief(Shape):
    """A rulebook without its rows. `flowers`: they count; `table_flowers`: a table has them if it says nothing else."""

    id: str
    title: Said
    family: str
    edition: str
    minimum: int
    unit: Said
    rows: int
    flowers: bool
    table_flowers: bool
    flower_value: int
    circumstances: list[str]
    options: list[OptionShape]
    fingerprint: str
    aliases: list[str]


class ShownExample(Shape):
    """An example hand of a row, scored by this very server."""

    hand: HandShape
    seat: Wind
    round: Wind
    self_draw: bool
    circumstances: list[str]
    flowers: list[str]
    points: int
    total: int
    how: Said
    fans: list[str]


class FanRow(Shape):
    """A row of a rulebook."""

    name: str
    english: str
    pinyin: str
    aliases: list[str]
    value: dict[str, int]
    worth: Said
    category: str
    sentence: str
    drops: list[str]
    dropped_by: list[str]
    conflicts: list[str]
    most: int
    example: ShownExample | None
    near_miss: ShownExample | None
    rulings: list[str]
    share: float | None
    least: int | None
    least_hand: str | None


class RulingShape(Shape):
    """How an unclear place of the book is read."""

    id: str
    question: Said
    answer: Said
    sentence: str
    open: bool


class TermShape(Shape):
    """One term of a book's table, in words; `key` is the same in every book."""

    key: str
    label: Said
    value: Said


class BookPage(BookBrief):
    """A rulebook with every row, the terms of its table, and readings that a player should know.

    `measured` is the state of the hands that the rows' shares are of.
    """

    measured: Said | None
    terms: list[TermShape]
    notes: list[Said]
    fans: list[FanRow]
    categories: list[str]
    rulings: list[RulingShape]


# ---- payments

Giver = Literal["left", "across", "right"]


class PayRequest(ScoreRequest):
    """A winning hand, and what decides who pays: who discarded, who gave the melds, what other hands are worth.

    `givers` goes with the melds of the hand in order; `ready` has one entry a seat E S W N, null for not ready, and
    is looked at only in books that pay every ready hand.
    """

    discarder: Short | None = None
    givers: list[Giver | None] = Field(default=[], max_length=4)
    ready: list[Annotated[int, Field(ge=0, le=100_000)] | None] = Field(
        default=[None, None, None, None], min_length=4, max_length=4
    )


class PaymentShape(Shape):
    """One flow with its reason; payer and payee are winds, or "pool"."""

    payer: Wind | Literal["pool"]
    payee: Wind | Literal["pool"]
    points: int
    why: Said


class PayAnswer(Shape):
    """Every flow, and what each seat and the pool end with."""

    payments: list[PaymentShape]
    totals: dict[str, int]
    pool: int
    zero_sum: bool
    asks_ready: bool


# ---- practice

PracticeKind = Literal["fans", "points", "payable", "waits", "pays"]
Who = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Seed = Annotated[int, Field(ge=0, le=2**30)]
Level = Annotated[int, Field(ge=1, le=3)]


class PracticeRequest(Shape):
    """Ask for a question. `who` is a random name that a browser keeps; a seed brings back one question."""

    rules: Short = "lingque-29"
    kind: PracticeKind = "fans"
    level: Level = 1
    who: Who | None = None
    seed: Seed | None = None


class PracticeQuestion(Shape):
    """A question. `offered` are the fans to choose among; `discarder` a wind, in questions about payments."""

    rules: str
    kind: PracticeKind
    kinds: list[PracticeKind]
    level: int
    seed: int
    hand: HandShape
    seat: Wind
    round: Wind
    self_draw: bool
    circumstances: list[str]
    flowers: list[str]
    offered: list[str]
    discarder: Wind | None
    unit: Said
    minimum: int


class PracticeReply(Shape):
    """An answer: fans by name, points, yes or no, waits by tile, or what each seat is left with."""

    rules: Short
    kind: PracticeKind
    level: Level
    seed: Seed
    who: Who | None = None
    seconds: float = Field(default=0, ge=0, le=86_400)
    fans: list[Short] | None = Field(default=None, max_length=100)
    points: int | None = Field(default=None, ge=-(10**9), le=10**9)
    payable: bool | None = None
    waits: list[Short] | None = Field(default=None, max_length=34)
    pays: dict[Wind, Annotated[int, Field(ge=-(10**9), le=10**9)]] | None = None


class PracticeVerdict(Shape):
    """Whether it was right, the right answer, and why."""

    right: bool
    fans: list[str] | None
    points: int | None
    payable: bool | None
    waits: list[str] | None
    pays: dict[str, int] | None
    score: ExplainedScore | None
    outlook: OutlookAnswer | None
    payments: PayAnswer | None


class FanStanding(Shape):
    """How a fan is known: met, known, and the present weakness from 0 to 1."""

    name: str
    met: int
    known: int
    weakness: float


class PracticeDay(Shape):
    """Answers of one day (UTC)."""

    day: str
    asked: int
    right: int


class PracticeHistory(Shape):
    """What somebody has practised under a rulebook."""

    asked: int
    right: int
    streak: int
    fans: list[FanStanding]
    days: list[PracticeDay]


class HouseText(Shape):
    """House rules as TOML."""

    house: str = Field(max_length=20_000)


class DifferenceRow(Shape):
    """A fan that only one of two books has, or that changed; with one hand scored under both."""

    name: str
    english: str
    value: dict[str, int]
    hand: HandShape | None
    old_total: int | None
    new_total: int | None


class ChangedRow(DifferenceRow):
    """A fan of both books that is not the same in everything; pairs are old, new."""

    renamed_from: str | None
    values: list[dict[str, int]] | None
    sentences: list[str] | None
    no_longer_drops: list[str]
    now_drops: list[str]
    no_longer_conflicts: list[str]
    now_conflicts: list[str]


class ChangedTerm(Shape):
    """A term of the table that two books have otherwise; null where one says nothing of the kind."""

    label: Said
    old: Said | None
    new: Said | None


class DifferenceAnswer(Shape):
    """What changed from one rulebook to another."""

    old: str
    new: str
    minimum: list[int]
    terms: list[ChangedTerm]
    added: list[DifferenceRow]
    removed: list[DifferenceRow]
    changed: list[ChangedRow]


SHARED: tuple[type[Shape], ...] = (
    Refused, ScoreRequest, WaitsRequest, HandText, HandShape, TilesText, TilesShape, CircumstanceState, ScoreAnswer,
    ExplainedScore, WaitsAnswer, BookBrief, BookPage, DifferenceAnswer,
    PayRequest, PayAnswer, HouseText,
    PracticeRequest, PracticeQuestion, PracticeReply, PracticeVerdict, PracticeHistory,
)  # fmt: skip
"""What the client's types are made from; what these refer to comes along."""
