"""Every row shows its fan and misses it where it says so; hands are worth what the book says; a match is played."""

from __future__ import annotations

import pytest
from quepu_hongkong import BOOK

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
        ("123456m678mCCC9m+9m", 5),  # 混一色 三元刻 门前清
        ("(123m)456m678m9922m+2m", 7),  # 清一色
        ("123m456mCCCFFFP+P", 9),  # 小三元 混一色 门前清
        ("19m19p19sESWNCFP+1m", 10),
    ],
)
def test_hands_are_worth_this(hand: str, points: int) -> None:
    assert quepu.score(hand, BOOK).points == points


def test_payments_sum_to_zero() -> None:
    paid = play_rules(BOOK).settle(Ending((SeatWin(1, 3),), self_draw=True), BOOK)
    assert [one.points for one in paid] == [16, 16, 16]
    paid = play_rules(BOOK).settle(Ending((SeatWin(1, 15),), discarder=2), BOOK)
    assert [(one.payer, one.points) for one in paid] == [(2, 512)]


def test_the_book_is_found_by_its_id() -> None:
    if "hongkong" not in book_ids():
        pytest.skip("the package is not installed")
    assert quepu.book("hongkong").fingerprint == BOOK.fingerprint
