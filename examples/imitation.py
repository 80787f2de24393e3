"""Imitation of the level `plain` in 玉雀: how often a small network does the same, and how it then plays.

python examples/imitation.py [hands]      some minutes on one core with 3,000 hands
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from network import Network, chances, features

from quepu.rl import action_numbers, vec
from quepu.rl.data import from_bots

Array = np.ndarray[Any, Any]
BOOK, BLOCK = "yuque-54", 250


def block(seed: int, hands: int = BLOCK) -> tuple[Array, Array]:
    """Features and actions of decisions of four `plain` bots."""
    columns = from_bots(BOOK, ["plain"] * 4, hands, seed=seed).columns
    mask = np.unpackbits(columns["mask"], axis=1, count=action_numbers.COUNT)
    return features(columns["observation"], mask).astype(np.float16), columns["action"].astype(np.int64)


def fit(network: Network, seen: Array, taken: Array, rng: np.random.Generator, passes: int = 3) -> None:
    """Some passes of cross entropy over decisions, 256 at a time."""
    for _ in range(passes):
        order = rng.permutation(len(seen))
        for at in range(0, len(order), 256):
            some = order[at : at + 256]
            batch = seen[some].astype(np.float32)
            logits, values, hidden = network.forward(batch)
            wrong = chances(logits)
            wrong[np.arange(len(some)), taken[some]] -= 1
            network.learn(batch, hidden, wrong / len(some), np.zeros_like(values), 1e-3)


def accuracy(network: Network, seen: Array, taken: Array) -> float:
    """How often the likeliest action is the one taken."""
    return float((network.forward(seen.astype(np.float32))[0].argmax(axis=1) == taken).mean())


def play(network: Network, hands: int, seed: int = 10_000_000, tables: int = 20) -> Array:
    """Points of a network that takes its likeliest action, hand by hand, against three `plain` bots on fixed walls."""
    made = vec(BOOK, tables, bots=("plain", "plain", "plain"))
    shown, _ = made.reset(seed=seed)
    points: list[list[float]] = [[] for _ in range(tables)]
    each = hands // tables
    while min(len(own) for own in points) < each:
        logits = network.forward(features(shown["observation"], shown["action_mask"]))[0]
        shown, rewards, over, _, _ = made.step(logits.argmax(axis=1))
        for i in np.flatnonzero(over):
            points[i].append(float(rewards[i]))
    return np.array([own[:each] for own in points]).reshape(-1)


def imitated(hands: int, *, told: bool = True) -> Network:
    """A network that saw the decisions of so many hands, block after block; the curve is printed."""
    rng, network = np.random.default_rng(1), Network(seed=1)
    held_seen, held_taken = block(999, min(200, hands))
    decisions = 0
    for number in range(max(1, hands // BLOCK)):
        seen, taken = block(number + 1, min(BLOCK, hands))
        fit(network, seen, taken, rng)
        decisions += len(taken)
        if told:
            print(f"{decisions:>9,} decisions: {accuracy(network, held_seen, held_taken):.1%} as plain, hands not seen")
    return network


def summary(points: Array) -> str:
    """Mean points a hand with its standard error, and the share of hands won."""
    error = points.std() / np.sqrt(len(points))
    return f"{points.mean():+.2f} ± {error:.2f} points a hand, {(points > 0).mean():.1%} won, {len(points)} hands"


if __name__ == "__main__":
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    made = imitated(total)
    print("against three plain:", summary(play(made, max(40, total // 5))))
