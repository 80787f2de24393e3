"""Detect on arrays, combine once for each distinct signature; the plain twin is `Rulebook.tally`.

The rows' own conditions run on planes of arrays. Their results for a reading, together with the planes that the
book's arithmetic reads, are its signature; readings of equal signature score the same, so the book's own
`combine` (the very one that scores a single hand) runs once for a representative, and its result is cached.

A signature is identified by a 64-bit hash. Two different signatures of one run collide with a chance below
n² / 2⁶⁵ (n signatures: 10⁻⁹ for a hundred thousand); a slow test compares every hand of the universe with `score`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import starmap
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.readings import planes_at, whole
from quepu.fast.weighing.occurrences import looks, occurrence_condition
from quepu.hands.planes import Condition, Planes, count, reads
from quepu.rulebooks import find_registered
from quepu.rules.arithmetic import AdditiveArithmetic, Classified, Hits, Tally
from quepu.rules.row import EACH, Fan
from quepu.rules.rulebook import Rulebook

U64 = np.uint64


class Index:
    """A hash table from 64-bit numbers to small ones, for many look-ups at once (open addressing)."""

    def __init__(self) -> None:
        self._bits = 16
        self._hash = np.zeros(1 << self._bits, U64)
        self._id = np.full(1 << self._bits, -1, np.int32)
        self.hashes = np.zeros(0, U64)

    def find(self, hashes: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Return the number of each hash, -1 where it is new."""
        slot = (hashes >> U64(64 - self._bits)).view(np.int64)
        found = self._id.take(slot)
        wrong = np.flatnonzero((self._hash.take(slot) != hashes) & (found >= 0))
        while wrong.size:
            slot[wrong] = slot[wrong] + 1 & (1 << self._bits) - 1
            found[wrong] = self._id[slot[wrong]]
            wrong = wrong[(found[wrong] >= 0) & (self._hash[slot[wrong]] != hashes[wrong])]
        return found

    def add(self, hashes: NDArray[np.uint64]) -> None:
        """Assign the next numbers to these hashes, which are new and distinct."""
        start = len(self.hashes)
        self.hashes = np.concatenate([self.hashes, hashes])
        if self._grow(len(self.hashes)):
            return
        self._place(start)

    def room_for(self, more: int) -> tuple[NDArray[np.uint64], NDArray[np.int32], int]:
        """Return slots with room for more: the hash and the number (-1: none) of each, and log2 of their number.

        A hash stands at its first bits, or at the next free slot. Call `placed` after putting some there.
        """
        self._grow(len(self.hashes) + more)
        return self._hash, self._id, self._bits

    def placed(self, hashes: NDArray[np.uint64]) -> None:
        """Note hashes that were put into slots with the next numbers."""
        self.hashes = np.concatenate([self.hashes, hashes])

    def _grow(self, n: int) -> bool:
        """Make room for n hashes in all; whether all were placed anew for that."""
        if 2 * n <= 1 << self._bits:
            return False
        while 4 * n > 1 << self._bits:
            self._bits += 1
        self._hash = np.zeros(1 << self._bits, U64)
        self._id = np.full(1 << self._bits, -1, np.int32)
        self._place(0)
        return True

    def _place(self, start: int) -> None:
        """Put the hashes from this one on into slots: all at once, those that find theirs taken in the next."""
        numbers = np.arange(start, len(self.hashes), dtype=np.int32)
        slot = (self.hashes[start:] >> U64(64 - self._bits)).astype(np.int64)
        while numbers.size:
            free = np.flatnonzero(self._id.take(slot) < 0)
            self._id[slot[free]] = numbers[free]  # if several want one slot, the last one gets it
            stays = self._id.take(slot) == numbers
            self._hash[slot[stays]] = self.hashes[numbers[stays]]
            left = np.flatnonzero(~stays)
            numbers, slot = numbers[left], slot[left] + 1 & (1 << self._bits) - 1


Array = NDArray[Any]
_FOLD = 29
_CONDITIONS_MOST = 4096
_MANY = 40
"""From so many readings on, evaluating rows on arrays is faster."""

