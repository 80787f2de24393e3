"""A complete hand before it is read, and a reading of it: groups, the place of the winning tile, planes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from quepu.hands.hand import Hand, Luck, Meld, MeldKind, flower_plane
from quepu.hands.planes import EDGE, GAP, OPEN_END, PUNG_PLACE, SINGLE, Planes
from quepu.hands.suit_tables import KEY, tile_planes
from quepu.tiles import BIT, CHINESE, KIND, NAMES

CHOW, PUNG, PAIR, TILE = range(4)
_CLOSED = int(Luck.CLOSED)
_SELF_DRAW = int(Luck.SELF_DRAW)


class Group(NamedTuple):
    """A part of a reading. `kind` is CHOW, PUNG (kongs too), PAIR or TILE (one loose tile); `tile` its lowest kind."""

    kind: int
    tile: int
    exposed: bool = False
    kong: bool = False
    won: bool = False  # the winning tile stands here

    @property
    def tiles(self) -> tuple[int, ...]:
        """Its kinds, with repetition."""
        if self.kind == CHOW:
            return (self.tile, self.tile + 1, self.tile + 2)
        return (self.tile,) * (1 if self.kind == TILE else 2 if self.kind == PAIR else 4 if self.kong else 3)

    def text(self) -> str:
        """Return the group in the notation: 123m, (EEE) exposed, [EEEE] a concealed kong."""
        return _text(self)

    def spoken(self) -> str:
        """Return the group as Chinese players say it: 一二三万, 東東東."""
        names = [CHINESE[t] for t in self.tiles]
        return "".join(name[0] for name in names) + names[0][1:]


@cache
def _text(group: Group) -> str:
    text = "".join([NAMES[t] if t >= 27 else NAMES[t][0] for t in group.tiles])
    if group.tile < 27:
        text += NAMES[group.tile][1]
    if group.exposed:
        return f"({text})"
    return f"[{text}]" if group.kong else text


class MeldPlanes(NamedTuple):
    """Planes and keys of the melds of a hand."""

    need: int  # melds still to be made of concealed tiles
    key: int  # tiles, kongs as four
    chows: tuple[int, ...]
    o1: int
    o2: int
    o3: int
    o4: int
    p: int
    xp: int
    k: int
    kc: int
    closed: int  # Luck.CLOSED or 0


@lru_cache(1 << 14)
def meld_planes(melds: tuple[Meld, ...]) -> MeldPlanes:
    """Return the planes of some melds."""
    o1 = o2 = o3 = o4 = p = xp = k = kc = key = 0
    chows = []
    for meld in melds:
        kind, tile = meld
        bit = BIT[tile]
        key += sum(KEY[t] for t in meld.tiles)
        if kind == MeldKind.CHOW:
            chows.append(bit)
            o4 |= o3 & bit
            o3 |= o2 & bit
            o2 |= o1 & bit
            o1 |= bit
            continue
        p |= bit
        if kind == MeldKind.CONCEALED_KONG:
            kc |= bit
        else:
            xp |= bit
        if kind != MeldKind.PUNG:
            k |= bit
    closed = 0 if o1 or xp else _CLOSED
    return MeldPlanes(4 - len(melds), key, tuple(chows), o1, o2, o3, o4, p, xp, k, kc, closed)


WaitFor = Callable[["Win"], tuple[int, int, int]]
GroupsOf = Callable[[Planes, "Win"], Iterable[Group]]
NO_WAITS = (0, 0, 0)


class Win:
    """A complete hand before it is read: its tiles as keys and planes, and everything its readings share."""

    __slots__ = (
        "_wait_for",
        "_waits",
        "flowers",
        "hand",
        "key",
        "luck",
        "melds",
        "reads",
        "round",
        "seat",
        "t",
        "tiles",
        "win",
    )

    def __init__(self, hand: Hand, reads: frozenset[str] = frozenset(), wait_for: WaitFor | None = None) -> None:
        """`reads` are the planes that conditions read; `wait_for` computes the waits (see `waits`)."""
        concealed, melds, winning, seat, round, luck, flowers = hand
        self.hand: Hand = hand
        self.reads: frozenset[str] = reads
        self._wait_for = wait_for
        self.tiles: tuple[int, ...] = concealed if winning is None else (*concealed, winning)
        self.melds: MeldPlanes = meld_planes(melds)
        self.key: int = sum(map(KEY.__getitem__, self.tiles))
        self.win: int = 0 if winning is None else BIT[winning]
        self.seat: int = BIT[seat]
        self.round: int = BIT[round]
        self.luck: int = int(luck) | self.melds.closed
        self.flowers: int = flower_plane(flowers)
        self._waits: tuple[int, int, int] | None = None if wait_for else NO_WAITS
        self.t: tuple[int, int, int, int] = tile_planes(self.key + self.melds.key)

    @property
    def closed(self) -> bool:
        """Whether the hand has no melds but concealed kongs."""
        return bool(self.melds.closed)

    @property
    def bare(self) -> bool:
        """Whether the hand has no melds at all, as the special shapes require."""
        return self.melds.need == 4

    def waits(self) -> tuple[int, int, int]:
        """Planes of the waits before the winning tile, those in a pair, the dead ones; 0 if not read or unnamed."""
        if self._waits is None:
            self._waits = self._wait_for(self) if self._wait_for and self.win else NO_WAITS
        return self._waits

    def planes(
        self,
        form: int,
        chows: tuple[int, int, int, int] = (0, 0, 0, 0),
        p: int = 0,
        pc: int = 0,
        pair: int = 0,
        place: int = 0,
    ) -> Planes:
        """Return the planes of one reading; `p` and `pc` without the melds, `chows` with them."""
        m = self.melds
        waits, pair_waits, dead_waits = self.waits()
        return Planes._make((  # three times as fast as a call with so many fields
            *chows, m.o1, m.o2, m.o3, m.o4, p | m.p, m.xp, pc | m.kc, m.k, m.kc, pair, *self.t, form, self.seat,
            self.round, self.win, place, waits, pair_waits, self.luck, self.flowers, dead_waits,
        ))  # fmt: skip


class Reading:
    """A reading of a win: its planes, and its groups on demand."""

    __slots__ = ("_groups", "h", "win")

    def __init__(self, h: Planes, win: Win, groups: tuple[Group, ...] | GroupsOf | None = None) -> None:
        """`groups`, or a function that returns them when first read, if `groups_of` cannot give them."""
        self.h: Planes = h
        self.win: Win = win
        self._groups = groups

    def __repr__(self) -> str:
        return f"Reading({self.text()!r})"

    @property
    def groups(self) -> tuple[Group, ...]:
        """The parts: concealed chows, pungs, the pair or pairs, loose tiles, then the melds in the order made."""
        if not isinstance(self._groups, tuple):
            self._groups = tuple((self._groups or groups_of)(self.h, self.win))
        return self._groups

    def text(self) -> str:
        """Return the groups in the notation, separated by single spaces."""
        if self._groups is None and self.h.c1 | self.h.p:  # else single tiles and pairs
            return standard_text(self.h, self.win.hand.melds)
        return " ".join([group.text() for group in self.groups])


def bits(plane: int) -> Iterator[int]:
    """Yield the single bits of a plane, lowest first."""
    while plane:
        low = plane & -plane
        yield low
        plane ^= low


@lru_cache(1 << 14)
def _sets_text(c1: int, c2: int, c3: int, c4: int, p: int, pair: int) -> str:
    chows = sorted([*bits(c1), *bits(c2), *bits(c3), *bits(c4)])
    groups = [*((CHOW, bit) for bit in chows), *((PUNG, bit) for bit in bits(p)), *((PAIR, bit) for bit in bits(pair))]
    return " ".join([_text(Group(kind, KIND[bit])) for kind, bit in groups])


@lru_cache(1 << 14)
def _melds_text(melds: tuple[Meld, ...]) -> str:
    return "".join([
        " " + _text(Group(CHOW if m.kind == MeldKind.CHOW else PUNG, m.tile, m.exposed, m.kind >= MeldKind.KONG))
        for m in melds
    ])  # fmt: skip


def standard_text(h: Planes, melds: tuple[Meld, ...]) -> str:
    """Return four melds and a pair in the notation, as `Reading.text` does, from cached parts."""
    c1, c2, c3, c4, p = h.c1, h.c2, h.c3, h.c4, h.p
    if melds:
        mine = meld_planes(melds)
        p &= ~mine.p
        for bit in mine.chows:  # each takes the topmost copy of its start
            if c4 & bit:
                c4 ^= bit
            elif c3 & bit:
                c3 ^= bit
            elif c2 & bit:
                c2 ^= bit
            else:
                c1 ^= bit
    return _sets_text(c1, c2, c3, c4, p, h.pair) + _melds_text(melds)


def groups_of(h: Planes, win: Win) -> Iterator[Group]:
    """Yield the groups of a reading's planes."""
    w, place = h.win, h.place
    own = list(bits(h.c1)) + list(bits(h.c2)) + list(bits(h.c3)) + list(bits(h.c4))
    for bit in win.melds.chows:
        own.remove(bit)
    start = {EDGE: (w, w >> 2), OPEN_END: (w, w >> 2), GAP: (w >> 1,)}.get(place, ())
    for bit in sorted(own):
        # EDGE is 7 of 789 or 3 of 123; OPEN_END either end of any other chow
        low = KIND[bit] % 9
        fits = bit in start and (place == GAP or (place == EDGE) == (low == (6 if bit == w else 0)))
        if fits:
            start = ()
        yield Group(CHOW, KIND[bit], won=fits)
    for bit in bits(h.p & ~win.melds.p):
        yield Group(PUNG, KIND[bit], won=place == PUNG_PLACE and bit == w)
    loose = 0 if h.c1 | h.p else h.t1  # with no set at all it is single tiles, or pairs
    for bit in bits(loose & ~h.pair):
        yield Group(TILE, KIND[bit], won=bit == w)
    for bit in bits(h.pair):
        yield Group(PAIR, KIND[bit], won=bit == w and (place == SINGLE or bool(loose)))
    for meld in win.hand.melds:
        yield Group(CHOW if meld.kind == MeldKind.CHOW else PUNG, meld.tile, meld.exposed, meld.kind >= MeldKind.KONG)


