"""Short ways to ask 玉雀 what a hand is worth."""

from __future__ import annotations

from collections.abc import Iterable

import quepu
from quepu.hands.planes import STANDARD, Planes
from quepu.hands.win import CHOW, PAIR, PUNG, Group
from quepu.rulebooks.yuque import YUQUE_54
from quepu.rules.rulebook import Rulebook
from quepu.scoring.occurrences import planes_of
from quepu.scoring.score import Score
from quepu.tiles import BIT, EAST


def score(
    hand: str, seat: str = "E", self_draw: bool = False, *circumstances: str, rules: Rulebook = YUQUE_54
) -> Score:
    return quepu.score(hand, rules=rules, seat=seat, self_draw=self_draw, circumstances=circumstances)


def fan(hand: str, seat: str = "E", self_draw: bool = False, *circumstances: str, rules: Rulebook = YUQUE_54) -> int:
    return score(hand, seat, self_draw, *circumstances, rules=rules).parts["fan"]


def added(fans: Score) -> dict[str, int]:
    """What each fan adds, in the order announced."""
    return {line.name: line.value["fan"] * line.count for line in fans.fans}


def open_planes(groups: Iterable[tuple[int, int]], seat: int = EAST) -> Planes:
    """The planes of four open melds and a pair, given as (kind of group, tile): the barest hand of its tiles."""
    blank = Planes(*[0] * len(Planes._fields))._replace(form=STANDARD, seat=BIT[seat])
    return planes_of([Group(kind, tile, exposed=kind != PAIR) for kind, tile in groups], blank)


def open_fan(groups: Iterable[tuple[int, int]], seat: int = EAST, rules: Rulebook = YUQUE_54) -> int:
    """What the barest hand of these groups is worth, in 番."""
    return rules.tally(open_planes(groups, seat)).parts["fan"]


MELDS = [(CHOW, s * 9 + r) for s in range(3) for r in range(7)] + [(PUNG, t) for t in range(34)]
PAIRS = [(PAIR, t) for t in range(34)]


def legal(groups: Iterable[tuple[int, int]]) -> bool:
    """No more than four of a kind."""
    held = [0] * 34
    for kind, tile in groups:
        if kind == CHOW:
            for t in (tile, tile + 1, tile + 2):
                held[t] += 1
        else:
            held[tile] += 3 if kind == PUNG else 2
    return max(held) <= 4
