"""Who pays whom after one hand, in words: the settlement of the book's own table rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter

import quepu
from quepu.circumstances import wind
from quepu.errors import HandError
from quepu.hand import Hand, Luck, MeldKind
from quepu.play_rules import POOL, SEATS, Ending, Payment, play_rules
from quepu.server.hands_api import book_of
from quepu.server.messages import PayAnswer, PayRequest, Refused
from quepu.server.speaking import Plain
from quepu.tiles import EAST, WINDS

routes = APIRouter(prefix="/api", tags=["hands"], responses={400: {"model": Refused}, 422: {"model": Refused}})

_AROUND = {"left": -1, "across": 2, "right": 1}
"""Where 上家, 对家 and 下家 sit, in seats from the winner's."""


@routes.post("/pay", response_model=PayAnswer)
def pay(asked: PayRequest) -> Plain:
    """Settle one winning hand among four seats."""
    book = book_of(asked.rules, asked.house)
    score = quepu.score(
        asked.hand,
        book,
        seat=asked.seat,
        round=asked.round,
        self_draw=asked.self_draw,
        circumstances=asked.circumstances,
        flowers=asked.flowers,
    )
    winner = score.hand.seat - EAST
    discarder = None if asked.discarder is None else wind(asked.discarder) - EAST
    if (discarder is None) != score.hand.self_draw or discarder == winner:
        raise HandError(
            "点和要说是谁放的，自摸则没有放铳的人。", "say who discarded; after a self-draw there is nobody."
        )
    rules = play_rules(book)
    ready = tuple(asked.ready[i] if rules.ready_value and i != winner else None for i in range(SEATS))
    ending = Ending(
        winner=winner,
        points=score.total,
        self_draw=score.hand.self_draw,
        discarder=discarder,
        robbed=bool(score.hand.luck & Luck.ROBBED_KONG),
        supplied=supplied(score.hand, asked.givers, winner, discarder),
        ready=(ready[0], ready[1], ready[2], ready[3]),
        luck=int(score.hand.luck),
        score=score,
    )
    return Plain(paid(rules.settle(ending, book), zero_sum=rules.zero_sum, asks_ready=rules.ready_value is not None))


def supplied(hand: Hand, givers: Sequence[str | None], winner: int, discarder: int | None) -> tuple[int, int, int, int]:
    """How many tiles each seat gave the winner; a chow comes from 上家, as does whatever nobody told about."""
    counts = [0] * SEATS
    for i, meld in enumerate(hand.melds):
        if meld.kind is not MeldKind.CONCEALED_KONG:
            told = givers[i] if i < len(givers) and meld.kind is not MeldKind.CHOW else None
            counts[(winner + _AROUND[told or "left"]) % SEATS] += 1
    if discarder is not None:
        counts[discarder] += 1
    return counts[0], counts[1], counts[2], counts[3]


def paid(payments: tuple[Payment, ...], *, zero_sum: bool, asks_ready: bool) -> dict[str, Any]:
    """Payments as plain data: each flow, and what each seat and the pool are left with."""
    totals = [0] * (SEATS + 1)
    for payment in payments:
        totals[payment.payer] -= payment.points
        totals[payment.payee] += payment.points
    name = (*WINDS, "pool")
    return {
        "payments": [
            {"payer": name[p.payer], "payee": name[p.payee], "points": p.points, "why": p.why._asdict()}
            for p in payments
        ],
        "totals": dict(zip(WINDS, totals, strict=False)),
        "pool": totals[POOL],
        "zero_sum": zero_sum,
        "asks_ready": asks_ready,
    }
