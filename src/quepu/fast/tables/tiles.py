"""Tiles that come into a hand and leave it, and its waits; the plain twin is `quepu.table.play`.

The text of this module is compiled by numba, as is that of all modules that `quepu.fast.tables.code` lists. `at` is the
address of a context (`quepu.fast.tables.memory`), `i` a table.
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from quepu.fast.nearest.distance import (
    EVERY_TILE,
    KINDS,
    bit_of,
    melds_of,
    other_nearer,
    sets_missing,
    sets_nearer,
    with_keys,
)
from quepu.fast.nearest.distance_exact import CLOSED, fours_of
from quepu.fast.nearest.parts import parts_missing, parts_nearer, put_copies
from quepu.fast.tables import columns as c
from quepu.fast.tables.memory import entry, held_by, kinds_by, lists_by, log_of, melds_by, numbers_of, seat_of

ANY_LUCK, NO_LUCK = -1, 0


def record(at: Any, i: int, code: int, seat: int, tile: int, low: int, giver: int) -> None:
    """Record an event, and what circumstances need of it."""
    now = numbers_of(at, i)
    log_of(at, i)[now[c.EVENTS]] = code | seat << 8 | tile << 16 | low << 24 | giver << 32
    now[c.EVENTS] += 1
    last = now[c.LAST_EVENT]
    if code == c.E_REPLACE:
        made = last in (c.E_KONG, c.E_ADDED, c.E_CONCEALED)
        now[c.KONGS_IN_ROW] = now[c.KONGS_IN_ROW] + 1 if made else 0
    elif not (code in (c.E_ADDED, c.E_CONCEALED) and last == c.E_REPLACE):
        now[c.KONGS_IN_ROW] = 0
    now[c.LAST_EVENT] = code


def add_tile(at: Any, i: int, seat: int, tile: int) -> None:
    """Put a tile into a hand."""
    hand, own = held_by(at, i, seat), seat_of(at, i, seat)
    hand[tile] += 1
    if hand[tile] == 4:
        lists_by(at, i, seat)[0, own[c.FOURS]] = tile
        own[c.FOURS] += 1


def take_tile(at: Any, i: int, seat: int, tile: int, copies: int) -> None:
    """Take so many copies out of a hand."""
    hand = held_by(at, i, seat)
    if hand[tile] == 4 and copies:
        drop(lists_by(at, i, seat)[0], seat_of(at, i, seat), c.FOURS, tile)
    hand[tile] -= copies


def drop(items: Any, numbers: Any, which: int, tile: int) -> None:
    """Take a tile out of a list."""
    k = 0
    while items[k] != tile:
        k += 1
    numbers[which] -= 1
    while k < numbers[which]:
        items[k] = items[k + 1]
        k += 1


def renew_waits(at: Any, i: int, seat: int) -> None:
    """Renew the waits of a hand of thirteen tiles (of fourteen: none)."""
    hand, own = held_by(at, i, seat), seat_of(at, i, seat)
    number = 0
    for kind in range(KINDS):
        number += int(hand[kind])
    own[c.WAITS] = 0
    if number % 3 == 1:
        own[c.WAITS] = waits_of(at, i, seat, ANY_LUCK)


def waits_of(at: Any, i: int, seat: int, luck: int) -> Any:
    """Return the plane of the kinds that complete a hand of thirteen tiles in such circumstances."""
    far, melds = entry(at, c.FAR), melds_by(at, i, seat)
    t1, t2, t3, t4 = levels(kinds_by(at, i, seat), 0)
    tiles = with_keys(t1, t2, t3, t4, far)
    beside = melds_of(4 - seat_of(at, i, seat)[c.MELDS], int(melds[0, 0]), int(melds[0, 1]))
    need, free = beside[0], EVERY_TILE & ~t4
    found = other_nearer(tiles, beside, luck, free, 1, far)
    if sets_missing(need, tiles[0], tiles[1], tiles[2], tiles[3], far) == 1:
        found |= sets_nearer(need, tiles, free, 1, far)
    fours = fours_of(tiles, need, CLOSED, 1, far)
    if fours and not is_exposed(at, i, seat):
        put_copies(tiles, (need, 0, 0, 0, 0), far)
        if parts_missing(need - fours, 0, fours, far) == 1:
            found |= parts_nearer(need - fours, 0, fours, 1, far)
    return found & ~four_alike(at, i, seat, found) if found else 0


def four_alike(at: Any, i: int, seat: int, some: Any) -> Any:
    """The kinds among `some`, a plane, of which the hand and its melds have all four copies: they cannot be waits."""
    hand, melds, number = held_by(at, i, seat), melds_by(at, i, seat), seat_of(at, i, seat)[c.MELDS]
    found = 0
    for kind in range(KINDS):
        if some & bit_of(kind):
            held = int(hand[kind])
            for j in range(number):
                if melds[j, 0] == c.CHOW:
                    held += int(melds[j, 1] <= kind <= melds[j, 1] + 2)
                elif melds[j, 1] == kind:
                    held += 3 if melds[j, 0] == c.PUNG else 4
            if held >= 4:
                found |= bit_of(kind)
    return found


def is_exposed(at: Any, i: int, seat: int) -> Any:
    """Whether a seat has a meld other than concealed kongs."""
    melds, number = melds_by(at, i, seat), 0
    for j in range(seat_of(at, i, seat)[c.MELDS]):
        number += int(melds[j, 0] != c.CONCEALED)
    return number > 0
