"""Processes of bots hold little of the tables that they look into."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from quepu.fast.nearest.gain_files import GainCase
from quepu.fast.nearest.payable import Payable
from quepu.fast.universe.standard_hands import MELD_SETS
from quepu.rulebooks import book
from quepu.server.rooms import bot_pool
from quepu.server.rooms.bot_choice import BotRequest
from quepu.table import Table, make_wall
from quepu.tiles import KINDS

STATM = Path("/proc/self/statm")
MOST = 300
"""MiB, while every book is played by strong bots in one process."""
EVERY_BOOK = """
import sys
from quepu.rulebooks import book, book_ids
from quepu.server.rooms.bot_choice import BotRequest
from quepu.server.rooms.bot_pool import answers
from quepu.server.work.building import BookSource, build, ready
from quepu.table import Table, make_wall
names = [name for name in book_ids() if book(name).play]
if sys.argv[1] == "build":
    for name in names:
        while not ready(BookSource(name)):
            build(BookSource(name))
    sys.exit()
tables = {name: Table(book(name), make_wall(1, number)) for number, name in enumerate(names)}
for steps in (20, 5, 5):
    for name, table in tables.items():
        for _ in range(steps):
            if table.to_act:
                seat = table.to_act[0]
                options = table.options(seat)
                level = ("gain", "master", "steps", "gain")[seat]
                [chosen] = answers([BotRequest.of(name, "", level, table.view(seat), options)])
                table.step(seat, options[chosen])
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def files_held() -> float:
    """MiB of files in this process's memory."""
    return int(STATM.read_bytes().split()[2]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


@pytest.mark.skipif(not STATM.exists(), reason="this system does not say what a process holds")
def test_tables_that_were_read_go_back_to_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.npy"
    np.save(path, np.ones(KINDS * MELD_SETS, np.uint16))
    rules = book("canton")
    tables = Payable(rules)
    tables._tables[GainCase(closed=True, double_wind=False)] = points = np.load(path, mmap_mode="r")
    monkeypatch.setattr("quepu.fast.nearest.payable._TABLES", {rules.fingerprint: tables})
    assert points.sum() == len(points)
    before = files_held()
    table = Table(rules, make_wall(1, 1))
    seat = table.to_act[0]
    question = BotRequest.of("canton", "", "plain", table.view(seat), table.options(seat))
    monkeypatch.setattr(bot_pool, "_FILES", 10_000)
    assert bot_pool.answers([question]) != [None]
    assert files_held() > before - 5
    monkeypatch.setattr(bot_pool, "_FILES", 0)
    bot_pool.answers([question])
    assert files_held() < before - 20
    assert points.sum() == len(points)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(not STATM.exists(), reason="this system does not say what a process holds")
def test_a_process_of_bots_stays_small_over_all_books() -> None:
    def run(what: str) -> str:
        done = subprocess.run([sys.executable, "-c", EVERY_BOOK, what], check=True, capture_output=True, text=True)
        return done.stdout

    run("build")
    assert 0 < int(run("play")) < MOST << 10
