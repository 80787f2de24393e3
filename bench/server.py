"""Put a server under load: long matches, many tables, hostile strangers.

    python bench/run.py load tables=300 seconds=3600          one action a second at each table
    python bench/run.py hostile seconds=60 only=pings         one stranger's attack next to one player
    python bench/run.py joins messages=100000,15000

The server runs on the first core, its clients on the others. Times are of the clock on the wall.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from run import Row
from tests.server.long_match import StoredRoom, store_match
from tests.server.serving import Server
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from quepu.match import LogWriter, Match
from quepu.match.penalties import Penalty
from quepu.rulebooks import book

MANY = ("rate", "burst", "sockets", "rooms", "open_rooms", "connections", "hello_rate", "hello_burst", "message_rate",
        "message_burst", "stored_rate")  # fmt: skip
"""Limits of an address, which all clients here share."""


@contextmanager
def serving(folder: Path, limits: Sequence[str] = ()) -> Iterator[Server]:
    """Start a server on the first core, with these limits lifted."""
    server = Server(folder, *(part for name in limits for part in ("--limit", f"{name}=1000000")))
    try:
        os.sched_setaffinity(server.process.pid, {0})
        os.sched_setaffinity(0, set(range(os.cpu_count() or 1)) - {0} or {0})
        yield server
    finally:
        os.sched_setaffinity(0, set(range(os.cpu_count() or 1)))
        server.kill()


def part(times: Sequence[float], share: float) -> float:
    """Return a quantile."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else float("nan")


class Player:
    """Plays one seat against three bots without a plan, and notes how long the server takes."""

    def __init__(self, address: str, think: float = 0.0, source: str = "127.0.0.1", rounds: int = 16) -> None:
        self.address = address
        self.think = think
        self.source = source
        self.rounds = rounds
        self.heard: list[float] = []
        """Seconds from sending an action until the table is seen with it."""
        self.asked: list[float] = []
        """Seconds from a discard until the next question: three bots and whatever comes between."""
        self.events = self.lost = 0
        self.refused: Counter[str] = Counter()
        """What the server said when it opened no room, and how often."""

    async def play(self) -> None:
        """Play matches until cancelled."""
        async with self._client() as web:
            while True:
                sat = await self._open(web)
                if sat is None:
                    await asyncio.sleep(0.5)
                    continue
                with suppress(OSError, WebSocketException):
                    async with self._socket(sat) as socket:
                        await socket.send(json.dumps({"token": sat["token"]}))
                        await socket.send('{"ready":true}')
                        await self._match(socket)
                    continue
                self.lost += 1

    def _client(self) -> httpx.AsyncClient:
        transport = httpx.AsyncHTTPTransport(verify=False, local_address=self.source)  # certificates take 20 ms to read
        return httpx.AsyncClient(transport=transport, timeout=60)

    def _socket(self, sat: dict[str, Any]) -> connect:
        at = f"{self.address.replace('http', 'ws')}api/rooms/{sat['room']}/ws"
        return connect(at, max_size=None, open_timeout=60, local_addr=(self.source, 0))

    async def _open(self, web: httpx.AsyncClient) -> dict[str, Any] | None:
        """Open a room; None if the server refuses."""
        spec = {"name": "林", "move": 0, "bank": 0, "think": self.think, "rounds": self.rounds, "hints": False}
        answer = await web.post(f"{self.address}api/rooms", json=spec)
        if answer.status_code != 200:
            self.refused[f"{answer.status_code} {answer.json().get('error', '')}"] += 1
            return None
        sat: dict[str, Any] = answer.json()
        return sat

    async def _match(self, socket: Any) -> bool:
        """Play until the match is over; False if the line was closed before."""
        sent = discarded = 0.0
        async for text in socket:
            message = json.loads(text)
            self.events += "event" in message
            if "over" in message:
                if message["over"]["match_over"]:
                    return True
                await socket.send('{"ready":true}')
                sent = discarded = 0.0
            if "view" not in message:
                continue
            now = time.perf_counter()
            if sent:
                self.heard.append(now - sent)
                sent = 0.0
            options = (message["view"] or {}).get("options")
            if not options:
                continue
            by = {option["do"]: option for option in options}
            chosen = by.get("win") or by.get("pass") or by.get("flower") or by["discard"]
            if discarded and "discard" in by:
                self.asked.append(now - discarded)
            await asyncio.sleep(self.think)
            sent = time.perf_counter()
            discarded = sent if chosen["do"] == "discard" else discarded
            action = {key: value for key, value in chosen.items() if key != "score"}
            await socket.send(json.dumps({"action": action, "n": message["n"]}))
        return False


