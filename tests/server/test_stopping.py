"""A server that is to stop writes nothing on its errors: pages that follow a table, and bots, end with it."""

from __future__ import annotations

import asyncio
import json
import signal
import urllib.request
from pathlib import Path

from tests.server.rooms import FAST
from tests.server.serving import Server


def test_a_server_stops_without_a_word(tmp_path: Path) -> None:
    server = Server(tmp_path / "data")
    names = ["林", "周", "何", "许"]
    table = server.fetch("api/tables", {"who": "somebody-1234", "names": names})["id"]
    following = urllib.request.urlopen(f"{server.address}api/tables/{table}/live", timeout=60)
    assert following.readline().startswith(b"retry")
    me = server.fetch("api/rooms", FAST)

    async def play() -> None:
        async with server.socket(me["room"]) as socket:
            for line in ({"token": me["token"]}, {"ready": True}):
                await socket.send(json.dumps(line))
            async for message in socket:
                if "view" in json.loads(message) and '"discard"' in message:
                    break  # bots have a process by now
            server.process.send_signal(signal.SIGTERM)
            await asyncio.to_thread(server.process.wait, 60)

    asyncio.run(play())
    following.close()
    server.kill()
    assert "Traceback" not in server.errors, server.errors
    assert "leaked" not in server.errors, server.errors
