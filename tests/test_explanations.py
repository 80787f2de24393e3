"""What an explanation says must be so: places shown are places counted, columns add up, sums are equations."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

import quepu
from quepu.cli import main
from quepu.hands.hand import Luck
from quepu.rules.measured_figures import figures
from quepu.rules.row import ALL
from quepu.rules.rulebook import Rulebook
from quepu.scoring.occurrences import planes_of
from quepu.scoring.score import Score, score_hand
from tests.doors import mixed
from tests.test_books import BOOKS


def explained(hand: str, rules: str, **situation: Any) -> dict[str, Any]:
    return quepu.score(hand, rules=rules, **situation).to_json(explain=True)


def counted(answer: dict[str, Any], name: str) -> dict[str, Any]:
    return next(fan for fan in answer["counted"] if fan["name"] == name)


def places(answer: dict[str, Any], name: str) -> list[str]:
    text = [group["text"] for group in answer["groups"]]
    return [" ".join(text[i] for i in at) for at in counted(answer, name)["groups"]]


@cache
def some(book: Rulebook) -> list[Score]:
    return [score_hand(hand, book) for hand in mixed(book, 300, 71)]


@pytest.mark.parametrize("book", BOOKS)
def test_every_place_shown_is_a_place_counted(book: Rulebook) -> None:
    for score in some(book):
        groups = score.best.groups
        for fan in score.to_json(explain=True)["counted"]:
            row = book.fan(fan["name"])
            if row.of == ALL:
                continue
            shown = fan["groups"]
            assert len({tuple(at) for at in shown}) == len(shown) <= fan["count"], (fan, score.hand)
            looks = [tuple(groups[i][:2] for i in at) for at in shown]
            if fan["count"] == 1:
                assert len(looks) <= 1
            for at in shown:
                assert (
                    len(at) == row.of
                    if row.of > 0
                    else frozenset.intersection(*(frozenset(groups[i].tiles) for i in at))
                )
            for at in shown if row.of > 0 else ():
                assert row.when(planes_of([groups[i] for i in at], score.best.h)), (fan, score.hand)


@pytest.mark.parametrize("book", BOOKS)
def test_the_columns_add_up(book: Rulebook) -> None:
    for score in some(book):
        fans = score.to_json(explain=True)["counted"]
        for part, n in score.parts.items():
            if part not in getattr(book.arithmetic, "not_summed", ()):
                assert sum(fan["adds"][part] for fan in fans) == n + score.tally.bonus, score.hand


@pytest.mark.parametrize("book", BOOKS)
def test_a_sum_is_an_equation(book: Rulebook) -> None:
    """What stands before the equals sign is what stands behind it, and no number equals itself."""
    for score in some(book):
        for lang in ("zh", "en"):
            for left, right in re.findall(r"([0-9+×]+) ?= ?([0-9]+)", score.tally.how.say(lang)):
                terms = [int(a) * int(b or 1) for a, b in re.findall(r"(\d+)(?:×(\d+))?", left)]
                assert sum(terms) == int(right)
                assert left != right


def test_guobiao_shows_the_pungs_that_count() -> None:
    answer = explained("5m[1111m][EEEE][9999p](CCCC)+5m", "guobiao", seat="S")
    assert places(answer, "幺九刻") == ["[1111m]", "[9999p]"]
    why = [fan["why"] for fan in answer["suppressed"] if fan["name"] == "幺九刻"]
    assert why == ["不重复：中中中已含于箭刻", "不重复：東東東已含于圈风刻"]
    gates = explained("1112345678999m+5m", "guobiao")
    assert places(gates, "幺九刻") == ["999m"]
    both = explained("123m99s(CCC)(EEE)23p+1p", "guobiao", seat="S")
    assert [fan["why"] for fan in both["suppressed"] if fan["name"] == "幺九刻"] == [
        "不重复：中中中已含于箭刻", "不重复：東東東已含于圈风刻",
    ]  # fmt: skip


def test_guobiao_names_the_pungs_that_are_dropped_while_others_count() -> None:
    def reasons(hand: str, name: str) -> list[tuple[str | None, str]]:
        return [(fan["by"], fan["why"]) for fan in explained(hand, "guobiao")["suppressed"] if fan["name"] == name]

    assert reasons("(EEE)(WWW)456p678s2s+2s", "幺九刻") == [("圈风刻", "不重复：東東東已含于圈风刻")]
    assert reasons("(CCC)234m456p678s2s+2s", "幺九刻") == [("箭刻", "不重复：已含于箭刻")]


def test_guobiao_says_whether_sets_make_a_larger_fan_or_are_joined_already() -> None:
    larger = explained("123456m(789m)456p2s+2s", "guobiao")["suppressed"]
    assert [(fan["name"], fan["by"], fan["why"]) for fan in larger if "不拆移" in fan["why"]] == [
        ("连六", "清龙", "不拆移：一二三万、四五六万已组成清龙"),
        ("老少副", "清龙", "不拆移：一二三万、七八九万已组成清龙"),
    ]
    joined = explained("3455578p(567p)(789p)+6p", "guobiao")["suppressed"]
    assert [(fan["name"], fan["by"], fan["why"]) for fan in joined if "套算" in fan["why"]] == [
        ("一色三步高", None, "套算一次：五六七筒、六七八筒、七八九筒已相连"),
    ]


def test_guobiao_names_joined_sets_as_the_reader_does() -> None:
    for lang, sets in (("zh", "清龙（一二三索、四五六索、七八九索）"), ("en", "Pure Straight (123s 456s 789s)")):
        steps = quepu.score("123456789s1239p+9p", "guobiao").to_json(explain=True, lang=lang)["steps"]
        assert any(sets in step for step in steps), steps


def test_a_fan_of_single_tiles_names_them_and_their_groups_once() -> None:
    double = explained("33444455556p66s+3p", "guobiao")
    assert (counted(double, "四归一")["note"], len(places(double, "四归一"))) == ("四筒、五筒", 1)


def test_guobiao_shows_one_place_of_what_counts_once() -> None:
    answer = explained("123123m123p789p9s+9s", "guobiao")
    assert places(answer, "喜相逢") == ["123m 123p"]


def test_canton_says_what_is_so_of_this_hand() -> None:
    small = explained("123m111123p1112s+2s", "canton")
    assert counted(small, "全大/全中/全小")["called"] == "全小"
    assert {"缺五": "含于全小", "小于五": "含于全小"}.items() <= {
        fan["name"]: fan["why"] for fan in small["suppressed"]
    }.items()
    assert small["how"].startswith("15+10+3+3+1+1+1+1+1=36 番，另加庄家、无花 2 番")
    kongs = explained("23pEE[3333s](5555p)(8888m)+1p", "canton", self_draw=True, circumstances=["杠上开花"])
    assert {fan["why"] for fan in kongs["suppressed"]} == {"含于满分花杠", "另有牌型，不算鸡糊"}
    winds = counted(explained("123m456m789mEEE9p+9p", "canton"), "风牌")
    assert (winds["count"], winds["adds"], winds["note"]) == (2, {"fan": 6}, "门风、圈风")
    assert counted(explained("123m456m789mEEE9p+9p", "canton", seat="S"), "风牌")["note"] == "圈风"


def test_canton_names_what_counts_outside_the_minimum_apart_from_the_sum() -> None:
    dealt = quepu.score("678m123p333567sE+E", "canton", flowers=["春"])  # 鸡糊 is worth nothing and stands in the sum
    assert dealt.tally.how.zh == "1+1+0=2 番，另加庄家、正花 2 番，共 4 番"
    assert dealt.tally.how.en == "1+1+0=2 fan, and 2 for dealer, own flower: 4 in all"
    assert quepu.score("678m123p333567sE+E", "canton", seat="S", flowers=["春"]).tally.how.zh == "1+1+0=2 番"


def test_values_are_shown_as_the_book_prints_them() -> None:
    yuque = quepu.book("yuque")
    printed = {name: yuque.printed_value(yuque.fan(name)) for name in ("清一色:萬", "混一色:索", "混带幺", "三同顺")}
    assert printed == {"清一色:萬": "15-2(12-2)", "混一色:索": "9-2(7-2)", "混带幺": "7(5)", "三同顺": None}
    for book in map(quepu.book, ("guobiao", "lingque", "canton")):
        assert all(book.printed_value(fan) is None for fan in book.fans)


@pytest.mark.parametrize("book", BOOKS)
def test_the_least_of_a_win_after_a_kong_holds_a_kong(book: Rulebook) -> None:
    for name, figure in figures(book).items():
        if figure.least_hand and book.circumstances.get(name, 0) & Luck.KONG_DRAW:
            assert re.search(r"(.)\1{3}", figure.least_hand), (name, figure)


def test_only_books_with_a_round_wind_mention_it(capsys: pytest.CaptureFixture[str]) -> None:
    for rules, has in {"lingque": False, "lingque-26": False, "yuque": False, "guobiao": True, "canton": True}.items():
        assert quepu.book(rules).round_wind == has
        with pytest.raises(SystemExit):
            main(["score", "123m456m789mEEE9p+9p", "-r", rules])
        assert ("圈风" in capsys.readouterr().out) == has


def test_repeated_fans_show_all_they_are_worth() -> None:
    answer = explained("123m77p(777s)(777m)55p+7p", "yuque")
    assert counted(answer, "番刻")["adds"] == {"fan": 2 * counted(answer, "番刻")["count"]}
    twice = counted(explained("33444455556p66s+3p", "lingque"), "四归")
    assert twice["count"] == 2
    assert twice["adds"] == {"fu": twice["value"]["fu"] * twice["count"], "fan": twice["value"]["fan"]}


@pytest.mark.parametrize("book", BOOKS)
def test_other_readings_stand_from_the_highest_to_the_lowest(book: Rulebook) -> None:
    several = 0
    for score in some(book):
        totals = [tally.points + tally.bonus for _, tally in score.others]
        assert totals == sorted(totals, reverse=True)
        assert all(total <= score.tally.points + score.tally.bonus for total in totals)
        assert len(totals) == len(score.readings) - 1 and all(reading is not score.best for reading, _ in score.others)
        several += len(set(totals)) > 1
        lines = score.explain("zh").splitlines()
        shown = [line for line in lines if line.startswith("另一读法")]
        assert [line.split("  ")[1] for line in shown] == [reading.text() for reading, _ in score.others]
    assert several


@pytest.mark.parametrize("book", BOOKS)
def test_an_explanation_lists_the_fans_left_out_in_its_language(book: Rulebook) -> None:
    left_out = 0
    for score in some(book)[:100]:
        reasons = score.to_json(explain=True)["suppressed"]
        shown = [line for line in score.explain("zh").splitlines() if line.startswith("  不计 ")]
        assert shown == [f"  不计 {fan['name']}  {fan['why']}" for fan in reasons]
        reasons = score.to_json(explain=True, lang="en")["suppressed"]
        shown = [line for line in score.explain("en").splitlines() if line.startswith("  not counted: ")]
        assert shown == [f"  not counted: {fan['name']} {fan['english']}  {fan['why']}" for fan in reasons]
        left_out += len(reasons)
    assert left_out
