"""Four sets and a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quepu.errors import Text
from quepu.hands.planes import STANDARD
from quepu.hands.win import Reading, Win, place_winning_tile
from quepu.shapes.automaton import missing_sets
from quepu.shapes.shape import Part, Sets, Shape, register
from quepu.shapes.splitting import set_waits, take_apart
from quepu.tiles import KINDS

if TYPE_CHECKING:
    from random import Random


def read(win: Win) -> list[Reading]:
    """Read four melds and a pair."""
    exposed = win.melds.chows
    found: list[Reading] = []
    for own, c2, c3, c4, p, pair in take_apart(win.key, win.melds.need):
        chows = own, c2, c3, c4
        for bit in exposed:
            a, b, c, d = chows
            chows = a | bit, b | a & bit, c | b & bit, d | c & bit
        found += place_winning_tile(win, STANDARD, chows, own, p, pair)
    return found


def some_set(rng: Random) -> Part:
    """Return a chow or a pung."""
    kind = rng.randrange(KINDS)
    return (kind, kind + 1, kind + 2) if kind < 27 and kind % 9 < 7 else (kind,) * 3


def sample(rng: Random) -> list[Part]:
    """Return four sets and a pair; a kind may come too often."""
    return [*(some_set(rng) for _ in range(4)), (rng.randrange(KINDS),) * 2]


SHAPE = register(
    Shape(
        name="standard",
        form=STANDARD,
        words=Text("四副一对", "four sets and a pair"),
        read=read,
        waits=lambda h: set_waits(h.key, h.need),
        distance=missing_sets,
        sample=sample,
        sets=Sets(STANDARD, (0,)),
    )
)
