"""First decisions of strong bots on a machine that has never run quepu: a row a level, the worst of all books.

Tables and compiled loops begin in an empty folder. They are prepared in a process of their own, as a server does it;
then each level's first decision in each book is asked of a new process of the kind that servers ask, which begins when
a table with such a bot is opened.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rows import Row

from quepu.bots import LEVELS
from quepu.rulebooks import book, book_ids
from quepu.server.rooms.bot_pool import BotPool, begin_strong
from quepu.table import Table, make_wall

_PREPARE = """
import resource, time
from quepu.rulebooks import book_ids
from quepu.server.work.building import BookSource, build, compile_queries, ready
compile_queries()
begun = time.process_time()
for source in map(BookSource, book_ids()):
    while not ready(source): build(source)
print(begun, time.process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
"""


class First(NamedTuple):
    """A first decision: seconds of the processor, those in which its process began, MiB at most."""

    seconds: float
    begun: float
    memory: int
    rules: str


def measure() -> Iterator[Row]:
    """A row for the preparation, then one a level."""
    with tempfile.TemporaryDirectory() as folder:
        given = {"QUEPU_CACHE": f"{folder}/tables", "NUMBA_CACHE_DIR": f"{folder}/loops"}
        os.environ.update(given)  # the processes are copies of one that begins with the first of them
        done = subprocess.run([sys.executable, "-c", _PREPARE], capture_output=True, text=True, check=True)
        loops, tables, memory = done.stdout.split()
        yield Row(
            "loops compiled and seven books' tables put up", f"{float(loops):.1f} + {float(tables):.1f} s",
            f"processor, beside the bots' process; {memory} MiB at most",
        )  # fmt: skip
        for level in (key for key, one in LEVELS.items() if one.heavy):
            found = [first(rules, level) for rules in book_ids()]
            slow, large = max(found), max(found, key=lambda one: one.memory)
            beside = f"processor, in {slow.rules}; its process began in {slow.begun:.1f} s; at most {large.memory} MiB"
            yield Row(f"first decision of {level}, worst of {len(found)} books", f"{slow.seconds:.2f} s", beside)


def first(rules: str, level: str) -> First:
    """Ask a new process for a discard."""
    table = Table(book(rules), make_wall(17))
    while len(options := table.options(seat := table.to_act[0])) < 2:
        table.step(seat, options[0])
    pool = BotPool(first=begin_strong)
    pool.expect()
    processes = pool._processes()  # nobody else tells which process it is
    try:
        processes.submit(bool).result()
        (pid,) = processes._processes
        begun = _spent(pid)
        asyncio.run(pool.choose(rules, "", level, table.view(seat), options))
        return First(_spent(pid) - begun, begun, _most(pid), rules)
    finally:
        pool.close()


def _spent(pid: int) -> float:
    used = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")


def _most(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) >> 10
