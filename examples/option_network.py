"""A network that rates options one by one, in numpy: rows of `quepu.bots.option_form`, two hidden layers, and a value.

The options of a decision are rows one below the other, and `starts` says where each decision begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from quepu.bots.option_form import WIDTH

Array = np.ndarray[Any, Any]
SIZES = (WIDTH, 64, 32, 1)


class Adam:
    """Moments of the gradient of each weight, for steps of Adam with its usual decays."""

    def __init__(self, weights: Sequence[Array]) -> None:
        self._first = [np.zeros_like(weight) for weight in weights]
        self._second = [np.zeros_like(weight) for weight in weights]
        self._steps = 0

    def step(self, weights: Sequence[Array], gradients: Sequence[Array], rate: float) -> None:
        """Move the weights one step down their gradients."""
        self._steps += 1
        size = rate * np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        for i, (weight, gradient) in enumerate(zip(weights, gradients, strict=True)):
            self._first[i] += 0.1 * (gradient - self._first[i])
            self._second[i] += 0.001 * (gradient * gradient - self._second[i])
            weight[:] -= (size * self._first[i] / (np.sqrt(self._second[i]) + 1e-8)).astype(np.float32)


class OptionNetwork:
    """Weights and Adam's moments: three layers that rate an option, two for the value of a decision."""

    def __init__(self, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)

        def layer(takes: int, gives: int, scale: float) -> list[Array]:
            made: Array = rng.standard_normal((takes, gives)) * scale / np.sqrt(takes)
            return [made.astype(np.float32), np.zeros(gives, np.float32)]

        a, b, c, _ = SIZES
        self.weights = [*layer(a, b, 1.4), *layer(b, c, 1.4), *layer(c, 1, 0.3), *layer(2 * a, b, 1), *layer(b, 1, 0.1)]
        self._adam = Adam(self.weights)

    def copy(self) -> OptionNetwork:
        """Return the same weights, to be trained further, with Adam begun anew."""
        made = OptionNetwork()
        made.weights = [weight.copy() for weight in self.weights]
        return made

    def rate(self, rows: Array) -> Array:
        """Return the rating of each row."""
        w0, b0, w1, b1, w2, b2 = self.weights[:6]
        rated: Array = np.maximum(np.maximum(rows @ w0 + b0, 0) @ w1 + b1, 0) @ w2 + b2
        return rated[:, 0]

    def value(self, rows: Array, starts: Array) -> Array:
        """Return the value of each decision: of the mean and the greatest of its rows, column by column."""
        w0, b0, w1, b1 = self.weights[6:]
        found: Array = np.maximum(_summary(rows, starts) @ w0 + b0, 0) @ w1 + b1
        return found[:, 0]

    def learn(self, rows: Array, starts: Array, by_ratings: Array, by_values: Array, rate: float) -> None:
        """Take one step of Adam down the gradient, given by rating and by value."""
        w0, b0, w1, b1, w2 = self.weights[:5]
        v0, c0, v1 = self.weights[6:9]
        first = np.maximum(rows @ w0 + b0, 0)
        second = np.maximum(first @ w1 + b1, 0)
        by_second = by_ratings[:, None] @ w2.T * (second > 0)
        by_first = by_second @ w1.T * (first > 0)
        seen = _summary(rows, starts)
        hidden = np.maximum(seen @ v0 + c0, 0)
        by_hidden = by_values[:, None] @ v1.T * (hidden > 0)
        gradients = [
            rows.T @ by_first, by_first.sum(0), first.T @ by_second, by_second.sum(0),
            second.T @ by_ratings[:, None], by_ratings.sum(keepdims=True),
            seen.T @ by_hidden, by_hidden.sum(0), hidden.T @ by_values[:, None], by_values.sum(keepdims=True),
        ]  # fmt: skip
        self._adam.step(self.weights, gradients, rate)

    def save(self, file: str | Path) -> None:
        """Write the policy as a file for `net:FILE`."""
        layers: dict[str, Any] = {"form": np.array("options")}
        for number in range(3):
            layers[f"w{number}"], layers[f"b{number}"] = self.weights[2 * number].T, self.weights[2 * number + 1]
        np.savez_compressed(file, **layers)


def _summary(rows: Array, starts: Array) -> Array:
    counts = np.diff(np.append(starts, len(rows)))
    mean = np.add.reduceat(rows, starts) / counts[:, None]
    return np.concatenate([mean, np.maximum.reduceat(rows, starts)], axis=1)


def chances(ratings: Array, starts: Array) -> Array:
    """Return the softmax of the ratings within each decision."""
    counts = np.diff(np.append(starts, len(ratings)))
    raised = np.exp(ratings - np.repeat(np.maximum.reduceat(ratings, starts), counts))
    shares: Array = raised / np.repeat(np.add.reduceat(raised, starts), counts)
    return shares


def select(rows: Array, starts: Array, some: Array) -> tuple[Array, Array, Array]:
    """Return the rows of some decisions, where each begins, and the places of these rows in all."""
    ends = np.append(starts[1:], len(rows))
    counts = ends[some] - starts[some]
    begins = np.cumsum(counts) - counts
    places = np.arange(counts.sum()) + np.repeat(starts[some] - begins, counts)
    return rows[places], begins, places
