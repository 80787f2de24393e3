"""Tiles that come into a hand and leave it, and its waits, on arrays; the plain twin is `quepu.table.play`."""

from __future__ import annotations

from typing import Any

from quepu.fast.compiled.reading_loops import (
    AHEAD,
    AHEAD_CODE,
    ENTRY,
    ENTRY_CODE,
    SINGLE,
    finishing,
    in_lanes,
    planes_of_levels,
)
from quepu.fast.tables.columns import (
    CHOW,
    CONCEALED,
    E_ADDED,
    E_CONCEALED,
    E_KONG,
    E_REPLACE,
    EVENTS,
    FOURS,
    KINDS,
    KONGS_IN_ROW,
    LAST_EVENT,
    MELDS,
    PUNG,
    WAITS,
)


def happened(i: int, tables: Any, code: int, seat: int, tile: int, low: int, giver: int) -> None:
    """Record an event, and what circumstances need of it."""
    scalars, log = tables[0], tables[8]
    log[i, scalars[i, EVENTS]] = code | seat << 8 | tile << 16 | low << 24 | giver << 32
    scalars[i, EVENTS] += 1
    last = scalars[i, LAST_EVENT]
    if code == E_REPLACE:
        made = last in (E_KONG, E_ADDED, E_CONCEALED)
        scalars[i, KONGS_IN_ROW] = scalars[i, KONGS_IN_ROW] + 1 if made else 0
    elif not (code in (E_ADDED, E_CONCEALED) and last == E_REPLACE):
        scalars[i, KONGS_IN_ROW] = 0
    scalars[i, LAST_EVENT] = code


def add_tile(i: int, tables: Any, seat: int, tile: int) -> None:
    """Put a tile into a hand."""
    counts, lists, of_seat = tables[2], tables[4], tables[1]
    counts[i, seat, tile] += 1
    if counts[i, seat, tile] == 4:
        lists[i, seat, 0, of_seat[i, seat, FOURS]] = tile
        of_seat[i, seat, FOURS] += 1


def take_tile(i: int, tables: Any, seat: int, tile: int, copies: int) -> None:
    """Take so many copies out of a hand."""
    counts, lists, of_seat = tables[2], tables[4], tables[1]
    if counts[i, seat, tile] == 4 and copies:
        drop(lists[i, seat, 0], of_seat[i, seat], FOURS, tile)
    counts[i, seat, tile] -= copies


def drop(items: Any, numbers: Any, which: int, tile: int) -> None:
    """Take a tile out of a list."""
    at = 0
    while items[at] != tile:
        at += 1
    numbers[which] -= 1
    while at < numbers[which]:
        items[at] = items[at + 1]
        at += 1


def look(i: int, tables: Any, suits: Any, seat: int) -> None:
    """Renew what a hand of thirteen tiles waits for (of fourteen: nothing)."""
    of_seat, counts, melds = tables[1], tables[2], tables[3]
    hand, own = counts[i, seat], of_seat[i, seat]
    number = 0
    for kind in range(KINDS):
        number += hand[kind]
    own[WAITS] = 0
    if number % 3 == 1:
        own[WAITS] = waits_of(hand, melds[i, seat], own[MELDS], suits, False)


