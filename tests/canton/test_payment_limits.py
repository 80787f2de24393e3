"""广东's tables of payments: every step of them, and both sides of what a house may write in their place."""

from __future__ import annotations

from fractions import Fraction

import pytest

from quepu.errors import OverlayError
from quepu.rulebooks import book
from quepu.rulebooks.canton.payment_tables import dealer_fan, share_of, stake_of, unit_table, units

CANTON = book("canton")
STEPS = {
    "linear": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
    "tiers_4_7_10": [1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64, 64, 64],
    "base_3_4_7_10": [0, 0, 0, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8, 8, 8],
    "half_doubling": [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 128, 128, 128, 128],
    "half_spicy": [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 384],
    "full_spicy": [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 8192],
    "tiers_5_7_10": [1, 4, 8, 16, 32, 64, 64, 128, 128, 128, 256, 256, 256, 256, 256],
}
"""Units for 0 fan, 1 fan and so on."""


@pytest.mark.parametrize("name", STEPS)
def test_every_step_of_a_table(name: str) -> None:
    assert [unit_table(name)(fan) for fan in range(15)] == STEPS[name]
    assert unit_table(name)(50) == (50 if name == "linear" else STEPS[name][-1])


def test_thresholds_double_at_each() -> None:
    table = unit_table("4-6-8")
    assert [table(fan) for fan in range(11)] == [1, 2, 4, 8, 16, 16, 32, 32, 64, 64, 64]
    assert [unit_table("1-20")(fan) for fan in (0, 1, 2, 19, 20, 21)] == [1, 2, 2, 2, 4, 4]
    for wrong in ("4", "4-", "4-4", "6-4", "0-4", "4-21", "4-100", "4-6-x", "", "quadratic", " 4-6"):
        with pytest.raises(OverlayError, match="payment 应是"):
            unit_table(wrong)


def test_units_of_a_house_for_each_fan() -> None:
    table = unit_table([3, 5, 9])
    assert [table(fan) for fan in (-1, 0, 1, 2, 3, 99)] == [3, 3, 5, 9, 9, 9]
    assert unit_table([7])(5) == 7 and unit_table([0, 100_000])(1) == 100_000
    assert unit_table(list(range(200)))(250) == 199
    for wrong in ([], [100_001], [-1], [1, True], [1, 2.0], ["1"], list(range(201)), None, 5, {}):
        with pytest.raises(OverlayError, match="payment 应是"):
            unit_table(wrong)  # type: ignore[arg-type]


def test_who_pays_how_many_shares() -> None:
    for name, shares in (
        ("alone", (1, 1, 0)), ("double", (1, 2, 0)), ("for_three", (1, 3, 0)), ("half", (2, 2, 1)), ("full", (2, 4, 0)),
    ):  # fmt: skip
        assert share_of(name) == shares
    assert share_of([0, 100, 3]) == (0, 100, 3) and share_of((1, 2, 3)) == (1, 2, 3)
    for wrong in ([1, 2], [1, 2, 3, 4], [1, 2, 101], [1, -1, 2], [1, 2, True], "third", None, 3):
        with pytest.raises(OverlayError, match="discard 应是"):
            share_of(wrong)  # type: ignore[arg-type]


def test_what_a_point_is_worth() -> None:
    assert stake_of("") is None
    for text, worth in (
        ("1/4", Fraction(1, 4)),
        ("2", Fraction(2)),
        ("9999", Fraction(9999)),
        ("1/9999", Fraction(1, 9999)),
    ):
        assert stake_of(text) == worth
    for wrong in ("0", "1/0", "10000", "1/10000", "-1", "1.5", "1/2/3", "x", 2, None):
        with pytest.raises(OverlayError, match="stake 应是"):
            stake_of(wrong)


def test_cap_base_and_the_dealers_fan() -> None:
    for cap in (0, 5, 10):
        house = CANTON.having(options={"payment": "doubling", "cap": cap, "base": 3})
        plain = CANTON.having(options={"payment": "doubling", "base": 1})
        for fan in range(13):
            assert units(house, fan) == 3 * units(plain, min(fan, cap) if cap else fan)
    assert dealer_fan(CANTON) == CANTON.fan("庄家").value == 1
    assert dealer_fan(CANTON.having(values={"庄家": 3})) == 3 and dealer_fan(CANTON.having(without=["庄家"])) == 0
