"""Payments after one hand, in words: the settlement of the book's own table rules."""

from __future__ import annotations

from fastapi import APIRouter

import quepu
from quepu.errors import HandError
from quepu.rulebooks.house_rules import book_of
from quepu.rules.winds_and_flowers import wind
from quepu.server.http.messages import Refused
from quepu.server.http.responses import Plain
from quepu.server.payments.messages import PayRequest, SettledWin
from quepu.server.payments.settlement import settled
from quepu.tiles import EAST

routes = APIRouter(prefix="/api", tags=["hands"], responses={400: {"model": Refused}, 422: {"model": Refused}})


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
        raise HandError("点和须写明谁放铳；自摸则不写。", "say who discarded; after a self-draw there is nobody.")
    return Plain(settled(score, discarder, body.givers, body.ready))
