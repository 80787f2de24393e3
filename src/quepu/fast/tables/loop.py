"""The course of a hand on arrays, one loop for many tables; the plain twin is `quepu.table.play`.

The text of this module and of those it imports is compiled by numba (`quepu.fast.tables.code`). None has a rule of a
book: what may be done when is in the book's numbers. A table stops where somebody may win: whether a hand is worth
enough is a question about many hands at once, answered outside.
"""

from __future__ import annotations

from typing import Any

from quepu.fast.tables.allowed import claim_options, option, turn_options
from quepu.fast.tables.choices import answered, on_claim, on_turn
from quepu.fast.tables.columns import (
    A_CHOW,
    A_CONCEALED,
    A_DISCARD,
    A_DRAWN,
    A_FLOWER,
    A_KONG,
    A_PASS,
    A_WIN,
    AT_FIRST,
    BY_ADDED,
    BY_CONCEALED,
    BY_DISCARD,
    BY_DRAW,
    CLAIMS,
    CLAIMS_ANSWERED,
    CONCEALED,
    CONCEALED_ROBBED,
    CONCEALING,
    DEAL,
    DEALT_FLOWERS,
    DECLARED,
    DISCARDS,
    DISCARDS_THEN,
    DRAW,
    DRAWN,
    DRAWS_THEN,
    E_ADDED,
    E_CONCEALED,
    E_DISCARD,
    E_DRAWN_DISCARD,
    FLOWER,
    FLOWER_ANSWERED,
    FLOWER_WINS,
    FLOWERS,
    FLOWERS_OUT,
    HAS_DISCARDED,
    KINDS,
    KONG,
    KONGS,
    LAST_DISCARDER,
    MELDS,
    MISSED,
    NOT_OUTER,
    OPENING,
    OUTER,
    OUTER_ANSWERED,
    OVER,
    OWN_DRAWS,
    OWN_MELDS,
    PHASE,
    PUNG,
    PUNGS,
    QUESTIONS,
    REPLACE,
    ROBBING,
    ROBBING_ANSWERED,
    SEATS,
    SET_ASIDE,
    SEVEN,
    SEVEN_ANSWERED,
    TILE,
    TURN,
    TURN_ANSWERED,
    TURN_OF,
    WAITING,
    WAITS,
)
from quepu.fast.tables.effects import add_meld, claim, draw, exhausted, may_win, question, set_aside, won
from quepu.fast.tables.rare_decisions import (
    dealt_flowers,
    discard_questions,
    discards_answered,
    flower_answered,
    flower_questions,
    opening,
    seven_answered,
    seven_questions,
)
from quepu.fast.tables.tiles import add_tile, drop, happened, look, take_tile
from quepu.hands.planes import count

QUESTIONED = (FLOWER, SEVEN, TURN, CLAIMS, ROBBING, OUTER)
OFFERING = (FLOWER_ANSWERED, SEVEN_ANSWERED, OPENING, CLAIMS_ANSWERED, ROBBING_ANSWERED, OUTER_ANSWERED)


def rank_of(do: int) -> Any:
    """Return which claim goes before which."""
    if do == A_WIN:
        return 30
    return 10 if do == A_CHOW else 20


def settle_claims(i: int, tables: Any, rules: Any, book: Any, replies: Any, robbing: bool, rooms: Any) -> None:
    """Settle who claims what was put down, one seat after another as far as it matters; then go on.

    book: suits and far. replies: answers and words.
    """
    (suits, far), (answers, words) = book, replies
    scalars, of_seat = tables[0], tables[1]
    now = scalars[i]
    giver, tile = now[TURN_OF], now[TILE]
    options, numbers = rooms[0], rooms[1]
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
        at = on_claim(i, tables, (suits, far), rooms, seat, (options[other], numbers[other], tile, giver))
        if at < 0:
            return
        if options[other, 0, 0] == A_WIN and at:
            of_seat[i, seat, MISSED] = 1
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
        chance = BY_DISCARD if not robbing else BY_CONCEALED if now[CONCEALING] else BY_ADDED
        won(i, tables, rules, best_seat, tile, giver, chance)
    elif do != A_PASS:
        claim(i, tables, suits, do, best_seat, tile, low, giver)
        now[PHASE] = REPLACE if do == A_KONG else TURN
    elif robbing:
        now[PHASE] = REPLACE
    else:
        now[TURN_OF], now[PHASE] = (giver + 1) & 3, DRAW


