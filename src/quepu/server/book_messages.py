"""The shapes of rulebooks: a book with its rows, and what changed from one to another."""

from __future__ import annotations

from typing import Any

from quepu.server.hand_messages import HandShape, Situation
from quepu.server.messages import Said, Shape


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


class ShownExample(Situation):
    """An example hand of a row, scored by this very server."""

    hand: HandShape
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


BOOKS: tuple[type[Shape], ...] = (BookBrief, BookPage, DifferenceAnswer)
