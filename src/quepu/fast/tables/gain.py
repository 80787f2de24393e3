"""Choices of the bot `gain` on arrays; the plain twin is `quepu.bots.payable_bot.GainBot`."""

from __future__ import annotations

from typing import Any

from quepu.fast.tables.aims import (
    ALL,
    DEEPEST,
    L_CHOWS,
    L_HAVE,
    L_MELDS,
    L_PUNGS,
    L_STATE,
    NOWHERE,
    ROOM_COULD,
    ROOM_HELD,
    ROOM_LANES,
    ROOM_LEFT,
    ROOM_NEAR,
    ROOM_NEXT,
    ROOM_OWN,
    ROOM_SUMS,
    ROOM_WINDS,
    SUITS,
    near_gains,
)
from quepu.fast.tables.columns import (
    A_ADDED,
    A_CHOW,
    A_CONCEALED,
    A_DISCARD,
    A_DRAWN,
    A_FLOWER,
    A_KONG,
    A_PUNG,
    A_WIN,
    CHOW,
    CONCEALED,
    KINDS,
    KONG,
    LEFT,
    MELDS,
    PUNG,
    ROUND,
    TURN_OF,
)
from quepu.fast.tables.nearest import changed, sets_missing, tiles_of
from quepu.fast.tables.plain import count_unseen, holding

NO_MELD = -1
PACE, START = 0.2, 0.5  # `quepu.fast.nearest.payable.rates`
# Numbers of `aims`.
READS_ROUND, SPECIALS = range(2)


def gain_turn(i: int, tables: Any, far: Any, rooms: Any, number: int) -> Any:
    """The option that the bot takes whose turn it is: its place among them."""
    seat = tables[0][i, TURN_OF]
    options = rooms[0][0]
    if number == 1 or options[0, 0] == A_WIN:
        return 0
    for at in range(number):
        if options[at, 0] == A_FLOWER:
            return at
    values, copies = rooms[5][6], rooms[2]
    gain_unseen(i, tables, far, rooms, seat)
    holding(i, tables, seat, rooms)
    missing = gain_look(i, tables, far, rooms, seat, NO_MELD, 0)
    best, highest, chosen_drawn = -1, 0.0, 0
    highest_held = 0.0
    for kind in range(KINDS):
        if copies[kind] and values[kind] > highest_held:
            highest_held = values[kind]
    by_value = missing < NOWHERE and values[KINDS] > 0
    visible = tables[5]
    for at in range(number):
        do, tile = options[at, 0], options[at, 1]
        if (do in (A_DISCARD, A_DRAWN)) and not options[at, 2]:
            value = values[tile] if by_value else float(visible[i, tile])
            if best < 0 or value > highest or (value == highest and (do == A_DRAWN) > chosen_drawn):
                best, highest, chosen_drawn = at, value, int(do == A_DRAWN)
    for at in range(number):
        do, tile = options[at, 0], options[at, 1]
        if do in (A_CONCEALED, A_ADDED):
            held = copies[tile]
            copies[tile] = 0 if do == A_CONCEALED else held - 1
            lack = gain_look(i, tables, far, rooms, seat, CONCEALED if do == A_CONCEALED else NO_MELD, tile)
            copies[tile] = held
            if lack <= missing and values[KINDS] >= 0.9 * highest_held and lack < NOWHERE:
                return at
    return best


def gain_claim(i: int, tables: Any, far: Any, rooms: Any, seat: int, options: Any, number: int) -> Any:
    """The option that the bot takes which may claim something: its place among them, a pass last."""
    if options[0, 0] == A_WIN:
        return 0
    values, copies = rooms[5][6], rooms[2]
    found, best, looked = number - 1, 0.0, False
    for at in range(number - 1):
        do, tile = options[at, 0], options[at, 1]
        if do not in (A_CHOW, A_PUNG, A_KONG):
            continue
        if not looked:
            gain_unseen(i, tables, far, rooms, seat)
            holding(i, tables, seat, rooms)
            gain_look(i, tables, far, rooms, seat, NO_MELD, 0)
            best, looked = values[KINDS], True
        first = options[at, 2] if do == A_CHOW else tile
        made = CHOW if do == A_CHOW else PUNG if do == A_PUNG else KONG
        take_claimed(copies, do, tile, first, -1)
        gain_look(i, tables, far, rooms, seat, made, first)
        value = values[KINDS] if do == A_KONG else 0.0
        if do != A_KONG:
            for kind in range(KINDS):
                if copies[kind] and values[kind] > value:
                    value = values[kind]
        take_claimed(copies, do, tile, first, 1)
        if value > best:
            best, found = value, at
    return found


