"""The layout of the `counts` encoding: int16 [70, 42], a column for each kind of tile (flowers are the last 8).

Rows that go by seat begin with one's own, then the next to play, and so on. Discards are numbered from 1 in the order
in which all four seats made them. Docs: docs/guide/environments.md.
"""

from __future__ import annotations

WIDTH = 42
HAND = 0
"""Copies held, without the tile just drawn."""
DRAWN = 1
"""1 at the tile just drawn."""
OFFER = 2
"""1 at the tile that may be claimed now."""
SEAT_WIND, ROUND_WIND = 3, 4
"""1 at the own and at the round wind."""
CHOWS, PUNGS, KONGS, ADDED, CONCEALED = 5, 9, 13, 17, 21
"""Melds by seat: chows at their lowest tile, pungs, claimed, added and concealed kongs (face down: no tile)."""
SLOTS = 25
"""Melds by seat in the order they were made, eight columns each; see `SLOT`."""
FLOWERS = 29
"""By seat: at a flower set aside its number in the order in which all were."""
SHOWN = 33
"""By seat: copies of a hand shown at the end."""
RIVER = 37
"""By seat and copy (first, second … of a kind that the seat discarded): the number of the discard."""
MARKS = 53
"""The same: 1 as drawn, 2 declaring ready, 4 8 12 claimed by the next, opposite, previous seat, 16 won."""
SCALARS = 69
"""Numbers, in the order of `SCALAR`."""
ROWS = 70

SLOT = ("kind", "tile", "claimed", "giver", "when", "added")
"""Of a meld: 1 chow, 2 pung, 3 claimed, 4 added, 5 concealed kong; lowest tile and claimed tile, each + 1; who gave
it (1 the seat before the owner, 2 opposite, 3 next, 0 nobody); discards before it, and + 1 before its fourth tile."""
SLOT_WIDTH = 8

SCALAR = (
    "seat", "round", "left", "replaced", "die", "second die", "third die", "fourth die", "turn", "offerer",
    "last event", "of seat", "with tile", "discards", "passes",
    "declared", "declared next", "declared opposite", "declared before",
    "barred", "barred next", "barred opposite", "barred before",
    "winner", "giver", "won tile", "over",
    "thousands", "thousands next", "thousands opposite", "thousands before",
    "points", "points next", "points opposite", "points before",
    "round of the match", "dealership", "repeat",
)  # fmt: skip
"""Own seat (0 East … 3 North), round wind; tiles left and drawn from the tail; dice; whose turn, who offers (1 oneself
… 4 the seat before, 0 nobody); the last event (see `quepu.rl.tokens`), its seat and tile + 1; discards made; own
passes; declarations (1 on the deal, 2 with the first discard) and bars by seat; how it ended; points before this hand
by seat, as thousands and the rest; the place in the match."""

(N_LEFT, N_BACK, N_DIE, N_TURN, N_OFFERER, N_LAST, N_DISCARDS, N_PASSES, N_DECLARED, N_BARRED, N_WINNER, N_OVER,
 N_THOUSANDS, N_ROUND) = (
    SCALAR.index(name) for name in ("left", "replaced", "die", "turn", "offerer", "last event", "discards", "passes",
                                    "declared", "barred", "winner", "over", "thousands", "round of the match")
)  # fmt: skip
"""Columns of some numbers."""

NOTHING = ROWS
HANDS, DRAWN_TILES, WINDS, FACE_DOWN, NUMBERS = (ROWS + 1 + 4 * n for n in range(5))
ALL_ROWS = NUMBERS + 4
"""Rows of a whole table, as `quepu.rl.loops` writes them: those by seat from East on; an empty row; then, a row a seat,
what only its owner sees (hand, tile drawn, own wind), slots with concealed kongs face down, and numbers."""


def row_names() -> list[str]:
    """List the names of the rows, for tables and plots.

    Examples:
        >>> row_names()[:4], len(row_names())
        (['hand', 'drawn', 'offer', 'seat wind'], 70)
    """
    who = ("own", "next", "opposite", "before")
    names = ["hand", "drawn", "offer", "seat wind", "round wind"]
    for word in ("chows", "pungs", "kongs", "added kongs", "concealed kongs", "melds in order", "flowers", "shown"):
        names += [f"{word}, {seat}" for seat in who]
    for word in ("discard", "discard marks"):
        names += [f"{word} {copy}, {seat}" for seat in who for copy in range(1, 5)]
    return [*names, "scalars"]
