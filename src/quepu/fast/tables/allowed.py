"""Options of a seat, as numbers in a list; the plain twin is `quepu.table.legal`."""

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
    A_WIN,
    ANY_LAST,
    BACK,
    CLAIM_CHOW,
    CLAIM_KONG,
    CLAIM_PUNG,
    CONCEALED,
    DEAD,
    DECLARED,
    DECLARES,
    DRAWN,
    FEEDS,
    FOURS,
    HAS_DISCARDED,
    KINDS,
    KONG_AFTER_CLAIM,
    KONG_WITHOUT_TILE,
    LAST_CHOW,
    LAST_KONG,
    LAST_PUNG,
    LEFT,
    MELDS,
    PUNGS,
    TURN_OF,
)
from quepu.fast.tables.mersenne import uniform
from quepu.fast.tables.tiles import waits_of


def option(options: Any, number: int, do: int, tile: int, low: int) -> Any:
    """One option more; how many there are."""
    options[number, 0], options[number, 1], options[number, 2] = do, tile, low
    return number + 1


def turn_options(i: int, tables: Any, rules: Any, suits: Any, wins: bool, options: Any) -> Any:
    """Return what the seat whose turn it is may do; how much."""
    scalars, of_seat, counts, lists = tables[0], tables[1], tables[2], tables[4]
    now = scalars[i]
    seat, drawn, n = now[TURN_OF], now[DRAWN], 0
    own, hand = of_seat[i, seat], counts[i, seat]
    if drawn >= KINDS:
        n = option(options, n, A_DRAWN, drawn, 0)
        if now[BACK] < rules[DEAD] if rules[FEEDS] else now[LEFT] > 0:
            n = option(options, n, A_FLOWER, drawn, 0)
        return n
    if wins:
        n = option(options, n, A_WIN, drawn, 0)
    for kind in range(KINDS):
        if hand[kind] - (kind == drawn) > 0:
            n = option(options, n, A_DISCARD, kind, 0)
    if drawn >= 0:
        n = option(options, n, A_DRAWN, drawn, 0)
    if (drawn >= 0 or rules[KONG_AFTER_CLAIM]) and (now[LEFT] or rules[KONG_WITHOUT_TILE]):
        for k in range(own[FOURS]):
            n = option(options, n, A_CONCEALED, int(lists[i, seat, 0, k]), 0)
        for k in range(own[PUNGS]):
            if hand[lists[i, seat, 1, k]]:
                n = option(options, n, A_ADDED, int(lists[i, seat, 1, k]), 0)
    if rules[DECLARES] and drawn >= 0 and not own[HAS_DISCARDED] and not own[DECLARED]:
        n = declarations(i, tables, suits, n, options)
    return n


def exposed(i: int, tables: Any, seat: int) -> Any:
    """Whether a seat has a meld but concealed kongs."""
    of_seat, melds = tables[1], tables[3]
    number = 0
    for j in range(of_seat[i, seat, MELDS]):
        number += melds[i, seat, j, 0] != CONCEALED
    return number > 0


def declarations(i: int, tables: Any, suits: Any, number: int, options: Any) -> Any:
    """First discards that leave the hand ready, with a declaration; how many options there are then."""
    scalars, of_seat, counts, melds = tables[0], tables[1], tables[2], tables[3]
    seat, drawn = scalars[i, TURN_OF], scalars[i, DRAWN]
    if exposed(i, tables, seat):
        return number
    hand, own = counts[i, seat], melds[i, seat]
    for at in range(-1, KINDS):  # the drawn one first
        kind = drawn if at < 0 else at
        if hand[kind] - (at == drawn) > 0:
            hand[kind] -= 1
            if waits_of(hand, own, of_seat[i, seat, MELDS], suits, True):
                number = option(options, number, A_DRAWN if at < 0 else A_DISCARD, kind, 1)
            hand[kind] += 1
    return number


def claim_options(i: int, tables: Any, rules: Any, seat: int, tile: int, giver: int, wins: bool, options: Any) -> Any:
    """Return what a seat may claim a discard for; how much, 0 if nothing."""
    scalars, counts = tables[0], tables[2]
    hand, left = counts[i, seat], scalars[i, LEFT] > 0
    n = 0
    if wins:
        n = option(options, n, A_WIN, tile, 0)
    every = left or rules[ANY_LAST]
    held = hand[tile]
    if held == 3 and rules[CLAIM_KONG] and (every or rules[LAST_KONG]) and (left or rules[KONG_WITHOUT_TILE]):
        n = option(options, n, A_KONG, tile, 0)
    if held >= 2 and rules[CLAIM_PUNG] and (every or rules[LAST_PUNG]):
        n = option(options, n, A_PUNG, tile, 0)
    if seat == (giver + 1) & 3 and tile < 27 and rules[CLAIM_CHOW] and (every or rules[LAST_CHOW]):
        rank = tile % 9
        for low in range(max(0, rank - 2), min(6, rank) + 1):
            there = True
            for r in range(low, low + 3):
                if r != rank and not hand[tile - rank + r]:
                    there = False
            if there:
                n = option(options, n, A_CHOW, tile, tile - rank + low)
    if n:
        n = option(options, n, A_PASS, 0, 0)
    return n


def chosen(i: int, tables: Any, seat: int, number: int) -> Any:
    """The option taken, any of them with the same chance."""
    generators = tables[6]
    return int(uniform(generators[i, seat]) * number)
