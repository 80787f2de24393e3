"""Observations, masks and choices of many tables, on the arrays that `quepu.rl.loops` writes; compiled with it."""

from __future__ import annotations

from typing import Any

from quepu.fast.tables import columns as c
from quepu.rl import action_numbers as numbers
from quepu.rl import layout, tokens
from quepu.rl.loops import (
    BACK,
    CODE,
    DISCARDED,
    HIDDEN,
    LEFT,
    OVER,
    TOKENS,
    TURN,
    WHICH,
    WHO,
    read_board,
    read_tokens,
    word_of,
    write_board,
    write_tokens,
)


def write_numbers(cells: Any, note: Any, seat: int, offerer: int) -> None:
    """Renew the numbers that change from moment to moment, for this seat; offerer: -1 none."""
    first, who = (layout.NUMBERS + seat) * layout.WIDTH, note[WHO]
    cells[first + layout.N_LEFT], cells[first + layout.N_BACK] = note[LEFT], note[BACK]
    cells[first + layout.N_TURN] = 1 + (note[TURN] - seat & 3)
    cells[first + layout.N_OFFERER] = 0 if offerer < 0 else 1 + (offerer - seat & 3)
    cells[first + layout.N_LAST] = 0 if note[CODE] < 0 else tokens.WORD_CODES[note[CODE]]
    cells[first + layout.N_LAST + 1] = 0 if who == 0 else 1 + (who - 1 - seat & 3)
    cells[first + layout.N_LAST + 2] = note[WHICH]
    cells[first + layout.N_DISCARDS] = note[DISCARDED]
    cells[first + layout.N_OVER] = note[OVER]


def update_board(i: int, scalars: Any, log: Any, cells: Any, notes: Any) -> Any:
    """Bring the rows of table i up to date for the seat that chooses there; return the seat, -1 without one."""
    seat = scalars[i, c.WAITING] - 1
    if seat >= 0:
        read_board(cells[i], notes[i], log[i], scalars[i, c.EVENTS])
        write_numbers(cells[i], notes[i], seat, scalars[i, c.OFFERER])
    return seat


def clear(shown: Any) -> None:
    """Write zeros."""
    for at in range(len(shown)):
        shown[at] = 0


def show_counts(scalars: Any, log: Any, cells: Any, notes: Any, seen_rows: Any, out: Any) -> None:
    """Write the observation of the seat that chooses at each table; zeros where no seat does.

    Args:
        scalars: numbers of each table as `quepu.fast.tables.columns` names them.
        log: int64 [n, words].
        cells: int16 [n, rows of a table x 42].
        notes: int64 [n, 23].
        seen_rows: int64 [2, 4, 70], the rows that each seat sees, with concealed kongs open and face down.
        out: int16 [n, 70, 42].
    """
    for i in range(len(scalars)):
        seat = update_board(i, scalars, log, cells, notes)
        if seat < 0:
            clear(out[i].reshape(-1))
            continue
        board, note = cells[i], notes[i]
        hides = note[HIDDEN] * (1 - note[OVER])
        for row in range(layout.ROWS):
            first, shown = seen_rows[hides, seat, row] * layout.WIDTH, out[i, row]
            own = board[first : first + layout.WIDTH]
            for kind in range(layout.WIDTH):
                shown[kind] = own[kind]
        if scalars[i, c.OFFER_TILE] >= 0:
            out[i, layout.OFFER, scalars[i, c.OFFER_TILE]] = 1


def show_planes(scalars: Any, log: Any, cells: Any, notes: Any, seen_rows: Any, planes: Any, out: Any) -> None:
    """Write the same as planes.

    Args:
        scalars: see `show_counts`.
        log: see `show_counts`.
        cells: see `show_counts`.
        notes: see `show_counts`.
        seen_rows: see `show_counts`.
        planes: where those of each row begin and end, int64 [2, 70]; int16 [3, planes]: the row of
            each, the bits looked at, the least value for a 1; float32 [planes]: a scale, 0 where there is none.
        out: float32 [n, planes, 42].
    """
    of_row, plan, scale = planes
    for i in range(len(scalars)):
        seat, shown = update_board(i, scalars, log, cells, notes), out[i].reshape(-1)
        clear(shown)
        if seat < 0:
            continue
        board, note = cells[i], notes[i]
        hides = note[HIDDEN] * (1 - note[OVER])
        for row in range(layout.ROWS):  # nearly all cells are zero
            first = seen_rows[hides, seat, row] * layout.WIDTH
            own = board[first : first + layout.WIDTH]
            for kind in range(layout.WIDTH):
                held = own[kind]
                if held:
                    for plane in range(of_row[0, row], of_row[1, row]):
                        if scale[plane]:
                            shown[plane * layout.WIDTH + kind] = held * scale[plane]
                        else:
                            shown[plane * layout.WIDTH + kind] = (held & plan[1, plane]) >= plan[2, plane]
        if scalars[i, c.OFFER_TILE] >= 0:
            shown[of_row[0, layout.OFFER] * layout.WIDTH + scalars[i, c.OFFER_TILE]] = 1


