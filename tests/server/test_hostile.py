"""A hostile client at a running table: no effect on the game, no failure, nothing hidden in what it received."""

from __future__ import annotations

import asyncio
import json
import random
import urllib.error
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from quepu.match.reader import read_log
from quepu.table.event_json import read_event
from quepu.table.wall import TILE_NAMES
from quepu.tiles import WINDS
from tests.loop import run
from tests.server.hostility import body, message
from tests.server.serving import Server

SPEC = {"name": "甲", "bots": [""] * 4, "think": 0, "move": 0, "bank": 0, "seed": 11, "rules": "lingque-29"}
HOSTILE = 3
"""The place that belongs to the hostile client: it plays like the others, and does everything else as well."""
ENOUGH = 100
"""Messages of the match that an own seat and a bystander must have heard."""
MOST_GROWN = 16
"""MiB that a server may grow by while the second half of the messages comes."""
STREAM = {"n", "event", "text", "hand", "result", "log", "end"}
SNAPSHOT = {"n", "phase", "view", "names", "players", "totals", "place", "hand", "held", "to_act", "clock", "rest"}
OTHER = {"room", "you", "over", "refused", "pong", "hint", "taken"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path / "data")
    yield made
    made.kill()


def policy(options: list[dict[str, Any]]) -> dict[str, Any]:
    by = {option["do"]: option for option in options}
    chosen = by.get("win") or by.get("pung") or by.get("pass") or by.get("flower") or by["discard"]
    return {key: value for key, value in chosen.items() if key != "score"}


class Game:
    """A table at which all four seats are played from here."""

    def __init__(self, server: Server) -> None:
        self.server = server
        sat = server.fetch("api/rooms", SPEC)
        self.room = sat["room"]
        self.tokens = [sat["token"]]
        for name in "乙丙丁":
            self.tokens.append(server.fetch(f"api/rooms/{self.room}/sit", {"name": name})["token"])
        self.heard: list[str] = []  # by the hostile client: everything
        self.sent: list[str] = []
        self.slow = 0.0
        self.attacked = asyncio.Event()  # set when no attack is to come: a match does not end before
        self.attacked.set()

    async def seat(self, at: int) -> None:
        """Play one seat to the end of the match, coming back when the connection ends."""
        after: int | None = None
        hands: set[str] = set()
        while True:
            try:
                async with self.server.socket(self.room) as socket:
                    await socket.send(json.dumps({"token": self.tokens[at], "after": after}))
                    await socket.send('{"ready":true}')
                    if at == HOSTILE:
                        self.own = socket
                    async for text in socket:
                        if at == HOSTILE:
                            self.heard.append(text)
                        message = json.loads(text)
                        if "n" in message and "phase" not in message:
                            after = message["n"]
                        if "over" in message and message["over"]["match_over"]:
                            return
                        if "over" in message:
                            hands.add(message["over"]["place"]["zh"])
                            if len(hands) > 1:  # a match has four at least
                                await self.attacked.wait()
                            await socket.send('{"ready":true}')
                        elif (message.get("view") or {}).get("options"):
                            await asyncio.sleep(self.slow)
                            action = json.dumps({"action": policy(message["view"]["options"]), "n": message["n"]})
                            if at == HOSTILE:
                                self.sent.append(action)
                            await socket.send(action)
            except ConnectionClosed:
                continue

    async def play(self) -> None:
        await asyncio.gather(*(self.seat(at) for at in range(4)))

    def log(self) -> list[str]:
        lines = self.server.read(f"api/rooms/{self.room}/log").decode().splitlines()
        assert read_log(lines).finished
        return lines


