"""MaskablePPO of sb3-contrib from the imitation of `plain` on, against three `plain` bots in 玉雀.

pip install 'quepu[sb3,fast]'      with a torch for CPUs: pip install torch --index-url https://download.pytorch.org/whl/cpu
python examples/maskable_ppo.py [updates] [FILE.onnx]      less than ten minutes on two cores with 100 updates
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from imitation import BOOK, Policy, imitated, likeliest, play, summary
from network import FEATURES, Network, features
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnvWrapper, VecMonitor

from quepu.rl import MahjongVectorEnv, vec
from quepu.rl.sb3 import SB3VecEnv

Array = np.ndarray[Any, Any]
TABLES, STEPS = 128, 48
PLAIN = ("plain", "plain", "plain")
SCALE = 1 / 16
"""Rewards are points times this."""


class Features(VecEnvWrapper):
    """Show the features of examples/network.py in place of counts, and scale the rewards."""

    def __init__(self, tables: SB3VecEnv) -> None:
        super().__init__(tables, spaces.Box(-np.inf, np.inf, (FEATURES,), np.float32))
        self.tables = tables

    def reset(self) -> Array:
        """Deal."""
        return features(self.tables.reset(), self.tables.action_masks())

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Return what SB3 wants of a step; nothing follows the last observation of an episode, so it stays as it is."""
        shown, rewards, over, infos = self.tables.step_wait()
        return features(shown, self.tables.action_masks()), rewards * SCALE, over, infos


def layers(model: Any) -> tuple[Any, Any]:
    """Return the two linear layers of the policy of a model."""
    policy: Any = model.policy
    return policy.mlp_extractor.policy_net[0], policy.action_net


def copy_weights(network: Network, model: MaskablePPO, sharper: float = 2) -> None:
    """Give the policy of a model the weights of a network, and those of its first layer to the value too.

    Logits are multiplied by `sharper`, so that actions sampled while learning are mostly the likeliest one, which is
    played in the end. Otherwise the model mainly learns to sample the others less often.
    """
    w1, b1, w2, b2, *_ = (torch.from_numpy(weight.T.copy()) for weight in network.weights)
    first, last = layers(model)
    policy: Any = model.policy
    of_values = policy.mlp_extractor.value_net[0]
    with torch.no_grad():
        for layer, weight, bias in (
            (first, w1, b1), (of_values, w1, b1), (last, w2 * sharper, b2 * sharper),
        ):  # fmt: skip
            layer.weight.copy_(weight)
            layer.bias.copy_(bias)


def network_of(model: MaskablePPO) -> Network:
    """Return the policy of a model as a network of examples/network.py, which `onnx_export.export` writes as a file."""
    first, last = layers(model)
    network = Network(len(first.bias))
    for i, layer in ((0, first), (2, last)):
        network.weights[i] = layer.weight.detach().numpy().T.copy()
        network.weights[i + 1] = layer.bias.detach().numpy().copy()
    return network


def most_likely(model: MaskablePPO) -> Policy:
    """The action that a model finds likeliest, as a policy of examples/imitation.py."""

    def act(tables: MahjongVectorEnv) -> Array:
        shown = tables.shown
        seen = features(shown["observation"], shown["action_mask"])
        return np.asarray(model.predict(seen, action_masks=shown["action_mask"] == 1, deterministic=True)[0])

    return act


class Course(BaseCallback):
    """Keep the policy as it is until the values know something, then measure it from time to time and at the end."""

    def __init__(self, warm_up: int, every: int, measure: Callable[[], None]) -> None:
        super().__init__()
        self.warm_up, self.every, self.measure = warm_up, every, measure

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        learnt = self.num_timesteps // (TABLES * STEPS) - self.warm_up
        for layer in layers(self.model):
            layer.requires_grad_(learnt >= 0)
        if learnt > 0 and learnt % self.every == 0:
            self.measure()

    def _on_training_end(self) -> None:
        self.measure()


def main(updates: int, hands: int, imitation: int, file: str = "") -> None:
    """Learn, measure on the same walls as the imitation, and export to a file for `net:counts:FILE`."""
    torch.set_num_threads(1)  # for small networks more threads are slower, on a busy machine by far
    network = imitated(imitation, told=False)
    baseline = play(likeliest(network), hands, tables=100, compiled=True)
    print("imitation:", summary(baseline))
    tables = VecMonitor(Features(SB3VecEnv(vec(BOOK, TABLES, bots=PLAIN, compiled=True))))
    model = MaskablePPO(
        "MlpPolicy", tables, n_steps=STEPS, batch_size=1024, n_epochs=3, gamma=1.0, gae_lambda=0.95, clip_range=0.15,
        ent_coef=0.003, learning_rate=lambda left: 5e-4 * max(0.1, left), max_grad_norm=10.0, device="cpu", seed=1,
        policy_kwargs={"net_arch": {"pi": [192], "vf": [192]}, "activation_fn": torch.nn.ReLU},
    )  # fmt: skip
    copy_weights(network, model)

    def measure() -> None:
        played = play(most_likely(model), hands, tables=100, compiled=True)
        apart = played.points - baseline.points
        error = apart.std() / np.sqrt(len(apart))
        print(f"after {model.num_timesteps:,} decisions:", summary(played))
        print(f"    against imitation on the same walls: {apart.mean():+.2f} ± {error:.2f}", flush=True)

    warm_up = max(1, updates // 12)
    model.learn(TABLES * STEPS * updates, callback=Course(warm_up, max(1, (updates - warm_up) // 4), measure))
    model.save("maskable_ppo.zip")
    if file:
        from onnx_export import export

        export(network_of(model), file)


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    main(many, max(100, min(3000, many * 30)), max(20, min(2000, many * 20)), *sys.argv[2:3])
