"""Every way to read a winning hand: every decomposition, and every part that the winning tile may finish.

A shape (standard, seven pairs, thirteen orphans …) is a function from a `Win` to readings, registered by name in
`SHAPES`; a rulebook lists the shapes it knows. Families with shapes of their own register them the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import permutations
from typing import NamedTuple

from quepu.hand import Hand, Luck, Meld, MeldKind, flower_plane
from quepu.planes import (
    EDGE,
    GAP,
    HONOUR_TILES,
    KNITTED,
    LOOSE,
    OPEN_END,
    ORPHANS,
    OUTER,
    PAIRS,
    PUNG_PLACE,
    SINGLE,
    STANDARD,
    SUIT_TILES,
    Condition,
    Planes,
)
from quepu.suits import KEY, KEY_BITS, KEY_MASK, Split, completions, honour_splits, levels, suit_splits
from quepu.tiles import BIT, KIND, NAMES

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
        """In the notation: 123m, (EEE) exposed, [EEEE] a concealed kong."""
        return _text(self)


@cache
def _text(group: Group) -> str:
    text = "".join([NAMES[t] if t >= 27 else NAMES[t][0] for t in group.tiles])
    if group.tile < 27:
        text += NAMES[group.tile][1]
    if group.exposed:
        return f"({text})"
    return f"[{text}]" if group.kong else text


class _Melds(NamedTuple):
    """What the melds of a hand contribute to its planes."""

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
def _melds(melds: tuple[Meld, ...]) -> _Melds:
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
    return _Melds(4 - len(melds), key, tuple(chows), o1, o2, o3, o4, p, xp, k, kc, closed)


def _tile_planes(key: int) -> tuple[int, int, int, int]:
    """The tile planes of a whole hand's key."""
    a1, a2, a3, a4 = levels(key & KEY_MASK)
    b1, b2, b3, b4 = levels(key >> KEY_BITS & KEY_MASK)
    c1, c2, c3, c4 = levels(key >> 2 * KEY_BITS & KEY_MASK)
    z1, z2, z3, z4 = levels(key >> 3 * KEY_BITS)
    return (
        a1 | b1 << 16 | c1 << 32 | z1 << 48,
        a2 | b2 << 16 | c2 << 32 | z2 << 48,
        a3 | b3 << 16 | c3 << 32 | z3 << 48,
        a4 | b4 << 16 | c4 << 32 | z4 << 48,
    )


