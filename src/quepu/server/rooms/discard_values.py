"""Values of each discard of fourteen tiles for the calculator, computed like hints, in their process."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request

import quepu
from quepu.hands.notation import tiles
from quepu.rulebooks.house_rules import book_of
from quepu.rules.circumstances import situate
from quepu.scoring.waits import mark_winning
from quepu.server.budget import Asker
from quepu.server.hands.messages import WaitsRequest
from quepu.server.http.messages import Schema
from quepu.server.http.responses import Lang, Plain, refusals
from quepu.server.rooms.hints import MOST_SHOWN, choice_shape
from quepu.server.rooms.registry import RoomRegistry
from quepu.server.rooms.socket_messages import AimShape, HintChoice

routes = APIRouter(prefix="/api", tags=["hands"], responses=refusals(400, 422))


class ValuedDiscards(Schema):
    """The best discards, hands that the best one leads to, and a sentence; empty if the hand does not have 14 tiles.

    `preparing`: tables of the rulebook are being built; ask again later.
    """

    preparing: bool
    choices: list[HintChoice]
    aims: list[AimShape]
    text: str


VALUES: tuple[type[Schema], ...] = (ValuedDiscards,)


@routes.post("/discard-values", response_model=ValuedDiscards)
async def discard_values(body: WaitsRequest, request: Request, asker: Asker, lang: Lang) -> Plain:
    """Value each discard of fourteen tiles like a hint at the table."""
    rooms: RoomRegistry = request.app.state.rooms
    await asyncio.to_thread(book_of, body.rules, body.house)  # built and cached
    if not rooms.preparation.is_ready(body.rules, body.house):
        rooms.preparation.want(body.rules, body.house, asker)
        return Plain({"preparing": True, "choices": [], "aims": [], "text": ""})
    if not rooms.hints.has_begun():
        rooms.hints.begin()
        return Plain({"preparing": True, "choices": [], "aims": [], "text": ""})
    found = await rooms.hints.run(asker, values, body, lang)
    if found["preparing"]:
        rooms.preparation.report_missing(body.rules, body.house)
        rooms.preparation.want(body.rules, body.house, asker)
    return Plain(found)


def values(body: WaitsRequest, lang: str) -> dict[str, Any]:
    """Return the answer, in another process; tables are not built here: those of house rules may have been removed."""
    from quepu.bots.payable_bot import payable
    from quepu.review.aimed_hands import aims
    from quepu.review.choice_words import advice
    from quepu.review.valuation import eye_of, rate_hand

    book = book_of(body.rules, body.house)
    if not payable(book).ready():
        return {"preparing": True, "choices": [], "aims": [], "text": ""}
    hand = situate(mark_winning(quepu.parse(body.hand)), book, seat=body.seat, round=body.round)
    seen = tuple(tiles(body.seen))
    held = [*hand.concealed, *([] if hand.winning is None else [hand.winning])]
    if len(held) % 3 != 2:
        return {"preparing": False, "choices": [], "aims": [], "text": ""}
    found = rate_hand(hand, book, seen)
    led = []
    if not found.lost:
        held.remove(found.choices[0].action.tile_kind)
        led = aims(eye_of(hand, book, seen), held, hand.melds)
    return {
        "preparing": False,
        "choices": [choice_shape(choice, lang) for choice in found.choices[:MOST_SHOWN]],
        "aims": [aim.to_json(lang) for aim in led],
        "text": advice(found).say(lang),
    }
