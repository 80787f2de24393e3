"""The study of a book's values: made from today's data, and its seats add up whoever plays the parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from quepu.arena.seat_value import SeatSums, load_seats, play_seats, seats_part
from quepu.arena.simulate import PlanError
from quepu.arena.study import study, wilson
from quepu.cli import run
from quepu.rulebooks import book

LAB = Path(__file__).parents[2] / "docs" / "guide" / "lab.md"
STATED = {
    "灵雀 29": ("lingque-29",),
    "玉雀": ("yuque-54",),
    "国标（原文、平台通行、2025）": ("guobiao", "guobiao-mcr", "guobiao-mil-2025"),
    "广东": ("canton",),
}
"""The books of each row of the document's table of verdicts."""


@pytest.mark.parametrize(
    ("row", "name"),
    [
        pytest.param(row, name, marks=pytest.mark.long if name == "yuque-54" else pytest.mark.slow)
        for row, names in STATED.items()
        for name in names
    ],
)
def test_the_verdicts_in_the_documents_are_of_todays_books_and_wins(row: str, name: str) -> None:
    lines = [line.split("|") for line in LAB.read_text("utf-8").splitlines() if line.startswith(f"| {row} |")]
    (cells,) = [line[2:-1] for line in lines if len(line) == 5]
    stated = [{fan for fan in cell.strip().split("、") if fan != "–"} for cell in cells]
    (table,) = [one for one in study(book(name)).data["tables"] if one["table"] == "verdicts"]
    assert [set(table["facts"][verdict]) for verdict in ("overpaid", "underpaid")] == stated


@pytest.mark.long
def test_a_verdict_is_agreed_where_every_source_has_it() -> None:
    (table,) = [one for one in study(book("guobiao-mcr")).data["tables"] if one["table"] == "verdicts"]
    keys = ("exact_verdict", "bots_verdict", "like_people_verdict", "people_verdict")
    for row in table["rows"]:
        there = [row[key] for key in keys if row[key] is not None]
        agreed = len(set(there)) == 1 and len(there) > 1 and there[0] != "fair"
        assert row["agreed"] == (there[0] if agreed else ""), row["fan"]
        if row["bots"] is not None:
            assert row["low"] < row["bots"] < row["high"]
    assert any(row["people"] is not None for row in table["rows"])


def test_the_interval_of_a_share_is_wilsons() -> None:
    low, high = wilson(10, 100)  # as in the literature: 5.52% to 17.44%
    assert (round(low, 4), round(high, 4)) == (0.0552, 0.1744)
    assert wilson(0, 50)[0] == 0
    assert wilson(50, 50)[1] == 1


def test_seats_go_on_from_a_file_and_parts_add_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "seats.json"
    play_seats("guobiao-mcr", "plain", 2, 7, file)
    whole = play_seats("guobiao-mcr", "plain", 5, 7, file).sums
    sums = SeatSums()
    for first, last in ((0, 3), (3, 5)):
        sums.add(seats_part("guobiao-mcr", "plain", 7, first, last))
    assert whole == sums
    assert (whole.hands, sum(seat[3] for seat in whole.seats)) == (5, 0)
    assert sum(seat[0] for seat in whole.seats) == whole.hands - whole.drawn
    assert (found := load_seats(file)) is not None
    assert found.sums == whole
    with pytest.raises(PlanError):
        play_seats("guobiao-mcr", "plain", 9, 8, file)
    assert (
        run(
            [
                "lab",
                "seats",
                "guobiao-mcr",
                "-b",
                "plain",
                "-n",
                "5",
                "--seed",
                "7",
                "--jobs",
                "1",
                "--resume",
                str(file),
            ]
        )
        == 0
    )
    assert "5 局" in capsys.readouterr().out
    file.write_text("{}")
    assert run(["lab", "seats", "guobiao-mcr", "--resume", str(file)]) == 2
