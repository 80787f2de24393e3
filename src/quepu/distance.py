"""How many tiles a hand still lacks, and which ones help: exact, by an automaton over suits.

"Missing" is the least number of tiles that must still come for the hand to be complete: 0 complete, 1 ready,
steps to ready plus one otherwise. Only the hand's own tiles are looked at; whether a book's minimum is reached is
another question (`quepu.lab.payable`).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from quepu.hand import Hand
from quepu.planes import ALL_TILES, HONOUR_TILES, OUTER
from quepu.shapes import KNITTED_LINES
from quepu.suits import KEY, KEY_BITS, KEY_MASK, levels
from quepu.tiles import BIT, KIND, KINDS

FAR = 15


class Automaton(NamedTuple):
    """Suit key → id, two ids → id, two of those → least missing tiles for 0-4 melds and the pair."""

    suit: bytes  # 5 ** 9 ids
    honour: bytes  # 5 ** 7 ids
    left: tuple[bytes, ...]  # m, p
    right: tuple[bytes, ...]  # s, honours
    final: tuple[tuple[bytes, ...], ...]  # by melds needed

    def missing(self, key: int, need: int) -> int:
        """Least missing tiles to `need` melds and a pair for concealed tiles with this key (see quepu.suits)."""
        suit = self.suit
        left = self.left[suit[key & KEY_MASK]][suit[key >> KEY_BITS & KEY_MASK]]
        right = self.right[suit[key >> 2 * KEY_BITS & KEY_MASK]][self.honour[key >> 3 * KEY_BITS]]
        return self.final[need][left][right]

    def discards(self, key: int, need: int, kinds: Iterable[int]) -> list[int]:
        """`missing` after each of these discards."""
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
        """The unseen kinds that bring a hand which lacks `now` tiles nearer, in order."""
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
    """The automaton, unpacked once (about 5 ms)."""
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
    """Concealed tiles as the distances look at them."""

    key: int
    need: int  # melds still to make
    t1: int
    t2: int


def tiles_of(concealed: tuple[int, ...], melds: int) -> Tiles:
    """The concealed kinds (13 or 14 less three for each meld) ready for the distances."""
    key = sum(map(KEY.__getitem__, concealed))
    return _tiles(key, 4 - melds)


def _tiles(key: int, need: int) -> Tiles:
    t1 = t2 = 0
    for s in range(4):
        one, two, _, _ = levels(key >> s * KEY_BITS & KEY_MASK)
        t1 |= one << 16 * s
        t2 |= two << 16 * s
    return Tiles(key, need, t1, t2)


def standard(tiles: Tiles) -> int:
    """Four melds and a pair."""
    return automaton().missing(tiles.key, tiles.need)


def pairs(tiles: Tiles) -> int:
    """Seven different pairs."""
    if tiles.need < 4:
        return FAR
    have = min(7, tiles.t2.bit_count())
    return 7 - have + max(0, 7 - tiles.t1.bit_count())


def any_pairs(tiles: Tiles) -> int:
    """Seven pairs, four alike being two."""
    if tiles.need < 4:
        return FAR
    have, odd, _ = _paired(tiles.key)
    have = min(7, have)
    return 7 - have + max(0, 7 - have - odd.bit_count())


def _paired(key: int) -> tuple[int, int, int]:
    """How many pairs, four alike being two; the kinds held once or thrice, and those held four times, as planes."""
    have = odd = fours = 0
    for s in range(4):
        one, two, three, four = levels(key >> s * KEY_BITS & KEY_MASK)
        have += two.bit_count() + four.bit_count()
        odd |= (one & ~two | three & ~four) << 16 * s
        fours |= four << 16 * s
    return have, odd, fours


def orphans(tiles: Tiles) -> int:
    """The thirteen terminals and honours, one twice."""
    if tiles.need < 4:
        return FAR
    return 14 - (tiles.t1 & OUTER).bit_count() - bool(tiles.t2 & OUTER)


def loose(tiles: Tiles) -> int:
    """Fourteen different tiles out of 147, 258, 369 and the honours."""
    if tiles.need < 4:
        return FAR
    held, most = tiles.t1, 0
    for line in KNITTED_LINES:
        most = max(most, (held & line).bit_count())
    return 14 - (held & HONOUR_TILES).bit_count() - most


def knitted(tiles: Tiles) -> int:
    """147, 258, 369, one meld and the pair."""
    if tiles.need < 3:
        return FAR
    least = FAR
    for line in KNITTED_LINES:
        held = tiles.t1 & line
        lacking = 9 - held.bit_count()
        if lacking >= least:
            continue
        rest = tiles.key
        while held:
            low = held & -held
            rest -= KEY[KIND[low]]
            held ^= low
        least = min(least, lacking + automaton().missing(rest, tiles.need - 3))
    return least


DISTANCES: dict[str, Callable[[Tiles], int]] = {
    "standard": standard,
    "pairs": pairs,
    "any_pairs": any_pairs,
    "orphans": orphans,
    "loose": loose,
    "knitted": knitted,
}
"""By shape name; a family with a shape of its own registers its distance here. A shape without one is not aimed at."""


def nearer(shape: str, tiles: Tiles) -> int:
    """The kinds, as a plane, that bring these tiles nearer to a shape; a fifth copy of a kind may be among them."""
    t1, t2 = tiles.t1, tiles.t2
    if shape == "pairs":
        return (t1 & ~t2 if t2.bit_count() < 7 else 0) | (ALL_TILES & ~t1 if t1.bit_count() < 7 else 0)
    if shape == "orphans":
        return OUTER & (~t1 if t2 & OUTER else -1)
    if shape == "loose":
        held = [(t1 & line).bit_count() for line in KNITTED_LINES]
        best = max(held)
        wanted = HONOUR_TILES
        for line, n in zip(KNITTED_LINES, held, strict=True):
            if n == best:
                wanted |= line
        return wanted & ~t1
    if shape == "any_pairs":
        have, odd, fours = _paired(tiles.key)
        return (odd if have < 7 else 0) | (ALL_TILES & ~odd & ~fours if have + odd.bit_count() < 7 else 0)
    distance = DISTANCES[shape]
    now = distance(tiles)
    return sum(BIT[kind] for kind in range(KINDS) if _room(tiles, kind) and distance(withal(tiles, kind)) < now)


def _room(tiles: Tiles, kind: int) -> bool:
    s, r = divmod(kind, 9)
    return (tiles.key >> s * KEY_BITS & KEY_MASK) // _POWER[r] % 5 < 4


def missing(tiles: Tiles, shapes: tuple[str, ...]) -> int:
    """Least missing tiles to any of these shapes."""
    return min((DISTANCES[shape](tiles) for shape in shapes if shape in DISTANCES), default=FAR)


def hand_missing(hand: Hand, shapes: tuple[str, ...]) -> int:
    """Least missing tiles of a hand, its winning tile included if it has one."""
    concealed = hand.concealed if hand.winning is None else (*hand.concealed, hand.winning)
    return missing(tiles_of(concealed, len(hand.melds)), shapes)


def useful(hand: Hand, shapes: tuple[str, ...]) -> list[int]:
    """The kinds that bring a hand of thirteen tiles one step nearer, in order; none of which it holds all four."""
    tiles = tiles_of(hand.concealed, len(hand.melds))
    now = missing(tiles, shapes)
    counts = hand._replace(winning=None).counts()
    return [kind for kind in range(KINDS) if counts[kind] < 4 and missing(withal(tiles, kind), shapes) < now]


def withal(tiles: Tiles, kind: int) -> Tiles:
    """The tiles with one more of a kind."""
    bit = BIT[kind]
    return Tiles(tiles.key + KEY[kind], tiles.need, tiles.t1 | bit, tiles.t2 | (tiles.t1 & bit))


def without(tiles: Tiles, kind: int, counts: list[int]) -> Tiles:
    """The tiles without one of a kind; `counts` are the copies held."""
    bit, n = BIT[kind], counts[kind]
    return Tiles(
        tiles.key - KEY[kind],
        tiles.need,
        tiles.t1 & ~bit if n == 1 else tiles.t1,
        tiles.t2 & ~bit if n == 2 else tiles.t2,
    )