# ---- the winning tile's place


def place_winning_tile(
    win: Win, form: int, chows: tuple[int, int, int, int], own: int, p: int, pair: int, loose: int = 0
) -> list[Reading]:
    """Return one reading for each group that the winning tile may finish.

    `loose` are the tiles that stand alone, if the shape has any. If the book does not look at the place, parts that
    leave the same concealed pungs are one reading.
    """
    w = win.win
    if not w:
        return [Reading(win.planes(form, chows, p, p, pair), win)]
    looks = "place" in win.reads
    found: list[Reading] = []
    if w < 1 << 48:
        if own & w:
            place = EDGE if w & 0x0040_0040_0040 else OPEN_END
            found.append(Reading(win.planes(form, chows, p, p, pair, place), win))
        if own & w >> 2 and (looks or not found):
            place = EDGE if w & 0x0004_0004_0004 else OPEN_END
            if not found or found[0].h.place != place:
                found.append(Reading(win.planes(form, chows, p, p, pair, place), win))
        if own & w >> 1 and (looks or not found):
            found.append(Reading(win.planes(form, chows, p, p, pair, GAP), win))
    if pair & w and (looks or not found):
        found.append(Reading(win.planes(form, chows, p, p, pair, SINGLE), win))
    if p & w:
        pc = p if win.luck & _SELF_DRAW else p & ~w
        if looks or not found or pc != p:
            found.append(Reading(win.planes(form, chows, p, pc, pair, PUNG_PLACE), win))
    if loose & w and (looks or not found):
        found.append(Reading(win.planes(form, chows, p, p, pair), win))
    return found
