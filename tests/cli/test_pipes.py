"""Hands on standard input, completion of names in every shell, and the cache."""

import io
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from quepu.cli import run
from tests.cli.run import outside


def called(capsys, *args: str) -> tuple[int, str, str]:
    code = run(list(args))
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize("words", [[], ["-"]])
@pytest.mark.parametrize(
    ("command", "hand", "sentence"),
    [("score", "123m456p789sCCEE+E", "20 番"), ("waits", "123m456p789sCCEE", "听 2 种")],
)
def test_a_hand_comes_through_a_pipe(command, hand, sentence, words, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(f"# one hand\n\n{hand}  # this one\n"))
    code, out, err = called(capsys, command, *words, "-r", "guobiao")
    assert (code, err) == (0, "")
    assert sentence in out


def test_each_line_is_a_hand(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("123m456p789sCCEE+E\n12x\n123m456p789sCCEE+C\n"))
    code, out, err = called(capsys, "score", "-r", "guobiao", "-")
    assert code == 2
    assert out.count("可和") == 2
    assert "不认识“x”" in err
    assert "  12x\n    ^" in err


def test_several_hands_are_no_one_document(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("123m456p789sCCEE+E\n123m456p789sCCEE+C\n"))
    code, out, _ = called(capsys, "score", "--json")
    assert code == 2
    assert "--jsonl" in json.loads(out)["error"]


def test_nothing_on_standard_input_is_an_error(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert "请写一手牌" in called(capsys, "score")[2]


COMPLETED = [
    ("quepu fans 三连", "三连刻"),
    ("quepu fans three", "three"),
    ("quepu fans -c 花", "花色"),
    ("quepu books yu", "yuque-54"),
    ("quepu diff ling", "lingque-26"),
    ("quepu rules can", "canton"),
    ("quepu lab rarity canton -S clo", "closed"),
    ("quepu play -b pl", "plain"),
    ("quepu simulate -b gain,pl", "gain,plain"),
    ("quepu score -w 岭", "岭上开花"),
    ("quepu score -r guobiao -w LAST", "last tile draw"),
]


@pytest.mark.parametrize(("typed", "wanted"), COMPLETED)
def test_names_are_completed(typed, wanted, monkeypatch):
    from quepu.cli.completion import PowerShellComplete
    from quepu.cli.program import program

    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", typed.split()[-1])
    lines = PowerShellComplete(program(), {}, "quepu", "_QUEPU_COMPLETE").complete().splitlines()
    assert any(line.split("\t")[1].startswith(wanted) for line in lines), lines


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (["quepu", "fans", "-r", "guobiao", "full\\ f"], ["Full Flush"]),
        (["quepu", "fans", "-r", "guobiao", "Full"], ["Full Flush", "Fully Concealed Hand"]),
        (["quepu", "fans", "-r", "guobiao", '"Full F'], ['"Full Flush"']),
        (["quepu", "fans", "-r", "guobiao", "清一"], ["清一色"]),
        (["quepu", "score", "-r", "gu"], ["guobiao", "guobiao-mcr", "guobiao-mil-2025"]),
    ],
)
def test_bash_takes_a_completed_name_as_one_word(typed: list[str], words: list[str], tmp_path: Path) -> None:
    """Put into the line that was typed, each completion is one word; a quote that was begun is closed by readline."""
    program = tmp_path / "quepu"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m quepu "$@"\n', "utf-8")
    program.chmod(0o755)
    script = f"""
        source <({shlex.quote(str(program))} completion bash)
        COMP_WORDS=({" ".join(map(shlex.quote, typed))}) COMP_CWORD={len(typed) - 1}
        _quepu_completion {shlex.quote(str(program))}
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, env=environment, check=True)
    quoted = '"' if typed[-1].startswith('"') else ""
    lines = [f"{quoted}{line}{quoted}" for line in done.stdout.splitlines()]
    assert [shlex.split(line) for line in lines] == [[word.strip('"')] for word in words], done.stderr


def test_powershell_and_the_own_shell():
    assert "Register-ArgumentCompleter" in outside("completion", "powershell").out
    assert "#compdef quepu" in outside("completion", SHELL="/usr/bin/zsh").out
    unknown = outside("completion", SHELL="/usr/bin/tcsh")
    assert unknown.code == 2 and "powershell" in unknown.err
    env = {"_QUEPU_COMPLETE": "powershell_complete", "COMP_WORDS": "quepu books can", "COMP_CWORD": "can"}
    assert outside(**env).out.startswith("plain\tcanton")


def test_the_cache_is_shown_and_emptied(capsys, monkeypatch, tmp_path: Path):
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "a.bin").write_bytes(b"x" * 1_500_000)
    (tmp_path / "b.tables").write_bytes(b"x")
    code, out, _ = called(capsys, "cache", "--json")
    assert (code, json.loads(out)) == (0, {"path": str(tmp_path), "files": 2, "bytes": 1_500_001, "cleared": False})
    assert "house" in (shown := called(capsys, "cache")[1]) and "1.5 MB" in shown
    assert "2 个文件" in called(capsys, "cache", "--clear")[1]
    assert list(tmp_path.iterdir()) == []
    assert json.loads(called(capsys, "cache", "--json")[1])["files"] == 0


def test_without_the_extra_of_the_command_line_an_error_is_a_sentence_too(capsys, monkeypatch):
    """The library alone has the command `quepu`, and neither rich nor click."""
    monkeypatch.setitem(sys.modules, "rich.console", None)
    code, out, err = called(capsys, "score", "12x")
    assert (code, out, err) == (2, "", "错误：第 3 个字符：不认识“x”。\n  12x\n    ^\n")
