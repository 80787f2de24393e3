"""Every known way to hurt a server, tried by one stranger, beside one player who is at a table with three bots.

    python bench/hostile.py                 six seconds of each, printed
    python bench/hostile.py --seconds 60 --write

The server runs with its own limits. The stranger comes from 127.0.0.2 and the player from 127.0.0.1. A turn is from the
player's discard to his being asked again: three bots that think at once, an append to the disk for each, and whatever
the server does for the stranger. `memory` is what the server's process has grown by, `held` the longest that its event
loop was busy in one go, in processor time of its thread: what else the machine does is not in it.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import record
from rows import Row
from run import machine, write
from usage import Usage
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from quepu.match import LogWriter, Match
from quepu.match.penalties import Penalty
from quepu.match.settle import settle
from quepu.rulebooks import book
from quepu.table import Table, make_wall

STRANGER = "127.0.0.2"
PENALTY = {"kind": "penalty", "player": 0, "fault": "错和"}


PROBED = """
import asyncio, time
from quepu.cli import main
from quepu.server.http import run

serve = run._serve

async def probe():
    last = time.thread_time()
    with open({held!r}, "a", buffering=1) as file:
        while True:
            await asyncio.sleep(0.002)
            now = time.thread_time()
            if now - last > 0.005:
                print(time.monotonic(), now - last, file=file)
            last = now

async def probed(*given):
    probing = asyncio.create_task(probe())
    await serve(*given)
    probing.cancel()

run._serve = probed
main()
"""
"""The server, with a task that notes how much of the processor the loop's thread took between two of its turns."""


class Site:
    """A server, and the stranger's way to it."""

    def __init__(self, address: str, process: subprocess.Popen[str] | None = None) -> None:
        self.address = address
        self.process = process
        self.probed: Path | None = None
        self.port = int(address.rstrip("/").rsplit(":", 1)[1])
        transport = httpx.AsyncHTTPTransport(local_address=STRANGER, limits=httpx.Limits(max_connections=60))
        self.client = httpx.AsyncClient(transport=transport, base_url=self.address, timeout=60)
        self.answers: Counter[int] = Counter()

    @classmethod
    def started(cls, folder: Path) -> Site:
        """A server of its own."""
        held = Path(f"{folder}-held")
        command = [
            sys.executable,
            "-c",
            PROBED.format(held=str(held)),
            "serve",
            "--port",
            "0",
            "--no-browser",
            "--data",
            str(folder),
        ]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert process.stdout is not None
        found = re.search(r"http://\S+/", process.stdout.readline())
        assert found is not None
        site = cls(found[0], process)
        site.probed = held
        return site

    def held(self, since: float) -> float:
        """Milliseconds of the processor that the event loop took in one go at most, since a moment."""
        if self.probed is None or not self.probed.exists():
            return 0.0
        notes = [tuple(map(float, line.split())) for line in self.probed.read_text().splitlines() if " " in line]
        return 1000 * max((long for at, long in notes if at >= since), default=0.0)

    @property
    def usage(self) -> Usage:
        """Memory and the like of the server's own process."""
        assert self.process is not None
        return Usage(self.process.pid)

    async def ask(self, method: str, path: str, body: Any = None) -> httpx.Response | None:
        """One request of the stranger."""
        try:
            answer = await self.client.request(method, path, json=body)
        except httpx.HTTPError:
            self.answers[0] += 1
            await asyncio.sleep(0.05)
            return None
        self.answers[answer.status_code] += 1
        if answer.status_code == 429:
            await asyncio.sleep(0.02)
        return answer

    def socket(self, room: str, local: str | None = None) -> Any:
        """A socket to a room."""
        more: dict[str, Any] = {"local_addr": (local, 0)} if local else {}
        return connect(f"ws://127.0.0.1:{self.port}/api/rooms/{room}/ws", max_size=None, open_timeout=30, **more)


