"""A bot in another process: the documented one plays, and one that misbehaves is named and cannot stop the table."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from quepu.arena import Plan, play_hand, simulate
from quepu.arena.played_effect import Duel, play_duel
from quepu.arena.seat_value import play_seats
from quepu.bots import make_bot
from quepu.bots.external import BotError, ExternalBot
from quepu.cli import run
from quepu.rulebooks import book
from quepu.table import make_wall

DOCUMENT = Path(__file__).parents[2] / "docs" / "guide" / "bots.md"


@pytest.fixture
def documented(tmp_path: Path) -> Path:
    text = DOCUMENT.read_text(encoding="utf-8")
    found = re.search(r"<!-- example: bot -->\n```python\n(.*?)```\n<!-- end -->", text, re.DOTALL)
    assert found is not None
    path = tmp_path / "my_bot.py"
    path.write_text(found[1], encoding="utf-8")
    return path


def test_the_documented_bot_plays_and_sits_in_a_simulation(documented: Path) -> None:
    command = f"exec:{sys.executable} {documented}"
    stats = simulate(Plan("lingque-29", (command, "plain", "plain", "plain"), 4, seed=1))
    assert stats.hands == 4
    assert sum(player.net for player in stats.players) == 0
    shared = simulate(Plan("lingque-29", (command, "plain", "plain", "plain"), 4, seed=1), jobs=2)
    assert shared.to_json() == stats.to_json()


@pytest.mark.parametrize("words", [["simulate"], ["lab", "duel", "guobiao", "guobiao-mcr"]])
def test_a_command_may_have_commas_in_quotes(words: list[str], documented: Path) -> None:
    path = documented.rename(documented.with_name("my,own，bot.py"))
    assert run([*words, "-n", "1", "-b", f"exec:{sys.executable} '{path}',random, random,\"random\""]) == 2
    assert run([*words, "-n", "1", "-b", f"exec:{sys.executable} '{path}',random, random，random", "--jobs", "1"]) == 0


def test_a_bad_bot_of_another_process_is_named_here(tmp_path: Path) -> None:
    data = pytest.importorskip("quepu.rl.data", exc_type=ImportError)
    path = tmp_path / "bad.py"
    path.write_text("import sys\nfor line in sys.stdin: print('hello', flush=True)", encoding="utf-8")
    bad = f"exec:{sys.executable} {path}"
    with pytest.raises(BotError, match="不是动作") as caught:
        simulate(Plan("lingque-29", (bad, "plain", "plain", "plain"), 4, seed=1), jobs=2)
    assert re.fullmatch(
        rf"hand \d of seed 1, bot {re.escape(bad)} \((East|South|West|North)\): not an action: hello",
        caught.value.say("en"), re.IGNORECASE,
    ), caught.value.say("en")  # fmt: skip
    duel = Duel("lingque-29", "lingque-29", (bad, "plain", "plain", "plain"), 1)
    played = (
        lambda: play_duel(duel), lambda: play_seats("lingque-29", bad, 1, 1, None),
        lambda: data.from_bots("lingque-29", [bad] * 4, 1),
    )  # fmt: skip
    for play in played:
        with pytest.raises(BotError, match=re.escape(f"，机器人 {bad}（")) as caught:
            play()
        assert str(caught.value).startswith("第 1 局（种子 1）")


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("import sys; sys.exit()", "退出"),
        ("import sys\nfor line in sys.stdin: print('hello', flush=True)", "不是动作"),
        ('import sys\nfor line in sys.stdin: print(\'{"do": "win"}\', flush=True)', "不能这样做"),
        ("import time; time.sleep(60)", "没有回答"),
    ],
)
def test_a_bad_bot_is_named_and_the_table_goes_on(tmp_path: Path, code: str, sentence: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(code, encoding="utf-8")
    rulebook = book("lingque-29")
    others = [make_bot("plain", seat) for seat in range(3)]
    patience = 3 if "sleep" in code else 120  # the others answer, however slowly they start
    bad = ExternalBot([sys.executable, str(path)], patience=patience)
    with pytest.raises(BotError, match=sentence):
        play_hand(rulebook, make_wall(1), [bad, *others])
    bad.close()
    patient = ExternalBot([sys.executable, str(path)], patience=patience, strict=False)
    assert play_hand(rulebook, make_wall(1), [patient, *others]).over
    assert patient.broken is not None
    patient.close()


def test_a_command_that_is_none() -> None:
    with pytest.raises(BotError, match="运行不了"):
        ExternalBot("/no/such/program")
