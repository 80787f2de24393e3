"""`kill -9` at any moment while several clients write: whatever was acknowledged is there afterwards, and folds.

Each trial starts the server, lets five clients write (two tables of their own, one table for two, practice, a seat in a
room over its socket) and kills the process; the next server is asked what is there. Every eighth trial begins with
nothing at all, so that some kills fall into the making of the database's tables.
"""

from __future__ import annotations

import http.client
import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.server.prepared import Prepared

WHO = "somebody-1234"
NAMES = ["林", "周", "何", "许"]
ROOM = {"name": "我", "think": 0, "move": 0, "bank": 0, "rounds": 1, "seed": 5, "rules": "lingque-29"}
GONE = (OSError, http.client.HTTPException, ValueError)  # what a client sees of a server that was killed
AFRESH = 8


class Running:
    """A server as a process of its own: started by itself, or as a copy of a prepared one."""

    def __init__(self, folder, database=None, prepared=None):
        arguments = ["--port", "0", "--no-browser", "--data", str(folder)]
        arguments += ["--database", database] if database else []
        self.prepared = prepared
        if prepared is not None:
            self.number, line = prepared.start(arguments)
        else:
            command = [sys.executable, "-c", "from quepu.cli import main; main()", "serve", *arguments]
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
            self.number, line = self.process.pid, self.process.stdout.readline()
        self.address = re.search(r"http://\S+/", line)[0]

    def kill(self):
        """As `kill -9` does; the processes in which bots think have to notice by themselves."""
        if self.prepared is not None:
            self.prepared.kill(self.number)
            return
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        for _ in range(1500):
            try:
                os.killpg(self.number, 0)
            except ProcessLookupError:
                return
            time.sleep(0.02)
        os.killpg(self.number, signal.SIGKILL)
        raise AssertionError("a process of the server outlived it")

    def fetch(self, path, body=None, who=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"} | ({} if who is None else {"x-who": who})
        request = urllib.request.Request(self.address + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            if refused.code == 429:
                time.sleep(float(refused.headers["retry-after"]))
                return self.fetch(path, body, who)
            return {"status": refused.code, **json.load(refused)}


@dataclass
class Acknowledged:
    """What has been acknowledged to one client."""

    kind: str
    id: str = ""
    writers: int = 1
    length: int = 0
    seen: int = -1
    token: str = ""
    written: int = 0
    doubts: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


def record(number):
    return {"kind": "hand", "winner": number % 4, "points": 8 + number % 5, "discarder": (number + 1) % 4}


def totals(hands):
    """What four players have after that many of `record` under 国标: 8 from each, and the points from the discarder."""
    sums = [0] * 4
    for number in range(hands):
        points, winner = 8 + number % 5, number % 4
        for player in range(4):
            gain = 24 + points if player == winner else -8 - (points if player == (number + 1) % 4 else 0)
            sums[player] += gain
    return sums


def add_hands(server, client):
    """Add hands as fast as answers come; a table that is played to its end is followed by another."""
    while True:
        with client.lock:
            if not client.id:
                made = server.fetch("api/tables", {"who": WHO, "rules": "guobiao", "names": NAMES, "rounds": 16})
                client.id, client.length = made["id"], 1
                client.written += 1
            table, length = client.id, client.length
        answer = server.fetch(f"api/tables/{table}", {"seen": length, "do": "add", "record": record(length - 1)})
        with client.lock:
            if table != client.id:
                continue
            if answer.get("status") == 409:  # the other writer of this table was faster
                client.length = max(client.length, server.fetch(f"api/tables/{table}")["length"])
            elif "status" in answer:
                client.doubts.append(str(answer))
                return
            else:
                client.length = max(client.length, answer["length"])
                client.written += 1
                if answer["over"]:
                    client.id = ""


def practise(server, acknowledged):
    body = {"rules": "guobiao", "kind": "points", "level": 1, "seed": 1, "who": WHO, "points": 3}
    while acknowledged.length < 390:  # the history shows the last four hundred
        server.fetch("api/practice/answer", body)
        acknowledged.length += 1
        acknowledged.written += 1


def play(server, acknowledged):
    """Sit at a table with three bots and remember the last message told."""
    from websockets.sync.client import connect

    if not acknowledged.id or server.fetch(f"api/rooms/{acknowledged.id}").get("phase") == "over":
        sat = server.fetch("api/rooms", ROOM)
        acknowledged.id, acknowledged.token, acknowledged.seen = sat["room"], sat["token"], -1
        acknowledged.written += 1
    with connect(f"{server.address.replace('http', 'ws', 1)}api/rooms/{acknowledged.id}/ws", open_timeout=60) as socket:
        socket.send(json.dumps({"token": acknowledged.token, "after": acknowledged.seen}))
        socket.send(json.dumps({"ready": True}))
        while True:
            message: dict[str, Any] = json.loads(socket.recv(timeout=60))
            if "view" not in message and message.get("n", -1) > acknowledged.seen:
                acknowledged.written += 1
                acknowledged.seen = message["n"]
            options = (message.get("view") or {}).get("options")
            if options:
                action = next((o for do in ("win", "pass", "discard") for o in options if o["do"] == do), options[0])
                socket.send(json.dumps({"action": action, "n": message["n"]}))
            if "over" in message:
                socket.send(json.dumps({"ready": True}))


def clients(server, knowns):
    """Let everybody write; the threads end when the server is gone."""
    does = {"table": add_hands, "practice": practise, "room": play}

    def quietly(acknowledged):
        from websockets.exceptions import WebSocketException

        try:
            does[acknowledged.kind](server, acknowledged)
        except (*GONE, WebSocketException):
            pass
        except Exception as error:  # noqa: BLE001  # a client that breaks for another reason is a failure of the test
            acknowledged.doubts.append(repr(error))

    threads = [threading.Thread(target=quietly, args=(k,), daemon=True) for k in knowns for _ in range(k.writers)]
    for thread in threads:
        thread.start()
    return threads


def look(server, knowns):
    """Everything acknowledged is there, and at most what was on its way besides; the logs fold."""
    for acknowledged in knowns:
        assert not acknowledged.doubts, acknowledged.doubts
        if acknowledged.kind == "practice":
            answer = server.fetch("api/practice/history?rules=guobiao", who=WHO)
            assert acknowledged.length <= answer["answered"] <= acknowledged.length + 1
            acknowledged.length = answer["answered"]
        elif not acknowledged.id:
            continue
        elif acknowledged.kind == "table":
            view = server.fetch(f"api/tables/{acknowledged.id}")
            assert acknowledged.length <= view["length"] <= acknowledged.length + acknowledged.writers
            assert len(view["rows"]) == view["length"] - 1
            assert view["totals"] == totals(len(view["rows"])) == view["rows"][-1]["totals"] if view["rows"] else True
            acknowledged.length = view["length"]
        else:
            from websockets.sync.client import connect

            with connect(f"{server.address.replace('http', 'ws', 1)}api/rooms/{acknowledged.id}/ws") as socket:
                socket.send(json.dumps({"token": acknowledged.token, "after": 0}))
                answer = [json.loads(socket.recv(timeout=60)) for _ in range(2)]
                assert answer[0]["you"] == 0
                numbers = []
                while "view" not in answer[-1]:
                    numbers.append(answer[-1]["n"])
                    answer.append(json.loads(socket.recv(timeout=60)))
                assert answer[-1]["n"] >= acknowledged.seen
                assert numbers == list(range(numbers[0], numbers[-1] + 1)) if numbers else acknowledged.seen <= 0


@pytest.fixture(scope="module")
def prepared():
    """The process whose copies are servers."""
    made = Prepared()
    yield made
    made.close()


def killed(stores, trials, moments, prepared, seed=7):
    """Run the trials; how many things were acknowledged.

    `stores` gives a folder and a database address for every fresh start. The first server of each store is started as
    `quepu serve` is, those after it as copies of a prepared process: half a second instead of five.
    """
    rng = random.Random(seed)
    written = 0
    knowns: list[Acknowledged] = []
    store = None
    for trial in range(trials + 1):
        if trial % AFRESH == 0:
            if store is not None:
                with running(*store, prepared) as server:
                    look(server, knowns)
            written += sum(acknowledged.written for acknowledged in knowns)
            print(f"{trial} kills, {written} acknowledged", flush=True)
            store = next(stores)
            fresh = True
            knowns = [
                Acknowledged("table"),
                Acknowledged("table"),
                Acknowledged("table", writers=2),
                Acknowledged("practice"),
                Acknowledged("room"),
            ]
        with running(*store, None if fresh else prepared) as server:
            fresh = False
            look(server, knowns)
            if trial == trials:
                break
            before = {id(acknowledged): acknowledged.written for acknowledged in knowns}
            threads = clients(server, knowns)
            until = time.monotonic() + 60
            while (
                trial % 2 == 0  # half of the kills fall anywhere, half of them after each table was written to
                and time.monotonic() < until
                and any(acknowledged.written == before[id(acknowledged)] for acknowledged in knowns[:3])
            ):
                time.sleep(0.01)
            time.sleep(rng.random() * moments)
            os.kill(server.number, signal.SIGKILL)
            for thread in threads:
                thread.join(90)
                assert not thread.is_alive()
    return written + sum(acknowledged.written for acknowledged in knowns)


@contextmanager
def running(folder, database=None, prepared=None):
    server = Running(folder, database, prepared)
    try:
        yield server
    finally:
        server.kill()


@pytest.fixture
def folders(tmp_path):
    return ((tmp_path / str(n), None) for n in itertools.count())


@pytest.fixture
def databases(tmp_path, postgres_addresses):
    """A database of a real PostgreSQL for every fresh start."""
    return ((tmp_path, address) for address in postgres_addresses)


@pytest.mark.long
@pytest.mark.parametrize("where", ["folders", "databases"])
def test_what_was_acknowledged_survives_a_kill(where, prepared, request):
    assert killed(request.getfixturevalue(where), 2, 0.3, prepared) > 3


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("where", ["folders", "databases"])
def test_what_was_acknowledged_survives_two_hundred_kills(where, prepared, request):
    written = killed(request.getfixturevalue(where), 200, 0.6, prepared)
    print(f"{where}: 200 kills, {written} acknowledged")
    assert written > 2000
