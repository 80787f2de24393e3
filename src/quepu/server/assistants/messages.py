"""Arguments of the tools for assistants, and their answers: those of the API, each with its sources."""

from __future__ import annotations

from typing import Annotated, Generic, Literal, TypeVar

from pydantic import Field

from quepu.scoring.signatures import DEFAULT_RULES
from quepu.server.books.messages import BookWithOptions, FanRow, RulingShape
from quepu.server.hands.messages import Named, ScoreRequest, WaitsRequest
from quepu.server.http.messages import Bilingual, Schema, Short, Wind
from quepu.server.practice.messages import Level, PracticeKind, Seed
from quepu.server.replays.asking_api import AskHand, AskReplay

T = TypeVar("T")

_HAND = """\
Concealed tiles, then melds, then + and the winning tile, as in 123m456p789sCC(NNN)(123s)+3s. Suits m p s; winds E S W \
N; dragons C (red) F (green) P (white); (...) an exposed meld, [9999p] a concealed kong. Chinese names are read too."""
_BOOK = Field(default=DEFAULT_RULES, max_length=200, description="id or alias of a rulebook, as `books` lists them")
_HOUSE = Field(default="", max_length=20_000, description="house rules as TOML, in place of `rules`")
Language = Annotated[Literal["zh", "en"] | None, Field(description="language of sentences and errors")]


class Arguments(Schema):
    """Arguments of any tool."""

    lang: Language = None


class BooksArguments(Arguments):
    """List the rulebooks, or describe one."""

    rules: Short = Field(default="", description="id or alias of one rulebook, to see its options and circumstances")


class ScoreArguments(ScoreRequest, Arguments):
    """A hand to score, with its circumstances."""

    rules: str = _BOOK
    hand: str = Field(max_length=400, description=_HAND)
    seat: Short = Field(default="E", description="seat wind of the winner: E S W N")
    round: Short = Field(default="E", description="round wind: E S W N")
    circumstances: list[Short] = Field(
        default=[], max_length=40, description="circumstances of the win by the book's names, as `books` lists them"
    )


class WaitsArguments(WaitsRequest, Arguments):
    """A hand of 13 tiles (`waits`) or of 14 (`discards`), and the tiles that are visible elsewhere."""

    rules: str = _BOOK
    hand: str = Field(max_length=400, description=_HAND)
    seen: str = Field(default="", max_length=400, description="visible tiles outside the hand, such as 1m1m5pE")


class BookArguments(Arguments):
    """A rulebook, or house rules."""

    rules: str = _BOOK
    house: str = _HOUSE


class RulesArguments(BookArguments):
    """A section of a book's rules."""

    section: Short = Field(default="", description="key of a section; without it, the sections are listed")


class FansArguments(BookArguments):
    """Fans of a book."""

    name: Short = Field(default="", description="name or alias of a fan, in Chinese or English")
    category: Short = Field(default="", description="a category of fans; without either, all names are listed")


class RulingsArguments(BookArguments):
    """Rulings of a book."""

    id: Short = Field(default="", description="id of a ruling; without it, all rulings of the book")


class DiffArguments(Arguments):
    """Two rulebooks to compare."""

    old: Short
    new: Short = ""
    house: str = Field(default="", max_length=20_000, description="house rules as TOML, in place of `new`")


class LogsArguments(Arguments):
    """List the logs."""


class ReviewArguments(Arguments):
    """A hand of a log to review."""

    log: Short = Field(description="name of a log, as `logs` lists them")
    hand: int = Field(ge=1, le=10_000, description="number of the hand, from 1")
    seat: Wind | None = Field(default=None, description="only this seat")
    all: bool = Field(default=False, description="every decision; otherwise only slips, mistakes and blunders")


_INSTEAD = Field(default="", max_length=200, description="the action to compare, such as 5p, pass, pung, chow 345p")
_OF = Field(default="", max_length=200, description="the action it is compared with; by default the best one")


class WhatIfArguments(AskHand, Arguments):
    """A discard from fourteen tiles, or an answer to a tile that is offered, compared with another one."""

    rules: str = _BOOK
    hand: str = Field(max_length=400, description=_HAND)
    offered: Short = Field(default="", description="a tile just discarded by another seat; the hand then has 13 tiles")
    giver: Short = Field(default="", description="the seat that discarded it: E, S, W or N; by default the one before")
    instead: Short = _INSTEAD
    of: Short = _OF


class WhatIfPlayedArguments(AskReplay, Arguments):
    """An action at a moment of a log, compared with another one, under assumptions about the others."""

    log: Short = Field(description="name of a log, as `logs` lists them")
    instead: Short = _INSTEAD
    of: Short = _OF


class PuzzleArguments(BookArguments):
    """A puzzle; the same seed gives the same one."""

    kind: PracticeKind = "fans"
    level: Level = 1
    seed: Seed | None = None
    about: Annotated[str, Field(max_length=100)] = Field(default="", description="a fan that the puzzle is about")


class SolveArguments(BookArguments):
    """An answer to a puzzle: its kind, level, seed and `about`, and the one answer that fits its kind."""

    kind: PracticeKind
    level: Level
    seed: Seed
    about: Annotated[str, Field(max_length=100)] = ""
    fans: list[Short] | None = Field(default=None, max_length=100, description="kind fans: the fans that count")
    points: int | None = Field(default=None, ge=-(10**9), le=10**9, description="kind points")
    payable: bool | None = Field(default=None, description="kind payable: whether the hand may win")
    waits: list[Short] | None = Field(default=None, max_length=34, description="kind waits: tiles such as 1m, E, C")
    discard: Short | None = Field(default=None, description="kind discard: a tile")
    pays: dict[Wind, int] | None = Field(default=None, description="kind pays: each seat's gain")


# ---- answers


class Source(Schema):
    """The place that a fact rests on: a book, and of it a fan with its sentence, or a ruling with its answer."""

    rules: str
    title: str
    fingerprint: str
    fan: str | None = None
    ruling: str | None = None
    sentence: str | None = None


class Sourced(Schema, Generic[T]):
    """An answer of the API, and its sources."""

    answer: T
    sources: list[Source]


class BookName(Schema):
    """A rulebook by its names."""

    id: str
    title: Bilingual
    aliases: list[str]
    minimum: int
    unit: Bilingual


class BookList(Schema):
    """Every rulebook by its names, and the one asked for with its options and circumstances."""

    books: list[BookName]
    book: BookWithOptions | None


class FanList(Schema):
    """Fans with all that the book says about them; the names of all fans if none was asked for."""

    fans: list[FanRow]
    names: list[Named]


class RulingList(Schema):
    """Rulings of a book."""

    rulings: list[RulingShape]


class LogBrief(Schema):
    """A log: its name, its book, its players, how many hands it has."""

    log: str
    rules: str
    players: list[str]
    hands: int


class UnreadLog(Schema):
    """A file that is not a log, and why."""

    log: str
    why: str


class LogList(Schema):
    """The logs that may be reviewed; `more` files were not read."""

    logs: list[LogBrief]
    unread: list[UnreadLog]
    more: int
