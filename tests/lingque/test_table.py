"""The rows against what the seeds print: the table at the end of v29, and every row against its own sentence."""

from __future__ import annotations

import re

import pytest

from quepu.rulebook import Fan
from quepu.rulebooks import book
from tests.lingque.appendix import APPENDIX
from tests.lingque.hands import BOOKS

ROWS = [pytest.param(rules, fan, id=f"{rules}-{fan.name}") for rules in BOOKS for fan in book(rules).fans]


def test_the_table_at_the_end_of_v29() -> None:
    rules = book("lingque-29")
    seen = set()
    wrong = {}
    for name, (category, fu, fan, _) in APPENDIX.items():
        if name in ("番牌（对）", "番牌（刻）"):
            for row in (r for r in rules.fans if r.name.startswith("番牌")):
                seen.add(row.name)
                value = row.extra["pair"] if name == "番牌（对）" else row.value
                assert (row.category, *value) == (category, fu, fan)
            continue
        row = rules.fan(name)
        seen.add(row.name)
        if (row.category, *row.value) != (category, fu, fan):
            wrong[name] = (row.category, *row.value)
    assert seen == {row.name for row in rules.fans}
    assert len(APPENDIX) == 72
    # the misprints that LQ-E1 and LQ-E7 name, and no others
    assert wrong == {"镜同对": ("部分关联", 16, 3), "清幺九": ("幺九", 64, 5), "四杠": ("刻、杠", 96, 5)}


def test_how_many_rows() -> None:
    assert (len(book("lingque-29").fans), len(book("lingque-26").fans)) == (74, 76)


@pytest.mark.parametrize(("rules", "fan"), ROWS)
def test_a_row_says_what_its_sentence_says(rules: str, fan: Fan) -> None:
    text = fan.sentence.replace(" ", "").replace(",", "，")
    values = [(int(a), int(b)) for a, b in re.findall(r"计(\d+)副(\d)翻", text)]
    if fan.name.startswith("番牌"):
        assert values == [tuple(fan.value), tuple(fan.extra["pair"])]
    else:
        assert values == [tuple(fan.value)]
    implied = set(fan.extra.get("implied", ()))
    printed = [name for name in fan.drops if name not in implied]
    dropped = re.search(r"不计([^。]*)。", text)
    if dropped and "除偶然类" in dropped[1]:
        assert printed == ["*", "+*偶然"]
    else:
        said = set(dropped[1].split("、")) if dropped else set()
        if "番牌" in said:
            said = said - {"番牌"} | {"门风牌", "中", "發", "白"}
        assert set(printed) == said
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
    added = {fan.name: set(fan.extra["implied"]) for fan in book(rules).fans if "implied" in fan.extra}
    expected = {
        "lingque-29": {
            "四暗刻": {"暗刻"}, "三暗刻": {"暗刻"}, "双暗刻": {"暗刻"}, "清一色": {"缺一门"}, "清幺九": {"二数"},
        },
        "lingque-26": {
            "大七星": {"混幺九", "混一色"}, "字一色": {"混幺九"}, "清幺九": {"二数", "混幺九"}, "连七对": {"混一色"},
            "四连刻": {"对对和"},
        },
    }  # fmt: skip
    assert added == expected[rules]
