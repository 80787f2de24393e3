"""Intervals of estimated costs, and so of grades, from playouts of random choices (`.ci/measure_verdicts.py`).

The error of an estimate, relative to what the best choice is worth, grows with the lost share:
`error · (BASE + loss)`. `data/confidence.json` has the error of each book.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from quepu.rules.rulebook import Rulebook

Z = 1.28
"""Intervals of grades are 80%."""
BASE = 0.7
ALL = ""
"""The entry of all books together."""


class Confidence(NamedTuple):
    """The error of a book's estimates, and the number of choices it was measured on."""

    choices: int
    error: float


UNMEASURED = Confidence(0, 0.3)


class CostInterval(NamedTuple):
    """An 80% interval of the points that a choice costs on average; `sure`: it does cost some."""

    low: float
    high: float

    @property
    def sure(self) -> bool:
        """Whether the interval is above 0; otherwise the choice is about equal to the best one."""
        return self.low > 0


def load_confidence(book: Rulebook) -> Confidence:
    """Return the measured error of a book's estimates."""
    found = _all()
    return found.get(book.id.partition("@")[0]) or found.get(ALL, UNMEASURED)


def cost_interval(book: Rulebook, cost: float, worth: float, certain: bool = False) -> CostInterval:
    """Return the interval of a cost if the best choice is worth `worth` points; `certain`: a win was passed up."""
    if certain or worth <= 0:
        return CostInterval(cost, cost)
    half = Z * load_confidence(book).error * (BASE + min(1.0, cost / worth)) * worth
    return CostInterval(cost - half, cost + half)


class Checked(NamedTuple):
    """Predictions of one tenth: how many, their mean, the share that came true, and half its 95% interval."""

    of: int
    predicted: float
    actual: float
    half: float


def load_thirds(book: Rulebook) -> list[list[Checked]]:
    """Return predictions against what came true early in the hand, in the middle, and late; empty if not measured."""
    path = files("quepu") / "data" / "calibration.json"
    data = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return [[Checked(*one) for one in third] for third in data.get(book.id.partition("@")[0], [])]


@cache
def _all() -> dict[str, Confidence]:
    path = files("quepu") / "data" / "confidence.json"
    data = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return {id: Confidence(int(one["choices"]), float(one["error"])) for id, one in data.items()}