class Attack:
    """Many connections that send what may have no effect, and keep every byte they receive."""

    def __init__(self, game: Game, most: int, seed: int) -> None:
        self.game = game
        self.most = self.left = most
        self.memory: list[float] = []
        """MiB of the server when a half and when all was sent."""
        self.rnd = random.Random(seed)
        self.bystander: list[str] = []
        self.refused = Counter[int]()

    async def socket(self, hello: Any) -> None:
        """A spectator, a visitor with a wrong token, or a visitor who sends nonsense."""
        while self.left > 0:
            try:
                async with self.game.server.socket(self.game.room) as socket:
                    await socket.send(hello if isinstance(hello, (str, bytes)) else json.dumps(hello))
                    listening = asyncio.create_task(self._listen(socket))
                    while self.left > 0 and not listening.done():
                        self.left -= 1
                        await socket.send(message(self.rnd, self.bystander[-50:], self.game.sent[:-2]))
                        if self.left % 40 == 0:
                            await asyncio.sleep(0)
                    await asyncio.sleep(0.2)
                    for _ in range(300):  # a crowded machine sends the moves of the match later
                        if len(self.bystander) > ENOUGH or listening.done():
                            break
                        await asyncio.sleep(0.1)
                    listening.cancel()
            except (ConnectionClosed, OSError, TimeoutError):
                continue

    async def _listen(self, socket: Any) -> None:
        async for text in socket:
            self.bystander.append(text)

    async def own_seat(self) -> None:
        """The same on the connection that owns a seat."""
        while self.left > 0:
            self.left -= 1
            try:
                await self.game.own.send(message(self.rnd, self.game.heard[-50:], self.game.sent[:-2]))
            except ConnectionClosed:
                await asyncio.sleep(0.05)
            await asyncio.sleep(0.01)

    async def requests(self) -> None:
        """Requests with wrong bodies and wrong tokens."""
        for _ in range(30):
            path = self.rnd.choice(
                ("api/rooms", f"api/rooms/{self.game.room}/sit", f"api/rooms/{self.game.room}/leave")
            )
            try:
                await asyncio.to_thread(self.game.server.read, path, body(self.rnd, self.game.tokens[0]))
                self.refused[200] += 1
            except urllib.error.HTTPError as error:
                self.refused[error.code] += 1
            await asyncio.sleep(0.01)

    async def weigh(self) -> None:
        """Note the server's memory half-way."""
        while self.left > self.most // 2:
            await asyncio.sleep(0.1)
        self.memory.append(self.game.server.memory())

    async def go(self) -> None:
        hellos: list[Any] = [
            {},
            {"token": "guess"},
            {"token": ["x"]},
            "{",
            b"\x00",
            {"token": self.game.tokens[0][:-1]},
        ]
        await asyncio.sleep(0.5)
        sockets = [self.socket({}) for _ in range(18)] + [self.socket(hello) for hello in hellos]
        await asyncio.gather(self.own_seat(), self.requests(), self.weigh(), *sockets)
        self.memory.append(self.game.server.memory())


def seen_fold(lines: list[str]) -> Iterator[tuple[int, dict[str, Any], dict[str, Any]]]:
    """After each shown line: its number, its data, and what is true then, folded from the log alone."""
    truth: dict[str, Any] = {}
    number = -1
    for line in lines:
        if line.startswith('{"a":'):
            continue
        number += 1
        data = json.loads(line)
        if "hand" in data:
            truth = {
                "concealed": [Counter() for _ in range(4)],
                "rivers": [[], [], [], []],
                "melded": [Counter() for _ in range(4)],
            }
        if "e" in data:
            event = read_event(data)
            at, tile = data.get("seat"), data.get("tile", "")
            at = WINDS.index(at) if at else -1
            if event.tag == "deal":
                truth["concealed"][at].update(TILE_NAMES[kind] for kind in event.tiles)
            elif event.tag in ("draw", "replace"):
                truth["concealed"][at][tile] += 1
            elif event.tag == "discard":
                truth["concealed"][at][tile] -= 1
                truth["rivers"][at].append(tile)
            elif event.tag in ("pung", "kong", "chow"):
                truth["rivers"][event.giver].pop()
                if event.tag == "chow":
                    own = [TILE_NAMES[kind] for kind in range(event.low, event.low + 3) if TILE_NAMES[kind] != tile]
                else:
                    own = [tile] * (2 if event.tag == "pung" else 3)
                truth["concealed"][at].subtract(own)
                truth["melded"][at].update([*own, tile])
            elif event.tag in ("added", "concealed"):
                count = 1 if event.tag == "added" else 4
                truth["concealed"][at][tile] -= count
                truth["melded"][at][tile] += count
        yield number, data, truth


