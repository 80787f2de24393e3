"""二不杠: two fours of a kind that were not konged, and sets; no pair. Concealed; a concealed kong is a set."""

from __future__ import annotations

from itertools import combinations
from random import Random

from quepu.errors import Text
from quepu.hands.planes import ALL_TILES, SINGLE, Planes, count
from quepu.hands.suit_tables import KEY
from quepu.hands.win import PAIR, PUNG, TILE, Group, Reading, Win, place_winning_tile
from quepu.shapes.automaton import FAR, Tiles, missing_parts
from quepu.shapes.shape import NOTHING, Fours, Part, Shape, Thirteen, Waits, register
from quepu.shapes.splitting import set_waits, take_apart
from quepu.shapes.standard import some_set
from quepu.tiles import BIT, KIND, KINDS, kinds_of


def with_quads(reading: Reading, quads: int) -> Reading:
    """Return the reading with its fours of a kind as groups: a concealed pung and one more tile each."""
    h: Planes = reading.h._replace(p=reading.h.p | quads, pc=reading.h.pc | quads)
    won = 0 if reading.h.place else reading.win.win
    four: list[Group] = []
    for kind in kinds_of(quads):
        four += [Group(PUNG, kind), Group(TILE, kind, won=bool(won) and KIND[won] == kind)]
    rest = [g for g in reading.groups if g.kind != TILE and not (g.kind == PUNG and BIT[g.tile] & quads)]
    if h.pair and not any(g.kind == PAIR for g in rest):
        rest.append(Group(PAIR, KIND[h.pair], won=h.place == SINGLE))
    return Reading(h, reading.win, (*four, *rest))


TWO_QUADS = 1 << 7


def read(win: Win) -> list[Reading]:
    """Return a reading for every choice of two fours that leaves sets."""
    fours = win.t[3] & ~win.melds.k
    if not fours & fours - 1 or not win.closed:
        return []
    found: list[Reading] = []
    for pair_of_fours in combinations(kinds_of(fours), 2):
        rest = win.key - sum(4 * KEY[kind] for kind in pair_of_fours)
        quads = sum(1 << (kind // 9 * 16 + kind % 9) for kind in pair_of_fours)
        for c1, c2, c3, c4, p, _ in take_apart(rest, win.melds.need - 2, 0):
            chows = (c1, c2, c3, c4)
            found += [
                with_quads(reading, quads) for reading in place_winning_tile(win, TWO_QUADS, chows, c1, p, 0, quads)
            ]
    return found


def waits(h: Thirteen) -> Waits:
    """Return the tiles that complete the sets beside two fours, or the second four."""
    if not h.t4 or not h.t3 & h.t3 - 1 or not h.hand.closed:
        return NOTHING
    konged = {meld.tile for meld in h.hand.melds}
    fours = [kind for kind in kinds_of(h.t4) if kind not in konged]
    waits = 0
    for one, two in combinations(fours, 2):
        waits |= set_waits(h.key - 4 * KEY[one] - 4 * KEY[two], h.need - 2, 0)[0]
    for one in fours:
        for three in kinds_of(h.t3 & ~h.t4):
            if take_apart(h.key - 4 * KEY[one] - 3 * KEY[three], h.need - 2, 0):
                waits |= BIT[three]
    return waits, 0


def distance(tiles: Tiles) -> int:
    """Count the tiles that two fours and sets lack; the sets cannot hold the kinds of the fours."""
    if tiles.need < 2 or not tiles.closed:
        return FAR
    return missing_parts(tiles.key, tiles.melded, tiles.need - 2, 0, 2)


def at_least(tiles: Tiles) -> int:
    """Count the tiles that the two fours lack where every tile beyond pairs and single ones is in them."""
    kinds, pairs = tiles.t1.bit_count(), tiles.t2.bit_count()
    return 8 - min(2, kinds) - min(2, pairs) - min(4, 14 - kinds - pairs)


def sample(rng: Random) -> list[Part]:
    """Return two fours and two sets, some of them of one suit; a kind may come too often."""
    low = rng.choice((0, 9, 18))
    fours = rng.sample(range(KINDS) if rng.random() < 0.5 else range(low, low + 9), 2)
    return [some_set(rng), some_set(rng), *((kind,) * 4 for kind in fours)]


SHAPE = register(
    Shape(
        name="two_quads",
        form=TWO_QUADS,
        words=Text("二不杠", "two unkonged fours"),
        read=read,
        waits=waits,
        distance=distance,
        at_least=at_least,
        sample=sample,
        share=2,
        melds=2,
        kinds=(2, 8),
        may_win=lambda h: count(h.t4 & (h.k ^ ALL_TILES)) >= 2,
        may_wait=lambda h: (h.t4 != 0) & (count(h.t3) >= 2),
        fours=Fours(TWO_QUADS, 2),
    )
)
