"""Which groups of a reading make a fan: for the explanation, for 玉雀's residues and for 国标's 套算一次.

Nothing is written a second time for it: a fan made of n groups lies where its own condition holds on n groups alone.
Groups are told apart by their place in the reading, so an answer is a mask: bit i is the i-th group.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from quepu.hand import Luck
from quepu.planes import Planes
from quepu.readings import CHOW, PAIR, PUNG, Group
from quepu.rulebook import ALL, EACH, Fan
from quepu.tiles import BIT, kinds_of

_SELF_DRAW = int(Luck.SELF_DRAW)
_PUNG_PLANES = frozenset({"p", "xp", "pc"})
_TILE_PLANES = frozenset({"t1", "t2", "t3", "t4"})
_CHOW_PLANES = frozenset({"c1", "c2", "c3", "c4", "o1", "o2", "o3", "o4"})


def planes_of(groups: Sequence[Group], h: Planes) -> Planes:
    """The planes of these groups alone; what is not about groups (form, seat, luck …) is taken from `h`."""
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
    """A reading's groups and, built once when asked for, the planes of every n of them."""

    __slots__ = ("_by_size", "groups", "h")

    def __init__(self, groups: Sequence[Group], h: Planes) -> None:
        self.groups = tuple(groups)
        self.h = h
        self._by_size: dict[int, list[tuple[int, Planes]]] = {}

    @property
    def whole(self) -> int:
        """The mask of all groups."""
        return (1 << len(self.groups)) - 1

    def of(self, n: int) -> list[tuple[int, Planes]]:
        """Every n groups, as their mask and their planes."""
        if n not in self._by_size:
            self._by_size[n] = [
                (sum(1 << i for i in some), planes_of([self.groups[i] for i in some], self.h))
                for some in combinations(range(len(self.groups)), n)
            ]
        return self._by_size[n]

    def named(self, mask: int) -> tuple[Group, ...]:
        """The groups of a mask."""
        return tuple(group for i, group in enumerate(self.groups) if mask >> i & 1)


def occurrences(fan: Fan, parts: Parts) -> tuple[int, ...]:
    """Every set of groups that makes this fan, as masks; empty if it does not hold.

    ALL: the whole hand. EACH: the groups at each bit of the plane its condition returns (the pung where it speaks of
    pungs, every group that holds the tile where it speaks of tiles; a bit without a group, as of a flower, gives
    none). A number n: the sets of n groups on which the condition holds, asked only if it holds on the whole.
    """
    found = fan.when(parts.h)
    if not found:
        return ()
    if fan.of == ALL:
        return (parts.whole,)
    if fan.of == EACH:
        masks = (_holding(fan.reads, parts.groups, kind) for kind in kinds_of(int(found)))
        return tuple(mask for mask in masks if mask)
    return tuple(mask for mask, part in parts.of(fan.of) if fan.when(part))


def _holding(planes: frozenset[str], groups: tuple[Group, ...], tile: int) -> int:
    """The groups that a bit of such a condition's plane points at."""
    if planes & _PUNG_PLANES:
        kinds = {PUNG, PAIR} if "pair" in planes else {PUNG}
    elif planes & _TILE_PLANES:
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
