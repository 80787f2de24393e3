"""Hands read from their texts by a loop over characters; the plain twin is `quepu.hands.notation.parse`.

It is compiled as it stands with the loops of `scorer_loops`. It reads the notation that `write` writes, and leaves all
other texts (and whatever is wrong) to the plain one.
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

DIGIT, SUIT_LETTER, HONOUR, OPEN, CLOSE, PLUS, END = range(1, 8)
LONGEST = 14  # digits before a suit


def read_texts(texts_at: Any, size: Any, number: Any, classes_at: Any, hands_at: Any) -> Any:
    """Read so many texts, each with a line end behind it, that are together of a size.

    classes_at: address of the class and value of each character, int64 [256, 2]. hands_at: of the addresses of counts
    uint8 [N, 34], melds int8 [N, 4, 2], winning tiles int64 [N], and whether a text was left, bool [N], to be filled.
    """
    texts, classes = uint8s(texts_at, (size,)), int64s(classes_at, (256, 2))
    where = int64s(hands_at, (5,))
    counts, melds = uint8s(where[0], (number, 34)), int8s(where[1], (number, 4, 2))
    winning, left = int64s(where[2], (number,)), truths(where[3], (number,))
    room = int64s(where[4], (LONGEST + 4 + 34,))
    digits, inside, copies = room[:LONGEST], room[LONGEST : LONGEST + 4], room[LONGEST + 4 :]
    i, pending, opened, wrong, behind, won, own, meld_number, held = 0, 0, 0, False, False, 0, 0, 0, 0
    winner = -1
    for kind in range(34):
        copies[kind] = 0
    for at in range(size):
        what, value = classes[texts[at], 0], classes[texts[at], 1]
        if what == END:
            wrong |= pending > 0 or opened > 0 or won != 1 or own != 14 - 3 * meld_number
            for kind in range(34):
                wrong |= copies[kind] > 4
                copies[kind] = 0
            if wrong:
                for kind in range(34):
                    counts[i, kind] = 0
                for k in range(4):
                    melds[i, k, 0] = -1
                winner = -1
            for k in range(meld_number if not wrong else 0, 4):
                melds[i, k, 0], melds[i, k, 1] = -1, -1
            winning[i], left[i] = winner, wrong
            i += 1
            pending, opened, wrong, behind, won, own, meld_number, held = 0, 0, False, False, 0, 0, 0, 0
            winner = -1
        elif wrong:
            continue
        elif what == DIGIT:
            if pending < LONGEST:
                digits[pending] = value
            wrong = pending >= LONGEST
            pending += 1
        elif SUIT_LETTER <= what <= HONOUR:
            number_of = pending if what == SUIT_LETTER else 1
            wrong = (pending == 0) == (what == SUIT_LETTER)
            for k in range(0 if wrong else number_of):
                kind = value + digits[k] if what == SUIT_LETTER else value
                copies[kind] += 1
                if opened == 0:
                    counts[i, kind] += 1
                    own += 1
                    if behind:
                        won += 1
                        winner = kind
                elif held < 4:
                    inside[held] = kind
                    held += 1
                else:
                    wrong = True
            pending = 0
        elif what == OPEN:
            wrong = pending > 0 or opened > 0 or behind or meld_number == 4
            opened, held = 1 + value, 0
        elif what == CLOSE:
            wrong = pending > 0 or opened != 1 + value or held < 3
            if not wrong:
                low, same, rising = inside[0], True, True
                for k in range(held):
                    same &= inside[k] == low
                    rising &= inside[k] == low + k
                kind = -1
                if held == 4 and same:
                    kind = 2 + value
                elif held == 3 and value == 0 and same:
                    kind = 1
                elif held == 3 and value == 0 and rising and low < 27 and low % 9 < 7:
                    kind = 0
                wrong = kind < 0
                melds[i, meld_number, 0], melds[i, meld_number, 1] = kind, low
                meld_number += 1
            opened = 0
        else:
            wrong = what != PLUS or pending > 0 or opened > 0 or behind
            behind = True
    return i
