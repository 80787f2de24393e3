"""Single rounds of riichienv by random choices: the other program of several figures."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

Choose = Callable[[Any, float], Any]
"""An action of an observation, by a number from 0 to 1."""


def legal_action(observation: Any, number: float) -> Any:
    """One of its list."""
    legal = observation.legal_actions()
    return legal[int(number * len(legal))]


def masked_action(observation: Any, number: float) -> Any:
    """One that the mask allows, after the observation was encoded (`encode()`: 74 x 34 float32)."""
    np.frombuffer(observation.encode(), np.float32)
    legal = np.flatnonzero(np.frombuffer(observation.mask(), np.int8))
    return observation.find_action(int(legal[int(number * len(legal))]))


def riichi_rounds(seed: int, rounds: int, choose: Choose) -> int:
    """How many decisions so many rounds took."""
    import riichienv

    rnd = random.Random(seed).random
    decisions = 0
    for i in range(rounds):
        env = riichienv.RiichiEnv(game_mode="4p-red-single", seed=seed * rounds + i)
        observations = env.reset()
        while not env.done():
            decisions += len(observations)
            observations = env.step({player: choose(seen, rnd()) for player, seen in observations.items()})
    return decisions
