"""A net beside the choices of a log: its own are the same, another's differ; probabilities sum to one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quepu.arena import match
from quepu.cli import run
from quepu.match import read_log
from quepu.review.net_choices import net_choices

SAMPLE = str(Path(__file__).parents[2] / "examples" / "plain.npz")


@pytest.mark.parametrize("own_walls", [False, True])
def test_a_net_agrees_with_itself_and_not_with_another(own_walls: bool, tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    players = [f"net:{SAMPLE}", "random", "closed", "random"]
    match("guobiao-mcr", players, seed=2, rounds=1, flowers=False, own_walls=own_walls, log=log)
    replay = read_log(log)
    found = [one for hand in replay.hands for one in net_choices(hand, replay.book, SAMPLE)]
    own = [one for one in found if one.player == 0]
    assert own and all(one.same and one.odds == one.best for one in own)
    assert not all(one.same for one in found)
    assert all(0 <= one.odds <= one.best <= 1 for one in found)


def test_the_command_shows_where_a_net_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "110")

    def told(*words: str) -> str:
        assert run(["review", *words]) == 0
        return capsys.readouterr().out

    log = str(tmp_path / "match.jsonl")
    match("guobiao-mcr", ["plain", "random", "closed", "random"], seed=2, rounds=1, flowers=False, log=log)
    data = json.loads(told(log, "--net", SAMPLE, "--hand", "1", "--json"))
    assert {one["hand"] for one in data} == {1}
    for lang, word in (("zh", "网络会"), ("en", "the net: ")):
        shown = told(log, "--net", SAMPLE, "--hand", "1", "--lang", lang)
        assert " ".join(shown.split()).count(word.strip()) == sum(not one["same"] for one in data)
    one = json.loads(told(log, "--net", SAMPLE, "--player", "2", "--json"))
    assert {line["player"] for line in one} == {json.loads(json.dumps(read_log(log).match.names))[1]}
    assert run(["review", log, "--net", "none.npz"]) == 2
