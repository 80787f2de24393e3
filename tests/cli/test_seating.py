"""`quepu seating` as an organiser types it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from quepu.cli import run


def test_a_list_of_names_with_teams_becomes_rounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    players = tmp_path / "players.csv"
    rows = [
        f"{name},{team}"
        for team, four in (("红", "甲乙丙丁"), ("蓝", "戊己庚辛"), ("绿", "壬癸子丑"), ("白", "寅卯辰巳"))
        for name in four
    ]
    players.write_text("\n".join(rows) + "\n\n", encoding="utf-8-sig")
    assert run(["seating", str(players), "-n", "3", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["quality"]["repeats"] == made["quality"]["met_teammates"] == 0
    assert sorted(name for table in made["rounds"][2]["tables"] for name in table) == sorted(
        "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳"
    )
    assert run(["seating", str(players), "-n", "3"]) == 0
    out = capsys.readouterr().out
    assert "第 3 轮" in out
    assert "没有人重复同桌" in out


@pytest.mark.parametrize("line", ["{};{}", "{}\t{}", "{}，{}", '"{}",{}'])
def test_a_list_of_names_as_spreadsheets_write_it(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players = tmp_path / "players.csv"
    players.write_text("\n".join(line.format(f"p{at}", f"t{at % 4}") for at in range(16)), encoding="utf-8")
    assert run(["seating", str(players), "-n", "1", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert {name for table in made["rounds"][0]["tables"] for name in table} == {f"p{at}" for at in range(16)}
    assert made["quality"]["met_teammates"] == 0


def test_numbers_as_csv_and_who_rests(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["seating", "13", "-n", "2", "--csv", "-", "--absent", "13:2"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["round"] for row in rows] == ["1"] * 4 + ["2"] * 3
    second = {row[wind] for row in rows if row["round"] == "2" for wind in ("east", "south", "west", "north")}
    assert second == {str(i) for i in range(1, 13)}


def test_absences_of_one_player_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["seating", "9", "-n", "3", "--csv", "-", "--absent", "1:1", "--absent", "1:2"]) == 0
    apart = capsys.readouterr().out
    assert run(["seating", "9", "-n", "3", "--csv", "-", "--absent", "1:1,2"]) == 0
    assert apart == capsys.readouterr().out
    rows = csv.DictReader(io.StringIO(apart))
    assert {row["round"] for row in rows if "1" in (row["east"], row["south"], row["west"], row["north"])} == {"3"}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["nobody.txt"], "读不了 nobody.txt"),
        (["3"], "4 到 400"),
        (["13", "--absent", "3:x"], "名字:轮次"),
        (["13", "--absent", "14:1"], "名单里没有"),
        (["13", "--absent", "1:5"], "要排的是第 1 到 4 轮，1 缺席的第 5 轮不在其中"),
        (["13", "--absent", "1:2,0"], "1 缺席的第 0 轮不在其中"),
    ],
)
def test_what_cannot_be_is_one_sentence(args: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["seating", *args]) == 2
    assert words in capsys.readouterr().err