def take_claimed(copies: Any, do: int, tile: int, first: int, step: int) -> None:
    """Take the own tiles of a claim out of a hand (step -1), or put them back (1)."""
    if do == A_CHOW:
        for kind in range(first, first + 3):
            if kind != tile:
                copies[kind] += step
    else:
        copies[tile] += 3 * step if do == A_KONG else 2 * step


def gain_unseen(i: int, tables: Any, far: Any, rooms: Any, seat: int) -> None:
    """Copies of each kind that a seat does not see, none less than 0."""
    unseen = rooms[4]
    count_unseen(i, tables, rooms[5][4], far, seat, unseen)
    for kind in range(KINDS):
        unseen[kind] = max(unseen[kind], 0)


def gain_look(i: int, tables: Any, far: Any, rooms: Any, seat: int, made: int, low: int) -> Any:
    """Least missing tiles to a payable hand; the values of the discards, and last of none, into the room.

    Args:
        i: the table.
        tables: see `quepu.fast.tables.loop`.
        far: see `quepu.fast.tables.code.distances`.
        rooms: the concealed tiles are in rooms[2], those unseen in rooms[4], `aims` is rooms[5].
        seat: whose hand it is.
        made: the kind of a meld that comes to those of the seat, NO_MELD for none.
        low: its lowest tile.
    """
    of_seat, melds = tables[1], tables[3]
    copies, unseen, aims = rooms[2], rooms[4], rooms[5]
    rules, numbers, room, values = aims[4], aims[3][0], aims[5], aims[6]
    could, own, winds, sums = room[ROOM_COULD], room[ROOM_OWN], room[ROOM_WINDS], room[ROOM_SUMS]
    round_wind = rules[ROUND] if numbers[READS_ROUND] else seat
    winds_first(seat, round_wind, winds)
    total = 0
    for kind in range(KINDS):
        own[kind] = copies[winds[kind]]
        could[kind] = min(unseen[winds[kind]], 4)
        total += unseen[kind]
    mine = room[ROOM_LANES]
    for lane in range(SUITS):
        for n in range(5):
            mine[lane, n] = 0
    number, exposed_melds = of_seat[i, seat, MELDS], 0
    for j in range(number):
        add_fixed(int(melds[i, seat, j, 0]), int(melds[i, seat, j, 1]), winds, own, mine)
        exposed_melds += melds[i, seat, j, 0] != CONCEALED
    if made != NO_MELD:
        add_fixed(made, low, winds, own, mine)
        exposed_melds += made != CONCEALED
        number += 1
    for kind in range(KINDS):
        lane = kind // 9
        for n in range(min(own[kind], 4)):
            mine[lane, L_HAVE] |= 1 << 9 * n + kind % 9
    tiles = tiles_of(copies, far)
    for lane in range(SUITS):
        mine[lane, L_STATE] = far[1][tiles[3]] if lane == 3 else far[0][tiles[lane]]
    nearest = sets_missing(4 - number, tiles[0], tiles[1], tiles[2], tiles[3], far)
    limit = DEEPEST + 1
    if not number:
        for n in range(numbers[SPECIALS]):
            limit = min(limit, limit_by(n, nearest, tiles, far, rooms))
    double_wind = numbers[READS_ROUND] > 0 and seat == rules[ROUND]
    missing = near_gains(exposed_melds == 0, double_wind, nearest, limit, aims)
    near, next_ = room[ROOM_NEAR], room[ROOM_NEXT]
    for kind in range(KINDS + 1):
        near[kind] = next_[kind] = 0.0
    if missing < NOWHERE:
        for kind in range(KINDS):
            near[winds[kind]], next_[winds[kind]] = sums[missing, kind], sums[missing + 1, kind]
        near[KINDS], next_[KINDS] = sums[missing, ALL], sums[missing + 1, ALL]
    if not number:
        for n in range(numbers[SPECIALS]):
            missing = with_special(n, missing, tiles, far, rooms)
    if missing >= NOWHERE:
        for kind in range(KINDS + 1):
            values[kind] = 0.0
        return missing
    rate = 1.0
    turns, left = max(1.0, tables[0][i, LEFT] / 4), max(8, total)
    for n in range(missing):
        rate = rate * max(turns * PACE + START - n, 0.35) / max(left - n, 5)
    then = rate * max(turns * PACE + START - missing, 0.35) / max(left - missing, 5)
    for kind in range(KINDS + 1):
        values[kind] = rate * near[kind] + then * next_[kind]
    return missing


def winds_first(seat: int, round_wind: int, winds: Any) -> None:
    """The kinds with the own wind first among the winds and the round wind second, into `winds`."""
    for kind in range(KINDS):
        winds[kind] = kind
    at = 28
    winds[27] = 27 + seat
    if round_wind != seat:
        winds[28] = 27 + round_wind
        at = 29
    for wind in range(4):
        if wind not in (seat, round_wind):
            winds[at] = 27 + wind
            at += 1