# Planes that follow from the pungs and the pair in any one state of the universe.
PUNG_PLANES = frozenset({"p", "xp", "pc", "k", "kc", "pair", "form", "seat", "round"})
# Planes that do not depend on the pair or the tiles: a condition that reads only these is the same for every pair.
MELD_PLANES = frozenset(Planes._fields) - {"pair", "t1", "t2", "t3", "t4"}


class Column(NamedTuple):
    """One component of a signature, with the planes it reads."""

    condition: Condition
    reads: frozenset[str]
    times: Any  # odd, uint64: its share of the hash

    @property
    def of_pungs(self) -> bool:
        """Whether it reads only the pungs and the pair."""
        return self.reads <= PUNG_PLANES

    @property
    def of_melds(self) -> bool:
        """Whether its value is the same for every pair."""
        return self.reads <= MELD_PLANES


def signature_parts(book: Rulebook) -> list[tuple[Condition, frozenset[str]]]:
    """Return the components of a book's signatures: its rows, and the planes its arithmetic reads beside them.

    A `Classified` arithmetic declares what determines points and fans beside how often each row holds (then a row that
    counts each of its places contributes their number, not which they are), and whether the groups of each row matter.
    What it declares is about the book as registered: relations that a house adds are looked at as well (`places_left`).
    """
    if not isinstance(book.arithmetic, Classified):
        plain = [(fan.when, fan.reads) for fan in book.fans]
        return plain + [(_plane(name), frozenset({name})) for name in book.arithmetic.reads]
    rows = [(_number(fan.when) if fan.of == EACH else fan.when, fan.reads) for fan in book.fans]
    conditions, by_groups = book.arithmetic.decides
    rows += [(condition, reads(condition)) for condition in (*conditions, *places_left(book))]
    if by_groups:
        rows.append((_pungs, frozenset({"p"})))
        for fan in book.fans:
            condition = occurrence_condition(fan) if fan.of > 0 else None
            if condition is not None:
                rows.append((condition, looks(fan)))
    return rows


@lru_cache(_CONDITIONS_MOST)
def _number(when: Condition) -> Condition:
    """Return the same condition each time, so that its expression is worked out once."""
    return lambda h: count(when(h))


def places_left(book: Rulebook) -> list[Condition]:
    """Return the numbers of places that rows keep, of those that a house lets other rows drop place by place."""
    arithmetic, own = book.arithmetic, find_registered(book)
    if own is book or not isinstance(arithmetic, AdditiveArithmetic) or not arithmetic.additive_figures(book).by_places:
        return []
    found = []
    for i, row in enumerate(book.fans):
        droppers = [fan for j, fan in enumerate(book.fans) if book.drops[j] >> i & 1 and (fan.on or fan.of == EACH)]
        if row.of == EACH and any(not _drops(own, fan, row) for fan in droppers):
            found.append(_leave(row.when, tuple((fan.when, fan.on) for fan in droppers)))
    return found


def _drops(book: Rulebook, fan: Fan, row: Fan) -> bool:
    """Return whether these rows are the book's own, and the one drops the other in it."""
    names = {one.when: i for i, one in enumerate(book.fans)}
    i, j = names.get(row.when), names.get(fan.when)
    return i is not None and j is not None and bool(book.drops[j] >> i & 1) and book.fans[j].on is fan.on


@lru_cache(_CONDITIONS_MOST)
def _leave(when: Condition, droppers: tuple[tuple[Condition, Condition | None], ...]) -> Condition:
    """Return the number of places that no dropper covers."""

    def left(h: Planes) -> Any:
        places = when(h)
        for holds, on in droppers:
            covers = holds(h) if on is None else on(h) & (holds(h) != 0) * -1
            places = places & (covers ^ -1)
        return count(places)

    return left


@lru_cache(_CONDITIONS_MOST)
def _plane(name: str) -> Condition:
    return attrgetter(name)


def _pungs(h: Planes) -> Any:
    return count(h.p)