def refusals(players: Sequence[Player]) -> Counter[str]:
    """Add up what the server said to all of them when it opened no room."""
    return sum((player.refused for player in players), Counter())


def joins(messages: Sequence[int] | int = (15_000,), times: int = 5) -> Iterator[Row]:
    """Join a long match: a fresh page, a spectator, a page that lost its line thirty messages ago."""
    for number in (messages,) if isinstance(messages, int) else messages:
        with tempfile.TemporaryDirectory() as folder:
            room = store_match(Path(folder) / "data", number)
            with serving(Path(folder) / "data", ["hello_burst"]) as server:
                last = len(room.lines) - 1
                hellos: dict[str, dict[str, Any]] = {
                    "the first page, which wakes the room": {"token": room.tokens[0], "after": None},
                    "a fresh page": {"token": room.tokens[0], "after": -1, "hand": True},
                    "a spectator": {"after": -1, "hand": True},
                    "a page that comes back": {"token": room.tokens[1], "after": last - 30, "hand": True},
                    "a program that asks for everything": {"token": room.tokens[2], "after": -1},
                }
                for who, hello in hellos.items():
                    before = server.memory()
                    server.most_memory()
                    once = "first" in who
                    found = [asyncio.run(_join(server, room, hello)) for _ in range(1 if once else times)]
                    more = server.most_memory() - before
                    count, size = found[-1][1:]
                    note = f"{count:,} messages, {size / 1024:,.0f} KiB; at most {more:.1f} MiB more"
                    yield Row(f"{number:,} messages: {who}", statistics.median(one[0] for one in found), note=note)


async def _join(server: Server, room: StoredRoom, hello: dict[str, Any]) -> tuple[float, int, int]:
    """Open a socket and read until the table is there; return seconds (inf: refused), messages and bytes."""
    began, count, size = time.perf_counter(), 0, 0
    async with server.socket(room.id) as socket:
        await socket.send(json.dumps(hello))
        with suppress(ConnectionClosed):
            async for text in socket:
                count, size = count + 1, size + len(text)
                if '"phase"' in text and "view" in json.loads(text):
                    return time.perf_counter() - began, count, size
    return float("inf"), count, size


