"""147, 258, 369 of three suits, one set and a pair; the set may be claimed. The lines serve other shapes too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

from quepu.errors import Text
from quepu.hands.planes import HONOUR_TILES, KNITTED, LOW, SUIT_TILES, Planes
from quepu.hands.suit_tables import KEY_BITS, KEY_MASK, levels, tile_planes
from quepu.hands.win import TILE, Group, Reading, Win, bits, groups_of, place_winning_tile
from quepu.shapes.automaton import FAR, Tiles, automaton
from quepu.shapes.shape import NOTHING, Part, Sets, Shape, Thirteen, Waits, register
from quepu.shapes.splitting import set_waits, take_apart
from quepu.shapes.standard import some_set
from quepu.tiles import BIT, KIND, KINDS, kinds_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random


def _lines() -> tuple[int, ...]:
    """Return the six ways to give 147, 258 and 369 a suit each, as planes of nine tiles."""
    lines = (0b001001001, 0b010010010, 0b100100100)
    return tuple(lines[a] | lines[b] << 16 | lines[c] << 32 for a, b, c in permutations(range(3)))


KNITTED_LINES = _lines()


def lines_of(t1: Any) -> Any:
    """Return the 147, 258, 369 of three suits that contain all suit tiles, and the honours as a plane; 0 for none."""
    found = (t1 & (SUIT_TILES ^ KNITTED_LINES[0]) == 0) * (KNITTED_LINES[0] | HONOUR_TILES)
    for line in KNITTED_LINES[1:]:
        found = found | (t1 & (SUIT_TILES ^ line) == 0) * (line | HONOUR_TILES)
    return found


def in_line(t1: Any) -> Any:
    """Return whether all suit tiles are of 147, 258, 369 of three suits."""
    return lines_of(t1) != 0


def off_lines(n: int) -> Iterator[Part]:
    """Yield n different tiles out of 147, 258, 369 of three suits and the honours (n ≥ 11: of one line only)."""
    for line in KNITTED_LINES:
        yield from combinations((*kinds_of(line), *kinds_of(HONOUR_TILES)), n)


def _nearly_knitted(h: Any) -> Any:
    """Return whether two suits each hold a third of a line: 147, 258 or 369."""
    thirds = h.t1 & h.t1 >> 3 & h.t1 >> 6
    suits = (thirds | thirds >> 1 | thirds >> 2) & LOW
    return (suits & suits - 1) != 0


def read(win: Win) -> list[Reading]:
    """Return every reading as a line, a set and a pair."""
    if win.melds.need < 3 or (win.t[0] & SUIT_TILES).bit_count() < 9:
        return []
    t1 = 0
    for tile in win.tiles:
        t1 |= BIT[tile]
    found: list[Reading] = []
    for line in KNITTED_LINES:
        if line & ~t1:
            continue
        rest = win.key - _key_of(line)
        for taken in take_apart(rest, win.melds.need - 3):
            own, p, pair = taken.c1, taken.p, taken.pair
            c1 = own
            for bit in win.melds.chows:
                c1 |= bit
            places = place_winning_tile(win, KNITTED, (c1, 0, 0, 0), own, p, pair, line)
            found += [Reading(reading.h, win, partial(_groups, line)) for reading in places]
    return found


def _groups(line: int, h: Planes, win: Win) -> Iterator[Group]:
    """Yield the tiles of the line, then the set and the pair."""
    for bit in bits(line):
        yield Group(TILE, KIND[bit], won=h.place == 0 and bit == win.win)
    yield from groups_of(h, win)


def waits(h: Thirteen) -> Waits:
    """Return the tiles that complete the rest, or the one tile that the lines lack."""
    if (h.t1 & SUIT_TILES).bit_count() < 8:
        return NOTHING
    own = sum(levels(h.key >> s * KEY_BITS & KEY_MASK)[0] << 16 * s for s in range(4))
    waits = pair_waits = 0
    for line in KNITTED_LINES:
        lacking = line & ~own
        if lacking & lacking - 1:
            continue
        rest = h.key - _key_of(line & ~lacking)
        if not lacking:
            more, more_pairs = set_waits(rest, h.need - 3)
            waits |= more
            pair_waits |= more_pairs
        elif take_apart(rest, h.need - 3):
            waits |= lacking
    return waits, pair_waits


_THIRDS = tuple(
    tuple((lane & third).bit_count() for third in (0b001001001, 0b010010010, 0b100100100)) for lane in range(512)
)
"""How many of 147, 258 and 369 a plane of one suit has."""


def most_in_line(t1: int) -> int:
    """Return how many of these tiles the best line has."""
    (a, b, c), (d, e, f), (g, h, i) = _THIRDS[t1 & 511], _THIRDS[t1 >> 16 & 511], _THIRDS[t1 >> 32 & 511]
    return max(a + e + i, a + f + h, b + d + i, b + f + g, c + d + h, c + e + g)


_LANE_KEYS: tuple[int, ...] = tuple(sum(5**rank for rank in range(9) if lane >> rank & 1) for lane in range(512))
"""The key of one suit for every plane of it, one copy of each tile."""


def _key_of(plane: int) -> int:
    """Return the key of suited tiles, one copy of each."""
    return (
        _LANE_KEYS[plane & 511]
        | _LANE_KEYS[plane >> 16 & 511] << KEY_BITS
        | _LANE_KEYS[plane >> 32 & 511] << 2 * KEY_BITS
    )


def distance(tiles: Tiles) -> int:
    """Count the tiles that a line lacks, plus those that a set and a pair beside it lack."""
    if tiles.need < 3:
        return FAR
    if tiles.melded:
        return _beside_a_meld(tiles)
    least, t1, missing = FAR, tiles.t1, automaton().missing
    for line in KNITTED_LINES:
        held = t1 & line
        lacking = 9 - held.bit_count()
        if lacking < least:  # a set and a pair take three copies of a kind at most, and the line leaves three
            least = min(least, lacking + missing(tiles.key - _key_of(held), 1))
    return least


def _beside_a_meld(tiles: Tiles) -> int:
    """Count the same if the set is melded: only a pair is needed, of a kind the set does not hold three of."""
    t1, t2, t3, _ = tile_planes(tiles.key)
    _, _, three, four = tile_planes(tiles.melded)
    least = FAR
    for line in KNITTED_LINES:
        if not line & ~t1 & four:
            pair = 0 if t2 & ~line | t3 & line else 1 if (t1 & ~line | t2 & line) & ~three else 2
            least = min(least, 9 - (t1 & line).bit_count() + pair)
    return least


def sample(rng: Random) -> list[Part]:
    """Return a set, a pair and a line; a kind may come too often."""
    pair = (rng.randrange(KINDS),) * 2
    return [some_set(rng), pair, *((kind,) for kind in kinds_of(rng.choice(KNITTED_LINES)))]


SHAPE = register(
    Shape(
        name="knitted",
        form=KNITTED,
        words=Text("组合龙", "the knitted line"),
        read=read,
        waits=waits,
        distance=distance,
        at_least=lambda tiles: 9 - most_in_line(tiles.t1),
        sample=sample,
        share=3,
        melds=1,
        kinds=(8, 13),
        may_win=_nearly_knitted,
        may_wait=_nearly_knitted,
        sets=Sets(KNITTED, KNITTED_LINES),
        single=True,
    )
)
