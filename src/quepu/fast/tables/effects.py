"""Questions whether a hand may win, and effects of events on a table's arrays; the plain twin is `quepu.table.play`."""

from __future__ import annotations

from typing import Any

from quepu.fast.tables.columns import (
    A_CHOW,
    A_PUNG,
    ALL_SHOW,
    AT_DEAL,
    BACK,
    BY_ADDED,
    BY_CONCEALED,
    BY_DISCARD,
    BY_DRAW,
    BY_FLOWER,
    BY_OUTER,
    BY_SEVEN,
    CHOW,
    CLAIMED,
    CONCEALED_ROBBED,
    DEAD,
    DECLARED,
    DISCARDS,
    DISCARDS_THEN,
    DRAWN,
    DRAWS_THEN,
    E_CHOW,
    E_DRAW,
    E_EXHAUSTED,
    E_FLOWER,
    E_KONG,
    E_PUNG,
    E_REPLACE,
    E_SHOW,
    E_WIN,
    EARTHLY_DRAW,
    FEEDS,
    FLOWER_WINS,
    FLOWERS,
    FRONT,
    GIVER,
    HAS_DISCARDED,
    HEAVENLY_AFTER_KONG,
    KINDS,
    KONG,
    KONGS,
    KONGS_IN_ROW,
    L_EARTHLY,
    L_EIGHT_FLOWERS,
    L_FIRST_CHANCE,
    L_FIRST_ROUND,
    L_FOURTH,
    L_FRESH,
    L_HEAVENLY,
    L_HUMANLY,
    L_KONG_DRAW,
    L_LAST_DISCARD,
    L_LAST_DRAW,
    L_OUTER,
    L_READY_AT_DEAL,
    L_READY_AT_FIRST,
    L_ROBBED_FLOWER,
    L_ROBBED_KONG,
    L_SELF_DRAW,
    L_SEVEN_FLOWERS,
    L_THREE_KONGS,
    L_TWO_KONGS,
    LAST_DISCARDER,
    LAST_EVENT,
    LEFT,
    MELDS,
    MISSED,
    NO_TILE,
    NOT_OUTER,
    OUTER,
    OUTER_WINS,
    OVER,
    OWN_DRAWS,
    OWN_MELDS,
    PHASE,
    PUNG,
    PUNGS,
    QUESTIONS,
    QUESTIONS_MOST,
    SEATS,
    SET_ASIDE,
    SIZE,
    TURN_OF,
    WINNER,
    WON_TILE,
)
from quepu.fast.tables.tiles import add_tile, happened, look, take_tile
from quepu.hands.planes import count


def luck_now(i: int, tables: Any, rules: Any, luck: Any, seat: int, tile: int, chance: int) -> Any:
    """The circumstances of a win now, as bits; tile: -1 none."""
    if chance == BY_OUTER:
        return luck[L_OUTER] | luck[L_SELF_DRAW]
    if chance == BY_FLOWER:
        return luck[L_ROBBED_FLOWER]
    scalars, of_seat, visible = tables[0], tables[1], tables[5]
    now, own = scalars[i], of_seat[i, seat]
    drew, discarded = chance in (BY_DRAW, BY_SEVEN), chance == BY_DISCARD
    found = luck[L_SELF_DRAW] & -int(drew)
    if drew:
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
        if not discarded:
            found |= luck[L_ROBBED_KONG]
    if not own[HAS_DISCARDED]:
        if drew:
            if not seat and not now[DISCARDS] and (rules[HEAVENLY_AFTER_KONG] or not now[KONGS]):
                found |= luck[L_HEAVENLY]
            if rules[EARTHLY_DRAW] and seat and own[OWN_DRAWS] == 1 and not own[OWN_MELDS]:
                found |= luck[L_EARTHLY]
        elif discarded and seat and now[DISCARDS] == 1 and not own[OWN_DRAWS] and not own[OWN_MELDS]:
            if not rules[EARTHLY_DRAW] and not now[LAST_DISCARDER] and not now[KONGS]:
                found |= luck[L_EARTHLY]
            found |= luck[L_HUMANLY]
        if not now[CLAIMED] and own[OWN_DRAWS] <= 1:
            found |= luck[L_FIRST_ROUND]
    if own[DECLARED] and not own[MISSED]:
        found |= luck[L_READY_AT_DEAL] if own[DECLARED] == AT_DEAL else luck[L_READY_AT_FIRST]
        draws, others = own[OWN_DRAWS] - own[DRAWS_THEN], now[DISCARDS] - own[DISCARDS_THEN]  # without a draw: others'
        if (drew and draws == 1) or (discarded and others == 1 and not draws):
            found |= luck[L_FIRST_CHANCE]
    if tile >= 0 and chance != BY_CONCEALED:
        seen = visible[i, tile] - (not drew)
        if seen == 3:
            found |= luck[L_FOURTH]
        elif not seen:
            found |= luck[L_FRESH]
    flowers = count(own[FLOWERS])
    if rules[FLOWER_WINS] and drew and flowers >= 7 and own[SET_ASIDE]:
        found |= luck[L_SEVEN_FLOWERS] if flowers == 7 else luck[L_EIGHT_FLOWERS]
    return found