async def play(site: Site, turns: list[float], stop: asyncio.Event) -> None:
    """The player: discards what he drew, and notes how long it takes until he is asked again."""
    async with httpx.AsyncClient(base_url=site.address, timeout=60) as client:
        while not stop.is_set():
            spec = {"name": "林", "move": 0, "bank": 0, "think": 0, "rounds": 16, "rules": "guobiao"}
            sat = (await client.post("/api/rooms", json=spec)).json()
            async with site.socket(sat["room"]) as socket:
                await socket.send(json.dumps({"token": sat["token"]}))
                await socket.send('{"ready":true}')
                began = 0.0
                async for text in socket:
                    if stop.is_set():
                        return
                    told = json.loads(text)
                    if "over" in told:
                        await socket.send('{"ready":true}')
                        began = 0.0
                        if told["over"]["match_over"]:
                            break
                    options = (told.get("view") or {}).get("options")
                    if not options:
                        continue
                    if began and options[0]["do"] == "discard":
                        turns.append(time.monotonic() - began)
                        began = 0.0
                    by = {option["do"]: option for option in options}
                    chosen = by.get("pass") or by.get("flower") or by["discard"]
                    if chosen["do"] == "discard":
                        began = time.monotonic()
                    say = {key: value for key, value in chosen.items() if key != "score"}
                    await socket.send(json.dumps({"action": say, "n": told["n"]}))


Attack = Callable[[Site], Awaitable[None]]
numbers = itertools.count(2)


def several(many: int, each: Attack) -> Attack:
    """So many at once, again and again, until cancelled."""

    async def again(site: Site) -> None:
        while True:
            with suppress(OSError, EOFError, WebSocketException, TimeoutError):
                await each(site)
            await asyncio.sleep(0)

    async def attack(site: Site) -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(many):
                group.create_task(again(site))

    return attack


async def score_table(site: Site) -> None:
    file = {"quepu": "table", "spec": {"rules": "guobiao", "names": list("甲乙丙丁")}, "records": [PENALTY] * 300}
    made = await site.ask("POST", "/api/tables/import", {"who": "stranger-1", "table": file})
    if made is not None and made.status_code == 201:
        for _ in range(20):
            await site.ask("GET", f"/api/tables/{made.json()['id']}")


def _penalty_log() -> str:
    lines: list[str] = []
    log = LogWriter(Match(book("guobiao")), lines.append)
    for _ in range(20_000):
        log.penalty(Penalty(0, "错和"))
    return "\n".join(lines)


async def penalty_log(site: Site, text: list[str] = []) -> None:  # noqa: B006  # made once
    if not text:
        text.append(_penalty_log())
    await site.ask("POST", "/api/replays", {"who": "stranger-1", "text": text[0]})


def _match_log(hands: int) -> str:
    """A whole match of bots, as somebody would import it."""
    lines: list[str] = []
    match = Match(book("guobiao"), rounds=16)
    log, rng = LogWriter(match, lines.append), random.Random(1)
    while len(match.hands) < hands:
        number = len(match.hands) + 1
        table = Table(match.book, make_wall(1, number), round=match.place.round_wind)
        log.hand(number, match.place, table)
        while table.to_act:
            options = table.options(table.to_act[0])
            table.step(table.to_act[0], rng.choice([one for one in options if one.do == "win"] or options))
        assert table.ending is not None
        settled = settle(table.ending, match.book, match.rules)
        match = match.played(table.ending)
        log.result(settled, match.totals, table.ending)
    log.end()
    return "\n".join(lines)


@cache
def match_log(hands: int) -> str:
    """The same, made once."""
    return _match_log(hands)


async def imports(site: Site) -> None:
    made = await site.ask("POST", "/api/replays", {"who": f"stranger-{next(numbers)}", "text": match_log(40)})
    if made is not None and made.status_code == 201:
        id = made.json()["id"]
        await site.ask("GET", f"/api/replays/{id}")
        for number in range(1, 41):
            await site.ask("GET", f"/api/replays/{id}/hands/{number}")


async def reviews(site: Site) -> None:
    made = await site.ask("POST", "/api/replays", {"who": f"stranger-{next(numbers)}", "text": match_log(4)})
    if made is None or made.status_code != 201:
        await asyncio.sleep(0.2)
        return
    path = f"/api/replays/{made.json()['id']}/review"
    for number in range(20):
        await site.ask("POST", path)
        await site.ask("GET", path)
        await site.ask("DELETE" if number % 4 == 3 else "GET", path)


async def withheld(site: Site) -> None:
    """Commits to salts and never shows one, at tables against bots."""
    made = await site.ask("POST", "/api/rooms", {"name": "甲", "think": 0, "move": 0, "bank": 0})
    if made is None or made.status_code != 200:
        await asyncio.sleep(0.2)
        return
    sat = made.json()
    async with site.socket(sat["room"], STRANGER) as socket:
        await socket.send(json.dumps({"token": sat["token"]}))
        await socket.send('{"ready":true}')
        while True:
            await socket.send(json.dumps({"commitment": f"{next(numbers):064x}", "salt": f"{next(numbers):032x}"}))
            await socket.recv()


