"""Ask ten million stored discards on one core."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow
from pyarrow import parquet
from run import Row

from quepu.explorer import filters
from quepu.explorer.rows import BITS, DISCARD, HALF
from quepu.explorer.store import Store
from quepu.tiles import KINDS

NUMBER = 10_000_000
QUESTIONS = {
    "shown>=2 turn>=10 early=4m tile=1m": "",
    "melds=0 dragons>=3": "turn",
    "shown>=2 turn>=10": "tile",
}
_PART = 1_000_000


def _part(rng: np.random.Generator, first: int, size: int) -> pyarrow.Table:
    """Return random discards of hands after one another, in the form of a store."""
    at = np.arange(first, first + size)
    low = np.zeros(size, np.int64)
    high = np.zeros(size, np.int64)
    for kind in range(KINDS):
        copies = rng.choice(5, size, p=(0.65, 0.25, 0.08, 0.015, 0.005)).astype(np.int64)
        if kind < HALF:
            low |= copies << BITS * kind
        else:
            high |= copies << BITS * (kind - HALF)
    columns: dict[str, object] = {
        "file": pyarrow.DictionaryArray.from_arrays(at // 20_000 % 500, [f"match-{n}.jsonl" for n in range(500)]),
        "hand": at // 60 % 16 + 1, "frame": at % 60 * 2, "seat": at % 4, "turn": at % 60 // 4 + 1,
        "rules": pyarrow.DictionaryArray.from_arrays(np.zeros(size, np.int32), ["guobiao-mcr"]),
        "player": pyarrow.DictionaryArray.from_arrays((at % 4).astype(np.int32), ["A", "B", "C", "D"]),
        "left": 83 - at % 60, "tile": rng.integers(0, KINDS, size), "as_drawn": rng.random(size) < 0.4,
        "melds": rng.integers(0, 4, size), "low": low, "high": high, "won": rng.random(size) < 0.25,
        "took": rng.choice(4, size, p=(0.97, 0.01, 0.01, 0.01)), "cost": rng.integers(0, 40, size),
        "gain": rng.integers(-40, 60, size),
    }  # fmt: skip
    for by in (1, 2, 3):
        columns[f"shown{by}"] = rng.integers(0, 4, size)
        for name, most in (("early", 6), ("river", 12)):
            bits = np.zeros(size, np.int64)
            for _ in range(most):
                bits |= np.int64(1) << rng.integers(0, KINDS, size)
            columns[f"{name}{by}"] = bits
    return pyarrow.table({name: columns[name] for name in DISCARD})


def explorer(number: int = NUMBER) -> Iterator[Row]:
    """Ask three questions of ten million discards in Parquet, on one thread, each from its file."""
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory(dir=os.environ.get("QUEPU_BENCH")) as folder:
        path = Path(folder) / "discards.parquet"
        writer = None
        for first in range(0, number, _PART):
            part = _part(rng, first, min(_PART, number - first))
            writer = writer or parquet.ParquetWriter(path, part.schema)
            writer.write_table(part)
        if writer is not None:
            writer.close()
        store = Store(path, threads=1)
        for text, by in QUESTIONS.items():
            best = float("inf")
            for _ in range(3):
                began = time.process_time()
                answer = store.ask(filters.read(text), by)
                best = min(best, time.process_time() - began)
            cases = sum(group.cases for group in answer.groups)
            grouped = f", by {by}" if by else ""
            yield Row(f"{number:,} discards: {text}{grouped}", best, note=f"{cases:,} cases")
        store.close()
