"""The board as `quepu.rl.board_writer` writes it, on the arrays of many compiled tables; and their actions as numbers.

The text of this module is compiled by numba (`quepu.rl.compiled_vector`). It follows the events that
`quepu.fast.tables.loop` records; what is seen only after a hand is not written.
"""

from __future__ import annotations

from typing import Any

from quepu.fast.tables.columns import (
    A_ADDED,
    A_CHOW,
    A_CONCEALED,
    A_DISCARD,
    A_DRAWN,
    A_FLOWER,
    A_KONG,
    A_PASS,
    A_PUNG,
    A_READY,
    A_WIN,
    CHOSEN,
    E_ADDED,
    E_CHOW,
    E_CONCEALED,
    E_DISCARD,
    E_DRAW,
    E_DRAWN_DISCARD,
    E_FLOWER,
    E_KONG,
    E_PUNG,
    E_READY,
    E_REPLACE,
    EVENTS,
    OFFER_TILE,
    OFFERED,
    OFFERER,
    SEATS,
    WAITING,
)
from quepu.rl.action_numbers import (
    ADDED,
    CHOW,
    CONCEALED,
    COUNT,
    DISCARD,
    DISCARD_READY,
    FLOWER,
    KONG,
    PASS,
    PUNG,
    READY,
    WIN,
)
from quepu.rl.board_writer import DRAWN_ROWS, HAND_ROWS, HIDDEN_SLOT_ROWS, NUMBER_ROWS, WIND_ROWS
from quepu.rl.layout import (
    CHOWS,
    FLOWERS,
    MARKS,
    N_BACK,
    N_DECLARED,
    N_DIE,
    N_DISCARDS,
    N_LAST,
    N_LEFT,
    N_OFFERER,
    N_PASSES,
    N_ROUND,
    N_TURN,
    OFFER,
    RIVER,
    ROUND_WIND,
    ROWS,
    SLOT_WIDTH,
    SLOTS,
    WIDTH,
)
from quepu.tiles import EAST

# Notes of a table: events read, tiles left and drawn from the tail, discards, flowers set aside, whose turn, the tile
# drawn (-1 none), whether somebody drew; where the last discard's mark stands; the last event's code, seat + 1 and
# tile + 1; melds by seat.
READ, LEFT, BACK, DISCARDS, ASIDE, TURN, DRAWN, DREW, MARK_ROW, MARK_TILE, CODE, WHO, WHICH, MELDS = range(14)
NOTES = 18


def begin(i: int, tables: Any, rows: Any, notes: Any, dice: Any, left: int, dealt: int, dealt_at: Any) -> None:
    """Write the deal of table i; left: tiles that can be drawn; dealt: the code of a deal; dealt_at: by seat, where."""
    order = tables[7]
    board, note = rows[i], notes[i]
    board[:, :] = 0
    note[:] = 0
    note[LEFT], note[DRAWN], note[CODE], note[WHO] = left, -1, dealt, SEATS
    board[ROUND_WIND, EAST] = 1
    for seat in range(SEATS):
        board[WIND_ROWS + seat, EAST + seat] = 1
        board[NUMBER_ROWS + seat, 0] = seat
        board[NUMBER_ROWS + seat, N_ROUND] = 1
        for k in range(4):
            board[NUMBER_ROWS + seat, N_DIE + k] = dice[k]
        for place in dealt_at[seat]:
            board[HAND_ROWS + seat, order[i, place]] += 1


def settle_drawn(board: Any, note: Any, seat: int) -> None:
    """Put the tile that a seat drew among its others."""
    if note[DRAWN] >= 0 and seat == note[TURN]:
        board[DRAWN_ROWS + seat, note[DRAWN]] = 0
        board[HAND_ROWS + seat, note[DRAWN]] += 1
        note[DRAWN] = -1


def declare(board: Any, seat: int, how: int) -> None:
    """A seat is ready (1 on the deal, 2 with the first discard) or no more (0), as each of the four sees it."""
    if board[NUMBER_ROWS + seat, N_DECLARED] != how:
        for who in range(SEATS):
            board[NUMBER_ROWS + who, N_DECLARED + (seat - who & 3)] = how


def write_meld(board: Any, note: Any, seat: int, code: int, tile: int, claimed: int, giver: int) -> None:
    """A meld in its row and in the next slot; face down, a concealed kong has no tile; claimed, giver: -1 none."""
    board[CHOWS + 4 * (code - 1) + seat, tile] += 1
    first = SLOT_WIDTH * note[MELDS + seat]
    note[MELDS + seat] += 1
    for hidden in range(2):
        row = (HIDDEN_SLOT_ROWS if hidden else SLOTS) + seat
        board[row, first] = code
        board[row, first + 1] = 0 if hidden and code == 5 else tile + 1
        board[row, first + 2] = claimed + 1
        board[row, first + 3] = 0 if giver < 0 else seat - giver & 3
        board[row, first + 4] = note[DISCARDS]
    declare(board, seat, 0)