async def storing(site: Site) -> None:
    house = 'base = "guobiao"\n' + "#" * 18_900
    spec = {"who": f"stranger-{next(numbers)}", "rules": "guobiao", "names": list("甲乙丙丁"), "house": house}
    made = await site.ask("POST", "/api/tables", spec)
    if made is not None and made.status_code == 201:
        await site.ask("POST", f"/api/tables/{made.json()['id']}/reader")


async def aliases(site: Site) -> None:
    chain = "\n".join(f'"{"鸡糊" if i == 0 else f"a{i - 1}"}" = "a{i}"' for i in range(1600))
    for house in (f'base = "canton"\n[aliases]\n{chain}'[:20_000], 'base = "canton"\n' + "a." * 9000 + "b = 1"):
        await site.ask("POST", "/api/rooms", {"name": "甲", "house": house})
        await site.ask("POST", "/api/house", {"house": house})


async def strong_house(site: Site) -> None:
    house = f'base = "guobiao"\nminimum = 9\nid = "h{next(numbers)}"'
    spec = {"name": "甲", "house": house, "bots": ["", "master", "master", "master"], "think": 0, "move": 1}
    made = await site.ask("POST", "/api/rooms", spec)
    if made is not None and made.status_code == 200:
        sat = made.json()
        async with site.socket(sat["room"], STRANGER) as socket:
            await socket.send(json.dumps({"token": sat["token"]}))
            await socket.send('{"ready":true}')
            async for _ in socket:
                pass
    await asyncio.sleep(0.1)


async def raw(site: Site, text: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port, local_addr=(STRANGER, 0))
    try:
        writer.write(text)
        with suppress(OSError):
            await reader.read(200)
    finally:
        writer.close()


async def bodies(site: Site) -> None:
    head = (
        f"POST /api/replays HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {4 << 20}\r\n\r\n"
    )
    await raw(site, head.encode() + bytes((4 << 20) - 1))


async def halves(site: Site) -> None:
    await raw(site, b"GET / HTTP/1.1\r\nHost: x")
    await asyncio.sleep(0.05)


async def unknown_rooms(site: Site) -> None:
    await site.ask("GET", f"/api/rooms/none{next(numbers)}")


async def unknown_sockets(site: Site) -> None:
    async with site.socket(f"none{next(numbers)}", STRANGER) as socket:
        await socket.send("{}")
        await socket.recv()


async def lobby(site: Site) -> None:
    await site.ask("POST", "/api/rooms", {"name": "甲", "bots": [""] * 4, "title": "长" * 80})
    await site.ask("GET", "/api/rooms")


async def hints(site: Site) -> None:
    made = await site.ask("POST", "/api/rooms", {"name": "甲", "think": 0, "move": 0, "bank": 0})
    if made is None or made.status_code != 200:
        await asyncio.sleep(0.2)
        return
    sat = made.json()
    async with site.socket(sat["room"], STRANGER) as socket:
        await socket.send(json.dumps({"token": sat["token"]}))
        await socket.send('{"ready":true}')
        while True:
            await socket.send('{"hint":true}')
            await socket.recv()


async def waits(site: Site) -> None:
    hand = "".join(f"{(next(numbers) * 7 + i) % 9 + 1}" for i in range(14)) + "m"
    await site.ask("POST", "/api/waits", {"hand": hand, "rules": "yuque-54"})


async def spectators(site: Site, room: list[str] = []) -> None:  # noqa: B006  # one room for all
    if not room:
        room.append("")
        made = await site.ask("POST", "/api/rooms", {"name": "甲", "bots": [""] * 4})
        room[0] = made.json()["room"] if made is not None else ""
    async with site.socket(room[0] or "x", STRANGER) as socket:
        await socket.send("{}")
        await socket.recv()
        await asyncio.sleep(0.3)


async def long_paths(site: Site) -> None:
    await site.ask("GET", "/" + "x" * 4000)


def _client_frame(kind: int, text: bytes) -> bytes:
    """A frame of a client, masked by zeros."""
    return bytes((0x80 | kind, 0x80 | len(text))) + bytes(4) + text


async def flood(site: Site, frames: bytes, room: list[str] = []) -> None:  # noqa: B006  # one room for all
    """An open socket of a spectator, and frames without pause."""
    if not room:
        room.append("")
        made = await site.ask("POST", "/api/rooms", {"name": "甲", "bots": [""] * 4})
        room[0] = made.json()["room"] if made is not None else ""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port, local_addr=(STRANGER, 0))
    head = "Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    head += "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    writer.write(f"GET /api/rooms/{room[0]}/ws HTTP/1.1\r\n{head}".encode())
    answer = await reader.readuntil(b"\r\n\r\n")
    site.answers[int(answer.split()[1])] += 1
    answered = asyncio.create_task(_drained(reader))
    try:
        writer.write(_client_frame(1, b"{}"))
        while not answered.done():
            writer.write(frames)
            await writer.drain()
    finally:
        answered.cancel()
        writer.close()


