"""Who pays whom, under each table; payments of a hand always sum to zero by being flows."""

from __future__ import annotations

from typing import Any

import pytest

from quepu.hands.hand import Luck
from quepu.match import SettleError, settle
from quepu.match.seats import stays
from quepu.rulebooks import book
from quepu.rulebooks.canton.payment_tables import units
from quepu.rules.play_rules import Ending, SeatWin, play_rules
from quepu.rules.rulebook import Rulebook

CANTON = book("canton")


def paid(rules: Rulebook, winner: int, points: int, luck: int = 0, **ending: Any) -> list[int]:
    """Return the gain of each seat after one win."""
    return gains(rules, Ending((SeatWin(winner, points, luck=luck),), **ending))


def gains(rules: Rulebook, ending: Ending) -> list[int]:
    """Return the gain of each seat."""
    gained = [0, 0, 0, 0]
    for flow in play_rules(rules).settle(ending, rules):
        assert flow.points > 0
        assert flow.why.zh
        assert flow.why.en
        gained[flow.payer] -= flow.points
        gained[flow.payee] += flow.points
    assert sum(gained) == 0
    return gained


def house(**options: Any) -> Rulebook:
    return CANTON.having(id="house", options=options)


def test_linear_table_and_the_dealers_fan() -> None:
    # west wins 5: the dealer pays for 6
    assert paid(CANTON, winner=2, points=5, self_draw=True) == [-6, -5, 16, -5]
    assert paid(CANTON, winner=2, points=5, discarder=1) == [0, -5, 5, 0]
    assert paid(CANTON, winner=2, points=5, discarder=0) == [-6, 0, 6, 0]
    # the dealer wins: 庄家 is in the points
    assert paid(CANTON, winner=0, points=6, self_draw=True) == [18, -6, -6, -6]
    assert gains(CANTON, Ending()) == [0, 0, 0, 0]


def test_without_the_dealers_pattern_nobody_pays_more() -> None:
    rules = CANTON.having(id="plain", without=["庄家"])
    assert paid(rules, winner=2, points=5, self_draw=True) == [-5, -5, 15, -5]


@pytest.mark.parametrize(
    ("discard", "on_discard", "self_drawn"),
    [
        ("alone", [0, -4, 0, 4], [-5, -4, -4, 13]),
        ("double", [0, -8, 0, 8], [-5, -4, -4, 13]),
        ("for_three", [0, -12, 0, 12], [-5, -4, -4, 13]),
        ("half", [-5, -8, -4, 17], [-10, -8, -8, 26]),
        ("full", [0, -16, 0, 16], [-10, -8, -8, 26]),
    ],
)
def test_who_pays_a_discard(discard: str, on_discard: list[int], self_drawn: list[int]) -> None:
    rules = house(discard=discard)
    assert paid(rules, winner=3, points=4, discarder=1) == on_discard
    assert paid(rules, winner=3, points=4, self_draw=True) == self_drawn


@pytest.mark.parametrize(
    ("table", "by_fan"),
    [
        ("linear", {0: 0, 1: 1, 8: 8, 120: 120}),
        ("doubling", {0: 1, 1: 2, 2: 4, 3: 8, 4: 16, 5: 32, 10: 1024, 40: 1024}),
        ("half_doubling", {0: 1, 1: 2, 2: 4, 3: 8, 4: 16, 5: 24, 6: 32, 7: 48, 8: 64, 9: 96, 10: 128, 99: 128}),
        ("tiers_4_7_10", {0: 1, 1: 2, 2: 4, 3: 8, 4: 16, 6: 16, 7: 32, 9: 32, 10: 64, 50: 64}),
        ("base_3_4_7_10", {0: 0, 2: 0, 3: 1, 4: 2, 6: 2, 7: 4, 9: 4, 10: 8, 80: 8}),
    ],
)
def test_tables(table: str, by_fan: dict[int, int]) -> None:
    rules = house(payment=table)
    assert {fan: units(rules, fan) for fan in by_fan} == by_fan
    assert [units(rules, fan) for fan in range(130)] == sorted(units(rules, fan) for fan in range(130))


def test_base_and_cap() -> None:
    assert paid(house(base=5), winner=3, points=4, discarder=1) == [0, -20, 0, 20]
    assert paid(house(cap=10), winner=3, points=44, self_draw=True) == [-10, -10, -10, 30]
    assert paid(house(cap=10, payment="doubling"), winner=3, points=44, discarder=1) == [0, -1024, 0, 1024]


