"""Every way to split the tiles of one suit: computed per key, or all at once.

The tiles of a suit are encoded as a key: the sum of 5 ** (rank - 1) over its tiles. All four suits of a hand travel in
one integer, 22 bits a suit, so that counting a hand is one sum. `suit_rows` lists all readings of a suit in one order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from quepu.tiles import KINDS

KEY_BITS = 22
KEY_MASK = (1 << KEY_BITS) - 1
KEY = tuple(5 ** (kind % 9) << (kind // 9 * KEY_BITS) for kind in range(KINDS))
"""The number that a tile of each kind adds to a hand's key."""


class Split(NamedTuple):
    """One way to split a suit: planes of a single lane (not shifted to their suit)."""

    melds: int
    pairs: int
    c1: int  # chows by start, at least one … four
    c2: int
    c3: int
    c4: int
    p: int  # pungs
    pair: int


Splits = tuple[Split, ...]


def _parts(ranks: int) -> list[tuple[int, int, int]]:
    """List every meld of a suit as key, chow start and pung; chows first."""
    starts = range(7) if ranks == 9 else range(0)
    return [(31 * 5**s, 1 << s, 0) for s in starts] + [(3 * 5**r, 0, 1 << r) for r in range(ranks)]


_MELDS = {ranks: _parts(ranks) for ranks in (7, 9)}


def _split(ranks: int, melds: Iterable[int], pairs: int = 0, pair: int = 0) -> Split:
    """Return the planes of some melds (indices into `_MELDS`)."""
    c1 = c2 = c3 = c4 = p = n = 0
    for i in melds:
        _, chow, pung = _MELDS[ranks][i]
        c4 |= c3 & chow
        c3 |= c2 & chow
        c2 |= c1 & chow
        c1 |= chow
        p |= pung
        n += 1
    return Split(n, pairs, c1, c2, c3, c4, p, pair)


