"""Figures of players over many matches: `quepu stats` on a folder of 10,000 logs."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rows import Row

MATCHES, DIFFERENT = 10_000, 10
RULES = "guobiao-mcr"


def measure() -> Iterator[Row]:
    """The whole command by the clock, start and all: whole matches of sixteen hands, each in a file of its own."""
    from quepu.arena import match

    with tempfile.TemporaryDirectory(prefix="quepu-folder-") as made:
        folder = Path(made)
        for seed in range(DIFFERENT):
            match(RULES, ["plain"] * 4, seed=seed, log=folder / f"{seed:05}.jsonl")
        size = sum(path.stat().st_size for path in folder.iterdir()) * (MATCHES // DIFFERENT)
        for number in range(DIFFERENT, MATCHES):
            shutil.copyfile(folder / f"{number % DIFFERENT:05}.jsonl", folder / f"{number:05}.jsonl")
        began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "quepu", "stats", str(folder), "--json"]
        found = subprocess.run(command, check=True, capture_output=True, text=True)
        took, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        assert json.loads(found.stdout)["matches"] == MATCHES
        yield Row(
            f"quepu stats, {MATCHES} matches of 16 hands, every core",
            f"{took:.1f} s",
            f"{processor:.1f} s of the processor, load {os.getloadavg()[0]:.0f}; {size / 1e9:.1f} GB of logs, "
            f"{DIFFERENT} different matches",
        )
