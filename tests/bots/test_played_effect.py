"""A draft and its old book on the same walls: nothing changes where nothing is changed, and runs go on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from quepu.arena.played_effect import Duel, PlayedSums, play_duel
from quepu.arena.simulate import PlanError
from quepu.arena.work_parts import missing
from quepu.cli import run

FOUR = ("random",) * 4


def numbers(sums: PlayedSums) -> object:
    return sums.walls, sums.sums, [dict(one) for one in sums.fans]


def test_a_book_against_itself_is_no_different(tmp_path: Path) -> None:
    sums = play_duel(Duel("canton", "canton", ("plain",) * 4, 3))
    assert sums.walls == 3
    assert all(row[3] == 0 and row[4] == 0 for row in sums.rows())
    assert sums.sums["draws"][0] > 0
    assert sums.fans[0] == sums.fans[1]


def test_a_run_that_was_cut_short_goes_on(tmp_path: Path) -> None:
    file, whole = tmp_path / "duel.json", Duel("canton", "canton", FOUR, 50)
    play_duel(Duel("canton", "canton", FOUR, 25), file=file)
    assert json.loads(file.read_text("utf-8"))["sum"]["walls"] == 25
    assert numbers(play_duel(whole, file=file)) == numbers(play_duel(whole))
    with pytest.raises(PlanError):
        play_duel(Duel("canton", "canton", FOUR, 25, seed=2), file=file)
    file.write_text("{}", "utf-8")
    with pytest.raises(PlanError):
        play_duel(whole, file=file)


@pytest.mark.parametrize(
    ("command", "part"),
    [
        (["duel", "canton", "canton", "-b", "random,random,random,random"], 20),
        (["duel", "canton", "canton", "-b", "steps,random,random,random"], 4),
        (["seats", "canton", "-b", "steps"], 4),
        (["seats", "canton", "-b", "random"], 20),
    ],
)
def test_what_was_played_before_ctrl_c_is_printed(
    command: list[str], part: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    @contextmanager
    def stopping(_total: int) -> Iterator[Callable[[int], None]]:
        def advance(done: int) -> None:
            raise KeyboardInterrupt

        yield advance

    whole = ["lab", *command, "--json", "-n"]
    assert run([*whole, str(part)]) == 0
    played = json.loads(capsys.readouterr().out)
    monkeypatch.setattr("quepu.cli.screen.meter", stopping)
    file = tmp_path / "record.json"
    assert run([*whole, "60", "--resume", str(file)]) == 1
    cut = json.loads(capsys.readouterr().out)
    first, begun = (found[0] if isinstance(found, list) else found for found in (played, cut))
    assert begun["partial"] and not first["partial"] and begun["rows"] == first["rows"]
    monkeypatch.undo()
    assert run([*whole, str(part), "--resume", str(file)]) == 0
    assert json.loads(capsys.readouterr().out) == played


def test_no_wall_is_played_twice() -> None:
    for walls, done in ((65, [[0, 20], [40, 50]]), (10, [[0, 30]]), (45, []), (30, [[20, 30]])):
        parts = [*missing(walls, done, 20)]
        played = [at for first, last in [*done, *parts] for at in range(first, last)]
        assert len(played) == len(set(played))
        assert set(range(walls)) <= set(played)
        assert all(last <= walls for _, last in parts)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = tmp_path / "house.toml"
    house.write_text('base = "guobiao-mcr"\nminimum = 0\n', "utf-8")
    assert run(["lab", "duel", "guobiao-mcr", str(house), "-b", "random,random,random,random", "-n", "2"]) == 0
    assert "放铳" in capsys.readouterr().out
