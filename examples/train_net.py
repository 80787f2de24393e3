"""Train a tiny net on the decisions of `plain`, in the public form, with numpy alone: examples/plain.npz.

    python examples/train_net.py [HANDS] [FILE]

It is a sample for `net:FILE`, not a strong player. Weights are stored as whole numbers of eight bits with a scale for
each row; 2,000 hands take some minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from option_network import Adam

from quepu.arena import follow_hand
from quepu.bots import public_form
from quepu.rulebooks import book
from quepu.table import make_wall, seen_by
from quepu.tiles import PLAIN

HIDDEN, BATCH, EPOCHS, RATE = 24, 256, 12, 0.002


def decisions(hands: range) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """Yield observation (stale form), mask and chosen number of every decision with a choice."""
    rules = book("guobiao-mcr")
    for seed in hands:
        wall = make_wall(seed, 0, PLAIN, own=True)
        memories = [public_form.Memory(seat) for seat in range(4)]
        shown = 0
        for table, acting, chosen in follow_hand(rules, wall, ["plain"] * 4, round=seed % 4, seed=seed):
            for number, event in enumerate(table.events_from(shown), shown):
                for seat, memory in enumerate(memories):
                    memory.add(seen_by(event, seat, number, hidden=True))
            shown = table.event_count
            options, view = table.options(acting), table.view(acting)
            action = public_form.action_number(chosen)
            if len(options) > 1 and action is not None:
                yield public_form.observe(view, memories[acting]), public_form.action_mask(options), action


def collect(hands: range) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the decisions of some hands as arrays."""
    observations, masks, chosen = zip(*decisions(hands), strict=True)
    flat = np.stack(observations).reshape(len(chosen), -1)
    return flat, np.stack(masks), np.array(chosen)


def agreement(weights: list[np.ndarray], data: tuple[np.ndarray, np.ndarray, np.ndarray]) -> float:
    """Return the share of decisions in which the net chooses as `plain` did."""
    w0, b0, w1, b1 = weights
    logits = np.maximum(data[0].astype(np.float32) @ w0.T + b0, 0) @ w1.T + b1
    return float((np.where(data[1], logits, -np.inf).argmax(1) == data[2]).mean())


def train(data: tuple[np.ndarray, np.ndarray, np.ndarray], seed: int = 1) -> list[np.ndarray]:
    """Minimise the cross entropy over legal actions with Adam; return w0, b0, w1, b1."""
    rng = np.random.default_rng(seed)
    sizes = (data[0].shape[1], HIDDEN, public_form.ACTIONS)
    weights = []
    for takes, gives in pairwise(sizes):
        weights += [
            rng.normal(0, (2 / min(takes, 200)) ** 0.5, (gives, takes)).astype(np.float32),
            np.zeros(gives, np.float32),
        ]
    adam = Adam(weights)
    for epoch in range(EPOCHS):
        rate = RATE * (1 - epoch / EPOCHS)
        for some in np.array_split(rng.permutation(len(data[2])), len(data[2]) // BATCH):
            x, mask, chosen = data[0][some].astype(np.float32), data[1][some], data[2][some]
            w0, b0, w1, b1 = weights
            hidden = np.maximum(x @ w0.T + b0, 0)
            logits = np.where(mask, hidden @ w1.T + b1, -1e9)
            odds = np.exp(logits - logits.max(1, keepdims=True))
            odds /= odds.sum(1, keepdims=True)
            odds[np.arange(len(some)), chosen] -= 1
            odds /= len(some)
            back = (odds @ w1) * (hidden > 0)
            adam.step(weights, [back.T @ x, back.sum(0), odds.T @ hidden, odds.sum(0)], rate)
    return weights


def main(hands: int = 2000, file: str = "examples/plain.npz") -> None:
    """Collect, train, store, and print how often the net agrees with `plain` on hands kept apart."""
    data, apart = collect(range(hands)), collect(range(hands, hands + hands // 10))
    weights = train(data)
    stored: dict[str, Any] = {"form": np.array("stale")}
    for at in (0, 1):
        scale = np.maximum(np.abs(weights[2 * at]).max(1), 1e-6) / 127
        stored[f"w{at}"] = np.round(weights[2 * at] / scale[:, None]).astype(np.int8)
        stored[f"s{at}"], stored[f"b{at}"] = scale.astype(np.float32), weights[2 * at + 1]
        weights[2 * at] = stored[f"w{at}"] * stored[f"s{at}"][:, None]
    np.savez_compressed(file, **stored)
    print(f"{len(data[2])} decisions; agrees on {agreement(weights, apart):.1%} of {len(apart[2])} others")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000, *sys.argv[2:3])