def test_the_feeder_of_a_kong_pays_for_all_of_three_in_a_row() -> None:
    luck = int(Luck.THREE_KONGS | Luck.TWO_KONGS | Luck.KONG_DRAW | Luck.SELF_DRAW)
    assert paid(CANTON, winner=3, points=30, self_draw=True, luck=luck, kong_feeder=1) == [0, -91, 0, 91]
    assert paid(CANTON, winner=3, points=30, self_draw=True, luck=luck) == [-31, -30, -30, 91]
    # two in a row: everyone pays
    two = int(Luck.TWO_KONGS | Luck.KONG_DRAW | Luck.SELF_DRAW)
    assert paid(CANTON, winner=3, points=10, self_draw=True, luck=two, kong_feeder=1) == [-11, -10, -10, 31]


def test_wins_outside_the_tiles() -> None:
    # 花糊 and 流局十番 are paid as self-draws, 七抢一 as a discard
    assert paid(CANTON, winner=1, points=8, luck=int(Luck.SEVEN_FLOWERS)) == [-9, 25, -8, -8]
    assert paid(CANTON, winner=1, points=10, luck=int(Luck.OUTER_DISCARDS)) == [-11, 31, -10, -10]
    assert paid(CANTON, winner=1, points=10, discarder=2, robbed=True, luck=int(Luck.ROBBED_FLOWER)) == [0, 10, -10, 0]


TWO = Ending((SeatWin(2, 5), SeatWin(0, 8)), discarder=1)
"""West and the dealer win on South's discard: in turn order from South, West comes first."""


def test_each_of_several_winners_is_paid_by_the_discarder() -> None:
    assert gains(house(winners=2), TWO) == [8, -13, 5, 0]
    flows = play_rules(house(winners=2)).settle(TWO, house(winners=2))
    assert [(one.payee, one.points) for one in flows] == [(2, 5), (0, 8)]
    flows = play_rules(house(winners=2)).settle(TWO, house(winners=2, winners_order="fan"))
    assert [(one.payee, one.points) for one in flows] == [(0, 8), (2, 5)]


def test_under_half_shares_winners_of_one_tile_do_not_pay_each_other() -> None:
    # half: the discarder 2 shares, each of the others 1; North alone is neither winner nor discarder
    assert gains(house(winners=3, discard="half"), TWO) == [16 + 8, -10 - 16, 10 + 5, -5 - 8]


def test_only_so_many_win_as_the_option_says() -> None:
    three = Ending((SeatWin(2, 5), SeatWin(3, 5), SeatWin(0, 8)), discarder=1)
    for most, ending, right in ((1, TWO, False), (2, TWO, True), (2, three, False), (3, three, True)):
        rules = house(winners=most)
        if right:
            assert sum(settle(ending, rules, play_rules(rules)).seats) == 0
        else:
            with pytest.raises(SettleError, match="只有一家能和" if most == 1 else "至多两家和"):
                settle(ending, rules, play_rules(rules))
    with pytest.raises(SettleError, match="自摸只有一家"):
        settle(Ending((SeatWin(2, 5), SeatWin(0, 8)), self_draw=True), house(winners=3), play_rules(house(winners=3)))
    wrong = Ending((SeatWin(0, 8), SeatWin(2, 5)), discarder=1)
    with pytest.raises(SettleError, match="按座次"):
        settle(wrong, house(winners=3), play_rules(house(winners=3)))


def test_who_deals_after_several_winners() -> None:
    other = Ending((SeatWin(2, 5), SeatWin(3, 5)), discarder=1)
    for choice, dealer_wins in (("any", True), ("first", False), ("never", False)):
        rules = play_rules(house(winners=2, winners_dealer=choice)).match
        assert stays(rules, TWO) is dealer_wins
        assert not stays(rules, other)
        assert stays(rules, Ending((SeatWin(0, 8), SeatWin(1, 5)), discarder=3)) is (choice != "never")
        assert stays(rules, Ending((SeatWin(0, 8),), discarder=3))  # one winner: as ever
    never = play_rules(house(winners=2, dealer_repeats="never")).match
    assert not stays(never, TWO)
