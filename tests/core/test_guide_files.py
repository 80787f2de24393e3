"""The files in which a family writes its guide, its worked examples and its lessons, key by key."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.books import SMALL

from quepu.errors import Text, UnknownName
from quepu.rulebooks import book, house_rules
from quepu.rules import guide as guides
from quepu.rules.guide import Grid, Paragraph, Section, Shown, examples, facts, faults, find_section, guide, read
from quepu.rules.lessons import describe_fan, lessons, welcome
from quepu.rules.play_rules import play_rules
from quepu.rules.row import Example
from quepu.rules.rulebook import Rulebook

RULES = replace(
    SMALL, edition="2", settings={"big": True, "many": 3, "said": Text("甲", "A"), "sum": "a=b=c"}, base="older"
)
GUIDE = """
[[section]]
key = "win"
title = { zh = "和牌", en = "Winning" }
[[section.part]]
zh = "不小于 {minimum} 番。"
en = "At least {minimum} fan, {said}."
sentence = "不小于 $2$ 番。"
ruling = "R-1"
[[section.part]]
en = "Seed."
sentence = "原文 $n$。"
[[section.part]]
make = "say one two"
[[section.part]]
title = { zh = "表", en = "Table" }
heads = ["{many}", ["番", "fan"]]
rows = [["甲", 5], [["{said}", "of {said}"], "{minimum}"]]
numbers = [1]
note = { zh = "注", en = "note" }
[[section.part]]
title = { zh = "表", en = "Table" }
heads = ["a"]
rows = [["b"]]

[[section]]
key = "only"
edition = "2"
title = { zh = "第二版", en = "Second" }
[[section.part]]
zh = "大"
en = "big"
when = "big=true"
[[section.part]]
zh = "小"
en = "small"
when = "big=false"
[[section.part]]
zh = "不三"
en = "not three"
when = "many!=3"
[[section.part]]
zh = "大而三"
en = "big and three"
when = "big=true many=3 sum=a=b=c"
[[section.part]]
zh = "大而四"
en = "big and four"
when = "big=true many=4"
[[section.part]]
zh = "第一版"
en = "first"
edition = "1"

[[section]]
key = "other"
edition = "1"
title = { zh = "第一版", en = "First" }
[[section.part]]
zh = "甲"
en = "a"

[[section]]
key = "empty"
title = { zh = "空", en = "Empty" }
[[section.part]]
zh = "小"
en = "small"
when = "big=false"

