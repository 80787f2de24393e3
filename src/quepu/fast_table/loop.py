"""The course of a hand on arrays: `quepu.table.play` as one loop, for many tables one after another.

The text of this module is compiled by numba (`quepu.fast_table.code`). It has no rule of a book: what may be done when
is in the book's numbers. A table stops where somebody may win: whether a hand is worth enough is asked about many hands
at once, outside.
"""

from __future__ import annotations

from typing import Any

from quepu.batch.numba_loops import (
    AHEAD,
    AHEAD_CODE,
    ENTRY,
    ENTRY_CODE,
    SINGLE,
    finishing,
    in_lanes,
    planes_of_levels,
)

KINDS, ALL_KINDS, SEATS = 34, 42, 4
# What a table is about to do.
DEAL, DRAW, REPLACE, TURN, TURN_ANSWERED, CLAIMS, CLAIMS_ANSWERED, ROBBING, ROBBING_ANSWERED, OVER = range(10)
# Numbers of a table.
(
    PHASE, FRONT, BACK, LEFT, DEALT, TURN_OF, DRAWN, TILE, DISCARDS, LAST_DISCARDER, KONGS, CLAIMED, KONGS_IN_ROW,
    LAST_EVENT, EVENTS, WINNER, GIVER, WON_TILE, QUESTIONS, DEALING,
) = range(20)  # fmt: skip
SCALARS = 20
# Numbers of a seat.
MELDS, FOURS, PUNGS, FLOWERS, OWN_DRAWS, OWN_MELDS, HAS_DISCARDED, WAITS, KEY = range(9)
OF_SEAT = 13
# A book's numbers.
(
    SIZE, DEAD, FEEDS, FLOWERS_OUT, KONG_AFTER_CLAIM, KONG_WITHOUT_TILE, CLAIM_CHOW, CLAIM_PUNG, CLAIM_KONG, LAST_CHOW,
    LAST_PUNG, LAST_KONG, ANY_LAST, EARTHLY_DRAW, HEAVENLY_AFTER_KONG, ALL_SHOW, ROUND,
) = range(17)  # fmt: skip
# Events: code, seat, tile, lowest tile of a chow, giver, eight bits each.
(E_DRAW, E_REPLACE, E_FLOWER, E_DISCARD, E_DRAWN_DISCARD, E_CHOW, E_PUNG, E_KONG, E_ADDED, E_CONCEALED, E_WIN,
 E_EXHAUSTED, E_SHOW) = range(13)  # fmt: skip
# Actions, by rank among claims.
A_DISCARD, A_DRAWN, A_WIN, A_CHOW, A_PUNG, A_KONG, A_ADDED, A_CONCEALED, A_FLOWER, A_PASS = range(10)
CHOW, PUNG, KONG, CONCEALED = range(4)
# Places of the bits of luck in the array passed.
(L_SELF_DRAW, L_KONG_DRAW, L_TWO_KONGS, L_THREE_KONGS, L_LAST_DRAW, L_LAST_DISCARD, L_ROBBED_KONG, L_HEAVENLY,
 L_EARTHLY, L_HUMANLY, L_FIRST_ROUND, L_FOURTH, L_FRESH) = range(13)  # fmt: skip
WORDS, LAG = 624, 397
LOW32 = 0xFFFFFFFF


# ---- the generator that `random.Random` is


def mixed(words: Any, i: int) -> Any:
    """What the word before number i gives to it."""
    before = int(words[i - 1])
    return before ^ before >> 30


def seeded(words: Any, seed: int) -> None:
    """Set a generator as `random.Random(seed)` does; words: uint32 [625], the last is the place in the others."""
    words[0] = 19650218
    for i in range(1, WORDS):
        words[i] = (1812433253 * mixed(words, i) + i) & LOW32
    low, high = seed & LOW32, seed >> 32 & LOW32
    i, second = 1, False
    for _ in range(WORDS):
        key = high + 1 if second else low
        words[i] = ((int(words[i]) ^ mixed(words, i) * 1664525) + key) & LOW32
        second = high > 0 and not second
        i += 1
        if i == WORDS:
            words[0] = words[WORDS - 1]
            i = 1
    for _ in range(WORDS - 1):
        words[i] = ((int(words[i]) ^ mixed(words, i) * 1566083941) - i) & LOW32
        i += 1
        if i == WORDS:
            words[0] = words[WORDS - 1]
            i = 1
    words[0] = 0x80000000
    words[WORDS] = 0


