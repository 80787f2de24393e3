"""The shapes of reviews."""

from __future__ import annotations

from typing import Literal

from quepu.server.http.messages import Bilingual, Schema, Wind

Grade = Literal["best", "good", "slip", "mistake", "blunder", "lost"]


class SeatReport(Schema):
    """How a seat played a hand: decisions that could be graded, what they kept (0 to 1), a letter, what went wrong."""

    seat: Wind
    player: int
    decisions: int
    share: float
    letter: Literal["A", "B", "C", "D", "-"]
    mistakes: int
    blunders: int


class ReviewedHand(Schema):
    """A hand that is reviewed."""

    number: int
    seats: list[SeatReport]


class ReviewState(Schema):
    """How far a review is. `before`: reviews that come first.

    While the state is `preparing`, tables of the rulebook are being built: `built` is their share (0 to 1), and
    `before` the books whose tables come first.
    """

    state: Literal["none", "waiting", "preparing", "running", "done", "canceled", "failed"]
    before: int
    built: float | None
    done: int
    total: int
    hands: list[ReviewedHand]
    error: Bilingual | None


class RatedChoice(Schema):
    """What could be done. `share` is its value as a part of the best one's, `missing` 1 for a hand that is ready.

    `chance` is how often such hands won in measured play.
    """

    do: str
    tile: str | None
    low: str | None
    then: str | None
    share: float
    missing: int | None
    useful: list[str]
    left: int
    reach: float
    points: int | None
    chance: float


class ReviewChoice(RatedChoice):
    """The same in words."""

    text: Bilingual
    outlook: Bilingual


class ReviewDecision(Schema):
    """A decision; `frame` is its picture in the hand, `choices` are the best first, `chosen` is which one was said."""

    frame: int
    seat: Wind
    kind: Literal["discard", "claim"]
    grade: Grade
    word: Bilingual
    loss: float
    chosen: int | None
    choices: list[ReviewChoice]
    why: Bilingual


class HandReview(ReviewedHand):
    """Every decision of a hand."""

    decisions: list[ReviewDecision]


REVIEWS: tuple[type[Schema], ...] = (ReviewState, HandReview)
