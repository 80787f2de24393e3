"""The examples learn: features are right, the update goes the right way, and they print what the documents show."""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra [rl] is not installed")

from quepu.arena import match
from quepu.bots.nets import load_net
from quepu.rl import action_numbers, env, vec
from tests.cli.run import outside

ROOT = Path(__file__).parents[2]
MODULES = ("network", "imitation", "option_network", "ppo", "distil", "onnx_export", "many_workers")


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


def test_a_network_of_options_learns_what_it_is_shown_and_rates_as_its_file(example: Any, tmp_path: Path) -> None:
    ppo, network = example("ppo"), example("option_network")
    decisions = ppo.taught("lingque-29", "plain", 1)
    ends = np.append(decisions.starts[1:], len(decisions.rows))
    assert (decisions.starts <= decisions.taken).all() and (decisions.taken < ends).all()
    one = network.OptionNetwork(3)
    before = network.chances(one.rate(decisions.rows), decisions.starts)[decisions.taken].mean()
    for _ in range(60):
        wrong = network.chances(one.rate(decisions.rows), decisions.starts)
        wrong[decisions.taken] -= 1
        off = one.value(decisions.rows, decisions.starts) - 2
        number = len(decisions.taken)
        one.learn(decisions.rows, decisions.starts, wrong / number, off / number, 1e-2)
    shares = network.chances(one.rate(decisions.rows), decisions.starts)
    assert shares[decisions.taken].mean() > max(0.5, before + 0.2)
    assert np.allclose(np.add.reduceat(shares, decisions.starts), 1, atol=1e-5)
    assert abs(one.value(decisions.rows, decisions.starts) - 2).mean() < 0.5
    one.save(tmp_path / "net.npz")
    net = load_net(str(tmp_path / "net.npz"))
    rated = net.logits(decisions.rows, np.ones((len(decisions.rows), 1), np.int8))[:, 0]
    assert net.form == "options" and np.allclose(rated, one.rate(decisions.rows), atol=1e-4)


def test_some_decisions_are_those_rows(example: Any) -> None:
    decisions = example("ppo").taught("lingque-29", "plain", 1)
    which = np.array([7, 0, 11])
    some = decisions.some(which)
    ends = np.append(decisions.starts[1:], len(decisions.rows))
    for place, number in enumerate(which):
        own = decisions.rows[decisions.starts[number] : ends[number]]
        assert np.array_equal(some.rows[some.starts[place] :][: len(own)], own)
        assert np.array_equal(some.rows[some.taken[place]], decisions.rows[decisions.taken[number]])


def test_advantages_stop_at_the_end_of_an_episode(example: Any) -> None:
    ppo = example("ppo")
    run = ppo.Run(
        None, None, np.array([[0.5], [0.25], [0.0], [2.0]]), np.array([[0.0], [1.0], [0.0]]),
        np.array([[False], [True], [False]]),
    )  # fmt: skip
    found = ppo.advantages(run, decay=1.0)
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
    example("ppo").main("lingque-29", 2, 40, 8)
    assert capsys.readouterr().out.count("above plain on the same walls") == 2


def test_an_exported_network_rates_as_the_network_itself(example: Any, tmp_path: Path) -> None:
    for name in ("onnx", "onnxruntime"):
        pytest.importorskip(name)
    network, file = example("network"), tmp_path / "net.onnx"
    one, rng = network.Network(hidden=16, seed=3), np.random.default_rng(1)
    one.weights = [weights + rng.normal(0, 0.05, weights.shape).astype(np.float32) for weights in one.weights]
    example("onnx_export").export(one, file)
    net, tables = load_net(f"counts:{file}"), vec("yuque-54", 8, compiled=False)
    shown, _ = tables.reset(seed=3)
    offered = 0
    for _ in range(120):  # chows, kongs and claims, too
        seen, mask = shown["observation"], shown["action_mask"]
        own = one.forward(network.features(seen, mask))[0]
        assert np.allclose(np.where(mask, net.logits(seen, mask) - own, 0), 0, atol=1e-4)
        offered += int((seen[:, 2].sum(axis=1) > 0).sum())
        shown, *_ = tables.step((rng.random(mask.shape) * mask).argmax(axis=1))
    assert offered > 50


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_what_ppo_learnt_plays_and_reviews_as_a_net(example: Any, tmp_path: Path) -> None:
    """The commands of docs/guide/environments.md, after a short training."""
    file, log = tmp_path / "learnt.npz", tmp_path / "match.jsonl"
    example("ppo").main("lingque-29", 2, 40, 8, str(file))
    assert outside("simulate", "-r", "lingque-29", "-b", f"net:{file},plain,plain,plain", "--hands", "8").code == 0
    match("lingque-29", [f"net:{file}", "plain", "plain", "plain"], seed=3, rounds=1, log=log)
    assert outside("verify", str(log)).code == 0
    reviewed = outside("review", str(log), "--net", str(file), "--json")
    assert reviewed.code == 0
    own = [choice for choice in json.loads(reviewed.out) if choice["player"] == f"net:{file}"]
    assert own and all(choice["same"] for choice in own)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("kind", ["distributed", "ray"])
def test_two_workers_teach_the_same_network_as_one_process(kind: str, example: Any) -> None:
    pytest.importorskip(kind)
    imitation, workers = example("imitation"), example("many_workers")
    blocks = {"distributed": workers.dask_blocks, "ray": workers.ray_blocks}[kind]
    own, theirs = (imitation.imitated(60, told=False, **given) for given in ({}, {"blocks": blocks}))
    assert all(np.array_equal(one, other) for one, other in zip(own.weights, theirs.weights, strict=True))
