"""The worth of payable hands near by, joined suit by suit, for gains alone; the twin is `fast.nearest.join`.

Where that module weighs every hand within a cap, this one takes one distance after another: the least at which a hand
pays, and the next. All sums are whole numbers (and below 2 ** 53, where the other has floats): any order will do.

`aims` below is what `quepu.fast.tables.aim_tables` makes: the tables of gains by whether the hand is closed and the
round wind its own; readings of suits; the joins of suits; numbers of special shapes; the book's numbers; and room.
"""

from __future__ import annotations

from typing import Any

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
# What is in the room.
(
    ROOM_SUMS, ROOM_FOUND, ROOM_DISTANCE, ROOM_ORDERED, ROOM_BEGINS, ROOM_LEAST, ROOM_SLACK, ROOM_LANES, ROOM_COULD,
    ROOM_ROWS, ROOM_NUMBERS, ROOM_PAIRS, ROOM_WAYS, ROOM_TALLIES, ROOM_AT, ROOM_PLACES, ROOM_SHARES, ROOM_HALVES,
    ROOM_ONES, ROOM_OTHERS, ROOM_OWN, ROOM_WINDS, ROOM_NEAR, ROOM_NEXT, ROOM_LEFT, ROOM_HELD,
    ROOM_SINGLE,
) = range(27)  # fmt: skip


def folded(copies: Any) -> Any:
    """The ranks of copies in unary."""
    copies |= copies >> 18
    return (copies | copies >> 9) & 511


def near_gains(closed: Any, double_wind: Any, nearest: int, limit: int, aims: Any) -> Any:
    """Least missing tiles of a payable hand, and the sums by discard at that distance and the next.

    The sums are in the room, a row for each distance; nearest: least missing tiles to any standard hand; limit: what is
    farther than that does not matter.
    """
    gains, sums = aims[0], aims[5][ROOM_SUMS]
    points = (gains[2] if closed else gains[3]) if double_wind else gains[0] if closed else gains[1]
    best, first, cap = NOWHERE, nearest, min(nearest + 1, limit)
    while first <= cap:
        for far in range(first, cap + 2):
            for kind in range(ALL + 1):
                sums[far, kind] = 0
        if near_readings(cap, aims):
            for joint in range(CLASSES):
                joined(points, joint, first, cap, aims)
            spread_sums(first, cap, aims)
        for far in range(first, cap + 1):
            if best == NOWHERE and sums[far, ALL] > 0:
                best = far
        if best < cap or (best == NOWHERE and cap >= DEEPEST):
            break
        first = cap + 1
        cap = min(first, limit)
    return best


def near_readings(cap: int, aims: Any) -> Any:
    """The readings of each lane that may be part of a hand so many tiles away; whether there may be such a hand."""
    vectors, least, slack, lanes = aims[2][3], aims[5][ROOM_LEAST], aims[5][ROOM_SLACK], aims[5][ROOM_LANES]
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
            select(lane, cap, aims)
    return some


def select(lane: int, cap: int, aims: Any) -> None:
    """The readings of a lane that are near enough, contain its melds and can still come, by class and missing tiles."""
    readings, starts, room = aims[1], aims[2][0], aims[5]
    tiles, chows, pungs = readings[R_TILES], readings[R_CHOWS], readings[R_PUNGS]
    found, distance, ordered = room[ROOM_FOUND], room[ROOM_DISTANCE], room[ROOM_ORDERED]
    begins, least, slack, mine = (
        room[ROOM_BEGINS][lane],
        room[ROOM_LEAST],
        room[ROOM_SLACK][lane],
        room[ROOM_LANES][lane],
    )
    single, could = room[ROOM_SINGLE], room[ROOM_COULD]
    for part in range(3):
        single[part, 0] = 1
        for bit in range(3):
            kind = 9 * lane + 3 * part + bit
            for low in range(1 << bit):
                single[part, low | 1 << bit] = single[part, low] * could[kind]
    lacking, chow, pung, at, row = ~mine[L_HAVE], mine[L_CHOWS], mine[L_PUNGS], 0, int(lane == 3)
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
            begin[far] = at
            for k in range(from_, to):
                at = weigh(lane, cls, ordered[k], at, aims)
            from_ = to
        begin[cap + 1] = at


def weigh(lane: int, cls: int, reading: int, at: int, aims: Any) -> Any:
    """Put a reading at that place of those of a lane, with the ways to draw what it lacks; the next place."""
    readings, choose, room = aims[1], aims[2][2], aims[5]
    lack = readings[R_TILES, reading] & ~room[ROOM_LANES][lane, L_HAVE]
    if lack < 512:
        single = room[ROOM_SINGLE]
        ways = single[0, lack & 7] * single[1, lack >> 3 & 7] * single[2, lack >> 6]
    else:
        ranks, kind, ways = folded(lack), 9 * lane, 1
        while ranks:
            if ranks & 1:
                ways *= choose[room[ROOM_COULD][kind], count(lack >> kind - 9 * lane & 0x8040201)]
            ranks >>= 1
            kind += 1
    if not ways:
        return at
    room[ROOM_ROWS][lane, at], room[ROOM_WAYS][lane, at] = reading, ways
    room[ROOM_NUMBERS][lane, at] = readings[R_NUMBER, reading]
    room[ROOM_PAIRS][lane, at] = (readings[R_PAIR, reading] + 9 * lane) * MELD_SETS if cls & 1 else 0
    room[ROOM_TALLIES][lane, at, 0] = room[ROOM_TALLIES][lane, at, 1] = 0
    return at + 1


