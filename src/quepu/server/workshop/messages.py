"""Messages of the workshop about a draft itself: the words of its formulas, its play, and what is wrong with it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from quepu.bots.protocol import LevelGroup
from quepu.server.hands.messages import HandShape
from quepu.server.http.messages import Bilingual, Schema, Short


class PenaltyShape(Schema):
    """A fault: its points and those of further times, to whom (a receiver), and whether it bars from winning."""

    key: str
    name: Bilingual
    text: Bilingual
    points: int
    again: list[int]
    to: str
    barred: bool


class WordedChoice(Schema):
    """A value that may be written, in words."""

    value: str
    text: Bilingual


class MatchShape(Schema):
    """The order of hands; `reduced`: α and T₀, empty without a reduced score."""

    rounds: int
    dealer_repeats: str
    moves: list[list[int]]
    reduced: list[float] = Field(max_length=2)


class SwitchShape(Schema):
    """A switch of the table."""

    key: str
    text: Bilingual
    on: bool


class PlayShape(Schema):
    """The table, matches and penalties of a book, as a draft writes them, with the words for every choice."""

    match: MatchShape
    repeats: list[WordedChoice]
    table: list[SwitchShape]
    faults: list[PenaltyShape]
    receivers: list[WordedChoice]


_HOUSE = "house rules as TOML; they name their own base book"


class DraftText(Schema):
    """A draft as a rules file."""

    house: str = Field(max_length=20_000, description=_HOUSE)


class FormulaText(DraftText):
    """A formula for a fan of a draft; `places`: it gives tiles, one for each place at which the fan holds."""

    when: str = Field(max_length=1000)
    places: bool = False


class FormulaAnswer(Schema):
    """A valid formula: its digest, the same however it is written, and the formula in Chinese and in English."""

    digest: str
    zh: str
    en: str


class DraftFindingShape(Schema):
    """Something to settle about a fan of a draft: never, always, equal, brings or clash, with another fan.

    `drops`: by the book's sentence the first is not counted with the second; empty: nothing is demanded.
    """

    kind: str
    fan: str
    other: str
    text: Bilingual
    drops: list[str]


class CheckAnswer(Schema):
    """All that is to settle about the fans of a draft, looked for in every hand of four states."""

    findings: list[DraftFindingShape]


class ResiduesRequest(DraftText):
    """Fans of a draft whose residues are to be proposed; none: those that the draft adds."""

    fans: list[Short] = Field(default=[], max_length=20)


class ResidueShape(Schema):
    """A proposed residue: `left` of the `groups` of fan `b` once fan `a` is counted; `now` is what the draft says."""

    a: str
    b: str
    left: int
    groups: int
    now: int
    why: Bilingual


class ResiduesAnswer(Schema):
    """Residues proposed from the conditions of fans."""

    found: list[ResidueShape]


class QuestionsRequest(DraftText):
    """Readings to tell apart: those of a ruling of the draft's book, or the draft and `other`, a rules file."""

    ruling: Short = ""
    other: str = Field("", max_length=20_000, description=_HOUSE)


class ReadingShape(Schema):
    """A reading: its name, and the option's choice that makes it, as TOML ("": another rules file makes it)."""

    label: Bilingual
    choice: str


class TellingHand(Schema):
    """A hand on which readings differ: points and fans under each; `keys` as a ruling in a rules file has it.

    `sets`: its tile sets among all hands; 0: not counted. `measure`: points towards the minimum, or all of them.
    """

    hand: HandShape
    points: list[int]
    fans: list[list[str]]
    sets: int
    measure: Literal["points", "total"]
    keys: dict[str, Any]


class QuestionsAnswer(Schema):
    """Hands that tell readings apart, in the order in which to ask; `option` is the one that the ruling hangs on.

    `alike`: the reason why no hand tells them apart, if that is so: then a reading is chosen without asking.
    """

    option: str
    question: Bilingual
    sentence: str
    alike: Bilingual | None
    readings: list[ReadingShape]
    questions: list[TellingHand]


class ExportAnswer(Schema):
    """A draft for a pull request: Python rows, and the changes for readers of the edition, in either language."""

    python: str
    changes: Bilingual


class FormulaWordShape(Schema):
    """A word of formulas: its names, its type (truth, number, tiles, ranks), its arguments, a line of help."""

    zh: str
    en: str
    gives: str
    takes: int
    help: Bilingual


class ColumnKind(Schema):
    """A column of a family that a draft may write for a fan: bool, int, str, names or value; may it be false?"""

    key: str
    head: Bilingual
    kind: str
    optional: bool


class WrittenRow(Schema):
    """A fan of a book as a draft would write it: its formula ("" if words cannot express it) and columns."""

    when: str
    of: int | str
    columns: dict[str, Any]


class WordsAnswer(Schema):
    """The words for formulas about a book, its rows as a draft writes them, its columns and, by fan, its groups."""

    words: list[FormulaWordShape]
    rows: dict[str, WrittenRow]
    columns: list[ColumnKind]
    residues: dict[str, int]
    fans: list[str]
    circumstances: list[str]
    states: list[StateShape]
    levels: list[LevelShape]
    play: PlayShape | None = Field(description="null for a book without rules of play")


class StateShape(Schema):
    """A state of hands by which a draft can be measured."""

    key: str
    text: Bilingual


class LevelShape(Schema):
    """A level of bots for duels; `heavy`: tables are built for it first."""

    key: str
    text: Bilingual
    heavy: bool
    group: LevelGroup


class DraftShape(Schema):
    """A valid rules file, parsed for a form."""

    base: str
    digest: str
    data: dict[str, Any]


WORKSHOP = (
    DraftText, FormulaText, FormulaAnswer, FormulaWordShape, WordsAnswer, StateShape, DraftShape, DraftFindingShape,
    CheckAnswer, ResiduesRequest, ResidueShape, ResiduesAnswer, ExportAnswer, QuestionsRequest, ReadingShape,
    TellingHand, QuestionsAnswer, ColumnKind, WrittenRow, LevelShape,
)  # fmt: skip
