"""What a player who asks is told about his hand: waits with points, or what the best discards would wait for."""

from __future__ import annotations

from quepu.server.room_messages import Message
from quepu.table import View


def hint(view: View, lang: str = "zh") -> Message:
    """A hint from what one seat knows, with reasons in `lang`."""
    from quepu.waiting import choices, outlook

    elsewhere = view.elsewhere()
    hand, tiles = view.as_hand(), view.tiles
    if len(tiles) % 3 == 2 and max(tiles) < 34:
        whole = hand._replace(concealed=tuple(sorted(tiles[:-1])), winning=tiles[-1])
        return {"hint": {"choices": [c.to_json(lang) for c in choices(whole, view.book, elsewhere)[:6]]}}
    return {"hint": {"outlook": outlook(hand, view.book, elsewhere).to_json(lang)}}
