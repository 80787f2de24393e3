"""Groups of a reading that make a fan: for explanations, 玉雀's residues and 国标's 套算一次.

They follow from the rows: a fan made of n groups occurs where its own condition holds on n groups alone. Groups are
identified by their place in the reading, so an occurrence is a mask: bit i is the i-th group.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from quepu.hands.hand import Luck
from quepu.hands.planes import Planes
from quepu.hands.win import CHOW, PAIR, PUNG, TILE, Group
from quepu.rules.row import ALL, EACH, Fan
from quepu.tiles import BIT, kinds_of

_SELF_DRAW = int(Luck.SELF_DRAW)
_ALL_KINDS = frozenset({CHOW, PUNG, PAIR, TILE})
_PUNG_PLANES = frozenset({"p", "xp", "pc"})
TILE_PLANES = frozenset({"t1", "t2", "t3", "t4"})
_CHOW_PLANES = frozenset({"c1", "c2", "c3", "c4", "o1", "o2", "o3", "o4"})


def planes_of(groups: Sequence[Group], h: Planes) -> Planes:
    """Return the planes of these groups alone; the rest (form, seat, luck …) is taken from `h`."""
    c1 = c2 = c3 = c4 = o1 = o2 = o3 = o4 = p = xp = pc = k = kc = pair = t1 = t2 = t3 = t4 = 0
    drawn = h.luck & _SELF_DRAW
    for kind, tile, exposed, kong, won in groups:
        bit = BIT[tile]
        if kind == CHOW:
            c4 |= c3 & bit
            c3 |= c2 & bit
            c2 |= c1 & bit
            c1 |= bit
            if exposed:
                o4 |= o3 & bit
                o3 |= o2 & bit
                o2 |= o1 & bit
                o1 |= bit
            bit |= bit << 1 | bit << 2
            copies = 1
        elif kind == PUNG:
            p |= bit
            if exposed:
                xp |= bit
            elif drawn or not won:
                pc |= bit
            if kong:
                k |= bit
                kc |= 0 if exposed else bit
            copies = 3 + kong
        elif kind == PAIR:
            pair |= bit
            copies = 2
        else:
            copies = 1
        for _ in range(copies):
            t4 |= t3 & bit
            t3 |= t2 & bit
            t2 |= t1 & bit
            t1 |= bit
    return Planes(c1, c2, c3, c4, o1, o2, o3, o4, p, xp, pc, k, kc, pair, t1, t2, t3, t4, *h[18:])


class Parts:
    """A reading's groups and, built once when first needed, the planes of every n of them."""

    __slots__ = ("_by_size", "_planes", "groups", "h")

    def __init__(self, groups: Sequence[Group], h: Planes) -> None:
        self.groups = tuple(groups)
        self.h = h
        self._by_size: dict[tuple[int, frozenset[int]], list[tuple[int, Planes]]] = {}
        self._planes: dict[int, Planes] = {}

    @property
    def whole(self) -> int:
        """Return the mask of all groups."""
        return (1 << len(self.groups)) - 1

    def of(self, n: int, kinds: frozenset[int] = _ALL_KINDS) -> list[tuple[int, Planes]]:
        """List every n groups of these kinds, as their mask and their planes."""
        found = self._by_size.get((n, kinds))
        if found is None:
            fit = [i for i, group in enumerate(self.groups) if group.kind in kinds]
            found = self._by_size[n, kinds] = [self._part(some) for some in combinations(fit, n)]
        return found

    def _part(self, some: tuple[int, ...]) -> tuple[int, Planes]:
        mask = sum([1 << i for i in some])
        part = self._planes.get(mask)
        if part is None:
            part = self._planes[mask] = planes_of([self.groups[i] for i in some], self.h)
        return mask, part

    def list_groups(self, mask: int) -> tuple[Group, ...]:
        """Return the groups of a mask."""
        return tuple(group for i, group in enumerate(self.groups) if mask >> i & 1)


def occurrences(fan: Fan, parts: Parts) -> tuple[int, ...]:
    """List every set of groups that makes this fan, as masks; empty if it does not hold.

    ALL: the whole hand. EACH: the groups at each bit of the plane its condition returns (the pung where it speaks of
    pungs, every group that holds the tile where it is about tiles; a bit without a group, as of a flower, gives
    none). A number n: the sets of n groups on which the condition holds, tried only if it holds on the whole.
    """
    found = fan.when(parts.h)
    if not found:
        return ()
    if fan.of == ALL:
        return (parts.whole,)
    if fan.of == EACH:
        masks = (_holding(fan.reads, parts.groups, kind) for kind in kinds_of(int(found)))
        return tuple(mask for mask in masks if mask)
    return tuple([mask for mask, part in parts.of(fan.of, _kinds(fan.reads)) if fan.when(part)])


@lru_cache(1 << 12)
def _kinds(reads: frozenset[str]) -> frozenset[int]:
    """Return the kinds of group that a condition reading these planes can consist of."""
    if reads & TILE_PLANES:
        return _ALL_KINDS
    kinds = {CHOW} if reads & _CHOW_PLANES else set()
    if reads & (_PUNG_PLANES | {"k", "kc"}):
        kinds.add(PUNG)
    if "pair" in reads:
        kinds.add(PAIR)
    return frozenset(kinds) or _ALL_KINDS


def _holding(planes: frozenset[str], groups: tuple[Group, ...], tile: int) -> int:
    """Return the groups that one bit of a condition's plane points at."""
    if planes & _PUNG_PLANES:
        kinds = {PUNG, PAIR} if "pair" in planes else {PUNG}
    elif planes & TILE_PLANES:
        return sum(1 << i for i, group in enumerate(groups) if tile in group.tiles)
    elif planes & {"k", "kc"}:
        kinds = {PUNG}
    elif planes & _CHOW_PLANES:
        kinds = {CHOW}
    elif "pair" in planes:
        kinds = {PAIR}
    else:  # flowers and the like point at no group
        return 0
    return sum(1 << i for i, group in enumerate(groups) if group.kind in kinds and group.tile == tile)
