"""Rows and tokens of tables, written word by word as things happen.

The text of this module and of `quepu.rl.shows` is compiled by numba (`quepu.rl.writer`), and Python runs it where there
is none. Each thing that happened is a word: event, seat, tile, lowest tile and giver, of eight bits each, as
`quepu.fast.tables.loop` logs them and `quepu.rl.writer` makes them of a `Table`. A table's rows (`quepu.rl.layout`) or
tokens are one line of `cells`.
"""

from __future__ import annotations

from typing import Any

from quepu.fast.tables import columns as c
from quepu.rl import layout, tokens

# Notes of a table: words read; tokens of each seat (four); whether the dead wall is filled up, concealed kongs lie face
# down, the hand is over; tiles left and drawn from the tail, discards, flowers set aside, whose turn, the tile drawn
# (-1 none), whether somebody drew; where the last discard's mark stands; the last event's word code (-1 none), seat + 1
# and tile + 1; melds of each seat (four).
(READ, TOKENS, FEEDS, HIDDEN, OVER, LEFT, BACK, DISCARDED, ASIDE, TURN, DRAWN, DREW, MARK, CODE, WHO, WHICH, MELDS) = (
    0, 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
)  # fmt: skip
NOTES = 23
SLOT_ROWS = (layout.SLOTS, layout.FACE_DOWN)


def word_of(event: int, seat: int, tile: int, low: int, giver: int) -> int:
    """Return the word of something that happened."""
    return event | seat << 8 | tile << 16 | low << 24 | giver << 32


def by_seat(cells: Any, column: int, seat: int, value: int) -> None:
    """Write a number of one seat as each of the four sees it: in the columns from `column` on, the own first."""
    for who in range(c.SEATS):
        cells[(layout.NUMBERS + who) * layout.WIDTH + column + (seat - who & 3)] = value


def declare(cells: Any, seat: int, how: int) -> None:
    """Write that a seat is ready (1 on the deal, 2 with the first discard) or not (0)."""
    if cells[(layout.NUMBERS + seat) * layout.WIDTH + layout.N_DECLARED] != how:
        by_seat(cells, layout.N_DECLARED, seat, how)


def settle_drawn(cells: Any, note: Any, seat: int) -> None:
    """Put the tile that a seat drew among its others."""
    drawn = note[DRAWN]
    if drawn >= 0 and seat == note[TURN]:
        cells[(layout.DRAWN_TILES + seat) * layout.WIDTH + drawn] = 0
        cells[(layout.HANDS + seat) * layout.WIDTH + drawn] += 1
        note[DRAWN] = -1


def write_meld(cells: Any, note: Any, seat: int, code: int, tile: int, claimed: int, giver: int) -> None:
    """Write a meld in its row and in the next slot; claimed, giver: -1 none."""
    cells[(layout.CHOWS + 4 * (code - 1) + seat) * layout.WIDTH + tile] += 1
    at = layout.SLOT_WIDTH * note[MELDS + seat]
    note[MELDS + seat] += 1
    for row in SLOT_ROWS:
        first = (row + seat) * layout.WIDTH + at
        cells[first] = code
        cells[first + 1] = 0 if row == layout.FACE_DOWN and code == 5 else tile + 1
        cells[first + 2] = claimed + 1
        cells[first + 3] = 0 if giver < 0 else seat - giver & 3
        cells[first + 4] = note[DISCARDED]
    declare(cells, seat, 0)


def turn_pung(cells: Any, note: Any, seat: int, tile: int, was: int, to: int) -> None:
    """Turn a pung into a kong, or a robbed kong into a pung again."""
    cells[(layout.CHOWS + 4 * (was - 1) + seat) * layout.WIDTH + tile] = 0
    cells[(layout.CHOWS + 4 * (to - 1) + seat) * layout.WIDTH + tile] = 1
    first = (layout.SLOTS + seat) * layout.WIDTH
    at = 0
    while cells[first + at] != was or cells[first + at + 1] != tile + 1:
        at += layout.SLOT_WIDTH
    for row in SLOT_ROWS:
        first = (row + seat) * layout.WIDTH + at
        cells[first], cells[first + 5] = to, note[DISCARDED] + 1


