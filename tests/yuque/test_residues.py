"""The matrix d(a, b): the book's own figures, and every entry found anew by changing hands."""

from __future__ import annotations

import pytest

from quepu.rulebooks.yuque import YUQUE_54
from quepu.rulebooks.yuque.residues import FAMILIES, entries, reason, residue, stem
from quepu.rulebooks.yuque.row import YuqueExtra
from tests.yuque.changes import most_changes


def test_the_matrix_has_the_books_own_figures():
    assert residue("番牌:门风牌", "混带幺") == 4
    assert residue("三同顺", "混带幺") == 3
    assert residue("三同顺", "混一色:索") == 3
    assert residue("番牌:中", "番牌:门风牌") is None
    assert residue("数同", "清一色:筒") == 3  # 对 数同 的剩余数规定为 3/5
    assert residue("一般高", "喜相逢") == 1  # 1/2, as 确定应计番种 says in passing


def test_every_entry_names_rows_leaves_less_than_all_and_has_one_reason():
    stems = {stem(fan.name): fan for fan in YUQUE_54.fans}
    seen = set()
    for family in FAMILIES:
        assert family.why.zh
        assert family.why.en
        for a, later in family.after.items():
            for b, d in later.items():
                assert (a, b) not in seen
                seen.add((a, b))
                first, then = stems[a].own(YuqueExtra), stems[b].own(YuqueExtra)
                assert 0 <= d < then.groups
                assert first.priority <= then.priority
                assert reason(a, b) == family.why
    assert seen == set(entries())
    assert len(seen) == 147


def test_ties_move_together():
    """双龙会 123456p 234567s goes to 234567m 234567s in one change: the example of the seed."""
    assert residue("双龙会", "镜同") == 1
    assert residue("双龙会", "二相逢") == 1


VARIANT = {"番牌": "番牌:中", "清一色": "清一色:索", "混一色": "混一色:索"}
BY_WORDS = {("三暗刻", "门前清"), ("双暗刻", "门前清"), ("数同", "清一色")}
"""Not about tiles (opening a meld changes it), and fixed by the text."""
SEARCHED = [(a, b, d) for (a, b), (d, _) in entries().items() if (a, b) not in BY_WORDS]
IN_FULL = [
    ("番牌", "三风刻"), ("番牌", "幺九三刻"), ("番牌", "幺九四刻"), ("三风刻", "番牌:门风牌"), ("数同", "幺九四刻"),
    ("幺九三刻", "清带幺"), ("幺九三刻", "混一色"), ("幺九四刻", "数同"), ("幺九四刻", "混一色"), ("清带幺", "清一色"),
    ("混带幺", "清一色"), ("混带幺", "混一色"),
]  # fmt: skip
"""Pairs of fans that can share groups and leave each other everything."""


@pytest.mark.parametrize(("a", "b", "d"), SEARCHED[::6])
def test_some_entries_are_found_by_changing_a_few_hands(a: str, b: str, d: int):
    assert most_changes(VARIANT.get(a, a), VARIANT.get(b, b), d, 6) == d


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b", "d"), SEARCHED)
def test_every_entry_is_what_a_search_over_hands_finds(a: str, b: str, d: int):
    assert most_changes(VARIANT.get(a, a), VARIANT.get(b, b), d, 200) == d


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b"), IN_FULL)
def test_what_is_not_listed_is_left_in_full(a: str, b: str):
    assert residue(a, b) is None
    first = "番牌:门风牌" if b == "三风刻" else VARIANT.get(a, a)
    then = VARIANT.get(b, b)
    groups = YUQUE_54.fan(then).own(YuqueExtra).groups
    assert most_changes(first, then, groups - 1, 10, 1500) == groups


@pytest.mark.slow
def test_mixed_terminals_after_half_flush():
    """A hand of one suit and honours (yuque-13) has an honour group, so at most four of its five groups change."""
    assert residue("混一色", "混幺九") == most_changes("混一色:索", "混幺九", 4, 12, 600) == 4


def test_concealed_pungs_spare_what_is_closed_already():
    assert residue("三暗刻", "门前清") == 4 - 3
    assert residue("双暗刻", "门前清") == 4 - 2
    assert residue("双杠", "门前清") is None