def next_word(words: Any) -> Any:
    """The next 32 bits; a word of the state is renewed when it is come to."""
    i = int(words[WORDS])
    after = i + 1 if i + 1 < WORDS else 0
    y = int(words[i]) & 0x80000000 | int(words[after]) & 0x7FFFFFFF
    x = int(words[i + LAG if i + LAG < WORDS else i + LAG - WORDS]) ^ y >> 1
    if y & 1:
        x ^= 0x9908B0DF
    words[i] = x
    words[WORDS] = after
    x ^= x >> 11
    x ^= x << 7 & 0x9D2C5680
    x ^= x << 15 & 0xEFC60000
    return x ^ x >> 18


def uniform(words: Any) -> Any:
    """The next number from 0 to 1, as `random.Random.random` gives it."""
    a, b = next_word(words) >> 5, next_word(words) >> 6
    return (a * 67108864.0 + b) / 9007199254740992.0


# ---- tiles


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
        own[WAITS] = waits_of(hand, melds[i, seat], own[MELDS], suits)


def waits_of(hand: Any, melds: Any, number: int, suits: Any) -> Any:
    """What a hand of thirteen tiles waits for, as a plane; suits: see `quepu.fast_table.code.suits`."""
    bits, five, start, _, lookup, ways = suits
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
        found |= whole_waits(t1, t2, t3, t4)
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
    """What a hand without melds waits for to be of a shape that is no sets and pair: nothing where no book is given.

    `quepu.fast_table.code` puts the book's own function in its place.
    """
    return t1 & 0


# ---- asking whether a hand may win


def luck_now(i: int, tables: Any, rules: Any, luck: Any, seat: int, tile: int, drew: bool, robs: bool) -> Any:
    """The circumstances of a win now, as bits."""
    scalars, of_seat, visible = tables[0], tables[1], tables[5]
    now, own = scalars[i], of_seat[i, seat]
    found = 0
    if drew:
        found = luck[L_SELF_DRAW]
        row = now[KONGS_IN_ROW] if now[LAST_EVENT] == E_REPLACE else 0
        if row >= 1:
            found |= luck[L_KONG_DRAW]
        if row >= 2:
            found |= luck[L_TWO_KONGS]
        if row >= 3:
            found |= luck[L_THREE_KONGS]
        if not now[LEFT]:
            found |= luck[L_LAST_DRAW]
    else:
        if not now[LEFT]:
            found |= luck[L_LAST_DISCARD]
        if robs:
            found |= luck[L_ROBBED_KONG]
    if not own[HAS_DISCARDED]:
        if drew:
            if not seat and not now[DISCARDS] and (rules[HEAVENLY_AFTER_KONG] or not now[KONGS]):
                found |= luck[L_HEAVENLY]
            if rules[EARTHLY_DRAW] and seat and own[OWN_DRAWS] == 1 and not own[OWN_MELDS]:
                found |= luck[L_EARTHLY]
        elif not robs and seat and now[DISCARDS] == 1 and not own[OWN_DRAWS] and not own[OWN_MELDS]:
            if not rules[EARTHLY_DRAW] and not now[LAST_DISCARDER] and not now[KONGS]:
                found |= luck[L_EARTHLY]
            found |= luck[L_HUMANLY]
        if not now[CLAIMED] and own[OWN_DRAWS] <= 1:
            found |= luck[L_FIRST_ROUND]
    seen = visible[i, tile] - (not drew)
    if seen == 3:
        found |= luck[L_FOURTH]
    elif not seen:
        found |= luck[L_FRESH]
    return found


def question(
    i: int, tables: Any, questions: Any, rules: Any, luck: Any, seat: int, tile: int, drew: bool, robs: bool
) -> None:
    """Put the question whether a seat may win on this tile."""
    scalars, of_seat, counts, melds = tables[0], tables[1], tables[2], tables[3]
    hands, question_melds, words = questions
    at = 3 * i + scalars[i, QUESTIONS]
    for kind in range(KINDS):
        hands[at, kind] = counts[i, seat, kind]
    if not drew:
        hands[at, tile] += 1
    for j in range(4):
        there = j < of_seat[i, seat, MELDS]
        question_melds[at, j, 0] = melds[i, seat, j, 0] if there else -1
        question_melds[at, j, 1] = melds[i, seat, j, 1] if there else 0
    words[at, 0], words[at, 1] = seat, tile
    words[at, 2] = luck_now(i, tables, rules, luck, seat, tile, drew, robs)
    words[at, 3] = of_seat[i, seat, FLOWERS]
    scalars[i, QUESTIONS] += 1