def write_discard(cells: Any, note: Any, seat: int, tile: int, as_drawn: bool, declares: int) -> None:
    """Write a discard in the river, and its mark."""
    if as_drawn:
        cells[(layout.DRAWN_TILES + seat) * layout.WIDTH + tile] = 0
        note[DRAWN] = -1
    else:
        settle_drawn(cells, note, seat)
        cells[(layout.HANDS + seat) * layout.WIDTH + tile] -= 1
        declare(cells, seat, 0)
    note[DISCARDED] += 1
    at = (layout.RIVER + 4 * seat) * layout.WIDTH + tile
    while cells[at]:
        at += layout.WIDTH
    cells[at] = note[DISCARDED]
    note[MARK] = at + (layout.MARKS - layout.RIVER) * layout.WIDTH
    cells[note[MARK]] = int(as_drawn) + 2 * declares
    if declares:
        declare(cells, seat, 2)


def write_claim(cells: Any, note: Any, event: int, seat: int, tile: int, low: int, giver: int) -> None:
    """Write a claimed discard: its mark, the tiles from the hand, the meld."""
    cells[note[MARK]] += 4 * (seat - giver & 3)
    note[TURN] = seat
    settle_drawn(cells, note, seat)
    hand = (layout.HANDS + seat) * layout.WIDTH
    if event == c.E_CHOW:
        for kind in range(low, low + 3):
            cells[hand + kind] -= int(kind != tile)
        write_meld(cells, note, seat, 1, low, tile, giver)
    else:
        cells[hand + tile] -= 2 if event == c.E_PUNG else 3
        write_meld(cells, note, seat, 2 if event == c.E_PUNG else 3, tile, tile, giver)


def write_win(cells: Any, note: Any, seat: int, tile: int, giver: int) -> None:
    """Write a win; tile: NO_TILE none, giver: -1 none. A robbed kong loses its tile and stays."""
    if giver >= 0 and tile != c.NO_TILE:
        if note[CODE] == c.E_ADDED:
            turn_pung(cells, note, giver, tile, 4, 2)
        elif note[CODE] == c.E_CONCEALED:
            cells[(layout.CHOWS + 16 + giver) * layout.WIDTH + tile] -= 1
            cells[(layout.HANDS + giver) * layout.WIDTH + tile] += 3
        elif note[CODE] == c.E_DISCARD or note[CODE] == c.E_DRAWN_DISCARD:
            cells[note[MARK]] += 16
    for who in range(c.SEATS):
        first = (layout.NUMBERS + who) * layout.WIDTH + layout.N_WINNER
        cells[first] = 1 + (seat - who & 3)
        cells[first + 1] = 0 if giver < 0 else 1 + (giver - who & 3)
        cells[first + 2] = 0 if tile == c.NO_TILE else tile + 1


def write_board(cells: Any, note: Any, word: int) -> None:
    """Write what happened into the rows of a table."""
    event, seat, tile = word & 255, word >> 8 & 255, word >> 16 & 255
    low, giver = word >> 24 & 255, word >> 32
    seen = tile + 1
    if event in (c.E_DRAW, c.E_REPLACE):
        if event == c.E_DRAW:
            note[LEFT] -= 1
            note[DREW] = 1
        else:
            note[BACK] += 1
            note[LEFT] -= 1 - note[FEEDS]
        if note[DREW]:
            note[TURN], note[DRAWN] = seat, tile
            cells[(layout.DRAWN_TILES + seat) * layout.WIDTH + tile] = 1
        else:  # instead of a flower dealt
            cells[(layout.HANDS + seat) * layout.WIDTH + tile] += 1
        seen = 0
    elif event in (c.E_DISCARD, c.E_DRAWN_DISCARD):
        write_discard(cells, note, seat, tile, event == c.E_DRAWN_DISCARD, low)
    elif event in (c.E_CHOW, c.E_PUNG, c.E_KONG):
        write_claim(cells, note, event, seat, tile, low, giver)
    elif event == tokens.E_DEAL:
        cells[(layout.HANDS + seat) * layout.WIDTH + tile] += 1
        seen = 0
    elif event == tokens.E_ANSWER:
        cells[(layout.NUMBERS + seat) * layout.WIDTH + layout.N_PASSES] += int(giver == tokens.PASSED)
        return
    elif event == c.E_FLOWER:
        settle_drawn(cells, note, seat)
        cells[(layout.HANDS + seat) * layout.WIDTH + tile] -= 1
        note[ASIDE] += 1
        cells[(layout.FLOWERS + seat) * layout.WIDTH + tile] = note[ASIDE]
    elif event == c.E_ADDED:
        settle_drawn(cells, note, seat)
        cells[(layout.HANDS + seat) * layout.WIDTH + tile] -= 1
        turn_pung(cells, note, seat, tile, 2, 4)
        declare(cells, seat, 0)
    elif event == c.E_CONCEALED:
        settle_drawn(cells, note, seat)
        cells[(layout.HANDS + seat) * layout.WIDTH + tile] -= 4
        write_meld(cells, note, seat, 5, tile, -1, -1)
        seen = 0 if note[HIDDEN] else seen
    elif event == c.E_READY:
        declare(cells, seat, 1)
        seen = 0
    elif event == c.E_WIN:
        write_win(cells, note, seat, tile, giver - 1)
        seen = 0 if tile == c.NO_TILE else seen
    elif event == tokens.E_DICE:
        for who in range(c.SEATS):
            first = (layout.NUMBERS + who) * layout.WIDTH + layout.N_DIE
            cells[first], cells[first + 1], cells[first + 2], cells[first + 3] = seat, tile, low, giver
    elif event == c.E_SHOW:
        cells[(layout.SHOWN + seat) * layout.WIDTH + tile] += 1
        return
    elif event in (tokens.E_BARRED, tokens.E_FREED):
        by_seat(cells, layout.N_BARRED, seat, int(event == tokens.E_BARRED))
        return
    of_seat = event not in (tokens.E_DICE, c.E_EXHAUSTED)
    note[CODE], note[WHO], note[WHICH] = event, seat + 1 if of_seat else 0, seen if of_seat else 0


