"""Questions whether a hand may win, effects of events, rare decisions, on arrays; the twin is `quepu.table.play`."""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from quepu.fast.tables import columns as c
from quepu.fast.tables.choices import on_claim, option
from quepu.fast.tables.memory import (
    entry,
    held_by,
    list_of,
    lists_by,
    log_of,
    melds_by,
    numbers_of,
    options_of,
    rules_of,
    seat_of,
    visible_at,
    wall_of,
    words_of,
)
from quepu.fast.tables.tiles import NO_LUCK, add_tile, is_exposed, record, renew_waits, take_tile, waits_of
from quepu.hands.planes import count


def luck_now(at: Any, i: int, seat: int, tile: int, chance: int) -> Any:
    """The circumstances of a win now, as bits; tile: -1 none."""
    luck, rules = list_of(at, c.AT_LUCK), rules_of(at)
    if chance == c.BY_OUTER:
        return luck[c.L_OUTER] | luck[c.L_SELF_DRAW]
    if chance == c.BY_FLOWER:
        return luck[c.L_ROBBED_FLOWER]
    now, own = numbers_of(at, i), seat_of(at, i, seat)
    drew, discarded = chance in (c.BY_DRAW, c.BY_SEVEN), chance == c.BY_DISCARD
    found = luck[c.L_SELF_DRAW] & -int(drew)
    if drew:
        row = now[c.KONGS_IN_ROW] if now[c.LAST_EVENT] == c.E_REPLACE else 0
        if row >= 1:
            found |= luck[c.L_KONG_DRAW]
        if row >= 2:
            found |= luck[c.L_TWO_KONGS]
        if row >= 3:
            found |= luck[c.L_THREE_KONGS]
        if not now[c.LEFT]:
            found |= luck[c.L_LAST_DRAW]
    else:
        if not now[c.LEFT]:
            found |= luck[c.L_LAST_DISCARD]
        if not discarded:
            found |= luck[c.L_ROBBED_KONG]
    if not own[c.HAS_DISCARDED]:
        if drew:
            if not seat and not now[c.DISCARDS] and (rules[c.HEAVENLY_AFTER_KONG] or not now[c.KONGS]):
                found |= luck[c.L_HEAVENLY]
            if rules[c.EARTHLY_DRAW] and seat and own[c.OWN_DRAWS] == 1 and not own[c.OWN_MELDS]:
                found |= luck[c.L_EARTHLY]
        elif discarded and seat and now[c.DISCARDS] == 1 and not own[c.OWN_DRAWS] and not own[c.OWN_MELDS]:
            if not rules[c.EARTHLY_DRAW] and not now[c.LAST_DISCARDER] and not now[c.KONGS]:
                found |= luck[c.L_EARTHLY]
            found |= luck[c.L_HUMANLY]
        if not now[c.CLAIMED] and own[c.OWN_DRAWS] <= 1:
            found |= luck[c.L_FIRST_ROUND]
    if own[c.DECLARED] and not own[c.MISSED]:
        found |= luck[c.L_READY_AT_DEAL] if own[c.DECLARED] == c.AT_DEAL else luck[c.L_READY_AT_FIRST]
        draws, others = own[c.OWN_DRAWS] - own[c.DRAWS_THEN], now[c.DISCARDS] - own[c.DISCARDS_THEN]
        if (drew and draws == 1) or (discarded and others == 1 and not draws):  # without a draw: others' first discard
            found |= luck[c.L_FIRST_CHANCE]
    if tile >= 0 and chance != c.BY_CONCEALED:
        seen = int(visible_at(at, i)[tile]) - int(not drew)
        if seen == 3:
            found |= luck[c.L_FOURTH]
        elif not seen:
            found |= luck[c.L_FRESH]
    flowers = count(own[c.FLOWERS])
    if rules[c.FLOWER_WINS] and drew and flowers >= 7 and own[c.SET_ASIDE]:
        found |= luck[c.L_SEVEN_FLOWERS] if flowers == 7 else luck[c.L_EIGHT_FLOWERS]
    return found


