"""The rows against what the seeds print: the table at the end of v29, and every row against its own sentence."""

from __future__ import annotations

import re

import pytest

from quepu.rulebooks import book
from quepu.rulebooks.lingque.row import LingqueExtra
from quepu.rules.row import Fan
from tests.lingque import stated
from tests.lingque.hands import BOOKS
from tests.lingque.stated import APPENDIX

ROWS = [pytest.param(rules, fan, id=f"{rules}-{fan.name}") for rules in BOOKS for fan in book(rules).fans]


def test_the_table_at_the_end_of_v29() -> None:
    rules = book("lingque-29")
    seen = set()
    wrong = {}
    for name, (category, fu, fan, _) in APPENDIX.items():
        if name in ("番牌（对）", "番牌（刻）"):
            for row in (r for r in rules.fans if r.name.startswith("番牌")):
                seen.add(row.name)
                value = row.own(LingqueExtra).pair if name == "番牌（对）" else row.value
                assert (row.category, *value) == (category, fu, fan)
            continue
        row = rules.fan(name)
        seen.add(row.name)
        if (row.category, *row.value) != (category, fu, fan):
            wrong[name] = (row.category, *row.value)
    assert seen == {row.name for row in rules.fans}
    # the misprints that LQ-E1 and LQ-E7 name, and no others
    assert wrong == {"镜同对": ("部分关联", 16, 3), "清幺九": ("幺九", 64, 5), "四杠": ("刻、杠", 96, 5)}


def test_how_many_rows() -> None:
    assert {name: len(book(name).fans) for name in BOOKS} == stated.ROWS


@pytest.mark.parametrize(("rules", "fan"), ROWS)
def test_a_row_says_what_its_sentence_says(rules: str, fan: Fan) -> None:
    text = fan.sentence.replace(" ", "").replace(",", "，")
    values = [(int(a), int(b)) for a, b in re.findall(r"计(\d+)副(\d)翻", text)]
    if fan.name.startswith("番牌"):
        assert values == [tuple(fan.value), fan.own(LingqueExtra).pair]
    else:
        assert values == [tuple(fan.value)]
    implied = set(fan.implied)
    printed = [name for name in fan.drops if name not in implied]
    dropped = re.search(r"不计([^。]*)。", text)
    if dropped and "除偶然类" in dropped[1]:
        assert printed == ["*", "+*偶然"]
    else:
        named = set(dropped[1].split("、")) if dropped else set()
        if "番牌" in named:
            named = named - {"番牌"} | {"门风牌", "中", "發", "白"}
        assert set(printed) == named
    excluded = {name for part in re.findall(r"与([^。]*)互斥", text) for name in part.split("、")}
    if fan.name == "喜相逢":
        assert excluded == {"镜同"}  # which the rulings set aside (LQ1)
        assert fan.conflicts == ()
    else:
        # relations are symmetric; the book prints most of them on both sides
        assert excluded <= set(fan.conflicts)
        for name in set(fan.conflicts) - excluded:
            assert fan.name in re.sub(" ", "", book(rules).fan(name).sentence)
    most = re.search(r"可计至多(.)次", text)
    twice = "可计两次" in text
    assert fan.most == ("一二三四".index(most[1]) + 1 if most else 2 if twice else 1)


@pytest.mark.parametrize("rules", BOOKS)
def test_what_the_general_sentence_adds(rules: str) -> None:
    added = {fan.name: set(fan.implied) for fan in book(rules).fans if fan.implied}
    assert added == stated.IMPLIED[rules]
