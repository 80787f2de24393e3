"""Sums of hands by class while a universe is sorted, compiled where numba is; the twin is a `Counter` of single hands.

`Collected` takes up hands of one part. `PairsLoop` goes through every set of tiles of a shape of fours and pairs: its
class, whether it is four melds and a pair too, and the sums.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import comb
from textwrap import indent
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.readings import planes_at
from quepu.fast.arrays.suit_tables import lanes
from quepu.fast.compiled.code_cache import CachedCode, installed
from quepu.fast.compiled.conditions import instructions
from quepu.fast.universe.census import PUNGS
from quepu.fast.universe.classes import Signatures
from quepu.fast.universe.compiled_classes import LOOK_UP, hash_of
from quepu.fast.universe.special import choices, key_of_lane, keys_of, of_pairs
from quepu.fast.universe.standard_hands import Universe
from quepu.hands.planes import Planes
from quepu.rules.symbols import Symbol, Symbols
from quepu.shapes import Shape, Whole
from quepu.tiles import BIT, KINDS

Array = NDArray[Any]
_MIX = np.uint64(0x9E3779B97F4A7C15)
PlanesOf = Callable[[Array], Array]
"""The planes of readings by their numbers: int64 [n, planes]."""


class Several(NamedTuple):
    """Hands that can be read in several ways, by the codes of their readings in order (see `ClassedPart`)."""

    starts: Array  # int32 [kinds + 1]: where the readings of each kind begin
    code: Array  # int32 [readings]
    sets: Array  # int64 [readings]: tile sets of these hands as they are read so (a kong is four tiles)
    hands: Array  # int64 [kinds]
    examples: Array  # int64 [readings, planes]: the readings of one such hand


class ClassedPart(NamedTuple):
    """Hands of one shape. A code is 5 times the class, and the number of pungs."""

    readings: Array  # int64 [n, 3]: code, readings, tile sets
    single: Array  # int64 [n, 3]: code, hands of one reading, tile sets
    several: Several


class Collected:
    """Hands of one part while they are met."""

    def __init__(self) -> None:
        self._readings = np.zeros((0, 2), np.int64)
        self._single = np.zeros((0, 2), np.int64)
        self._place: dict[tuple[int, ...], int] = {}
        self._hands: list[int] = []
        self._sets: list[Array] = []
        self._examples: list[Array] = []

    def readings(self, code: Array, weight: Array | None = None) -> None:
        """Add readings of hands."""
        self._readings = _add(self._readings, code, weight)

    def single(self, code: Array, weight: Array) -> None:
        """Add hands of one reading."""
        self._single = _add(self._single, code, weight)

    def standard(self, universe: Universe, kind: int, index: Array, numbers: Array) -> None:
        """Add readings of the classes of these meld sets with this pair."""
        if installed():
            self._readings = add_sums(universe, kind, index, numbers, self._readings)
            return
        code = numbers.astype(np.int64) * PUNGS + universe.pungs[index]
        self.readings(code, universe.weights(kind, index))

    def single_but(self, code: Array, weight: Array) -> None:
        """Add hands of one reading: all whose readings were added but these, which are part of those."""
        self._single = self._readings - _add(np.zeros_like(self._readings), code, weight)

    def whole(self, sums: Array, single: Array) -> None:
        """Add readings and hands of one reading that were summed."""
        self._readings, self._single = sums, single

    def hands(self, of: Array, rank: Array, code: Array, weight: Array, planes: PlanesOf) -> None:
        """Add the readings of hands `of`, ordered by `rank` in each hand; `planes` gives the planes of readings."""
        if not len(of):
            return
        order = np.lexsort((rank, of))
        of, code, weight = of[order], code[order], weight[order]
        first = np.flatnonzero(np.concatenate([[True], of[1:] != of[:-1]]))
        size = np.diff(np.append(first, len(of)))
        alike = [np.maximum.reduceat(x, first) == np.minimum.reduceat(x, first) for x in (code, weight)]
        size[alike[0] & alike[1]] = 1  # readings of one class are as good as one
        self.single(code[first[size == 1]], weight[first[size == 1]])
        new: list[Array] = []
        for n in range(2, int(size.max()) + 1):
            if not (size == n).any():
                continue
            at = first[size == n][:, None] + np.arange(n)
            codes = code[at]
            _, index, inverse, hands = np.unique(
                _mark(codes), return_index=True, return_inverse=True, return_counts=True
            )
            sets = np.stack([_add_up(inverse, column, len(index)) for column in weight[at].T], axis=1)
            for row, one, many, w in zip(codes[index].tolist(), index.tolist(), hands.tolist(), sets, strict=True):
                place = self._place.setdefault(tuple(row), len(self._hands))
                if place == len(self._hands):
                    new.append(order[at[one]])
                    self._hands.append(0)
                    self._sets.append(np.zeros(n, np.int64))
                self._hands[place] += many
                self._sets[place] += w
        if new:
            self._examples.append(planes(np.concatenate(new)))

    def part(self) -> ClassedPart:
        """Return the collected part."""
        sizes = [len(key) for key in self._place]
        none = np.zeros(0, np.int64)
        several = Several(
            np.cumsum([0, *sizes]).astype(np.int32),
            np.array([code for key in self._place for code in key], np.int32),
            np.concatenate([none, *self._sets]),
            np.array(self._hands, np.int64),
            np.concatenate([np.zeros((0, len(Planes._fields)), np.int64), *self._examples]),
        )
        return ClassedPart(_select_met(self._readings), _select_met(self._single), several)


def _mark(codes: Array) -> Array:
    """Return a mark of each row of codes: uint64, the same for equal rows, unlikely to be the same for others.

    Sorting marks takes a tenth of the time that sorting rows does.
    """
    marks = np.zeros(len(codes), np.uint64)
    for column in codes.T:
        marks = (marks ^ column.astype(np.uint64)) * _MIX
        marks ^= marks >> np.uint64(29)
    return marks


def _add_up(at: Array, weight: Array, n: int) -> Array:
    """Return the sum of the weights at each of n places: int64. Doubles are exact here, as in `_add`."""
    return np.bincount(at, weight, n).astype(np.int64)


def _add(sums: Array, code: Array, weight: Array | None) -> Array:
    """Return the sums [codes, 2] of numbers and weights with these added; exact, for all stay below 2 ** 53."""
    if not len(code):
        return sums
    n = max(len(sums), int(code.max()) + 1)
    if len(sums) < n:
        sums = np.concatenate([sums, np.zeros((n - len(sums), 2), np.int64)])
    sums[:, 0] += np.bincount(code, minlength=n)
    if weight is not None:
        sums[:, 1] += _add_up(code, weight, n)
    return sums


def _select_met(sums: Array) -> Array:
    at = np.flatnonzero(sums[:, 0])
    return np.concatenate([at[:, None], sums[at]], axis=1)


U64 = np.uint64
_ROOM, _MOST_STANDARD = 1 << 13, 1 << 14

_SUMS = """
@numba.njit(cache=True)
def add(bit, index, numbers, pungs, weight, t1, t2, sums):
    for row in range(len(index)):
        i = index[row]
        w = weight[i]
        if t2[i] & bit:
            w = w // 6
        elif not t1[i] & bit:
            w = w * 6
        at = numbers[row] * 5 + pungs[i]
        sums[at, 0] += 1
        sums[at, 1] += w


