"""玉雀's tables for its readers, against what the book prints."""

from __future__ import annotations

import re

from quepu.hands.notation import parse
from quepu.hands.planes import TERMINALS
from quepu.rulebooks.yuque import YUQUE_54
from quepu.rulebooks.yuque.residues import entries, residue, stem
from quepu.rules.guide import Grid, Paragraph, Shown, find_section
from quepu.shapes.readings import readings
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


def test_zeros_may_be_left_out_of_an_announcement() -> None:
    sentences = [part.text for part in find_section(YUQUE_54, "announcing").parts if isinstance(part, Paragraph)]
    (text,) = (text for text in sentences if "可省略" in text.zh)
    assert "若为 0 则可省略" in text.zh
    assert text.en.endswith("(a 0 may be left out).")


def test_residues_stipulated_by_the_table_of_fans() -> None:
    """清一色 says “对 数同 的剩余数规定为 3/5”; nothing else is stipulated."""
    stipulated = set()
    for fan in YUQUE_54.fans:
        for first, left in re.findall(r"对 (\S+) 的剩余数规定为 (\d)/\d", fan.sentence):
            stipulated.add((first, stem(fan.name)))
            assert residue(first, fan.name) == int(left)
    assert stipulated == {("数同", "清一色")}
    assert stipulated == {pair for pair, (_, why) in entries().items() if "规定" in why.zh}


def test_reasons_speak_of_what_the_fans_say() -> None:
    """Pungs of one rank are not in a row, 幺九刻 is said of 幺九三刻 only, and two reasons follow from the tiles."""
    for (first, later), (d, why) in entries().items():
        if first in ("三色同刻", "二同刻", "双同刻"):
            assert "相连" not in why.zh
        if why.zh.startswith("三副幺九刻"):
            assert (first, later, d) == ("幺九三刻", "混带幺", 5 - 3)
    outer = [kind for kind in range(34) if kind >= 27 or kind % 9 in (0, 8)]
    for suit in range(3):  # terminals of the other two suits: four kinds, never five groups
        assert len([kind for kind in outer if kind < 27 and kind // 9 != suit]) == 4
    example = YUQUE_54.fan("清带幺").example
    assert example is not None
    for reading in readings(parse(example.hand), YUQUE_54.shapes, YUQUE_54.reads):
        if any(YUQUE_54.fans[row].name == "清带幺" for row, _ in YUQUE_54.detect(reading.h)):
            assert reading.h.pair & TERMINALS


def test_the_counts_of_wins_are_the_seeds_digits() -> None:
    """The seed's lines have lost what stood between their columns: put together again they are what it has."""
    (table,) = (grid for grid in grids("building") if "和牌次数" in grid.title.zh)
    assert ["".join(cell.zh for cell in row) for row in table.rows] == stated.WINS
    wins = [int(cell.zh) for cell in table.rows[0][1:4]]
    for row in table.rows[1:]:
        for cell, every in zip(row[1:4], wins, strict=True):
            assert cell.zh == "-" or int(cell.zh.strip("()")) < every / 250
    least = next(grid for grid in grids("building") if grid.title.zh == "第 54 版最低番数")
    measured = {row[0].zh: row[1].zh for row in least.rows}
    for row in table.rows[1:]:
        assert row[4].zh.strip("()") in (measured.get(row[0].zh), "-")


def test_the_comparison_with_other_rules_is_the_books() -> None:
    (table,) = (grid for grid in grids("building") if grid.title.zh.startswith("与国标"))
    assert [row[0].zh for row in table.rows] == list(stated.COMPARISON)
    for row in table.rows:
        fan, points = re.fullmatch(r"(\d+) \((\d+)\)", row[4].zh).groups()  # type: ignore[union-attr]
        assert int(points) == int(fan) ** 2
        numbers = [sorted(re.findall(r"[\d.]+", cell.zh)) for cell in row[1:]]
        printed = list(stated.COMPARISON[row[0].zh])
        if row[0].zh == "混幺九":
            assert (printed.pop(), numbers.pop()) == (["17", "289"], ["16", "256"])  # ruling yuque-25
        assert numbers == printed
