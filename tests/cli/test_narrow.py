"""Narrow screens: tables fold, none is wider than the screen, and nothing of them is lost."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from quepu.cli.screen import table
from tests.cli.run import HAND

COMMANDS = [
    ["books"],
    ["books", "canton"],
    ["simulate", "-n", "2", "-b", "plain,plain,plain,plain", "--jobs", "1"],
    ["points-table", "yuque"],
    ["rules", "yuque", "faults"],
    ["rules", "lingque"],
    ["fans"],
    ["fans", "-r", "yuque"],
    ["fans", "三连刻"],
    ["seating", "9", "--rounds", "4"],
    ["score", HAND],
    ["waits", "123m456p789sCCEE"],
    ["diff", "lingque-26", "lingque-29", "111122223333m4m+4m"],
]


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("width", [40, 60])
@pytest.mark.parametrize("args", COMMANDS, ids=" ".join)
def test_no_line_is_wider_than_the_screen(
    quepu: Any, monkeypatch: pytest.MonkeyPatch, args: list[str], width: int, lang: str
) -> None:
    wide = quepu(*args, "--lang", lang)
    monkeypatch.setenv("COLUMNS", str(width))
    narrow = quepu(*args, "--lang", lang)
    assert (narrow.code, narrow.err) == (0, wide.err)
    assert [line for line in narrow.out.splitlines() if cell_len(line) > width] == []
    assert set(re.findall(r"\b\d{1,6}\b", wide.out)) <= set(re.findall(r"\b\d{1,6}\b", narrow.out)), (
        "every number is still there"
    )


def test_the_hands_of_a_match_fold(quepu: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.stdin", io.StringIO("和 甲 乙 48\n自摸 丙 30\n表\n"))
    shown = quepu("match", "m.json").out
    rows = shown[shown.rindex("# 1\n") :].splitlines()
    assert any("合计" in line for line in rows)
    assert max(map(cell_len, rows)) <= 40


def test_a_table_gives_way_step_by_step() -> None:
    grid = table(["番种", "自摸各家失", "points of a win"], right=[1, 2])
    grid.add_row("三连刻", "12", "345")
    grid.add_row("一条龙", "7", "1000000")

    def lines(width: int) -> list[str]:
        return [line.plain.rstrip() for line in grid.lines(width)]

    assert lines(40)[0] == "番种     自摸各家失   points of a win"
    assert lines(30)[:3] == ["番种      自摸各家   points of", "                失       a win", "─" * 30]
    assert lines(24)[-2:] == ["三连刻       12      345", "一条龙        7  1000000"]
    for width in range(16, 40):
        assert max(map(cell_len, lines(width))) <= width, width
    assert lines(20) == [
        "三连刻",
        "  自摸各家失 12",
        "  points of a win",
        "  345",
        "一条龙",
        "  自摸各家失 7",
        "  points of a win",
        "  1000000",
    ]
