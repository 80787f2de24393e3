"""Who contains whom, who excludes whom: the lists are neither too long nor too short."""

from __future__ import annotations

import re

import pytest

from quepu.rulebooks.yuque import YUQUE_54, accidents, patterns
from quepu.rulebooks.yuque.row import YuqueExtra
from quepu.scoring.samples import wins
from quepu.shapes.readings import readings
from tests.yuque import stated
from tests.yuque.helpers import added, fan, score

NAMES = [row.name for row in YUQUE_54.fans]


def implied(n: int, seed: int) -> tuple[dict[str, set[str]], dict[str, int]]:
    """For each fan, the fans that held in every reading where it held, and how many readings those were."""
    always: dict[str, set[str]] = {}
    times = dict.fromkeys(NAMES, 0)
    for hand in wins(YUQUE_54, n, seed=seed):
        for reading in readings(hand, YUQUE_54.shapes, YUQUE_54.reads):
            held = {NAMES[i] for i, _ in YUQUE_54.detect(reading.h)}
            for name in held:
                times[name] += 1
                always[name] = always[name] & held if name in always else set(held)
    return always, times


def check(n: int, enough: int) -> int:
    always, times = implied(n, 58)
    checked = 0
    for name, held in always.items():
        row = YUQUE_54.fan(name)
        drops = {NAMES[j] for j in range(len(NAMES)) if YUQUE_54.drops[YUQUE_54.index[name]] >> j & 1}
        excluded = {NAMES[j] for j in range(len(NAMES)) if YUQUE_54.conflicts[YUQUE_54.index[name]] >> j & 1}
        if name != "九莲宝灯":
            assert drops <= held, f"{name} does not contain {drops - held}"
        if times[name] >= enough:
            missing = held - drops - excluded - {name, "番刻"}
            assert not missing, f"{name} ({row.english}, {times[name]} times) contains {missing}"
            checked += 1
    return checked


def test_what_is_listed_as_contained_always_holds_and_what_always_holds_is_listed():
    assert check(6000, 60) > 20


@pytest.mark.slow
def test_containment_over_many_hands():
    assert check(150_000, 40) > 50


@pytest.mark.parametrize(
    ("hand", "counted", "left"),
    [
        ("456m(456p)456s456s8m+8m", {"三色同顺", "一般高"}, {"二相逢", "喜相逢"}),
        ("234p(678p)234s678s1m+1m", {"镜同"}, {"二相逢", "喜相逢"}),
        ("(234p)(777p)(234s)777s1m+1m", {"镜同"}, {"喜相逢", "双同刻"}),
        ("(999m)(111p)(999p)(111s)1m+1m", {"清幺九"}, {"双同刻", "二同刻"}),
        ("(EEE)(SSS)(CCC)(PPP)N+N", {"字一色"}, {"番牌:中", "番牌:白", "番牌:门风牌"}),
    ],
)
def test_excluded_fans_are_never_counted_together(hand, counted, left):
    fans = added(score(hand))
    assert counted <= set(fans)
    assert not left & set(fans)


def test_steps_of_one_and_steps_of_two_are_not_counted_together():
    # 123 234 345 567: steps of one and of two share 123 and 345
    fans = added(score("(123m)(234m)(345m)567m9p+9p"))
    assert "三步高" in fans
    assert "三连环" not in fans


def test_nine_gates_goes_with_four_accidents_only():
    """仅可与天和、地和、海底捞月、河底捞鱼复计。"""
    assert fan("1112345678999m+5m") == 30
    assert added(score("1112345678999m+5m", "E", True, "海底捞月")) == {"海底捞月": 1, "九莲宝灯": 30}
    assert added(score("1112345678999m+5m", "S", False, "河底捞鱼")) == {"河底捞鱼": 1, "九莲宝灯": 30}
    assert added(score("1112345678999m+5m", "E", True, "天和")) == {"天和": 18, "九莲宝灯": 30}
    assert added(score("1112345678999m+5m", "S", False, "地和")) == {"地和": 18, "九莲宝灯": 30}


