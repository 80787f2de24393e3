"""The universe of standard hands against counts made another way."""

from __future__ import annotations

from collections import Counter
from math import comb, prod

import numpy as np

from quepu.fast.universe.standard_hands import DECOMPOSED, DISTINCT, MELD_SETS, PHYSICAL, STATES, Universe, find_shared
from quepu.hands.hand import Luck
from quepu.hands.suit_tables import honour_splits, suit_splits


def by_convolution() -> tuple[int, int, int]:
    """Decomposed hands, distinct hands, physical tile sets: products over suits, no hand ever built."""

    def lane(table: dict, ranks: int, each) -> Counter:
        made: Counter = Counter()
        for key, splits in table.items():
            made[splits[0].melds, splits[0].pairs] += each(key, splits, ranks)
        return made

    def ways(key: int, splits, ranks: int) -> int:
        return prod(comb(4, key // 5**r % 5) for r in range(ranks))

    totals = []
    for each in (lambda key, splits, ranks: len(splits), lambda key, splits, ranks: 1, ways):
        whole = Counter({(0, 0): 1})
        for table, ranks in ((suit_splits(), 9),) * 3 + ((honour_splits(), 7),):
            whole, before, suit = Counter(), whole, lane(table, ranks, each)
            for (m, p), n in before.items():
                for (m2, p2), n2 in suit.items():
                    if m + m2 <= 4 and p + p2 <= 1:
                        whole[m + m2, p + p2] += n * n2
        totals.append(whole[4, 1])
    return tuple(totals)


def test_totals_agree_with_a_convolution_over_suits() -> None:
    assert by_convolution() == (DECOMPOSED, DISTINCT, PHYSICAL)
    universe = Universe(STATES["closed-draw"])
    assert len(universe.melds.p) == MELD_SETS
    hands = weight = 0
    for kind, index in universe.pairs():
        hands += len(index)
        weight += int(universe.weights(kind, index).sum())
    same = find_shared()
    again = np.flatnonzero(np.concatenate([[False], same.group[1:] == same.group[:-1]]))
    for kind in range(34):
        weight -= int(universe.weights(kind, same.melds[again[same.pair[again] == kind]]).sum())
    assert (hands, hands - len(again), weight) == (DECOMPOSED, DISTINCT, PHYSICAL)


def test_planes_of_a_block_are_those_of_its_tiles() -> None:
    universe = Universe(STATES["kongs"])
    rng = np.random.default_rng(3)
    for kind, index in universe.pairs():
        some = rng.choice(index, 50)
        h = universe.block(kind, some)
        tiles = sum(np.bitwise_count(getattr(h, f"t{n}")).astype(int) for n in (1, 2, 3, 4))
        assert (tiles == 14 + np.bitwise_count(h.p)).all()
        assert (h.k == h.p).all()
        assert (h.xp == h.p).all()
        assert (h.pc == 0).all()
        assert (np.broadcast_to(h.luck, (50,)) & int(Luck.CLOSED) == 0).all()
        assert (universe.weights(kind, some) > 0).all()


def test_closed_where_nothing_is_claimed() -> None:
    universe = Universe(STATES["pungs-hidden"])
    all_pungs = universe.melds.pungs == 4
    assert ((universe.base.luck & int(Luck.CLOSED) != 0) == all_pungs).all()
