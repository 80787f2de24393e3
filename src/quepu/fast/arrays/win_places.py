"""The parts that the winning tile may finish, as a table; the plain twin is `quepu.hands.win.place_winning_tile`.

Its result depends only on where the tile could stand, whether its rank is one that makes an edge, and
whether it was drawn. Those are the bits of a case.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from quepu.hands.hand import Luck
from quepu.hands.planes import STANDARD
from quepu.hands.win import Win, place_winning_tile
from quepu.tiles import BIT

Array = NDArray[Any]

# Where the tile could stand: as the lowest, highest or middle tile of a concealed chow, in the pair, in a pung, alone
# (bits as `quepu.fast.compiled.reading_loops.find_groups` returns them).
FIRST, SECOND, THIRD, PAIR, PUNG, LOOSE = (1 << i for i in range(6))
_RANK = 6
_DRAWN = 8
CASES = 1 << _DRAWN + 1
MOST = 6
_NONE = 3  # no winning tile is named
_KINDS = (4, 2, 6)  # a tile of each class: 3 can end 123, 7 can begin 789, 5 stands for all others

_class = np.zeros(len(BIT) + 1, np.uint16)
_class[[k for k in range(27) if k % 9 == 2]] = 1
_class[[k for k in range(27) if k % 9 == 6]] = 2
_class[-1] = _NONE  # kind -1


def cases(winning: Array, luck: Array) -> Array:
    """Return the bits of a case that belong to the hand: uint16 by hand."""
    drawn = (luck & int(Luck.SELF_DRAW) != 0).view(np.uint8)
    found: Array = _class[winning] << np.uint16(_RANK) | drawn.astype(np.uint16) << np.uint16(_DRAWN)
    return found


class Choices(NamedTuple):
    """By case: how many parts there are to choose from, and the place and loss of the first, second … of them."""

    number: Array  # uint8 [CASES]
    place: Array  # int64 [MOST, CASES]
    loses: Array  # int64 [MOST, CASES]: -1 where the tile's pung is no 暗刻, else 0


class _Place(NamedTuple):
    pc: int
    place: int


class _Probe:
    """Substitute for a `quepu.hands.win.Win`; a reading of it holds only what `placed` decides."""

    def __init__(self, win: int, reads: frozenset[str], luck: int) -> None:
        self.win = win
        self.reads = reads
        self.luck = luck

    def planes(self, _form: int, _chows: Any, _p: int, pc: int, _pair: int, place: int = 0) -> _Place:
        return _Place(pc, place)


@cache
def choices(looks: bool) -> Choices:
    """Return the table, for books that read the place of the winning tile (`looks`) or do not."""
    number = np.zeros(CASES, np.uint8)
    place = np.zeros((MOST, CASES), np.int64)
    loses = np.zeros((MOST, CASES), np.int64)
    for case in range(CASES):
        kind = case >> _RANK & 3
        w = 0 if kind == _NONE else BIT[_KINDS[kind]]
        luck = int(Luck.SELF_DRAW) if case >> _DRAWN else 0
        probe = cast("Win", _Probe(w, frozenset({"place"} if looks else ()), luck))
        own = w * (case & FIRST > 0) | (w >> 2) * (case & SECOND > 0) | (w >> 1) * (case & THIRD > 0)
        p, pair, loose = (w * (case & bit > 0) for bit in (PUNG, PAIR, LOOSE))
        found = place_winning_tile(probe, STANDARD, (0, 0, 0, 0), own, p, pair, loose)
        number[case] = len(found)
        for j, reading in enumerate(found):
            place[j, case] = reading.h.place
            loses[j, case] = -1 if reading.h.pc != p else 0
    return Choices(number, place, loses)
