"""Messages about practice: a question made from a seed, an answer, a verdict, the history."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from quepu.scoring.signatures import DEFAULT_RULES
from quepu.server.books.messages import GuideSection
from quepu.server.hands.messages import ExplainedScore, HandShape, Named, OutlookAnswer, Situation
from quepu.server.http.messages import Bilingual, Schema, Short, Who, Wind
from quepu.server.payments import SettledWin

PracticeKind = Literal["fans", "points", "payable", "waits", "discard", "aim", "pays"]
Reading = Literal["tiles", "shape", "manners"]
"""Lessons that are passed by reading them."""
CourseStep = Literal[
    "course-tiles", "course-groups", "course-claims", "course-waits", "course-fans",
    "course-counting", "course-minimum", "course-payment", "course-kongs", "course-manners",
]  # fmt: skip
"""Lessons of the course that were gone through, as they are stored."""
Seed = Annotated[int, Field(ge=0, le=2**30)]
Level = Annotated[int, Field(ge=1, le=3)]


class PracticeRequest(Schema):
    """Ask for a question. `who` is a random name that a browser keeps; a seed reproduces a question.

    With `house`, it is about the book under these house rules. With `day`, it is the puzzle of that day, whose kind,
    level and seed are those of the day.
    """

    rules: Short = DEFAULT_RULES
    house: str = Field(default="", max_length=20_000, description="house rules as TOML; they name their own base book")
    kind: PracticeKind = "fans"
    level: Level = 1
    who: Who | None = None
    seed: Seed | None = None
    about: Annotated[str, Field(max_length=100)] = ""
    day: Annotated[date | None, Field(strict=False)] = None


class PracticeQuestion(Situation):
    """A question. `discarder` is a wind, in questions about payments.

    `offered` are the fans to choose among, the tiles to discard, or the aims (fans joined by +). `history` is the key
    of its book's history.
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
    """An answer: fans by name, points, yes or no, waits by tile, a tile to discard, an aim, or each seat's gain.

    `at` is when it was given (seconds since 1970), if sent later; repeats with the same `at` count once. If `kind`
    names a lesson, it reports that the lesson was read.
    """

    rules: Short
    house: str = Field(default="", max_length=20_000)
    kind: PracticeKind | Reading | CourseStep
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
    aim: Annotated[str, Field(max_length=400)] | None = None
    pays: dict[Wind, Annotated[int, Field(ge=-(10**9), le=10**9)]] | None = None


class PracticeVerdict(Schema):
    """Whether it was right, the right answer, and why. `why_not` explains each wrong choice, of aims each of them."""

    right: bool
    why_not: dict[str, str]
    fans: list[str] | None
    points: int | None
    payable: bool | None
    waits: list[str] | None
    discard: str | None
    aim: str | None
    pays: dict[str, int] | None
    score: ExplainedScore | None
    outlook: OutlookAnswer | None
    payments: SettledWin | None


class FanStanding(Named):
    """The standing of a fan: met, known, current weakness from 0 to 1, and when it is due again.

    `step` counts how often in a row it was known when due; `due` is in seconds since 1970, null if never met.
    """

    met: int
    recognised: int
    weakness: float
    step: int
    due: float | None


class PracticeDay(Schema):
    """The answers of one day (UTC)."""

    day: str
    answered: int
    right: int


class PracticeHistory(Schema):
    """A person's practice history under a rulebook: every fan of it, those due first. `now` is the server's time."""

    now: float
    answered: int
    right: int
    streak: int
    fans: list[FanStanding]
    days: list[PracticeDay]


class LessonsRequest(Schema):
    """Ask for the lessons of a book, or of house rules, and for the progress of `who`."""

    rules: Short = DEFAULT_RULES
    house: str = Field(default="", max_length=20_000, description="house rules as TOML; they name their own base book")
    who: Who | None = None


class LessonShape(Schema):
    """A lesson: sections of the rules; `kind` of the questions that pass it, null if it is passed by reading."""

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
    """The lessons of a book in order, and the hand that is counted in one of them."""

    rules: str
    lessons: list[LessonShape]
    counted: CountedHand | None


class CourseOption(Schema):
    """One thing to choose: words, tiles or a whole hand; `groups` are tiles shown with the reason `why`."""

    right: bool
    why: Bilingual
    label: Bilingual | None
    tiles: list[str]
    hand: HandShape | None
    groups: list[list[str]]


class CourseDiscard(Schema):
    """A tile that another player has just discarded."""

    tile: str
    side: Literal["left", "across", "right"]


class CourseScreen(Schema):
    """A screen of a lesson: its tiles and its question.

    `all_of`: every right option has to be chosen; otherwise one of them is enough.
    """

    key: str
    kind: str
    text: Bilingual
    ask: Bilingual
    hand: HandShape | None
    tiles: list[str]
    discard: CourseDiscard | None
    all_of: bool
    options: list[CourseOption]


class CourseLessonShape(Schema):
    """A lesson of the course, its screens, and whether `who` has gone through it."""

    key: str
    title: Bilingual
    passed: bool
    screens: list[CourseScreen]


class CourseAnswer(Schema):
    """The course of a book: its lessons in their order."""

    rules: str
    lessons: list[CourseLessonShape]


PRACTICE: tuple[type[Schema], ...] = (
    PracticeRequest,
    PracticeQuestion,
    PracticeReply,
    PracticeVerdict,
    PracticeHistory,
    LessonsRequest,
    LessonsAnswer,
    CourseAnswer,
)
