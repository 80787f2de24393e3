"""Messages about reviews."""

from __future__ import annotations

from typing import Literal

from quepu.server.http.messages import Bilingual, Schema, Wind
from quepu.server.players.messages import RateShape

Grade = Literal["best", "good", "slip", "mistake", "blunder", "lost"]
MistakeKind = Literal["missed_win", "claim", "unpayable", "safety", "speed", "value"]


class MistakeShape(Schema):
    """The kind of a mistake, and its name."""

    kind: MistakeKind
    name: Bilingual


class MistakeCount(MistakeShape):
    """The number of mistakes of one kind."""

    count: int


class SeatReport(Schema):
    """A seat's report for a hand: graded decisions, the value they kept (0 to 1), a letter, mistakes.

    `cost`: average points lost by all its decisions; `kinds`: mistakes and blunders by kind.
    """

    seat: Wind
    player: int
    decisions: int
    share: float
    letter: Literal["A", "B", "C", "D", "-"]
    mistakes: int
    blunders: int
    cost: float
    kinds: list[MistakeCount]


class ReviewedHand(Schema):
    """A hand that is reviewed."""

    number: int
    seats: list[SeatReport]


class ReviewState(Schema):
    """Progress of a review. `before`: reviews that come first.

    While the state is `preparing`, tables of the rulebook are being built: `built` is the finished share (0 to 1), and
    `before` counts the books whose tables come first.
    """

    state: Literal["none", "waiting", "preparing", "running", "done", "canceled", "failed"]
    before: int
    built: float | None
    done: int
    total: int
    hands: list[ReviewedHand]
    error: Bilingual | None


class RatedChoice(Schema):
    """A possible choice. `share` is its value relative to the best one's, `missing` 1 for a ready hand.

    `chance` is how often such hands won in measured play, `expected` its average gain in points, `danger` the chance
    that another seat wins on its discard.
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
    expected: float
    danger: float


class ReviewChoice(RatedChoice):
    """The same choice in words."""

    text: Bilingual
    outlook: Bilingual


class ReviewAim(Schema):
    """A hand that can win: the tiles that must still come, the whole hand, its points, its value and fans in words."""

    tiles: list[str]
    hand: str
    points: int
    value: Bilingual
    fans: Bilingual


class ReviewSide(Schema):
    """A choice in detail: hands it leads to; and turn by turn the chances to be ready and to have won."""

    aims: list[ReviewAim]
    by_turn: list[list[float]]


class ReviewDecision(Schema):
    """A decision; `frame` is its frame in the hand, `choices` are best first, `chosen` is the one taken.

    `cost`: its average loss in points, with an 80% `interval`; `word` says if it is within
    the noise. `best` and `taken` (null if that was the best) have the details. `why` and
    `leads` explain the better choice in sentences, and the hands that both lead to.
    """

    frame: int
    seat: Wind
    kind: Literal["discard", "claim"]
    grade: Grade
    word: Bilingual
    mistake: MistakeShape | None
    loss: float
    cost: float
    interval: list[float] | None
    chosen: int | None
    choices: list[ReviewChoice]
    best: ReviewSide | None
    taken: ReviewSide | None
    why: Bilingual
    leads: Bilingual


class HandReview(ReviewedHand):
    """Every decision of a hand."""

    decisions: list[ReviewDecision]


class CostShape(Schema):
    """Points lost in a hand: a mean of `of` values with its 95% interval (null: one value has no spread)."""

    of: int
    mean: float
    low: float | None
    high: float | None


class MistakeSum(MistakeCount):
    """Mistakes of one kind: how many, and their total cost in points."""

    cost: float


class CostlyDecision(Schema):
    """A costly mistake: the replay, the number of its hand, the frame in the hand, the seat."""

    cost: float
    at: str
    hand: int
    frame: int
    seat: Wind
    kind: MistakeKind
    name: Bilingual
    why: Bilingual


class ReviewedMatch(Schema):
    """A match on a player's trend; `cost` are points lost per hand."""

    when: float
    at: str
    hands: int
    decisions: int
    mistakes: int
    cost: CostShape


class UnreviewedMatch(Schema):
    """A match of the player that has not been reviewed."""

    id: str
    title: str
    when: float


class BookMistakes(Schema):
    """Mistakes under one book: the rate of mistakes and blunders, points lost per hand, the costliest five."""

    book: str
    title: Bilingual
    matches: int
    hands: int
    decisions: int
    mistakes: int
    blunders: int
    share: float
    rate: RateShape
    cost: CostShape
    kinds: list[MistakeSum]
    worst: list[CostlyDecision]
    curve: list[ReviewedMatch]


class PlayerMistakes(Schema):
    """A player's mistakes found by reviews, by book (points of different books do not add up).

    `name` is empty if no replay has the player.
    """

    name: str
    books: list[BookMistakes]
    unreviewed: list[UnreviewedMatch]


REVIEWS: tuple[type[Schema], ...] = (ReviewState, HandReview, PlayerMistakes)
