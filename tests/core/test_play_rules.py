"""Rules of play: faults and their prices, winners of one tile, and what is kept for the books used last."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace

import pytest
from tests.books import SMALL

from quepu.errors import Text, UnknownName
from quepu.rulebooks import book
from quepu.rules import play_rules as play_rules_module
from quepu.rules.faults import Fault, change_faults
from quepu.rules.play_rules import Ending, SeatWin, TableRules, fan_of, play_rules, too_many_winners


def test_what_a_fault_costs_the_first_and_each_further_time() -> None:
    once = Fault("甲", Text("", ""), 10)
    assert [once.amount(n) for n in range(4)] == [10, 10, 10, 10] and once.price == Text("10", "10")
    warning = Fault("乙", Text("", ""), 0, again=(10, 20))
    assert [warning.amount(n) for n in range(5)] == [0, 10, 20, 20, 20]
    assert warning.price == Text("警告，再犯 10、20", "a warning, then 10, 20")
    dear = Fault("丙", Text("", ""), 5, again=(7,))
    assert [dear.amount(n) for n in range(3)] == [5, 7, 7] and dear.price == Text("5，再犯 7", "5, then 7")
    assert Fault("丁", Text("", ""), 0).price == Text("0", "0")
    assert Fault("戊", Text("", ""), 0, open=True).price == Text("由裁判定", "up to the referee")


def test_the_names_of_a_fault() -> None:
    fault = Fault("提前摸牌", Text("", ""), 0, names=("早摸",))
    assert fault.name == Text("提前摸牌", "draw out of turn") and fault.typed == Text("提前摸牌", "draw-out-of-turn")
    assert fault.spellings == ("提前摸牌", "早摸", "draw out of turn", "draw-out-of-turn")
    assert Fault("打 喷嚏", Text("", ""), 1).typed == Text("打 喷嚏", "打-喷嚏")


def test_faults_of_a_house() -> None:
    usual = (Fault("甲", Text("", ""), 10, names=("甲乙",)), Fault("丙", Text("", ""), 5))
    assert change_faults(usual, ()) == usual
    assert [one.key for one in change_faults(usual, [("甲", None)])] == ["丙"]
    assert [one.key for one in change_faults(usual, [("丙", None)])] == ["甲"]
    assert [one.key for one in change_faults(usual, [("丁", None)])] == ["甲", "丙"]
    dearer = change_faults(usual, [("甲乙", (("points", 30), ("to", "one")))])
    assert (dearer[0].key, dearer[0].points, dearer[0].to) == ("甲", 30, "one") and dearer[1] == usual[1]
    more = change_faults(usual, [("丁", (("points", 3),))])
    assert [one.key for one in more] == ["甲", "丙", "丁"]
    assert (more[2].points, more[2].to, more[2].text) == (3, "others", Text("丁", "丁"))
    (*_, warned) = change_faults(usual, [("丁", (("again", (2,)),))])
    assert warned.price == Text("警告，再犯 2", "a warning, then 2")


def test_the_fan_that_are_worth_so_many_points() -> None:
    def doubling(fan: int) -> int:
        return 4 << fan

    for fan in range(12):
        assert fan_of(doubling, 4 << fan) == fan
        assert fan_of(doubling, (4 << fan) + 1) is None
    assert fan_of(doubling, 3) is None and fan_of(lambda fan: fan, 0) == 0 and fan_of(lambda fan: fan, 1) == 1
    assert fan_of(lambda fan: 3 * fan, 300) == 100 and fan_of(lambda fan: 3 * fan, 299) is None


def test_rules_of_play_of_a_house_and_of_a_book_without_any() -> None:
    rules = book("guobiao")
    for flowers in (True, False):
        house = rules.having(settings={"table": (("flowers", flowers),)})
        assert play_rules(house).table.flowers is flowers and len(play_rules(house).table.tiles.flowers) == 8 * flowers
    assert play_rules(rules) is play_rules(rules)
    assert not TableRules().flowers
    with pytest.raises(UnknownName, match="没有行牌规则"):
        play_rules(replace(SMALL, play=""))


def test_rules_of_play_are_kept_for_the_books_used_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_rules_module, "_MOST_MADE", 2)
    monkeypatch.setattr(play_rules_module, "_MADE", OrderedDict())
    houses = [book("guobiao").having(settings={"match": (("rounds", n),)}) for n in (1, 2, 3)]
    first, second = (play_rules(one) for one in houses[:2])
    assert play_rules(houses[0]) is first and play_rules(houses[1]) is second
    third = play_rules(houses[2])
    assert [one.match.rounds for one in (first, second, third)] == [1, 2, 3]
    assert play_rules(houses[1]) is second and play_rules(houses[2]) is third and play_rules(houses[0]) is not first


def test_winners_of_one_tile() -> None:
    wins = (SeatWin(2, points=8), SeatWin(0, points=9))
    ending = Ending(wins, discarder=1)
    assert ending.first == wins[0] and ending.seats == (2, 0) and Ending().first is None and Ending().seats == ()
    assert [ending.win_of(seat) for seat in range(4)] == [wins[1], None, wins[0], None]
    assert too_many_winners(2, 1) == (
        "按这本规则，同一张牌只有一家能和，不是 2 家。", "by these rules only one player wins on the same tile, not 2."
    )  # fmt: skip
    assert too_many_winners(3, 2) == (
        "按这本规则，同一张牌至多两家和，不是 3 家。", "by these rules at most two players win on the same tile, not 3."
    )  # fmt: skip
