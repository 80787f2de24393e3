"""Waits looked up by suit equal waits found by trying all 34 tiles."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from quepu.hands.hand import Hand
from quepu.hands.planes import SINGLE
from quepu.rulebooks import book
from quepu.scoring.samples import deal, wins
from quepu.shapes.readings import readings, wait_planes
from quepu.tiles import BIT

SHAPES = ("standard", "any_pairs", "orphans", "loose", "knitted")


def by_trial(hand: Hand, shapes: tuple[str, ...]) -> tuple[int, int]:
    waits = pair_waits = 0
    counts = hand.counts()
    for kind, bit in enumerate(BIT):
        if counts[kind] < 4:
            for reading in readings(hand._replace(winning=kind), shapes, frozenset({"place"})):
                waits |= bit
                pair_waits |= bit if reading.h.place == SINGLE else 0
    return waits, pair_waits


def thirteens(n: int) -> Iterator[Hand]:
    for hand in wins(book("guobiao-mcr"), n, seed=4):
        yield hand._replace(winning=None)
    rng = random.Random(5)
    for _ in range(n // 4):
        yield deal(rng)


@pytest.mark.parametrize("shapes", [SHAPES, ("standard",), ("pairs",), ("standard", "pairs", "knitted")], ids=str)
def test_equal_to_trial(shapes: tuple[str, ...]) -> None:
    for hand in thirteens(200):
        waits, pair_waits, dead = wait_planes(hand, shapes)
        assert (waits, pair_waits) == by_trial(hand, shapes), hand
        held = sum(bit for bit, n in zip(BIT, hand.counts(), strict=True) if n == 4)
        assert dead & ~held == 0
        assert waits & dead == 0


def test_planes_of_a_win_have_the_waits_of_the_hand_before() -> None:
    for hand in wins(book("guobiao-mcr"), 300, seed=6):
        for reading in readings(hand, SHAPES):
            h = reading.h
            assert (h.waits, h.pair_waits, h.dead_waits) == wait_planes(hand._replace(winning=None), SHAPES)


def test_a_dead_wait_needs_a_fifth_tile() -> None:
    from quepu.hands.notation import parse

    dead = {
        "3334m789s(2222m)(5555m)": ["2m", "5m"],  # by form 3334 waits for 2, 4, 5
        "23m789s11p(4444m)(EEE)": ["4m"],
        "1111234m567p789s": ["1m"],  # 111 1 234: the lone 1 wants a fifth
        "1112223334447m": [],
    }
    for text, names in dead.items():
        bits = sum(BIT["123456789".index(name[0])] for name in names)
        assert wait_planes(parse(text), SHAPES)[2] == bits, text
