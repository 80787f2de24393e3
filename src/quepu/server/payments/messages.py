"""The shapes of payments: what decides who pays whom, and every flow with its reason."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from quepu.scorekeeper.records import Giver
from quepu.server.hands.messages import ExplainedScore, ScoreRequest, WinRequest
from quepu.server.http.messages import Bilingual, Schema, Short, Wind


class PayRequest(ScoreRequest):
    """A winning hand, and what decides who pays: who discarded, who gave the melds, what other hands are worth.

    `givers` goes with the melds of the hand in order; `ready` has one entry a seat E S W N, null for not ready, and
    is looked at only in books that pay every ready hand.
    """

    discarder: Short | None = None
    givers: list[Giver | None] = Field(default=[], max_length=4)
    ready: list[Annotated[int, Field(ge=0, le=100_000)] | None] = Field(
        default=[None, None, None, None], min_length=4, max_length=4
    )


class PaymentShape(Schema):
    """One flow with its reason; payer and payee are winds, or "pool"."""

    payer: Wind | Literal["pool"]
    payee: Wind | Literal["pool"]
    points: int
    why: Bilingual


class SettledHand(Schema):
    """Payments of a hand, and what all four and the pool gain; by seat, in a scorekeeper's record by player."""

    payments: list[PaymentShape]
    gains: list[int]
    pool: int


class EndOfHand(SettledHand):
    """The end of a hand, at a table and in a replay. `won` is null where no tile won, `score` where nobody did."""

    winner: Wind | None
    discarder: Wind | None
    self_draw: bool
    robbed: bool
    won: WinRequest | None
    score: dict[Literal["zh", "en"], ExplainedScore] | None


class SettledWin(SettledHand):
    """Payments of a win, and whether the book has them sum to 0 and asks what other ready hands are worth."""

    zero_sum: bool
    needs_ready: bool


PAYMENTS: tuple[type[Schema], ...] = (PayRequest, SettledHand, EndOfHand, SettledWin)
