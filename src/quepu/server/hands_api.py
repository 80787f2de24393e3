"""Asking about hands: read, score, waits, and which circumstances fit."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fastapi import APIRouter

import quepu
from quepu import overlay
from quepu.circumstances import situate
from quepu.errors import Error, HandError
from quepu.exchange import score_object
from quepu.hand import Luck
from quepu.notation import parse_part, tiles, tiles_text
from quepu.rulebook import Rulebook
from quepu.server.book_messages import BookBrief
from quepu.server.hand_messages import (
    CircumstanceState,
    ExplainedScore,
    HandShape,
    HandText,
    HouseText,
    ScoreAnswer,
    ScoreRequest,
    TilesShape,
    TilesText,
    WaitsAnswer,
    WaitsRequest,
)
from quepu.server.messages import Refused
from quepu.server.shapes import book_brief, hand_shape
from quepu.server.speaking import Lang, Plain
from quepu.tiles import CHINESE, NAMES
from quepu.waiting import Outlook

COPIES = 4

routes = APIRouter(prefix="/api", tags=["hands"], responses={400: {"model": Refused}, 422: {"model": Refused}})


@lru_cache(maxsize=64)
def _house(text: str) -> Rulebook:
    return overlay.read(text)


def book_of(rules: str, house: str) -> Rulebook:
    """The rulebook asked about: by name, or made by house rules.

    Raises:
        UnknownName: no such book.
        OverlayError: the house rules cannot be applied.
    """
    return _house(house) if house.strip() else quepu.book(rules)


@routes.post("/house", response_model=BookBrief)
def house(asked: HouseText) -> Plain:
    """The rulebook that house rules make, or the sentence with the line that is wrong."""
    return Plain(book_brief(overlay.read(asked.house)).model_dump())


@routes.post("/hand", response_model=HandShape)
def read_hand(asked: HandText) -> Plain:
    """Take a hand's text apart. The hand may be unfinished: any number of tiles that a hand could grow from."""
    return Plain(hand_shape(parse_part(asked.hand)).model_dump())


@routes.post("/tiles", response_model=TilesShape)
def read_tiles(asked: TilesText) -> Plain:
    """Read tiles that lie open somewhere (rivers, melds of others): no copy is in two places."""
    kinds = sorted(tiles(asked.tiles))
    for kind in set(kinds):
        if kinds.count(kind) > COPIES:
            raise HandError(
                f"桌上见到 {kinds.count(kind)} 张{CHINESE[kind]}，一副牌只有 {COPIES} 张。",
                f"{kinds.count(kind)} copies of {NAMES[kind]} are seen; there are only {COPIES}.",
            )
    return Plain({"text": tiles_text(kinds), "tiles": [NAMES[kind] for kind in kinds]})


@routes.post("/score", response_model=ExplainedScore | ScoreAnswer)
def score(asked: ScoreRequest, lang: Lang, explain: bool = False) -> Plain:
    """Score a hand, exactly as `quepu score --jsonl` does; `explain=true` adds the reasons."""
    given = asked.model_dump(exclude={"house", "rules"})
    answer = score_object(given, book_of(asked.rules, asked.house), explain=explain, lang=lang)
    return Plain(answer, status_code=200 if answer["valid"] else 400)


@routes.post("/waits", response_model=WaitsAnswer)
def waits(asked: WaitsRequest, lang: Lang) -> Plain:
    """What 13 tiles wait for, or what each discard of 14 would wait for."""
    given = asked.model_dump(exclude={"hand", "rules", "house"})
    found = quepu.waits(asked.hand, book_of(asked.rules, asked.house), **given)
    answer: dict[str, Any] = {"outlook": None, "choices": None}
    if isinstance(found, Outlook):
        answer["outlook"] = found.to_json(lang)
    else:
        answer["choices"] = [choice.to_json(lang) for choice in found]
    return Plain(answer)


@routes.post("/circumstances", response_model=list[CircumstanceState])
def circumstances(asked: ScoreRequest, lang: Lang) -> Plain:
    """Each circumstance of the book beside those already given: whether it fits this hand, or why not."""
    book = book_of(asked.rules, asked.house)
    hand = parse_part(asked.hand)
    states = []
    for name, bits in book.circumstances.items():
        why = None
        given = [*(other for other in asked.circumstances if other != name), name]
        drawn = asked.self_draw
        try:
            situate(hand, book, seat=asked.seat, round=asked.round, self_draw=drawn, circumstances=given)
        except Error as error:
            why = error.say(lang)
        needs = bool(bits & Luck.SELF_DRAW)
        states.append(CircumstanceState(name=name, possible=why is None, why=why, self_draw=needs).model_dump())
    return Plain(states)
