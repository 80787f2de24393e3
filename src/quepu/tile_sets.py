"""Every set of fourteen tiles that wins in a shape of its own: what the lab asks a book about, set by set.

Here stand shapes with few sets. Seven pairs, unkonged fours and 组合龙 (which may be claimed) are laid out on arrays in
`quepu.lab`. A family registers the sets of its shapes beside the shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from quepu.planes import HONOUR_TILES, OUTER
from quepu.shapes import KNITTED_LINES
from quepu.tiles import kinds_of


def paired(kinds: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Thirteen kinds, each of them twice in turn."""
    for kind in kinds:
        yield (*kinds, kind)


def off_lines(n: int) -> Iterator[tuple[int, ...]]:
    """N different tiles out of 147, 258, 369 of three suits and the honours (n ≥ 11: of one line only)."""
    for line in KNITTED_LINES:
        yield from combinations((*kinds_of(line), *kinds_of(HONOUR_TILES)), n)


TILE_SETS: dict[str, Callable[[], Iterator[tuple[int, ...]]]] = {
    "orphans": lambda: paired(tuple(kinds_of(OUTER))),
    "loose": lambda: off_lines(14),
}
"""For each shape every set of tiles (as kinds, with repetition) once."""

NEEDS: dict[str, int] = {}
"""Shapes that win only in certain circumstances: the `Luck` bits of which there must be one."""

BOUNDLESS: set[str] = set()
"""Shapes that win with any tiles (their circumstance is all); their entry above is one example, and no count."""
