"""The course of a hand on arrays, one loop for many tables; the plain twin is `quepu.table.play`.

It has no rule of a book: what may be done when is in the book's numbers. A table stops where a seat may win: whether a
hand is worth enough is a question about many hands at once, answered outside.
"""
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from quepu.fast.nearest.distance import bit_of
from quepu.fast.tables import columns as c
from quepu.fast.tables.choices import claim_options, forget_choices, on_claim, on_turn, option, turn_options
from quepu.fast.tables.effects import (
    add_meld,
    claim,
    dealt_flowers,
    discard_questions,
    discards_answered,
    draw,
    exhaust,
    flower_answered,
    flower_questions,
    may_win,
    open_hand,
    question,
    set_aside,
    seven_answered,
    seven_questions,
    won,
)
from quepu.fast.tables.memory import (
    held_by,
    list_of,
    lists_by,
    melds_by,
    numbers_of,
    options_of,
    rules_of,
    seat_of,
    size_of,
    visible_at,
    wall_of,
)
from quepu.fast.tables.tiles import add_tile, drop, record, renew_waits, take_tile
from quepu.hands.planes import count


def rank_of(do: int) -> Any:
    """Return which claim goes before which."""
    if do == c.A_WIN:
        return 30
    return 10 if do == c.A_CHOW else 20


def settle_claims(at: Any, i: int, robbing: bool) -> None:
    """Settle who claims the tile put down, one seat after another as far as it matters; then go on."""
    now, numbers = numbers_of(at, i), list_of(at, c.AT_OPTION_NUMBERS)
    giver, tile = now[c.TURN_OF], now[c.TILE]
    for other in range(1, c.SEATS):
        seat, options = (giver + other) & 3, options_of(at, other)
        wins = may_win(at, i, seat)
        if robbing:
            numbers[other] = 0
            if wins:
                option(options, 0, c.A_WIN, tile, 0)
                numbers[other] = option(options, 1, c.A_PASS, 0, 0)
        else:
            numbers[other] = claim_options(at, i, seat, tile, giver, wins, options)
    best, best_seat, do, low = -1, -1, c.A_PASS, 0
    for other in range(1, c.SEATS):
        if not numbers[other]:
            continue
        seat, options = (giver + other) & 3, options_of(at, other)
        place = on_claim(at, i, seat, other, numbers[other], tile, giver)
        if place < 0:
            return
        if options[0, 0] == c.A_WIN and place:
            seat_of(at, i, seat)[c.MISSED] = 1
        if options[place, 0] != c.A_PASS:
            rank = rank_of(options[place, 0]) - other
            if rank > best:
                best, best_seat, do, low = rank, seat, options[place, 0], options[place, 2]
        if best >= 0:
            matters = False
            for later in range(other + 1, c.SEATS):
                if numbers[later] and rank_of(options_of(at, later)[0, 0]) - later > best:
                    matters = True
            if not matters:
                break
    if do == c.A_WIN:
        chance = c.BY_DISCARD if not robbing else c.BY_CONCEALED if now[c.CONCEALING] else c.BY_ADDED
        won(at, i, best_seat, tile, giver, chance)
    elif do != c.A_PASS:
        claim(at, i, do, best_seat, tile, low, giver)
        now[c.PHASE] = c.REPLACE if do == c.A_KONG else c.TURN
    elif robbing:
        now[c.PHASE] = c.REPLACE
    else:
        now[c.TURN_OF], now[c.PHASE] = (giver + 1) & 3, c.DRAW