def _melds_of(counts: list[int], ranks: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to split these copies into melds, as indices into `_MELDS`, rank by rank."""
    rank = next((r for r, n in enumerate(counts) if n), -1)
    if rank < 0:
        yield ()
        return
    ways: list[tuple[int, tuple[int, ...]]] = []
    if counts[rank] >= 3:
        ways.append((ranks - 2 + rank if ranks == 9 else rank, (3,)))
    if ranks == 9 and rank < 7 and counts[rank + 1] and counts[rank + 2]:
        ways.append((rank, (1, 1, 1)))
    for meld, taken in ways:
        rest = counts.copy()
        for i, n in enumerate(taken):
            rest[rank + i] -= n
        for others in _melds_of(rest, ranks):
            yield (meld, *others)


def _splits_of(key: int, ranks: int) -> Splits:
    """Return every way to split one suit, in the order of `_all_splits`."""
    counts = [key // 5**r % 5 for r in range(ranks)]
    tiles = sum(counts)
    if tiles > 14 or tiles % 3 == 1 or key >= 5**ranks:
        return ()
    found: list[tuple[list[int], int]] = []
    for pair in range(ranks) if tiles % 3 else (-1,):
        rest = counts.copy()
        if pair >= 0:
            if counts[pair] < 2:
                continue
            rest[pair] -= 2
        found += [(sorted(melds), pair) for melds in {tuple(sorted(melds)) for melds in _melds_of(rest, ranks)}]
    return tuple(_split(ranks, melds, int(pair >= 0), 1 << pair if pair >= 0 else 0) for melds, pair in sorted(found))


def _all_splits(ranks: int) -> dict[int, Splits]:
    melds = _MELDS[ranks]
    weights = [5**r for r in range(ranks)]
    found: dict[int, list[Split]] = {}
    for n in range(5):
        for some in combinations_with_replacement(range(len(melds)), n):
            key = p = 0
            for i in some:
                add, _, pung = melds[i]
                if p & pung:
                    break
                key += add
                p |= pung
            else:
                counts = [key // w % 5 for w in weights]
                if sum(counts) != 3 * n:  # some rank had five tiles and carried over
                    continue
                split = _split(ranks, some)
                found.setdefault(key, []).append(split)
                for r, have in enumerate(counts):
                    if have <= 2:
                        with_pair = key + 2 * weights[r]
                        found.setdefault(with_pair, []).append(split._replace(pairs=1, pair=1 << r))
    return {key: tuple(splits) for key, splits in found.items()}


_FEW = 100
"""Number of keys that are split one by one before all are: splitting all takes as long as some hundreds."""


class _Apart(dict[int, Splits]):
    """Cache from suit key to every way to split it, () if there is none; filled on demand by any thread."""

    def __init__(self, ranks: int) -> None:
        super().__init__()
        self._ranks = ranks
        self._left = _FEW
        self._whole = False

    def __missing__(self, key: int) -> Splits:
        if self._whole:
            return self.get(key, ())  # another thread may have filled it since the key was not there
        self._left -= 1
        if self._left >= 0:
            found = self[key] = _splits_of(key, self._ranks)
            return found
        # other threads read meanwhile: put the result in only once it is complete
        self.update(suit_splits() if self._ranks == 9 else honour_splits())
        self._whole = True
        for empty in [one for one, splits in list(self.items()) if not splits]:
            self.pop(empty, None)
        return self.get(key, ())


suit_apart: Final[Mapping[int, Splits]] = _Apart(9)
"""Suit key → every way to split it into melds and at most one pair; () if there is none."""
honour_apart: Final[Mapping[int, Splits]] = _Apart(7)
"""The same for the honours: at most one way."""


@cache
def suit_splits() -> dict[int, Splits]:
    """Return all 21 743 keys of a suit that can be split into melds and at most one pair, with every way."""
    return _all_splits(9)


@cache
def honour_splits() -> dict[int, Splits]:
    """Return the same for the honours: one way each."""
    return _all_splits(7)


_MOST_LEVELS = 40_000
"""Capacity of the cache of lanes, about 10 MiB: a server with thousands of tables meets 400 000 keys."""


class _Levels(dict[int, tuple[int, int, int, int]]):
    def __missing__(self, key: int) -> tuple[int, int, int, int]:
        if len(self) >= _MOST_LEVELS:
            self.clear()
        t1 = t2 = t3 = t4 = 0
        bit, rest = 1, key
        while rest:
            n = rest % 5
            t1 |= bit * (n > 0)
            t2 |= bit * (n > 1)
            t3 |= bit * (n > 2)
            t4 |= bit * (n > 3)
            rest //= 5
            bit <<= 1
        found = self[key] = (t1, t2, t3, t4)
        return found


LEVELS = _Levels()
"""Suit key → lanes of ranks held at least once, twice, three and four times; filled on demand."""


def levels(key: int) -> tuple[int, int, int, int]:
    """Return the lanes of ranks held at least once, twice, three and four times, for a suit key."""
    return LEVELS[key]


_TWO, _THREE = 2 * KEY_BITS, 3 * KEY_BITS


def tile_planes(key: int) -> tuple[int, int, int, int]:
    """Return the planes of tiles with at least one, two, three and four copies, for a hand's key."""
    a1, a2, a3, a4 = LEVELS[key & KEY_MASK]
    b1, b2, b3, b4 = LEVELS[key >> KEY_BITS & KEY_MASK]
    c1, c2, c3, c4 = LEVELS[key >> _TWO & KEY_MASK]
    z1, z2, z3, z4 = LEVELS[key >> _THREE]
    return (
        a1 | b1 << 16 | c1 << 32 | z1 << 48,
        a2 | b2 << 16 | c2 << 32 | z2 << 48,
        a3 | b3 << 16 | c3 << 32 | z3 << 48,
        a4 | b4 << 16 | c4 << 32 | z4 << 48,
    )


def first_plane(key: int) -> int:
    """The first of `tile_planes`."""
    return (
        LEVELS[key & KEY_MASK][0]
        | LEVELS[key >> KEY_BITS & KEY_MASK][0] << 16
        | LEVELS[key >> _TWO & KEY_MASK][0] << 32
        | LEVELS[key >> _THREE][0] << 48
    )


class Completion(NamedTuple):
    """The ranks that make a suit complete, and the melds and pairs it then has.

    A rank of which the suit holds all four is included, as if there were a fifth tile: whether that is a wait depends
    on the book.
    """

    melds: int
    pairs: int
    ranks: int  # as a lane
    in_pair: int  # those of them that can finish the pair


_NONE = Completion(-1, -1, 0, 0)
_completions: tuple[dict[int, Completion], dict[int, Completion]] = ({}, {})


def completions(key: int, honours: bool) -> Completion:
    """Return every rank that makes this suit complete when added to it."""
    found = _completions[honours].get(key)
    if found is None:
        table = honour_apart if honours else suit_apart
        t4 = levels(key)[3]
        melds = pairs = -1
        ranks = in_pair = 0
        for r in range(7 if honours else 9):
            splits = _with_fifth(key, r, honours) if t4 >> r & 1 else table[key + 5**r]
            for split in splits:
                melds, pairs = split.melds, split.pairs  # the number of tiles alone decides them
                ranks |= 1 << r
                in_pair |= split.pair & 1 << r
        found = _completions[honours][key] = Completion(melds, pairs, ranks, in_pair) if ranks else _NONE
    return found


def _with_fifth(key: int, r: int, honours: bool) -> Splits:
    """Return how a suit splits with a fifth tile of rank r, by the groups that tile would stand in."""
    t1 = levels(key)[0]
    table = honour_apart if honours else suit_apart
    found = [split._replace(pairs=1, pair=1 << r) for split in table[key - 5**r] if not split.pairs]
    rests = [key - 2 * 5**r]
    for a, b in () if honours else ((r + 1, r + 2), (r - 1, r + 1), (r - 2, r - 1)):
        if a >= 0 and b < 9 and t1 >> a & t1 >> b & 1:
            rests.append(key - 5**a - 5**b)
    # a pair of four alike that the rest may have is another matter than the fifth tile's own place
    return (*found, *(split._replace(melds=split.melds + 1, pair=0) for rest in rests for split in table[rest]))


class SuitRow(NamedTuple):
    """One way to split tiles of a suit; planes of a single lane."""

    cls: int  # 2 * melds + pairs
    planes: tuple[int, int, int, int, int]  # c1 c2 c3 c4 p
    pair: int
    levels: tuple[int, int, int, int]  # tiles held at least once … four times
    key: int  # the tiles, see `suit_tables`


@cache
def suit_rows(ranks: int) -> tuple[SuitRow, ...]:
    """Return the readings of a suit of nine ranks (23 533), or of the seven honours, sorted by class."""
    splits = suit_splits() if ranks == 9 else honour_splits()
    return tuple(
        sorted(
            SuitRow(2 * split.melds + split.pairs, split[2:7], split.pair, levels(key), key)
            for key, ways in splits.items()
            for split in ways
        )
    )


# Unary: the tiles of a suit as an integer in which copy n + 1 of rank r is bit 9 n + r.


def unary_levels(planes: tuple[int, int, int, int]) -> int:
    """Return four lanes (once, twice, three, four times) in unary."""
    one, two, three, four = planes
    return one | two << 9 | three << 18 | four << 27


_COPIES = [sum(1 << 9 * n for n in range(have)) for have in range(5)]


def unary_counts(counts: Iterable[int]) -> int:
    """Return the copies of each rank in unary; four of a rank at most."""
    made = 0
    for r, have in enumerate(counts):
        made |= _COPIES[have if have < 4 else 4] << r
    return made
