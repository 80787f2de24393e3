"""A reading as planes, and the vocabulary that conditions are written in.

A plane is a 64-bit word with one lane of 16 bits a suit (see `quepu.tiles`); a chow stands at its lowest tile.
Conditions use only `& | ^ ~ << >>`, comparison, arithmetic and the words below: no `if`, `and`, `or`, `not`.
So the same line runs on Python ints (one hand) and on numpy arrays (a million hands). `~x` of an int is negative:
always mask it with a non-negative plane. A word that takes a plane `x` never looks across a lane.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

Bits = Any
"""A plane: an int, or a numpy int64 array of any shape when many hands are asked at once."""

Number = TypeVar("Number")

Condition = Callable[["Planes"], Any]
"""A row's condition: a truth value, a number of times, or a plane of the tiles for which it holds."""


class Planes(NamedTuple):
    """A reading of a winning hand. Every field is an int (or an array of them for many hands)."""

    c1: Bits  # chows by start, at least one of them
    c2: Bits
    c3: Bits
    c4: Bits  # … at least four
    o1: Bits  # exposed chows, at least one … four of them
    o2: Bits
    o3: Bits
    o4: Bits
    p: Bits  # pungs and kongs
    xp: Bits  # exposed pungs and kongs (melded; a pung finished by a discard is not melded)
    pc: Bits  # 暗刻: made of own tiles only, concealed kongs included
    k: Bits  # kongs
    kc: Bits  # concealed kongs
    pair: Bits  # the pair; all seven in 七对; the doubled tile in 十三幺
    t1: Bits  # tiles, at least one copy (a kong is four)
    t2: Bits
    t3: Bits
    t4: Bits  # … four copies
    form: Bits  # one of the form bits below
    seat: Bits  # own wind as a plane
    round: Bits  # round wind as a plane
    win: Bits  # the winning tile as a plane
    place: Bits  # which part the winning tile finished: EDGE, GAP, OPEN_END, SINGLE, PUNG_PLACE
    waits: Bits  # every tile the 13 tiles waited for (a tile held four times is none)
    pair_waits: Bits  # those of them that finish a pair in some reading
    luck: Bits  # quepu.hands.hand.Luck
    flowers: Bits  # the eight flowers, 春 at bit 0; flowers known by their number only from bit 8 up
    dead_waits: Bits = 0  # tiles that would complete the hand if it did not hold all four of them itself


# Forms: the shape of the whole win. Bits from 5 up belong to families with shapes of their own; `register` in
# quepu.shapes refuses a bit that another shape has. They never change: cached tables of the lab contain them.
STANDARD, PAIRS, ORPHANS, LOOSE, KNITTED = (1 << i for i in range(5))
# Places of the winning tile.
EDGE, GAP, OPEN_END, SINGLE, PUNG_PLACE = (1 << i for i in range(5))

LANE = 0x1FF
SUIT_TILES = 0x01FF01FF01FF
HONOUR_TILES = 0x7F << 48
WINDS = 0xF << 48
DRAGONS = 0x70 << 48
LOW = 1 | 1 << 16 | 1 << 32  # rank 1 of each suit; multiply a lane by it to have it in all three
TERMINALS = 0x101 * LOW
OUTER = TERMINALS | HONOUR_TILES
OUTER_CHOWS = 0x41 * LOW  # chows that start at 1 or 7
ALL_TILES = SUIT_TILES | HONOUR_TILES


@lru_cache(1 << 12)
def ranks(digits: str) -> int:
    """Return the suited tiles of these ranks in all suits: ranks("258")."""
    return sum(1 << int(d) - 1 for d in digits) * LOW


def count(x: Bits) -> Any:
    """Count the bits that are set."""
    try:
        return x.bit_count()
    except AttributeError:
        return _count_array(x)


def _count_array(x: Bits) -> Any:
    import numpy as np

    return np.bitwise_count(x).astype(np.int64)  # uint8 would wrap when shifted or multiplied


def most(*numbers: Number) -> Number:
    """Return the greatest of some numbers; for arrays and symbols without a branch."""
    some: Any = numbers
    found: Number
    try:
        found = max(some)
    except (TypeError, ValueError):  # symbols and arrays have no single answer
        found, *rest = some
        for x in rest:
            found = found + (x - found) * (x > found)
    return found


# ---- one suit


def run(x: Bits, n: int, step: int = 1) -> Bits:
    """Return where n ranks of one suit stand `step` apart (n 2-4, (n - 1) * step < 9): the plane of the lowest."""
    found = x & x >> step
    for i in range(2, n):
        found = found & x >> i * step
    return found & SUIT_TILES


# ---- three suits


def any_suit(x: Bits) -> Bits:
    """Return the ranks present in any suit, as one lane."""
    return (x | x >> 16 | x >> 32) & LANE


def same_rank(x: Bits) -> Bits:
    """Return the ranks present in all three suits, as one lane."""
    return x & x >> 16 & x >> 32 & LANE


def two_suits(x: Bits) -> Bits:
    """Return the ranks present in at least two suits, as one lane."""
    a, b, c = x & LANE, x >> 16 & LANE, x >> 32 & LANE
    return a & b | (a | b) & c


