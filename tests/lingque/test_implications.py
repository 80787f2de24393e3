"""Every implication between 番种, found by asking all hands, against what the rows leave out and why."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from quepu.fast.universe.census import classify
from quepu.fast.universe.classes import Classes
from quepu.fast.universe.standard_hands import STATES, Universe
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.shapes.readings import readings

PAIR_FANS = ("四喜对", "三元对", "镜数对", "三同二对", "镜同对")

# What is implied and yet counted: in v29 because it is neither of 1 翻 nor of the same class; in v26 because the row
# says 可加计. 七对 is counted beside the fans that need it, and it is 七对 that leaves 门前清 out.
COUNTED = {
    "lingque-29": {
        ("大四喜", "对对和"), ("清幺九", "对对和"), ("清幺九", "双同刻"), ("二数", "对对和"), ("二数", "双同刻"),
        ("四连刻", "对对和"), *((name, "七对") for name in PAIR_FANS),
    },
    "lingque-26": {("岭上开花", "杠"), *((name, "七对") for name in PAIR_FANS)},
}  # fmt: skip

# What the books leave out though it need not hold: the pair may be of a third suit or honours; four equal chows are
# 二般高 but not two of exactly; one of 连六 and 老少副 holds beside 双龙会.
LEFT_OUT = {
    "lingque-29": {
        ("四同顺", "缺一门"), ("四连刻", "缺一门"), ("四步高", "缺一门"), ("四连环", "缺一门"), ("二般高", "一般高"),
        ("双龙会", "连六"), ("双龙会", "老少副"),
    },
    "lingque-26": {("双龙会", "连六"), ("双龙会", "老少副"), ("镜龙会", "连六"), ("镜龙会", "老少副")},
}  # fmt: skip


def implied(rules: Rulebook) -> Any:
    """bool [fans, fans]: whether every reading met that holds the one holds the other. All rows are met."""
    n = len(rules.fans)
    always, met = np.ones((n, n), np.bool_), np.zeros(n, np.bool_)

    def note(holds: Any) -> None:
        for i in range(n):
            rows = holds[holds[:, i]]
            if len(rows):
                met[i] = True
                always[i] &= rows.all(axis=0)

    for state in STATES.values():
        classes = Classes(rules)
        classify(classes, Universe(state))
        note(classes.holds)
    others = []
    for hand in wins(rules, 60_000, seed=21):  # special forms, luck, and melds of all kinds side by side
        for reading in readings(hand, rules.shapes, rules.reads):
            row = np.zeros(n, np.bool_)
            row[[i for i, _ in rules.detect(reading.h)]] = True
            others.append(row)
    note(np.array(others))
    assert met.all()
    return always


@pytest.mark.slow
@pytest.mark.parametrize("id", ["lingque-29", "lingque-26"])
def test_what_is_implied_is_left_out_as_the_general_sentence_says(id: str) -> None:
    rules = book(id)
    always = implied(rules)
    counted, left_out = set(), set()
    for i, a in enumerate(rules.fans):
        for j, b in enumerate(rules.fans):
            if i == j:
                continue
            dropped = bool(rules.drops[i] >> j & 1)
            if always[i, j] and not dropped and (a.name not in PAIR_FANS or b.name != "门前清"):
                counted.add((a.name, b.name))
                if id == "lingque-29":
                    assert b.value.fan != 1
                    assert a.category != b.category
                else:
                    assert f"可加计{b.name}" in a.sentence
            if dropped and not always[i, j] and "*" not in a.drops:
                left_out.add((a.name, b.name))
    assert counted == COUNTED[id]
    assert left_out == LEFT_OUT[id]
    if id == "lingque-29":
        # what the general sentence adds without being printed, and 二数 which only an example takes out (LQ12)
        pairs = [(a, rules.fan(name)) for a in rules.fans for name in a.implied]
        unfounded = {(a.name, b.name) for a, b in pairs if b.value.fan != 1 and a.category != b.category}
        assert unfounded == {("清幺九", "二数")}
