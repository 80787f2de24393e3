"""A small PPO from the imitation of `plain` on, against three `plain` bots in 玉雀, measured on the same walls.

python examples/ppo.py [updates] [FILE.onnx]      some half an hour on a busy core with 150 updates
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from imitation import BOOK, imitated, likeliest, plain, play, summary
from network import Network, chances, features

from quepu.rl import vec

Array = np.ndarray[Any, Any]
TABLES, STEPS = 32, 96
SCALE = 1 / 16
"""Rewards are points times this."""


def gathered(network: Network, made: Any, shown: Any, rng: np.random.Generator) -> tuple[dict[str, Array], Any]:
    """What a network did at all tables for some steps, and where they stand then."""
    found: dict[str, list[Array]] = {name: [] for name in ("seen", "taken", "chance", "value", "reward", "over")}
    for _ in range(STEPS):
        seen = features(shown["observation"], shown["action_mask"])
        logits, values, _ = network.forward(seen)
        likely = chances(logits)
        taken = (likely.cumsum(axis=1) > rng.random((len(likely), 1)) * likely.sum(axis=1, keepdims=True)).argmax(
            axis=1
        )
        shown, rewards, over, _, _ = made.step(taken)
        row = (seen, taken, likely[np.arange(len(taken)), taken], values, rewards * SCALE, over)
        for name, value in zip(found, row, strict=True):
            found[name].append(value)
    seen = features(shown["observation"], shown["action_mask"])
    arrays = {name: np.stack(values) for name, values in found.items()}
    arrays["value"] = np.concatenate([arrays["value"], network.forward(seen)[1][None]])
    return arrays, shown


def advantages(run: dict[str, Array], decay: float = 0.95) -> Array:
    """Generalised advantage estimates without discount: [steps, tables]."""
    found = np.zeros_like(run["reward"])
    carried = np.zeros(run["reward"].shape[1])
    for t in reversed(range(len(found))):
        goes_on = 1 - run["over"][t]
        error = run["reward"][t] + goes_on * run["value"][t + 1] - run["value"][t]
        carried = error + decay * goes_on * carried
        found[t] = carried
    return found


def improve(network: Network, run: dict[str, Array], rng: np.random.Generator, rate: float, value_only: bool) -> None:
    """The clipped update, three passes over what was gathered."""
    gain = advantages(run)
    target = (gain + run["value"][:-1]).reshape(-1)
    gain = ((gain - gain.mean()) / (gain.std() + 1e-6)).reshape(-1)
    seen, taken, before = (run[name].reshape(-1, *run[name].shape[2:]) for name in ("seen", "taken", "chance"))
    for _ in range(3):
        order = rng.permutation(len(seen))
        for at in range(0, len(order), 512):
            some = order[at : at + 512]
            logits, values, hidden = network.forward(seen[some])
            likely = chances(logits)
            rows = np.arange(len(some))
            ratio = likely[rows, taken[some]] / before[some]
            free = np.where(gain[some] > 0, ratio < 1.15, ratio > 0.85)
            by_logits = likely * (free * ratio * gain[some])[:, None]
            by_logits[rows, taken[some]] -= free * ratio * gain[some]
            entropy = -(likely * np.log(likely + 1e-9)).sum(axis=1, keepdims=True)
            by_logits += 0.003 * likely * (np.log(likely + 1e-9) + entropy)
            if value_only:
                by_logits[:] = 0
            by_values = (values - target[some]) * 0.5
            network.learn(
                seen[some],
                hidden,
                (by_logits / len(some)).astype(np.float32),
                (by_values / len(some)).astype(np.float32),
                rate,
            )


def main(updates: int, hands: int, imitation: int, file: str = "") -> None:
    """Learn, measure, and export to a file; both networks, and `plain` in their place, play the same walls."""
    rng = np.random.default_rng(5)
    first = imitated(imitation, told=False)
    network = first.copy()
    baseline = play(likeliest(first), hands)
    print("plain:", summary(play(plain(), hands)))
    print("imitation:", summary(baseline))
    made = vec(BOOK, TABLES, bots=("plain", "plain", "plain"))
    shown, _ = made.reset(seed=1)
    for update in range(1, updates + 1):
        run, shown = gathered(network, made, shown, rng)
        improve(network, run, rng, 3e-4 * (1 - 0.8 * update / updates), value_only=update <= max(1, updates // 15))
        if update % max(1, updates // 3) == 0:
            played = play(likeliest(network), hands)
            apart = played.points - baseline.points
            error = apart.std() / np.sqrt(len(apart))
            print(f"after {update * TABLES * STEPS:,} decisions:", summary(played))
            print(f"    against imitation on the same walls: {apart.mean():+.2f} ± {error:.2f}")
    if file:
        from onnx_export import export

        export(network, file)


if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 150
    main(many, max(40, min(2000, many * 20)), max(20, min(3000, many * 20)), *sys.argv[2:3])
