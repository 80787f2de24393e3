"""Lines on several processes are the lines of one, in order, bad ones and all."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from quepu.cli import run
from quepu.hands.notation import write
from quepu.json_lines import parallel as module
from quepu.json_lines.answers import score_lines
from quepu.json_lines.parallel import CHUNK, answer_in_parallel
from quepu.rulebooks import book, book_ids
from quepu.scoring.samples import deal, wins

GOOD = '{"hand": "123m456p789sEEE5m+5m", "self_draw": true}'
LINES = [GOOD, "", "11123456789991m+1m", '{"hand": 5}', "{", "12x", "123m456p789sEEE55m"] * CHUNK


def mixed(n: int, seed: int) -> list[str]:
    """Lines under every book: wins with melds, winds and flowers, hands that do not win, invalid lines."""
    rng = random.Random(seed)
    lines = []
    for name in book_ids():
        rules = book(name)
        for hand in wins(rules, n, seed):
            request = {"rules": name, "hand": write(hand), "seat": rng.choice("ESWN"), "self_draw": rng.random() < 0.4}
            if rng.random() < 0.3:
                request["circumstances"] = [rng.choice(list(rules.circumstances))]
            if rng.random() < 0.2:
                request["flowers"] = rng.randrange(9)
            lines.append(json.dumps(request))
        lines += [json.dumps({"rules": name, "hand": write(deal(rng, rng.choice((13, 14))))}) for _ in range(n // 20)]
    lines += ["", "  ", "{", '{"hand": 5}', '"11m"', "[1]", '{"hand": "11m", "rules": "no"}', "12x", "\ufeff"]
    rng.shuffle(lines)
    return lines


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_many_at_a_time_give_the_same_bytes(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FEW", 10)
    lines = mixed(250, 3)
    rules = book("yuque-54")
    assert list(answer_in_parallel(lines, rules, jobs=1, lang=lang)) == list(score_lines(lines, rules, lang=lang))


@pytest.mark.slow
def test_many_lines_at_a_time_give_the_same_bytes() -> None:
    lines = mixed(20_000, 4)
    rules = book("canton")
    assert list(answer_in_parallel(lines, rules, jobs=1)) == list(score_lines(lines, rules))


def test_the_same_lines_in_the_same_order() -> None:
    rules = book("lingque-29")
    assert list(answer_in_parallel(LINES, rules, jobs=2)) == list(score_lines(LINES, rules))


def test_a_house_rule_reaches_every_process() -> None:
    rules = book("lingque-29").having(minimum=99)
    answers = list(answer_in_parallel([GOOD] * (CHUNK + 1), rules, jobs=2))
    assert len(answers) == CHUNK + 1
    assert all('"minimum": 99' in answer for answer in answers)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_text("\n".join(LINES[:600]), "utf-8")
    assert run(["score", "--jsonl", str(path), "--jobs", "2"]) == 0
    assert capsys.readouterr().out.count("\n") == 600
    assert run(["score", "--jsonl", str(path), "--jobs", "many", "--lang", "en"]) == 2
    assert "--jobs" in capsys.readouterr().err
