"""All readings of one suit as rows in one order, from which whole hands are put together suit by suit."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from quepu.hands.suit_tables import honour_splits, levels, suit_splits


class SuitRow(NamedTuple):
    """One way to take tiles of a suit apart; planes of a single lane."""

    cls: int  # 2 * melds + pairs
    planes: tuple[int, int, int, int, int]  # c1 c2 c3 c4 p
    pair: int
    levels: tuple[int, int, int, int]  # tiles held at least once … four times
    key: int  # the tiles, see `suit_tables`


@cache
def suit_rows(ranks: int) -> tuple[SuitRow, ...]:
    """The readings of a suit of nine ranks (23 533), or of the seven honours, sorted by class."""
    splits = suit_splits() if ranks == 9 else honour_splits()
    return tuple(
        sorted(
            SuitRow(2 * split.melds + split.pairs, split[2:7], split.pair, levels(key), key)
            for key, ways in splits.items()
            for split in ways
        )
    )


# Unary: the tiles of a suit as an integer in which copy n + 1 of rank r is bit 9 n + r.


def unary_levels(planes: tuple[int, int, int, int]) -> int:
    """Four lanes (once, twice, three, four times) in unary."""
    one, two, three, four = planes
    return one | two << 9 | three << 18 | four << 27


_COPIES = [sum(1 << 9 * n for n in range(have)) for have in range(5)]


def unary_counts(counts: Iterable[int]) -> int:
    """Copies of each rank in unary; four of a rank at most."""
    made = 0
    for r, have in enumerate(counts):
        made |= _COPIES[have if have < 4 else 4] << r
    return made