def check_bytes(texts: list[str], lines: list[str], place: int | None) -> int:
    """Hold every message received against the log: nothing that its receiver may not know. How many there were."""
    messages = [json.loads(text) for text in texts]
    by_number: dict[int, list[dict[str, Any]]] = {}
    for one in messages:
        keys = set(one)
        assert keys <= STREAM or keys <= SNAPSHOT or keys <= OTHER, keys
        if "n" in one:
            by_number.setdefault(one["n"], []).append(one)
        if "room" in one:
            assert not {"wall", "seed", "token", "salt"} & set(json.dumps(one).replace('"', " ").split())
    seats: list[int] = []
    over = 0
    for number, data, truth in seen_fold(lines):
        if "hand" in data:
            first, dealership = data["place"][3], data["place"][1]
            seats = [first[(i + dealership) % 4] for i in range(4)]
        seat = seats.index(place) if place is not None and seats else None
        over += "result" in data
        for one in by_number.get(number, ()):
            if "phase" in one:
                view = one["view"]
                if view is None:
                    continue
                mine = Counter(view.get("hand", ())) + Counter([view["drawn"]] if view.get("drawn") else [])
                assert view["board"]["rivers"] == truth["rivers"]
                assert [sum(c.values()) for c in truth["concealed"]] == one["held"]
                assert set(view) <= {"seat", "rules", "hand", "drawn", "board", "options"}
                if seat is None:
                    assert set(view) == {"board", "options"}
                    assert view["options"] == []
                else:
                    assert one["players"][seat] == place
                    assert mine == +truth["concealed"][seat]
                    open_to_me = set(mine) | {view["board"]["offer"]} | set(truth["melded"][seat])
                    for option in view["options"]:
                        assert option.get("tile", view["board"]["offer"]) in open_to_me
            elif "e" in data:
                secret = data["e"] in ("deal", "draw", "replace") and (
                    seat is None or "ESWN".index(data["seat"]) != seat
                )
                if secret:
                    assert one == {"n": number}
                else:
                    assert set(one) == {"n", "event", "text"}
                    assert all(data[key] == value for key, value in one["event"].items())
            else:
                text = json.dumps(one)
                assert not any(f'"{word}"' in text for word in ("wall", "salt", "seed", "h"))
    assert sum("over" in one for one in messages) <= over * 60
    return len(messages)


def attacked(server: Server, most: int, slow: float) -> None:
    quiet, loud = Game(server), Game(server)
    run(quiet.play())
    attack = Attack(loud, most, seed=5)

    async def both() -> None:
        loud.slow = slow
        loud.attacked.clear()
        playing = asyncio.create_task(loud.play())
        await attack.go()
        assert not playing.done()
        loud.slow = 0.0
        loud.attacked.set()
        await playing

    run(both())
    first, second = quiet.log(), loud.log()

    def plain(lines: list[str]) -> list[str]:  # answers may come in any order; the chain of hashes follows them
        return [line.rsplit(',"h":', 1)[0] for line in lines if not line.startswith('{"a":')]

    assert plain(first)[:-1] == plain(second)[:-1]
    assert attack.left <= 0
    half, whole = attack.memory
    assert whole - half < MOST_GROWN, attack.memory
    assert not [status for status in attack.refused if status >= 500], attack.refused
    assert attack.refused[422] > 0
    assert check_bytes(loud.heard, second, HOSTILE) > ENOUGH
    assert check_bytes(attack.bystander, second, None) > ENOUGH
    for token in loud.tokens:
        for text in (*loud.heard, *attack.bystander):
            assert token not in text
    assert server.fetch(f"api/rooms/{loud.room}")["phase"] == "over"
    server.kill()
    assert "Traceback" not in server.errors, server.errors[-3000:]


@pytest.mark.long
def test_two_thousand_messages(server: Server) -> None:
    attacked(server, 2_000, 0.05)


@pytest.mark.slow
def test_a_hundred_thousand_messages(server: Server) -> None:
    attacked(server, 100_000, 0.6)


@pytest.mark.long
def test_what_is_too_long_ends_the_connection(server: Server) -> None:
    room = server.fetch("api/rooms", {**SPEC, "bots": ["", "plain", "plain", "plain"]})

    async def sent() -> int | None:
        async with server.socket(room["room"]) as socket:
            await socket.send(json.dumps({"token": room["token"]}))
            await socket.recv()
            await socket.send("x" * 200_000)
            with suppress(ConnectionClosed):
                async for _ in socket:
                    pass
            code: int | None = socket.close_code
            return code

    assert run(sent()) == 1009
    assert server.fetch(f"api/rooms/{room['room']}")["phase"] == "open"
