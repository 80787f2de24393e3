"""Kinds in the order in which payable hands are scored: the own wind first among the winds, the round wind second.

Whatever seat a hand has, its tiles are then those of East, and one table does for all. Nothing here needs numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from quepu.hands.hand import Meld, MeldKind
from quepu.tiles import KINDS


@cache
def winds_first(seat: int, round_: int) -> tuple[int, ...]:
    """The kind at each place of this order."""
    winds = [seat] + ([round_] if round_ != seat else [])
    winds += [wind for wind in range(27, 31) if wind not in winds]
    return (*range(27), *winds, 31, 32, 33)


def in_wind_order(
    concealed: Sequence[int], melds: Sequence[Meld], by: Sequence[int]
) -> tuple[list[int], tuple[int, ...], tuple[int, ...]]:
    """Counts with melds (a kong as three) in that order; fixed chows (unary) and pungs of each lane."""
    counts = [0] * KINDS
    for kind in concealed:
        counts[kind] += 1
    chows, pungs = [0] * 4, [0] * 4
    for meld, tile in melds:
        if meld == MeldKind.CHOW:
            for kind in range(tile, tile + 3):
                counts[kind] += 1
            s, r = divmod(tile, 9)
            while chows[s] >> r & 1:
                r += 9
            chows[s] |= 1 << r
        else:
            counts[tile] += 3
            s, r = divmod(by.index(tile), 9)
            pungs[s] |= 1 << r
    return [counts[kind] for kind in by], tuple(chows), tuple(pungs)
