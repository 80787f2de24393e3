"""Least missing tiles to sets, pairs and fours out of the copies that there are; the twin is `quepu.shapes.automaton`.

These are loops for numba. They write down what they work with at the address of `quepu.fast.nearest.distance`.
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from quepu.fast.nearest.distance import AT_WORK, FAR, KINDS, bit_of

CLASSES = 30  # sets 0-4, pairs 0-1, fours 0-2: the most classes
STATES = 9 * CLASSES
# Room to work in: copies held and copies that there may be, by kind; two lists of states; costs by class of each suit,
# of a suit with a tile more, of all suits but one, and of all.
HAVE, ROOM, NOW, AFTER = AT_WORK, AT_WORK + 34, AT_WORK + 70, AT_WORK + 70 + STATES
COSTS = AFTER + STATES
MINE, REST, WHOLE = COSTS + 4 * CLASSES, COSTS + 5 * CLASSES, COSTS + 6 * CLASSES


def put_copies(tiles: Any, melds: Any, far: Any) -> None:
    """Write down the copies held, and those that there may be beside the melds."""
    for kind in range(KINDS):
        put_word(far, HAVE + kind, copies_of(tiles[4], tiles[5], tiles[6], tiles[7], kind))
        put_word(far, ROOM + kind, 4 - copies_of(melds[1], melds[2], melds[3], melds[4], kind))


def copies_of(t1: Any, t2: Any, t3: Any, t4: Any, kind: Any) -> Any:
    """The copies of a kind in some planes."""
    at = kind // 9 * 16 + kind % 9
    return (t1 >> at & 1) + (t2 >> at & 1) + (t3 >> at & 1) + (t4 >> at & 1)


def suit_parts(suit: Any, sets: Any, pairs: Any, fours: Any, costs: Any, far: Any) -> None:
    """Write down the least missing tiles of a suit to each class within so many sets, pairs and fours, at `costs`.

    Rank by rank; a state is the chows begun two ranks and one rank below, then the class. Three equal chows are three
    pungs, so two are enough.
    """
    now, after = NOW, AFTER
    a_pair, a_set = fours + 1, (pairs + 1) * (fours + 1)
    classes = (sets + 1) * a_set
    for at in range(9 * classes):
        put_word(far, now + at, FAR)
    put_word(far, now, 0)
    for rank in range(7 if suit == 3 else 9):
        held, free = word_at(far, HAVE + 9 * suit + rank), word_at(far, ROOM + 9 * suit + rank)
        for at in range(9 * classes):
            put_word(far, after + at, FAR)
        for at in range(9 * classes):
            cost = word_at(far, now + at)
            if cost < FAR:
                begun, number = at // classes, at % classes
                for chows in range(3 if rank < 7 and suit < 3 else 1):
                    for part in range(4):  # nothing, a pung, a pair, a four
                        use = begun // 3 + begun % 3 + chows + (3 if part == 1 else 2 if part == 2 else 4 * (part == 3))
                        made = number // a_set + chows + (part == 1)
                        paired, piled = number // a_pair % (pairs + 1) + (part == 2), number % a_pair + (part == 3)
                        if use <= free and made <= sets and paired <= pairs and piled <= fours:
                            to = (3 * (begun % 3) + chows) * classes + made * a_set + paired * a_pair + piled
                            put_word(far, after + to, min(word_at(far, after + to), cost + max(0, use - held)))
        now, after = after, now
    for number in range(classes):
        least = FAR
        for begun in range(9):
            least = min(least, word_at(far, now + begun * classes + number))
        put_word(far, costs + number, least)


def put_beside(costs: Any, others: Any, sets: Any, pairs: Any, fours: Any, far: Any) -> None:
    """Write down at WHOLE the least missing tiles of suits together, from those of each."""
    a_pair, a_set = fours + 1, (pairs + 1) * (fours + 1)
    classes = (sets + 1) * a_set
    for number in range(classes):
        put_word(far, WHOLE + number, FAR)
    for a in range(classes):
        if word_at(far, costs + a) < FAR:
            for b in range(classes - a):
                fits = a // a_pair % (pairs + 1) + b // a_pair % (pairs + 1) <= pairs
                both = word_at(far, costs + a) + word_at(far, others + b)
                if fits and a % a_pair + b % a_pair <= fours and both < word_at(far, WHOLE + a + b):
                    put_word(far, WHOLE + a + b, both)


def put_rest(suit: Any, sets: Any, pairs: Any, fours: Any, far: Any) -> None:
    """Write down at REST the least missing tiles of all suits but one (4: of all)."""
    classes = (sets + 1) * (pairs + 1) * (fours + 1)
    for number in range(classes):
        put_word(far, REST + number, 0 if number == 0 else FAR)
    for other in range(4):
        if other != suit:
            put_beside(COSTS + CLASSES * other, REST, sets, pairs, fours, far)
            for number in range(classes):
                put_word(far, REST + number, word_at(far, WHOLE + number))


def parts_missing(sets: Any, pairs: Any, fours: Any, far: Any) -> Any:
    """Least missing tiles to so many sets, pairs and fours of the copies written down; FAR if too few are left."""
    for suit in range(4):
        suit_parts(suit, sets, pairs, fours, COSTS + CLASSES * suit, far)
    put_rest(4, sets, pairs, fours, far)
    return min(FAR, word_at(far, REST + (sets + 1) * (pairs + 1) * (fours + 1) - 1))


def parts_nearer(sets: Any, pairs: Any, fours: Any, now: Any, far: Any) -> Any:
    """The kinds, as a plane, after which less than `now` tiles are missing; none of which all copies are held.

    Call `parts_missing` before.
    """
    found = 0
    for suit in range(4):
        put_rest(suit, sets, pairs, fours, far)
        for kind in range(9 * suit, min(9 * suit + 9, KINDS)):
            held = word_at(far, HAVE + kind)
            if held < word_at(far, ROOM + kind):
                put_word(far, HAVE + kind, held + 1)
                suit_parts(suit, sets, pairs, fours, MINE, far)
                put_word(far, HAVE + kind, held)
                put_beside(MINE, REST, sets, pairs, fours, far)
                if word_at(far, WHOLE + (sets + 1) * (pairs + 1) * (fours + 1) - 1) < now:
                    found |= bit_of(kind)
    return found
