"""Requests about hands: read, score, waits, and possible circumstances."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool

import quepu
from quepu.errors import Error, HandError
from quepu.hands.hand import Luck
from quepu.hands.notation import find_last_written, parse_part, tiles, tiles_text
from quepu.json_lines.answers import score_object
from quepu.rulebooks import house_rules as overlay
from quepu.rulebooks.house_rules import book_of
from quepu.rules.circumstances import english_names, situate
from quepu.scoring.waits import mark_winning
from quepu.server.books.messages import BookBrief
from quepu.server.budget import Asker
from quepu.server.hands.messages import (
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
from quepu.server.http.rendering import book_brief, hand_shape
from quepu.server.http.responses import Lang, Plain, refusals
from quepu.server.work.pool import Work
from quepu.tiles import NAMES, SIMPLIFIED

COPIES = 4

routes = APIRouter(prefix="/api", tags=["hands"], responses=refusals(400, 422))


@routes.post("/house", response_model=BookBrief)
async def house(body: HouseText, work: Work, asker: Asker) -> Plain:
    """Return the rulebook of house rules, or the error with its line."""
    return Plain(await work.run(asker, _house, body.house))


def _house(text: str) -> dict[str, Any]:
    return book_brief(overlay.read(text)).model_dump()


@routes.post("/hand", response_model=HandShape)
def read_hand(body: HandText) -> Plain:
    """Parse a hand's text. The hand may be unfinished, with any number of tiles that a hand could grow from."""
    return Plain(hand_shape(parse_part(body.hand)).model_dump())


@routes.post("/tiles", response_model=TilesShape)
def read_tiles(body: TilesText) -> Plain:
    """Read visible tiles (rivers, others' melds); each copy is in one place."""
    kinds = sorted(tiles(body.tiles))
    for kind in set(kinds):
        if kinds.count(kind) > COPIES:
            raise HandError(
                f"桌上见到 {kinds.count(kind)} 张{SIMPLIFIED[kind]}，一副牌只有 {COPIES} 张。",
                f"{kinds.count(kind)} copies of {NAMES[kind]} are seen; there are only {COPIES}.",
            )
    return Plain({"text": tiles_text(kinds), "tiles": [NAMES[kind] for kind in kinds]})


@routes.post("/score", response_model=ExplainedScore | ScoreAnswer)
async def score(body: ScoreRequest, work: Work, asker: Asker, lang: Lang, explain: bool = False) -> Plain:
    """Score a hand exactly like `quepu score --jsonl`; `explain=true` adds the reasons."""
    if body.house.strip():
        answer = await work.run(asker, score_request, body, lang, explain)
    else:  # about a millisecond; a longer one yields to others
        answer = await run_in_threadpool(score_request, body, lang, explain)
    return Plain(answer, status_code=200 if answer["valid"] else 400)


def score_request(body: ScoreRequest, lang: str, explain: bool) -> dict[str, Any]:
    """Return the score of a request's hand, or why it has none."""
    given = body.model_dump(exclude={"house", "rules"})
    return score_object(given, book_of(body.rules, body.house), explain=explain, lang=lang)


@routes.post("/waits", response_model=WaitsAnswer)
async def waits(body: WaitsRequest, work: Work, asker: Asker, lang: Lang) -> Plain:
    """Return the waits of 13 tiles, or the waits after each discard of 14."""
    return Plain(await work.run(asker, find_waits, body, lang))


def find_waits(body: WaitsRequest, lang: str) -> dict[str, Any]:
    """Return the waits of 13 tiles, or the result of each discard of 14."""
    given = body.model_dump(exclude={"hand", "rules", "house"})
    book = book_of(body.rules, body.house)
    answer: dict[str, Any] = {"outlook": None, "choices": None, "completion": None}
    written = quepu.parse(body.hand)
    if mark_winning(written).winning is None:
        answer["outlook"] = quepu.waits(body.hand, book, **given).to_json(lang)
    else:
        answer["choices"] = [choice.to_json(lang) for choice in quepu.discards(body.hand, book, **given)]
        if written.winning is None:
            del given["seen"]  # visible tiles do not matter for a tile that is held
            answer["completion"] = quepu.completion(body.hand, book, **given).to_json(lang)
            last = find_last_written(body.hand)
            answer["completion"]["last"] = None if last is None else NAMES[last]
    return answer


@routes.post("/circumstances", response_model=list[CircumstanceState])
def circumstances(body: ScoreRequest, lang: Lang) -> Plain:
    """Return, for each circumstance of the book, whether it fits this hand and the given ones, or why not."""
    book = book_of(body.rules, body.house)
    hand = parse_part(body.hand)
    states = []
    english = english_names(book)
    for name, bits in book.circumstances.items():
        why = None
        given = [*(other for other in body.circumstances if other != name), name]
        drawn = body.self_draw
        try:
            situate(hand, book, seat=body.seat, round=body.round, self_draw=drawn, circumstances=given)
        except Error as error:
            why = error.say(lang)
        needs = bool(bits & Luck.SELF_DRAW)
        state = CircumstanceState(
            name=name, english=english.get(name, ""), possible=why is None, why=why, self_draw=needs
        )
        states.append(state.model_dump())
    return Plain(states)
