"""不重复: what always comes with a fan is not counted beside it, found over hands and not over lists."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from quepu.batch import from_hands
from quepu.fast.arrays.readings import read
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.tiles import SOUTH, WEST

SEED, MCR = book("guobiao"), book("guobiao-mcr")


def together(h: Any, n: int, rules: Rulebook) -> Any:
    """In how many of n readings both of two rows hold: [rows, rows]."""
    held = np.stack([np.broadcast_to(np.asarray(fan.when(h)) != 0, (n,)) for fan in rules.fans]).astype(np.float32)
    return (held @ held.T).astype(np.int64)


def undropped(both: Any, rules: Rulebook, fewest: int) -> set[tuple[str, str]]:
    """Pairs of rows, the second always there with the first, that are both counted. Relations are left to 套算一次."""
    dropped = list(rules.drops)
    for _ in rules.fans:  # what a dropped row drops stays dropped
        for i, mask in enumerate(dropped):
            for j in range(len(rules.fans)):
                if mask >> j & 1:
                    dropped[i] |= dropped[j]
    fans = rules.fans
    return {
        (fans[i].name, fans[j].name)
        for i in range(len(fans))
        for j in range(len(fans))
        if i != j and both[i, i] >= fewest and both[i, j] == both[i, i]
        if not dropped[i] >> j & 1 and not (fans[i].joins and fans[j].joins)
    }


@cache
def generated(rules: Rulebook) -> Any:
    """As `together`, on hands of every form."""
    found = read(from_hands(list(wins(rules, 12_000, seed=99))), rules.shapes, rules.reads)
    return together(found.h, len(found.of), rules)


VOID = {(name, "缺一门") for name in ("大三元", "小四喜", "小三元", "一色四同顺", "一色四节高", "一色四步高", "三风刻")}


@pytest.mark.parametrize(("rules", "left"), [(SEED, set()), (MCR, VOID)], ids=["guobiao", "guobiao-mcr"])
def test_nothing_implied_counts(rules: Rulebook, left: set[tuple[str, str]]) -> None:
    """On generated hands of every form, claimed or not; rows seen too seldom to tell are left to the slow test."""
    both = generated(rules)
    assert undropped(both, rules, fewest=60) <= left
    assert (both.diagonal() >= 60).sum() > 60


WAITS_ON_ONE = {"连七对", "十三幺", "七对", "七星不靠", "全不靠"}
"""Always won on a single tile, which 单钓将 is therefore not counted for."""
CLOSED = {"九莲宝灯", "连七对", "十三幺", "四暗刻", "七对", "七星不靠", "全不靠"}
"""Always closed: 门清, or 不求人 where they are self-drawn."""
OF_PUNGS_OR_PAIRS = {"字一色", "混幺九"}
EXACTLY = {("大四喜", "三风刻"), ("大三元", "双箭刻")}
"""The smaller is read as exactly three winds or two dragons, and is named all the same."""
SOMETIMES = {("绿一色", "混一色"), ("抢杠和", "胡绝张"), ("抢杠和", "和绝张"), ("双暗杠", "双暗刻")}
"""A flush without 发; a robbed kong is not a fourth tile; two concealed kongs beside a third concealed pung."""


@pytest.mark.parametrize("rules", [SEED, MCR, book("guobiao-mil-2025")], ids=lambda rules: rules.id)
def test_what_is_not_counted_beside_a_fan_always_comes_with_it(rules: Rulebook) -> None:
    both, names = generated(rules), [fan.name for fan in rules.fans]
    known = SOMETIMES | EXACTLY | {(name, "单钓将") for name in WAITS_ON_ONE}
    known |= {(name, closed) for name in CLOSED for closed in ("门清", "门前清")}
    if rules is not SEED:
        known |= {(name, pungs) for name in OF_PUNGS_OR_PAIRS for pungs in ("碰碰和", "全带幺", "幺九刻")}
    rows = [(i, j) for i, mask in enumerate(rules.drops) for j in range(len(names)) if mask >> j & 1]
    loose = {(names[i], names[j]) for i, j in rows if both[i, i] and both[i, j] < both[i, i]}
    assert loose <= known


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "left"), [(SEED, set()), (MCR, VOID | {("大四喜", "缺一门")})], ids=["guobiao", "guobiao-mcr"]
)
def test_nothing_implied_counts_on_any_standard_hand(rules: Rulebook, left: set[tuple[str, str]]) -> None:
    """What always comes with a fan, among one in 23 of all standard hands, claimed and concealed.

    What does not always come with it among some hands does not among all, so that a part of them is proof enough that
    nothing is missing from `left`. Beside 大四喜 it is 混一色 or 字一色 that keeps 缺一门 out.
    """
    assert standard_hands(rules, every=23) == left


def standard_hands(rules: Rulebook, every: int = 1) -> set[tuple[str, str]]:
    """What `undropped` finds among all standard hands (or one in so many) and generated ones of every form.

    五门齐 brings a pung of honours in a standard hand, but seven pairs show that it need not.
    """
    from quepu.fast.universe.standard_hands import STATES, Universe

    total = generated(rules)
    for key in ("closed-draw", "open-discard"):
        universe = Universe(STATES[key], SOUTH, WEST)  # two winds, or the two wind fans would seem one
        for kind, index in universe.pairs():
            mine = index[kind % every :: every]
            for at in range(0, len(mine), 1 << 16):
                some = mine[at : at + (1 << 16)]
                total = total + together(universe.block(kind, some), len(some), rules)
    # no kongs, everything claimed or nothing: these two ways to win cannot tell about the rows that ask how it was won
    how = {"四暗刻", "三暗刻", "双暗刻", "全求人", "不求人", "自摸"}
    return {pair for pair in undropped(total, rules, fewest=1) if not how & set(pair)}
