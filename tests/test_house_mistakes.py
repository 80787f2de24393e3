"""Mistakes that a new file of house rules must not make (`house_mistakes`), and games played by files that do."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from starlette.testclient import TestClient

import quepu
from quepu.errors import OverlayError, Text
from quepu.rulebooks import house_rules
from quepu.rulebooks.house_rules import book_of, read
from quepu.rules import house_words
from quepu.rules.play_rules import play_rules
from quepu.scorekeeper.ledger import open_spec
from quepu.scorekeeper.records import TableFile, TableSpec
from quepu.server.app import create_app
from tests.cli.run import outside
from tests.match.test_log import play_match
from tests.server.serving import unlimited

LINGQUE = 'base = "lingque-29"\n'
NEW_FAN = '[fans."三色刻龙"]\nwhen = "有(三色相连(刻子, 3))"\nvalue = [20, 3]\n'


@pytest.mark.parametrize(
    ("text", "line", "zh", "en"),
    [
        (
            '[penalties]\n"错合" = 20',
            3,
            "没有“错合”这项罚例，是不是错和？另立一项请写明 text。",
            "there is no fault '错合'; did you mean 错和? A fault of your own needs its text.",
        ),
        ('[penalties]\n"错合" = { again = [5] }', 3, "是不是错和？", "did you mean 错和?"),
        ('[penalties]\n"false wins" = 20', 3, "是不是错和？", "did you mean 错和?"),
        ('[penalties]\n"没有的" = false', 3, "没有“没有的”这项罚例，现有：错和。", "there are: 错和."),
        ('[penalties]\n"错合" = false', 3, "是不是错和？", "did you mean 错和?"),
        (
            NEW_FAN + 'class = "部分关连"',
            5,
            "灵雀（第二十九版）没有“部分关连”这一类，是不是部分关联、",
            "has no category '部分关连'; did you mean 部分关联 /",
        ),
        (NEW_FAN + 'class = "partial relations"', 5, "是不是部分关联？", "did you mean 部分关联?"),
        (NEW_FAN + 'class = "xyz"', 5, "没有“xyz”这一类，可用：", "there are: "),
    ],
)
def test_a_name_that_is_nearly_the_books_is_a_mistake(text: str, line: int, zh: str, en: str) -> None:
    with pytest.raises(OverlayError) as caught:
        read(LINGQUE + text)
    assert caught.value.say("zh").startswith(f"TOML 第 {line} 行：")
    assert zh in caught.value.say("zh")
    assert en in caught.value.say("en")


@pytest.mark.parametrize(
    "text",
    [
        '[penalties]\n"错和" = 20\n"打喷嚏" = 1',
        '[penalties]\n"错和" = false',
        '[penalties]\n"诈和" = { points = 40, text = "没有听牌而报和" }',
        NEW_FAN,
        NEW_FAN + 'class = "自定"',
        NEW_FAN + 'class = "部分关联"',
        'without = ["三同顺"]\n[fans."三同顺"]\nwhen = "有(三色相连(刻子, 3))"\nvalue = [20, 3]\ndrops = ["喜相逢"]',
    ],
)
def test_what_a_house_may_say_is_no_mistake(text: str) -> None:
    assert read(LINGQUE + text).base == "lingque-29"


def test_a_penalty_of_the_house_says_what_it_is_for() -> None:
    faults = play_rules(read(LINGQUE + '[penalties]\n"诈和" = { points = 40, text = "没有听牌而报和" }')).faults
    assert [(one.key, one.points) for one in faults] == [("错和", 15), ("诈和", 40)]


@pytest.mark.parametrize(
    "text",
    [
        '[values]\n"三同顺" = [4, 1]',
        '[aliases]\n"三同顺" = "三顺"',
        '[conflicts]\n"三同顺" = ["杠"]',
        '[conflicts]\n"杠" = ["三同顺"]',
        '[drops]\n"杠" = ["+三同顺"]',
        '[sentences]\n"三同顺" = "有三副相同的顺子。"',
        NEW_FAN + 'drops = ["三同顺"]',
    ],
)
def test_a_fan_that_the_file_leaves_out_stands_nowhere_else(text: str) -> None:
    with pytest.raises(OverlayError) as caught:
        read(f'{LINGQUE}without = ["三同顺"]\n{text}')
    assert "“三同顺”已由 without 去掉，不能又在这里提到。" in caught.value.say("zh")
    assert "'三同顺' is left out by `without`, so it cannot be named here." in caught.value.say("en")


@pytest.mark.parametrize(
    ("base", "text", "zh"),
    [
        ("lingque-29", '[conflicts]\n"三同顺" = ["三同顺"]', "第 3 行：“三同顺”不能与自己互斥"),
        ("lingque-29", '[drops]\n"三同顺" = ["三同顺"]', "“三同顺”不能不计自己"),
        ("lingque-29", '[drops]\n"混一色" = ["混带幺"]\n"混带幺" = ["混一色"]', "都不计了：只写一边；只能计其一"),
        ("guobiao", '[drops]\n"混一色" = ["碰碰胡"]\n"碰碰胡" = ["混一色"]', "就都不计了：只写一边。"),
        ("guobiao", '[drops]\n"清一色" = ["门清"]\n"门清" = ["平和"]\n"平和" = ["清一色"]', "清一色 → 门清 → 平和"),
        ("guobiao", '[conflicts]\n"混一色" = ["碰碰和"]', "没有互斥；哪种不计哪种，写进 [drops]"),
        ("canton", '[conflicts]\n"混一色" = ["对对糊"]', "没有互斥"),
        ("lingque-29", '[drops]\n"杠" = ["岭上开花", "杠"]', "“杠”不能不计自己"),
        ("lingque-29", '[conflicts]\n"杠" = ["双杠", "杠"]', "“杠”不能与自己互斥"),
        ("lingque-29", '[drops]\n"天和" = ["自摸"]\n"自摸" = ["天和"]', "“天和”与“自摸”互相不计"),
    ],
)  # fmt: skip
def test_fans_that_would_leave_out_each_other_are_refused(base: str, text: str, zh: str) -> None:
    written = f'base = "{base}"\n{text}'
    with pytest.raises(OverlayError) as caught:
        read(written)
    assert zh in caught.value.say("zh")
    assert "line 3" in caught.value.say("en")
    assert book_of("", written).base == base  # as before, where games were played by it


def test_one_side_of_two_fans_and_a_choice_between_them_are_taken() -> None:
    one = read('base = "guobiao"\n[drops]\n"混一色" = ["碰碰胡"]')
    assert {str(fan) for fan in quepu.score("111m222m444mE(SSS)+E", one).fans} >= {"混一色"}
    assert "碰碰胡" not in {str(fan) for fan in quepu.score("111m222m444mE(SSS)+E", one).fans}
    both = read('base = "lingque-29"\n[conflicts]\n"混一色" = ["对对和"]')
    counted = {str(fan) for fan in quepu.score("111m222m444mE(SSS)+E", both).fans}
    assert len(counted & {"混一色", "对对和"}) == 1


def test_books_that_score_apart_by_the_class_of_a_fan_have_two_fingerprints() -> None:
    """Tables of bots and results of the lab are stored by fingerprint."""
    one, other = (read(NEW_FAN.join((LINGQUE, f'class = "{name}"'))) for name in ("刻、杠", "字牌"))
    hand = "(111m)(444p)(777s)EE66p+E"
    assert quepu.score(hand, one).points != quepu.score(hand, other).points
    assert one.fingerprint != other.fingerprint
    assert read(LINGQUE + NEW_FAN).fingerprint == read(LINGQUE + NEW_FAN + 'class = "自定"').fingerprint


def test_a_new_fan_says_all_of_its_value() -> None:
    text = LINGQUE + NEW_FAN
    with pytest.raises(OverlayError, match="还缺 fan"):
        read(re.sub("value = .*", "value = { fu = 2 }", text))
    assert (
        read(LINGQUE + '[values]\n"三同顺" = { fu = 8 }').fan("三同顺").value.fan
        == read(LINGQUE).fan("三同顺").value.fan
    )


RECORDED = LINGQUE + '[penalties]\n"错合" = 20\n"没有的" = false\n' + NEW_FAN + 'class = "部分关连"\n'
"""What was taken once, so that games were played by it."""


def test_a_game_that_was_played_by_such_a_file_stays_readable(tmp_path: Path) -> None:
    with pytest.raises(OverlayError):
        read(RECORDED)
    book = book_of("", RECORDED)  # as tables, score tables and tournaments bring their rules along
    assert ("错合", 20) in [(one.key, one.points) for one in play_rules(book).faults]
    assert quepu.score("(123s)(234s)(345s)789m7p+7p", book).points > 0
    house = tmp_path / "house.toml"
    house.write_text(RECORDED, encoding="utf-8")
    _, lines = play_match(house_rules.load(house, recorded=True), 3)
    log = tmp_path / "log.jsonl"
    log.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    verified = outside("verify", str(log), "-r", str(house), "--json")
    assert verified.json["verdict"] == "same", verified.out
    assert outside("replay", str(log), "-r", str(house)).code == 0
    refused = outside("score", "11223sCC(NNNN)(123s)+3s", "-r", str(house))
    assert (refused.code, "是不是" in refused.err) == (2, True)


def test_the_example_in_the_code_can_be_read() -> None:
    text = (house_rules.__doc__ or "").partition("\n\n")[2]
    book = read(dedent(text))
    assert book.title.zh == "本社规则"
    assert book.fan("碰碰和").name == "碰碰和"
    assert quepu.score("(222m)(333p)(444s)789m7p+7p", book).points > 0


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with TestClient(create_app(unlimited(tmp_path_factory.mktemp("mistakes")))) as client:
        yield client


@pytest.mark.parametrize("path", ["/api/house", "/api/workshop/draft"])
def test_the_pages_refuse_the_same_mistakes(site: Any, path: str) -> None:
    answer = site.post(path, json={"house": RECORDED})
    assert answer.status_code == 400
    assert "是不是部分关联" in answer.json()["error"]


@pytest.mark.parametrize("path", ["/api/house/page", "/api/house/rules", "/api/house/diff"])
def test_the_pages_of_rules_by_which_games_are_played_go_on(site: Any, path: str) -> None:
    assert site.post(path, json={"house": RECORDED}).status_code == 200


def test_a_table_and_decisions_of_such_a_file_go_on(tmp_path: Path) -> None:
    house, table, log = (tmp_path / name for name in ("house.toml", "evening.json", "log.jsonl"))
    house.write_text(RECORDED, encoding="utf-8")
    spec = TableSpec(rules="lingque-29", house=RECORDED, names=("甲", "乙", "丙", "丁"))
    table.write_text(TableFile(quepu="table", spec=open_spec(spec), records=[]).model_dump_json(), encoding="utf-8")
    assert outside("match", str(table), "-r", str(house), stdin="q\n").code == 0
    _, lines = play_match(house_rules.load(house, recorded=True), 3)
    log.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    assert outside("data", "--log", str(log), "-r", str(house), "-o", str(tmp_path / "made.npz")).code == 0


@pytest.mark.parametrize("before", ["", "个数(刻子) > 1 且 ", "(自摸的 或 ", "  "])
def test_a_mistake_in_a_formula_is_named_with_its_place(before: str) -> None:
    with pytest.raises(OverlayError) as refused:
        read(f'base = "guobiao"\n[fans."新番"]\nwhen = "{before}不懂的词"\nvalue = 2\n')
    assert f"“新番”的公式第 {len(before) + 1} 个字符：" in refused.value.say("zh")
    assert f"formula of '新番', character {len(before) + 1}:" in refused.value.say("en")


def test_what_a_file_may_hold_on_both_sides_of_each_limit() -> None:
    for value, good in (
        ("甲", True),
        (" 甲", True),
        ("", False),
        ("  ", False),
        ("甲\n乙", False),
        (3, False),
        (None, False),
    ):
        assert house_words.is_name(value) is good, value
    for number, good in (
        (0, True),
        (10**6, True),
        (-1, False),
        (10**6 + 1, False),
        (True, False),
        (1.0, False),
        ("1", False),
    ):
        assert house_words.natural(number) is good, number
    for line, good in (("甲" * 5, True), ("甲" * 6, False), (" ", False), ("甲\t", False), (5, False)):
        assert house_words.line_of(line, 5) is good, line
    longest = "甲" * house_words.LONGEST_NAME
    for names, good in (([], True), ([longest], True), ([longest + "甲"], False), ("甲", False), (["甲", 1], False)):
        assert house_words.names(names) is good, names
    for title, good in (
        ("甲", True), ({"zh": "甲"}, True), ({"en": "A"}, True), ({"zh": "甲", "en": "A"}, True), ({}, False),
        ({"zh": ""}, False), ({"zh": "甲", "fr": "A"}, False), (["甲"], False),
    ):  # fmt: skip
        assert house_words.is_title(title) is good, title
    assert house_words.text_of({"en": "A"}) == Text("A", "A") and house_words.text_of({"zh": "甲"}) == Text("甲", "甲")


def test_a_digit_or_letter_stands_apart_from_the_words_before_it() -> None:
    assert house_words.should_be("1 到 60 个字") == "应是 1 到 60 个字"
    assert house_words.should_be("true 或 false") == "应是 true 或 false"
    assert house_words.should_be("一行，不超过 60") == "应是一行，不超过 60"
    assert (house_words.should_be("数"), house_words.should_be("x轴")) == ("应是数", "应是 x轴")


def test_a_title_in_both_languages_is_cut_where_it_is_long() -> None:
    text_of = house_words.text_of
    assert text_of("甲" * 81) == Text("甲" * 80, "甲" * 80)
    assert text_of({"zh": "甲" * 81, "en": "a" * 81}) == Text("甲" * 80, "a" * 80)
    assert text_of({"zh": "甲", "en": "A"}) == Text("甲", "A") and text_of({"en": "a" * 81}) == Text("a" * 80, "a" * 80)


@pytest.mark.parametrize("base", ["lingque-29", "guobiao", "canton", "yuque-54"])
def test_a_new_fan_is_not_called_as_a_fan_or_a_circumstance_of_the_book(base: str) -> None:
    rules = quepu.book(base)
    value = list(rules.fans[0].value) if isinstance(rules.fans[0].value, tuple) else rules.fans[0].value
    for name in (rules.fans[3].name, *(set(rules.circumstances) - set(rules.index)), *rules.fans[0].aliases[:1]):
        with pytest.raises(OverlayError, match="已经有叫") as refused:
            read(f'base = "{base}"\n[fans."{name}"]\nwhen = "有(刻子)"\nvalue = {value}\n')
        assert f'[changes."{name}"]' in refused.value.say("en") and f'[changes."{name}"]' in refused.value.say("zh")
