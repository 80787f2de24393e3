"""The examples learn: features are right, the update goes the right way, and they print what the documents show."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra [rl] is not installed")

from quepu.rl import action_numbers, env

ROOT = Path(__file__).parents[2]
MODULES = ("network", "imitation", "ppo")


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    yield importlib.import_module
    for name in MODULES:
        sys.modules.pop(name, None)


def test_a_network_learns_what_it_is_shown(example: Any) -> None:
    network = example("network")
    made = env("yuque-54")
    made.reset(seed=2)
    seen = made.observe(made.agent_selection)
    row = network.features(seen["observation"][None], seen["action_mask"][None])
    assert row.shape == (1, network.FEATURES)
    held = made.table.hands[made.episode.acting] + (made.table.drawn,)
    assert row[0, : 4 * 34].reshape(4, 34).sum() == len(held) == 14
    assert (row[0, -action_numbers.COUNT :] == seen["action_mask"]).all()
    taken = int(np.flatnonzero(seen["action_mask"])[-1])
    one = network.Network(hidden=16)
    before = network.chances(one.forward(row)[0])[0, taken]
    for _ in range(30):
        logits, values, hidden = one.forward(row)
        wrong = network.chances(logits)
        wrong[0, taken] -= 1
        one.learn(row, hidden, wrong, values - 2, 1e-2)
    assert network.chances(one.forward(row)[0])[0, taken] > max(0.9, before)
    assert abs(one.forward(row)[1][0] - 2) < 0.5


def test_advantages_stop_at_the_end_of_an_episode(example: Any) -> None:
    run = {
        "reward": np.array([[0.0], [1.0], [0.0]]), "over": np.array([[False], [True], [False]]),
        "value": np.array([[0.5], [0.25], [0.0], [2.0]]),
    }  # fmt: skip
    found = example("ppo").advantages(run, decay=1.0)
    assert found[:, 0].tolist() == [0.5, 0.75, 2.0]


def test_a_win_is_the_winner_s_and_plain_is_measured_too(example: Any) -> None:
    """In 玉雀 ready hands are also paid in a drawn hand, and four equal players do not sum to zero."""
    imitation = example("imitation")
    played = imitation.play(imitation.plain(), 40, tables=4)
    assert played.won.any() and (~played.won & (played.points > 0)).any() and (played.points[played.won] >= 0).all()
    assert imitation.summary(played).split(", ")[1] == f"{played.won.mean():.1%} won"
    again = imitation.play(imitation.plain(), 20, tables=4)
    assert (again.points.reshape(4, 5) == played.points.reshape(4, 10)[:, :5]).all()


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_imitation_prints_what_the_document_shows(example: Any, capsys: pytest.CaptureFixture[str]) -> None:
    example("imitation").imitated(750)
    curve = re.findall(r"([\d,]+) decisions: ([\d.]+)%", capsys.readouterr().out)
    shown = re.findall(r"([\d,]+) decisions: ([\d.]+)%", (ROOT / "docs/guide/environments.md").read_text("utf-8"))
    for (n, share), (stated, in_document) in zip(curve, shown, strict=False):
        assert n == stated and abs(float(share) - float(in_document)) < 1.5


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_ppo_runs_through(example: Any, capsys: pytest.CaptureFixture[str]) -> None:
    example("ppo").main(3, 40, 60)
    assert capsys.readouterr().out.count("against imitation on the same walls") == 3
