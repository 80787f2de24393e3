"""Messages of what a draft changes: points of all hands, matching hands, fitted values, and duels of bots."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from quepu.server.books.messages import EditionChanges
from quepu.server.hands.messages import HandShape, Named
from quepu.server.http.messages import Bilingual, Schema, Short
from quepu.server.workshop.messages import DraftFindingShape, DraftText


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


class FormulaHandsRequest(EffectsRequest):
    """A formula, to be asked about every hand of a state."""

    when: str = Field(max_length=1000)


class FormulaHandsAnswer(Schema):
    """Ways to take a standard hand apart in which a formula holds, out of all; some hands, and hands that nearly do."""

    readings: int
    of: int
    matches: list[HandShape]
    near: list[HandShape]


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


EFFECTS = (
    EffectsRequest, MoveShape, EffectsSummary, FanEffect, RelationEffects, CalibrationShape, ChangedHand, AddedFan,
    EffectsAnswer, FindRequest, FoundHandShape, FindAnswer, SuggestRequest, ChangeShape, SuggestionShape, SuggestAnswer,
    FormulaHandsRequest, FormulaHandsAnswer, DuelSums, DuelRequest, DuelMeasure, DuelFan, DuelAnswer,
)  # fmt: skip