def write_discard(board: Any, note: Any, seat: int, tile: int, as_drawn: int, declares: int) -> None:
    """A discard in the river and its mark."""
    if as_drawn:
        board[DRAWN_ROWS + seat, tile] = 0
        note[DRAWN] = -1
    else:
        settle_drawn(board, note, seat)
        board[HAND_ROWS + seat, tile] -= 1
        declare(board, seat, 0)
    note[DISCARDS] += 1
    row = RIVER + 4 * seat
    while board[row, tile]:
        row += 1
    board[row, tile] = note[DISCARDS]
    note[MARK_ROW], note[MARK_TILE] = row + MARKS - RIVER, tile
    board[note[MARK_ROW], tile] = as_drawn + 2 * declares
    if declares:
        declare(board, seat, 2)


def write_claim(board: Any, note: Any, event: int, seat: int, tile: int, low: int, giver: int) -> None:
    """A claimed discard: its mark, the tiles from the hand, the meld."""
    board[note[MARK_ROW], note[MARK_TILE]] += 4 * (seat - giver & 3)
    note[TURN] = seat
    settle_drawn(board, note, seat)
    if event == E_CHOW:
        for kind in range(low, low + 3):
            board[HAND_ROWS + seat, kind] -= kind != tile
        write_meld(board, note, seat, 1, low, tile, giver)
    else:
        board[HAND_ROWS + seat, tile] -= 2 if event == E_PUNG else 3
        write_meld(board, note, seat, 2 if event == E_PUNG else 3, tile, tile, giver)


def write_added(board: Any, note: Any, seat: int, tile: int) -> None:
    """A pung becomes a kong."""
    settle_drawn(board, note, seat)
    board[HAND_ROWS + seat, tile] -= 1
    board[CHOWS + 4 + seat, tile], board[CHOWS + 12 + seat, tile] = 0, 1
    for hidden in range(2):
        row = (HIDDEN_SLOT_ROWS if hidden else SLOTS) + seat
        at = 0
        while board[row, at] != 2 or board[row, at + 1] != tile + 1:
            at += SLOT_WIDTH
        board[row, at], board[row, at + 5] = 4, note[DISCARDS] + 1
    declare(board, seat, 0)


def follow(i: int, tables: Any, rows: Any, notes: Any, codes: Any, feeds: int, hidden: int) -> None:
    """Write what has happened at table i since the last time.

    codes: of each event of the loop that of `quepu.rl.tokens`; feeds: whether the dead wall is filled up; hidden:
    whether concealed kongs lie face down.
    """
    scalars, log = tables[0], tables[8]
    board, note = rows[i], notes[i]
    while note[READ] < scalars[i, EVENTS]:
        word = log[i, note[READ]]
        note[READ] += 1
        event, seat, tile = word & 255, word >> 8 & 255, word >> 16 & 255
        low, giver = word >> 24 & 255, word >> 32
        seen = tile + 1
        if event in (E_DRAW, E_REPLACE):
            if event == E_DRAW:
                note[LEFT] -= 1
                note[DREW] = 1
            else:
                note[BACK] += 1
                note[LEFT] -= not feeds
            if note[DREW]:
                note[TURN], note[DRAWN] = seat, tile
                board[DRAWN_ROWS + seat, tile] = 1
            else:  # instead of a flower dealt
                board[HAND_ROWS + seat, tile] += 1
            seen = 0
        elif event == E_FLOWER:
            settle_drawn(board, note, seat)
            board[HAND_ROWS + seat, tile] -= 1
            note[ASIDE] += 1
            board[FLOWERS + seat, tile] = note[ASIDE]
        elif event in (E_DISCARD, E_DRAWN_DISCARD):
            write_discard(board, note, seat, tile, int(event == E_DRAWN_DISCARD), low)
        elif event in (E_CHOW, E_PUNG, E_KONG):
            write_claim(board, note, event, seat, tile, low, giver)
        elif event == E_ADDED:
            write_added(board, note, seat, tile)
        elif event == E_CONCEALED:
            settle_drawn(board, note, seat)
            board[HAND_ROWS + seat, tile] -= 4
            write_meld(board, note, seat, 5, tile, -1, -1)
            seen = 0 if hidden else seen
        elif event == E_READY:
            declare(board, seat, 1)
            seen = 0
        note[CODE], note[WHO], note[WHICH] = codes[event], seat + 1, seen