def act(at: Any, i: int, do: int, tile: int, declares: int) -> None:
    """The seat whose turn it is does something; declares: whether a discard declares the hand ready."""
    now = numbers_of(at, i)
    seat = now[c.TURN_OF]
    own = seat_of(at, i, seat)
    if do == c.A_WIN:
        won(at, i, seat, tile, -1, c.BY_DRAW)
        return
    if do == c.A_FLOWER:
        set_aside(at, i, seat, tile)
        now[c.PHASE] = c.FLOWER
        return
    now[c.TILE], now[c.DRAWN] = tile, -1
    if do in (c.A_DISCARD, c.A_DRAWN):
        take_tile(at, i, seat, tile, 1)
        visible_at(at, i)[tile] += 1
        now[c.DISCARDS] += 1
        now[c.LAST_DISCARDER] = seat
        own[c.HAS_DISCARDED], own[c.SET_ASIDE] = 1, 0
        if tile < 27 and 0 < tile % 9 < 8:
            own[c.NOT_OUTER] = 1
        record(at, i, c.E_DRAWN_DISCARD if do == c.A_DRAWN else c.E_DISCARD, seat, tile, declares, 0)
        if do == c.A_DISCARD:
            own[c.DECLARED] = 0
        if declares:
            own[c.MISSED], own[c.DECLARED] = 0, c.AT_FIRST
            own[c.DISCARDS_THEN], own[c.DRAWS_THEN] = now[c.DISCARDS], own[c.OWN_DRAWS]
        if do == c.A_DISCARD:
            renew_waits(at, i, seat)
        now[c.PHASE] = c.CLAIMS
        return
    now[c.KONGS] += 1
    if do == c.A_CONCEALED:
        take_tile(at, i, seat, tile, 4)
        add_meld(at, i, seat, c.CONCEALED, tile, -1)
        record(at, i, c.E_CONCEALED, seat, tile, 0, 0)
        now[c.CONCEALING], now[c.PHASE] = 1, c.ROBBING if rules_of(at)[c.CONCEALED_ROBBED] else c.REPLACE
    else:
        take_tile(at, i, seat, tile, 1)
        visible_at(at, i)[tile] += 1
        melds = melds_by(at, i, seat)
        for j in range(own[c.MELDS]):
            if melds[j, 0] == c.PUNG and melds[j, 1] == tile:
                melds[j, 0] = c.KONG
        drop(lists_by(at, i, seat)[1], own, c.PUNGS, tile)
        own[c.OWN_MELDS] += 1
        own[c.DECLARED] = 0
        record(at, i, c.E_ADDED, seat, tile, 0, 0)
        now[c.CONCEALING], now[c.PHASE] = 0, c.ROBBING
    renew_waits(at, i, seat)


