"""Ratings keep the order of the places, ties included."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quepu.figures.player_report import ratings

NAMES = "甲乙丙丁戊己"
TOTALS = st.lists(st.integers(-3, 3), min_size=2, max_size=6).map(lambda points: dict(zip(NAMES, points, strict=False)))
"""Totals of a match, with many ties."""


def means(*matches: Mapping[str, int]) -> dict[str, float]:
    return {name: one.mean for name, one in ratings(matches).items()}


def test_the_third_behind_tied_winners_gains_less_than_they() -> None:
    first, second, third, fourth = means({"甲": 10, "乙": 10, "丙": 0, "丁": -20}).values()
    fresh = means({"甲": 0, "乙": 0})["甲"]
    assert first == pytest.approx(second)
    assert second > fresh > third > fourth


@given(TOTALS)
def test_players_of_one_rating_are_ordered_by_their_totals(totals: dict[str, int]) -> None:
    """The better place gains strictly more, the same place as much, and all gains together are nothing."""
    found = means(totals)
    for one, points in totals.items():
        for other, fewer in totals.items():
            if points > fewer:
                assert found[one] > found[other] + 1e-3
            if points == fewer:
                assert found[one] == pytest.approx(found[other])
    fresh = means({"甲": 0, "乙": 0})["甲"]
    assert sum(found.values()) == pytest.approx(fresh * len(totals))


@given(st.lists(TOTALS, max_size=4), TOTALS, st.sampled_from(NAMES[:2]), st.integers(1, 6))
def test_more_points_never_lower_a_rating(
    before: list[dict[str, int]], totals: dict[str, int], name: str, more: int
) -> None:
    """Whoever played whom before: a better result of one match gains its player no less, the others no more."""
    found = means(*before, totals)
    better = means(*before, totals | {name: totals[name] + more})
    assert better[name] >= found[name] - 1e-9
    assert all(better[other] <= found[other] + 1e-9 for other in totals if other != name)


@given(TOTALS)
def test_the_order_in_which_players_are_listed_changes_nothing(totals: dict[str, int]) -> None:
    found, other = means(totals), means(dict(reversed(totals.items())))
    assert all(other[name] == pytest.approx(found[name]) for name in totals)
