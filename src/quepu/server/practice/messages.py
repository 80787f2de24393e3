"""The shapes of practice: a question made from a seed, a reply, a verdict, what was practised."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from quepu.scoring.signatures import DEFAULT_RULES
from quepu.server.books.messages import GuideSection
from quepu.server.hands.messages import ExplainedScore, HandShape, Named, OutlookAnswer, Situation
from quepu.server.http.messages import Bilingual, Schema, Short, Who, Wind
from quepu.server.payments import SettledWin

PracticeKind = Literal["fans", "points", "payable", "waits", "discard", "pays"]
Reading = Literal["tiles", "shape", "manners"]
"""Lessons that are passed by having read them."""
Seed = Annotated[int, Field(ge=0, le=2**30)]
Level = Annotated[int, Field(ge=1, le=3)]


class PracticeRequest(Schema):
    """Ask for a question. `who` is a random name that a browser keeps; a seed brings back one question.

    With `house` it is about the book that these house rules make.
    """

    rules: Short = DEFAULT_RULES
    house: str = Field(default="", max_length=20_000, description="house rules as TOML; they name their own base book")
    kind: PracticeKind = "fans"
    level: Level = 1
    who: Who | None = None
    seed: Seed | None = None
    about: Annotated[str, Field(max_length=100)] = ""


class PracticeQuestion(Situation):
    """A question. `discarder` is a wind, in questions about payments.

    `offered` are the fans to choose among, or the tiles to discard.
    `history` names what the history of its book is asked by.
    """

    rules: str
    kind: PracticeKind
    kinds: list[PracticeKind]
    level: int
    seed: int
    about: str
    hand: HandShape
    offered: list[str]
    discarder: Wind | None
    unit: Bilingual
    minimum: int
    history: str


class PracticeReply(Schema):
    """An answer: fans by name, points, yes or no, waits by tile, a tile to discard, or what each seat is left with.

    `at` is when it was given (seconds since 1970), where it comes late; sent again with the same, it is counted once.
    With the name of a lesson for `kind` it is no answer: that lesson was read.
    """

    rules: Short
    house: str = Field(default="", max_length=20_000)
    kind: PracticeKind | Reading
    level: Level
    seed: Seed
    about: Annotated[str, Field(max_length=100)] = ""
    who: Who | None = None
    seconds: float = Field(default=0, ge=0, le=86_400)
    at: float | None = Field(default=None, ge=1e9, le=1e11)
    fans: list[Short] | None = Field(default=None, max_length=100)
    points: int | None = Field(default=None, ge=-(10**9), le=10**9)
    payable: bool | None = None
    waits: list[Short] | None = Field(default=None, max_length=34)
    discard: Short | None = None
    pays: dict[Wind, Annotated[int, Field(ge=-(10**9), le=10**9)]] | None = None


class PracticeVerdict(Schema):
    """Whether it was right, the right answer, and why. `why_not` says it of what was chosen wrongly or not to be."""

    right: bool
    why_not: dict[str, str]
    fans: list[str] | None
    points: int | None
    payable: bool | None
    waits: list[str] | None
    discard: str | None
    pays: dict[str, int] | None
    score: ExplainedScore | None
    outlook: OutlookAnswer | None
    payments: SettledWin | None


class FanStanding(Named):
    """Standing of a fan: met, known, the present weakness from 0 to 1, and when it is due again.

    `step` is how often in a row it was known when it was due; `due` is in seconds since 1970, null if never met.
    """

    met: int
    recognised: int
    weakness: float
    step: int
    due: float | None


class PracticeDay(Schema):
    """Answers of one day (UTC)."""

    day: str
    answered: int
    right: int


class PracticeHistory(Schema):
    """History of somebody's practice under a rulebook: every fan of it, those due first. `now` is the server's time."""

    now: float
    answered: int
    right: int
    streak: int
    fans: list[FanStanding]
    days: list[PracticeDay]


class LessonsRequest(Schema):
    """Ask for the lessons of a book, or of the one that these house rules make, and how far `who` is with them."""

    rules: Short = DEFAULT_RULES
    house: str = Field(default="", max_length=20_000, description="house rules as TOML; they name their own base book")
    who: Who | None = None


class LessonShape(Schema):
    """A lesson: sections of the rules; `kind` of the questions that pass it, null where it is passed by reading."""

    key: str
    title: Bilingual
    lead: Bilingual
    sections: list[GuideSection]
    kind: PracticeKind | None
    passed: bool


class CountedHand(Situation):
    """An example of the book, to be counted one fan at a time."""

    hand: HandShape
    score: ExplainedScore


class LessonsAnswer(Schema):
    """The lessons of a book in their order, and the hand that is counted in one of them."""

    rules: str
    lessons: list[LessonShape]
    counted: CountedHand | None


PRACTICE: tuple[type[Schema], ...] = (
    PracticeRequest,
    PracticeQuestion,
    PracticeReply,
    PracticeVerdict,
    PracticeHistory,
    LessonsRequest,
    LessonsAnswer,
)