def load(tables: int = 100, seconds: float = 20, think: float = 1.0) -> Iterator[Row]:
    """Play at many tables at once, a person and three bots at each, an action a second."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "data", MANY) as server:
        yield from asyncio.run(_load(server, tables, seconds, think))
        size = sum(file.stat().st_size for file in (Path(folder) / "data").glob("*.sqlite3*")) / 2**20
        yield Row(f"{tables} tables: on disk", size, "MiB")


async def _load(server: Server, tables: int, seconds: float, think: float) -> list[Row]:
    players = [Player(server.address, think) for _ in range(tables)]

    async def begin(at: int) -> None:
        await asyncio.sleep(at / tables * min(10.0, seconds / 2))
        await players[at].play()

    def noted() -> tuple[float, int, float]:
        stat = Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        open_files = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        return server.memory(), open_files, (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")

    tasks = [asyncio.create_task(begin(at)) for at in range(tables)]
    await asyncio.sleep(min(15.0, seconds))  # until all tables have begun
    for player in players:
        player.heard.clear()
        player.events = 0
    first, began = noted(), time.monotonic()
    await asyncio.sleep(seconds)
    last, span = noted(), time.monotonic() - began
    for task in tasks:
        task.cancel()
    heard = [one for player in players for one in player.heard]
    name = f"{tables} tables"
    lost = sum(player.lost for player in players)
    refused = refusals(players).total()
    return [
        Row(
            f"{name}: an action until it is seen, half",
            part(heard, 0.5),
            note=f"{len(heard)} actions, {lost} lines lost, {refused} rooms refused",
        ),
        Row(f"{name}: an action until it is seen, 99 %", part(heard, 0.99)),
        Row(f"{name}: the slowest action", part(heard, 1)),
        Row(f"{name}: events", sum(player.events for player in players) / span, "events/s"),
        Row(f"{name}: memory", last[0], "MiB", note=f"{first[0]:.0f} MiB at the start, files {first[1]} → {last[1]}"),
        Row(f"{name}: the server's share of its core", 100 * (last[2] - first[2]) / span, "%", note="without bots"),
    ]


Attack = Callable[["Stranger"], Awaitable[object]]


class Stranger:
    """Hurts a server from one address or many, and counts how it is answered."""

    def __init__(self, address: str, sources: int) -> None:
        self.address = address
        self.port = int(address.rstrip("/").rsplit(":", 1)[1])
        self.answers: Counter[int] = Counter()
        self.sources = itertools.cycle([f"127.1.0.{number}" for number in range(1, sources + 1)])
        self.numbers = itertools.count()
        self.rooms: dict[str, str] = {}
        self.clients: dict[str, httpx.AsyncClient] = {}

    async def post(self, path: str, body: Any) -> Any:
        """Send a request; return the JSON answer, None if it was refused."""
        source = next(self.sources)
        if source not in self.clients:
            transport = httpx.AsyncHTTPTransport(verify=False, local_address=source)
            self.clients[source] = httpx.AsyncClient(transport=transport, base_url=self.address, timeout=60)
        answer = await self.clients[source].post(path, json=body)
        self.answers[answer.status_code] += 1
        if answer.status_code >= 400:
            await asyncio.sleep(0.02)
            return None
        return answer.json() if "json" in answer.headers["content-type"] else answer.text

    async def raw(self, data: bytes, again: bytes = b"") -> None:
        """Send bytes, and `again` without pause."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(next(self.sources), 0))
        reading = asyncio.create_task(reader.read(-1))
        try:
            writer.write(data)
            await writer.drain()
            while again and not reading.done():
                writer.write(again)
                await writer.drain()
            await asyncio.wait([reading], timeout=5)
        finally:
            reading.cancel()
            writer.close()

    async def flood(self, frames: bytes) -> None:
        """Open a spectator's socket and send frames without pause."""
        if "one" not in self.rooms:
            made = await self.post("/api/rooms", {"name": "甲", "bots": [""] * 4})
            self.rooms.setdefault("one", made["room"])
        head = f"GET /api/rooms/{self.rooms['one']}/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade"
        keys = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        await self.raw(f"{head}\r\n{keys}".encode() + frame(1, b"{}"), frames)

    async def hint(self) -> None:
        """Open a table against bots and ask for hints there."""
        made = await self.post("/api/rooms", {"name": "甲", "think": 0, "move": 0, "bank": 0})
        if made:
            at = f"ws://127.0.0.1:{self.port}/api/rooms/{made['room']}/ws"
            async with connect(at, max_size=None, local_addr=(next(self.sources), 0)) as socket:
                await socket.send(json.dumps({"token": made["token"]}))
                await socket.send('{"ready":true}')
                while True:
                    await socket.send('{"hint":true}')
                    await socket.recv()

    async def unknown_socket(self) -> None:
        """Open a socket to a room that does not exist."""
        at = f"ws://127.0.0.1:{self.port}/api/rooms/none{next(self.numbers)}/ws"
        async with connect(at, local_addr=(next(self.sources), 0)) as socket:
            await socket.send("{}")
            await socket.recv()

    async def waits(self) -> None:
        """Ask for the waits of fourteen tiles of one suit."""
        hand = "".join(f"{(next(self.numbers) * 7 + i) % 9 + 1}" for i in range(14)) + "m"
        await self.post("/api/waits", {"hand": hand, "rules": "yuque-54"})

    async def penalties(self) -> None:
        """Import a log of 20,000 penalties."""
        if "log" not in self.rooms:
            lines: list[str] = []
            log = LogWriter(Match(book("guobiao")), lines.append)
            for _ in range(20_000):
                log.penalty(Penalty(0, "错和"))
            self.rooms["log"] = "\n".join(lines)
        await self.post("/api/replays", {"who": "stranger-1", "text": self.rooms["log"]})

    async def aliases(self) -> None:
        """Send a house rule of chained names."""
        chain = "\n".join(f'"a{i}" = "a{i + 1}"' for i in range(1500))
        await self.post("/api/house", {"house": f'base = "canton"\n[aliases]\n"鸡糊" = "a0"\n{chain}'[:20_000]})


