"""MaskablePPO of sb3-contrib from the imitation of `plain` on, against three `plain` bots in 玉雀.

pip install 'quepu[sb3]'      with a torch for CPUs: pip install torch --index-url https://download.pytorch.org/whl/cpu
python examples/maskable_ppo.py [updates] [FILE.onnx]      ten minutes on two cores with 100 updates
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from imitation import BOOK, Policy, imitated, likeliest, plain, play, summary
from network import FEATURES, Network, features
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnvWrapper, VecMonitor

from quepu.rl import MahjongVectorEnv, vec
from quepu.rl.sb3 import SB3VecEnv

Array = np.ndarray[Any, Any]
TABLES, STEPS = 32, 96
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


def layers(model: MaskablePPO) -> tuple[Any, Any]:
    """Return the two linear layers of the policy of a model."""
    policy: Any = model.policy
    return policy.mlp_extractor.policy_net[0], policy.action_net


def copy_weights(network: Network, model: MaskablePPO) -> None:
    """Give the policy of a model the weights of a network; its value is learnt anew."""
    w1, b1, w2, b2, *_ = (torch.from_numpy(weight.T.copy()) for weight in network.weights)
    first, last = layers(model)
    with torch.no_grad():
        for own, given in ((first.weight, w1), (first.bias, b1), (last.weight, w2), (last.bias, b2)):
            own.copy_(given)


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


def main(updates: int, hands: int, imitation: int, file: str = "") -> None:
    """Learn, measure on the same walls as the imitation and `plain`, and export to a file for `net:counts:FILE`."""
    torch.set_num_threads(1)  # for small networks more threads are slower, on a busy machine by far
    network = imitated(imitation, told=False)
    baseline = play(likeliest(network), hands)
    print("plain:", summary(play(plain(), hands)))
    print("imitation:", summary(baseline))
    tables = VecMonitor(Features(SB3VecEnv(vec(BOOK, TABLES, bots=("plain", "plain", "plain")))))
    whole = TABLES * STEPS
    model = MaskablePPO(
        "MlpPolicy", tables, n_steps=STEPS, batch_size=512, n_epochs=3, gamma=1.0, gae_lambda=0.95, clip_range=0.15,
        ent_coef=0.003, learning_rate=2e-4, device="cpu", seed=1,
        policy_kwargs={"net_arch": {"pi": [192], "vf": [192]}, "activation_fn": torch.nn.ReLU},
    )  # fmt: skip
    copy_weights(network, model)
    policy = [weights for layer in layers(model) for weights in layer.parameters()]
    for of_values_only in (True, False):  # a value that knows nothing yet would spoil the policy
        for weights in policy:
            weights.requires_grad = not of_values_only
        if of_values_only:
            model.learn(whole * max(1, updates // 15))
    for _ in range(3):
        model.learn(whole * max(1, updates // 3), reset_num_timesteps=False)
        played = play(most_likely(model), hands)
        apart = played.points - baseline.points
        error = apart.std() / np.sqrt(len(apart))
        print(f"after {model.num_timesteps:,} decisions:", summary(played))
        print(f"    against imitation on the same walls: {apart.mean():+.2f} ± {error:.2f}")
    model.save("maskable_ppo.zip")
    if file:
        from onnx_export import export

        export(network_of(model), file)


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    main(many, max(40, min(2000, many * 20)), max(20, min(3000, many * 20)), *sys.argv[2:3])
