"""Endless frames, from one address or from thirty: other visitors are not delayed."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.frames import Frame, Opcode

from tests.loop import run
from tests.server.serving import Server


def sent_frame(kind: Opcode, text: bytes = b"", fin: bool = True) -> bytes:
    """A frame as a client sends it."""
    return Frame(kind, text, fin).serialize(mask=True)


FLOODS = {
    "pings": sent_frame(Opcode.PING) * 20_000,
    "messages": sent_frame(Opcode.TEXT) * 20_000,
    "pieces of a message": sent_frame(Opcode.TEXT, fin=False) + sent_frame(Opcode.CONT, fin=False) * 20_000,
}


@pytest.mark.long
@pytest.mark.parametrize("senders", [1, 30])
def test_frames_without_end_hold_nobody_up(senders: int, tmp_path: Path) -> None:
    """From one address, or from thirty behind a proxy."""
    server = Server(tmp_path / "data", "--behind-proxy", "127.0.0.2")
    try:
        flooded(server, senders)
    finally:
        server.kill()


def flooded(server: Server, senders: int) -> None:
    where = urlsplit(server.address)
    sat = server.fetch("api/rooms", {"name": "甲", "bots": [""] * 4})

    async def flooding(frames: bytes, number: int) -> None:
        head = f"GET /api/rooms/{sat['room']}/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        head += f"X-Forwarded-For: 10.0.0.{number}\r\nSec-WebSocket-Version: 13\r\n"
        head += "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        for _ in range(100):
            reader, writer = await asyncio.open_connection(where.hostname, where.port, local_addr=("127.0.0.2", 0))
            try:
                writer.write(head.encode())
                await reader.readuntil(b"\r\n\r\n")
                writer.write(sent_frame(Opcode.TEXT, b"{}"))
                with suppress(OSError):
                    while not reader.at_eof():
                        writer.write(frames)
                        await writer.drain()
            finally:
                writer.close()

    async def played() -> None:
        async with server.socket(sat["room"]) as socket:
            await socket.send(json.dumps({"token": sat["token"]}))
            for frames in FLOODS.values():
                floods = [asyncio.create_task(flooding(frames, number)) for number in range(senders)]
                for number in range(20):
                    await socket.send(json.dumps({"ping": number}))
                    async with asyncio.timeout(30):
                        while json.loads(await socket.recv()).get("pong") != number:
                            pass
                    await asyncio.sleep(0.01)
                for flood in floods:
                    flood.cancel()

    run(played())