def show_tokens(scalars: Any, log: Any, cells: Any, notes: Any, out: Any) -> None:
    """Write the tokens of the seat that chooses at each table; an offer is the last token.

    Args:
        scalars: see `show_counts`.
        log: see `show_counts`.
        cells: uint8 [n, 4 x 512 x 6].
        notes: see `show_counts`.
        out: uint8 [n, 512, 6].
    """
    for i in range(len(scalars)):
        seat = scalars[i, c.WAITING] - 1
        if seat < 0:
            clear(out[i].reshape(-1))
            continue
        own, note = cells[i], notes[i]
        read_tokens(own, note, log[i], scalars[i, c.EVENTS])
        first = seat * tokens.MOST * tokens.FIELDS
        seen, shown = own[first : first + tokens.MOST * tokens.FIELDS], out[i]
        for n in range(tokens.MOST):
            for k in range(tokens.FIELDS):
                shown[n, k] = seen[n * tokens.FIELDS + k]
        n, offerer = note[TOKENS + seat], scalars[i, c.OFFERER]
        if offerer >= 0 and n < tokens.MOST:
            shown[n, 0], shown[n, 1] = tokens.OFFER, 1 + (offerer - seat & 3)
            shown[n, 2] = scalars[i, c.OFFER_TILE] + 1


def deal_board(i: int, cells: Any, notes: Any, order: Any, dealt_at: Any) -> None:
    """Write the tiles dealt at table i: places of the wall's order, by seat."""
    for seat in range(c.SEATS):
        for place in dealt_at[seat]:
            write_board(cells[i], notes[i], word_of(tokens.E_DEAL, seat, int(order[i, place]), 0, 0))


def deal_tokens(i: int, cells: Any, notes: Any, order: Any, dealt_at: Any) -> None:
    """Write the same as tokens."""
    for seat in range(c.SEATS):
        for place in dealt_at[seat]:
            write_tokens(cells[i], notes[i], word_of(tokens.E_DEAL, seat, int(order[i, place]), 0, 0))


def number_of(do: int, tile: int, low: int) -> Any:
    """Return the number of an option of the loop, as `quepu.rl.action_numbers` has it."""
    if do in (c.A_DISCARD, c.A_DRAWN):
        return (numbers.DISCARD_READY if low else numbers.DISCARD) + tile
    if do == c.A_CHOW:
        return numbers.CHOW + tile - low
    if do == c.A_ADDED:
        return numbers.ADDED + tile
    if do == c.A_CONCEALED:
        return numbers.CONCEALED + tile
    if do == c.A_PUNG:
        return numbers.PUNG
    if do == c.A_KONG:
        return numbers.KONG
    if do == c.A_WIN:
        return numbers.WIN
    if do == c.A_READY:
        return numbers.READY
    return numbers.FLOWER if do == c.A_FLOWER else numbers.PASS


def masks(scalars: Any, offered: Any, mask: Any, players: Any) -> None:
    """Write what may be done at each table that waits for somebody, and for whom (-1 nobody).

    Args:
        scalars: see `show_counts`.
        offered: int64 [n, 64, 3], the options of the loop.
        mask: int8 [n, 153].
        players: int64 [n].
    """
    for i in range(len(scalars)):
        players[i] = scalars[i, c.WAITING] - 1
        clear(mask[i])
        if players[i] >= 0:
            for k in range(scalars[i, c.OFFERED]):
                mask[i, number_of(offered[i, k, 0], offered[i, k, 1], offered[i, k, 2])] = 1


def choose(scalars: Any, of_seat: Any, offered: Any, actions: Any, players: Any, places: Any) -> Any:
    """Choose the options with these numbers, the first where two share one.

    Args:
        scalars: see `show_counts`.
        of_seat: int64 [n, 4, 16], the numbers of seats.
        offered: see `masks`.
        actions: int64 [n].
        players: int64 [n], to be filled: the seat that chooses, -1 none.
        places: int64 [n], to be filled: the place of its option.

    Returns:
        -1, or the first table that lacks such an option; then nothing is chosen.
    """
    for i in range(len(scalars)):
        players[i] = scalars[i, c.WAITING] - 1
        at = scalars[i, c.OFFERED] - 1 if players[i] >= 0 else -1
        places[i] = -1
        while at >= 0:
            if number_of(offered[i, at, 0], offered[i, at, 1], offered[i, at, 2]) == actions[i]:
                places[i] = at
            at -= 1
        if players[i] >= 0 and places[i] < 0:
            return i
    for i in range(len(scalars)):
        if players[i] >= 0:
            of_seat[i, players[i], c.CHOSEN] = places[i] + 1
            scalars[i, c.WAITING] = 0
    return -1


def answer(
    scalars: Any, offered: Any, players: Any, places: Any, cells: Any, notes: Any, codes: Any, of_tokens: int
) -> None:
    """Write the answers to offers, passes included.

    Args:
        scalars: see `show_counts`.
        offered: see `masks`.
        players: int64 [n], who answered, -1 nobody.
        places: int64 [n], the place of each one's option.
        cells: rows, or tokens if `of_tokens`.
        notes: see `show_counts`.
        codes: int64 [11], the number in a token of each action of the loop.
        of_tokens: whether tokens are written.
    """
    for i in range(len(scalars)):
        if players[i] < 0 or offered[i, scalars[i, c.OFFERED] - 1, 0] != c.A_PASS:
            continue
        do, tile, low = offered[i, places[i], 0], offered[i, places[i], 1], offered[i, places[i], 2]
        if of_tokens:
            named = do not in (c.A_PASS, c.A_READY)
            lowest = low + 1 if do == c.A_CHOW else 0
            word = word_of(tokens.E_ANSWER, players[i], tile + 1 if named else 0, lowest, codes[do])
            write_tokens(cells[i], notes[i], word)
        elif do == c.A_PASS:
            cells[i, (layout.NUMBERS + players[i]) * layout.WIDTH + layout.N_PASSES] += 1
