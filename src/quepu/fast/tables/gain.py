"""Choices of the bot `gain` on arrays; the plain twin is `quepu.bots.payable_bot.GainBot`."""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from quepu.fast.nearest.distance import AT_HONOUR, AT_SUIT, sets_missing, tiles_of
from quepu.fast.tables import columns as c
from quepu.fast.tables.aims import (
    ALL,
    DEEPEST,
    L_CHOWS,
    L_HAVE,
    L_MELDS,
    L_PUNGS,
    L_STATE,
    NOWHERE,
    SUITS,
    near_gains,
)
from quepu.fast.tables.memory import (
    by_kind,
    entry,
    held_by,
    melds_by,
    numbers_of,
    options_of,
    rules_of,
    seat_of,
    size_of,
    table_of,
    values_of,
    visible_at,
    wall_of,
)
from quepu.fast.tables.plain import count_unseen, hold, take_claimed
from quepu.fast.tables.special_shapes import limit_by, with_special

NO_MELD = -1
PACE, START = 0.2, 0.5  # `quepu.fast.nearest.payable.rates`


def gain_turn(at: Any, i: Any, number: Any) -> Any:
    """The option that the bot takes whose turn it is: its place among them."""
    seat, options = numbers_of(at, i)[c.TURN_OF], options_of(at, 0)
    if number == 1 or options[0, 0] == c.A_WIN:
        return 0
    for k in range(number):
        if options[k, 0] == c.A_FLOWER:
            return k
    values, copies, visible = values_of(at, c.AT_VALUES), by_kind(at, c.AT_HELD), visible_at(at, i)
    gain_unseen(at, i, seat)
    hold(at, i, seat)
    missing = first_look(at, i, seat)
    best, highest, chosen_drawn = -1, 0.0, 0
    highest_held = 0.0
    for kind in range(c.KINDS):
        if copies[kind] and values[kind] > highest_held:
            highest_held = values[kind]
    by_value = missing < NOWHERE and values[c.KINDS] > 0
    for k in range(number):
        do, tile = options[k, 0], options[k, 1]
        if do in (c.A_DISCARD, c.A_DRAWN) and not options[k, 2]:
            value = values[tile] if by_value else float(visible[tile])
            if best < 0 or value > highest or (value == highest and int(do == c.A_DRAWN) > chosen_drawn):
                best, highest, chosen_drawn = k, value, int(do == c.A_DRAWN)
    for k in range(number):
        do, tile = options[k, 0], options[k, 1]
        if do in (c.A_CONCEALED, c.A_ADDED):
            held = copies[tile]
            copies[tile] = 0 if do == c.A_CONCEALED else held - 1
            lack = gain_look(at, i, seat, c.CONCEALED if do == c.A_CONCEALED else NO_MELD, tile)
            copies[tile] = held
            if lack <= missing and values[c.KINDS] >= 0.9 * highest_held and lack < NOWHERE:
                return k
    return best


def gain_claim(at: Any, i: Any, seat: Any, other: Any, number: Any) -> Any:
    """The option that the bot takes which may claim something: its place among them, a pass last."""
    options = options_of(at, other)
    if options[0, 0] == c.A_WIN:
        return 0
    values, copies = values_of(at, c.AT_VALUES), by_kind(at, c.AT_HELD)
    found, best, looked = number - 1, 0.0, False
    for k in range(number - 1):
        do, tile = options[k, 0], options[k, 1]
        if do not in (c.A_CHOW, c.A_PUNG, c.A_KONG):
            continue
        if not looked:
            gain_unseen(at, i, seat)
            hold(at, i, seat)
            first_look(at, i, seat)
            best, looked = values[c.KINDS], True
        first = options[k, 2] if do == c.A_CHOW else tile
        made = c.CHOW if do == c.A_CHOW else c.PUNG if do == c.A_PUNG else c.KONG
        take_claimed(copies, do, tile, first, -1)
        gain_look(at, i, seat, made, first)
        value = values[c.KINDS] if do == c.A_KONG else 0.0
        if do != c.A_KONG:
            for kind in range(c.KINDS):
                if copies[kind] and values[kind] > value:
                    value = values[kind]
        take_claimed(copies, do, tile, first, 1)
        if value > best:
            best, found = value, k
    return found