def mixed(x: Bits, step: int) -> Bits:
    """Find three suits with one rank each, `step` apart: the lane of the lowest ranks."""
    a, b, c = x & LANE, x >> 16 & LANE, x >> 32 & LANE
    return (
        a & (b >> step & c >> 2 * step | c >> step & b >> 2 * step)
        | b & (a >> step & c >> 2 * step | c >> step & a >> 2 * step)
        | c & (a >> step & b >> 2 * step | b >> step & a >> 2 * step)
    )


def suits(x: Bits) -> Any:
    """Count the suits in which any bit is set."""
    return ((x & LANE) != 0) * 1 + ((x >> 16 & LANE) != 0) * 1 + ((x >> 32 & LANE) != 0) * 1


# ---- whole hands


def only(h: Planes, tiles: int) -> Any:
    """Whether the hand has no tile outside this plane."""
    return (h.t1 & (ALL_TILES & ~tiles)) == 0


def has_honours(h: Planes) -> Any:
    """Whether the hand has a wind or dragon."""
    return (h.t1 & HONOUR_TILES) != 0


def is_form(h: Planes, forms: int) -> Any:
    """Whether the hand is read as one of these forms (form bits joined by `|`)."""
    return (h.form & forms) != 0


def lucky(h: Planes, luck: int) -> Any:
    """Whether any of these circumstances holds."""
    return (h.luck & int(luck)) != 0


def four_unkonged(h: Planes) -> Bits:
    """Return the tiles held four times without a kong."""
    return h.t4 & (h.k ^ ALL_TILES)


def mirrored(x: Bits) -> Bits:
    """Mirror the ranks: r becomes 10 - r in every suit (bit i of a lane becomes bit 8 - i); honours vanish."""
    x = (x & 0x000F000F000F) << 5 | (x & 0x001000100010) | (x & 0x01E001E001E0) >> 5
    x = (x & 0x006300630063) << 2 | (x & 0x001000100010) | (x & 0x018C018C018C) >> 2
    return (x & 0x00A500A500A5) << 1 | (x & 0x001000100010) | (x & 0x014A014A014A) >> 1


def couples(h: Planes, *steps: int) -> Any:
    """Count pairs of chows at one of these distances (1-6 within a suit; 16 and 32: same rank, the next suits)."""
    n = 0
    # four melds at most: three alike leave room for one other, so the third of neither meets more than the first
    for x, y in ((h.c1, h.c1), (h.c1, h.c2), (h.c1, h.c3), (h.c2, h.c1), (h.c2, h.c2), (h.c3, h.c1)):
        for step in steps:
            n = n + count(x & y >> step & SUIT_TILES)
    return n


def nine_gates(h: Planes) -> Any:
    """Whether the hand, melds included, was 1112345678999 of one suit before the winning tile."""
    suit = h.t3 & LOW  # 111 in one suit, which then has 999 and one of every rank; beside them only the winning tile
    return (h.t3 == suit * 0x101) & (h.t1 == suit * LANE) & ((h.t2 ^ h.t3 | h.t4) == h.win) & (suit != 0)


def raise_ranks(x: Bits, n: int) -> Bits:
    """Return tiles n ranks higher; none beyond nine."""
    return (x & (LANE >> n) * LOW) << n


def lower_ranks(x: Bits, n: int) -> Bits:
    """Return tiles n ranks lower; none below one."""
    return x >> n & (LANE >> n) * LOW


def next_suit(x: Bits) -> Bits:
    """Return characters as dots, dots as bamboo, bamboo as characters."""
    return (x & (LANE | LANE << 16)) << 16 | x >> 32 & LANE


def mirror_about_pair(x: Bits, pair: Bits) -> Bits:
    """Mirror tiles about the rank of the pair."""
    lane = any_suit(pair)
    return mirrored(x) << 2 * count((lane & -lane) - 1) * (lane != 0) >> 8 & SUIT_TILES


def mirror_about_middle(x: Bits) -> Bits:
    """Mirror tiles about the middle of their lowest and highest rank."""
    ranks = any_suit(x)
    low = count((ranks & -ranks) - 1 & LANE) * (ranks != 0)
    filled = ranks | ranks >> 1
    filled = filled | filled >> 2
    filled = filled | filled >> 4
    filled = filled | filled >> 8
    high = count(filled) - (ranks != 0)
    return mirrored(x) << low + high >> 8 & SUIT_TILES


def count_claimed_sets(h: Planes) -> Any:
    """Count chows, pungs and kongs that were claimed."""
    return sum((count(x) for x in (h.o2, h.o3, h.o4, h.xp)), count(h.o1))


class Spy:
    """Recorder of the planes that a condition reads; passed to the condition once (conditions never branch)."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def __getattr__(self, plane: str) -> int:
        self.seen.add(plane)
        return 0


@lru_cache(1 << 12)
def reads(condition: Condition) -> frozenset[str]:
    """Return the names of the planes that a condition reads."""
    spy = Spy()
    condition(spy)  # type: ignore[arg-type]  # the spy stands in for Planes on purpose
    return frozenset(spy.seen)
