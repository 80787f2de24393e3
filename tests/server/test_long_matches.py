"""Matches of any length: a page, a program, another device and a spectator get in, and none of them costs more."""

from __future__ import annotations

import json
import random
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from websockets.frames import Frame, Opcode

from quepu.server.device.stores import DeviceLogs
from quepu.server.rooms.record import CHUNK, RoomLog
from tests.loop import run
from tests.server.long_match import StoredRoom, store_match
from tests.server.rooms import served
from tests.server.serving import Server

DELAY = 2.0
"""Seconds by which spectators of these rooms are late."""
LONGEST_HAND = 400
"""More messages than a hand has that was played as these are."""


class Long(NamedTuple):
    """A server with a room whose match is long."""

    client: TestClient
    room: StoredRoom

    def connect(self) -> Any:
        """A connection to the room."""
        return self.client.websocket_connect(f"/api/rooms/{self.room.id}/ws")

    @property
    def hand_start(self) -> int:
        """The number of the line that seals the wall of the hand being played."""
        return max(n for n, line in enumerate(self.room.lines) if line.startswith('{"sealed":'))


@pytest.fixture(
    scope="module",
    params=[4_000, pytest.param(15_000, marks=pytest.mark.long), pytest.param(100_000, marks=pytest.mark.long)],
)
def long(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Long]:
    folder = tmp_path_factory.mktemp("long")
    room = store_match(folder, request.param, delay=DELAY)
    with served(folder) as client:
        yield Long(client, room)


def numbers(socket: WebSocketTestSession) -> tuple[list[int], dict[str, Any]]:
    """The numbers of the lines that come before the table, and the table."""
    found: list[int] = []
    while True:
        message = socket.receive_json()
        if "phase" in message:
            return found, message
        if "n" in message:
            found.append(message["n"])


def read_on(socket: WebSocketTestSession, seen: list[dict[str, Any]]) -> None:
    """Read until the connection ends."""
    while True:
        seen.append(socket.receive_json())


def test_a_fresh_page_is_sent_the_hand_being_played_alone(long: Long) -> None:
    with long.connect() as page:
        page.send_json({"token": long.room.tokens[0], "after": -1, "hand": True})
        found, table = numbers(page)
    assert found == list(range(long.hand_start, table["n"] + 1))
    assert len(found) < LONGEST_HAND
    assert table["view"]["hand"]
    assert table["names"] and table["totals"] and table["hand"] > 20, "how the match stands needs no earlier hand"


def test_a_reloaded_page_is_sent_what_it_missed(long: Long) -> None:
    last = len(long.room.lines) - 1
    with long.connect() as page:
        page.send_json({"token": long.room.tokens[1], "after": last - 20, "hand": True})
        found, table = numbers(page)
    assert found == list(range(max(last - 19, long.hand_start), table["n"] + 1))
    with long.connect() as page:  # one that has slept since the first hand
        page.send_json({"token": long.room.tokens[1], "after": 17, "hand": True})
        found, table = numbers(page)
    assert found == list(range(long.hand_start, table["n"] + 1))


def test_a_program_that_asks_for_all_is_sent_all_of_it(long: Long) -> None:
    with long.connect() as program:
        program.send_json({"token": long.room.tokens[2], "after": -1})
        found, table = numbers(program)
    assert found == list(range(table["n"] + 1))
    with long.connect() as program:
        program.send_json({"token": long.room.tokens[2]})
        assert numbers(program)[0] == []


def test_a_second_device_takes_a_place_over_while_the_first_catches_up(long: Long) -> None:
    hello = {"token": long.room.tokens[3], "after": -1}
    with long.connect() as old, long.connect() as new:
        old.send_json(hello)
        old.receive_json()
        new.send_json(hello | {"hand": True})
        assert numbers(new)[1]["view"]["hand"]
        seen: list[dict[str, Any]] = []
        with pytest.raises(WebSocketDisconnect) as ended:
            read_on(old, seen)
        assert ended.value.code == 4408
        assert {"taken": True} in seen
        lines = [one["n"] for one in seen if "n" in one and "phase" not in one]
        assert lines == list(range(len(lines))), "whatever it was sent has no hole"


def test_a_delayed_spectator_sees_the_hand_late_and_nothing_hidden(long: Long) -> None:
    began = time.monotonic()
    with long.connect() as watching:
        watching.send_json({"after": -1, "hand": True})
        first = watching.receive_json()
        assert first["you"] is None
        found, table = numbers(watching)
    assert time.monotonic() - began >= DELAY
    assert found == list(range(long.hand_start, found[-1] + 1))
    assert table["n"] == found[-1]
    assert "hand" not in table["view"]


def test_lines_are_read_from_anywhere_as_from_the_beginning() -> None:
    """Against a plain list, with answers and people's doings between the lines, hands short and long."""
    rng = random.Random(8)

    async def compared() -> None:
        logs = DeviceLogs()
        head = await logs.create("room", "", "", {"room": {}})
        record, shown, starts = RoomLog(head.id, logs, 0), list[str](), [0]
        record.line('{"log":3}')
        shown.append('{"log":3}')
        for hand in range(1, 30):
            sealed = [f'{{"sealed":{hand}}}'] if rng.random() < 0.7 else []
            events = [f'{{"n":{n}}}' for n in range(rng.choice((0, 3, 90, 700)))]
            starts.append(len(shown))
            for line in [*sealed, f'{{"hand":{hand},"wall":""}}', *events]:
                record.line(line)
                shown.append(line)
                if rng.random() < 0.3:
                    record.line('{"a":{"do":"pass"}}')
                if rng.random() < 0.1:
                    record.door(closed=False)
            await record.save()
            first = rng.randrange(len(shown))
            for at, end in ((first, len(shown)), (first, rng.randint(first, len(shown))), (starts[-1], len(shown))):
                assert [line async for some in record.chunks(at, end) for line in some] == shown[at:end]
                assert [len(some) async for some in record.chunks(at, end) if not 0 < len(some) <= CHUNK] == []
            assert record.hand_start == starts[-1]
            assert record.hand_of(first) == max(at for at, start in enumerate(starts) if start <= first)
            loaded = RoomLog(head.id, logs, 0)
            for entry in (await logs.read(head.id) or (None, []))[1]:
                if "line" in entry.body:
                    loaded.remember(entry.body["line"], entry.n)
            assert await loaded.since(first) == shown[first:]

    run(compared())


@pytest.mark.long
def test_who_reads_nothing_is_disconnected(tmp_path: Path) -> None:
    room = store_match(tmp_path / "data", 30_000)
    server = Server(tmp_path / "data", "--limit", "answer_time=3")
    try:
        at = urlsplit(server.address)
        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.settimeout(120)
            slow.connect((at.hostname, at.port))
            slow.sendall(
                f"GET /api/rooms/{room.id}/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
            )
            hello = json.dumps({"token": room.tokens[0], "after": -1}).encode()
            slow.sendall(Frame(Opcode.TEXT, hello).serialize(mask=True))
            slow.recv(1)  # it was let in
            deadline = time.monotonic() + 100
            while _open_sockets(server) and time.monotonic() < deadline:
                time.sleep(0.5)
            assert _open_sockets(server) == 0, "the connection is still held for it"
    finally:
        server.kill()


def _open_sockets(server: Server) -> int:
    """How many connections of a client the server's process has open."""
    port = urlsplit(server.address).port
    rows = Path("/proc/net/tcp").read_text().splitlines()[1:]
    fields = [row.split() for row in rows]
    return sum(one[1].endswith(f":{port:04X}") and one[3] == "01" for one in fields)
