"""What is worked out of a condition before it is asked: kind, sign, bits and size, by hand for every operation."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from tests.test_books import random_planes

from quepu.errors import OverlayError
from quepu.hands.hand import Luck
from quepu.hands.planes import ALL_TILES, Condition, Planes, count
from quepu.rulebooks import book, books
from quepu.rules.condition_trial import (
    _EXTREMES,
    _HANDS,
    _Kind,
    _Kinds,
    _named_samples,
    _UnlikeArrays,
    refuse_unclear_groups,
    shown_hands,
    tell_apart,
    try_conditions,
)
from quepu.rules.row import ALL, EACH, Fan
from quepu.rules.rulebook import Rulebook

TRUTH, NUMBER, PLANE = _Kind
T = ALL_TILES
BELOW_64 = (1 << T.bit_length()) - 1
"""As many ones as the tiles have bits."""
UNKNOWN = -1
"""Bits of a number of which nothing is known."""
TOP = 1 << 63


def new(when: Condition, **more: Any) -> Fan:
    return Fan("新番", 5, "8番", "x", when, "new fan", **more)


@pytest.mark.parametrize(
    ("when", "facts"),
    [
        # planes, numbers and truths
        (lambda h: h.p, (PLANE, False, T, T)),
        (lambda h: h.form, (PLANE, False, 0xFFFF, 0xFFFF)),
        (lambda h: h.luck, (PLANE, False, 0xFFFFFF, 0xFFFFFF)),
        (lambda h: 5, (NUMBER, False, 5, 5)),
        (lambda h: 0, (NUMBER, False, 0, 0)),
        (lambda h: -3, (NUMBER, True, -3, 3)),
        (lambda h: True, (TRUTH, False, 1, 1)),
        (lambda h: h.p == 0, (TRUTH, False, 1, 1)),
        (lambda h: h.p >= h.pair, (TRUTH, False, 1, 1)),
        (lambda h: (h.p != 0) & (h.pair != 0), (TRUTH, False, 1, 1)),
        (lambda h: (h.p != 0) ^ True, (TRUTH, False, 1, 1)),
        (lambda h: (h.p != 0) * (h.pair != 0), (TRUTH, False, 1, 1)),
        (lambda h: count(h.p), (NUMBER, False, UNKNOWN, 34)),
        # & | ^ ~
        (lambda h: h.p & h.form, (PLANE, False, T & 0xFFFF, 0xFFFF)),
        (lambda h: h.form & h.p, (PLANE, False, T & 0xFFFF, 0xFFFF)),
        (lambda h: h.p & 6, (PLANE, False, 6, 6)),
        (lambda h: -5 & h.p, (PLANE, False, -5 & T, T)),
        (lambda h: h.p & -5, (PLANE, False, -5 & T, T)),
        (lambda h: (h.p - 3) & -2, (PLANE, True, UNKNOWN & -2, T + 4)),  # a sum of bits of 1 more than the larger
        (lambda h: h.form | 0x10000, (PLANE, False, 0x1FFFF, 0x1FFFF)),
        (lambda h: 0x10000 | h.form, (PLANE, False, 0x1FFFF, 0x1FFFF)),
        (lambda h: h.form ^ 0x10000, (PLANE, False, 0x1FFFF, 0x1FFFF)),
        (lambda h: h.form | 4, (PLANE, False, 0xFFFF, 0xFFFF)),
        (lambda h: count(h.p) | 8, (NUMBER, False, UNKNOWN, 63)),
        (lambda h: h.form | -4, (PLANE, True, -1, 0x10000)),
        (lambda h: -4 ^ h.form, (PLANE, True, -1, 0x10000)),
        (lambda h: ~h.p, (PLANE, True, UNKNOWN, BELOW_64)),
        (lambda h: ~count(h.p), (NUMBER, True, UNKNOWN, 63)),
        (lambda h: ~(-count(h.p)), (NUMBER, True, UNKNOWN, 64)),
        (lambda h: (h.p != 0) | h.form, (PLANE, False, 0xFFFF, 0xFFFF)),
        (lambda h: h.form | (h.p != 0) << 17, (PLANE, False, 0x2FFFF, (1 << 18) - 1)),
        # shifts
        (lambda h: h.form << 3, (PLANE, False, 0xFFFF << 3, 0xFFFF << 3)),
        (lambda h: h.form << 0, (PLANE, False, 0xFFFF, 0xFFFF)),
        (lambda h: h.form >> 3, (PLANE, False, 0xFFFF >> 3, 0xFFFF)),
        (lambda h: h.form >> 63, (PLANE, False, 0, 0xFFFF)),
        (lambda h: h.form >> 64, (PLANE, False, UNKNOWN, 0xFFFF)),
        (lambda h: h.form >> count(h.p), (PLANE, False, UNKNOWN, 0xFFFF)),
        (lambda h: (h.form & 0) << 63, (PLANE, False, 0, 0)),
        (lambda h: (h.p != 0) << 3, (NUMBER, False, 8, 8)),
        (lambda h: (h.p != 0) >> 1, (NUMBER, False, 0, 1)),
        (lambda h: count(h.p) << 3, (NUMBER, False, UNKNOWN, 34 << 3)),
        (lambda h: (count(h.p) - 3) << 2, (NUMBER, True, UNKNOWN, 37 << 2)),
        # sums
        (lambda h: count(h.p) + 3, (NUMBER, False, UNKNOWN, 37)),
        (lambda h: 3 + count(h.p), (NUMBER, False, UNKNOWN, 37)),
        (lambda h: h.form + 3, (PLANE, False, UNKNOWN, 0xFFFF + 3)),
        (lambda h: count(h.p) - 3, (NUMBER, True, UNKNOWN, 37)),
        (lambda h: count(h.p) + -3, (NUMBER, True, UNKNOWN, 37)),
        (lambda h: -3 + count(h.p), (NUMBER, True, UNKNOWN, 37)),
        (lambda h: count(h.p) + (h.k != 0), (NUMBER, False, UNKNOWN, 35)),
        (lambda h: 1 + (h.k != 0), (NUMBER, False, UNKNOWN, 2)),
        (lambda h: count(h.p) - (h.k != 0), (NUMBER, True, UNKNOWN, 35)),
        (lambda h: (h.k != 0) - 2, (NUMBER, True, UNKNOWN, 3)),
        # counts of some tiles only, and without the first of them
        (lambda h: count(h.p & 7), (NUMBER, False, UNKNOWN, 3)),
        (lambda h: count(h.p ^ -1), (NUMBER, False, UNKNOWN, 64)),
        (lambda h: count(h.p | h.k | h.c1) - (h.k != 0), (NUMBER, False, UNKNOWN, 35)),
        (lambda h: count(h.p) - (h.p != 0), (NUMBER, False, UNKNOWN, 35)),
        (lambda h: count(h.p & h.k) - (h.k != 0), (NUMBER, True, UNKNOWN, 35)),
        (lambda h: count(h.p | h.k) - (h.k != 1), (NUMBER, True, UNKNOWN, 35)),
        (lambda h: count(h.p | h.k) - (h.k == 0), (NUMBER, True, UNKNOWN, 35)),
        (lambda h: count(h.p | h.k) + (h.k != 0), (NUMBER, False, UNKNOWN, 35)),
        # products
        (lambda h: count(h.p) * 3, (NUMBER, False, UNKNOWN, 102)),
        (lambda h: 3 * count(h.p), (NUMBER, False, UNKNOWN, 102)),
        (lambda h: (h.p != 0) * h.form, (PLANE, False, 0xFFFF, 0xFFFF)),
        (lambda h: h.form * (h.p != 0), (PLANE, False, 0xFFFF, 0xFFFF)),
        (lambda h: (h.p != 0) * 1, (NUMBER, False, 1, 1)),
        (lambda h: h.form * 2, (PLANE, False, UNKNOWN, 0xFFFF * 2)),
        (lambda h: count(h.p) * -3, (NUMBER, True, UNKNOWN, 102)),
        (lambda h: -3 * (h.p != 0), (NUMBER, True, -3, 3)),
    ],
)
def test_facts_of_every_operation(when: Condition, facts: tuple[_Kind, bool, int, int]) -> None:
    assert tuple(_Kinds().result(when)) == facts


def test_facts_hold_of_any_planes() -> None:
    """No result is beyond what is said of it."""
    conditions: list[Condition] = [
        lambda h: (h.form | 4) & ~h.luck, lambda h: (h.p - 3) & -2, lambda h: -4 ^ h.form, lambda h: ~(-count(h.p)),
        lambda h: (count(h.p) - 3) << 2, lambda h: h.p << 5 >> 3, lambda h: (h.p != 0) * (h.form ^ 77),
        lambda h: (count(h.p) - count(h.k)) * (count(h.p) > count(h.k)), lambda h: (0 - h.form) & (0 - h.luck),
    ]  # fmt: skip
    planes, _ = random_planes(40, seed=5)
    for when in conditions:
        _, negative, bits, size = _Kinds().result(when)
        for h in planes:
            found = int(when(h._replace(form=h.form & 0xFFFF, luck=h.luck & 0xFFFFFF, p=h.p & T)))
            assert abs(found) <= size and (negative or found >= 0) and (bits < 0 or not found & ~bits)


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">=", "==", "!="])
def test_a_difference_is_positive_where_a_comparison_says_so(sign: str) -> None:
    """(a - b) times a comparison of a and b, of b and a, or of another number: only some are never negative."""
    names = {"a": count, "b": count}
    for left, right, x, y in product("abc", repeat=4):
        if left == right or x == y:
            continue
        text = f"lambda h: (count(h.{left}) - count(h.{right})) * (count(h.{x}) {sign} count(h.{y}))"
        when = eval(text.replace("h.a", "h.p").replace("h.b", "h.k").replace("h.c", "h.c1"), {"count": count, **names})
        more = (x, y) if sign[0] == ">" else (y, x)
        positive = sign[0] in "<>" and more == (left, right)
        assert _Kinds().result(when).negative is not positive, text


@pytest.mark.parametrize(
    ("when", "negative"),
    [
        (lambda h: (count(h.p) - 2) * ((count(h.p) - 2) > 0), False),
        (lambda h: (count(h.p) - 2) * ((count(h.p) - 2) >= 0), False),
        (lambda h: (count(h.p) - 2) * ((count(h.p) - 2) > 1), False),
        (lambda h: ((count(h.p) - 2) > 0) * (count(h.p) - 2), False),
        (lambda h: (count(h.p) - 2) * ((count(h.p) - 2) > -1), True),
        (lambda h: (count(h.p) - 2) * ((count(h.p) - 2) < 0), True),
        (lambda h: (count(h.p) - 2) * ((count(h.p) - 3) > 0), True),
        (lambda h: (count(h.p) - 2) * ((count(h.p) - 2) > count(h.k)), True),
        (lambda h: (-count(h.p) ^ count(h.k)) * (-count(h.p) > count(h.k)), True),  # another sign than -
        (lambda h: (count(h.p) - 2) * (h.p | 1), True),
    ],
)
def test_a_number_is_positive_where_it_is_above_nought(when: Condition, negative: bool) -> None:
    assert _Kinds().result(when).negative is negative


@pytest.mark.parametrize(
    ("when", "good"),
    [
        (lambda h: ((h.p & 1) << 62) * 1, True),
        (lambda h: ((h.p & 1) << 63) * 1, False),
        (lambda h: ((h.p & 1) << 62) > 0, True),
        (lambda h: ((h.p & 1) << 63) > 0, False),
        (lambda h: count((h.p & 1) << 63), False),
        (lambda h: ((h.p & 0) << 64) * 1, False),  # as large as any: an array shifts by 64 as it likes
        (lambda h: ((h.p & 0) << -1) * 1, False),
        (lambda h: ((h.p & 1) << count(h.k)) * 1, True),  # at most 34
        (lambda h: ((h.p & 1) << count(h.k & 7 | h.p & 24) + 58) * 1, False),  # up to 63
        (lambda h: ((h.p & 1) << count(h.k & 7 | h.p & 8) + 58) * 1, True),
        (lambda h: ((h.p & 0) << count(h.k) - 1) * 1, False),
        (lambda h: ((h.p & 0) << 2 * count(h.k)) * 1, False),
        (lambda h: (((h.p & 0) << 2 * count(h.k)) & 7) * 1, True),  # cut short, it is small again
        (lambda h: (h.p * h.p * h.p & 3) * 1, True),
        (lambda h: (h.p * h.p * h.p) * 1, False),
        (lambda h: 2 - (h.p != 0), False),
        (lambda h: 2 - count(h.p), True),
        (lambda h: count(h.k) - (h.p != 0), True),
        (lambda h: (h.p != 0) - count(h.k), True),
        (lambda h: 2 + (h.p != 0), True),
        (lambda h: (h.p != 0) + (h.k != 0), False),
        (lambda h: (h.p != 0) >> (h.k != 0), False),
        (lambda h: count(h.p != 0), False),
        (lambda h: ~(h.p != 0), False),
        (lambda h: None, False),
        (lambda h: 1.5, False),
        (lambda h: "1", False),
    ],
)
def test_what_arrays_do_otherwise_is_refused(when: Condition, good: bool) -> None:
    if good:
        _Kinds().result(when)
    else:
        with pytest.raises(_UnlikeArrays):
            _Kinds().result(when)


# ---- which fans are tried, and on what


@pytest.mark.parametrize(
    ("when", "of", "clear"),
    [
        (lambda h: h.c1 & h.c2 & h.c3 & h.c4, 1, True),
        (lambda h: h.p & h.pc & h.k & h.pair, 2, True),
        (lambda h: h.p & h.seat, 1, True),
        (lambda h: h.seat, 1, False),
        (lambda h: h.c1 & h.p, 1, False),
        (lambda h: h.c1 & h.p, 3, False),
        (lambda h: h.c1 & h.p, 4, True),
        (lambda h: h.c1 & h.pair, 4, False),
        (lambda h: h.p & h.pair, 4, True),
        (lambda h: h.t1 & h.c1, 5, True),
        (lambda h: h.t1, 2, False),
    ],
)
def test_groups_that_make_a_fan_are_clear_from_its_planes(when: Condition, of: int, clear: bool) -> None:
    fan = new(lambda h: when(h) != 0, of=of)
    for ask in (lambda: refuse_unclear_groups(fan), lambda: try_conditions(fan, by_groups=True)):
        if clear:
            ask()
        else:
            with pytest.raises(OverlayError, match=f"of={of}") as refused:
                ask()
            assert "只能看 c1 c2 c3 c4，或只看 k p pair pc；" in refused.value.say("zh")
            assert "at c1 c2 c3 c4 alone or at k p pair pc alone;" in refused.value.say("en")
    try_conditions(fan)  # where groups do not matter, or it is of the whole hand, it may look at anything
    try_conditions(replace(fan, of=ALL), by_groups=True)


def test_places_are_asked_of_the_fans_that_have_them() -> None:
    tiles, truth = new(lambda h: h.p, of=EACH), new(lambda h: h.p != 0)
    for good in (tiles, truth, replace(tiles, on=lambda h: h.k), replace(truth, on=lambda h: h.k)):
        try_conditions(good)
    try_conditions(tiles, by_groups=True)
    for bad in (replace(tiles, of=ALL), replace(truth, of=EACH), replace(truth, on=lambda h: h.k != 0)):
        with pytest.raises(OverlayError, match="新番"):
            try_conditions(bad)
    with pytest.raises(OverlayError, match="joins"):
        try_conditions(replace(truth, joins=True))


def test_a_condition_counts_99_times_at_most_in_a_real_hand() -> None:
    try_conditions(new(lambda h: 99))
    with pytest.raises(OverlayError, match=r"条件对 123m456p789sCCEE\+E 给出 100 次，最多 99 次"):
        try_conditions(new(lambda h: 100))
    try_conditions(new(lambda h: count(h.t1 & h.t2 & h.t3 & h.t4) * 20 * (h.form != 1)))  # no hand is full of tiles
    try_conditions(new(lambda h: h.p, of=EACH))  # places are no number of times


def in_arrays(one: Any, many: Any) -> Condition:
    """A condition that gives one value for an int, and another for an array."""
    return lambda h: one(h) if isinstance(h.p, int) else many(h) if hasattr(h.p, "shape") else h.p != 0


def test_a_hand_that_comes_out_otherwise_among_many_is_named() -> None:
    orphans = in_arrays(lambda h: h.form == 4, lambda h: h.form < 0)
    with pytest.raises(OverlayError) as refused:
        try_conditions(new(orphans))
    assert "条件对 19m19p19sESWNCFP+1m 单独问得 1，与许多手牌一起问得 0" in refused.value.say("zh")
    assert "its condition gives 1 of 19m19p19sESWNCFP+1m alone and 0 among many hands" in refused.value.say("en")
    full = in_arrays(lambda h: (h.c1 & h.form) == ALL_TILES, lambda h: h.form < 0)
    with pytest.raises(OverlayError) as refused:
        try_conditions(new(full))
    assert "条件单独问得 1，与许多手牌一起问得 0" in refused.value.say("zh")
    assert "its condition gives 1 alone and 0 among many hands" in refused.value.say("en")
    try_conditions(new(in_arrays(lambda h: h.p != 0, lambda h: h.p != 0)))


def test_conditions_are_tried_on_single_hands_where_there_is_no_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    try_conditions(new(lambda h: h.p != 0))
    try_conditions(new(in_arrays(lambda h: h.form == 4, lambda h: h.form < 0)))
    with pytest.raises(OverlayError, match="100 次"):
        try_conditions(new(lambda h: 100))


def test_sample_hands_are_of_every_kind_in_every_situation() -> None:
    samples = _named_samples()
    situations = {
        text: {(h.luck, h.flowers, h.seat, h.round) for name, h in samples if name == text} for text in _HANDS
    }
    assert {len(some) for some in situations.values()} == {3}
    every = [h for _, h in samples]
    for bit in Luck:
        assert any(h.luck & bit for h in every) and any(not h.luck & bit for h in every), bit
    assert {h.seat for h in every} == {h.round for h in every} == {1 << 48, 2 << 48, 4 << 48, 8 << 48}
    assert {h.form for h in every} == {1, 2, 4, 8, 16}
    assert {h.flowers.bit_count() for h in every} == {0, 1, 2, 3, 8}
    for name in Planes._fields:
        assert any(getattr(h, name) for h in every), name
    assert [h for _, h in _EXTREMES] == [Planes(*[plane] * len(every[0])) for plane in (0, 1, ALL_TILES)]


@pytest.mark.parametrize("rules", books(), ids=lambda one: one.id)
def test_every_fan_holds_in_a_hand_that_shows_it(rules: Rulebook) -> None:
    fresh = replace(rules)
    hands = shown_hands(fresh)
    assert shown_hands(fresh) is hands
    for fan in rules.fans:
        counts_alone = fan.name == "无番和"  # whatever the hand, if nothing else does
        assert fan.example is None or counts_alone or any(fan.when(h) for h in hands), fan.name
    fan = rules.fans[0]
    shown = fan.example or fan.near_miss
    assert shown is not None
    strange = replace(fan, example=shown._replace(circumstances=("没有的",), self_draw=False), near_miss=None)
    assert {h.luck & ~Luck.CLOSED for h in shown_hands(replace(rules, fans=(strange,)))} == {0}  # it has no such name
    for name in ("near_miss", "example"):
        only = replace(rules, fans=tuple(replace(fan, **{name: None}) for fan in rules.fans))
        assert 0 < len(shown_hands(only)) < len(hands)


def test_conditions_are_told_apart_by_the_hands_of_a_book() -> None:
    rules = book("guobiao")
    wheel = next(fan for fan in rules.fans if fan.name == "九莲宝灯")
    rare: Condition = lambda h: (h.k & 0x0101) == 0x0101  # noqa: E731
    assert not tell_apart(wheel.when, wheel.when, [rules])
    assert tell_apart(wheel.when, lambda h: 0, [])
    assert tell_apart(lambda h: 2 * (h.p != 0), lambda h: 1 * (h.p != 0), [])
    shown = next(h for h in shown_hands(rules) if h not in {one for _, one in _named_samples()})
    exactly: Condition = lambda h: h.t1 == shown.t1 and h.win == shown.win and h.luck == shown.luck  # noqa: E731
    assert not tell_apart(exactly, lambda h: 0, []) and tell_apart(exactly, lambda h: 0, [book("canton"), rules])
    assert not tell_apart(rare, lambda h: 0, [])