def question(at: Any, i: int, seat: int, tile: int, chance: int) -> None:
    """Put the question whether a seat may win on this tile, or without one (-1)."""
    now, own, hand, melds = numbers_of(at, i), seat_of(at, i, seat), held_by(at, i, seat), melds_by(at, i, seat)
    k = c.QUESTIONS_MOST * i + now[c.QUESTIONS]
    tiles = uint8s(entry(at, c.AT_HANDS) + c.KINDS * k, (c.KINDS,))
    hand_melds = int8s(entry(at, c.AT_HAND_MELDS) + 8 * k, (4, 2))
    for kind in range(c.KINDS):
        tiles[kind] = hand[kind]
    if chance in (c.BY_DISCARD, c.BY_ADDED, c.BY_CONCEALED):
        tiles[tile] += 1
    for j in range(4):
        there = j < own[c.MELDS]
        hand_melds[j, 0] = melds[j, 0] if there else -1
        hand_melds[j, 1] = melds[j, 1] if there else 0
    words = words_of(at, i, now[c.QUESTIONS])
    words[0], words[1], words[2] = seat, tile, luck_now(at, i, seat, tile, chance)
    words[3] = own[c.FLOWERS]
    words[4] = rules_of(at)[c.CONCEALED_ROBBED] if chance == c.BY_CONCEALED else 0
    now[c.QUESTIONS] += 1


def may_win(at: Any, i: int, seat: int) -> Any:
    """Whether the answer for a seat was yes."""
    answers = int64s(entry(at, c.AT_ANSWERS) + 8 * c.QUESTIONS_MOST * i, (c.QUESTIONS_MOST,))
    for k in range(numbers_of(at, i)[c.QUESTIONS]):
        if words_of(at, i, k)[0] == seat:
            return answers[k] > 0
    return False


def draw(at: Any, i: int, from_tail: bool) -> Any:
    """Draw the next tile for the seat whose turn it is; false where there is none."""
    now, rules, wall = numbers_of(at, i), rules_of(at), wall_of(at, i)
    seat, size = now[c.TURN_OF], rules[c.SIZE]
    if from_tail:
        if not (now[c.BACK] < rules[c.DEAD] if rules[c.FEEDS] else now[c.LEFT] > 0):
            return False
        tile = int(wall[max(size - now[c.BACK] - (0 if now[c.BACK] & 1 else 2), now[c.FRONT])])
        now[c.BACK] += 1
        if not rules[c.FEEDS]:
            now[c.LEFT] -= 1
        record(at, i, c.E_REPLACE, seat, tile, 0, 0)
    else:
        if not now[c.LEFT]:
            return False
        tile = int(wall[now[c.FRONT] + (1 if now[c.BACK] & 1 and now[c.FRONT] == size - now[c.BACK] - 1 else 0)])
        now[c.FRONT] += 1
        now[c.LEFT] -= 1
        seat_of(at, i, seat)[c.OWN_DRAWS] += 1
        record(at, i, c.E_DRAW, seat, tile, 0, 0)
    now[c.DRAWN] = tile
    add_tile(at, i, seat, tile)
    return True


def set_aside(at: Any, i: int, seat: int, flower: int) -> None:
    """Put a flower beside the hand."""
    own = seat_of(at, i, seat)
    take_tile(at, i, seat, flower, 1)
    own[c.FLOWERS] |= 1 << flower - c.KINDS
    own[c.SET_ASIDE] = 1
    numbers_of(at, i)[c.DRAWN] = -1
    record(at, i, c.E_FLOWER, seat, flower, 0, 0)


def add_meld(at: Any, i: int, seat: int, kind: int, low: int, source: int) -> None:
    """Add a meld to a hand; source: who gave a tile for it, -1 for none."""
    own, melds, visible = seat_of(at, i, seat), melds_by(at, i, seat), visible_at(at, i)
    j = own[c.MELDS]
    melds[j, 0], melds[j, 1], melds[j, 2] = kind, low, source
    own[c.MELDS] += 1
    own[c.OWN_MELDS] += 1
    own[c.DECLARED] = 0
    if kind == c.CHOW:
        for k in range(low, low + 3):
            visible[k] += 1
    else:
        visible[low] += 3 if kind == c.PUNG else 4
    if kind == c.PUNG:
        lists_by(at, i, seat)[1, own[c.PUNGS]] = low
        own[c.PUNGS] += 1


