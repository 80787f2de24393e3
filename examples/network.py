"""A small policy network in numpy: features of the `counts` encoding, one hidden layer, a policy and a value."""

from __future__ import annotations

import numpy as np
from option_network import Adam, Array

from quepu.rl import action_numbers
from quepu.rl.layout import CHOWS, CONCEALED, DRAWN, HAND, KONGS, OFFER, PUNGS, RIVER, SCALAR, SCALARS

FEATURES = 9 * 34 + 4 + action_numbers.COUNT


def features(counts: Array, mask: Array) -> Array:
    """What the network looks at: float32 [n, FEATURES] of counts int16 [n, 70, 42] and masks [n, 153].

    Own tiles as planes of ones, the drawn and the offered tile, own melds, tiles that lie open; who offers; the mask.
    """
    n = len(counts)
    tiles = counts[:, :, :34]
    own = tiles[:, HAND] + tiles[:, DRAWN]
    copies = [(own >= k) for k in (1, 2, 3, 4)]
    sets = tiles[:, PUNGS] + tiles[:, KONGS] + tiles[:, KONGS + 4] + tiles[:, CONCEALED]
    everywhere = 3 * tiles[:, PUNGS : PUNGS + 4].sum(axis=1) + 4 * tiles[:, KONGS : KONGS + 12].sum(axis=1)
    chows = tiles[:, CHOWS : CHOWS + 4].sum(axis=1)
    for step in range(3):
        everywhere[:, step:] += chows[:, : 34 - step]
    everywhere = everywhere + (tiles[:, RIVER : RIVER + 16] > 0).sum(axis=1)
    offerer = counts[:, SCALARS, SCALAR.index("offerer")]
    planes = [*copies, tiles[:, DRAWN], tiles[:, OFFER], tiles[:, CHOWS], sets, everywhere / 4]
    found = np.concatenate([*planes, offerer[:, None] == np.arange(1, 5), mask], axis=1)
    shown: Array = found.astype(np.float32).reshape(n, FEATURES)
    return shown


class Network:
    """Weights and Adam's moments. `forward` gives logits (masked actions: far below zero) and what `learn` needs."""

    def __init__(self, hidden: int = 192, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)

        def layer(rows: int, columns: int, scale: float) -> Array:
            made: Array = rng.standard_normal((rows, columns)) * scale / np.sqrt(rows)
            return made.astype(np.float32)

        self.weights = [
            layer(FEATURES, hidden, 1.4), np.zeros(hidden, np.float32),
            layer(hidden, action_numbers.COUNT, 0.1), np.zeros(action_numbers.COUNT, np.float32),
            layer(hidden, 1, 0.1), np.zeros(1, np.float32),
        ]  # fmt: skip
        self._adam = Adam(self.weights)

    def copy(self) -> Network:
        """The same weights, to be learnt on apart, with Adam begun anew."""
        made = Network(len(self.weights[1]))
        made.weights = [weight.copy() for weight in self.weights]
        return made

    def forward(self, seen: Array) -> tuple[Array, Array, Array]:
        """Of features [n, FEATURES]: logits [n, 153], values [n], the hidden layer."""
        w1, b1, w2, b2, w3, b3 = self.weights
        hidden = np.maximum(seen @ w1 + b1, 0)
        logits = hidden @ w2 + b2 - 1e4 * (1 - seen[:, -action_numbers.COUNT :])
        return logits, (hidden @ w3 + b3)[:, 0], hidden

    def learn(self, seen: Array, hidden: Array, by_logits: Array, by_values: Array, rate: float) -> None:
        """One step of Adam down the gradient, which is given by logits [n, 153] and values [n]."""
        w2, w3 = self.weights[2], self.weights[4]
        by_hidden = (by_logits @ w2.T + by_values[:, None] * w3[:, 0]) * (hidden > 0)
        gradients = [
            seen.T @ by_hidden, by_hidden.sum(axis=0), hidden.T @ by_logits, by_logits.sum(axis=0),
            hidden.T @ by_values[:, None], by_values.sum(keepdims=True),
        ]  # fmt: skip
        self._adam.step(self.weights, gradients, rate)


def chances(logits: Array) -> Array:
    """Softmax."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Array = raised / raised.sum(axis=1, keepdims=True)
    return shares