def frame(kind: int, text: bytes) -> bytes:
    """Return a client's frame, masked by zeros."""
    return bytes((0x80 | kind, 0x80 | len(text))) + bytes(4) + text


BODY = f"POST /api/replays HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {4 << 20}\r\n\r\n"
ATTACKS: dict[str, tuple[int, Attack]] = {
    "nothing": (1, lambda _: asyncio.sleep(0.2)),
    "pings without pause": (100, lambda one: one.flood(frame(9, b"") * 10_000)),
    "moves without pause": (100, lambda one: one.flood(frame(1, b'{"action":{"do":"pass"},"n":0}') * 1000)),
    "hints without pause": (40, Stranger.hint),
    "waits without pause": (40, Stranger.waits),
    "sockets to rooms that do not exist": (60, Stranger.unknown_socket),
    "unfinished bodies of 4 MiB": (60, lambda one: one.raw(BODY.encode() + bytes((4 << 20) - 1))),
    "half-open connections": (1500, lambda one: one.raw(b"GET / HTTP/1.1\r\nHost: x")),
    "logs of 20 000 penalties": (8, Stranger.penalties),
    "house rules of chained names": (4, Stranger.aliases),
}
"""Attacks by name: how many at once, and what each does again and again."""


async def _attack(address: str, name: str, sources: int, seconds: float) -> None:
    """Attack in this process for some seconds, and print how it was answered."""
    os.nice(19)  # a stranger would have a machine of their own
    many, attack = ATTACKS[name]
    stranger = Stranger(address, sources)

    async def again() -> None:
        while True:
            with suppress(OSError, EOFError, WebSocketException, TimeoutError, httpx.HTTPError, TypeError):
                await attack(stranger)
            await asyncio.sleep(0)

    await asyncio.wait([asyncio.create_task(again()) for _ in range(many)], timeout=seconds)
    print(" ".join(f"{status}×{n}" for status, n in sorted(stranger.answers.items())), flush=True)
    os._exit(0)


def hostile(seconds: float = 6, only: str = "", sources: int = 0) -> Iterator[Row]:
    """Attack a server by one stranger (one address, then 250) while one player is at a table with three bots."""
    names = [name for name in ATTACKS if only in name] if only else list(ATTACKS)[:4]
    for name, many in itertools.product(names, [sources] if sources else [1, 250]):
        if name == "nothing" and many > 1:
            continue
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "data") as server:
            player, answered, memory = asyncio.run(_measured(server, name, many, seconds))
            note = f"longest {1000 * part(player.asked, 1):.0f} ms, {len(player.asked)} turns, {memory:+.0f} MiB"
            what = f"{name}, addresses: {many}: the player's median turn"
            yield Row(what, part(player.asked, 0.5), note=f"{note}; {answered or 'no answers'}")


async def _measured(server: Server, name: str, sources: int, seconds: float) -> tuple[Player, str, float]:
    player = Player(server.address, source="127.0.0.9")
    playing = asyncio.create_task(player.play())
    while len(player.asked) < 20:
        await asyncio.sleep(0.1)
    code = (
        f"from server import _attack; import asyncio; asyncio.run(_attack(*{(server.address, name, sources, seconds)}))"
    )
    command = [sys.executable, "-c", f"import run; {code}"]
    here = Path(__file__).parent
    attacking = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, cwd=here)
    await asyncio.sleep(2)  # until the program has started
    player.asked.clear()
    before = server.memory()
    server.most_memory()
    await asyncio.sleep(seconds - 2)
    more = server.most_memory() - before
    answered = (await attacking.communicate())[0].decode().strip()
    playing.cancel()
    return player, answered, more
