"""What a player who asks is told about his hand: waits with points, or what the best discards would wait for."""

from __future__ import annotations

from typing import NamedTuple

from quepu.rulebooks.house_rules import book_of
from quepu.server.rooms.messages import Message
from quepu.table import Board, View


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
