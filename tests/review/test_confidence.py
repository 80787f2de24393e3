"""Grades with their intervals: below the noise a choice is about equal."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from quepu.review import confidence
from quepu.review.confidence import Confidence, cost_interval, load_confidence, load_thirds
from quepu.review.grades import EQUAL, grade, interval_of, word_of
from quepu.review.insight import Insight, Side
from quepu.review.rated_decisions import Decision
from quepu.review.valuation import RatedAction
from quepu.rulebooks import book, book_ids
from quepu.table import Action, ActionKind

BOOK = book("guobiao-mcr")


def decision(loss: float, worth: float = 10.0, points: int | None = None) -> Decision:
    """Choose the second of two discards, which loses this share of what the best one is worth."""
    best = RatedAction(Action(ActionKind.DISCARD, 0), 1.0, 1, (), 4, worth, points=points, expected=worth)
    taken = best._replace(
        action=Action(ActionKind.DISCARD, 1), share=1 - loss, expected=worth * (1 - loss), points=None
    )
    seen = Insight(Side(), Side(), 0.0, loss * worth, loss)
    return Decision(0, 0, "discard", (best, taken), 1, False, BOOK, seen)


@pytest.mark.parametrize("error", [0.05, 0.3])
def test_an_interval_has_the_cost_in_its_middle_and_grows_with_the_error(
    error: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confidence, "load_confidence", lambda _: Confidence(1000, error))
    small, large = cost_interval(BOOK, 1.0, 10.0), cost_interval(BOOK, 5.0, 10.0)
    for one, cost in ((small, 1.0), (large, 5.0)):
        assert (one.low + one.high) / 2 == pytest.approx(cost)
    assert large.high - large.low > small.high - small.low
    monkeypatch.setattr(confidence, "load_confidence", lambda _: Confidence(1000, 2 * error))
    assert cost_interval(BOOK, 1.0, 10.0).high - 1.0 == pytest.approx(2 * (small.high - 1.0))


def test_below_the_noise_the_word_is_about_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    words: dict[float, Any] = {}
    for error in (0.0, 0.3):
        monkeypatch.setattr(confidence, "load_confidence", lambda _, error=error: Confidence(1000, error))
        words[error] = [word_of(decision(loss)).en for loss in (0.03, 0.1, 0.2, 0.4, 0.9)]
    assert words[0.0] == ["good", "second best", "mistake", "blunder", "blunder"]
    assert words[0.3] == ["about equal", "about equal", "possible mistake", "possible blunder", "blunder"]
    assert word_of(decision(0.1)) == EQUAL


def test_a_missed_win_is_certain() -> None:
    missed = decision(0.5, points=30)
    interval = interval_of(missed)
    assert interval is not None and interval.low == interval.high > 0
    assert word_of(missed).en == grade(missed) == "blunder"


def test_the_best_choice_costs_nothing() -> None:
    best = decision(0.2)._replace(chosen=0)
    assert interval_of(best) == (0.0, 0.0)
    assert word_of(best).en == "best"
    assert interval_of(best._replace(lost=True)) is None


def test_measurements_are_of_books_and_small() -> None:
    names = {"", *book_ids()}
    for name in ("confidence.json", "calibration.json"):
        path = files("quepu") / "data" / name
        data = json.loads(path.read_text("utf-8"))
        assert set(data) <= names
        assert len(path.read_text("utf-8")) < 8000
    measured = load_confidence(BOOK)
    assert measured.choices > 50
    assert 0 < measured.error < 1
    thirds = load_thirds(BOOK)
    assert len(thirds) == 3
    for third in thirds:
        for one in third:
            assert 0 <= one.predicted <= 1 and 0 <= one.actual <= 1 and one.of >= 50