class Signatures:
    """The signatures met so far under some conditions, numbered; `examples` are one reading's planes of each."""

    def __init__(self, conditions: Iterable[tuple[Condition, frozenset[str]]]) -> None:
        self._number = 0
        self._blocks = [np.zeros((0, len(Planes._fields)), np.int64)]
        self._examples: list[Planes] = []
        self.index = Index()
        rng = np.random.default_rng(20261121)  # any odd constants would do; these are fixed so that runs agree
        columns = list(conditions)
        times = rng.integers(1, 1 << 63, len(columns), dtype=U64) * U64(2) + U64(1)
        self.columns = [Column(condition, seen, x) for (condition, seen), x in zip(columns, times, strict=True)]
        self.first = len(columns)
        """Loops over a universe are compiled for so many of the columns; the others are asked beside them."""

    def __len__(self) -> int:
        return self._number

    @property
    def planes(self) -> Array:
        """The examples: int64 [signatures, planes]."""
        if len(self._blocks) > 1:
            self._blocks[:] = [np.concatenate(self._blocks)]
        return self._blocks[0]

    @property
    def examples(self) -> list[Planes]:
        """One reading's planes of each; made when they are looked at."""
        if len(self._examples) < self._number:
            self._examples += starmap(Planes, self.planes[len(self._examples) :].tolist())
        return self._examples

    # ---- from planes to class numbers

    def hash(self, h: Any, columns: Iterable[Column], start: Array | None = None) -> Array:
        """Sum of these columns' shares of the hash of each reading (uint64; `start` is added)."""
        total: Any = U64(0) if start is None else start
        with np.errstate(over="ignore"):
            for condition, _, times in columns:
                total = total + _share(condition(h), times)
        found: Array = total
        return found

    def numbers(self, hashes: Array, h: Any) -> Array:
        """Return class numbers (int32) of readings with these hashes; `h` gives the planes of those that are new."""
        value = self.index.find(hashes)
        new = np.flatnonzero(value < 0)
        if new.size:
            distinct, first, inverse = np.unique(hashes[new], return_index=True, return_inverse=True)
            base = self._number
            self.index.add(distinct)
            self.settle(planes_at(h, new[first]))
            value[new] = base + inverse
        return value

    def settle(self, planes: Array) -> None:
        """Take up new signatures by one reading of each: int64 [n, planes]."""
        self._blocks.append(planes)
        self._number += len(planes)

    def classify(self, h: Any, n: int) -> Array:
        """Return class numbers of n readings given as planes of arrays (fields that are plain ints hold for all)."""
        return self.numbers(self.hash(h, self.columns, np.zeros(n, U64)), h)


