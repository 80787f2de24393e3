"""Every registered book: score_many equals score on generated wins with melds, kongs, seats and circumstances."""

from __future__ import annotations

import random

import numpy as np
import pytest

from quepu.batch import score_many
from quepu.fast.arrays.readings import one
from quepu.fast.compiled.code_cache import installed
from quepu.fast.universe.classes import Classes
from quepu.fast.universe.standard_hands import STATES, Universe
from quepu.hands.hand import Hand
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins as generated
from quepu.scoring.score import score_hand
from tests.test_books import EVERY


def compare(book: Rulebook, hands: list[Hand], fast: bool = False) -> None:
    scores = score_many(hands, book, reading=False, fast=False)
    assert scores.fans is not None
    assert scores.valid.all()
    if fast:
        compiled = score_many(hands, book, reading=False, fast=True)
        for name in ("valid", "points", "total", "fans"):
            assert np.array_equal(getattr(scores, name), getattr(compiled, name)), name
    for i, hand in enumerate(hands):
        one = score_hand(hand, book)
        counted = np.zeros(len(book.fans), int)
        for line in one.tally.counted:
            counted[line.row] += line.times
        assert (int(scores.points[i]), int(scores.total[i])) == (one.points, one.total), hand
        assert scores.fans[i].tolist() == counted.tolist(), hand


def mixed_hands(book: Rulebook, n: int, seed: int) -> list[Hand]:
    """Generated wins; every second with circumstances of the book at random, whether they go together or not."""
    rng = random.Random(seed)
    bits = sorted(set(book.circumstances.values()))
    hands = list(generated(book, n, seed))
    for i in range(0, n, 2):
        for some in rng.sample(bits, min(len(bits), rng.choice((0, 1, 1, 2, 3)))):
            hands[i] = hands[i]._replace(luck=hands[i].luck | some)
    return hands


@pytest.mark.parametrize("book", EVERY)
def test_as_the_single_scorer(book: Rulebook) -> None:
    compare(book, mixed_hands(book, 1000, 11))


@pytest.mark.slow
@pytest.mark.parametrize("book", EVERY)
def test_as_the_single_scorer_on_many(book: Rulebook) -> None:
    """Two hundred thousand hands: arrays and, where numba is installed, compiled loops."""
    for seed in range(20):
        compare(book, mixed_hands(book, 10_000, 100 + seed), fast=installed())


def members(book: Rulebook, state: str, n: int, seed: int) -> None:
    """Hands of the universe have the points and fans of their class, whoever represents it."""
    universe = Universe(STATES[state])
    classes = Classes(book)
    pairs = list(universe.pairs())
    rng = np.random.default_rng(seed)
    for kind, index in random.Random(seed).choices(pairs, k=max(1, n // 500)):
        some = np.sort(rng.choice(index, 500))
        h = universe.block(kind, some)
        numbers = classes.classify(h, len(some))
        for at, number in enumerate(numbers.tolist()):
            tally = book.tally(one(h, at))
            expected = classes.tallies[number]
            assert (tally.points, tally.bonus) == (expected.points, expected.bonus)
            assert [c[:2] for c in tally.counted] == [c[:2] for c in expected.counted]


@pytest.mark.parametrize("book", EVERY)
@pytest.mark.parametrize("state", ["closed-draw", "open-discard"])
def test_a_class_is_worth_what_its_members_are(book: Rulebook, state: str) -> None:
    members(book, state, 1000, 5)


@pytest.mark.slow
@pytest.mark.parametrize("book", EVERY)
def test_a_class_is_worth_what_its_members_are_on_a_million(book: Rulebook) -> None:
    members(book, "closed-discard", 1_000_000, 6)