def question(i: int, tables: Any, questions: Any, rules: Any, luck: Any, seat: int, tile: int, chance: int) -> None:
    """Put the question whether a seat may win on this tile, or without one (-1)."""
    scalars, of_seat, counts, melds = tables[0], tables[1], tables[2], tables[3]
    hands, question_melds, words = questions
    at = QUESTIONS_MOST * i + scalars[i, QUESTIONS]
    for kind in range(KINDS):
        hands[at, kind] = counts[i, seat, kind]
    if chance in (BY_DISCARD, BY_ADDED, BY_CONCEALED):
        hands[at, tile] += 1
    for j in range(4):
        there = j < of_seat[i, seat, MELDS]
        question_melds[at, j, 0] = melds[i, seat, j, 0] if there else -1
        question_melds[at, j, 1] = melds[i, seat, j, 1] if there else 0
    words[at, 0], words[at, 1] = seat, tile
    words[at, 2] = luck_now(i, tables, rules, luck, seat, tile, chance)
    words[at, 3] = of_seat[i, seat, FLOWERS]
    words[at, 4] = rules[CONCEALED_ROBBED] if chance == BY_CONCEALED else 0
    scalars[i, QUESTIONS] += 1


def may_win(i: int, tables: Any, answers: Any, words: Any, seat: int) -> Any:
    """Whether the answer for a seat was yes."""
    for k in range(tables[0][i, QUESTIONS]):
        if words[QUESTIONS_MOST * i + k, 0] == seat:
            return answers[QUESTIONS_MOST * i + k] > 0
    return False


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
    """Put a flower beside the hand."""
    scalars, of_seat = tables[0], tables[1]
    take_tile(i, tables, seat, flower, 1)
    of_seat[i, seat, FLOWERS] |= 1 << flower - KINDS
    of_seat[i, seat, SET_ASIDE] = 1
    scalars[i, DRAWN] = -1
    happened(i, tables, E_FLOWER, seat, flower, 0, 0)


def add_meld(i: int, tables: Any, seat: int, kind: int, low: int, source: int) -> None:
    """Add a meld to a hand; source: who gave a tile for it, -1 nobody."""
    of_seat, melds, lists, visible = tables[1], tables[3], tables[4], tables[5]
    at = of_seat[i, seat, MELDS]
    melds[i, seat, at, 0], melds[i, seat, at, 1], melds[i, seat, at, 2] = kind, low, source
    of_seat[i, seat, MELDS] += 1
    of_seat[i, seat, OWN_MELDS] += 1
    of_seat[i, seat, DECLARED] = 0
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
    tables[1][i, giver, NOT_OUTER] = 1
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


def won(i: int, tables: Any, rules: Any, seat: int, tile: int, giver: int, chance: int) -> None:
    """A win on this tile (-1: none); giver: -1 nobody. Of a robbed kong there remains what it was made of."""
    scalars, of_seat, melds = tables[0], tables[1], tables[3]
    if chance == BY_ADDED:
        for j in range(of_seat[i, giver, MELDS]):
            if melds[i, giver, j, 0] == KONG and melds[i, giver, j, 1] == tile:
                melds[i, giver, j, 0] = PUNG
    elif chance == BY_CONCEALED:
        tables[2][i, giver, tile] += 3
        of_seat[i, giver, MELDS] -= 1  # the last one
    scalars[i, GIVER], scalars[i, WON_TILE] = giver, tile
    happened(i, tables, E_WIN, seat, tile if tile >= 0 else NO_TILE, 0, giver + 1)
    end(i, tables, rules, seat)


def exhausted(i: int, tables: Any, rules: Any) -> None:
    """Nobody can draw."""
    happened(i, tables, E_EXHAUSTED, 0, 0, 0, 0)
    if rules[OUTER_WINS]:
        tables[0][i, PHASE] = OUTER
    else:
        end(i, tables, rules, -1)
