"""Each concealed tile in turn the one that won: what fans about the wait and the winning tile are measured by.

In the other states no winning tile is named. Here a hand is counted once for every kind of tile that may have come
last, and its weight is the number of physical tile sets times the copies of that tile: all (tile set, last tile).
Where the tile stands, what it leaves concealed and what was waited for is decided by the single scorer's own rules
(`quepu.win.placed` as a table, the suit tables of waits).

Nearly every hand goes by on arrays, with the part of its signature that no winning tile changes asked once. Hands
with several readings, and hands whose thirteen tiles may have waited for another shape too, are settled as `score_many`
settles them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from quepu.batch.classes import Classes, Column
from quepu.batch.engine import Engine
from quepu.batch.placing import Choices, cases, choices
from quepu.batch.readings import WAIT_PLANES, Gathered, read, waits_of
from quepu.batch.tables import BROKEN, ahead_at, lanes
from quepu.batch.walk import AHEAD_CODE, AHEAD_PAIR, LANE, standing, without
from quepu.batch.wins import Wins
from quepu.hand import Luck
from quepu.lab.pairs_and_fours import LAID_OUT, counts_of, is_standard
from quepu.lab.special import special_wins, ways
from quepu.lab.universe import DECOMPOSED, State, Universe, melds, shared
from quepu.planes import ALL_TILES, STANDARD, count
from quepu.rulebook import Rulebook
from quepu.shapes import SHAPES
from quepu.tiles import BIT, KINDS

Array = Any
CHUNK = 16_384
MANY = 1 << 19
Progress = Callable[[int, int], None]
Add = Callable[..., None]
"""A `_Sums.add` of the census: name, class numbers, pungs, weight."""

WON = frozenset({"win", "place", "pc", *WAIT_PLANES})
"""Planes that the winning tile decides."""
CLAIMED = frozenset({"o1", "o2", "o3", "o4", "xp"})
"""Planes that change with the meld that was not claimed."""

_KIND = np.zeros(64, np.int64)
_KIND[[bit.bit_length() - 1 for bit in BIT]] = np.arange(KINDS)
_POWER = np.array([5 ** (kind % 9) for kind in range(KINDS)])


class _Last(NamedTuple):
    """One tile of each of some hands: which hands of a block, the tile's plane and kind."""

    of: Array
    win: Array
    kind: Array


def _each(tiles: Array) -> Iterator[_Last]:
    """Every tile of each plane once: the first of each hand, then the second of those that have two, and so on."""
    of = np.flatnonzero(tiles)
    left = tiles[of]
    while of.size:
        win = left & -left
        yield _Last(of, win, _KIND.take(np.bitwise_count(win - 1)))
        left = left ^ win
        some = np.flatnonzero(left)
        if some.size < of.size:
            of, left = of[some], left[some]


def _waits(keys: Array, last: _Last, t4: Array) -> tuple[Array, Array, Array]:
    """`waits`, `pair_waits`, `dead_waits` of melds and a pair (keys [4, n]) before the last tile came.

    All suits but that tile's are complete, so its suit says nearly all (see `quepu.batch.waits`).
    """
    lane = last.kind // 9
    before = keys.copy()
    before.reshape(-1)[lane * before.shape[1] + np.arange(before.shape[1])] -= _POWER.take(last.kind)
    here = ahead_at(before, lane)
    found, in_pair = (here & LANE) << 16 * lane, (here >> AHEAD_PAIR & LANE) << 16 * lane
    others = np.flatnonzero(here >> AHEAD_CODE <= 1)
    if others.size:
        found[others], in_pair[others] = waits_of(before[:, others])
    held = t4 & ~last.win
    return found & ~held, in_pair & ~held, found & held


class _Won(Gathered):
    """Readings with a winning tile, out of the planes of readings without."""

    def __init__(self, source: Any, index: Array, own: dict[str, Any], waits: Callable[[], tuple[Array, ...]]) -> None:
        super().__init__(source, index, own)
        self._waits = waits

    def __getattr__(self, name: str) -> Any:
        if name not in WAIT_PLANES:
            return super().__getattr__(name)
        self.__dict__.update(zip(WAIT_PLANES, self._waits(), strict=True))
        return self.__dict__[name]


