"""玉雀 at the command line: 点数速查表 (`quepu points-table`) and 听牌算番 (`quepu waits`)."""

from __future__ import annotations

import json
from math import isqrt

import pytest

from quepu.cli import run


def test_the_table_of_a_book_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["points-table", "yuque", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["rules"] == "yuque-54"
    assert len(printed["heads"]) == 5
    assert len(printed["rows"]) == 62
    assert printed["rows"][18] == [18, 54, 162, 324, 378]
    assert "541" in printed["note"]


def test_the_table_as_text_in_both_languages_and_as_far_as_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["points-table", "玉雀", "--most", "70"]) == 0
    out = capsys.readouterr().out
    assert "4900" in out
    assert "凑偶" in out
    assert run(["points-table", "yuque", "--most", "3", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "ready" in out
    assert "9" in out
    assert "16" not in out


def test_without_a_book_those_that_have_one_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("quepu.rulebooks.canton")  # every registered book is asked
    assert run(["points-table", "--json"]) == 0
    assert "yuque-54" in {one["rules"] for one in json.loads(capsys.readouterr().out)}


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["lingque"], "没有"),
        (["nonsense"], "没有规则"),
        (["yuque", "--most", "-1"], "--most"),
        (["yuque", "--most", "many"], "--most"),
        (["yuque", "--most", "99999999"], "--most"),
    ],
)
def test_bad_input_gets_a_sentence(args: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["points-table", *args]) == 2
    printed = capsys.readouterr()
    assert sentence in printed.err
    assert printed.out == ""


@pytest.mark.parametrize(("seen", "points"), [("", 64), ("999m", 0), ("9m", 64)])
def test_waits_say_what_being_ready_is_worth(seen: str, points: int, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["waits", "(123m)(456m)78m234s66s", "-r", "yuque", "--seen", f"{seen}9m" if len(seen) > 2 else seen]
    assert run([*args, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ready_value"] == points
    assert run(args) == 0
    printed = capsys.readouterr().out
    assert f"{isqrt(points)} 番 {points} 点，未和得 {points // 2}" in printed
    assert ("一气贯通 8" in printed) == (points == 64)


def test_books_that_pay_winners_only_say_nothing_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["waits", "123m456p789sCCEE", "-r", "guobiao", "--json"]) == 0
    assert "ready_value" not in json.loads(capsys.readouterr().out)
    assert run(["waits", "123m456p789sCCEF", "-r", "yuque", "--json"]) == 0
    assert "ready_value" not in json.loads(capsys.readouterr().out)
