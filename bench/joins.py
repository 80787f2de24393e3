"""What joining a long match costs: `python bench/joins.py [MESSAGES …]`.

A match of so many messages is stored, a server started on it, and four pages come one after the other: one that wakes
the room (it is read and verified), a fresh one, one that comes back after losing its line thirty messages ago, and a
program that asks for everything from the beginning. Each time is from opening the socket to the first view of the
table, over a real socket; memory is the server's, and the most that it held while that page came.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))
from rows import Row
from tests.server.long_match import StoredRoom, store_match
from tests.server.serving import Server
from websockets.exceptions import ConnectionClosed

MESSAGES = (100_000, 15_000, 4_000)
TIMES = 5


class Joined(NamedTuple):
    """Seconds, messages and KiB until a page saw the table; `end`: the code with which it was refused."""

    seconds: float
    messages: int
    size: float
    end: int = 0


async def join(server: Server, room: StoredRoom, hello: dict[str, Any]) -> Joined:
    """Open a socket and read until the table is there."""
    began = time.perf_counter()
    count = size = 0
    async with server.socket(room.id) as socket:
        await socket.send(json.dumps(hello))
        try:
            async for text in socket:
                count, size = count + 1, size + len(text)
                if '"phase"' in text and "view" in json.loads(text):
                    return Joined(time.perf_counter() - began, count, size / 1024)
        except ConnectionClosed:
            pass
    return Joined(time.perf_counter() - began, count, size / 1024, socket.close_code or 1)


def several(server: Server, room: StoredRoom, hello: dict[str, Any]) -> tuple[Joined, float]:
    """The median of some times, and the MiB that the server held more than before at most."""
    before = server.memory()
    server.most_memory()
    found = [asyncio.run(join(server, room, hello)) for _ in range(TIMES)]
    median = statistics.median(one.seconds for one in found)
    return found[-1]._replace(seconds=median), server.most_memory() - before


def measure(sizes: tuple[int, ...] = MESSAGES) -> Iterator[Row]:
    """Rows of every length of match."""
    for messages in sizes:
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder) / "data"
            room = store_match(data, messages)
            server = Server(data, "--limit", "hello_burst=1000")
            try:
                yield from _of(server, room, f"{messages:,} messages")
            finally:
                server.kill()


def _of(server: Server, room: StoredRoom, what: str) -> Iterator[Row]:
    empty = server.memory()
    woken = asyncio.run(join(server, room, {"token": room.tokens[0], "after": None}))
    memory = f"the server holds {server.memory() - empty:.1f} MiB more than before"
    last = len(room.lines) - 1
    hellos: dict[str, dict[str, Any]] = {
        "a fresh page": {"token": room.tokens[0], "after": -1, "hand": True},
        "a spectator": {"after": -1, "hand": True},
        "a page that comes back": {"token": room.tokens[1], "after": last - 30, "hand": True},
        "a program that wants everything": {"token": room.tokens[2], "after": -1},
    }
    for who, hello in hellos.items():
        joined, more = several(server, room, hello)
        sent = f"{joined.messages:,} messages, {joined.size:,.0f} KiB; at most {more:.1f} MiB more"
        figure = f"{1000 * joined.seconds:.1f} ms" if not joined.end else f"never (closed with {joined.end})"
        yield Row(f"{what}: {who} sees the table", figure, sent)
    yield Row(f"{what}: the room is read and verified after a restart", f"{woken.seconds:.2f} s", memory)


if __name__ == "__main__":
    for row in measure(tuple(map(int, sys.argv[1:])) or MESSAGES):
        print(f"{row.what:<70} {row.figure:>24}  {row.beside}", flush=True)
