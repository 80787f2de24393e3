"""A draft against the general sentence of its book."""

from __future__ import annotations

import pytest

from quepu.errors import Text
from quepu.lab.draft_check import check, check_toml, find_drafted_fans
from quepu.rulebooks import book
from quepu.rulebooks.house_rules import read

DRAFT = """base = "lingque-29"
[fans."双连刻"]
when = "有(相连(刻子, 2)) 且 没有(字牌) 且 几门(牌) <= 2"
value = [6, 2]
class = "部分关联"
[fans."刻又顺"]
when = "个数(刻子) = 4 且 有(顺子)"
value = [6, 2]
[fans."七双"]
when = "七对形"
value = [6, 2]
[fans."和了"]
when = "有(牌)"
value = [1, 1]
"""
STATES = ("closed-discard", "open-discard")


@pytest.mark.long
def test_a_draft_is_told_what_says_nothing_new_and_what_clashes() -> None:
    draft = read(DRAFT)
    found = check(draft, book("lingque-29"), keys=STATES)
    told = {(one.kind, one.fan, one.other) for one in found}
    assert {("never", "刻又顺", ""), ("always", "和了", ""), ("equal", "七双", "七对")} <= told
    assert ("clash", "双连刻", "缺一门") in told  # 缺一门 has 1 翻: the sentence is about it
    assert ("brings", "三元对", "七双") in told  # neither 1 翻 nor one class: both count
    assert check_toml(draft, found) == '[drops]\n"双连刻" = ["缺一门"]\n"七双" = ["门前清"]\n'
    accepted = read(DRAFT + check_toml(draft, found))
    assert not [one for one in check(accepted, book("lingque-29"), keys=STATES) if one.kind == "clash"]


def test_only_new_and_changed_fans_are_looked_at() -> None:
    v29 = book("lingque-29")
    assert find_drafted_fans(v29.having(values={"杠": (5, 1)}, aliases={"三杠": "三个杠"}), v29) == []
    names = [fan.name for fan in find_drafted_fans(read(f'{DRAFT}[changes."杠"]\nwhen = "有(各副杠)"\n'), v29)]
    assert names == ["杠", "双连刻", "刻又顺", "七双", "和了"]
    assert check(v29, v29) == []


@pytest.mark.parametrize(
    ("name", "strong", "weak", "left_out"),
    [
        ("lingque-29", "四喜对", "七对", False),
        ("lingque-29", "四步高", "缺一门", True),
        ("lingque-29", "四连刻", "三连刻", True),
        ("lingque-26", "四喜对", "七对", True),
        ("yuque-54", "四步高", "三步高", True),
        ("guobiao", "大四喜", "碰碰胡", True),
        ("canton", "大三元", "对对糊", True),
    ],
)
def test_each_book_says_what_its_sentence_is_about(name: str, strong: str, weak: str, left_out: bool) -> None:
    rules = book(name)
    said = rules.arithmetic.general_rule(rules, rules.fan(strong), rules.fan(weak))
    assert isinstance(said, Text) == left_out
