"""Predicted chances against what came true."""

from __future__ import annotations

import random

import pytest

from quepu.bots.chances import BEND_ODDS, load_measured
from quepu.fast.compiled.code_cache import installed
from quepu.review.reliability import samples, tenths
from quepu.rulebooks import book


def test_tenths_of_fair_coins_come_true_and_of_unfair_ones_do_not() -> None:
    rng = random.Random(4)
    hands = list(range(20_000))
    predicted = [rng.random() for _ in hands]
    fair = tenths(hands, predicted, [rng.random() < share for share in predicted])
    assert sum(one.of for one in fair) == len(hands)
    assert all(abs(one.actual - one.predicted) < 1.5 * one.half < 0.05 for one in fair)
    unfair = tenths(hands, predicted, [rng.random() < share / 2 for share in predicted])
    assert all(one.predicted - one.actual > one.half for one in unfair[2:])
    assert tenths([], [], [])[0].of == 0


def test_seats_of_one_hand_are_no_independent_cases() -> None:
    rng = random.Random(4)
    came = [rng.random() < 0.25 for _ in range(2000)]
    apart = tenths(range(8000), [0.25] * 8000, came * 4)[2]
    together = tenths(list(range(2000)) * 4, [0.25] * 8000, came * 4)[2]
    assert together.half == pytest.approx(2 * apart.half, rel=0.01)


def test_what_was_measured_of_a_book_corrects_its_chances() -> None:
    ready = {"missing": 1, "ways": 4.0, "unseen": 90, "turns": 12.0, "shown": 1}
    measured = load_measured(book("canton"))
    flat = (0.0,) * len(measured.times)
    plain = measured._replace(bend=(flat,) * len(BEND_ODDS))
    first, weight, square, by_turn = plain.missing[0]
    steeper = plain._replace(missing=((first, 2 * weight, square, by_turn), *plain.missing[1:]))
    many = ready | {"ways": 16.0}
    assert steeper.chance(**many) / steeper.chance(**ready) > plain.chance(**many) / plain.chance(**ready) > 1
    late = plain._replace(bend=((0.5, *flat[1:]),) * len(BEND_ODDS))
    assert late.chance(**ready | {"turns": 1.0}) > plain.chance(**ready | {"turns": 1.0})
    assert late.chance(**ready | {"turns": 22.0}) == pytest.approx(plain.chance(**ready | {"turns": 22.0}))
    assert plain.chance(**ready | {"ways": 0.0}) == 0.0
    farther = [plain.chance(**many | {"missing": missing, "ways": 1e6}) for missing in (5, 6, 7, 9)]
    assert farther == sorted(farther, reverse=True) and farther[-1] < farther[0] / 3
    canton, mcr, other = (load_measured(book(name)) for name in ("canton", "guobiao-mcr", "guobiao"))
    assert other == load_measured(book("guobiao-ema")) != canton  # neither was measured: they go by all together
    far = {"missing": 2, "ways": 60.0, "unseen": 90, "turns": 12.0, "shown": 1}
    assert canton.chance(**far) < mcr.chance(**far)  # in 广东 hands end sooner


def test_measured_chances_rise_with_ways_and_fall_as_the_wall_is_drawn() -> None:
    for one in map(
        load_measured, map(book, ("canton", "guobiao-mcr", "yuque-54", "lingque-29", "lingque-26", "guobiao"))
    ):
        for missing, ways in ((1, 4.0), (2, 40.0), (3, 300.0), (4, 20.0), (7, 50_000.0)):
            rising = [one.chance(missing, ways * n / 10, 90, 12.0, 1) for n in range(1, 30)]
            assert rising == sorted(rising) and 0 < rising[0] < rising[-1] < 1
            falling = [one.chance(missing, ways, 4 * n + 40, n + 0.5, 1) for n in range(20, 0, -1)]
            assert falling == sorted(falling, reverse=True)
        assert all(0 <= share < 0.5 for share in one.ended)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lingque-29", "guobiao-mcr", "yuque-54", "canton"])
def test_chances_come_true_in_hands_that_were_not_fitted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each tenth within two points of its 99.7% interval; the first hands of a seed are the same ones again."""
    monkeypatch.delenv("QUEPU_CACHE", raising=False)  # the book's own tables
    monkeypatch.setattr("quepu.fast.nearest.payable._TABLES", {})
    found = list(samples(book(name), 29, 0, 300))
    assert list(samples(book(name), 29, 0, 2)) == [one for one in found if one.hand < 2]
    made = tenths([one.hand for one in found], [one.chance for one in found], [one.won for one in found])
    judged = [one for one in made if one.of >= 100]
    assert len(judged) >= 3
    assert all(abs(one.actual - one.predicted) < 0.02 + 1.5 * one.half for one in judged), judged


@pytest.mark.slow
@pytest.mark.skipif(not installed(), reason="needs the extra fast")
@pytest.mark.parametrize("name", ["lingque-29", "guobiao-mcr", "yuque-54", "canton"])
def test_hands_of_compiled_tables_give_the_same_rows(name: str) -> None:
    assert list(samples(book(name), 7, 30, 54, fast=True)) == list(samples(book(name), 7, 30, 54))
