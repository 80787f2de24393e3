"""Sums on arrays equal the single scorer, fan by fan, and equal the way by signatures."""

from __future__ import annotations

import numpy as np
import pytest

from quepu.batch import Engine, from_hands
from quepu.fast.plan import Backend, choose_backend
from quepu.fast.universe.valued import HandClassifier, changed_rows
from quepu.hands.planes import Condition
from quepu.rulebooks import book, book_ids
from quepu.rules.arithmetic import AdditiveArithmetic
from quepu.rules.row import EACH, Fan
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.scoring.score import score_hand
from tests.books import long_but

ADDING_UP = [b for b in map(book, book_ids()) if isinstance(b.arithmetic, AdditiveArithmetic)]
BOOKS = [pytest.param(b, id=b.id) for b in ADDING_UP]


def test_some_books_add_up() -> None:
    assert ADDING_UP
    assert all(choose_backend(rules, 1, installed=False) is Backend.ARRAYS for rules in ADDING_UP)


def compare(rules: Rulebook, n: int, seed: int) -> None:
    hands = list(wins(rules, n, seed))
    many = Engine(rules, Backend.ARRAYS).score(from_hands(hands))
    sorter = HandClassifier(rules)
    classes = sorter.classify(from_hands(hands)).classes
    assert many.valid.all()
    assert np.array_equal(many.points, sorter.classes.points[classes])
    assert np.array_equal(many.bonus, sorter.classes.bonus[classes])
    assert np.array_equal(many.counts, sorter.classes.counts[classes])
    for i, hand in enumerate(hands):
        score = score_hand(hand, rules)
        assert (many.points[i], many.bonus[i]) == (score.points, score.tally.bonus)
        counted = {rules.fans[j].name: int(many.counts[i, j]) for j in np.flatnonzero(many.counts[i])}
        assert counted == {fan.name: fan.count for fan in score.fans}


@pytest.mark.parametrize("n", [500, pytest.param(1500, marks=pytest.mark.long)])
@pytest.mark.parametrize("rules", BOOKS)
def test_equal_to_the_single_scorer(rules: Rulebook, n: int) -> None:
    compare(rules, n, seed=21)


@pytest.mark.parametrize("when", [lambda h: h.k, lambda h: h.seat, lambda h: h.p & h.seat, lambda h: h.k & h.pc])
@pytest.mark.parametrize(
    ("id", "dropped"),
    [
        ("canton", "开杠"), ("canton", "三元牌"), ("guobiao-mcr", "幺九刻"), ("guobiao-mcr", "箭刻"),
        ("guobiao-mcr", "圈风刻"),
    ],
)  # fmt: skip
def test_a_new_fan_of_places_drops_places_everywhere_alike(id: str, dropped: str, when: Condition) -> None:
    compare(
        book(id).having(add=[Fan("新番", 5, "8番", "x", when, "new fan", of=EACH, most=4, drops=(dropped,))]), 1500, 21
    )


def test_a_relation_of_places_that_a_house_adds_is_looked_at() -> None:
    base = book("guobiao-mcr")
    house = base.having(fans={"四归一": {"drops": ("幺九刻",)}})
    compare(house, 1500, 21)
    assert changed_rows(base, house) is None
    assert changed_rows(base, base.having(fans={"碰碰和": {"drops": ("幺九刻",)}})) == {base.index["碰碰和"]}


@pytest.mark.slow
@pytest.mark.parametrize("rules", BOOKS)
def test_equal_on_many_hands(rules: Rulebook) -> None:
    for seed in range(5):
        compare(rules, 20_000, seed=30 + seed)


@pytest.mark.parametrize("rules", long_but(ADDING_UP, *(b.id for b in ADDING_UP if len(b.options) < 9)))
def test_options_of_the_book_reach_the_arrays(rules: Rulebook) -> None:
    for option in rules.options:
        for choice in option.choices[1:]:
            compare(rules.having(options={option.key: choice}), 30, seed=22)
