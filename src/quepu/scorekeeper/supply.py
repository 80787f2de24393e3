"""Tiles supplied to the winner, and by whom: the basis of 包牌.

A chow is claimed from 上家 by rule. For a pung or an exposed kong, the discarder has to be recorded; if it is not,
every possible discarder is considered, and it matters only if they lead to different payments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple, TypeVar

from quepu.hands.hand import Hand, MeldKind
from quepu.rules.play_rules import SEATS

Counts = tuple[int, int, int, int]
"""Number of tiles that each seat gave the winner."""

RELATIVE_SEATS = {"left": -1, "across": 2, "right": 1}
"""Seats of 上家, 对家 and 下家, relative to the winner's."""
_T = TypeVar("_T")


class Supply(NamedTuple):
    """The supply of the winner's tiles: the certain part, and the unknown part.

    `certain` has the chows, the melds with a known giver and the winning discard; `unknown` are the positions in
    `Hand.melds` of the others, `wrong` those of chows recorded as coming from another seat than 上家.
    """

    certain: Counts
    unknown: tuple[int, ...]
    wrong: tuple[int, ...] = ()


def supply_of(hand: Hand, givers: Sequence[str | None], winner: int, discarder: int | None) -> Supply:
    """Return the counts that melds and their givers make certain ("left", "across", "right"; None: not recorded)."""
    counts = [0] * SEATS
    unknown, wrong = [], []
    for i, meld in enumerate(hand.melds):
        if meld.kind is MeldKind.CONCEALED_KONG:
            continue
        giver = givers[i] if i < len(givers) else None
        if meld.kind is MeldKind.CHOW:
            if giver not in (None, "left"):
                wrong.append(i)
            giver = "left"
        if giver is None:
            unknown.append(i)
        else:
            counts[(winner + RELATIVE_SEATS[giver]) % SEATS] += 1
    if discarder is not None:
        counts[discarder] += 1
    return Supply((counts[0], counts[1], counts[2], counts[3]), tuple(unknown), tuple(wrong))


def ways(supply: Supply, winner: int, counts: Sequence[int]) -> Iterator[Counts]:
    """Yield every way the tiles may have been given, each once; zeros in `counts` are unknown, others exact."""
    others = [seat for seat in range(SEATS) if seat != winner]
    seen = set()
    for givers in product(others, repeat=len(supply.unknown)):
        found = list(supply.certain)
        for giver in givers:
            found[giver] += 1
        way = (found[0], found[1], found[2], found[3])
        if way not in seen and all(not n or n == m for n, m in zip(counts, way, strict=True)):
            seen.add(way)
            yield way


def decide_supply(found: Sequence[Counts], payments: Callable[[Counts], _T]) -> Counts | None:
    """Return the first way if all lead to the same payments; None if they do not."""
    first = payments(found[0])
    return found[0] if all(payments(way) == first for way in found[1:]) else None


def as_before(hand: Hand, givers: Sequence[str | None], winner: int, discarder: int | None) -> Counts:
    """Assign every meld without a giver to 上家: how a hand is drawn, and how old records were read."""
    filled = [givers[i] if i < len(givers) and givers[i] else "left" for i in range(len(hand.melds))]
    filled = ["left" if meld.kind is MeldKind.CHOW else giver for meld, giver in zip(hand.melds, filled, strict=True)]
    return supply_of(hand, filled, winner, discarder).certain
