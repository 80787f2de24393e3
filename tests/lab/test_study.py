"""The study of a book's values: made from today's data, and its seats add up whoever plays the parts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quepu.arena.seat_value import SeatSums, play_seats, seats_part, stored_seats
from quepu.arena.simulate import PlanError
from quepu.arena.study import inputs, study, wilson
from quepu.cli import run
from quepu.rulebooks import book

FOLDER = Path(__file__).parents[2] / "docs" / "study"
STORED = sorted(path.stem for path in FOLDER.glob("*.json"))


def test_the_studies_stored_are_of_todays_books_and_wins() -> None:
    assert {"lingque-29", "yuque-54", "guobiao-mcr", "canton"} <= set(STORED)
    for name in STORED:
        data = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
        assert data["inputs"] == inputs(book(name)), f"run: quepu lab study {name} -o docs/study"
        assert data["inputs"] in (FOLDER / f"{name}.html").read_text("utf-8")


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.long if one == "yuque-54" else pytest.mark.slow) for one in STORED]
)
def test_a_study_made_again_has_the_same_tables(name: str) -> None:
    made, stored = study(book(name)).data, json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    assert [table["table"] for table in made["tables"]] == [table["table"] for table in stored["tables"]]
    for mine, before in zip(made["tables"], stored["tables"], strict=True):
        assert len(mine["rows"]) == len(before["rows"])
        for a, b in zip(_compared(mine["rows"]), _compared(before["rows"]), strict=True):
            assert a == pytest.approx(b, rel=1e-4, abs=1e-9) if all(map(_number, b.values())) else _near(a, b)


def _compared(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """Rows without the hand that stands for a class: the first that was met, by loop or on arrays."""
    return [{key: value for key, value in row.items() if key != "example"} for row in rows]


def _number(one: object) -> bool:
    return isinstance(one, int | float)


def _near(a: dict[str, object], b: dict[str, object]) -> bool:
    return a.keys() == b.keys() and all(
        a[key] == (pytest.approx(value, rel=1e-4, abs=1e-9) if isinstance(value, float) else value)
        for key, value in b.items()
    )


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
    low, high = wilson(10, 100)  # as in the literature: 5.52 % to 17.44 %
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
    assert (found := stored_seats(file)) is not None
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
