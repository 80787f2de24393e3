"""Hands read from their texts by a loop over characters; the plain twin is `quepu.hands.notation.parse`.

It is compiled as it stands with the loops of `scorer_loops`. It reads the notation that `write` writes, and leaves all
other texts (and whatever is wrong) to the plain one.
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

DIGIT, SUIT_LETTER, HONOUR, OPEN, CLOSE, PLUS, OTHER = range(7)


def read_texts(texts_at: Any, bounds_at: Any, number: Any, classes_at: Any, hands_at: Any) -> Any:
    """Read so many texts, each from its end, where a suit stands before its ranks.

    bounds_at: address of the first character of each text and of the one behind its last, int64 [2, N]. classes_at: of
    the class and value of each character, int64 [256, 2]. hands_at: of the addresses of counts uint8 [N, 34] and melds
    int8 [N, 4, 2], which are zeros and -1, winning tiles int64 [N], and whether a text was left, bool [N].
    """
    bounds, classes = int64s(bounds_at, (2, number)), int64s(classes_at, (256, 2))
    where = int64s(hands_at, (5,))
    counts, melds = uint8s(where[0], (number, 34)), int8s(where[1], (number, 4, 2))
    winning, left = int64s(where[2], (number,)), truths(where[3], (number,))
    room = int64s(where[4], (8 + 34,))
    laid, open_copies = room[:8], room[8:]
    for kind in range(34):
        open_copies[kind] = 0
    for i in range(number):
        first, at = bounds[0, i], bounds[1, i] - 1
        texts = uint8s(texts_at, (at + 1,))
        winner, own, laid_number, suit = -1, 1, 0, 0
        bare, missing, faults, highest = 0, 1, 0, 0
        if at - first >= 2:
            what, value = classes[texts[at], 0], classes[texts[at], 1]
            if what == HONOUR and classes[texts[at - 1], 0] == PLUS:
                winner = value
                at -= 2
            elif what == SUIT_LETTER and classes[texts[at - 1], 0] == DIGIT and classes[texts[at - 2], 0] == PLUS:
                winner = value + classes[texts[at - 1], 1]
                at -= 3
        wrong = winner < 0
        if not wrong:
            counts[i, winner] = 1
        while at >= first and not wrong:
            what, value = classes[texts[at], 0], classes[texts[at], 1]
            if what <= HONOUR:  # without a branch, for none of the three can be foretold
                digit, letter, honour = what == DIGIT, what == SUIT_LETTER, what == HONOUR
                kind = value + (suit if digit else 0)
                counts[i, kind] += not letter
                own += not letter
                highest |= counts[i, kind] + 3
                faults |= missing if digit else bare
                missing = (missing if digit else 0) | honour
                suit, bare = value if letter else suit, 1 if letter else 0
                at -= 1
            elif what == CLOSE and bare == 0 and laid_number < 4:
                size, meld, low, end = 0, -1, -1, at - 1
                if end > first and classes[texts[end], 0] == HONOUR:
                    low = classes[texts[end], 1]
                    while size < 5 and end - size > first and texts[end - size] == texts[end]:
                        size += 1
                    meld = 1
                elif end > first and classes[texts[end], 0] == SUIT_LETTER:
                    end -= 1
                    while size < 5 and end - size > first and classes[texts[end - size], 0] == DIGIT:
                        size += 1
                    if size >= 3:
                        rank, middle, high = (
                            classes[texts[end - size + 1], 1],
                            classes[texts[end - 1], 1],
                            classes[texts[end], 1],
                        )
                        low = classes[texts[end + 1], 1] + rank
                        if rank == middle == high and classes[texts[end - 2], 1] == rank:
                            meld = 1
                        elif size == 3 and middle == rank + 1 and high == rank + 2:
                            meld = 0
                before = end - size
                opened = before >= first and classes[texts[before], 0] == OPEN and classes[texts[before], 1] == value
                wrong = not opened or meld < 0 or size < 3 or size > 4 or (size == 3 and value > 0)
                if not wrong:
                    laid[2 * laid_number] = 2 + value if size == 4 else meld
                    laid[2 * laid_number + 1] = low
                    laid_number += 1
                    missing = 1
                    at = before - 1
            else:
                wrong = True
        wrong |= bare + faults > 0 or own != 14 - 3 * laid_number or highest >= 8
        for k in range(0 if wrong else laid_number):
            kind, low = laid[2 * (laid_number - 1 - k)], laid[2 * (laid_number - 1 - k) + 1]
            melds[i, k, 0], melds[i, k, 1] = kind, low
            for tile in range(low, low + 3 if kind == 0 else low + 1):
                open_copies[tile] += 1 if kind == 0 else min(kind, 2) + 2
                wrong |= open_copies[tile] + counts[i, tile] > 4
        for k in range(laid_number):
            for tile in range(laid[2 * k + 1], min(laid[2 * k + 1] + 3, 34)):
                open_copies[tile] = 0
        if wrong:
            winner = -1
            for kind in range(34):
                counts[i, kind] = 0
            for k in range(4):
                melds[i, k, 0], melds[i, k, 1] = -1, -1
        winning[i], left[i] = winner, wrong
    return number
