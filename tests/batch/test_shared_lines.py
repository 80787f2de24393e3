"""Lines on several processes are the lines of one, in order, bad ones and all."""

from __future__ import annotations

from pathlib import Path

import pytest

from quepu.cli import run
from quepu.exchange import score_lines
from quepu.rulebooks import book
from quepu.shared_lines import CHUNK, shared_lines

GOOD = '{"hand": "123m456p789sEEE5m+5m", "self_draw": true}'
LINES = [GOOD, "", "11123456789991m+1m", '{"hand": 5}', "{", "12x"] * CHUNK


def test_the_same_lines_in_the_same_order() -> None:
    rules = book("lingque-29")
    assert list(shared_lines(LINES, rules, jobs=2)) == list(score_lines(LINES, rules))


def test_a_house_rule_reaches_every_process() -> None:
    rules = book("lingque-29").having(minimum=99)
    answers = list(shared_lines([GOOD] * (CHUNK + 1), rules, jobs=2))
    assert len(answers) == CHUNK + 1
    assert all('"minimum": 99' in answer for answer in answers)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_text("\n".join(LINES[:600]), "utf-8")
    assert run(["score", "--jsonl", str(path), "--jobs", "2"]) == 0
    assert capsys.readouterr().out.count("\n") == 500
    assert run(["score", "--jsonl", str(path), "--jobs", "many", "--lang", "en"]) == 2
    assert "--jobs" in capsys.readouterr().err
