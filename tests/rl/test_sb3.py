"""Tables for Stable-Baselines3: its adapter agrees with `vec`, and MaskablePPO learns, saves and plays."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra [rl] is not installed")
pytest.importorskip("stable_baselines3", reason="the extra [sb3] is not installed")

from quepu.arena import match
from quepu.bots.nets import load_net
from quepu.errors import Error
from quepu.rl import action_numbers, vec
from quepu.rl.sb3 import SB3VecEnv

RANDOM = ("random", "random", "random")
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("encoding", ["counts", "planes", "tokens"])
def test_it_plays_what_vec_plays(encoding: Any) -> None:
    made = {"rules": "canton", "n": 3, "bots": RANDOM, "encoding": encoding, "compiled": False}
    adapted, plain = SB3VecEnv(vec(**made)), vec(**made)
    adapted.seed(4)
    seen, (shown, _) = adapted.reset(), plain.reset(seed=4)
    rng = np.random.default_rng(1)
    ended = 0
    while ended < 4:
        assert adapted.observation_space.contains(seen[0])
        masks = adapted.action_masks()
        assert np.array_equal(seen, shown["observation"]) and np.array_equal(masks, shown["action_mask"] == 1)
        assert np.array_equal(np.stack(adapted.env_method("action_masks")), masks)
        assert np.array_equal(adapted.env_method("action_masks", indices=1)[0], masks[1])
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        seen, rewards, over, infos = adapted.step(actions)
        shown, rewards_too, over_too, _, infos_too = plain.step(actions)
        assert np.array_equal(rewards, rewards_too) and np.array_equal(over, over_too)
        for i in range(3):
            assert ("terminal_observation" in infos[i]) == ("final" in infos[i]) == bool(over[i])
        for i in np.flatnonzero(over):
            ended += 1
            assert infos[i]["final"] == infos_too["final_info"][i] and not infos[i]["TimeLimit.truncated"]
            assert np.array_equal(infos[i]["terminal_observation"], infos_too["final_obs"][i]["observation"])


def test_tables_that_it_cannot_train_on_are_refused() -> None:
    for wrong in ({}, {"bots": RANDOM, "autoreset_mode": "next_step"}, {"bots": RANDOM, "copy": False}):
        with pytest.raises(Error, match="Stable-Baselines3"):
            SB3VecEnv(vec("canton", 2, **wrong))  # type: ignore[arg-type]
    made = SB3VecEnv(vec("canton", 2, bots=RANDOM))
    with pytest.raises(RuntimeError, match="reset"):
        made.action_masks()
    made.reset()
    masked = np.argmin(made.action_masks(), axis=1)
    with pytest.raises(ValueError, match="not allowed"):
        made.step(masked)
    with pytest.raises(AttributeError):
        made.env_method("render")
    assert made.has_attr("action_masks") and not made.has_attr("hands")


def test_options_of_a_reset_reach_every_table() -> None:
    made = SB3VecEnv(vec("canton", 2, bots=RANDOM, compiled=False))
    made.seed(1)
    made.set_options({"round": 2})
    made.reset()
    assert [episode.table.board.round for episode in made.tables.episodes] == [2, 2]
    made.set_options([{"round": 2}, {"round": 1}])
    with pytest.raises(Error, match="options"):
        made.reset()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_maskable_ppo_learns_saves_and_plays(tmp_path: Path) -> None:
    torch, sb3 = pytest.importorskip("torch"), pytest.importorskip("sb3_contrib")
    from sb3_contrib.common.maskable.evaluation import evaluate_policy
    from stable_baselines3.common.vec_env import VecMonitor

    torch.set_num_threads(1)
    tables = VecMonitor(SB3VecEnv(vec("yuque-54", 4, bots=RANDOM)))
    model = sb3.MaskablePPO("MlpPolicy", tables, n_steps=64, batch_size=64, seed=1, device="cpu")
    model.learn(512)
    assert len(model.ep_info_buffer) > 3
    model.save(tmp_path / "learned.zip")
    again = sb3.MaskablePPO.load(tmp_path / "learned.zip", env=tables)
    seen = tables.reset()
    masks = tables.env_method("action_masks")
    actions, _ = again.predict(seen, action_masks=np.stack(masks))
    assert all(mask[action] for mask, action in zip(masks, actions, strict=True))
    mean, _ = evaluate_policy(again, tables, n_eval_episodes=4)
    assert -1000 < mean < 1000


@pytest.mark.long
@pytest.mark.timeout(300)
def test_what_maskable_ppo_learnt_plays_as_a_net(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("sb3_contrib", "onnx", "onnxruntime"):
        pytest.importorskip(name)
    monkeypatch.syspath_prepend(str(EXAMPLES))
    names = ("network", "imitation", "maskable_ppo", "onnx_export")
    try:
        _, _, example, onnx_export = map(importlib.import_module, names)
        tables = SB3VecEnv(vec(example.BOOK, 2, bots=RANDOM))
        model = example.MaskablePPO(
            "MlpPolicy", example.Features(tables), n_steps=8, batch_size=16, device="cpu", seed=2,
            policy_kwargs={"net_arch": {"pi": [24], "vf": [24]}, "activation_fn": example.torch.nn.ReLU},
        )  # fmt: skip
        model.learn(64)
        onnx_export.export(example.network_of(model), tmp_path / "learnt.onnx")
        net, made = load_net(f"counts:{tmp_path / 'learnt.onnx'}"), vec(example.BOOK, 2, bots=RANDOM)
        made.reset(seed=4)
        act = example.most_likely(model)
        for _ in range(40):
            shown = made.shown
            rated = np.where(shown["action_mask"], net.logits(shown["observation"], shown["action_mask"]), -np.inf)
            chosen = act(made)
            assert chosen.tolist() == rated.argmax(axis=1).tolist()
            made.step(chosen)
    finally:
        for name in names:
            sys.modules.pop(name, None)
    played = match(example.BOOK, [f"net:counts:{tmp_path / 'learnt.onnx'}", *RANDOM], seed=1)
    assert played.over


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_example_starts_from_the_imitation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pytest.importorskip("sb3_contrib")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.chdir(tmp_path)
    try:
        example, network = importlib.import_module("maskable_ppo"), importlib.import_module("network")
        tables = example.Features(SB3VecEnv(vec(example.BOOK, 2, bots=RANDOM)))
        model = example.MaskablePPO(
            "MlpPolicy", tables, n_steps=8, batch_size=16, device="cpu",
            policy_kwargs={"net_arch": {"pi": [192], "vf": [192]}, "activation_fn": example.torch.nn.ReLU},
        )  # fmt: skip
        first = network.Network(seed=3)
        example.copy_weights(first, model)
        seen, masks = tables.reset(), tables.env_method("action_masks")
        chosen, _ = model.predict(seen, action_masks=np.stack(masks), deterministic=True)
        assert chosen.tolist() == first.forward(seen)[0].argmax(axis=1).tolist()
        assert seen.shape == (2, network.FEATURES) and len(masks[0]) == action_numbers.COUNT
        example.main(3, 100, 60)
    finally:
        for name in ("network", "imitation", "maskable_ppo"):
            sys.modules.pop(name, None)
    assert capsys.readouterr().out.count("against imitation on the same walls") == 2
    assert (tmp_path / "maskable_ppo.zip").exists()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_torchrl_example_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torchrl")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    example = importlib.import_module("torchrl_ppo")
    sys.modules.pop("torchrl_ppo")
    monkeypatch.setattr(example, "STEPS", 128)
    assert len(example.main(2)) == 2
    assert "256 decisions" in capsys.readouterr().out
    played = example.environment("canton", RANDOM).rollout(20, example.policy_and_value(70 * 42)[0])
    assert all(mask[action] for mask, action in zip(played["action_mask"], played["action"], strict=True))


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_torchrl_makes_it_by_its_id(monkeypatch: pytest.MonkeyPatch, lang: str) -> None:
    envs = pytest.importorskip("torchrl.envs")
    monkeypatch.setenv("QUEPU_LANG", lang)
    made = envs.GymEnv("quepu.rl:quepu/canton-v0", categorical_action_encoding=True)  # tries a `frameskip` first
    assert made.reset()["observation"].shape == (70, 42)
