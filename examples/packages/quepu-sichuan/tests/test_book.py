"""Every row shows its fan and misses it where it says so; hands are worth what the book says; a match is played."""

from __future__ import annotations

import pytest
from quepu_sichuan import BOOK

import quepu
from quepu.rulebooks import book_ids
from quepu.rules.play_rules import Ending, SeatWin, play_rules


def names(shown: object) -> set[str]:
    """Return the fans that hold in an example, counted or not."""
    score = quepu.score(
        shown.hand, BOOK, seat=shown.seat, self_draw=shown.self_draw, circumstances=list(shown.circumstances)
    )
    return {fan.name for fan in score.fans} | {BOOK.fans[one.row].name for one in score.tally.dropped}


@pytest.mark.parametrize("fan", BOOK.fans, ids=lambda fan: fan.name)
def test_a_row_holds_in_its_example_and_not_in_its_near_miss(fan) -> None:
    assert fan.name in names(fan.example)
    assert fan.name not in names(fan.near_miss)


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("111m222p333p444m5m+5m", 2),  # 对对胡
        ("111m222m333m999m5m+5m", 8),  # 清一色 对对胡
        ("(1111m)222p333p444m5m+5m", 4),  # 对对胡 根
        ("123m456m789p22p55p+5p", 1),
    ],
)
def test_hands_are_worth_this(hand: str, points: int) -> None:
    assert quepu.score(hand, BOOK).points == points


def test_three_suits_do_not_win() -> None:
    assert not quepu.score("111m222p333s444m5m+5m", BOOK).can_win


def test_payments_sum_to_zero() -> None:
    paid = play_rules(BOOK).settle(Ending((SeatWin(1, 3),), self_draw=True), BOOK)
    assert sum(one.points for one in paid) == 9


def test_the_book_is_found_by_its_id() -> None:
    if "sichuan" not in book_ids():
        pytest.skip("the package is not installed")
    assert quepu.book("sichuan").fingerprint == BOOK.fingerprint
