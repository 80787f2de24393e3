"""What a pattern keeps out by its own sentence, read from the sentence."""

from __future__ import annotations

import re

import pytest

from quepu.rulebooks import book
from quepu.rules.row import Fan

CANTON = book("canton")
ALONE = {"花糊", "流局十番", "七抢一", "八仙过海"}
"""Counted with nothing but the dealer's fan."""
IN_OTHER_WORDS = {
    "全双刻": "对对糊", "全单刻": "对对糊", "地听": "门前清", "小四喜": "混一色", "万炮齐发": "绝张",
    "满分花杠": "绝张", "全将碰": "对对糊", "四字刻": "对对糊", "双龙抢珠": "平糊", "大四喜": "对对糊",
    "十八罗汉": "对对糊", "清老头": "对对糊",
}  # fmt: skip
"""What is kept out by sentences that do not say 不计 and the name."""


def said(sentence: str) -> set[str]:
    """The patterns that a sentence says are not added."""
    clauses = re.findall("不[另再]?计([^。;；()（）]*)", sentence)
    words = {word.strip('"“” ') for clause in clauses for word in re.split("[、,，或及和与]", clause)}
    return {CANTON.fans[CANTON.index[word]].name for word in words if word in CANTON.index}


@pytest.mark.parametrize("fan", [pytest.param(fan, id=fan.name) for fan in CANTON.fans])
def test_a_pattern_keeps_out_what_its_sentence_says(fan: Fan) -> None:
    kept_out = set(fan.drops) - set(fan.implied)
    if fan.name in ALONE:
        assert kept_out == {"*", "+庄家"}
    else:
        assert kept_out == said(fan.sentence) | set(IN_OTHER_WORDS.get(fan.name, "").split())
