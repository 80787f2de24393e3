"""Σ副 × 翻: the jumps, the choice among 互斥 against its brute-force twin, ties, and what the steps say."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

import quepu
from quepu.fast.universe.classes import signature_parts
from quepu.hands.notation import parse
from quepu.hands.planes import Planes
from quepu.rulebooks import book
from quepu.rulebooks.lingque.arithmetic import FuTimesFan, HeldRow, best, choices, lines_of, two_highest, weigh
from quepu.rules.arithmetic import Hits
from quepu.rules.row import EACH
from quepu.rules.rulebook import Rulebook
from quepu.scoring.samples import wins
from quepu.shapes.readings import readings
from tests.lingque.hands import BOOKS, names, steps

both = pytest.mark.parametrize("rules", BOOKS)


def legal(rules: Rulebook, lines: tuple[HeldRow, ...]) -> set[int]:
    """Every legal counting, literally: no two exclusive ones, none beside what drops it, none out without a reason."""
    rows = [x.row for x in lines]
    found = set()
    for size in range(len(rows) + 1):
        for some in combinations(rows, size):
            mask = sum(1 << row for row in some)
            if any(rules.conflicts[row] & mask or rules.drops[row] & mask for row in some):
                continue
            out = [row for row in rows if not mask >> row & 1]
            if all(rules.conflicts[row] & mask or any(rules.drops[other] >> row & 1 for other in some) for row in out):
                found.add(mask)
    return found


def situation(rules: Rulebook, hits: Hits) -> int:
    return FuTimesFan().situation(rules, hits, Planes(*[0] * len(Planes._fields)))


def some_lines(rules: Rulebook, seed: int, n: int) -> list[tuple[HeldRow, ...]]:
    """What holds in real readings, and mixtures that no hand would give."""
    rng = random.Random(seed)
    hits = [
        rules.detect(reading.h)
        for hand in wins(rules, n, seed)
        for reading in readings(hand, rules.shapes, rules.reads)
    ]
    contested = [i for i, mask in enumerate(rules.conflicts) if mask]
    for _ in range(n):
        rows = {*rng.sample(contested, rng.randint(2, 6)), *rng.sample(range(len(rules.fans)), rng.randint(0, 4))}
        hits.append(tuple((i, 1 << rng.randrange(9) if rules.fans[i].of == EACH else 1) for i in rows))
    made = [tuple(lines_of(rules, situation(rules, some))) for some in hits]
    return [lines for lines in made if len(lines) <= 11]


@both
def test_every_choice_equals_the_literal_search(rules: str) -> None:
    rulebook = book(rules)
    for lines in some_lines(rulebook, 31, 400):
        literal = legal(rulebook, lines)
        assert set(choices(rulebook, [x.row for x in lines])) == literal
        for closed in (False, True):
            highest = max(
                weigh(rulebook, tuple(x for x in lines if mask >> x.row & 1), closed).points for mask in literal
            )
            assert best(rulebook, list(lines), closed)[0].points == highest


@both
def test_leaving_out_a_fan_never_pays(rules: str) -> None:
    """Were 不计 a choice (count the stronger or what it drops), no real hand would be worth more."""
    rulebook = book(rules)
    for hand in wins(rulebook, 250, seed=33):
        for reading in readings(hand, rulebook.shapes, rulebook.reads):
            lines = lines_of(rulebook, situation(rulebook, rulebook.detect(reading.h)))
            free = 0
            for size in range(len(lines) + 1):
                for some in combinations(lines, size):
                    mask = sum(1 << x.row for x in some)
                    if not any(mask & (rulebook.conflicts[x.row] | rulebook.drops[x.row]) for x in some):
                        free = max(free, weigh(rulebook, some, hand.closed).points)
            assert rulebook.tally(reading.h).points == free


@both
def test_everything_that_held_counts_or_is_explained(rules: str) -> None:
    rulebook = book(rules)
    for hand in wins(rulebook, 500, seed=32):
        for reading in readings(hand, rulebook.shapes, rulebook.reads):
            tally = rulebook.tally(reading.h)
            counted, dropped = {c.row for c in tally.counted}, {d.row for d in tally.dropped}
            assert counted | dropped == {i for i, _ in rulebook.detect(reading.h)}
            assert not counted & dropped
            assert all(d.by in counted for d in tally.dropped)


def test_true_jump_pairs() -> None:
    jumps = {(f0, f1) for f0 in range(1, 7) for f1 in range(1, f0 + 1) if f1 * f1 > 2 * f0}
    assert jumps == {(3, 3), (4, 3), (4, 4), (5, 4), (5, 5), (6, 4), (6, 5), (6, 6)}
    assert two_highest({"a": 3, "b": 4, "c": 4}) == (4, 4)
    assert two_highest({"a": 5, "b": 1}) == (5, 1)
    assert two_highest({"a": 2}) == (2, 0)
    assert two_highest({}) == (0, 0)


@both
def test_table_of_jumps_of_v26(rules: str) -> None:
    """v26 表 1: 翻 by the two highest classes, open and closed."""
    table = {(3, 3): (4, 5), (4, 3): (5, 6), (4, 4): (5, 6), (5, 4): (6, 7), (5, 5): (6, 7), (6, 4): (7, 8)}
    rulebook = book(rules)
    by_fan = {}
    for i, fan in enumerate(rulebook.fans):
        by_fan.setdefault((fan.value.fan, fan.category), i)
    for f0 in range(1, 7):
        for f1 in range(1, f0 + 1):
            pairs = [
                (a, b)
                for (n, one), a in by_fan.items()
                for (m, two), b in by_fan.items()
                if (n, m) == (f0, f1) and one != two
            ]
            for a, b in pairs:
                lines = tuple(HeldRow(i, 1, rulebook.fans[i].value) for i in (a, b))
                found = tuple(weigh(rulebook, lines, closed).fan for closed in (False, True))
                if (f0, f1) not in ((6, 5), (6, 6)):  # which the table leaves out and f1² > 2 f0 gives
                    assert found == table.get((f0, f1), (f0, f0 + 1))


def test_ties_give_one_answer() -> None:
    hand = "445566789m5p(123m)+5p"  # 一气贯通 or 双龙会, both 8 副 3 翻
    assert "一气贯通" in names(quepu.score(hand))
    assert quepu.score(hand).to_json(explain=True) == quepu.score(hand).to_json(explain=True)
    bare = book("lingque").having(values={"双龙会": (10, 3)}, id="dearer")
    assert "双龙会" in names(quepu.score(hand, rules=bare))


def test_the_steps_list_the_jumps() -> None:
    listed = [step.zh for step in steps("12399m12311p123s+9m", "lingque-26")]
    assert listed == [
        "副：门前清 2 + 清带幺 12 + 幺九刻 2 + 三色同顺 8 = 24 副",
        "最大单番翻数：清带幺（幺九类）3 翻",
        "复合跳翻：不同类的三色同顺（部分关联类）3 翻，3² = 9 > 2×3 = 6，加 1 翻",
        "门清跳翻：没有吃、碰、明杠，加 1 翻",
        "24 副 × 5 翻 = 120 点",
    ]
    english = [step.en for step in steps("111m9p[NNNN](123p)(789s)+9p")]
    assert english[2].endswith("2² = 4 ≤ 2×3 = 6: no more fan")


def test_a_hand_without_fans_is_worth_nothing() -> None:
    score = quepu.score("23499m67p(456p)(789s)+8p")
    assert (score.points, score.can_win, score.parts) == (0, False, {"fu": 0, "fan": 0})
    assert [step.zh for step in steps("23499m67p(456p)(789s)+8p")] == ["没有计入任何番种，0 点"]


def test_house_values_reach_the_sum() -> None:
    house = book("lingque").having(values={"三色步高": (8, 3)}, minimum=12, id="house")
    score = quepu.score("88m345p45s(NNN)(234m)+6s", rules=house)
    assert (score.points, score.minimum, score.can_win) == (30, 12, True)
    off = book("lingque").having(without=["门前清"], id="off")
    assert quepu.score("1112345678999m+5m", rules=off).parts["fan"] == 6  # the closed jump is not the row's


@both
def test_where_a_counted_place_lies_is_no_new_signature(rules: str) -> None:
    """Batch work keeps few signatures because 幺九刻 of 1m and of 9s, held as often, are worth the same."""
    rulebook = book(rules)
    columns = signature_parts(rulebook)
    assert len(columns) == len(rulebook.fans) + len(rulebook.arithmetic.decides.conditions)
    one, other = (
        readings(parse(text), rulebook.shapes, rulebook.reads)[0].h
        for text in ("234m55s67p(111m)(567s)+8p", "234s55m67p(999s)(567m)+8p")
    )
    assert one.p != other.p
    assert [int(read(one)) for read, _ in columns] == [int(read(other)) for read, _ in columns]


@both
def test_a_fan_that_a_house_makes_worthless_is_counted_all_the_same(rules: str) -> None:
    house = book(rules).having(values={"番牌 中": {"fu": 6, "fan": 0}})
    row = house.index["番牌 中"]
    line = HeldRow(row, 1, house.fans[row].value)
    found, taken = best(house, [line], closed=False)
    assert (found.points, found.fu, found.fan, taken) == (0, 6, 0, (line,))
    closed, taken = best(house, [line], closed=True)
    assert (closed.points, closed.fu, closed.fan, taken) == (6, 6, 1, (line,))
    assert best(house, [], closed=False) == ((0, 0, 0, 0, 0), ())
