"""The encoding `tokens` as `quepu.rl.tokens` writes it, on the arrays of many compiled tables.

The text of this module is compiled by numba (`quepu.rl.compiled_vector`). It follows the events that
`quepu.fast.tables.loop` records, and the answers of the seats that are played from outside.
"""

from __future__ import annotations

from typing import Any

from quepu.fast.tables.columns import (
    A_CHOW,
    A_PASS,
    A_READY,
    E_CHOW,
    E_CONCEALED,
    E_DISCARD,
    E_DRAW,
    E_DRAWN_DISCARD,
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
from quepu.rl.tokens import ANSWER, FIELDS, MOST, OFFER, PLACE, POINTS

# Notes of a table: tokens of each seat; events read; tokens of the seat that was shown last.
READ, SHOWN = 4, 5
NOTES = 6


def put(rows: Any, note: Any, seat: int, what: int, a: int, b: int, c: int, d: int, e: int) -> None:
    """One token more for a seat, while there is room."""
    n = note[seat]
    if n < MOST:
        row = rows[seat, n]
        row[0], row[1], row[2], row[3], row[4], row[5] = what, a, b, c, d, e
        note[seat] = n + 1


def begin(i: int, tables: Any, rows: Any, notes: Any, dice: Any, first: Any, dealt_at: Any) -> None:
    """Write the deal of table i; first: the codes of dice and of a deal; dealt_at: by seat, where."""
    order = tables[7]
    note = notes[i]
    note[:SHOWN] = 0
    for seat in range(SEATS):
        put(rows[i], note, seat, PLACE, seat + 1, 1, 1, 0, 0)
        for step in range(SEATS):
            put(rows[i], note, seat, POINTS, step + 1, 0, 0, 0, 0)
        put(rows[i], note, seat, first[0], 0, dice[0], dice[1], dice[2], dice[3])
        for place in dealt_at[seat]:
            put(rows[i], note, seat, first[1], 1, order[i, place] + 1, 0, 0, 0)


def follow(i: int, tables: Any, rows: Any, notes: Any, codes: Any, hidden: int) -> None:
    """Write what has happened at table i since the last time.

    codes: of each event of the loop; hidden: whether concealed kongs lie face down.
    """
    scalars, log = tables[0], tables[8]
    note = notes[i]
    while note[READ] < scalars[i, EVENTS]:
        word = log[i, note[READ]]
        note[READ] += 1
        event, of, tile = word & 255, word >> 8 & 255, word >> 16 & 255
        low, giver = word >> 24 & 255, word >> 32
        claimed = event in (E_CHOW, E_PUNG, E_KONG)
        unseen = event in (E_DRAW, E_REPLACE) or (hidden and event == E_CONCEALED)
        shown = 0 if event == E_READY else tile + 1
        lowest = low + 1 if event == E_CHOW else 0
        mark = int(event == E_DRAWN_DISCARD) + 2 * low if event in (E_DISCARD, E_DRAWN_DISCARD) else 0
        for seat in range(SEATS):
            who = 1 + (of - seat & 3)
            source = 1 + (giver - seat & 3) if claimed else 0
            put(rows[i], note, seat, codes[event], who, 0 if unseen and who > 1 else shown, lowest, source, mark)


def show(tables: Any, rows: Any, notes: Any, codes: Any, hidden: int, seen: Any) -> None:
    """Write what the seat that is to choose at each table has seen; an offer is the last token.

    Args:
        tables: the arrays of the loop.
        rows: uint8 [n, 4, 512, 6].
        notes: int64 [n, 6].
        codes: int64 [14], see `follow`.
        hidden: see `follow`.
        seen: uint8 [n, 512, 6], zeros behind what was shown last.
    """
    scalars = tables[0]
    for i in range(len(scalars)):
        seat = scalars[i, WAITING] - 1
        if seat < 0:
            continue
        follow(i, tables, rows, notes, codes, hidden)
        note, out, own = notes[i], seen[i], rows[i, seat]
        number = note[seat]
        for n in range(number):
            for k in range(FIELDS):
                out[n, k] = own[n, k]
        for n in range(number, note[SHOWN]):
            for k in range(FIELDS):
                out[n, k] = 0
        offerer = scalars[i, OFFERER]
        if offerer >= 0 and number < MOST:
            out[number, 0], out[number, 1] = OFFER, 1 + (offerer - seat & 3)
            out[number, 2] = scalars[i, OFFER_TILE] + 1
            for k in range(3, FIELDS):
                out[number, k] = 0
            number += 1
        note[SHOWN] = number


def answer(tables: Any, players: Any, places: Any, rows: Any, notes: Any, actions: Any) -> None:
    """Write what is answered to offers, which may be passed.

    Args:
        tables: the arrays of the loop.
        players: int64 [n], who answered, -1 nobody.
        places: int64 [n], the place of each one's option.
        rows: see `show`.
        notes: see `show`.
        actions: int64 [11], the number in a token of each action of the loop.
    """
    scalars, offered = tables[0], tables[9]
    for i in range(len(scalars)):
        if players[i] < 0 or offered[i, scalars[i, OFFERED] - 1, 0] != A_PASS:
            continue
        do, tile, low = offered[i, places[i], 0], offered[i, places[i], 1], offered[i, places[i], 2]
        named, lowest = do not in (A_PASS, A_READY), low + 1 if do == A_CHOW else 0
        put(rows[i], notes[i], players[i], ANSWER, 1, tile + 1 if named else 0, lowest, 0, actions[do])
