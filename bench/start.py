"""How long a command takes from nothing to its last line: the best of twelve, in processor time and on the wall."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rows import Row

HAND = "11223sCC(NNNN)(123s)+3s"
CLI = ("-c", "from quepu.cli import main; main()")
COMMANDS = (
    ["--help"],
    ["score", HAND],
    ["score", HAND, "--json"],
    ["score", HAND, "--rules", "guobiao"],
    ["books"],
    ["waits", "123m456p789sCCEE"],
    ["fans", "三连刻"],
)


LIBRARY = f"import quepu; quepu.score({HAND!r}).points"


def measure() -> Iterator[Row]:
    """One row a command: processor time beyond what Python alone takes, modules compiled already."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        env |= {"PYTHONPATH": str(Path(__file__).parent.parent / "src"), "PYTHONPYCACHEPREFIX": folder}
        bare = min(_times(["-c", "pass"], env))
        for what, arguments in (
            ("`import quepu`", ["-c", "import quepu"]),
            (f"`{LIBRARY}`", ["-c", LIBRARY]),
            *((f"`quepu {' '.join(command)}`", [*CLI, *command]) for command in COMMANDS),
        ):
            spent, wall = min(_times(arguments, env))
            beside = f"{wall * 1e3:.0f} ms on the wall; Python alone {bare[0] * 1e3:.0f} ms, which is taken off"
            yield Row(what, f"{(spent - bare[0]) * 1e3:.0f} ms", beside)


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
