"""Guests that hang, lie, write megabytes or die: one message, default moves, and the hand goes on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from quepu.arena import play_hand
from quepu.bots import botzone, make_bot
from quepu.bots.line_process import BotError, LineProcess
from quepu.bots.protocol import show_to_watchers, watchers_of
from quepu.rulebooks import book
from quepu.table import Table, make_wall
from quepu.table.actions import PASS
from tests.bots.test_botzone import CAREFUL
from tests.cli.typed import run
from tests.table.test_own_walls import own_walls

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


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of another process")
@pytest.mark.parametrize(("most", "fails"), [("200", True), ("0", False), ("2048", False)])
def test_a_guest_has_limited_memory(
    most: str, fails: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("QUEPU_GUEST_MEMORY", most)
    program = tmp_path / "guest.py"
    program.write_text(
        f"import sys\nsys.stderr = open('/dev/null', 'w')\nheld = bytearray(300 << 20)\n{CAREFUL}", "utf-8"
    )
    name = f"botzone:{sys.executable} {program} lines keep"
    assert play_hand(MCR, make_wall(2, own=True), [name, "closed", "closed", "closed"]).over
    assert len(caplog.records) == fails
    assert all("200 MiB" in record.message for record in caplog.records)


CLAIMS = """
import sys
n = int(sys.stdin.readline())
request = [sys.stdin.readline().strip() for _ in range(2 * n - 1)][-1]
while True:
    draw = request.startswith("2")
    print("PLAY " + request.split()[1] if draw else "PENG W1" if request == "3 3 PLAY B2" else "PASS")
    print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<", flush=True)
    request = sys.stdin.readline().strip()
"""


def test_a_guest_that_is_asked_twice_about_a_request_answers_alike(tmp_path: Path) -> None:
    program = tmp_path / "guest.py"
    program.write_text(CLAIMS, "utf-8")
    made = botzone.BotzoneBot([sys.executable, str(program)])
    made.begin(MCR, 0)
    table = Table(MCR, own_walls("22p1469m369s369pEW", "", "", "147m258s369s147pC2p"))
    watchers, shown = watchers_of([made]), 0
    claimed = 0
    while claimed < 2:
        shown = show_to_watchers(table, watchers, shown)
        seat = table.to_act[0]
        options = table.options(seat)
        if seat == 0:
            first, again = (made.act(table.view(0), options) for _ in range(2))
            assert first == again
            claimed += first.do == "pung" or claimed > 0
            table.step(0, first)
        else:
            wanted = [one for one in options if one.do == "discard" and one.drawn]
            table.step(seat, PASS if PASS in options else wanted[0])
    assert table.board.melds[0] and table.board.rivers[0][-1] == 0
    made.close()


def test_a_guest_that_does_not_end_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "guest.py"
    program.write_text(
        "import signal as s\ns.signal(s.SIGTERM, s.SIG_IGN)\nprint(1, flush=True)\nwhile True: s.pause()",
        "utf-8",
    )
    process = LineProcess([sys.executable, str(program)])
    assert process.line() == "1\n"
    process.close()
    assert process._process.returncode == -9