def may_win(i: int, tables: Any, answers: Any, words: Any, seat: int) -> Any:
    """Whether the answer for a seat was yes."""
    for k in range(tables[0][i, QUESTIONS]):
        if words[3 * i + k, 0] == seat:
            return answers[3 * i + k] > 0
    return False


# ---- what happens


def draw(i: int, tables: Any, rules: Any, from_tail: bool) -> Any:
    """Draw the next tile for the seat whose turn it is; false where there is none."""
    scalars, of_seat, order = tables[0], tables[1], tables[7]
    now = scalars[i]
    seat, size = now[TURN_OF], rules[SIZE]
    if from_tail:
        if not (now[BACK] < rules[DEAD] if rules[FEEDS] else now[LEFT] > 0):
            return False
        tile = int(order[i, max(size - now[BACK] - (0 if now[BACK] & 1 else 2), now[FRONT])])
        now[BACK] += 1
        if not rules[FEEDS]:
            now[LEFT] -= 1
        happened(i, tables, E_REPLACE, seat, tile, 0, 0)
    else:
        if not now[LEFT]:
            return False
        place = now[FRONT] + (1 if now[BACK] & 1 and now[FRONT] == size - now[BACK] - 1 else 0)
        tile = int(order[i, place])
        now[FRONT] += 1
        now[LEFT] -= 1
        of_seat[i, seat, OWN_DRAWS] += 1
        happened(i, tables, E_DRAW, seat, tile, 0, 0)
    now[DRAWN] = tile
    add_tile(i, tables, seat, tile)
    return True


def set_aside(i: int, tables: Any, seat: int, flower: int) -> None:
    """Lay a flower beside the hand."""
    scalars, of_seat = tables[0], tables[1]
    take_tile(i, tables, seat, flower, 1)
    of_seat[i, seat, FLOWERS] |= 1 << flower - KINDS
    scalars[i, DRAWN] = -1
    happened(i, tables, E_FLOWER, seat, flower, 0, 0)


def add_meld(i: int, tables: Any, seat: int, kind: int, low: int, source: int) -> None:
    """Lay a meld on the table; source: who gave a tile for it, -1 nobody."""
    of_seat, melds, lists, visible = tables[1], tables[3], tables[4], tables[5]
    at = of_seat[i, seat, MELDS]
    melds[i, seat, at, 0], melds[i, seat, at, 1], melds[i, seat, at, 2] = kind, low, source
    of_seat[i, seat, MELDS] += 1
    of_seat[i, seat, OWN_MELDS] += 1
    if kind == CHOW:
        for k in range(low, low + 3):
            visible[i, k] += 1
    else:
        visible[i, low] += 3 if kind == PUNG else 4
    if kind == PUNG:
        lists[i, seat, 1, of_seat[i, seat, PUNGS]] = low
        of_seat[i, seat, PUNGS] += 1


def claim(i: int, tables: Any, suits: Any, do: int, seat: int, tile: int, low: int, giver: int) -> None:
    """A discard is claimed for a meld."""
    scalars, visible = tables[0], tables[5]
    visible[i, tile] -= 1
    scalars[i, TURN_OF], scalars[i, DRAWN] = seat, -1
    scalars[i, CLAIMED] += 1
    if do == A_CHOW:
        for kind in range(low, low + 3):
            if kind != tile:
                take_tile(i, tables, seat, kind, 1)
        add_meld(i, tables, seat, CHOW, low, giver)
        happened(i, tables, E_CHOW, seat, tile, low, giver)
    elif do == A_PUNG:
        take_tile(i, tables, seat, tile, 2)
        add_meld(i, tables, seat, PUNG, tile, giver)
        happened(i, tables, E_PUNG, seat, tile, 0, giver)
    else:
        take_tile(i, tables, seat, tile, 3)
        add_meld(i, tables, seat, KONG, tile, giver)
        scalars[i, KONGS] += 1
        happened(i, tables, E_KONG, seat, tile, 0, giver)
    look(i, tables, suits, seat)


