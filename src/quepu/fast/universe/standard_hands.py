"""Every standard hand: 11 580 567 ways to make four melds and a pair; the plain twin is `shapes.readings`.

A hand is a set of four melds (366 528 of them) and a pair (34): melds carry all relations, so conditions that look at
melds only are evaluated once for a meld set instead of thirty times. A hand's weight is the number of physical tile
sets that are it, the product of C(4, copies) over the kinds; all hands together weigh 11 353 128 141 498.

A state says whether the melds are claimed or concealed and how the hand was won; the winning tile is left open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.errors import Text
from quepu.fast.arrays.hand_arrays import Gathered, HandArrays
from quepu.fast.arrays.readings import WAIT_PLANES, Readings, read, waits_of
from quepu.fast.arrays.suit_tables import lanes
from quepu.fast.universe.limits import EVERY, Limits
from quepu.hands.hand import Luck
from quepu.hands.planes import SINGLE, STANDARD, Planes, count
from quepu.tiles import BIT, EAST, KINDS

Array = NDArray[Any]

DECOMPOSED = 11_580_567
DISTINCT = 11_498_658
PHYSICAL = 11_353_128_141_498
MELD_SETS = 366_528


class HandState(NamedTuple):
    """The state of a hand when it is measured: how it is held and won.

    `chows_open` and `pungs_open`: whether they were claimed; `kongs` makes every pung a kong. All concealed pungs
    are 暗刻, or with `one_pung_won` all but the lowest, which the winning discard finished. With `on_pair` the winning
    tile completed the pair; otherwise none is named. Hands with less than `least_kongs` are left out.
    """

    key: str
    text: Text
    chows_open: bool
    pungs_open: bool
    luck: int
    kongs: bool = False
    one_pung_won: bool = False
    on_pair: bool = False
    each: bool = False
    one_kong: bool = False
    one_hidden: bool = False
    seat: int = EAST
    flowers: int = 0
    least_kongs: int = 0

    def claims_chows(self, limits: Limits) -> bool:
        """Return whether chows are claimed in hands of this state; they are concealed if the book forbids it.

        A state that names the winning tile says what is concealed, and has no hands with a chow to claim then.
        """
        return self.chows_open and (limits.chows or self.each or self.on_pair)

    def with_luck(self, name: str, luck: int) -> HandState:
        """Return the same state with a circumstance of this name."""
        return self._replace(
            key=f"{self.key}+{name}",
            text=Text(f"{self.text.zh}，{name}", f"{self.text.en}, {name}"),
            luck=self.luck | luck,
        )


_DRAW = int(Luck.SELF_DRAW)
STATES = {
    state.key: state
    for state in (
        HandState("closed-draw", Text("门前清自摸", "concealed hand, self-drawn"), False, False, _DRAW),
        HandState("closed-discard", Text("门前清点和", "concealed hand, on a discard"),
              False, False, 0, one_pung_won=True),
        HandState("open-draw", Text("四副全露自摸", "all melds claimed, self-drawn"), True, True, _DRAW),
        HandState("open-discard", Text("四副全露点和", "all melds claimed, on a discard"), True, True, 0),
        HandState("pungs-hidden", Text("吃而不碰点和", "chows claimed, pungs concealed, on a discard"), True, False, 0),
        HandState("pungs-open", Text("碰而不吃点和", "pungs claimed, chows concealed, on a discard"), False, True, 0),
        HandState("kongs", Text("刻子全为明杠，四副全露", "every pung an exposed kong, all claimed"),
              True, True, 0, kongs=True),
        HandState("hidden-kongs", Text("刻子全为暗杠，顺子全吃", "every pung a concealed kong, chows claimed"),
              True, False, 0, kongs=True),
        HandState("single-closed", Text("门前清点和，单钓将", "concealed hand, on a discard that makes the pair"),
              False, False, 0, on_pair=True),
        HandState("single-open", Text("四副全露点和，单钓将", "all melds claimed, on a discard that makes the pair"),
              True, True, 0, on_pair=True),
    )
}  # fmt: skip

MORE_STATES = {
    state.key: state
    for state in (
        HandState("closed-each",
              Text("门前清点和，十四张逐张作和张", "concealed hand, on a discard, each tile in turn"),
              False, False, 0, each=True),
        HandState("open-each", Text("露三副点和，其余五张逐张作和张",
                                "three melds claimed, on a discard, each other tile in turn"),
              True, True, 0, each=True),
        HandState("one-kong", Text("一副明杠，其余都是吃碰", "one exposed kong, all else claimed"),
              True, True, 0, one_kong=True),
        HandState("mixed-kongs", Text("刻子全为杠，一副暗杠，其余明杠", "every pung a kong, one of them concealed"),
              True, True, 0, kongs=True, one_hidden=True),
        HandState("one-flower",
              Text("四副全露点和，有一张自己的花", "all melds claimed, on a discard, a flower of one's own"),
              True, True, 0, flowers=1),
        HandState("four-flowers", Text("四副全露点和，有一组四张花", "all melds claimed, on a discard, four flowers"),
              True, True, 0, flowers=0b1111),
    )
}  # fmt: skip
"""Further states, in which the cheapest hands are looked for; two of them take each possible winning tile."""


class Melds(NamedTuple):
    """All sets of so many melds: planes (int64), keys of the four suits (int32), weights (int64)."""

    c1: Array
    c2: Array
    c3: Array
    c4: Array
    p: Array
    t1: Array
    t2: Array
    t3: Array
    t4: Array
    keys: Array  # [4, N]
    splits: Array  # int32 [4, N], numbers of the splits in `quepu.fast.arrays.suit_tables`
    weight: Array
    pungs: Array  # uint8, how many of the melds are pungs


def _lane_rows(s: int) -> list[Array]:
    """Return the numbers of the splits without a pair of one lane, by number of melds."""
    lane = lanes()[s]
    return [np.flatnonzero((lane.pairs == 0) & (lane.melds == n)) for n in range(5)]


def _join(left: list[Array], right: list[Array]) -> list[Array]:
    """Join rows of two groups of lanes side by side, by number of melds together (at most four)."""
    made: list[list[Array]] = [[] for _ in range(5)]
    for a in range(5):
        for b in range(5 - a):
            x, y = left[a], right[b]
            if len(x) and len(y):
                pairs = np.concatenate([np.repeat(x, len(y), axis=0), np.tile(y, (len(x), 1))], axis=1)
                made[a + b].append(pairs)
    return [np.concatenate(rows) for rows in made]


def melds() -> Melds:
    """Return the 366 528 sets of four melds with at most four copies of a kind (some 40 MB, built in 0.2 s)."""
    return meld_sets(4)


@cache
def meld_sets(n: int) -> Melds:
    """Return all sets of so many melds (at most four) with at most four copies of a kind."""
    rows = [[r[:, None] for r in _lane_rows(s)] for s in range(4)]
    joined = _join(_join(rows[0], rows[1]), _join(rows[2], rows[3]))[n].T
    planes = []
    for name in range(5):  # c1 c2 c3 c4 p
        plane = np.zeros(joined.shape[1], np.int64)
        for s, lane in enumerate(lanes()):
            plane |= lane.planes[name][joined[s]] << 16 * s
        planes.append(plane)
    keys = np.stack([lane.key[joined[s]] for s, lane in enumerate(lanes())])
    tiles = [np.zeros(joined.shape[1], np.int64) for _ in range(4)]
    for s, lane in enumerate(lanes()):
        levels = lane.levels[keys[s]]
        for copy in range(4):
            tiles[copy] |= (levels >> 16 * copy & 0xFFFF) << 16 * s
    n1, n2, n3, n4 = (count(t) for t in tiles)
    weight = 4 ** (n1 - n2) * 6 ** (n2 - n3) * 4 ** (n3 - n4)
    pungs = count(planes[4]).astype(np.uint8)
    columns: Any = (*planes, *tiles, keys, joined.astype(np.int32), weight, pungs)
    return Melds(*columns)


class _OnPair(Gathered):
    """Hands won on their pair; their waits are computed when first read."""

    def __init__(self, source: Any, index: Array, own: dict[str, Any], keys: Any, kind: int) -> None:
        super().__init__(source, index, own)
        self._keys = keys
        self._kind = kind

    def __getattr__(self, name: str) -> Any:
        if name not in WAIT_PLANES:
            return super().__getattr__(name)
        found, in_pair = waits_of(self._keys(self._kind, self._index))
        held = self.t4 & ~BIT[self._kind]
        planes = (found & ~held, in_pair & ~held, found & held)
        self.__dict__.update(zip(WAIT_PLANES, planes, strict=True))
        return self.__dict__[name]


class Universe:
    """All decomposed standard hands in one state, in a fixed order: by pair, then by meld set.

    `base` are the planes of the meld sets (without a pair); `weight` and `pungs` go with them. `limits`: those of a
    book.
    """

    def __init__(self, state: HandState, seat: int | None = None, round: int = EAST, limits: Limits = EVERY) -> None:
        seat = state.seat if seat is None else seat
        self.state, self.limits = state, limits
        self.melds = m = melds()
        none = np.zeros_like(m.p)
        chows = (m.c1, m.c2, m.c3, m.c4) if state.claims_chows(limits) else (none,) * 4
        low = m.p & -m.p
        xp = (m.p ^ low if state.one_hidden else m.p) if state.pungs_open else none
        pc = m.p ^ xp ^ (low if state.one_pung_won else 0)
        k = m.p if state.kongs else low if state.one_kong else none
        kc = k & ~xp
        closed = (chows[0] | xp) == 0
        luck = state.luck | closed * int(Luck.CLOSED)
        mixed = closed.any() and not closed.all()
        self.base = Planes(
            m.c1, m.c2, m.c3, m.c4, *chows, m.p, xp, pc, k, kc, none, m.t1, m.t2, m.t3, m.t4 | k,
            STANDARD, BIT[seat], BIT[round], 0, SINGLE if state.on_pair else 0, 0, 0,
            luck if mixed else int(luck[0]), state.flowers, 0,
        )  # fmt: skip
        self._fits = (m.t4 & k) == 0  # a kong leaves no fourth tile for a chow
        if state.least_kongs:
            self._fits &= count(k) >= state.least_kongs
        if limits != EVERY:
            self._fits &= m.t1 & ~limits.tiles == 0
            if state.on_pair and state.chows_open and not limits.chows:
                self._fits &= m.c1 == 0
        self.weight = m.weight >> 2 * count(k)  # a pung's three of four copies, C(4, 3), become one way
        self.pungs = m.pungs

    def pairs(self) -> Iterator[tuple[int, Array]]:
        """Return each kind of pair with the numbers (int32) of the meld sets that leave two copies of it."""
        for kind in self.limits.kinds:
            yield kind, np.flatnonzero(((self.base.t3 & BIT[kind]) == 0) & self._fits).astype(np.int32)

    def holds(self, kind: int, index: Array) -> Array:
        """Return whether these meld sets are of the state and leave two copies for the pair: bool."""
        fits: Array = ((self.base.t3[index] & BIT[kind]) == 0) & self._fits[index]
        return fits

    def block(self, kind: int, index: Array) -> Gathered:
        """Return the planes of the hands made of these meld sets and this pair."""
        m, bit = self.base, BIT[kind]
        t1, t2, t3, t4 = m.t1[index], m.t2[index], m.t3[index], m.t4[index]
        own: dict[str, Any] = {"pair": bit, "t1": t1 | bit, "t2": t2 | bit, "t3": t3 | t1 & bit, "t4": t4 | t2 & bit}
        if self.state.on_pair:
            return _OnPair(m, index, own | {"win": bit}, self._keys_before, kind)
        return Gathered(m, index, own)

    def _keys_before(self, kind: int, index: Array) -> Array:
        """Return the keys [4, n] of the concealed tiles without the winning tile, one of the pair."""
        claimed = self.state.chows_open and self.state.pungs_open
        keys = np.zeros((4, 1), np.int32) if claimed else self.melds.keys[:, index]  # claimed: the same for all
        keys[kind // 9] += 5 ** (kind % 9)
        return keys

    def weights(self, kind: int, index: Array) -> Array:
        """Number of physical tile sets each of these hands is (int64)."""
        m, bit = self.base, BIT[kind]
        w = self.weight[index]
        held = np.where(m.t2[index] & bit, 2, np.where(m.t1[index] & bit, 1, 0))
        return np.choose(held, (w * 6, w, w // 6))  # C(4, 2) / C(4, 0), C(4, 3) / C(4, 1), C(4, 4) / C(4, 2)

    def gathered(self, index: Array) -> Gathered:
        """Return the planes of these meld sets without a pair."""
        return Gathered(self.base, index)


class Shared(NamedTuple):
    """Hands that can be taken apart in more than one way: which hands of the universe are the same tiles.

    Arrays of one length, a row for each decomposed hand of that kind: the kind of its pair, its meld set, which group
    of equal tiles it belongs to (groups are adjacent) and its place in the order in which `shapes.readings` gives them.
    """

    pair: Array
    melds: Array
    group: Array
    order: Array


@cache
def find_shared() -> Shared:
    """Return all hands that are not the only way to read their tiles (in states without kongs)."""
    m = melds()
    several = np.stack([lane.number[key] > 1 for lane, key in zip(lanes(), m.keys, strict=True)])
    order = np.stack([split - lane.first[key] for lane, key, split in zip(lanes(), m.keys, m.splits, strict=True)])
    found = []
    for kind in range(KINDS):
        bit, own, r = BIT[kind], kind // 9, kind % 9
        index = np.flatnonzero((m.t3 & bit) == 0)
        lane = lanes()[own]
        key = m.keys[own][index] + 2 * 5**r
        flag = lane.number[key] > 1
        for s in range(4):
            if s != own:
                flag |= several[s][index]
        index, key = index[flag], key[flag]
        place = order[:, index]
        place[own] = _place(own, key, m, index, bit)
        ranked = (place[0] * 8 + place[1]) * 8 + place[2]
        keys = [m.keys[s][index] if s != own else key for s in range(4)]
        tiles = keys[0].astype(np.int64) | keys[1].astype(np.int64) << 21 | keys[2].astype(np.int64) << 42
        found.append((np.full(len(index), kind), index, tiles, keys[3], ranked))
    pair, index, tiles, letters, ranked = (np.concatenate(column) for column in zip(*found, strict=True))
    by = np.lexsort((ranked, letters, tiles))
    tiles, letters = tiles[by], letters[by]
    starts = np.concatenate([[True], (tiles[1:] != tiles[:-1]) | (letters[1:] != letters[:-1])])
    return Shared(pair[by], index[by], np.cumsum(starts) - 1, ranked[by])


def _place(s: int, key: Array, m: Melds, index: Array, pair: int) -> Array:
    """Return which of the splits of a suit's key these meld sets and the pair are."""
    lane = lanes()[s]
    want = [plane[index] >> 16 * s & 0xFFFF for plane in m[:5]]
    place = np.zeros(len(key), np.int64)
    for n in range(int(lane.number.max())):
        there = n < lane.number[key]
        split = np.where(there, lane.first[key] + n, 0)
        same = there & (lane.planes[5][split] == pair >> 16 * s)
        for name in range(5):
            same &= lane.planes[name][split] == want[name]
        place[same] = n
    return place


def read_held(wins: HandArrays, shapes: Sequence[str], reads: frozenset[str], state: HandState | None) -> Readings:
    """Return every reading of hands without a winning tile, a standard one as the state holds it in a `Universe`."""
    found = read(wins, shapes, reads)
    if state is not None and state.one_pung_won:
        h: Any = found.h
        h.pc = np.where(h.form == STANDARD, h.pc & ~(h.p & -h.p), h.pc)
    return found
