"""Rare decisions on arrays: flower wins, ready on the deal, wins of a drawn hand; the twin is `quepu.table.play`.

As `quepu.table.play` does it. Each function is one step of a table (`quepu.fast.tables.loop`), and sets the next.
"""

from __future__ import annotations

from typing import Any

from quepu.fast.tables.allowed import exposed, option
from quepu.fast.tables.choices import on_claim
from quepu.fast.tables.columns import (
    A_PASS,
    A_READY,
    A_WIN,
    ALL_KINDS,
    AT_DEAL,
    BY_FLOWER,
    BY_OUTER,
    BY_SEVEN,
    CHOSEN,
    DEALING,
    DEALT_FLOWERS,
    DECLARED,
    DECLARES,
    DISCARDS,
    DISCARDS_THEN,
    DRAW,
    DRAWN,
    DRAWS_THEN,
    E_READY,
    EVENTS,
    FLOWER,
    FLOWER_ANSWERED,
    FLOWER_WINS,
    FLOWERS,
    HAS_DISCARDED,
    KINDS,
    MELDS,
    MISSED,
    NOT_OUTER,
    OPENING,
    OUTER_ANSWERED,
    OWN_DRAWS,
    PHASE,
    QUESTIONS,
    REPLACE,
    SEATS,
    SEVEN,
    SEVEN_ANSWERED,
    TURN_OF,
)
from quepu.fast.tables.effects import draw, end, may_win, question, set_aside, won
from quepu.fast.tables.tiles import happened, look, waits_of
from quepu.hands.planes import count


def dealt_flowers(i: int, tables: Any, suits: Any) -> None:
    """Set the next flower aside that was dealt, or end the deal."""
    now, counts = tables[0][i], tables[2]
    seat = now[DEALING]
    if seat == SEATS:
        now[TURN_OF], now[PHASE] = 0, SEVEN
        for other in range(SEATS):
            look(i, tables, suits, other)
        return
    flower = ALL_KINDS - 1
    while flower >= KINDS and not counts[i, seat, flower]:
        flower -= 1
    if flower < KINDS:
        now[DEALING] += 1
        return
    now[TURN_OF] = seat
    set_aside(i, tables, seat, flower)
    now[PHASE] = FLOWER


def after_flower(i: int, tables: Any, rules: Any) -> None:
    """Draw in place of a flower, now or on the next step."""
    now = tables[0][i]
    if now[DEALING] == SEATS:
        now[PHASE] = REPLACE
        return
    draw(i, tables, rules, True)
    now[DRAWN], now[PHASE] = -1, DEALT_FLOWERS


def flower_questions(i: int, tables: Any, questions: Any, rules: Any, luck: Any) -> None:
    """Offer the eighth flower to the seat that has the other seven."""
    now, of_seat = tables[0][i], tables[1]
    now[QUESTIONS], now[PHASE] = 0, FLOWER_ANSWERED
    if rules[FLOWER_WINS] and count(of_seat[i, now[TURN_OF], FLOWERS]) == 1:
        for other in range(SEATS):
            if count(of_seat[i, other, FLOWERS]) == 7:
                question(i, tables, questions, rules, luck, other, -1, BY_FLOWER)


def seven_questions(i: int, tables: Any, questions: Any, rules: Any, luck: Any) -> None:
    """Offer a win to those who were dealt seven flowers and do not draw first."""
    now, of_seat = tables[0][i], tables[1]
    now[QUESTIONS], now[PHASE] = 0, SEVEN_ANSWERED
    if rules[FLOWER_WINS]:
        for seat in range(1, SEATS):
            if count(of_seat[i, seat, FLOWERS]) >= 7:
                question(i, tables, questions, rules, luck, seat, -1, BY_SEVEN)


def discard_questions(i: int, tables: Any, questions: Any, rules: Any, luck: Any) -> None:
    """Offer the drawn hand to closed hands that discarded only terminals and honours, none of them claimed."""
    now, of_seat = tables[0][i], tables[1]
    now[QUESTIONS], now[PHASE] = 0, OUTER_ANSWERED
    for seat in range(SEATS):
        own = of_seat[i, seat]
        if own[HAS_DISCARDED] and not own[NOT_OUTER] and not exposed(i, tables, seat):
            question(i, tables, questions, rules, luck, seat, -1, BY_OUTER)


