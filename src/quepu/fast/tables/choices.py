"""Choices of a seat, by its bot or from outside; the plain twins are the bots of `quepu.bots`."""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from quepu.fast.tables import columns as c
from quepu.fast.tables.memory import entry, generator_of, numbers_of, options_of, seat_of
from quepu.fast.tables.mersenne import uniform
from quepu.fast.tables.plain import plain_claim, plain_turn


def on_turn(at: Any, i: int, number: int) -> Any:
    """The option that the seat takes whose turn it is: its place among them, -1 if that is not known yet."""
    seat = numbers_of(at, i)[c.TURN_OF]
    own = seat_of(at, i, seat)
    level = own[c.LEVEL]
    if level == c.OUTSIDE:
        place = own[c.CHOSEN] - 1
        own[c.CHOSEN] = 0
        if place < 0:
            wait(at, i, seat, 0, number, -1, -1)
        return place
    if level == c.RANDOM:
        return chosen(at, i, seat, number)
    if level == c.GAIN:
        return call(entry(at, c.GAIN_TURN), at, i, number)
    return plain_turn(at, i, number)


def on_claim(at: Any, i: int, seat: int, other: int, number: int, tile: int, offerer: int) -> Any:
    """Choose an option of a seat which may claim something (a pass is the last): its place, -1 if not known yet.

    other: where the options are; number: how many; tile, offerer: the tile offered, and by whom.

    A choice stays until `answered`: a step of the table that waits for another seat is taken again from its beginning.
    """
    own = seat_of(at, i, seat)
    level = own[c.LEVEL]
    if own[c.CHOSEN]:
        return own[c.CHOSEN] - 1
    if level == c.OUTSIDE:
        wait(at, i, seat, other, number, tile, offerer)
        return -1
    if level == c.RANDOM:
        place = chosen(at, i, seat, number)
    elif level == c.GAIN:
        place = call(entry(at, c.GAIN_CLAIM), at, i, seat, other, number)
    else:
        place = plain_claim(at, i, seat, other, number)
    own[c.CHOSEN] = place + 1
    return place


def chosen(at: Any, i: int, seat: int, number: int) -> Any:
    """The option taken, any of them with the same chance."""
    return int(uniform(generator_of(at, i, seat)) * number)


def wait(at: Any, i: int, seat: int, other: int, number: int, tile: int, offerer: int) -> None:
    """Stop the table until the choice of a seat among so many options is known; tile, offerer: -1 none."""
    now, options = numbers_of(at, i), options_of(at, other)
    offered = int64s(entry(at, c.AT_OFFERED) + 24 * c.MOST_OPTIONS * i, (c.MOST_OPTIONS, 3))
    for k in range(number):
        for column in range(3):
            offered[k, column] = options[k, column]
    now[c.WAITING], now[c.OFFERED], now[c.OFFER_TILE], now[c.OFFERER] = seat + 1, number, tile, offerer


def answered(at: Any, i: int) -> None:
    """Forget the choices that a step of the table needed, after it."""
    for seat in range(c.SEATS):
        seat_of(at, i, seat)[c.CHOSEN] = 0
