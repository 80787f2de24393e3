"""The bounded search counts every hand as trying everything does."""

from __future__ import annotations

import pytest

from quepu.hands.hand import Hand
from quepu.rulebooks.yuque import YUQUE_54
from quepu.scoring.samples import wins
from quepu.shapes.readings import readings
from tests.yuque.twin import value_of

MOST = 9  # fans that hold; more would be too many sets to try


def compare(n: int, seed: int, most: int) -> int:
    compared = 0
    for hand in wins(YUQUE_54, n, seed=seed):
        for reading in readings(hand, YUQUE_54.shapes, YUQUE_54.reads):
            if len(YUQUE_54.detect(reading.h)) <= most:
                assert YUQUE_54.tally(reading.h).parts["fan"] == value_of(YUQUE_54, reading), reading.text()
                compared += 1
    return compared


def test_equal_to_trying_everything_on_some_hands():
    assert compare(500, 54, MOST) > 400


@pytest.mark.slow
def test_equal_to_trying_everything_on_many_hands():
    assert compare(12_000, 55, 12) > 11_000


def test_the_suits_are_alike_but_for_bamboo_alone():
    """Turning suits keeps every total, but that 清一色:索 loses less to 番刻 (ruling yuque-12)."""
    compared = 0
    for hand in wins(YUQUE_54, 400, seed=56):
        if len({kind // 9 for kind in tiles(hand)}) > 1:
            assert best(hand) == best(turn(hand))
            compared += 1
    assert compared > 300


def tiles(hand: Hand) -> list[int]:
    return [kind for kind, n in enumerate(hand.counts()) if n]


def turn(hand: Hand) -> Hand:
    """Characters become dots, dots bamboo, bamboo characters."""

    def to(kind: int) -> int:
        return kind if kind >= 27 else (kind + 9) % 27

    melds = tuple(meld._replace(tile=to(meld.tile)) for meld in hand.melds)
    winning = None if hand.winning is None else to(hand.winning)
    return hand._replace(concealed=tuple(sorted(map(to, hand.concealed))), melds=melds, winning=winning)


def best(hand: Hand) -> int:
    return max(YUQUE_54.tally(r.h).points for r in readings(hand, YUQUE_54.shapes, YUQUE_54.reads))
