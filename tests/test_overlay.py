"""House rules in TOML files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quepu.errors import OverlayError, Text, UnknownName
from quepu.rulebooks import book, book_ids
from quepu.rulebooks import house_rules as overlay
from quepu.rules.row import split_value
from quepu.rules.rulebook import Rulebook
from quepu.scoring.describe import drops_in_words
from tests.books import SMALL


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The book `small` is in the registry."""

    def find(name: str) -> object:
        if name == "small":
            return SMALL
        raise UnknownName(f"没有规则“{name}”。", f"no rulebook {name!r}.")

    monkeypatch.setattr(overlay, "book", find)


FULL = """
base = "small"
id = "club"
title = { zh = "本社规则", en = "Our club" }
minimum = 3
flower_value = 2
without = ["四刻"]  # nobody makes it

[values]
"和牌" = 2

[aliases]
"自摸" = "自己摸"

[options]
"大吗" = true
"""


def test_everything_that_can_be_written() -> None:
    book = overlay.read(FULL)
    assert (book.id, book.title, book.minimum, book.flower_value) == ("club", Text("本社规则", "Our club"), 3, 2)
    assert [(fan.name, fan.value) for fan in book.fans] == [("和牌", 2), ("自己摸", 2)]
    assert book.fan("自摸").name == "自己摸"
    assert book.chosen == {"大吗": True}
    assert book.base == "small"
    assert book.fingerprint != SMALL.fingerprint


def test_a_sentence_changes_what_is_read_and_no_score() -> None:
    book = overlay.read('base = "small"\n[sentences]\n"和牌" = "和了就计。"\n', id="small")
    assert book.fan("和牌").sentence == "和了就计。" != SMALL.fan("和牌").sentence
    assert book.fingerprint == SMALL.fingerprint
    assert book.text_fingerprint != SMALL.text_fingerprint


def test_a_file_that_only_names_its_base() -> None:
    book = overlay.read('base = "small"', id="mine")
    assert book.id == "mine"
    assert book.title.zh == "小书（mine）"
    assert book.fans == SMALL.fans


@pytest.mark.parametrize("name", book_ids())
def test_the_usual_choice_of_an_option_makes_the_same_book(name: str) -> None:
    base = book(name)
    for option in base.options:
        assert base.having(options={option.key: option.choices[0]}).fingerprint == base.fingerprint, option.key


def test_an_option_is_chosen_before_the_rest() -> None:
    assert overlay.read('base = "small"\n[options]\n"大吗" = true').minimum == 9


