"""Texts read part by part, where they are written as `write` does it; the plain twin is the reader of `hands.notation`.

Such parts (`123m`, `CC`, `(789p)`) come again in other hands and are remembered, which takes a quarter of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

from quepu.hands.hand import Hand, Meld
from quepu.tiles import HONOURS, KINDS

_BITS: Final = 6  # of a sum of copies, for each kind
_ADDED: Final = sum(27 << _BITS * kind for kind in range(KINDS))  # with five copies it reaches the highest bit
_HIGHEST: Final = sum(32 << _BITS * kind for kind in range(KINDS))
_MOST: Final = 20_000
_WHOLE_HAND: Final = 14


class Piece(NamedTuple):
    """Some tiles or a meld, and how many copies of each kind these are."""

    kinds: tuple[int, ...]
    meld: Meld | None
    copies: int

    @classmethod
    def of(cls, kinds: Sequence[int], melds: Sequence[Meld]) -> Piece | None:
        """Make a piece of the tiles read, or return None if there are too many."""
        meld = melds[0] if melds else None
        tiles = meld.tiles if meld else kinds
        copies = sum(1 << _BITS * kind for kind in tiles)
        return cls(tuple(kinds), meld, copies) if len(tiles) <= _WHOLE_HAND else None


_known: dict[str, Piece | None] = {}


@cache
def _find_parts() -> Callable[[str], list[str]]:
    import re

    return re.compile(r"[1-9]+[mps]|[ESWNCFP]+|\([1-9mpsESWNCFP]+\)|\[[1-9mpsESWNCFP]+\]|.", re.DOTALL).findall


def _learn(text: str, read: Callable[[str], Piece | None]) -> Piece | None:
    if len(_known) >= _MOST:
        _known.clear()
    found = _known[text] = read(text) if len(text) > 1 or text in HONOURS else None
    return found


def read_pieces(text: str, read: Callable[[str], Piece | None]) -> Hand | None:
    """Read a hand with a winning tile; None if it is written in another way, or wrong.

    read: a function for a part that is met for the first time.
    """
    parts = _find_parts()(text)
    if len(parts) < 2 or parts[-2] != "+":
        return None
    last = _known.get(parts[-1]) or _learn(parts[-1], read)
    if last is None or len(last.kinds) != 1:
        return None
    concealed: list[int] = []
    melds: list[Meld] = []
    copies = last.copies
    for part in parts[:-2]:
        piece = _known.get(part) or _learn(part, read)
        if piece is None:
            return None
        kinds, meld, more = piece
        copies += more
        if meld is None:
            concealed += kinds
        else:
            melds.append(meld)
    if copies + _ADDED & _HIGHEST or len(concealed) != 13 - 3 * len(melds):
        return None
    concealed.sort()
    return Hand(tuple(concealed), tuple(melds), last.kinds[0])