class Win:
    """A complete hand on its way to readings: its tiles as keys and planes, and what they have in common."""

    __slots__ = (
        "_book",
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

    def __init__(self, hand: Hand, shapes: tuple[str, ...], reads: frozenset[str]) -> None:
        concealed, melds, winning, seat, round, luck, flowers = hand
        self.hand = hand
        self.reads = reads
        self._book = shapes
        self.tiles = concealed if winning is None else (*concealed, winning)
        self.melds = _melds(melds)
        self.key = sum(map(KEY.__getitem__, self.tiles))
        self.win = 0 if winning is None else BIT[winning]
        self.seat = BIT[seat]
        self.round = BIT[round]
        self.luck = int(luck) | self.melds.closed
        self.flowers = flower_plane(flowers)
        self._waits: tuple[int, int, int] | None = None
        self.t = _tile_planes(self.key + self.melds.key)

    @property
    def closed(self) -> bool:
        """Whether nothing was melded but concealed kongs."""
        return bool(self.melds.closed)

    @property
    def bare(self) -> bool:
        """Whether nothing at all was melded: what the special shapes need."""
        return self.melds.need == 4

    def waits(self) -> tuple[int, int, int]:
        """The planes that `wait_planes` gives, worked out only if the book reads one of them."""
        if self._waits is None:
            if self.reads.isdisjoint(("waits", "pair_waits", "dead_waits")):
                self._waits = (0, 0, 0)
            else:
                (t1, t2, t3, t4), w = self.t, self.win
                before = t1 & ~(w & ~t2), t2 & ~(w & ~t3), t3 & ~(w & ~t4), t4 & ~w
                key = self.key if self.hand.winning is None else self.key - KEY[self.hand.winning]
                self._waits = _waits(self.hand, self._book, key, before, self.melds.need)
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
        """The planes of one reading; `p` and `pc` without the melds, `chows` with them."""
        m = self.melds
        waits, pair_waits, dead_waits = self.waits()
        return Planes(
            *chows, m.o1, m.o2, m.o3, m.o4, p | m.p, m.xp, pc | m.kc, m.k, m.kc, pair, *self.t, form, self.seat,
            self.round, self.win, place, waits, pair_waits, self.luck, self.flowers, dead_waits,
        )  # fmt: skip


class Reading:
    """One way to read a win: its planes, and on demand its groups."""

    __slots__ = ("_groups", "h", "win")

    def __init__(self, h: Planes, win: Win, groups: tuple[Group, ...] | None = None) -> None:
        self.h = h
        self.win = win
        self._groups = groups

    @property
    def groups(self) -> tuple[Group, ...]:
        """The parts: concealed chows, pungs, the pair or pairs, loose tiles, then the melds in the order made."""
        if self._groups is None:
            self._groups = tuple(_groups(self.h, self.win))
        return self._groups

    def text(self) -> str:
        """The groups in the notation, one space between."""
        return " ".join(group.text() for group in self.groups)


def _bits(plane: int) -> Iterator[int]:
    while plane:
        low = plane & -plane
        yield low
        plane ^= low


def _groups(h: Planes, win: Win) -> Iterator[Group]:
    w, place = h.win, h.place
    own = list(_bits(h.c1)) + list(_bits(h.c2)) + list(_bits(h.c3)) + list(_bits(h.c4))
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
    for bit in _bits(h.p & ~win.melds.p):
        yield Group(PUNG, KIND[bit], won=place == PUNG_PLACE and bit == w)
    loose = h.t1 if h.form & ~(STANDARD | PAIRS) and not h.c1 | h.p else 0
    for bit in _bits(loose & ~h.pair):
        yield Group(TILE, KIND[bit], won=bit == w)
    for bit in _bits(h.pair):
        yield Group(PAIR, KIND[bit], won=bit == w and (place == SINGLE or bool(loose) or h.form == PAIRS))
    for meld in win.hand.melds:
        yield Group(CHOW if meld.kind == MeldKind.CHOW else PUNG, meld.tile, meld.exposed, meld.kind >= MeldKind.KONG)


# ---- the winning tile's place


def placed(win: Win, form: int, chows: tuple[int, int, int, int], own: int, p: int, pair: int) -> list[Reading]:
    """One reading for each part that the winning tile may finish. `own` are the concealed chows (at least one).

    Where the book does not look at the place, parts that leave the same concealed pungs are one reading.
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
    return found


# ---- shapes


def _options(key: int, need: int) -> tuple[tuple[Split, ...], ...] | None:
    """The splits of the four suits, if together they make `need` melds and one pair."""
    table = suit_splits()
    a = table.get(key & KEY_MASK)
    if a is None:
        return None
    b = table.get(key >> KEY_BITS & KEY_MASK)
    if b is None:
        return None
    c = table.get(key >> 2 * KEY_BITS & KEY_MASK)
    if c is None:
        return None
    z = honour_splits().get(key >> 3 * KEY_BITS)
    if z is None:
        return None
    if a[0].pairs + b[0].pairs + c[0].pairs + z[0].pairs != 1:
        return None
    if a[0].melds + b[0].melds + c[0].melds + z[0].melds != need:
        return None
    return a, b, c, z


def standard(win: Win) -> list[Reading]:
    """Four melds and a pair."""
    options = _options(win.key, win.melds.need)
    if options is None:
        return []
    suit_a, suit_b, suit_c, (z,) = options
    exposed = win.melds.chows
    found: list[Reading] = []
    for a in suit_a:
        for b in suit_b:
            for c in suit_c:
                c1 = own = a.c1 | b.c1 << 16 | c.c1 << 32
                c2 = a.c2 | b.c2 << 16 | c.c2 << 32
                c3 = a.c3 | b.c3 << 16 | c.c3 << 32
                c4 = a.c4 | b.c4 << 16 | c.c4 << 32
                for bit in exposed:
                    c4 |= c3 & bit
                    c3 |= c2 & bit
                    c2 |= c1 & bit
                    c1 |= bit
                p = a.p | b.p << 16 | c.p << 32 | z.p << 48
                pair = a.pair | b.pair << 16 | c.pair << 32 | z.pair << 48
                found += placed(win, STANDARD, (c1, c2, c3, c4), own, p, pair)
    return found


def pairs(win: Win) -> list[Reading]:
    """Seven different pairs."""
    t1, t2, t3, _ = win.t
    if t1 != t2 or t3 or not win.bare:
        return []
    return [Reading(win.planes(PAIRS, pair=t1, place=SINGLE), win)] if t1.bit_count() == 7 else []


def any_pairs(win: Win) -> list[Reading]:
    """Seven pairs, four of a kind being two of them."""
    t1, t2, t3, t4 = win.t
    if t1 != t2 or t3 != t4 or not win.bare or t1.bit_count() + t3.bit_count() != 7:
        return []
    groups = tuple(
        Group(PAIR, KIND[bit], won=bit == win.win and plane == t1) for plane in (t1, t3) for bit in _bits(plane)
    )
    return [Reading(win.planes(PAIRS, pair=t1, place=SINGLE), win, groups)]


def orphans(win: Win) -> list[Reading]:
    """The thirteen terminals and honours, one of them twice."""
    t1, t2, t3, _ = win.t
    if t1 != OUTER or t3 or not win.bare:
        return []
    return [Reading(win.planes(ORPHANS, pair=t2, place=SINGLE if t2 == win.win else 0), win)]


def _lines() -> tuple[int, ...]:
    """The six ways to give 147, 258 and 369 a suit each, as planes of nine tiles."""
    lines = (0b001001001, 0b010010010, 0b100100100)
    return tuple(lines[a] | lines[b] << 16 | lines[c] << 32 for a, b, c in permutations(range(3)))


KNITTED_LINES = _lines()


def loose(win: Win) -> list[Reading]:
    """Fourteen different tiles out of 147, 258, 369 of three suits and the seven honours."""
    t1, t2 = win.t[0], win.t[1]
    if t2 or not win.bare:
        return []
    numbers = t1 & ~HONOUR_TILES
    for line in KNITTED_LINES:
        if not numbers & ~line:
            return [Reading(win.planes(LOOSE), win)]
    return []


def knitted(win: Win) -> list[Reading]:
    """147, 258, 369 of three suits, one meld and a pair; the meld may be claimed."""
    if win.melds.need < 3 or (win.t[0] & SUIT_TILES).bit_count() < 9:
        return []
    t1 = 0
    for tile in win.tiles:
        t1 |= BIT[tile]
    found: list[Reading] = []
    for line in KNITTED_LINES:
        if line & ~t1:
            continue
        rest = win.key - sum(KEY[KIND[bit]] for bit in _bits(line))
        options = _options(rest, win.melds.need - 3)
        if options is None:
            continue
        suit_a, suit_b, suit_c, (z,) = options
        for a in suit_a:
            for b in suit_b:
                for c in suit_c:
                    own = a.c1 | b.c1 << 16 | c.c1 << 32
                    c1 = own
                    for bit in win.melds.chows:
                        c1 |= bit
                    p = a.p | b.p << 16 | c.p << 32 | z.p << 48
                    pair = a.pair | b.pair << 16 | c.pair << 32 | z.pair << 48
                    made = placed(win, KNITTED, (c1, 0, 0, 0), own, p, pair)
                    if line & win.win and (not made or "place" in win.reads):
                        made.append(Reading(win.planes(KNITTED, (c1, 0, 0, 0), p, p, pair), win))
                    for reading in made:
                        in_line = reading.h.place == 0
                        tiles = tuple(Group(TILE, KIND[bit], won=in_line and bit == win.win) for bit in _bits(line))
                        found.append(Reading(reading.h, win, tiles + tuple(_groups(reading.h, win))))
    return found


Shape = Callable[[Win], list[Reading]]

SHAPES: dict[str, Shape] = {
    "standard": standard,
    "pairs": pairs,
    "any_pairs": any_pairs,
    "orphans": orphans,
    "loose": loose,
    "knitted": knitted,
}
"""Every shape by name. A family with a shape of its own registers it here when it is loaded."""

LIMITS: dict[str, tuple[int, int, int]] = {
    "pairs": (0, 7, 7),
    "any_pairs": (0, 4, 7),
    "orphans": (0, 12, 13),
    "loose": (0, 13, 13),
    "knitted": (1, 8, 13),
}
"""How many melds a shape allows, and how few and many different kinds a hand one tile from it has; of a shape that is
not here nothing is known. A family adds its own."""


def within_limits(shape: str, melds: int, kinds: int) -> bool:
    """Whether a hand with so many melds and different kinds may be one tile from this shape."""
    most, fewest_kinds, most_kinds = LIMITS.get(shape, (4, 0, 13))
    return melds <= most and fewest_kinds <= kinds <= most_kinds


@lru_cache(256)
def _asked(shapes: tuple[str, ...]) -> tuple[tuple[tuple[Shape, ...], ...], ...]:
    """The shapes worth asking, by melds still to make and by different kinds of a complete hand."""
    return tuple(
        tuple(
            tuple(
                SHAPES[shape]
                for shape in shapes
                if within_limits(shape, 4 - need, kinds) or within_limits(shape, 4 - need, kinds - 1)
            )
            for kinds in range(15)
        )
        for need in range(5)
    )


@lru_cache(256)
def _awaited(shapes: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """The shapes that may be one tile away, by melds still to make and by different kinds."""
    return tuple(
        tuple(tuple(shape for shape in shapes if within_limits(shape, 4 - need, kinds)) for kinds in range(15))
        for need in range(5)
    )


def readings(hand: Hand, shapes: tuple[str, ...], reads: frozenset[str] = frozenset(Planes._fields)) -> list[Reading]:
    """Every reading of a complete hand under these shapes; empty if it is not a win.

    `reads` names the planes that will be looked at: what nobody reads is not worked out, and readings that differ
    in nothing else are given once.
    """
    win = Win(hand, shapes, reads)
    found: list[Reading] = []
    for shape in _asked(shapes)[win.melds.need][win.t[0].bit_count()]:
        found += shape(win)
    return found


# ---- what thirteen tiles wait for


def set_waits(key: int, need: int, pairs: int = 1) -> tuple[int, int]:
    """The tiles that complete `need` sets and so many pairs (0 or 1), and those that can finish the pair."""
    table = suit_splits()
    k0, k1, k2, k3 = key & KEY_MASK, key >> KEY_BITS & KEY_MASK, key >> 2 * KEY_BITS & KEY_MASK, key >> 3 * KEY_BITS
    whole = (table.get(k0), table.get(k1), table.get(k2), honour_splits().get(k3))
    melds, broken = need, -1
    for s, splits in enumerate(whole):
        if splits is not None:
            melds -= splits[0].melds
            pairs -= splits[0].pairs
        elif broken >= 0:
            return 0, 0  # two suits lack something
        else:
            broken = s
    if broken >= 0:
        found = completions((k0, k1, k2, k3)[broken], broken == 3)
        fits = found.melds == melds and found.pairs == pairs
        return (found.ranks << 16 * broken, found.in_pair << 16 * broken) if fits else (0, 0)
    waits = pair_waits = 0
    for s, (suit, splits) in enumerate(zip((k0, k1, k2, k3), whole, strict=True)):
        found = completions(suit, s == 3)
        if splits and found.melds == melds + splits[0].melds and found.pairs == pairs + splits[0].pairs:
            waits |= found.ranks << 16 * s
            pair_waits |= found.in_pair << 16 * s
    return waits, pair_waits


Tiles = tuple[int, int, int, int]
"""The tile planes: at least one … four copies."""


def _pairs_waits(t: Tiles) -> tuple[int, int]:
    lone = t[0] ^ t[1]
    fits = t[1].bit_count() == 6 and not t[2] and lone & lone - 1 == 0
    return (lone, lone) if fits else (0, 0)


def _any_pairs_waits(t: Tiles) -> tuple[int, int]:
    odd = t[0] ^ t[1] | t[2] ^ t[3]
    return (0, 0) if odd & odd - 1 else (odd, odd)


def _orphans_waits(t: Tiles) -> tuple[int, int]:
    if t[0] & ~OUTER or t[2]:
        return 0, 0
    if t[0] == OUTER:
        return OUTER, OUTER
    lacking = OUTER & ~t[0]
    return (0, 0) if lacking & lacking - 1 else (lacking, 0)


def _loose_waits(t: Tiles) -> tuple[int, int]:
    waits = 0
    if not t[1]:
        for line in KNITTED_LINES:
            if not t[0] & ~(line | HONOUR_TILES):
                waits |= (line | HONOUR_TILES) & ~t[0]
    return waits, 0


def _knitted_waits(key: int, need: int) -> tuple[int, int]:
    """Of 147, 258, 369 with one meld and a pair: what completes the rest, or the one tile that the lines lack."""
    t1 = sum(levels(key >> s * KEY_BITS & KEY_MASK)[0] << 16 * s for s in range(4))
    waits = pair_waits = 0
    for line in KNITTED_LINES:
        lacking = line & ~t1
        if lacking & lacking - 1:
            continue
        rest = key - sum(KEY[KIND[bit]] for bit in _bits(line & ~lacking))
        if not lacking:
            more, more_pairs = set_waits(rest, need - 3)
            waits |= more
            pair_waits |= more_pairs
        elif _options(rest, need - 3):
            waits |= lacking
    return waits, pair_waits


_BARE_WAITS: dict[str, Callable[[Tiles], tuple[int, int]]] = {
    "pairs": _pairs_waits, "any_pairs": _any_pairs_waits, "orphans": _orphans_waits, "loose": _loose_waits,
}  # fmt: skip
"""Waits, and those that finish a pair, of the shapes that need all thirteen tiles unmelded."""


MAY_WIN: dict[str, Condition] = {}
"""For shapes that many hands are asked about one by one: what the planes t1-t4, k, luck of every such win fulfil."""

MAY_WAIT: dict[str, Condition] = {}
"""The same for thirteen tiles that may be one tile from the shape, without the winning tile (t1 t2 t3 t4 luck)."""

OWN_WAITS: dict[str, Callable[[Hand, int, Tiles, int], tuple[int, int]]] = {}
"""The same for shapes that a family registers: from the hand, the key of its concealed tiles, the tile planes with
melds, the melds to be made. A shape that is in none of these tables is tried tile by tile."""


def _other_waits(hand: Hand, shape: Shape, held: int) -> tuple[int, int]:
    """By trial, for shapes without a quicker way. `held` are the tiles of which all four are in the hand."""
    waits = pair_waits = 0
    for kind, bit in enumerate(BIT):
        if bit & held:
            continue
        win = Win(hand._replace(winning=kind), (), frozenset({"place"}))
        for reading in shape(win):
            waits |= bit
            if reading.h.place == SINGLE:
                pair_waits |= bit
    return waits, pair_waits


def _waits(hand: Hand, shapes: tuple[str, ...], key: int, t: Tiles, need: int) -> tuple[int, int, int]:
    """As `wait_planes`, from the key of the concealed tiles, the tile planes with melds, the melds to be made."""
    waits = pair_waits = 0
    for shape in _awaited(shapes)[need][t[0].bit_count()]:
        if shape == "standard":
            more, more_pairs = set_waits(key, need)
        elif shape in _BARE_WAITS:
            if need < 4:
                continue
            more, more_pairs = _BARE_WAITS[shape](t)
        elif shape == "knitted":
            if need < 3 or (t[0] & SUIT_TILES).bit_count() < 8:
                continue
            more, more_pairs = _knitted_waits(key, need)
        elif shape in OWN_WAITS:
            more, more_pairs = OWN_WAITS[shape](hand, key, t, need)
        elif shape not in WORTH_TRYING or WORTH_TRYING[shape](t, need):
            more, more_pairs = _other_waits(hand._replace(winning=None), SHAPES[shape], t[3])
        else:
            continue
        waits |= more
        pair_waits |= more_pairs
    held = t[3]
    return waits & ~held, pair_waits & ~held, waits & held


def wait_planes(hand: Hand, shapes: tuple[str, ...]) -> tuple[int, int, int]:
    """For thirteen tiles (a winning tile is left out): the waits, those that can finish a pair, the dead ones.

    A tile of which the hand holds all four copies, melds included, is no wait; if a fifth would complete the hand, it
    is a dead one.
    """
    melds = _melds(hand.melds)
    key = sum(map(KEY.__getitem__, hand.concealed))
    return _waits(hand, shapes, key, _tile_planes(key + melds.key), melds.need)


_OFF_LINE = tuple(SUIT_TILES & ~line for line in KNITTED_LINES)
WORTH_TRYING: dict[str, Callable[[tuple[int, int, int, int], int], bool]] = {
    "pairs": lambda t, need: need == 4 and t[1].bit_count() == 6,
    "any_pairs": lambda t, need: need == 4 and t[1].bit_count() >= 3 and (t[0] ^ t[1]).bit_count() <= 1,
    "orphans": lambda t, need: need == 4 and not t[0] & ~OUTER and t[0].bit_count() >= 12,
    "loose": lambda t, need: need == 4 and not t[1] and any(not t[0] & _OFF_LINE[i] for i in range(6)),
    "knitted": lambda t, need: need >= 3 and any((line & ~t[0]).bit_count() <= 1 for line in KNITTED_LINES),
}
"""A cheap test that thirteen tiles (planes of at least one … four copies, melds included; melds still to make) may be
one tile from a shape."""


def ready(hand: Hand, shapes: tuple[str, ...]) -> list[int]:
    """The kinds that complete a hand of thirteen tiles, in order."""
    return [KIND[bit] for bit in _bits(wait_planes(hand, shapes)[0])]