def gain_draws(at: Any, tables: Any, places: Any, number: Any, turns: Any, kept: Any) -> Any:
    """Let each seat draw and discard as the bot does, once for each of its turns, so that its hand is as good by now.

    A hand that is complete keeps its tiles: it would have won. The discarded tile lies where the drawn one was.

    Args:
        at: the context.
        tables: how many tables there are.
        places: the address of the places in the wall from which tiles are drawn, in this order.
        number: how many there are.
        turns: the address of the turns of each seat.
        kept: kinds that no seat discards, as bits.
    """
    free, wanted = int64s(places, (number,)), int64s(turns, (c.SEATS,))
    values = values_of(at, c.AT_VALUES)
    for i in range(tables):
        wall, taken = wall_of(at, i), 0
        for seat in range(c.SEATS):
            own = held_by(at, i, seat)
            for _ in range(wanted[seat]):
                place = free[taken % number]
                taken += 1
                drawn = int(wall[place])
                if drawn >= c.KINDS:
                    continue
                own[drawn] += 1
                gain_unseen(at, i, seat)
                hold(at, i, seat)
                missing = gain_look(at, i, seat, NO_MELD, 0)
                out = drawn
                if 0 < missing < NOWHERE:
                    for kind in range(c.KINDS):
                        if own[kind] and values[kind] > values[out] and not kept >> kind & 1:
                            out = kind
                own[out] -= 1
                wall[place] = out
    return 0


def first_look(at: Any, i: int, seat: int) -> Any:
    """As `gain_look` for the hand as it is; a seat that can no longer get its fan goes for any hand from now on."""
    missing = gain_look(at, i, seat, NO_MELD, 0)
    own = seat_of(at, i, seat)
    if missing >= NOWHERE and own[c.LEVEL] == c.AIMED:
        own[c.LEVEL] = c.GAIN
        missing = gain_look(at, i, seat, NO_MELD, 0)
    return missing


def gain_unseen(at: Any, i: int, seat: int) -> None:
    """Write down the copies of each kind that a seat does not see, none less than 0."""
    unseen = by_kind(at, c.AT_UNSEEN)
    count_unseen(at, i, seat, unseen)
    for kind in range(c.KINDS):
        unseen[kind] = max(unseen[kind], 0)


