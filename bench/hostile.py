"""Every known way to hurt a server, tried by one stranger, beside one player who is at a table with three bots.

    python bench/hostile.py                 six seconds of each, printed
    python bench/hostile.py --seconds 60 --write

The server runs with its own limits. The player comes from 127.0.0.9, the stranger from 127.0.0.2; "through nginx" both
come by the proxy of deploy/nginx.conf, and the stranger from one address or from 250. Every request of his has an
X-Forwarded-For that he made up. A turn is from the player's discard to his being asked again: three bots that think at
once, an append to the disk for each, and whatever the server does for the stranger. `memory` is what the server's
process has grown by, `held` the longest that its event loop was busy in one go, in processor time of its thread: what
else the machine does is not in it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import record
from hostile_attacks import ATTACKS
from hostile_site import Site, play
from rows import Row


async def stranger(address: str, name: str, seconds: float) -> None:
    """The stranger's process: one attack for so long, and what he was answered."""
    os.nice(19)  # he would have a machine of his own
    way = ATTACKS[name]
    site = Site(address, way.strangers)
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await way.attack(site)
    print(json.dumps(site.answers), flush=True)
    os._exit(0)


async def measured(site: Site, name: str, seconds: float) -> list[str]:
    """The row of one attack."""
    turns: list[float] = []
    stop = asyncio.Event()
    victim = asyncio.create_task(play(site, turns, stop))
    while len(turns) < WARM and not victim.done():
        await asyncio.sleep(0.1)
    quiet = statistics.median(turns)
    command = [sys.executable, __file__, "--stranger", name, "--address", site.address, "--seconds", str(seconds)]
    attacking = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    await asyncio.sleep(STARTS)
    turns.clear()
    before = site.usage.memory()
    site.usage.forget_most()
    began = time.monotonic()
    await asyncio.sleep(seconds - STARTS)
    most, held = site.usage.memory("VmHWM"), site.held(began)
    stop.set()
    printed, _ = await attacking.communicate()
    with suppress(TimeoutError, Exception):
        await asyncio.wait_for(victim, 20)
    times = sorted(turns) or [float("inf")]
    answers = " ".join(f"{status}×{n}" for status, n in sorted(json.loads(printed or b"{}").items()))
    return [
        f"{quiet * 1000:.0f}",
        f"{len(turns)}",
        f"{statistics.median(times) * 1000:.0f}",
        f"{times[int(len(times) * 0.95)] * 1000:.0f}",
        f"{times[-1] * 1000:.0f}",
        f"{held:.0f}",
        f"{most - before:+.0f}",
        answers or "-",
    ]


async def main(seconds: float, only: str) -> list[list[str]]:
    """A row for each attack."""
    rows = []
    for name in ATTACKS:
        if only and only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            site = Site.started(Path(folder), proxied=ATTACKS[name].proxied)
            try:
                found = await measured(site, name, seconds)
                rows.append([name, *found, f"{os.getloadavg()[0]:.0f}"])
                print(" | ".join(rows[-1]), flush=True)
            finally:
                site.end()
    return rows


WARM, STARTS = 20, 1.5
"""Turns before the stranger comes, and the seconds that his program takes to start."""
HEADS = [
    "the stranger",
    "median before, ms",
    "turns",
    "median, ms",
    "95 %, ms",
    "longest, ms",
    "held, ms",
    "memory, MiB",
    "answers",
    "load",
]


def figures(rows: list[list[str]]) -> list[Row]:
    """A line of the history for each attack."""
    at = {head: column for column, head in enumerate(HEADS)}
    return [
        Row(
            f"{row[0]}: the player's median / longest",
            f"{row[at['median, ms']]} / {row[at['longest, ms']]} ms",
            f"loop held {row[at['held, ms']]} ms, memory {row[at['memory, MiB']]} MiB",
        )
        for row in rows
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--stranger", help=argparse.SUPPRESS)
    parser.add_argument("--address", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.stranger:
        asyncio.run(stranger(given.address, given.stranger, given.seconds))
    else:
        found = asyncio.run(main(given.seconds, given.only))
        if given.write:
            record.add(record.entries("hostile", figures(found), record.stamp()))
