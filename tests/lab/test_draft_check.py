"""A draft against the general sentence of its book."""

from __future__ import annotations

import pytest

from quepu.errors import Text
from quepu.lab.draft_check import check, check_toml, find_drafted_fans
from quepu.lab.draft_effects import add_examples
from quepu.rulebooks import book, find_registered
from quepu.rulebooks.house_rules import read
from quepu.scoring.booklet import booklet
from quepu.scoring.describe import score_example

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


# ---- examples


def test_a_fan_of_a_draft_is_shown_by_a_hand_that_counts_it() -> None:
    draft = read(
        'base = "yuque-54"\nwithout = ["双同刻"]\n'
        '[fans."二步高"]\nwhen = "有(相连(顺子, 2))"\nvalue = 4\nof = 2\npriority = 1\nclass = "连顺、连刻"\n'
        '[fans."两杠"]\nwhen = "个数(各副杠) >= 2"\nvalue = 3\n'
        '[fans."无牌"]\nwhen = "没有(牌)"\nvalue = 3\n'
    )
    shown = add_examples(draft, counting=False)
    assert [fan.name for fan in shown.fans if fan.example is None] == ["无牌"]
    for fan in shown.fans:
        if fan.example is not None:
            assert fan.name in [one.name for one in score_example(fan.example, draft).fans], fan.name
    assert shown.fingerprint == draft.fingerprint
    assert shown.fan("二步高").example is not None
    assert "二步高" in booklet(shown, "zh") and find_registered(shown) is book("yuque-54")
    kept = [fan.name for fan in draft.fans if fan.example == shown.fan(fan.name).example]
    assert len(kept) > 50, "examples that still count their fan stay"


@pytest.mark.parametrize("rules", ["lingque-29", "guobiao-mcr"])
def test_a_book_keeps_its_own_examples(rules: str) -> None:
    assert add_examples(book(rules)) is book(rules)
