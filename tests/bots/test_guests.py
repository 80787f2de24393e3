"""Guests that hang, lie, write megabytes or die: one message, default moves, and the hand goes on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from quepu.arena import play_hand
from quepu.bots import botzone, make_bot
from quepu.bots.line_process import BotError
from quepu.rulebooks import book
from quepu.table import make_wall
from tests.bots.test_botzone import CAREFUL
from tests.cli.typed import run

MCR = book("guobiao-mcr")
BAD = {
    "dies": "",
    "lies": "input(); print('PLAY X9')",
    "sings": "while True: print('SING', flush=True)",
    "floods": "import sys\nwhile True: sys.stdout.write('x' * 65536)",
    "hangs": "import time; time.sleep(600)",
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_guest_gets_one_message_and_default_moves(
    fault: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    program = tmp_path / "guest.py"
    program.write_text(BAD[fault], "utf-8")
    made = botzone.guest(f"{sys.executable} {program}")
    made.patience = 3
    table = play_hand(MCR, make_wall(1, own=True), [made, "closed", "closed", "closed"])
    assert table.over
    assert len(caplog.records) == 1
    assert not [meld for meld in table.melds[0] if meld.exposed]


@pytest.mark.parametrize("form", ["lines", "json"])
def test_a_guest_is_named_like_a_level(form: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    program = tmp_path / "guest.py"
    program.write_text(CAREFUL, "utf-8")
    prefix = "json:" if form == "json" else ""
    name = f"botzone:{prefix}{sys.executable} {program} {form} keep"
    table = play_hand(MCR, make_wall(2, own=True), [name, "closed", "closed", "closed"])
    assert table.over
    assert not caplog.records


def test_a_guest_without_a_command_is_refused() -> None:
    for name in ("botzone:", "botzone:json: "):
        with pytest.raises(BotError, match="botzone"):
            make_bot(name)


@pytest.mark.parametrize("command", ["./there-is-no-such-program", "json:./there-is-no-such-program x", "'a"])
def test_a_guest_that_cannot_be_run_is_refused(command: str) -> None:
    with pytest.raises(BotError, match=r"there-is-no-such-program|引号"):
        make_bot(f"botzone:{command}")


def test_a_guest_at_the_terminal_is_told_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    program = tmp_path / "guest.py"
    program.write_text(CAREFUL, "utf-8")
    asked = "\n" * 12 + "q\n"
    options = ("play", "-r", "国标", "--seed", "5", "--own-walls", "--log", str(tmp_path / "game.jsonl"))
    assert run(monkeypatch, asked, *options, "-b", f"botzone:{sys.executable} {program} lines keep") == 0
    assert not caplog.records
