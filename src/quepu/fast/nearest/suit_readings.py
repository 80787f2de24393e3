"""Readings of a suit by how many tiles they lack, in plain Python: what hands are put together from on demand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import comb
from typing import NamedTuple

from quepu.fast.nearest.receipts import DEEPEST, FAR
from quepu.hands.hand import Meld, MeldKind
from quepu.hands.suit_tables import SuitRow, suit_rows, unary_counts, unary_levels
from quepu.tiles import KINDS

_SHIFTS = (42, 27, 12, 0)  # a hand is numbered by the rows of its four lanes
_ROW, _HONOUR_ROW = (1 << 15) - 1, (1 << 12) - 1
_CLASSES = 10  # 2 * melds + pairs


class NearPart(NamedTuple):
    """A reading near the hand, of one lane or two: number, ways to draw its missing tiles, needed and spare kinds."""

    number: int
    ways: int
    lack: int
    spare: int

    def beside(self, other: NearPart) -> NearPart:
        """Return both parts together."""
        return NearPart(
            self.number | other.number, self.ways * other.ways, self.lack | other.lack, self.spare | other.spare
        )


def rows_of(number: int) -> tuple[SuitRow, SuitRow, SuitRow, SuitRow]:
    """Return the rows of the lanes that this number stands for."""
    suits, honours = suit_rows(9), suit_rows(7)
    m, p, s, _ = (number >> shift & _ROW for shift in _SHIFTS)
    return suits[m], suits[p], suits[s], honours[number & _HONOUR_ROW]


class NearLane:
    """The readings of one lane beside the tiles held there: those that can still come, with the melds it has."""

    def __init__(self, s: int, own: Sequence[int], could: Sequence[int], chows: int, pungs: int) -> None:
        self._first, self._shift = 9 * s, _SHIFTS[s]
        self._own, self._could = own, could
        self._chows, self._pungs = chows, pungs
        self._rows = suit_rows(len(own))
        self._held, self._tiles = unary_counts(own), sum(own)
        self._beyond = ~unary_counts([have + more for have, more in zip(own, could, strict=True)])
        self._parts: dict[tuple[int, int], list[NearPart]] = {}
        self._least: dict[int, int] = {}

    def bound(self, cls: int) -> int:
        """Return a lower bound on the missing tiles of a class."""
        return max(0, 3 * (cls // 2) + 2 * (cls % 2) - self._tiles)

    def least(self, cls: int) -> int:
        """Return the least missing tiles of a class; FAR if it cannot come."""
        found = self._least.get(cls)
        if found is None:
            near = _by_distance(len(self._own), cls, self._held)
            found = next((far for far, rows in enumerate(near) if any(map(self._fits, rows))), FAR)
            self._least[cls] = found
        return found

    def parts(self, cls: int, far: int) -> list[NearPart]:
        """Return the readings of a class that lack so many tiles."""
        found = self._parts.get((cls, far))
        if found is None:
            near = _by_distance(len(self._own), cls, self._held)[far]
            found = self._parts[cls, far] = [self._part(i) for i in near if self._fits(i)]
        return found

    def _fits(self, i: int) -> bool:
        row = self._rows[i]
        if unary_levels(row.levels) & self._beyond:
            return False
        if not self._chows and not self._pungs:
            return True
        return not self._chows & ~unary_levels(row.planes[:4]) and not self._pungs & ~row.planes[4]

    def _part(self, i: int) -> NearPart:
        key, ways, lack, spare = self._rows[i].key, 1, 0, 0
        for r, have in enumerate(self._own):
            key, wanted = divmod(key, 5)
            if wanted > have:
                ways *= comb(min(self._could[r], 4), wanted - have)
                lack |= 1 << self._first + r
            elif wanted < have:
                spare |= 1 << self._first + r
        return NearPart(i << self._shift, ways, lack, spare)


@lru_cache(512)
def _by_distance(ranks: int, cls: int, held: int) -> tuple[list[int], ...]:
    """Return the rows of a class by the number of tiles that they have beyond those held (unary)."""
    first, tiles = _classes(ranks)[cls]
    found: tuple[list[int], ...] = tuple([] for _ in range(DEEPEST + 1))
    free = ~held
    for i, far in enumerate([(has & free).bit_count() for has in tiles], first):
        found[far].append(i)
    return found


@lru_cache(2)
def _classes(ranks: int) -> list[tuple[int, list[int]]]:
    """Return the first row of each class, and the tiles of each of its rows (unary)."""
    rows = suit_rows(ranks)
    found, first = [], 0
    for cls in range(_CLASSES):
        tiles = [unary_levels(row.levels) for row in rows if row.cls == cls]
        found.append((first, tiles))
        first += len(tiles)
    return found


@cache
def winds_first(seat: int, round_: int) -> tuple[int, ...]:
    """Return the kind at each place of this order."""
    winds = [seat] + ([round_] if round_ != seat else [])
    winds += [wind for wind in range(27, 31) if wind not in winds]
    return (*range(27), *winds, 31, 32, 33)


def in_wind_order(
    concealed: Sequence[int], melds: Sequence[Meld], by: Sequence[int]
) -> tuple[list[int], tuple[int, ...], tuple[int, ...]]:
    """Return counts with melds (a kong as three) in that order; fixed chows (unary) and pungs of each lane."""
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
