"""Choices of a seat, by its bot or from outside; the plain twins are the bots of `quepu.bots`."""

from __future__ import annotations

from typing import Any

from quepu.fast.tables.allowed import chosen
from quepu.fast.tables.columns import (
    CHOSEN,
    GAIN,
    LEVEL,
    OFFER_TILE,
    OFFERED,
    OFFERER,
    OUTSIDE,
    RANDOM,
    SEATS,
    TURN_OF,
    WAITING,
)
from quepu.fast.tables.gain import gain_claim, gain_turn
from quepu.fast.tables.plain import plain_claim, plain_turn


def on_turn(i: int, tables: Any, rules: Any, suits: Any, far: Any, rooms: Any, number: int) -> Any:
    """The option that the seat takes whose turn it is: its place among them, -1 if that is not known yet."""
    seat = tables[0][i, TURN_OF]
    own = tables[1][i, seat]
    level = own[LEVEL]
    if level == OUTSIDE:
        at = own[CHOSEN] - 1
        own[CHOSEN] = 0
        if at < 0:
            wait(i, tables, seat, rooms[0][0], number, -1, -1)
        return at
    if level == RANDOM:
        return chosen(i, tables, seat, number)
    if level == GAIN:
        return gain_turn(i, tables, far, rooms, number)
    return plain_turn(i, tables, rules, suits, far, rooms, number)


def on_claim(i: int, tables: Any, book: Any, rooms: Any, seat: int, offer: Any) -> Any:
    """Choose an option of a seat which may claim something (a pass is the last): its place, -1 if not known yet.

    book: suits and far. offer: the options, how many there are, the tile and who offers it.

    A choice stays until `answered`: a step of the table that waits for another seat is taken again from its beginning.
    """
    (suits, far), (options, number, tile, offerer) = book, offer
    own = tables[1][i, seat]
    level = own[LEVEL]
    if own[CHOSEN]:
        return own[CHOSEN] - 1
    if level == OUTSIDE:
        wait(i, tables, seat, options, number, tile, offerer)
        return -1
    if level == RANDOM:
        at = chosen(i, tables, seat, number)
    elif level == GAIN:
        at = gain_claim(i, tables, far, rooms, seat, options, number)
    else:
        at = plain_claim(i, tables, suits, far, rooms, seat, options, number)
    own[CHOSEN] = at + 1
    return at


def wait(i: int, tables: Any, seat: int, options: Any, number: int, tile: int, offerer: int) -> None:
    """Stop the table until the choice of a seat among so many options is known; tile, offerer: -1 none."""
    now, offered = tables[0][i], tables[9]
    for k in range(number):
        for column in range(3):
            offered[i, k, column] = options[k, column]
    now[WAITING], now[OFFERED], now[OFFER_TILE], now[OFFERER] = seat + 1, number, tile, offerer


def answered(i: int, tables: Any) -> None:
    """Forget the choices that a step of the table needed, after it."""
    for seat in range(SEATS):
        tables[1][i, seat, CHOSEN] = 0