def add_fixed(meld: int, low: int, winds: Any, own: Any, mine: Any) -> None:
    """Add a meld to the tiles of a hand (a kong as three) and to what its lanes must contain."""
    at = low
    for kind in range(27, 31):
        if winds[kind] == low:
            at = kind
    lane, rank = at // 9, at % 9
    mine[lane, L_MELDS] += 1
    if meld == CHOW:
        for kind in range(at, at + 3):
            own[kind] += 1
        while mine[lane, L_CHOWS] >> rank & 1:
            rank += 9
        mine[lane, L_CHOWS] |= 1 << rank
    else:
        own[at] += 3
        mine[lane, L_PUNGS] |= 1 << rank


def limit_by(n: int, nearest: int, tiles: Any, far: Any, rooms: Any) -> Any:
    """The farthest hands that matter beside a special shape, if it pays and is as near as others may be."""
    lack = special_missing(n, tiles[4], tiles[5], tiles[6], tiles[7])
    if lack > nearest or rooms[5][3][1][n] == 0:
        return DEEPEST + 1
    mask, _, _ = helpers(n, tiles, far, rooms)
    return lack + 1 if comes(n, lack, mask, tiles, far, rooms) else DEEPEST + 1


def helpers(n: int, tiles: Any, far: Any, rooms: Any) -> Any:
    """The kinds that may come and bring a hand nearer to a special shape, as a mask; how many; their copies unseen."""
    copies, unseen = rooms[2], rooms[4]
    helps, mask, kinds, helping = special_helping(n, tiles[4], tiles[5], tiles[6], tiles[7]), 0, 0, 0
    for kind in range(KINDS):
        if copies[kind] < 4 and unseen[kind] > 0 and helps & far[7][kind]:
            mask |= 1 << kind
            kinds += 1
            helping += unseen[kind]
    return mask, kinds, helping


def with_special(n: int, missing: int, tiles: Any, far: Any, rooms: Any) -> Any:
    """Add a special shape that pays to the sums of the nearest hands; least missing tiles then."""
    copies, aims = rooms[2], rooms[5]
    gains, ways_to = aims[3][1], aims[3][2]
    near, next_ = aims[5][ROOM_NEAR], aims[5][ROOM_NEXT]
    lack = special_missing(n, tiles[4], tiles[5], tiles[6], tiles[7])
    if lack > missing + 1 or gains[n] == 0:
        return missing
    mask, kinds, helping = helpers(n, tiles, far, rooms)
    if not comes(n, lack, mask, tiles, far, rooms):
        return missing
    if lack < missing:
        for kind in range(KINDS + 1):
            next_[kind] = near[kind] if lack + 1 == missing else 0.0
            near[kind] = 0.0
        missing = lack
    gained = gains[n] * ways_to[kinds, helping, lack]
    sums = near if lack == missing else next_
    for kind in range(KINDS):
        if copies[kind]:
            rest = changed(tiles, kind, -1, copies[kind], far)
            if special_missing(n, rest[4], rest[5], rest[6], rest[7]) == lack:
                sums[kind] += gained
    sums[KINDS] += gained
    return missing


def comes(n: int, lack: int, mask: int, tiles: Any, far: Any, rooms: Any) -> Any:
    """Whether tiles that can still come complete a special shape: `quepu.fast.nearest.pair_distance.reachable`."""
    copies, unseen = rooms[2], rooms[4]
    left, held = rooms[5][5][ROOM_LEFT], rooms[5][5][ROOM_HELD]
    for kind in range(KINDS):
        left[kind], held[kind] = unseen[kind], copies[kind]
    for need in range(lack, 0, -1):
        nearer, among = -1, 0
        while nearer < 0 and among < 2 * KINDS:
            kind = among % KINDS
            if left[kind] > 0 and (among >= KINDS or mask >> kind & 1):
                more = changed(tiles, kind, 1, held[kind] + 1, far)
                if special_missing(n, more[4], more[5], more[6], more[7]) < need:
                    nearer = kind
            among += 1
        if nearer < 0:
            return False
        tiles = changed(tiles, nearer, 1, held[nearer] + 1, far)
        held[nearer] += 1
        left[nearer] -= 1
        mask &= ~(1 << nearer)
    return True


def special_missing(_n: int, _t1: Any, _t2: Any, _t3: Any, _t4: Any) -> Any:
    """Least missing tiles of a hand without melds to a special shape that pays, the n-th of them.

    `quepu.fast.tables.code` puts the book's own function in its place, and in that of the next.
    """
    return NOWHERE


def special_helping(_n: int, _t1: Any, _t2: Any, _t3: Any, _t4: Any) -> Any:
    """The kinds, as a plane, that bring such a hand nearer to it."""
    return 0
