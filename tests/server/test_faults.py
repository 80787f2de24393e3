"""What machines do: damaged pages, full disks, clocks that jump. Nothing that was acknowledged is lost."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import subprocess
import time
import urllib.error
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from websockets.exceptions import WebSocketException

from quepu.match.reader import read_log
from quepu.server.app import Settings, create_app
from quepu.server.store.database import FILE, Database
from quepu.server.store.logs import Logs
from tests.loop import run
from tests.server.serving import Server

ROOM = {
    "name": "我",
    "think": 0,
    "move": 0,
    "bank": 0,
    "rules": "lingque-29",
    "rounds": 1,
    "bots": ["", *["plain"] * 3],
}
LIBRARY = next(iter(Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)


class Player:
    """One seat of a match against bots: what was told is remembered, through every lost connection."""

    def __init__(self, server: Server, **more: Any) -> None:
        sat = server.fetch("api/rooms", ROOM | more)
        self.room, self.token = sat["room"], sat["token"]
        self.messages: dict[int, Any] = {}
        self.over = False

    async def play(self, server: Server, acts: int, within: float = 60.0) -> int:
        """Act so often, or until the match is over or the time is; how often it was."""
        done = 0
        with suppress(TimeoutError, OSError, WebSocketException):
            async with asyncio.timeout(within), server.socket(self.room) as line:
                await line.send(json.dumps({"token": self.token, "after": max(self.messages, default=None)}))
                await line.send('{"ready":true}')
                while done < acts and not self.over:
                    message = json.loads(await line.recv())
                    if "phase" not in message and "n" in message:
                        self.messages[message["n"]] = message
                    options = (message.get("view") or {}).get("options")
                    if options:
                        by = {option["do"]: option for option in options}
                        chosen = by.get("win") or by.get("pass") or by.get("flower") or by["discard"]
                        action = {key: value for key, value in chosen.items() if key != "score"}
                        await line.send(json.dumps({"action": action, "n": message["n"]}))
                        done += 1
                    elif "over" in message:
                        self.over = message["over"]["match_over"]
                        await line.send('{"ready":true}')
        return done

    def check(self, server: Server) -> None:
        """Play to the end, and find everything that was told in the log, at its number."""
        until = time.monotonic() + 120
        while not self.over and time.monotonic() < until:
            run(self.play(server, 10_000, 30))
        lines = server.read(f"api/rooms/{self.room}/log").decode().splitlines()
        assert read_log(lines).finished
        shown = [json.loads(line) for line in lines if not line.startswith('{"a":')]
        for n, message in self.messages.items():
            event = message.get("event", {})
            assert {key: shown[n].get(key) for key in event} == event


def test_a_damaged_page_costs_what_is_on_it_and_nothing_else(tmp_path: Path) -> None:
    """Rooms and tables beside it go on; what is on it is a 503 with a sentence, and stays for a repair."""

    spec = {key: value for key, value in ROOM.items() if key != "name"}

    async def filled() -> list[str]:
        base = Database(tmp_path)
        store = Logs(base)
        ids = []
        for number in range(6):
            head = await store.create("room", "", f"t{number}", {"room": spec}, process="dead")
            await store.append(
                head.id, 1, [{"place": 0, "name": f"{number} {n} {'x' * 200}"} for n in range(40)], fence=0
            )
            ids.append(head.id)
        await base.close()
        return ids

    ids = run(filled())
    path = tmp_path / FILE
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = base.execute("PRAGMA page_size").fetchone()
    content = bytearray(path.read_bytes())
    page = content.index(b'"2 20 xx') // size
    content[page * size : (page + 1) * size] = b"\xa5" * size
    path.write_bytes(content)
    with TestClient(create_app(Settings(data=tmp_path)), raise_server_exceptions=False) as client:
        answers = {id: client.get(f"/api/rooms/{id}") for id in ids}
        assert answers[ids[2]].status_code == 503
        assert answers[ids[2]].json()["error"].count("。") == 1
        assert "retry-after" in answers[ids[2]].headers
        assert all(answer.status_code == 200 for id, answer in answers.items() if id != ids[2])
        assert client.post("/api/rooms", json=ROOM).status_code == 200


def test_a_clock_that_jumps_removes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The last tidying is stored: a clock that is wrong from the start of a server on is recognised too."""
    with TestClient(create_app(Settings(data=tmp_path))) as client:
        room = client.post("/api/rooms", json=ROOM).json()["room"]
        assert client.portal is not None
        client.portal.call(client.app.state.housekeeping.tidy)  # type: ignore[attr-defined]
    now, real = [3650 * 86_400.0], time.time
    monkeypatch.setattr(time, "time", lambda: real() + now[0])
    with TestClient(create_app(Settings(data=tmp_path))) as client:
        assert client.portal is not None
        for _ in range(3):
            client.portal.call(client.app.state.housekeeping.tidy)  # type: ignore[attr-defined]
        warnings = [line for line in caplog.messages if "nothing was removed" in line]
        assert len(warnings) == 1 and "3650.0 days after" in warnings[0] and "--trust-clock" in warnings[0]
        assert client.get(f"/api/rooms/{room}").status_code == 200
        now[0] = 0.0  # set right: the hourly tidying goes on, and speaks up when it happens again
        client.portal.call(client.app.state.housekeeping.tidy)  # type: ignore[attr-defined]
        now[0] = -2 * 86_400.0
        client.portal.call(client.app.state.housekeeping.tidy)  # type: ignore[attr-defined]
        assert "2.0 days before" in caplog.messages[-1]
        assert client.get(f"/api/rooms/{room}").status_code == 200