def act(i: int, tables: Any, rules: Any, suits: Any, do: int, tile: int, declares: int) -> None:
    """The seat whose turn it is does something; declares: whether a discard declares the hand ready."""
    scalars, of_seat, melds, visible = tables[0], tables[1], tables[3], tables[5]
    now = scalars[i]
    seat = now[TURN_OF]
    if do == A_WIN:
        won(i, tables, rules, seat, tile, -1, BY_DRAW)
        return
    if do == A_FLOWER:
        set_aside(i, tables, seat, tile)
        now[PHASE] = FLOWER
        return
    own = of_seat[i, seat]
    now[TILE] = tile
    if do in (A_DISCARD, A_DRAWN):
        take_tile(i, tables, seat, tile, 1)
        visible[i, tile] += 1
        now[DRAWN] = -1
        now[DISCARDS] += 1
        now[LAST_DISCARDER] = seat
        own[HAS_DISCARDED], own[SET_ASIDE] = 1, 0
        if tile < 27 and 0 < tile % 9 < 8:
            own[NOT_OUTER] = 1
        happened(i, tables, E_DRAWN_DISCARD if do == A_DRAWN else E_DISCARD, seat, tile, declares, 0)
        if do == A_DISCARD:
            own[DECLARED] = 0
        if declares:
            own[MISSED], own[DECLARED] = 0, AT_FIRST
            own[DISCARDS_THEN], own[DRAWS_THEN] = now[DISCARDS], own[OWN_DRAWS]
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
        now[CONCEALING], now[PHASE] = 1, ROBBING if rules[CONCEALED_ROBBED] else REPLACE
    else:
        take_tile(i, tables, seat, tile, 1)
        visible[i, tile] += 1
        for j in range(of_seat[i, seat, MELDS]):
            if melds[i, seat, j, 0] == PUNG and melds[i, seat, j, 1] == tile:
                melds[i, seat, j, 0] = KONG
        drop(tables[4][i, seat, 1], of_seat[i, seat], PUNGS, tile)
        own[OWN_MELDS] += 1
        own[DECLARED] = 0
        happened(i, tables, E_ADDED, seat, tile, 0, 0)
        now[CONCEALING], now[PHASE] = 0, ROBBING
    look(i, tables, suits, seat)


