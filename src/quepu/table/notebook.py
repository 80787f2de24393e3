"""A table, and a seat's view of it, as HTML for notebooks: a row of tiles for every seat."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from quepu.errors import Text, language
from quepu.hands.drawing import meld_html, table_html, tiles_html
from quepu.tiles import WINDS, WINDS_CHINESE

if TYPE_CHECKING:
    from quepu.rules.rulebook import Rulebook
    from quepu.table.contents import TableContents
    from quepu.table.visibility import Board, View


def table_contents_html(table: TableContents) -> str:
    """Show all four hands, their melds, flowers and discards; the tile just drawn is the last of its hand."""
    hands = [list(hand) for hand in table.hands]
    if table.drawn is not None:
        hands[table.turn].append(table.drawn)
    return _board(table.book, table.board, hands)


def view_html(view: View) -> str:
    """Show the seat's own hand and everything that all four can see."""
    return _board(view.book, view.board, [view.tiles if seat == view.seat else [] for seat in range(4)])


def _board(book: Rulebook, board: Board, hands: Sequence[Sequence[int]]) -> str:
    lang = language()
    winds = WINDS_CHINESE if lang == "zh" else WINDS
    rows = [
        (
            winds[seat],
            tiles_html(hands[seat]),
            " ".join(meld_html(shown.meld, hidden=shown.hidden) for shown in board.melds[seat])
            + tiles_html(board.flowers[seat]),
            tiles_html(board.rivers[seat]),
        )
        for seat in range(4)
    ]
    heads = [Text("门风", "seat"), Text("手牌", "hand"), Text("副露", "melds"), Text("牌河", "discards")]
    if board.over:
        state = Text("本盘已结束", "the hand is over")
    else:
        state = Text(f"余 {board.left} 张", f"{board.left} tiles left")
    table = table_html([head.say(lang) for head in heads], rows)
    return f"<div><div><b>{escape(book.title.say(lang))}</b> {escape(state.say(lang))}</div>{table}</div>"