[[section]]
key = "three"
when = "many=3"
title = { zh = "三", en = "Three" }
[[section.part]]
zh = "三"
en = "three"
"""


def test_a_guide_is_read_key_by_key(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(GUIDE, "utf-8")
    made = read(path, RULES, {"say": lambda rules, words: [Paragraph(Text(rules.id, words))]})
    assert made == (
        Section(
            "win",
            Text("和牌", "Winning"),
            (
                Paragraph(Text("不小于 2 番。", "At least 2 fan, A."), "不小于 2 番。", "R-1"),
                Paragraph(Text("原文 n。", "Seed."), "原文 n。"),
                Paragraph(Text("small", "one two")),
                Grid(
                    Text("表", "Table"),
                    (Text("3", "3"), Text("番", "fan")),
                    ((Text("甲", "甲"), Text("5", "5")), (Text("甲", "of A"), Text("2", "2"))),
                    (1,),
                    Text("注", "note"),
                ),
                Grid(Text("表", "Table"), (Text("a", "a"),), ((Text("b", "b"),),)),
            ),
        ),
        Section(
            "only",
            Text("第二版", "Second"),
            (Paragraph(Text("大", "big")), Paragraph(Text("大而三", "big and three"))),
        ),
        Section("three", Text("三", "Three"), (Paragraph(Text("三", "three")),)),
    )
    first = replace(RULES, edition="1", settings={"big": False, "many": 4, "said": "x", "sum": ""})
    parts = {section.key: section.parts for section in read(path, first, {"say": lambda rules, words: ()})}
    assert list(parts) == ["win", "other", "empty"] and len(parts["win"]) == 4
    assert parts["win"][0] == Paragraph(Text("不小于 2 番。", "At least 2 fan, x."), "不小于 2 番。", "R-1")
    with pytest.raises(KeyError):
        read(path, first)  # a maker that nobody wrote


def test_facts_are_figures_settings_options_and_rules_of_play() -> None:
    found = facts(RULES)
    assert found == {
        "minimum": 2, "unit": Text("番", "fan"), "flower_value": 1, "fans": 3, "edition": "2", "measured": False,
        "大吗": False, "big": True, "many": 3, "said": Text("甲", "A"), "cap": 0,
        "sum": "a=b=c", "option.大吗": Text("否", "no"), "has": frozenset({"和牌", "四刻", "自摸"}),
    }  # fmt: skip
    rules = book("guobiao")
    found, play = facts(rules), play_rules(rules)
    assert found["table.flowers_replaced"] is False and found["match.rounds"] == 4 and found["fault.错和"] == 10
    of_play = {key for key in found if key.startswith(("table.", "match.", "fault."))}
    assert len(of_play) == len(vars(play.table)) + len(vars(play.match)) + len(play.faults)


EXAMPLES = """
[places]
"甲处" = "place A"
[[example]]
hand = "11m99m44p3377sNNC+C"
small = { number = 2, fans = "四刻×2、天和", fu = 10, fan = 4, points = 40 }
[[example]]
hand = "123m456m789m123p1p+1p"
seat = "S"
round = "W"
self_draw = true
circumstances = ["天和"]
flowers = 2
at = "甲处:第三"
ruling = "R-2"
small = { fan = 6 }
[[example]]
hand = "123m456m789m123p2p+2p"
fan = "四刻"
flowers = ["菊"]
ruling = "R-2"
small = { fans = "四刻", fan = 6, printed = { fan = 7 }, ruling = "R-3" }
[[example]]
hand = "123m456m789m123p3p+3p"
at = "甲处"
older = { fans = "四刻", fan = 6, printed = { fans = "自摸", points = 9 } }
[[example]]
at = "乙处"
small = { number = 1, fans = "四刻", points = 8 }
[[example]]
hand = "123m456m789m123p4p+4p"
fan = "自摸"
said = "原文"
[[example]]
hand = "123m456m789m123p5p+5p"
fan = "自摸"
small = { most = 1 }
[[example]]
hand = "123m456m789m123p6p+6p"
elsewhere = { number = 9, fan = 6 }
"""


def test_examples_are_read_key_by_key(tmp_path: Path) -> None:
    path = tmp_path / "examples.toml"
    path.write_text(EXAMPLES, "utf-8")

    def plain(hand: str, seat: str = "E") -> Example:
        return Example(hand, seat, "E", False, (), ())

    one = Example("123m456m789m123p1p+1p", "S", "W", True, ("天和",), ("春", "夏"))
    two = replace_flowers(plain("123m456m789m123p2p+2p"), ("菊",))
    wanted = (
        Shown(Text("甲处:第三", "place A: 第三"), one, "书上作 6 番。", "R-2", "the text prints 6 fan."),
        Shown(Text("四刻", "四刻"), two, "书上作 7 番。", "R-3", "the text prints 7 fan."),
        Shown(
            Text("甲处", "place A"), plain("123m456m789m123p3p+3p"),
            "计 自摸，共 6 番 9 点。", "", "counts Self-drawn: 6 fan, 9 points.",
        ),
        Shown(Text("自摸", "自摸"), plain("123m456m789m123p4p+4p"), "原文", "", "原文"),
        Shown(Text("自摸", "自摸"), plain("123m456m789m123p5p+5p"), "", "", ""),
        Paragraph(
            Text("例 1：计 四刻，共 8 点。（牌已不全）", "example 1: counts Four pungs: 8 points. (the tiles are lost)")
        ),
        Shown(
            Text("例 2", "example 2"), plain("11m99m44p3377sNNC+C"),
            "计 四刻×2、天和，共 10 副 4 翻 40 点。", "", "counts Four pungs×2, 天和: 10 fu, 4 fan, 40 points.",
        ),
    )  # fmt: skip
    assert examples(path, lambda entry: True, RULES) == wanted
    assert [one.printed for one in wanted[2:4] if isinstance(one, Shown)] == [
        Text("计 自摸，共 6 番 9 点。", "counts Self-drawn: 6 fan, 9 points."), Text("原文", "原文"),
    ]  # fmt: skip
    numbered = examples(path, lambda entry: "number" in entry, RULES, "N")
    assert numbered == (wanted[5], replace_seat(wanted[6], "N"))
    assert examples(path, lambda entry: entry.get("at") == "甲处:第三", RULES, "N") == (wanted[0],)


def replace_flowers(example: Example, flowers: tuple[str, ...]) -> Example:
    return example._replace(flowers=flowers)


def replace_seat(part: guides.Part, seat: str) -> Shown:
    assert isinstance(part, Shown)
    return part._replace(example=part.example._replace(seat=seat))


def test_the_table_of_faults_row_by_row() -> None:
    house = house_rules.read(
        'base = "guobiao"\n[penalties]\n"错和" = 20\n"迟到" = 0\n"提前摸牌" = { again = [1, 2], to = "pool" }\n'
    )
    (grid,) = faults(house)
    assert isinstance(grid, Grid) and grid.numbers == (2,) and grid.title == Text("罚例", "Penalties")
    assert [head.en for head in grid.heads] == ["fault", "case", "points", "to", "and"]
    rows = {row[0].zh: row[1:] for row in grid.rows}
    dead = Text("停和陪打", "dead hand: no win and no claims for the rest of the hand")
    nothing = Text("", "")
    assert rows["错和"][1:] == (Text("20", "20"), Text("赔各家", "to each other player"), dead)
    assert rows["迟到"][1:] == (Text("0", "0"), nothing, nothing)
    assert rows["提前摸牌"][1:] == (
        Text("警告，再犯 1、2", "a warning, then 1, 2"),
        Text("交公池", "to the pool"),
        nothing,
    )
    for rules in (house, book("yuque-54")):
        (grid,) = faults(rules)
        assert isinstance(grid, Grid)
        for row, fault in zip(grid.rows, play_rules(rules).faults, strict=True):
            zh, en = [fault.text.zh], [fault.text.en]
            if fault.remedies:
                zh.append("可弥补：" + "；".join(one.zh for one in fault.remedies))
                en.append("made good: " + "; ".join(one.en for one in fault.remedies))
            assert row[:2] == (fault.name, Text("。".join(zh), ". ".join(en)))
    assert {len(one.remedies) for one in play_rules(book("yuque-54")).faults} >= {0, 2}
    assert list(faults(SMALL)) == [] and list(faults(book("guobiao").having(options={"penalties": "none"}))) == []


def test_a_section_is_found_only_if_one_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    some = tuple(Section(key, Text(zh, en), ()) for key, zh, en in (
        ("win", "和牌", "Winning"), ("win-late", "海底", "Last tile"), ("deal", "配牌", "The deal"),
    ))  # fmt: skip
    monkeypatch.setitem(sys.modules, "a_guide", type(sys)("a_guide"))
    monkeypatch.setattr(sys.modules["a_guide"], "sections", lambda rules: some, raising=False)
    rules = replace(SMALL, guide="a_guide")
    assert guide(rules) == some and guide(SMALL) == ()
    for name, at in (("win", 0), (" WIN ", 0), ("late", 1), ("海", 1), ("last TILE", 1), ("deal", 2), ("和牌", 0)):
        assert find_section(rules, name) is some[at], name
    with pytest.raises(UnknownName) as refused:
        find_section(rules, "牌")
    assert refused.value.text == (
        "小书的规则里没有“牌”这一节，可选：和牌（win）、配牌（deal）。",
        "the rules of Small book have no section '牌'; there are: win, deal.",
    )
    with pytest.raises(UnknownName, match=r"这一节，现有：和牌（win）、海底（win-late）、配牌（deal）。"):
        find_section(rules, "没有")


# ---- lessons

LESSONS = """
[welcome]
book = "small"
name = { zh = "小", en = "Small" }
text = { zh = "谁打", en = "Who plays" }
tiles = "123m"
order = 7
[[fan]]
name = "自摸"
zh = "自己摸"
en = "drawn"
[[fan]]
name = "四刻"
zh = "四副"
en = "four"
[[screen]]
lesson = "tiles"
key = "suits"
ask = "own"
[[screen]]
lesson = "tiles"
key = "one-bamboo"
drop = true
[[screen]]
lesson = "tiles"
key = "new"
ask = "own"
[[screen]]
lesson = "waits"
key = "suits"
ask = "own"
[[screen]]
lesson = "tiles"
key = "dragons"
edition = "1"
ask = "of the first"
[[screen]]
lesson = "tiles"
key = "late"
edition = "2"
ask = "of the second"
"""


@pytest.fixture
def family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rulebook]:
    """A book whose family has lessons of its own."""
    (tmp_path / "a_family_with_lessons").mkdir()
    (tmp_path / "a_family_with_lessons" / "__init__.py").write_text("")
    (tmp_path / "a_family_with_lessons" / "lessons.toml").write_text(LESSONS, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield replace(SMALL, guide="a_family_with_lessons.guide", edition="2")
    sys.modules.pop("a_family_with_lessons", None)


def test_lessons_of_a_family_stand_in_the_place_of_the_usual_ones(family: Rulebook) -> None:
    usual = {one.key: one for one in lessons(SMALL)}
    own = {one.key: one for one in lessons(family)}
    assert list(own) == list(usual) and len(own) == 10 and own["tiles"].title == Text("认牌", "The tiles")
    keys = [screen["key"] for screen in usual["tiles"].screens]
    assert keys[:3] == ["suits", "one-bamboo", "dragons"]

    def asked(rules: Rulebook, lesson: str) -> dict[str, object]:
        (one,) = [one for one in lessons(rules) if one.key == lesson]
        return {screen["key"]: screen["ask"] if isinstance(screen["ask"], str) else "" for screen in one.screens}

    rest = dict.fromkeys(keys[2:], "")
    assert asked(family, "tiles") == {"suits": "own", **rest, "new": "own", "late": "of the second"}
    first = replace(family, edition="1")
    assert asked(first, "tiles") == {"suits": "own", **rest, "dragons": "of the first", "new": "own"}
    assert list(asked(family, "waits")) == [*(screen["key"] for screen in usual["waits"].screens), "suits"]
    assert own["claims"] == usual["claims"]


def test_a_family_says_for_whom_one_of_its_books_is(family: Rulebook) -> None:
    assert welcome(family) == ("small", Text("小", "Small"), Text("谁打", "Who plays"), "123m", 7)
    assert welcome(replace(family, id="other")) is None and welcome(SMALL) is None
    assert describe_fan(family, "四刻") == Text("四副", "four") and describe_fan(family, "和牌") is None
    assert describe_fan(SMALL, "四刻") is None
