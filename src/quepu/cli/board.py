"""Draw a table in the terminal: four seats with their melds and rivers, with one hand open or all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from quepu.cli.screen import bracket, face, meld_row, show, tile_row
from quepu.cli.terminal_lines import Styled, TextGrid
from quepu.cli.texts import Chosen, join_items, pick, say
from quepu.tiles import FIRST_FLOWER, FLOWERS, FLOWERS_ENGLISH, KINDS, WINDS_CHINESE

if TYPE_CHECKING:
    from quepu.match.settle import Settlement
    from quepu.table import Board, Table


def wind_name(seat: int) -> str:
    """Return 东 or East."""
    return pick(WINDS_CHINESE[seat], ("East", "South", "West", "North")[seat])


def tile_word(kind: int) -> str:
    """Return one of the 42 kinds as it is typed and shown."""
    if kind >= FIRST_FLOWER:
        return pick(FLOWERS[kind - KINDS], FLOWERS_ENGLISH[kind - KINDS])
    return face(kind)


def _river(board: Board, seat: int) -> Styled:

    numbers = [kind for kind in board.rivers[seat] if kind < KINDS]
    row = tile_row(numbers, board.offer if board.offerer == seat else None)
    flowers = [kind for kind in board.rivers[seat] if kind >= KINDS]
    if flowers:
        row = row + Styled("  " + " ".join(tile_word(kind) for kind in flowers))
    return row


def _holding(table: Table, seat: int, open: bool) -> Styled:

    hand = table.hands[seat]
    drawn = table.drawn if table.turn == seat else None
    if open:
        row = tile_row(hand)
        if drawn is not None:
            row = row + Styled("  ") + (tile_row([drawn]) if drawn < KINDS else Styled(tile_word(drawn)))
    else:
        back = "▮" if Chosen.tiles != "ascii" else "#"
        row = Styled(back * len(hand) + (f" {back}" if drawn is not None else ""), style="green")
    for shown in table.board.melds[seat] if open else table.board_for(None).melds[seat]:
        meld = (
            Styled("[" + ("#" if Chosen.tiles == "ascii" else "▮") * 4 + "]") if shown.hidden else meld_row(shown.meld)
        )
        if shown.source is not None:
            meld = meld + Styled(f"←{wind_name(shown.source)}", style="dim")
        row = row + Styled("  ") + meld
    flowers = table.board.flowers[seat]
    if flowers:
        words = Styled("".join(tile_word(kind) for kind in flowers), style="magenta")
        row = row + Styled("  ") + bracket(words, "{}")
    return row


def show_board(table: Table, names: Sequence[str], totals: Sequence[int], open_seats: set[int], me: int = 0) -> None:
    """Show every seat, the own one (or the viewer's) last. `names` and `totals` go by seat."""
    board = table.board
    key = "board.title" if table.book.round_wind else "board.left"
    title = say(key, round=wind_name(board.round), left=board.left)
    if board.piles is not None:
        each = join_items(f"{wind_name(seat)} {left}" for seat, left in enumerate(board.piles))
        title += say("board.piles", each=each)
    show(Styled(f"── {title} ──", style="bold"))
    grid = TextGrid(gap=1)
    grid.add_column()
    grid.add_column(right=True)
    grid.add_column(wraps=True)
    for step in (1, 2, 3, 0):
        seat = (me + step) % 4
        turn = "▶" if seat in table.to_act and not board.over else " "
        marks = say("board.ready") if board.declared[seat] else say("board.barred") if board.barred[seat] else ""
        style = "bold" if seat == me else ""
        grid.add_row(
            Styled(f"{turn}{wind_name(seat)} {names[seat]}{marks}", style=style),
            Styled(f"{totals[seat]:+d}", style="dim"),
            _holding(table, seat, seat in open_seats),
        )
        grid.add_row("", "", _river(board, seat))
    show(grid)


def show_payments(settled: Settlement, names: Sequence[str], totals: Sequence[int]) -> None:
    """Show who pays whom, why, and the totals."""
    from quepu.cli.texts import join_items, spoken

    for payer, payee, points, why in settled.payments:
        who = names[payer] if payer < 4 else say("board.pool")
        whom = names[payee] if payee < 4 else say("board.pool")
        show(say("board.pays", who=who, whom=whom, points=points, why=spoken(why)))
    if not settled.payments:
        show(say("board.nothing"))
    show(f"  {join_items(f'{names[s]} {totals[s]} ({settled.seats[s]:+d})' for s in range(4))}")
