"""A scorekeeper file that another process writes meanwhile: no record is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from quepu.cli.files import alone, write_whole
from quepu.cli.scorekeeper import Scorekeeper
from quepu.errors import HandError
from quepu.scorekeeper.roster import AddPlayer, RosterEdit, RosterFile, id_of
from tests.cli.typed import run

PROGRAM = [sys.executable, "-m", "quepu"]


def run_to_end(*words: str) -> int:
    return subprocess.run([*PROGRAM, *words], stdout=subprocess.DEVNULL, timeout=300, check=False).returncode


def records(path: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(path.read_text(encoding="utf-8"))["records"]
    return found


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "m.json"
    assert run(monkeypatch, "和 甲 乙 30\n", "match", str(path)) == 0
    return path


def test_a_line_after_a_change_of_the_file_is_refused_once_and_the_change_stays(table: Path) -> None:
    one, other = Scorekeeper.open(table), Scorekeeper.open(table)
    one.answer("和 丙 丁 50")
    with pytest.raises(HandError, match=r"m\.json 在别处改过.*这一行没有记下"):
        other.answer("和 乙 甲 60")
    assert [record["points"] for record in records(table)] == [30, 50]
    other.answer("和 乙 甲 60")
    assert [record["points"] for record in records(table)] == [30, 50, 60]
    with pytest.raises(HandError, match="没有记下"):
        one.answer("撤")
    one.answer("撤")
    assert [record["points"] for record in records(table)] == [30, 50]


def test_a_hand_that_another_enters_is_not_ended_here(table: Path) -> None:
    one, other = Scorekeeper.open(table), Scorekeeper.open(table)
    for line in ("局", "5m"):
        one.answer(line)
    for line in ("局", "和 乙 甲 60", "改名 甲 己", "再来"):
        if other.unfinished is None:
            with pytest.raises(HandError, match="没有记下"):
                other.answer(line)
    assert json.loads(table.read_text(encoding="utf-8"))["unfinished"]
    assert other.unfinished == one.unfinished


def test_who_only_leaves_is_not_held_up_and_a_file_taken_away_is_written_again(table: Path) -> None:
    one, other = Scorekeeper.open(table), Scorekeeper.open(table)
    one.answer("和 丙 丁 50")
    other.answer("q")
    assert other.over
    table.unlink()
    one.answer("流局")
    assert len(records(table)) == 3


def test_what_is_no_table_any_more_is_left_as_it_is(table: Path) -> None:
    one = Scorekeeper.open(table)
    table.write_text("notes", encoding="utf-8")
    with pytest.raises(HandError, match="不是记分文件"):
        one.answer("流局")
    assert table.read_text(encoding="utf-8") == "notes"


def test_two_who_begin_one_file_write_one_table(tmp_path: Path) -> None:
    path = tmp_path / "new.json"
    lines = ["和 甲 乙 30", "和 丙 丁 50", "流局", "和 丁 甲 20", "自摸 乙 16", "和 甲 丙 44"]
    made = [
        subprocess.Popen(
            [*PROGRAM, "match", str(path)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        for _ in lines
    ]
    printed = [one.communicate(f"{line}\n".encode(), timeout=120)[1] for one, line in zip(made, lines, strict=True)]
    refused = [why.decode() for why, one in zip(printed, made, strict=True) if one.returncode]
    assert len(records(path)) + len(refused) == len(lines)
    assert len(refused) < len(lines)
    assert all("在别处改过" in why for why in refused)
    assert [one.name for one in tmp_path.iterdir()] == ["new.json"]


def test_a_change_of_a_roster_waits_for_another(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    with alone(path):
        other = subprocess.Popen([*PROGRAM, "roster", str(path), "add", "甲"], stdout=subprocess.DEVNULL)
        with pytest.raises(subprocess.TimeoutExpired):
            other.wait(3)
        assert run_to_end("roster", str(tmp_path / "another.json"), "add", "丙") == 0
        change = RosterEdit(key="k", record=AddPlayer(id=id_of("乙"), name="乙"))
        write_whole(path, RosterFile(quepu="roster", changes=[change]))
    assert other.wait(60) == 0
    changes = json.loads(path.read_text(encoding="utf-8"))["changes"]
    assert [one["record"]["name"] for one in changes] == ["乙", "甲"]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["another.json", "r.json"]


def test_a_lock_is_freed_where_its_holder_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    code = f"""
import pathlib, time
from quepu.cli.files import alone
with alone(pathlib.Path({str(path)!r})):
    print(flush=True)
    time.sleep(60)
"""
    holder = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    holder.stdout.readline()
    holder.kill()
    holder.wait()
    assert run_to_end("roster", str(path), "add", "甲") == 0
    assert [one.name for one in tmp_path.iterdir()] == ["r.json"]


def test_a_link_to_a_file_is_that_file(tmp_path: Path) -> None:
    file, link = tmp_path / "season.json", tmp_path / "here" / "link.json"
    file.write_text("{}", encoding="utf-8")
    link.parent.mkdir()
    try:
        link.symlink_to(file)
    except OSError:
        pytest.skip("links cannot be made here")
    write_whole(link, RosterFile(quepu="roster"))
    assert link.is_symlink() and json.loads(file.read_text(encoding="utf-8"))["quepu"] == "roster"
    with alone(link):
        assert [one.name for one in tmp_path.iterdir() if one.name.endswith(".lock")] == [".season.json.lock"]
