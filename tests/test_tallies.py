"""The words of a tally: the sum it writes is what it counts, and what is left out is left out by what it names."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from quepu.errors import Text
from quepu.hands.notation import parse
from quepu.hands.planes import Planes
from quepu.rulebooks import book
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.shapes.readings import readings

SUMMED = ["guobiao", "guobiao-mcr", "guobiao-mil-2025", "canton"]


@cache
def planes_of(name: str, n: int = 120) -> list[Planes]:
    """Return readings of random wins of a book."""
    rules = book(name)
    return [one.h for hand in wins(rules, n, seed=29) for one in readings(hand, rules.shapes, rules.reads)]


def summed(text: str) -> list[int]:
    """Return the terms of a sum such as 8+2×2=12, each as often as it counts."""
    terms = [f"{term}×1".split("×")[:2] for term in text.split("=", maxsplit=1)[0].split("+")]
    return [int(value) for value, times in terms for _ in range(int(times))]


@pytest.mark.parametrize("name", SUMMED)
def test_the_sum_is_of_the_fans_that_count(name: str) -> None:
    rules = book(name)
    sums = singles = several = 0
    for h in planes_of(name):
        for tally in (rules.tally(h), rules.explain_tally(h)):
            zh = re.fullmatch(r"(?:([\d+×]+)=)?(\d+) 番(?:，另加(.+) (\d+) 番，共 (\d+) 番)?", tally.how.zh)
            assert zh, tally.how.zh
            bonus = int(zh[4] or 0)
            assert bonus == tally.bonus or not zh[4]
            counted = [c for c in tally.counted if rules.fans[c.row].name != "花牌"]
            values = sorted(c.value["fan"] for c in counted for _ in range(c.times))
            if zh[1] and not zh[4]:
                assert sorted(summed(zh[1])) == values and sum(values) == tally.points == int(zh[2])
                assert ("×" in zh[1]) == any(c.times > 1 for c in counted)
                sums += 1
                several += "×" in zh[1]
            elif not zh[4]:
                assert values == [tally.points] and int(zh[2]) == tally.points
                singles += 1
            assert re.search(rf"\b{tally.points}\b", tally.how.en)
    assert sums and several and (singles or name == "canton")


def test_one_point_is_said_in_the_singular() -> None:
    for name in SUMMED[:3]:
        rules = book(name)
        for text, points, en in (
            ("34mSS(345s)(567p)(111s)+2m", 1, "1 point"),
            ("34m(345s)(567p)(111s)5m5m+2m", 2, "1+1 = 2 points"),
            ("34mSS(345s)(567p)(888s)+2m", 8, "8 points"),
        ):
            (h,) = (one.h for one in readings(parse(text), rules.shapes, rules.reads))
            tally = rules.tally(h)
            assert (tally.points, tally.how.en) == (points, en), (name, text, tally.how)


@pytest.mark.parametrize("name", ["lingque-29", "lingque-26", *SUMMED])
def test_every_row_that_holds_counts_or_is_left_out_by_one_that_holds(name: str) -> None:
    rules = book(name)
    left_out = 0
    for h in planes_of(name):
        held = dict(rules.detect(h))
        tally = rules.explain_tally(h)
        counted = {c.row for c in tally.counted}
        assert {one.row for one in tally.dropped} <= set(held)
        assert set(held) <= counted | {one.row for one in tally.dropped}
        assert len({(one.row, one.why) for one in tally.dropped}) == len(tally.dropped)
        for one in tally.dropped:
            left_out += 1
            assert one.why.zh and one.why.en
            if one.by is not None:
                assert one.by in held and one.by != one.row
                said = {rules.fans[one.by].name, rules.fans[one.by].english}
                assert any(word in one.why.zh + one.why.en for word in said) or name == "canton", one
    assert left_out > 20


@pytest.mark.parametrize("name", SUMMED[:3])
def test_the_first_row_that_leaves_out_a_fan_is_named(name: str) -> None:
    rules = book(name)
    named = 0
    for h in planes_of(name):
        held = sorted(dict(rules.detect(h)))
        for one in rules.explain_tally(h).dropped:
            by = [row for row in held if rules.drops[row] >> one.row & 1]
            if by and one.why.zh.startswith(("不计", "不重复", rules.fans[by[0]].name)) and one.by is not None:
                assert rules.drops[one.by] >> one.row & 1
                named += 1
            if by and one.by is not None and not rules.fans[one.row].of:
                assert one.by == by[0], (rules.fans[one.row].name, one)
    assert named > 20


def test_a_fan_of_canton_that_brings_a_higher_one_says_so() -> None:
    rules = book("canton")
    found = 0
    for h in planes_of("canton", 400):
        held = dict(rules.detect(h))
        tally = rules.explain_tally(h)
        counted = {c.row for c in tally.counted}
        for line in tally.counted:
            fan = rules.fans[line.row]
            higher = [
                row for row in sorted(counted)
                if rules.fans[row].name in fan.implied and rules.fans[row].value > fan.value and row in held
            ]  # fmt: skip
            said = line.note is not None and "番数更高" in line.note.zh
            assert said == bool(higher), (fan.name, line.note)
            if said and line.note is not None:
                found += 1
                names = "、".join(rules.fans[row].name for row in higher)
                assert line.note.zh == f"含于此的{names}番数更高，照计"
                assert line.note.en.startswith(", ".join(rules.fans[row].english for row in higher))
    assert found


def general(rules: Rulebook, strong: str, weak: str) -> Text | None:
    arithmetic: Any = rules.arithmetic
    return arithmetic.general_rule(rules, rules.fan(strong), rules.fan(weak))  # type: ignore[no-any-return]


def test_what_a_book_says_in_general_of_fans_that_always_come_along() -> None:
    v29, v26 = book("lingque-29"), book("lingque-26")
    one_fan = next(fan for fan in v29.fans if fan.value.fan == 1)
    more = [fan for fan in v29.fans if fan.value.fan > 1]
    same = next((a, b) for a in more for b in more if a is not b and a.category == b.category)
    other = next((a, b) for a in more for b in more if a.category != b.category)
    apart = next(fan for fan in more if fan.category != one_fan.category)
    assert general(v29, apart.name, one_fan.name) and general(v29, same[0].name, same[1].name)
    assert general(v29, other[0].name, other[1].name) is None
    for strong, weak in ((apart, one_fan), same, other):
        if strong.name in v26.index and weak.name in v26.index:
            said = general(v26, strong.name, weak.name)
            assert said is not None and "充分条件" in said.zh and "1 翻" not in said.zh
    for name in ("guobiao", "canton"):
        assert general(book(name), book(name).fans[0].name, book(name).fans[1].name)