def waits_of(hand: Any, melds: Any, number: int, suits: Any, lasting: bool) -> Any:
    """Return what a hand of thirteen tiles waits for, as a plane; suits: see `quepu.fast.tables.code.suits`.

    lasting: only what needs no circumstance.
    """
    bits, five, start, _, lookup, ways, fours = suits
    m, p, s, z = start[0], start[1], start[2], start[3]
    for kind in range(9):
        m += hand[kind] * five[kind]
        p += hand[9 + kind] * five[9 + kind]
        s += hand[18 + kind] * five[18 + kind]
    for kind in range(27, KINDS):
        z += hand[kind] * five[kind]
    found = 0
    t1, t2, t3, t4 = planes_of_levels(lookup[m, 0], lookup[p, 0], lookup[s, 0], lookup[z, 0])
    for w in range(len(ways)):
        single, most = ways[w, SINGLE], ways[w, 2]
        lacking = single & ~t1
        if number > most or lacking & lacking - 1:
            continue
        a, b, c, d = m - ways[w, 4], p - ways[w, 5], s - ways[w, 6], z - ways[w, 7]
        if lacking:
            for kind in range(27):
                if bits[kind] == lacking:
                    suit, more = kind // 9, five[kind]
                    a, b, c = a + more * (suit == 0), b + more * (suit == 1), c + more * (suit == 2)
            total = (lookup[a, 1] & ENTRY) + (lookup[b, 1] & ENTRY) + (lookup[c, 1] & ENTRY) + (lookup[d, 1] & ENTRY)
            if total >> ENTRY_CODE == 1:
                found |= lacking
            continue
        a, b, c, d = lookup[a, 1] >> AHEAD, lookup[b, 1] >> AHEAD, lookup[c, 1] >> AHEAD, lookup[d, 1] >> AHEAD
        total = (a >> AHEAD_CODE) + (b >> AHEAD_CODE) + (c >> AHEAD_CODE) + (d >> AHEAD_CODE)
        if total < 32:
            a, b, c, d = finishing(total, a), finishing(total, b), finishing(total, c), finishing(total, d)
            found |= in_lanes(a, b, c, d)
    if not number:
        found |= lasting_waits(t1, t2, t3, t4) if lasting else whole_waits(t1, t2, t3, t4)
    if fours:
        found |= waits_beside_fours(hand, melds, number, suits, m, p, s, z)
    if found:
        for kind in range(KINDS):  # four in hand and melds are no wait
            if found & bits[kind]:
                held = hand[kind]
                for j in range(number):
                    if melds[j, 0] == CHOW:
                        held += melds[j, 1] <= kind <= melds[j, 1] + 2
                    elif melds[j, 1] == kind:
                        held += 3 if melds[j, 0] == PUNG else 4
                if held >= 4:
                    found &= ~bits[kind]
    return found


def whole_waits(t1: Any, _t2: Any, _t3: Any, _t4: Any) -> Any:
    """Return the waits of a hand without melds for a shape that is no sets and pair: nothing where no book is given.

    `quepu.fast.tables.code` puts the book's own function in its place, and in that of the next.
    """
    return t1 & 0


def lasting_waits(t1: Any, _t2: Any, _t3: Any, _t4: Any) -> Any:
    """The same without what only a circumstance makes a win."""
    return t1 & 0


def waits_beside_fours(hand: Any, melds: Any, number: int, suits: Any, m: Any, p: Any, s: Any, z: Any) -> Any:
    """Return what a closed hand waits for to be two fours of a kind that were not konged, and sets; m … z: its keys."""
    bits, five, _, _, lookup, _, _ = suits
    for j in range(number):
        if melds[j, 0] != CONCEALED:
            return 0
    found = 0
    for one in range(KINDS):
        if hand[one] == 4:
            for two in range(KINDS):
                if two != one and (hand[two] == 3 or (hand[two] == 4 and two > one)):
                    first, second = 4 * five[one], hand[two] * five[two]
                    a = lookup[m - first * (one // 9 == 0) - second * (two // 9 == 0), 1]
                    b = lookup[p - first * (one // 9 == 1) - second * (two // 9 == 1), 1]
                    c = lookup[s - first * (one // 9 == 2) - second * (two // 9 == 2), 1]
                    d = lookup[z - first * (one // 9 == 3) - second * (two // 9 == 3), 1]
                    if hand[two] == 3:
                        if ((a & ENTRY) + (b & ENTRY) + (c & ENTRY) + (d & ENTRY)) >> ENTRY_CODE == 0:
                            found |= bits[two]
                        continue
                    a, b, c, d = a >> AHEAD, b >> AHEAD, c >> AHEAD, d >> AHEAD
                    total = (a >> AHEAD_CODE) + (b >> AHEAD_CODE) + (c >> AHEAD_CODE) + (d >> AHEAD_CODE)
                    a, b = finishing(total, a, 0), finishing(total, b, 0)
                    c, d = finishing(total, c, 0), finishing(total, d, 0)
                    found |= in_lanes(a, b, c, d)
    return found
