"""Each concealed tile in turn the one that won, counted by class; the plain twin is `score_hand` on each of them.

In the other states no winning tile is named. Here a hand is counted once for every kind of tile that may have come
last, and its weight is the number of physical tile sets times the copies of that tile: all (tile set, last tile).
Hands are laid out once each, and read as `score_many` reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.readings import WAIT_PLANES, planes_at, read
from quepu.fast.universe.census import PUNGS, Progress
from quepu.fast.universe.classes import Signatures
from quepu.fast.universe.collected import ClassedPart, Collected
from quepu.fast.universe.compiled_classes import classify_compiled
from quepu.fast.universe.limits import EVERY, Limits
from quepu.fast.universe.special import counts_of, is_standard, is_tabulated, tabulate, ways, wins_by_meld
from quepu.fast.universe.standard_hands import DECOMPOSED, HandState, Universe, find_shared
from quepu.hands.hand import MeldKind
from quepu.hands.planes import STANDARD, Condition, count
from quepu.shapes import SHAPES
from quepu.tiles import BIT, EAST, KINDS

Array = NDArray[Any]
TileSets = tuple[Array, Array | None, Array]
"""Hands: concealed tiles [N, 34], claimed melds, physical tile sets."""
PLACE = "place"
WON = frozenset({"win", PLACE, "pc", *WAIT_PLANES})
"""Planes that the winning tile decides."""
_AT_ONCE = 4096
"""Tile sets, each with some nine last tiles."""
_FORM = (attrgetter("form"), frozenset({"form"}))
"""The form of a reading tells its class from others: which shape a hand is counted in hangs on its best reading."""
_CHOW, _PUNG = int(MeldKind.CHOW), int(MeldKind.PUNG)


def each_win(
    state: HandState, shapes: Sequence[str], limits: Limits = EVERY, progress: Progress | None = None
) -> Iterator[tuple[HandArrays, Array]]:
    """Yield every hand of such a state within these limits with each tile that may have come last, and its weight.

    shapes: those beside the standard one that can win in the state.
    """
    for counts, melds, weight in _tile_sets(state, shapes, limits, progress):
        for at in range(0, len(counts), _AT_ONCE):
            some = slice(at, at + _AT_ONCE)
            rows, kinds = np.nonzero(counts[some])
            copies = counts[some][rows, kinds].astype(np.int64)
            claimed = None if melds is None else melds[some][rows]
            wins = HandArrays(counts[some][rows], claimed, kinds, state.seat, EAST, state.luck)
            yield wins, weight[some][rows] * copies


def _tile_sets(
    state: HandState, shapes: Sequence[str], limits: Limits, progress: Progress | None
) -> Iterator[TileSets]:
    """Yield hands, each once."""
    universe = Universe(state, limits=limits)
    standard = _standard_open(universe) if state.chows_open else _standard_closed(universe)
    for done, part in standard:
        yield part
        if progress is not None:
            progress(done, DECOMPOSED)
    for shape in shapes:
        if is_tabulated(SHAPES[shape]):
            for keys in _tabulated_keys(shape, limits):
                for at in range(0, keys.shape[1], _AT_ONCE):
                    counts = counts_of(keys[:, at : at + _AT_ONCE])
                    yield counts, None, ways(counts)
        elif not SHAPES[shape].plain:
            for some, weight in wins_by_meld(shape, state, state.seat, EAST, limits):
                few = np.flatnonzero(~is_standard(some.keys))
                yield some.counts[few], None if some.meld_array is None else some.meld_array[few], weight[few]


def _standard_closed(universe: Universe) -> Iterator[tuple[int, TileSets]]:
    """Yield concealed standard hands, tiles that can be read in several ways once; and how many were looked at."""
    same, m, done = find_shared(), universe.melds, 0
    again = np.flatnonzero(np.diff(same.group, prepend=-1) == 0)
    for kind, every in universe.pairs():
        done += len(every)
        index = np.setdiff1d(every, same.melds[again[same.pair[again] == kind]])
        for at in range(0, len(index), _AT_ONCE):
            keys = m.keys[:, index[at : at + _AT_ONCE]].astype(np.int64)
            keys[kind // 9] += 2 * 5 ** (kind % 9)
            counts = counts_of(keys)
            yield done, (counts, None, ways(counts))


def _standard_open(universe: Universe) -> Iterator[tuple[int, TileSets]]:
    """Yield standard hands with three melds claimed, which are read in one way only, as the concealed ones."""
    done = 0
    melds = _melds_of(universe)
    chows = (melds[:, :, 0] == _CHOW).sum(axis=1)
    for kind, index in universe.pairs():
        done += len(index)
        weight = universe.weights(kind, index)
        for slot in range(4):
            own = melds[index, slot]
            other = np.ones(len(index), np.bool_)
            for before in range(slot):
                other &= (melds[index, before] != own).any(axis=1)
            if not universe.limits.chows:
                other &= chows[index] == (own[:, 0] == _CHOW)
            few = np.flatnonzero(other)
            own, counts = own[few], np.zeros((len(few), KINDS), np.uint8)
            counts[:, kind] = 2
            for more in range(3):
                counts[np.arange(len(few)), own[:, 1] + more * (own[:, 0] == _CHOW)] += np.uint8(1)
            yield done, (counts, np.delete(melds[index[few]], slot, axis=1), weight[few])


def _melds_of(universe: Universe) -> Array:
    """Return the four melds of each meld set, chows first: int8 [sets, 4, 2] as `HandArrays` has them."""
    m = universe.melds
    columns = [(_CHOW, kind, plane) for kind in range(27) for plane in (m.c1, m.c2, m.c3, m.c4)]
    columns += [(_PUNG, kind, m.p) for kind in range(KINDS)]
    found, number = np.zeros((len(m.p), 4, 2), np.int8), np.zeros(len(m.p), np.int64)
    for meld, kind, plane in columns:
        some = np.flatnonzero(plane & BIT[kind])
        found[some, number[some]] = meld, kind
        number[some] += 1
    return found


def _tabulated_keys(shape: str, limits: Limits) -> Iterator[Array]:
    """Yield suit keys [4, N] of the sets of tiles of a shape, each once, but those that are four melds and a pair."""
    every: Iterable[Array] = (
        chunk.keys[:, ~is_standard(chunk.keys)] for chunk in tabulate(SHAPES[shape], limits.kinds)
    )
    if not SHAPES[shape].of_pairs:
        every = [np.unique(np.concatenate([np.zeros((4, 0), np.int32), *every], axis=1), axis=1)]
    yield from every


class EachClasses:
    """The parts of such a universe: standard hands, and those of other shapes, which may be standard too."""

    def __init__(
        self, conditions: Iterable[tuple[Condition, frozenset[str]]], shapes: tuple[str, ...], reads: frozenset[str]
    ) -> None:
        self.signatures = Signatures([*conditions, _FORM])
        self.shapes, self.reads = shapes, reads
        self._standard, self._others = Collected(), Collected()

    def sort(
        self, state: HandState, shapes: list[str], progress: Progress | None = None, limits: Limits = EVERY
    ) -> tuple[ClassedPart, ClassedPart]:
        """Sort every hand of a state within these limits; return standard hands, and those of these other shapes."""
        for wins, weight in each_win(state, shapes, limits, progress):
            self._take(wins, weight)
        return self._standard.part(), self._others.part()

    def _take(self, wins: HandArrays, weight: Array) -> None:
        """Take up hands that may be read in several ways, their winning tiles named."""
        found = read(wins, self.shapes, self.reads)
        n = len(found.of)
        if not n:
            return
        numbers = classify_compiled(self.signatures, found.h, n)
        code = numbers.astype(np.int64) * PUNGS + np.broadcast_to(count(found.h.p), (n,))
        plain = np.broadcast_to(found.h.form, (n,)) == STANDARD
        otherwise = np.zeros(wins.n, np.bool_)
        otherwise[found.of[~plain]] = True
        for part, readings, hands in (
            (self._standard, plain, ~otherwise[found.of]), (self._others, ~plain, otherwise[found.of]),
        ):  # fmt: skip
            some = np.flatnonzero(readings)
            part.readings(code[some], weight[found.of[some]])
            at = np.flatnonzero(hands)
            part.hands(found.of[at], found.rank[at], code[at], weight[found.of[at]], planes_of(found.h, at))


def planes_of(h: Any, at: Array) -> Any:
    """The planes of some of these readings, by their numbers among them."""
    return lambda some: planes_at(h, at[some])
