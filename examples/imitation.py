"""Imitation of the level `plain` in 玉雀: how often a small network does the same, and how it then plays.

python examples/imitation.py [hands]      some minutes on one core with 3,000 hands
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np
from network import Network, chances, features

from quepu.bots import make_bot
from quepu.rl import MahjongVectorEnv, action_numbers, vec
from quepu.rl.data import from_bots

Array = np.ndarray[Any, Any]
Policy = Callable[[MahjongVectorEnv], Array]
"""An action for the learner at every table."""
Blocks = Callable[[Sequence[tuple[int, int]]], Iterable[tuple[Array, Array]]]
"""Plays a block for each seed and number of hands, in order."""
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


class Played(NamedTuple):
    """Hands in a fixed order: what the learner got of each, and whether he won it."""

    points: Array
    won: Array


def likeliest(network: Network) -> Policy:
    """The action that a network finds likeliest."""

    def act(tables: MahjongVectorEnv) -> Array:
        seen = features(tables.shown["observation"], tables.shown["action_mask"])
        return np.array(network.forward(seen)[0].argmax(axis=1))

    return act


def plain() -> Policy:
    """`plain` itself in the learner's place, to compare with."""
    seated: dict[int, Any] = {}

    def act(tables: MahjongVectorEnv) -> Array:
        actions = []
        for i, episode in enumerate(tables.episodes):
            table = episode.table
            seat = table.to_act[0]
            if i not in seated or seated[i][0] is not table:
                bot = make_bot("plain", i)
                bot.begin(table.book, seat)
                seated[i] = table, bot
            actions.append(action_numbers.number(seated[i][1].act(table.view(seat), table.options(seat))))
        return np.array(actions)

    return act


def play(policy: Policy, hands: int, seed: int = 10_000_000, tables: int = 20, *, compiled: bool = False) -> Played:
    """Hands against three `plain` bots on fixed walls."""
    made: Any = vec(BOOK, tables, bots=("plain", "plain", "plain"), compiled=compiled)
    _, infos = made.reset(seed=seed)
    found: list[list[tuple[float, bool]]] = [[] for _ in range(tables)]
    each = hands // tables
    while min(len(own) for own in found) < each:
        actions, learners = policy(made), infos["player"].copy()
        _, rewards, over, _, infos = made.step(actions)
        for i in np.flatnonzero(over):
            found[i].append((float(rewards[i]), infos["final_info"][i]["winner"] == learners[i]))
    points, won = np.array([own[:each] for own in found]).reshape(-1, 2).T
    return Played(points, won == 1)


def play_blocks(tasks: Sequence[tuple[int, int]]) -> Iterable[tuple[Array, Array]]:
    """Play the blocks one after the other in this process (many_workers.py has several)."""
    return starmap(block, tasks)


def imitated(hands: int, *, told: bool = True, blocks: Blocks = play_blocks) -> Network:
    """A network that saw the decisions of so many hands, block after block; the curve is printed."""
    rng, network = np.random.default_rng(1), Network(seed=1)
    tasks = [(number + 1, min(BLOCK, hands)) for number in range(max(1, hands // BLOCK))]
    held: tuple[Array, Array] | None = None
    decisions = 0
    for seen, taken in blocks([(999, min(200, hands)), *tasks]):
        if held is None:
            held = seen, taken
            continue
        fit(network, seen, taken, rng)
        decisions += len(taken)
        if told:
            print(f"{decisions:>9,} decisions: {accuracy(network, *held):.1%} as plain, hands not seen")
    return network


def summary(played: Played) -> str:
    """Mean points a hand with its standard error, and the share of hands won."""
    points, won = played
    error = points.std() / np.sqrt(len(points))
    return f"{points.mean():+.2f} ± {error:.2f} points a hand, {won.mean():.1%} won, {len(points)} hands"


if __name__ == "__main__":
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    made = imitated(total)
    against = max(40, total // 5)
    print("against three plain:", summary(play(likeliest(made), against)))
    print("plain in its place:", summary(play(plain(), against)))
