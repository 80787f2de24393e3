"""The function written from the rows against asking every row, on real hands and on planes no hand would give."""

from __future__ import annotations

from typing import Any

import pytest
from tests.test_books import BOOKS, random_planes

from quepu.hands.planes import Condition, Planes, count
from quepu.rules.compiled import compile_rows, lazy_detector, source
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

    test_rows = lazy_detector(((0, when),))
    hands, _ = random_planes(300, seed=66)
    for h in hands:
        assert test_rows(h) == plain([(0, lambda h: h.p != 0)], h)
    assert calls == 102  # row by row 101 times, and once on symbols


def test_a_condition_that_says_the_same_twice_holds_once() -> None:
    truth: Condition = lambda h: h.p != 0  # noqa: E731
    conditions: list[tuple[int, Condition]] = [(0, lambda h: truth(h) & truth(h)), (1, truth)]
    hands, _ = random_planes(20, seed=65)
    for h in hands:
        assert sorted(compile_rows(conditions)(h)) == plain(conditions, h)


# ---- the text of the function


def chain(h: Planes, x: Any, steps: int) -> Any:
    """An expression of 4 more for each step: x ^ t3 << 1 ^ t3 << 2 …"""
    for step in range(steps):
        x = x ^ h.t3 << step + 1
    return x