def deal(at: Any, i: int) -> None:
    """Deal three times four tiles and one to each seat."""
    now, wall = numbers_of(at, i), wall_of(at, i)
    for seat in range(c.SEATS):
        for n in range(13):
            add_tile(at, i, seat, int(wall[16 * (n // 4) + 4 * seat + n % 4 if n < 12 else 48 + seat]))
    now[c.DRAWN], now[c.PHASE] = -1, c.DEALT_FLOWERS


def draw_or_end(at: Any, i: int, replaces: bool) -> None:
    """Draw a tile, or end the hand where there is none."""
    now = numbers_of(at, i)
    seat = now[c.TURN_OF]
    if not draw(at, i, replaces):
        if not replaces:
            now[c.TURN_OF] = (seat + 3) & 3  # the turn remains with who discarded
        exhaust(at, i)
    elif now[c.DRAWN] >= c.KINDS and rules_of(at)[c.FLOWERS_OUT]:
        set_aside(at, i, seat, now[c.DRAWN])
        now[c.PHASE] = c.FLOWER
    else:
        now[c.PHASE] = c.TURN


def resume(at: Any, i: int) -> None:
    """Find the waits of hands whose tiles were written down from outside, and go on with the turn or the discard."""
    now = numbers_of(at, i)
    seat, drawn = now[c.TURN_OF], now[c.DRAWN]
    hand = held_by(at, i, seat)
    if drawn >= 0:
        hand[drawn] -= 1
    for other in range(c.SEATS):
        renew_waits(at, i, other)
    if drawn >= 0:
        hand[drawn] += 1
    now[c.PHASE] = c.TURN if now[c.TILE] < 0 else c.CLAIMS


def ask_drawer(at: Any, i: int) -> None:
    """Ask whether the seat that drew may win."""
    now = numbers_of(at, i)
    seat, drawn = now[c.TURN_OF], now[c.DRAWN]
    own = seat_of(at, i, seat)
    now[c.QUESTIONS], now[c.PHASE] = 0, c.TURN_ANSWERED
    if 0 <= drawn < c.KINDS:
        by_flowers = rules_of(at)[c.FLOWER_WINS] > 0 and count(own[c.FLOWERS]) >= 7
        if by_flowers or own[c.WAITS] & bit_of(drawn) != 0:
            question(at, i, seat, drawn, c.BY_DRAW)


def ask_others(at: Any, i: int, robbing: bool) -> None:
    """Ask whether others may win on the tile put down."""
    now = numbers_of(at, i)
    seat, tile = now[c.TURN_OF], now[c.TILE]
    now[c.QUESTIONS], now[c.PHASE] = 0, c.ROBBING_ANSWERED if robbing else c.CLAIMS_ANSWERED
    if tile < c.KINDS:
        for other in range(1, c.SEATS):
            claimer = (seat + other) & 3
            if seat_of(at, i, claimer)[c.WAITS] & bit_of(tile):
                chance = c.BY_DISCARD if not robbing else c.BY_CONCEALED if now[c.CONCEALING] else c.BY_ADDED
                question(at, i, claimer, tile, chance)


def take_turn(at: Any, i: int) -> None:
    """Let the seat whose turn it is choose, and do it."""
    now, options = numbers_of(at, i), options_of(at, 0)
    seat = now[c.TURN_OF]
    number = turn_options(at, i, may_win(at, i, seat))
    place = on_turn(at, i, number)
    if place >= 0:
        if options[0, 0] == c.A_WIN and place:
            seat_of(at, i, seat)[c.MISSED] = 1
        act(at, i, options[place, 0], options[place, 1], options[place, 2])


def step(at: Any, i: int, phase: int) -> None:
    """Take the next step of a table."""
    now = numbers_of(at, i)
    if phase in (c.DRAW, c.REPLACE):
        draw_or_end(at, i, phase == c.REPLACE)
    elif phase == c.TURN:
        ask_drawer(at, i)
    elif phase == c.TURN_ANSWERED:
        take_turn(at, i)
    elif phase in (c.CLAIMS, c.ROBBING):
        ask_others(at, i, phase == c.ROBBING)
    elif phase in (c.CLAIMS_ANSWERED, c.ROBBING_ANSWERED):
        if now[c.TILE] >= c.KINDS:  # a flower cannot be claimed
            now[c.TURN_OF], now[c.PHASE] = (now[c.TURN_OF] + 1) & 3, c.DRAW
        else:
            settle_claims(at, i, phase == c.ROBBING_ANSWERED)
    elif phase == c.DEAL:
        deal(at, i)
    elif phase == c.DEALT_FLOWERS:
        dealt_flowers(at, i)
    elif phase == c.FLOWER:
        flower_questions(at, i)
    elif phase == c.FLOWER_ANSWERED:
        flower_answered(at, i)
    elif phase == c.SEVEN:
        seven_questions(at, i)
    elif phase == c.SEVEN_ANSWERED:
        seven_answered(at, i)
    elif phase == c.OPENING:
        open_hand(at, i)
    elif phase == c.OUTER:
        discard_questions(at, i)
    elif phase == c.OUTER_ANSWERED:
        discards_answered(at, i)
    elif phase == c.RESUMED:
        resume(at, i)


def run_one(at: Any, i: int) -> None:
    """Let a table go on until a seat may win or is to choose outside, or the hand is over."""
    now = numbers_of(at, i)
    while now[c.PHASE] != c.OVER:
        phase = now[c.PHASE]
        step(at, i, phase)
        if now[c.WAITING]:
            return
        if phase in (c.FLOWER, c.SEVEN, c.TURN, c.CLAIMS, c.ROBBING, c.OUTER):
            if now[c.QUESTIONS]:
                return
        elif phase not in (c.DRAW, c.REPLACE, c.TURN_ANSWERED):
            forget_choices(at, i)


def run(at: Any) -> Any:
    """Let every table go on; return how many questions were put."""
    open_questions = 0
    for i in range(size_of(at, c.AT_NUMBERS, 0)):
        now = numbers_of(at, i)
        if now[c.PHASE] != c.OVER and not now[c.WAITING]:
            run_one(at, i)
            if now[c.PHASE] != c.OVER and not now[c.WAITING]:
                open_questions += now[c.QUESTIONS]
    return open_questions
