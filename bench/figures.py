"""Count: every hand of a book, ten million stored discards, a year of a club, a folder of logs."""

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

import numpy as np
import pyarrow
from pyarrow import parquet
from run import Row, process

from quepu.explorer import filters
from quepu.explorer.rows import BITS, DISCARD, HALF
from quepu.explorer.store import Store
from quepu.rulebooks import book_ids
from quepu.tiles import KINDS

EVERY = """
import json, sys, time
from quepu.rulebooks import book
rules = book(sys.argv[1])
begun = time.process_time()
from quepu.fast.universe.classed import class_universe, conditions_of
from quepu.fast.universe.revised_classes import FiguredClasses
from quepu.fast.universe.census import classify
from quepu.fast.universe.standard_hands import STATES, Universe
classes = FiguredClasses(rules)
hands = sum(len(index) for _, index, _ in classify(classes, Universe(STATES["closed-draw"])))
points = classes.points  # values are made when they are first asked for
scored = time.process_time()
found = class_universe(conditions_of(rules), STATES["closed-discard"])
sorted_by = time.process_time()
print(json.dumps([hands, len(classes), scored - begun, len(found.examples), sorted_by - scored,
                  peak()]))
"""


def lab() -> Iterator[Row]:
    """Score every standard hand drawn closed, and sort every hand of every shape won closed by discard."""
    for name in book_ids():
        hands, signatures, scoring, classes, sorting, memory = process(EVERY, name, OMP_NUM_THREADS="1")
        note = f"{hands:,} hands, {signatures:,} signatures; suit tables and universe included"
        yield Row(f"{name}: every standard hand scored", scoring, note=note)
        note = f"{classes:,} classes; {memory:.0f} MiB at most; compiled code on disk"
        yield Row(f"{name}: every hand of every shape into classes", sorting, note=note)


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


def clubs(tables: int = 200, hands: int = 23, times: int = 15) -> Iterator[Row]:
    """Ask for a club's year: its list of tables, standings and a player's page."""
    from starlette.testclient import TestClient

    from quepu.server.app import Settings, create_app

    names = ["林", "周", "何", "许", "沈", "韩", "杨", "朱", "秦", "尤", "吕", "施"]
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder), rate=1e6, burst=10**6, stored_burst=1e12, work_burst=1e9)
        with TestClient(create_app(settings), headers={"X-Who": "bench-season"}) as client:
            for number in range(tables):
                at = [names[(number * 5 + i * (1 + number % 2)) % len(names)] for i in range(4)]
                records = [
                    {
                        "kind": "hand",
                        "winner": (i + number) % 4,
                        "points": 24 + 2 * (i % 9),
                        "discarder": (i + number + 1) % 4,
                    }
                    for i in range(hands)
                ]
                spec = {"rules": "lingque-29", "names": at, "rounds": 16, "club": "年", "club_round": number + 1}
                table = {"quepu": "table", "spec": spec, "records": records}
                client.post("/api/tables/import", json={"who": "bench-season", "table": table}).raise_for_status()
            for what, path in (
                (f"the list of {tables} tables of {hands} hands", "/api/tables"),
                ("standings of a club over them", "/api/clubs/年"),
                ("a player's page over them", f"/api/players/{names[0]}"),
                ("a season over them", "/api/season"),
            ):
                found = []
                for _ in range(times):
                    began = time.process_time()
                    client.get(path).raise_for_status()
                    found.append(time.process_time() - began)
                yield Row(what, min(found), note="processor time, without network")


def folder(matches: int = 2000, different: int = 10) -> Iterator[Row]:
    """Run `quepu stats` on a folder of logs, each a match of sixteen hands."""
    from quepu.arena import match

    with tempfile.TemporaryDirectory() as made:
        for seed in range(different):
            match("guobiao-mcr", ["plain"] * 4, seed=seed, log=Path(made) / f"{seed:05}.jsonl")
        for number in range(different, matches):
            shutil.copyfile(f"{made}/{number % different:05}.jsonl", f"{made}/{number:05}.jsonl")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "quepu", "stats", made, "--json"]
        found = subprocess.run(command, check=True, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert json.loads(found.stdout)["matches"] == matches
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        yield Row(f"quepu stats, {matches} matches of 16 hands", spent, note="processor time of all cores")
