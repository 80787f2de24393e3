"""Many hands in the notation that `hands.notation.write` writes, read at once; other texts are left to `parse`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.hands.hand import MeldKind
from quepu.tiles import HONOURS, KINDS, SUITS

Array = NDArray[Any]
DIGIT, SUIT, HONOUR, OPEN, CLOSE, PLUS, END = range(1, 8)
_TOGETHER = 4096  # texts, few enough for the processor's cache
_CLASS = np.zeros(256, np.uint8)
_VALUE = np.zeros(256, np.int32)  # a rank from 0, a suit's first kind, an honour's kind, whether a bracket is square
for _what, _characters, _first, _step in (
    (DIGIT, "123456789", 0, 1), (SUIT, SUITS, 0, 9), (HONOUR, HONOURS, 27, 1), (OPEN, "([", 0, 1), (CLOSE, ")]", 0, 1),
    (PLUS, "+", 0, 0), (END, "\n", 0, 0),
):  # fmt: skip
    for _at, _character in enumerate(_characters):
        _CLASS[ord(_character)], _VALUE[ord(_character)] = _what, _first + _step * _at


class TextHands(NamedTuple):
    """Hands as `Wins` takes them, and which could not be read here (their rows are zeros)."""

    counts: Array  # uint8 [N, 34]
    melds: Array  # int8 [N, 4, 2]
    winning: Array  # int64 [N]
    unread: Array  # bool [N]


def read_texts(texts: Sequence[str]) -> TextHands:
    """Hands out of their notation: some two microseconds each where it is the one that `write` writes."""
    parts = [_read(texts[at : at + _TOGETHER]) for at in range(0, len(texts), _TOGETHER)]
    return TextHands(*map(np.concatenate, zip(*parts, strict=True))) if parts else _none(0)


def _read(texts: Sequence[str]) -> TextHands:
    n = len(texts)
    plain = [text if text.isascii() and "\n" not in text else "" for text in texts]
    characters = np.frombuffer(("\n".join(plain) + "\n").encode("ascii"), np.uint8)
    what, value = _CLASS[characters], _VALUE[characters]
    line = np.cumsum(what == END, dtype=np.int32) - (what == END)
    wrong = np.zeros(n + 1, np.bool_)
    wrong[line[what == 0]] = True

    kind, is_tile = _tiles(what, value, line, wrong)
    opened, closed = what == OPEN, what == CLOSE
    ends = np.flatnonzero(what == END)
    depth = np.cumsum(opened.view(np.int8) - closed.view(np.int8), dtype=np.int32)
    if (depth[ends] != 0).any() or int(depth.min()) < 0 or int(depth.max()) > 1:
        # a text that does not close its brackets, or opens one inside another, shifts the depth of all behind it
        depth -= np.concatenate([[0], depth[ends][:-1]])[line]
        astray = set(line[(depth < 0) | (depth > 1) | ((depth != 0) & (what == END))].tolist())
        return _read(["" if i in astray else text for i, text in enumerate(plain)])
    after = np.cumsum(what == PLUS, dtype=np.int32)
    pluses = np.diff(after[ends], prepend=0)
    before = np.concatenate([[0], after[ends][:-1]])
    behind = after - before[np.minimum(line, n - 1)] > 0
    wrong[:n] |= (pluses != 1) | ~is_tile[np.maximum(ends - 1, 0)] & (what[np.maximum(ends - 1, 0)] != SUIT)

    winning = np.full(n + 1, -1, np.int64)
    last = is_tile & behind & (depth == 0)
    winning[line[last]] = kind[last]
    own = is_tile & (depth == 0)
    counts = np.bincount(line[own] * KINDS + kind[own], minlength=n * KINDS)[: n * KINDS].reshape(n, KINDS)
    wrong[:n] |= np.bincount(line[last], minlength=n)[:n] != 1
    melds, number, tiles = _melds(n, (what, value, line, kind), is_tile & (depth == 1), opened, behind, wrong)
    wrong[:n] |= (counts.sum(axis=1) != 14 - 3 * number) | (counts + tiles > 4).any(axis=1)
    bad = wrong[:n]
    counts = counts.astype(np.uint8)
    counts[bad], melds[bad] = 0, -1
    return TextHands(counts, melds, np.where(bad, -1, winning[:n]), bad)


def _none(n: int) -> TextHands:
    """No hand could be read."""
    melds = np.full((n, 4, 2), -1, np.int8)
    return TextHands(np.zeros((n, KINDS), np.uint8), melds, np.full(n, -1), np.ones(n, np.bool_))


def _tiles(what: Array, value: Array, line: Array, wrong: Array) -> tuple[Array, Array]:
    """The kind of each tile, and where the tiles are; digits are of the suit behind them."""
    size = len(what)
    at = np.where(what == DIGIT, np.int32(size - 1), np.arange(size, dtype=np.int32))
    suit = np.minimum.accumulate(at[::-1])[::-1]  # the first character behind that is no digit
    digit = what == DIGIT
    fits = what[suit] == SUIT
    wrong[line[digit & ~fits]] = True
    lone = what == SUIT
    lone[1:] &= what[:-1] != DIGIT
    wrong[line[lone]] = True  # a suit without digits
    return np.where(digit, value + value[suit], value), digit & fits | (what == HONOUR)


def _melds(
    n: int, columns: tuple[Array, Array, Array, Array], inside: Array, opened: Array, behind: Array, wrong: Array
) -> tuple[Array, Array, Array]:
    """Read the melds of n texts, whose characters are `columns` (what, value, line, kind).

    Returns:
        The melds int8 [N, 4, 2], how many, and the copies of tiles in them; others make a text wrong.
    """
    what, value, line, kind = columns
    starts = np.flatnonzero(opened)
    m = len(starts)
    melds = np.full((n, 4, 2), -1, np.int8)
    if not m:
        return melds, np.zeros(n, np.int64), np.zeros((n, KINDS), np.int64)
    of, square = line[starts], value[starts]
    wrong[of[behind[starts]]] = True
    which = np.cumsum(opened) - 1  # the meld of each tile inside
    ends = np.flatnonzero(what == CLOSE)
    wrong[of[value[ends] != square]] = True
    mine = which[inside]
    kinds = kind[inside]
    size = np.bincount(mine, minlength=m)
    first = np.zeros(m, np.int64)
    there = np.flatnonzero(inside)
    lead = np.ones(len(mine), np.bool_)
    lead[1:] = mine[1:] != mine[:-1]
    first[mine[lead]] = kinds[lead]
    place = np.arange(len(there)) - np.maximum.accumulate(np.where(lead, np.arange(len(there)), 0))
    same = np.bincount(mine[kinds == first[mine]], minlength=m) == size
    ascending = np.bincount(mine[kinds == first[mine] + place], minlength=m) == size
    chow = ascending & (size == 3) & (first < 27) & (first % 9 < 7) & (square == 0)
    pung, kong = same & (size == 3) & (square == 0), same & (size == 4)
    meld = np.select([chow, pung, kong & (square == 0), kong], [int(k) for k in MeldKind], -1)
    number = np.bincount(of, minlength=n)[:n]
    slot = np.arange(m) - np.concatenate([[0], np.cumsum(number)])[of]
    wrong[of[(meld < 0) | (slot > 3)]] = True
    fits = slot < 4
    melds[of[fits], slot[fits], 0], melds[of[fits], slot[fits], 1] = meld[fits], first[fits]
    tiles = np.bincount(line[inside] * KINDS + kinds, minlength=n * KINDS)[: n * KINDS].reshape(n, KINDS)
    return melds, number, tiles
