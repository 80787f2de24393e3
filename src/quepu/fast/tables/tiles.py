"""Tiles that come into a hand and leave it, and its waits; the plain twin is `quepu.table.play`.

The text of this module is compiled by numba, as is that of all modules that `quepu.fast.tables.code` lists. `at` is the
address of a context (`quepu.fast.tables.memory`), `i` a table.
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from quepu.fast.compiled.reading_loops import (
    AHEAD,
    AHEAD_CODE,
    ENTRY,
    ENTRY_CODE,
    SINGLE,
    finish,
    in_lanes,
    planes_of_levels,
)
from quepu.fast.nearest.distance import AT_FIVE, KINDS, bit_of, whole_waits
from quepu.fast.tables import columns as c
from quepu.fast.tables.memory import entry, held_by, lists_by, log_of, melds_by, numbers_of, seat_of, table_of

HONOUR_KEYS = 5**9  # where the keys of honours begin in the tables of suits
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


def look(at: Any, i: int, seat: int) -> None:
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
    far, hand, number = entry(at, c.FAR), held_by(at, i, seat), seat_of(at, i, seat)[c.MELDS]
    lookup, ways = table_of(at, c.AT_LOOKUP), table_of(at, c.AT_WAYS)
    m, p, s, z, five = 0, 0, 0, HONOUR_KEYS, 1
    for rank in range(9):
        m += int(hand[rank]) * five
        p += int(hand[9 + rank]) * five
        s += int(hand[18 + rank]) * five
        if rank < 7:
            z += int(hand[27 + rank]) * five
        five *= 5
    found = 0
    t1, t2, t3, t4 = planes_of_levels(lookup[m, 0], lookup[p, 0], lookup[s, 0], lookup[z, 0])
    for w in range(len(ways)):
        single, most = ways[w, SINGLE], ways[w, 2]
        lacking = single & ~t1
        if number > most or lacking & lacking - 1:
            continue
        x, y, v, u = m - ways[w, 4], p - ways[w, 5], s - ways[w, 6], z - ways[w, 7]
        if lacking:
            for kind in range(27):
                if bit_of(kind) == lacking:
                    suit, more = kind // 9, word_at(far, AT_FIVE + kind)
                    x, y, v = x + more * int(suit == 0), y + more * int(suit == 1), v + more * int(suit == 2)
            total = (lookup[x, 1] & ENTRY) + (lookup[y, 1] & ENTRY) + (lookup[v, 1] & ENTRY) + (lookup[u, 1] & ENTRY)
            if total >> ENTRY_CODE == 1:
                found |= lacking
            continue
        found |= find_completing(
            lookup[x, 1] >> AHEAD, lookup[y, 1] >> AHEAD, lookup[v, 1] >> AHEAD, lookup[u, 1] >> AHEAD, 1
        )
    if number == 0:
        found |= whole_waits((0, 0, 0, 0, t1, t2, t3, t4), luck, far)
    if entry(at, c.FOURS_WIN) > 0:
        found |= waits_beside_fours(at, i, seat, (m, p, s, z))
    if found:
        found &= ~four_alike(at, i, seat, found)
    return found


def find_completing(m: Any, p: Any, s: Any, z: Any, pairs: int) -> Any:
    """The kinds, as a plane, that complete suits of which this is ahead to sets and so many pairs."""
    total = (m >> AHEAD_CODE) + (p >> AHEAD_CODE) + (s >> AHEAD_CODE) + (z >> AHEAD_CODE)
    return in_lanes(finish(total, m, pairs), finish(total, p, pairs), finish(total, s, pairs), finish(total, z, pairs))


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


def waits_beside_fours(at: Any, i: int, seat: int, keys: Any) -> Any:
    """Return the waits of a closed hand for two fours of a kind that were not konged, and sets."""
    if is_exposed(at, i, seat):
        return 0
    far, hand, lookup = entry(at, c.FAR), held_by(at, i, seat), table_of(at, c.AT_LOOKUP)
    m, p, s, z = keys
    found = 0
    for one in range(KINDS):
        if hand[one] == 4:
            for two in range(KINDS):
                if two != one and (hand[two] == 3 or (hand[two] == 4 and two > one)):
                    first, second = 4 * word_at(far, AT_FIVE + one), int(hand[two]) * word_at(far, AT_FIVE + two)
                    x = lookup[m - first * int(one // 9 == 0) - second * int(two // 9 == 0), 1]
                    y = lookup[p - first * int(one // 9 == 1) - second * int(two // 9 == 1), 1]
                    v = lookup[s - first * int(one // 9 == 2) - second * int(two // 9 == 2), 1]
                    u = lookup[z - first * int(one // 9 == 3) - second * int(two // 9 == 3), 1]
                    if hand[two] == 3:
                        if ((x & ENTRY) + (y & ENTRY) + (v & ENTRY) + (u & ENTRY)) >> ENTRY_CODE == 0:
                            found |= bit_of(two)
                    else:
                        found |= find_completing(x >> AHEAD, y >> AHEAD, v >> AHEAD, u >> AHEAD, 0)
    return found