def test_sixty_two_rows_with_the_books_columns():
    assert len(YUQUE_54.fans) == stated.ROWS
    columns = {row.name: (row.own(YuqueExtra).groups, row.own(YuqueExtra).priority) for row in patterns.ROWS}
    assert columns["九莲宝灯"] == (0, 1)
    assert columns["镜同"] == (4, 3)
    assert columns["幺九三刻"] == (3, 4)
    assert columns["清幺九"] == (5, 6)
    assert columns["门前清"] == (4, 1)
    by_priority = {p: sum(1 for _, q in columns.values() if q == p) for p in stated.BY_PRIORITY}
    assert by_priority == stated.BY_PRIORITY


def test_every_column_of_table_two():
    own = {row.name: row.own(YuqueExtra) for row in patterns.ROWS}
    stated_columns = {name: columns for columns, names in stated.COLUMNS.items() for name in names.split()}
    assert {name: (one.groups, one.priority) for name, one in own.items()} == stated_columns
    less = {name: (one.off, one.cut) for name, one in own.items() if (one.off, one.cut) != (0, 0)}
    assert less == stated.OFF_AND_CUT
    assert {name for name, one in own.items() if one.serves} == set(stated.SERVING.split())


def test_each_row_leaves_out_what_it_contains_and_nothing_else():
    names = [row.name for row in YUQUE_54.fans]
    dropped = {
        row.name: {names[i] for i in range(len(names)) if mask >> i & 1}
        for row, mask in zip(YUQUE_54.fans, YUQUE_54.drops, strict=True)
        if mask
    }
    gates = dropped.pop("九莲宝灯")
    assert set(names) - gates - {"九莲宝灯"} == {"天和", "地和", "海底捞月", "河底捞鱼"}
    assert dropped == {name: set(contained.split()) for name, contained in stated.CONTAINS.items()}
    assert (YUQUE_54.minimum, YUQUE_54.flower_value) == (0, 0)  # every win wins, and there are no flowers


def test_a_sentence_names_the_fans_that_its_row_excludes():
    """Both sides name each other, but 番牌:门风牌, which only 字一色 names."""
    for row, mask in zip(YUQUE_54.fans, YUQUE_54.conflicts, strict=True):
        named = re.search("排斥 ?([^。]*)。", row.sentence)
        names = set(re.split("[、 ]+", named[1])) if named else {"字一色"} if row.name == "番牌:门风牌" else set()
        assert {other.name for i, other in enumerate(YUQUE_54.fans) if mask >> i & 1} == names, row.name


def test_fans_of_table_one_are_added_in_full_and_before_all_others():
    """They have no groups, no priority and nothing off; those of pungs and kongs make their pungs 番刻 (ruling 3)."""
    own = {row.name: row.own(YuqueExtra) for row in accidents.ROWS}
    assert {(one.groups, one.priority, one.off, one.cut) for one in own.values()} == {(0, 0, 0, 0)}
    serving = "四暗刻 三暗刻 双暗刻 四杠 三杠 双杠 杠 对对和"
    assert {name for name, one in own.items() if one.serves} == set(serving.split())
    related = [YUQUE_54.drops[i] | YUQUE_54.conflicts[i] for i in range(len(YUQUE_54.fans))]
    assert not related[YUQUE_54.index["番刻"]]
    apart = [fan.name for fan, mask in zip(YUQUE_54.fans, related, strict=True) if mask >> YUQUE_54.index["番刻"] & 1]
    assert apart == ["九莲宝灯"]  # which is not counted beside patterns or pungs


def test_the_summary_table_of_the_book():
    """计番简表: value and priority of every row, as printed there (its tabs are lost, the order of columns is not)."""
    rows = {row.name: row for row in YUQUE_54.fans}
    named = set()
    for value, names in stated.SUMMARY.items():
        listed = names.split()
        priorities = [rows[name].own(YuqueExtra).priority for name in listed]
        assert priorities == sorted(priorities)
        for name in listed:
            assert rows[name].value == value, name
            named.add(name)
    for name in set(rows) - named - {"番刻"}:
        assert (rows[name].value, rows[name].own(YuqueExtra).off) in {(15, 2), (9, 2)}, name