def end(i: int, tables: Any, rules: Any, winner: int) -> None:
    """The hand is over: hands are shown."""
    scalars = tables[0]
    for seat in range(SEATS):
        if rules[ALL_SHOW] or seat == winner:
            happened(i, tables, E_SHOW, seat, 0, 0, 0)
    scalars[i, WINNER], scalars[i, PHASE] = winner, OVER


def won(i: int, tables: Any, rules: Any, seat: int, tile: int, giver: int, robbed: bool) -> None:
    """A win on this tile; giver: -1 nobody. What is robbed of a kong is a pung again."""
    scalars, of_seat, melds = tables[0], tables[1], tables[3]
    if robbed:
        for j in range(of_seat[i, giver, MELDS]):
            if melds[i, giver, j, 0] == KONG and melds[i, giver, j, 1] == tile:
                melds[i, giver, j, 0] = PUNG
    scalars[i, GIVER], scalars[i, WON_TILE] = giver, tile
    happened(i, tables, E_WIN, seat, tile, 0, giver + 1)
    end(i, tables, rules, seat)


def exhausted(i: int, tables: Any, rules: Any) -> None:
    """Nobody can draw."""
    happened(i, tables, E_EXHAUSTED, 0, 0, 0, 0)
    end(i, tables, rules, -1)


# ---- what may be done


def option(options: Any, number: int, do: int, tile: int, low: int) -> Any:
    """One option more; how many there are."""
    options[number, 0], options[number, 1], options[number, 2] = do, tile, low
    return number + 1


def turn_options(i: int, tables: Any, rules: Any, wins: bool, options: Any) -> Any:
    """What the seat whose turn it is may do; how much."""
    scalars, of_seat, counts, lists = tables[0], tables[1], tables[2], tables[4]
    now = scalars[i]
    seat, drawn, n = now[TURN_OF], now[DRAWN], 0
    own, hand = of_seat[i, seat], counts[i, seat]
    if drawn >= KINDS:
        n = option(options, n, A_DRAWN, drawn, 0)
        if now[BACK] < rules[DEAD] if rules[FEEDS] else now[LEFT] > 0:
            n = option(options, n, A_FLOWER, drawn, 0)
        return n
    if wins:
        n = option(options, n, A_WIN, drawn, 0)
    for kind in range(KINDS):
        if hand[kind] - (kind == drawn) > 0:
            n = option(options, n, A_DISCARD, kind, 0)
    if drawn >= 0:
        n = option(options, n, A_DRAWN, drawn, 0)
    if (drawn >= 0 or rules[KONG_AFTER_CLAIM]) and (now[LEFT] or rules[KONG_WITHOUT_TILE]):
        for k in range(own[FOURS]):
            n = option(options, n, A_CONCEALED, int(lists[i, seat, 0, k]), 0)
        for k in range(own[PUNGS]):
            if hand[lists[i, seat, 1, k]]:
                n = option(options, n, A_ADDED, int(lists[i, seat, 1, k]), 0)
    return n


def claim_options(i: int, tables: Any, rules: Any, seat: int, tile: int, giver: int, wins: bool, options: Any) -> Any:
    """What a seat may claim a discard for; how much, 0 if nothing."""
    scalars, counts = tables[0], tables[2]
    hand, left = counts[i, seat], scalars[i, LEFT] > 0
    n = 0
    if wins:
        n = option(options, n, A_WIN, tile, 0)
    every = left or rules[ANY_LAST]
    held = hand[tile]
    if held == 3 and rules[CLAIM_KONG] and (every or rules[LAST_KONG]) and (left or rules[KONG_WITHOUT_TILE]):
        n = option(options, n, A_KONG, tile, 0)
    if held >= 2 and rules[CLAIM_PUNG] and (every or rules[LAST_PUNG]):
        n = option(options, n, A_PUNG, tile, 0)
    if seat == (giver + 1) & 3 and tile < 27 and rules[CLAIM_CHOW] and (every or rules[LAST_CHOW]):
        rank = tile % 9
        for low in range(max(0, rank - 2), min(6, rank) + 1):
            there = True
            for r in range(low, low + 3):
                if r != rank and not hand[tile - rank + r]:
                    there = False
            if there:
                n = option(options, n, A_CHOW, tile, tile - rank + low)
    if n:
        n = option(options, n, A_PASS, 0, 0)
    return n


def chosen(i: int, tables: Any, seat: int, number: int) -> Any:
    """The option taken, any of them with the same chance."""
    generators = tables[6]
    return int(uniform(generators[i, seat]) * number)


