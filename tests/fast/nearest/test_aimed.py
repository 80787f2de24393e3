"""Payable hands of one fan: what the plain scorer says of the same hands."""

from __future__ import annotations

import random

import numpy as np
import pytest

from quepu.errors import UnknownName
from quepu.fast.nearest.aimed import aimed
from quepu.fast.nearest.payable import FAR, payable
from quepu.hands.hand import Hand
from quepu.rulebooks import book
from quepu.scoring.score import score_hand
from quepu.tiles import KINDS

UNSEEN = np.full(KINDS, 2, np.int64)


@pytest.mark.parametrize(("rules", "fan"), [("guobiao-mcr", "清一色"), ("lingque-29", "all pungs")])
def test_only_hands_with_the_fan_are_in_reach(rules: str, fan: str) -> None:
    """From a complete hand less one tile: that tile completes it if and only if the hand has the fan."""
    found, rng = book(rules), random.Random(3)
    name = found.fan(fan).name
    looks, every = aimed(found, name), payable(found)
    both = set()
    for _ in range(60):
        suit, low = rng.randrange(3), rng.randrange(5)
        other = suit if rng.random() < 0.5 else (suit + 1) % 3
        groups = [[9 * suit + low] * 3, [9 * other + 8] * 3, [9 * suit + low + 2] * 3]
        groups.append([9 * suit + low + 3] * 3 if rng.random() < 0.5 else [9 * suit + n for n in (5, 6, 7)])
        tiles = sorted([*(tile for group in groups for tile in group), *([9 * suit + 7] * 2)])
        if max(tiles.count(tile) for tile in tiles) > 4:
            continue
        win = rng.choice(tiles)
        rest = tiles.copy()
        rest.remove(win)
        score = score_hand(Hand(tuple(rest), (), win, 28, 27), found)
        has = name in {line.name for line in score.fans}
        hand = Hand(tuple(rest), (), None, 28, 27)
        helps = looks.look(hand, UNSEEN).helps >> win & 1 if looks.look(hand, UNSEEN).missing == 1 else 0
        assert bool(helps) >= (has and score.can_win), str(hand)
        if fan == "清一色":  # it does not depend on how the tiles are read
            assert bool(helps) == has, str(hand)
        if helps:
            assert looks.look(hand, UNSEEN).missing >= every.look(hand, UNSEEN).missing
        both.add(has)
    assert both == {True, False}


def test_special_shapes_count_if_they_are_the_aim() -> None:
    found = book("guobiao-mcr")
    pairs = Hand((0, 0, 5, 5, 9, 9, 13, 13, 20, 20, 25, 25, 30), (), None, 28, 27)
    assert aimed(found, "七对").look(pairs, UNSEEN).missing == 1
    assert aimed(found, "清一色").look(pairs, UNSEEN).missing > 3
    assert aimed(found, "海底捞月").look(pairs, UNSEEN).missing == FAR


def test_an_unknown_fan_is_refused_with_similar_names() -> None:
    with pytest.raises(UnknownName, match="清一色"):
        aimed(book("guobiao-mcr"), "清二色")