def claim(at: Any, i: int, do: int, seat: int, tile: int, low: int, giver: int) -> None:
    """A discard is claimed for a meld."""
    now = numbers_of(at, i)
    visible_at(at, i)[tile] -= 1
    seat_of(at, i, giver)[c.NOT_OUTER] = 1
    now[c.TURN_OF], now[c.DRAWN] = seat, -1
    now[c.CLAIMED] += 1
    meld, lowest, own_copies, event = c.KONG, tile, 3, c.E_KONG
    if do == c.A_CHOW:
        meld, lowest, own_copies, event = c.CHOW, low, 1, c.E_CHOW
    elif do == c.A_PUNG:
        meld, lowest, own_copies, event = c.PUNG, tile, 2, c.E_PUNG
    else:
        now[c.KONGS] += 1
    for kind in range(lowest, lowest + (3 if meld == c.CHOW else 1)):
        if meld != c.CHOW or kind != tile:
            take_tile(at, i, seat, kind, own_copies)
    add_meld(at, i, seat, meld, lowest, giver)
    record(at, i, event, seat, tile, low if meld == c.CHOW else 0, giver)
    renew_waits(at, i, seat)


def end(at: Any, i: int, winner: int) -> None:
    """The hand is over: hands are shown."""
    now, every = numbers_of(at, i), rules_of(at)[c.ALL_SHOW]
    for seat in range(c.SEATS):
        if every or seat == winner:
            record(at, i, c.E_SHOW, seat, 0, 0, 0)
    now[c.WINNER], now[c.PHASE] = winner, c.OVER


def won(at: Any, i: int, seat: int, tile: int, giver: int, chance: int) -> None:
    """A win on this tile (-1: none); giver: -1 for none. A robbed kong becomes a pung or four tiles again."""
    now = numbers_of(at, i)
    if chance == c.BY_ADDED:
        melds = melds_by(at, i, giver)
        for j in range(seat_of(at, i, giver)[c.MELDS]):
            if melds[j, 0] == c.KONG and melds[j, 1] == tile:
                melds[j, 0] = c.PUNG
    elif chance == c.BY_CONCEALED:
        held_by(at, i, giver)[tile] += 3
        seat_of(at, i, giver)[c.MELDS] -= 1  # the last one
    now[c.GIVER], now[c.WON_TILE] = giver, tile
    record(at, i, c.E_WIN, seat, tile if tile >= 0 else c.NO_TILE, 0, giver + 1)
    end(at, i, seat)


def exhaust(at: Any, i: int) -> None:
    """The wall is used up."""
    record(at, i, c.E_EXHAUSTED, 0, 0, 0, 0)
    if rules_of(at)[c.OUTER_WINS]:
        numbers_of(at, i)[c.PHASE] = c.OUTER
    else:
        end(at, i, -1)


def dealt_flowers(at: Any, i: int) -> None:
    """Set the next flower aside that was dealt, or end the deal."""
    now = numbers_of(at, i)
    seat = now[c.DEALING]
    if seat == c.SEATS:
        now[c.TURN_OF], now[c.PHASE] = 0, c.SEVEN
        for other in range(c.SEATS):
            renew_waits(at, i, other)
        return
    flower, hand = c.ALL_KINDS - 1, held_by(at, i, seat)
    while flower >= c.KINDS and not hand[flower]:
        flower -= 1
    if flower < c.KINDS:
        now[c.DEALING] += 1
        return
    now[c.TURN_OF] = seat
    set_aside(at, i, seat, flower)
    now[c.PHASE] = c.FLOWER


def after_flower(at: Any, i: int) -> None:
    """Draw in place of a flower, now or on the next step."""
    now = numbers_of(at, i)
    if now[c.DEALING] == c.SEATS:
        now[c.PHASE] = c.REPLACE
        return
    draw(at, i, True)
    now[c.DRAWN], now[c.PHASE] = -1, c.DEALT_FLOWERS


def flower_questions(at: Any, i: int) -> None:
    """Offer the eighth flower to the seat that has the other seven."""
    now = numbers_of(at, i)
    now[c.QUESTIONS], now[c.PHASE] = 0, c.FLOWER_ANSWERED
    if rules_of(at)[c.FLOWER_WINS] and count(seat_of(at, i, now[c.TURN_OF])[c.FLOWERS]) == 1:
        for other in range(c.SEATS):
            if count(seat_of(at, i, other)[c.FLOWERS]) == 7:
                question(at, i, other, -1, c.BY_FLOWER)