@pytest.mark.slow
@pytest.mark.skipif(LIBRARY is None, reason="no faketime")
def test_players_do_not_notice_a_clock_that_jumps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forwards two hours, back a day, forwards ten years, while a match with clocks is played."""
    clock = tmp_path / "clock"
    clock.write_text("+0")
    monkeypatch.setenv("LD_PRELOAD", str(LIBRARY))
    monkeypatch.setenv("FAKETIME_TIMESTAMP_FILE", str(clock))
    monkeypatch.setenv("FAKETIME_DONT_FAKE_MONOTONIC", "1")
    monkeypatch.setenv("FAKETIME_CACHE_DURATION", "1")
    server = Server(tmp_path / "data", "--log", "json")
    monkeypatch.delenv("LD_PRELOAD")
    try:
        player = Player(server, move=600, bank=0)
        for jump in ("+0", "+2h", "-1d", "+3650d", "+0"):
            clock.write_text(jump)
            time.sleep(1.2)  # until the library looks again
            assert run(player.play(server, 6)) == 6 or player.over
        player.check(server)
    finally:
        server.kill()
    times = {json.loads(line)["time"][:4] for line in server.errors.splitlines()}
    assert len(times) > 1, "the clock of the server did not jump"
    assert "Traceback" not in server.errors


@contextmanager
def small_disk(folder: Path, kib: int) -> Iterator[Path]:
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={kib}k", "quepu", folder], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("no right to mount")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("mount"), reason="no mount")
def test_a_match_goes_on_after_a_full_disk(tmp_path: Path) -> None:
    """The disk fills while a match is played, and is emptied; five times."""
    with small_disk(tmp_path / "disk", 4096) as disk:
        server = Server(disk / "data")
        try:
            player, filler, full = Player(server, rounds=None), disk / "filler", 0
            for _ in range(5):
                run(player.play(server, 20))
                if player.over:
                    break
                with filler.open("wb", buffering=0) as file, suppress(OSError):
                    while True:
                        file.write(bytes(4096))
                run(player.play(server, 10_000, 3))  # until it stops
                try:
                    server.fetch("api/rooms", ROOM)
                except urllib.error.HTTPError as refused:
                    full += refused.code == 503
                filler.unlink()
            assert full
            player.check(server)
        finally:
            server.kill()
        assert "Traceback" not in server.errors
        with closing(sqlite3.connect(disk / "data" / FILE)) as base:
            assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
