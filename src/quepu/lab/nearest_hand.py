"""Find the wanted hand that is the fewest tiles away from the one in hand, exactly; or prove that there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.errors import HandError
from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.readings import one, read
from quepu.fast.universe.census import PUNGS
from quepu.fast.universe.classed import OVERLAPPING
from quepu.fast.universe.collected import ClassedPart
from quepu.fast.universe.limits import limits_of
from quepu.fast.universe.special import CHUNK, Chunk, counts_of, is_tabulated, pairs_missing, special_wins, tabulate
from quepu.fast.universe.standard_hands import HandState, Universe, find_shared
from quepu.fast.universe.valued import Classified, HandClassifier, Valued
from quepu.hands.hand import Hand, Luck, MeldKind
from quepu.hands.planes import Planes
from quepu.lab.hand_text import reading_text
from quepu.shapes import SHAPES
from quepu.shapes.standard import SHAPE as STANDARD
from quepu.tiles import BIT, EAST, KINDS

Array = NDArray[Any]
WHOLE = 14
_MOST_ROWS = 12
_OFTEN = 0.3
"""Rows that hold in a larger share of hands do not narrow the search."""


class NearHand(NamedTuple):
    """A wanted hand: its groups, points and fans, and the tiles to give away and to get (kinds)."""

    text: str
    points: int
    fans: tuple[str, ...]
    out: tuple[int, ...]
    into: tuple[int, ...]


class Nearest(NamedTuple):
    """Tiles needed for the nearest wanted hands (None: there is none), how many are that near, and examples."""

    away: int | None
    hands: int
    examples: tuple[NearHand, ...]


class Target:
    """The tiles in hand: those on the table stay. A kong is its pung and counts three tiles."""

    def __init__(self, hand: Hand) -> None:
        held = hand.concealed if hand.winning is None else (*hand.concealed, hand.winning)
        self.counts = np.bincount(np.array(held, np.int64), minlength=KINDS)
        self._planes = [0, 0, 0, 0]
        self._pungs = 0
        for meld in hand.melds:
            for kind in meld.tiles[:3]:
                self.counts[kind] += 1
            if meld.kind == MeldKind.CHOW:
                level = next(n for n, plane in enumerate(self._planes) if not plane & BIT[meld.tile])
                self._planes[level] |= BIT[meld.tile]
            else:
                self._pungs |= BIT[meld.tile]
        if (self.counts > 4).any() or self.counts.sum() > WHOLE:
            raise HandError(
                "这副牌应不多于 14 张，每种不多于 4 张。",
                "this hand should have at most 14 tiles, at most four of a kind.",
            )
        self.shared = [self._lane(s) for s in range(4)]

    def _lane(self, s: int) -> Array:
        """Count the tiles of each suit key that are in hand: uint8 by key."""
        table = np.zeros(1, np.uint8)
        for rank in range(9 if s < 3 else 7):
            held = np.minimum(np.arange(5), self.counts[9 * s + rank]).astype(np.uint8)
            table = (held[:, None] + table[None, :]).reshape(-1)
        return table

    def away(self, keys: Array) -> Array:
        """Count the tiles missing for hands with these suit keys [4, N]."""
        return np.asarray(WHOLE - sum(self.shared[s][keys[s]] for s in range(4)))

    def away_from(self, wins: HandArrays) -> Array:
        """Count the same for wins that may have melds."""
        counts = wins.counts.astype(np.int64)
        if wins.meld_array is not None:
            rows = np.arange(wins.n)
            for kind, tile in np.moveaxis(wins.meld_array.astype(np.int64), 1, 0).transpose(0, 2, 1):
                for n in range(3):
                    np.add.at(counts, (rows, np.where(kind == MeldKind.CHOW, tile + n, tile)), kind >= 0)
        return np.asarray(WHOLE - np.minimum(counts, self.counts).sum(axis=1))

    def has_melds(self, h: Any) -> Array | bool:
        """Return whether these readings have the melds on the table."""
        fits: Array | bool = True
        for wanted, plane in zip(self._planes, (h.c1, h.c2, h.c3, h.c4), strict=True):
            if wanted:
                fits = fits & ((plane & wanted) == wanted)
        return fits & ((h.p & self._pungs) == self._pungs) if self._pungs else fits


def nearest(under: Valued, wanted: Array, hand: Hand, examples: int = 5) -> Nearest:
    """Find hands of classes that are `wanted` (bool by the book's class) with the most tiles of this one.

    Every hand of the state is compared: its suit keys tell how many tiles it shares with this one. Hands are then
    classified from the nearest on, but only those in which a row needed by every wanted class holds.

    Raises:
        HandError: more tiles than a hand has.
    """
    return _Search(under, wanted, Target(hand)).find(examples)


class _Search:
    def __init__(self, under: Valued, wanted: Array, target: Target) -> None:
        self.under, self.wanted, self.target = under, wanted, target
        self.state: HandState = under.classed.state
        self.limits = limits_of(under.book)
        self.classifier = HandClassifier(under.book, under.classes, self.state)
        parts = under.classed.parts
        self.standard = self._any(parts[STANDARD.name])
        others = [name for name in parts if name not in (STANDARD.name, OVERLAPPING) and not SHAPES[name].boundless]
        self.others = [name for name in others if self._any(parts[name])]
        self.special = others

    def _any(self, part: ClassedPart) -> bool:
        codes = np.concatenate([part.single[:, 0], part.several.code])
        return bool(self.wanted[self.under.number[codes // PUNGS]].any())

    def find(self, examples: int) -> Nearest:
        near = _Near(self, examples)
        universe = Universe(self.state, limits=self.limits)
        shells = list(self._shells(universe)) if self.standard else []
        narrow = _choose_rows(self.under, self.wanted) if self.standard else []
        listed, fours = list(self._yield_listed()), list(self._fours())
        for away in range(WHOLE + 1):
            self._of_other_shapes(near, away, listed, fours)
            for kind, index, missing in shells:
                some = index[missing == away]
                for at in range(0, len(some), CHUNK):
                    self._block(universe, kind, some[at : at + CHUNK], away, narrow, near)
            if near.hands:
                break
        return near.answer()

    # ---- four melds and a pair

    def _shells(self, universe: Universe) -> Iterator[tuple[int, Array, Array]]:
        keys, table = universe.melds.keys, self.target.shared
        held = [table[s][keys[s]] for s in range(4)]
        for kind, index in universe.pairs():
            s, step = kind // 9, 2 * 5 ** (kind % 9)
            rest = sum(held[other] for other in range(4) if other != s)
            yield kind, index, WHOLE - rest[index] - table[s][keys[s][index] + step]

    def _block(self, universe: Universe, kind: int, index: Array, away: int, narrow: list[int], near: _Near) -> None:
        h: Any = universe.block(kind, index)
        fits = np.broadcast_to(np.asarray(self.target.has_melds(h)), (len(index),))
        if narrow:
            fans = self.under.book.fans
            held = sum((np.asarray(fans[row].when(h)) != 0).astype(np.uint8) for row in narrow)
            fits = fits & (np.broadcast_to(held, (len(index),)) != 0)
        index = index[fits]
        if not len(index):
            return
        number = self.classifier.classes.classify(universe.block(kind, index), len(index))
        index = index[self.wanted[number]]
        number = number[self.wanted[number]]
        if len(index):
            index, number = self._best(universe, kind, index, number)
        if len(index) and self.special:
            alone = ~self._otherwise(universe, kind, index)
            index, number = index[alone], number[alone]
        if len(index):
            near.add(away, number, lambda at: one(universe.block(kind, index), at))

    def _best(self, universe: Universe, kind: int, index: Array, number: Array) -> tuple[Array, Array]:
        """Return those whose reading is the best of their tiles."""
        same, place = find_shared(), _places()
        at = np.searchsorted(place[0], (np.int64(kind) << 32) | index)
        at = np.minimum(at, len(place[0]) - 1)
        several = place[0][at] == (np.int64(kind) << 32) | index
        stays = np.ones(len(index), np.bool_)
        classes = self.classifier.classes
        for i in np.flatnonzero(several).tolist():
            row = int(place[1][at[i]])
            first, last = np.searchsorted(same.group, [same.group[row], same.group[row] + 1])
            ranked = []
            for other in range(int(first), int(last)):
                melds = same.melds[other : other + 1]
                if universe.holds(int(same.pair[other]), melds).all():
                    (n,) = classes.classify(universe.block(int(same.pair[other]), melds), 1).tolist()
                    points, bonus = int(classes.points[n]), int(classes.bonus[n])
                    ranked.append((-points - bonus, -points, int(same.order[other]), other))
            stays[i] = min(ranked)[-1] == row
        return index[stays], number[stays]

    def _otherwise(self, universe: Universe, kind: int, index: Array) -> Array:
        """Return whether the tiles are also a hand of another shape, which is handled there: bool [n]."""
        keys = universe.melds.keys[:, index].copy()
        keys[kind // 9] += 2 * 5 ** (kind % 9)
        wins = self._wins(counts_of(keys))
        found = np.zeros(wins.n, np.bool_)
        found[read(wins, self.special, frozenset()).of] = True
        return found

    def _wins(self, counts: Array, melds: Array | None = None) -> HandArrays:
        return HandArrays(counts, melds, -1, self.state.seat, EAST, self.state.luck)

    # ---- other shapes

    def _of_other_shapes(
        self, near: _Near, away: int, listed: list[tuple[HandArrays, Array]], fours: list[tuple[Chunk, Array]]
    ) -> None:
        """Add the hands of other shapes at this distance."""
        for wins, missing in listed:
            some = np.flatnonzero(missing == away)
            if len(some):
                melds = None if wins.meld_array is None else wins.meld_array[some]
                self._add(near, away, self._wins(wins.counts[some], melds))
        keys = [np.zeros((4, 0), np.int32)]
        for shape in self.others:
            if SHAPES[shape].made_of:
                pairs = pairs_missing(SHAPES[shape], self.target.counts, away, self.limits.kinds)
                keys += [self._find_wanted_keys(chunk, np.arange(len(chunk.weight))) for chunk in pairs]
        keys += [self._find_wanted_keys(chunk, np.flatnonzero(missing == away)) for chunk, missing in fours]
        counts = counts_of(np.unique(np.concatenate(keys, axis=1), axis=1))
        for at in range(0, len(counts), CHUNK):
            self._add(near, away, self._wins(counts[at : at + CHUNK]))

    def _yield_listed(self) -> Iterator[tuple[HandArrays, Array]]:
        """Yield all hands of listed shapes, and their distances."""
        for shape in self.others:
            if not is_tabulated(SHAPES[shape]):
                for wins, _ in special_wins(shape, self.state, self.state.seat, EAST, self.limits):
                    yield wins, self.target.away_from(wins)

    def _fours(self) -> Iterator[tuple[Chunk, Array]]:
        """Yield the same for shapes of fours and sets."""
        for shape in self.others:
            if SHAPES[shape].fours is not None:
                for chunk in tabulate(SHAPES[shape], self.limits.kinds):
                    yield chunk, self.target.away(chunk.keys)

    def _find_wanted_keys(self, chunk: Chunk, at: Array) -> Array:
        """Return the suit keys of those of these hands that are wanted in this reading."""
        if not len(at):
            return chunk.keys[:, at]
        h = chunk.planes(self.state.seat, EAST, self.state.luck | int(Luck.CLOSED))
        some = Planes(*(plane[at] if isinstance(plane, np.ndarray) else plane for plane in h))
        number = self.classifier.classes.classify(some, len(at))
        fits = self.wanted[number] & np.broadcast_to(np.asarray(self.target.has_melds(some)), (len(at),))
        return chunk.keys[:, at[fits]]

    def _settle(self, wins: HandArrays) -> tuple[Classified, Array]:
        """Return the best readings, and whether they are wanted."""
        settled = self.classifier.classify(wins)
        fits = settled.valid & self.wanted[np.maximum(settled.classes, 0)]
        at = np.maximum(settled.best, 0)
        has_melds = np.broadcast_to(np.asarray(self.target.has_melds(settled.readings.h)), (len(settled.readings.of),))
        return settled, fits & (has_melds[at] if len(has_melds) else False)

    def _add(self, near: _Near, away: int, wins: HandArrays) -> None:
        """Add the wanted ones of these hands."""
        settled, fits = self._settle(wins)
        at = np.flatnonzero(fits)
        if len(at):
            h = settled.readings.h
            near.add(away, settled.classes[at], lambda i: one(h, int(settled.best[at[i]])))


class _Near:
    """The nearest hands so far."""

    def __init__(self, search: _Search, most: int) -> None:
        self._search, self._most = search, most
        self.away = WHOLE + 1
        self.hands = 0
        self._examples: list[NearHand] = []

    def add(self, away: int, number: Array, planes: Any) -> None:
        """Add hands at this distance; farther ones can be dropped."""
        if away > self.away:
            return
        if away < self.away:
            self.away, self.hands, self._examples = away, 0, []
        self.hands += len(number)
        for at in range(min(len(number), self._most - len(self._examples))):
            self._examples.append(self._show_hand(int(number[at]), planes(at)))

    def _show_hand(self, number: int, h: Planes) -> NearHand:
        classes, book = self._search.under.classes, self._search.under.book
        tiles: Counter[int] = Counter()
        for plane in (h.t1, h.t2, h.t3, h.t4 & ~h.k):
            tiles.update(kind for kind in range(KINDS) if plane & BIT[kind])
        held = Counter({kind: int(n) for kind, n in enumerate(self._search.target.counts) if n})
        return NearHand(
            reading_text(h),
            int(classes.points[number]),
            tuple(book.fans[counted.row].name for counted in classes.tallies[number].counted),
            tuple(sorted((held - tiles).elements())),
            tuple(sorted((tiles - held).elements())),
        )

    def answer(self) -> Nearest:
        return Nearest(self.away if self.hands else None, self.hands, tuple(self._examples))


@cache
def _places() -> tuple[Array, Array]:
    """Return the hands of several readings by pair and melds, sorted: their keys, and their rows in `find_shared()`."""
    same = find_shared()
    key = same.pair.astype(np.int64) << 32 | same.melds
    order = np.argsort(key, kind="stable")
    return key[order], order


def _choose_rows(under: Valued, wanted: Array) -> list[int]:
    """Return a few rare rows of which every wanted class holds at least one; none if such rows do not help."""
    holds, part = under.classes.holds, under.classed.parts[STANDARD.name]
    number = under.number[part.readings[:, 0] // PUNGS]
    hands = np.bincount(number, part.readings[:, 1], len(holds))
    left = wanted & (hands > 0)
    if not left.any():
        return []
    share = (holds * hands[:, None]).sum(axis=0) / hands.sum()
    rows: list[int] = []
    used = 0.0
    while left.any():
        gain = (holds & left[:, None]).sum(axis=0) / np.maximum(share, 1e-9)
        row = int(gain.argmax())
        if not gain[row] or len(rows) == _MOST_ROWS or used + share[row] > _OFTEN:
            return []
        rows.append(row)
        used += share[row]
        left = left & ~holds[:, row]
    return rows
