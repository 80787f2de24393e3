"""How long a command takes from nothing to its last line: the best of twelve, in processor time and on the wall."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from rows import Row

TITLE = "Start"
HAND = "11223sCC(NNNN)(123s)+3s"
COMMANDS = (
    ["--help"],
    ["score", HAND],
    ["score", HAND, "--json"],
    ["score", HAND, "--rules", "guobiao"],
    ["books"],
    ["waits", "123m456p789sCCEE"],
    ["fans", "三连刻"],
)


def measure() -> Iterator[Row]:
    """One row a command, and Python alone beside it."""
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent / "src")}
    bare = min(_times(["-c", "pass"], env))
    for command in COMMANDS:
        spent, wall = min(_times(["-c", "from quepu.cli import main; main()", *command], env))
        beside = f"{wall:.2f} s on the wall; Python alone {bare[0]:.2f} s"
        yield Row(f"`quepu {' '.join(command)}`", f"{spent:.2f} s", beside)


def _times(arguments: list[str], env: dict[str, str]) -> list[tuple[float, float]]:
    times = []
    for _ in range(12):
        begun, before = time.perf_counter(), _spent()
        subprocess.run([sys.executable, *arguments], env=env, stdout=subprocess.DEVNULL, check=True)
        times.append((_spent() - before, time.perf_counter() - begun))
    return times


def _spent() -> float:
    """Processor seconds of all children so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
