"""Payments at the table: the seed's own example, 半包牌 and 全包牌, sums, and endings that cannot be."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod

import pytest

from quepu.errors import Error, Text
from quepu.match import SettleError, settle
from quepu.match.settle import add_up, check_ending, in_words
from quepu.rulebooks import book
from quepu.rules.play_rules import POOL, SEATS, Ending, Payment, SeatWin, play_rules
from quepu.rules.rulebook import Rulebook
from tests.books import PLAYED

LINGQUE = book("lingque-29")
EAST, SOUTH, WEST, NORTH = range(4)
EDITIONS = ("lingque-29", "lingque-26")


def seats(ending: Ending, name: str = "lingque-29") -> tuple[int, ...]:
    return settle(ending, book(name), play_rules(book(name))).seats


def supplied(ending: Ending, counts: tuple[int, int, int, int]) -> Ending:
    return ending._replace(winners=(ending.winners[0]._replace(supplied=counts),))


@pytest.mark.parametrize("name", EDITIONS)
def test_the_example_of_the_seed(name: str) -> None:
    # 例：北家自摸和牌，10 副 3 翻 30 点。北家得 135 分；若无人包牌，则其余三家各失 45 分。
    win = Ending((SeatWin(NORTH, 30),), self_draw=True)
    assert seats(win, name) == (-45, -45, -45, 135)
    # 若西家半包牌，则西家失 91 分，其余两家各失 22 分
    assert seats(supplied(win, (0, 0, 4, 0)), name) == (-22, -22, -91, 135)
    # 若南家全包牌，则南家失 135 分，其余两家分数不变 (printed, although a self-draw leaves four melds to supply)
    assert seats(supplied(win, (0, 5, 0, 0)), name) == (0, -135, 0, 135)
    for impossible in ((1, 4, 0, 0), (0, 6, 0, 0), (1, 5, 0, 0), (0, 3, 2, 0)):
        with pytest.raises(SettleError, match="提供的牌不可能"):
            seats(supplied(win, impossible), name)


def test_a_discard() -> None:
    win = Ending((SeatWin(SOUTH, 48, supplied=(0, 0, 1, 0)),), discarder=WEST)
    assert seats(win) == (-48, 192, -96, -48)
    assert seats(win._replace(robbed=True)) == (-48, 192, -96, -48)


def test_half_by_the_discarder() -> None:
    win = Ending((SeatWin(SOUTH, 20, supplied=(1, 0, 4, 0)),), discarder=WEST)
    assert seats(win) == (-10, 80, -60, -10)  # 2p and half of p for each of the others


def test_half_by_another_than_the_discarder() -> None:
    # 2.5p, p, p/2
    win = Ending((SeatWin(SOUTH, 20, supplied=(4, 0, 1, 0)),), discarder=WEST)
    assert seats(win) == (-20 - 20 - 10, 80, -20, -10)


def test_all_by_the_discarder() -> None:
    win = Ending((SeatWin(SOUTH, 20, supplied=(0, 0, 5, 0)),), discarder=WEST)
    assert seats(win) == (0, 80, -80, 0)


@pytest.mark.parametrize("points", [10, 12, 30, 34, 102])
def test_rounding_is_up_for_who_covers(points: int) -> None:
    due = 3 * points // 2
    found = seats(Ending((SeatWin(EAST, points, supplied=(0, 4, 0, 0)),), self_draw=True))
    assert found[EAST] == 3 * due
    assert found[WEST] == found[NORTH] == -(due // 2)
    assert found[SOUTH] == -(due + 2 * ((due + 1) // 2))


def test_three_supplied_change_nothing() -> None:
    win = Ending((SeatWin(EAST, 30, supplied=(0, 3, 1, 0)),), self_draw=True)
    assert seats(win) == (135, -45, -45, -45)


def test_every_lingque_hand_sums_to_zero() -> None:
    for points, winner, k in product(range(10, 80, 2), range(SEATS), range(6)):
        for payer in range(SEATS):
            if payer == winner:
                continue
            supplied = [0] * SEATS
            supplied[payer] = k
            counts = (supplied[0], supplied[1], supplied[2], supplied[3])
            if k <= 4:
                found = seats(Ending((SeatWin(winner, points, supplied=counts),), self_draw=True))
                assert sum(found) == 0
                assert found[winner] == 9 * points // 2
            if k:
                found = seats(Ending((SeatWin(winner, points, supplied=counts),), discarder=payer))
                assert sum(found) == 0
                assert found[winner] == 4 * points


def test_odd_points_are_refused_in_lingque() -> None:
    with pytest.raises(Error, match="偶数"):
        seats(Ending((SeatWin(EAST, 31),), self_draw=True))


def test_a_drawn_hand_pays_nothing_where_nobody_is_paid_for_being_ready() -> None:
    for name in PLAYED:
        found = settle(Ending(), book(name), play_rules(book(name)))
        assert found.seats == (0, 0, 0, 0)
        assert found.payments == ()


def test_guobiao() -> None:
    # 自摸：(底分 + 基本分) * 3；点和：底分 * 3 + 基本分 * 1
    assert seats(Ending((SeatWin(EAST, 24),), self_draw=True), "guobiao") == (96, -32, -32, -32)
    assert seats(Ending((SeatWin(EAST, 24),), discarder=WEST), "guobiao") == (48, -8, -32, -8)


def test_yuque_pays_every_ready_hand_out_of_the_pool() -> None:
    yuque = book("yuque-54")
    ready = (None, 49, None, None)
    # p = 324 wins, another is ready with 49: self-draw +324, -54, 24 - 54
    found = settle(Ending((SeatWin(EAST, 324),), self_draw=True, ready=ready), yuque, play_rules(yuque))
    assert found.seats == (324, 24 - 54, -54, -54)
    assert found.pool == -sum(found.seats)
    found = settle(Ending((SeatWin(EAST, 324),), discarder=SOUTH, ready=ready), yuque, play_rules(yuque))
    assert found.seats == (324, 24 - 162, 0, 0)
    found = settle(Ending(ready=(0, 9, 49, None)), yuque, play_rules(yuque))
    assert found.seats == (0, 4, 24, 0)


@pytest.mark.parametrize(
    "ending",
    [
        Ending(discarder=1),
        Ending((SeatWin(4, 8),), self_draw=True),
        Ending((SeatWin(0, 8),)),
        Ending((SeatWin(0, 8),), self_draw=True, discarder=1),
        Ending((SeatWin(0, 8),), discarder=0),
        Ending((SeatWin(0, 8),), discarder=7),
        Ending((SeatWin(0, 8, supplied=(1, 0, 0, 0)),), self_draw=True),
        Ending((SeatWin(0, 8, supplied=(0, 3, 2, 0)),), self_draw=True),
        Ending((SeatWin(0, 8, supplied=(0, 3, 3, 0)),), discarder=1),
        Ending((SeatWin(0, 8, supplied=(0, 0, 2, 0)),), discarder=1),
        Ending((SeatWin(0, 8, supplied=(0, -1, 2, 0)),), discarder=1),
    ],
)
def test_endings_that_cannot_be(ending: Ending) -> None:
    with pytest.raises(SettleError) as refused:
        settle(ending, LINGQUE, play_rules(LINGQUE))
    assert refused.value.text.zh
    assert refused.value.text.en


@pytest.mark.parametrize(
    ("ending", "said"),
    [
        (Ending(), None),
        (Ending(self_draw=True), "流局没有"),
        (Ending(discarder=0), "流局没有"),
        (Ending((SeatWin(0, 8),), self_draw=True), None),
        (Ending((SeatWin(3, 8),), discarder=0), None),
        (Ending((SeatWin(-1, 8),), self_draw=True), "没有 -1 这个座位"),
        (Ending((SeatWin(4, 8),), self_draw=True), "没有 4 这个座位"),
        (Ending((SeatWin(0, 8),)), "要么自摸"),
        (Ending((SeatWin(0, 8),), self_draw=True, discarder=1), "要么自摸"),
        (Ending((SeatWin(0, 8),), discarder=0), "另外三家"),
        (Ending((SeatWin(0, 8),), discarder=4), "另外三家"),
        (Ending((SeatWin(0, 8),), discarder=-1), "另外三家"),
        (Ending((SeatWin(0, 8, liable=1),), self_draw=True), None),
        (Ending((SeatWin(0, 8, liable=3),), discarder=3), None),
        (Ending((SeatWin(0, 8, liable=0),), self_draw=True), "没有和的一家"),
        (Ending((SeatWin(0, 8, liable=4),), self_draw=True), "没有和的一家"),
        (Ending((SeatWin(0, 8, liable=-1),), self_draw=True), "没有和的一家"),
        (Ending((SeatWin(2, 8), SeatWin(3, 8)), self_draw=True), "自摸只有一家"),
        (Ending((SeatWin(2, 8), SeatWin(3, 8)), discarder=1), None),
        (Ending((SeatWin(3, 8), SeatWin(0, 8)), discarder=1), None),
        (Ending((SeatWin(3, 8), SeatWin(2, 8)), discarder=1), "按座次"),
        (Ending((SeatWin(2, 8), SeatWin(2, 8)), discarder=1), "按座次"),
        (Ending((SeatWin(2, 8), SeatWin(3, 8), SeatWin(0, 8)), discarder=1), "至多两家"),
        (Ending((SeatWin(0, 8, supplied=(0, 4, 0, 0)),), self_draw=True), None),
        (Ending((SeatWin(0, 8, supplied=(0, 2, 1, 1)),), self_draw=True), None),
        (Ending((SeatWin(0, 8, supplied=(0, 2, 2, 1)),), self_draw=True), "提供的牌不可能"),
        (Ending((SeatWin(0, 8, supplied=(0, 5, 0, 0)),), self_draw=True), None),  # as printed
        (Ending((SeatWin(0, 8, supplied=(0, 5, 1, 0)),), self_draw=True), "提供的牌不可能"),
        (Ending((SeatWin(0, 8, supplied=(0, 6, 0, 0)),), self_draw=True), "提供的牌不可能"),
        (Ending((SeatWin(0, 8, supplied=(0, 3, 1, 1)),), discarder=3), None),
        (Ending((SeatWin(0, 8, supplied=(0, 3, 2, 1)),), discarder=3), "提供的牌不可能"),
        (Ending((SeatWin(0, 8, supplied=(0, 0, 1, 0)),), discarder=3), "提供的牌不可能"),
        (Ending((SeatWin(0, 8, supplied=(0, 0, -1, 1)),), discarder=3), "提供的牌不可能"),
        (Ending((SeatWin(0, 8, supplied=(1, 0, 0, 1)),), discarder=3), "提供的牌不可能"),
        (Ending((SeatWin(2, 8, supplied=(0, 0, 0, 1)),), discarder=3), None),
    ],
)
def test_both_sides_of_every_limit_of_an_ending(ending: Ending, said: str | None) -> None:
    if said is None:
        check_ending(ending, 2)
        return
    with pytest.raises(SettleError) as refused:
        check_ending(ending, 2)
    assert said in refused.value.text.zh


def test_what_was_supplied_is_told_by_seats_that_supplied_something() -> None:
    with pytest.raises(SettleError) as refused:
        check_ending(Ending((SeatWin(0, 8, supplied=(0, 3, 0, 2)),), self_draw=True))
    assert "不可能：南家 3 枚，北家 2 枚。" in refused.value.text.zh
    assert "cannot be: South 3, North 2;" in refused.value.text.en


@pytest.mark.parametrize(
    "payment",
    [
        Payment(0, 1, 0, Text("", "")),
        Payment(0, 0, 5, Text("", "")),
        Payment(0, 5, 5, Text("", "")),
        Payment(-1, 0, 5, Text("", "")),
        Payment(0, -1, 5, Text("", "")),
        Payment(5, 0, 5, Text("", "")),
        Payment(POOL, POOL, 5, Text("", "")),
    ],
)
def test_flows_that_cannot_be(payment: Payment) -> None:
    with pytest.raises(SettleError):
        add_up([payment], zero_sum=False)


def test_a_pool_is_refused_where_the_book_has_none() -> None:
    with pytest.raises(SettleError, match="不为零"):
        add_up([Payment(0, POOL, 5, Text("", ""))], zero_sum=True)
    paid = [Payment(0, POOL, 5, Text("", "")), Payment(POOL, 3, 1, Text("", "")), Payment(0, 2, 1, Text("", ""))]
    assert add_up(paid, zero_sum=False) == (tuple(paid), (-6, 0, 1, 1), 4)


def test_words_say_who_pays_whom_and_why() -> None:
    win = Ending((SeatWin(NORTH, 30, supplied=(0, 0, 4, 0)),), self_draw=True)
    found = settle(win, LINGQUE, play_rules(LINGQUE)).payments
    sentences = [in_words(payment) for payment in found]
    assert [text.zh for text in sentences] == [
        "东家付北家 22 分：自摸：30×3/2，西家代付一半",
        "西家付北家 23 分：半包牌（提供 4 枚）：代东家付 45 之半（上取整）",
        "南家付北家 22 分：自摸：30×3/2，西家代付一半",
        "西家付北家 23 分：半包牌（提供 4 枚）：代南家付 45 之半（上取整）",
        "西家付北家 45 分：自摸：30×3/2",
    ]
    assert sentences[0].en == "East pays North 22: self-draw: 30×3/2, half of it paid by West"
    assert in_words(found[0], ["张", "王", "李", "赵"]).zh.startswith("张付赵 22 分")


@pytest.mark.parametrize("name", PLAYED)
def test_every_flow_of_every_book_has_a_reason_in_both_languages(name: str) -> None:
    rules = play_rules(book(name))
    for ending in (
        Ending((SeatWin(0, 30),), self_draw=True),
        Ending((SeatWin(1, 30),), discarder=3),
        Ending((SeatWin(2, 30),), discarder=0, robbed=True),
    ):
        found = settle(ending, book(name), rules)
        assert found.payments
        for payment in found.payments:
            assert payment.why.zh.strip()
            assert payment.why.en.strip()
            assert payment.why.zh != payment.why.en


def worked_out(why: str) -> int | None:
    """What a reason comes to that is a sum: 24×3/2, 底分 8＋24 番, 49/2=24.5→24（凑偶）; None of any other."""
    told = re.split(r"[：:]", why)[-1]
    result = re.search(r"(?:→|=)(\d+)(?:（凑偶）| \(to even\))?$", told)
    if result:
        exact = re.search(r"(\d+)(?:×(\d+))?/(\d+)", told)
        assert exact is not None, why
        fraction = Fraction(int(exact[1]) * int(exact[2] or 1), int(exact[3]))
        assert round(fraction) == int(result[1]), why  # half to even, as Python has it
        shown = re.search(r"[=≈](\d+\.\d+)→", told)
        assert shown is None or abs(Fraction(shown[1]) - fraction) < Fraction(1, 100), why
        return int(result[1])
    if re.fullmatch(r" ?\d+(?:×\d+)+", told):
        return prod(map(int, told.split("×")))
    product_of = re.fullmatch(r"(\d+)×(\d+)/(\d+)", told)
    if product_of:
        return int(product_of[1]) * int(product_of[2]) // int(product_of[3])
    sum_of = re.search(r"(\d+) ?(?:＋|\+) ?(\d+)", told)
    return int(sum_of[1]) + int(sum_of[2]) if sum_of else None


@pytest.mark.parametrize(
    "rules",
    [
        *(book(name) for name in PLAYED),
        book("guobiao-jmsa"),
        book("yuque-54").having(options={"self_draw": "winner_gains"}),
    ],
    ids=lambda rules: rules.id,
)
def test_a_reason_that_is_a_sum_comes_to_what_is_paid(rules: Rulebook) -> None:
    play = play_rules(rules)
    sums = 0
    for points in (8, 10, 24, 36, 48, 50, 88, 90, 130, 324):
        for ending in (
            Ending((SeatWin(1, points),), self_draw=True, ready=(points + 1, None, 9, None)),
            Ending((SeatWin(2, points),), discarder=0, ready=(49, points + 3, None, None)),
        ):
            for payment in play.settle(ending, rules):
                for why in payment.why:
                    found = worked_out(why)
                    sums += found is not None
                    assert found in (None, payment.points), why
    assert sums or rules.family == "canton"


@pytest.mark.parametrize("payment", ["linear", "doubling", "half_doubling", "tiers_4_7_10", "base_3_4_7_10"])
def test_each_reason_of_canton_multiplies_fan_base_and_shares(payment: str) -> None:
    for base, discard in product((1, 5), ("alone", "double", "for_three", "half", "full")):
        rules = book("canton").having(options={"payment": payment, "base": base, "discard": discard, "cap": 13}, id="x")
        for ending in (
            Ending((SeatWin(1, 24),), self_draw=True),
            Ending((SeatWin(2, 5),), discarder=0),
            Ending((SeatWin(0, 9),), discarder=3),
        ):
            for flow in play_rules(rules).settle(ending, rules):
                for why in flow.why:
                    found = worked_out(why)
                    assert found == flow.points or (base == 1 and found is None), (why, flow.points)


def test_a_win_of_no_points_and_a_base_of_none_make_no_payment() -> None:
    lingque, guobiao = book("lingque-29"), book("guobiao")
    assert all(
        not flow.points for flow in play_rules(lingque).settle(Ending((SeatWin(0, 0),), self_draw=True), lingque)
    )
    with pytest.raises(Error):
        play_rules(lingque).settle(Ending((SeatWin(0, -2),), self_draw=True), lingque)
    free = replace(guobiao, settings={**guobiao.settings, "base": 0})
    paid = play_rules(guobiao).settle(Ending((SeatWin(0, 20),), discarder=2), free)
    assert [flow[:3] for flow in paid] == [(2, 0, 20)]


def test_standard_points_are_those_of_the_rule() -> None:
    """国标: the first of a table gets 4, the second 2, the third 1, the last none."""
    assert play_rules(book("guobiao")).match.standard == (4, 2, 1, 0)