WRITTEN: dict[str, tuple[list[Condition], str]] = {
    "a truth adds 1, a number adds itself, and what never holds is left out": (
        [lambda h: 0, lambda h: 1, lambda h: h.pair != 0, lambda h: h.pair | 3, lambda h: h.pair & 0],
        """
if (n := 1): add((1, n + 0))
if (pair != 0): add((2, 1))
if (n := (pair | 3)): add((3, n + 0))
""",
    ),
    "a number that counts where a truth holds is worked out after it": (
        [lambda h: (h.pair == 7) * count(h.win), lambda h: count(h.t1) * (h.seat == 3)],
        """
if (pair == 7) and (n := win.bit_count()): add((0, n + 0))
if (n := (t1.bit_count() * (seat == 3))): add((1, n + 0))
""",
    ),
    "a part that a row repeats has a name": (
        [
            lambda h: count(h.t2) * 100 + count(h.t2),
            lambda h: (h.pair == count(h.c1)) & (h.win != (count(h.c1) | h.form)),
            lambda h: ~h.pair & h.win,
            lambda h: count(h.t1 & h.t2) - -1,
        ],
        """
if (n := (((v1 := t2.bit_count()) * 100) + v1)): add((0, n + 0))
if (pair == (v2 := c1.bit_count())) and (win != (v2 | form)): add((1, 1))
if (n := ((~pair) & win)): add((2, n + 0))
if (n := ((t1 & t2).bit_count() - (-1))): add((3, n + 0))
""",
    ),
    "rows under a plane do not ask again whether it is empty": (
        [
            lambda h: h.p != 0,
            lambda h: (h.p == 2) & (h.pair != 0) & (h.p != 3) & (h.p > 0) & (h.p != h.pair) & ((h.p & 3) != 0),
            lambda h: (h.p != 0) * (h.pair | 1),
            lambda h: h.pair == 1,
        ],
        """
if p:
    add((0, 1))
    if (p == 2) and (pair != 0) and (p != 3) and (p > 0) and (p != pair) and ((p & 3) != 0): add((1, 1))
    if (n := (pair | 1)): add((2, n + 0))
if (pair == 1): add((3, 1))
""",
    ),
    "one row is not put under a plane": (
        [lambda h: h.p != 0, lambda h: h.k == 1],
        """
if (p != 0): add((0, 1))
if (k == 1): add((1, 1))
""",
    ),
    "the plane that is empty most often guards": (
        [
            lambda h: (h.k & h.p) == 1,
            lambda h: (h.k & h.p) == 2,
            lambda h: h.p == 1,
            lambda h: (h.p == 1) & (h.xp == 0),
        ],
        """
if k:
    v1 = (k & p)
    if (v1 == 1): add((0, 1))
    if (v1 == 2): add((1, 1))
if p:
    v2 = (p == 1)
    if v2: add((2, 1))
    if v2 and (xp == 0): add((3, 1))
""",
    ),
    "rows that share a truth stand under it": (
        [
            lambda h: (h.form == 1) & (h.t1 == 1),
            lambda h: (h.form == 1) & (h.t1 == 2),
            lambda h: (h.form == 1) & (h.t1 == 1) & (h.win == 1),
            lambda h: h.form == 1,
            lambda h: h.seat == 1,
        ],
        """
if (form == 1):
    v1 = (t1 == 1)
    if v1: add((0, 1))
    if (t1 == 2): add((1, 1))
    if v1 and (win == 1): add((2, 1))
    add((3, 1))
if (seat == 1): add((4, 1))
""",
    ),
    "the truth that most rows share comes first": (
        [
            lambda h: (h.seat == 1) & (h.t1 == 1),
            lambda h: (h.form == 1) & (h.seat == 1) & (h.t1 == 2),
            lambda h: (h.form == 1) & (h.t1 == 3),
            lambda h: (h.form == 1) & (h.t1 == 4),
        ],
        """
if (form == 1):
    if (seat == 1) and (t1 == 2): add((1, 1))
    if (t1 == 3): add((2, 1))
    if (t1 == 4): add((3, 1))
if (seat == 1) and (t1 == 1): add((0, 1))
""",
    ),
    "a truth of size 8 is asked for several rows": (
        [
            lambda h: ((~h.form ^ h.seat << 2) == 1) & (h.t1 == chain(h, h.pair, 1)),
            lambda h: ((~h.form ^ h.seat << 2) == 1) & (h.t1 == chain(h, h.win, 1)),
        ],
        """
if (((~form) ^ (seat << 2)) == 1):
    v1 = (t3 << 1)
    if (t1 == (pair ^ v1)): add((0, 1))
    if (t1 == (win ^ v1)): add((1, 1))
""",
    ),
    "a truth of size 9 is not": (
        [
            lambda h: (h.t1 == chain(h, h.pair, 2)) & ((~~h.form ^ h.seat << 2) == 1),
            lambda h: (h.t1 == chain(h, h.win, 2)) & ((~~h.form ^ h.seat << 2) == 1),
        ],
        """
v1 = (((~(~form)) ^ (seat << 2)) == 1)
if v1 and (t1 == ((pair ^ (t3 << 1)) ^ (t3 << 2))): add((0, 1))
if v1 and (t1 == ((win ^ (t3 << 1)) ^ (t3 << 2))): add((1, 1))
""",
    ),
    "rows of size 13 stand under the tiles that both need": (
        [
            lambda h: (h.t1 & h.t2 & chain(h, ~~h.pair, 1)) == 1,
            lambda h: (h.t1 & h.t2 & chain(h, ~~h.win, 1)) == 1,
            lambda h: (h.t1 & h.t2) == 1,
        ],
        """
v1 = (t1 & t2)
if v1:
    v2 = (t3 << 1)
    if ((v1 & ((~(~pair)) ^ v2)) == 1): add((0, 1))
    if ((v1 & ((~(~win)) ^ v2)) == 1): add((1, 1))
if (v1 == 1): add((2, 1))
""",
    ),
    "two rows of size 13 are enough": (
        [
            lambda h: (h.t1 & h.t2 & chain(h, ~~h.pair, 1)) == 1,
            lambda h: (h.t1 & h.t2 & chain(h, ~~h.win, 1)) == 1,
        ],
        """
v1 = (t1 & t2)
if v1:
    v2 = (t3 << 1)
    if ((v1 & ((~(~pair)) ^ v2)) == 1): add((0, 1))
    if ((v1 & ((~(~win)) ^ v2)) == 1): add((1, 1))
""",
    ),
    "rows of size 12 are not worth it": (
        [
            lambda h: (h.t1 & h.t2 & chain(h, ~h.pair, 1)) == 1,
            lambda h: (h.t1 & h.t2 & chain(h, ~h.win, 1)) == 1,
        ],
        """
v1 = (t1 & t2)
v2 = (t3 << 1)
if ((v1 & ((~pair) ^ v2)) == 1): add((0, 1))
if ((v1 & ((~win) ^ v2)) == 1): add((1, 1))
""",
    ),
    "nor is a single large row": (
        [
            lambda h: (h.t1 & h.t2 & chain(h, ~~h.pair, 1)) == 1,
            lambda h: (h.t1 & h.t2 & h.win) == 1,
        ],
        """
v1 = (t1 & t2)
if ((v1 & ((~(~pair)) ^ (t3 << 1))) == 1): add((0, 1))
if ((v1 & win) == 1): add((1, 1))
""",
    ),
    "nor are rows that hold without the tiles": (
        [
            lambda h: (h.t1 & h.t2 | chain(h, h.pair, 2)) == 1,
            lambda h: (h.t1 & h.t2 | chain(h, h.win, 2)) == 1,
        ],
        """
v1 = (t1 & t2)
v2 = (t3 << 1)
v3 = (t3 << 2)
if ((v1 | ((pair ^ v2) ^ v3)) == 1): add((0, 1))
if ((v1 | ((win ^ v2) ^ v3)) == 1): add((1, 1))
""",
    ),
    "a truth inside a row is worked out beforehand and does not guard": (
        [
            lambda h: ((h.t1 == 1) & (h.t2 == 2)) * chain(h, h.pair, 1) != 0,
            lambda h: ((h.t1 == 1) & (h.t2 == 2)) * chain(h, h.win, 1) != 0,
        ],
        """
v1 = ((t1 == 1) & (t2 == 2))
v2 = (t3 << 1)
if ((v1 * (pair ^ v2)) != 0): add((0, 1))
if ((v1 * (win ^ v2)) != 0): add((1, 1))
""",
    ),
    "parts that more rows need stand inside those that fewer do": (
        [
            lambda h: (h.t1 & h.t2 & chain(h, h.pair, 2)) == 1,
            lambda h: (h.t1 & h.t2 & chain(h, h.win, 2)) == 1,
            lambda h: (h.t1 & h.t2 & (h.form & h.seat) & chain(h, h.pair, 2)) == 1,
            lambda h: (h.t1 & h.t2 & (h.form & h.seat) & chain(h, h.win, 2)) == 1,
        ],
        """
v1 = (t1 & t2)
if v1:
    v2 = (v1 & (form & seat))
    if v2:
        v3 = (t3 << 1)
        v4 = (t3 << 2)
        if ((v2 & ((pair ^ v3) ^ v4)) == 1): add((2, 1))
        if ((v2 & ((win ^ v3) ^ v4)) == 1): add((3, 1))
    v5 = (t3 << 1)
    v6 = (t3 << 2)
    if ((v1 & ((pair ^ v5) ^ v6)) == 1): add((0, 1))
    if ((v1 & ((win ^ v5) ^ v6)) == 1): add((1, 1))
""",
    ),
    "a whole condition that two rows have is worked out once": (
        [lambda h: h.t1 ^ h.t2, lambda h: h.t1 ^ h.t2],
        """
v1 = (t1 ^ t2)
if (n := v1): add((0, n + 0))
if (n := v1): add((1, n + 0))
""",
    ),
    "the largest part that rows share has a name, and a smaller one only if it is needed elsewhere": (
        [
            lambda h: (h.t1 ^ h.t2 | h.win) == 1,
            lambda h: (h.t1 ^ h.t2 | h.win) == 2,
            lambda h: (h.seat ^ h.form | h.win) == 1,
            lambda h: (h.seat ^ h.form | h.win) == 2,
            lambda h: (h.seat ^ h.form) == 2,
        ],
        """
v1 = ((t1 ^ t2) | win)
v2 = (seat ^ form)
v3 = (v2 | win)
if (v1 == 1): add((0, 1))
if (v1 == 2): add((1, 1))
if (v3 == 1): add((2, 1))
if (v3 == 2): add((3, 1))
if (v2 == 2): add((4, 1))
""",
    ),
}


@pytest.mark.parametrize("title", WRITTEN)
def test_the_function_is_written_so_that_little_is_worked_out(title: str) -> None:
    conditions, wanted = WRITTEN[title]
    head, *lines, last = source(list(enumerate(conditions)))[0].split("\n")
    assert (head, last) == ("def ask(h):", "    return found")
    assert lines[1:3] == ["    found = []", "    add = found.append"]
    assert [line.removeprefix("    ") for line in lines[3:]] == wanted.strip("\n").split("\n")


def test_only_planes_that_are_read_have_a_name() -> None:
    fields = source([(0, lambda h: h.c1 == 1), (1, lambda h: h.p * h.dead_waits)])[0].split("\n")[1]
    read = {"c1", "p", "dead_waits"}
    assert fields == f"    ({', '.join(name if name in read else '_' for name in Planes._fields)}) = h"
