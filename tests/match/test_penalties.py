"""Faults as data: amounts, who gets them, first warnings, bars; by the book's set, by a house's rules, by record."""

from __future__ import annotations

import pytest

from quepu.errors import Error, OverlayError, Text
from quepu.match.match import Match
from quepu.match.penalties import Penalty, bars, cost, false_win, fault, flows, key_of
from quepu.match.settle import SettleError
from quepu.match.words import ending_text, place_name
from quepu.rulebooks import book
from quepu.rulebooks import house_rules as overlay
from quepu.rules.faults import Fault
from quepu.rules.play_rules import POOL, Ending, SeatWin, play_rules

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


def test_a_fault_is_found_by_any_of_its_names_and_an_unknown_one_lists_all() -> None:
    rules = play_rules(CANTON)
    for name in ("诈糊", "錯和", "false win", "False-Win"):
        assert fault(rules, name).key == key_of(rules, name) == "诈糊"
    assert key_of(rules, "打喷嚏") == "打喷嚏"
    with pytest.raises(Error) as caught:
        fault(play_rules(book("lingque-29")), "打喷嚏")
    assert caught.value.text.zh == "没有“打喷嚏”这条罚例，现有：错和。"
    assert caught.value.text.en == "no fault '打喷嚏'; faults: false-win."
    with pytest.raises(Error) as caught:
        fault(play_rules(GUOBIAO.having(id="none", options={"penalties": "none"})), "错和")
    assert caught.value.text.zh == "没有“错和”这条罚例，现有：（无）。"
    assert caught.value.text.en == "no fault '错和'; faults: none."


EVERYONE, LOST, HARMED, OPEN = (
    Fault("错和", Text("", ""), 10, to="others"), Fault("迟到", Text("", ""), 0, to="nobody", again=(5, 20)),
    Fault("碰掉牌", Text("", ""), 5, to="one"), Fault("错和", Text("", ""), 0, to="nobody", open=True),
)  # fmt: skip


@pytest.mark.parametrize(
    ("one", "points", "before", "receiver", "paid"),
    [
        (EVERYONE, None, 0, None, [(2, 0, 10), (2, 1, 10), (2, 3, 10)]),
        (EVERYONE, 1, 0, None, [(2, 0, 1), (2, 1, 1), (2, 3, 1)]),
        (EVERYONE, 0, 0, None, []),
        (EVERYONE, -1, 0, None, []),
        (EVERYONE, None, 0, 0, [(2, 0, 10)]),
        (EVERYONE, None, 0, 2, [(2, 0, 10), (2, 1, 10), (2, 3, 10)]),
        (LOST, None, 0, None, []),
        (LOST, None, 1, None, [(2, POOL, 5)]),
        (LOST, None, 2, None, [(2, POOL, 20)]),
        (LOST, 3, 2, 1, [(2, 1, 3)]),
        (HARMED, None, 0, 3, [(2, 3, 5)]),
        (HARMED, 0, 0, None, []),
        (HARMED, None, 0, None, "“碰掉牌”赔受损的一家：请写明是谁。"),
        (HARMED, None, 0, 2, "“碰掉牌”赔受损的一家：请写明是谁。"),
        (OPEN, None, 0, 1, "“错和”罚多少由裁判定：请写明罚多少。"),
        (OPEN, 0, 0, None, []),
        (OPEN, 30, 0, None, [(2, POOL, 30)]),
    ],
)  # fmt: skip
def test_who_pays_whom_for_a_fault(
    one: Fault, points: int | None, before: int, receiver: int | None, paid: list[tuple[int, int, int]] | str
) -> None:
    if isinstance(paid, str):
        with pytest.raises(SettleError) as caught:
            cost(one, 2, points, before=before, receiver=receiver)
        assert caught.value.text.zh == paid
        return
    found = cost(one, 2, points, before=before, receiver=receiver)
    assert [payment[:3] for payment in found] == paid
    assert {payment.why for payment in found} <= {Text(f"罚：{one.key}", f"penalty: {one.name.en}")}


def test_a_penalty_is_paid_by_the_seats_of_its_players_until_it_is_taken_back() -> None:
    rules, seats = play_rules(GUOBIAO), (2, 0, 3, 1)
    paid = flows(rules, Penalty(3, "错和", points=7, receiver=0), seats)
    assert [payment[:3] for payment in paid] == [(2, 1, 7)]
    assert flows(rules, Penalty(3, "错和", revoked=True), seats) == ()
    assert [payment[:3] for payment in flows(rules, Penalty(1, "提前摸牌"), seats, 2)] == [(3, POOL, 10)]
    with pytest.raises(Error, match="没有“打喷嚏”这条罚例"):
        flows(rules, Penalty(3, "打喷嚏", revoked=True), seats)


def test_a_bar_ends_when_the_fault_is_made_good_or_taken_back() -> None:
    rules = play_rules(GUOBIAO)
    fine = Penalty(0, "错和")
    assert bars(rules, fine)
    for lifted in (fine._replace(remedied=True), fine._replace(revoked=True), Penalty(0, "迟到")):
        assert not bars(rules, lifted)


def test_a_win_below_the_minimum_is_entered_as_the_fault_that_the_book_has_for_it() -> None:
    assert false_win(play_rules(CANTON), "乙") == Text(
        "；若已报和，请记：罚 乙 诈糊", "; if it was declared, enter: fault 乙 false-win"
    )
    assert false_win(play_rules(GUOBIAO), "乙").zh == "；若已报和，请记：罚 乙 错和"
    assert false_win(play_rules(book("yuque-54")), "乙") == Text("", ""), "its faults have other names"
