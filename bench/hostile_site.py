"""A server under attack: started with what notes how long its loop is held, behind nginx or not; a player's turns."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from usage import Usage
from websockets.asyncio.client import connect

PLAYER = "127.0.0.9"
"""Where the player comes from: not from where a proxy does."""
STRANGERS = ("127.0.0.2",)
CROWD = tuple(f"127.1.0.{number}" for number in range(1, 251))
"""Where strangers come from who have many addresses."""
NGINX = Path(__file__).parents[1] / "deploy" / "nginx.conf"

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


def port_of(address: str) -> int:
    """The port in `http://127.0.0.1:8000/`."""
    return int(address.rstrip("/").rsplit(":", 1)[1])


def nginx(folder: Path, upstream: int) -> tuple[subprocess.Popen[bytes], str]:
    """The proxy of deploy/nginx.conf before a server, without certificates, and its address."""
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
        ports = one.getsockname()[1], two.getsockname()[1]
    text = NGINX.read_text().replace("127.0.0.1:8000", f"127.0.0.1:{upstream}")
    text = re.sub(r"    (listen \[::\]|ssl_).*;\n", "", text)
    text = text.replace("listen 80;", f"listen 127.0.0.1:{ports[1]};")
    text = text.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{ports[0]};")
    (folder / "quepu.conf").write_text(text)
    temporary = "".join(f"{what}_temp_path {folder}/{what};" for what in ("proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log stderr; user root; worker_rlimit_nofile 20000;\n"
        f"events {{ worker_connections 8192; }}\n"
        f"http {{ access_log off; client_body_temp_path {folder}/bodies; {temporary} include {folder}/quepu.conf; }}\n"
    )
    command = ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]
    proxy = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 20
    while True:
        try:
            httpx.get(f"http://127.0.0.1:{ports[0]}/healthz").raise_for_status()
        except httpx.TransportError:
            if proxy.poll() is not None or time.monotonic() > until:
                raise
            time.sleep(0.1)
        else:
            return proxy, f"http://127.0.0.1:{ports[0]}/"


class Site:
    """A server, and the strangers' way to it."""

    def __init__(self, address: str, strangers: Sequence[str] = STRANGERS) -> None:
        self.address = address
        self.port = port_of(address)
        self.process: subprocess.Popen[str] | None = None
        self.proxy: subprocess.Popen[bytes] | None = None
        self.probed: Path | None = None
        self.answers: Counter[int] = Counter()
        self._addresses = itertools.cycle(strangers)
        self._most = 60 if len(strangers) == 1 else 2

    @classmethod
    def started(cls, folder: Path, *, proxied: bool = False) -> Site:
        """A server of its own; `proxied`: behind nginx."""
        held = Path(f"{folder}-held")
        given = ["serve", "--port", "0", "--no-browser", "--data", str(folder)]
        given += ["--behind-proxy", "127.0.0.1"] if proxied else []
        command = [sys.executable, "-c", PROBED.format(held=str(held)), *given]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert process.stdout is not None
        found = re.search(r"http://\S+/", process.stdout.readline())
        assert found is not None
        address, proxy = found[0], None
        if proxied:
            (folder / "nginx").mkdir()
            proxy, address = nginx(folder / "nginx", port_of(address))
        site = cls(address)
        site.process, site.proxy, site.probed = process, proxy, held
        return site

    def end(self) -> None:
        """Stop what was started."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        if self.proxy is not None:
            self.proxy.terminate()
            self.proxy.wait()
        if self.probed is not None:
            self.probed.unlink(missing_ok=True)

    @property
    def stranger(self) -> str:
        """The address that a stranger comes from next."""
        return next(self._addresses)

    @cache  # noqa: B019  # a site lives as long as its process
    def _client(self, stranger: str) -> httpx.AsyncClient:
        limits = httpx.Limits(max_connections=self._most)
        transport = httpx.AsyncHTTPTransport(local_address=stranger, limits=limits)
        return httpx.AsyncClient(transport=transport, base_url=self.address, timeout=60)

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

    async def request(self, method: str, path: str, body: Any = None) -> httpx.Response | None:
        """One request of a stranger, who says that he comes from somewhere else."""
        forged = {"X-Forwarded-For": f"10.0.{random.randrange(256)}.{random.randrange(256)}"}
        try:
            answer = await self._client(self.stranger).request(method, path, json=body, headers=forged)
        except httpx.HTTPError:
            self.answers[0] += 1
            await asyncio.sleep(0.05)
            return None
        self.answers[answer.status_code] += 1
        if answer.status_code == 429:
            await asyncio.sleep(0.02)
        return answer

    def socket(self, room: str, whose: str = "") -> Any:
        """A socket to a room, of a stranger or from an address."""
        at = f"ws://127.0.0.1:{self.port}/api/rooms/{room}/ws"
        return connect(at, max_size=None, open_timeout=30, local_addr=(whose or self.stranger, 0))


async def play(site: Site, turns: list[float], stop: asyncio.Event) -> None:
    """The player: discards what he drew, and notes how long it takes until he is asked again."""
    transport = httpx.AsyncHTTPTransport(local_address=PLAYER)
    async with httpx.AsyncClient(transport=transport, base_url=site.address, timeout=60) as client:
        while not stop.is_set():
            spec = {"name": "林", "move": 0, "bank": 0, "think": 0, "rounds": 16, "rules": "guobiao"}
            sat = (await client.post("/api/rooms", json=spec)).json()
            async with site.socket(sat["room"], PLAYER) as socket:
                await socket.send(json.dumps({"token": sat["token"]}))
                await socket.send('{"ready":true}')
                began = 0.0
                async for text in socket:
                    if stop.is_set():
                        return
                    message = json.loads(text)
                    if "over" in message:
                        await socket.send('{"ready":true}')
                        began = 0.0
                        if message["over"]["match_over"]:
                            break
                    options = (message.get("view") or {}).get("options")
                    if not options:
                        continue
                    if began and options[0]["do"] == "discard":
                        turns.append(time.monotonic() - began)
                        began = 0.0
                    by = {option["do"]: option for option in options}
                    chosen = by.get("pass") or by.get("flower") or by["discard"]
                    if chosen["do"] == "discard":
                        began = time.monotonic()
                    action = {key: value for key, value in chosen.items() if key != "score"}
                    await socket.send(json.dumps({"action": action, "n": message["n"]}))
