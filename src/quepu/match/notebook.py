"""A match as HTML, as a notebook shows it: what each hand brought each player, and the sums."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from quepu.errors import Text, language
from quepu.hands.drawing import table_html

if TYPE_CHECKING:
    from quepu.match.match import Match


def match_html(match: Match) -> str:
    """A row for every hand, the totals (penalties among them) below."""
    lang = language()
    rows = [(str(hand.number), *(f"{points:+d}" for points in hand.players)) for hand in match.hands]
    rows.append((Text("合计", "total").say(lang), *(f"<b>{total:+d}</b>" for total in match.totals)))
    heads = [Text("盘", "hand").say(lang), *map(escape, match.names)]
    return f"<div><div><b>{escape(match.book.title.say(lang))}</b></div>{table_html(heads, rows)}</div>"