@numba.njit(cache=True)
def choices(bits, n, places, held, out):
    for k in range(n):
        places[k] = k
        held[k + 1] = held[k] | bits[k]
    at = 0
    while True:
        for last in range(places[n - 1], len(bits)):
            out[at] = held[n - 1] | bits[last]
            at += 1
        k = n - 2
        while k >= 0 and places[k] == len(bits) - n + k:
            k -= 1
        if k < 0:
            return
        places[k] += 1
        held[k + 1] = held[k] | bits[places[k]]
        for j in range(k + 1, n):
            places[j] = places[j - 1] + 1
            held[j + 1] = held[j] | bits[places[j]]
"""
_CODE = CachedCode("sums", _SUMS)


def add_sums(universe: Any, kind: int, index: Array, numbers: Array, sums: Array) -> Array:
    """Return sums int64 [codes, 2] of hands and tile sets with those of these meld sets and this pair added."""
    sums = _room(sums, (int(numbers.max(initial=0)) + 1) * PUNGS)
    m = universe.base
    _CODE.functions.add(BIT[kind], index, numbers, universe.pungs, universe.weight, m.t1, m.t2, sums)
    return sums


def _room(sums: Array, n: int) -> Array:
    return sums if len(sums) >= n else np.concatenate([sums, np.zeros((n - len(sums), 2), np.int64)])


def _choose(n: int, bits: Array) -> Array:
    """Do the same as `choices`, compiled."""
    number = comb(len(bits), n)
    if n == 0 or number == 0:
        return choices(n, bits)
    out = np.empty(number, np.int64)
    _CODE.functions.choices(bits, n, np.zeros(n, np.int64), np.zeros(n + 1, np.int64), out)
    return out


# ---- seven pairs, whole sets of them at a time

_GIVEN = (
    "fours, line, begin, pairs, keys, suits, honours, before, hashes, ids, shift, mask, first, first_fours, met, sums, "
    "standard, met_standard, weight"
)
_LOOP = """@numba.njit(cache=True)
def run({given}):
    new = 0
    for line in range(line, len(fours)):
        t3 = fours[line]
        for row in range(begin, len(pairs)):
            if pairs[row] & t3:
                continue
            if met_standard == len(standard):
                return line, row, new, met_standard
            t1 = pairs[row] | t3
            {line}
            total = numba.uint64({result})
{look_up}
            at = number * 5 + {pungs}
            sums[at, 0] += 1
            sums[at, 1] += weight
            code = honours[keys[t1 >> 48 & 0x1FF] + keys[t3 >> 48 & 0x1FF]]
            if code < 2:
                code += suits[keys[t1 & 0x1FF] + keys[t3 & 0x1FF]]
                code += suits[keys[t1 >> 16 & 0x1FF] + keys[t3 >> 16 & 0x1FF]]
                code += suits[keys[t1 >> 32 & 0x1FF] + keys[t3 >> 32 & 0x1FF]]
                if code == 1:
                    standard[met_standard, 0] = t1
                    standard[met_standard, 1] = t3
                    standard[met_standard, 2] = at
                    met_standard += 1
        begin = 0
    return len(fours), 0, new, met_standard
