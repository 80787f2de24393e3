"""Keep a server busy for hours: many tables on one core, an upgrade after a third of the time, a kill after two thirds.

    python bench/run.py soak                                    300 tables, six hours
    python bench/run.py soak tables=300 minutes=15 into=curve.csv

Every table has a person at a socket and three bots, an action a second. They play matches of one round, so that matches
end and tables are dropped all the time: a log stays in memory until its match is over, and sixteen rounds take two
hours. A person whose socket breaks comes back to the same match. The upgrade is what `systemctl restart` does (the
server is asked to stop, and started again); the kill is SIGKILL. `into` gets a line for each sample.
"""

from __future__ import annotations

import asyncio
import csv
import json
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from run import Row
from server import MANY, Player, part, refusals
from tests.server.serving import Server
from websockets.exceptions import WebSocketException

FLAT = 0.05
"""The share by which memory may differ between the middle and the end of a life of the server."""
SLOW = 0.1
"""Seconds that 99 % of the actions may take."""
_SAMPLES = 120
"""Samples over the whole time."""
_WARM = 0.4
"""The share of each life before memory is compared: caches fill until then."""


class Sample(NamedTuple):
    """The server at one moment: minutes since the start, its life (0, 1, 2), MiB, descriptors, the actions since."""

    minutes: float
    life: int
    memory: float
    files: int
    core: float
    actions: int
    half: float
    most: float
    """99 % of the actions are faster."""


class Stayer(Player):
    """A person who comes back to the same match, wherever the server is now."""

    def __init__(self, address: str, think: float, rounds: int) -> None:
        super().__init__(address, think, rounds=rounds)
        self.returned = 0
        self.finished = 0

    async def play(self) -> None:
        """Play matches until cancelled."""
        sat: dict[str, Any] | None = None
        async with self._client() as web:
            while True:
                try:
                    sat = sat or await self._open(web)
                    if sat is not None:
                        async with self._socket(sat) as socket:
                            await socket.send(json.dumps({"token": sat["token"], "after": -1, "hand": True}))
                            await socket.send('{"ready":true}')
                            if await self._match(socket):
                                sat = None
                                self.finished += 1
                                continue
                except (OSError, WebSocketException, httpx.HTTPError, TimeoutError):
                    pass
                self.returned += sat is not None
                await asyncio.sleep(0.5)


def soak(tables: int = 300, minutes: float = 360, think: float = 1.0, rounds: int = 1, into: str = "") -> Iterator[Row]:
    """Play at many tables for hours; report memory, descriptors and times of each life of the server."""
    target = Path(into or os.devnull)
    with tempfile.TemporaryDirectory() as folder, target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(Sample._fields)

        def note(sample: Sample) -> None:
            writer.writerow(sample)
            file.flush()  # a run that is stopped leaves its curve

        samples, players = asyncio.run(_soak(Path(folder) / "data", tables, (60 * minutes, think, rounds), note))
    yield from report(samples, players)


def report(samples: list[Sample], players: list[Stayer]) -> Iterator[Row]:
    """Yield the figures of each life of the server, with what they should be."""
    for life in sorted({one.life for one in samples}):
        whole = [one for one in samples if one.life == life]
        warm = whole[int(_WARM * len(whole)) :]
        middle, end = (
            sum(one.memory for one in some) / len(some) for some in (warm[: max(1, len(warm) // 2)], warm[-3:])
        )
        growth = end / middle - 1
        name = f"life {life + 1}"
        yield Row(f"{name}: memory", end, "MiB", note=f"{growth:+.1%} since its middle (at most {FLAT:.0%})")
        files = (warm[0].files, warm[-1].files)
        yield Row(f"{name}: descriptors", files[1], "files", note=f"{files[0]} → {files[1]}")
        times = [one.most for one in warm if one.actions]
        yield Row(f"{name}: an action until it is seen, 99 %", part(times, 0.5),
                  note=f"worst sample {1000 * max(times):.0f} ms (at most {1000 * SLOW:.0f}); "
                       f"{sum(one.actions for one in whole):,} actions")  # fmt: skip
    yield Row("matches played to their end", sum(one.finished for one in players), "matches")
    yield Row("attempts to come back", sum(one.returned for one in players), "times")
    refused = refusals(players)
    yield Row("rooms that the server refused to open", refused.total(), "times", note="; ".join(refused))


async def _soak(
    data: Path, tables: int, pace: tuple[float, float, int], note: Callable[[Sample], None]
) -> tuple[list[Sample], list[Stayer]]:
    seconds, think, rounds = pace
    server = _start(data)
    players = [Stayer(server.address, think, rounds) for _ in range(tables)]
    began = time.monotonic()

    async def begin(at: int) -> None:
        await asyncio.sleep(at / tables * min(20.0, seconds / 10))
        await players[at].play()

    tasks = [asyncio.create_task(begin(at)) for at in range(tables)]
    samples: list[Sample] = []
    try:
        for life, how in enumerate((signal.SIGTERM, signal.SIGKILL, None)):
            ends = time.monotonic() + seconds / 3
            while (now := time.monotonic()) < ends:
                for one in players:
                    one.heard.clear()
                before = _ticks(server)
                await asyncio.sleep(min(seconds / _SAMPLES, ends - now))
                heard = [time for one in players for time in one.heard]
                spent = (_ticks(server) - before) / max(time.monotonic() - now, 0.001)
                files = len(os.listdir(f"/proc/{server.process.pid}/fd"))
                at = (time.monotonic() - began) / 60
                times = part(heard, 0.5), part(heard, 0.99)
                samples.append(Sample(at, life, server.memory(), files, spent, len(heard), *times))
                note(samples[-1])
            if how is not None:
                server = await _replace(server, how, data)
                for one in players:
                    one.address = server.address
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        server.kill()
    return samples, players


def _start(data: Path) -> Server:
    """Start a server on the first core; this process takes the others."""
    server = Server(data, *(part for name in MANY for part in ("--limit", f"{name}=1000000")))
    os.sched_setaffinity(server.process.pid, {0})
    os.sched_setaffinity(0, set(range(os.cpu_count() or 1)) - {0} or {0})
    return server


async def _replace(server: Server, how: signal.Signals, data: Path) -> Server:
    """End a server, and start another one on its data."""
    server.process.send_signal(how)
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.to_thread(server.process.wait), 30)
    server.kill()
    return await asyncio.to_thread(_start, data)


def _ticks(server: Server) -> float:
    """Return the CPU seconds that the server has used."""
    stat = Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
