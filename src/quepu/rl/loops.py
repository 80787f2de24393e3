"""Observations, masks and choices on the arrays of many tables, written as things happen.

The text of this module is compiled by numba (`quepu.rl.writer`), and Python runs it where there is none. What happened
is read from words: event, seat, tile, lowest tile and giver, of eight bits each, as `quepu.fast.tables.loop` logs them
and `quepu.rl.writer` makes them of a `Table`. A table's rows (`quepu.rl.layout`) or tokens are one line of `cells`.
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
    E_EXHAUSTED,
    E_FLOWER,
    E_KONG,
    E_PUNG,
    E_READY,
    E_REPLACE,
    E_SHOW,
    E_WIN,
    EVENTS,
    NO_TILE,
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
from quepu.rl.layout import (
    CHOWS,
    DRAWN_TILES,
    FACE_DOWN,
    FLOWERS,
    HANDS,
    MARKS,
    N_BACK,
    N_BARRED,
    N_DECLARED,
    N_DIE,
    N_DISCARDS,
    N_LAST,
    N_LEFT,
    N_OFFERER,
    N_OVER,
    N_PASSES,
    N_TURN,
    N_WINNER,
    NUMBERS,
    OFFER,
    RIVER,
    ROWS,
    SHOWN,
    SLOT_WIDTH,
    SLOTS,
    WIDTH,
)
from quepu.rl.tokens import (
    ANSWER,
    E_ANSWER,
    E_BARRED,
    E_DEAL,
    E_DICE,
    E_FREED,
    FIELDS,
    MOST,
    PASSED,
    WORD_CODES,
)
from quepu.rl.tokens import OFFER as OFFER_TOKEN

# Notes of a table: words read; tokens of each seat (four); whether the dead wall is filled up, concealed kongs lie face
# down, the hand is over; tiles left and drawn from the tail, discards, flowers set aside, whose turn, the tile drawn
# (-1 none), whether somebody drew; where the last discard's mark stands; the last event's word code (-1 none), seat + 1
# and tile + 1; melds of each seat (four).
(READ, TOKENS, FEEDS, HIDDEN, OVER, LEFT, BACK, DISCARDED, ASIDE, TURN, DRAWN, DREW, MARK, CODE, WHO, WHICH, MELDS) = (
    0, 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
)  # fmt: skip
NOTES = 23
SLOT_ROWS = (SLOTS, FACE_DOWN)


def word_of(event: int, seat: int, tile: int, low: int, giver: int) -> int:
    """Return the word of something that happened."""
    return event | seat << 8 | tile << 16 | low << 24 | giver << 32


def by_seat(cells: Any, column: int, seat: int, value: int) -> None:
    """Write a number of one seat as each of the four sees it: in the columns from `column` on, the own first."""
    for who in range(SEATS):
        cells[(NUMBERS + who) * WIDTH + column + (seat - who & 3)] = value


def declare(cells: Any, seat: int, how: int) -> None:
    """Write that a seat is ready (1 on the deal, 2 with the first discard) or not (0)."""
    if cells[(NUMBERS + seat) * WIDTH + N_DECLARED] != how:
        by_seat(cells, N_DECLARED, seat, how)


def settle_drawn(cells: Any, note: Any, seat: int) -> None:
    """Put the tile that a seat drew among its others."""
    drawn = note[DRAWN]
    if drawn >= 0 and seat == note[TURN]:
        cells[(DRAWN_TILES + seat) * WIDTH + drawn] = 0
        cells[(HANDS + seat) * WIDTH + drawn] += 1
        note[DRAWN] = -1


def write_meld(cells: Any, note: Any, seat: int, code: int, tile: int, claimed: int, giver: int) -> None:
    """Write a meld in its row and in the next slot; claimed, giver: -1 none. Face down, a concealed kong has no tile."""
    cells[(CHOWS + 4 * (code - 1) + seat) * WIDTH + tile] += 1
    at = SLOT_WIDTH * note[MELDS + seat]
    note[MELDS + seat] += 1
    for row in SLOT_ROWS:
        first = (row + seat) * WIDTH + at
        cells[first] = code
        cells[first + 1] = 0 if row == FACE_DOWN and code == 5 else tile + 1
        cells[first + 2] = claimed + 1
        cells[first + 3] = 0 if giver < 0 else seat - giver & 3
        cells[first + 4] = note[DISCARDED]
    declare(cells, seat, 0)


def turn_pung(cells: Any, note: Any, seat: int, tile: int, was: int, to: int) -> None:
    """Turn a pung into a kong, or a robbed kong into a pung again."""
    cells[(CHOWS + 4 * (was - 1) + seat) * WIDTH + tile] = 0
    cells[(CHOWS + 4 * (to - 1) + seat) * WIDTH + tile] = 1
    first = (SLOTS + seat) * WIDTH
    at = 0
    while cells[first + at] != was or cells[first + at + 1] != tile + 1:
        at += SLOT_WIDTH
    for row in SLOT_ROWS:
        first = (row + seat) * WIDTH + at
        cells[first], cells[first + 5] = to, note[DISCARDED] + 1


def write_discard(cells: Any, note: Any, seat: int, tile: int, as_drawn: bool, declares: int) -> None:
    """Write a discard in the river, and its mark."""
    if as_drawn:
        cells[(DRAWN_TILES + seat) * WIDTH + tile] = 0
        note[DRAWN] = -1
    else:
        settle_drawn(cells, note, seat)
        cells[(HANDS + seat) * WIDTH + tile] -= 1
        declare(cells, seat, 0)
    note[DISCARDED] += 1
    at = (RIVER + 4 * seat) * WIDTH + tile
    while cells[at]:
        at += WIDTH
    cells[at] = note[DISCARDED]
    note[MARK] = at + (MARKS - RIVER) * WIDTH
    cells[note[MARK]] = int(as_drawn) + 2 * declares
    if declares:
        declare(cells, seat, 2)


def write_claim(cells: Any, note: Any, event: int, seat: int, tile: int, low: int, giver: int) -> None:
    """Write a claimed discard: its mark, the tiles from the hand, the meld."""
    cells[note[MARK]] += 4 * (seat - giver & 3)
    note[TURN] = seat
    settle_drawn(cells, note, seat)
    hand = (HANDS + seat) * WIDTH
    if event == E_CHOW:
        for kind in range(low, low + 3):
            cells[hand + kind] -= int(kind != tile)
        write_meld(cells, note, seat, 1, low, tile, giver)
    else:
        cells[hand + tile] -= 2 if event == E_PUNG else 3
        write_meld(cells, note, seat, 2 if event == E_PUNG else 3, tile, tile, giver)


def write_win(cells: Any, note: Any, seat: int, tile: int, giver: int) -> None:
    """Write a win; tile: NO_TILE none, giver: -1 none. What was robbed of its tile stays behind."""
    if giver >= 0 and tile != NO_TILE:
        if note[CODE] == E_ADDED:
            turn_pung(cells, note, giver, tile, 4, 2)
        elif note[CODE] == E_CONCEALED:
            cells[(CHOWS + 16 + giver) * WIDTH + tile] -= 1
            cells[(HANDS + giver) * WIDTH + tile] += 3
        elif note[CODE] == E_DISCARD or note[CODE] == E_DRAWN_DISCARD:
            cells[note[MARK]] += 16
    for who in range(SEATS):
        first = (NUMBERS + who) * WIDTH + N_WINNER
        cells[first] = 1 + (seat - who & 3)
        cells[first + 1] = 0 if giver < 0 else 1 + (giver - who & 3)
        cells[first + 2] = 0 if tile == NO_TILE else tile + 1


def write_board(cells: Any, note: Any, word: int) -> None:
    """Write what happened into the rows of a table."""
    event, seat, tile = word & 255, word >> 8 & 255, word >> 16 & 255
    low, giver = word >> 24 & 255, word >> 32
    seen = tile + 1
    if event == E_DRAW or event == E_REPLACE:
        if event == E_DRAW:
            note[LEFT] -= 1
            note[DREW] = 1
        else:
            note[BACK] += 1
            note[LEFT] -= 1 - note[FEEDS]
        if note[DREW]:
            note[TURN], note[DRAWN] = seat, tile
            cells[(DRAWN_TILES + seat) * WIDTH + tile] = 1
        else:  # instead of a flower dealt
            cells[(HANDS + seat) * WIDTH + tile] += 1
        seen = 0
    elif event == E_DISCARD or event == E_DRAWN_DISCARD:
        write_discard(cells, note, seat, tile, event == E_DRAWN_DISCARD, low)
    elif event == E_CHOW or event == E_PUNG or event == E_KONG:
        write_claim(cells, note, event, seat, tile, low, giver)
    elif event == E_DEAL:
        cells[(HANDS + seat) * WIDTH + tile] += 1
        seen = 0
    elif event == E_ANSWER:
        cells[(NUMBERS + seat) * WIDTH + N_PASSES] += int(giver == PASSED)
        return
    elif event == E_FLOWER:
        settle_drawn(cells, note, seat)
        cells[(HANDS + seat) * WIDTH + tile] -= 1
        note[ASIDE] += 1
        cells[(FLOWERS + seat) * WIDTH + tile] = note[ASIDE]
    elif event == E_ADDED:
        settle_drawn(cells, note, seat)
        cells[(HANDS + seat) * WIDTH + tile] -= 1
        turn_pung(cells, note, seat, tile, 2, 4)
        declare(cells, seat, 0)
    elif event == E_CONCEALED:
        settle_drawn(cells, note, seat)
        cells[(HANDS + seat) * WIDTH + tile] -= 4
        write_meld(cells, note, seat, 5, tile, -1, -1)
        seen = 0 if note[HIDDEN] else seen
    elif event == E_READY:
        declare(cells, seat, 1)
        seen = 0
    elif event == E_WIN:
        write_win(cells, note, seat, tile, giver - 1)
        seen = 0 if tile == NO_TILE else seen
    elif event == E_DICE:
        for who in range(SEATS):
            first = (NUMBERS + who) * WIDTH + N_DIE
            cells[first], cells[first + 1], cells[first + 2], cells[first + 3] = seat, tile, low, giver
    elif event == E_SHOW:
        cells[(SHOWN + seat) * WIDTH + tile] += 1
        return
    elif event == E_BARRED or event == E_FREED:
        by_seat(cells, N_BARRED, seat, int(event == E_BARRED))
        return
    of_seat = event != E_DICE and event != E_EXHAUSTED
    note[CODE], note[WHO], note[WHICH] = event, seat + 1 if of_seat else 0, seen if of_seat else 0


def put(cells: Any, note: Any, seat: int, what: int, a: int, b: int, c: int, d: int, e: int) -> None:
    """Write one more token for a seat, while there is room."""
    n = note[TOKENS + seat]
    if n < MOST:  # only a referee who bars a seat again and again gets there
        at = (seat * MOST + n) * FIELDS
        cells[at], cells[at + 1], cells[at + 2] = what, a, b
        cells[at + 3], cells[at + 4], cells[at + 5] = c, d, e
        note[TOKENS + seat] = n + 1


def write_tokens(cells: Any, note: Any, word: int) -> None:
    """Write what happened as a token for each seat that has seen it."""
    event, of, tile = word & 255, word >> 8 & 255, word >> 16 & 255
    low, giver = word >> 24 & 255, word >> 32
    if event == E_ANSWER:
        put(cells, note, of, ANSWER, 1, tile, low, 0, giver)
        return
    shown = 0 if event == E_READY or event == E_BARRED or event == E_FREED or tile == NO_TILE else tile + 1
    lowest = low + 1 if event == E_CHOW else 0
    discard = event == E_DISCARD or event == E_DRAWN_DISCARD
    mark = int(event == E_DRAWN_DISCARD) + 2 * low if discard else 0
    unseen = event == E_DRAW or event == E_REPLACE or (event == E_CONCEALED and note[HIDDEN] == 1)
    claimed = event == E_CHOW or event == E_PUNG or event == E_KONG
    giver = giver if claimed else giver - 1 if event == E_WIN else -1
    for seat in range(SEATS):
        who = 1 + (of - seat & 3)
        if event == E_DICE:
            put(cells, note, seat, WORD_CODES[event], 0, of, tile, low, word >> 32)
        elif event == E_EXHAUSTED:
            put(cells, note, seat, WORD_CODES[event], 0, 0, 0, 0, 0)
        elif event != E_DEAL or who == 1:
            source = 0 if giver < 0 else 1 + (giver - seat & 3)
            put(cells, note, seat, WORD_CODES[event], who, 0 if unseen and who > 1 else shown, lowest, source, mark)


def read_board(cells: Any, note: Any, log: Any, end: int) -> None:
    """Write what was logged since the last time into the rows of a table."""
    while note[READ] < end:
        write_board(cells, note, log[note[READ]])
        note[READ] += 1


def read_tokens(cells: Any, note: Any, log: Any, end: int) -> None:
    """Write what was logged since the last time as tokens."""
    while note[READ] < end:
        write_tokens(cells, note, log[note[READ]])
        note[READ] += 1


def write_numbers(cells: Any, note: Any, seat: int, offerer: int) -> None:
    """Renew the numbers that change from moment to moment, for this seat; offerer: -1 none."""
    first, who = (NUMBERS + seat) * WIDTH, note[WHO]
    cells[first + N_LEFT], cells[first + N_BACK] = note[LEFT], note[BACK]
    cells[first + N_TURN] = 1 + (note[TURN] - seat & 3)
    cells[first + N_OFFERER] = 0 if offerer < 0 else 1 + (offerer - seat & 3)
    cells[first + N_LAST] = 0 if note[CODE] < 0 else WORD_CODES[note[CODE]]
    cells[first + N_LAST + 1] = 0 if who == 0 else 1 + (who - 1 - seat & 3)
    cells[first + N_LAST + 2] = note[WHICH]
    cells[first + N_DISCARDS] = note[DISCARDED]
    cells[first + N_OVER] = note[OVER]


def show_counts(scalars: Any, log: Any, cells: Any, notes: Any, seen_rows: Any, out: Any) -> None:
    """Write what the seat that is to choose at each table sees.

    Args:
        scalars: numbers of each table as `quepu.fast.tables.columns` names them; EVENTS, WAITING and the offer are read.
        log: int64 [n, words].
        cells: int16 [n, rows of a table x 42].
        notes: int64 [n, 23].
        seen_rows: int64 [2, 4, 70], the rows that each seat sees, with concealed kongs open and face down.
        out: int16 [n, 70, 42].
    """
    for i in range(len(scalars)):
        seat = scalars[i, WAITING] - 1
        if seat < 0:
            continue
        board, note = cells[i], notes[i]
        read_board(board, note, log[i], scalars[i, EVENTS])
        write_numbers(board, note, seat, scalars[i, OFFERER])
        hides = note[HIDDEN] * (1 - note[OVER])
        for row in range(ROWS):
            first = seen_rows[hides, seat, row] * WIDTH
            for kind in range(WIDTH):
                out[i, row, kind] = board[first + kind]
        if scalars[i, OFFER_TILE] >= 0:
            out[i, OFFER, scalars[i, OFFER_TILE]] = 1


def show_planes(
    scalars: Any, log: Any, cells: Any, notes: Any, seen_rows: Any, plan: Any, scale: Any, out: Any
) -> None:
    """Write the same as planes.

    Args:
        scalars: see `show_counts`.
        log: see `show_counts`.
        cells: see `show_counts`.
        notes: see `show_counts`.
        seen_rows: see `show_counts`.
        plan: int16 [3, planes]: the row of each, the bits looked at, the least value for a 1.
        scale: float32 [planes], 0 where there is none.
        out: float32 [n, planes, 42].
    """
    for i in range(len(scalars)):
        seat = scalars[i, WAITING] - 1
        if seat < 0:
            continue
        board, note = cells[i], notes[i]
        read_board(board, note, log[i], scalars[i, EVENTS])
        write_numbers(board, note, seat, scalars[i, OFFERER])
        hides = note[HIDDEN] * (1 - note[OVER])
        for plane in range(len(scale)):
            row, bits, least = plan[0, plane], plan[1, plane], plan[2, plane]
            first = seen_rows[hides, seat, row] * WIDTH
            if scale[plane]:
                for kind in range(WIDTH):
                    out[i, plane, kind] = board[first + kind] * scale[plane]
            else:
                for kind in range(WIDTH):
                    out[i, plane, kind] = (board[first + kind] & bits) >= least
            if row == OFFER and scalars[i, OFFER_TILE] >= 0:
                out[i, plane, scalars[i, OFFER_TILE]] = 1


def show_tokens(scalars: Any, log: Any, cells: Any, notes: Any, out: Any) -> None:
    """Write what the seat that is to choose at each table has seen; an offer is the last token.

    Args:
        scalars: see `show_counts`.
        log: see `show_counts`.
        cells: uint8 [n, 4 x 512 x 6].
        notes: see `show_counts`.
        out: uint8 [n, 512, 6].
    """
    for i in range(len(scalars)):
        seat = scalars[i, WAITING] - 1
        if seat < 0:
            continue
        own, note = cells[i], notes[i]
        read_tokens(own, note, log[i], scalars[i, EVENTS])
        first = seat * MOST * FIELDS
        for n in range(MOST):
            for k in range(FIELDS):
                out[i, n, k] = own[first + n * FIELDS + k]
        n, offerer = note[TOKENS + seat], scalars[i, OFFERER]
        if offerer >= 0 and n < MOST:
            out[i, n, 0], out[i, n, 1] = OFFER_TOKEN, 1 + (offerer - seat & 3)
            out[i, n, 2] = scalars[i, OFFER_TILE] + 1


def deal_board(i: int, cells: Any, notes: Any, order: Any, dealt_at: Any) -> None:
    """Write the tiles dealt at table i: places of the wall's order, by seat."""
    for seat in range(SEATS):
        for place in dealt_at[seat]:
            write_board(cells[i], notes[i], word_of(E_DEAL, seat, int(order[i, place]), 0, 0))