def gain_look(at: Any, i: int, seat: int, made: int, low: int) -> Any:
    """Write down the values of the discards, and last of none; return the least missing tiles to a payable hand.

    The concealed tiles and those unseen stand in the room.

    Args:
        at: the context.
        i: the table.
        seat: whose hand it is.
        made: the kind of a meld that comes to those of the seat, NO_MELD for none.
        low: its lowest tile.
    """
    far, specials = entry(at, c.FAR), table_of(at, c.AT_SPECIALS)
    reads_round, round_wind = entry(at, c.READS_ROUND) > 0, rules_of(at)[c.ROUND]
    closed, aimed = lay_out(at, i, seat, made, low), seat_of(at, i, seat)[c.LEVEL] == c.AIMED
    specials_gain = c.AT_AIMED_SPECIALS if aimed else c.AT_SPECIAL_GAINS
    tiles, mine = tiles_of(by_kind(at, c.AT_HELD), far), table_of(at, c.ROOM_LANES)
    need = 4
    for lane in range(SUITS):
        mine[lane, L_STATE] = byte_at(far, AT_HONOUR + tiles[3] if lane == 3 else AT_SUIT + tiles[lane])
        need -= mine[lane, L_MELDS]
    nearest = sets_missing(need, tiles[0], tiles[1], tiles[2], tiles[3], far)
    limit = DEEPEST + 1
    if need == 4:
        for n in range(len(specials)):
            limit = min(limit, limit_by(at, specials_gain, n, nearest, tiles))
    gains = c.AT_AIMED if aimed else c.AT_GAINS
    missing = NOWHERE
    if size_of(at, gains + int(not closed), 0):
        missing = near_gains(at, gains, closed, reads_round and seat == round_wind, nearest, limit)
    near, next_, sums = values_of(at, c.ROOM_NEAR), values_of(at, c.ROOM_NEXT), table_of(at, c.ROOM_SUMS)
    values, winds = values_of(at, c.AT_VALUES), by_kind(at, c.ROOM_WINDS)
    for kind in range(c.KINDS + 1):
        near[kind], next_[kind], values[kind] = 0.0, 0.0, 0.0
    if missing < NOWHERE:
        for kind in range(c.KINDS):
            near[winds[kind]], next_[winds[kind]] = sums[missing, kind], sums[missing + 1, kind]
        near[c.KINDS], next_[c.KINDS] = sums[missing, ALL], sums[missing + 1, ALL]
    if need == 4:
        for n in range(len(specials)):
            missing = with_special(at, specials_gain, n, missing, tiles)
    if missing >= NOWHERE:
        return missing
    total, unseen = 0, by_kind(at, c.AT_UNSEEN)
    for kind in range(c.KINDS):
        total += unseen[kind]
    rate = 1.0
    turns, left = max(1.0, numbers_of(at, i)[c.LEFT] / 4), max(8, total)
    for n in range(missing):
        rate = rate * max(turns * PACE + START - n, 0.35) / max(left - n, 5)
    then = rate * max(turns * PACE + START - missing, 0.35) / max(left - missing, 5)
    for kind in range(c.KINDS + 1):
        values[kind] = rate * near[kind] + then * next_[kind]
    return missing


def lay_out(at: Any, i: int, seat: int, made: int, low: int) -> Any:
    """Write down what lanes hold and must contain, winds in their order; return whether nothing is exposed."""
    copies, unseen, own = by_kind(at, c.AT_HELD), by_kind(at, c.AT_UNSEEN), by_kind(at, c.ROOM_OWN)
    could, winds, mine = by_kind(at, c.ROOM_COULD), by_kind(at, c.ROOM_WINDS), table_of(at, c.ROOM_LANES)
    winds_first(seat, rules_of(at)[c.ROUND] if entry(at, c.READS_ROUND) > 0 else seat, winds)
    for kind in range(c.KINDS):
        own[kind] = copies[winds[kind]]
        could[kind] = min(unseen[winds[kind]], 4)
    for lane in range(SUITS):
        for n in range(5):
            mine[lane, n] = 0
    melds, exposed_melds = melds_by(at, i, seat), 0
    for j in range(seat_of(at, i, seat)[c.MELDS]):
        add_fixed(int(melds[j, 0]), int(melds[j, 1]), winds, own, mine)
        exposed_melds += int(melds[j, 0] != c.CONCEALED)
    if made != NO_MELD:
        add_fixed(made, low, winds, own, mine)
        exposed_melds += int(made != c.CONCEALED)
    for kind in range(c.KINDS):
        lane = kind // 9
        for n in range(min(own[kind], 4)):
            mine[lane, L_HAVE] |= 1 << 9 * n + kind % 9
    return exposed_melds == 0


def winds_first(seat: int, round_wind: int, winds: Any) -> None:
    """Write down the kinds with the own wind first among the winds and the round wind second."""
    for kind in range(c.KINDS):
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
    if meld == c.CHOW:
        for kind in range(at, at + 3):
            own[kind] += 1
        while mine[lane, L_CHOWS] >> rank & 1:
            rank += 9
        mine[lane, L_CHOWS] |= 1 << rank
    else:
        own[at] += 3
        mine[lane, L_PUNGS] |= 1 << rank