@pytest.mark.parametrize(
    ("text", "line", "zh"),
    [
        ("", 1, "缺少 base"),
        ("minimum = 3", 1, "缺少 base"),
        ('base = "large"', 1, "没有规则“large”"),
        ('base = "small"\nminimun = 3', 2, "不认识“minimun”，可用：base id"),
        ('base = "small"\nminimum = "3"', 2, "“minimum”应是从 0 到 1000000 的整数"),
        ('base = "small"\nminimum = true', 2, "应是从 0 到 1000000 的整数"),
        ('base = "small"\nminimum = -1', 2, "应是从 0 到 1000000 的整数"),
        ('base = "small"\nminimum = 10000000000', 2, "“minimum”应是从 0 到 1000000 的整数"),
        ('base = "small"\n[penalties]\n"迟到" = { barred = 1 }', 3, "barred 应是 true 或 false"),
        ('base = "small"\n[penalties]\n"迟到" = { to = "all" }', 3, "to 应是 pool others one nobody 之一"),
        ('base = "small"\n[fans]\n"五刻" = { when = "标准形", value = 5, most = 0 }', 3, "most 应是 1 到 9"),
        ('base = "small"\nflower_value = 10000000000', 2, "“flower_value”应是从 0 到 1000000 的整数"),
        ('base = "small"\n[penalties]\n"迟到" = { points = 10000000 }', 3, "应是从 0 到 1000000 的整数"),
        ('base = "small"\n[penalties]\n"迟到" = { again = [10000000] }', 3, "最多 10 个，各是从 0 到 1000000 的整数"),
        ('base = "small"\n[fans.""]\nwhen = "标准形"\nvalue = 1', 2, "番种的名称应是一行，1 到 60 个字"),
        (f'base = "small"\n\n[fans."{"甲" * 61}"]\nwhen = "标准形"\nvalue = 1', 3, "番种的名称应是一行，1 到 60 个字"),
        ('base = "small"\n[fans]\n"五刻" = 5', 3, "“五刻”应是一张表：when、value"),
        (
            f'base = "small"\n[fans."五刻"]\nwhen = "标准形"\nvalue = 1\nenglish = "{"a" * 61}"',
            5,
            "english 应是一行，1 到 60 个字",
        ),
        (f'base = "small"\n[aliases]\n"和牌" = "{"甲" * 61}"', 2, "新名是一行，1 到 60 个字"),
        ("base = 5", 1, "“base”应是规则的名称"),
        ('base = "small"\nwithout = "四刻"', 2, "列表"),
        ('base = "small"\nwithout = [\n"四刻",\n"五刻"]', 4, "没有“五刻”"),
        ('base = "small"\n\n[values]\n"和牌" = 1\n"五刻" = 2', 5, "没有“五刻”"),
        (
            'base = "small"\n[table]\ndead_wall = 14',
            3,
            "没有“dead_wall”，可用：flowers（用花牌）、concealed_kongs_hidden（暗杠扣放",
        ),
        ('base = "small"\n[table]\nconcealed_kongs_hidden = 1', 3, "应是 true 或 false"),
        ('base = "small"\ntable = true', 2, "“table”应是一张表"),
        ('base = "small"\n[values]\n"和牌" = "2"', 3, "应是一个整数"),
        ('base = "small"\n[values]\n"和牌" = [1, 2]', 3, "应是一个整数"),
        ('base = "small"\n[aliases]\n"和牌" = "自摸"', 3, "已经有叫“自摸”的番种"),
        ('base = "small"\n[aliases]\n"和牌" = 5', 2, "旧名 = 新名"),
        ('base = "small"\n[options]\n"小吗" = true', 3, "没有选项“小吗”"),
        ('base = "small"\n[options]\n"大吗" = 5', 3, "只能取"),
        ('base = "small"\ntitle = { fr = "x" }', 2, "title"),
        ('base = "small"\nthis is not toml', 2, "不是正确的 TOML"),
        ('base = "small"\n[values]\n"和牌" = 2\n"和牌" = 3', 4, "同一个名称写了两次"),
        ('base = "small"\n[fans."五刻"]\nwhen = "标准形"\n[fans."五刻"]\nwhen = "标准形"', 4, "同一个名称写了两次"),
        ('base = "small"\n[values]\n[values]\n"和牌" = 3', 3, "同一个名称写了两次"),
        (f'base = "small"\nwithout = {"[" * 3000}{"]" * 3000}\nminimum = 3', 2, "套得太深"),
        (f'base = "small"\nminimum = {"9" * 5000}', 2, "不是正确的 TOML"),
        ('base = "small"\nid = "../../x"', 2, "“id”应是"),
        ('base = "small"\nid = "x/y"', 2, "“id”应是"),
        ('base = "small"\n\nid = ""', 3, "“id”应是"),
        ('base = "small"\nid = "canton"', 2, "已经有编号是“canton”的规则"),
        ('base = "small"\n[values]\n"和牌" = true', 3, "应是一个整数"),
        ('base = "small"\n[values]\n"和牌" = -1', 3, "应在 0 到 1000 之间"),
        ('base = "small"\n[values]\n"和牌" = 99999999999', 3, "应在 0 到 1000 之间"),
        ('base = "small"\n[sentences]\n"五刻" = "有五刻。"', 3, "没有“五刻”"),
        ('base = "small"\n[sentences]\n"和牌" = 5', 3, "“和牌”的话应是一行"),
        ('base = "small"\n[sentences]\n"和牌" = """两\n行"""', 3, "“和牌”的话应是一行"),
    ],
)
def test_mistakes_are_reported_with_their_line(text: str, line: int, zh: str) -> None:
    with pytest.raises(OverlayError) as caught:
        overlay.read(text, name="my.toml")
    assert caught.value.say("zh").startswith(f"my.toml 第 {line} 行：")
    assert caught.value.say("en").startswith(f"my.toml, line {line}: ")
    assert zh in caught.value.say("zh")
    assert caught.value.say("en").startswith(f"my.toml, line {line}: ")