def takes_win(i: int, tables: Any, suits: Any, far: Any, rooms: Any, seat: int, tile: int, offerer: int) -> Any:
    """Whether a seat that may win does so, the alternative being to pass: 1 or 0, -1 if that is not known yet."""
    options = rooms[0][0]
    option(options, 0, A_WIN, 0, 0)
    number = option(options, 1, A_PASS, 0, 0)
    at = on_claim(i, tables, (suits, far), rooms, seat, (options, number, tile, offerer))
    if at == 1:
        tables[1][i, seat, MISSED] = 1
    return at if at < 0 else 1 - at


def flower_answered(
    i: int, tables: Any, rules: Any, suits: Any, far: Any, answers: Any, words: Any, rooms: Any
) -> None:
    """The eighth flower is robbed, or replaced."""
    now = tables[0][i]
    flower = tables[8][i, now[EVENTS] - 1] >> 16 & 255
    for other in range(SEATS):
        if may_win(i, tables, answers, words, other):
            takes = takes_win(i, tables, suits, far, rooms, other, flower, now[TURN_OF])
            if takes < 0:
                return
            if takes:
                won(i, tables, rules, other, -1, now[TURN_OF], BY_FLOWER)
                return
    after_flower(i, tables, rules)


def seven_answered(i: int, tables: Any, rules: Any, suits: Any, far: Any, answers: Any, words: Any, rooms: Any) -> None:
    """Seven dealt flowers win, or the hand goes on."""
    first = -1
    for seat in range(1, SEATS):
        if may_win(i, tables, answers, words, seat):
            first = seat if first < 0 else first
            takes = takes_win(i, tables, suits, far, rooms, seat, -1, first)
            if takes < 0:
                return
            if takes:
                won(i, tables, rules, seat, -1, -1, BY_SEVEN)
                return
    tables[0][i, PHASE] = OPENING


def opening(i: int, tables: Any, rules: Any, suits: Any, far: Any, rooms: Any) -> None:
    """Offer a declaration to hands ready on the deal that do not draw first; then the first draw."""
    now, of_seat, counts, melds = tables[0][i], tables[1], tables[2], tables[3]
    options = rooms[0][0]
    if rules[DECLARES]:
        for seat in range(1, SEATS):
            if waits_of(counts[i, seat], melds[i, seat], of_seat[i, seat, MELDS], suits, True):
                option(options, 0, A_READY, 0, 0)
                number = option(options, 1, A_PASS, 0, 0)
                if on_claim(i, tables, (suits, far), rooms, seat, (options, number, -1, 0)) < 0:
                    return
        for seat in range(1, SEATS):  # nobody hears another's declaration before his own
            own = of_seat[i, seat]
            if own[CHOSEN] == 1:
                own[DECLARED], own[DISCARDS_THEN], own[DRAWS_THEN] = AT_DEAL, now[DISCARDS], own[OWN_DRAWS]
                happened(i, tables, E_READY, seat, 0, 0, 0)
    now[PHASE] = DRAW


def discards_answered(
    i: int, tables: Any, rules: Any, suits: Any, far: Any, answers: Any, words: Any, rooms: Any
) -> None:
    """Somebody wins the drawn hand, the seat whose turn it was before those after it, or nobody."""
    now = tables[0][i]
    best, first = -1, SEATS
    for seat in range(SEATS):
        if may_win(i, tables, answers, words, seat):
            takes = takes_win(i, tables, suits, far, rooms, seat, -1, now[TURN_OF])
            if takes < 0:
                return
            after = (seat - now[TURN_OF]) & 3
            if takes and after < first:
                best, first = seat, after
        matters = best < 0
        for later in range(seat + 1, SEATS):
            if may_win(i, tables, answers, words, later) and (later - now[TURN_OF]) & 3 < first:
                matters = True
        if not matters:
            break
    if best >= 0:
        won(i, tables, rules, best, -1, -1, BY_OUTER)
    else:
        end(i, tables, rules, -1)
