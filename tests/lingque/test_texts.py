"""The scan's slips in v29's sentences: the raw text beside what is shown, the other edition being the witness."""

from __future__ import annotations

import re

import pytest

import quepu
from quepu.rulebooks import book, books
from quepu.rules.diff import definition, difference, wording
from quepu.rules.rulebook import Rulebook

RAW = {
    "天和": "和牌由庄家的 13 张配牌与第一张掀牌组成。计 48 副 3 翻。不计自摸、门前清。",
    "岭上开花": "和自家开杠后掀得的岭上牌。计 8 副 2 翻。不计自摸。",
    "海底捞月": "掀牌墙中最后一枚牌张得和。计 8 副 2 翻。不计自摸。",
    "河底捞鱼": "牌墙已被掀完时，他家放铤得和。计 8 副 2 翻。",
    "自摸": "和自家掀得之牌。计 2 副 1 翻。",
    "门前清": "除和张外的所有牌张皆由自家掀得的和牌。计 2 副 1 翻。",
    "镜数": "仅由序数牌组成的、对称的一般形和牌。所谓“对称”即："
    "存在一整数或半整数 $q$ ，使得将和牌拆解为雀头和四个面子后，"
    "将每个部分的序数关于 $q$ 镜像，仍是原和牌的一种拆解方式。此处面子的明与暗，"
    "刻子是否成杠均不作区分。计 12 副 3 翻。",
    "镜数对": "仅由序数牌组成的、对称的七对和牌。所谓“对称”即："
    "存在一整数 $n$ ，使得将和牌中每个对子的序数关于 $n$ 镜像后，"
    "仍是原来的和牌。计 24 副 3 翻。可加计七对。",
}
"""Sentences as the seed of v29 has them."""
MENDED = {"掀": "摭", "铤": "铳"}


@pytest.mark.parametrize("name", RAW)
def test_what_is_shown_is_the_raw_text_with_its_slips_mended(name: str) -> None:
    raw = RAW[name]
    for slip, right in MENDED.items():
        if slip in raw:
            assert right in book("lingque-26").fan(name).sentence  # the witness
            raw = raw.replace(slip, right)
    assert book("lingque-29").fan(name).sentence == re.sub(r"\$(\w)\$", r"\1", raw).replace(" ，", "，")


@pytest.mark.parametrize("rules", [pytest.param(b, id=b.id) for b in books()])
def test_no_slip_is_shown(rules: Rulebook) -> None:
    shown = [f.sentence for f in rules.fans] + [t for r in rules.rulings for t in (*r.question, *r.answer, r.sentence)]
    for text in shown:
        assert not set("掀铤$\\\n") & set(text), text


def test_editions_differ_in_words_only_where_they_do() -> None:
    found = difference(book("lingque-26"), book("lingque-29"))
    reworded = {change.new.name for change in found.changed if change.redefined}
    assert not reworded & {"天和", "岭上开花", "海底捞月", "河底捞鱼", "自摸", "镜数", "全不靠", "字一色", "清幺九"}
    assert {"混一色", "混幺九", "缺一门", "四杠", "一般高", "门前清"} <= reworded
    assert definition("和自家摭得之牌。计2副1翻。") == definition("和自家摭得之牌。计 2 副 1 翻")
    assert definition("四副。计 48 副 4 翻。不计缺一门、三连刻。") == "四副"


def test_every_changed_sentence_is_listed() -> None:
    """By its value, its relations or its words: nothing that is worded otherwise is left out."""
    found = difference(book("lingque-26"), book("lingque-29"))
    listed = {change.new.name: change for change in found.changed}
    restated = {name for name, change in listed.items() if change.restated}
    assert {"双龙会", "四喜对", "三元对", "岭上开花"} <= restated
    for old in book("lingque-26").fans:
        new = next((fan for fan in book("lingque-29").fans if fan.name == old.name), None)
        if new is None or wording(old.sentence) == wording(new.sentence):
            continue
        change = listed[old.name]
        before, after = (set(re.split("[.]", wording(fan.sentence))) for fan in (old, new))
        for clause in before ^ after:
            if re.fullmatch(r"计\d+副\d翻", clause):
                assert change.revalued, old.name
            elif clause.startswith("不计"):
                assert change.reworded or change.lost.drops or change.gained.drops, old.name
            else:
                assert change.reworded, (old.name, clause)
    assert not listed["清一色"].reworded
    shown = found.to_json()["changed"]
    assert {one["name"] for one in shown if one["sentence"]} == {name for name in listed if listed[name].reworded}


def test_rules_in_words_are_compared_too() -> None:
    found = difference(book("lingque-26"), book("lingque-29"))
    assert [(c.old.category, c.new.category) for c in found.changed if c.moved] == [("副露", "鸣牌")]
    rules = {one.title.zh: ("".join(t.zh for t in one.old), "".join(t.zh for t in one.new)) for one in found.reworded}
    assert "若一个番种是另一个番种的充分条件，且后者为 1 翻番种" in rules["和牌点数：副与翻"][1]
    assert "庄家（東家）首先掷骰" in rules["配牌：掷骰与开牌"][1]
    assert "庄家和牌时连庄" in rules["对局结构：连庄、圈与座位"][1]
    assert "座位轮换" in rules["对局结构：连庄、圈与座位"][1]
    assert "约化分数" in rules["约化分数"][0]
    assert not rules["约化分数"][1]
    assert "丁3 暗刻的定义问题" not in rules


def test_a_condition_that_changes_behind_the_same_words_is_reported() -> None:
    found = difference(book("guobiao"), book("guobiao-mcr"))
    assert {"不求人", "边张", "嵌张", "单钓将"} <= {change.new.name for change in found.changed if change.reread}


@pytest.mark.parametrize(
    ("hand", "name", "why"),
    [
        ("11m99m44p3377sNNC+C", "门前清", "七对不计门前清"),
        ("C(NNNN)(2222m)[2222p][5555s]+C", "暗刻", "双暗刻必然满足暗刻，按“充分条件”的通则不计"),
        ("45m123456pFF(123m)+6m", "镜同", "与双龙会互斥，择其一计"),
    ],
)
def test_why_a_fan_is_left_out(hand: str, name: str, why: str) -> None:
    """Examples of the book: a row says so, the general sentence does, or only one of the two counts."""
    left_out = quepu.score(hand, rules="lingque-29").reasons()["suppressed"]
    assert why in [one["why"] for one in left_out if one["name"] == name]