async def _drained(reader: asyncio.StreamReader) -> None:
    while await reader.read(1 << 16):
        pass


async def pings(site: Site) -> None:
    await flood(site, _client_frame(9, b"") * 10_000)


async def empty_messages(site: Site) -> None:
    await flood(site, _client_frame(1, b"") * 10_000)


async def pieces(site: Site) -> None:
    await flood(site, bytes((0x01, 0x80)) + bytes(4) + (bytes((0x00, 0x80)) + bytes(4)) * 10_000)


async def moves(site: Site) -> None:
    await flood(site, _client_frame(1, b'{"action":{"do":"pass"},"n":0}') * 1000)


async def nothing(_site: Site) -> None:
    await asyncio.sleep(0.2)


ATTACKS: dict[str, Attack] = {
    "nothing": several(1, nothing),
    "score tables of 300 penalties": several(8, score_table),
    "logs of 20 000 penalties": several(8, penalty_log),
    "logs of 40 hands, every hand read": several(8, imports),
    "reviews begun, asked about, stopped": several(8, reviews),
    "tables and links stored": several(30, storing),
    "salts never shown": several(20, withheld),
    "chained names, deep TOML": several(4, aliases),
    "house rules with masters": several(4, strong_house),
    "unfinished bodies of 4 MiB": several(60, bodies),
    "1500 half-open connections": several(1500, halves),
    "rooms that are not there": several(30, unknown_rooms),
    "sockets to such rooms": several(60, unknown_sockets),
    "rooms opened, lobby read": several(30, lobby),
    "hints without pause": several(40, hints),
    "waits without pause": several(40, waits),
    "spectators who come and go": several(150, spectators),
    "long addresses": several(30, long_paths),
    "one socket, pings without pause": several(1, pings),
    "100 sockets, pings without pause": several(100, pings),
    "one socket, empty messages without pause": several(1, empty_messages),
    "100 sockets, empty messages without pause": several(100, empty_messages),
    "100 sockets, a message in endless pieces": several(100, pieces),
    "100 sockets, moves without pause": several(100, moves),
}


async def stranger(address: str, name: str, seconds: float) -> None:
    """The stranger's process: one attack for so long, and what he was answered."""
    os.nice(19)  # he would have a machine of his own
    site = Site(address)
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await ATTACKS[name](site)
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
    said, _ = await attacking.communicate()
    with suppress(TimeoutError, Exception):
        await asyncio.wait_for(victim, 20)
    times = sorted(turns) or [float("inf")]
    answers = " ".join(f"{status}×{n}" for status, n in sorted(json.loads(said or b"{}").items()))
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
            site = Site.started(Path(folder))
            assert site.process is not None
            try:
                found = await measured(site, name, seconds)
                rows.append([name, *found, f"{os.getloadavg()[0]:.0f}"])
                print(" | ".join(rows[-1]), flush=True)
            finally:
                site.process.kill()
                site.process.wait()
                if site.probed is not None:
                    site.probed.unlink(missing_ok=True)
    return rows


WARM, STARTS = 20, 1.5
"""Turns before the stranger comes, and the seconds that his program takes to start."""
TITLE = "Hostile visitors"
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


def written(rows: list[list[str]], seconds: float) -> str:
    """The section of docs/performance.md."""
    lines = [f"| {' | '.join(row)} |" for row in (HEADS, ["---", *["---:"] * 7, "---", "---:"], *rows)]
    words = (
        "A player's turn against three novice bots (discard to being asked again) while a stranger at another address "
        "does one thing without pause. `held` is the longest that the event loop was busy in one go, in processor time "
        "of its thread. `load` is the machine's, on two cores: other work of it is in every figure, "
        "as the median before shows."
    )
    return (
        f"## {TITLE}\n\n`python bench/hostile.py --seconds {seconds:g} --write`: {machine()}\n\n{words}\n\n"
        + "\n".join(lines)
    )


def figures(rows: list[list[str]]) -> list[Row]:
    """The same for the history: a line for each attack."""
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
            write({"hostile": written(found, given.seconds)})
            record.add(record.entries("hostile", figures(found), record.stamp()))