def joined(points: Any, joint: int, first: int, cap: int, aims: Any) -> None:
    """Weigh the hands of which the suits m and p make so many melds and pairs (`joint`), and s and honours the rest."""
    least, at = aims[5][ROOM_LEAST], aims[5][ROOM_AT]
    if least[4, joint] + least[5, 9 - joint] > cap:
        return
    left = halves(0, joint, cap - least[5, 9 - joint], cap, aims)
    right = halves(1, 9 - joint, cap - least[4, joint], cap, aims)
    if not left or not right:
        return
    for near in range(cap + 1):
        if at[0, near] < at[0, near + 1]:
            for far in range(max(first, near), cap + 1):
                weigh_hands(points, near, far - near, far - first, aims)
    spread_halves(0, cap + 1 - first, left, aims)
    spread_halves(1, cap + 1 - first, right, aims)


def halves(side: int, joint: int, most: int, cap: int, aims: Any) -> Any:
    """The pairs of readings of two lanes that make so many melds and pairs, at most so many tiles away; how many.

    side: 0 for m and p, 1 for s and honours. They are in the room, sorted by the tiles that they lack.
    """
    joins, room = aims[2][1], aims[5]
    begins, numbers, pairs, ways = room[ROOM_BEGINS], room[ROOM_NUMBERS], room[ROOM_PAIRS], room[ROOM_WAYS]
    at, places, shares = room[ROOM_AT][side], room[ROOM_PLACES][side], room[ROOM_SHARES][side]
    ones, others, sums = room[ROOM_ONES][side], room[ROOM_OTHERS][side], room[ROOM_HALVES][side]
    one, other, size = 2 * side, 2 * side + 1, 0
    scale = 1 if side else joins[J_WIDTH, 1, joint >> 1]
    base = 0 if side else joins[J_WIDTH, 0, joint >> 1]
    for far in range(DEEPEST + 3):
        at[far] = size
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


def weigh_hands(points: Any, near: int, far: int, level: int, aims: Any) -> None:
    """Add the gains of hands to their halves: left ones that lack `near` tiles with right ones that lack `far`.

    The longer list is run through inside, without a branch, so that many places of the table are read at once.
    """
    room = aims[5]
    at, places, shares, sums = room[ROOM_AT], room[ROOM_PLACES], room[ROOM_SHARES], room[ROOM_HALVES]
    inner = 0 if at[0, near + 1] - at[0, near] >= at[1, far + 1] - at[1, far] else 1
    within, beside = (near, far) if inner == 0 else (far, near)
    from_, to = at[inner, within], at[inner, within + 1]
    place_of, share_of, sum_of = places[inner], shares[inner], sums[inner, level]
    for k in range(at[1 - inner, beside], at[1 - inner, beside + 1]):
        here, share, gained = places[1 - inner, k], shares[1 - inner, k], 0
        for n in range(from_, to):
            gain = int(points[here + place_of[n]] >> 1)
            gained += share_of[n] * gain
            sum_of[n] += share * gain
        sums[1 - inner, level, k] += gained


def spread_halves(side: int, levels: int, size: int, aims: Any) -> None:
    """Add the sums of halves to the readings that they are made of."""
    room = aims[5]
    tallies, shares, sums = room[ROOM_TALLIES], room[ROOM_SHARES], room[ROOM_HALVES]
    ones, others = room[ROOM_ONES], room[ROOM_OTHERS]
    for level in range(levels):
        for k in range(size):
            if sums[side, level, k]:
                gained = shares[side, k] * sums[side, level, k]
                tallies[2 * side, ones[side, k], level] += gained
                tallies[2 * side + 1, others[side, k], level] += gained


def spread_sums(first: int, cap: int, aims: Any) -> None:
    """Add the sums of readings to the discards that they can spare."""
    tiles, room = aims[1][R_TILES], aims[5]
    total, begins, of_lane, rows, tallies = (
        room[ROOM_SUMS],
        room[ROOM_BEGINS],
        room[ROOM_LANES],
        room[ROOM_ROWS],
        room[ROOM_TALLIES],
    )
    for lane in range(SUITS):
        have = of_lane[lane, L_HAVE]
        for at in range(begins[lane, CLASSES - 1, cap + 1]):
            near, next_ = tallies[lane, at, 0], tallies[lane, at, 1]
            if near or next_:
                if not lane:
                    total[first, ALL] += near
                    total[first + 1, ALL] += next_
                spare = folded(have & ~tiles[rows[lane, at]])
                for rank in range(9):  # without a branch, since nobody can guess these
                    there = spare >> rank & 1
                    total[first, 9 * lane + rank] += near * there
                    total[first + 1, 9 * lane + rank] += next_ * there
