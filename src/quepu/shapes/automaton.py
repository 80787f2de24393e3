"""The least number of tiles that a hand lacks for sets, a pair and fours of a kind, counted suit by suit.

A lookup in the automaton answers it if all four copies of every kind are available; if melds or reserved tiles hold
some, the suits are counted with the copies left.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from quepu.hands.suit_tables import KEY, KEY_BITS, KEY_MASK, tile_planes
from quepu.tiles import BIT, KINDS

FAR = 15


class Automaton(NamedTuple):
    """Suit key → id, two ids → id, two of those → least missing tiles for 0-4 melds and the pair."""

    suit: bytes  # 5 ** 9 ids
    honour: bytes  # 5 ** 7 ids
    left: tuple[bytes, ...]  # m, p
    right: tuple[bytes, ...]  # s, honours
    final: tuple[tuple[bytes, ...], ...]  # by melds needed

    def missing(self, key: int, need: int) -> int:
        """Return the least number of missing tiles for `need` melds and a pair, for concealed tiles with this key."""
        suit = self.suit
        left = self.left[suit[key & KEY_MASK]][suit[key >> KEY_BITS & KEY_MASK]]
        right = self.right[suit[key >> 2 * KEY_BITS & KEY_MASK]][self.honour[key >> 3 * KEY_BITS]]
        return self.final[need][left][right]

    def discards(self, key: int, need: int, kinds: Iterable[int]) -> list[int]:
        """Return `missing` after each of these discards."""
        suit, honour, left, right, final = self.suit, self.honour, self.left, self.right, self.final[need]
        m, p, s = key & KEY_MASK, key >> KEY_BITS & KEY_MASK, key >> 2 * KEY_BITS & KEY_MASK
        z = key >> 3 * KEY_BITS
        a, b, c, d = suit[m], suit[p], suit[s], honour[z]
        one, two = left[a], right[c]
        row, column = final[one[b]], two[d]
        found = []
        for kind in kinds:
            if kind < 9:
                found.append(final[left[suit[m - _POWER[kind]]][b]][column])
            elif kind < 18:
                found.append(final[one[suit[p - _POWER[kind]]]][column])
            elif kind < 27:
                found.append(row[right[suit[s - _POWER[kind]]][d]])
            else:
                found.append(row[two[honour[z - _POWER[kind]]]])
        return found

    def helping(self, key: int, need: int, now: int, unseen: Sequence[int]) -> list[int]:
        """List the unseen kinds that bring a hand lacking `now` tiles nearer, in order."""
        suit, honour, left, right, final = self.suit, self.honour, self.left, self.right, self.final[need]
        m, p, s = key & KEY_MASK, key >> KEY_BITS & KEY_MASK, key >> 2 * KEY_BITS & KEY_MASK
        z = key >> 3 * KEY_BITS
        a, b, c, d = suit[m], suit[p], suit[s], honour[z]
        one, two = left[a], right[c]
        row, column = final[one[b]], two[d]
        found = []
        for kind, step in _STEPS[0]:
            if unseen[kind] > 0 and final[left[suit[m + step]][b]][column] < now:
                found.append(kind)
        for kind, step in _STEPS[1]:
            if unseen[kind] > 0 and final[one[suit[p + step]]][column] < now:
                found.append(kind)
        for kind, step in _STEPS[2]:
            if unseen[kind] > 0 and row[right[suit[s + step]][d]] < now:
                found.append(kind)
        for kind, step in _STEPS[3]:
            if unseen[kind] > 0 and row[two[honour[z + step]]] < now:
                found.append(kind)
        return found


_POWER: tuple[int, ...] = tuple(5 ** (kind % 9) for kind in range(KINDS))
_STEPS = tuple(tuple((kind, _POWER[kind]) for kind in range(9 * s, min(9 * s + 9, KINDS))) for s in range(4))


def _rows(data: bytes, width: int) -> tuple[bytes, ...]:
    return tuple(data[i : i + width] for i in range(0, len(data), width))


@cache
def automaton() -> Automaton:
    """Return the automaton, unpacked once (about 5 ms)."""
    from importlib.resources import files

    data = zlib.decompress((files("quepu") / "data" / "distance.bin").read_bytes())
    suits, honours, lefts, rights = (int.from_bytes(data[2 * i : 2 * i + 2], "little") for i in range(4))
    at = 8

    def take(n: int) -> bytes:
        nonlocal at
        at += n
        return data[at - n : at]

    suit, honour = take(5**9), take(5**7)
    left, right = _rows(take(suits * suits), suits), _rows(take(suits * honours), honours)
    final = tuple(_rows(take(lefts * rights), rights) for _ in range(5))
    return Automaton(suit, honour, left, right, final)


class Tiles(NamedTuple):
    """Concealed tiles of an incomplete hand, and everything else that the shapes' distances depend on."""

    key: int  # the concealed tiles, see quepu.hands.suit_tables
    need: int  # melds still to make
    t1: int  # planes of the concealed tiles: at least one copy
    t2: int  # at least two
    melded: int = 0  # the key of the tiles in melds, a kong as four
    closed: bool = True  # no meld but concealed kongs
    luck: int = 0  # quepu.hands.hand.Luck bits that hold while the hand is made

    @property
    def planes(self) -> tuple[int, int, int, int]:
        """The planes of the concealed tiles: at least one copy … four."""
        return tile_planes(self.key)

    def with_tile(self, kind: int) -> Tiles:
        """Return the tiles with one more of a kind."""
        bit = BIT[kind]
        return Tiles(self.key + KEY[kind], self.need, self.t1 | bit, self.t2 | (self.t1 & bit), *self[4:])

    def without_tile(self, kind: int) -> Tiles:
        """Return the tiles with one less of a kind that they hold."""
        key, need, t1, t2, melded, closed, luck = self
        bit = BIT[kind]
        n = (key >> kind // 9 * KEY_BITS & KEY_MASK) // _POWER[kind] % 5
        if n == 1:
            t1 &= ~bit
        elif n == 2:
            t2 &= ~bit
        return Tiles(key - KEY[kind], need, t1, t2, melded, closed, luck)

    def copies(self, kind: int) -> int:
        """Count the concealed copies of a kind."""
        return copies(self.key, kind)

    def free(self, kind: int) -> bool:
        """Return whether the hand holds fewer than four copies of a kind, melds included."""
        return copies(self.key + self.melded, kind) < 4

    def free_kinds(self) -> Iterator[tuple[int, int]]:
        """Yield the kinds of which the hand holds fewer than four copies, each with its plane."""
        held = tile_planes(self.key + self.melded)[3]
        return ((kind, bit) for kind, bit in enumerate(BIT) if not bit & held)


def copies(key: int, kind: int) -> int:
    """Return the copies of a kind in a key."""
    return (key >> kind // 9 * KEY_BITS & KEY_MASK) // _POWER[kind] % 5


def missing_sets(tiles: Tiles) -> int:
    """Return the least number of missing tiles for the remaining melds and a pair."""
    least = automaton().missing(tiles.key, tiles.need)
    if tiles.melded and _lacks_copies(tiles, least):
        return missing_parts(tiles.key, tiles.melded, tiles.need, 1)
    return least


def _lacks_copies(tiles: Tiles, least: int) -> bool:
    """Return whether the nearest hand may need more copies of a melded kind than are left.

    If it does, then drawing one copy more than are left would bring the tiles nearer by as many.
    """
    missing = automaton().missing
    for kind in range(KINDS):
        melded = copies(tiles.melded, kind)
        if melded:
            beyond = 5 - melded - copies(tiles.key, kind)
            if beyond <= least and missing(tiles.key + beyond * KEY[kind], tiles.need) == least - beyond:
                return True
    return False


def missing_parts(key: int, taken: int, sets: int, pairs: int, fours: int = 0) -> int:
    """Return the least number of tiles missing for these sets, pairs (0 or 1) and fours; FAR if copies run out.

    `key` holds the tiles to make them of, `taken` copies of the same hand that are in none of them.
    """
    most = sets, pairs, fours
    m, p, s, z = [
        _suit_costs(key >> shift & KEY_MASK, taken >> shift & KEY_MASK, ranks, most)
        for shift, ranks in ((0, 9), (KEY_BITS, 9), (2 * KEY_BITS, 9), (3 * KEY_BITS, 7))
    ]
    return _join(_join(m, p, most), _join(s, z, most), most)[-1]


Parts = tuple[int, int, int]
"""Numbers of sets, pairs and fours of a kind."""


@lru_cache(64)
def _classes(most: Parts) -> list[Parts]:
    sets, pairs, fours = most
    return [(m, p, q) for m in range(sets + 1) for p in range(pairs + 1) for q in range(fours + 1)]


@lru_cache(1 << 13)
def _join(one: bytes, two: bytes, most: Parts) -> bytes:
    """Return the least missing tiles of suits together, from those of both parts."""
    found = dict.fromkeys(_classes(most), FAR)
    for (a, cost), (b, more) in product(zip(found, one, strict=True), zip(_classes(most), two, strict=True)):
        both = a[0] + b[0], a[1] + b[1], a[2] + b[2]
        if cost + more < found.get(both, 0):
            found[both] = cost + more
    return bytes(found.values())


_PARTS = ((0, 0, 0, 0), (3, 1, 0, 0), (2, 0, 1, 0), (4, 0, 0, 1))
"""Groups of one kind besides chows, by number of tiles: none, a pung, a pair, a four."""


@lru_cache(1 << 13)
def _suit_costs(key: int, taken: int, ranks: int, most: Parts) -> bytes:
    """Return the least number of missing tiles of one suit for every number of sets, pairs and fours up to these.

    Go rank by rank; the state is the chows begun two ranks and one rank below, and the parts so far. Three equal chows
    are three pungs, so two are enough.
    """
    sets, pairs, fours = most
    states = {(0, 0, 0, 0, 0): 0}
    for rank in range(ranks):
        power = 5**rank
        have, room = key // power % 5, 4 - taken // power % 5
        after: dict[tuple[int, int, int, int, int], int] = {}
        for (a, b, m, p, q), cost in states.items():
            for c in range(3 if rank < 7 and ranks == 9 else 1):
                for n, set_, pair, four in _PARTS:
                    use = a + b + c + n
                    if use <= room and m + c + set_ <= sets and p + pair <= pairs and q + four <= fours:
                        state = b, c, m + c + set_, p + pair, q + four
                        after[state] = min(after.get(state, FAR), cost + max(0, use - have))
        states = after
    found = dict.fromkeys(_classes(most), FAR)
    for (_, _, *made), cost in states.items():
        found[made[0], made[1], made[2]] = min(cost, FAR)
    return bytes(found.values())