def put(cells: Any, note: Any, seat: int, token: Any) -> None:
    """Write one more token (six numbers) for a seat, while there is room."""
    n = note[TOKENS + seat]
    if n < tokens.MOST:  # only a referee who bars a seat again and again gets there
        at = (seat * tokens.MOST + n) * tokens.FIELDS
        for field in range(tokens.FIELDS):
            cells[at + field] = token[field]
        note[TOKENS + seat] = n + 1


def write_tokens(cells: Any, note: Any, word: int) -> None:
    """Write what happened as a token for each seat that has seen it."""
    event, of, tile = word & 255, word >> 8 & 255, word >> 16 & 255
    low, giver = word >> 24 & 255, word >> 32
    if event == tokens.E_ANSWER:
        put(cells, note, of, (tokens.ANSWER, 1, tile, low, 0, giver))
        return
    shown = 0 if event in (c.E_READY, tokens.E_BARRED, tokens.E_FREED) or tile == c.NO_TILE else tile + 1
    lowest = low + 1 if event == c.E_CHOW else 0
    discard = event in (c.E_DISCARD, c.E_DRAWN_DISCARD)
    mark = int(event == c.E_DRAWN_DISCARD) + 2 * low if discard else 0
    unseen = event in (c.E_DRAW, c.E_REPLACE) or (event == c.E_CONCEALED and note[HIDDEN] == 1)
    claimed = event in (c.E_CHOW, c.E_PUNG, c.E_KONG)
    giver = giver if claimed else giver - 1 if event == c.E_WIN else -1
    for seat in range(c.SEATS):
        who = 1 + (of - seat & 3)
        if event == tokens.E_DICE:
            put(cells, note, seat, (tokens.WORD_CODES[event], 0, of, tile, low, word >> 32))
        elif event == c.E_EXHAUSTED:
            put(cells, note, seat, (tokens.WORD_CODES[event], 0, 0, 0, 0, 0))
        elif event != tokens.E_DEAL or who == 1:
            source = 0 if giver < 0 else 1 + (giver - seat & 3)
            seen = 0 if unseen and who > 1 else shown
            put(cells, note, seat, (tokens.WORD_CODES[event], who, seen, lowest, source, mark))


def read_board(cells: Any, note: Any, log: Any, end: int) -> None:
    """Write the new entries of the log into the rows of a table."""
    while note[READ] < end:
        write_board(cells, note, log[note[READ]])
        note[READ] += 1


def read_tokens(cells: Any, note: Any, log: Any, end: int) -> None:
    """Write the new entries of the log as tokens."""
    while note[READ] < end:
        write_tokens(cells, note, log[note[READ]])
        note[READ] += 1
