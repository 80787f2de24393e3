"""`quepu rules` and `quepu rulings`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from quepu.cli.screen import wrap_text
from quepu.rulebooks import book
from quepu.rules.guide import guide


def test_sections_are_listed_and_shown(quepu: Any) -> None:
    assert "配牌：掷骰与开牌" in quepu("rules", "灵雀", "--list").out
    shown = quepu("rules", "灵雀", "mirror").out
    assert "例 88" in shown
    assert "123s 456s 777s 11s (345m)" in shown
    assert "第一种" in shown
    assert "2q−x" in quepu("--lang", "en", "rules", "灵雀", "mirror").out


def test_the_table_by_points(quepu: Any) -> None:
    grid = next(
        part for part in quepu("rules", "灵雀", "summary", "--json").json["sections"][0]["parts"] if "rows" in part
    )
    assert grid["heads"] == ["番种", "类别", "副数", "翻数", "点数"]
    points = [int(row[4]) for row in grid["rows"]]
    assert points == sorted(points)
    assert len(points) == 72
    assert ["番牌（对）", "字牌", "2", "1", "2"] in grid["rows"]
    assert ["番牌（刻）", "字牌", "4", "1", "4"] in grid["rows"]


def test_a_section_that_there_is_not(quepu: Any) -> None:
    result = quepu("rules", "灵雀", "无此节")
    assert result.code == 2
    assert "现有" in result.err


@pytest.mark.parametrize("id", ["yuque-19", "19"])
def test_one_ruling(quepu: Any, id: str) -> None:
    found = quepu("rulings", "玉雀", id, "--json").json
    assert [one["id"] for one in found] == ["yuque-19"]
    assert found[0]["fans"]
    assert "混一色必有字牌组" in quepu("rulings", "玉雀", id).out.replace("\n  ", "")


def test_open_questions_begin_with_the_weightiest(quepu: Any) -> None:
    found = quepu("rulings", "--open", "--json").json
    assert found[0]["id"] == "yuque-12"
    assert all(one["open"] for one in found)
    assert len({(one["rules"].split("-")[0], one["id"]) for one in found}) == len(found)
    assert quepu("rulings", "国标", "G999").code == 2


def test_chinese_breaks_anywhere_but_before_closing_marks() -> None:
    assert wrap_text("计 12 副 3 翻。不计门前清，也不计。", 12) == ["计 12 副", "3 翻。不计门", "前清，也不", "计。"]
    assert wrap_text("a few plain words", 8) == ["a few", "plain", "words"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_whole_book_as_one_page(quepu: Any, lang: str) -> None:
    text = quepu("--lang", lang, "rules", "玉雀", "--markdown").out
    for fan in book("yuque").fans:
        assert f"**{fan.name}" in text
        assert fan.sentence in text
    for ruling in book("yuque").rulings:
        assert ruling.answer.say(lang) in text
    for section in guide(book("yuque")):
        assert f"## {section.title.say(lang)}\n" in text
    assert "{" not in text


@pytest.mark.parametrize(("word", "argument"), [("new", "NAME"), ("export", "FILE"), ("changes", "FILE")])
def test_a_word_without_its_argument_says_which_it_needs(word: str, argument: str, quepu: Any) -> None:
    for lang in ("zh", "en"):
        result = quepu("--lang", lang, "rules", word)
        assert result.code == 2
        assert f"quepu rules {word} {argument}" in result.err


def test_a_fan_with_a_house_value_shows_that_of_the_original_book(quepu: Any, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('base = "lingque-29"\n[values]\n"番牌 中" = { fu = 6 }\n', "utf-8")
    shown = quepu("fans", "番牌 中", "-r", str(file)).out
    assert re.search(r"分值 +6 副 1 翻（对 2 副 1 翻）\n +原规则分值 +4 副 1 翻（对 2 副 1 翻）\n", shown)
    assert "value in the original rulebook" in quepu("--lang", "en", "fans", "番牌 中", "-r", str(file)).out
    assert "原规则分值" not in quepu("fans", "番牌 發", "-r", str(file)).out


@pytest.mark.long
def test_a_question_says_how_often_a_fan_counts(quepu: Any) -> None:
    asked = ("lab", "settle", "灵雀", "LQ12", "--answers", "400,696,720")  # 1m (999m) (111p) (111s) (999s) + 1m
    assert "400: 双同刻×2、对对和、清幺九" in quepu(*asked).out
    assert "400: pungs of one rank in two suits ×2, " in quepu("--lang", "en", *asked).out


def test_one_point_is_not_points(quepu: Any, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('base = "lingque-29"\nminimum = 1\n', "utf-8")
    page = quepu("--lang", "en", "books", str(file)).out
    assert re.search(r"minimum +1 point\n", page)
    assert "起和      1 点\n" in quepu("books", str(file)).out
    assert "A hand of at least 1 point may win" in quepu("--lang", "en", "rules", str(file)).out
    file.write_text('base = "guobiao-mcr"\nminimum = 12\n', "utf-8")
    short = quepu("--lang", "en", "score", "123m456p789s2p(678s)+2p", "-r", str(file)).out
    assert "below the minimum of 12 points" in short
