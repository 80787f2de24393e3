"""Whether a hand may win: the question, with its circumstances, that is answered outside the loop."""

from __future__ import annotations

from typing import Any

from quepu.fast_table.columns import (
    CLAIMED,
    DISCARDS,
    E_REPLACE,
    EARTHLY_DRAW,
    FLOWERS,
    HAS_DISCARDED,
    HEAVENLY_AFTER_KONG,
    KINDS,
    KONGS,
    KONGS_IN_ROW,
    L_EARTHLY,
    L_FIRST_ROUND,
    L_FOURTH,
    L_FRESH,
    L_HEAVENLY,
    L_HUMANLY,
    L_KONG_DRAW,
    L_LAST_DISCARD,
    L_LAST_DRAW,
    L_ROBBED_KONG,
    L_SELF_DRAW,
    L_THREE_KONGS,
    L_TWO_KONGS,
    LAST_DISCARDER,
    LAST_EVENT,
    LEFT,
    MELDS,
    OWN_DRAWS,
    OWN_MELDS,
    QUESTIONS,
)


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
