"""What a name that is not there is answered with: what was perhaps meant, and nothing that was not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import quepu as library
from quepu.errors import Error, OverlayError, near_names
from quepu.rulebooks import find_book as book_named
from quepu.rulebooks import house_rules
from quepu.rules.formula import FormulaError, parse_formula
from tests.cli.run import HAND


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("guobiaoo", "guobiao"),
        ("lingqeu", "lingque"),
        ("cantn", "canton"),
        ("国标麻降", "国标麻将"),
        ("玉雀雀", "玉雀"),
    ],
)
def test_a_book_that_is_not_there_is_answered_with_those_like_it(quepu: Any, name: str, meant: str) -> None:
    result = quepu("score", HAND, "-r", name)
    assert result.code == 2
    assert f"没有规则“{name}”。是不是{meant}" in result.err
    assert "现有：lingque-29、" in result.err
    assert f"Did you mean {meant}" in quepu("score", HAND, "-r", name, "--lang", "en").err


def test_a_book_like_no_other_is_answered_with_the_list_alone(quepu: Any) -> None:
    assert "没有规则“nothing”。现有：" in quepu("score", HAND, "-r", "nothing").err


def test_a_path_that_is_no_rules_file_is_refused_as_one(quepu: Any, tmp_path: Path) -> None:
    other = tmp_path / "club.txt"
    other.write_text('base = "canton"', encoding="utf-8")
    for path in (tmp_path, other, tmp_path / "nowhere"):
        result = quepu("score", HAND, "-r", str(path))
        assert (result.code, result.err.strip()) == (2, f"错误：{path} 不是规则文件：规则文件的名称以 .toml 结尾。")
        assert "its name must end in .toml" in quepu("score", HAND, "-r", str(path), "--lang", "en").err


def test_a_folder_with_the_name_of_a_book_hides_no_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "canton").mkdir()
    (tmp_path / "club").mkdir()
    monkeypatch.chdir(tmp_path)
    assert library.book("canton").id == "canton"
    with pytest.raises(Error, match="不是规则文件"):
        book_named("club")


def test_a_file_of_house_rules_is_no_base() -> None:
    with pytest.raises(OverlayError) as caught:
        house_rules.read('base = "ok.toml"')
    assert "第 1 行：base 要是 quepu 自带的一本规则，不能是文件“ok.toml”。" in caught.value.say("zh")
    assert "base must be a rulebook that comes with quepu, not the file 'ok.toml'." in caught.value.say("en")


def test_nothing_is_suggested_that_nobody_meant(quepu: Any) -> None:
    assert "没有命令“foo”。" in quepu("admin", "foo").err
    with pytest.raises(FormulaError) as caught:
        parse_formula("foo", library.book("lingque"))
    assert caught.value.say("zh") == "不认识“foo”。"
    assert near_names("foo", {"rooms": "rooms", "F": "F"}) == []
    assert near_names("错合", {"错和": "错和"}) == ["错和"], "half of a short Chinese name is much of it"


def test_a_part_of_the_name_of_a_command_is_enough(quepu: Any) -> None:
    assert "没有命令“simu”，是不是 simulate" in quepu("simu").err
