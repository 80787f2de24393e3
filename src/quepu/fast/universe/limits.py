"""The part of the universe that a book can have: hands of its own tiles, with chows claimed only if it allows that.

The twin enumerates such hands from nothing: `tests/fast/universe/test_limits.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from quepu.errors import HandError
from quepu.hands.planes import ALL_TILES
from quepu.rules.play_rules import play_rules
from quepu.rules.rulebook import Rulebook
from quepu.tiles import BIT, KINDS

COPIES = 4
"""The copies of a kind by which tile sets are counted."""


class Limits(NamedTuple):
    """The tiles that hands are made of, as a plane, and whether chows can be claimed."""

    tiles: int = ALL_TILES
    chows: bool = True

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kinds of tiles."""
        return tuple(kind for kind in range(KINDS) if self.tiles & BIT[kind])


EVERY = Limits()
"""The whole universe: all 34 kinds, every meld claimed or not."""


def is_countable(book: Rulebook) -> bool:
    """Return whether the hands of a book can be counted: each of its kinds is there four times."""
    return book.tiles.copies == COPIES


def limits_of(*books: Rulebook) -> Limits:
    """Return the limits of the hands of books that have the same tiles; chows can be claimed if one of them allows it.

    Raises:
        HandError: a kind is not there four times, or the books have different tiles.
    """
    for one in books:
        if not is_countable(one):
            raise HandError(
                f"全部和牌只能按每种 {COPIES} 张来数，{one.title.zh}每种 {one.tiles.copies} 张。",
                f"every hand can be counted only where each kind has {COPIES} tiles; {one.title.en} has "
                f"{one.tiles.copies}.",
            )
        if one.tiles.kinds != books[0].tiles.kinds:
            sizes = [book.tiles._replace(flowers=()).size for book in (books[0], one)]
            raise HandError(
                f"{books[0].title.zh}（{sizes[0]} 张）与{one.title.zh}（{sizes[1]} 张）用的牌不同，不能比较全部和牌。",
                f"{books[0].title.en} ({sizes[0]} tiles) and {one.title.en} ({sizes[1]} tiles) have different tiles: "
                "their hands cannot be compared.",
            )
    tiles = sum(BIT[kind] for kind in books[0].tiles.kinds if kind < KINDS)
    return Limits(tiles, any(claims_chows(one) for one in books))


def claims_chows(book: Rulebook) -> bool:
    """Return whether chows can be claimed at the book's table; a book without one leaves it open."""
    return not book.play or "chow" in play_rules(book).table.claims