def observe(i: int, seat: int, tables: Any, rows: Any, notes: Any, seen_rows: Any, out: Any) -> None:
    """Write what a seat sees now; seen_rows: the rows of the board in the order in which the seat sees them."""
    now, note, board = tables[0][i], notes[i], rows[i]
    numbers = board[NUMBER_ROWS + seat]
    who, offerer = note[WHO], now[OFFERER]
    numbers[N_LEFT], numbers[N_BACK], numbers[N_DISCARDS] = note[LEFT], note[BACK], note[DISCARDS]
    numbers[N_TURN] = 1 + (note[TURN] - seat & 3)
    numbers[N_OFFERER] = 0 if offerer < 0 else 1 + (offerer - seat & 3)
    numbers[N_LAST], numbers[N_LAST + 2] = note[CODE], note[WHICH]
    numbers[N_LAST + 1] = 0 if who == 0 else 1 + (who - 1 - seat & 3)
    for row in range(ROWS):
        shown, written = out[row], board[seen_rows[seat, row]]
        for kind in range(WIDTH):
            shown[kind] = written[kind]
    if now[OFFER_TILE] >= 0:
        out[OFFER, now[OFFER_TILE]] = 1


def number_of(do: int, tile: int, low: int) -> Any:
    """The number of an option of the loop, as `quepu.rl.action_numbers` has it."""
    if do in (A_DISCARD, A_DRAWN):
        return (DISCARD_READY if low else DISCARD) + tile
    if do == A_CHOW:
        return CHOW + tile - low
    if do == A_ADDED:
        return ADDED + tile
    if do == A_CONCEALED:
        return CONCEALED + tile
    if do == A_PUNG:
        return PUNG
    if do == A_KONG:
        return KONG
    if do == A_WIN:
        return WIN
    if do == A_READY:
        return READY
    return FLOWER if do == A_FLOWER else PASS


def allow(i: int, tables: Any, mask: Any) -> None:
    """Write what may be done at table i."""
    scalars, offered = tables[0], tables[9]
    for k in range(COUNT):
        mask[i, k] = 0
    for k in range(scalars[i, OFFERED]):
        mask[i, number_of(offered[i, k, 0], offered[i, k, 1], offered[i, k, 2])] = 1


def masks(tables: Any, mask: Any, players: Any) -> None:
    """Write what may be done at each table that waits for somebody, and for whom; see `show`."""
    scalars = tables[0]
    for i in range(len(scalars)):
        players[i] = scalars[i, WAITING] - 1
        if players[i] >= 0:
            allow(i, tables, mask)


def show(
    tables: Any, rows: Any, notes: Any, codes: Any, feeds: int, hidden: int, seen_rows: Any, seen: Any, mask: Any,
    players: Any,
) -> None:  # fmt: skip
    """Write what is seen, and what may be done, by the seat that is to choose at each table.

    Args:
        tables: the arrays of the loop.
        rows: int16 [n, rows of a board, 42].
        notes: int64 [n, 18].
        codes: int64 [14], see `follow`.
        feeds: see `follow`.
        hidden: see `follow`.
        seen_rows: int64 [4, 70], the rows that each seat sees.
        seen: int16 [n, 70, 42].
        mask: int8 [n, 153].
        players: int64 [n], the seats, -1 none.
    """
    scalars = tables[0]
    for i in range(len(scalars)):
        seat = players[i] = scalars[i, WAITING] - 1
        if seat < 0:
            continue
        follow(i, tables, rows, notes, codes, feeds, hidden)
        observe(i, seat, tables, rows, notes, seen_rows, seen[i])
        allow(i, tables, mask)


def choose(tables: Any, rows: Any, actions: Any, players: Any, places: Any) -> Any:
    """Choose the options with these numbers, the first where two share one; count passes.

    Args:
        tables: the arrays of the loop.
        rows: int16 [n, rows of a board, 42].
        actions: int64 [n].
        players: int64 [n], to be filled: the seat that chooses, -1 none.
        places: int64 [n], to be filled: the place of its option.

    Returns:
        -1, or the first table where there is no such option; then nothing is chosen.
    """
    scalars, of_seat, offered = tables[0], tables[1], tables[9]
    for i in range(len(scalars)):
        players[i] = scalars[i, WAITING] - 1
        at = scalars[i, OFFERED] - 1 if players[i] >= 0 else -1
        places[i] = -1
        while at >= 0:
            if number_of(offered[i, at, 0], offered[i, at, 1], offered[i, at, 2]) == actions[i]:
                places[i] = at
            at -= 1
        if players[i] >= 0 and places[i] < 0:
            return i
    for i in range(len(scalars)):
        if players[i] >= 0:
            of_seat[i, players[i], CHOSEN] = places[i] + 1
            scalars[i, WAITING] = 0
            if offered[i, places[i], 0] == A_PASS:
                rows[i, NUMBER_ROWS + players[i], N_PASSES] += 1
    return -1


def to_planes(seen: Any, row: Any, bits: Any, least: Any, scale: Any, out: Any) -> None:
    """Write what `seen` shows as planes, float32 [n, planes, 42]; row … scale: of each plane (`quepu.rl.encodings`)."""
    for i in range(len(seen)):
        for p in range(len(row)):
            plane, counts = out[i, p], seen[i, row[p]]
            if scale[p]:
                for kind in range(WIDTH):
                    plane[kind] = counts[kind] * scale[p]
            else:
                for kind in range(WIDTH):
                    plane[kind] = (counts[kind] & bits[p]) >= least[p]