@pytest.mark.parametrize(
    ("value", "zh", "en"),
    [
        ("{ foo = 2 }", "“三同顺”的值里没有“foo”，可用：fu、fan。", "'三同顺' has no 'foo'; there are: fu, fan."),
        ("2", "“三同顺”的值应写作 { fu = 32, fan = 4 } 或 [32, 4]。", "must be like { fu = 32, fan = 4 } or [32, 4]."),
        (
            "[2]",
            "“三同顺”的值应写作 { fu = 32, fan = 4 } 或 [32, 4]。",
            "must be like { fu = 32, fan = 4 } or [32, 4].",
        ),
    ],
)
def test_a_refused_value_shows_how_it_is_written(value: str, zh: str, en: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    with pytest.raises(OverlayError) as caught:
        overlay.read(f'base = "lingque-29"\n[values]\n"三同顺" = {value}')
    assert zh in caught.value.say("zh")
    assert en in caught.value.say("en")


def test_files(tmp_path: Path) -> None:
    good = tmp_path / "club.toml"
    good.write_text('base = "small"\nminimum = 4', encoding="utf-8")
    assert overlay.load(good).id == "club"
    odd = tmp_path / "我的 规则..v2.toml"
    odd.write_text('base = "small"', encoding="utf-8")
    assert overlay.load(odd).id == "我的-规则-v2"
    odd = odd.rename(tmp_path / "canton.toml")
    assert overlay.load(odd).id == "canton-house"
    for bad, zh in [(tmp_path, "读不了"), (tmp_path / "none.toml", "读不了")]:
        with pytest.raises(OverlayError, match=zh):
            overlay.load(bad)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(OverlayError, match="UTF-8"):
        overlay.load(binary)
    binary.write_bytes(b" " * (1 << 20) + b" ")
    with pytest.raises(OverlayError, match="太大"):
        overlay.load(binary)


@pytest.mark.parametrize("name", book_ids())
def test_every_option_of_every_book_can_be_chosen_in_a_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the registry itself
    book = overlay.book(name)
    assert overlay.read(f'base = "{name}"').fans == book.fans
    for option in book.options:
        for choice in option.choices:
            made = overlay.read(
                f'base = "{name}"\n[options]\n"{option.key}" = {json.dumps(choice, ensure_ascii=False)}'
            )
            assert made.chosen[option.key] == choice
            now = book.chosen.get(option.key, option.choices[0])
            assert choice == now or made.fingerprint != book.fingerprint


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", book_ids())
def test_every_fan_of_every_book_can_be_revalued_renamed_and_switched_off(
    name: str, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    book = overlay.book(name)
    for fan in book.fans[::step]:
        value = split_value(fan.value)
        more = ", ".join(f"{key} = {n + 1}" for key, n in value.items())
        written = f"{{ {more} }}" if hasattr(fan.value, "_asdict") else str(next(iter(value.values())) + 1)
        revalued = overlay.read(f'base = "{name}"\n[values]\n"{fan.name}" = {written}')
        assert split_value(revalued.fan(fan.name).value) == {key: n + 1 for key, n in value.items()}
        renamed = overlay.read(f'base = "{name}"\n[aliases]\n"{fan.name}" = "新名"')
        assert renamed.fan(fan.name).name == "新名"
        off = overlay.read(f'base = "{name}"\nwithout = ["{fan.name}"]')
        assert fan.name not in {row.name for row in off.fans}
        assert all(fan.name not in drops_in_words(row, off).zh.split("、") for row in off.fans)
        assert len({book.fingerprint, revalued.fingerprint, renamed.fingerprint, off.fingerprint}) == 4


def test_a_new_name_may_be_renamed_again() -> None:
    book = overlay.read('base = "small"\n[aliases]\n"自摸" = "自己摸"\n"自己摸" = "摸"\n')
    assert [fan.name for fan in book.fans][-1] == "摸"
    assert book.fan("自摸").name == "摸"
    with pytest.raises(OverlayError, match="第 4 行：已经有叫“自己摸”的番种"):
        overlay.read('base = "small"\n[aliases]\n"自摸" = "自己摸"\n"和牌" = "自己摸"\n')


def test_many_changes_are_made_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    made = 0
    having = Rulebook.having

    def counting(*given: Any, **more: Any) -> Rulebook:
        nonlocal made
        made += 1
        return having(*given, **more)

    monkeypatch.setattr(Rulebook, "having", counting)
    chain = "\n".join(f'"{"和牌" if i == 0 else f"a{i - 1}"}" = "a{i}"' for i in range(200))
    assert overlay.read(f'base = "small"\n[aliases]\n{chain}').fan("和牌").name == "a199"
    assert made == 3
    with pytest.raises(OverlayError, match="最多 200 条"):
        overlay.read(f'base = "small"\nwithout = ["自摸"]\n[aliases]\n{chain}')


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a." * 5000 + "b = 1", 2),
        ("x = " + "[" * 5000, 2),
        ("x = " + "{a=" * 3000, 2),
        ("[a.b]\n[" + "a." * 3000 + "b]", 3),
        ('x = """\n\n"""\n[values]\n"a"."b".c."d". e.f = 1', 6),
    ],
)
def test_deep_files_are_refused_before_they_are_parsed(text: str, line: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def parsed(_text: str) -> None:
        raise AssertionError("this was parsed")

    monkeypatch.setattr(overlay.tomllib, "loads", parsed)
    with pytest.raises(OverlayError, match=f"第 {line} 行：套得太深"):
        overlay.read(f'base = "small"\n{text}')


def test_dots_and_brackets_in_texts_are_not_deep() -> None:
    dots = "a." * 20 + "[" * 20
    book = overlay.read(f'base = "small"  # {dots}\ntitle = \'{dots}\'\n[values]\n"和牌" = 2\n')
    assert book.title.zh == dots


def test_a_file_is_read_no_further_than_it_may_be_long(tmp_path: Path) -> None:
    big = tmp_path / "big.toml"
    big.write_text('base = "small"\n' + "#" * 70_000)
    with pytest.raises(OverlayError, match="太大"):
        overlay.load(big)
    if Path("/dev/zero").exists():
        with pytest.raises(OverlayError, match="太大"):
            overlay.load("/dev/zero")


@pytest.mark.parametrize("name", ["guobiao", "guobiao-mcr"])
def test_an_option_goes_with_rows_that_are_switched_off_or_renamed(name: str) -> None:
    """An option that speaks of rows by name raised where a house rule had switched one of them off."""
    base = book(name)
    for key in ("void_counts", "dead_waits", "nature_drawn"):
        option = next(one for one in base.options if one.key == key)
        for choice in option.choices:
            assert base.having(without=["三风刻", "不求人"]).having(options={key: choice}).chosen[key] == choice
            assert base.having(without=["缺一门"]).having(options={key: choice}).chosen[key] == choice
            renamed = base.having(aliases={"缺一门": "断门", "大三元": "三元"}).having(options={key: choice})
            plain = base.having(options={key: choice}).having(aliases={"缺一门": "断门", "大三元": "三元"})
            assert [fan.drops for fan in renamed.fans] == [fan.drops for fan in plain.fans]


def test_an_option_about_a_value_goes_with_its_row_switched_off() -> None:
    base = book("canton")
    option = next(one for one in base.options if one.key == "三色双龙会")
    for choice in option.choices:
        assert base.having(without=["三色双龙会"]).having(options={option.key: choice}).chosen[option.key] == choice
    assert base.having(options={option.key: option.choices[1]}).fan("三色双龙会").value == option.choices[1]


@pytest.mark.parametrize(
    ("aliases", "message"),
    [
        ({"自摸": "和牌"}, "改名后有两个番种叫“和牌”"),
        ({"自摸": "新", "和牌": "新"}, "改名后有两个番种叫“新”"),
        ({"自摸": " "}, "不能是空的"),
    ],
)
def test_two_fans_never_share_a_name(aliases: dict[str, str], message: str) -> None:
    with pytest.raises(OverlayError, match=message):
        SMALL.having(aliases=aliases)


def test_two_fans_can_exchange_names() -> None:
    swapped = SMALL.having(aliases={"自摸": "和牌", "和牌": "自摸"})
    assert swapped.fan("和牌").value == SMALL.fan("自摸").value
    assert swapped.fan("自摸").value == SMALL.fan("和牌").value