def deal(i: int, tables: Any) -> None:
    """Deal three times four tiles and one to each seat."""
    order = tables[7]
    for seat in range(SEATS):
        for n in range(13):
            add_tile(i, tables, seat, int(order[i, 16 * (n // 4) + 4 * seat + n % 4 if n < 12 else 48 + seat]))
    tables[0][i, DRAWN], tables[0][i, PHASE] = -1, DEALT_FLOWERS


def run_one(i: int, tables: Any, questions: Any, answers: Any, numbers: Any, book: Any, rooms: Any) -> None:
    """Let a table go on until a seat may win or is to choose outside, or the hand is over.

    numbers: rules and luck. book: suits and far.
    """
    (rules, luck), (suits, far) = numbers, book
    scalars, of_seat = tables[0], tables[1]
    options = rooms[0]
    bits, words = suits[0], questions[2]
    now = scalars[i]
    while True:
        phase, seat = now[PHASE], now[TURN_OF]
        if phase == DEAL:
            deal(i, tables)
        elif phase == DEALT_FLOWERS:
            dealt_flowers(i, tables, suits)
        elif phase == FLOWER:
            flower_questions(i, tables, questions, rules, luck)
        elif phase == FLOWER_ANSWERED:
            flower_answered(i, tables, rules, suits, far, answers, words, rooms)
        elif phase == SEVEN:
            seven_questions(i, tables, questions, rules, luck)
        elif phase == SEVEN_ANSWERED:
            seven_answered(i, tables, rules, suits, far, answers, words, rooms)
        elif phase == OPENING:
            opening(i, tables, rules, suits, far, rooms)
        elif phase == OUTER:
            discard_questions(i, tables, questions, rules, luck)
        elif phase == OUTER_ANSWERED:
            discards_answered(i, tables, rules, suits, far, answers, words, rooms)
        elif phase in (DRAW, REPLACE):
            if not draw(i, tables, rules, phase == REPLACE):
                if phase == DRAW:
                    now[TURN_OF] = (seat + 3) & 3  # the turn remains with who discarded
                exhausted(i, tables, rules)
            elif now[DRAWN] >= KINDS and rules[FLOWERS_OUT]:
                set_aside(i, tables, seat, now[DRAWN])
                now[PHASE] = FLOWER
            else:
                now[PHASE] = TURN
        elif phase == TURN:
            now[QUESTIONS] = 0
            drawn, own = now[DRAWN], of_seat[i, seat]
            now[PHASE] = TURN_ANSWERED
            by_flowers = rules[FLOWER_WINS] and count(own[FLOWERS]) >= 7
            if 0 <= drawn < KINDS and (by_flowers or own[WAITS] & bits[drawn]):
                question(i, tables, questions, rules, luck, seat, drawn, BY_DRAW)
        elif phase == TURN_ANSWERED:
            number = turn_options(i, tables, rules, suits, may_win(i, tables, answers, words, seat), options[0])
            at = on_turn(i, tables, rules, suits, far, rooms, number)
            if at >= 0:
                if options[0, 0, 0] == A_WIN and at:
                    of_seat[i, seat, MISSED] = 1
                act(i, tables, rules, suits, options[0, at, 0], options[0, at, 1], options[0, at, 2])
        elif phase in (CLAIMS, ROBBING):
            now[QUESTIONS] = 0
            now[PHASE] = phase + 1
            if now[TILE] < KINDS:
                for other in range(1, SEATS):
                    claimer = (seat + other) & 3
                    if of_seat[i, claimer, WAITS] & bits[now[TILE]]:
                        chance = BY_DISCARD if phase == CLAIMS else BY_CONCEALED if now[CONCEALING] else BY_ADDED
                        question(i, tables, questions, rules, luck, claimer, now[TILE], chance)
        elif phase in (CLAIMS_ANSWERED, ROBBING_ANSWERED):
            if now[TILE] >= KINDS:  # nobody claims a flower
                now[TURN_OF], now[PHASE] = (seat + 1) & 3, DRAW
            else:
                settle_claims(i, tables, rules, (suits, far), (answers, words), phase == ROBBING_ANSWERED, rooms)
        else:
            return
        if now[WAITING] or (phase in QUESTIONED and now[QUESTIONS]):
            return
        if phase in OFFERING:
            answered(i, tables)


def run(tables: Any, questions: Any, answers: Any, rules: Any, luck: Any, suits: Any, far: Any, rooms: Any) -> Any:
    """Let every table go on; how many questions were put.

    Args:
        tables: numbers of each table, of each seat, tiles held, melds, fours and pungs in the order they came, tiles
            that lie open, generators, walls, events (see `quepu.fast.tables.fast_tables`), and the options that a
            seat played outside is to choose from, int64 [n, 64, 3] (or none where no seat is).
        questions: hands uint8 [4 n, 34], melds int8 [4 n, 4, 2]; int64 [4 n, 5]: seat, tile, circumstances, flowers,
            the forms of which the hand must have one.
        answers: int64 [4 n], whether a hand may win.
        rules: the book's numbers, int64 [22].
        luck: the bits of circumstances, int64 [20].
        suits: see `quepu.fast.tables.code.suits`.
        far: see `quepu.fast.tables.code.distances`.
        rooms: room for options, int64 [4, 64, 3], how many there are, int64 [4], and for a bot's thought: tiles held,
            missing tiles after discards, tiles unseen, int64 [34] each; `aims` (see `quepu.fast.tables.aims`).
    """
    open_questions = 0
    scalars = tables[0]
    for i in range(len(scalars)):
        if scalars[i, PHASE] != OVER and not scalars[i, WAITING]:
            run_one(i, tables, questions, answers, (rules, luck), (suits, far), rooms)
            if scalars[i, PHASE] != OVER and not scalars[i, WAITING]:
                open_questions += scalars[i, QUESTIONS]
    return open_questions
