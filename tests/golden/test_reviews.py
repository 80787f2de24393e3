"""Logs of every earlier version, verified on the command line and reviewed by today's bot."""

from __future__ import annotations

from pathlib import Path

import pytest

from quepu.cli import main
from quepu.review.grades import WORDS, grade
from quepu.review.rated_decisions import decisions
from tests.golden.test_logs import FOLDERS, LOGS, lines_of, opened
from tests.review.flat import write_flat


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.parent.name}-{path.name.partition('.')[0]}")
def test_a_golden_log_is_verified(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text("\n".join(lines_of(path)) + "\n", encoding="utf-8")
    code = 0
    try:
        main(["verify", str(file)])
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    printed = capsys.readouterr()
    assert code == 0, printed
    assert "Traceback" not in printed.err


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_golden_log_is_reviewed(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every choice of a hand has a grade, and what was chosen is what the log says."""
    replay = opened(folder / "logs" / "guobiao.jsonl.gz")
    monkeypatch.setenv("QUEPU_CACHE", str(tmp_path))
    monkeypatch.setattr("quepu.fast.nearest.payable._TABLES", {})
    write_flat(replay.book, tmp_path)
    hand = replay.hands[0]
    made = decisions(hand, replay.book)
    discards = [(event.seat, event.tile) for event in hand.events if event.tag == "discard"]
    actions = [(one.seat, one.choices[one.chosen].action) for one in made if one.chosen is not None]
    chosen = [(seat, action.tile) for seat, action in actions if action.do == "discard"]
    assert len(chosen) > 20
    assert set(chosen) <= set(discards)
    assert {grade(one) for one in made} <= set(WORDS)
