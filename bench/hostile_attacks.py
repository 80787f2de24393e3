"""Every known way to hurt a server: each again and again, many at once, until it is cancelled."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from hostile_site import CROWD, STRANGERS, Site
from websockets.exceptions import WebSocketException

from quepu.match import LogWriter, Match
from quepu.match.penalties import Penalty
from quepu.match.settle import settle
from quepu.rulebooks import book
from quepu.table import Table, make_wall

PENALTY = {"kind": "penalty", "player": 0, "fault": "错和"}
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
    made = await site.request("POST", "/api/tables/import", {"who": "stranger-1", "table": file})
    if made is not None and made.status_code == 201:
        for _ in range(20):
            await site.request("GET", f"/api/tables/{made.json()['id']}")


def _penalty_log() -> str:
    lines: list[str] = []
    log = LogWriter(Match(book("guobiao")), lines.append)
    for _ in range(20_000):
        log.penalty(Penalty(0, "错和"))
    return "\n".join(lines)


async def penalty_log(site: Site, text: list[str] = []) -> None:  # noqa: B006  # made once
    if not text:
        text.append(_penalty_log())
    await site.request("POST", "/api/replays", {"who": "stranger-1", "text": text[0]})


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
    made = await site.request("POST", "/api/replays", {"who": f"stranger-{next(numbers)}", "text": match_log(40)})
    if made is not None and made.status_code == 201:
        id = made.json()["id"]
        await site.request("GET", f"/api/replays/{id}")
        for number in range(1, 41):
            await site.request("GET", f"/api/replays/{id}/hands/{number}")


async def reviews(site: Site) -> None:
    made = await site.request("POST", "/api/replays", {"who": f"stranger-{next(numbers)}", "text": match_log(4)})
    if made is None or made.status_code != 201:
        await asyncio.sleep(0.2)
        return
    path = f"/api/replays/{made.json()['id']}/review"
    for number in range(20):
        await site.request("POST", path)
        await site.request("GET", path)
        await site.request("DELETE" if number % 4 == 3 else "GET", path)


async def at_a_table(site: Site, message: Callable[[], str]) -> None:
    """Opens a table against bots and sends messages there, each after an answer to the one before."""
    made = await site.request("POST", "/api/rooms", {"name": "甲", "think": 0, "move": 0, "bank": 0})
    if made is None or made.status_code != 200:
        await asyncio.sleep(0.2)
        return
    sat = made.json()
    async with site.socket(sat["room"]) as socket:
        await socket.send(json.dumps({"token": sat["token"]}))
        await socket.send('{"ready":true}')
        while True:
            await socket.send(message())
            await socket.recv()


async def withheld(site: Site) -> None:
    """Commits to salts and never shows one, at tables against bots."""
    await at_a_table(site, lambda: json.dumps({"commitment": f"{next(numbers):064x}", "salt": f"{next(numbers):032x}"}))


async def storing(site: Site) -> None:
    house = 'base = "guobiao"\n' + "#" * 18_900
    spec = {"who": f"stranger-{next(numbers)}", "rules": "guobiao", "names": list("甲乙丙丁"), "house": house}
    made = await site.request("POST", "/api/tables", spec)
    if made is not None and made.status_code == 201:
        await site.request("POST", f"/api/tables/{made.json()['id']}/reader")


async def aliases(site: Site) -> None:
    chain = "\n".join(f'"{"鸡糊" if i == 0 else f"a{i - 1}"}" = "a{i}"' for i in range(1600))
    for house in (f'base = "canton"\n[aliases]\n{chain}'[:20_000], 'base = "canton"\n' + "a." * 9000 + "b = 1"):
        await site.request("POST", "/api/rooms", {"name": "甲", "house": house})
        await site.request("POST", "/api/house", {"house": house})


async def strong_house(site: Site) -> None:
    house = f'base = "guobiao"\nminimum = 9\nid = "h{next(numbers)}"'
    spec = {"name": "甲", "house": house, "bots": ["", "master", "master", "master"], "think": 0, "move": 1}
    made = await site.request("POST", "/api/rooms", spec)
    if made is not None and made.status_code == 200:
        sat = made.json()
        async with site.socket(sat["room"]) as socket:
            await socket.send(json.dumps({"token": sat["token"]}))
            await socket.send('{"ready":true}')
            async for _ in socket:
                pass
    await asyncio.sleep(0.1)


async def raw(site: Site, text: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port, local_addr=(site.stranger, 0))
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
    await site.request("GET", f"/api/rooms/none{next(numbers)}")


async def unknown_sockets(site: Site) -> None:
    async with site.socket(f"none{next(numbers)}") as socket:
        await socket.send("{}")
        await socket.recv()


async def lobby(site: Site) -> None:
    await site.request("POST", "/api/rooms", {"name": "甲", "bots": [""] * 4, "title": "长" * 80})
    await site.request("GET", "/api/rooms")


async def hints(site: Site) -> None:
    await at_a_table(site, lambda: '{"hint":true}')


async def waits(site: Site) -> None:
    hand = "".join(f"{(next(numbers) * 7 + i) % 9 + 1}" for i in range(14)) + "m"
    await site.request("POST", "/api/waits", {"hand": hand, "rules": "yuque-54"})


_room: list[asyncio.Task[str]] = []


async def one_room(site: Site) -> str:
    """A room that all strangers go to; opened by the first."""

    async def opened() -> str:
        while True:
            made = await site.request("POST", "/api/rooms", {"name": "甲", "bots": [""] * 4})
            if made is not None and made.status_code == 200:
                return str(made.json()["room"])
            await asyncio.sleep(0.2)

    if not _room:
        _room.append(asyncio.create_task(opened()))
    return await asyncio.shield(_room[0])


async def spectators(site: Site) -> None:
    async with site.socket(await one_room(site)) as socket:
        await socket.send("{}")
        await socket.recv()
        await asyncio.sleep(0.3)


async def long_paths(site: Site) -> None:
    await site.request("GET", "/" + "x" * 4000)


def _client_frame(kind: int, text: bytes) -> bytes:
    """A frame of a client, masked by zeros."""
    return bytes((0x80 | kind, 0x80 | len(text))) + bytes(4) + text


async def flood(site: Site, frames: bytes) -> None:
    """An open socket of a spectator, and frames without pause."""
    room = await one_room(site)
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port, local_addr=(site.stranger, 0))
    head = "Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    head += "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    writer.write(f"GET /api/rooms/{room}/ws HTTP/1.1\r\n{head}".encode())
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


_DIRECT: dict[str, Attack] = {
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


class Way(NamedTuple):
    """An attack, whether nginx stands before the server, and the addresses that it comes from."""

    attack: Attack
    proxied: bool = False
    strangers: tuple[str, ...] = STRANGERS


_BEHIND_A_PROXY = (
    "nothing",
    "unfinished bodies of 4 MiB",
    "1500 half-open connections",
    "rooms that are not there",
    "sockets to such rooms",
    "rooms opened, lobby read",
    "hints without pause",
    "waits without pause",
    "spectators who come and go",
    "long addresses",
    "100 sockets, pings without pause",
    "100 sockets, empty messages without pause",
    "100 sockets, moves without pause",
)
ATTACKS = {
    **{name: Way(attack) for name, attack in _DIRECT.items()},
    **{f"through nginx: {name}": Way(_DIRECT[name], True) for name in _BEHIND_A_PROXY},
    **{f"through nginx, {len(CROWD)} addresses: {name}": Way(_DIRECT[name], True, CROWD) for name in _BEHIND_A_PROXY},
}
