"""附录 of v29: “点数”指无和牌点数限制下，包含该番种的和牌的点数最小值 — found by asking every hand there is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from quepu.fast.universe.census import classify
from quepu.fast.universe.classes import Classes
from quepu.fast.universe.standard_hands import STATES, Universe
from quepu.hands.hand import Hand, Luck
from quepu.hands.planes import PAIRS, Planes
from quepu.rulebooks import book
from quepu.rules.arithmetic import Tally
from quepu.rules.rulebook import Rulebook
from quepu.scoring.score import score_hand
from quepu.shapes.knitted import KNITTED_LINES
from quepu.tiles import BIT, EAST, KINDS, kinds_of
from tests.lingque.stated import APPENDIX

CLOSED, DRAW = int(Luck.CLOSED), int(Luck.SELF_DRAW)


def standard_hands(rules: Rulebook) -> Iterator[tuple[Planes, Tally]]:
    """A reading of every signature of the 11 580 567 standard hands, in eight ways to lie, and what it is worth."""
    for state in STATES.values():
        classes = Classes(rules)
        classify(classes, Universe(state))
        yield from zip(classes.examples, classes.tallies, strict=True)


def seven_pairs(rules: Rulebook) -> Iterator[tuple[Planes, Tally]]:
    """The same for all 5 379 616 sets of seven pairs."""
    sets = [np.zeros(1, np.int64), *(np.zeros(0, np.int64) for _ in range(7))]
    for kind in range(KINDS):
        sets = [sets[0], *(np.concatenate([sets[n], sets[n - 1] | BIT[kind]]) for n in range(1, 8))]
    assert len(sets[7]) == 5_379_616
    classes = Classes(rules)
    nothing = Planes(*(0 for _ in Planes._fields))
    for x in np.array_split(sets[7], 330):
        h = nothing._replace(t1=x, t2=x, pair=x, form=PAIRS, seat=BIT[EAST], round=BIT[EAST], luck=CLOSED)
        classes.classify(h, len(x))
    yield from zip(classes.examples, classes.tallies, strict=True)


def other_hands(rules: Rulebook) -> Iterator[Tally]:
    """Nine gates, thirteen orphans and every 全不靠, won on a discard."""
    gates = (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8)
    outer = (0, 8, 9, 17, 18, 26, *range(27, 34))
    hands = [Hand(gates, (), winning) for winning in range(9)]
    hands += [Hand(outer, (), winning) for winning in outer]
    for lines in KNITTED_LINES:
        for tiles in combinations([*kinds_of(lines), *range(27, 34)], 14):
            hands.append(Hand(tiles[1:], (), tiles[0]))
    for hand in hands:
        yield score_hand(hand, rules).tally


def with_luck(rules: Rulebook, h: Planes) -> Iterator[Tally]:
    """The same hand under every circumstance that it can meet."""
    drawn, closed = h.luck & DRAW, h.luck & CLOSED
    if drawn:
        yield rules.tally(h._replace(luck=h.luck | int(Luck.LAST_DRAW)))
        if h.k:
            yield rules.tally(h._replace(luck=h.luck | int(Luck.KONG_DRAW)))
        if closed and not h.k:
            yield rules.tally(h._replace(luck=h.luck | int(Luck.HEAVENLY)))
    else:
        yield rules.tally(h._replace(luck=h.luck | int(Luck.LAST_DISCARD)))
        yield rules.tally(h._replace(luck=h.luck | int(Luck.ROBBED_KONG)))
        if h.k:  # a self-drawn win with kongs: no universe of its own
            yield rules.tally(h._replace(luck=h.luck | DRAW | int(Luck.KONG_DRAW)))
        if closed and not h.k:
            yield rules.tally(h._replace(luck=h.luck | int(Luck.EARTHLY)))


@pytest.mark.slow
def test_the_least_points_of_every_fan() -> None:
    rules = book("lingque-29")
    least: dict[str, int] = {}

    def note(tally: Tally) -> None:
        for counted in tally.counted:
            row = rules.fans[counted.row]
            name = row.name
            if name.startswith("番牌"):
                name = "番牌（刻）" if counted.value["fu"] == row.value.fu else "番牌（对）"
            least[name] = min(least.get(name, 1 << 30), tally.points)

    for h, tally in (*standard_hands(rules), *seven_pairs(rules)):
        note(tally)
        for luckier in with_luck(rules, h):
            note(luckier)
    for tally in other_hands(rules):
        note(tally)
    differ = {name: (least.get(name), points) for name, (*_, points) in APPENDIX.items() if least.get(name) != points}
    # LQ26: the table keeps 8 × 2 on purpose, the kong counts too; LQ-E1: 16 副 beside 七对 make 24 × 5
    assert differ == {"岭上开花": (24, 16), "镜同对": (120, 100)}
