"""Fours of a kind that were not konged, as groups of a reading."""

from __future__ import annotations

from quepu.hands.planes import SINGLE, Planes
from quepu.hands.win import PAIR, PUNG, TILE, Group, Reading
from quepu.tiles import BIT, KIND, kinds_of


def with_quads(reading: Reading, quads: int) -> Reading:
    """The reading with its fours of a kind: each a concealed pung and one more tile, whoever gave the fourth."""
    h: Planes = reading.h._replace(p=reading.h.p | quads, pc=reading.h.pc | quads)
    won = 0 if reading.h.place else reading.win.win
    four: list[Group] = []
    for kind in kinds_of(quads):
        four += [Group(PUNG, kind), Group(TILE, kind, won=bool(won) and KIND[won] == kind)]
    rest = [g for g in reading.groups if g.kind != TILE and not (g.kind == PUNG and BIT[g.tile] & quads)]
    if h.pair and not any(g.kind == PAIR for g in rest):
        rest.append(Group(PAIR, KIND[h.pair], won=h.place == SINGLE))
    return Reading(h, reading.win, (*four, *rest))
