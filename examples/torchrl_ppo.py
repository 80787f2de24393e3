"""PPO with TorchRL on `gym_env`: the mask of legal actions goes from `info` into the policy.

pip install 'quepu[rl]' torchrl      with a torch for CPUs: pip install torch --index-url https://download.pytorch.org/whl/cpu
python examples/torchrl_ppo.py [updates]      a minute with 20 updates
"""

from __future__ import annotations

import sys
from typing import Any

import torch
from tensordict.nn import ProbabilisticTensorDictModule, ProbabilisticTensorDictSequential, TensorDictModule
from torchrl.collectors import Collector
from torchrl.data import Binary
from torchrl.envs import GymWrapper
from torchrl.envs.gym_like import default_info_dict_reader
from torchrl.modules import MaskedCategorical, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import quepu.rl
from quepu.rl import action_numbers

STEPS = 512
"""Decisions gathered before each update."""


def environment(rules: str = "yuque-54", bots: tuple[str, str, str] = ("plain", "plain", "plain")) -> Any:
    """Return one learner against three bots, whose "action_mask" is an entry beside "observation"."""
    made = GymWrapper(quepu.rl.gym_env(rules, bots), categorical_action_encoding=True)
    mask = Binary(n=action_numbers.COUNT, shape=torch.Size([action_numbers.COUNT]), dtype=torch.int8)
    return made.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec={"action_mask": mask}))


class Layers(torch.nn.Module):
    """Two layers on the flat observation."""

    def __init__(self, shown: int, out: int) -> None:
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(shown, 128), torch.nn.Tanh(), torch.nn.Linear(128, out))

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """Return the outputs; what counts stand for is at most a few dozen."""
        return self.layers(observation.flatten(-2).float().clamp(-32, 32) / 4)


def policy_and_value(shown: int) -> tuple[Any, Any]:
    """Return a policy that takes legal actions only, and the value of an observation of so many numbers."""
    logits = TensorDictModule(Layers(shown, action_numbers.COUNT), ["observation"], ["logits"])
    legal = TensorDictModule(lambda mask: mask.bool(), ["action_mask"], ["mask"])
    choice = ProbabilisticTensorDictModule(
        ["logits", "mask"], ["action"], distribution_class=MaskedCategorical, return_log_prob=True
    )
    policy: Any = ProbabilisticTensorDictSequential  # its type allows a list of modules only
    return policy(logits, legal, choice), ValueOperator(Layers(shown, 1))


def main(updates: int) -> list[float]:
    """Learn, and print the mean points of the episodes of each update."""
    torch.manual_seed(1)
    torch.set_num_threads(1)  # for small networks more threads are slower
    made = environment()
    made.set_seed(1)
    policy, value = policy_and_value(made.observation_spec["observation"].shape.numel())
    loss = ClipPPOLoss(policy, value, clip_epsilon=0.2, entropy_coeff=0.003)
    gains = GAE(gamma=1.0, lmbda=0.95, value_network=value)
    optimizer = torch.optim.Adam(loss.parameters(), 3e-4)
    curve = []
    for some in Collector(made, policy, frames_per_batch=STEPS, total_frames=updates * STEPS):
        some["next", "reward"] /= 16
        for _ in range(3):
            gains(some)
            for part in some[torch.randperm(STEPS)].split(128):
                terms = loss(part)
                optimizer.zero_grad()
                torch.stack([value for name, value in terms.items() if name.startswith("loss_")]).sum().backward()
                optimizer.step()
        ended = some["next", "done"].sum().item()
        curve.append(some["next", "reward"].sum().item() * 16 / max(1, ended))
        print(f"{len(curve) * STEPS:>7,} decisions: {curve[-1]:+.2f} points a hand, {ended} hands")
    return curve


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