# ---- one table until it asks or is over


def rank_of(do: int) -> Any:
    """Which claim goes before which."""
    if do == A_WIN:
        return 30
    return 10 if do == A_CHOW else 20


def settle_claims(
    i: int, tables: Any, rules: Any, suits: Any, answers: Any, words: Any, robbing: bool, rooms: Any
) -> None:
    """Hear who may claim what was put down, one after another as far as it matters; then go on."""
    scalars = tables[0]
    now = scalars[i]
    giver, tile = now[TURN_OF], now[TILE]
    options, numbers = rooms
    for other in range(1, SEATS):
        seat = (giver + other) & 3
        wins = may_win(i, tables, answers, words, seat)
        if robbing:
            numbers[other] = 0
            if wins:
                option(options[other], 0, A_WIN, tile, 0)
                numbers[other] = option(options[other], 1, A_PASS, 0, 0)
        else:
            numbers[other] = claim_options(i, tables, rules, seat, tile, giver, wins, options[other])
    best, best_seat, do, low = -1, -1, A_PASS, 0
    for other in range(1, SEATS):
        if not numbers[other]:
            continue
        seat = (giver + other) & 3
        at = chosen(i, tables, seat, numbers[other])
        if options[other, at, 0] != A_PASS:
            rank = rank_of(options[other, at, 0]) - other
            if rank > best:
                best, best_seat, do, low = rank, seat, options[other, at, 0], options[other, at, 2]
        if best >= 0:
            matters = False
            for later in range(other + 1, SEATS):
                if numbers[later] and rank_of(options[later, 0, 0]) - later > best:
                    matters = True
            if not matters:
                break
    if do == A_WIN:
        won(i, tables, rules, best_seat, tile, giver, robbing)
    elif do != A_PASS:
        claim(i, tables, suits, do, best_seat, tile, low, giver)
        now[PHASE] = REPLACE if do == A_KONG else TURN
    elif robbing:
        now[PHASE] = REPLACE
    else:
        now[TURN_OF], now[PHASE] = (giver + 1) & 3, DRAW


def act(i: int, tables: Any, rules: Any, suits: Any, do: int, tile: int) -> None:
    """The seat whose turn it is does something."""
    scalars, of_seat, melds, visible = tables[0], tables[1], tables[3], tables[5]
    now = scalars[i]
    seat = now[TURN_OF]
    if do == A_WIN:
        won(i, tables, rules, seat, tile, -1, False)
        return
    if do == A_FLOWER:
        set_aside(i, tables, seat, tile)
        now[PHASE] = REPLACE
        return
    now[TILE] = tile
    if do in (A_DISCARD, A_DRAWN):
        take_tile(i, tables, seat, tile, 1)
        visible[i, tile] += 1
        now[DRAWN] = -1
        now[DISCARDS] += 1
        now[LAST_DISCARDER] = seat
        of_seat[i, seat, HAS_DISCARDED] = 1
        happened(i, tables, E_DRAWN_DISCARD if do == A_DRAWN else E_DISCARD, seat, tile, 0, 0)
        if do == A_DISCARD:
            look(i, tables, suits, seat)
        now[PHASE] = CLAIMS
        return
    now[DRAWN] = -1
    now[KONGS] += 1
    if do == A_CONCEALED:
        take_tile(i, tables, seat, tile, 4)
        add_meld(i, tables, seat, CONCEALED, tile, -1)
        happened(i, tables, E_CONCEALED, seat, tile, 0, 0)
        now[PHASE] = REPLACE
    else:
        take_tile(i, tables, seat, tile, 1)
        visible[i, tile] += 1
        for j in range(of_seat[i, seat, MELDS]):
            if melds[i, seat, j, 0] == PUNG and melds[i, seat, j, 1] == tile:
                melds[i, seat, j, 0] = KONG
        drop(tables[4][i, seat, 1], of_seat[i, seat], PUNGS, tile)
        of_seat[i, seat, OWN_MELDS] += 1
        happened(i, tables, E_ADDED, seat, tile, 0, 0)
        now[PHASE] = ROBBING
    look(i, tables, suits, seat)