class _Block(NamedTuple):
    """Some readings side by side, and what may have come last in each."""

    h: Any  # their planes
    start: Array  # uint64: what no winning tile changes, of their hash
    tiles: Array  # the tiles that may have come last
    own: Array  # chows that were not claimed
    p: Array  # pungs that were not claimed
    pair: Any
    weight: Array
    pungs: Array
    copies: tuple[Array, Array, Array]  # planes of the tiles of which a second, third, fourth may have come last
    waits: Callable[[_Last], tuple[Array, ...]]


class _Ways(NamedTuple):
    """Readings with the tile that came last, and every place where it may stand."""

    of: Array  # which readings of the block
    win: Array
    case: Array  # see `quepu.batch.placing`
    p: Array  # pungs that were not claimed
    start: Array
    waits: Callable[[], tuple[Array, ...]]

    def some(self, index: Array) -> _Ways:
        """A part of them."""
        of, win, case, p, start = (column[index] for column in self[:5])
        waits = self.waits
        return _Ways(of, win, case, p, start, _once(lambda: tuple(x[index] for x in waits())))

    def numbers(self, classes: Classes, columns: list[Column], where: Choices, j: int, source: Any) -> Array:
        """The classes with the tile in the j-th of the places where it may stand."""
        concealed = self.p & ~(self.win & where.loses[j].take(self.case))
        own = {"win": self.win, "place": where.place[j].take(self.case), "pc": concealed}
        h = _Won(source, self.of, own, self.waits)
        return classes.numbers(classes.hash(h, columns, self.start), h)


def _ways(last: _Last, block: _Block, luck: int) -> _Ways:
    of, win, kind = last
    own, p = block.own.take(of), block.p.take(of)
    pair = block.pair.take(of) if isinstance(block.pair, np.ndarray) else block.pair
    case = cases(kind, np.full(len(of), luck, np.int64)) | standing(own, pair, p, 0, win, np.uint16(1))
    return _Ways(of, win, case, p, block.start.take(of), _once(lambda: block.waits(last)))


def _count(classes: Classes, columns: list[Column], looks: bool, luck: int, block: _Block, add: Add) -> None:
    """Every reading of a block with every tile that may have come last: the readings, and the best for each tile."""
    where = choices(looks)
    for last in _each(block.tiles):
        ways = _ways(last, block, luck)
        pungs = block.pungs.take(last.of)
        times = 1 + sum(((more.take(last.of) & last.win) != 0).astype(np.int64) for more in block.copies)
        weight = block.weight.take(last.of) * times
        best = ways.numbers(classes, columns, where, 0, block.h)
        add("readings", best, pungs)
        add("reading_sets", best, pungs, weight)
        several = where.number.take(ways.case)
        j, some = 1, np.flatnonzero(several > 1)
        while some.size:
            more = ways.some(some).numbers(classes, columns, where, j, block.h)
            add("readings", more, pungs[some])
            add("reading_sets", more, pungs[some], weight[some])
            dearer = _dearer(classes, more, best[some])
            best[some[dearer]] = more[dearer]
            j += 1
            some = some[several[some] > j]
        add("hands", best, pungs)
        add("sets", best, pungs, weight)


def _dearer(classes: Classes, a: Array, b: Array) -> Array:
    """Whether readings of classes `a` are taken before those of `b`, which came first."""
    worth, other = classes.points.take(a).astype(np.int64), classes.points.take(b).astype(np.int64)
    total, others = worth + classes.bonus.take(a), other + classes.bonus.take(b)
    return (total > others) | (total == others) & (worth > other)


class _Gathering:
    """Adds what was counted a million at a time: a sum over tens of thousands of classes costs more than a block."""

    def __init__(self, add: Add) -> None:
        self._add = add
        self._held: dict[str, list[tuple[Array, ...]]] = {}
        self._sizes: dict[str, int] = {}

    def add(self, name: str, numbers: Array, pungs: Array, weight: Array | None = None) -> None:
        """As `_Sums.add`."""
        columns = (numbers, pungs) if weight is None else (numbers, pungs, weight)
        self._held.setdefault(name, []).append(columns)
        self._sizes[name] = self._sizes.get(name, 0) + len(numbers)
        if self._sizes[name] >= MANY:
            self._flush(name)

    def _flush(self, name: str) -> None:
        columns = [np.concatenate(column) for column in zip(*self._held.pop(name), strict=True)]
        self._sizes[name] = 0
        self._add(name, *columns)

    def close(self) -> None:
        """Add what is left."""
        for name in list(self._held):
            self._flush(name)


