"""Messages about rulebooks: a book with its rows, and the differences between two."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from quepu.server.hands.messages import HandShape, HouseText, Named, Situation
from quepu.server.http.messages import Bilingual, BookWords, Schema, Short


class OptionShape(Schema):
    """A choice that the book leaves to the house; the first is the default.

    With `between`, any whole number in that range can be chosen, too, with `free` what is written as TOML: a formula, a
    table. `words` are the choices as people read them. It has an effect only if one of those `after` which it comes is
    chosen otherwise than the book has it.
    """

    key: str
    text: Bilingual
    choices: list[Any]
    words: list[Bilingual]
    chosen: Any = None
    chosen_words: Bilingual
    between: list[int] | None = None
    free: bool = False
    after: list[str] = Field(default=[])


class WelcomeShape(Schema):
    """Offer of a book to whoever is asked which mahjong they play: a name, a sentence, tiles as a picture.

    Books are offered by `order`; beginners who have no book of their own begin with the first.
    """

    name: Bilingual
    text: Bilingual
    tiles: list[str]
    order: int


class BookBrief(Schema):
    """A rulebook without its rows. `flowers`: they count; `table_flowers`: tables have them by default.

    `club`: keys of the options that a club is asked about, in that order; empty in books that need no such questions.
    `welcome` is null in books that are not offered to newcomers. `kinds` are those of its tiles, without flowers.
    """

    id: str
    title: Bilingual
    family: str
    edition: str
    minimum: int
    unit: Bilingual
    words: BookWords
    rows: int
    kinds: list[str]
    flowers: bool
    table_flowers: bool
    flower_value: int
    round_wind: bool
    circumstances: list[str]
    club: list[str]
    fingerprint: str
    aliases: list[str]
    welcome: WelcomeShape | None


class ShownExample(Situation):
    """An example hand of a row, scored by this server."""

    hand: HandShape
    points: int
    total: int
    how: Bilingual
    fans: list[str]


class ColumnShape(Schema):
    """A column of the book's own table of fans besides name and value, such as 优先级."""

    key: str
    head: Bilingual


class FanRow(Named):
    """A row of a rulebook; `definition` is its sentence in English; `columns` are the book's own, by key.

    `written` is the value in the original book, if a house changed it and not the sentence.
    """

    pinyin: str
    aliases: list[str]
    value: dict[str, int]
    value_text: Bilingual
    written: Bilingual | None
    category: str
    sentence: str
    definition: str
    drops: list[str]
    dropped_by: list[str]
    conflicts: list[str]
    most: int
    example: ShownExample | None
    near_miss: ShownExample | None
    why_not: Bilingual | None
    rulings: list[str]
    share: float | None
    least: int | None
    least_hand: str | None
    columns: dict[str, str]


class RulingShape(Schema):
    """A ruling: how an unclear place of the book is read. `option`: the book's option that chooses the reading."""

    id: str
    question: Bilingual
    answer: Bilingual
    sentence: str
    open: bool
    option: str


class TermShape(Schema):
    """One term of a book's table, in words; `key` is the same in every book."""

    key: str
    label: Bilingual
    value: Bilingual


class BookWithOptions(BookBrief):
    """A rulebook without its rows, but with its options."""

    options: list[OptionShape]


class BookPage(BookWithOptions):
    """A rulebook with every row, the terms of its table, and rulings that players should know.

    `measured` is the state of the hands that the rows' shares are of.
    """

    measured: Bilingual | None
    terms: list[TermShape]
    notes: list[Bilingual]
    fans: list[FanRow]
    categories: list[str]
    category_names: list[Bilingual]
    circumstance_names: list[Bilingual]
    columns: list[ColumnShape]
    rulings: list[RulingShape]


class GridShape(Schema):
    """A table of the rules; `numbers` are the right-aligned columns."""

    title: Bilingual
    heads: list[Bilingual]
    rows: list[list[Bilingual]]
    numbers: list[int]
    note: Bilingual | None


class GuidePart(Schema):
    """A paragraph, a table or a hand: one of `text`, `table` and `label` is given.

    `sentence` is the book's own, beside a text that is not verbatim, or beside a hand (whose `example` is null if no
    hand can be shown); `printed` is the part to show beside the hand, in each language.
    """

    text: Bilingual | None = None
    own: bool = False
    table: GridShape | None = None
    label: Bilingual | None = None
    example: ShownExample | None = None
    sentence: str = ""
    printed: Bilingual | None = None
    ruling: str | None = None


class GuideSection(Schema):
    """A section of the rules in words."""

    key: str
    title: Bilingual
    parts: list[GuidePart]


class GuideAnswer(Schema):
    """The rules of a book in words, with its tables and its examples scored by this server."""

    rules: str
    title: Bilingual
    sections: list[GuideSection]


class OpenQuestion(Schema):
    """A question that is left to the author of a book."""

    rules: str
    title: Bilingual
    ruling: RulingShape


class DifferenceRow(Named):
    """A fan that only one of two books has, or that changed; with a hand under each book (null: not a win)."""

    value: dict[str, int]
    hand: HandShape | None
    old_total: int | None
    new_total: int | None
    old_example: ShownExample | None
    new_example: ShownExample | None


class ChangedRow(DifferenceRow):
    """A fan in both books that differs; pairs are old, new.

    `reread`: its words are the same, but it holds in other hands.
    """

    renamed_from: str | None
    values: list[dict[str, int]] | None
    sentences: list[str] | None
    categories: list[Bilingual] | None
    reread: bool
    no_longer_drops: list[str]
    now_drops: list[str]
    no_longer_conflicts: list[str]
    now_conflicts: list[str]


class ChangedTerm(Schema):
    """A term of the table that differs; null if one book is silent on it."""

    label: Bilingual
    old: Bilingual | None
    new: Bilingual | None


class RewordedShape(Schema):
    """A section of the rules in words: the parts only in the old book, and only in the new one."""

    title: Bilingual
    old: list[Bilingual]
    new: list[Bilingual]


class EditionChanges(Schema):
    """Changes between two editions, for readers."""

    values: list[Bilingual]
    relations: list[Bilingual]
    wording: list[Bilingual]


class DraftDifference(HouseText):
    """House rules compared with a book, by default their base."""

    old: Short = Field("", description="id or alias of a book")


class DifferenceAnswer(Schema):
    """Changes from one rulebook to another; `changes` lists them as lines of words."""

    old: str
    new: str
    minimum: list[int]
    terms: list[ChangedTerm]
    added: list[DifferenceRow]
    removed: list[DifferenceRow]
    changed: list[ChangedRow]
    rules: list[RewordedShape]
    changes: EditionChanges


BOOKS: tuple[type[Schema], ...] = (
    BookBrief,
    BookWithOptions,
    BookPage,
    GuideAnswer,
    OpenQuestion,
    DifferenceAnswer,
    DraftDifference,
)
