"""Readings, waits and scores on arrays against the scorer of single hands."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable

import numpy as np
import pytest

from quepu.fast.arrays.hand_lists import from_hands
from quepu.fast.arrays.readings import Readings, read
from quepu.hands.hand import Hand, Luck, Meld, MeldKind
from quepu.hands.planes import Planes
from quepu.rulebooks import book
from quepu.scoring.samples import wins as generated
from quepu.shapes import SHAPES as REGISTERED
from quepu.shapes.knitted import KNITTED_LINES
from quepu.shapes.readings import readings
from quepu.tiles import kinds_of
from tests.books import SMALL

EVERY = frozenset(Planes._fields)
SHAPES = ("standard", "pairs", "orphans", "loose", "knitted")
CURIOUS = dataclasses.replace(SMALL, shapes=SHAPES)


def hands(n: int, shapes: tuple[str, ...] = SHAPES, seed: int = 1) -> list[Hand]:
    return list(generated(dataclasses.replace(SMALL, shapes=shapes), n, seed))


def lucky(given: list[Hand], seed: int) -> list[Hand]:
    """The same hands, some won in the first go-round, on the last flower, with no winning tile named."""
    rng = random.Random(seed)
    wishes = (0, 0, int(Luck.FIRST_ROUND), int(Luck.SELF_DRAW | Luck.FIRST_ROUND), int(Luck.SEVEN_FLOWERS))
    made = [hand._replace(luck=rng.choice(wishes)) for hand in given]
    return [hand._replace(winning=None) if hand.luck & Luck.SEVEN_FLOWERS else hand for hand in made]


def near(n: int, seed: int) -> list[Hand]:
    """Hands of thirteen different tiles in a line with one of them again; fours, threes and concealed kongs."""
    rng = random.Random(seed)
    made = []
    for _ in range(n):
        line = rng.choice(KNITTED_LINES)
        kinds = rng.sample([*kinds_of(line), *range(27, 34)], 13)
        own = [*kinds, rng.choice(kinds)]
        melds: tuple[Meld, ...] = ()
        if rng.random() < 0.5:
            a, b, c, d, e = rng.sample(range(34), 5)
            own = [a] * 4 + [b] * 4 + [c] * 3 + [d] * 3
            if rng.random() < 0.5:
                own, melds = own[3:], (Meld(rng.choice((MeldKind.CONCEALED_KONG, MeldKind.KONG)), e),)
        rng.shuffle(own)
        made.append(Hand(tuple(own[:-1]), melds, own[-1]))
    return made


def rows(found: list[Planes]) -> list[tuple[int, ...]]:
    return [tuple(int(x) for x in h) for h in found]


def same(
    given: list[Hand], shapes: tuple[str, ...], reads: frozenset[str], reader: Callable[..., Readings] = read
) -> None:
    many = reader(from_hands(given), shapes, reads)
    order = np.lexsort((many.rank, many.of))
    columns = [np.broadcast_to(getattr(many.h, name), (len(many.of),))[order].tolist() for name in Planes._fields]
    found: dict[int, list[tuple[int, ...]]] = {}
    for i, *planes in zip(many.of[order].tolist(), *columns, strict=True):
        found.setdefault(i, []).append(tuple(planes))
    for i, hand in enumerate(given):
        wanted = rows([reading.h for reading in readings(hand, shapes, reads)])
        assert found.get(i, []) == wanted, hand


READS = pytest.mark.parametrize(
    "reads", [EVERY, EVERY - {"place"}, frozenset({"c1", "p", "pc", "t1"})], ids=["all", "no place", "few"]
)


@READS
@pytest.mark.parametrize("shapes", [SHAPES, ("standard", "any_pairs")], ids=["five shapes", "any pairs"])
def test_same_readings_in_the_same_order(reads: frozenset[str], shapes: tuple[str, ...]) -> None:
    same(hands(600, shapes), shapes, reads)


@READS
def test_the_shapes_that_only_canton_has(reads: frozenset[str]) -> None:
    shapes = book("canton").shapes
    same(lucky(hands(500, shapes, 2) + near(300, 3), 4), shapes, reads)


def test_a_shape_without_an_array_form_is_read_hand_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = book("canton").shapes
    monkeypatch.setitem(REGISTERED, "two_quads", dataclasses.replace(REGISTERED["two_quads"], fours=None))
    same(lucky(near(200, 5), 6), shapes, EVERY)


def test_tiles_that_are_no_win_have_no_reading() -> None:
    lost = Hand((0, 0, 3, 3, 9, 12, 18, 21, 24, 27, 28, 29, 30), (), 31)
    assert len(read(from_hands([lost]), SHAPES, EVERY).of) == 0
