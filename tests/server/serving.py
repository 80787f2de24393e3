"""A `quepu serve` of its own, asked over real sockets."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from quepu.server.app import Settings

UNLIMITED: dict[str, Any] = {"rate": 1e6, "burst": 10**6, "work_rate": 1e6, "work_burst": 1e9} | dict.fromkeys(
    (
        "work_cpu", "work_wall", "hint_cpu", "hint_wall", "tables_cpu", "tables_wall",
        "workshop_cpu", "workshop_cpu_member", "workshop_wall",
    ),
    600.0,
)  # fmt: skip


def unlimited(folder: Path, **more: Any) -> Settings:
    """Settings of a server that counts no requests and lets work take its time, however busy the machine."""
    return Settings(data=folder, **UNLIMITED | more)


class Server:
    """A server process; `errors` is what it wrote to stderr once it was killed."""

    def __init__(self, folder: Path, *more: str) -> None:
        serve = "from quepu.cli import main; main()"
        command = [sys.executable, "-c", serve, "serve", "--port", "0", "--no-browser", "--data", str(folder), *more]
        alone = {**os.environ, "QUEPU_SERVE_PREPARE": "false"}  # nothing is loaded in advance
        self._errors = (folder.parent / f"{folder.name}-{id(self)}.err").open("w+")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._errors, text=True, env=alone)
        assert self.process.stdout is not None
        found = re.search(r"http://\S+/", self.process.stdout.readline())
        assert found is not None
        self.address = found[0]
        self.errors = ""

    def fetch(self, path: str, body: Any = None, who: str = "") -> Any:
        """The JSON answer to a GET, or to a POST of `body`."""
        return json.loads(self.read(path, body, who))

    def read(self, path: str, body: Any = None, who: str = "") -> bytes:
        """The answer's bytes."""
        data = None if body is None else json.dumps(body).encode()
        heads = {"content-type": "application/json"} | ({"x-who": who} if who else {})
        request = urllib.request.Request(self.address + path, data, heads)
        with urllib.request.urlopen(request, timeout=240) as answer:
            answered: bytes = answer.read()
            return answered

    def socket(self, room: str) -> Any:
        """A connection to a room."""
        return connect(self.address.replace("http", "ws") + f"api/rooms/{room}/ws", max_size=None, open_timeout=60)

    def memory(self) -> float:
        """MiB that its process holds; 0 where the system does not say."""
        return self._status("VmRSS")

    def most_memory(self) -> float:
        """MiB that its process held at most since this was asked the last time; 0 where the system does not say."""
        most = self._status("VmHWM")
        if most:
            Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")
        return most

    def _status(self, what: str) -> float:
        status = Path(f"/proc/{self.process.pid}/status")
        found = re.search(rf"{what}:\s+(\d+)", status.read_text()) if status.exists() else None
        return int(found[1]) / 1024 if found else 0.0

    def kill(self) -> None:
        """End it at once, if it has not ended yet."""
        if self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if not self._errors.closed:
            assert self.process.stdout is not None
            self.process.stdout.close()
            self._errors.seek(0)
            self.errors = self._errors.read()
            self._errors.close()
