"""Messages of the workshop: a draft, the words of formulas, and the effects of a draft."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from quepu.bots.protocol import LevelGroup
from quepu.server.books.messages import EditionChanges
from quepu.server.hands.messages import HandShape, Named
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


class EffectsRequest(DraftText):
    """A draft, and the state of the hands by which it is measured."""

    state: Short = "closed-discard"


class FindRequest(EffectsRequest):
    """A wanted hand: fans it has, fans it does not have, least points, and a hand to be near."""

    fans: list[Short] = Field(default=[], max_length=20)
    without: list[Short] = Field(default=[], max_length=20)
    least: int = Field(0, ge=0, le=1_000_000)
    near: str = Field("", max_length=200)
    number: int = Field(8, ge=1, le=30)


class FoundHandShape(Schema):
    """A found hand: its points and fans; how many there are (null if near a hand), tiles to give and to get."""

    hand: HandShape
    points: int
    fans: list[str]
    hands: int | None
    out: str
    into: str


class FindAnswer(Schema):
    """The number of matching winning hands (0: none); `away`: tiles that the nearest still needs."""

    hands: int
    away: int | None
    found: list[FoundHandShape]


class SuggestRequest(EffectsRequest):
    """A law for values to fit: bits, mean, rare; its fan and number."""

    law: Short = "bits"
    fan: Short = ""
    wanted: float | None = None


class ChangeShape(Schema):
    """A value to change, or the minimum if no fan is named."""

    fan: str
    new: dict[str, int]
    text: Bilingual


class SuggestionShape(Schema):
    """Changes made together, and their effect."""

    changes: list[ChangeShape]
    measure: float
    mean: float
    payable: float


class SuggestAnswer(Schema):
    """The current measure of the draft, and suggestions, the one with the fewest changes first."""

    measure: Bilingual
    today: SuggestionShape
    found: list[SuggestionShape]


class DuelSums(Schema):
    """Sums over walls: six integers per measure, and the wins with each fan, before and after."""

    walls: int = Field(ge=0, le=10**6)
    sums: dict[Short, list[Annotated[int, Field(ge=-(10**15), le=10**15)]]] = Field(max_length=20)
    fans: list[dict[Short, Annotated[int, Field(ge=0, le=10**9)]]] = Field(min_length=2, max_length=2)


class DuelRequest(DraftText):
    """A draft to be played against its book: the bots' level, the seed of the walls, how many, and the state so far."""

    level: Short = "plain"
    seed: int = Field(1, ge=0, le=2**30)
    walls: int = Field(200, ge=1, le=20_000)
    so_far: DuelSums | None = None


class DuelMeasure(Schema):
    """A measure per hand before and after, their difference and its standard error."""

    key: str
    text: Bilingual
    old: float
    new: float
    difference: float
    error: float


class DuelFan(Schema):
    """A fan's share of the wins before and after, and the error bound of the difference."""

    name: str
    old: int
    new: int
    old_share: float
    new_share: float
    error: float


class DuelAnswer(Schema):
    """The next part of a duel. `prepared`: the finished share of the bots' tables; walls are played once it is 1."""

    prepared: float
    so_far: DuelSums
    measures: list[DuelMeasure]
    fans: list[DuelFan]


class FormulaText(DraftText):
    """A formula for a fan of a draft; `places`: it gives tiles, one for each place at which the fan holds."""

    when: str = Field(max_length=1000)
    places: bool = False


class FormulaAnswer(Schema):
    """A valid formula: its digest, the same however it is written, and the formula in Chinese and in English."""

    digest: str
    zh: str
    en: str


class FormulaHandsRequest(EffectsRequest):
    """A formula, to be asked about every hand of a state."""

    when: str = Field(max_length=1000)


class FormulaHandsAnswer(Schema):
    """Ways to take a standard hand apart in which a formula holds, out of all; some hands, and hands that nearly do."""

    readings: int
    of: int
    matches: list[HandShape]
    near: list[HandShape]


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


class MoveShape(Schema):
    """Hands that change in one way, and their share of tile sets."""

    hands: int
    share: float


class EffectsSummary(Schema):
    """Points of all hands of a state, each before and after."""

    mean: list[float]
    median: list[int]
    payable: list[float]
    payable_mean: list[float | None]
    most: list[int]
    hands: int
    moves: dict[str, MoveShape]


class FanEffect(Named):
    """A fan before and after, null if a book does not have it. `standing`: counts, redundant or impossible here."""

    value: list[dict[str, int] | None]
    hands: list[int | None]
    share: list[float | None]
    bits: list[float | None]
    least: list[int | None]
    most: list[int | None]
    standing: list[str | None]
    changed: int


class RelationEffects(Schema):
    """Stated relations that differ from the actual ones: [fan, other, kind], new with the draft and resolved by it."""

    new: list[list[str]]
    gone: list[list[str]]


class CalibrationShape(Schema):
    """Fans by bits and least value: [name, bits, value]; the line as slope, intercept, R², s.d."""

    scale: Bilingual
    fans: list[list[Any]]
    line: list[float] | None = None


class ChangedHand(Schema):
    """A kind of hand whose points change, with its fans before and after."""

    hand: HandShape
    points: list[int]
    hands: int
    fans: list[str]


class AddedFan(Schema):
    """A new fan: hands in which it holds, and near misses."""

    name: str
    matches: list[HandShape]
    near: list[HandShape]


class EffectsAnswer(Schema):
    """All effects of a draft on the hands of a state. `points`: [points, share before, share after]."""

    digests: list[str]
    state: str
    minimum: list[int]
    summary: EffectsSummary
    points: list[list[float]]
    fans: list[FanEffect]
    relations: RelationEffects
    calibration: list[CalibrationShape]
    hands: list[ChangedHand]
    changes: EditionChanges
    added: list[AddedFan]
    findings: list[DraftFindingShape]


WORKSHOP = (
    DraftText, EffectsRequest, FormulaText, FormulaAnswer, FormulaWordShape, WordsAnswer, StateShape, DraftShape,
    MoveShape, EffectsSummary, FanEffect, RelationEffects, CalibrationShape, ChangedHand, AddedFan,
    EffectsAnswer, FindRequest, FoundHandShape, FindAnswer, SuggestRequest, ChangeShape, SuggestionShape,
    SuggestAnswer, FormulaHandsRequest, FormulaHandsAnswer, DraftFindingShape, CheckAnswer, ResiduesRequest,
    ResidueShape, ResiduesAnswer, ExportAnswer, QuestionsRequest, ReadingShape, TellingHand, QuestionsAnswer,
    ColumnKind, WrittenRow, LevelShape, DuelSums, DuelRequest, DuelMeasure, DuelFan, DuelAnswer,
)  # fmt: skip