def deal(i: int, tables: Any, rules: Any, suits: Any) -> None:
    """Deal, and replace the flowers dealt."""
    scalars, order = tables[0], tables[7]
    now = scalars[i]
    for seat in range(SEATS):
        for n in range(13):
            add_tile(i, tables, seat, int(order[i, 16 * (n // 4) + 4 * seat + n % 4 if n < 12 else 48 + seat]))
    for seat in range(SEATS):
        flower = ALL_KINDS - 1
        while flower >= KINDS:
            if tables[2][i, seat, flower]:
                set_aside(i, tables, seat, flower)
                now[TURN_OF] = seat
                draw(i, tables, rules, True)
                flower = ALL_KINDS
            flower -= 1
    now[TURN_OF], now[DRAWN], now[PHASE] = 0, -1, DRAW
    for seat in range(SEATS):
        look(i, tables, suits, seat)


def run_one(i: int, tables: Any, questions: Any, answers: Any, rules: Any, luck: Any, suits: Any, rooms: Any) -> None:
    """Let a table go on until somebody may win or the hand is over."""
    scalars, of_seat = tables[0], tables[1]
    options = rooms[0]
    bits, words = suits[0], questions[2]
    now = scalars[i]
    while True:
        phase, seat = now[PHASE], now[TURN_OF]
        if phase == DEAL:
            deal(i, tables, rules, suits)
        elif phase in (DRAW, REPLACE):
            if not draw(i, tables, rules, phase == REPLACE):
                exhausted(i, tables, rules)
            elif now[DRAWN] >= KINDS and rules[FLOWERS_OUT]:
                set_aside(i, tables, seat, now[DRAWN])
                now[PHASE] = REPLACE
            else:
                now[PHASE] = TURN
        elif phase == TURN:
            now[QUESTIONS] = 0
            drawn = now[DRAWN]
            now[PHASE] = TURN_ANSWERED
            if 0 <= drawn < KINDS and of_seat[i, seat, WAITS] & bits[drawn]:
                question(i, tables, questions, rules, luck, seat, drawn, True, False)
                return
        elif phase == TURN_ANSWERED:
            number = turn_options(i, tables, rules, may_win(i, tables, answers, words, seat), options[0])
            at = chosen(i, tables, seat, number)
            act(i, tables, rules, suits, options[0, at, 0], options[0, at, 1])
        elif phase in (CLAIMS, ROBBING):
            now[QUESTIONS] = 0
            now[PHASE] = phase + 1
            if now[TILE] < KINDS:
                for other in range(1, SEATS):
                    claimer = (seat + other) & 3
                    if of_seat[i, claimer, WAITS] & bits[now[TILE]]:
                        question(i, tables, questions, rules, luck, claimer, now[TILE], False, phase == ROBBING)
            if now[QUESTIONS]:
                return
        elif phase in (CLAIMS_ANSWERED, ROBBING_ANSWERED):
            if now[TILE] >= KINDS:  # nobody claims a flower
                now[TURN_OF], now[PHASE] = (seat + 1) & 3, DRAW
            else:
                settle_claims(i, tables, rules, suits, answers, words, phase == ROBBING_ANSWERED, rooms)
        else:
            return


def run(tables: Any, questions: Any, answers: Any, rules: Any, luck: Any, suits: Any, rooms: Any) -> Any:
    """Let every table go on; how many questions were put.

    Args:
        tables: numbers of each table, of each seat, tiles held, melds, fours and pungs in the order they came, tiles
            that lie open, generators, walls, events (see `quepu.fast_table.tables`).
        questions: hands uint8 [3 n, 34], melds int8 [3 n, 4, 2], seat, tile, circumstances and flowers int64 [3 n, 4].
        answers: int64 [3 n], whether a hand may win.
        rules: the book's numbers, int64 [17].
        luck: the bits of circumstances, int64 [13].
        suits: see `quepu.fast_table.code.suits`.
        rooms: room for options, int64 [4, 64, 3], and how many there are, int64 [4].
    """
    waiting = 0
    scalars = tables[0]
    for i in range(len(scalars)):
        if scalars[i, PHASE] != OVER:
            run_one(i, tables, questions, answers, rules, luck, suits, rooms)
            if scalars[i, PHASE] != OVER:
                waiting += scalars[i, QUESTIONS]
    return waiting


def seed_all(generators: Any, seeds: Any) -> None:
    """Set the generators of all seats: uint32 [tables, 4, 625] by seeds int64 [tables, 4]."""
    for i in range(len(seeds)):
        for seat in range(SEATS):
            seeded(generators[i, seat], seeds[i, seat])
