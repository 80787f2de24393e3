"""A game in the terminal: played, left, gone on with, verified, replayed; and logs that were tampered with."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from quepu.arena.counts import PlayerStats
from quepu.bots import make_bot
from quepu.cli.files import hold
from tests.cli.typed import run
from tests.guides import followed
from tests.match.log_data import game as short_game
from tests.match.log_data import sealed_lines


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game left in the middle of its first hand."""
    log = tmp_path / "game.jsonl"
    assert run(monkeypatch, "\n" * 5 + "q\n", "play", "--seed", "5", "--log", str(log)) == 0
    return log


def test_a_game_left_is_gone_on_with_to_its_end(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = game.read_text(encoding="utf-8")
    assert '"end"' not in before
    assert run(monkeypatch, "\n" * 400, "play", "--resume", "--log", str(game)) == 0
    after = game.read_text(encoding="utf-8")
    assert after.startswith(before)
    assert '"end"' in after
    assert "终局" in capsys.readouterr().out
    assert run(monkeypatch, "", "verify", str(game)) == 0
    assert "牌谱无误" in capsys.readouterr().out
    assert run(monkeypatch, "", "replay", str(game)) == 0
    printed = capsys.readouterr().out
    assert "第 1 局 东 1 局" in printed
    assert "→" in printed
    assert run(monkeypatch, "", "replay", str(game), "--seat", "南") == 0
    one = capsys.readouterr().out
    assert "南家摸" in one
    assert not re.search("[东西北]家(摸|配牌)[^牌]", one.replace("摸切", ""))
    assert len(one.splitlines()) < len(printed.splitlines())
    assert run(monkeypatch, "", "replay", str(game), "--seat", "Q") == 2


def test_a_game_is_played_in_one_window_alone(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = game.read_text(encoding="utf-8")
    with game.open("a", encoding="utf-8") as window:
        hold(window, game)
        assert run(monkeypatch, "\n" * 400, "play", "--resume", "--log", str(game)) == 2
        assert "正在别的窗口里使用" in capsys.readouterr().err
        assert run(monkeypatch, "", "replay", str(game)) == 0  # anybody may look
    assert game.read_text(encoding="utf-8") == before
    assert run(monkeypatch, "q\n", "play", "--resume", "--log", str(game)) == 0
    nothing = game.with_name("nothing.jsonl")
    assert run(monkeypatch, "", "play", "--resume", "--log", str(nothing)) == 2
    assert not nothing.exists()


def test_a_game_gone_on_with_has_the_same_players_and_prints_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "game.jsonl"
    assert run(monkeypatch, "\n" * 5 + "q\n", "play", "--seed", "5", "--bots", "random", "--log", str(log)) == 0
    printed = capsys.readouterr().out.splitlines()
    assert any(re.fullmatch("骰子( [1-6]){4}：从[东南西北]家面前右起第 [0-9]+ 墩开始拿牌。", line) for line in printed)
    printed = [line for line in printed if "家打" in line]
    made: list[str] = []
    monkeypatch.setattr("quepu.bots.make_bot", lambda level, seed: (made.append(level), make_bot(level, seed))[1])
    assert run(monkeypatch, "q\n", "play", "--resume", "--log", str(log)) == 0
    assert made == ["random"] * 3
    assert printed[0] not in capsys.readouterr().out.splitlines()
    assert run(monkeypatch, "", "play", "--bots", "nobody", "--log", str(tmp_path / "none.jsonl")) == 2
    assert not (tmp_path / "none.jsonl").exists()


@pytest.mark.parametrize("name", [None, "game.jsonl", "二 局.jsonl"])
def test_the_command_that_goes_on_is_printed_and_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str | None
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    named = ["--log", str(tmp_path / name)] if name else []
    assert run(monkeypatch, "\n" * 5 + "q\n", "play", "--seed", "5", *named) == 0
    for _ in range(2):
        found = re.search("用 quepu (.*) 继续", capsys.readouterr().err)
        assert found
        assert run(monkeypatch, "q\n", *shlex.split(found[1])) == 0


def test_a_log_cut_in_the_middle_of_a_line_is_gone_on_with(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game.write_text(game.read_text(encoding="utf-8")[:-17], encoding="utf-8")
    assert run(monkeypatch, "\n\nq\n", "play", "--resume", "--log", str(game)) == 0
    assert run(monkeypatch, "", "verify", str(game)) == 0


def test_a_changed_log_is_refused_with_its_line(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = game.read_text(encoding="utf-8").splitlines()
    for number, changed in (
        (6, re.sub(r"[1-9][mps]", "E", lines[5], count=1)),
        (9, lines[9]),
        (1, lines[0].replace('"rounds":1', '"rounds":2')),
    ):
        written = [*lines[: number - 1], changed, *lines[number:]]
        game.write_text("\n".join(written) + "\n", encoding="utf-8")
        assert run(monkeypatch, "", "verify", str(game)) == 2
        assert f"第 {number} 行" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "sentence"), [("zz\nq\n", "没看懂"), ("1s\nq\n", "不能打"), ("h\nq\n", "没看懂"), ("?\nq\n", "打牌：")]
)
def test_what_is_mistyped_gets_a_sentence_and_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str, sentence: str
) -> None:
    log = tmp_path / "game.jsonl"
    assert run(monkeypatch, typed, "play", "--seed", "5", "--log", str(log)) == 0
    printed = capsys.readouterr()
    assert sentence in printed.out + printed.err


def test_a_book_without_a_table_is_refused_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "game.jsonl"
    with followed():
        assert run(monkeypatch, "", "play", "-r", "tuidao", "--log", str(log)) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert printed.err == "错误：推倒胡没有行牌规则。\n"
    assert not log.exists()


def test_nothing_hidden_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, "\n" * 20 + "q\n", "play", "--seed", "9", "--log", str(tmp_path / "g.jsonl"))
    printed = capsys.readouterr().out
    assert "家摸" not in printed.replace("东家摸", "")  # the own draws at most
    assert "配牌" not in printed


