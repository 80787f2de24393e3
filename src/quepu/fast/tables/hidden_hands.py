"""Walk over hidden hands and their histories by exchanging two tiles, as loops that Python and numba run alike.

Every tile that another seat got has a slot: one of the thirteen dealt, or a draw. A slot holds a tile that left the
hand later (a discard or part of a meld; it must have come before that) or one that is still in the hand. The wall is a
row of slots, too. A step exchanges the tiles of two slots and is accepted by the likelihood of everything that the
seats have done since (Metropolis), so that each arrangement comes up in proportion to its probability. The likelihood
of a decision is that of a cheap policy: a softmax over discards, a logistic law for each claim. `quepu.bots.belief`
makes the arrays.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

KINDS = 34
WALL = 3
"""The owner of the slots that no hand has."""
# Columns of a slot: whose it is, when its tile came (a number of an event); the tile, when it leaves the hand (the last
# event at which it is there), before which event it must have come, and whether it is known to lie in this slot.
OWNER, ENTER, TILE, LEAVE, BEFORE, FIXED = range(6)
# Columns of a decision: who made it, when (a number of an event), what it was about, the tile, the lowest tile of the
# chow that was claimed (NO_CHOW: a pung or kong, PASSED: nothing), whether chows were possible, the sets missing, the
# seat's turns so far, its exposed melds, the suits of these (a bit each), and the honours that are worth something.
BY, AT, ABOUT, WHICH, LOW, CHOWS, NEED, TURN, EXPOSED, SUITS, VALUED = range(11)
DISCARD, OFFER, READY = range(3)
NO_CHOW, PASSED = -1, -2
DISCARD_TERMS, CLAIM_TERMS = 20, 11
# The terms of claims are followed by two logarithms: the chance that a complete shape is not declared a win (it may be
# worth too little), on a discard and on the own turn.
PASSED_WIN = DISCARD_TERMS + CLAIM_TERMS
KEPT_WIN = PASSED_WIN + 1
WEIGHTS = KEPT_WIN + 1
NOT_READY = -12.0
"""The logarithm of the chance that a seat declares itself ready with a hand that is not."""
LATE = 18.0
"""The turns of a whole hand."""
POWER = (1, 5, 25, 125, 625, 3125, 15625, 78125, 390625)
LEFT_WIDTH, RIGHT_WIDTH, LEFTS, RIGHTS = 126, 55, 180, 165
# Places of the automaton's parts in one array of bytes: suits by key, honours by key, pairs of suits, the end.
AT_HONOUR = 5**9
AT_LEFT = AT_HONOUR + 5**7
AT_RIGHT = AT_LEFT + LEFT_WIDTH * LEFT_WIDTH
AT_FINAL = AT_RIGHT + LEFT_WIDTH * RIGHT_WIDTH


class Histories(NamedTuple):
    """Histories that fit what was seen, and the decisions by which they are weighed.

    slots: int64 [S, 6]. movable: int64 [M], the slots of hands whose tile is not known, then those of the wall.
    decisions: int64 [D, 11], by owner and time. starts: int64 [4], where each owner's begin. seen: int64 [D, 34], the
    open copies at each decision. held: int64 [D, 34], the hand at each. copies: int64 [34], the copies in the game.
    """

    slots: Any
    movable: Any
    decisions: Any
    starts: Any
    seen: Any
    held: Any
    copies: Any


class Policy(NamedTuple):
    """The policy of the seats: `quepu.shapes.automaton` in one array (uint8), and weights (float64 [WEIGHTS])."""

    automaton: Any
    weights: Any


class Room(NamedTuple):
    """Work space.

    numbers: int64 [3, 34]. terms: float64 [34, DISCARD_TERMS]. chances: float64 [2, D + 1]. changed: int64 [D + 1].
    state: int64 [1], the generator.
    """

    numbers: Any
    terms: Any
    chances: Any
    changed: Any
    state: Any


class Plan(NamedTuple):
    """The settings of a walk.

    steps: the exchanges. burn: those before the first hands are kept, while the likelihood counts more and more.
    every: exchanges from one to the next that are kept. power: how much the likelihood counts, 1 for an exact policy.
    """

    steps: int
    burn: int
    every: int
    power: float


def uniform(state: Any) -> float:
    """Return a number between 0 and 1, the next of a generator (Park and Miller)."""
    state[0] = state[0] * 48271 % 2147483647
    return float(state[0] / 2147483647.0)


def keys_missing(need: int, m: int, p: int, s: int, z: int, automaton: Any) -> int:
    """Return the tiles missing to so many sets and a pair, by the keys of the suits."""
    left = automaton[AT_LEFT + int(automaton[m]) * LEFT_WIDTH + int(automaton[p])]
    right = automaton[AT_RIGHT + int(automaton[s]) * RIGHT_WIDTH + int(automaton[AT_HONOUR + z])]
    return int(automaton[AT_FINAL + (need * LEFTS + int(left)) * RIGHTS + int(right)])


def key_of(held: Any, d: int, suit: int) -> int:
    """Return the key of a suit of a row of counts."""
    key = 0
    for kind in range(9 * suit, min(9 * suit + 9, KINDS)):
        key += held[d, kind] * POWER[kind - 9 * suit]
    return key


def missing_with(need: int, keys: Any, kind: int, more: int, automaton: Any) -> int:
    """Return the tiles missing with so many copies of a kind more; keys: of the four suits."""
    step, suit = more * POWER[kind % 9], kind // 9
    m, p, s, z = keys[0], keys[1], keys[2], keys[3]
    if suit == 0:
        m += step
    elif suit == 1:
        p += step
    elif suit == 2:
        s += step
    else:
        z += step
    return keys_missing(need, m, p, s, z, automaton)


def useful_after(need: int, keys: Any, kind: int, now: int, free: Any, automaton: Any) -> int:
    """Count the free copies of the kinds that bring a hand nearer than `now` after a discard."""
    m, p, s, z = keys[0], keys[1], keys[2], keys[3]
    suit, step = kind // 9, POWER[kind % 9]
    if suit == 0:
        m -= step
    elif suit == 1:
        p -= step
    elif suit == 2:
        s -= step
    else:
        z -= step
    a, b, c, e = int(automaton[m]), int(automaton[p]), int(automaton[s]), int(automaton[AT_HONOUR + z])
    left = int(automaton[AT_LEFT + a * LEFT_WIDTH + b])
    right = int(automaton[AT_RIGHT + c * RIGHT_WIDTH + e])
    first, found = AT_FINAL + need * LEFTS * RIGHTS, 0
    for rank in range(9):
        five = POWER[rank]
        if free[rank] > 0:
            other = int(automaton[AT_LEFT + int(automaton[m + five]) * LEFT_WIDTH + b])
            if automaton[first + other * RIGHTS + right] < now:
                found += free[rank]
        if free[9 + rank] > 0:
            other = int(automaton[AT_LEFT + a * LEFT_WIDTH + int(automaton[p + five])])
            if automaton[first + other * RIGHTS + right] < now:
                found += free[9 + rank]
        if free[18 + rank] > 0:
            other = int(automaton[AT_RIGHT + int(automaton[s + five]) * RIGHT_WIDTH + e])
            if automaton[first + left * RIGHTS + other] < now:
                found += free[18 + rank]
        if rank < 7 and free[27 + rank] > 0:
            other = int(automaton[AT_RIGHT + c * RIGHT_WIDTH + int(automaton[AT_HONOUR + z + five])])
            if automaton[first + left * RIGHTS + other] < now:
                found += free[27 + rank]
    return found


def discard_terms(d: int, at: Histories, automaton: Any, room: Any, terms: Any) -> int:
    """Write the terms of each discard that a hand has; return the tiles it lacked before, without a discard.

    d: the decision. room: int64 [3, 34], for keys, free copies and distances. terms: written for the kinds held.
    """
    decisions, seen, held, copies = at.decisions, at.seen, at.held, at.copies
    need, keys, best = decisions[d, NEED], room[0], 99
    pairs = most = whole = 0
    for suit in range(4):
        keys[suit] = key_of(held, d, suit)
        keys[4 + suit] = 0
    for kind in range(KINDS):
        n = held[d, kind]
        room[1, kind] = max(0, copies[kind] - seen[d, kind] - n)
        if n:
            keys[4 + kind // 9] += n
            whole += n
            pairs += int(n >= 2)
            room[2, kind] = missing_with(need, keys, kind, -1, automaton)
            best = min(best, room[2, kind])
    for suit in range(3):
        most = max(most, keys[4 + suit])
    late = decisions[d, TURN] / LATE
    for kind in range(KINDS):
        n = held[d, kind]
        if not n:
            continue
        rank, suit = kind % 9, kind // 9
        for term in range(DISCARD_TERMS):
            terms[kind, term] = 0.0
        farther = float(min(room[2, kind] - best, 2))
        terms[kind, 0] = farther
        terms[kind, 1] = farther * late
        if room[2, kind] == best:
            terms[kind, 2] = math.log(1.0 + useful_after(need, keys, kind, best, room[1], automaton))
        terms[kind, 3] = float(seen[d, kind])
        terms[kind, 4] = int(n == 2)
        terms[kind, 5] = int(n >= 3)
        terms[kind, 6] = int(n == 2 and pairs >= 4 and need == 4)
        if suit < 3:
            terms[kind, 7] = (keys[4 + suit] - n) / max(whole, 1)
            terms[kind, 8] = int(rank in (0, 8))
            terms[kind, 9] = int(rank in (1, 7))
            low, high = max(rank - 2, 0), min(rank + 2, 8)
            for other in range(low, high + 1):
                if other != rank and held[d, 9 * suit + other]:
                    terms[kind, 10 if abs(other - rank) == 1 else 11] += 1.0
            terms[kind, 12] = int(decisions[d, SUITS] >> suit & 1)
            terms[kind, 13] = int(decisions[d, SUITS] > 0 and not decisions[d, SUITS] >> suit & 1)
            terms[kind, 14] = int(keys[4 + suit] == most)
            terms[kind, 19] = terms[kind, 7] * late
        else:
            single = int(n == 1)
            terms[kind, 15] = single
            terms[kind, 16] = single * late
            terms[kind, 17] = single * int(decisions[d, VALUED] >> rank & 1)
            terms[kind, 18] = most / max(whole, 1)
    return keys_missing(need, keys[0], keys[1], keys[2], keys[3], automaton)


def log_discard(d: int, at: Histories, rated: Any, weights: Any) -> float:
    """Return the logarithm of the chance of a discard, by the terms of all."""
    decisions, held = at.decisions, at.held
    top, chosen, whole = -1e9, -1e9, 0.0
    for kind in range(KINDS):
        if held[d, kind]:
            value = 0.0
            for term in range(DISCARD_TERMS):
                value += weights[term] * rated[kind, term]
            rated[kind, 0] = value
            top = max(top, value)
            if kind == decisions[d, WHICH]:
                chosen = value
    for kind in range(KINDS):
        if held[d, kind]:
            whole += math.exp(rated[kind, 0] - top)
    return chosen - top - math.log(whole)


def claim_terms(d: int, low: int, now: int, at: Histories, automaton: Any, room: Any, terms: Any) -> bool:
    """Write the terms of one claim into the first row of `terms`; return whether the hand allows it.

    low: the lowest tile of a chow, NO_CHOW for a pung. now: the tiles that the hand lacks. room[0]: the suits' keys.
    """
    decisions, held = at.decisions, at.held
    tile, need = decisions[d, WHICH], decisions[d, NEED]
    rank, suit = tile % 9, tile // 9
    if low == NO_CHOW:
        if held[d, tile] < 2:
            return False
        after = missing_with(need - 1, room[0], tile, -2, automaton)
    else:
        step = 0
        for kind in range(low, low + 3):
            if kind != tile:
                if not held[d, kind]:
                    return False
                step += POWER[kind % 9]
        m, p, s = room[0, 0], room[0, 1], room[0, 2]
        if suit == 0:
            m -= step
        elif suit == 1:
            p -= step
        else:
            s -= step
        after = keys_missing(need - 1, m, p, s, room[0, 3], automaton)
    mine = whole = 0
    for kind in range(KINDS):
        whole += held[d, kind]
        mine += held[d, kind] * int(kind // 9 == suit)
    pung, exposed = int(low == NO_CHOW), int(decisions[d, EXPOSED] > 0)
    nearer = int(after < now)
    terms[0, 0] = 1.0
    terms[0, 1] = nearer
    terms[0, 2] = pung
    terms[0, 3] = pung * int(suit == 3)
    terms[0, 4] = pung * int(suit == 3 and decisions[d, VALUED] >> rank & 1)
    terms[0, 5] = exposed
    terms[0, 6] = exposed * nearer
    terms[0, 7] = float(now)
    terms[0, 8] = float(decisions[d, TURN]) / LATE
    terms[0, 9] = mine / max(whole, 1) if suit < 3 else 0.0
    terms[0, 10] = int(decisions[d, SUITS] > 0 and suit < 3 and not decisions[d, SUITS] >> suit & 1)
    return True


def log_claims(d: int, at: Histories, policy: Policy, room: Room) -> float:
    """Return the logarithm of the chance of a claim or a pass, each possible claim by a law of its own."""
    decisions, held, automaton, weights = at.decisions, at.held, policy.automaton, policy.weights
    tile, need, keys = decisions[d, WHICH], decisions[d, NEED], room.numbers[0]
    for suit in range(4):
        keys[suit] = key_of(held, d, suit)
    now = keys_missing(need, keys[0], keys[1], keys[2], keys[3], automaton)
    found = 0.0
    if now == 1 and missing_with(need, keys, tile, 1, automaton) == 0:
        found += weights[PASSED_WIN]
    rank = tile % 9
    for choice in range(4):
        low = NO_CHOW if choice == 3 else tile - choice
        if choice < 3 and (not decisions[d, CHOWS] or tile >= 27 or rank < choice or rank - choice > 6):
            continue
        taken = decisions[d, LOW] == low
        if not claim_terms(d, low, now, at, automaton, room.numbers, room.terms):
            if taken:
                return -1e9
            continue
        value = 0.0
        for term in range(CLAIM_TERMS):
            value += weights[DISCARD_TERMS + term] * room.terms[0, term]
        found -= math.log(1.0 + math.exp(-value if taken else value))
    return found


def log_chance(d: int, at: Histories, policy: Policy, room: Room) -> float:
    """Return the logarithm of the chance of a decision, given the hand at that time."""
    about, weights, keys = at.decisions[d, ABOUT], policy.weights, room.numbers[0]
    if about == DISCARD:
        before = discard_terms(d, at, policy.automaton, room.numbers, room.terms)
        found = log_discard(d, at, room.terms, weights)
        return found + weights[KEPT_WIN] if before == 0 else found
    if about == READY:
        for suit in range(4):
            keys[suit] = key_of(at.held, d, suit)
        lacks = keys_missing(at.decisions[d, NEED], keys[0], keys[1], keys[2], keys[3], policy.automaton)
        return 0.0 if lacks == 1 else NOT_READY
    return log_claims(d, at, policy, room)


def fits(slots: Any, content: int, place: int) -> bool:
    """Return whether the tile of a slot may lie in another one."""
    if slots[content, BEFORE] == 0:
        return True
    return bool(slots[content, OWNER] == slots[place, OWNER] and slots[place, ENTER] < slots[content, BEFORE])


def change_hands(at: Histories, a: int, b: int, sign: int, changed: Any) -> int:
    """Put the tiles of two slots into each other's place (sign 1), or back (-1), in the hands of all decisions.

    Write the decisions whose hand changes; return how many.
    """
    slots, decisions, starts, held = at.slots, at.decisions, at.starts, at.held
    number, x, y = 0, slots[a, TILE], slots[b, TILE]
    leave_x, leave_y = slots[a, LEAVE], slots[b, LEAVE]
    for turn in range(2):
        owner = slots[a, OWNER] if turn == 0 else slots[b, OWNER]
        if owner == WALL or (turn == 1 and owner == slots[a, OWNER]):
            continue
        for d in range(starts[owner], starts[owner + 1]):
            when = decisions[d, AT]
            in_a = slots[a, OWNER] == owner and slots[a, ENTER] < when
            in_b = slots[b, OWNER] == owner and slots[b, ENTER] < when
            of_x = (int(in_b) - int(in_a)) * int(when <= leave_x)
            of_y = (int(in_a) - int(in_b)) * int(when <= leave_y)
            if of_x or of_y:
                if x == y and of_x + of_y == 0:
                    continue
                held[d, x] += sign * of_x
                held[d, y] += sign * of_y
                changed[number] = d
                number += 1
    return number


def exchange(slots: Any, a: int, b: int) -> None:
    """Exchange the tiles of two slots."""
    for column in range(TILE, FIXED):
        slots[a, column], slots[b, column] = slots[b, column], slots[a, column]


def accept(at: Histories, policy: Policy, room: Room, a: int, b: int, wanted: float) -> bool:
    """Exchange the tiles of two slots if that raises the logarithm of the likelihood by more than `wanted`."""
    chances, changed = room.chances, room.changed
    touched = change_hands(at, a, b, 1, changed)
    before, after = 0.0, 0.0
    for n in range(touched):
        before += chances[0, changed[n]]
    for n in range(touched - 1, -1, -1):  # the latest tell most
        d = changed[n]
        chances[1, d] = log_chance(d, at, policy, room)
        after += chances[1, d]
        if after - before < wanted:  # the other logarithms can only lower it
            change_hands(at, a, b, -1, changed)
            return False
    for n in range(touched):
        chances[0, changed[n]] = chances[1, changed[n]]
    exchange(at.slots, a, b)
    return True


def walk(plan: Plan, at: Histories, policy: Policy, room: Room, found: Any) -> int:
    """Take steps, and write down the hands that the others hold now after some of them; return how many were accepted.

    `at` and `room` change; found: uint8 [N, 3, 34].
    """
    slots, movable, state = at.slots, at.movable, room.state
    accepted = written = inner = 0
    for d in range(len(at.decisions)):
        room.chances[0, d] = log_chance(d, at, policy, room)
    for place in range(len(movable)):
        inner += int(slots[movable[place], OWNER] != WALL)
    for step in range(plan.steps):
        share = plan.power * (0.25 + 0.75 * step / plan.burn) if step < plan.burn else plan.power
        a = movable[int(uniform(state) * inner)]
        b = movable[int(uniform(state) * len(movable))]
        wanted = math.log(uniform(state)) / share
        if a != b and fits(slots, a, b) and fits(slots, b, a):
            accepted += int(accept(at, policy, room, a, b, wanted))
        if step >= plan.burn and (step - plan.burn) % plan.every == plan.every - 1 and written < len(found):
            for place in range(len(slots)):
                if slots[place, OWNER] != WALL and slots[place, BEFORE] == 0:
                    found[written, slots[place, OWNER], slots[place, TILE]] += 1
            written += 1
    return accepted
