"""Rare decisions on arrays: flower wins, ready on the deal, wins of a drawn hand; the twin is `quepu.table.play`.

Each function is one step of a table (`quepu.fast.tables.loop`), and sets the next.
"""

from __future__ import annotations

from typing import Any

from quepu.fast.tables import columns as c
from quepu.fast.tables.choices import on_claim, option
from quepu.fast.tables.effects import draw, end, may_win, question, set_aside, won
from quepu.fast.tables.memory import held_by, log_of, numbers_of, options_of, rules_of, seat_of
from quepu.fast.tables.tiles import NO_LUCK, exposed, happened, look, waits_of
from quepu.hands.planes import count


def dealt_flowers(at: Any, i: int) -> None:
    """Set the next flower aside that was dealt, or end the deal."""
    now = numbers_of(at, i)
    seat = now[c.DEALING]
    if seat == c.SEATS:
        now[c.TURN_OF], now[c.PHASE] = 0, c.SEVEN
        for other in range(c.SEATS):
            look(at, i, other)
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
        if own[c.HAS_DISCARDED] and not own[c.NOT_OUTER] and not exposed(at, i, seat):
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


def opening(at: Any, i: int) -> None:
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
                happened(at, i, c.E_READY, seat, 0, 0, 0)
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
