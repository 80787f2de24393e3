"""The matrix d(a, b): the book's own figures and its shape."""

from __future__ import annotations

from quepu.rulebooks.yuque import YUQUE_54
from quepu.rulebooks.yuque.residues import FAMILIES, entries, reason, residue, stem


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
                first, then = stems[a].extra, stems[b].extra
                assert 0 <= d < then["groups"]
                assert first["priority"] <= then["priority"]
                assert reason(a, b) == family.why
    assert seen == set(entries())
    assert len(seen) == 146


def test_ties_move_together():
    """双龙会 123456p 234567s goes to 234567m 234567s in one change: the example of the seed."""
    assert residue("双龙会", "镜同") == 1
    assert residue("双龙会", "二相逢") == 1
