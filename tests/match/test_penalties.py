"""Faults as data: amounts, who gets them, first warnings, bars; by the book's set, by a house's rules, by record."""

from __future__ import annotations

import pytest

from quepu.errors import Error, OverlayError
from quepu.match.match import Match
from quepu.match.penalties import Penalty, bars, fault
from quepu.match.words import ending_text, place_name
from quepu.rulebooks import book
from quepu.rulebooks import house_rules as overlay
from quepu.rules.play_rules import Ending, SeatWin, play_rules

GUOBIAO, CANTON = book("guobiao"), book("canton")


def test_false_wins_of_1998() -> None:
    for name in ("guobiao", "guobiao-mcr"):
        match = Match(book(name))
        assert match.penalise(Penalty(1, "错和")).totals == (10, -30, 10, 10)
        assert match.penalise(Penalty(1, "和错牌")).totals == (10, -30, 10, 10)
        assert match.penalise(Penalty(1, "诈和")).totals == (20, -60, 20, 20)
        assert all(bars(match.rules, Penalty(1, key)) for key in ("错和", "和错牌", "诈和", "相公"))
        assert Match(book(f"{name}@1")).penalise(Penalty(1, "错和")).totals == (16, -48, 16, 16)  # as it was played


def test_a_warning_first_and_more_each_time_of_the_same_player() -> None:
    match = Match(GUOBIAO)
    owed = []
    for _ in range(5):
        after = match.penalise(Penalty(2, "提前摸牌"))
        owed.append(match.totals[2] - after.totals[2])
        match = after
    assert owed == [0, 5, 10, 20, 20]
    assert match.penalise(Penalty(3, "提前摸牌")).totals == match.totals  # another's first one
    assert match.penalise(Penalty(2, "空碰")).totals == match.totals  # of another kind, by another name
    again = match.revoke(0)
    assert again.totals[2] == match.totals[2] + 20  # one fewer, so the last is one step cheaper


def test_nobody_gets_what_is_taken_from_the_offender_alone() -> None:
    league = GUOBIAO.having(id="league", options={"penalties": "2025"})
    match = Match(league).penalise(Penalty(0, "诈和")).penalise(Penalty(1, "错和"))
    assert match.totals == (-80, -40, 0, 0)
    assert sum(match.totals) == -120
    assert Match(GUOBIAO.having(id="none", options={"penalties": "none"})).rules.faults == ()


def test_the_one_who_was_harmed_is_paid() -> None:
    house = overlay.read('base = "guobiao"\n[penalties]\n"碰掉牌" = { points = 5, to = "one" }\n')
    match = Match(house)
    assert match.penalise(Penalty(0, "碰掉牌", receiver=2)).totals == (-5, 0, 5, 0)
    with pytest.raises(Error, match="请写明是谁"):
        match.penalise(Penalty(0, "碰掉牌"))
    assert match.penalise(Penalty(0, "错和", points=7, receiver=3)).totals == (-7, 0, 0, 7)


def test_a_house_has_its_own_penalties() -> None:
    text = """base = "guobiao"
[penalties]
"错和" = 20
"诈胡" = { points = 40, to = "nobody", barred = false, text = { zh = "没有听牌", en = "not ready" } }
"提前摸牌" = { again = [1, 2] }
"迟到" = false
"打喷嚏" = 1
"""
    house = overlay.read(text)
    faults = {one.key: one for one in play_rules(house).faults}
    assert faults["错和"].points == 20
    assert (faults["诈和"].to, faults["诈和"].barred, faults["诈和"].text.en) == ("nobody", False, "not ready")
    assert faults["提前摸牌"].again == (1, 2)
    assert faults["提前摸牌"].price.zh == "警告，再犯 1、2"
    assert "迟到" not in faults
    assert (faults["打喷嚏"].points, faults["打喷嚏"].to) == (1, "others")
    assert house.fingerprint != GUOBIAO.fingerprint
    assert house.fingerprint == overlay.read(text).fingerprint


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('"错和" = "much"', "应是分数"),
        ('"错和" = { cost = 3 }', "应是分数"),
        ('"错和" = { points = -3 }', "0 到 1000000 的整数"),
        ('"错和" = 10000000', "0 到 1000000 的整数"),
        ('"错和" = { to = "me" }', "之一"),
        ('"错和" = { again = 3 }', "列表"),
        ('"错和" = { barred = 1 }', "true 或 false"),
        ('"错和" = { text = 5 }', "一段文字"),
        ('"错和" = true', "应是分数"),
    ],
)
def test_what_is_no_penalty_is_refused_with_its_line(line: str, sentence: str) -> None:
    with pytest.raises(OverlayError, match=sentence) as caught:
        overlay.read(f'base = "guobiao"\n\n[penalties]\n{line}\n')
    assert "第 4 行" in caught.value.say("zh")


def test_the_word_of_canton() -> None:
    assert fault(play_rules(CANTON), "诈糊") is fault(play_rules(CANTON), "错和")
    assert Match(CANTON).penalise(Penalty(0, "诈糊")).totals == Match(CANTON).penalise(Penalty(0, "错和")).totals


@pytest.mark.parametrize(("name", "least"), [("lingque-29", 15), ("lingque-26", 15)])
def test_other_books_keep_their_amounts(name: str, least: int) -> None:
    assert [(one.key, one.points, one.to, one.barred) for one in play_rules(book(name)).faults] == [
        ("错和", least, "others", True)
    ]


def test_standard_points_are_shared_by_equal_totals_and_feel_penalties() -> None:
    assert Match(GUOBIAO).standard_points() == (1.75, 1.75, 1.75, 1.75)
    league = Match(book("guobiao-mil-2025"))
    assert league.penalise(Penalty(0, "错和")).standard_points() == (0, 7 / 3, 7 / 3, 7 / 3)
    won = league.add_hand(Ending((SeatWin(0, 8),), discarder=1))
    assert won.totals == (32, -16, -8, -8)
    assert won.standard_points() == (4, 0, 1.5, 1.5)
    assert Match(book("lingque-29")).standard_points() == ()


def test_the_words_of_a_book() -> None:
    match = Match(GUOBIAO)
    assert place_name(match.place, match.rules.words).zh == "东 1 盘"
    assert ending_text(match, Ending()).zh == "荒牌"
    other = Match(book("lingque-29"))
    assert place_name(other.place, other.rules.words).zh == "东 1 局"
    assert ending_text(other, Ending()).zh == "流局"