"""


class PairsCounted(NamedTuple):
    """Sums of a shape of fours and pairs, and those of its tile sets that are four melds and a pair too."""

    sums: Array  # int64 [codes, 2]: readings and tile sets, all of them
    alone: Array  # the same without those that are standard too
    keys: Array  # int32 [4, n]: the suit keys of these


class PairsLoop:
    """The loop for the conditions of some classes and a shape of fours and pairs."""

    def __init__(self, columns: tuple[Any, ...], whole: Whole, seat: int, round: int, luck: int) -> None:
        symbols = Symbols()
        h = symbols.planes
        t1, t3 = h.t1, h.t3
        held: Any = h._replace(**dict.fromkeys(h._fields, 0) | {"t1": t1, "t2": t1, "t3": t3, "t4": t3, "luck": luck})
        fours = whole.fours(held)
        made = held._replace(
            p=fours, pc=fours, pair=whole.pair(held), place=whole.place(held), form=whole.form,
            seat=BIT[seat], round=BIT[round],
        )  # fmt: skip
        pungs: Any = fours.bit_count() if isinstance(fours, Symbol) else symbols.const(int(fours).bit_count())
        line, (result, number) = instructions([hash_of(columns, symbols, made), pungs])
        look_up = LOOK_UP.replace("return row, new", "return line, row, new, met_standard")
        look_up = look_up.replace(
            "first[new], met[new] = i, total", "first[new], first_fours[new], met[new] = t1, t3, total"
        )
        text = _LOOP.format(
            given=_GIVEN, line=line, result=result, pungs=number,
            look_up=indent(look_up, "    "),
        )  # fmt: skip
        self._code = CachedCode("pairs", text)

    def count(
        self, classes: Signatures, shape: Shape, seat: int, round: int, luck: int, kinds: Sequence[int] = range(KINDS)
    ) -> PairsCounted:
        """Return every tile set of the shape, of some kinds only if they are named; new classes are taken up."""
        bits = np.array([BIT[kind] for kind in kinds], np.int64)
        suits, honours, table = lanes()[0].code, lanes()[3].code, key_of_lane(2)
        sums = np.zeros((0, 2), np.int64)
        aside: list[Array] = []
        keys = [np.zeros((4, 0), np.int32)]
        first, first_fours, met = np.empty(_ROOM, np.int64), np.empty(_ROOM, np.int64), np.empty(_ROOM, U64)
        standard = np.empty((_MOST_STANDARD, 3), np.int64)
        for made in shape.made_of:
            fours, pairs, weight = _choose(made.fours, bits), _choose(made.pairs, bits), 6**made.pairs
            line = begin = several = 0
            while line < len(fours):
                hashes, ids, slots = classes.index.room_for(_ROOM)
                before = len(classes.index.hashes)
                sums = _room(sums, (before + _ROOM) * PUNGS)
                line, begin, new, several = self._code.functions.run(
                    fours, line, begin, pairs, table, suits, honours, before, hashes, ids, 64 - slots,
                    U64((1 << slots) - 1), first, first_fours, met, sums, standard, several, weight,
                )  # fmt: skip
                if new:
                    classes.index.placed(met[:new])
                    h = of_pairs(shape, first[:new], first_fours[:new]).planes(seat, round, luck)
                    classes.settle(planes_at(h, np.arange(new)))
                if several and (several == len(standard) or line == len(fours)):
                    held, alike, code = standard[:several].T
                    aside.append(np.stack([code, np.full(several, weight)]))
                    keys.append(keys_of(held, 2) + keys_of(alike, 2))
                    several = 0
        alone = sums.copy()
        for code, weights in aside:
            np.subtract.at(alone, code, np.stack([np.ones_like(weights), weights], axis=1))
        return PairsCounted(sums, alone, np.concatenate(keys, axis=1))


@lru_cache(16)
def _loop(columns: tuple[Any, ...], whole: Whole, seat: int, round: int, luck: int) -> PairsLoop | None:
    try:
        return PairsLoop(columns, whole, seat, round, luck)
    except (TypeError, AttributeError, ValueError, IndexError, KeyError):
        return None  # something in it cannot be expressed in symbols


def pairs_loop(classes: Signatures, shape: Shape, seat: int, round: int, luck: int) -> PairsLoop | None:
    """Return the loop for these classes; None if there is none, or if it lacks conditions that are asked."""
    if not installed() or shape.whole is None or not shape.made_of or classes.first < len(classes.columns):
        return None
    return _loop(tuple(classes.columns), shape.whole, seat, round, luck)
