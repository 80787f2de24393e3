"""Choices of the bots `plain` and `closed` on arrays; the plain twin is `quepu.bots.simple.PlainBot`."""

from __future__ import annotations

from typing import Any

from quepu.fast.tables.columns import (
    A_ADDED,
    A_CONCEALED,
    A_DISCARD,
    A_DRAWN,
    A_FLOWER,
    A_KONG,
    A_PUNG,
    A_READY,
    A_WIN,
    CHOW,
    CONCEALED,
    CONCEALED_HIDDEN,
    KINDS,
    KONG,
    LEVEL,
    MELDS,
    PLAIN,
    PUNG,
    SEATS,
    TURN_OF,
)
from quepu.fast.tables.mersenne import uniform
from quepu.fast.tables.nearest import after_discards, helping, missing


def plain_turn(i: int, tables: Any, rules: Any, suits: Any, far: Any, rooms: Any, number: int) -> Any:
    """The option that the bot takes whose turn it is: its place among them."""
    seat = tables[0][i, TURN_OF]
    options = rooms[0][0]
    if number == 1 or options[0, 0] == A_WIN:
        return 0
    ways = suits[5]
    hand = holding(i, tables, seat, rooms)
    for at in range(number):
        do = options[at, 0]
        if do == A_FLOWER or (
            do in (A_CONCEALED, A_ADDED) and kong_is_free(hand, ways, far, rooms, do, options[at, 1])
        ):
            return at
    return discard(i, tables, rules, ways, far, rooms, seat, number)


def holding(i: int, tables: Any, seat: int, rooms: Any) -> Any:
    """The concealed tiles of a seat, as `quepu.fast.tables.nearest` takes a hand."""
    of_seat, counts, melds = tables[1], tables[2], tables[3]
    copies = rooms[2]
    for kind in range(KINDS):
        copies[kind] = counts[i, seat, kind]
    return copies, 4 - of_seat[i, seat, MELDS], int(melds[i, seat, 0, 0]), int(melds[i, seat, 0, 1])


def kong_is_free(hand: Any, ways: Any, far: Any, rooms: Any, do: int, tile: int) -> Any:
    """Whether a kong on the own turn costs no step."""
    copies, need, meld, low = hand
    now = after_discards(hand, ways, far, rooms[3])
    held = copies[tile]
    copies[tile] = 0
    if do == A_CONCEALED:
        rest = (copies, need - 1, CONCEALED, tile) if need == 4 else (copies, need - 1, meld, low)
    else:
        rest = (copies, need, meld, low)
    lack = missing(rest, ways, far)
    copies[tile] = held
    return lack <= now


def discard(i: int, tables: Any, rules: Any, ways: Any, far: Any, rooms: Any, seat: int, number: int) -> Any:
    """The discard that leaves the hand nearest, of those the one that most tiles help."""
    options, lacks = rooms[0][0], rooms[3]
    hand = holding(i, tables, seat, rooms)
    copies = hand[0]
    best = after_discards(hand, ways, far, lacks)
    nearest, only = 0, 0
    for at in range(number):
        tile = options[at, 1]
        if lacks[tile] == best and is_plain_discard(options[at], copies):
            nearest += 1
            only = at
    if nearest == 1:
        return only
    unseen = rooms[4]
    count_unseen(i, tables, rules, far, seat, unseen)
    greatest, found = -1.0, 0
    for at in range(number):
        tile = options[at, 1]
        if lacks[tile] == best and is_plain_discard(options[at], copies):
            copies[tile] -= 1
            helps = helping(hand, ways, best, unseen, far) + uniform(tables[6][i, seat]) * 0.5
            copies[tile] += 1
            if helps > greatest:
                greatest, found = helps, at
    return found


def is_plain_discard(option: Any, copies: Any) -> Any:
    """Whether it discards a tile without a declaration; the tile drawn only if no other is alike."""
    do, tile = option[0], option[1]
    return option[2] == 0 and (do == A_DISCARD or (do == A_DRAWN and copies[tile] == 1))


def count_unseen(i: int, tables: Any, rules: Any, far: Any, seat: int, unseen: Any) -> None:
    """Copies of each kind that a seat does not see, into `unseen` (int64 [34])."""
    of_seat, counts, melds, visible = tables[1], tables[2], tables[3], tables[5]
    for kind in range(KINDS):
        unseen[kind] = far[8][kind] - visible[i, kind] - counts[i, seat, kind]
    if rules[CONCEALED_HIDDEN]:
        for other in range(SEATS):
            for j in range(of_seat[i, other, MELDS]):
                if other != seat and melds[i, other, j, 0] == CONCEALED:
                    unseen[melds[i, other, j, 1]] += 4


def plain_claim(i: int, tables: Any, suits: Any, far: Any, rooms: Any, seat: int, options: Any, number: int) -> Any:
    """The option that a bot takes which may claim something: its place among them, a pass last."""
    if options[0, 0] == A_WIN:
        return 0
    if tables[1][i, seat, LEVEL] != PLAIN:
        return number - 1
    ways, lacks = suits[5], rooms[3]
    hand = holding(i, tables, seat, rooms)
    copies, need, meld, low = hand
    best, found = missing(hand, ways, far), number - 1
    for at in range(number - 1):
        do, tile = options[at, 0], options[at, 1]
        first = options[at, 2]
        if do == A_READY:
            continue
        made = KONG if do == A_KONG else PUNG if do == A_PUNG else CHOW
        if made == CHOW:
            for kind in range(first, first + 3):
                copies[kind] -= kind != tile
        else:
            first = tile
            copies[tile] -= 3 if made == KONG else 2
        rest = (copies, need - 1, made, first) if need == 4 else (copies, need - 1, meld, low)
        lack = missing(rest, ways, far) if made == KONG else after_discards(rest, ways, far, lacks)
        if made == CHOW:
            for kind in range(first, first + 3):
                copies[kind] += kind != tile
        else:
            copies[tile] += 3 if made == KONG else 2
        if lack < best:
            best, found = lack, at
    return found