def _once(ask: Callable[[], tuple[Array, ...]]) -> Callable[[], tuple[Array, ...]]:
    kept: list[tuple[Array, ...]] = []

    def asked() -> tuple[Array, ...]:
        if not kept:
            kept.append(ask())
        return kept[0]

    return asked


# ---- standard hands, nothing claimed


def standard_closed(
    engine: Engine, universe: Universe, tiles: int, add: Add, progress: Progress | None = None
) -> Array:
    """Count the concealed standard hands that are read in one way; the suit keys [4, N] of all others are returned."""
    classes, book = engine.classes, engine.book
    of_melds, columns, others = _parted(classes, WON)
    everything = np.arange(len(universe.melds.p), dtype=np.int32)
    start = np.empty(len(everything), np.uint64)
    for at in range(0, len(everything), CHUNK):
        start[everything[at : at + CHUNK]] = classes.hash(universe.gathered(everything[at : at + CHUNK]), of_melds)
    aside = _several(tiles)
    luck, looks, wants = universe.state.luck, "place" in book.reads, not book.reads.isdisjoint(WAIT_PLANES)
    same = shared()
    done = 0
    for kind, all_of_them in universe.pairs():
        done += len(all_of_them)
        asked = all_of_them[(universe.base.t1[all_of_them] | BIT[kind]) & ~tiles == 0]
        index = np.setdiff1d(asked, same.melds[same.pair == kind]).astype(np.int32)
        for at in range(0, len(index), CHUNK):
            some = index[at : at + CHUNK]
            h = universe.block(kind, some)
            keys = universe.melds.keys[:, some].astype(np.int64)
            keys[kind // 9] += 2 * 5 ** (kind % 9)
            if wants:
                near = _near_others(book, "standard", h, luck)
                if near.any():
                    aside.append(keys[:, near])
                    some, keys = some[~near], keys[:, ~near]
                    h = universe.block(kind, some)
            block = _Block(
                h, classes.hash(h, others, start[some]), h.t1, h.c1, h.p, BIT[kind], universe.weights(kind, some),
                universe.pungs[some], (h.t2, h.t3, h.t4),
                lambda last, keys=keys, h=h: _waits(keys[:, last.of], last, h.t4[last.of]),  # type: ignore[misc]
            )  # fmt: skip
            _count(classes, columns, looks, luck, block, add)
        if progress is not None:
            progress(done, DECOMPOSED)
    return np.concatenate(aside, axis=1)


def _parted(classes: Classes, changing: frozenset[str]) -> tuple[list[Column], list[Column], list[Column]]:
    """A signature's columns: of melds alone, those that change with the winning tile, all others."""
    columns = [column for column in classes.columns if not column.reads.isdisjoint(changing)]
    rest = [column for column in classes.columns if column.reads.isdisjoint(changing)]
    return [c for c in rest if c.of_melds], columns, [c for c in rest if not c.of_melds]


def _several(tiles: int) -> list[Array]:
    """Keys [4, N] of the standard hands out of these tiles that have more than one reading, each once."""
    same = shared()
    first = np.flatnonzero(np.concatenate([[True], same.group[1:] != same.group[:-1]]))
    found = []
    m = melds()
    for kind in range(KINDS):
        index = same.melds[first[same.pair[first] == kind]]
        index = index[(m.t1[index] | BIT[kind]) & ~tiles == 0]
        keys = m.keys[:, index].astype(np.int64)
        keys[kind // 9] += 2 * 5 ** (kind % 9)
        found.append(keys)
    return found


class _Before:
    """Tile planes of hands without one tile."""

    def __init__(self, h: Any, last: _Last, luck: int) -> None:
        t1, t2, t3, t4 = (getattr(h, name).take(last.of) for name in ("t1", "t2", "t3", "t4"))
        self.t1, self.t2, self.t3, self.t4 = without(t1, t2, t3, t4, last.win)
        self.luck = luck
        self.k = 0


def _near_others(book: Rulebook, shape: str, h: Any, luck: int) -> Array:
    """Whether thirteen of a hand's tiles may wait for another special shape of the book: bool by hand."""
    held = np.bitwise_count(h.t1)
    near = np.zeros(len(held), np.bool_)
    for name in book.shapes:
        known = SHAPES[name]
        if name in (shape, "standard") or (shape == "standard" and name in _SINGLES):
            continue
        low, high = known.kinds
        some = np.flatnonzero(~near & (held >= low) & (held <= high + 1))
        if some.size and known.may_wait is None:
            near[some] = True
        elif some.size and known.may_wait is not None:
            part = _Tiles(*(plane[some] for plane in (h.t1, h.t2, h.t3, h.t4)))
            for last in _each(part.t1):
                near[some[last.of]] |= np.broadcast_to(known.may_wait(_Before(part, last, luck)), last.of.shape)
    return near


_SINGLES = ("orphans", "loose", "knitted", "pyramid", "scattered")
"""Shapes of single tiles that make no chow and no pung: a standard hand without one tile is far from them.

A chow has one tile of a knitted line at most, and two that are no terminal; a pung without one tile is two alike.
"""


class _Tiles(NamedTuple):
    t1: Array
    t2: Array
    t3: Array
    t4: Array


# ---- standard hands, three melds claimed


def standard_open(engine: Engine, universe: Universe, tiles: int, add: Add, progress: Progress | None = None) -> None:
    """Count the standard hands with three melds claimed; the fourth and the pair hold the tile that came last.

    They are read in one way only, and wait for no other shape.
    """
    classes = engine.classes
    of_melds, columns, others = _parted(classes, WON | CLAIMED)
    of_claims = [column for column in columns if column.reads.isdisjoint(WON)]
    columns = [column for column in columns if not column.reads.isdisjoint(WON)]
    m = universe.base
    everything = np.arange(len(m.p), dtype=np.int32)
    looks, luck = "place" in engine.book.reads, universe.state.luck
    lots = _lots(m.c1, m.p)
    start = np.empty((len(lots), len(everything)), np.uint64)
    claims = [_claims(m, lot) for lot in lots]
    for at in range(0, len(everything), CHUNK):
        some = everything[at : at + CHUNK]
        plain = classes.hash(universe.gathered(some), of_melds)
        for j, claim in enumerate(claims):
            h = Gathered(m, some, {name: plane[some] for name, plane in claim.items()})
            start[j, some] = classes.hash(h, [c for c in of_claims if c.of_melds], plain)
    of_claims = [column for column in of_claims if not column.of_melds]
    done = 0
    for kind, all_of_them in universe.pairs():
        done += len(all_of_them)
        bit, lane, digit = BIT[kind], kind // 9, 5 ** (kind % 9)
        index = all_of_them[(m.t1[all_of_them] | bit) & ~tiles == 0]
        for at in range(0, len(index), CHUNK):
            every = index[at : at + CHUNK]
            plain = classes.hash(universe.block(kind, every), others)
            weights = universe.weights(kind, every)
            for j, (lot, claim) in enumerate(zip(lots, claims, strict=True)):
                there = np.flatnonzero(lot.chow[every] | lot.pung[every])
                some = every[there]
                h = Gathered(universe.block(kind, some), None, {name: plane[some] for name, plane in claim.items()})
                own, p = lot.chow[some], lot.pung[some]
                seen = classes.hash(h, of_claims, start[j, some] + plain[there])
                held = own | own << 1 | own << 2 | p
                keys = np.zeros((4, len(some)), np.int64)
                _put(keys, own, 31)
                _put(keys, p, 3)
                keys[lane] += 2 * digit
                # a second copy stands in the pair or the pung, a third in the pung or a pair beside its own chow
                twice = bit | p
                thrice = held & bit | p
                block = _Block(
                    h, seen, held | bit, own, p, bit, weights[there], universe.pungs[some],
                    (twice, thrice, np.zeros_like(p)),
                    lambda last, keys=keys, h=h: _waits(keys[:, last.of], last, h.t4[last.of]),  # type: ignore[misc]
                )  # fmt: skip
                _count(classes, columns, looks, luck, block, add)
        if progress is not None:
            progress(done, DECOMPOSED)


class _Lot(NamedTuple):
    """One meld of each meld set: the start of a chow, or a pung; both empty where there is none."""

    chow: Array
    pung: Array


def _lots(chows: Array, pungs: Array) -> list[_Lot]:
    """The different melds of each meld set, one in each of four lots: chows first."""
    found = []
    for _ in range(4):
        chow = chows & -chows
        pung = np.where(chow == 0, pungs & -pungs, 0)
        found.append(_Lot(chow, pung))
        chows, pungs = chows ^ chow, pungs ^ pung
    return found


def _claims(m: Any, lot: _Lot) -> dict[str, Array]:
    """The planes of claimed melds where all but this one are: it is the topmost of chows that are alike."""
    b = lot.chow
    return {
        "o1": m.c1 & ~(b & ~m.c2), "o2": m.c2 & ~(b & ~m.c3), "o3": m.c3 & ~(b & ~m.c4), "o4": m.c4 & ~b,
        "xp": m.p & ~lot.pung,
    }  # fmt: skip


def _put(keys: Array, plane: Array, tiles: int) -> None:
    """Add so many tiles (a suit key) to the keys [4, N] where each plane has its one bit, if it has one."""
    some = np.flatnonzero(plane)
    kind = _KIND.take(np.bitwise_count(plane[some] - 1))
    keys[kind // 9, some] += tiles * _POWER.take(kind)


# ---- the other shapes, and what was put aside


def special_closed(engine: Engine, shape: str, state: State, tiles: int, add: Add, seat: int, round: int) -> Array:
    """Count the concealed hands of a shape laid out straight; the keys [4, N] of those put aside are returned.

    Tiles that are four melds and a pair too are left out: they are among the standard hands that were put aside.
    """
    classes, book = engine.classes, engine.book
    columns = [column for column in classes.columns if not column.reads.isdisjoint(WON)]
    rest = [column for column in classes.columns if column.reads.isdisjoint(WON)]
    luck = state.luck | int(Luck.CLOSED)
    looks = "place" in book.reads
    aside = [np.zeros((4, 0), np.int64)]
    for chunk in LAID_OUT[shape]():
        t1 = np.broadcast_to(chunk.own["t1"], chunk.weight.shape)
        some = np.flatnonzero((t1 & ~tiles == 0) & ~is_standard(chunk.keys))
        if not some.size:
            continue
        keys = chunk.keys[:, some].astype(np.int64)
        if shape not in _PAIRED:
            aside.append(keys)
            continue
        own = {name: x[some] if isinstance(x, np.ndarray) else x for name, x in chunk.own.items()}
        h = chunk._replace(own=own).planes(seat, round, luck)
        near = _near_others(book, shape, h, luck)
        if near.any():
            aside.append(keys[:, near])
            own = {name: x[~near] if isinstance(x, np.ndarray) else x for name, x in own.items()}
            h = chunk._replace(own=own).planes(seat, round, luck)
            some, keys = some[~near], keys[:, ~near]
        none = np.zeros(len(some), np.int64)
        start = np.broadcast_to(classes.hash(h, rest), none.shape)
        block = _Block(
            h, start, h.t1, none, none, h.pair, chunk.weight[some], none, (h.t2, h.t3, h.t4),
            _waits_of_pairs(keys, h.t4),
        )  # fmt: skip
        _count(classes, columns, looks, state.luck, block, add)
    return np.concatenate(aside, axis=1)


_PAIRED = ("pairs", "any_pairs")
"""Shapes whose thirteen tiles wait for the one tile that is single (or the fourth of three), in that shape."""


def _waits_of_pairs(keys: Array, t4: Array) -> Callable[[_Last], tuple[Array, ...]]:
    """What seven pairs (keys [4, N]) waited for: the tile that came, and what makes four melds and a pair.

    For these no two suits may be broken without the tile.
    """
    code = np.stack([suit.code.take(key) for suit, key in zip(lanes(), keys, strict=True)])
    total = code.sum(axis=0, dtype=np.uint8)
    flat, n = keys.reshape(-1), keys.shape[1]
    ahead = np.concatenate([lanes()[0].code, lanes()[3].code])

    def waits(last: _Last) -> tuple[Array, ...]:
        lane = last.kind // 9
        at = lane * n + last.of
        before = flat.take(at) - _POWER.take(last.kind)
        here = ahead.take(before + (lane == 3) * len(lanes()[0].code))
        found, in_pair = last.win.copy(), last.win.copy()
        some = np.flatnonzero(total.take(last.of) - code.reshape(-1).take(at) + here < 2 * BROKEN)
        if some.size:
            left = keys[:, last.of[some]]
            left[lane[some], np.arange(len(some))] = before[some]
            more, pairs = waits_of(left)
            found[some] |= more
            in_pair[some] |= pairs
        held = t4.take(last.of) & ~last.win
        return found & ~held, in_pair & ~held, found & held

    return waits


def settle(engine: Engine, wins: Iterator[tuple[Wins, Array]], add: Add, also: Add) -> None:
    """Count hands with their winning tiles named as `score_many` settles them; other shapes go to `also`."""
    for some, weight in wins:
        found = read(some, engine.book.shapes, engine.book.reads)
        n = len(found.of)
        numbers = engine.classes.classify(found.h, n)
        pungs = np.broadcast_to(count(found.h.p), (n,))
        settled = engine.settle(some)
        best = settled.best[settled.valid]
        form = np.broadcast_to(found.h.form, (n,))
        for which, to in ((form == STANDARD, add), (form != STANDARD, also)):
            at = np.flatnonzero(which)
            to("readings", numbers[at], pungs[at])
            to("reading_sets", numbers[at], pungs[at], weight[found.of[at]])
            of = best[which[best]]
            to("hands", numbers[of], pungs[of])
            to("sets", numbers[of], pungs[of], weight[found.of[of]])


def with_tiles(wins: Wins, weight: Array, state: State, seat: int, round: int) -> tuple[Wins, Array]:
    """Hands once for every kind of concealed tile that may have come last, their weights times its copies."""
    rows, kinds = np.nonzero(wins.counts)
    melds = None if wins.meld_array is None else wins.meld_array[rows]
    copies = wins.counts[rows, kinds].astype(np.int64)
    return Wins(wins.counts[rows], melds, kinds, seat, round, state.luck), weight[rows] * copies


def count_each(
    engine: Engine, state: State, shapes: list[str], add: Add, also: Add, *, seat: int, round: int,
    tiles: int = ALL_TILES, progress: Progress | None = None,
) -> None:  # fmt: skip
    """Count every hand of a state of this kind out of these tiles, in the shapes that can win in it."""
    universe = Universe(state, seat, round)
    aside: list[Array] = []
    mine, others = _Gathering(add), _Gathering(also)
    if state.chows_open:
        standard_open(engine, universe, tiles, mine.add, progress)
    else:
        aside.append(standard_closed(engine, universe, tiles, mine.add, progress))

    def wins() -> Iterator[tuple[Wins, Array]]:
        for shape in shapes:
            if shape in LAID_OUT:
                aside.append(special_closed(engine, shape, state, tiles, others.add, seat, round))
            elif shape != "standard":
                for some, weight in special_wins(shape, state, seat, round):
                    few = np.flatnonzero((some.t1 & ~tiles == 0) & ~is_standard(some.keys))
                    melds = None if some.meld_array is None else some.meld_array[few]
                    yield with_tiles(Wins(some.counts[few], melds), weight[few], state, seat, round)
        keys = np.unique(np.concatenate([np.zeros((4, 0), np.int64), *aside], axis=1), axis=1)
        for at in range(0, keys.shape[1], CHUNK // 4):
            counts = counts_of(keys[:, at : at + CHUNK // 4])
            yield with_tiles(Wins(counts), ways(counts), state, seat, round)

    settle(engine, wins(), mine.add, others.add)
    mine.close()
    others.close()
