"""Options of a seat as numbers in a list, and its choice by a bot or from outside; the twin is `quepu.table.legal`.

The plain twins of the bots are those of `quepu.bots`.
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from quepu.fast.tables import columns as c
from quepu.fast.tables.memory import (
    entry,
    generator_of,
    held_by,
    lists_by,
    numbers_of,
    options_of,
    rules_of,
    seat_of,
)
from quepu.fast.tables.mersenne import uniform
from quepu.fast.tables.plain import plain_claim, plain_turn
from quepu.fast.tables.tiles import NO_LUCK, is_exposed, waits_of


def option(options: Any, number: int, do: int, tile: int, low: int) -> Any:
    """Write down one option more; return how many there are."""
    options[number, 0], options[number, 1], options[number, 2] = do, tile, low
    return number + 1


def turn_options(at: Any, i: int, wins: bool) -> Any:
    """Write down the options of the seat whose turn it is; return how many."""
    now, rules, options = numbers_of(at, i), rules_of(at), options_of(at, 0)
    seat, drawn, n = now[c.TURN_OF], now[c.DRAWN], 0
    own, hand, lists = seat_of(at, i, seat), held_by(at, i, seat), lists_by(at, i, seat)
    if drawn >= c.KINDS:
        n = option(options, n, c.A_DRAWN, drawn, 0)
        if now[c.BACK] < rules[c.DEAD] if rules[c.FEEDS] else now[c.LEFT] > 0:
            n = option(options, n, c.A_FLOWER, drawn, 0)
        return n
    if wins:
        n = option(options, n, c.A_WIN, drawn, 0)
    for kind in range(c.KINDS):
        if int(hand[kind]) - int(kind == drawn) > 0:
            n = option(options, n, c.A_DISCARD, kind, 0)
    if drawn >= 0:
        n = option(options, n, c.A_DRAWN, drawn, 0)
    if (drawn >= 0 or rules[c.KONG_AFTER_CLAIM]) and (now[c.LEFT] or rules[c.KONG_WITHOUT_TILE]):
        for k in range(own[c.FOURS]):
            n = option(options, n, c.A_CONCEALED, int(lists[0, k]), 0)
        for k in range(own[c.PUNGS]):
            if hand[lists[1, k]]:
                n = option(options, n, c.A_ADDED, int(lists[1, k]), 0)
    if rules[c.DECLARES] and drawn >= 0 and not own[c.HAS_DISCARDED] and not own[c.DECLARED]:
        n = declarations(at, i, n)
    return n


def declarations(at: Any, i: int, number: int) -> Any:
    """Write down first discards that leave the hand ready, with a declaration; return how many options there are."""
    now = numbers_of(at, i)
    seat, drawn = now[c.TURN_OF], now[c.DRAWN]
    if is_exposed(at, i, seat):
        return number
    hand = held_by(at, i, seat)
    for k in range(-1, c.KINDS):  # the drawn one first
        kind = drawn if k < 0 else k
        if int(hand[kind]) - int(k == drawn) > 0:
            hand[kind] -= 1
            if waits_of(at, i, seat, NO_LUCK):
                number = option(options_of(at, 0), number, c.A_DRAWN if k < 0 else c.A_DISCARD, kind, 1)
            hand[kind] += 1
    return number


def claim_options(at: Any, i: int, seat: int, tile: int, giver: int, wins: bool, options: Any) -> Any:
    """Write down the claims that a seat may make on a discard; return how many options there are, 0 if none."""
    now, rules, hand = numbers_of(at, i), rules_of(at), held_by(at, i, seat)
    left, held, n = now[c.LEFT] > 0, hand[tile], 0
    if wins:
        n = option(options, n, c.A_WIN, tile, 0)
    every = left or rules[c.ANY_LAST] > 0
    if (
        held == 3
        and rules[c.CLAIM_KONG]
        and (every or rules[c.LAST_KONG] > 0)
        and (left or rules[c.KONG_WITHOUT_TILE] > 0)
    ):
        n = option(options, n, c.A_KONG, tile, 0)
    if held >= 2 and rules[c.CLAIM_PUNG] and (every or rules[c.LAST_PUNG] > 0):
        n = option(options, n, c.A_PUNG, tile, 0)
    if seat == (giver + 1) & 3 and tile < 27 and rules[c.CLAIM_CHOW] and (every or rules[c.LAST_CHOW] > 0):
        rank = tile % 9
        for low in range(max(0, rank - 2), min(6, rank) + 1):
            there = True
            for r in range(low, low + 3):
                if r != rank and not hand[tile - rank + r]:
                    there = False
            if there:
                n = option(options, n, c.A_CHOW, tile, tile - rank + low)
    if n:
        n = option(options, n, c.A_PASS, 0, 0)
    return n


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
        return choose(at, i, seat, number)
    if level in (c.GAIN, c.AIMED):
        return call(entry(at, c.GAIN_TURN), at, i, number)
    return plain_turn(at, i, number)


def on_claim(at: Any, i: int, seat: int, other: int, number: int, tile: int, offerer: int) -> Any:
    """Choose an option of a seat which may claim something (a pass is the last): its place, -1 if not known yet.

    other: where the options are; number: how many; tile, offerer: the tile offered, and by whom.

    A choice stays until `forget_choices`: a step of the table that waits for another seat begins again.
    """
    own = seat_of(at, i, seat)
    level = own[c.LEVEL]
    if own[c.CHOSEN]:
        return own[c.CHOSEN] - 1
    if level == c.OUTSIDE:
        wait(at, i, seat, other, number, tile, offerer)
        return -1
    if level == c.RANDOM:
        place = choose(at, i, seat, number)
    elif level in (c.GAIN, c.AIMED):
        place = call(entry(at, c.GAIN_CLAIM), at, i, seat, other, number)
    else:
        place = plain_claim(at, i, seat, other, number)
    own[c.CHOSEN] = place + 1
    return place


def choose(at: Any, i: int, seat: int, number: int) -> Any:
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


def forget_choices(at: Any, i: int) -> None:
    """Forget the choices that a step of the table needed, after it."""
    for seat in range(c.SEATS):
        seat_of(at, i, seat)[c.CHOSEN] = 0