def test_a_missing_or_strange_file_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    strange = tmp_path / "strange.jsonl"
    for content in (b"", b"hello\n", b"\xff\xfe\x00", b'{"log":1}\n'):
        strange.write_bytes(content)
        for command in ("verify", "replay"):
            assert run(monkeypatch, "", command, str(strange)) == 2
            assert capsys.readouterr().err.startswith("错误")
    assert run(monkeypatch, "", "verify", str(tmp_path / "none")) == 2


def test_fans_of_unknown_rules_are_shown_as_the_log_names_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    header, *rest = short_game()
    log, told = tmp_path / "log.jsonl", {}
    for rules in (header["rules"], "ours"):
        log.write_text("\n".join(sealed_lines([{**header, "rules": rules}, *rest])) + "\n", encoding="utf-8")
        assert run(monkeypatch, "", "--lang", "en", "replay", str(log)) == 0
        told[rules] = capsys.readouterr().out
    said = "(as the log names them: its rulebook is not known here)"
    assert said in told["ours"]
    assert said not in told[header["rules"]]


def test_simulate_counts_the_same_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "sim.csv"
    args = ("simulate", "-b", "plain,random,plain,random", "-n", "6", "--json", "--csv", str(sheet))
    assert run(monkeypatch, "", *args) == 0
    first = capsys.readouterr().out
    assert run(monkeypatch, "", *args, "--jobs", "2") == 0
    assert capsys.readouterr().out == first
    assert sheet.read_text(encoding="utf-8").startswith("level,hands,wins")
    assert run(monkeypatch, "", "simulate", "-b", "plain,plain", "-n", "6") == 2
    assert run(monkeypatch, "", "simulate", "-b", "best,plain,plain,plain") == 2
    assert run(monkeypatch, "", "simulate", "-n", "0") == 2


def test_a_simulation_is_shown_with_its_errors_and_fans_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def shown(*more: str) -> str:
        assert run(monkeypatch, "", "simulate", "-b", "plain,plain,plain,plain", *more) == 0
        return capsys.readouterr().out

    table = " ".join(shown("--lang", "en", "-n", "12", "-r", "lingque-29").split())
    assert "standard error" in table and "net per hand" in table
    fans = table.partition("common fans: ")[2]
    assert fans and all(len(one.split(" ")) > 2 for one in fans.split(", "))  # 平和 peace hand 12.5%
    assert " ± " in shown("-n", "2") and "± 标准误" in shown("-n", "2")
    one = shown("-n", "1", "-r", "guobiao-mcr", "-b", "random,random,random,random")
    assert " ± " not in one.replace("± 标准误", "") and "常见番种" not in one


def test_the_standard_error_is_that_of_a_sample() -> None:
    player = PlayerStats(hands=2, net=2, squares=10)  # 3 and -1
    assert player.to_json()["net_se"] == pytest.approx(2)
    assert PlayerStats(hands=1, net=3, squares=9).to_json()["net_se"] is None


def test_a_table_may_have_flowers_whatever_its_book_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "flowers.jsonl"
    assert run(monkeypatch, "\n\nq\n", "play", "--seed", "3", "--flowers", "--log", str(log)) == 0
    assert "补花" in capsys.readouterr().out
    assert run(monkeypatch, "\n" * 400, "play", "--resume", "--log", str(log)) == 0
    walls = [line for line in log.read_text(encoding="utf-8").splitlines() if '"wall"' in line]
    assert len(walls) >= 4
    assert all("梅" in wall for wall in walls)
    assert run(monkeypatch, "", "verify", str(log)) == 0
    plain = tmp_path / "plain.jsonl"
    assert run(monkeypatch, "q\n", "play", "-r", "guobiao", "--seed", "3", "--no-flowers", "--log", str(plain)) == 0
    assert "梅" not in plain.read_text(encoding="utf-8")
    house = tmp_path / "house.toml"
    house.write_text('base = "lingque-29"\n[table]\nflowers = true\n', encoding="utf-8")
    assert run(monkeypatch, "q\n", "play", "-r", str(house), "--seed", "3", "--log", str(tmp_path / "h.jsonl")) == 0
    assert "梅" in (tmp_path / "h.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(("rules", "named"), [("lingque", False), ("yuque", False), ("guobiao", True)])
def test_the_board_names_the_round_wind_where_a_book_has_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], rules: str, named: bool
) -> None:
    assert run(monkeypatch, "q\n", "play", "-r", rules, "--seed", "5", "--log", str(tmp_path / "game.jsonl")) == 0
    out = capsys.readouterr().out
    assert re.search("── .*余 [0-9]+ 张 ──", out)
    assert ("东圈" in out) == named


def test_a_game_with_own_walls_is_left_and_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "own.jsonl"
    options = ("--seed", "5", "--own-walls", "--rules", "guobiao-mcr", "--log", str(log))
    assert run(monkeypatch, "\n" * 3 + "q\n", "play", *options) == 0
    printed = capsys.readouterr().out
    assert "四家各摸自己的 36 张牌墙" in printed
    assert "（东 " in printed
    assert run(monkeypatch, "\n" * 400, "play", "--resume", "--log", str(log)) == 0
    assert '"walls":"own"' in log.read_text(encoding="utf-8")
    assert run(monkeypatch, "", "verify", str(log)) == 0
    assert "牌谱无误" in capsys.readouterr().out
