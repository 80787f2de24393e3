"""Readings, waits and scores on arrays against the scorer of single hands."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from quepu.batch.readings import read
from quepu.batch.wins import from_hands
from quepu.generate import wins as generated
from quepu.hand import Hand
from quepu.planes import Planes
from quepu.readings import readings
from tests.books import SMALL

EVERY = frozenset(Planes._fields)
SHAPES = ("standard", "pairs", "orphans", "loose", "knitted")
CURIOUS = dataclasses.replace(SMALL, shapes=SHAPES)


def hands(n: int, shapes: tuple[str, ...] = SHAPES, seed: int = 1) -> list[Hand]:
    return list(generated(dataclasses.replace(SMALL, shapes=shapes), n, seed))


def rows(found: list[Planes]) -> list[tuple[int, ...]]:
    return [tuple(int(x) for x in h) for h in found]


@pytest.mark.parametrize(
    "reads", [EVERY, EVERY - {"place"}, frozenset({"c1", "p", "pc", "t1"})], ids=["all", "no place", "few"]
)
@pytest.mark.parametrize("shapes", [SHAPES, ("standard", "any_pairs")], ids=["five shapes", "any pairs"])
def test_same_readings_in_the_same_order(reads: frozenset[str], shapes: tuple[str, ...]) -> None:
    given = hands(600, shapes)
    many = read(from_hands(given), shapes, reads)
    order = np.lexsort((many.rank, many.of))
    columns = [np.broadcast_to(getattr(many.h, name), (len(many.of),))[order].tolist() for name in Planes._fields]
    found: dict[int, list[tuple[int, ...]]] = {}
    for i, *planes in zip(many.of[order].tolist(), *columns, strict=True):
        found.setdefault(i, []).append(tuple(planes))
    for i, hand in enumerate(given):
        wanted = rows([reading.h for reading in readings(hand, shapes, reads)])
        assert found.get(i, []) == wanted, hand


def test_tiles_that_are_no_win_have_no_reading() -> None:
    lost = Hand((0, 0, 3, 3, 9, 12, 18, 21, 24, 27, 28, 29, 30), (), 31)
    assert len(read(from_hands([lost]), SHAPES, EVERY).of) == 0