class HeldRows(NamedTuple):
    """Rows that hold in each of many readings, one reading behind the other."""

    starts: Array  # int64 [readings + 1]
    rows: Array  # int64 [held]
    values: Array  # int64 [held], as in `Hits`

    def of(self, places: Array, fans: int) -> Array:
        """Return the values of each row in some of the readings: int64 [fans, places], 0 where it does not."""
        sizes = self.starts[places + 1] - self.starts[places]
        at = np.repeat(self.starts[places] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        found = np.zeros((fans, len(places)), np.int64)
        found[self.rows[at], np.repeat(np.arange(len(places)), sizes)] = self.values[at]
        return found


class Classes(Signatures):
    """The signatures met so far under one book: their tallies, points and fans.

    `points` and `bonus` are int32 arrays by class number; `tallies`, `hits` and `examples` (one reading's planes)
    sequences in the same order. Values are made of all new classes at once, when they are first read.
    """

    def __init__(self, book: Rulebook) -> None:
        super().__init__(signature_parts(book))
        self.book = book
        self._tallies: list[Tally] = []
        self.hits: list[Hits] = []
        self._points = np.zeros(0, np.int32)
        self._bonus = np.zeros(0, np.int32)
        self._counts = np.zeros((0, len(book.fans)), np.uint8)
        self._holds = np.zeros((0, len(book.fans)), np.bool_)
        self._parts: Mapping[str, Array] = {}
        self._held: HeldRows | None = None

    def settle(self, planes: Array) -> None:
        """Take up new classes by one reading of each, and what holds in it."""
        super().settle(planes)
        several = len(planes) >= _MANY
        self.hits += _detect(self.book, planes) if several else map(self.book.detect, starmap(Planes, planes.tolist()))

    def _value(self, base: int) -> None:
        """Give the classes from this one on their values."""
        more = [self.book.tally_hits(held, h) for held, h in zip(self.hits[base:], self.examples[base:], strict=True)]
        self._tallies += more
        self._points = np.concatenate([self._points, np.array([t.points for t in more], np.int32)])
        self._bonus = np.concatenate([self._bonus, np.array([t.bonus for t in more], np.int32)])

    # ---- the values of a class

    def _all_valued(self) -> None:
        if len(self._points) < len(self):
            self._value(len(self._points))

    @property
    def points(self) -> Array:
        """Points towards the minimum: int32 [classes]."""
        self._all_valued()
        return self._points

    @property
    def bonus(self) -> Array:
        """Points on top of them: int32 [classes]."""
        self._all_valued()
        return self._bonus

    @property
    def tallies(self) -> Sequence[Tally]:
        """The book's tallies, by class."""
        self._all_valued()
        return self._tallies

    @property
    def counts(self) -> Array:
        """Number of times each fan counts: uint8 [classes, fans]."""
        self._all_valued()
        if len(self._counts) < len(self.tallies):
            more = np.zeros((len(self.tallies) - len(self._counts), len(self.book.fans)), np.uint8)
            for row, tally in enumerate(self.tallies[len(self._counts) :]):
                for counted in tally.counted:
                    more[row, counted.row] += counted.times
            self._counts = np.concatenate([self._counts, more])
        return self._counts

    @property
    def holds(self) -> Array:
        """The conditions of fans that hold, counted or not: bool [classes, fans]."""
        if len(self._holds) < len(self.hits):
            held = self.held
            self._holds = np.zeros((len(self.hits), len(self.book.fans)), np.bool_)
            self._holds[np.repeat(np.arange(len(self.hits)), np.diff(held.starts)), held.rows] = True
        return self._holds

    @property
    def held(self) -> HeldRows:
        """The rows that hold in each class."""
        if self._held is None or len(self._held.starts) <= len(self.hits):
            starts = np.cumsum([0, *map(len, self.hits)])
            pairs = np.array([hit for hits in self.hits for hit in hits], np.int64).reshape(-1, 2)
            self._held = HeldRows(starts, pairs[:, 0].copy(), pairs[:, 1].copy())
        return self._held

    @property
    def parts(self) -> Mapping[str, Array]:
        """The sums of the book's arithmetic (fan, or fu and fan): int32 [classes] each."""
        self._all_valued()
        if not self._parts or any(len(column) < len(self) for column in self._parts.values()):
            names = self.tallies[0].parts if len(self) else ()
            self._parts = {name: np.array([t.parts[name] for t in self.tallies], np.int32) for name in names}
        return self._parts


def _detect(book: Rulebook, planes: Array) -> list[Hits]:
    """Do what `Rulebook.detect` does for many readings at once: planes int64 [n, planes]."""
    h = Planes(*planes.T)
    found: list[list[tuple[int, int]]] = [[] for _ in planes]
    for row, fan in enumerate(book.fans):
        held = whole(fan.when(h), len(planes)).astype(np.int64)
        there = np.flatnonzero(held)
        for at, value in zip(there.tolist(), held[there].tolist(), strict=True):
            found[at].append((row, value))
    return [tuple(hits) for hits in found]


def _share(value: Any, times: Any) -> Any:
    """Return the part of the hash that one column adds.

    High bits are folded down first, or the multiplication would lose them.
    """
    if isinstance(value, np.ndarray):
        if value.dtype == np.bool_:
            return value * times
        value = value.astype(np.int64, copy=False).view(U64)
        return (value ^ value >> U64(_FOLD)) * times
    x = int(value)
    return U64((x ^ x >> _FOLD) * int(times) & 0xFFFF_FFFF_FFFF_FFFF)
