"""One hand, one distance: every place that shows how far a hand is says the same number in the same words.

The numbers were counted without the program's distances: for shapes by `tests.nearest`, for wins by scoring every set
of tiles that could be drawn.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hatch_build import tools

import quepu as library
from quepu.cli.terminal_game import TerminalGame
from quepu.cli.texts import Chosen
from quepu.errors import Text
from quepu.match import LogWriter, Match
from quepu.review.choice_words import outlook as outlook_words
from quepu.review.valuation import rate_hand
from quepu.rulebooks import book
from quepu.scoring.waits import mark_winning
from quepu.server.hands.api import find_waits
from quepu.server.hands.messages import WaitsRequest
from quepu.server.practice.questions import Question
from quepu.server.practice.reasons import no_waits
from quepu.server.rooms.hints import HintRequest, answer
from quepu.table import Table
from tests.table.walls import stacked
from tests.whole.test_browser_fold import VITEST, WEB, needs_vitest

HANDS = [
    ("lingque-29", "123m456p789sCCEF", 1),
    ("lingque-29", "123m456p789sCCEE", 0),
    ("lingque-29", "123m456p789sCCE2s", 1),
    ("lingque-29", "123m567p234s46s99p", 0),
    ("lingque-29", "147m2358p36sEESW", 2),
    ("lingque-29", "46s11m(123p)(567p)(234s)", 0),
    ("lingque-29", "4s1m9pE(123p)(567p)(234s)", 2),
    ("guobiao", "123m456p789s11pES", 1),
    ("guobiao", "123m456p789s11pEE", 0),
    ("guobiao", "1122m3344p5566sC", 0),
    ("guobiao", "1122m3344p556sCF", 1),
    ("guobiao", "147m258p369sESWN", 0),
    ("guobiao", "147m258p369sESWC", 0),
    ("guobiao", "19m19p19sESWNCFP", 0),
    ("guobiao", "19m19p19sESWNCF5m", 1),
    ("guobiao", "234m567p234567sC", 0),
    ("yuque-54", "123m456p789sCCEF", 1),
    ("yuque-54", "1122m3344p5566sC", 3),
    ("canton", "46s11m(123p)(567p)(234s)", 0),
    ("canton", "4s1m9pE(123p)(567p)(234s)", 2),
]
"""Book, thirteen tiles, steps to ready."""
TO_A_WIN = [
    ("123m456p789sCCEE", 1),
    ("123m456p789sCCEF", 2),
    ("123m567p234s46s99p", 2),  # ready, but below the minimum
    ("46s11m(123p)(567p)(234s)", 2),
]
"""Thirteen tiles under 灵雀, tiles to a hand that can win."""


def ready_words(steps: int) -> Text:
    return Text(f"差 {steps} 步听牌", f"{steps} from ready") if steps else Text("听牌", "ready")


def win_words(tiles: int) -> Text:
    return Text(f"差 {tiles} 张可和", f"{tiles} tile{'s' * (tiles > 1)} from a win")


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the command line in this process; all that it printed."""
    from quepu.cli import run

    monkeypatch.setenv("COLUMNS", "110")
    monkeypatch.setattr("sys.stdin", io.StringIO())

    def called(*args: str) -> str:
        run(list(args))
        printed = capsys.readouterr()
        return printed.out + printed.err

    return called


@pytest.mark.parametrize(("rules", "hand", "steps"), HANDS)
def test_steps_to_ready(command: Any, rules: str, hand: str, steps: int) -> None:
    words = ready_words(steps)
    look = library.waits(hand, rules)
    assert look.missing - 1 == steps
    api = find_waits(WaitsRequest(rules=rules, hand=hand), "zh")["outlook"]
    assert api["missing"] - 1 == steps  # the pages take their words by this number: see below
    if steps:
        for lang, expected in words._asdict().items():
            assert expected in command("--lang", lang, "waits", "-r", rules, hand)
            assert expected in look.headline().say(lang)
            assert expected in command("--lang", lang, "score", "-r", rules, f"{hand}+5s")


@pytest.mark.parametrize(("rules", "hand", "steps"), [one for one in HANDS if "(" not in one[1]])
def test_hints_say_the_same(
    rules: str, hand: str, steps: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """South holds the hand, and East is to discard."""
    monkeypatch.setattr(Chosen, "lang", "zh")
    rulebook = book(rules)
    table = Table(rulebook, stacked(["9s", hand]))
    view = table.view(1)
    assert sorted(view.hand) == sorted(library.parse(hand).concealed)
    request = HintRequest(rules, "", 1, view.board, view.hand, view.drawn, (), "zh", prepared=False)
    hint = answer(request)["hint"]
    assert hint.get("distance", "听牌") == ready_words(steps).zh
    match = Match(rulebook)
    player = TerminalGame(match, LogWriter(match, lambda line: None), [], input)
    player.hint(table, 1)
    printed = capsys.readouterr().out
    assert (f"差 {steps} 步听牌" if steps else "听 ") in printed


@pytest.mark.parametrize(("rules", "hand", "steps"), [one for one in HANDS if one[2] > 1])
def test_practice_says_the_same(rules: str, hand: str, steps: int) -> None:
    """With a tile that does not help, and after the best discard, the hand is as far as before."""
    rulebook = book(rules)
    question = Question.__new__(Question)
    object.__setattr__(question, "hand", library.parse(hand))
    helping = {str(tile) for tile, _ in library.waits(hand, rulebook).useful}
    useless = next(tile for tile in ("5m", "5p", "5s", "1m") if tile not in helping)
    assert ready_words(steps).zh in no_waits(question, rulebook, [useless])[useless].zh


@pytest.mark.long
@pytest.mark.parametrize(("hand", "tiles"), TO_A_WIN)
def test_tiles_to_a_win(command: Any, hand: str, tiles: int) -> None:
    words, rules = win_words(tiles), book("lingque-29")
    for lang, expected in words._asdict().items():
        assert expected in command("--lang", lang, "waits", "--payable", hand)
    # with a tile that is of no use, the review and the hints say it of the discard of that tile
    whole = mark_winning(library.parse(f"{hand}+N"))
    found = next(one for one in rate_hand(whole, rules).choices if str(one.action.tile_kind) == "30")
    assert found.missing == tiles
    said = outlook_words(found)
    assert words.zh in said.zh or (tiles == 1 and said.zh.startswith("听"))
    assert words.en in said.en or (tiles == 1 and said.en.startswith("waits on"))


@pytest.mark.long
@needs_vitest
def test_the_pages_say_the_same(tmp_path: Path) -> None:
    shown = [{"readiness": steps + 1, "words": ready_words(steps)._asdict()} for _, _, steps in HANDS]
    shown += [{"win": tiles, "words": win_words(tiles)._asdict()} for _, tiles in TO_A_WIN]
    file = tmp_path / "distances.json"
    file.write_text(json.dumps(shown), encoding="utf-8")
    node, _ = tools()
    done = subprocess.run(
        [str(node), str(VITEST), "run", "src/lib/distance.test.ts"],
        cwd=WEB,
        env={**os.environ, "VITE_DISTANCES": str(file)},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    assert "skipped" not in done.stdout
