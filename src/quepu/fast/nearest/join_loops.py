"""Join suits to payable hands by loops that numba compiles; the twin is `nearest.join`, on arrays.

A lane's readings near the hand are sorted by class and missing tiles; the right half (s and honours) is joined into
lists sorted by missing tiles, and each pair of the left half runs down its list while the sum stays within the cap.
All arrays are passed by their addresses in one array of words, so this module imports nothing of quepu.
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

KINDS = 34
# Words: numbers; addresses of what is asked (float64 [2]: how much likelier the third tile of a pung comes, the share
# of wins by self-draw) and of tables; room to work in, the answer. The room for right halves has SIZE places.
CAP, LEVELS, FAR, SETS, SIZE, OWN, COULD, SHARES, CHOOSE, POINTS, LIKED, FACTORS, PAID = range(13)
LEFT_FIRST, LEFT_SIZE, RIGHT_FIRST, RIGHT_SIZE, WIDTH, BASE = range(13, 19)
BEGINS, FILL, LEAST, RIGHT, RIGHT_WAYS, LEVEL_SUMS, SUMS, VALUES, USEFUL = range(19, 28)
# Then for each lane: how many readings are near, their rows and missing tiles; the lane's table; readings that can
# still come: where each class and distance begins (int64 [10, CAP + 2], twice), places, numbers, ways.
NEAR, WITHIN, LACKING, RANKS, ROWS, TILES, PUNGS, CLASSES, COUNTS, BARE, PAIRS, STARTS, FOUND, READ, WAYS = range(15)
LANES, LANE_WORDS, WORDS = 28, 15, 28 + 4 * 15
# Columns of readings that can still come, and of right halves.
AT_NUMBER, AT_PAIR, AT_LACK, AT_SPARE = range(4)
AT_PLACE, AT_LEVEL, AT_NEEDS, AT_SPARES = range(4)


def near(at: Any, lane: Any) -> None:
    """Find the readings of a lane that can still come, by class and missing tiles: where each begins, its data."""
    words = int64s(at, (WORDS,))
    of, first = LANES + LANE_WORDS * lane, 9 * lane
    cap, number, ranks, rows = words[CAP], words[of + NEAR], words[of + RANKS], words[of + ROWS]
    within, far = int32s(words[of + WITHIN], (number,)), int8s(words[of + LACKING], (number,))
    own, could = int64s(words[OWN], (KINDS,)), int64s(words[COULD], (KINDS,))
    choose, called = float64s(words[CHOOSE], (5, 5)), float64s(words[SHARES], (2,))[0]
    tiles, pungs, cls = (
        int64s(words[of + TILES], (rows,)), int64s(words[of + PUNGS], (rows,)), int64s(words[of + CLASSES], (rows,)),
    )  # fmt: skip
    count, bare, pair = (
        int8s(words[of + COUNTS], (rows, ranks)), int64s(words[of + BARE], (rows,)), int64s(words[of + PAIRS], (rows,)),
    )  # fmt: skip
    start, found = int64s(words[of + STARTS], (2, 10, cap + 2)), int32s(words[of + FOUND], (number,))
    read, weights = int64s(words[of + READ], (4, number)), float64s(words[of + WAYS], (number,))
    reach = 0
    for r in range(ranks):
        for n in range(min(4, own[first + r] + could[first + r])):
            reach |= 1 << 9 * n + r
    reach = ~reach
    got = 0
    for k in range(number):
        i = within[k]
        if not tiles[i] & reach:
            found[got] = k
            start[0, cls[i], far[k]] += 1
            got += 1
    begin = 0
    for c in range(10):
        for m in range(cap + 1):
            size = start[0, c, m]
            start[0, c, m] = start[1, c, m] = begin
            begin += size
        start[0, c, cap + 1] = begin
    for k in range(got):
        i = within[found[k]]
        c, m = cls[i], far[found[k]]
        to = start[1, c, m]
        start[1, c, m] = to + 1
        weight, lack, spare = 1.0, 0, 0
        for r in range(ranks):
            more = count[i, r] - own[first + r]
            if more > 0:
                weight *= choose[min(could[first + r], 4), more]
                lack |= 1 << first + r
                if pungs[i] >> r & 1:
                    weight *= called
            elif more < 0:
                spare |= 1 << first + r
        read[AT_NUMBER, to], read[AT_PAIR, to], read[AT_LACK, to], read[AT_SPARE, to] = (
            bare[i], pair[i] + first, lack, spare,
        )  # fmt: skip
        weights[to] = weight


def word_of(words: Any, lane: Any, name: Any) -> Any:
    """A number or address of a lane."""
    return words[LANES + LANE_WORDS * lane + name]


def measure(at: Any) -> Any:
    """Find the readings of all lanes that can still come; return how many right halves they make within the cap."""
    for lane in range(4):
        near(at, lane)
    words = int64s(at, (WORDS,))
    cap = words[CAP]
    s_start, z_start = (
        int64s(word_of(words, 2, STARTS), (10, cap + 2)),
        int64s(word_of(words, 3, STARTS), (10, cap + 2)),
    )
    begins, fill = int64s(words[BEGINS], (10, cap + 2)), int64s(words[FILL], (10, cap + 2))
    least = int64s(words[LEAST], (10,))
    for c in range(10):
        for d in range(10):
            if c // 2 + d // 2 > 4 or c % 2 + d % 2 > 1:
                continue
            joint = (c // 2 + d // 2) * 2 + c % 2 + d % 2
            for u in range(cap + 1):
                size = s_start[c, u + 1] - s_start[c, u]
                if size:
                    for v in range(cap + 1 - u):
                        begins[joint, u + v] += size * (z_start[d, v + 1] - z_start[d, v])
    size = 0
    for joint in range(10):
        least[joint] = words[FAR]
        for u in range(cap + 1):
            n = begins[joint, u]
            if n and least[joint] == words[FAR]:
                least[joint] = u
            begins[joint, u] = fill[joint, u] = size
            size += n
        begins[joint, cap + 1] = size
    return size


def put_right(at: Any) -> None:
    """Put the right halves where they belong."""
    words = int64s(at, (WORDS,))
    cap, size, sets = words[CAP], words[SIZE], words[SETS]
    s_start, z_start = (
        int64s(word_of(words, 2, STARTS), (10, cap + 2)),
        int64s(word_of(words, 3, STARTS), (10, cap + 2)),
    )
    s, z = (
        int64s(word_of(words, 2, READ), (4, word_of(words, 2, NEAR))),
        int64s(word_of(words, 3, READ), (4, word_of(words, 3, NEAR))),
    )
    s_ways, z_ways = (
        float64s(word_of(words, 2, WAYS), (word_of(words, 2, NEAR),)),
        float64s(word_of(words, 3, WAYS), (word_of(words, 3, NEAR),)),
    )
    right_first, right_size = int64s(words[RIGHT_FIRST], (5, 5)), int64s(words[RIGHT_SIZE], (5,))
    fill, right = int64s(words[FILL], (10, cap + 2)), int64s(words[RIGHT], (4, size))
    right_ways = float64s(words[RIGHT_WAYS], (size,))
    for c in range(10):
        for d in range(10):
            if c // 2 + d // 2 > 4 or c % 2 + d % 2 > 1:
                continue
            joint = (c // 2 + d // 2) * 2 + c % 2 + d % 2
            begin, step = right_first[c // 2, d // 2], right_size[d // 2]
            for u in range(cap + 1):
                for i in range(s_start[c, u], s_start[c, u + 1]):
                    for v in range(cap + 1 - u):
                        for j in range(z_start[d, v], z_start[d, v + 1]):
                            to = fill[joint, u + v]
                            fill[joint, u + v] = to + 1
                            pair = s[AT_PAIR, i] if c % 2 else z[AT_PAIR, j] if d % 2 else 0
                            right[AT_PLACE, to] = begin + s[AT_NUMBER, i] * step + z[AT_NUMBER, j] + pair * sets
                            right[AT_LEVEL, to] = u + v
                            right[AT_NEEDS, to] = s[AT_LACK, i] | z[AT_LACK, j]
                            right[AT_SPARES, to] = s[AT_SPARE, i] | z[AT_SPARE, j]
                            right_ways[to] = s_ways[i] * z_ways[j]


def spread(at: Any, spares: Any, sums: Any, first: Any) -> None:
    """Add sums, from place `first` on, to the values of every discard that a hand can spare."""
    words = int64s(at, (WORDS,))
    columns, kind = 2 * words[LEVELS], 0
    values = float64s(words[VALUES], (KINDS + 1, columns))
    while spares:
        if spares & 1:
            for n in range(columns):
                values[kind, n] += sums[first + n]
        spares >>= 1
        kind += 1


def come_nearer(at: Any, up: Any, others: Any) -> None:
    """Move up what is summed: a hand is nearer than all so far."""
    words = int64s(at, (WORDS,))
    columns = 2 * words[LEVELS]
    values, sums = float64s(words[VALUES], (KINDS + 1, columns)), float64s(words[SUMS], (columns,))
    level_sums, useful = float64s(words[LEVEL_SUMS], (words[SIZE], columns)), int64s(words[USEFUL], (KINDS + 1,))
    for n in range(columns - 1, -1, -1):
        for kind in range(KINDS + 1):
            values[kind, n] = values[kind, n - up] if n >= up else 0.0
        for other in range(others):
            level_sums[other, n] = level_sums[other, n - up] if n >= up else 0.0
        sums[n] = sums[n - up] if n >= up else 0.0
    for kind in range(KINDS + 1):
        useful[kind] = 0


def join(at: Any) -> Any:
    """Find ways and gains of each discard (last: of none) and the tiles needed; return the least distance."""
    put_right(at)
    words = int64s(at, (WORDS,))
    cap, levels, size, sets = words[CAP], words[LEVELS], words[SIZE], words[SETS]
    m_start, p_start = (
        int64s(word_of(words, 0, STARTS), (10, cap + 2)),
        int64s(word_of(words, 1, STARTS), (10, cap + 2)),
    )
    m, p = (
        int64s(word_of(words, 0, READ), (4, word_of(words, 0, NEAR))),
        int64s(word_of(words, 1, READ), (4, word_of(words, 1, NEAR))),
    )
    m_ways, p_ways = (
        float64s(word_of(words, 0, WAYS), (word_of(words, 0, NEAR),)),
        float64s(word_of(words, 1, WAYS), (word_of(words, 1, NEAR),)),
    )
    drawn_share = float64s(words[SHARES], (2,))[1]
    left_first, left_size = int64s(words[LEFT_FIRST], (5, 5)), int64s(words[LEFT_SIZE], (5,))
    width, base = int64s(words[WIDTH], (5,)), int64s(words[BASE], (5,))
    begins, least = int64s(words[BEGINS], (10, cap + 2)), int64s(words[LEAST], (10,))
    right, right_ways = int64s(words[RIGHT], (4, size)), float64s(words[RIGHT_WAYS], (size,))
    level_sums, sums = float64s(words[LEVEL_SUMS], (size, 2 * levels)), float64s(words[SUMS], (2 * levels,))
    points, useful = uint16s(words[POINTS], (1,)), int64s(words[USEFUL], (KINDS + 1,))
    liked, factors, paid_for = uint16s(words[LIKED], (1,)), float64s(words[FACTORS], (1,)), float64s(words[PAID], (1,))
    best, likes = words[FAR], words[LIKED] != 0
    for a in range(10):
        for b in range(10):
            melds, pairs = a // 2 + b // 2, a % 2 + b % 2
            if melds > 4 or pairs > 1:
                continue
            joint = (4 - melds) * 2 + 1 - pairs
            room = cap - least[joint]
            begin, step = left_first[a // 2, b // 2], left_size[b // 2]
            from_ = begins[joint, 0]
            for u in range(room + 1):
                for i in range(m_start[a, u], m_start[a, u + 1]):
                    for v in range(room + 1 - u):
                        to = begins[joint, cap - u - v + 1]
                        for j in range(p_start[b, v], p_start[b, v + 1]):
                            pair = m[AT_PAIR, i] if a % 2 else p[AT_PAIR, j] if b % 2 else 0
                            number = begin + m[AT_NUMBER, i] * step + p[AT_NUMBER, j]
                            here = base[melds] + number * width[melds] + pair * sets
                            lack, spare = m[AT_LACK, i] | p[AT_LACK, j], m[AT_SPARE, i] | p[AT_SPARE, j]
                            ways, paid = m_ways[i] * p_ways[j], False
                            for k in range(from_, to):
                                value = int(points[here + right[AT_PLACE, k]])
                                if value == 0:
                                    continue
                                far = u + v + right[AT_LEVEL, k]
                                if far <= best:
                                    if far < best:
                                        come_nearer(at, 2 * (best - far), size * (best < words[FAR]))
                                        best = far
                                    needed, x, kind = lack | right[AT_NEEDS, k], spare | right[AT_SPARES, k], 0
                                    useful[KINDS] |= needed
                                    while x:
                                        if x & 1:
                                            useful[kind] |= needed
                                        x >>= 1
                                        kind += 1
                                if far - best < levels:
                                    chance = ways * right_ways[k]
                                    gain = chance * (value >> 1)
                                    if likes:
                                        gain = chance * paid_for[value >> 1]
                                        gain *= factors[int(liked[here + right[AT_PLACE, k]])]
                                    if not value & 1:
                                        chance *= drawn_share
                                    n = 2 * (far - best)
                                    level_sums[k, n] += chance
                                    level_sums[k, n + 1] += gain
                                    sums[n] += chance
                                    sums[n + 1] += gain
                                    paid = True
                            if paid:
                                spread(at, spare | 1 << KINDS, sums, 0)
                                for n in range(2 * levels):
                                    sums[n] = 0.0
    flat = float64s(words[LEVEL_SUMS], (size * 2 * levels,))
    for k in range(size if levels else 0):
        paid = False
        for n in range(2 * levels):
            paid = paid or level_sums[k, n] > 0
        if paid:
            spread(at, right[AT_SPARES, k], flat, 2 * levels * k)
    return best
