"""Hints to a player: the waits of his hand with points, or what the best discards would wait for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from quepu.rulebooks.house_rules import book_of
from quepu.server.http.responses import Refusal
from quepu.server.rooms.messages import Message
from quepu.server.rooms.places import RoomError
from quepu.table import Board, View

if TYPE_CHECKING:
    from quepu.server.rooms.room import Room


class HintRequest(NamedTuple):
    """All that a hint is worked out from: what one seat knows."""

    rules: str
    house: str
    seat: int
    board: Board
    hand: tuple[int, ...]
    drawn: int | None
    lang: str


def answer(request: HintRequest) -> Message:
    """A hint, in another process."""
    rules, house, seat, board, hand, drawn, lang = request
    return hint(View(seat, book_of(rules, house), board, hand, drawn), lang)


def hint(view: View, lang: str = "zh") -> Message:
    """A hint from what one seat knows, with reasons in `lang`."""
    from quepu.scoring.waits import choices, outlook

    seen = view.open_tiles()
    hand, tiles = view.as_hand(), view.tiles
    if len(tiles) % 3 == 2 and max(tiles) < 34:
        whole = hand._replace(concealed=tuple(sorted(tiles[:-1])), winning=tiles[-1])
        return {"hint": {"choices": [c.to_json(lang) for c in choices(whole, view.book, seen)[:6]]}}
    return {"hint": {"outlook": outlook(hand, view.book, seen).to_json(lang)}}


async def hint_for(room: Room, place: int, lang: str = "zh", asker: str = "") -> Message:
    """What this place's hand waits for. The same request at the same moment is not worked out again.

    Raises:
        RoomError: this room gives no hints, or there is no hint now.
    """
    seat = room.game.seat(place) if room.game is not None else None
    if not room.spec.hints:
        raise RoomError("这一桌不给提示。", "this table gives no hints.")
    if room.game is None or room.game.table is None or seat is None:
        raise RoomError("现在没有可提示的。", "there is nothing to hint at now.")
    if room.last_hints.get(place, (None,))[0] == (room.moment, lang):
        try:
            return await asyncio.shield(room.last_hints[place][1])
        except Refusal as refusal:
            raise RoomError(*refusal.text) from refusal
    view = room.game.table.view(seat)
    request = HintRequest(room.spec.rules, room.spec.house, seat, view.board, view.hand, view.drawn, lang)
    work = asyncio.ensure_future(room.host.work.run(asker, answer, request))
    room.last_hints[place] = (room.moment, lang), work
    try:
        return await work
    except Refusal as refusal:
        room.last_hints.pop(place, None)
        raise RoomError(*refusal.text) from refusal
