"""The payable distance against scoring every standard hand near by, one by one."""

from __future__ import annotations

import random

import numpy as np
import pytest

from quepu.generate import deal
from quepu.hand import Hand, Luck
from quepu.lab.lanes import bases, half, lane, order
from quepu.lab.payable import FAR, Payable, rates
from quepu.lab.universe import MELD_SETS, melds
from quepu.rulebooks import book
from quepu.scoring import best_points


def test_the_index_names_every_meld_set_once() -> None:
    assert sorted(order().tolist()) == list(range(MELD_SETS))
    left, right = half(9), half(7)
    assert bases()[-1] + left.size[4] * right.size[0] == MELD_SETS
    assert len(lane(9).cls) == 23_533
    assert len(melds().p) == MELD_SETS


@pytest.mark.slow
def test_a_ready_hand_is_one_tile_from_winning_exactly_when_a_wait_pays() -> None:
    rulebook = book("lingque-29")
    ask = Payable(rulebook)
    rng = random.Random(8)
    checked = 0
    while checked < 60:
        hand = deal(rng, 14)
        look = ask.look(hand, 4 - np.array(hand.counts()), 0)
        points = best_points(hand._replace(luck=int(Luck.SELF_DRAW)), rulebook)
        if points is not None:
            assert look.missing == 0
        assert 0 <= look.missing < FAR
        checked += 1


@pytest.mark.slow
def test_discards_that_keep_the_nearest_hand_are_worth_more_than_nothing() -> None:
    rulebook = book("lingque-29")
    ask = Payable(rulebook)
    rng = random.Random(9)
    for _ in range(20):
        hand = deal(rng, 14)
        unseen = 4 - np.array(hand.counts())
        look = ask.look(hand, unseen, 1, rates(15, 122))
        held = np.array(Hand((*hand.concealed, hand.winning or 0)).counts())
        assert look.values[held == 0].max(initial=0) == 0
        assert look.total > 0
        assert look.values.max() <= look.total * 1.000001
        best = look.best(held)
        rest = [*hand.concealed, hand.winning or 0]
        rest.remove(best)
        after = ask.look(Hand(tuple(sorted(rest)), (), None, hand.seat, hand.round), unseen)
        assert after.missing <= look.missing + 1


@pytest.mark.slow
def test_the_plan_of_the_command_line_is_the_bots_own() -> None:
    from quepu.cli.payable import plan
    from quepu.notation import parse

    rulebook = book("lingque-29")
    hand = parse("13m456p1189sCCEEF")
    hand = hand._replace(concealed=hand.concealed[:-1], winning=hand.concealed[-1])
    made = plan(hand, rulebook, ())
    assert made["missing"] == 3
    assert made["discards"][0]["discard"] == "F"
    assert made["discards"][0]["keeps"] == 1.0
    thirteen = plan(parse("13m456p1189sCCEE"), rulebook, ())
    assert thirteen["discards"] == []
    assert thirteen["missing"] == 3
    gone = tuple(kind for kind in range(34) for _ in range(4 - hand.counts()[kind]))
    assert plan(hand, rulebook, gone)["missing"] is None
