"""The worth of payable hands near by, joined suit by suit: `quepu.efficiency.join` on arrays, for gains alone.

Where that module weighs every hand within a cap, this one takes one distance after another: the least at which a hand
pays, and the next. All sums are whole numbers below 2 ** 53, so their order does not matter.

`aims` below is what `quepu.fast_table.aim_tables` makes: the tables of gains by whether the hand is closed and the
round wind its own; readings of suits; the joins of suits; numbers of special shapes; the book's numbers; and room.
"""

from __future__ import annotations

from typing import Any

from quepu.hands.planes import count

NOWHERE = 99  # `quepu.efficiency.join.FAR`: no payable hand is left
DEEPEST = 14  # `quepu.efficiency.payable.DEEPEST`
MELD_SETS = 366_528
SUITS, CLASSES = 4, 10  # suits and honours; melds twice, and whether there is a pair
# Rows of readings.
R_TILES, R_CHOWS, R_PUNGS, R_NUMBER, R_PAIR = range(5)
# Rows of the joins of suits.
J_FIRST, J_SIZE, J_WIDTH = range(3)
# Numbers of a lane.
L_HAVE, L_CHOWS, L_PUNGS, L_MELDS, L_STATE = range(5)

# Numbers of a hand that is looked up: its place, and the readings or halves it is made of.
H_PLACE, H_LEVEL, H_LEFT, H_NEXT, H_RIGHT = range(5)
CHUNK = 4096
ALL = 36  # the column of sums for discarding nothing, behind those of the kinds and two that are none
# What is in the room.
(
    ROOM_SUMS, ROOM_FOUND, ROOM_DISTANCE, ROOM_ORDERED, ROOM_BEGINS, ROOM_LEAST, ROOM_SLACK, ROOM_LANES, ROOM_COULD,
    ROOM_ROWS, ROOM_NUMBERS, ROOM_PAIRS, ROOM_WAYS, ROOM_TALLIES, ROOM_AT, ROOM_PLACES, ROOM_SHARES, ROOM_HANDS,
    ROOM_ONES, ROOM_OTHERS, ROOM_OWN, ROOM_WINDS, ROOM_NEAR, ROOM_NEXT, ROOM_LEFT, ROOM_HELD,
    ROOM_GAINS, ROOM_SINGLE,
) = range(28)  # fmt: skip


def folded(copies: Any) -> Any:
    """The ranks of copies in unary."""
    copies |= copies >> 18
    return (copies | copies >> 9) & 511


def near_gains(closed: Any, double_wind: Any, nearest: int, aims: Any) -> Any:
    """Least missing tiles of a payable hand, and the sums by discard at that distance and the next.

    The sums are in the room, a row for each distance; nearest: least missing tiles to any standard hand.
    """
    gains, sums = aims[0], aims[5][ROOM_SUMS]
    points = (gains[2] if closed else gains[3]) if double_wind else gains[0] if closed else gains[1]
    best, first, cap = NOWHERE, nearest, nearest + 1
    while True:
        for far in range(first, cap + 1):
            for kind in range(ALL + 1):
                sums[far, kind] = 0.0
        if near_readings(cap, aims):
            for joint in range(CLASSES):
                joined(points, joint, first, cap, aims)
            spread_sums(first, cap, aims)
        for far in range(first, cap + 1):
            if best == NOWHERE and sums[far, ALL] > 0:
                best = far
        if best < cap or (best == NOWHERE and cap >= DEEPEST):
            return best
        cap += 1
        first = cap


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
        single[part, 0] = 1.0
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
        ranks, kind, ways = folded(lack), 9 * lane, 1.0
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
    room[ROOM_TALLIES][lane, at, 0] = room[ROOM_TALLIES][lane, at, 1] = 0.0
    return at + 1


