"""Choices of the bots `plain` and `closed`; the plain twin is `quepu.bots.simple.PlainBot`."""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from quepu.fast.nearest.distance import AT_COPIES, after_discards, helping, melds_of, missing
from quepu.fast.tables import columns as c
from quepu.fast.tables.memory import (
    by_kind,
    entry,
    generator_of,
    held_by,
    melds_by,
    numbers_of,
    options_of,
    rules_of,
    seat_of,
    visible_at,
)
from quepu.fast.tables.mersenne import uniform


def plain_turn(at: Any, i: int, number: int) -> Any:
    """The option that the bot takes whose turn it is: its place among them."""
    seat, options = numbers_of(at, i)[c.TURN_OF], options_of(at, 0)
    if number == 1 or options[0, 0] == c.A_WIN:
        return 0
    melds = hold(at, i, seat)
    for k in range(number):
        do = options[k, 0]
        if do == c.A_FLOWER:
            return k
        if do in (c.A_CONCEALED, c.A_ADDED) and kong_is_free(at, melds, do == c.A_CONCEALED, options[k, 1]):
            return k
    return discard(at, i, seat, number)


def hold(at: Any, i: int, seat: int) -> Any:
    """Write down the concealed tiles of a seat; return its melds, as `quepu.fast.nearest.distance` takes them."""
    hand, melds, copies = held_by(at, i, seat), melds_by(at, i, seat), by_kind(at, c.AT_HELD)
    for kind in range(c.KINDS):
        copies[kind] = hand[kind]
    return melds_of(4 - seat_of(at, i, seat)[c.MELDS], int(melds[0, 0]), int(melds[0, 1]))


def with_meld(melds: Any, meld: int, low: int) -> Any:
    """The melds with one more, of which only the first matters."""
    if melds[0] == 4:
        return melds_of(3, meld, low)
    return melds[0] - 1, melds[1], melds[2], melds[3], melds[4]


def kong_is_free(at: Any, melds: Any, concealed: bool, tile: int) -> Any:
    """Whether a kong on the own turn costs no step."""
    copies, far = by_kind(at, c.AT_HELD), entry(at, c.FAR)
    now = after_discards(copies, melds, far, by_kind(at, c.AT_LACKS))
    held = copies[tile]
    copies[tile] = 0
    lack = missing(copies, with_meld(melds, c.CONCEALED, tile) if concealed else melds, far)
    copies[tile] = held
    return lack <= now


def discard(at: Any, i: int, seat: int, number: int) -> Any:
    """The discard that leaves the hand nearest, of those the one that most tiles help."""
    options, lacks, far = options_of(at, 0), by_kind(at, c.AT_LACKS), entry(at, c.FAR)
    melds, copies = hold(at, i, seat), by_kind(at, c.AT_HELD)
    best = after_discards(copies, melds, far, lacks)
    nearest, only = 0, 0
    for k in range(number):
        if lacks[options[k, 1]] == best and is_plain_discard(options[k], copies):
            nearest += 1
            only = k
    if nearest == 1:
        return only
    unseen, words = by_kind(at, c.AT_UNSEEN), generator_of(at, i, seat)
    count_unseen(at, i, seat, unseen)
    greatest, found = -1.0, 0
    for k in range(number):
        tile = options[k, 1]
        if lacks[tile] == best and is_plain_discard(options[k], copies):
            copies[tile] -= 1
            helps = helping(copies, melds, best, unseen, far) + uniform(words) * 0.5
            copies[tile] += 1
            if helps > greatest:
                greatest, found = helps, k
    return found


def is_plain_discard(option: Any, copies: Any) -> Any:
    """Whether it discards a tile without a declaration; the tile drawn only if no other is alike."""
    do, tile = option[0], option[1]
    return option[2] == 0 and (do == c.A_DISCARD or (do == c.A_DRAWN and copies[tile] == 1))


def count_unseen(at: Any, i: int, seat: int, unseen: Any) -> None:
    """Write down the copies of each kind that a seat does not see (int64 [34])."""
    hand, visible, far = held_by(at, i, seat), visible_at(at, i), entry(at, c.FAR)
    for kind in range(c.KINDS):
        unseen[kind] = word_at(far, AT_COPIES + kind) - int(visible[kind]) - int(hand[kind])
    if rules_of(at)[c.CONCEALED_HIDDEN]:
        for other in range(c.SEATS):
            melds = melds_by(at, i, other)
            for j in range(seat_of(at, i, other)[c.MELDS]):
                if other != seat and melds[j, 0] == c.CONCEALED:
                    unseen[melds[j, 1]] += 4


def take_claimed(copies: Any, do: int, tile: int, first: int, step: int) -> None:
    """Take the own tiles of a claim out of a hand (step -1), or put them back (1)."""
    if do == c.A_CHOW:
        for kind in range(first, first + 3):
            if kind != tile:
                copies[kind] += step
    else:
        copies[tile] += 3 * step if do == c.A_KONG else 2 * step


def plain_claim(at: Any, i: int, seat: int, other: int, number: int) -> Any:
    """The option that a bot takes which may claim something: its place among them, a pass last."""
    options = options_of(at, other)
    if options[0, 0] == c.A_WIN:
        return 0
    if seat_of(at, i, seat)[c.LEVEL] != c.PLAIN:
        return number - 1
    far, lacks = entry(at, c.FAR), by_kind(at, c.AT_LACKS)
    melds, copies = hold(at, i, seat), by_kind(at, c.AT_HELD)
    best, found = missing(copies, melds, far), number - 1
    for k in range(number - 1):
        do, tile = options[k, 0], options[k, 1]
        if do == c.A_READY:
            continue
        made = c.KONG if do == c.A_KONG else c.PUNG if do == c.A_PUNG else c.CHOW
        first = options[k, 2] if made == c.CHOW else tile
        rest = with_meld(melds, made, first)
        take_claimed(copies, do, tile, first, -1)
        lack = missing(copies, rest, far) if made == c.KONG else after_discards(copies, rest, far, lacks)
        take_claimed(copies, do, tile, first, 1)
        if lack < best:
            best, found = lack, k
    return found
