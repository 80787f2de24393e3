"""The shapes of a win (standard, seven pairs, thirteen orphans …): how each is read, and what thirteen tiles wait for.

A shape is one value in `SHAPES`, a rulebook lists the names that it knows. A family with a shape of its own puts it
there when it is loaded; only `read` is needed, the rest makes it quicker.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product
from typing import Any, NamedTuple

from quepu.hand import Hand
from quepu.planes import (
    ALL_TILES,
    HONOUR_TILES,
    KNITTED,
    LOOSE,
    ORPHANS,
    OUTER,
    PAIRS,
    SINGLE,
    STANDARD,
    SUIT_TILES,
    Condition,
    Planes,
    count,
)
from quepu.suits import KEY, KEY_BITS, KEY_MASK, completions, honour_splits, levels, suit_splits
from quepu.tiles import BIT, KIND
from quepu.win import PAIR, TILE, Group, Reading, Win, bits, groups_of, placed

Waits = tuple[int, int]
"""The tiles that complete a hand, and those of them that finish a pair."""
NOTHING: Waits = (0, 0)


class Thirteen(NamedTuple):
    """Thirteen tiles, melds included, that wait for one more."""

    hand: Hand
    key: int  # the concealed tiles, see quepu.suits
    need: int  # melds still to be made of them
    t1: int  # all tiles, at least one … four copies
    t2: int
    t3: int
    t4: int
    luck: int


def _none(_h: Any) -> int:
    return 0


@dataclass(frozen=True)
class Whole:
    """A shape read in one way only, straight from t1-t4, the winning tile and luck.

    What it says never branches, so it is said once for one hand (ints) and for many (arrays).
    """

    form: int
    when: Callable[[Any], Any]  # whether it is there
    pair: Callable[[Any], Any] = _none  # the planes of the reading
    place: Callable[[Any], Any] = _none
    fours: Callable[[Any], Any] = _none  # four alike that are no kong: they stand as concealed pungs
    bare: bool = True  # whether it allows no meld

    def read(self, win: Win) -> list[Reading]:
        """The one reading, if it is there."""
        h = _Held(*win.t, win.win, win.luck)
        if not self.when(h) or (self.bare and not win.bare):
            return []
        fours = self.fours(h)
        return [Reading(win.planes(self.form, p=fours, pc=fours, pair=self.pair(h), place=self.place(h)), win)]


class _Held(NamedTuple):
    """What a `Whole` may look at."""

    t1: int
    t2: int
    t3: int
    t4: int
    win: int
    luck: int


class Sets(NamedTuple):
    """A shape of melds and a pair, with single tiles beside them."""

    form: int
    beside: tuple[int, ...]  # the planes that the single tiles may be; 0 is none at all


@dataclass(frozen=True)
class Shape:
    """One kind of win.

    Tiles of which all four copies are in the hand may be among the `waits`: they are taken out afterwards.
    """

    read: Callable[[Win], list[Reading]]
    waits: Callable[[Thirteen], Waits] | None = None  # None: all 34 tiles are tried
    melds: int = 4  # how many melds it allows
    kinds: tuple[int, int] = (0, 13)  # how few and how many different kinds thirteen tiles have, one tile from it
    may_win: Condition | None = None  # what t1-t4, k and luck of every such win fulfil: cheap, for many hands
    may_wait: Callable[[Any], Any] | None = None  # the same for thirteen tiles: t1-t4 and luck, ints or arrays
    whole: Whole | None = None  # if it is one: then `waits` looks at t1-t4 and luck only, and never branches
    sets: Sets | None = None  # if it is that

    def allows(self, melds: int, kinds: int) -> bool:
        """Whether thirteen tiles with so many melds and different kinds may be one tile from this shape."""
        return melds <= self.melds and self.kinds[0] <= kinds <= self.kinds[1]


# ---- four melds and a pair


class Taken(NamedTuple):
    """Concealed tiles taken apart: planes of chows (at least one … four), pungs and the pair."""

    c1: int
    c2: int
    c3: int
    c4: int
    p: int
    pair: int


def take_apart(key: int, need: int, pairs: int = 1) -> list[Taken]:
    """Every way to take concealed tiles apart into `need` melds and so many pairs (0 or 1)."""
    table = suit_splits()
    a = table.get(key & KEY_MASK)
    if a is None:
        return []
    b = table.get(key >> KEY_BITS & KEY_MASK)
    if b is None:
        return []
    c = table.get(key >> 2 * KEY_BITS & KEY_MASK)
    if c is None:
        return []
    letters = honour_splits().get(key >> 3 * KEY_BITS)
    if letters is None:
        return []
    (z,) = letters
    if (
        a[0].pairs + b[0].pairs + c[0].pairs + z.pairs != pairs
        or a[0].melds + b[0].melds + c[0].melds + z.melds != need
    ):
        return []
    return [
        Taken(
            x.c1 | y.c1 << 16 | w.c1 << 32,
            x.c2 | y.c2 << 16 | w.c2 << 32,
            x.c3 | y.c3 << 16 | w.c3 << 32,
            x.c4 | y.c4 << 16 | w.c4 << 32,
            x.p | y.p << 16 | w.p << 32 | z.p << 48,
            x.pair | y.pair << 16 | w.pair << 32 | z.pair << 48,
        )
        for x, y, w in product(a, b, c)
    ]


def standard(win: Win) -> list[Reading]:
    """Four melds and a pair."""
    exposed = win.melds.chows
    found: list[Reading] = []
    for own, c2, c3, c4, p, pair in take_apart(win.key, win.melds.need):
        chows = own, c2, c3, c4
        for bit in exposed:
            a, b, c, d = chows
            chows = a | bit, b | a & bit, c | b & bit, d | c & bit
        found += placed(win, STANDARD, chows, own, p, pair)
    return found


def set_waits(key: int, need: int, pairs: int = 1) -> Waits:
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
            return NOTHING  # two suits lack something
        else:
            broken = s
    if broken >= 0:
        found = completions((k0, k1, k2, k3)[broken], broken == 3)
        fits = found.melds == melds and found.pairs == pairs
        return (found.ranks << 16 * broken, found.in_pair << 16 * broken) if fits else NOTHING
    waits = pair_waits = 0
    for s, (suit, splits) in enumerate(zip((k0, k1, k2, k3), whole, strict=True)):
        found = completions(suit, s == 3)
        if splits and found.melds == melds + splits[0].melds and found.pairs == pairs + splits[0].pairs:
            waits |= found.ranks << 16 * s
            pair_waits |= found.in_pair << 16 * s
    return waits, pair_waits


# ---- pairs

SEVEN_PAIRS = Whole(
    PAIRS,
    when=lambda h: (h.t1 == h.t2) & (h.t3 == 0) & (count(h.t1) == 7),
    pair=lambda h: h.t1,
    place=lambda h: SINGLE,
)


def _pairs_waits(h: Any) -> Any:
    lone = ((count(h.t1) == 7) & (count(h.t2) == 6) & (h.t3 == 0)) * (h.t1 ^ h.t2)
    return lone, lone


ANY_PAIRS = Whole(
    PAIRS,
    when=lambda h: (h.t1 == h.t2) & (h.t3 == h.t4) & (count(h.t1) + count(h.t3) == 7),
    pair=lambda h: h.t1,
    place=lambda h: SINGLE,
)


def any_pairs(win: Win) -> list[Reading]:
    """Seven pairs, four of a kind being two of them."""
    return [Reading(reading.h, win, _by_twos(reading.h)) for reading in ANY_PAIRS.read(win)]


def _by_twos(h: Planes) -> tuple[Group, ...]:
    return tuple(
        Group(PAIR, KIND[bit], won=bit == h.win and plane == h.t1) for plane in (h.t1, h.t3) for bit in bits(plane)
    )


def _any_pairs_waits(h: Any) -> Any:
    odd = h.t1 ^ h.t2 | h.t3 ^ h.t4
    lone = (odd & odd - 1 == 0) * odd
    return lone, lone


# ---- single tiles

ALL_ORPHANS = Whole(
    ORPHANS,
    when=lambda h: (h.t1 == OUTER) & (h.t3 == 0),
    pair=lambda h: h.t2,
    place=lambda h: (h.t2 == h.win) * SINGLE,
)


def one_of_each_waits(h: Any, wanted: int) -> Any:
    """What completes thirteen wanted tiles, one of each, and any of them a second time."""
    fits = (h.t1 & (wanted ^ ALL_TILES) == 0) & (h.t3 == 0)
    lacking = h.t1 ^ wanted
    every = (fits & (lacking == 0)) * wanted
    return every | (fits & (count(lacking) == 1)) * lacking, every


def _lines() -> tuple[int, ...]:
    """The six ways to give 147, 258 and 369 a suit each, as planes of nine tiles."""
    lines = (0b001001001, 0b010010010, 0b100100100)
    return tuple(lines[a] | lines[b] << 16 | lines[c] << 32 for a, b, c in permutations(range(3)))


KNITTED_LINES = _lines()


def lines_of(t1: Any) -> Any:
    """147, 258, 369 of three suits, as far as the suit tiles lie in nothing else, and the honours; 0 if they do not."""
    found = (t1 & (SUIT_TILES ^ KNITTED_LINES[0]) == 0) * (KNITTED_LINES[0] | HONOUR_TILES)
    for line in KNITTED_LINES[1:]:
        found = found | (t1 & (SUIT_TILES ^ line) == 0) * (line | HONOUR_TILES)
    return found


def in_line(t1: Any) -> Any:
    """Whether the suit tiles lie in 147, 258, 369 of three suits."""
    return lines_of(t1) != 0


def _nearly_knitted(h: Any) -> Any:
    found = count(KNITTED_LINES[0] & ~h.t1) <= 1
    for line in KNITTED_LINES[1:]:
        found = found | (count(line & ~h.t1) <= 1)
    return found


# fourteen different tiles out of 147, 258, 369 of three suits and the seven honours
ALL_LOOSE = Whole(LOOSE, when=lambda h: (h.t2 == 0) & in_line(h.t1))


def _loose_waits(h: Any) -> Any:
    return (h.t2 == 0) * (lines_of(h.t1) & (h.t1 ^ ALL_TILES)), 0


# ---- nine single tiles, a meld and a pair


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
        rest = win.key - sum(KEY[KIND[bit]] for bit in bits(line))
        for taken in take_apart(rest, win.melds.need - 3):
            own, p, pair = taken.c1, taken.p, taken.pair
            c1 = own
            for bit in win.melds.chows:
                c1 |= bit
            for reading in placed(win, KNITTED, (c1, 0, 0, 0), own, p, pair, line):
                in_lines = reading.h.place == 0
                tiles = tuple(Group(TILE, KIND[bit], won=in_lines and bit == win.win) for bit in bits(line))
                found.append(Reading(reading.h, win, tiles + tuple(groups_of(reading.h, win))))
    return found


def _knitted_waits(h: Thirteen) -> Waits:
    """What completes the rest, or the one tile that the lines lack."""
    if (h.t1 & SUIT_TILES).bit_count() < 8:
        return NOTHING
    own = sum(levels(h.key >> s * KEY_BITS & KEY_MASK)[0] << 16 * s for s in range(4))
    waits = pair_waits = 0
    for line in KNITTED_LINES:
        lacking = line & ~own
        if lacking & lacking - 1:
            continue
        rest = h.key - sum(KEY[KIND[bit]] for bit in bits(line & ~lacking))
        if not lacking:
            more, more_pairs = set_waits(rest, h.need - 3)
            waits |= more
            pair_waits |= more_pairs
        elif take_apart(rest, h.need - 3):
            waits |= lacking
    return waits, pair_waits


# ---- all of them

SHAPES: dict[str, Shape] = {
    "standard": Shape(standard, lambda h: set_waits(h.key, h.need), sets=Sets(STANDARD, (0,))),
    "pairs": Shape(
        SEVEN_PAIRS.read, _pairs_waits, melds=0, kinds=(7, 7), whole=SEVEN_PAIRS,
        may_win=lambda h: (h.t1 == h.t2) & (h.t3 == 0), may_wait=lambda h: count(h.t2) == 6,
    ),
    "any_pairs": Shape(
        any_pairs, _any_pairs_waits, melds=0, kinds=(4, 7), whole=ANY_PAIRS,
        may_win=lambda h: (h.t1 == h.t2) & (h.t3 == h.t4),
        may_wait=lambda h: count(h.t1 ^ h.t2 | h.t3 ^ h.t4) == 1,
    ),
    "orphans": Shape(
        ALL_ORPHANS.read, lambda h: one_of_each_waits(h, OUTER), melds=0, kinds=(12, 13), whole=ALL_ORPHANS,
        may_win=lambda h: h.t1 == OUTER, may_wait=lambda h: h.t1 & (OUTER ^ ALL_TILES) == 0,
    ),
    "loose": Shape(
        ALL_LOOSE.read, _loose_waits, melds=0, kinds=(13, 13), whole=ALL_LOOSE,
        may_win=lambda h: h.t2 == 0, may_wait=lambda h: (h.t2 == 0) & in_line(h.t1),
    ),
    "knitted": Shape(
        knitted, _knitted_waits, melds=1, kinds=(8, 13), may_wait=_nearly_knitted,
        sets=Sets(KNITTED, KNITTED_LINES),
    ),
}  # fmt: skip
"""Every shape by name."""


@lru_cache(256)
def near_shapes(shapes: tuple[str, ...]) -> tuple[tuple[tuple[Shape, ...], ...], ...]:
    """The shapes that thirteen tiles may be one tile from, by melds still to make and by different kinds."""
    known = [SHAPES[name] for name in shapes]
    return tuple(
        tuple(tuple(shape for shape in known if shape.allows(4 - need, kinds)) for kinds in range(15))
        for need in range(5)
    )