def joined(points: Any, joint: int, first: int, cap: int, aims: Any) -> None:
    """Weigh the hands of which the suits m and p make so many melds and pairs (`joint`), and s and honours the rest."""
    joins, room = aims[2][1], aims[5]
    begins, least = room[ROOM_BEGINS], room[ROOM_LEAST]
    if least[4, joint] + least[5, 9 - joint] > cap:
        return
    if not right_halves(joint, cap - least[4, joint], aims):
        return
    numbers, pairs, at, places, hands = (
        room[ROOM_NUMBERS],
        room[ROOM_PAIRS],
        room[ROOM_AT],
        room[ROOM_PLACES],
        room[ROOM_HANDS],
    )
    base, width = joins[J_WIDTH, 0, joint >> 1], joins[J_WIDTH, 1, joint >> 1]
    most, number = cap - least[5, 9 - joint], 0
    for a in range(joint + 1):
        b = joint - a
        if a & b & 1:
            continue
        begin, step = base + joins[J_FIRST, a >> 1, b >> 1] * width, joins[J_SIZE, 0, b >> 1] * width
        for u in range(most + 1):
            if begins[0, a, u] == begins[0, a, u + 1]:
                continue
            for v in range(most + 1 - u):
                for far in range(max(first, u + v), cap + 1):
                    from_, to = at[far - u - v], at[far - u - v + 1]
                    if from_ == to:
                        continue
                    for i in range(begins[0, a, u], begins[0, a, u + 1]):
                        here = begin + numbers[0, i] * step + pairs[0, i]
                        for j in range(begins[1, b, v], begins[1, b, v + 1]):
                            place = here + numbers[1, j] * width + pairs[1, j]
                            for k in range(from_, to):
                                hands[number, H_PLACE], hands[number, H_LEVEL] = place + places[k], far - first
                                hands[number, H_LEFT], hands[number, H_NEXT], hands[number, H_RIGHT] = i, j, k
                                number += 1
                            if number > CHUNK:
                                weigh_hands(points, number, aims)
                                number = 0
    weigh_hands(points, number, aims)


def weigh_hands(points: Any, number: int, aims: Any) -> None:
    """Add what these hands pay to the readings that they are made of.

    All are looked up before any is added: what the processor waits for comes from memory for many hands at once.
    """
    room = aims[5]
    hands, gains, ways, tallies = room[ROOM_HANDS], room[ROOM_GAINS], room[ROOM_WAYS], room[ROOM_TALLIES]
    shares, ones, others = room[ROOM_SHARES], room[ROOM_ONES], room[ROOM_OTHERS]
    for n in range(number):
        gains[n] = points[hands[n, H_PLACE]] >> 1
    for n in range(number):
        if gains[n]:
            level, i, j, k = hands[n, H_LEVEL], hands[n, H_LEFT], hands[n, H_NEXT], hands[n, H_RIGHT]
            gained = ways[0, i] * ways[1, j] * shares[k] * gains[n]
            tallies[0, i, level] += gained
            tallies[1, j, level] += gained
            tallies[2, ones[k], level] += gained
            tallies[3, others[k], level] += gained


def right_halves(joint: int, most: int, aims: Any) -> Any:
    """The pairs of readings of s and honours beside that joint on the left, at most so many tiles away; how many."""
    joins, room = aims[2][1], aims[5]
    begins, numbers, pairs, ways = room[ROOM_BEGINS], room[ROOM_NUMBERS], room[ROOM_PAIRS], room[ROOM_WAYS]
    at, places, shares, ones, others = (
        room[ROOM_AT], room[ROOM_PLACES], room[ROOM_SHARES], room[ROOM_ONES], room[ROOM_OTHERS],
    )  # fmt: skip
    rest, size = 9 - joint, 0
    for far in range(most + 1):
        at[far] = size
        for c in range(rest + 1):
            d = rest - c
            if c & d & 1:
                continue
            begin, step = joins[J_FIRST, 5 + (c >> 1), d >> 1], joins[J_SIZE, 1, d >> 1]
            for u in range(far + 1):
                for i in range(begins[2, c, u], begins[2, c, u + 1]):
                    here, many = begin + numbers[2, i] * step + pairs[2, i], ways[2, i]
                    for j in range(begins[3, d, far - u], begins[3, d, far - u + 1]):
                        places[size], shares[size] = here + numbers[3, j] + pairs[3, j], many * ways[3, j]
                        ones[size], others[size] = i, j
                        size += 1
    for far in range(most + 1, DEEPEST + 3):
        at[far] = size
    return size


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
                    there = float(spare >> rank & 1)
                    total[first, 9 * lane + rank] += near * there
                    total[first + 1, 9 * lane + rank] += next_ * there
