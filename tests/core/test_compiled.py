"""The function written from the rows against asking every row, on real hands and on planes no hand would give."""

from __future__ import annotations

from typing import Any

import pytest
from tests.test_books import BOOKS, random_planes

from quepu.hands.planes import Condition, Planes, count
from quepu.rules.compiled import asker, compile_rows, source
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.shapes.readings import readings


def plain(conditions: list[tuple[int, Condition]], h: Planes) -> list[tuple[int, int]]:
    return [(i, int(n)) for i, when in conditions if (n := when(h))]


@pytest.mark.parametrize("rules", BOOKS)
def test_equal_to_testing_every_row(rules: Rulebook) -> None:
    conditions = [(i, fan.when) for i, fan in enumerate(rules.fans)]
    test_rows = compile_rows(conditions)
    hands, _ = random_planes(1_500, seed=61)
    hands += [reading.h for hand in wins(rules, 300, seed=62) for reading in readings(hand, rules.shapes)]
    for h in hands:
        assert sorted(test_rows(h)) == plain(conditions, h)


@pytest.mark.slow
@pytest.mark.parametrize("rules", BOOKS)
def test_equal_to_testing_every_row_at_length(rules: Rulebook) -> None:
    conditions = [(i, fan.when) for i, fan in enumerate(rules.fans)]
    test_rows = compile_rows(conditions)
    hands, _ = random_planes(60_000, seed=63)
    for hand in wins(rules, 60_000, seed=64):
        hands += [reading.h for reading in readings(hand, rules.shapes)]
    for h in hands:
        assert sorted(test_rows(h)) == plain(conditions, h)


@pytest.mark.parametrize("rules", BOOKS)
def test_every_row_is_written_out(rules: Rulebook) -> None:
    assert source([(i, fan.when) for i, fan in enumerate(rules.fans)])[1] == {}


def test_what_cannot_be_written_is_called() -> None:
    def branching(h: Planes) -> Any:
        return 1 if h.p else 0

    conditions: list[tuple[int, Condition]] = [(3, branching), (7, lambda h: count(h.c1)), (9, lambda h: 1)]
    text, called = source(conditions)
    assert called == {"ask3": branching}
    assert "ask3(h)" in text
    test_rows = compile_rows(conditions)
    for h in random_planes(50, seed=65)[0]:
        assert sorted(test_rows(h)) == plain(conditions, h)


def test_guards_come_from_the_expressions() -> None:
    # one is empty without pungs, the other is not: only the first pair may stand under the guard
    conditions: list[tuple[int, Condition]] = [
        (0, lambda h: (h.p & h.p >> 1) != 0),
        (1, lambda h: count(h.p) == 3),
        (2, lambda h: count(h.p) == 0),
        (3, lambda h: (h.p | h.pair) != 0),
    ]
    text, _ = source(conditions)
    under = [line for line in text.splitlines() if line.startswith("        ")]
    assert any("add((0, 1))" in line for line in under)
    assert any("add((1, 1))" in line for line in under)
    assert not any("add((2, 1))" in line or "add((3, 1))" in line for line in under)


def test_written_out_only_when_used_often() -> None:
    calls = 0

    def when(h: Planes) -> Any:
        nonlocal calls
        calls += 1
        return h.p != 0

    test_rows = asker(((0, when),))
    hands, _ = random_planes(300, seed=66)
    for h in hands:
        assert test_rows(h) == plain([(0, lambda h: h.p != 0)], h)
    assert 100 < calls < 110


def test_a_condition_that_says_the_same_twice_holds_once() -> None:
    truth: Condition = lambda h: h.p != 0  # noqa: E731
    conditions: list[tuple[int, Condition]] = [(0, lambda h: truth(h) & truth(h)), (1, truth)]
    hands, _ = random_planes(20, seed=65)
    for h in hands:
        assert sorted(compile_rows(conditions)(h)) == plain(conditions, h)
