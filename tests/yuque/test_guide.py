"""玉雀's tables for its readers, against what the book prints."""

from __future__ import annotations

import re

from quepu.rulebooks.yuque import YUQUE_54
from quepu.rulebooks.yuque.residues import entries
from quepu.rules.guide import Grid, Shown, find_section
from tests.yuque import stated


def grids(key: str) -> list[Grid]:
    return [part for part in find_section(YUQUE_54, key).parts if isinstance(part, Grid)]


def test_the_summary_is_the_books_row_by_row() -> None:
    (table,) = grids("summary")
    shown = {}
    for row in table.rows:
        text = "、".join(cell.zh for cell in row[1:] if cell.zh)
        shown[int(row[0].zh)] = set(re.split("[、；]", re.sub(r"[-\d()]+ ", "", text)))
    printed = {value: f"{names} {stated.LESS.get(value, '')}".split() for value, names in stated.SUMMARY.items()}
    assert shown == {value: set(names) for value, names in printed.items()}
    cells = " ".join(cell.zh for row in table.rows for cell in row)
    assert "15-2(12-2) 清一色:萬、清一色:筒；15-2(13-2) 清一色:索" in cells
    assert "7(5) 混带幺" in cells
    assert "9-2(7-2) 混一色:萬" in cells


def test_every_entry_of_the_matrix_can_be_looked_up_with_its_reason() -> None:
    by_first, reasons = grids("residues")
    looked_up = {
        (row[0].zh, name): int(d)
        for row in by_first.rows
        for name, d in (re.fullmatch(r"(\S+) (\d)/\d", one).groups() for one in row[1].zh.split("、"))  # type: ignore[union-attr]
    }
    assert looked_up == {pair: d for pair, (d, _) in entries().items()}
    listed = {
        tuple(re.fullmatch(r"(\S+) → (\S+) \d/\d", one).groups())  # type: ignore[union-attr]
        for row in reasons.rows
        for one in row[1].zh.split("、")
    }
    assert listed == set(entries())


def test_the_columns_of_tables_one_and_two() -> None:
    first, second = grids("fans")
    assert len(first.rows) + len(second.rows) == stated.ROWS
    assert len(second.rows) == sum(stated.BY_PRIORITY.values())
    rows = {row[1].zh: tuple(cell.zh for cell in row) for row in (*first.rows, *second.rows)}
    assert rows["混带幺"] == ("3.2.4", "混带幺", "7(5)", "5", "5")
    assert rows["门前清"] == ("8", "门前清", "2", "4", "1")


def test_the_sticks_add_up() -> None:
    (table,) = grids("sticks")
    assert [cell.zh for cell in table.rows[-1]] == ["总计", "", "5980", "29920", "53840"]
    assert table.rows[9][4].zh == "24×1000 = 24000"


def test_what_the_book_prints_is_a_square_and_stands_in_it() -> None:
    printed = [part.printed.zh for part in find_section(YUQUE_54, "examples").parts if isinstance(part, Shown)]
    found = [re.search(r"(\d+) 番 (\d+) 点", one) for one in printed]
    assert sum(map(bool, found)) > 50
    assert all(int(one[1]) ** 2 == int(one[2]) for one in found if one)
    other = {one for one in printed if one.startswith("书上")}
    # 释疑 1: 混幺九 17 番(289), 混一色 … 有番牌刻子就有 8 番(64); of the ways to build a hand there are 番 alone
    assert {one for one in other if "点" in one} == {"书上作 17 番 289 点。", "书上作 8 番 64 点。"}
    assert {one for one in other if "点" not in one} == {f"书上作 {n} 番。" for n in (7, 8, 10, 12)}