def seven_questions(at: Any, i: int) -> None:
    """Offer a win to those who were dealt seven flowers and do not draw first."""
    now = numbers_of(at, i)
    now[c.QUESTIONS], now[c.PHASE] = 0, c.SEVEN_ANSWERED
    if rules_of(at)[c.FLOWER_WINS]:
        for seat in range(1, c.SEATS):
            if count(seat_of(at, i, seat)[c.FLOWERS]) >= 7:
                question(at, i, seat, -1, c.BY_SEVEN)


def discard_questions(at: Any, i: int) -> None:
    """Offer the drawn hand to closed hands that discarded only terminals and honours, none of them claimed."""
    now = numbers_of(at, i)
    now[c.QUESTIONS], now[c.PHASE] = 0, c.OUTER_ANSWERED
    for seat in range(c.SEATS):
        own = seat_of(at, i, seat)
        if own[c.HAS_DISCARDED] and not own[c.NOT_OUTER] and not is_exposed(at, i, seat):
            question(at, i, seat, -1, c.BY_OUTER)


def takes_win(at: Any, i: int, seat: int, tile: int, offerer: int) -> Any:
    """Whether a seat that may win does so, the alternative being to pass: 1 or 0, -1 if that is not known yet."""
    options = options_of(at, 0)
    option(options, 0, c.A_WIN, 0, 0)
    place = on_claim(at, i, seat, 0, option(options, 1, c.A_PASS, 0, 0), tile, offerer)
    if place == 1:
        seat_of(at, i, seat)[c.MISSED] = 1
    return place if place < 0 else 1 - place


def flower_answered(at: Any, i: int) -> None:
    """The eighth flower is robbed, or replaced."""
    now = numbers_of(at, i)
    flower = log_of(at, i)[now[c.EVENTS] - 1] >> 16 & 255
    for other in range(c.SEATS):
        if may_win(at, i, other):
            takes = takes_win(at, i, other, flower, now[c.TURN_OF])
            if takes < 0:
                return
            if takes:
                won(at, i, other, -1, now[c.TURN_OF], c.BY_FLOWER)
                return
    after_flower(at, i)


def seven_answered(at: Any, i: int) -> None:
    """Seven dealt flowers win, or the hand goes on."""
    first = -1
    for seat in range(1, c.SEATS):
        if may_win(at, i, seat):
            first = seat if first < 0 else first
            takes = takes_win(at, i, seat, -1, first)
            if takes < 0:
                return
            if takes:
                won(at, i, seat, -1, -1, c.BY_SEVEN)
                return
    numbers_of(at, i)[c.PHASE] = c.OPENING


def open_hand(at: Any, i: int) -> None:
    """Offer a declaration to hands ready on the deal that do not draw first; then the first draw."""
    now, options = numbers_of(at, i), options_of(at, 0)
    if rules_of(at)[c.DECLARES]:
        for seat in range(1, c.SEATS):
            if waits_of(at, i, seat, NO_LUCK):
                option(options, 0, c.A_READY, 0, 0)
                if on_claim(at, i, seat, 0, option(options, 1, c.A_PASS, 0, 0), -1, 0) < 0:
                    return
        for seat in range(1, c.SEATS):  # each declares before hearing another's declaration
            own = seat_of(at, i, seat)
            if own[c.CHOSEN] == 1:
                own[c.DECLARED], own[c.DISCARDS_THEN], own[c.DRAWS_THEN] = c.AT_DEAL, now[c.DISCARDS], own[c.OWN_DRAWS]
                record(at, i, c.E_READY, seat, 0, 0, 0)
    now[c.PHASE] = c.DRAW


def discards_answered(at: Any, i: int) -> None:
    """A seat wins the drawn hand, the one whose turn it was before those after it, or none does."""
    now = numbers_of(at, i)
    best, first = -1, c.SEATS
    for seat in range(c.SEATS):
        if may_win(at, i, seat):
            takes = takes_win(at, i, seat, -1, now[c.TURN_OF])
            if takes < 0:
                return
            after = (seat - now[c.TURN_OF]) & 3
            if takes and after < first:
                best, first = seat, after
        matters = best < 0
        for later in range(seat + 1, c.SEATS):
            if may_win(at, i, later) and (later - now[c.TURN_OF]) & 3 < first:
                matters = True
        if not matters:
            break
    if best >= 0:
        won(at, i, best, -1, -1, c.BY_OUTER)
    else:
        end(at, i, -1)
