"""Whether a hand may win: the question, with its circumstances, that is answered outside the loop."""

from __future__ import annotations

from typing import Any

from quepu.fast.tables.columns import (
    AT_DEAL,
    BY_ADDED,
    BY_CONCEALED,
    BY_DISCARD,
    BY_DRAW,
    BY_FLOWER,
    BY_OUTER,
    BY_SEVEN,
    CLAIMED,
    CONCEALED_ROBBED,
    DECLARED,
    DISCARDS,
    DISCARDS_THEN,
    DRAWS_THEN,
    E_REPLACE,
    EARTHLY_DRAW,
    FLOWER_WINS,
    FLOWERS,
    HAS_DISCARDED,
    HEAVENLY_AFTER_KONG,
    KINDS,
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
    OWN_DRAWS,
    OWN_MELDS,
    QUESTIONS,
    QUESTIONS_MOST,
    SET_ASIDE,
)
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
