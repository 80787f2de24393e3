"""The worth of payable hands near by, joined suit by suit, for gains alone; the twin is `fast.nearest.join`.

Where that module weighs every hand within a cap, this one takes one distance after another: the least at which a hand
pays, and the next. All sums are whole numbers (and below 2 ** 53, where the other has floats): any order will do.

The tables and the room to work in are those of `quepu.fast.tables.aim_tables`, found in a context.
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from quepu.fast.tables import columns as c
from quepu.fast.tables.memory import cube_of, entry, list_of, size_of, table_of
from quepu.hands.planes import count

NOWHERE = 99  # `quepu.fast.nearest.join.FAR`: no payable hand is left
DEEPEST = 14  # `quepu.fast.nearest.payable.DEEPEST`
MELD_SETS = 366_528
SUITS, CLASSES = 4, 10  # suits and honours; melds twice, and whether there is a pair
# Rows of readings.
R_TILES, R_CHOWS, R_PUNGS, R_NUMBER, R_PAIR = range(5)
# Rows of the joins of suits.
J_FIRST, J_SIZE, J_WIDTH = range(3)
# Numbers of a lane.
L_HAVE, L_CHOWS, L_PUNGS, L_MELDS, L_STATE = range(5)

ALL = 36  # the column of sums for discarding nothing, behind those of the kinds and two that are none


def fold(copies: Any) -> Any:
    """The ranks of copies in unary."""
    copies |= copies >> 18
    return (copies | copies >> 9) & 511


def near_gains(at: Any, gains: int, closed: bool, double_wind: bool, nearest: int, limit: int) -> Any:
    """Least missing tiles of a payable hand, and the sums by discard at that distance and the next.

    The sums are in the room, a row for each distance; gains: the first entry of gains, of any hand or of those with a
    fan; nearest: least missing tiles to any standard hand; limit: hands farther than that do not matter.
    """
    sums = table_of(at, c.ROOM_SUMS)
    which = gains + 2 * int(double_wind) + int(not closed)
    best, first, cap = NOWHERE, nearest, min(nearest + 1, limit)
    while first <= cap:
        for far in range(first, cap + 2):
            for kind in range(ALL + 1):
                sums[far, kind] = 0
        if near_readings(at, cap):
            for joint in range(CLASSES):
                join_lanes(at, which, joint, first, cap)
            spread_sums(at, first, cap)
        for far in range(first, cap + 1):
            if best == NOWHERE and sums[far, ALL] > 0:
                best = far
        if best < cap or (best == NOWHERE and cap >= DEEPEST):
            break
        first = cap + 1
        cap = min(first, limit)
    return best


def near_readings(at: Any, cap: int) -> Any:
    """The readings of each lane that may be part of a hand so many tiles away; whether there may be such a hand."""
    vectors, least = cube_of(at, c.AT_LEAST_BY_CLASS), table_of(at, c.ROOM_LEAST)
    slack, lanes = table_of(at, c.ROOM_SLACK), table_of(at, c.ROOM_LANES)
    for lane in range(SUITS):
        melds = lanes[lane, L_MELDS]
        for cls in range(CLASSES):
            least[lane, cls] = cap + 1
        for cls in range(CLASSES - 2 * melds):
            least[lane, cls + 2 * melds] = vectors[int(lane == 3), lanes[lane, L_STATE], cls]
    for half in range(2):  # least[4 + half]: of two lanes together
        for joint in range(CLASSES):
            least[4 + half, joint] = cap + 1
        for a in range(CLASSES):
            for b in range(CLASSES - (a & ~1)):
                if not a & b & 1:
                    here = least[2 * half, a] + least[2 * half + 1, b]
                    least[4 + half, a + b] = min(least[4 + half, a + b], here)
    some = False
    for joint in range(CLASSES):
        if least[4, joint] + least[5, 9 - joint] <= cap:
            some = True
    if some:
        for lane in range(SUITS):
            other, beside = least[lane ^ 1], least[5 - lane // 2]
            for a in range(CLASSES):
                nearest = cap + 1
                for b in range(CLASSES - (a & ~1)):
                    if not a & b & 1 and other[b] + beside[9 - a - b] < nearest:
                        nearest = other[b] + beside[9 - a - b]
                slack[lane, a] = cap - nearest
            select(at, lane, cap)
    return some


def select(at: Any, lane: int, cap: int) -> None:
    """The readings of a lane that are near enough, contain its melds and can still come, by class and missing tiles."""
    readings, starts = table_of(at, c.AT_READINGS), table_of(at, c.AT_STARTS)
    tiles, chows, pungs = readings[R_TILES], readings[R_CHOWS], readings[R_PUNGS]
    found, distance = list_of(at, c.ROOM_FOUND), list_of(at, c.ROOM_DISTANCE)
    ordered, begins = list_of(at, c.ROOM_ORDERED), cube_of(at, c.ROOM_BEGINS)[lane]
    least, slack = table_of(at, c.ROOM_LEAST), table_of(at, c.ROOM_SLACK)[lane]
    mine, single, could = table_of(at, c.ROOM_LANES)[lane], table_of(at, c.ROOM_SINGLE), list_of(at, c.ROOM_COULD)
    for part in range(3):
        single[part, 0] = 1
        for bit in range(3):
            kind = 9 * lane + 3 * part + bit
            for low in range(1 << bit):
                single[part, low | 1 << bit] = single[part, low] * could[kind]
    lacking, chow, pung, end, row = ~mine[L_HAVE], mine[L_CHOWS], mine[L_PUNGS], 0, int(lane == 3)
    for cls in range(CLASSES):
        begin, most, got = begins[cls], slack[cls], 0
        for far in range(cap + 2):
            begin[far] = 0
        if least[lane, cls] <= most:
            for k in range(starts[row, cls], starts[row, cls + 1]):
                far = count(tiles[k] & lacking)
                if far <= most and chows[k] & chow == chow and pungs[k] & pung == pung:
                    found[got], distance[got] = k, far
                    begin[far + 1] += 1
                    got += 1
        for far in range(cap + 1):
            begin[far + 1] += begin[far]
        for k in range(got):
            far = distance[k]
            ordered[begin[far]] = found[k]
            begin[far] += 1
        from_ = 0
        for far in range(cap + 1):  # a place is the end of its distance now
            to = begin[far]
            begin[far] = end
            for k in range(from_, to):
                end = weigh(at, lane, cls, ordered[k], end)
            from_ = to
        begin[cap + 1] = end


def weigh(at: Any, lane: int, cls: int, reading: int, end: int) -> Any:
    """Put a reading at that place of those of a lane, with the ways to draw the tiles it lacks; the next place."""
    readings, choose, could = table_of(at, c.AT_READINGS), table_of(at, c.AT_CHOOSE), list_of(at, c.ROOM_COULD)
    lack = readings[R_TILES, reading] & ~table_of(at, c.ROOM_LANES)[lane, L_HAVE]
    if lack < 512:
        single = table_of(at, c.ROOM_SINGLE)
        ways = single[0, lack & 7] * single[1, lack >> 3 & 7] * single[2, lack >> 6]
    else:
        ranks, kind, ways = fold(lack), 9 * lane, 1
        while ranks:
            if ranks & 1:
                ways *= choose[could[kind], count(lack >> kind - 9 * lane & 0x8040201)]
            ranks >>= 1
            kind += 1
    if not ways:
        return end
    tallies = cube_of(at, c.ROOM_TALLIES)
    table_of(at, c.ROOM_ROWS)[lane, end], table_of(at, c.ROOM_WAYS)[lane, end] = reading, ways
    table_of(at, c.ROOM_NUMBERS)[lane, end] = readings[R_NUMBER, reading]
    table_of(at, c.ROOM_PAIRS)[lane, end] = (readings[R_PAIR, reading] + 9 * lane) * MELD_SETS if cls & 1 else 0
    tallies[lane, end, 0], tallies[lane, end, 1] = 0, 0
    return end + 1


def join_lanes(at: Any, which: int, joint: int, first: int, cap: int) -> None:
    """Weigh the hands of which the suits m and p make so many melds and pairs (`joint`), and s and honours the rest."""
    least, begins = table_of(at, c.ROOM_LEAST), table_of(at, c.ROOM_AT)
    if least[4, joint] + least[5, 9 - joint] > cap:
        return
    left = halves(at, 0, joint, cap - least[5, 9 - joint], cap)
    right = halves(at, 1, 9 - joint, cap - least[4, joint], cap)
    if not left or not right:
        return
    for near in range(cap + 1):
        if begins[0, near] < begins[0, near + 1]:
            for far in range(max(first, near), cap + 1):
                weigh_hands(at, which, near, far - near, far - first)
    spread_halves(at, 0, cap + 1 - first, left)
    spread_halves(at, 1, cap + 1 - first, right)


def halves(at: Any, side: int, joint: int, most: int, cap: int) -> Any:
    """The pairs of readings of two lanes that make so many melds and pairs, at most so many tiles away; how many.

    side: 0 for m and p, 1 for s and honours. They are in the room, sorted by the tiles that they lack.
    """
    joins, begins, numbers = cube_of(at, c.AT_JOINS), cube_of(at, c.ROOM_BEGINS), table_of(at, c.ROOM_NUMBERS)
    pairs, ways = table_of(at, c.ROOM_PAIRS), table_of(at, c.ROOM_WAYS)
    ends, places, shares = (
        table_of(at, c.ROOM_AT)[side], table_of(at, c.ROOM_PLACES)[side], table_of(at, c.ROOM_SHARES)[side],
    )  # fmt: skip
    ones, others = table_of(at, c.ROOM_ONES)[side], table_of(at, c.ROOM_OTHERS)[side]
    sums = cube_of(at, c.ROOM_HALVES)[side]
    one, other, size = 2 * side, 2 * side + 1, 0
    scale = 1 if side else joins[J_WIDTH, 1, joint >> 1]
    base = 0 if side else joins[J_WIDTH, 0, joint >> 1]
    for far in range(DEEPEST + 3):
        ends[far] = size
        if far > most:
            continue
        for a in range(joint + 1):
            b = joint - a
            if (
                a & b & 1
                or begins[one, a, 0] == begins[one, a, cap + 1]
                or begins[other, b, 0] == begins[other, b, cap + 1]
            ):
                continue
            begin, step = (
                base + joins[J_FIRST, 5 * side + (a >> 1), b >> 1] * scale,
                joins[J_SIZE, side, b >> 1] * scale,
            )
            for u in range(far + 1):
                from_, to = begins[other, b, far - u], begins[other, b, far - u + 1]
                if from_ == to:
                    continue
                for i in range(begins[one, a, u], begins[one, a, u + 1]):
                    here, many = begin + numbers[one, i] * step + pairs[one, i], ways[one, i]
                    for j in range(from_, to):
                        places[size] = here + numbers[other, j] * scale + pairs[other, j]
                        shares[size] = many * ways[other, j]
                        ones[size], others[size] = i, j
                        sums[0, size] = sums[1, size] = 0
                        size += 1
    return size


def weigh_hands(at: Any, which: int, near: int, far: int, level: int) -> None:
    """Add the gains of hands to their halves: left ones that lack `near` tiles with right ones that lack `far`.

    The longer list is run through inside, without a branch, so that many places of the table are read at once.
    """
    ends, places, shares = table_of(at, c.ROOM_AT), table_of(at, c.ROOM_PLACES), table_of(at, c.ROOM_SHARES)
    sums, points = cube_of(at, c.ROOM_HALVES), uint16s(entry(at, which), (size_of(at, which, 0),))
    inner = 0 if ends[0, near + 1] - ends[0, near] >= ends[1, far + 1] - ends[1, far] else 1
    within, beside = (near, far) if inner == 0 else (far, near)
    from_, to = ends[inner, within], ends[inner, within + 1]
    place_of, share_of, sum_of = places[inner], shares[inner], sums[inner, level]
    for k in range(ends[1 - inner, beside], ends[1 - inner, beside + 1]):
        here, share, gained = places[1 - inner, k], shares[1 - inner, k], 0
        for n in range(from_, to):
            gain = int(points[here + place_of[n]] >> 1)
            gained += share_of[n] * gain
            sum_of[n] += share * gain
        sums[1 - inner, level, k] += gained


def spread_halves(at: Any, side: int, levels: int, size: int) -> None:
    """Add the sums of halves to the readings that they are made of."""
    tallies, shares, sums = cube_of(at, c.ROOM_TALLIES), table_of(at, c.ROOM_SHARES), cube_of(at, c.ROOM_HALVES)
    ones, others = table_of(at, c.ROOM_ONES), table_of(at, c.ROOM_OTHERS)
    for level in range(levels):
        for k in range(size):
            if sums[side, level, k]:
                gained = shares[side, k] * sums[side, level, k]
                tallies[2 * side, ones[side, k], level] += gained
                tallies[2 * side + 1, others[side, k], level] += gained


def spread_sums(at: Any, first: int, cap: int) -> None:
    """Add the sums of readings to the discards that they can spare."""
    tiles, total, begins = table_of(at, c.AT_READINGS)[R_TILES], table_of(at, c.ROOM_SUMS), cube_of(at, c.ROOM_BEGINS)
    of_lane, rows, tallies = table_of(at, c.ROOM_LANES), table_of(at, c.ROOM_ROWS), cube_of(at, c.ROOM_TALLIES)
    for lane in range(SUITS):
        have = of_lane[lane, L_HAVE]
        for k in range(begins[lane, CLASSES - 1, cap + 1]):
            near, next_ = tallies[lane, k, 0], tallies[lane, k, 1]
            if near or next_:
                if not lane:
                    total[first, ALL] += near
                    total[first + 1, ALL] += next_
                spare = fold(have & ~tiles[rows[lane, k]])
                for rank in range(9):  # without a branch, since nobody can guess these
                    there = spare >> rank & 1
                    total[first, 9 * lane + rank] += near * there
                    total[first + 1, 9 * lane + rank] += next_ * there
