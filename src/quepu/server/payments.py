"""Payments over HTTP: the settlement of a win by the book's own table rules, its messages, and the route."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import Field

import quepu
from quepu.errors import HandError, Text
from quepu.hands.hand import Luck
from quepu.json_lines.answers import request_of
from quepu.match.settle import Settlement, add_up
from quepu.rulebooks.house_rules import book_of
from quepu.rules.play_rules import SEATS, Ending, Payment, PlayRules, SeatWin, play_rules
from quepu.rules.rulebook import Rulebook
from quepu.rules.winds_and_flowers import wind
from quepu.scorekeeper.records import Giver
from quepu.scorekeeper.supply import as_before
from quepu.scoring.score import Score
from quepu.server.hands.messages import ExplainedScore, ScoreRequest, WinRequest
from quepu.server.http.messages import Bilingual, Schema, Short, Wind
from quepu.server.http.responses import Plain, refusals
from quepu.table.open_melds import OpenMeld
from quepu.tiles import EAST, WINDS


class PayRequest(ScoreRequest):
    """A winning hand, and the facts that decide who pays: discarder, givers of melds, values of other hands.

    `givers` goes with the melds of the hand in order; `ready` has one entry a seat E S W N, null for not ready, and is
    used only in books that pay every ready hand.
    """

    discarder: Short | None = None
    givers: list[Giver | None] = Field(default=[], max_length=4)
    ready: list[Annotated[int, Field(ge=0, le=100_000)] | None] = Field(
        default=[None, None, None, None], min_length=4, max_length=4
    )


class PaymentShape(Schema):
    """One payment with its reason; payer and payee are winds, or "pool"."""

    payer: Wind | Literal["pool"]
    payee: Wind | Literal["pool"]
    points: int
    why: Bilingual


class SettledHand(Schema):
    """Payments of a hand, and the net of all four and the pool; by seat, in a scorekeeper's record by player."""

    payments: list[PaymentShape]
    gains: list[int]
    pool: int


class FurtherWin(Schema):
    """A further winner of the same tile: the seat, the points, and the hand as in `EndOfHand`."""

    winner: Wind
    points: int
    won: WinRequest | None
    score: dict[Literal["zh", "en"], ExplainedScore] | None


class EndOfHand(SettledHand):
    """The end of a hand, at a table and in a replay. `won` is null if no tile won, `score` if no player did.

    `also` lists the other winners of the same tile, where the rules allow several.
    """

    winner: Wind | None
    discarder: Wind | None
    self_draw: bool
    robbed: bool
    won: WinRequest | None
    score: dict[Literal["zh", "en"], ExplainedScore] | None
    also: list[FurtherWin]


class SettledWin(SettledHand):
    """Payments of a win, and whether the book has them sum to 0 and asks for other ready hands' values."""

    zero_sum: bool
    needs_ready: bool


PAYMENTS: tuple[type[Schema], ...] = (PayRequest, SettledHand, FurtherWin, EndOfHand, SettledWin)


_NOT_READY: tuple[int | None, ...] = (None,) * SEATS


def settle_win(
    score: Score, discarder: int | None, givers: Sequence[str | None] = (), ready: Sequence[int | None] = _NOT_READY
) -> dict[str, Any]:
    """Settle a win. `ready` is used only in books that pay every ready hand.

    A meld without a giver counts as claimed from 上家, as it is drawn.
    """
    rules = play_rules(score.book)
    winner = score.hand.seat - EAST
    values = tuple(ready[i] if rules.ready_value and i != winner else None for i in range(SEATS))
    supplied = as_before(score.hand, givers, winner, discarder)
    ending = Ending(
        (SeatWin(winner, score.total, supplied, int(score.hand.luck), score),),
        self_draw=score.hand.self_draw,
        discarder=discarder,
        robbed=bool(score.hand.luck & Luck.ROBBED_KONG),
        ready=(values[0], values[1], values[2], values[3]),
    )
    return encode_payments(rules.settle(ending, score.book), rules)


def encode_payments(payments: Sequence[Payment], rules: PlayRules) -> dict[str, Any]:
    """Return payments as plain data: each payment, and the net of each seat and the pool (`SettledWin`)."""
    found = add_up(payments, zero_sum=False)
    return {
        "payments": flows(payments),
        "gains": list(found.seats),
        "pool": found.pool,
        "zero_sum": rules.zero_sum,
        "needs_ready": rules.ready_value is not None,
    }


def end_of_hand(
    ending: Ending, settled: Settlement, book: Rulebook, melds: Sequence[Sequence[OpenMeld]]
) -> dict[str, Any]:
    """Return the end of a hand as plain data (`EndOfHand`). `melds` are those of each seat as they are on the table."""
    first = ending.first
    return {
        "winner": None if first is None else WINDS[first.seat],
        "discarder": None if ending.discarder is None else WINDS[ending.discarder],
        "self_draw": ending.self_draw,
        "robbed": ending.robbed,
        "won": None if first is None else won_hand(first.score, book, melds[first.seat]),
        "score": None if first is None else _explain(first.score),
        "also": [
            {
                "winner": WINDS[win.seat],
                "points": win.points,
                "won": won_hand(win.score, book, melds[win.seat]),
                "score": _explain(win.score),
            }
            for win in ending.winners[1:]
        ],
        "payments": flows(settled.payments),
        "gains": list(settled.seats),
        "pool": settled.pool,
    }


def _explain(score: Score | None) -> dict[str, Any] | None:
    return None if score is None else {lang: score.to_json(explain=True, lang=lang) for lang in ("zh", "en")}


def flows(payments: Iterable[tuple[int, int, int, Text]]) -> list[dict[str, Any]]:
    """Return each payment with its reason; payer and payee are winds, or "pool"."""
    name = (*WINDS, "pool")
    return [
        {"payer": name[payer], "payee": name[payee], "points": points, "why": why._asdict()}
        for payer, payee, points, why in payments
    ]


_GIVERS = "-RAL"


def won_hand(score: Score | None, book: Rulebook, sets: Sequence[OpenMeld]) -> dict[str, Any] | None:
    """Return the request to `quepu.json_lines.answers` for this score, or None if it is not a win on a tile.

    `sets` are the winner's melds as they lie on the table, in the order of the hand's.
    """
    if score is None or score.hand.winning is None:
        return None
    hand = score.hand
    counted = book.counts_flowers  # a table may use flowers that its book ignores
    request = request_of(hand, book)
    if not counted or not isinstance(request["flowers"], list):
        request["flowers"] = []
    seat = hand.seat - EAST
    return request | {
        "givers": "".join("-" if one.source is None else _GIVERS[(one.source - seat) % 4] for one in sets)
    }


routes = APIRouter(prefix="/api", tags=["hands"], responses=refusals(400, 422))


@routes.post("/pay", response_model=SettledWin)
def pay(body: PayRequest) -> Plain:
    """Settle one winning hand among four seats."""
    book = book_of(body.rules, body.house)
    score = quepu.score(
        body.hand,
        book,
        seat=body.seat,
        round=body.round,
        self_draw=body.self_draw,
        circumstances=body.circumstances,
        flowers=body.flowers,
    )
    winner = score.hand.seat - EAST
    discarder = None if body.discarder is None else wind(body.discarder) - EAST
    if (discarder is None) != score.hand.self_draw or discarder == winner:
        raise HandError("点和须写明谁放铳；自摸则不写。", "say who discarded; leave it out after a self-draw.")
    return Plain(settle_win(score, discarder, body.givers, body.ready))
