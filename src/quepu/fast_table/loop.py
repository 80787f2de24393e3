"""The course of a hand on arrays: `quepu.table.play` as one loop, for many tables one after another.

The text of this module and of those it imports is compiled by numba (`quepu.fast_table.code`). None has a rule of a
book: what may be done when is in the book's numbers. A table stops where somebody may win: whether a hand is worth
enough is a question about many hands at once, answered outside.
"""

from __future__ import annotations

from typing import Any

from quepu.fast_table.allowed import chosen, claim_options, option, turn_options
from quepu.fast_table.columns import (
    A_CHOW,
    A_CONCEALED,
    A_DISCARD,
    A_DRAWN,
    A_FLOWER,
    A_KONG,
    A_PASS,
    A_WIN,
    ALL_KINDS,
    CLAIMS,
    CLAIMS_ANSWERED,
    CONCEALED,
    DEAL,
    DISCARDS,
    DRAW,
    DRAWN,
    E_ADDED,
    E_CONCEALED,
    E_DISCARD,
    E_DRAWN_DISCARD,
    FLOWERS_OUT,
    HAS_DISCARDED,
    KINDS,
    KONG,
    KONGS,
    LAST_DISCARDER,
    MELDS,
    OVER,
    OWN_MELDS,
    PHASE,
    PUNG,
    PUNGS,
    QUESTIONS,
    REPLACE,
    ROBBING,
    ROBBING_ANSWERED,
    SEATS,
    TILE,
    TURN,
    TURN_ANSWERED,
    TURN_OF,
    WAITS,
)
from quepu.fast_table.effects import add_meld, claim, draw, exhausted, set_aside, won
from quepu.fast_table.tiles_held import add_tile, drop, happened, look, take_tile
from quepu.fast_table.win_questions import may_win, question


def rank_of(do: int) -> Any:
    """Which claim goes before which."""
    if do == A_WIN:
        return 30
    return 10 if do == A_CHOW else 20


def settle_claims(
    i: int, tables: Any, rules: Any, suits: Any, answers: Any, words: Any, robbing: bool, rooms: Any
) -> None:
    """Settle who claims what was put down, one seat after another as far as it matters; then go on."""
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
