"""Every hand under two books at once, classified hand by hand: the twin of `quepu.lab.pairing.pair_up`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quepu.fast.arrays.hand_arrays import HandArrays
from quepu.fast.arrays.readings import one
from quepu.fast.universe.census import Progress, classify, may_win
from quepu.fast.universe.limits import Limits, limits_of
from quepu.fast.universe.special import CHUNK, counts_of, is_standard, is_tabulated, special_wins, tabulate, ways
from quepu.fast.universe.standard_hands import HandState, Universe, find_shared
from quepu.fast.universe.valued import Classified, HandClassifier
from quepu.hands.hand import Luck
from quepu.hands.planes import Planes
from quepu.lab.pairing import NO_WIN, ClassPairs
from quepu.rules.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.shapes.standard import SHAPE as STANDARD
from quepu.tiles import EAST
from tests.fast.universe.plain_census import first_of_best

Array = NDArray[Any]
Where = Callable[[int], Planes]


class _Kinds:
    """Hands and tile sets by their two classes, with an example hand each."""

    def __init__(self) -> None:
        self.place: dict[int, int] = {}
        self.hands: list[int] = []
        self.sets: list[int] = []
        self.examples: list[Planes] = []

    def add(self, classes: tuple[Array, Array], weight: Array, where: Where, sign: int = 1) -> None:
        """Add hands; `where` gives the planes of one of them. Weights add up exactly as doubles: below 2 ** 53."""
        if not len(weight):
            return
        key = classes[0].astype(np.int64) + 1 << 32 | classes[1].astype(np.int64) + 1
        every, first, inverse, hands = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
        sets = np.bincount(inverse, weight).astype(np.int64)
        for k, at, n, w in zip(every.tolist(), first.tolist(), hands.tolist(), sets.tolist(), strict=True):
            if k not in self.place:
                self.place[k] = len(self.hands)
                self.hands.append(0)
                self.sets.append(0)
                self.examples.append(where(at))
            self.hands[self.place[k]] += sign * n
            self.sets[self.place[k]] += sign * w

    def numbers(self) -> Array:
        keys = np.array(list(self.place), np.int64)
        return np.stack([(keys >> 32) - 1, (keys & 0xFFFF_FFFF) - 1], axis=1).astype(np.int32)


_Both = tuple[HandClassifier, HandClassifier]


def _limits(both: _Both) -> Limits:
    return limits_of(*(sorter.book for sorter in both))


def pair_by_hand(old: Rulebook, new: Rulebook, state: HandState, progress: Progress | None = None) -> ClassPairs:
    """Pair hand by hand, for books with different shapes, and to check `pair_up`."""
    both = HandClassifier(old, state=state), HandClassifier(new, state=state)
    kinds = _Kinds()
    _standard(both, state, kinds, progress)
    shapes = dict.fromkeys(shape for book in (old, new) for shape in book.shapes if not SHAPES[shape].plain)
    for shape in shapes:
        if any(SHAPES[other].covers(SHAPES[shape]) for other in shapes):
            continue  # its hands are among those of another
        if may_win(shape, state) and not SHAPES[shape].boundless:
            _special(both, shape, state, kinds)
    hands = np.array(kinds.hands, np.int64)
    left = np.flatnonzero(hands)
    return ClassPairs(
        old, new, state, (both[0].classes, both[1].classes), kinds.numbers()[left], hands[left],
        np.array(kinds.sets, np.int64)[left], [kinds.examples[at] for at in left.tolist()],
    )  # fmt: skip


def _standard(both: _Both, state: HandState, kinds: _Kinds, progress: Progress | None) -> None:
    universe = Universe(state, limits=_limits(both))

    def half(n: int) -> Progress | None:
        return None if progress is None else lambda done, all_: progress(done + n * all_, 2 * all_)

    made = [classify(sorter.classes, universe, half(n)) for n, sorter in enumerate(both)]
    same = find_shared()
    several: list[Array] = []
    for (kind, index, a), (_, _, b) in zip(*made, strict=True):
        mine = np.flatnonzero(same.pair == kind)
        at = np.minimum(np.searchsorted(index, same.melds[mine]), len(index) - 1)
        there = index[at] == same.melds[mine]
        alone = np.ones(len(index), np.bool_)
        alone[at[there]] = False
        several.append(np.stack([mine[there], a[at[there]], b[at[there]]]))
        some = index[alone]
        where = _standing(universe, np.full(len(some), kind), some)
        kinds.add((a[alone], b[alone]), universe.weights(kind, some), where)
    _best_of_shared(universe, both, np.concatenate(several, axis=1), kinds)


def _standing(universe: Universe, pair: Array, melds: Array) -> Where:
    return lambda at: one(universe.block(int(pair[at]), melds[at : at + 1]), 0)


def _best_of_shared(universe: Universe, both: _Both, rows: Array, kinds: _Kinds) -> None:
    """Pair the hands of several readings, each by its best under either book."""
    same = find_shared()
    rows = rows[:, np.argsort(rows[0], kind="stable")]
    member, group = rows[0], same.group[rows[0]]
    best = []
    for side, sorter in enumerate(both):
        number = rows[1 + side]
        points = sorter.classes.points[number].astype(np.int64)
        bonus = sorter.classes.bonus[number]
        order = np.lexsort((same.order[member], -points, -points - bonus, group))
        best.append(order[np.concatenate([[True], group[order][1:] != group[order][:-1]])])
    pair, melds = same.pair[member[best[0]]], same.melds[member[best[0]]]
    weight = np.zeros(len(pair), np.int64)
    for kind in np.unique(pair):
        mine = pair == kind
        weight[mine] = universe.weights(int(kind), melds[mine])
    kinds.add((rows[1][best[0]], rows[2][best[1]]), weight, _standing(universe, pair, melds))


# ---- other shapes


def _special(both: _Both, shape: str, state: HandState, kinds: _Kinds) -> None:
    if is_tabulated(SHAPES[shape]):
        _tabulate(both, shape, state, kinds)
        return
    for wins, weight in special_wins(shape, state, EAST, EAST, _limits(both)):
        _settle_readings(both, wins, weight, kinds)


def _settle_readings(both: _Both, wins: HandArrays, weight: Array, kinds: _Kinds) -> None:
    """Count hands by their best reading of any shape instead of the standard one counted before."""
    for shapes, sign in ((None, 1), ((STANDARD.name,), -1)):
        found = [sorter.classify(wins, shapes) for sorter in both]
        at = np.flatnonzero(found[0].valid | found[1].valid)
        first = [np.where(each.valid, each.classes, NO_WIN)[at] for each in found]
        kinds.add((first[0], first[1]), weight[at], _read(found, at), sign)


def _read(found: list[Classified], at: Array) -> Where:
    def where(i: int) -> Planes:
        hand = int(at[i])
        settled = next(each for each in found if each.valid[hand])
        return one(settled.readings.h, int(settled.best[hand]))

    return where


def _tabulate(both: _Both, shape: str, state: HandState, kinds: _Kinds) -> None:
    luck = state.luck | int(Luck.CLOSED)
    standard: list[Array] = []
    again: list[tuple[Array, ...]] = []
    held: list[Planes] = []
    for chunk in tabulate(SHAPES[shape], _limits(both).kinds):
        h = chunk.planes(EAST, EAST, luck)
        number = np.stack([_classes(sorter, shape, h, len(chunk.weight)) for sorter in both])
        standing = is_standard(chunk.keys)
        alone = np.flatnonzero(~standing & ~chunk.several)
        kinds.add((number[0][alone], number[1][alone]), chunk.weight[alone], _at(h, alone))
        if standing.any():
            standard.append(chunk.keys[:, standing])
        more = np.flatnonzero(~standing & chunk.several)
        again.append((chunk.keys[:, more], number[:, more], chunk.weight[more]))
        held += [one(h, at) for at in more.tolist()]
    keys, number, weight = (np.concatenate(column, axis=-1) for column in zip(*again, strict=True))
    if len(weight):
        best = [_best(sorter, keys, mine, shape) for sorter, mine in zip(both, number, strict=True)]
        kinds.add((number[0][best[0]], number[1][best[1]]), weight[best[0]], lambda i: held[int(best[0][i])])
    for counts in _parts(standard):
        _settle_readings(both, HandArrays(counts, None, -1, EAST, EAST, state.luck), ways(counts), kinds)


def _at(h: Planes, places: Array) -> Where:
    return lambda i: one(h, int(places[i]))


def _classes(sorter: HandClassifier, shape: str, h: Planes, n: int) -> Array:
    """Return the class of each reading, NO_WIN if the book does not have the shape."""
    shapes = sorter.book.shapes
    if shape in shapes:
        return sorter.classes.classify(h, n)
    number = np.full(n, NO_WIN, np.int32)
    for other in shapes:
        whole = SHAPES[other].whole
        if whole is not None and SHAPES[shape].covers(SHAPES[other]):
            at = np.flatnonzero(whole.when(h))
            number[at] = sorter.classes.classify(h, n)[at]
    return number


def _best(sorter: HandClassifier, keys: Array, number: Array, shape: str) -> Array:
    """Return the best reading of each set of tiles, in the order of the tiles."""
    if shape not in sorter.book.shapes:
        return np.unique(keys, axis=1, return_index=True)[1]
    return first_of_best(sorter, keys, number)


def _parts(keys: list[Array]) -> Iterator[Array]:
    if keys:
        counts = counts_of(np.unique(np.concatenate(keys, axis=1), axis=1))
        for at in range(0, len(counts), CHUNK):
            yield counts[at : at + CHUNK]