def deal_tokens(i: int, cells: Any, notes: Any, order: Any, dealt_at: Any) -> None:
    """Write the same as tokens."""
    for seat in range(SEATS):
        for place in dealt_at[seat]:
            write_tokens(cells[i], notes[i], word_of(E_DEAL, seat, int(order[i, place]), 0, 0))


def number_of(do: int, tile: int, low: int) -> Any:
    """Return the number of an option of the loop, as `quepu.rl.action_numbers` has it."""
    if do == A_DISCARD or do == A_DRAWN:
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


def masks(scalars: Any, offered: Any, mask: Any, players: Any) -> None:
    """Write what may be done at each table that waits for somebody, and for whom (-1 nobody).

    Args:
        scalars: see `show_counts`.
        offered: int64 [n, 64, 3], the options of the loop.
        mask: int8 [n, 153].
        players: int64 [n].
    """
    for i in range(len(scalars)):
        players[i] = scalars[i, WAITING] - 1
        if players[i] >= 0:
            for k in range(COUNT):
                mask[i, k] = 0
            for k in range(scalars[i, OFFERED]):
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
        -1, or the first table where there is no such option; then nothing is chosen.
    """
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
    return -1


def answer(
    scalars: Any, offered: Any, players: Any, places: Any, cells: Any, notes: Any, codes: Any, tokens: int
) -> None:
    """Write what is answered to offers, which may be passed.

    Args:
        scalars: see `show_counts`.
        offered: see `masks`.
        players: int64 [n], who answered, -1 nobody.
        places: int64 [n], the place of each one's option.
        cells: rows, or tokens if `tokens`.
        notes: see `show_counts`.
        codes: int64 [11], the number in a token of each action of the loop.
        tokens: whether tokens are written.
    """
    for i in range(len(scalars)):
        if players[i] < 0 or offered[i, scalars[i, OFFERED] - 1, 0] != A_PASS:
            continue
        do, tile, low = offered[i, places[i], 0], offered[i, places[i], 1], offered[i, places[i], 2]
        if tokens:
            named = do != A_PASS and do != A_READY
            lowest = low + 1 if do == A_CHOW else 0
            word = word_of(E_ANSWER, players[i], tile + 1 if named else 0, lowest, codes[do])
            write_tokens(cells[i], notes[i], word)
        elif do == A_PASS:
            cells[i, (NUMBERS + players[i]) * WIDTH + N_PASSES] += 1
