"""A line of figures, and the clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple


class Row(NamedTuple):
    """What was measured, its figure, and how it compares."""

    what: str
    figure: str
    beside: str = ""


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Processor seconds of the best of several runs."""
    best = float("inf")
    for _ in range(repeats):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best
