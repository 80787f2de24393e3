"""Many winning hands as arrays; the plain twin is `quepu.shapes.readings.Win`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quepu.errors import HandError
from quepu.fast.arrays.suit_tables import entries, keys_of, tile_planes
from quepu.fast.arrays.win_places import cases
from quepu.fast.compiled.reading_loops import CHOW, EXPOSED, HIDDEN, KEY, KONG, SUIT, add_chow, without
from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.hands.suit_tables import KEY_BITS
from quepu.hands.win import meld_planes
from quepu.tiles import BIT, EAST, KINDS

Array = NDArray[Any]
BITS = np.array([*BIT, 0], np.int64)
"""The plane of each kind; -1 (no tile) gives an empty one."""

_NO_MELD = len(MeldKind) * KINDS
"""The number of none among melds, which are numbered by kind and then by lowest tile."""

# The suit of each kind and what it adds to that suit's key; nothing for -1.
LANES = np.array([*(kind // 9 for kind in range(KINDS)), 0])
KEYS = np.array([*(5 ** (kind % 9) for kind in range(KINDS)), 0])


@cache
def meld_table() -> Array:
    """Tabulate the columns of each meld: int64 [kinds of meld and none, 34, 6], as `reading_loops` has them."""
    table = np.zeros((len(MeldKind) + 1, KINDS, 6), np.int64)
    for kind in MeldKind:
        for tile in range(KINDS):
            if kind != MeldKind.CHOW or (tile < 27 and tile % 9 < 7):
                meld = meld_planes((Meld(kind, tile),))
                suit = tile // 9
                table[kind, tile] = meld.o1, meld.xp, meld.k, meld.kc, suit, meld.key >> suit * KEY_BITS
    return table


@cache
def _meld_columns() -> Array:
    """Return the same by column, of none last: int64 [columns, melds by their numbers]."""
    table = meld_table().reshape(-1, meld_table().shape[-1])
    return np.ascontiguousarray(table[: _NO_MELD + 1].T)


@cache
def _meld_ranges() -> list[tuple[int, int]]:
    """Return the first and the last meld that has something there, by column."""
    there = [np.flatnonzero(column) for column in _meld_columns()]
    return [(int(some[0]), int(some[-1])) for some in there]


class _Melded(NamedTuple):
    """Some melds in one slot by their numbers, and the hands that they are of, each once."""

    meld: Array  # int64
    of: Array


def _words(column: Array) -> Array:
    """Return a column as compiled loops take it: itself if it has that form already."""
    return np.require(column, np.int64, ("C", "A", "W"))


class HandArrays:
    """N winning hands. Every plane that does not depend on the reading is an int64 array, computed when first read.

        >>> import numpy as np
        >>> hands = HandArrays(np.array([[3, 1, 1, 1, 1, 1, 1, 1, 4, *[0] * 25]], np.uint8), winning=8)
        >>> hands.n, hands.closed.tolist()
        (1, [True])

    Args:
        counts: [N, 34] copies of each kind among the concealed tiles, the winning tile included.
        melds: [N, 4, 2] kind of meld (`MeldKind`, -1 for none) and its lowest tile; None if no hand has any.
        winning: [N] kind that completed the hand, -1 if none is named.
        seat, round: [N] wind kinds, or one for all.
        luck: [N] `Luck` bits without CLOSED, or one for all.
        flowers: [N] planes (春 at bit 0; flowers known by their number only from bit 8 up), or one for all.

    Raises:
        HandError: a kind of which a hand holds fewer than none or more than four.
    """

    def __init__(
        self,
        counts: Array,
        melds: Array | None = None,
        winning: Array | int = -1,
        seat: Array | int = EAST,
        round: Array | int = EAST,
        luck: Array | int = 0,
        flowers: Array | int = 0,
    ) -> None:
        if len(counts) and (int(counts.max()) > 4 or int(counts.min()) < 0):
            at = int(np.flatnonzero(((counts < 0) | (counts > 4)).any(axis=1))[0])
            raise HandError(
                f"第 {at} 行（从 0 数起）有一种牌不是 0 到 4 张。",
                f"row {at} (counted from 0) has a kind outside 0 to 4 copies.",
                at,
            )
        self._take(counts, melds, (winning, seat, round, luck, flowers))

    @classmethod
    def checked(cls, counts: Array, melds: Array | None, columns: Sequence[Any]) -> HandArrays:
        """Return hands of which no kind has to be counted; columns: the other arguments in their order."""
        made = object.__new__(cls)
        made._take(counts, melds, columns)
        return made

    def _take(self, counts: Array, melds: Array | None, columns: Sequence[Any]) -> None:
        self.counts = counts
        self.n: int = len(counts)
        there = melds is not None and any((melds[:, slot, 0] >= 0).any() for slot in range(melds.shape[1]))
        self.meld_array: Array | None = melds if there else None
        # as given: a part of many hands is widened only when it is worked on
        self._columns = tuple(map(self._spread, columns))

    def _spread(self, x: Any) -> Array:
        x = np.asarray(x)
        return x if x.shape == (self.n,) else np.broadcast_to(x, (self.n,))

    winning: cached_property[Array] = cached_property(lambda self: _words(self._columns[0]))
    seat_kind: cached_property[Array] = cached_property(lambda self: _words(self._columns[1]))
    round_kind: cached_property[Array] = cached_property(lambda self: _words(self._columns[2]))
    given_luck: cached_property[Array] = cached_property(lambda self: _words(self._columns[3]))
    flowers: cached_property[Array] = cached_property(lambda self: _words(self._columns[4]))
    flower_count: cached_property[Array] = cached_property(lambda self: np.bitwise_count(self.flowers))

    @cached_property
    def keys(self) -> Array:
        """Keys of the concealed tiles: int64 [4, N]."""
        return keys_of(self.counts)

    # ---- melds

    @cached_property
    def _slots(self) -> list[_Melded]:
        """The melds, slot by slot."""
        if self.meld_array is None:
            return []
        found = []
        for kinds, tiles in self.meld_array.transpose(1, 2, 0):
            of = np.flatnonzero(kinds >= 0)
            if of.size:
                found.append(_Melded(kinds.take(of).astype(np.int64) * KINDS + tiles.take(of), of))
        return found

    def _select_melds(self, column: int) -> Iterator[_Melded]:
        """Return the melds that may have something in a column, slot by slot."""
        low, high = _meld_ranges()[column]
        for meld, of in self._slots:
            some = np.flatnonzero((meld >= low) & (meld <= high))
            if some.size:
                yield _Melded(meld.take(some), of.take(some))

    def _none(self) -> Array:
        return np.zeros(self.n, np.int64)

    @cached_property
    def melds(self) -> Array:
        """Number of melds each hand has: uint8 [N]."""
        number = np.zeros(self.n, np.uint8)
        for slot in self._slots:
            number[slot.of] += 1
        return number

    @cached_property
    def kongs(self) -> Array:
        """Number of melds that are kongs: uint8 [N]."""
        number = np.zeros(self.n, np.uint8)
        for slot in self._select_melds(KONG):
            number[slot.of] += 1
        return number

    @cached_property
    def all_keys(self) -> Array:
        """Keys of the whole hands, melds included, kongs as four: int64 [4, N]."""
        if not self._slots:
            return self.keys
        keys = self.keys.copy()
        flat = keys.reshape(-1)
        for meld, of in self._slots:  # of one suit
            flat[_meld_columns()[SUIT].take(meld) * self.n + of] += _meld_columns()[KEY].take(meld)
        return keys

    @cached_property
    def _chows(self) -> tuple[Array, Array, Array, Array]:
        planes = [self._none() for _ in range(4)]
        for slot in self._select_melds(CHOW):
            some, more = slot.of, _meld_columns()[CHOW].take(slot.meld)
            for plane in planes:
                held = plane.take(some)
                plane[some] = held | more
                again = np.flatnonzero(held & more)
                if not again.size:
                    break
                some, more = some[again], more[again]
        return planes[0], planes[1], planes[2], planes[3]

    o1: cached_property[Array] = cached_property(lambda self: self._chows[0])
    o2: cached_property[Array] = cached_property(lambda self: self._chows[1])
    o3: cached_property[Array] = cached_property(lambda self: self._chows[2])
    o4: cached_property[Array] = cached_property(lambda self: self._chows[3])

    def _join_melds(self, column: int) -> Array:
        plane = self._none()
        for meld, of in self._select_melds(column):
            plane[of] |= _meld_columns()[column].take(meld)
        return plane

    xp: cached_property[Array] = cached_property(lambda self: self._join_melds(EXPOSED))
    k: cached_property[Array] = cached_property(lambda self: self._join_melds(KONG))
    kc: cached_property[Array] = cached_property(lambda self: self._join_melds(HIDDEN))
    meld_p: cached_property[Array] = cached_property(lambda self: self.xp | self.kc)

    # ---- the whole hand

    @cached_property
    def closed(self) -> Array:
        """Whether nothing was claimed (concealed kongs keep a hand closed)."""
        found: Array = (self.o1 | self.xp) == 0
        return found

    @cached_property
    def bare(self) -> Array:
        """Whether the hand has no meld."""
        found: Array = self.melds == 0
        return found

    @cached_property
    def luck(self) -> Array:
        """Luck bits with CLOSED."""
        found: Array = self.given_luck | self.closed * int(Luck.CLOSED)
        return found

    @cached_property
    def _tiles(self) -> tuple[Array, Array, Array, Array]:
        return tile_planes(self.all_keys)

    t1: cached_property[Array] = cached_property(lambda self: self._tiles[0])
    t2: cached_property[Array] = cached_property(lambda self: self._tiles[1])
    t3: cached_property[Array] = cached_property(lambda self: self._tiles[2])
    t4: cached_property[Array] = cached_property(lambda self: self._tiles[3])
    win: cached_property[Array] = cached_property(lambda self: BITS.take(self.winning, mode="wrap"))
    lane: cached_property[Array] = cached_property(lambda self: LANES.take(self.winning, mode="wrap"))
    case: cached_property[Array] = cached_property(lambda self: cases(self.winning, self.given_luck))
    seat: cached_property[Array] = cached_property(lambda self: BITS[self.seat_kind])
    round: cached_property[Array] = cached_property(lambda self: BITS[self.round_kind])

    @cached_property
    def possible(self) -> Array:
        """Whether the tiles can be a hand: four copies at most, fourteen tiles (a kong one more).

        A fifth copy carries into the next digit of a key, which takes four off the sum of its digits.
        """
        wanted = self.kongs + np.uint8(14)
        if (self.winning < 0).any():  # a hand that wins without a winning tile may have thirteen
            wanted -= (self.winning < 0) & (self.counts.sum(axis=1) % 3 == 1)
        count = np.bitwise_count
        held: Array = count(self.t1) + count(self.t2) + count(self.t3) + count(self.t4)
        fits: Array = held == wanted
        return fits

    @cached_property
    def entries(self) -> list[Array]:
        """Table entries of the four suits of the concealed tiles (`quepu.fast.arrays.suit_tables.Lane.entry`)."""
        return entries(self.keys)

    @cached_property
    def before(self) -> tuple[Array, Array, Array, Array]:
        """The tile planes without the winning tile."""
        found: tuple[Array, Array, Array, Array] = without(self.t1, self.t2, self.t3, self.t4, self.win)
        return found

    @cached_property
    def keys_before(self) -> Array:
        """Keys of the concealed tiles without the winning tile: int64 [4, N]."""
        keys = self.keys.copy()
        flat = keys.reshape(-1)
        flat[self.lane * self.n + np.arange(self.n)] -= KEYS.take(self.winning, mode="wrap")
        return keys

    def melds_of(self, i: int) -> tuple[Meld, ...]:
        """Return the melds of hand number i."""
        melds = () if self.meld_array is None else self.meld_array[i].tolist()
        return tuple(Meld(MeldKind(kind), tile) for kind, tile in melds if kind >= 0)

    def hand(self, i: int) -> Hand:
        """Return hand number i as a `Hand`."""
        winning = int(self.winning[i])
        tiles = [kind for kind, copies in enumerate(self.counts[i].tolist()) for _ in range(copies)]
        if winning >= 0:
            tiles.remove(winning)
        flowers = int(self.flowers[i])
        named = tuple(f for f in range(8) if flowers >> f & 1)
        return Hand(
            tuple(tiles),
            self.melds_of(i),
            winning if winning >= 0 else None,
            int(self.seat_kind[i]),
            int(self.round_kind[i]),
            int(self.given_luck[i]),
            named or int(self.flower_count[i]),
        )

    def around(self, seat: Array, round: Array, luck: Array, flowers: Array) -> HandArrays:
        """Return the same tiles with other seats, rounds, luck and flowers, each [N] or [1]."""
        return self.checked(self.counts, self.meld_array, (self._columns[0], seat, round, luck, flowers))

    def without_tiles(self, rows: Sequence[int]) -> HandArrays:
        """Return the same hands, some of them without tiles: no win, whatever the book."""
        if not rows:
            return self
        counts, winning = self.counts.copy(), self._columns[0].copy()
        counts[rows], winning[rows] = 0, -1
        melds = self.meld_array
        if melds is not None:
            melds = melds.astype(np.int64)
            melds[rows] = -1
        return self.checked(counts, melds, (winning, *self._columns[1:]))

    def part(self, start: int, stop: int) -> HandArrays:
        """Return hands `start` to `stop` (exclusive) as `HandArrays` of their own."""
        return self if start <= 0 and stop >= self.n else self.some(slice(start, stop))

    def some(self, cut: slice | Array) -> HandArrays:
        """Return some of the hands as `HandArrays` of their own."""
        melds = None if self.meld_array is None else self.meld_array[cut]
        return self.checked(self.counts[cut], melds, [column[cut] for column in self._columns])


class Gathered:
    """Planes of some hands or readings, out of others: a field is gathered when first read.

    `index` gives the place of each in `source`; `own` are fields that are not gathered.
    """

    def __init__(self, source: Any, index: Array, own: Mapping[str, Any] = MappingProxyType({})) -> None:
        self._source = source
        self._index = index
        self.__dict__.update(own)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._source, name)
        if isinstance(found, np.ndarray):
            found = found.take(self._index)
        self.__dict__[name] = found
        return found

    def at(self, name: str, place: int) -> int:
        """Read a field in one place; nothing is gathered for that."""
        found = self.__dict__.get(name)
        if found is None:
            found, place = getattr(self._source, name), self._index[place]
        return int(found[place]) if isinstance(found, np.ndarray) else int(found)


def add_chows(chows: tuple[Array, Array, Array, Array], more: Sequence[Array]) -> tuple[Array, Array, Array, Array]:
    """Return chow planes (at least one … four of a start) with further chows added."""
    for bit in more:
        chows = add_chow(*chows, bit)
    return chows
